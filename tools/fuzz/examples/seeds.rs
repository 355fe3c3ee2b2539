//! Writes the seeds of every target to `corpus`, where cargo-fuzz reads them. Prints their numbers.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    for (target, seeds) in hitmask_fuzz::seeds::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in &seeds {
            fs::write(folder.join(name), bytes)?;
        }
        println!("{target}: {} seeds", seeds.len());
    }
    Ok(())
}
