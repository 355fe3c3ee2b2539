//! The pictures of the guide: SVG, drawn from worlds like those of the examples.
//!
//! They are put into the pages as they are, so that text and lines take the colours of the page, light or dark. Colours
//! of their own are for code hosts, which show them as images.

use hitmask::{
    Affine, Atlas, Collider, ColliderId, Filter, GrowShape, Line, Mask, MaskRef, Pivot, Rect,
    ShapeOptions, World, Zone,
};
use std::error::Error;
use std::fmt::Write;

type Drawn = Result<String, Box<dyn Error>>;
type Draw = (&'static str, fn() -> Drawn);

/// A picture of a part of the plane, in pixels.
struct Picture {
    svg: String,
}

/// Returns the attributes of a class, which a page may override.
fn paint(class: &str) -> &'static str {
    match class {
        "a" => r##"fill="#3b7dd8""##,
        "faint" => r##"fill="#3b7dd8" opacity="0.35""##,
        "shared" => r##"fill="#e8590c""##,
        "b" => r##"fill="#8a8f98""##,
        "clear" => r##"fill="#8a8f98" opacity="0.2""##,
        "halo" => {
            r##"fill="none" stroke="#e8590c" stroke-width="2" vector-effect="non-scaling-stroke""##
        }
        _ => {
            r##"fill="none" stroke="#808080" stroke-width="2" vector-effect="non-scaling-stroke""##
        }
    }
}

impl Picture {
    fn new(title: &str, [x, y, width, height]: [i32; 4]) -> Self {
        Self {
            svg: format!(
                "<svg class=\"picture\" viewBox=\"{x} {y} {width} {height}\" role=\"img\" \
                 shape-rendering=\"crispEdges\" xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
            ),
        }
    }

    /// Draws the pixels of a mask.
    fn mask(&mut self, mask: MaskRef<'_>, [x, y]: [i32; 2], class: &str) {
        let mut path = String::new();
        for Rect { x0, y0, x1, y1 } in mask.to_mask().rects() {
            let _ = write!(path, "M{},{}H{}V{}H{}z", x0 + x, y0 + y, x1 + x, y1 + y, x0 + x);
        }
        let _ = writeln!(self.svg, "<path class=\"{class}\" {} d=\"{path}\"/>", paint(class));
    }

    fn collider(&mut self, world: &World, id: ColliderId, class: &str) {
        if let Some(posed) = world.posed(id) {
            self.mask(posed.mask, [posed.origin.x, posed.origin.y], class);
        }
    }

    fn colliders(&mut self, world: &World, all: &[(ColliderId, &str)]) {
        all.iter().for_each(|&(id, class)| self.collider(world, id, class));
    }

    /// Draws the pixels that two colliders share, and a ring around few.
    fn shared(&mut self, world: &World, [a, b]: [ColliderId; 2]) {
        if let (Some(a), Some(b)) = (world.posed(a), world.posed(b)) {
            let mut mask = a.mask.to_mask();
            mask.intersect(&b.mask.to_mask(), [b.origin.x - a.origin.x, b.origin.y - a.origin.y]);
            self.mask(mask.as_ref(), [a.origin.x, a.origin.y], "shared");
            if let (1..=6, Some([x, y])) = (mask.count(), mask.centroid()) {
                self.circle([a.origin.x as f32 + x, a.origin.y as f32 + y], 5.0, "halo");
            }
        }
    }

    fn line(&mut self, [x0, y0]: [f32; 2], [x1, y1]: [f32; 2], class: &str) {
        let paint = paint(class);
        let _ = writeln!(
            self.svg,
            "<path class=\"{class}\" {paint} d=\"M{x0:.1},{y0:.1}L{x1:.1},{y1:.1}\"/>"
        );
    }

    /// Draws a line with a head at its end.
    fn arrow(&mut self, from: [f32; 2], to: [f32; 2]) {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = dx.hypot(dy).max(1.0);
        let [ux, uy] = [dx / length * 3.0, dy / length * 3.0];
        self.line(from, to, "line");
        self.line([to[0] - ux - uy, to[1] - uy + ux], to, "line");
        self.line([to[0] - ux + uy, to[1] - uy - ux], to, "line");
    }

