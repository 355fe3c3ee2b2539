//! Sprites as bodies in each engine: accepted, of the right mass, at rest, in contact where the masks
//! overlap; and terrain that changes.

use hitmask::{Mask, Rect, ShapeGrid, ShapeOptions};
use hitmask_bench::{WalkPlan, Walkers};
use hitmask_engines::compare::{self, Tally};
use hitmask_engines::walk::{self, Walk};
use hitmask_engines::{Engine, Motion, Placed, SCALE, Scene, Sprite, TICK, art, box2d, rapier};
use hitmask_scenes::{Random, Terrain};

/// Returns hills of 1024 x 768 px with caves, between two walls.
fn valley() -> Mask {
    let mut terrain = Terrain::Hills.mask(1024).cropped(Rect::new(0, 0, 1024, 768)).unwrap();
    for x in [0, 1000] {
        terrain.fill_rect(Rect::new(x, 0, x + 24, 768), true);
    }
    terrain
}

fn sprites() -> Vec<Sprite> {
    let mut sprites = art::own(130);
    sprites.extend(art::real(30, 96));
    sprites
}

/// Sprites fall on terrain and come to rest. Contacts agree with the masks all the while.
fn fall_and_rest<E: Engine>() {
    let sprites = sprites();
    let mut scene = Scene::<E>::new(valley());
    let height = scene.drop_all(&sprites, [32, 992], 250);
    // What rolls off stays between walls as high as the shelves.
    for x in [0.0, 1000.0] {
        let (x0, x1, y1) = (x * SCALE, (x + 24.0) * SCALE, (height + 200) as f32 * SCALE);
        let wall = vec![[x0, 0.0], [x1, 0.0], [x1, y1], [x0, y1]];
        scene.engine.insert(&[wall], Motion::Static, Placed::default());
    }
    assert_eq!(scene.refused, 0, "{}", E::NAME);
    let free_fall = (2.0 * 9.81 * (height + 768) as f32 * SCALE).sqrt();
    let mut tally = Tally::default();
    let (mut still, mut ticks) = (0, 0);
    while still < 30 {
        ticks += 1;
        let before = scene.placed();
        scene.engine.step();
        let speed = scene.speed();
        assert!(speed < free_fall, "{}: {speed} m/s at tick {ticks}", E::NAME);
        still = if speed < 0.2 { still + 1 } else { 0 };
        if ticks % 10 == 0 || still == 30 {
            tally.compare(&mut scene, &before);
        }
        assert!(ticks < 1500, "{}: still {speed} m/s", E::NAME);
    }
    assert!(tally.wrong.is_empty(), "{}: {tally:#?}", E::NAME);
    assert!(tally.contacts > 100, "{}: {tally:?}", E::NAME);
    // At rest, no sprite is in the terrain or in another one.
    let before = scene.placed();
    let mut rest = Tally::default();
    scene.engine.step();
    rest.compare(&mut scene, &before);
    assert_eq!(rest.deep, 0, "{}: {rest:?}", E::NAME);
    for (placed, (_, sprite)) in before.iter().zip(&scene.bodies) {
        let [x, y] = placed.at.map(|v| v / SCALE);
        assert!(
            (24.0..1000.0).contains(&x) && y > -768.0,
            "{}: {} at {x}, {y}",
            E::NAME,
            sprite.name
        );
    }
    println!(
        "{}: {} sprites, {} pieces, 0 refused, {} too thin; at rest after {ticks} ticks; {} contacts and {} deep overlaps agree",
        E::NAME,
        sprites.len(),
        scene.pieces,
        scene.thin,
        tally.contacts,
        tally.deep
    );
}

