//! The window: passes input to the demo, and shows its picture and panels.

use hitmask_demo::headless::DemoError;
use hitmask_demo::{Action, App, Command, Meter, Options, Panel, Picture, Pointers, Touch};
use macroquad::input::{
    KeyCode, MouseButton, get_keys_down, get_keys_pressed, is_mouse_button_down, mouse_position,
    mouse_wheel, simulate_mouse_with_touch, touches,
};
use macroquad::math::vec2;
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

/// Keys that are written differently on a keyboard and in [`Command::of_key`].
const KEYS: [(KeyCode, char); 22] = [
    (KeyCode::Equal, '+'),
    (KeyCode::KpAdd, '+'),
    (KeyCode::Minus, '-'),
    (KeyCode::KpSubtract, '-'),
    (KeyCode::A, 'a'),
    (KeyCode::T, 't'),
    (KeyCode::V, 'v'),
    (KeyCode::Space, ' '),
    (KeyCode::Period, '.'),
    (KeyCode::N, 'n'),
    (KeyCode::B, 'b'),
    (KeyCode::Z, 'z'),
    (KeyCode::X, 'x'),
    (KeyCode::F, 'f'),
    (KeyCode::Home, 'f'),
    (KeyCode::H, 'h'),
    (KeyCode::Q, 'q'),
    (KeyCode::Escape, 'q'),
    (KeyCode::Left, '←'),
    (KeyCode::Right, '→'),
    (KeyCode::Up, '↑'),
    (KeyCode::Down, '↓'),
];
/// Pixels per frame that the view moves by while a cursor key is down.
const PAN: f32 = 14.0;
/// Number of frames between two steps of the wheel: a touchpad turns it in every frame.
const WHEEL_PAUSE: u32 = 4;

/// Shows the demo until it is closed.
pub(crate) async fn run(settings: Settings) -> Result<(), DemoError> {
    simulate_mouse_with_touch(false);
    // Borrowed by the naive side for as long as the program runs.
    let horde = settings.options.horde;
    let stage = if horde { hitmask_demo::horde_stage() } else { hitmask_demo::stage() };
    let stage = Box::leak(Box::new(stage));
    let clock = macroquad::miniquad::date::now;
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

/// Prints the median times of the frames after the first tenth.
fn report(app: &App<'_>, frames: u32) {
    let Some(times) = app.meter().medians(frames as usize / 10) else { return };
    let ms = |seconds: f64| seconds * 1e3;
    let update = if app.scene().blocked().is_some() { "walk" } else { "update" };
    println!(
        "{} sprites, {} in view, {} pairs touch\n\
         median of {frames} frames: {:.2} ms, {:.0} frames per second; motion {:.2}, {update} {:.2}, \
         draw {:.2}, show {:.2}, naive {:.2} ms",
        app.scene().len(),
        app.drawn(),
        app.scene().world().touching().len(),
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
pub(crate) fn screen() -> Picture {
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
    pointers: Pointers,
    mouse: Option<[f32; 2]>,
    wheel_pause: u32,
}

impl Input {
    fn actions(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        let command = |key: KeyCode| {
            let (_, name) = KEYS.into_iter().find(|(code, _)| *code == key)?;
            Command::of_key(name)
        };
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
        let mut down: Vec<Touch> = touches()
            .into_iter()
            .filter(|touch| {
                use macroquad::input::TouchPhase::{Cancelled, Ended};
                !matches!(touch.phase, Ended | Cancelled)
            })
            .map(|touch| Touch { id: touch.id + 1, at: touch.position.into() })
            .collect();
        if is_mouse_button_down(MouseButton::Left) {
            down.push(Touch { id: 0, at: mouse });
        }
        // Before the mouse has moved, its position is unknown.
        if self.mouse.is_none_or(|before| before != mouse) && mouse != [0.0; 2] && down.is_empty() {
            actions.push(Action::Hover(Some(mouse)));
        }
        self.mouse = Some(mouse);
        self.pointers.update(&down, &mut actions);
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