    fn circle(&mut self, [x, y]: [f32; 2], radius: f32, class: &str) {
        let paint = paint(class);
        let _ = writeln!(
            self.svg,
            "<circle class=\"{class}\" {paint} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
        );
    }

    fn text(&mut self, [x, y]: [f32; 2], text: &str) {
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{y}\" fill=\"#808080\" font-size=\"5\">{text}</text>"
        );
    }

    fn finish(mut self) -> Drawn {
        self.svg.push_str("</svg>\n");
        Ok(self.svg)
    }
}

/// A world over the art, and a collider of a sprite by its name.
struct Scene(World);

impl Scene {
    fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self(World::new(Atlas::from_vec(crate::art(false)?)?)))
    }

    fn sprite(&self, name: &str) -> Result<Collider, Box<dyn Error>> {
        Ok(Collider::new(self.0.atlas().sprite_id(name).ok_or("a sprite is missing")?))
    }

    fn insert(&mut self, name: &str, at: [f32; 2]) -> Result<ColliderId, Box<dyn Error>> {
        let collider = self.sprite(name)?.at(at);
        Ok(self.0.insert(collider)?)
    }
}

fn first() -> Drawn {
    let mut scene = Scene::new()?;
    let (start, ship) = (scene.insert("ship", [20.0, 40.0])?, scene.insert("ship", [61.0, 40.0])?);
    let rock = scene.insert("rock", [90.0, 52.0])?;
    let mut picture = Picture::new("A ship touches a rock", [0, 20, 120, 60]);
    picture.colliders(&scene.0, &[(start, "faint"), (ship, "a"), (rock, "b")]);
    picture.shared(&scene.0, [ship, rock]);
    picture.arrow([24.0, 66.0], [58.0, 66.0]);
    picture.finish()
}

fn turning() -> Drawn {
    let mut scene = Scene::new()?;
    let mut picture = Picture::new("A ship at six poses, and a coin", [-40, -40, 340, 160]);
    for (i, degrees) in [0.0_f32, 45.0, 90.0].into_iter().enumerate() {
        for (j, scale) in [1.0, 2.0].into_iter().enumerate() {
            let at = [110.0 * i as f32, 70.0 * j as f32 - 5.0];
            let ship = scene.sprite("ship")?.at(at).turned(degrees.to_radians()).scaled(scale);
            let ship = scene.0.insert(ship)?;
            let coin = scene.insert("coin", [at[0], at[1] + 18.0])?;
            picture.colliders(&scene.0, &[(ship, "a"), (coin, "b")]);
            picture.shared(&scene.0, [ship, coin]);
        }
    }
    picture.finish()
}

fn contact() -> Drawn {
    let mut scene = Scene::new()?;
    let (left, right) = (scene.insert("rock", [0.0, 0.0])?, scene.insert("rock", [36.0, 10.0])?);
    let mut picture =
        Picture::new("Two rocks, their shared pixels, and the normal", [-25, -25, 90, 62]);
    picture.colliders(&scene.0, &[(left, "a"), (right, "b")]);
    picture.shared(&scene.0, [left, right]);
    let pair = scene.0.pair([left, right]).and_then(|pair| pair.overlap()).ok_or("apart")?;
    let (normal, [x, y]) = (pair.normal(), pair.centroid());
    picture.arrow([x, y], [x + 18.0 * normal.x, y + 18.0 * normal.y]);
    picture.finish()
}

fn bullets() -> Drawn {
    let mut scene = Scene::new()?;
    scene.insert("rock", [120.0, 0.0])?;
    let mut picture = Picture::new("Two bullets end at a rock, one flies on", [-10, -32, 180, 62]);
    for y in [0.0, -21.0, -23.0] {
        let bullet = scene.insert("bullet", [0.0, y])?;
        let hit = scene.0.cast(bullet, [900.0, 0.0], Filter::SOLID)?;
        let end = hit.map_or(165.0, |hit| hit.position[0]);
        picture.collider(&scene.0, bullet, "faint");
        picture.line([4.0, y], [end, y], "line");
        scene.0.move_to(bullet, [end, y])?;
        picture.collider(&scene.0, bullet, "a");
        scene.0.remove(bullet);
    }
    for (id, _) in scene.0.iter() {
        picture.collider(&scene.0, id, "b");
    }
    picture.finish()
}

