//! What Tiled draws, pixel by pixel: turned objects, tiles at the size of the grid, and oblique maps.

use super::tiled::{becomes, layer, map, rule, write_tiles};
use super::{baked, with_warnings};
use crate::encode;
use hitmask::{Atlas, Mask, Rect};
use hitmask_bake::MapRule;
use hitmask_scenes::{Folder, Random, map_pixels};

/// Width and height of the picture that levels are drawn to, and the place of their corner on it.
const SIDE: u32 = 120;
const CORNER: i32 = 40;

/// Returns true if a texel of the sheet is solid.
fn is_solid(x: i32, y: i32) -> bool {
    (x * 7 + y * 5 + x * y) % 3 != 0
}

/// Returns a folder with the level `yard.tmx`, of which tiles 9 and 10 have this size and these attributes.
fn written([width, height]: [u32; 2], attributes: &str, in_set: &str, level: &str) -> Folder {
    let folder = Folder::new("map-drawing");
    write_tiles(&folder);
    let alpha = |x: u32, y: u32| if is_solid(x as i32, y as i32) { 255 } else { 0 };
    folder.write("set.png", encode::png::of_alpha([2 * width, height], alpha));
    let set = format!(
        "<tileset firstgid=\"9\" tilewidth=\"{width}\" tileheight=\"{height}\" {attributes}>{in_set}\
         <image source=\"set.png\"/></tileset>"
    );
    folder.write("yard.tmx", map([2, 1], &(set + level)));
    folder
}

/// Returns the picture of all pixels of a map whose centres are inside.
fn truth(is_inside: impl Fn([f64; 2]) -> bool) -> Mask {
    let mut drawn = Mask::new(SIDE, SIDE).unwrap();
    let places = (0..(SIDE * SIDE) as i32).map(|i| [i % SIDE as i32, i / SIDE as i32]);
    for [x, y] in places.filter(|at| is_inside(at.map(|at| f64::from(at - CORNER) + 0.5))) {
        drawn.set(x, y, true);
    }
    drawn
}

/// Returns true if a texel at a place of a tile is solid.
fn on_tile(at: [f64; 2], id: u32, size: [u32; 2]) -> bool {
    let [x, y] = at.map(|at| at.floor() as i32);
    let [width, height] = size.map(|side| side as i32);
    let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
    is_inside && is_solid(x + id as i32 * width, y)
}

fn drawn(atlas: &Atlas) -> Mask {
    map_pixels(atlas, "yard", [SIDE; 2], [CORNER; 2])
}

#[test]
fn tile_objects_are_turned_by_any_angle_at_any_number_of_steps() {
    let mut random = Random::new(1);
    let anchors = [("topleft", [0.0; 2]), ("center", [0.5; 2]), ("right", [1.0, 0.5])];
    for (alignment, anchor) in [("bottomleft", [0.0, 1.0])].into_iter().chain(anchors) {
        for degrees in [0.0, 90.0, 180.0, 270.0, -90.0, 45.0, 30.0, 211.5, 450.0] {
            // Even sides, because the middle of an odd one is no corner of a pixel.
            let [own, size] = [0; 2].map(|_| [0; 2].map(|_| 2 * (2 + random.below(8))));
            let (flips, [w, h]) = (random.below(4), size);
            let object = format!(
                "<objectgroup name=\"things\"><object id=\"7\" gid=\"{}\" x=\"20\" y=\"15\" width=\"{w}\" \
                 height=\"{h}\" rotation=\"{degrees}\"/></objectgroup>",
                flips << 30 | 10
            );
            let folder = written(own, &format!("objectalignment=\"{alignment}\""), "", &object);
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            // So that quarter turns are exact.
            let [sin, cos] = [sin, cos].map(|part| (part * 1e9).round() / 1e9);
            let truth = truth(|[x, y]| {
                let [right, down] = [x - 20.0, y - 15.0];
                let back = [right * cos + down * sin, down * cos - right * sin];
                let on = [0, 1].map(|i| {
                    let at = (back[i] / f64::from(size[i]) + anchor[i]) * f64::from(own[i]);
                    if flips >> (1 - i) & 1 > 0 { f64::from(own[i]) - 1e-9 - at } else { at }
                });
                on_tile(on, 1, own)
            });
            for angles in [1, 4, 64] {
                let case = format!("{alignment}, {degrees} degrees, {angles} angles, {own:?}");
                let (atlas, warnings) = with_warnings(&folder, "yard.tmx", angles);
                let is_step = degrees * f64::from(angles) % 360.0 == 0.0;
                if degrees % 90.0 == 0.0 || !is_step {
                    let mut over = truth.clone();
                    over.toggle(&drawn(&atlas), [0, 0]);
                    // Centres of pixels on the edge of a texel may round either way.
                    let most = if degrees % 90.0 == 0.0 { 0 } else { truth.count() / 50 };
                    assert!(over.count() <= most, "{case}: {}\n{truth}\n{over}", over.count());
                }
                let named = [degrees, 7.0].map(|it| format!("{it}"));
                let is_said = |said: &String| named.iter().all(|name| said.contains(name));
                assert_eq!(warnings.iter().any(is_said), angles > 1 && !is_step, "{case}");
            }
        }
    }
}

