//! From source masks to an atlas: every image is posed, in parallel, and written, in order.
//!
//! The bake calls it, and so does the opening of a compact atlas: that is why both give the same
//! bytes. Images that are posed alike are posed once.

use super::bytes::Bytes;
use super::write::{AtlasWriter, FrameEntry, Full, SpriteEntry, Stored};
use crate::geom::Point;
use crate::mask::{AlphaRule, MAX_SIDE, Mask, words_of};
use crate::parallel;
use crate::pose::{PoseError, PoseSet, Resolution, stored_steps};
use crate::raster::{Posed, Raster, Sampling};
use std::collections::HashMap;
use std::ops::Range;

/// A sprite to be posed.
pub(crate) struct Subject {
    pub(crate) name: String,
    /// The names of its planes; none for the body alone.
    pub(crate) planes: Vec<String>,
    pub(crate) poses: PoseSet,
    pub(crate) rule: AlphaRule,
    pub(crate) sampling: Sampling,
    /// Its images, those of a frame's planes one after another.
    pub(crate) images: Vec<Image>,
}

/// One plane of a frame, unposed.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// Width and height of the untrimmed image.
    pub(crate) size: [u32; 2],
    /// The pivot in half-texels from its corner, both even or both odd.
    pub(crate) pivot: [i32; 2],
    /// Its mask, cut down to the tight box.
    pub(crate) tight: Mask,
    /// Where the tight box's corner is.
    pub(crate) corner: Point,
}

impl Image {
    /// The image of an untrimmed mask.
    pub(crate) fn new(mask: &Mask, pivot: [i32; 2]) -> Self {
        let (tight, corner) = mask.trimmed();
        Self { size: [mask.width(), mask.height()], pivot, tight, corner }
    }

    /// The pivot in half-texels from the tight box's corner.
    fn tight_pivot(&self) -> [i32; 2] {
        if self.tight.width() == 0 {
            return self.pivot.map(|p| p & 1);
        }
        [self.pivot[0] - 2 * self.corner.x, self.pivot[1] - 2 * self.corner.y]
    }
}

/// What decides an image's poses.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    tight: Mask,
    pivot: [i32; 2],
    poses: PoseSet,
    sampling: Sampling,
}

impl Key {
    fn of(subject: &Subject, image: &Image) -> Self {
        Self {
            tight: image.tight.clone(),
            pivot: image.tight_pivot(),
            poses: subject.poses.clone(),
            sampling: subject.sampling,
        }
    }

    /// More bytes than the masks of its poses can take.
    fn most_bytes(&self) -> u64 {
        let (w, h) = (f64::from(self.tight.width()), f64::from(self.tight.height()));
        let of_scale = |scale: &f32| {
            let reach = w.hypot(h) * f64::from(scale * self.poses.resolution());
            let side = (reach.ceil() as u32).saturating_add(4).min(MAX_SIDE);
            8 * u64::from(words_of(side, side)) * u64::from(stored_steps(self.poses.angles()))
        };
        self.poses.scales().iter().map(of_scale).fold(0, u64::saturating_add)
    }

    fn posed(&self) -> Result<Vec<Posed>, PoseError> {
        Raster::of_tight(self.tight.clone(), self.pivot, self.sampling).stored(&self.poses)
    }
}

/// Why a sprite cannot be drawn.
#[derive(Debug)]
pub(crate) enum DrawError {
    Pose { name: String, cause: PoseError },
    Full,
}

impl From<Full> for DrawError {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

/// Draws sprites into an atlas.
pub(crate) struct Drawer {
    writer: AtlasWriter,
    /// First pose of the images drawn so far.
    drawn: HashMap<Key, u32>,
    /// Images that were posed already when they came.
    shared: usize,
    /// The most bytes there may be.
    limit: u64,
}

/// Poses drawn before they are written: enough to keep every thread busy, and little memory.
const BATCH: usize = 1 << 13;

impl Drawer {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self::limited(resolution, u64::MAX)
    }

    /// One that gives up beyond `limit` bytes, and does not begin what is sure to take many times
    /// as much.
    pub(crate) fn limited(resolution: Resolution, limit: u64) -> Self {
        Self { writer: AtlasWriter::new(resolution), drawn: HashMap::new(), shared: 0, limit }
    }

    /// Appends sprites, which come in ascending order of their names over all calls.
    pub(crate) fn add(&mut self, subjects: &[Subject]) -> Result<(), DrawError> {
        for range in batches(subjects) {
            self.add_batch(&subjects[range])?;
            if self.writer.len() > self.limit {
                return Err(DrawError::Full);
            }
        }
        Ok(())
    }

    fn add_batch(&mut self, subjects: &[Subject]) -> Result<(), DrawError> {
        let mut new: Vec<(&str, Key)> = Vec::new();
        let mut keys = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let of_subject: Vec<Key> =
                subject.images.iter().map(|image| Key::of(subject, image)).collect();
            for key in &of_subject {
                if self.drawn.contains_key(key) {
                    self.shared += 1;
                } else {
                    // Poses of an image may be equal and stored once, but not this often.
                    if key.most_bytes() / 64 > self.limit {
                        return Err(DrawError::Full);
                    }
                    self.drawn.insert(key.clone(), 0);
                    new.push((&subject.name, key.clone()));
                }
            }
            keys.push(of_subject);
        }
        let posed = parallel::map(&new, |(_, key)| key.posed());
        let posed = posed.into_iter().zip(&new).map(|(posed, (name, _))| {
            posed.map_err(|cause| DrawError::Pose { name: (*name).to_owned(), cause })
        });
        let posed = posed.collect::<Result<Vec<_>, _>>()?;
        let posed: Vec<&[Posed]> = posed.iter().map(Vec::as_slice).collect();
        let stored = parallel::map(&posed, |&poses| Stored::all(poses));
        for ((_, key), poses) in new.into_iter().zip(&stored) {
            let first_pose = self.writer.add_poses(poses)?;
            self.drawn.insert(key, first_pose);
        }
        for (subject, keys) in subjects.iter().zip(&keys) {
            let entry = |(image, key): (&Image, &Key)| FrameEntry {
                first_pose: self.drawn[key],
                pivot: image.pivot,
                size: image.size,
            };
            let frames: Vec<FrameEntry> = subject.images.iter().zip(keys).map(entry).collect();
            self.writer.add_sprite(&SpriteEntry::of(subject), &frames)?;
        }
        Ok(())
    }

    /// Images that shared the poses of an earlier one.
    pub(crate) fn shared(&self) -> usize {
        self.shared
    }

    /// The atlas.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Full> {
        self.writer.finish()
    }

    /// The atlas, where it can be read in place.
    pub(crate) fn finish_in_place(self) -> Result<Bytes, Full> {
        self.writer.finish_in_place()
    }
}

impl<'a> SpriteEntry<'a> {
    pub(super) fn of(subject: &'a Subject) -> Self {
        let Subject { name, planes, poses, rule, sampling, .. } = subject;
        Self { name, planes, poses, rule: *rule, sampling: *sampling }
    }
}

/// Runs of sprites of about [`BATCH`] poses each.
fn batches(subjects: &[Subject]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut poses) = (0, 0);
    for (i, subject) in subjects.iter().enumerate() {
        let each = subject.poses.angles() as usize * subject.poses.scales().len();
        poses += subject.images.len() * each;
        if poses >= BATCH {
            batches.push(start..i + 1);
            (start, poses) = (i + 1, 0);
        }
    }
    if start < subjects.len() {
        batches.push(start..subjects.len());
    }
    batches
}
