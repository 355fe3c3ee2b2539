//! A compact atlas is drawn as the full atlas of the same bake, byte for byte. Damaged ones are
//! rejected.

use hitmask::{
    Atlas, AtlasBuilder, FileError, Flip, MAX_SIDE, Mask, Pivot, Pose, Sampling, Section, Settings,
    Sprite,
};
use hitmask_scenes::{Random, all, bake_of, named, open};

/// Returns a bake of all kinds of sprites: turning, still, scaled, with coverage, with planes, with
/// trimmed frames.
fn bake() -> AtlasBuilder {
    let pictures = all();
    let find = |name| named(name).mask();
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let covered = Settings { angles: 8, sampling: Sampling::Coverage25, ..Settings::default() };
    let odd = Settings { angles: 12, pivot: Pivot::HalfTexels(-3, 5), ..Settings::default() };
    // Clear margins, so that the tight box is smaller than the image.
    let mut roomy = Mask::new(90, 70).unwrap();
    (20..60).for_each(|i| roomy.set(i, 10 + i / 2, true));
    pictures
        .iter()
        .fold(AtlasBuilder::new().angles(16), |bake, p| {
            bake.mask(format!("all/{}", p.name), p.mask())
        })
        .frames_with("walk", [find("hull"), find("ring"), find("hull")], still)
        .frames_with("thin", [find("diagonal"), roomy.clone()], covered)
        .frames_with("odd", [find("star"), roomy], odd)
        .planes("target", ["rim", "bull"], [[find("ring"), find("hull")]])
        .unwrap()
}

#[test]
fn a_compact_atlas_is_drawn_as_the_full_atlas_byte_for_byte() {
    for resolution in [1.0, 2.0, 0.5] {
        let whole = bake().resolution(resolution).to_bytes().unwrap();
        let compact = bake().resolution(resolution).compact(true).to_bytes().unwrap();
        assert!(compact.len() * 4 < whole.len(), "{} of {}", compact.len(), whole.len());
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let opened = pool.install(|| Atlas::from_bytes(&compact).unwrap().drawn().unwrap());
            assert!(opened.as_bytes() == whole, "resolution {resolution}, {threads} threads");
            opened.verify().unwrap();
        }
    }
}

#[test]
fn a_compact_atlas_with_64_angles_takes_1_percent() {
    let bake = || bake_of(..);
    let whole = bake().to_bytes().unwrap();
    let compact = bake().compact(true).to_bytes().unwrap();
    let times = whole.len() / compact.len();
    assert!(times >= 100, "{times} times smaller: {} of {}", compact.len(), whole.len());
    let opened = Atlas::from_vec(compact).unwrap().drawn().unwrap();
    assert!(opened.sprites().all(|sprite| sprite.angles() == 64) && opened.as_bytes() == whole);
}

#[test]
fn a_truncated_or_changed_compact_atlas_is_rejected() {
    let find = |name| named(name).mask();
    let bake = AtlasBuilder::new().angles(4).mask("hull", find("hull")).mask("dot", find("dot"));
    let bytes = bake.compact(true).to_bytes().unwrap();
    assert!(Atlas::from_bytes(&bytes).is_ok());
    for len in 0..bytes.len() {
        assert!(Atlas::from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            assert!(Atlas::from_bytes(&changed).is_err(), "{at}");
        }
    }
}

/// Byte offset of the sections.
const HEADER: usize = 192;

/// Returns a compact atlas with its sections decompressed.
pub(crate) fn unpacked(file: &[u8]) -> Vec<u8> {
    [&file[..HEADER], &miniz_oxide::inflate::decompress_to_vec(&file[HEADER..]).unwrap()].concat()
}

/// Compresses the sections again and corrects all checksums.
pub(crate) fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    let sections = &bytes[HEADER..];
    let packed = miniz_oxide::deflate::compress_to_vec(sections, 1);
    let pool = u64::from_le_bytes(bytes[120..128].try_into().unwrap()) as usize;
    let pool = pool.clamp(HEADER, bytes.len());
    bytes[16..24].copy_from_slice(&((HEADER + packed.len()) as u64).to_le_bytes());
    let crc = crc32fast::hash(&packed);
    bytes[144..148].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[32..pool]);
    bytes[24..28].copy_from_slice(&crc.to_le_bytes());
    [&bytes[..HEADER], &packed].concat()
}

#[test]
fn another_compression_level_opens_and_invalid_streams_are_rejected() {
    let bytes = AtlasBuilder::new().angles(4).mask("hull", named("hull").mask()).compact(true);
    let bytes = bytes.to_bytes().unwrap();
    let whole = unpacked(&bytes);
    assert!(bytes.len() < whole.len(), "{} of {}", bytes.len(), whole.len());
    let opened =
        |file: &[u8]| Atlas::from_bytes(file)?.drawn().map(|atlas| atlas.as_bytes().to_vec());
    assert!(opened(&forged(whole.clone())) == opened(&bytes) && opened(&bytes).is_ok());
    let refused = |file: Vec<u8>, part: Section| match Atlas::from_bytes(&file).unwrap_err() {
        FileError::Corrupt { section, .. } | FileError::Checksum { section, .. } => {
            assert_eq!(section, part);
        }
        error => panic!("{error}"),
    };
    // Sections that are one byte too short or too long, and bytes that are not a stream.
    refused(forged(whole[..whole.len() - 1].to_vec()), Section::Header);
    refused(forged([&whole[..], &[0]].concat()), Section::Header);
    let mut noise = [&bytes[..HEADER], &[0xff; 60]].concat();
    noise[16..24].copy_from_slice(&((HEADER + 60) as u64).to_le_bytes());
    refused(noise.clone(), Section::Packed);
    let crc = crc32fast::hash(&noise[HEADER..]);
    noise[144..148].copy_from_slice(&crc.to_le_bytes());
    refused(noise, Section::Header);
    // A pool larger than the memory of any machine. No memory is reserved for it.
    let mut large = whole;
    large[60..64].copy_from_slice(&(u32::MAX - 7).to_le_bytes());
    refused(forged(large), Section::Header);
}

