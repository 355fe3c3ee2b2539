//! The window: passes input to the demo, and shows its picture and panels.

use hitmask_demo::headless::DemoError;
use hitmask_demo::{Action, App, Command, Meter, Options, Panel, Picture, Pinch};
#[cfg(not(target_family = "wasm"))]
use hitmask_demo::{AtlasFile, Steering, Walk};
#[cfg(not(target_family = "wasm"))]
use macroquad::input::is_key_down;
use macroquad::input::{
    KeyCode, MouseButton, TouchPhase, get_keys_down, get_keys_pressed, is_mouse_button_down,
    is_mouse_button_pressed, mouse_position, mouse_wheel, touches,
};
use macroquad::math::vec2;
use macroquad::miniquad::conf::{Conf, LinuxBackend, Platform};
use macroquad::miniquad::date;
use macroquad::texture::{
    DrawTextureParams, FilterMode, Texture2D, draw_texture_ex, get_screen_data,
};
use macroquad::window::{next_frame, screen_height, screen_width};
use std::path::PathBuf;

/// What to show.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    /// Actions before the first frame.
    pub(crate) keys: Vec<Action>,
    /// Number of frames after which the window closes.
    pub(crate) frames: Option<u32>,
    /// File for what the last frame shows.
    pub(crate) screenshot: Option<PathBuf>,
}

/// Returns the command of a key of the keyboard.
fn command(key: KeyCode) -> Option<Command> {
    Command::of_key(match key {
        KeyCode::KpAdd => '+',
        KeyCode::KpSubtract => '-',
        KeyCode::Home => 'f',
        KeyCode::Escape => 'q',
        KeyCode::Left => '←',
        KeyCode::Right => '→',
        KeyCode::Up => '↑',
        KeyCode::Down => '↓',
        // The others have the number of their letter.
        key => char::from_u32(key as u32)?.to_ascii_lowercase(),
    })
}

/// Pixels per frame that the view moves by while a cursor key is down.
const PAN: f32 = 14.0;
/// Number of frames between two steps of the wheel: a touchpad turns it in every frame.
const WHEEL_PAUSE: u32 = 4;

/// Shows the demo until it is closed.
pub(crate) async fn run(settings: Settings) -> Result<(), DemoError> {
    // Borrowed by the naive side for as long as the program runs.
    let horde = settings.options.horde;
    let stage = if horde { hitmask_demo::horde_stage() } else { hitmask_demo::stage() };
    let stage = Box::leak(Box::new(stage));
    let clock = date::now;
    let meter = if settings.frames.is_some() { Meter::keeping() } else { Meter::default() };
    let mut app = App::new(stage, settings.options, meter, clock)?;
    for action in settings.keys {
        app.act(action)?;
    }
    let (mut input, mut shown) = (Input::default(), Shown::default());
    let mut last = clock();
    for frame in 1.. {
        app.resize([screen_width() as i32, screen_height() as i32]);
        if settings.frames.is_none() {
            for action in input.actions() {
                app.act(action)?;
            }
        }
        let now = clock();
        let seconds = if settings.frames.is_some() { 1.0 / 60.0 } else { now - last };
        if frame > 1 {
            app.presented(now - last);
        }
        last = now;
        app.frame(seconds)?;
        shown.draw(&app);
        // A page ends with its tab, and would stand still here.
        let quits = app.wants_to_quit() && cfg!(not(target_family = "wasm"));
        if settings.frames == Some(frame) || quits {
            break;
        }
        next_frame().await;
    }
    if let Some(path) = &settings.screenshot {
        hitmask_demo::headless::write_png(path, &screen())?;
    }
    if let Some(frames) = settings.frames {
        report(&app, frames);
    }
    Ok(())
}