fn walking() -> Drawn {
    let mut scene = Scene::new()?;
    let (ground, slope) =
        (scene.insert("ground", [160.0, 108.0])?, scene.insert("slope", [160.0, 84.0])?);
    let hero = scene.insert("hero", [60.0, 50.0])?;
    let mut picture = Picture::new("A hero walks up a slope", [0, 20, 320, 100]);
    picture.colliders(&scene.0, &[(ground, "b"), (slope, "b")]);
    for tick in 0..40 {
        if tick % 6 == 0 {
            picture.collider(&scene.0, hero, "faint");
        }
        scene.0.move_and_slide(hero, [3.0, 0.0])?;
        scene.0.move_and_slide(hero, [0.0, 8.0])?;
    }
    picture.collider(&scene.0, hero, "a");
    picture.finish()
}

/// The level of the hero, and its place in every 8th tick of the example.
fn hero() -> Drawn {
    let mut scene = Scene::new()?;
    let course = scene.0.atlas().map("course").ok_or("no course")?;
    let placed = scene.0.insert_map(&course, [0.0; 2])?;
    let hero = scene.insert("hero", [0.0; 2])?;
    let mut picture = Picture::new(
        "A hero runs up a slope, down a stair, below a ceiling, and over a belt and two ledges to a lift",
        [0, 0, 480, 176],
    );
    for (item, &id) in course.items.iter().zip(&placed.ids) {
        id.iter().for_each(|&id| {
            picture.collider(&scene.0, id, if item.class == "one-way" { "shared" } else { "b" });
        });
    }
    for place in include_str!("../examples/hero/prints.txt").lines().step_by(8) {
        let (x, y) = place.split_once(' ').ok_or("no place")?;
        scene.0.move_to(hero, [x.parse()?, y.parse()?])?;
        picture.collider(&scene.0, hero, "faint");
    }
    picture.finish()
}

fn terrain() -> Drawn {
    let mut scene = Scene::new()?;
    let mask = scene.0.masks_mut().insert(Mask::solid(300, 100)?, Pivot::HalfTexels(0, 0))?;
    let ground = scene.0.insert(Collider::from_mask(mask).at([0.0, 200.0]))?;
    let coin = scene.insert("coin", [150.0, 100.0])?;
    let mut picture = Picture::new("A coin above a crater", [50, 150, 200, 110]);
    for _ in 0..2 {
        let hit = scene.0.cast(coin, [0.0, 300.0], Filter::SOLID)?.ok_or("no ground")?;
        let [x, y] = hit.point.map(|v| v as i32);
        let crater = Mask::disc(20)?;
        scene.0.masks_mut().edit(mask, |mask| mask.erase(&crater, [x - 20, y - 220]));
    }
    scene.0.move_until_contact(coin, [0.0, 300.0], Filter::SOLID)?;
    picture.colliders(&scene.0, &[(ground, "b"), (coin, "a")]);
    picture.finish()
}

/// The level before and after its edit.
fn maps() -> Drawn {
    let mut picture = Picture::new("A level, and its edited version", [0, 30, 680, 90]);
    for (left, is_new) in [(0, false), (360, true)] {
        let mut world = World::new(Atlas::from_vec(crate::art(is_new)?)?);
        let yard = world.atlas().map("yard").ok_or("no yard")?;
        let placed = world.insert_map(&yard, [left as f32, 0.0])?;
        for (item, &id) in yard.items.iter().zip(&placed.ids) {
            match id {
                Some(id) => picture.collider(&world, id, "b"),
                None => {
                    let [x, y] = item.position;
                    picture.circle([x + left as f32, y], 4.0, "line");
                }
            }
        }
    }
    picture.finish()
}