#[test]
fn a_forged_field_is_rejected_or_draws_no_other_atlas() {
    let find = |name| named(name).mask();
    let baked = |compact| {
        let bake = AtlasBuilder::new().angles(4).scales([0.5, 1.0]).mask("hull", find("hull"));
        let bake = bake.planes("two", ["a", "b"], [[find("ring"), find("hull")]]).unwrap();
        bake.compact(compact).to_bytes().unwrap()
    };
    let (whole, bytes) = (baked(false), unpacked(&baked(true)));
    let pool = u64::from_le_bytes(bytes[120..128].try_into().unwrap()) as usize;
    let mut random = Random::new(8);
    let (mut refused, mut opened) = (0, 0);
    for at in (0..bytes.len()).step_by(4) {
        for value in [0, 1, u32::MAX, 0x8000_0000, 0xffff, random.bits() as u32] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if at >= pool {
                let crc = crc32fast::hash(&changed[pool..]);
                changed[32..36].copy_from_slice(&crc.to_le_bytes());
            }
            let Ok(atlas) = Atlas::from_bytes(&forged(changed)) else {
                refused += 1;
                continue;
            };
            opened += 1;
            if let Ok(drawn) = atlas.drawn() {
                assert!(drawn.as_bytes() == whole, "{at}: {value}");
            }
            for sprite in atlas.sprites() {
                let pose = sprite.draw(0, Pose::default(), Flip::X);
                assert!(pose.is_none_or(|pose| pose.mask.width() <= MAX_SIDE));
            }
        }
    }
    assert!(refused > 300 && opened > 30, "{refused} refused, {opened} opened");
}

#[test]
fn a_compact_atlas_that_states_the_id_of_another_is_not_drawn() {
    let bytes = AtlasBuilder::new().angles(4).mask("hull", named("hull").mask()).compact(true);
    let mut bytes = unpacked(&bytes.to_bytes().unwrap());
    bytes[152] ^= 1;
    let other = Atlas::from_bytes(&forged(bytes.clone())).unwrap();
    let (section, field) = (Section::Header, "full_id");
    let error = FileError::Corrupt { section, index: 0, field, offset: 0 };
    assert_eq!(other.drawn().unwrap_err(), error);
    bytes[152..156].fill(0);
    assert_eq!(Atlas::from_bytes(&forged(bytes)).unwrap_err(), error);
}

#[test]
fn a_compact_atlas_larger_than_it_states_is_rejected_before_it_is_drawn() {
    let bytes = AtlasBuilder::new().angles(4).mask("hull", named("hull").mask()).compact(true);
    let bytes = unpacked(&bytes.to_bytes().unwrap());
    let sprites = u64::from_le_bytes(bytes[64..72].try_into().unwrap()) as usize;
    // 65,536 angles would take 0.5 GB.
    let mut changed = bytes;
    changed[sprites + 24..sprites + 28].copy_from_slice(&65_536_u32.to_le_bytes());
    let error = Atlas::from_bytes(&forged(changed)).unwrap().drawn().unwrap_err();
    let (section, field) = (Section::Header, "full_bytes");
    assert_eq!(error, FileError::Corrupt { section, index: 0, field, offset: 0 });
}

/// Rasters of drawn atlases, in the cases that hold one pixel per texel: any pivot, plane, sampling
/// and resolution.
#[test]
fn a_drawn_atlas_has_the_rasters_of_the_undrawn_one() {
    let wedge: Mask = ".....\n..#..\n.####\n.##..\n.....".parse().unwrap();
    let dot: Mask = ".....\n.....\n...#.\n.....\n.....".parse().unwrap();
    let mut compared = 0;
    for sampling in [Sampling::Nearest, Sampling::Coverage25] {
        for resolution in [0.5, 1.0, 2.0] {
            for pivot in [[0, 0], [5, 5], [4, 7], [-3, 2], [11, 10]] {
                let open = |compact| {
                    let [wedge, dot] = [&wedge, &dot].map(Mask::clone);
                    let frames = [[wedge.clone(), dot.clone()], [dot, wedge]];
                    let bake = AtlasBuilder::new()
                        .angles(8)
                        .scales([1.0 / resolution, 3.0])
                        .resolution(resolution)
                        .sampling(sampling)
                        .pivot(Pivot::HalfTexels(pivot[0], pivot[1]))
                        .planes("a", ["body", "edge"], frames)
                        .unwrap();
                    open(&bake.compact(compact))
                };
                let (drawn, compact) = (open(false), open(true));
                let [drawn, compact] = [&drawn, &compact].map(|a| a.sprites().next().unwrap());
                for (plane, frame) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let raster = |sprite: Sprite<'_>| sprite.in_plane(plane).unwrap().raster(frame);
                    let expected = raster(compact).unwrap();
                    match raster(drawn) {
                        Some(found) => assert_eq!(found, expected),
                        None => assert!(sampling == Sampling::Coverage25 && resolution != 1.0),
                    }
                    compared += 1;
                }
                assert_eq!((drawn.raster(2), compact.raster(2)), (None, None));
            }
        }
    }
    assert_eq!(compared, 2 * 3 * 5 * 4);
    // Without a pose of one pixel per texel there is none.
    let large = AtlasBuilder::new().scales([2.0]).mask("a", wedge);
    let large = open(&large);
    assert_eq!(large.sprites().next().unwrap().raster(0), None);
}
