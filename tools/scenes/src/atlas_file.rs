//! Atlas files with coarse levels from a chosen size on, for benches of the levels.
//!
//! Written by hand after `FORMAT.md`, because a bake chooses by itself which masks get levels. No
//! mask is shared, so that the pool is as large as its masks.

use hitmask::{Atlas, MaskRef, Point, Posed};
use std::thread;

const HEADER_BYTES: usize = 192;
/// Bytes of the header's fields that are changed after the sections are known.
const RECORDS_CRC: usize = 24;
const POOL_CRC: usize = 32;
const OFFSETS: usize = 64;
const POOL_OFFSET: usize = OFFSETS + 7 * 8;
const LEVEL_SIDE: usize = 148;
/// First byte of the checksum of the records.
const CHECKED_FROM: usize = 32;
/// `level_side` of an atlas without levels.
pub const NO_LEVELS: u32 = u32::MAX;
/// Words before the first mask.
const LEAD: usize = 8;
/// Side of a cell in pixels.
const CELL: usize = 8;

/// A pose that has been written to the words of a part of the pool.
struct StoredPose {
    /// First word of the mask in the part.
    words: usize,
    width: usize,
    height: usize,
    origin: Point,
    area: u64,
}

#[derive(Default)]
struct Part {
    words: Vec<u64>,
    poses: Vec<StoredPose>,
}

/// Creates an atlas of `sprites` sprites with `angles` poses each, which `draw` returns for each
/// sprite. Masks with a side of `level_side` pixels or more have levels. Runs on every core.
///
/// # Panics
/// If `draw` returns another number of poses or an empty mask.
pub(crate) fn atlas(
    (sprites, angles): (usize, u32),
    level_side: u32,
    draw: &(dyn Fn(usize) -> Vec<Posed> + Sync),
) -> Atlas {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Part> = thread::scope(|scope| {
        let part = |i: usize| {
            let range = i * sprites / threads..(i + 1) * sprites / threads;
            scope.spawn(move || {
                let mut part = Part::default();
                for sprite in range {
                    let poses = draw(sprite);
                    assert_eq!(poses.len(), angles as usize);
                    poses.iter().for_each(|posed| part.push(posed, level_side));
                }
                part
            })
        };
        let running: Vec<_> = (0..threads).map(part).collect();
        running.into_iter().map(|part| part.join().expect("poses are drawn")).collect()
    });
    let bytes = file((sprites, angles), level_side, parts);
    Atlas::from_vec(bytes).expect("an atlas after FORMAT.md")
}

/// Returns the atlas without the coarse levels of its masks: the header states that no mask has any.
///
/// # Panics
/// Never: the rest of the atlas is unchanged.
#[must_use]
pub fn without_levels(atlas: &Atlas) -> Atlas {
    with_level_side(atlas, NO_LEVELS)
}

/// Returns the atlas with the coarse levels of masks that have a side of `side` pixels or more. The
/// others are still in the pool, but the header states that they are none.
///
/// # Panics
/// If masks of that side have no levels.
#[must_use]
pub fn with_level_side(atlas: &Atlas, side: u32) -> Atlas {
    let mut bytes = atlas.as_bytes().to_vec();
    let field = &mut bytes[LEVEL_SIDE..][..4];
    let mut stored = [0; 4];
    stored.copy_from_slice(field);
    assert!(side >= u32::from_le_bytes(stored), "masks of {side} px have no levels");
    field.copy_from_slice(&side.to_le_bytes());
    sum_records(&mut bytes);
    Atlas::from_vec(bytes).expect("levels are optional")
}

fn sum_records(bytes: &mut [u8]) {
    let mut pool = [0; 8];
    pool.copy_from_slice(&bytes[POOL_OFFSET..][..8]);
    let sum = crc32fast::hash(&bytes[CHECKED_FROM..u64::from_le_bytes(pool) as usize]);
    bytes[RECORDS_CRC..][..4].copy_from_slice(&sum.to_le_bytes());
}

/// Returns the words from one strip to the next of a mask of `height` rows.
const fn stride_of(height: usize) -> usize {
    (height + 7).next_multiple_of(8)
}

impl Part {
    fn push(&mut self, posed: &Posed, level_side: u32) {
        let mask = posed.mask.as_ref();
        let (width, height) = (mask.width() as usize, mask.height() as usize);
        assert!(width > 0, "a mask with pixels");
        let words = strips(mask);
        if level_side != NO_LEVELS && mask.width().max(mask.height()) >= level_side {
            self.push_levels(&words, (width, height));
        }
        let (words, area) = (self.push_mask(&words, (width, height)), mask.count());
        self.poses.push(StoredPose { words, width, height, origin: posed.origin, area });
    }

    /// Appends a mask with its guard words, given strip by strip. Returns its first word.
    fn push_mask(&mut self, words: &[u64], (width, height): (usize, usize)) -> usize {
        let start = self.words.len();
        for strip in words.chunks_exact(height).take(width.div_ceil(64)) {
            self.words.extend_from_slice(strip);
            self.words.resize(self.words.len() + stride_of(height) - height, 0);
        }
        start
    }

