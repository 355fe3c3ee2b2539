//! The README's build script: bakes the images of `art` into an atlas.

fn main() -> Result<(), hitmask::BakeError> {
    let report = hitmask::Bake::new().angles(64).sprites("art")?.write_out_dir("sprites")?;
    for warning in report.warnings {
        println!("cargo::warning={warning}; {}", warning.help());
    }
    Ok(())
}
