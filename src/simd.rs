//! The instruction sets that kernels are compiled for, and the choice of one at run time.
//!
//! Used by `narrow` and `broad`. Invariant: results are the same with every instruction set, bit
//! for bit.

use fearless_simd::Level;
use std::sync::LazyLock;

/// An instruction set that batch queries can be told to use.
///
/// Results are the same with each of them, bit for bit; only the time differs. By default the best
/// one of the machine is chosen at run time. A program compiled for a baseline processor therefore
/// runs at full speed on newer ones.
///
/// ```
/// use hitmask::Simd;
/// assert!(Simd::available().contains(&Simd::preferred()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Simd {
    /// x86: AVX-512 (Ice Lake and later), 512 bits.
    Avx512,
    /// x86: AVX2, 256 bits.
    Avx2,
    /// x86: SSE2, 128 bits; part of every 64-bit x86 processor.
    Sse2,
    /// 64-bit ARM: NEON, 128 bits.
    Neon,
    /// WebAssembly: simd128, if the module was compiled with it.
    Wasm,
    /// Scalar code, where the target has no vector instructions. Also available with
    /// `RUSTFLAGS="--cfg hitmask_fallback"`, for tests.
    Fallback,
}

impl Simd {
    const ALL: [Self; 6] =
        [Self::Avx512, Self::Avx2, Self::Sse2, Self::Neon, Self::Wasm, Self::Fallback];

    /// Returns the instruction sets of this machine, best first. Never empty.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|simd| simd.level().is_some()).collect()
    }

    /// Returns the default: the one named by the environment variable `HITMASK_SIMD` (see
    /// [`name`](Self::name)) if this machine has it, else the best.
    #[must_use]
    pub fn preferred() -> Self {
        static NAMED: LazyLock<Option<Simd>> = LazyLock::new(|| {
            let name = std::env::var("HITMASK_SIMD").ok()?;
            Simd::available().into_iter().find(|simd| simd.name() == name)
        });
        NAMED.unwrap_or_else(|| Self::available()[0])
    }

    /// Returns the name: `avx512`, `avx2`, `sse2`, `neon`, `wasm` or `fallback`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Sse2 => "sse2",
            Self::Neon => "neon",
            Self::Wasm => "wasm",
            Self::Fallback => "fallback",
        }
    }

    /// Returns the token that proves that this machine has the instruction set; `None` if it has
    /// not.
    pub(crate) fn level(self) -> Option<Level> {
        let best = Level::new();
        match self {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Wasm => best.as_wasm_simd128().map(Level::WasmSimd128),
            #[cfg(hitmask_fallback)]
            Self::Fallback => Some(Level::fallback()),
            #[cfg(not(hitmask_fallback))]
            Self::Fallback => best.is_fallback().then_some(best),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

/// Returns the token of [`Simd::preferred`].
#[inline(always)]
pub(crate) fn preferred() -> Level {
    static LEVEL: LazyLock<Level> =
        LazyLock::new(|| Simd::preferred().level().unwrap_or_else(Level::new));
    *LEVEL
}

/// Evaluates an expression with the token of a level bound to a name. This is the only list of
/// levels that kernels are compiled for. fearless_simd's `dispatch!` would compile every kernel for
/// SSE4.2 as well.
macro_rules! with_level {
    ($level:expr, $simd:ident => $run:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => $run,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => $run,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse2($simd) => $run,
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon($simd) => $run,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128($simd) => $run,
            #[cfg(any(
                hitmask_fallback,
                not(any(
                    target_arch = "aarch64",
                    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
                    all(target_arch = "wasm32", target_feature = "simd128")
                ))
            ))]
            fearless_simd::Level::Fallback($simd) => $run,
            // `Simd::level` returns no other level.
            level => unreachable!("no kernels for {level:?}"),
        }
    };
}
pub(crate) use with_level;

/// Runs `walk` compiled for the instruction set of [`preferred`]. The compiler vectorizes its
/// scalar loops to the width of that set. Everything that `walk` calls must be inlined into it.
#[inline(always)]
pub(crate) fn vectorized<R>(walk: impl FnOnce() -> R) -> R {
    with_level!(preferred(), simd => fearless_simd::Simd::vectorize(simd, walk))
}
