//! Memory of a bake: it does not follow the size of the atlas, because large atlases grow in a file.
//! Memory of opening: small files that state huge contents take little.

use hitmask::{
    Angle, Atlas, AtlasOptions, CallError, Collider, ColliderId, FileError, Flip, Mask, Pivot,
    Placement, Pose, PoseSet, Raster, Sampling, Settings, World,
};
use hitmask_bake::{Bake, BakeFault, Report, merge};
use hitmask_scenes::{Folder, Random};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs one test at a time, because the allocator counts for the whole process.
fn lock_allocator() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the bytes on the heap.
fn on_heap() -> usize {
    let stats = MEMORY.stats();
    // A reallocation that shrinks is counted as negative, so the difference may wrap in between.
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated)
}

/// Runs `work`, and returns its result with the most bytes that it held, as another thread sees
/// them.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let (before, done) = (on_heap(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = || {
            let mut most = 0;
            while !done.load(Ordering::Relaxed) {
                most = most.max(on_heap());
                std::thread::yield_now();
            }
            most
        };
        let most = scope.spawn(watch);
        let made = work();
        done.store(true, Ordering::Relaxed);
        (made, most.join().unwrap().saturating_sub(before))
    })
}

const MIB: usize = 1 << 20;

/// Sprites of 300 px. Together their atlas takes 150 MiB.
const SPRITES: u32 = 180;

fn blob(seed: u32) -> Mask {
    let mut random = Random::new(u64::from(seed));
    let mut mask = Mask::disc(150).unwrap();
    for _ in 0..40 {
        let [x, y] = [random.below(300) as i32, random.below(300) as i32];
        mask.erase(&Mask::solid(9, 9).unwrap(), [x, y]);
    }
    mask
}

fn bake(changed: u32) -> Bake {
    (0..SPRITES).fold(Bake::new().angles(64), |bake, i| {
        let seed = if i == changed { 1000 + i } else { i };
        bake.mask(format!("blob{i:03}"), blob(seed))
    })
}

/// Writes an atlas, and checks that it equals the one in memory and that nothing else is left.
fn written(bake: &Bake, path: &Path) -> (Report, usize) {
    let (report, most) = peak(|| bake.write(path).unwrap());
    let files = fs::read_dir(path.parent().unwrap()).unwrap();
    let hidden =
        files.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0, "no temporary file is left");
    assert!(fs::read(path).unwrap() == bake.to_bytes().unwrap(), "both have the same bytes");
    (report, most)
}

