//! Which instructions the broad phase uses: chosen once per call, never inside a loop.
//!
//! AVX2 and AVX-512 have kernels of their own, and pay. Everything else (SSE2, NEON, WebAssembly) takes the
//! portable path, whose vectors `wide` chooses when it is compiled.

use crate::simd::Simd;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::{Avx2, Avx512};

/// An instruction set for which there are kernels, with the proof that this machine has it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Portable,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(Avx2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(Avx512),
}

impl Level {
    /// The kernels for an instruction set; the portable ones where it has none of its own.
    pub(super) fn of(simd: Simd) -> Self {
        match simd.level() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(fearless_simd::Level::Avx512(level)) => Self::Avx512(level),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(fearless_simd::Level::Avx2(level)) => Self::Avx2(level),
            _ => Self::Portable,
        }
    }

    /// The kernels for the instruction set that the narrow phase takes.
    pub(super) fn preferred() -> Self {
        static LEVEL: std::sync::LazyLock<Level> =
            std::sync::LazyLock::new(|| Level::of(Simd::preferred()));
        *LEVEL
    }
}

/// Runs an expression with the kernels of a level under a name. A macro, because a closure would
/// lose the instruction set on its way into the loop: all it calls must be `#[inline(always)]`.
macro_rules! with_lanes {
    ($level:expr, $lanes:ident => $run:expr) => {
        match $level {
            $crate::broad::dispatch::Level::Portable => {
                let $lanes = $crate::broad::kernels::Portable;
                $run
            }
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::broad::dispatch::Level::Avx2(simd) => fearless_simd::Simd::vectorize(
                simd,
                #[inline(always)]
                || {
                    let $lanes = $crate::broad::simd_kernels::Wide(simd);
                    $run
                },
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::broad::dispatch::Level::Avx512(simd) => fearless_simd::Simd::vectorize(
                simd,
                #[inline(always)]
                || {
                    let $lanes = $crate::broad::simd_kernels::Wide(simd);
                    $run
                },
            ),
        }
    };
}
pub(super) use with_lanes;
