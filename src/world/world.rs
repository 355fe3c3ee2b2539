//! The type [`World`], whose methods stand in the other files of this folder.

use crate::memory::clone_fields::clone_fields;
use crate::query::Search;
use crate::scene::Scene;
use crate::update::Updater;

/// Colliders on the plane, and the pairs of them that touch.
///
/// Insert and move colliders at any time. Call [`update`](Self::update) once per tick to find every
/// touching pair.
///
/// # Costs at any moment
/// An [`update`](Self::update) costs what has changed since the last one. A query or a motion costs
/// what is near it, and about log(n) steps of a search. This holds in the middle of a tick too, and
/// before the first update. Whatever was inserted, moved, reshaped or removed is found where it is now.
///
/// - The first 48 changes after an update are tested one by one.
/// - The first query after more changes packs the changed colliders: about 10 ns each. After
///   more than 1/8 of the colliders changed, it packs all.
/// - A collider that then moves by at most 2 px, or 16 px if many do, costs nothing more.
/// - One that moves farther is packed again: about 150 ns in all if a query follows each motion.
///
/// # Memory
/// - About 95 bytes per collider and 40 bytes per touching pair. Updates of changes take 4 bytes more
///   per collider, and about 120 per changed one.
/// - About 16 bytes more per collider with an [`owner`](crate::Collider::owner), and per collider that shows
///   a mask of [`MasksMut::insert`](crate::MasksMut::insert) or [`MasksMut::insert_drawn`](crate::MasksMut::insert_drawn).
/// - 0.5 MB per thread, or 1 MB if a collider has a [`min_overlap`](crate::Collider::min_overlap).
/// - Over an [undrawn](crate::Atlas#undrawn-atlases) atlas, the masks of all poses that were ever shown, up
///   to the [budget](crate::AtlasesMut::set_pose_budget). Their memory grows by 1/2. Linux moves it without a copy;
///   other systems copy it. A system that commits memory at once, such as WebAssembly, has up to 1/2
///   in reserve.
/// - 16 bytes per pose of each frame, plane and flip that was ever shown: 1 KB at 64 angles.
///   Sprites with more than 4,096 poses take none.
///
/// - Queries in the middle of a tick take 2 bytes per collider, and about 40 for each one that they pack.
///
/// Updates allocate nothing after the largest one, once each appearance has been shown.
///
/// # Example
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("arrow", arrow).to_bytes()?)?;
/// let arrow = atlas.sprite_id("arrow").unwrap();
///
/// let mut world = World::new(atlas);
/// let a = world.insert(Collider::new(arrow).at([10.0, 10.0]))?;
/// let b = world.insert(Collider::new(arrow).at([11.0, 10.4]).turned(0.3))?;
/// world.update();
/// for pair in world.touching() {
///     assert_eq!((pair.a, pair.b), (a, b));
///     println!("{:?}", world.contact(pair));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Atlases
/// A world begins with one atlas. [`AtlasesMut::add`](crate::AtlasesMut::add) adds the sprites of another one,
/// and [`AtlasesMut::replace`](crate::AtlasesMut::replace) takes a new version of one. Each sprite id carries the
/// id of its atlas. A world returns such ids, also for colliders that were placed by an id of
/// [`SpriteId::new`](crate::SpriteId::new) or of an earlier version. The masks of a single drawn
/// atlas are read in place. With several atlases, each pose is copied or drawn when it is first
/// shown.
///
/// # Units
/// Numbers in f32 and f64, such as positions, motions, radii and distances, are in pixels, as
/// [`Collider::position`](crate::Collider::position). Integers, rectangles and masks are in mask pixels. This
/// includes [`rect`](Self::rect), contacts, impacts and every [`Point`](crate::Point).
///
/// The two units are equal unless the atlas was baked at a [resolution](crate::AtlasBuilder::resolution)
/// other than 1. Mask pixels divided by [`Atlas::resolution`](crate::Atlas::resolution) are pixels.
///
/// # Rollback
/// A clone is a save: it holds the whole state, pairs and events included.
/// [`clone_from`](Clone::clone_from) saves to a world of an earlier save, and loads from one. It reuses that
/// world's memory, so a game that saves in a ring allocates nothing. Clones share the pixels of run-time masks,
/// drawn poses, and the index of fixed colliders until one of them changes these.
///
/// The derived `Clone` of a game's own type never calls `clone_from` of its fields. Call it for the world
/// itself:
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let a = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let id = world.insert(a)?;
/// let mut saved = world.clone();
/// for x in 0..8 {
///     world.move_to(id, [x as f32, 0.0])?;
///     world.update();
///     saved.clone_from(&world);
/// }
/// world.remove(id);
/// world.clone_from(&saved);
/// assert_eq!(world.get(id), Some(a.at([7.0, 0.0])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`state_hash`](Self::state_hash) tells whether two machines agree, and
/// [`first_difference`](Self::first_difference) where they do not.
///
/// # Which calls follow accuracies
/// [`Collider::accuracy`](crate::Collider::accuracy), [`Collider::min_overlap`](crate::Collider::min_overlap) and [`set_accuracy`](Self::set_accuracy)
/// decide what counts as touching. [`update`](Self::update),
/// [`touching_with`](Self::touching_with), [`touching_between`](Self::touching_between) and
/// [`PairRef::explain`](crate::PairRef::explain) follow all three. [`contact`](Self::contact) follows the accuracies
/// only. Updates test sprites in batches, which is faster than one by one, except at
/// [`Accuracy::Box`](crate::Accuracy::Box) and by [`MinOverlap::Size`](crate::MinOverlap::Size) at [`Accuracy::Exact`](crate::Accuracy::Exact).
///
/// Moves, casts of colliders, piercing ones too, and [`push_out`](Self::push_out) follow
/// [`Collider::move_accuracy`](crate::Collider::move_accuracy), by default the accuracy for touching. A mover or an obstacle at
/// [`Accuracy::Box`](crate::Accuracy::Box) counts as its box, else by its pixels. For moves one shared pixel is enough.
///
/// Queries and [`Probe::cast`](crate::Probe::cast) test pixels, and one shared pixel is enough. Their
/// [`Filter`](crate::Filter) may ask for boxes. [`PairRef::contact_at`](crate::PairRef::contact_at) takes an accuracy for one call,
/// and names the level that it used.
#[derive(Debug)]
pub struct World {
    pub(super) scene: Scene,
    pub(super) updater: Updater,
}

clone_fields!([] World { scene, updater });

impl World {
    /// Returns the scene with the index of its boxes.
    pub(super) const fn search(&self) -> Search<'_> {
        Search { scene: &self.scene, index: &self.updater.index }
    }
}
