//! Vectors that grow by a sixteenth: lists as long as there are colliders would otherwise be twice
//! as large as they need to be, for ever, once they had grown by one.

/// Resizes `vec` to `len`, with a sixteenth to spare where it has to grow.
pub(crate) fn resize<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    make(vec, len);
    vec.resize(len, value);
}

/// Adds `value` at the end.
#[inline]
pub(crate) fn push<T>(vec: &mut Vec<T>, value: T) {
    make(vec, vec.len() + 1);
    vec.push(value);
}

/// Makes room for `len` in all, and some more.
#[inline]
pub(crate) fn make<T>(vec: &mut Vec<T>, len: usize) {
    if len > vec.capacity() {
        vec.reserve_exact(len + len / 16 + LEAST - vec.len());
    }
}

/// The first `len` of what `vec` holds, which is made longer where it is shorter: for what is written
/// before it is read.
pub(crate) fn some<T: Clone + Default>(vec: &mut Vec<T>, len: usize) -> &mut [T] {
    if vec.len() < len {
        resize(vec, len, T::default());
    }
    &mut vec[..len]
}

/// What is always to spare: few would otherwise grow one by one.
const LEAST: usize = 16;

/// Gives back what a list that was much longer once holds too much of. One that is four times as long
/// at one update as at the next may be asked for memory again; lists that vary less are not.
pub(crate) fn trim<T>(vec: &mut Vec<T>) {
    let used = vec.len().max(FEW);
    if vec.capacity() > 4 * used {
        vec.shrink_to(2 * used);
    }
}

/// Not worth giving back.
const FEW: usize = 512;
