//! The whole demo but its window: takes actions and time, gives a picture and panels.
//!
//! ```text
//! act       each action of the user
//! frame     motion, update, naive side if it is on, drawing; each part timed
//! picture   what to show, repeated by the zoom; panels over it
//! ```

use crate::art::Art;
use crate::blit::{Blitter, Layers};
use crate::camera::{Camera, Zoom};
use crate::crowd::{Crowd, Pace};
use crate::horde::Horde;
use crate::input::{Action, Command};
use crate::meter::{Meter, Times};
use crate::naive::{Naive, NaiveMode};
use crate::panel::{self, Panel, Status};
use crate::picture::Picture;
use crate::scene::{Scene, Show};
use crate::threads::Threads;
use hitmask::{Accuracy, CallError};
use hitmask_scenes::Stage;

/// Pixels that a cursor key moves the view by.
const PAN_STEP: f32 = 80.0;
/// Numbers of sprites that the keys choose from. A browser has one thread and less memory.
const COUNTS: [usize; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];
/// Longest time that a frame moves the scene by, in seconds: a stalled window does not jump.
const MAX_STEP: f64 = 0.05;

/// Settings at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Number of sprites.
    pub count: usize,
    /// Width and height of the window in pixels.
    pub window: [i32; 2],
    /// Zoom; `None` shows the whole area.
    pub zoom: Option<Zoom>,
    /// Whether the panels are shown.
    pub panels: bool,
    /// Whether a horde is shown in place of a [`Crowd`]. Its stage is that of
    /// [`horde_stage`](crate::horde_stage).
    pub horde: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (count, window, zoom) = (100_000, [1280, 720], Some(Zoom::In(1)));
        Self { count, window, zoom, panels: true, horde: false }
    }
}

/// The demo. `clock` gives seconds from any start.
#[derive(Debug)]
pub struct App<'s> {
    show: Box<dyn Show<'s> + 's>,
    count: usize,
    horde: bool,
    art: Art,
    blitter: Blitter,
    camera: Camera,
    picture: Picture,
    clock: fn() -> f64,
    /// Time of the loop, in 2^-32 loops.
    time: u32,
    /// Part of a time unit that is not in `time` yet.
    time_rest: f64,
    threads: Threads,
    layers: Layers,
    paused: bool,
    /// Single steps to do while paused.
    steps: u32,
    naive: Option<(NaiveMode, Naive<'s>)>,
    /// Number of naive pairs, and whether the naive side agrees.
    naive_answer: (usize, bool),
    pointer: Option<[f32; 2]>,
    meter: Meter,
    last: Times,
    drawn: usize,
    show_panels: bool,
    meter_panel: Panel,
    help_panel: Option<Panel>,
    pair_panel: Option<Panel>,
    quit: bool,
}

impl<'s> App<'s> {
    /// Creates the demo with its sprites placed.
    ///
    /// # Errors
    /// [`CallError`] if the area of so many sprites exceeds the limits of a world.
    pub fn new(
        stage: &'s Stage,
        options: Options,
        meter: Meter,
        clock: fn() -> f64,
    ) -> Result<Self, CallError> {
        let mut show = placed(stage, options.count, options.horde)?;
        show.scene_mut().world_mut().update();
        let mut camera = Camera::new(options.window, show.scene().size(), options.zoom);
        if options.zoom.is_some() {
            camera.centre = show.focus().map(f64::from);
        }
        let mut app = Self {
            show,
            count: options.count,
            horde: options.horde,
            art: Art::new(&stage.atlas),
            blitter: Blitter::default(),
            camera,
            picture: Picture::default(),
            clock,
            time: 0,
            time_rest: 0.0,
            threads: Threads::default(),
            layers: Layers::default(),
            paused: false,
            steps: 0,
            naive: None,
            naive_answer: (0, true),
            pointer: None,
            meter,
            last: Times::default(),
            drawn: 0,
            show_panels: options.panels,
            meter_panel: panel::help(),
            help_panel: Some(panel::help()),
            pair_panel: None,
            quit: false,
        };
        app.meter_panel = app.draw_meter();
        Ok(app)
    }