/// Pairs at random places, most of which overlap, in the first step.
fn random_pairs<E: Engine>() {
    let sprites = sprites();
    let mut random = Random::new(5);
    let mut scene = Scene::<E>::new(Mask::new(1, 1).unwrap());
    for pair in 0..300 {
        let center = [(pair % 20) as f32 * 12.0 + 12.0, (pair / 20) as f32 * 12.0 + 12.0];
        for _ in 0..2 {
            let sprite = &sprites[random.below(sprites.len() as u32) as usize];
            let at = center.map(|v| v + (random.unit() - 0.5) * 2.4);
            scene.insert(sprite, Placed { at, angle: random.unit() * 6.3 });
        }
    }
    let (before, mut tally) = (scene.placed(), Tally::default());
    scene.engine.step();
    tally.compare(&mut scene, &before);
    assert!(tally.wrong.is_empty(), "{}: {tally:#?}", E::NAME);
    assert!(tally.contacts > 80 && tally.deep > 30, "{}: {tally:?}", E::NAME);
    // The comparison would see masks that are 6 px, twice the bound, beside their bodies.
    let (mut moved, mut wrong) = (before, Tally::default());
    moved.iter_mut().step_by(2).for_each(|placed| placed.at[0] += 6.0 * SCALE);
    wrong.compare(&mut scene, &moved);
    assert!(!wrong.wrong.is_empty(), "{}: {wrong:?}", E::NAME);
    println!("{}: {} contacts and {} deep overlaps agree", E::NAME, tally.contacts, tally.deep);
}

/// The engine takes every piece and chain at other errors and scales.
fn accepted<E: Engine>() {
    let (sprites, mut engine) = (sprites(), E::new(9.81));
    let (mut pieces, mut chains, mut refused) = (0, 0, 0);
    for error in [0.5, 1.0, 2.0, 4.0] {
        for scale in [0.01, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 0.2] {
            let options = ShapeOptions { max_error: error, scale, ..art::options([0.0; 2]) };
            for sprite in &sprites {
                let found = sprite.mask.shape(options).unwrap().pieces().pieces;
                if !found.is_empty() {
                    refused += engine.insert(&found, Motion::Static, Placed::default()).1;
                    pieces += found.len();
                }
            }
            for terrain in [valley(), Terrain::Islands.mask(1024)] {
                let grid = ShapeGrid::new(&terrain, 64, options).unwrap();
                for cell in (0..grid.len() as u32).filter_map(|id| grid.cell(id)) {
                    let found = cell.chains();
                    refused += engine.insert_chains(&found).1;
                    chains += found.len();
                }
            }
        }
    }
    assert_eq!(refused, 0, "{}", E::NAME);
    println!("{}: takes {pieces} pieces and {chains} chains", E::NAME);
}

/// Mass, centre and inertia of bodies are those of the shapes.
fn mass<E: Engine>(tolerance: f64) {
    let sprites = sprites();
    let mut scene = Scene::<E>::new(Mask::new(1, 1).unwrap());
    let mut off = Vec::new();
    for sprite in &sprites {
        let body = scene.insert(sprite, Placed::default());
        let (engine, shape) = (scene.engine.mass(body), sprite.shape.mass());
        if sprite.pieces.left_out > 0 {
            let area = engine.area + sprite.pieces.left_out_area;
            assert!((area / shape.area - 1.0).abs() < tolerance, "{}: {}", E::NAME, sprite.name);
            continue;
        }
        let side = shape.area.sqrt();
        let offs = [
            engine.area / shape.area - 1.0,
            engine.inertia / shape.inertia - 1.0,
            (engine.centroid[0] - shape.centroid[0]) / side,
            (engine.centroid[1] - shape.centroid[1]) / side,
        ];
        off.push(offs.into_iter().fold(0.0, |most: f64, off| most.max(off.abs())));
        let is_near = off.last().is_some_and(|&off| off < tolerance);
        assert!(is_near, "{}: {}: {engine:?}, shape {shape:?}", E::NAME, sprite.name);
    }
    off.sort_by(f64::total_cmp);
    println!(
        "{}: mass within {:.1e}, median {:.1e}",
        E::NAME,
        off[off.len() - 1],
        off[off.len() / 2]
    );
}

