//! Which instructions the broad phase uses: chosen once per call, never inside a loop.
//!
//! AVX2 and AVX-512 compress hits in one instruction, and pay. Everything else (SSE2, NEON,
//! WebAssembly) takes the portable path, whose vectors `wide` chooses when it is compiled.

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
    /// The one to use: what the environment variable `HITMASK_SIMD` names (`avx512`, `avx2`, and
    /// anything else for the portable path) if this machine has it, otherwise the best.
    pub(super) fn preferred() -> Self {
        static LEVEL: std::sync::LazyLock<Level> = std::sync::LazyLock::new(|| {
            let available = Level::available();
            match std::env::var("HITMASK_SIMD") {
                Ok(name) => {
                    let named = available.iter().find(|level| level.name() == name);
                    named.copied().unwrap_or(Level::Portable)
                }
                Err(_) => available[0],
            }
        });
        *LEVEL
    }

    /// Those that this machine has, the best first. Never empty.
    pub(super) fn available() -> Vec<Self> {
        let mut levels = Vec::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            let best = fearless_simd::Level::new();
            levels.extend(best.as_avx512().map(Self::Avx512));
            levels.extend(best.as_avx2().map(Self::Avx2));
        }
        levels.push(Self::Portable);
        levels
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(_) => "avx2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512(_) => "avx512",
        }
    }
}

/// Runs an expression with the kernels of a level under a name. A macro, because a closure would
/// lose the instruction set on its way into the loop: all it calls must be `#[inline(always)]`.
macro_rules! with_lanes {
    ($level:expr, $lanes:ident => $run:expr) => {
        match $level {
            $crate::world::broad::level::Level::Portable => {
                let $lanes = $crate::world::broad::lanes::Portable;
                $run
            }
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::world::broad::level::Level::Avx2(simd) => fearless_simd::Simd::vectorize(
                simd,
                #[inline(always)]
                || {
                    let $lanes = $crate::world::broad::lanes::Wide(simd);
                    $run
                },
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::world::broad::level::Level::Avx512(simd) => fearless_simd::Simd::vectorize(
                simd,
                #[inline(always)]
                || {
                    let $lanes = $crate::world::broad::lanes::Wide(simd);
                    $run
                },
            ),
        }
    };
}
pub(super) use with_lanes;
