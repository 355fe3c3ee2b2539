//! A map of 1,000 x 1,000 tiles: baking, inserting, and 1,000 walkers on it. Beside it the same pixels as
//! one mask, and as one collider per tile. `cargo bench -p hitmask-bake --bench map`.

use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Filter, Map, MapItem, MapReport, MapShape, Mask,
    MoveRules, Pivot, PlacedMap, World,
};
use hitmask_bake::Bake;
use hitmask_scenes::{Folder, Random};
use std::time::{Duration, Instant};

/// Tiles along a side of the map, and pixels along a side of a tile.
const TILES: u32 = 1000;
const TILE: u32 = 16;
const WALKERS: u32 = 1000;
const TICKS: u32 = 100;

/// Returns whether a texel of a tile is solid: a full one, a slope, and 62 others.
fn is_solid(tile: u32, x: u32, y: u32) -> bool {
    match tile {
        0 => true,
        1 => x + y >= TILE - 1,
        tile => (x * tile + y * 3) % 7 > 1 && y >= tile % 9,
    }
}

/// Returns the tile numbers: floors of 4 tiles below halls of 6 with single slopes.
fn tiles() -> Vec<u32> {
    let mut random = Random::new(1);
    let mut tile = |y: u32| match random.below(40) {
        _ if y % 10 >= 6 => 1 + random.below(64),
        0 => 2,
        _ => 0,
    };
    (0..TILES * TILES).map(|i| tile(i / TILES)).collect()
}

fn write(folder: &Folder, tiles: &[u32]) {
    let mut image = image::RgbaImage::new(8 * TILE, 8 * TILE);
    for (x, y, texel) in image.enumerate_pixels_mut() {
        let solid = is_solid(x / TILE + 8 * (y / TILE), x % TILE, y % TILE);
        *texel = image::Rgba([0, 0, 0, if solid { 255 } else { 0 }]);
    }
    image.save(folder.path("tiles.png")).expect("a picture");
    let numbers: Vec<String> = tiles.iter().map(u32::to_string).collect();
    let map = format!(
        "<map orientation=\"orthogonal\" width=\"{TILES}\" height=\"{TILES}\" tilewidth=\"{TILE}\" \
         tileheight=\"{TILE}\"><tileset firstgid=\"1\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"64\"><image source=\"tiles.png\"/></tileset><layer name=\"ground\" \
         width=\"{TILES}\" height=\"{TILES}\"><data encoding=\"csv\">{}</data></layer></map>",
        numbers.join(",")
    );
    folder.write("big.tmx", map);
}

/// Returns a value of the process in MB: `VmRSS` or `VmHWM`.
fn memory(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    number.unwrap_or(f64::NAN) / 1024.0
}

/// Returns a world with one collider per tile.
fn of_tiles(tiles: &[u32]) -> World {
    let masks = (0..64).map(|tile| {
        let mut mask = Mask::new(TILE, TILE).expect("a tile");
        for i in 0..TILE * TILE {
            mask.set((i % TILE) as i32, (i / TILE) as i32, is_solid(tile, i % TILE, i / TILE));
        }
        mask
    });
    let bake = masks
        .enumerate()
        .fold(AtlasBuilder::new().angles(1), |bake, (i, mask)| bake.mask(format!("{i:02}"), mask));
    let atlas = Atlas::from_vec(bake.to_bytes().expect("tiles")).expect("an atlas");
    let ids: Vec<_> = atlas.sprites().map(|sprite| sprite.id()).collect();
    let mut world = World::new(atlas);
    for (i, &tile) in (0..).zip(tiles).filter(|(_, tile)| **tile > 0) {
        let centre = [i % TILES, i / TILES].map(|at| (at * TILE + TILE / 2) as f32);
        let tile = Collider::new(ids[tile as usize - 1]).at(centre).fixed();
        world.insert(tile).expect("room for the tiles");
    }
    world
}

fn of_one_mask(map: &World) -> World {
    let mut one = Mask::new(TILES * TILE, TILES * TILE).expect("a mask");
    for posed in map.iter().filter_map(|(id, _)| map.posed(id)) {
        one.draw(posed.mask, posed.origin);
    }
    let bytes = AtlasBuilder::new().mask("dot", Mask::solid(1, 1).expect("a dot")).to_bytes();
    let mut world = World::new(Atlas::from_vec(bytes.expect("a dot")).expect("an atlas"));
    let mask = world.masks_mut().insert(one, Pivot::HalfTexels(0, 0)).expect("a mask");
    world.insert(Collider::from_mask(mask).fixed()).expect("a collider");
    world
}

fn walkers(world: &mut World) -> Vec<ColliderId> {
    let body = Mask::solid(12, 24).expect("a body");
    let body = world.masks_mut().insert(body, Pivot::Center).expect("a body");
    let mut random = Random::new(3);
    let mut place = || [200.0 + 15_000.0 * random.unit(), 160.0 * random.below(98) as f32 + 40.0];
    let mut add = || world.insert(Collider::from_mask(body).at(place())).expect("a walker");
    (0..WALKERS).map(|_| add()).collect()
}

/// Moves all walkers. Returns the time, and where they are.
fn step(world: &mut World, walkers: &[ColliderId], tick: u32) -> (Duration, Vec<[f32; 2]>) {
    let start = Instant::now();
    let moved = (tick..).zip(walkers).map(|(i, &id)| {
        let along = if (tick / 40 + i).is_multiple_of(2) { 1.5 } else { -1.5 };
        let rules = MoveRules::default();
        world.move_by_rules(id, [along, 4.0], rules, Filter::SOLID).expect("a place").position
    });
    let places = moved.collect();
    world.update();
    (start.elapsed(), places)
}

