//! A mask at a pose: its pixels, its origin and its pivot; and a buffer of many poses in one pool.
//!
//! `Raster` produces these types; the atlas writer stores them, and atlas lookups return
//! [`PosedRef`].
//!
//! Invariants: a posed mask is trimmed to its set pixels. Flips and quarter turns about the lattice
//! origin are exact; an origin beyond the limits of i32 saturates.

use crate::error::CallError;
use crate::geom::{Point, Rect};
use crate::mask::{LEAD, Mask, MaskRef, WORD, inside, quarter_turn, shifted, stride_of, words_of};
use crate::simd;

/// Upper bound on the distance of a pivot from the image's corner on either axis, in half-texels.
pub const MAX_PIVOT: i32 = 65_536;

/// The point of an image that a collider's position refers to and about which it rotates.
///
/// ```
/// use hitmask::{Mask, Pivot, Raster, Sampling};
/// let source: Mask = "##".parse()?;
/// let corner = Raster::new(&source, Pivot::HalfTexels(0, 0), Sampling::Nearest)?;
/// let centre = Raster::new(&source, Pivot::Center, Sampling::Nearest)?;
/// let centre_by_number = Raster::new(&source, Pivot::HalfTexels(2, 1), Sampling::Nearest)?;
/// assert_eq!(centre, centre_by_number);
/// assert_ne!(centre, corner);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pivot {
    /// The centre of the untrimmed image.
    #[default]
    Center,
    /// A point in half-texels from the image's top-left corner. (0, 0) is that corner, (1, 1) the
    /// centre of its first texel. Each number may be even or odd, and the point may be outside the
    /// image.
    HalfTexels(i32, i32),
}

impl Pivot {
    pub(crate) fn resolve(self, width: u32, height: u32) -> Result<[i32; 2], CallError> {
        let (x, y) = match self {
            Self::Center => (width as i32, height as i32),
            Self::HalfTexels(x, y) => (x, y),
        };
        let within = -MAX_PIVOT..=MAX_PIVOT;
        if !within.contains(&x) || !within.contains(&y) {
            return Err(CallError::Pivot { half_texels: [x, y], limit: MAX_PIVOT });
        }
        Ok([x, y])
    }
}

/// A mask at one pose, trimmed to its set pixels, with its position on the lattice. `Posed` owns its
/// pixels; [`PosedRef`] borrows them, as from an atlas.
///
/// The lattice origin is the pixel that a collider's position snaps to.
///
/// ```
/// use hitmask::{Mask, Pivot, Pose, PoseSet, Raster, Sampling};
/// let source: Mask = ".##".parse()?;
/// let raster = Raster::new(&source, Pivot::HalfTexels(0, 0), Sampling::Nearest)?;
/// let posed = raster.pose(&PoseSet::new(1, [1.0])?, Pose { step: 0, scale: 0 })?;
/// assert_eq!((posed.mask.to_string(), posed.origin.x), ("##\n".to_string(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posed<P: AsRef<[u64]> = Vec<u64>> {
    /// The pixels, trimmed to the tight box.
    pub mask: Mask<P>,
    /// The box's top-left pixel, relative to the lattice origin.
    pub origin: Point,
    /// Offset of the pivot from the lattice origin on each axis, in half-pixels. 0 is the edge of
    /// the origin pixel, 1 its middle. At resolution 2 or 4, whose pixels are smaller, the offset
    /// is up to 2 or 4 times that.
    pub pivot2: [i32; 2],
}

/// A borrowed [`Posed`], as atlas lookups return it. `flip_y` copies no pixels.
///
/// ```
/// use hitmask::{Flip, Atlas, AtlasBuilder, Pose};
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("dot", "##".parse()?).to_bytes()?)?;
/// let dot = atlas.sprites().next().unwrap();
/// let posed = dot.posed(0, Pose { step: 0, scale: 0 }, Flip::NONE).unwrap();
/// assert_eq!(posed.mask.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type PosedRef<'a> = Posed<&'a [u64]>;