    /// Takes an action of the user.
    ///
    /// # Errors
    /// None in practice: the numbers of sprites that keys choose fit a world.
    pub fn act(&mut self, action: Action) -> Result<(), CallError> {
        match action {
            Action::Command(command) => self.command(command)?,
            Action::Press(at) => {
                self.show.grab(self.camera.to_world(at));
                self.pointer = Some(at);
            }
            Action::Drag(to) => {
                let is_taken = self.show.drag(self.camera.to_world(to));
                if let Some(from) = self.pointer.filter(|_| !is_taken) {
                    self.camera.pan([to[0] - from[0], to[1] - from[1]]);
                }
                self.pointer = Some(to);
            }
            Action::Release => self.show.release(),
            Action::Hover(at) => self.pointer = at,
            Action::Pan(by) => self.camera.pan(by),
            Action::Zoom { at, closer } => self.camera.zoom_at(at, closer),
        }
        Ok(())
    }

    fn command(&mut self, command: Command) -> Result<(), CallError> {
        let middle = self.camera.window.map(|side| side as f32 / 2.0);
        match command {
            Command::More => self.set_count(COUNTS.into_iter().find(|&c| c > self.count))?,
            Command::Fewer => {
                self.set_count(COUNTS.into_iter().rfind(|&c| c < self.count))?;
            }
            Command::Accuracy => {
                let next = match self.scene().world().accuracy() {
                    Accuracy::Exact => Accuracy::Coarse,
                    Accuracy::Coarse => Accuracy::Box,
                    Accuracy::Box => Accuracy::Exact,
                };
                self.show.scene_mut().world_mut().set_accuracy(next);
            }
            Command::Threads => self.threads.toggle(),
            Command::Naive => {
                self.naive = match self.naive.take() {
                    None => Some((NaiveMode::Prepared, Naive::new(self.scene()))),
                    Some((NaiveMode::Prepared, naive)) => Some((NaiveMode::Redrawn, naive)),
                    Some((NaiveMode::Redrawn, _)) => None,
                };
            }
            Command::Pause => self.paused = !self.paused,
            Command::Step => {
                self.paused = true;
                self.steps += 1;
            }
            Command::Normals => self.layers.normals = !self.layers.normals,
            Command::Boxes => self.layers.boxes = !self.layers.boxes,
            Command::Closer => self.camera.zoom_at(middle, true),
            Command::Wider => self.camera.zoom_at(middle, false),
            Command::ShowAll => {
                let before = self.camera;
                self.camera.show_all(self.show.scene().size());
                if self.camera == before {
                    self.camera.zoom = Zoom::In(1);
                }
            }
            Command::Left => self.camera.pan([PAN_STEP, 0.0]),
            Command::Right => self.camera.pan([-PAN_STEP, 0.0]),
            Command::Up => self.camera.pan([0.0, PAN_STEP]),
            Command::Down => self.camera.pan([0.0, -PAN_STEP]),
            Command::Help => {
                self.help_panel =
                    if self.help_panel.is_some() { None } else { Some(panel::help()) };
            }
            Command::Quit => self.quit = true,
        }
        Ok(())
    }

    fn set_count(&mut self, count: Option<usize>) -> Result<(), CallError> {
        let Some(count) = count else { return Ok(()) };
        let (stage, accuracy) = (self.scene().stage(), self.scene().world().accuracy());
        self.show = placed(stage, count, self.horde)?;
        self.count = count;
        self.show.scene_mut().world_mut().set_accuracy(accuracy);
        self.camera.centre = self.show.focus().map(f64::from);
        let mode = self.naive.take().map(|(mode, _)| mode);
        self.naive = mode.map(|mode| (mode, Naive::new(self.scene())));
        Ok(())
    }

