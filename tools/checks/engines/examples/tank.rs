//! A tank drives over terrain in Box2D, and its shells carve the ground: `tank [PNG]`.

use hitmask::{Mask, Rect};
use hitmask_engines::box2d::Box2d;
use hitmask_engines::{Engine, Placed, SCALE, Scene, Sprite, art, draw};
use std::path::PathBuf;

/// Draws the tank: tracks, hull, turret and barrel.
fn tank() -> Sprite {
    let (width, height) = (56, 30);
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (dx, dy) = (x as f32 + 0.5, y as f32 + 0.5);
            let is_track =
                (dy - 23.0).abs() < 7.0 && (dx - dx.clamp(10.0, 40.0)).hypot(dy - 23.0) < 7.0;
            let is_wheel =
                is_track && (((dx - 10.0) / 7.5).fract() - 0.5).hypot((dy - 23.0) / 7.5) < 0.36;
            let is_hull =
                (12.0..18.0).contains(&dy) && dx > 5.0 && dx < 46.0 - (dy - 18.0).abs() / 3.0;
            let is_turret = (dx - 24.0).hypot(dy - 12.0) < 9.0 && dy < 12.0;
            let is_barrel = (7.0..10.0).contains(&dy) && (24.0..55.0).contains(&dx);
            rgba.extend(match () {
                () if is_wheel => [150, 140, 120, 255],
                () if is_track => [60, 60, 66, 255],
                () if is_hull => [96, 124, 70, 255],
                () if is_turret => [116, 146, 84, 255],
                () if is_barrel => [88, 104, 72, 255],
                () => [0; 4],
            });
        }
    }
    Sprite::new("tank", [width, height], rgba).expect("it has pixels")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).map_or("target/tank.png".into(), PathBuf::from);
    let mut terrain = Mask::new(768, 320)?;
    for x in 0..768 {
        let wave = 14.0 * (x as f32 / 61.0).sin() + 7.0 * (x as f32 / 23.0).cos();
        // A hill in the way.
        let hill = 70.0 * (-((x as f32 - 560.0) / 70.0).powi(2)).exp();
        terrain.fill_rect(Rect::new(x, (210.0 + wave - hill) as i32, x + 1, 320), true);
    }
    let (tank, targets) = (tank(), art::own(64));
    let mut scene = Scene::<Box2d>::new(terrain);
    let body = scene.insert(&tank, Placed { at: [70.0 * SCALE, -170.0 * SCALE], angle: 0.0 });
    let targets: Vec<&Sprite> =
        targets.iter().filter(|s| s.mask.width() > 30 && s.name != "diagonal").collect();
    for (i, target) in targets.into_iter().enumerate() {
        let at = [(330.0 + 70.0 * i as f32) * SCALE, -60.0 * SCALE];
        scene.insert(target, Placed { at, angle: i as f32 });
    }
    let (mut shells, mut craters): (Vec<[f32; 4]>, u32) = (Vec::new(), 0);
    for tick in 0..600 {
        // The tracks drive while they touch something.
        let is_on_ground = scene.engine.contacts().iter().flatten().any(|&other| other == body);
        let ([vx, vy], angle) = (scene.engine.velocity(body), scene.engine.placed(body).angle);
        let (s, c) = angle.sin_cos();
        if is_on_ground && angle.abs() < 0.7 && vx * c + vy * s < 2.0 {
            scene.engine.set_velocity(body, [vx + 0.6 * c, vy + 0.6 * s]);
        }
        if tick % 60 == 30 {
            // From the muzzle, along the barrel and a little upwards.
            let Placed { at: [x, y], angle } = scene.engine.placed(body);
            let muzzle = [27.0, 14.0];
            let (s, c) = angle.sin_cos();
            let muzzle = [muzzle[0] * c - muzzle[1] * s, muzzle[0] * s + muzzle[1] * c];
            let (s, c) = (angle.clamp(-0.2, 0.2) + 0.5 + tick as f32 / 4000.0).sin_cos();
            shells.push([x + muzzle[0] * SCALE, y + muzzle[1] * SCALE, 12.0 * c, 12.0 * s]);
        }
        shells.retain_mut(|[x, y, vx, vy]| {
            // Four steps a tick: less than 2 px each.
            for _ in 0..4 {
                *vy -= 9.81 / 240.0;
                (*x, *y) = (*x + *vx / 240.0, *y + *vy / 240.0);
                let pixel = [(*x / SCALE) as i32, (-*y / SCALE) as i32];
                if scene.terrain.get(pixel[0], pixel[1]) {
                    scene.carve(16, pixel);
                    craters += 1;
                    return false;
                }
            }
            *y > -10.0
        });
        scene.engine.step();
    }
    let driven = scene.engine.placed(body).at[0] / SCALE - 70.0;
    let picture = draw::scene(&mut scene, Rect::new(0, 40, 768, 320), 2);
    hitmask_demo::headless::write_png(&path, &picture)?;
    println!(
        "The tank drove {driven:.0} px and shot {craters} craters, which replaced {} bodies of {} cells: {}",
        scene.replaced,
        scene.grid.len(),
        path.display()
    );
    Ok(())
}
