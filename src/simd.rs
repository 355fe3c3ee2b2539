//! The instruction sets that kernels are compiled for, and the choice of one at run time.
//!
//! Invariant: results are the same with every instruction set, bit for bit.

use crate::error::CallError;
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
    ///
    /// The variable is read once. A name that is unknown, or that this machine lacks, is ignored,
    /// because a game must run everywhere. [`from_env`](Self::from_env) returns the error.
    #[must_use]
    pub fn preferred() -> Self {
        static PREFERRED: LazyLock<Simd> =
            LazyLock::new(|| Simd::from_env().unwrap_or_else(|_| Simd::available()[0]));
        *PREFERRED
    }

    /// Returns the instruction set that the environment variable `HITMASK_SIMD` names. Returns the
    /// best one of this machine if the variable is unset or empty.
    ///
    /// For tests and tools, which must not silently run with another set than the one named.
    ///
    /// # Errors
    /// [`CallError::Simd`] if no instruction set has that name, or if this machine lacks it.
    pub fn from_env() -> Result<Self, CallError> {
        let name = std::env::var_os("HITMASK_SIMD").unwrap_or_default();
        Self::named(&name.to_string_lossy())
    }

    /// Returns the instruction set of this name, or the best one for an empty name.
    fn named(name: &str) -> Result<Self, CallError> {
        if name.is_empty() {
            return Ok(Self::available()[0]);
        }
        let simd = Self::ALL.into_iter().find(|simd| simd.name() == name);
        simd.filter(|simd| simd.level().is_some()).ok_or_else(|| CallError::Simd {
            name: name.to_owned(),
            available: Self::available().into_iter().map(Self::name).collect(),
        })
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

    /// Returns the token of the instruction set; `None` if this machine lacks it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_selects_its_set_or_is_an_error() {
        let available = Simd::available();
        let names: Box<[_]> = available.iter().map(|simd| simd.name()).collect();
        let refused =
            |name: &str| CallError::Simd { name: name.to_owned(), available: names.clone() };
        assert_eq!(Simd::named(""), Ok(available[0]));
        for simd in Simd::ALL {
            let truth = available.contains(&simd).then_some(simd);
            assert_eq!(Simd::named(simd.name()), truth.ok_or_else(|| refused(simd.name())));
        }
        for name in ["avx-512", "AVX2", " sse2", "best", "\u{fffd}"] {
            let error = Simd::named(name).unwrap_err();
            assert_eq!(error, refused(name));
            assert!(available.iter().all(|simd| error.help().contains(simd.name())));
        }
    }
}
