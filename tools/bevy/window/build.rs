//! Bakes the images of the README's game into an atlas.

fn main() -> Result<(), hitmask_bake::BakeError> {
    hitmask_bake::Bake::new().sprites("../game/assets")?.write_out_dir("sprites")?;
    Ok(())
}