impl<P: AsRef<[u64]>> Posed<P> {
    /// Borrows this posed mask.
    #[must_use]
    pub fn as_ref(&self) -> PosedRef<'_> {
        Posed { mask: self.mask.as_ref(), origin: self.origin, pivot2: self.pivot2 }
    }

    #[must_use]
    pub(crate) fn to_posed(&self) -> Posed {
        Posed { mask: self.mask.to_mask(), origin: self.origin, pivot2: self.pivot2 }
    }

    /// Returns the tight box relative to the lattice origin; empty where no pixel is set.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.mask.as_ref().rect_at(self.origin)
    }

    /// Returns a copy mirrored left to right about the lattice origin: column u becomes fx - 1 - u,
    /// where fx is the x of [`pivot2`](Self::pivot2).
    #[must_use]
    pub fn flip_x(&self) -> Posed {
        let x = mirrored(self.origin.x, self.mask.width(), self.pivot2[0]);
        let origin = Point::new(x, self.origin.y);
        Posed { mask: self.mask.flip_x(), origin, pivot2: self.pivot2 }
    }
}

impl Posed {
    /// Returns a copy mirrored top to bottom about the lattice origin: row v becomes fy - 1 - v.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        self.as_ref().flip_y().to_posed()
    }

    /// Returns a copy rotated a quarter turn clockwise about the pivot. Pixel (u, v) becomes
    /// (fy - 1 - v, u), and the numbers of [`pivot2`](Self::pivot2) change places. If both are
    /// equal, the copy is the pose a quarter turn further.
    #[must_use]
    pub fn quarter_turned(&self) -> Self {
        let [fx, fy] = self.pivot2;
        let x = mirrored(self.origin.y, self.mask.height(), fy);
        let mask = self.mask.quarter_turned();
        Self { mask, origin: Point::new(x, self.origin.x), pivot2: [fy, fx] }
    }
}

impl PosedRef<'_> {
    /// Returns this mask mirrored top to bottom about the lattice origin, without copying pixels.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        let y = mirrored(self.origin.y, self.mask.height(), self.pivot2[1]);
        Self { mask: self.mask.flip_y(), origin: Point::new(self.origin.x, y), pivot2: self.pivot2 }
    }
}