/// Shows a walk until it is closed, with the keys or, for a number of frames, by itself. Then writes what
/// the window shows. Takes each new version of the atlas file.
#[cfg(not(target_family = "wasm"))]
pub(crate) async fn walk(
    mut walk: Walk,
    mut file: AtlasFile,
    frames: Option<u32>,
    screenshot: Option<PathBuf>,
) -> Result<(), DemoError> {
    /// Longest time that a stalled window makes up for, in ticks.
    const MAX_TICKS: f64 = 4.0;
    const FRAMES_PER_LOOK: u32 = 8;
    let is_down = |keys: &[KeyCode]| keys.iter().any(|&key| is_key_down(key));
    let (mut texture, mut last, mut ticks) = (None, date::now(), 0.0);
    for frame in 1.. {
        let now = date::now();
        ticks = (ticks + (now - last) * 60.0).min(MAX_TICKS);
        last = now;
        if frames.is_some() {
            ticks = 1.0;
        }
        if frames.is_none() {
            for key in get_keys_pressed() {
                if let Some(key) = char::from_u32(key as u32) {
                    walk.overlays().toggle(key);
                }
            }
        }
        if frame % FRAMES_PER_LOOK == 0 {
            follow(&mut walk, &mut file);
        }
        while ticks >= 1.0 {
            ticks -= 1.0;
            walk.tick(match frames {
                Some(_) => walk.automatic(frame - 1),
                None => Steering {
                    left: is_down(&[KeyCode::Left, KeyCode::A]),
                    right: is_down(&[KeyCode::Right, KeyCode::D]),
                    up: is_down(&[KeyCode::Up, KeyCode::W]),
                    down: is_down(&[KeyCode::Down, KeyCode::S]),
                    jump: is_down(&[KeyCode::Up, KeyCode::Space, KeyCode::W]),
                },
            })?;
        }
        let picture = walk.picture([screen_width() as i32, screen_height() as i32]);
        upload(&mut texture, &picture);
        if let Some(texture) = &texture {
            draw(texture, [0.0; 2], picture.size(), 1);
        }
        if frames == Some(frame) || is_down(&[KeyCode::Q, KeyCode::Escape]) {
            break;
        }
        next_frame().await;
    }
    screenshot.map_or(Ok(()), |path| hitmask_demo::headless::write_png(&path, &screen()))
}

/// Takes a new version of the atlas file, and says what it changed. With a damaged one the last level stays.
#[cfg(not(target_family = "wasm"))]
fn follow(walk: &mut Walk, file: &mut AtlasFile) {
    let report = match file.changed() {
        Ok(None) => return,
        Ok(Some(atlas)) => walk.update(atlas),
        Err(error) => Err(error.into()),
    };
    match report {
        Ok(report) => println!(
            "the level was edited: {} items inserted, {} removed, {} changed, {} kept as the game made them",
            report.inserted.len(),
            report.removed.len(),
            report.changed.len(),
            report.kept.len()
        ),
        Err(error) => {
            eprintln!("error: {error}\nhelp: {}; until then the last level stays", error.help())
        }
    }
}

/// Prints the median times of the frames after the first tenth.
fn report(app: &App<'_>, frames: u32) {
    let Some(times) = app.meter().medians(frames as usize / 10) else { return };
    let ms = |seconds: f64| seconds * 1e3;
    println!(
        "{} sprites, {} in view, {}\n\
         median of {frames} frames: {:.2} ms, {:.0} frames per second; motion {:.2}, update {:.2}, \
         draw {:.2}, show {:.2}, naive {:.2} ms",
        app.scene().len(),
        app.drawn(),
        app.found(),
        ms(times.frame),
        1.0 / times.frame,
        ms(times.motion),
        ms(times.update),
        ms(times.draw),
        ms(times.show),
        ms(times.naive),
    );
}

/// Returns what the window shows, from its top row to its bottom row.
fn screen() -> Picture {
    let image = get_screen_data();
    let size = [image.width, image.height].map(i32::from);
    let mut picture = Picture::new(size, [0; 4]);
    // The GPU's rows begin at the bottom.
    for (y, row) in (0..size[1]).rev().zip(image.get_image_data().chunks(image.width.into())) {
        for (x, &pixel) in (0..).zip(row) {
            picture.set(x, y, pixel);
        }
    }
    picture
}

/// Reads keys, mouse and fingers.
#[derive(Default)]
struct Input {
    pinch: Pinch,
    mouse: Option<[f32; 2]>,
    /// Whether the mouse or one finger is down.
    is_down: bool,
    wheel_pause: u32,
}

