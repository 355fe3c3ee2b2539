//! The README's build script: bakes the images of `art` into an atlas.

fn main() -> Result<(), hitmask_bake::BakeError> {
    hitmask_bake::Bake::new().angles(64).sprites("art")?.write_out_dir("sprites")?;
    Ok(())
}
