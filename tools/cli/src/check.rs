//! `hitmask check`: finds the touching pairs of a scene given as JSON.

use crate::{CliError, output, scene_picture, sprites};
use hitmask::{Accuracy, Collider, ColliderId, Contact, Flip, MinOverlap, ScalePolicy, World};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Find the touching pairs of a scene.
///
/// The scene is JSON: {"accuracy":"exact","colliders":[{"id":"a","sprite":"ship","x":10.0,"y":4.5,
/// "angle":0.3,"scale":1.0,"flip_x":false,"flip_y":false,"frame":0,"plane":0,"layers":1,
/// "collides_with":4294967295,"fixed":false,"enabled":true,"owner":0,"min_overlap":0,"accuracy":"exact"},
/// ...]}. Only id, sprite, x and y are required. An accuracy is box, coarse or exact. A min_overlap is a number
/// of pixels or {"width":3,"height":2}. With "any_scale":true, scales far from every baked one are shown by the
/// nearest. `PairRef::explain` writes such scenes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    #[command(flatten)]
    limit: output::Limit,
    /// Scene file.
    scene: PathBuf,
    /// Also write a picture: each mask in its own colour, and overlaps of touching pairs in white.
    /// 1 picture pixel is 1 mask pixel; small scenes are magnified.
    #[arg(long, value_name = "OUT")]
    png: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scene {
    #[serde(default, with = "SceneAccuracy")]
    accuracy: Accuracy,
    #[serde(default)]
    any_scale: bool,
    colliders: Vec<SceneCollider>,
}

/// The text of an [`Accuracy`].
#[derive(Deserialize)]
#[serde(remote = "Accuracy", rename_all = "lowercase")]
enum SceneAccuracy {
    Box,
    Coarse,
    Exact,
}

/// The text of a [`MinOverlap`]: a number of pixels, or a width and a height.
#[derive(Deserialize)]
#[serde(remote = "MinOverlap", untagged, deny_unknown_fields)]
enum SceneOverlap {
    Pixels(u32),
    Size { width: u32, height: u32 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneCollider {
    id: String,
    sprite: String,
    x: f32,
    y: f32,
    #[serde(default)]
    angle: f32,
    #[serde(default = "one")]
    scale: f32,
    #[serde(default)]
    flip_x: bool,
    #[serde(default)]
    flip_y: bool,
    #[serde(default)]
    frame: u32,
    #[serde(default)]
    plane: u32,
    #[serde(default = "first_bit")]
    layers: u32,
    #[serde(default = "all_bits")]
    collides_with: u32,
    #[serde(default)]
    fixed: bool,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    owner: u32,
    #[serde(default, with = "SceneOverlap")]
    min_overlap: MinOverlap,
    #[serde(default, with = "SceneAccuracy")]
    accuracy: Accuracy,
}

const fn yes() -> bool {
    true
}

const fn first_bit() -> u32 {
    1
}

const fn all_bits() -> u32 {
    u32::MAX
}

const fn one() -> f32 {
    1.0
}

#[derive(Serialize)]
struct Answer<'a> {
    contacts: Vec<Overlap<'a>>,
}

#[derive(Serialize)]
struct Overlap<'a> {
    a: &'a str,
    b: &'a str,
    /// x0, y0, x1, y1; half-open.
    rect: [i32; 4],
    area: u64,
    point: [i32; 2],
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if let Some(path) = &args.png {
        output::check_target(path, &[&args.file, &args.scene])?;
        output::check_picture(path)?;
    }
    let atlas = output::open(&args.file, &args.limit)?;
    let scene = read(&args.scene)?;
    let mut world = World::new(atlas);
    world.set_accuracy(scene.accuracy);
    if scene.any_scale {
        world.set_scale_policy(ScalePolicy::Nearest)?;
    }
    for collider in &scene.colliders {
        place(&mut world, collider).map_err(|f| f.of(&format!("collider {:?}", collider.id)))?;
    }
    world.update();
    if let Some(path) = &args.png {
        let names: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
        scene_picture::write(&world, &names, path)?;
    }
    // Colliders were inserted in scene order, so a collider id is an index into the scene.
    let name = |id: ColliderId| scene.colliders[id.index() as usize].id.as_str();
    let contacts = world.touching().iter().filter_map(|pair| {
        let Contact { rect, area, point, .. } = world.contact(pair)?;
        let rect = [rect.x0, rect.y0, rect.x1, rect.y1];
        Some(Overlap { a: name(pair.a), b: name(pair.b), rect, area, point: [point.x, point.y] })
    });
    let answer = Answer { contacts: contacts.collect() };
    output::answer(args.json, &answer, || table(&answer, scene.colliders.len()))
}

fn read(path: &Path) -> Result<Scene, CliError> {
    let text = output::read(path, "check the path and its permissions")?;
    let scene: Scene = serde_json::from_slice(&text).map_err(|e| {
        let help = "`hitmask check --help` shows the format of a scene";
        CliError::new(format!("{}: {e}", path.display()), help)
    })?;
    let mut ids = HashSet::new();
    match scene.colliders.iter().find(|c| !ids.insert(c.id.as_str())) {
        None => Ok(scene),
        Some(duplicate) => Err(CliError::new(
            format!("{}: two colliders have the id {:?}", path.display(), duplicate.id),
            "give each collider its own id",
        )),
    }
}

fn place(world: &mut World, scene: &SceneCollider) -> Result<(), CliError> {
    let sprite = match world.atlas().sprite_id(&scene.sprite) {
        Some(sprite) => sprite,
        None => sprites::find(world.atlas().sprites(), &scene.sprite)?.id(),
    };
    let collider = Collider::new(sprite)
        .at([scene.x, scene.y])
        .turned(scene.angle)
        .scaled(scene.scale)
        .flipped(Flip { x: scene.flip_x, y: scene.flip_y })
        .with_frame(scene.frame)
        .with_plane(scene.plane)
        .on_layers(scene.layers, scene.collides_with);
    let SceneCollider { fixed, enabled, owner, min_overlap, accuracy, .. } = *scene;
    world.insert(Collider { fixed, enabled, owner, min_overlap, accuracy, ..collider })?;
    Ok(())
}

fn table(answer: &Answer<'_>, colliders: usize) -> String {
    let pairs = output::count(answer.contacts.len(), "touching pair");
    let mut text = format!("{pairs} among {}\n", output::count(colliders, "collider"));
    for Overlap { a, b, rect: [x0, y0, x1, y1], area, point: [x, y] } in &answer.contacts {
        text += &format!("{a} {b}: {area} px in {x0},{y0} .. {x1},{y1}, first at {x},{y}\n");
    }
    text
}
