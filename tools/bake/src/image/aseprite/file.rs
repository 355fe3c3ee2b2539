//! The parsed contents of an Aseprite file.
//!
//! Made by `chunks`, drawn by `compose`. Invariant: no link leads to another link.

use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Bits of the flags in the file header.
pub(super) const LAYER_OPACITY: u32 = 1;
pub(super) const GROUP_OPACITY: u32 = 2;

/// The parsed contents of a file.
pub(super) struct File<'a> {
    /// Width and height of the canvas in pixels.
    pub(super) size: [u16; 2],
    /// Bytes of a pixel: 1 for an index, 2 for grey and alpha, 4 for RGBA.
    pub(super) depth: usize,
    pub(super) flags: u32,
    /// The palette index that is transparent on all layers but the background.
    pub(super) transparent: u8,
    pub(super) layers: Vec<Layer>,
    /// The cels of each frame.
    pub(super) frames: Vec<Vec<Cel<'a>>>,
    /// Index of the first cel of a frame on a layer.
    pub(super) first_cel: BTreeMap<(usize, u16), usize>,
    /// Name, first frame and last frame of each tag.
    pub(super) tags: Vec<(String, u16, u16)>,
    pub(super) slices: Vec<Slice>,
    pub(super) tilesets: BTreeMap<u32, Tileset<'a>>,
    /// Palettes of an indexed file, each with the first frame that it applies to.
    pub(super) palettes: Vec<(usize, Palette)>,
}

pub(super) struct Layer {
    pub(super) name: String,
    pub(super) flags: u16,
    pub(super) kind: LayerKind,
    /// Number of groups around the layer.
    pub(super) level: u16,
    pub(super) blend_mode: u16,
    /// The opacity that applies when the layer is drawn.
    pub(super) opacity: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LayerKind {
    Image,
    Group,
    /// Tiles of the tileset with this number.
    Tilemap(u32),
}

impl Layer {
    pub(super) fn is_visible(&self) -> bool {
        self.flags & 1 != 0
    }

    pub(super) fn is_background(&self) -> bool {
        self.flags & 8 != 0
    }

    /// Returns true if the layer is a template to draw from, which is not part of the image.
    pub(super) fn is_reference(&self) -> bool {
        self.flags & 64 != 0
    }
}

/// The image of one layer in one frame.
pub(super) struct Cel<'a> {
    pub(super) layer: u16,
    /// Top-left corner on the canvas.
    pub(super) at: [i16; 2],
    pub(super) opacity: u8,
    /// Number of layers by which the cel is drawn later.
    pub(super) z_index: i16,
    pub(super) content: Content<'a>,
    /// Left, top, width and height in 1/65,536 px, if stated by a cel extra chunk.
    pub(super) bounds: Option<[i32; 4]>,
}

pub(super) enum Content<'a> {
    Image {
        size: [u16; 2],
        is_compressed: bool,
        data: &'a [u8],
    },
    /// The content of the same layer in another frame.
    Link(usize),
    /// A link whose targets never lead to an image.
    BrokenLink,
    Tiles(Tiles<'a>),
    Unknown(u16),
}

/// A grid of tile numbers.
pub(super) struct Tiles<'a> {
    /// Columns and rows.
    pub(super) size: [u16; 2],
    pub(super) bits: u16,
    /// Bits of the tile number, of the flips in x and y, and of the diagonal flip.
    pub(super) masks: [u32; 4],
    pub(super) data: &'a [u8],
}

pub(super) struct Tileset<'a> {
    /// True if the tile of number 0 is empty. In early files, the empty tile has all bits set.
    pub(super) zero_is_empty: bool,
    pub(super) count: u32,
    /// Width and height of a tile in pixels.
    pub(super) tile: [u16; 2],
    /// All tiles in one column, compressed. `None` if another file has them.
    pub(super) data: Option<&'a [u8]>,
    /// The decompressed tiles, once they are needed.
    pub(super) pixels: OnceCell<Vec<u8>>,
}

pub(super) struct Slice {
    pub(super) name: String,
    pub(super) keys: Vec<SliceKey>,
}

/// The state of a slice from one frame on.
pub(super) struct SliceKey {
    pub(super) frame: u32,
    pub(super) corner: [i32; 2],
    /// A slice without width or height is hidden.
    pub(super) size: [u32; 2],
    /// Relative to the corner.
    pub(super) pivot: Option<[i32; 2]>,
}

impl Slice {
    /// Returns its state at a frame, if it is not hidden there.
    pub(super) fn at(&self, frame: usize) -> Option<&SliceKey> {
        let keys = self.keys.iter().filter(|key| key.frame as usize <= frame);
        keys.max_by_key(|key| key.frame).filter(|key| !key.size.contains(&0))
    }
}

impl<'a> File<'a> {
    /// Returns true if each group is drawn on its own, and then drawn with its own opacity.
    pub(super) fn composes_groups(&self) -> bool {
        self.flags & GROUP_OPACITY != 0
    }

    /// Replaces the target of each link by the frame that has the image.
    pub(super) fn resolve_links(&mut self) {
        for frame in 0..self.frames.len() {
            for index in 0..self.frames[frame].len() {
                let mut path = Vec::new();
                let (mut at, mut target) = ((frame, index), None);
                while let Content::Link(next) = self.frames[at.0][at.1].content {
                    path.push(at);
                    let layer = self.frames[at.0][at.1].layer;
                    let found = self.first_cel.get(&(next, layer));
                    // More links than frames form a cycle.
                    let Some(&cel) = found.filter(|_| path.len() <= self.frames.len()) else {
                        target = None;
                        break;
                    };
                    at = (next, cel);
                    target = Some(next);
                }
                let is_broken = matches!(self.frames[at.0][at.1].content, Content::BrokenLink);
                // Shortens all links on the way, so that a long chain is followed once.
                for (frame, cel) in path {
                    self.frames[frame][cel].content = match target {
                        Some(target) if !is_broken => Content::Link(target),
                        _ => Content::BrokenLink,
                    };
                }
            }
        }
    }
}

/// Colours of an indexed file, from chunks of the new kind and of both old ones.
#[derive(Clone)]
pub(super) struct Palette {
    /// RGBA colours. An index beyond them is transparent.
    pub(super) colors: Vec<[u8; 4]>,
}