/// Shells carve ground under sprites, which fall into the craters.
fn carved_ground<E: Engine>() {
    let mut terrain = Mask::new(1024, 256).unwrap();
    terrain.fill_rect(Rect::new(0, 128, 1024, 256), true);
    let mut rgba = Vec::new();
    for _ in 0..12 * 12 {
        rgba.extend([200, 120, 60, 255]);
    }
    let crate_ = Sprite::new("crate", [12, 12], rgba).unwrap();
    let mut scene = Scene::<E>::new(terrain);
    let columns = [100, 320, 511, 700, 900];
    for x in columns {
        let at = [x as f32 * SCALE, -(128.0 - 7.0) * SCALE];
        scene.insert(&crate_, Placed { at, angle: 0.0 });
    }
    for _ in 0..60 {
        scene.engine.step();
    }
    let rest = scene.placed();
    for (i, x) in columns.into_iter().enumerate() {
        let versions: Vec<u32> = (0..64).map(|id| scene.grid.cell(id).unwrap().version()).collect();
        let (bodies, replaced) = (scene.cells.clone(), scene.replaced);
        scene.carve(16, [x, 128]);
        // Only bodies of cells with a new version are new.
        for id in 0..64 {
            let is_new = scene.grid.cell(id as u32).unwrap().version() != versions[id];
            assert_eq!(scene.cells[id] != bodies[id], is_new, "{}: cell {id}", E::NAME);
        }
        assert!((1..=6).contains(&(scene.replaced - replaced)), "{}", scene.replaced - replaced);
        for _ in 0..30 {
            scene.engine.step();
        }
        for (k, (now, before)) in scene.placed().iter().zip(&rest).enumerate() {
            let fallen = (before.at[1] - now.at[1]) / SCALE;
            if k > i {
                assert!(fallen.abs() < 0.1, "{}: {k} fell {fallen} px before its turn", E::NAME);
            } else if k < i {
                // Radius 16, a crate 12 px wide: 14.8 px where it is level.
                assert!((12.0..18.0).contains(&fallen), "{}: {k} fell {fallen} px", E::NAME);
            }
        }
    }
    assert_eq!(scene.refused, 0);
    println!("{}: {} craters replaced {} of 64 cells", E::NAME, columns.len(), scene.replaced);
}

/// Returns the greatest vertical speed of a ball that rolls over 10 cell borders, by its places: engines
/// add gravity to the velocity of what rests.
fn bumps<E: Engine>(with_ghosts: bool) -> f32 {
    let mut terrain = Mask::new(1280, 96).unwrap();
    terrain.fill_rect(Rect::new(0, 32, 1280, 96), true);
    let grid = ShapeGrid::new(&terrain, 64, art::options([0.0; 2])).unwrap();
    let mut engine = E::new(9.81);
    for cell in (0..grid.len() as u32).filter_map(|id| grid.cell(id)) {
        if with_ghosts {
            assert_eq!(engine.insert_chains(&cell.chains()).1, 0);
        } else if !cell.pieces().pieces.is_empty() {
            engine.insert(&cell.pieces().pieces, Motion::Static, Placed::default());
        }
    }
    let radius = 0.25;
    let ball = engine.insert_ball(radius, [3.0, -32.0 * SCALE + radius], 6.0);
    // It sinks into the slop first.
    for _ in 0..60 {
        engine.step();
    }
    let (start, mut last, mut most) = (engine.placed(ball).at, engine.placed(ball).at, 0.0_f32);
    for _ in 0..240 {
        engine.step();
        let at = engine.placed(ball).at;
        most = most.max((at[1] - last[1]).abs() / TICK);
        last = at;
    }
    let borders = (last[0] - start[0]) / (64.0 * SCALE);
    assert!(!with_ghosts || borders > 10.0, "{}: {borders} borders", E::NAME);
    most
}