    /// Computes and draws one frame, `seconds` after the last one.
    ///
    /// # Errors
    /// None in practice: sprites stay near their area.
    pub fn frame(&mut self, seconds: f64) -> Result<(), CallError> {
        let advance = match (self.paused, self.steps) {
            (false, _) => seconds.min(MAX_STEP),
            (true, 0) => 0.0,
            (true, _) => {
                self.steps -= 1;
                1.0 / 60.0
            }
        };
        let units = advance / Pace::SECONDS * f64::from(u32::MAX) + self.time_rest;
        self.time = self.time.wrapping_add(units as u32);
        self.time_rest = units.fract();
        let time = self.time;
        let Self { show, art, blitter, camera, picture, threads, layers, clock, .. } = self;
        let start = clock();
        let before = show.focus();
        threads.run(|| show.advance(time));
        let moved = clock();
        threads.run(|| show.update())?;
        let scene = show.scene();
        camera.follow(before, show.focus());
        let updated = clock();
        let mut times =
            Times { motion: moved - start, update: updated - moved, ..Times::default() };
        if let Some((mode, naive)) = &mut self.naive {
            let pairs = naive.find_pairs(scene)?;
            let begin = clock();
            let touching = naive.count_touching(*mode);
            times.naive = clock() - begin;
            // The naive tests are exact.
            let agrees = scene.world().accuracy() != Accuracy::Exact
                || touching == scene.world().touching().len();
            self.naive_answer = (pairs, agrees);
        }
        let drawing = clock();
        let at = self.pointer.map(|at| camera.to_world(at));
        layers.hover = at.filter(|_| self.show_panels).and_then(|at| show.pair_at(at));
        self.drawn = threads.run(|| blitter.draw(art, scene, camera, layers, picture));
        times.draw = clock() - drawing;
        self.last = times;
        self.pair_panel = layers
            .hover
            .and_then(|pair| scene.world().pair(pair).and_then(|pair| pair.explain()))
            .map(|pair| panel::explanation(&pair.to_string(), pair.touches));
        Ok(())
    }

    /// Ends a frame, which took `seconds` with its presentation. Returns whether the meter changed.
    pub fn presented(&mut self, seconds: f64) -> bool {
        let Times { motion, update, draw, naive, .. } = self.last;
        let show = (seconds - motion - update - draw - naive).max(0.0);
        let changed = self.meter.add(Times { show, frame: seconds, ..self.last });
        if changed {
            self.meter_panel = self.draw_meter();
        }
        changed
    }

    fn draw_meter(&self) -> Panel {
        let accuracy = match self.scene().world().accuracy() {
            Accuracy::Box => "box",
            Accuracy::Coarse => "coarse",
            Accuracy::Exact => "exact",
        };
        let threads = self.threads.count();
        let plural = if threads == 1 { "" } else { "s" };
        let (pairs, agrees) = self.naive_answer;
        let status = Status {
            sprites: self.scene().len(),
            drawn: self.drawn,
            found: self.show.found(),
            settings: format!("{accuracy}, {threads} thread{plural}, zoom {}", self.camera.zoom),
            paused: self.paused,
            naive: self.naive.as_ref().map(|(mode, _)| (mode.to_string(), pairs, agrees)),
        };
        panel::meter(&self.meter.shown(), &status)
    }

    /// Changes the size of the window.
    pub const fn resize(&mut self, window: [i32; 2]) {
        self.camera.window = window;
    }

    /// Returns the picture of the last frame. The window repeats each pixel by
    /// [`zoom`](Self::zoom)'s [`repeat`](Zoom::repeat).
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the zoom of the last frame.
    #[must_use]
    pub const fn zoom(&self) -> Zoom {
        self.camera.zoom
    }

    /// Returns the panels to show over the picture: meter, keys, pair.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        let all = [Some(&self.meter_panel), self.help_panel.as_ref(), self.pair_panel.as_ref()];
        all.into_iter().flatten().filter(|_| self.show_panels)
    }

    /// Returns the scene.
    #[must_use]
    pub fn scene(&self) -> &Scene<'s> {
        self.show.scene()
    }

    /// Says what the last frame found, such as "12 pairs touch".
    #[must_use]
    pub fn found(&self) -> String {
        self.show.found()
    }

    /// Returns the meter.
    #[must_use]
    pub const fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Returns the number of visible sprites in the last frame.
    #[must_use]
    pub const fn drawn(&self) -> usize {
        self.drawn
    }

    /// Returns whether the user wants to quit.
    #[must_use]
    pub const fn wants_to_quit(&self) -> bool {
        self.quit
    }
}

