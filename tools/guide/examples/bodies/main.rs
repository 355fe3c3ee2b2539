//! The outline of a ship as convex pieces for a physics engine.

use hitmask::{Atlas, ShapeOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let ship = atlas.sprite_id("ship").and_then(|id| atlas.sprite(id)).ok_or("no ship")?;
    // Within 1 px of the pixels, about the pivot, in metres of 32 px.
    let options = ShapeOptions { max_error: 1.0, scale: 1.0 / 32.0, ..ShapeOptions::default() };
    let shape = ship.shape(0, options)?;
    println!("{} polygon, {:.2} square metres", shape.polygons().len(), shape.mass().area);
    for piece in shape.pieces().pieces {
        println!("a convex piece of {} corners", piece.len());
    }
    Ok(())
}
