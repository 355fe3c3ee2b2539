//! Reads sheet descriptions of Starling and Sparrow: XML with a `TextureAtlas` of `SubTexture`s.
//!
//! Called by `frame_source`. Each `SubTexture` is a sprite. Positions and sizes are those on the
//! page, so a rotated image has its sides swapped. `frameX` and `frameY` are the negated corner of
//! the image in the untrimmed frame. An attribute that is not known is an error.

use super::cut::{PackedRotation, Region};
use super::cuts::{Cuts, one_sprite_each};
use super::described::Described;
use super::page::page_or_own;
use crate::error::BakeError;
use crate::text::Text;
use roxmltree::Node;
use std::path::Path;

/// Attributes of a `SubTexture`. A pivot is in texels of the untrimmed frame.
const ATTRIBUTES: [&str; 14] = [
    "name",
    "x",
    "y",
    "width",
    "height",
    "frameX",
    "frameY",
    "frameWidth",
    "frameHeight",
    "rotated",
    "pivotX",
    "pivotY",
    "flipX",
    "flipY",
];

/// Attributes of a `TextureAtlas` that do not affect masks. A `scale` gives a warning.
const ATLAS_ATTRIBUTES: [&str; 6] = ["imagePath", "name", "width", "height", "format", "scale"];

/// Remedy for XML of another format.
const EXPORT: &str = "export the sheet for Starling or Sparrow, or as JSON";

/// Returns what the description at `path` has, with sprites under the name `name`.
pub(super) fn sprites(name: &str, path: &Path) -> Result<Described, BakeError> {
    let text = Text::read(path)?;
    let document = text.xml(&text.text, false)?;
    let wrong = |node: Node<'_, '_>, cause: String| text.malformed(node.range().start, cause);
    let atlas = document.root_element();
    if !atlas.has_tag_name("TextureAtlas") {
        let cause = "the root element is not a TextureAtlas".to_owned();
        return Err(wrong(atlas, cause).with_help(EXPORT));
    }
    // Attributes of other namespaces belong to other programs.
    let own = || atlas.attributes().filter(|attribute| attribute.namespace().is_none());
    if let Some(unknown) = own().find(|own| !ATLAS_ATTRIBUTES.contains(&own.name())) {
        let cause = format!("the TextureAtlas has the unknown attribute {:?}", unknown.name());
        return Err(wrong(atlas, cause));
    }
    let scale = own().find(|own| own.name() == "scale").map(|own| own.value());
    let scale = scale.map(|scale| {
        let number = scale.trim().parse::<f64>().ok().filter(|scale| *scale > 0.0);
        let cause = || format!("the TextureAtlas has the scale {scale:?}, which is no scale");
        number.ok_or_else(|| wrong(atlas, cause()))
    });
    let scale = scale.transpose()?;
    let mut cuts = Cuts::new(path);
    let page = cuts.page(page_or_own(path, atlas.attribute("imagePath"))?);
    let side = |key| atlas.attribute(key).and_then(|side| side.trim().parse::<f64>().ok());
    let size = side("width").zip(side("height"));
    let sizes = size.map(|(width, height)| (cuts.pages[page].clone(), [width, height]));
    for node in atlas.children().filter(Node::is_element) {
        if !node.has_tag_name("SubTexture") {
            let cause = format!("unknown element {}", node.tag_name().name());
            return Err(wrong(node, cause).with_help(EXPORT));
        }
        let Some(frame) = node.attribute("name") else {
            return Err(wrong(node, "the SubTexture has no name".to_owned()));
        };
        let mut attributes = node.attributes().map(|attribute| attribute.name());
        if let Some(key) = attributes.find(|key| !ATTRIBUTES.contains(key)) {
            return Err(BakeError::unknown_frame_key(path, frame, key));
        }
        let region = SubTexture { text: &text, node, frame }.region()?;
        cuts.add(page, frame, region.checked(path, frame)?);
    }
    let sprites = one_sprite_each(name, path, &cuts)?;
    Ok(Described {
        sprites,
        scales: scale.into_iter().collect(),
        sizes: sizes.into_iter().collect(),
    })
}

/// A frame of the description, with its name.
struct SubTexture<'a> {
    text: &'a Text,
    node: Node<'a, 'a>,
    frame: &'a str,
}

impl SubTexture<'_> {
    fn wrong(&self, cause: String) -> BakeError {
        self.text.malformed(self.node.range().start, cause)
    }

    fn number(&self, key: &str) -> Result<Option<f64>, BakeError> {
        let number = self.node.attribute(key).map(|text| text.trim().parse::<f64>()).transpose();
        number.map_err(|_| self.wrong(format!("{key} of {:?} is not a number", self.frame)))
    }

    fn needed(&self, key: &str) -> Result<f64, BakeError> {
        let missing = || self.wrong(format!("SubTexture {:?} has no {key}", self.frame));
        self.number(key)?.ok_or_else(missing)
    }

    fn is_set(&self, key: &str) -> Result<bool, BakeError> {
        let frame = self.frame;
        match self.node.attribute(key).map(str::trim) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => {
                Err(self.wrong(format!("{key} of {frame:?} is {other:?}, not true or false")))
            }
        }
    }

    fn region(&self) -> Result<Region, BakeError> {
        if self.is_set("flipX")? || self.is_set("flipY")? {
            return Err(self.wrong(format!("SubTexture {:?} is flipped on its page", self.frame)));
        }
        let is_rotated = self.is_set("rotated")?;
        let on_page = [self.needed("width")?, self.needed("height")?];
        let size = if is_rotated { [on_page[1], on_page[0]] } else { on_page };
        let untrimmed = [self.number("frameWidth")?, self.number("frameHeight")?];
        let corner = [self.number("frameX")?, self.number("frameY")?];
        let pivot = match [self.number("pivotX")?, self.number("pivotY")?] {
            [None, None] => None,
            [x, y] => Some([x.unwrap_or(0.0), y.unwrap_or(0.0)]),
        };
        Ok(Region {
            from: [self.needed("x")?, self.needed("y")?],
            size,
            rotation: if is_rotated { PackedRotation::Clockwise } else { PackedRotation::Upright },
            at: corner.map(|v| -v.unwrap_or(0.0)),
            frame: [0, 1].map(|axis| untrimmed[axis].unwrap_or(size[axis])),
            pivot,
            triangles: None,
        })
    }
}
