//! The Python package `hitmask`: the module `hitmask._hitmask`, which `hitmask/__init__.py` re-exports.
//!
//! One file per topic. `errors` has the exceptions, `arrays` all arrays of numpy, `values` what arguments
//! and results share. Each method checks its arguments, calls the library and converts the answer.
//!
//! Invariants: no code of this crate is unsafe, and no call waits for a lock while it holds that of the
//! interpreter.

// PyO3 takes arguments by value and as references, as Python passes them: one for each keyword.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments, unreachable_pub)]

mod arrays;
mod atlas;
mod bake;
mod collider;
mod errors;
mod forks;
mod image;
mod maps;
mod mask;
mod mask_file;
mod mask_pair;
mod mask_shapes;
mod pygame;
mod pygame_values;
mod shape_grid;
mod sprites;
mod surfaces;
mod values;
mod world;
mod world_bulk;
mod world_masks;
mod world_motion;
mod world_queries;

/// Pixel-perfect 2D sprite collisions.
#[pyo3::pymodule]
mod _hitmask {
    #[pymodule_export]
    use crate::atlas::{PyAtlas, PySprite};
    #[pymodule_export]
    use crate::bake::{BakeReport, MergeReport, PyBake, merge};
    #[pymodule_export]
    use crate::collider::PyCollider;
    #[pymodule_export]
    use crate::maps::{Map, MapItem, MapReport, PyPlacedMap};
    #[pymodule_export]
    use crate::mask::PyMask;
    #[pymodule_export]
    use crate::mask_shapes::{Component, Mass, PyPolygon, PyShape};
    #[pymodule_export]
    use crate::pygame::{from_surface, from_threshold};
    #[pymodule_export]
    use crate::shape_grid::{PyShapeGrid, ShapeCell};
    #[pymodule_export]
    use crate::sprites::{collide_mask, groupcollide, spritecollide, spritecollideany};
    #[pymodule_export]
    use crate::surfaces::surface_rgba;
    #[pymodule_export]
    use crate::values::{Contact, Impact, LineHit, Overlap};
    #[pymodule_export]
    use crate::world::{BodyPair, Contacts, PoseStats, PyWorld, ReloadReport, UpdateTimings};
    #[pymodule_export]
    use crate::world_bulk::{Hits, Placements, RayHits};
    #[pymodule_export]
    use crate::world_motion::{BodyHit, Hit, MoveResult, MoveResults};
    #[pymodule_export]
    use crate::world_queries::RayHit;

    /// Registers what a re-export cannot name.
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::prelude::*;
        crate::forks::register(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MAX_SIDE", hitmask::MAX_SIDE)?;
        module.add("MAX_COLLIDERS", hitmask::MAX_COLLIDERS)?;
        module.add("MAX_POSITION", hitmask::MAX_POSITION)?;
        // Its name is that of the class `hitmask.Mask`.
        module.add("PygameMask", module.py().get_type::<crate::mask::PygameMask>())
    }
}