/// Prints what a map of objects costs to open, to read and to insert.
fn objects(count: u32) {
    let item = |i: u32| MapItem {
        name: format!("object {}", i % 500),
        class: "coin".to_owned(),
        position: [i as f32, 0.0],
        properties: vec![("worth".to_owned(), (i % 90).to_string())],
        shape: Some(MapShape { sprite: "coin".to_owned(), ..MapShape::default() }),
        ..MapItem::default()
    };
    let map =
        Map { name: "coins".to_owned(), items: (0..count).map(item).collect(), ..Map::default() };
    let coin = Mask::solid(TILE, TILE).expect("a coin");
    let bytes = AtlasBuilder::new().mask("coin", coin).map(map).to_bytes().expect("an atlas");
    let mut start = Instant::now();
    let mut lap = || std::mem::replace(&mut start, Instant::now()).elapsed();
    let atlas = Atlas::from_vec(bytes).expect("the atlas");
    let open = lap();
    let map = atlas.map("coins").expect("the map");
    let read = lap();
    let mut world = World::new(atlas);
    let ids = world.insert_map(&map, [0.0; 2]).expect("room for the map").ids;
    println!("{} objects: open {open:.2?}, read {read:.2?}, insert {:.2?}", ids.len(), lap());
}

/// Changes one tile of the map that a world shows, and brings the map up to date. Prints what that costs
/// beside the same map opened and placed anew.
fn edit(folder: &Folder, mut tiles: Vec<u32>, world: &World, placed: &PlacedMap) {
    tiles[500 * TILES as usize + 500] ^= 1;
    write(folder, &tiles);
    let (map, atlas) = (folder.path("big.tmx"), folder.path("edited.hitmask"));
    Bake::new().sprites(&map).and_then(|bake| bake.write(&atlas)).expect("a bake");
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..9 {
        let (mut world, mut placed) = (world.clone(), placed.clone());
        let mut start = Instant::now();
        let mut lap = |at: usize| {
            times[at].push(std::mem::replace(&mut start, Instant::now()).elapsed());
        };
        let edited = Atlas::open(&atlas).expect("the atlas");
        lap(0);
        let level = edited.map("big").expect("the map");
        let mut anew = World::new(edited.clone());
        anew.insert_map(&level, [0.0; 2]).expect("room for the map");
        lap(1);
        let old = world.atlas().id();
        world.atlases_mut().replace(old, edited).expect("another version");
        lap(2);
        let report = world.update_map(&mut placed, &level).expect("the map");
        lap(3);
        assert_eq!(report, MapReport::default(), "a tile of a piece that was there");
        assert_eq!(world.len(), anew.len());
    }
    let [open, insert, replace, update] = times.each_mut().map(|times| median(times));
    println!(
        "one tile of it changed: open {open:.2} ms, insert {insert:.2} ms, replace {replace:.2} ms"
    );
    println!(
        "update: {update:.2} ms, {:.3} of the map opened and placed anew",
        update / (open + insert)
    );
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    let folder = Folder::new("bench-map");
    let tiles = tiles();
    write(&folder, &tiles);
    let (map, atlas) = (folder.path("big.tmx"), folder.path("big.hitmask"));
    let before = memory("VmRSS");
    let start = Instant::now();
    let report = Bake::new().sprites(&map).and_then(|bake| bake.write(&atlas)).expect("a bake");
    let (time, most) = (start.elapsed(), memory("VmHWM") - before);
    println!("bake: {time:.2?}, at most {most:.0} MB, atlas of {} bytes", report.bytes);
    let start = Instant::now();
    Bake::new().sprites(&map).and_then(|bake| bake.compact(true).to_bytes()).expect("a bake");
    println!("compact bake: {:.2?}", start.elapsed());
    let before = memory("VmRSS");
    let mut chunks = World::new(Atlas::open(&atlas).expect("the atlas"));
    let level = chunks.atlas().map("big").expect("the map");
    let start = Instant::now();
    let placed = chunks.insert_map(&level, [0.0; 2]).expect("room for the map");
    let time = start.elapsed();
    chunks.update();
    let count = placed.ids.len();
    println!("insert: {count} chunks in {time:.2?}, {:.0} MB", memory("VmRSS") - before);
    let one = of_one_mask(&chunks);
    let (before, start) = (memory("VmRSS"), Instant::now());
    let each = of_tiles(&tiles);
    let (count, time) = (each.len(), start.elapsed());
    println!("a collider per tile: {count} in {time:.2?}, {:.0} MB", memory("VmRSS") - before);
    let mut worlds = [("one mask", one), ("a collider per tile", each)];
    let without_walkers = chunks.clone();
    let ids = walkers(&mut chunks);
    let others = worlds.each_mut().map(|(_, world)| walkers(world));
    let mut times = [const { Vec::new() }; 3];
    for tick in 0..TICKS {
        let (time, places) = step(&mut chunks, &ids, tick);
        times[0].push(time);
        for (k, (name, world)) in worlds.iter_mut().enumerate() {
            let (time, others) = step(world, &others[k], tick);
            times[k + 1].push(time);
            assert!(places == others, "{name} moves walkers elsewhere in tick {tick}");
        }
    }
    let [chunks, one, each] = times.each_mut().map(|times| median(times));
    println!("a step of {WALKERS} walkers: {chunks:.2} ms");
    println!("the same on one mask: {one:.2} ms, so the map takes {:.2}x", chunks / one);
    println!("the same on a collider per tile: {each:.2} ms, {:.1}x of the map", each / chunks);
    // Last, because their memory would count for the map above.
    edit(&folder, tiles, &without_walkers, &placed);
    for count in [1_000, 10_000, 100_000] {
        objects(count);
    }
}
