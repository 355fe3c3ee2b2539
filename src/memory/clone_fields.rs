//! `Clone` field by field, so that `clone_from` keeps the memory of each field. The derived one drops it.
//!
//! Used by whatever a world holds per collider, per pair or per atlas.

/// Implements [`Clone`] for a struct. Fields in `scratch` hold nothing that a copy needs. A clone has
/// empty ones, and `clone_from` keeps those of `self` for their memory.
macro_rules! clone_fields {
    (
        [$($generics:tt)*] $type:ty { $($field:tt),+ $(,)? }
        $(scratch { $($scratch:ident),+ $(,)? })?
    ) => {
        impl<$($generics)*> Clone for $type {
            fn clone(&self) -> Self {
                Self {
                    $($field: Clone::clone(&self.$field),)+
                    $($($scratch: Default::default(),)+)?
                }
            }

            fn clone_from(&mut self, source: &Self) {
                $(Clone::clone_from(&mut self.$field, &source.$field);)+
            }
        }
    };
}
pub(crate) use clone_fields;
