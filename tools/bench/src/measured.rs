//! Measured loops that `hitmask bench` and the benches of criterion share.
//!
//! Each function compares the answers of all sides before it returns their loops.

use hitmask::reference::Drawing;
use hitmask::{
    Accuracy, Atlas, ColliderId, Flip, Mask, Pivot, Pose, PoseSet, Posed, Raster, Sampling, World,
};
use hitmask_scenes::{Stage, included, named};
use rstar::RTree;
use rstar::primitives::{GeomWithData, Rectangle};
use std::fmt;
use std::hint::black_box;

/// A loop over many items, of which each run takes the same time.
pub struct Loop<'a> {
    /// The side that the loop measures.
    pub name: &'static str,
    /// Number of items of a run.
    pub items: usize,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Loop<'a> {
    /// Creates a loop. The answers of `run` are passed to [`black_box`].
    pub fn new<A>(name: &'static str, items: usize, mut run: impl FnMut() -> A + 'a) -> Self {
        Self { name, items, run: Box::new(move || drop(black_box(run()))) }
    }

    /// Runs over all items once.
    pub fn run(&mut self) {
        (self.run)();
    }
}

impl fmt::Debug for Loop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {} items", self.name, self.items)
    }
}

/// Names what gave another answer than the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement(pub String);

impl Disagreement {
    /// Returns `Ok` if the answers agree.
    pub(crate) fn unless(agree: bool, what: impl FnOnce() -> String) -> Result<(), Self> {
        if agree { Ok(()) } else { Err(Self(what())) }
    }
}

/// Returns the loops that pose a sprite at 64 angles, as a bake does, and pixel by pixel. The naive loop takes the
/// same time at each angle, so it poses every 8th.
///
/// # Errors
/// [`Disagreement`] if a pose differs.
///
/// # Panics
/// If there is no sprite of this name.
pub fn full_turn(name: &str, sampling: Sampling) -> Result<[Loop<'static>; 2], Disagreement> {
    const ANGLES: u32 = 64;
    let mask = named(name).mask();
    let poses = PoseSet::new(ANGLES, [1.0]).expect("a multiple of 4");
    let naive = move |mask: &Mask, poses: &PoseSet, every: usize| -> Vec<Posed> {
        let steps = (0..ANGLES).step_by(every).map(|step| Pose { step, scale: 0 });
        let drawing = |pose| Drawing::new(mask, Pivot::Center, sampling, poses, pose);
        steps.map(|pose| drawing(pose).expect("a pivot in the image").posed()).collect()
    };
    let fast = move |mask: &Mask, poses: &PoseSet| {
        let raster = Raster::new(mask, Pivot::Center, sampling);
        raster.and_then(|raster| raster.poses(poses)).expect("a small sprite")
    };
    let agree = fast(&mask, &poses) == naive(&mask, &poses, 1);
    Disagreement::unless(agree, || format!("poses of {name}, {sampling:?}"))?;
    let (mask_of_naive, poses_of_naive) = (mask.clone(), poses.clone());
    Ok([
        Loop::new("fast", ANGLES as usize, move || fast(&mask, &poses)),
        Loop::new("naive", 8, move || naive(&mask_of_naive, &poses_of_naive, 8)),
    ])
}

/// Returns the loops that open the atlas of all sprites: in place, and by posing each sprite pixel by pixel, as a game
/// without an atlas does when it starts. Each run is one item.
///
/// # Errors
/// [`Disagreement`] if a pose differs.
pub fn openings() -> Result<[Loop<'static>; 2], Disagreement> {
    let stage = Stage::new(..);
    let bytes = included(stage.atlas.as_bytes());
    let atlas = Atlas::from_static(bytes).expect("a baked atlas");
    assert_eq!(atlas.as_bytes().as_ptr(), bytes.as_ptr(), "the atlas is not copied");
    let steps = move || (0..64).map(|step| Pose { step, scale: 0 });
    let naive = move || -> Vec<Posed> {
        let all = stage.sources.iter().flat_map(|source| steps().map(move |pose| (source, pose)));
        let drawing = |(source, pose)| {
            Drawing::new(source, Pivot::Center, Sampling::Nearest, &stage.poses, pose)
        };
        all.map(|of| drawing(of).expect("a pivot in the image").posed()).collect()
    };
    let stored = atlas
        .sprites()
        .flat_map(|sprite| steps().filter_map(move |pose| sprite.posed(0, pose, Flip::NONE)));
    let agree = stored.eq(naive().iter().map(Posed::as_ref));
    Disagreement::unless(agree, || "poses of the atlas".to_owned())?;
    let open = move || Atlas::from_static(black_box(bytes)).expect("a baked atlas");
    Ok([Loop::new("in place", 1, open), Loop::new("naive: posing all", 1, naive)])
}

/// Returns the loop in which rstar loads the boxes of all colliders in bulk, and joins them with themselves.
///
/// It is here, not in the command: the command is compiled with little optimisation, and rstar with its caller.
///
/// # Errors
/// [`Disagreement`] if the number of pairs differs.
pub fn rstar_join(world: &World) -> Result<Loop<'_>, Disagreement> {
    let mut boxes = world.clone();
    boxes.set_accuracy(Accuracy::Box);
    boxes.update();
    type Leaf = GeomWithData<Rectangle<[i64; 2]>, ColliderId>;
    let leaf = |id: ColliderId| {
        // Closed boxes, in i64 because rstar multiplies sides.
        let [x0, y0, x1, y1] =
            world.rect(id).map(|r| [r.x0, r.y0, r.x1 - 1, r.y1 - 1].map(i64::from))?;
        Some(Leaf::new(Rectangle::from_corners([x0, y0], [x1, y1]), id))
    };
    let joined = move || {
        let enabled = world.iter().filter(|(_, collider)| collider.enabled);
        let tree = RTree::bulk_load(enabled.filter_map(|(id, _)| leaf(id)).collect());
        let both = tree.intersection_candidates_with_other_tree(&tree);
        both.filter(|(a, b): &(&Leaf, &Leaf)| a.data < b.data).count()
    };
    let agree = joined() == boxes.touching().len();
    Disagreement::unless(agree, || "the number of pairs of rstar".to_owned())?;
    Ok(Loop::new("rstar", 1, joined))
}
