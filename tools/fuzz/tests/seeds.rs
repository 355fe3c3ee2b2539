//! Runs every target on its seeds and on mutations of them: a smoke test without a fuzzer.

use hitmask_fuzz::{atlas, capi, image, masks, seeds, shapes, snapshot, text, world};
use hitmask_scenes::Random;

#[test]
fn seeds_and_what_is_near_them_hold_their_promises() {
    let mut random = Random::new(5);
    for (target, seeds) in seeds::all() {
        let run = match target {
            "atlas" => atlas::run,
            "capi" => capi::run,
            "image" => image::run,
            "masks" => masks::run,
            "shapes" => shapes::run,
            "snapshot" => snapshot::run,
            "text" => text::run,
            "world" => world::run,
            _ => panic!("target {target} has seeds but no run function"),
        };
        for (name, bytes) in seeds {
            println!("{target}/{name}");
            run(&bytes);
            for _ in 0..3 {
                let mut changed = bytes.clone();
                for _ in 0..=random.below(3) {
                    if !changed.is_empty() {
                        let at = random.below(changed.len() as u32) as usize;
                        changed[at] ^= 1 << random.below(8);
                    }
                }
                run(&changed);
            }
        }
    }
}
