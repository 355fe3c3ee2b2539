//! Destructible terrain: shells cut craters into a mask that is created at run time.
//!
//! Parts of the terrain that are no longer connected to the largest part become colliders and fall.
//! The example prints how far each part falls, and how many pixels were destroyed, fell and remain.
//!
//! ```sh
//! cargo run --example destructible_terrain
//! ```

use hitmask::{Atlas, AtlasBuilder, Collider, Connectivity, Filter, Mask, Pivot, Rect, World};

/// Radii of a shell and of the crater that it makes. Any shell will do.
const SHELL: u32 = 12;
const BLAST: i32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The shell is a baked sprite. The ground is a mask made at run time.
    let bytes = AtlasBuilder::new().mask("shell", Mask::disc(SHELL)?).to_bytes()?;
    let atlas = Atlas::from_vec(bytes)?;
    let shell = atlas.sprite_id("shell").ok_or("no shell")?;
    let mut world = World::new(atlas);

    let mut hills = Mask::new(640, 200)?;
    for x in 0..640 {
        let height = 60.0 + 40.0 * (x as f32 / 70.0).sin();
        hills.fill_rect(Rect::new(x, 200 - height as i32, x + 1, 200), true);
    }
    // A mushroom: its cap is disconnected once the stem is destroyed.
    hills.fill_rect(Rect::new(318, 60, 322, 160), true);
    hills.fill_rect(Rect::new(296, 40, 344, 60), true);
    let pixels = hills.count();

    let top_left = Pivot::HalfTexels(0, 0);
    let ground = world.masks_mut().insert(hills, top_left)?;
    world.insert(Collider::from_mask(ground).fixed())?;
    world.update();

    let blast = Mask::disc(BLAST as u32)?;
    let mut destroyed = 0;
    for from in [[60.0, -40.0], [200.0, -40.0], [400.0, -40.0], [500.0, -40.0], [270.0, 100.0]] {
        // The last shell flies horizontally into the stem.
        let motion = if from[1] < 0.0 { [0.0, 240.0] } else { [120.0, 0.0] };
        let id = world.insert(Collider::new(shell).at(from))?;
        let hit = world.cast(id, motion, Filter::SOLID)?.ok_or("no ground was hit")?;
        // The crater is around the pixel where the shell met the ground.
        let [x, y] = hit.point.map(|v| v as i32);
        world.remove(id);

        let cut = |ground: &mut Mask| {
            let before = ground.count();
            ground.erase(&blast, [x - BLAST, y - BLAST]);
            before - ground.count()
        };
        destroyed += world.masks_mut().edit(ground, cut).ok_or("no ground")?;
        world.update();
    }

    // Each part that is not connected to the largest part becomes a collider and falls.
    let parts = world.mask(ground).ok_or("no ground")?.components(Connectivity::Eight);
    let largest = parts.largest().ok_or("no ground is left")?.index();
    let mut fallen = 0;
    for part in parts.iter().filter(|part| part.index() != largest) {
        let (piece, rect) = (part.mask(), part.rect());
        world.masks_mut().edit(ground, |ground| ground.erase(&piece, [rect.x0, rect.y0]));
        let piece = world.masks_mut().insert(piece, top_left)?;
        let at = [rect.x0 as f32, rect.y0 as f32];
        let piece = world.insert(Collider::from_mask(piece).at(at))?;
        world.update();
        let landed = world.move_and_slide(piece, [0.0, 200.0])?;
        println!("{} pixels fell from y = {} to {}", part.area(), at[1], landed.position[1]);
        assert!(landed.position[1] > at[1]);
        world.update();
        assert!(world.touching().is_empty(), "the part rests on the ground without an overlap");
        fallen += part.area();
    }

    let left = world.mask(ground).map_or(0, Mask::count);
    println!("{pixels} pixels: {destroyed} destroyed, {fallen} fallen, {left} left");
    assert!(fallen >= 48 * 20 && destroyed > 1_000);
    assert_eq!(pixels, destroyed + fallen + left);
    Ok(())
}
