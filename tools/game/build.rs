//! Bakes the art of the game.

fn main() -> Result<(), hitmask::BakeError> {
    let report = hitmask::Bake::new().angles(32).sprites("art")?.write_out_dir("sprites")?;
    for warning in report.warnings {
        println!("cargo::warning={warning}");
    }
    Ok(())
}
