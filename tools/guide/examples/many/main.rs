//! 10,000 rocks that drift apart, and all pairs that touch.

use hitmask::{Angle, Atlas, Collider, Placement, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    // 100 rows of 100 rocks.
    let ids = world.insert_all(&vec![rock; 10_000])?;
    for tick in 0..3 {
        let placements: Vec<Placement> = (0..10_000_u32)
            .map(|i| Placement {
                position: [(i % 100 * (40 + tick)) as f32, (i / 100 * (41 + tick)) as f32],
                angle: Angle::radians(0.0),
            })
            .collect();
        world.set_placements(&ids, &placements)?;
        world.update();
        let [touching, began] = [world.touching().len(), world.began().len()];
        println!(
            "tick {tick}: {touching} pairs touch, {began} began, {} ended",
            world.ended().len()
        );
    }
    Ok(())
}