/// Returns the start of a span of `length` pixels from `start` after the mirror u -> phase - 1 - u,
/// saturated at the limits of i32. A span of length 0 stays in place.
#[inline(always)]
pub(crate) fn mirrored(start: i32, length: u32, phase: i32) -> i32 {
    if length == 0 {
        return start;
    }
    // Three numbers of 32 bits fit an i64 in any order, so only the result saturates.
    let mirrored = i64::from(phase) - i64::from(start) - i64::from(length);
    mirrored.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The poses of one source in one pool, without an allocation for each.
#[derive(Default)]
pub(crate) struct PoseBuffer {
    words: Vec<u64>,
    poses: Vec<PoseEntry>,
}

#[derive(Clone, Copy)]
struct PoseEntry {
    /// First word of its first strip.
    start: usize,
    width: u32,
    height: u32,
    area: u32,
    origin: Point,
    pivot2: [i32; 2],
}

impl PoseBuffer {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.poses.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<u64>() * self.words.capacity()
    }

    pub(crate) fn len(&self) -> usize {
        self.poses.len()
    }

    pub(crate) fn get(&self, i: usize) -> PosedRef<'_> {
        let PoseEntry { start, width, height, origin, pivot2, .. } = self.poses[i];
        if width == 0 {
            return PosedRef { mask: MaskRef::empty(), origin, pivot2 };
        }
        let pool = &self.words[start - LEAD as usize..];
        let mask = MaskRef::in_pool(pool, LEAD, stride_of(height), width, height);
        PosedRef { mask, origin, pivot2 }
    }

    pub(crate) fn area(&self, i: usize) -> u32 {
        self.poses[i].area
    }

    pub(crate) fn to_posed(&self) -> Vec<Posed> {
        (0..self.len()).map(|i| self.get(i).to_posed()).collect()
    }

    pub(crate) fn add_empty(&mut self, pivot2: [i32; 2]) {
        let origin = Point::default();
        self.poses.push(PoseEntry { start: 0, width: 0, height: 0, area: 0, origin, pivot2 });
    }

    pub(crate) fn add_copy(&mut self, PosedRef { mask, origin, pivot2 }: PosedRef<'_>) {
        if mask.width() == 0 {
            return self.add_empty(pivot2);
        }
        self.add((mask.width(), mask.height()), origin, pivot2, |s, rows| {
            rows.copy_from_slice(mask.rows(s));
        });
    }

    /// Appends a pose from `count` strips whose first pixel is at `corner`, trimmed.
    pub(super) fn add_strips(
        &mut self,
        strips: &[u64],
        count: usize,
        corner: Point,
        pivot2: [i32; 2],
    ) {
        simd::vectorized(
            #[inline(always)]
            || self.add_trimmed(strips, count, corner, pivot2),
        );
    }

    #[inline(always)]
    fn add_trimmed(&mut self, strips: &[u64], count: usize, corner: Point, pivot2: [i32; 2]) {
        let rows = strips.len() / count;
        let (mut top, mut end) = (rows, 0);
        let (mut left, mut right) = (u32::MAX, 0);
        for (i, strip) in (0..).zip(strips.chunks_exact(rows)) {
            let set = strip.iter().fold(0, |all, word| all | word);
            if set != 0 {
                left = left.min(i * WORD + set.trailing_zeros());
                right = i * WORD + WORD - set.leading_zeros();
                top = strip[..top].iter().position(|&word| word != 0).unwrap_or(top);
                let below = strip[end..].iter().rposition(|&word| word != 0);
                end = below.map_or(end, |row| end + row + 1);
            }
        }
        if right == 0 {
            return self.add_empty(pivot2);
        }
        let (skip, shift) = ((left / WORD) as usize, left % WORD);
        let size = (right - left, (end - top) as u32);
        let origin = Point::new(corner.x + left as i32, corner.y + top as i32);
        let kept = |strip: usize| &strips[strip * rows..][top..end];
        self.add(
            size,
            origin,
            pivot2,
            #[inline(always)]
            |s, out| {
                let near = skip + s as usize;
                if near + 1 < count {
                    for ((out, &near), &far) in out.iter_mut().zip(kept(near)).zip(kept(near + 1)) {
                        *out = shifted(near, far, shift);
                    }
                } else {
                    for (out, &near) in out.iter_mut().zip(kept(near)) {
                        *out = near >> shift;
                    }
                }
            },
        );
    }

    /// Appends a tight, non-empty mask. `fill(s, rows)` writes the zeroed rows of strip s.
    #[inline(always)]
    fn add(
        &mut self,
        (width, height): (u32, u32),
        origin: Point,
        pivot2: [i32; 2],
        fill: impl Fn(u32, &mut [u64]),
    ) {
        let start = self.append_zeros(width, height);
        let mut area = 0;
        let stride = stride_of(height) as usize;
        for (s, strip) in (0..).zip(self.words[start..].chunks_exact_mut(stride)) {
            let (rows, keep) = (&mut strip[..height as usize], inside(width, s));
            fill(s, rows);
            for row in rows {
                *row &= keep;
                area += row.count_ones();
            }
        }
        self.poses.push(PoseEntry { start, width, height, area, origin, pivot2 });
    }

    /// Appends pose `i` rotated a quarter turn clockwise about its pivot, as
    /// [`Posed::quarter_turned`], on the lattice of pose `i`. The two numbers of its pivot must
    /// differ by an even number, because only then the turned pixels lie on that lattice.
    pub(super) fn add_quarter_turned(&mut self, i: usize) {
        self.add_turned(i);
        let (PoseEntry { pivot2, .. }, Some(turned)) = (self.poses[i], self.poses.last_mut())
        else {
            return;
        };
        let [x, y] = [0, 1].map(|axis| (pivot2[axis] - turned.pivot2[axis]) / 2);
        turned.pivot2 = pivot2;
        if turned.width > 0 {
            turned.origin = turned.origin + Point::new(x, y);
        }
    }

    /// Appends pose `i` as [`Posed::quarter_turned`] gives it.
    fn add_turned(&mut self, i: usize) {
        let before = self.poses[i];
        let PoseEntry { width, height, pivot2: [fx, fy], .. } = before;
        let pivot2 = [fy, fx];
        if width == 0 {
            return self.poses.push(PoseEntry { pivot2, ..before });
        }
        let start = self.append_zeros(height, width);
        let (words, strips) = self.words.split_at_mut(start);
        let pool = &words[before.start - LEAD as usize..];
        quarter_turn(MaskRef::in_pool(pool, LEAD, stride_of(height), width, height), strips);
        let origin = Point::new(mirrored(before.origin.y, height, fy), before.origin.x);
        let turned = PoseEntry { start, width: height, height: width, origin, pivot2, ..before };
        self.poses.push(turned);
    }

    pub(super) fn add_half_turned(&mut self, i: usize) {
        // Two quarter turns; the entry of the first is removed again.
        self.add_turned(i);
        self.add_turned(self.len() - 1);
        self.poses.remove(self.len() - 2);
    }

    /// Appends zeroed words for the strips of a mask and returns their start.
    fn append_zeros(&mut self, width: u32, height: u32) -> usize {
        let start = self.words.len().max(LEAD as usize);
        self.words.resize(start + words_of(width, height) as usize, 0);
        start
    }
}
