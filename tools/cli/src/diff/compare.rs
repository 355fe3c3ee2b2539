//! Comparison of two atlases, sprite by sprite, for `hitmask diff`.

use crate::describe;
use hitmask::{Atlas, Flip, MaskKey, MaskRef, Pose, Sprite};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Differences between two atlases, serialised as JSON.
#[derive(Serialize)]
pub(super) struct Difference<'a> {
    /// True if both contain the same sprites, settings and pixels.
    pub(super) same: bool,
    /// True if the files are equal byte for byte.
    pub(super) same_bytes: bool,
    /// Sizes of both files in bytes.
    pub(super) bytes: [u64; 2],
    /// Mask pixels per pixel side, of both.
    pub(super) resolution: [f32; 2],
    pub(super) added: Vec<&'a str>,
    pub(super) removed: Vec<&'a str>,
    pub(super) renamed: Vec<Renamed<'a>>,
    pub(super) changed: Vec<Changed<'a>>,
    /// Number of sprites that are the same in both.
    pub(super) unchanged: usize,
}

/// Names of a removed and an added sprite that are equal in settings and pixels.
#[derive(Serialize)]
pub(super) struct Renamed<'a> {
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

/// Differences of a sprite that exists in both atlases.
#[derive(Serialize)]
pub(super) struct Changed<'a> {
    pub(super) name: &'a str,
    pub(super) settings: Vec<Setting>,
    pub(super) poses: Poses,
    /// Bytes of its masks, before and after.
    pub(super) mask_bytes: [u64; 2],
}

#[derive(Serialize)]
pub(super) struct Setting {
    pub(super) what: &'static str,
    pub(super) before: String,
    pub(super) after: String,
}

/// Comparison of the poses that both sprites have: common planes, frames, angles and scales.
#[derive(Default, Serialize)]
pub(super) struct Poses {
    pub(super) compared: u64,
    /// Number of compared poses with at least one differing pixel.
    pub(super) different: u64,
    /// Number of differing pixels, over all compared poses.
    pub(super) pixels: u64,
    /// Largest number of differing pixels in one pose.
    pub(super) most: u64,
    /// Number of set pixels, over all compared poses, before and after.
    pub(super) area: [u64; 2],
}

/// Compares two atlases. Calls `done` after each sprite that exists in both.
pub(super) fn compare<'a>(before: &'a Atlas, after: &'a Atlas, done: &dyn Fn()) -> Difference<'a> {
    let (old, new) = (by_name(before), by_name(after));
    let (renamed, removed, added) = moved(
        old.iter().filter(|(name, _)| !new.contains_key(*name)).map(|(_, sprite)| *sprite),
        new.iter().filter(|(name, _)| !old.contains_key(*name)).map(|(_, sprite)| *sprite),
    );
    let both = old.iter().filter_map(|(name, a)| Some((*a, *new.get(name)?)));
    let changes: Vec<Option<Changed<'_>>> = both
        .map(|(a, b)| {
            let change = change(a, b);
            done();
            change
        })
        .collect();
    let unchanged = changes.iter().filter(|change| change.is_none()).count();
    let changed: Vec<Changed<'_>> = changes.into_iter().flatten().collect();
    let resolution = [before, after].map(Atlas::resolution);
    Difference {
        same: resolution[0] == resolution[1]
            && added.is_empty()
            && removed.is_empty()
            && renamed.is_empty()
            && changed.is_empty(),
        resolution,
        same_bytes: before.as_bytes() == after.as_bytes(),
        bytes: [before, after].map(|atlas| atlas.as_bytes().len() as u64),
        added,
        removed,
        renamed,
        changed,
        unchanged,
    }
}

fn by_name(atlas: &Atlas) -> BTreeMap<&str, Sprite<'_>> {
    atlas.sprites().map(|sprite| (sprite.name(), sprite)).collect()
}

