//! Limits on compact atlases: some verbs draw no more than they show, and others refuse what exceeds
//! `--limit`.

use crate::folder::Folder;
use serde_json::json;
use std::fs;

#[test]
fn verbs_that_draw_a_compact_atlas_take_a_limit_and_info_and_verify_draw_nothing() {
    let folder = Folder::new("limits");
    folder.ok("bake art -o a --angles 1024 --scales 20 --compact");
    // The masks of all poses take tens of megabytes.
    folder.ok("report a -o a.html --limit 200mb");
    folder.ok("show a arrow");
    assert_eq!(folder.json("info a --json")["poses"], json!(null));
    assert_eq!(folder.json("verify a --json")["poses"], json!(null));
}

/// Returns a compact atlas whose header states another size once drawn. Corrects the checksum of the
/// records, which covers the header and the unpacked sections: a CRC is linear, so it changes by the
/// CRC of the change.
fn stating(mut bytes: Vec<u8>, drawn: u64) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let (pool, change) = (number(120) as usize, number(136) ^ drawn);
    let mut changes = vec![0; pool - 32];
    changes[136 - 32..][..8].copy_from_slice(&change.to_le_bytes());
    let crc = changes.iter().fold(0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xEDB8_8320))
    });
    bytes[136..144].copy_from_slice(&drawn.to_le_bytes());
    for (byte, change) in bytes[24..28].iter_mut().zip(crc.to_le_bytes()) {
        *byte ^= change;
    }
    bytes
}

#[test]
fn a_forged_size_above_the_largest_is_named_too_large_to_draw() {
    let folder = Folder::new("forged-size");
    folder.ok("bake art -o a --compact");
    let bytes = folder.read("a");
    for (stated, is_possible) in [(32 << 30, true), ((32 << 30) + 1, false), (u64::MAX, false)] {
        fs::write(folder.0.join("forged"), stating(bytes.clone(), stated)).unwrap();
        let (verified, listed) = (folder.ok("verify forged"), folder.ok("info forged"));
        let size = json!(is_possible.then_some(stated));
        for verb in ["verify", "info"] {
            assert_eq!(folder.json(&format!("{verb} forged --json"))["bytes"], size, "{verb}");
        }
        for said in [verified, listed] {
            assert_eq!(said.contains("too large to draw"), !is_possible, "{said}");
            assert_eq!(said.contains(" MB"), is_possible, "{said}");
        }
    }
    folder.refuses("report forged -o a.html", "full_bytes", "");
}

#[test]
fn the_help_of_each_limit_names_the_option_and_a_value_that_is_enough() {
    let folder = Folder::new("limit-options");
    folder.ok("bake art -o a --angles 256 --scales 9 --compact");
    folder.write(
        "s.xml",
        r#"<TextureAtlas imagePath="art/arrow.png"><SubTexture name="x" x="0" y="0" width="2"
        height="2" frameX="0" frameY="0" frameWidth="40" frameHeight="4"/></TextureAtlas>"#,
    );
    let (report, bake) = ("report a -o a.html", "bake s.xml -o b --no-cache --strict");
    for (verb, option, value, expected) in [
        (report, "--limit", "0.001", "the limit is"),
        (report, "--limit-poses", "7", "the limit is"),
        (report, "--limit-samples", "8", "the limit is"),
        (bake, "--limit-texels", "0", "but the limit is 0"),
        (bake, "--limit-frames", "0", "but the limit is 0"),
        (bake, "--limit-decoding-bytes", "0", "but the limit is 0"),
        (bake, "--limit-untrimmed-texels", "0", "but the limit is 0"),
    ] {
        let (cause, help) = folder.fails(&format!("{verb} {option} {value}"));
        assert!(cause.contains(expected), "{cause}");
        let (_, after) = help.split_once(&format!("{option} ")).unwrap();
        let enough = after.split(' ').next().unwrap();
        folder.ok(&format!("{verb} {option} {enough}"));
    }
    // Verbs that draw nothing limit the source masks only.
    for verb in ["verify a", "info a", "show a arrow"] {
        folder.refuses(&format!("{verb} --limit 0.0001"), "the limit is 100", "--limit 1");
        folder.ok(&format!("{verb} --limit 1 --limit-poses 0"));
    }
}