    /// Appends the dilated, the outer and the inner level.
    fn push_levels(&mut self, words: &[u64], (width, height): (usize, usize)) {
        let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
        let strips_of_cells = columns.div_ceil(64);
        let [mut outer, mut inner] = [const { Vec::new() }; 2].map(|mut cells: Vec<u64>| {
            cells.resize(strips_of_cells * rows, 0);
            cells
        });
        for (s, strip) in words.chunks_exact(height).enumerate() {
            let at = |y: usize| s / CELL * rows + y / CELL;
            for (y, cell_rows) in (0..).step_by(CELL).zip(strip.chunks(CELL)) {
                let any = cell_rows.iter().fold(0, |any, row| any | row);
                let all = cell_rows.iter().fold(u64::MAX, |all, row| all & row);
                let is_whole = cell_rows.len() == CELL;
                for (i, (any, all)) in
                    any.to_le_bytes().into_iter().zip(all.to_le_bytes()).enumerate()
                {
                    let bit = s % CELL * CELL + i;
                    outer[at(y)] |= u64::from(any != 0) << bit;
                    inner[at(y)] |= u64::from(is_whole && all == 0xff) << bit;
                }
            }
        }
        let mut dilated = vec![0; (columns + 1).div_ceil(64) * (rows + 1)];
        for strip in 0..strips_of_cells {
            for y in 0..rows {
                let cells = outer[strip * rows + y];
                for row in [y, y + 1] {
                    dilated[strip * (rows + 1) + row] |= cells | cells << 1;
                    if cells >> 63 == 1 {
                        dilated[(strip + 1) * (rows + 1) + row] |= 1;
                    }
                }
            }
        }
        self.push_mask(&dilated, (columns + 1, rows + 1));
        self.push_mask(&outer, (columns, rows));
        self.push_mask(&inner, (columns, rows));
    }
}

/// Returns the rows of a mask as words, strip by strip.
fn strips(mask: MaskRef<'_>) -> Vec<u64> {
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    let bits = mask.to_bits();
    let mut words = vec![0; width.div_ceil(64) * height];
    for (y, row) in bits.chunks_exact(width.div_ceil(8)).enumerate() {
        for (s, bytes) in row.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            words[s * height + y] = u64::from_be_bytes(word).reverse_bits();
        }
    }
    words
}

fn file((sprites, angles): (usize, u32), level_side: u32, parts: Vec<Part>) -> Vec<u8> {
    let poses = sprites * angles as usize;
    let pool_words = LEAD + parts.iter().map(|part| part.words.len()).sum::<usize>();
    const NAME_BYTES: usize = 8;
    let sizes = [
        32 * sprites,
        20 * sprites,
        16 * poses,
        12 * poses,
        4,
        NAME_BYTES * sprites,
        0,
        8 * pool_words,
    ];
    let (mut offsets, mut end) = ([0; 8], HEADER_BYTES);
    for (offset, size) in offsets.iter_mut().zip(sizes) {
        *offset = end.next_multiple_of(64);
        end = *offset + size;
    }
    let file_bytes = end.next_multiple_of(64);
    let mut bytes = vec![0; file_bytes];
    let count = |n: usize| u32::try_from(n).expect("a count of 32 bits");
    let mut put = |at: usize, field: &[u8]| bytes[at..][..field.len()].copy_from_slice(field);
    put(0, b"HITMASK\x1a");
    put(8, &2_u32.to_le_bytes());
    put(12, &count(HEADER_BYTES).to_le_bytes());
    put(16, &(file_bytes as u64).to_le_bytes());
    let counts = [sprites, sprites, poses, 1, NAME_BYTES * sprites, 0, pool_words];
    for (at, n) in (36..).step_by(4).zip(counts) {
        put(at, &count(n).to_le_bytes());
    }
    for (at, offset) in (OFFSETS..).step_by(8).zip(offsets) {
        put(at, &(offset as u64).to_le_bytes());
    }
    put(136, &(file_bytes as u64).to_le_bytes());
    put(LEVEL_SIDE, &level_side.to_le_bytes());
    let [of_sprites, of_frames, of_hot, of_cold, of_scales, of_names, _, of_pool] = offsets;
    for sprite in 0..sprites {
        let record = [
            count(NAME_BYTES * sprite),
            count(NAME_BYTES),
            count(sprite),
            1,
            0,
            1,
            angles,
            // The rule: alpha of at least 128.
            128 << 8,
        ];
        put(of_sprites + 32 * sprite, &fields(record));
        let frame = [count(sprite) * angles, 0, 0, 0, 0];
        put(of_frames + 20 * sprite, &fields(frame));
        put(of_names + NAME_BYTES * sprite, format!("{sprite:08}").as_bytes());
    }
    put(of_scales, &1.0_f32.to_le_bytes());
    let (mut start, mut pose) = (LEAD, 0);
    for part in &parts {
        for &StoredPose { words, width, height, origin, area } in &part.poses {
            let size = count(width | height << 16);
            let hot = [count(start + words), count(stride_of(height)), size, 0];
            put(of_hot + 16 * pose, &fields(hot));
            let cold = [origin.x.cast_unsigned(), origin.y.cast_unsigned(), count(area as usize)];
            put(of_cold + 12 * pose, &fields(cold));
            pose += 1;
        }
        start += part.words.len();
    }
    let mut pool = bytes[of_pool + 8 * LEAD..].chunks_exact_mut(8);
    // Each part is freed when it has been copied.
    for part in parts {
        for (word, bytes) in part.words.into_iter().zip(pool.by_ref()) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
    let sum = crc32fast::hash(&bytes[of_pool..]);
    bytes[POOL_CRC..][..4].copy_from_slice(&sum.to_le_bytes());
    sum_records(&mut bytes);
    bytes
}

fn fields<const N: usize>(record: [u32; N]) -> Vec<u8> {
    record.iter().flat_map(|field| field.to_le_bytes()).collect()
}
