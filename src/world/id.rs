/// A collider of one world. Small and cheap to copy; once its collider is removed it is stale, and
/// never names the one that takes its place. In another world, unless one is a copy of the other, it
/// names a stranger or nobody: nothing tells that it came from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderId {
    index: u32,
    generation: u32,
}

impl ColliderId {
    pub(crate) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Its slot in the world, from 0: no two colliders share one at a time, and freed slots are
    /// used again, so that it can index arrays of your own.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The same, as arrays are indexed.
    #[inline(always)]
    pub(crate) const fn slot(self) -> usize {
        self.index as usize
    }

    /// How often the slot had been freed when this id was given.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// Two colliders; `a` has the lower index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The collider of lower index.
    pub a: ColliderId,
    /// The collider of higher index.
    pub b: ColliderId,
}

/// A mask made at run time, in one world. Once it is removed it is stale, and never names the one
/// that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaskId {
    index: u32,
    generation: u32,
}

impl MaskId {
    pub(crate) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Its place among the masks of the world, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How often the place had been freed when this id was given.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}
