use super::geometry::Geometry;
use super::query::{Place, Query};
use super::window::{Window, is_set};
use fearless_simd::Simd;

/// Is a pixel set in both?
#[derive(Clone, Copy)]
pub(crate) struct Touches;

/// Blocks of a long strip between two looks at what was found.
const LOOK: usize = 8;

impl Query for Touches {
    type Found = bool;
    type Answer = bool;
    const NONE: bool = false;
    const PROBE: bool = true;

    #[inline(always)]
    fn is_settled(found: bool) -> bool {
        found
    }

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        _: Place,
    ) -> bool {
        let mut start = 0;
        while start < blocks {
            let end = (start + LOOK).min(blocks);
            let mut any = window.both(start);
            for block in start + 1..end {
                any |= window.both(block);
            }
            if is_set(any) {
                return true;
            }
            start = end;
        }
        false
    }

    #[inline(always)]
    fn join(_: bool, now: bool) -> bool {
        // A strip is looked at only where none was found before.
        now
    }

    #[inline(always)]
    fn answer(self, found: bool, _: &Geometry, _: usize) -> bool {
        found
    }
}
