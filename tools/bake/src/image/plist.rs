//! Reads sheet descriptions of cocos2d: property lists of the formats 1 to 3.
//!
//! Called by `frame_source`. Each frame is a sprite, and so is each of its aliases. Sizes are those
//! before the rotation, which is clockwise. Offsets count from centre to centre, with y up. Vertices of
//! polygons have y down. A key that is not known is an error.

use super::cut::{PackedRotation, Region, corner};
use super::cuts::{Cuts, one_sprite_each};
use super::described::Described;
use super::page::page_or_own;
use crate::error::BakeError;
use crate::text::Text;
use roxmltree::Node;
use std::collections::HashSet;
use std::path::Path;

/// Keys of a frame in the formats 1 and 2, then those of format 3, and those of polygons. The colour rect
/// of format 3 has no meaning, because the offset is the place.
const KEYS: [&str; 17] = [
    "frame",
    "offset",
    "rotated",
    "sourceColorRect",
    "sourceSize",
    "aliases",
    "anchor",
    "spriteColorRect",
    "spriteOffset",
    "spriteSize",
    "spriteSourceSize",
    "spriteTrimmed",
    "textureRect",
    "textureRotated",
    "triangles",
    "vertices",
    "verticesUV",
];

/// Returns what the description at `path` has, with sprites under the name `name`.
pub(super) fn sprites(name: &str, path: &Path) -> Result<Described, BakeError> {
    let text = Text::read(path)?;
    let document = text.xml(&text.text, true)?;
    let reader = Reader { path, text: &text };
    let root = document.root_element();
    let mut values = root.children().filter(Node::is_element);
    let top = values.next().filter(|node| node.has_tag_name("dict"));
    let Some(top) = top.filter(|_| root.has_tag_name("plist")) else {
        return Err(reader.wrong(root, "the file is not a property list with a dict".to_owned()));
    };
    if let Some(second) = values.next() {
        return Err(reader.wrong(second, "the property list has a second value".to_owned()));
    }
    let top = reader.entries(top)?;
    let Some(meta) = get(&top, "metadata") else {
        return Err(reader.wrong(root, "the property list has no metadata".to_owned()));
    };
    let meta_entries = reader.entries(meta)?;
    let value = |key| get(&meta_entries, key).and_then(|node| node.text()).map(str::trim);
    let format = value("format").unwrap_or_default();
    if !["1", "2", "3"].contains(&format) {
        let cause = format!("the format is {format:?}, not 1, 2 or 3");
        return Err(reader
            .wrong(meta, cause)
            .with_help("export the sheet for cocos2d in format 3"));
    }
    let image = value("realTextureFileName").or(value("textureFileName"));
    let mut cuts = Cuts::new(path);
    let page = cuts.page(page_or_own(path, image)?);
    let size = get(&meta_entries, "size").and_then(|size| reader.numbers(size).ok());
    let sizes = size.map(|size| (cuts.pages[page].clone(), size)).into_iter().collect();
    let frames = get(&top, "frames").map(|frames| reader.entries(frames)).transpose()?;
    for (frame, node) in frames.unwrap_or_default() {
        let entries = reader.entries(node)?;
        let cut = reader.region(frame, node, &entries, format == "3")?.checked(path, frame)?;
        let aliases = get(&entries, "aliases").into_iter().flat_map(|node| node.children());
        let aliases = aliases.filter(|node| node.has_tag_name("string"));
        for name in std::iter::once(frame).chain(aliases.filter_map(|node| node.text())) {
            cuts.add(page, name, cut.clone());
        }
    }
    Ok(Described { sprites: one_sprite_each(name, path, &cuts)?, scales: Vec::new(), sizes })
}

/// The keys and values of a dict, in file order.
type Entries<'a> = Vec<(&'a str, Node<'a, 'a>)>;

fn get<'a>(entries: &Entries<'a>, key: &str) -> Option<Node<'a, 'a>> {
    entries.iter().find(|(found, _)| *found == key).map(|&(_, node)| node)
}

struct Reader<'p> {
    path: &'p Path,
    text: &'p Text,
}

impl<'a> Reader<'a> {
    fn wrong(&self, node: Node<'_, '_>, cause: String) -> BakeError {
        self.text.malformed(node.range().start, cause)
    }

