//! Bakes the images of `art` into an atlas that `include_atlas!(sprites)` embeds.

fn main() -> Result<(), hitmask::BakeError> {
    let report = hitmask::Bake::new().angles(32).sprites("art")?.write_out_dir("sprites")?;
    // Cargo prints these lines. `write_out_dir` itself prints none of the report's warnings.
    for warning in report.warnings {
        println!("cargo::warning={warning}; {}", warning.help());
    }
    Ok(())
}