impl Input {
    fn actions(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        for key in get_keys_down() {
            match command(key) {
                Some(Command::Left) => actions.push(Action::Pan([PAN, 0.0])),
                Some(Command::Right) => actions.push(Action::Pan([-PAN, 0.0])),
                Some(Command::Up) => actions.push(Action::Pan([0.0, PAN])),
                Some(Command::Down) => actions.push(Action::Pan([0.0, -PAN])),
                _ => {}
            }
        }
        let is_pan = |command: &Command| {
            matches!(command, Command::Left | Command::Right | Command::Up | Command::Down)
        };
        let pressed = get_keys_pressed().into_iter().filter_map(command);
        actions.extend(pressed.filter(|command| !is_pan(command)).map(Action::Command));

        let mouse = <[f32; 2]>::from(mouse_position());
        self.wheel_pause = self.wheel_pause.saturating_sub(1);
        let (_, wheel) = mouse_wheel();
        if wheel != 0.0 && self.wheel_pause == 0 {
            self.wheel_pause = WHEEL_PAUSE;
            actions.push(Action::Zoom { at: mouse, closer: wheel > 0.0 });
        }
        let fingers: Vec<[f32; 2]> = touches()
            .iter()
            .filter(|touch| !matches!(touch.phase, TouchPhase::Ended | TouchPhase::Cancelled))
            .map(|touch| touch.position.into())
            .collect();
        // One finger is the mouse.
        let was_down = self.is_down;
        self.is_down = is_mouse_button_down(MouseButton::Left) && fingers.len() < 2;
        let is_pressed = self.is_down && (!was_down || is_mouse_button_pressed(MouseButton::Left));
        if was_down && (is_pressed || !self.is_down) {
            actions.push(Action::Release);
        }
        let is_moved = self.mouse.is_none_or(|before| before != mouse);
        if is_pressed {
            actions.push(Action::Press(mouse));
        } else if is_moved && self.is_down {
            actions.push(Action::Drag(mouse));
        } else if is_moved && mouse != [0.0; 2] && fingers.is_empty() {
            // Before the mouse has moved, its position is unknown.
            actions.push(Action::Hover(Some(mouse)));
        }
        self.mouse = Some(mouse);
        self.pinch.update(<[[f32; 2]; 2]>::try_from(fingers).ok(), &mut actions);
        actions
    }
}

/// The textures of the picture and of the panels.
#[derive(Default)]
struct Shown {
    picture: Option<Texture2D>,
    panels: Vec<(Panel, Texture2D)>,
}

impl Shown {
    /// Draws the picture and the panels of the demo. Uploads the panels that changed.
    fn draw(&mut self, app: &App<'_>) {
        let picture = app.picture();
        upload(&mut self.picture, picture);
        if let Some(texture) = &self.picture {
            draw(texture, [0.0; 2], picture.size(), app.zoom().repeat());
        }
        let window = [screen_width() as i32, screen_height() as i32];
        let mut panels = std::mem::take(&mut self.panels).into_iter();
        let mut covered = Vec::new();
        for panel in app.panels() {
            let (before, mut texture) = panels.next().unzip();
            if before.as_ref() != Some(panel) {
                upload(&mut texture, &panel.picture);
            }
            if let Some(texture) = texture {
                let rect = panel.rect(window, &covered);
                draw(&texture, [rect.x0 as f32, rect.y0 as f32], panel.picture.size(), 1);
                covered.push(rect);
                self.panels.push((panel.clone(), texture));
            }
        }
    }
}

/// Copies a picture to a texture, which is created anew if its size changed.
fn upload(texture: &mut Option<Texture2D>, picture: &Picture) {
    let size = picture.size();
    match texture {
        Some(texture) if [texture.width() as i32, texture.height() as i32] == size => {
            texture.update_from_bytes(size[0] as u32, size[1] as u32, picture.bytes());
        }
        _ => {
            let new = Texture2D::from_rgba8(size[0] as u16, size[1] as u16, picture.bytes());
            // Each pixel is repeated as it is.
            new.set_filter(FilterMode::Nearest);
            *texture = Some(new);
        }
    }
}

fn draw(texture: &Texture2D, at: [f32; 2], size: [i32; 2], repeat: i32) {
    let size = size.map(|side| (side * repeat) as f32);
    let params =
        DrawTextureParams { dest_size: Some(vec2(size[0], size[1])), ..Default::default() };
    draw_texture_ex(texture, at[0], at[1], macroquad::color::WHITE, params);
}

/// Returns the configuration of a window of a size in pixels.
pub(crate) fn configuration([width, height]: [i32; 2]) -> Conf {
    Conf {
        window_title: "hitmask".into(),
        window_width: width,
        window_height: height,
        platform: Platform {
            linux_backend: LinuxBackend::X11WithWaylandFallback,
            ..Platform::default()
        },
        ..Default::default()
    }
}
