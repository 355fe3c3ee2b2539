//! Descriptions of sheets: JSON, property lists, libGDX and Starling.

/// A frame on its page.
#[derive(Clone, Default)]
pub(crate) struct Packed {
    pub(crate) name: String,
    pub(crate) page: usize,
    /// Corner on the page.
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// Size and corner of the trimmed image in the frame.
    pub(crate) w: usize,
    pub(crate) h: usize,
    pub(crate) left: usize,
    pub(crate) top: usize,
    /// Size of the untrimmed frame.
    pub(crate) size: [usize; 2],
    /// Quarter turns clockwise on the page.
    pub(crate) turns: usize,
}

/// Returns a rectangle in JSON.
pub(crate) fn rect([x, y, w, h]: [i32; 4]) -> String {
    format!(r#"{{"x":{x},"y":{y},"w":{w},"h":{h}}}"#)
}

/// Returns an entry of a frame: its name, its rectangle on the page, and more keys behind a comma.
pub(crate) fn entry(name: &str, at: [i32; 4], more: &str) -> String {
    format!(r#""{name}": {{"frame": {}{more}}}"#, rect(at))
}

/// Returns a sheet in JSON. `frames` are entries, and `meta` has more keys behind a comma.
pub(crate) fn json(frames: &[String], image: &str, meta: &str) -> String {
    format!(r#"{{"frames": {{{}}}, "meta": {{"image": "{image}"{meta}}}}}"#, frames.join(","))
}

/// Returns the keys of a trimmed frame in JSON.
fn trimmed(frame: &Packed) -> String {
    let Packed { x, y, w, h, left, top, size: [width, height], turns, .. } = frame;
    let [at, trim] = [[x, y, w, h], [left, top, w, h]].map(|of| rect(of.map(|&v| v as i32)));
    format!(
        r#""frame": {at}, "rotated": {}, "trimmed": true, "spriteSourceSize": {trim},
        "sourceSize": {{"w":{width},"h":{height}}}"#,
        *turns == 1
    )
}

/// Returns the entry of a trimmed frame in JSON.
pub(crate) fn packed_entry(frame: &Packed) -> String {
    format!(r#""{}.png": {{{}}}"#, frame.name, trimmed(frame))
}

/// Returns a sheet that Aseprite exported, with frames of these names, and more keys for `meta`.
pub(crate) fn aseprite(
    image: &str,
    names: &[impl AsRef<str>],
    meta: &str,
    frame: impl Fn(usize) -> Packed,
) -> String {
    let frame = |(i, name): (usize, &_)| {
        let name = AsRef::<str>::as_ref(name);
        format!(r#"{{"filename": "{name}.aseprite", {}, "duration": 100}}"#, trimmed(&frame(i)))
    };
    let frames: Vec<String> = names.iter().enumerate().map(frame).collect();
    format!(
        r#"{{"frames": [{}], "meta": {{"app": "https://www.aseprite.org/", "image": "{image}"{meta}}}}}"#,
        frames.join(",")
    )
}

/// Returns the tags of a sheet of Aseprite, as more keys for `meta`.
pub(crate) fn tags(tags: &[(&str, usize, usize)]) -> String {
    let tag = |(name, from, to): &(&str, usize, usize)| {
        format!(r#"{{"name": "{name}", "from": {from}, "to": {to}, "direction": "forward"}}"#)
    };
    format!(r#", "frameTags": [{}]"#, tags.iter().map(tag).collect::<Vec<_>>().join(","))
}

/// Returns a property list of cocos2d, in format 2 or 3. Each frame has `more` keys.
pub(crate) fn plist(format: u32, image: &str, frames: &[Packed], more: &str) -> String {
    let entry = |frame: &Packed| {
        let Packed { name, x, y, w, h, left, top, size: [width, height], turns, .. } = frame;
        // From centre to centre, y up.
        let right = (2 * left + w) as f64 / 2.0 - *width as f64 / 2.0;
        let up = *height as f64 / 2.0 - (2 * top + h) as f64 / 2.0;
        let rotated = *turns == 1;
        let entries = if format == 2 {
            format!(
                "<key>frame</key><string>{{{{{x},{y}}},{{{w},{h}}}}}</string>\
                <key>offset</key><string>{{{right},{up}}}</string>\
                <key>rotated</key><{rotated}/>\
                <key>sourceColorRect</key><string>{{{{{left},{top}}},{{{w},{h}}}}}</string>\
                <key>sourceSize</key><string>{{{width},{height}}}</string>"
            )
        } else {
            format!(
                "<key>spriteOffset</key><string>{{{right},{up}}}</string>\
                <key>spriteSize</key><string>{{{w},{h}}}</string>\
                <key>spriteSourceSize</key><string>{{{width},{height}}}</string>\
                <key>textureRect</key><string>{{{{{x},{y}}},{{{w},{h}}}}}</string>\
                <key>textureRotated</key><{rotated}/>"
            )
        };
        format!("<key>{name}.png</key><dict>{entries}{more}</dict>\n")
    };
    let frames: String = frames.iter().map(entry).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST \
        1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\"><dict>\
        <key>frames</key><dict>{frames}</dict><key>metadata</key><dict><key>format</key>\
        <integer>{format}</integer><key>textureFileName</key><string>{image}</string></dict></dict>\
        </plist>"
    )
}

/// Returns a sheet of Starling. `attributes` are those of the `TextureAtlas`.
pub(crate) fn starling(attributes: &str, textures: &[String]) -> String {
    format!("<TextureAtlas {attributes}>\n{}\n</TextureAtlas>\n", textures.join("\n"))
}

/// Returns a `SubTexture`: its name, its rectangle on the page, and more attributes behind a blank.
pub(crate) fn texture(name: &str, [x, y, w, h]: [usize; 4], more: &str) -> String {
    format!("<SubTexture name=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{more}/>")
}

/// Returns the `SubTexture` of a trimmed frame.
pub(crate) fn packed_texture(frame: &Packed) -> String {
    let &Packed { ref name, x, y, w, h, left, top, size: [width, height], turns, .. } = frame;
    // The size on the page.
    let (w, h) = if turns == 1 { (h, w) } else { (w, h) };
    let rotated = if turns == 1 { " rotated=\"true\"" } else { "" };
    let more = format!(
        " frameX=\"-{left}\" frameY=\"-{top}\" frameWidth=\"{width}\" frameHeight=\"{height}\"{rotated}"
    );
    texture(name, [x, y, w, h], &more)
}

/// Returns a region of libGDX with the old keys or the new ones. `rotate` is its rotation.
pub(crate) fn region(frame: &Packed, is_old: bool, rotate: &str) -> String {
    let Packed { name, x, y, w, h, left, top, size: [width, height], .. } = frame;
    let bottom = height - h - top;
    if is_old {
        format!(
            "{name}\n  rotate: {rotate}\n  xy: {x}, {y}\n  size: {w}, {h}\n  orig: {width}, {height}\n  \
            offset: {left}, {bottom}\n  index: -1\n"
        )
    } else {
        format!(
            "{name}\nbounds:{x},{y},{w},{h}\noffsets:{left},{bottom},{width},{height}\nrotate:{rotate}\n"
        )
    }
}