#[test]
fn a_bake_to_a_file_takes_less_memory_than_its_atlas() {
    let _lock = lock_allocator();
    let folder = Folder::new("bake-memory");
    let path = folder.path("a.hitmask");
    let cached = |changed| bake(changed).cache(folder.path("a.cache"));
    let (report, most) = written(&cached(SPRITES), &path);
    println!("{} MiB for an atlas of {} MiB", most / MIB, report.bytes / MIB);
    assert!(report.bytes > 120 * MIB, "{} bytes", report.bytes);
    assert!(most < 90 * MIB, "{most} bytes for {}", report.bytes);
    Atlas::open(&path).unwrap().verify().unwrap();

    // Another bake copies what has not changed, without the whole previous atlas in memory.
    let (report, most) = written(&cached(7), &path);
    println!("{} MiB to change one sprite", most / MIB);
    assert_eq!((report.kept, report.written), (SPRITES as usize - 1, true));
    assert!(most < 90 * MIB, "{most} bytes");

    // Equal bytes leave the file alone.
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert!(!bake(7).write(&path).unwrap().written);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn a_compact_bake_and_its_file_take_little_memory() {
    let _lock = lock_allocator();
    let folder = Folder::new("compact-memory");
    let path = folder.path("a.hitmask");
    let (report, most) = written(&bake(SPRITES).compact(true), &path);
    println!("{} MiB for a compact atlas of {} bytes", most / MIB, report.bytes);
    assert!(most < 70 * MIB, "{most} bytes");
    let (undrawn, most) = peak(|| {
        let undrawn = Atlas::open(&path).unwrap();
        undrawn.verify().unwrap();
        undrawn
    });
    assert!(undrawn.drawn_bytes() > 120 << 20 && most < 8 * MIB, "{most} bytes");
    // Drawing it gives the size that the bake has measured without keeping a pose.
    assert_eq!(undrawn.drawn().unwrap().as_bytes().len() as u64, bake_bytes());
}

fn bake_bytes() -> u64 {
    bake(SPRITES).to_bytes().unwrap().len() as u64
}

#[test]
fn a_bake_that_fails_late_leaves_the_old_atlas_and_no_other_file() {
    let _lock = lock_allocator();
    let folder = Folder::new("late-failure");
    let path = folder.path("a.hitmask");
    Bake::new().mask("dot", "#".parse().unwrap()).write(&path).unwrap();
    let old = fs::read(&path).unwrap();
    // The last sprite by name is too large, which is found after most poses are in a file.
    let huge = Settings { scales: vec![64.0], ..Settings::default() };
    let failing = bake(SPRITES).frames("z", [Mask::solid(600, 1).unwrap()], huge);
    let error = failing.write(&path).unwrap_err();
    assert!(matches!(error.fault, BakeFault::Build(_)), "{error}");
    assert_eq!(error.place.sprite.as_deref(), Some("z"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 1);
}

/// Byte offset of the sections of an atlas, and fields of the header.
const HEADER: usize = 192;
const FILE_BYTES: usize = 16;
const RECORDS_CRC: usize = 24;
const POOL_CRC: usize = 32;
const POSES: usize = 44;
const POOL_WORDS: usize = 60;
const POOL_OFFSET: usize = 120;
const PACKED_CRC: usize = 144;

fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// Returns a compact atlas whose pool has `extra` more words, with correct checksums, or with the
/// larger pool only stated.
fn with_pool(extra: u32, is_there: bool) -> Vec<u8> {
    let file = Bake::new().mask("dot", "#".parse().unwrap()).compact(true).to_bytes().unwrap();
    let sections = miniz_oxide::inflate::decompress_to_vec(&file[HEADER..]).unwrap();
    let mut bytes = [&file[..HEADER], &sections].concat();
    let words = u32::from_le_bytes(bytes[POOL_WORDS..POOL_WORDS + 4].try_into().unwrap());
    put(&mut bytes, POOL_WORDS, words + extra);
    let pool = u64::from_le_bytes(bytes[POOL_OFFSET..POOL_OFFSET + 8].try_into().unwrap()) as usize;
    if is_there {
        bytes.resize(bytes.len() + 8 * extra as usize, 0);
        let crc = crc32fast::hash(&bytes[pool..]);
        put(&mut bytes, POOL_CRC, crc);
    }
    let packed = miniz_oxide::deflate::compress_to_vec(&bytes[HEADER..], 9);
    put(&mut bytes, PACKED_CRC, crc32fast::hash(&packed));
    put(&mut bytes, FILE_BYTES, (HEADER + packed.len()) as u32);
    let crc = crc32fast::hash(&bytes[32..pool]);
    put(&mut bytes, RECORDS_CRC, crc);
    [&bytes[..HEADER], &packed].concat()
}

#[test]
fn small_files_that_state_huge_atlases_take_little_memory() {
    let _lock = lock_allocator();
    let folder = Folder::new("hostile");
    let opened = |bytes: &[u8], options: AtlasOptions| {
        let path = folder.write("a.hitmask", bytes);
        peak(|| options.open(&path).map(|atlas| !atlas.is_drawn()))
    };
    // A pool of 32 GiB that is only stated, in a compact atlas and in a full one.
    for is_compact in [true, false] {
        let mut bytes = with_pool(u32::MAX - 63, false);
        if !is_compact {
            bytes = Bake::new().mask("dot", "#".parse().unwrap()).to_bytes().unwrap();
            put(&mut bytes, POSES, u32::MAX);
            put(&mut bytes, POOL_WORDS, u32::MAX - 7);
        }
        let (refused, most) = opened(&bytes, AtlasOptions::UNLIMITED);
        assert!(refused.is_err() && most < MIB, "{most} bytes");
        // The same behind the head of a shard.
        let dot = || Bake::new().mask("dot", "#".parse().unwrap()).compact(is_compact);
        let shard = folder.path("1");
        dot().shard(1, 1).write(&shard).unwrap();
        let head = fs::read(&shard).unwrap()[..128].to_vec();
        fs::write(&shard, [head, bytes].concat()).unwrap();
        let merged = || merge(folder.path("merged"), [&shard], AtlasOptions::UNLIMITED);
        let (refused, most) = peak(merged);
        assert!(refused.is_err() && most < 2 * MIB, "{most} bytes");
    }
    // 97 MiB of zeros, in 100 kB. They are unpacked once, and not at all above the limit.
    let words = 97 << 17;
    let bytes = with_pool(words, true);
    assert!(bytes.len() < 150_000, "{} bytes", bytes.len());
    let (read, most) =
        opened(&bytes, AtlasOptions { max_bytes: 100 << 20, ..AtlasOptions::DEFAULT });
    assert!(read == Ok(true) && most < 100 * MIB, "{most} bytes");
    let (refused, most) =
        opened(&bytes, AtlasOptions { max_bytes: 90 << 20, ..AtlasOptions::DEFAULT });
    assert!(refused.is_err() && most < MIB, "{most} bytes");
}

#[test]
fn small_snapshots_that_state_huge_counts_take_little_memory() {
    let _lock = lock_allocator();
    let atlas = Bake::new().mask("dot", "#".parse().unwrap()).to_bytes().unwrap();
    let atlas = Atlas::from_vec(atlas).unwrap();
    let mut world = World::new(atlas.clone());
    let id = world.masks_mut().insert(Mask::solid(9, 9).unwrap(), Pivot::Center).unwrap();
    for x in 0..3 {
        world.insert(Collider::from_mask(id).at([x as f32, 0.0])).unwrap();
    }
    world.update();
    let bytes = world.snapshot();
    let mut refused = 0;
    for at in (0..bytes.len() - 4).step_by(4) {
        for number in [u32::MAX, 1 << 30, 1 << 16] {
            let mut forged = bytes.clone();
            put(&mut forged, at, number);
            let (checked, crc) = forged.split_at_mut(bytes.len() - 4);
            crc.copy_from_slice(&crc32fast::hash(checked).to_le_bytes());
            let (restored, most) = peak(|| World::from_snapshot([atlas.clone()], &forged));
            assert!(most < MIB, "{most} bytes for {number} at byte {at}");
            refused += u32::from(restored.is_err());
        }
    }
    assert!(refused > 50, "{refused} refused");
}

#[test]
fn opening_draws_nothing_and_a_budget_bounds_the_memory_of_a_world() {
    let _lock = lock_allocator();
    let compact = bake(SPRITES).compact(true).to_bytes().unwrap();
    // Its poses take 150 MiB, its source masks 2 MiB.
    let ((atlas, mut world), most) = peak(|| {
        let atlas = Atlas::from_bytes(&compact).unwrap();
        (atlas.clone(), World::new(atlas))
    });
    assert!(most < 8 * MIB && world.pose_stats().poses == 0, "{most} bytes");
    let sprites: Vec<_> = atlas.sprites().map(|sprite| Collider::new(sprite.id())).collect();
    let show = |world: &mut World| -> Vec<ColliderId> {
        let insert = |sprite: &Collider| world.insert(*sprite);
        sprites.iter().take(100).map(insert).collect::<Result<_, _>>().unwrap()
    };
    // 100 poses of 13 KiB each are shown.
    let budget = 4 * MIB;
    world.atlases_mut().set_pose_budget(Some(budget as u64)).unwrap();
    // The masks while they move, prepared source masks, and the poses of one bulk call.
    let bound = 2 * budget + 4 * MIB + 3 * MIB;
    let (_, most) = peak(|| {
        let ids = show(&mut world);
        for turn in 0..64 {
            let angle = Angle::turn(turn << 10);
            let places = [Placement { position: [0.0; 2], angle }; 100];
            world.set_placements(&ids[..50], &places[..50]).unwrap();
            for (id, sprite) in ids.iter().zip(&sprites).skip(50) {
                world.set(*id, sprite.turned(angle)).unwrap();
            }
        }
    });
    println!("{} MiB for a budget of {} MiB", most / MIB, budget / MIB);
    assert!(most < bound, "{most} bytes");
    assert!(world.pose_stats().bytes <= budget as u64, "{:?}", world.pose_stats());

    // A snapshot of many poses, and a version of the art that takes more, are refused within the
    // bound.
    let mut crowd = World::new(atlas.clone());
    for i in 0..40 {
        let ids = show(&mut crowd);
        let angle = Angle::turn(i << 10);
        crowd.set_placements(&ids, &vec![Placement { position: [0.0; 2], angle }; 100]).unwrap();
    }
    let saved = crowd.snapshot();
    assert!(crowd.pose_stats().bytes > 40 << 20);
    drop(crowd);
    let is_over = |cause: &CallError| match cause {
        CallError::Collider { cause, .. } => matches!(**cause, CallError::PoseBudget { .. }),
        cause => matches!(cause, CallError::PoseBudget { .. }),
    };
    let before = world.state_hash();
    let (refused, most) = peak(|| world.restore(&saved).unwrap_err());
    assert!(most < bound, "{most} bytes");
    let of = |error: &FileError| match error {
        FileError::Refused(cause) => is_over(cause),
        _ => false,
    };
    assert!(of(&refused), "{refused}");
    let large = (0..SPRITES).fold(Bake::new().angles(4).scales([4.0]).compact(true), |bake, i| {
        bake.mask(format!("blob{i:03}"), blob(i))
    });
    let large = Atlas::from_vec(large.to_bytes().unwrap()).unwrap();
    let (refused, most) = peak(|| world.atlases_mut().replace(atlas.id(), large).unwrap_err());
    assert!(most < bound, "{most} bytes");
    assert!(is_over(&refused), "{refused}");
    assert_eq!((world.state_hash(), world.validate()), (before, Ok(())));
}

#[test]
fn a_sprite_that_is_drawn_in_parts_has_the_poses_of_its_raster() {
    let _lock = lock_allocator();
    // The masks of 64 poses take 17 MB, more than one part.
    let mut mask = Mask::solid(1400, 900).unwrap();
    mask.erase(&blob(1), [300, 200]);
    let settings = Settings { scales: vec![0.25, 1.0], ..Settings::default() };
    let bytes = Bake::new().frames("large", [mask.clone()], settings).to_bytes().unwrap();
    let atlas = Atlas::from_vec(bytes).unwrap();
    atlas.verify().unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let poses = PoseSet::new(64, [0.25, 1.0]).unwrap();
    let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
    for (step, scale) in (0..64).step_by(3).flat_map(|step| [(step, 0), (step, 1)]) {
        let pose = Pose { step, scale };
        let drawn = raster.pose(&poses, pose).unwrap();
        assert_eq!(sprite.posed(0, pose, Flip::NONE), Some(drawn.as_ref()), "{pose:?}");
    }
}
