//! What Tiled draws, pixel by pixel: turned objects, tiles at the size of the grid, and oblique maps.

use super::tiled::{becomes, layer, map, rule, write_tiles};
use super::{baked, with_warnings};
use crate::encode;
use hitmask::{Atlas, Mask};
use hitmask_bake::MapRule;
use hitmask_scenes::{Folder, Random, map_pixels};

/// Width and height of the picture that levels are drawn to, and the place of their corner on it.
const SIDE: u32 = 120;
const CORNER: i32 = 40;

/// Returns true if a texel of the sheet is solid.
fn is_solid(x: i32, y: i32) -> bool {
    (x * 7 + y * 5 + x * y) % 3 != 0
}

/// Writes a tileset `set.tsx` of two tiles of this size, with these attributes and content.
fn write_set(folder: &Folder, [width, height]: [u32; 2], attributes: &str, content: &str) {
    let alpha = |x: u32, y: u32| if is_solid(x as i32, y as i32) { 255 } else { 0 };
    folder.write("set.png", encode::png::of_alpha([2 * width, height], alpha));
    let text = format!(
        "<tileset name=\"set\" tilewidth=\"{width}\" tileheight=\"{height}\" tilecount=\"2\" columns=\"2\" \
         {attributes}>{content}<image source=\"set.png\" width=\"{}\" height=\"{height}\"/></tileset>",
        2 * width
    );
    folder.write("set.tsx", text);
}

/// Returns the picture of all pixels of a map whose centres are inside.
fn truth(is_inside: impl Fn([f64; 2]) -> bool) -> Mask {
    let mut drawn = Mask::new(SIDE, SIDE).unwrap();
    for y in 0..SIDE as i32 {
        for x in 0..SIDE as i32 {
            if is_inside([x - CORNER, y - CORNER].map(|at| f64::from(at) + 0.5)) {
                drawn.set(x, y, true);
            }
        }
    }
    drawn
}

/// Returns true if a point of a tile, in texels from its corner, is solid. The tile may be mirrored.
fn on_tile([x, y]: [f64; 2], id: u32, [width, height]: [u32; 2], flips: u32) -> bool {
    let [x, y] = [x, y].map(|at| at.floor() as i32);
    let [width, height] = [width as i32, height as i32];
    let x = if flips & 2 > 0 { width - 1 - x } else { x };
    let y = if flips & 1 > 0 { height - 1 - y } else { y };
    (0..width).contains(&x) && (0..height).contains(&y) && is_solid(x + id as i32 * width, y)
}

fn drawn(atlas: &Atlas) -> Mask {
    map_pixels(atlas, &atlas.maps()[0].name, [SIDE; 2], [CORNER; 2])
}