/// A tank on a hill, and its turret: the product of two transforms.
fn transforms() -> Drawn {
    let mut picture = Picture::new("A tank on a hill, with its turret", [0, 0, 240, 100]);
    let tank = Affine::translation([118.0, 58.0]) * Affine::rotation(-0.23);
    let turret = tank * Affine::translation([0.0, -11.0]) * Affine::rotation(-0.5);
    let hill = [[0.0, 100.0], [0.0, 96.0], [240.0, 40.0], [240.0, 100.0]];
    // A rectangle from the pivot of its own transform.
    let of = |[x0, y0, x1, y1]: [f32; 4], transform: Affine| {
        [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(|corner| transform.apply(corner))
    };
    for (corners, class) in [
        (hill, "b"),
        (of([-30.0, -10.0, 30.0, 10.0], tank), "a"),
        (of([0.0, -3.0, 48.0, 3.0], turret), "shared"),
    ] {
        let (mask, at) = Mask::from_polygons([&corners[..]])?;
        picture.mask(mask.as_ref(), [at.x, at.y], class);
    }
    picture.finish()
}

fn many() -> Drawn {
    let mut scene = Scene::new()?;
    let mut picture = Picture::new("Rocks that drift apart, in three ticks", [-24, -24, 520, 150]);
    for tick in 0..3_u32 {
        let mut ids = Vec::new();
        for i in 0..9_u32 {
            let [x, y] = [i % 3 * (40 + tick) + tick * 170, i / 3 * (41 + tick)];
            ids.push(scene.insert("rock", [x as f32, y as f32])?);
        }
        for &id in &ids {
            picture.collider(&scene.0, id, "b");
        }
        for (at, &a) in ids.iter().enumerate() {
            ids[at + 1..].iter().for_each(|&b| picture.shared(&scene.0, [a, b]));
        }
    }
    picture.finish()
}

fn picking() -> Drawn {
    let mut scene = Scene::new()?;
    let (ship, coin) =
        (scene.insert("ship", [100.0, 100.0])?, scene.insert("coin", [104.0, 100.0])?);
    let mut picture = Picture::new("A coin on a ship, and four pointers", [80, 86, 44, 30]);
    picture.colliders(&scene.0, &[(ship, "a"), (coin, "b")]);
    for ([x, y], radius) in
        [([104.5, 100.5], 0.5), ([92.5, 98.5], 0.5), ([110.5, 108.5], 0.5), ([110.5, 108.5], 5.0)]
    {
        picture.circle([x, y], radius, "line");
    }
    picture.finish()
}

fn graze() -> Drawn {
    let mut scene = Scene::new()?;
    let ship = scene.insert("ship", [0.0, 0.0])?;
    let mut picture =
        Picture::new("Three bullets: a hit, a near miss, and one far away", [-40, -16, 80, 64]);
    picture.collider(&scene.0, ship, "a");
    for (y, class) in [(0.0, "shared"), (12.0, "b"), (40.0, "faint")] {
        let bullet = scene.insert("bullet", [0.0, y])?;
        picture.collider(&scene.0, bullet, class);
    }
    picture.finish()
}

fn zones() -> Drawn {
    let mut scene = Scene::new()?;
    let coins: Result<Vec<_>, _> =
        (0..10).map(|i| scene.insert("coin", [20.0 * i as f32, 0.0])).collect();
    let mut picture = Picture::new("Coins in a circle, and a ray", [-40, -35, 240, 72]);
    let found = scene.0.query(&Zone::circle([60.0, 0.0], 30.0)?, Filter::ALL)?;
    for coin in coins? {
        picture.collider(&scene.0, coin, if found.contains(&coin) { "a" } else { "b" });
    }
    picture.circle([60.0, 0.0], 30.0, "line");
    let ray = scene.0.ray(&Line::new([-50.0, 3.0], [300.0, 3.0])?, Filter::ALL)?.ok_or("no hit")?;
    picture.arrow([-38.0, 3.5], [ray.1.point.x as f32, 3.5]);
    picture.finish()
}

/// A ship, a coin and an ogre below their hitboxes, from 4 px smaller to 4 px larger. A script shows one of the steps.
fn hitboxes() -> Drawn {
    let scene = Scene::new()?;
    let mut picture = Picture::new("Three sprites and their hitboxes", [-28, -36, 190, 72]);
    let mut steps = String::new();
    for fairness in -4..=4_i32 {
        let shown = if fairness == -2 { "" } else { " display=\"none\"" };
        let mut step =
            Picture { svg: format!("<g class=\"fair\" data-step=\"{fairness}\"{shown}>\n") };
        for (name, plane, x) in
            [("ship", 0, 0), ("coin", 0, 56), ("ogre", 0, 112), ("ogre", 1, 112)]
        {
            let sprite = scene.sprite(name)?.at([x as f32, 0.0]).with_plane(plane);
            let mut world = scene.0.clone();
            let id = world.insert(sprite)?;
            let posed = world.posed(id).ok_or("no pixels")?;
            let (mask, [dx, dy]) = (posed.mask.to_mask(), [posed.origin.x, posed.origin.y]);
            let class = if plane == 0 { "a" } else { "shared" };
            if fairness == 0 && plane == 0 {
                picture.mask(mask.as_ref(), [dx, dy], "b");
            }
            let radius = fairness.unsigned_abs();
            let (mask, by) = match fairness {
                ..0 => (mask.shrunk(radius, GrowShape::Disc), 0),
                0 => (mask, 0),
                _ => (mask.grown(radius, GrowShape::Disc)?, fairness),
            };
            step.mask(mask.as_ref(), [dx - by, dy - by], class);
        }
        steps += &step.svg;
        steps += "</g>\n";
    }
    picture.svg += &steps;
    picture.finish()
}

fn planes() -> Drawn {
    let mut scene = Scene::new()?;
    let ogre = scene.sprite("ogre")?;
    let (body, eye) = (scene.0.insert(ogre)?, scene.0.insert(ogre.with_plane(1))?);
    let mut picture =
        Picture::new("The body and the eye of an ogre, and three bullets", [-45, -30, 110, 60]);
    picture.colliders(&scene.0, &[(body, "b"), (eye, "shared")]);
    for at in [[0.0, 0.0], [8.0, -13.0], [30.0, 0.0]] {
        let bullet = scene.insert("bullet", at)?;
        picture.collider(&scene.0, bullet, "a");
    }
    picture.finish()
}

fn bodies() -> Drawn {
    let scene = Scene::new()?;
    let atlas = scene.0.atlas();
    let ship = atlas.sprite_id("ship").and_then(|id| atlas.sprite(id)).ok_or("no ship")?;
    let shape = ship.shape(0, ShapeOptions { max_error: 1.0, ..ShapeOptions::default() })?;
    let mut picture = Picture::new("The pixels of a ship, and convex pieces", [-20, -14, 40, 28]);
    let mut world = Scene::new()?;
    let id = world.insert("ship", [0.0, 0.0])?;
    picture.collider(&world.0, id, "b");
    for piece in shape.pieces().pieces {
        let corners: Vec<String> = piece.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(
            picture.svg,
            "<polygon class=\"edge\" {} points=\"{}\"/>",
            paint("edge"),
            corners.join(" ")
        );
    }
    picture.finish()
}

fn how() -> Drawn {
    let mut picture = Picture::new("Rows of two masks, and their common bits", [0, 0, 132, 54]);
    let (a, b): (Mask, Mask) = (
        "..##....\n.####...\n######..\n.####...".parse()?,
        "....##..\n...####.\n..######\n....##..".parse()?,
    );
    let mut both = a.clone();
    both.intersect(&b, [0, 0]);
    for (x, mask, class, sign) in
        [(2, &a, "a", "AND"), (50, &b, "b", "="), (98, &both, "shared", "")]
    {
        for (px, y) in (0..4).flat_map(|y| (0..8).map(move |px| (px, y))) {
            let class = if mask.get(px, y) { class } else { "clear" };
            let [x, y] = [x + px * 4, 12 + y * 4];
            let _ = writeln!(
                picture.svg,
                "<rect class=\"{class} cell\" {} x=\"{x}\" y=\"{y}\" width=\"4\" height=\"4\"/>",
                paint(class)
            );
        }
        picture.text([x as f32 + 35.0, 22.0], sign);
    }
    picture.finish()
}

/// Returns the name and the SVG of each picture.
///
/// # Errors
/// None that its art causes.
pub fn pictures() -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let all: [Draw; 17] = [
        ("first", first),
        ("turning", turning),
        ("contact", contact),
        ("bullets", bullets),
        ("walking", walking),
        ("hero", hero),
        ("terrain", terrain),
        ("many", many),
        ("picking", picking),
        ("graze", graze),
        ("zones", zones),
        ("planes", planes),
        ("hitboxes", hitboxes),
        ("bodies", bodies),
        ("how", how),
        ("maps", maps),
        ("transforms", transforms),
    ];
    all.into_iter().map(|(name, draw)| Ok((name, draw()?))).collect()
}
