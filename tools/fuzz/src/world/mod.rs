//! Target `world`: calls of a world in any order, with numbers of any bits and ids of any kind.
//!
//! The world is valid after each call. Results equal those of a test of every collider (`truth`).

mod calls;
mod changes;
mod questions;
mod truth;

pub use questions::ask;
pub use truth::check_touching;

use crate::art;
use arbitrary::{Arbitrary, Unstructured};
use calls::Call;
use hitmask::{Collider, ColliderId, MaskId, Pivot, ScalePolicy, SpriteId, World};

/// A world under test, with ids that are valid, stale, or of another world.
struct Bench {
    world: World,
    ids: Vec<ColliderId>,
    masks: Vec<MaskId>,
    saved: Option<Vec<u8>>,
    has_asked: bool,
}

/// Limit of the number of colliders and of the number of masks.
const MAX_COUNT: usize = 24;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut world = World::new(art::atlas());
    let _ = world.set_scale_policy(ScalePolicy::Nearest);
    world.update();
    // Ids of another world, with a generation above the first.
    let mut other = world.clone();
    let first = Collider::new(SpriteId::new(0));
    let ids = [(); 3].map(|()| {
        let id = other.insert(first).expect("the first sprite");
        other.remove(id);
        other.insert(first).expect("the first sprite")
    });
    let mask = other.masks_mut().insert(art::arrow(), Pivot::Center).expect("a small mask");
    let mut bench =
        Bench { world, ids: ids.to_vec(), masks: vec![mask], saved: None, has_asked: false };
    for _ in 0..80 {
        if input.is_empty() {
            break;
        }
        let Ok(call) = Call::arbitrary(&mut input) else { break };
        bench.call(call);
        bench.world.validate().expect("a world is valid after each call");
    }
    bench.update(|world| world.update());
}

impl Bench {
    fn id(&self, index: u8) -> ColliderId {
        self.ids[usize::from(index) % self.ids.len()]
    }

    fn mask(&self, index: u8) -> MaskId {
        self.masks[usize::from(index) % self.masks.len()]
    }
}