fn ghost_edges<E: Engine>() {
    let grid = ShapeGrid::new(&valley(), 64, art::options([0.0; 2])).unwrap();
    let mut engine = E::new(9.81);
    for id in 0..grid.len() as u32 {
        let chains = grid.cell(id).unwrap().chains();
        assert_eq!(engine.insert_chains(&chains).1, 0, "{}: {chains:?}", E::NAME);
    }
    let [ghosts, boxes] = [true, false].map(bumps::<E>);
    println!("{}: vertical speed {ghosts:.1e} m/s on chains, {boxes:.1e} m/s on boxes", E::NAME);
    assert!(ghosts < 0.02 && 10.0 * ghosts < boxes, "{}: {ghosts} and {boxes}", E::NAME);
}

macro_rules! engine {
    ($name:ident, $engine:ty, mass $tolerance:expr) => {
        mod $name {
            #[test]
            fn sprites_fall_on_terrain_and_come_to_rest() {
                super::fall_and_rest::<$engine>();
            }
            #[test]
            fn contacts_of_random_pairs_agree_with_their_masks() {
                super::random_pairs::<$engine>();
            }
            #[test]
            fn pieces_and_chains_are_accepted_at_every_error_and_scale() {
                super::accepted::<$engine>();
            }
            #[test]
            fn bodies_have_the_mass_of_their_shape() {
                super::mass::<$engine>($tolerance);
            }
            #[test]
            fn sprites_fall_into_craters_and_only_changed_cells_are_replaced() {
                super::carved_ground::<$engine>();
            }
            #[test]
            fn a_ball_rolls_over_cell_borders_without_a_bump() {
                super::ghost_edges::<$engine>();
            }
        }
    };
}

engine!(rapier_2d, hitmask_engines::rapier::Rapier, mass 1e-4);
engine!(box2d_v3, hitmask_engines::box2d::Box2d, mass 1e-4);
#[cfg(feature = "avian")]
engine!(avian_2d, hitmask_engines::avian::Avian, mass 1e-4);

/// Walkers of an engine move as far as those of a world, and are in nothing when they are drawn.
fn walks_like_hitmask<W: Walk>() {
    let plan = WalkPlan::new(400, 400);
    let mut truth = Walkers::new(plan.clone()).unwrap();
    let mut walkers = W::new(plan);
    let (wanted, way) = (walk::way(&mut truth, 120, 1.8), walk::way(&mut walkers, 120, 1.8));
    // Engines slide along slopes on every side, and a walker of hitmask climbs those below it.
    assert!(wanted < 1.7 && (way / wanted - 1.0).abs() < 0.15, "{}: {way} px, {wanted}", W::NAME);
    let mut drawn = truth.world.clone();
    for (&id, place) in truth.ids.iter().zip(walkers.places()) {
        let collider = drawn.get(id).unwrap();
        // Engines keep a distance, or overlap a little: less than the rounding of two edges.
        drawn.set(id, collider.at(place).with_min_overlap(24)).unwrap();
    }
    drawn.update();
    assert!(drawn.touching().len() < 8, "{}: {:?}", W::NAME, drawn.touching());
    println!("{}: walks {way:.2} px, hitmask {wanted:.2} px", W::NAME);
}

#[test]
fn rapier_walkers_go_as_far_as_those_of_hitmask() {
    walks_like_hitmask::<rapier::RapierWalk>();
}

#[test]
fn box2d_walkers_go_as_far_as_those_of_hitmask() {
    walks_like_hitmask::<box2d::Box2dWalk>();
}

#[test]
fn bounds_are_tight() {
    let [grow, shrink] = compare::bounds::<rapier::Rapier>();
    assert!(grow < 3.1 && shrink < 4.4, "{grow} and {shrink} px");
    let [grow, shrink] = compare::bounds::<box2d::Box2d>();
    assert!(grow < 3.1 && shrink < 5.7, "{grow} and {shrink} px");
}
