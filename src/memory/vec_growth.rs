//! Growth of vectors by 1/16 instead of by doubling.
//!
//! Used by `broad`, `scene` and `update`. A list with one entry per collider would otherwise keep up to twice
//! its memory for ever, once it had grown by one.

/// Resizes `vec` to `len`. If it must reallocate, it reserves 1/16 more.
pub(crate) fn resize<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    reserve(vec, len);
    vec.resize(len, value);
}

#[inline]
pub(crate) fn push<T>(vec: &mut Vec<T>, value: T) {
    reserve(vec, vec.len() + 1);
    vec.push(value);
}

/// Reserves capacity for `len` items in total, plus 1/16.
#[inline]
pub(crate) fn reserve<T>(vec: &mut Vec<T>, len: usize) {
    if len > vec.capacity() {
        vec.reserve_exact(len + len / 16 + SPARE_ITEMS - vec.len());
    }
}

/// Returns `len` items of a buffer that is written before it is read.
pub(crate) fn resized_prefix<T: Clone + Default>(vec: &mut Vec<T>, len: usize) -> &mut [T] {
    resized_prefix_with(vec, len, T::default())
}

pub(crate) fn resized_prefix_with<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) -> &mut [T] {
    if vec.len() < len {
        resize(vec, len, value);
    }
    &mut vec[..len]
}

/// Spare items added at every growth, so that short vectors do not grow one by one.
const SPARE_ITEMS: usize = 16;

/// Shrinks a vector whose capacity exceeds 4 times its length. A list whose length varies by a
/// factor of 4 between updates may reallocate; others do not.
pub(crate) fn trim<T>(vec: &mut Vec<T>) {
    let used = vec.len().max(MIN_TRIMMED_ITEMS);
    if vec.capacity() > 4 * used {
        vec.shrink_to(2 * used);
    }
}

/// Vectors up to this length are not shrunk.
const MIN_TRIMMED_ITEMS: usize = 512;
