//! The README's build script: bakes the images of `assets` into an atlas.

fn main() -> Result<(), hitmask_bake::BakeError> {
    hitmask_bake::Bake::new().sprites("assets")?.write_out_dir("sprites")?;
    Ok(())
}