#[test]
fn tile_objects_are_turned_by_any_angle_at_any_number_of_steps() {
    let mut random = Random::new(1);
    for (alignment, anchor) in [
        ("bottomleft", [0.0, 1.0]),
        ("topleft", [0.0; 2]),
        ("center", [0.5; 2]),
        ("right", [1.0, 0.5]),
    ] {
        for degrees in [0.0, 90.0, 180.0, 270.0, -90.0, 45.0, 30.0, 211.5, 450.0] {
            // Even sides, because the middle of an odd one is no corner of a pixel.
            let [own, size] = [0; 2].map(|_| [0; 2].map(|_| 2 * (2 + random.below(8))));
            let (flips, at) = (random.below(4), [20.0, 15.0]);
            let folder = Folder::new("map-turned");
            write_set(&folder, own, &format!("objectalignment=\"{alignment}\""), "");
            let object = format!(
                "<tileset firstgid=\"9\" source=\"set.tsx\"/><objectgroup name=\"things\"><object id=\"7\" \
                 gid=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rotation=\"{degrees}\"/></objectgroup>",
                flips << 30 | 10,
                at[0],
                at[1],
                size[0],
                size[1]
            );
            write_tiles(&folder);
            folder.write("yard.tmx", map([1, 1], &object));
            let [sides, own_sides] = [size, own].map(|sides| sides.map(f64::from));
            let (sin, cos) = f64::to_radians(degrees).sin_cos();
            // So that quarter turns are exact.
            let [sin, cos] = [sin, cos].map(|part| (part * 1e9).round() / 1e9);
            let truth = truth(|[x, y]| {
                let [right, down] = [x - at[0], y - at[1]];
                let back = [right * cos + down * sin, down * cos - right * sin];
                let on = [0, 1].map(|i| (back[i] / sides[i] + anchor[i]) * own_sides[i]);
                on_tile(on, 1, own, flips)
            });
            for angles in [1, 4, 64] {
                let case =
                    format!("{alignment}, {degrees} degrees, {angles} angles, {own:?} to {size:?}");
                let (atlas, warnings) = with_warnings(&folder, "yard.tmx", angles);
                let shown = drawn(&atlas);
                let is_step = degrees * f64::from(angles) % 360.0 == 0.0;
                if degrees % 90.0 == 0.0 || !is_step {
                    let mut over = truth.clone();
                    over.toggle(&shown, [0, 0]);
                    // Centres of pixels on the edge of a texel may round either way.
                    let most = if degrees % 90.0 == 0.0 { 0 } else { truth.count() / 50 };
                    assert!(over.count() <= most, "{case}: {}\n{truth}\n{shown}", over.count());
                }
                let turns = warnings.iter().any(|it| {
                    it.contains("things/7") && it.contains(&format!("{degrees} degrees"))
                });
                assert_eq!(turns, angles > 1 && !is_step, "{case}: {warnings:?}");
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
        let offset = [random.within(-3, 4), random.within(-3, 4)];
        let (flips, id) = (random.below(4), random.below(2));
        let mode = if fits { "preserve-aspect-fit" } else { "stretch" };
        let kind = if at_grid { "grid" } else { "tile" };
        let folder = Folder::new("map-grid");
        let content = format!("<tileoffset x=\"{}\" y=\"{}\"/>", offset[0], offset[1]);
        let attributes = format!("tilerendersize=\"{kind}\" fillmode=\"{mode}\"");
        write_set(&folder, own, &attributes, &content);
        write_tiles(&folder);
        let gid = flips << 30 | (9 + id);
        let object = [6 + random.below(9), 6 + random.below(9)];
        let text = "<tileset firstgid=\"9\" source=\"set.tsx\"/>".to_owned()
            + &layer("a", [2, 1], &format!("0,{gid}"))
            + &format!(
                "<objectgroup><object id=\"1\" gid=\"{gid}\" x=\"30\" y=\"60\" width=\"{}\" \
                 height=\"{}\"/></objectgroup>",
                object[0], object[1]
            );
        folder.write("yard.tmx", map([2, 1], &text));
        // The box of a picture from its bottom-left corner.
        let shown = |[x, y]: [f64; 2], corner: [f64; 2], size: [u32; 2]| {
            let mut scale = [0, 1].map(|i| f64::from(size[i]) / f64::from(own[i]));
            if fits {
                scale = [scale[0].min(scale[1]); 2];
            }
            let middle =
                [corner[0] + f64::from(size[0]) / 2.0, corner[1] - f64::from(size[1]) / 2.0];
            // Tiles lie at whole pixels.
            let moved = |i: usize| (f64::from(offset[i]) * scale[i] + 0.5).floor();
            let on = [0, 1].map(|i| {
                let from_middle = [x, y][i] - middle[i] - moved(i);
                // Mirrored where it is shown, which decides at the edge of a texel.
                let from_middle = if flips >> (1 - i) & 1 > 0 { -from_middle } else { from_middle };
                from_middle / scale[i] + f64::from(own[i]) / 2.0
            });
            on_tile(on, id, own, 0)
        };
        let cell = if at_grid { [8, 8] } else { own };
        let of_cells = vec![becomes("", rule(Some(""), None, None))];
        let cells = drawn(&baked(&folder.path("yard.tmx"), of_cells));
        let truth_of_cells = truth(|at| shown(at, [8.0, 8.0], cell));
        assert_eq!(
            cells, truth_of_cells,
            "seed {seed}: {own:?} {attributes} {offset:?}\n{cells}\n{truth_of_cells}"
        );
        // Objects are shown at their size, whatever the size of tiles in layers. Half pixels round either way.
        let of_objects = vec![becomes("", rule(Some("a"), None, None))];
        let objects = drawn(&baked(&folder.path("yard.tmx"), of_objects));
        if offset == [0, 0] {
            assert_eq!(objects, truth(|at| shown(at, [30.0, 60.0], object)), "seed {seed}");
        }
    }
}

#[test]
fn the_cells_and_shapes_of_an_oblique_map_are_sheared_and_its_pictures_upright() {
    for [right, down] in [[5, 0], [-4, 3], [0, -2]] {
        let folder = Folder::new("map-oblique");
        write_tiles(&folder);
        let content = layer("a", [3, 2], "1,0,2,0,1,0")
            + "<objectgroup name=\"things\"><object id=\"1\" gid=\"1\" x=\"16\" y=\"32\"/>\
               <object id=\"2\" x=\"24\" y=\"24\" width=\"16\" height=\"8\"/></objectgroup>";
        let text = map([3, 2], &content).replace(
            "orientation=\"orthogonal\"",
            &format!("orientation=\"oblique\" skewx=\"{right}\" skewy=\"{down}\""),
        );
        folder.write("yard.tmx", text);
        let [right, down] = [right, down].map(f64::from);
        let corner = |x: f64, y: f64| [x * 8.0 + y * right, y * 8.0 + x * down];
        let shape = |[x, y]: [f64; 2]| {
            // The shear turned back.
            let [u, v] = [right / 8.0, down / 8.0];
            let area = 1.0 - u * v;
            [(x - u * y) / area, (y - v * x) / area]
        };
        let is_drawn = |[x, y]: [f64; 2]| {
            let tile = |[left, bottom]: [f64; 2], is_slope: bool| {
                let [x, y] = [x - left, y - bottom + 8.0].map(|at| at.floor() as i32);
                let is_inside = (0..8).contains(&x) && (0..8).contains(&y);
                is_inside && (!is_slope || x + y >= 7)
            };
            let [across, along] = shape([x, y]);
            tile(corner(0.0, 1.0), false)
                || tile(corner(2.0, 1.0), true)
                || tile(corner(1.0, 2.0), false)
                || tile(corner(2.0, 4.0), false)
                || (24.0..40.0).contains(&across) && (24.0..32.0).contains(&along)
        };
        let atlas = baked(&folder.path("yard.tmx"), Vec::new());
        assert_eq!(drawn(&atlas), truth(is_drawn), "{right} {down}\n{}", drawn(&atlas));
        let size = atlas.maps()[0].size.map(f64::from);
        assert_eq!(size, [24.0 + 2.0 * right.abs(), 16.0 + 3.0 * down.abs()]);
    }
}

#[test]
fn shapes_beyond_the_picture_of_their_tile_are_drawn_whole() {
    let folder = Folder::new("map-beyond");
    let shape = "<tile id=\"0\"><objectgroup><object x=\"-6\" y=\"2\" width=\"9\" height=\"17\"/>\
                 </objectgroup></tile>";
    write_set(&folder, [8, 8], "", "");
    let text = std::fs::read_to_string(folder.path("set.tsx")).unwrap();
    folder.write("set.tsx", text.replace("</tileset>", &format!("{shape}</tileset>")));
    write_tiles(&folder);
    for (bits, [x0, y0, x1, y1]) in [
        (0, [-6, 2, 3, 19]),
        // Mirrored left to right, top to bottom, and along the diagonal.
        (4, [5, 2, 14, 19]),
        (2, [-6, -11, 3, 6]),
        (1, [2, -6, 19, 3]),
    ] {
        let text = format!(
            "<tileset firstgid=\"9\" source=\"set.tsx\"/>{}",
            layer("a", [1, 1], &format!("{}", (u64::from(bits as u32) << 29) | 9))
        );
        folder.write("yard.tmx", map([1, 1], &text));
        let shapes = MapRule { shapes: Some(true), ..MapRule::default() };
        let shown = drawn(&baked(&folder.path("yard.tmx"), vec![shapes]));
        let rect = hitmask::Rect::new(x0 + CORNER, y0 + CORNER, x1 + CORNER, y1 + CORNER);
        assert_eq!((shown.bounds(), shown.count()), (Some(rect), rect.area()), "{bits}");
    }
}
