//! Shells fall on hills, each blows a crater, and what hangs in the air afterwards falls as well.
//!
//! ```sh
//! cargo run --example destructible_terrain
//! ```

use hitmask::{Atlas, Bake, Collider, Connectivity, Mask, Pivot, Rect, World};

const BLAST: i32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The shell is art, baked as ever; the ground is made here.
    let bytes = Bake::new().mask("shell", Mask::disc(3)?).to_bytes()?;
    let atlas = Atlas::from_vec(bytes)?;
    let shell = atlas.sprite_id("shell").ok_or("the shell is baked")?;
    let mut world = World::new(atlas);

    let mut hills = Mask::new(640, 200)?;
    for x in 0..640 {
        let height = 60.0 + 40.0 * (x as f32 / 70.0).sin();
        hills.fill_rect(Rect::new(x, 200 - height as i32, x + 1, 200), true);
    }
    // A mushroom: its cap hangs in the air once the stem is gone.
    hills.fill_rect(Rect::new(318, 60, 322, 160), true);
    hills.fill_rect(Rect::new(296, 40, 344, 60), true);
    let pixels = hills.count();

    let top_left = Pivot::HalfTexels(0, 0);
    let ground = world.insert_mask(hills, top_left)?;
    world.insert(Collider::from_mask(ground).fixed())?;
    world.update();

    let blast = Mask::disc(BLAST as u32)?;
    let mut blown = 0;
    for from in [[60.0, -40.0], [200.0, -40.0], [400.0, -40.0], [500.0, -40.0], [270.0, 100.0]] {
        // The last shell flies level, into the stem.
        let motion = if from[1] < 0.0 { [0.0, 240.0] } else { [120.0, 0.0] };
        let id = world.insert(Collider::new(shell).at(from))?;
        let hit = world.cast(id, motion)?.ok_or("there is ground in the way")?;
        let [x, y] = hit.position.map(|v| v as i32);
        world.remove(id);

        let cut = |ground: &mut Mask| {
            let before = ground.count();
            ground.erase(&blast, [x - BLAST, y - BLAST]);
            before - ground.count()
        };
        blown += world.edit_mask(ground, cut).ok_or("the ground is there")?;
        world.update();
    }

    // Whatever is not joined to the largest part becomes a thing of its own, and falls.
    let parts = world.mask(ground).ok_or("the ground is there")?.components(Connectivity::Eight);
    let largest = parts.largest().ok_or("some ground is left")?.index();
    let mut fallen = 0;
    for part in parts.iter().filter(|part| part.index() != largest) {
        let (piece, rect) = (part.mask(), part.rect());
        world.edit_mask(ground, |ground| ground.erase(&piece, [rect.x0, rect.y0]));
        let piece = world.insert_mask(piece, top_left)?;
        let at = [rect.x0 as f32, rect.y0 as f32];
        let piece = world.insert(Collider::from_mask(piece).at(at))?;
        world.update();
        let landed = world.move_and_slide(piece, [0.0, 200.0])?;
        println!("{} pixels fell from {} to {}", part.area(), at[1], landed.position[1]);
        assert!(landed.position[1] > at[1]);
        world.update();
        assert!(world.touching().is_empty(), "it rests on the ground and not in it");
        fallen += part.area();
    }

    let left = world.mask(ground).map_or(0, Mask::count);
    println!("of {pixels} pixels {blown} were blown away, {fallen} fell, {left} stand");
    assert!(fallen >= 48 * 20 && blown > 1_000);
    assert_eq!(pixels, blown + fallen + left);
    Ok(())
}