#[test]
fn a_tileset_can_be_drawn_at_the_size_of_the_grid_or_fitted_into_it() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (fits, at_grid) = (random.below(2) == 1, random.below(3) > 0);
        let own = [0; 2].map(|_| 1 + random.below(20));
        let offset = [0; 2].map(|_| random.within(-3, 4) * random.within(0, 2));
        let (flips, id) = (random.below(4), random.below(2));
        let mode = if fits { "preserve-aspect-fit" } else { "stretch" };
        let kind = if at_grid { "grid" } else { "tile" };
        let size @ [w, h] = [0; 2].map(|_| 6 + random.below(9));
        let gid = flips << 30 | (9 + id);
        let level = layer("a", [2, 1], &format!("0,{gid}"))
            + &format!(
                "<objectgroup><object id=\"1\" gid=\"{gid}\" x=\"30\" y=\"60\" width=\"{w}\" height=\"{h}\"/>\
                 </objectgroup>"
            );
        let moved = format!("<tileoffset x=\"{}\" y=\"{}\"/>", offset[0], offset[1]);
        let attributes = format!("tilerendersize=\"{kind}\" fillmode=\"{mode}\"");
        let folder = written(own, &attributes, &moved, &level);
        let shown = |at: [f64; 2], [left, bottom]: [f64; 2], size: [u32; 2]| {
            let mut scale = [0, 1].map(|i| f64::from(size[i]) / f64::from(own[i]));
            if fits {
                scale = [scale[0].min(scale[1]); 2];
            }
            let [w, h] = size.map(|side| f64::from(side) / 2.0);
            let middle = [left + w, bottom - h];
            let on = [0, 1].map(|i| {
                // Tiles lie at whole pixels.
                let moved = (f64::from(offset[i]) * scale[i] + 0.5).floor();
                let from_middle = at[i] - middle[i] - moved;
                let is_flipped = flips >> (1 - i) & 1 > 0;
                let from_middle = if is_flipped { -from_middle } else { from_middle };
                from_middle / scale[i] + f64::from(own[i]) / 2.0
            });
            on_tile(on, id, own)
        };
        let only = |layer| {
            let rules = vec![becomes("", rule(Some(layer), None, None))];
            drawn(&baked(&folder.path("yard.tmx"), rules))
        };
        let cell = if at_grid { [8, 8] } else { own };
        assert_eq!(only(""), truth(|at| shown(at, [8.0, 8.0], cell)), "seed {seed}: {attributes}");
        // Objects are shown at their size. Pixels on the edge of two texels round either way.
        if offset == [0, 0] && flips == 0 {
            assert_eq!(only("a"), truth(|at| shown(at, [30.0, 60.0], size)), "seed {seed}");
        }
    }
}

#[test]
fn the_cells_and_shapes_of_an_oblique_map_are_sheared_and_its_pictures_upright() {
    for [right, down] in [[5.0, 0.0], [-4.0, 3.0], [0.0, -2.0]] {
        let content = layer("a", [3, 2], "9,0,10,0,9,0")
            + "<objectgroup name=\"things\"><object id=\"1\" gid=\"9\" x=\"16\" y=\"32\"/>\
               <object id=\"2\" x=\"24\" y=\"24\" width=\"16\" height=\"8\"/></objectgroup>";
        let folder = written([8, 8], "", "", &content);
        let text = std::fs::read_to_string(folder.path("yard.tmx")).unwrap();
        let oblique = format!("oblique\" skewx=\"{right}\" skewy=\"{down}");
        folder.write("yard.tmx", text.replace("orthogonal", &oblique));
        let is_drawn = |[x, y]: [f64; 2]| {
            // Column and row of the corner below the cell.
            let tile = |[column, row]: [f64; 2], id| {
                let at = [column * 8.0 + row * right, row * 8.0 + column * down];
                on_tile([x - at[0], y - at[1] + 8.0], id, [8, 8])
            };
            // The shear turned back.
            let area = 1.0 - right * down / 64.0;
            let [across, along] = [(x - right / 8.0 * y) / area, (y - down / 8.0 * x) / area];
            let tiles = [([0.0, 1.0], 0), ([2.0, 1.0], 1), ([1.0, 2.0], 0), ([2.0, 4.0], 0)];
            tiles.into_iter().any(|(at, id)| tile(at, id))
                || (24.0..40.0).contains(&across) && (24.0..32.0).contains(&along)
        };
        let atlas = baked(&folder.path("yard.tmx"), Vec::new());
        assert_eq!(drawn(&atlas), truth(is_drawn), "{right} {down}\n{}", drawn(&atlas));
        let size = [16.0 + right.abs() as f32, 8.0 + 2.0 * down.abs() as f32];
        assert_eq!(atlas.maps()[0].size, size);
    }
}

#[test]
fn shapes_beyond_the_picture_of_their_tile_are_drawn_whole() {
    let shape = "<tile id=\"0\"><objectgroup><object x=\"-6\" y=\"2\" width=\"9\" height=\"17\"/>\
                 </objectgroup></tile>";
    // As it is, mirrored left to right, top to bottom, and along the diagonal.
    let boxes =
        [(0, [-6, 2, 3, 19]), (4, [5, 2, 14, 19]), (2, [-6, -11, 3, 6]), (1, [2, -6, 19, 3])];
    for (bits, corners) in boxes {
        let level = layer("a", [1, 1], &format!("{}", (bits << 29) | 9_u64));
        let folder = written([8, 8], "", shape, &level);
        let shapes = MapRule { shapes: Some(true), ..MapRule::default() };
        let shown = drawn(&baked(&folder.path("yard.tmx"), vec![shapes]));
        let [x0, y0, x1, y1] = corners.map(|at| at + CORNER);
        let rect = Rect::new(x0, y0, x1, y1);
        assert_eq!((shown.bounds(), shown.count()), (Some(rect), rect.area()), "{bits}");
    }
}