/// Creates a crowd of sprites, or a horde of walkers.
pub(crate) fn placed<'s>(
    stage: &'s Stage,
    count: usize,
    horde: bool,
) -> Result<Box<dyn Show<'s> + 's>, CallError> {
    Ok(if horde {
        Box::new(Horde::new(stage, count)?)
    } else {
        Box::new(Crowd::new(stage, count, Crowd::size_for(count), Pace::Live)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::stage;
    use crate::horde::horde_stage;
    use hitmask::Placement;

    fn app(stage: &Stage) -> App<'_> {
        let options = Options { count: 1_000, window: [640, 360], ..Options::default() };
        let mut app = App::new(stage, options, Meter::default(), || 0.0).unwrap();
        app.frame(1.0 / 60.0).unwrap();
        app
    }

    fn places(app: &App<'_>) -> Vec<Placement> {
        app.scene().places.clone()
    }

    fn press(app: &mut App<'_>, keys: &str) {
        for key in keys.chars() {
            app.act(Action::Command(Command::of_key(key).unwrap())).unwrap();
        }
    }

    #[test]
    fn pause_stops_the_scene_and_a_step_moves_it_once() {
        let stage = stage();
        let mut app = app(&stage);
        press(&mut app, " ");
        let before = places(&app);
        app.frame(1.0 / 60.0).unwrap();
        assert_eq!(places(&app), before);
        press(&mut app, ".");
        app.frame(1.0 / 60.0).unwrap();
        let stepped = places(&app);
        assert_ne!(stepped, before);
        app.frame(1.0 / 60.0).unwrap();
        assert_eq!(places(&app), stepped);
        press(&mut app, " ");
        app.frame(1.0 / 60.0).unwrap();
        assert_ne!(places(&app), stepped);
    }

    #[test]
    fn keys_change_the_number_of_sprites_and_the_accuracy() {
        let stage = stage();
        let mut app = app(&stage);
        press(&mut app, "+");
        assert_eq!(app.count, 10_000);
        press(&mut app, "---");
        assert_eq!(app.count, 100);
        let mut seen = Vec::new();
        for _ in 0..3 {
            press(&mut app, "a");
            app.frame(0.0).unwrap();
            seen.push((app.scene().world().accuracy(), app.scene().world().touching().len()));
        }
        let accuracies: Vec<Accuracy> = seen.iter().map(|(accuracy, _)| *accuracy).collect();
        assert_eq!(accuracies, [Accuracy::Coarse, Accuracy::Box, Accuracy::Exact]);
        assert!(seen[1].1 > seen[2].1 && seen[2].1 > 0, "{seen:?}");
    }

    #[test]
    fn a_horde_begins_with_its_hero_in_the_middle_of_the_view_and_the_view_follows_it() {
        let stage = horde_stage();
        let options =
            Options { count: 10_000, window: [640, 360], horde: true, ..Options::default() };
        let mut app = App::new(&stage, options, Meter::default(), || 0.0).unwrap();
        let middle = |app: &App<'_>| app.camera.to_world([320.0, 180.0]);
        let start = app.show.focus();
        for _ in 0..60 {
            let (hero, seen) = (app.show.focus(), middle(&app));
            assert!((0..2).all(|axis| (hero[axis] - seen[axis]).abs() <= 1.0), "{hero:?} {seen:?}");
            app.frame(1.0 / 60.0).unwrap();
        }
        assert!(app.found().ends_with("walkers blocked") && app.drawn() > 100);
        let hero = app.show.focus();
        assert!((0..2).any(|axis| (hero[axis] - start[axis]).abs() > 50.0), "{hero:?} {start:?}");
        // A press calls the hero and leaves the view. The number of walkers has its keys.
        app.act(Action::Press([9.0, 9.0])).unwrap();
        app.act(Action::Drag([100.0, 9.0])).unwrap();
        assert!((0..2).all(|axis| (middle(&app)[axis] - hero[axis]).abs() <= 1.0));
        press(&mut app, "--+");
        assert_eq!((app.count, app.found().as_str()), (1_000, "0 walkers blocked"));
    }

    #[test]
    fn the_naive_side_agrees_while_it_is_on() {
        let stage = stage();
        let mut app = app(&stage);
        for on in [true, true, false] {
            press(&mut app, "v");
            app.frame(1.0 / 60.0).unwrap();
            assert_eq!(app.naive.is_some(), on);
            assert!(!on || app.naive_answer.0 > 100, "{:?}", app.naive_answer);
            assert!(app.naive_answer.1);
        }
    }

    #[test]
    fn the_pointer_explains_a_pair_grabs_sprites_and_moves_the_view() {
        let stage = stage();
        let mut app = app(&stage);
        press(&mut app, " ");
        assert_eq!(app.panels().count(), 2);
        let origin = app.camera.origin();
        let seen = |at: &[i32; 2]| (0..640).contains(&at[0]) && (0..360).contains(&at[1]);
        let world = app.scene().world();
        let points = world.touching().iter().filter_map(|pair| world.contact(pair));
        let mut at = points.map(|it| [it.point.x - origin[0], it.point.y - origin[1]]);
        let at = at.find(seen).unwrap().map(|at| at as f32 + 0.5);
        app.act(Action::Hover(Some(at))).unwrap();
        app.frame(0.0).unwrap();
        assert_eq!(app.panels().count(), 3);
        let before = places(&app);
        let view = app.camera;
        app.act(Action::Press(at)).unwrap();
        app.act(Action::Drag([at[0] + 40.0, at[1]])).unwrap();
        app.act(Action::Release).unwrap();
        app.frame(0.0).unwrap();
        let moved = places(&app).iter().zip(&before).filter(|(a, b)| a != b).count();
        assert_eq!((moved, app.camera), (1, view));
        // Far from all sprites, the view is grabbed.
        app.act(Action::Pan([-100_000.0, 0.0])).unwrap();
        let view = app.camera.centre;
        app.act(Action::Press([9.0, 9.0])).unwrap();
        app.act(Action::Drag([19.0, 9.0])).unwrap();
        assert_eq!(app.camera.centre, [view[0] - 10.0, view[1]]);
    }

    #[test]
    fn the_view_zooms_moves_and_shows_everything() {
        let stage = stage();
        let mut app = app(&stage);
        press(&mut app, "z");
        assert_eq!(app.zoom(), Zoom::In(2));
        press(&mut app, "xx→↓");
        assert_eq!(app.zoom(), Zoom::Out(1));
        press(&mut app, "f");
        app.frame(0.0).unwrap();
        assert_eq!(app.drawn(), 1_000);
        press(&mut app, "f");
        assert_eq!(app.zoom(), Zoom::In(1));
        assert_eq!(app.picture().size(), [640, 360]);
        app.resize([333, 222]);
        press(&mut app, "zz");
        app.frame(0.0).unwrap();
        assert_eq!(app.picture().size(), [111, 74]);
    }

    #[test]
    fn layers_panels_and_the_end_are_switched_by_keys() {
        let stage = stage();
        let mut app = app(&stage);
        press(&mut app, "nbhqt");
        assert_eq!((app.layers.normals, app.layers.boxes), (true, true));
        assert_eq!(app.threads.count(), 1);
        assert_eq!((app.panels().count(), app.wants_to_quit()), (1, true));
        press(&mut app, "nbh");
        assert_eq!((app.layers.normals, app.layers.boxes), (false, false));
        assert_eq!(app.panels().count(), 2);
    }

    #[test]
    fn the_meter_changes_with_its_averages() {
        let stage = stage();
        let mut app = app(&stage);
        let before = app.meter_panel.clone();
        assert!(!app.presented(0.3));
        assert!(app.presented(0.3));
        assert_ne!(app.meter_panel, before);
    }
}