/// Pairs removed sprites with equal added ones. Returns the renamed sprites, and the names of those
/// removed and added.
fn moved<'a>(
    gone: impl Iterator<Item = Sprite<'a>>,
    come: impl Iterator<Item = Sprite<'a>>,
) -> (Vec<Renamed<'a>>, Vec<&'a str>, Vec<&'a str>) {
    // A hash of settings and first pose finds candidates, which avoids a quadratic search.
    let key = |sprite: Sprite<'_>| {
        let first = sprite.posed(0, Pose::default(), Flip::NONE);
        (describe::settings(sprite), first.map(|posed| (posed.origin, posed.mask.to_mask())))
    };
    let mut alike: HashMap<_, Vec<Sprite<'a>>> = HashMap::new();
    let mut added = BTreeSet::new();
    for sprite in come {
        added.insert(sprite.name());
        alike.entry(key(sprite)).or_default().push(sprite);
    }
    let (mut renamed, mut removed) = (Vec::new(), Vec::new());
    for sprite in gone {
        let twin = alike.get_mut(&key(sprite)).and_then(|candidates| {
            let at = candidates.iter().position(|other| change(sprite, *other).is_none())?;
            Some(candidates.remove(at).name())
        });
        match twin {
            None => removed.push(sprite.name()),
            Some(after) => {
                added.remove(after);
                renamed.push(Renamed { before: sprite.name(), after });
            }
        }
    }
    (renamed, removed, added.into_iter().collect())
}

fn change<'a>(a: Sprite<'a>, b: Sprite<'a>) -> Option<Changed<'a>> {
    let settings = describe::settings(a).into_iter().zip(describe::settings(b));
    let settings: Vec<Setting> = settings
        .filter(|(before, after)| before != after)
        .map(|((what, before), (_, after))| Setting { what, before, after })
        .collect();
    let mut poses = Poses::default();
    for (in_a, plane) in (0..).zip(a.planes()) {
        let planes = (a.in_plane(in_a), b.plane(plane).and_then(|in_b| b.in_plane(in_b)));
        if let (Some(a), Some(b)) = planes {
            poses.compare(a, b);
        }
    }
    (!settings.is_empty() || poses.different > 0).then(|| Changed {
        name: a.name(),
        settings,
        poses,
        mask_bytes: [a.mask_bytes(), b.mask_bytes()],
    })
}

/// Pixel counts of two masks, and the number of pixels set in exactly one of them.
struct PairDifference {
    area: [u64; 2],
    pixels: u64,
}

impl PairDifference {
    /// Compares two masks, of which the second lies at an offset from the first.
    fn of(a: MaskRef<'_>, b: MaskRef<'_>, by: [i32; 2]) -> Self {
        let area = [a.count(), b.count()];
        Self { area, pixels: area[0] + area[1] - 2 * a.overlap_area(b, by) }
    }
}

impl Poses {
    /// Adds the poses of two sprites, each in its current plane.
    fn compare(&mut self, a: Sprite<'_>, b: Sprite<'_>) {
        // Poses that share masks are compared once.
        let mut known: HashMap<(MaskKey, MaskKey, [i32; 2]), PairDifference> = HashMap::new();
        // Number of common angles: 16 for 64 and 48 steps.
        let common = common_divisor(a.angles(), b.angles());
        let scale_of = |sprite: Sprite<'_>, scale: f32| {
            sprite.scales().iter().position(|s| *s == scale).map(|at| at as u32)
        };
        for &scale in a.scales() {
            let (Some(in_a), Some(in_b)) = (scale_of(a, scale), scale_of(b, scale)) else {
                continue;
            };
            for frame in 0..a.frame_count().min(b.frame_count()) {
                for step in 0..common {
                    let pose = |sprite: Sprite<'_>, scale| Pose {
                        step: step * (sprite.angles() / common),
                        scale,
                    };
                    let posed = [(a, in_a), (b, in_b)].map(|(sprite, scale)| {
                        sprite.posed(frame, pose(sprite, scale), Flip::NONE)
                    });
                    if let [Some(before), Some(after)] = posed {
                        let by =
                            [after.origin.x - before.origin.x, after.origin.y - before.origin.y];
                        let masks = (before.mask.key(), after.mask.key(), by);
                        let pair = known
                            .entry(masks)
                            .or_insert_with(|| PairDifference::of(before.mask, after.mask, by));
                        self.add(pair);
                    }
                }
            }
        }
    }

    /// Adds one pair of poses.
    fn add(&mut self, &PairDifference { area, pixels }: &PairDifference) {
        self.compared += 1;
        self.different += u64::from(pixels > 0);
        self.pixels += pixels;
        self.most = self.most.max(pixels);
        self.area = [self.area[0] + area[0], self.area[1] + area[1]];
    }
}

const fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