    fn entries(&self, dict: Node<'a, 'a>) -> Result<Entries<'a>, BakeError> {
        let nodes: Vec<Node<'a, 'a>> = dict.children().filter(Node::is_element).collect();
        let mut keys = HashSet::new();
        let pair = |pair: &[Node<'a, 'a>]| match *pair {
            [key, value] if key.has_tag_name("key") => {
                let text = key.text().unwrap_or_default();
                if keys.insert(text) {
                    Ok((text, value))
                } else {
                    Err(self.wrong(key, format!("the key {text:?} is there twice")))
                }
            }
            _ => Err(self.wrong(pair[0], "a key with a value is missing".to_owned())),
        };
        if !dict.has_tag_name("dict") {
            return Err(self.wrong(dict, "this value is not a dict".to_owned()));
        }
        nodes.chunks(2).map(pair).collect()
    }

    /// Returns the `N` numbers of a text such as `{{0,0},{8,8}}`.
    fn numbers<const N: usize>(&self, node: Node<'_, '_>) -> Result<[f64; N], BakeError> {
        let text = node.text().unwrap_or_default();
        let is_outside = |c: char| c == '{' || c == '}' || c.is_whitespace();
        let number = |part: &str| part.trim_matches(is_outside).parse::<f64>().ok();
        let numbers: Option<Vec<f64>> = text.trim().split(',').map(number).collect();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or_else(|| self.wrong(node, format!("{text:?} does not have {N} numbers")))
    }

    /// Returns the groups of `N` numbers in the list of a key, which are separated by blanks. A key
    /// that is missing has none.
    fn groups<T: std::str::FromStr, const N: usize>(
        &self,
        entries: &Entries<'a>,
        key: &str,
    ) -> Result<Vec<[T; N]>, BakeError> {
        let Some(node) = get(entries, key) else { return Ok(Vec::new()) };
        let text = node.text().unwrap_or_default();
        let wrong = || self.wrong(node, format!("{key} is not a list of groups of {N} numbers"));
        let numbers: Result<Vec<T>, _> = text.split_whitespace().map(str::parse).collect();
        let mut numbers = numbers.map_err(|_| wrong())?.into_iter().peekable();
        let mut groups = Vec::new();
        while numbers.peek().is_some() {
            let group: Vec<T> = numbers.by_ref().take(N).collect();
            groups.push(group.try_into().map_err(|_| wrong())?);
        }
        Ok(groups)
    }

    fn region(
        &self,
        frame: &str,
        node: Node<'a, 'a>,
        entries: &Entries<'a>,
        is_format_3: bool,
    ) -> Result<Region, BakeError> {
        if let Some((key, _)) = entries.iter().find(|(key, _)| !KEYS.contains(key)) {
            return Err(BakeError::unknown_frame_key(self.path, frame, key));
        }
        let needed = |key: &str| {
            let cause = || format!("frame {frame:?} has no {key}");
            get(entries, key).ok_or_else(|| self.wrong(node, cause()))
        };
        let [rect, offset, source, rotated] = if is_format_3 {
            ["textureRect", "spriteOffset", "spriteSourceSize", "textureRotated"]
        } else {
            ["frame", "offset", "sourceSize", "rotated"]
        };
        let [x, y, mut w, mut h] = self.numbers(needed(rect)?)?;
        if is_format_3 {
            [w, h] = self.numbers(needed("spriteSize")?)?;
        }
        let offset: [f64; 2] = self.numbers(needed(offset)?)?;
        let whole: [f64; 2] = self.numbers(needed(source)?)?;
        let rotation = match get(entries, rotated) {
            None => PackedRotation::Upright,
            Some(node) if node.has_tag_name("false") => PackedRotation::Upright,
            Some(node) if node.has_tag_name("true") => PackedRotation::Clockwise,
            Some(node) => return Err(self.wrong(node, format!("{rotated} is not true or false"))),
        };
        // Old files of Zwoptex have the size alone here.
        let has_corner =
            |trim: &Node<'_, '_>| trim.text().unwrap_or_default().matches(',').count() != 1;
        let trim = get(entries, "sourceColorRect").filter(has_corner);
        let trim = trim.map(|trim| self.numbers::<4>(trim)).transpose()?;
        let at = corner(offset, [w, h], whole, trim.map(|[left, top, ..]| [left, top]));
        let at = at.map_err(|fault| fault.of(self.path, frame))?;
        let pivot = match get(entries, "anchor") {
            Some(anchor) => {
                let [part_x, part_y]: [f64; 2] = self.numbers(anchor)?;
                Some([part_x * whole[0], (1.0 - part_y) * whole[1]])
            }
            None => None,
        };
        let (from, size) = ([x, y], [w, h]);
        let region = Region { from, size, rotation, at, frame: whole, pivot, triangles: None };
        let on_page: Vec<[f64; 2]> = self.groups(entries, "verticesUV")?;
        let on_page = Some(&*on_page).filter(|_| get(entries, "verticesUV").is_some());
        let vertices: Vec<[f64; 2]> = self.groups(entries, "vertices")?;
        let region = region.with_polygon(&vertices, &self.groups(entries, "triangles")?, on_page);
        region.map_err(|fault| fault.of(self.path, frame))
    }
}
