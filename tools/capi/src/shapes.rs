//! Shapes of masks for physics engines: outlines within an error, convex pieces, and terrain in cells.

use crate::collider::mask_id;
use crate::handles::{
    answer_with, destroy, handle, hm_atlas, hm_mask, hm_shape, hm_shape_grid, hm_world, maybe_with,
    store, with, with_mut,
};
use crate::lists::{hm_bytes, hm_numbers, lend};
use crate::pointers::{answer, answer_two, any_bits, maybe_given, maybe_two};
use crate::sprite::{in_plane, no_frame};
use crate::status::{Answer, Failure, call, hm_status};
use crate::types::{hm_mask_id, hm_rect, hm_sprite_id, hm_vec2};
use hitmask::{Fit, Mask, Pieces, Shape, ShapeCell, ShapeGrid, ShapeOptions};

/// On which side of the exact border of the pixels a shape may be.
pub type hm_fit = u32;

/// On either side. It takes the fewest corners. The default.
pub const HM_FIT_NEAREST: hm_fit = 0;
/// The shape covers every set pixel.
pub const HM_FIT_OUTSIDE: hm_fit = 1;
/// The shape covers no clear pixel.
pub const HM_FIT_INSIDE: hm_fit = 2;

/// The value of hm_shape_options.cookie.
const COOKIE: u32 = 0x4853_4850;

/// What a shape shall be like. Fill it with hm_default_shape_options(). Output units are pixels unless
/// `scale` says otherwise, such as metres.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_shape_options {
    /// Set by hm_default_shape_options(); do not change it.
    pub cookie: u32,
    /// The greatest distance between the exact border and that of the shape, in pixels, either way:
    /// 0.1 to 32767. Default 1.
    pub max_error: f32,
    /// On which side the shape may be. Default HM_FIT_NEAREST.
    pub fit: hm_fit,
    /// Islands and holes of fewer pixels are left out. Default 0.
    pub min_area: u32,
    /// The most corners of a piece, from 3. Default 8, as Box2D takes.
    pub max_corners: u32,
    /// The least width of a piece in output units. Thinner ones are left out. Default 0.02.
    pub min_width: f32,
    /// Output units per pixel, such as metres per pixel. Default 1.
    pub scale: f32,
    /// 1 if output y runs up. Default 0.
    pub y_up: u8,
    /// 0.
    pub reserved: [u8; 3],
    /// The origin of the output, in pixels from the top left corner of the mask, or from the pivot of the
    /// sprite. Default (0, 0).
    pub origin: hm_vec2,
}

any_bits! { hm_shape_options }

/// Returns the default options: 1 px of error, 8 corners a piece, in pixels with y down.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_shape_options() -> hm_shape_options {
    let defaults = ShapeOptions::DEFAULT;
    hm_shape_options {
        cookie: COOKIE,
        max_error: defaults.max_error,
        fit: HM_FIT_NEAREST,
        min_area: defaults.min_area,
        max_corners: defaults.max_corners,
        min_width: defaults.min_width,
        scale: defaults.scale,
        y_up: defaults.y_up.into(),
        reserved: [0; 3],
        origin: defaults.origin.into(),
    }
}

impl hm_shape_options {
    /// Returns the options of a pointer, which may be null.
    fn read(this: *const Self) -> Answer<ShapeOptions> {
        let Some(this) = maybe_given(this, "options")? else { return Ok(ShapeOptions::DEFAULT) };
        if this.cookie != COOKIE {
            return Err(Failure::uninitialised("hm_shape_options", this.cookie));
        }
        let fit = match this.fit {
            HM_FIT_NEAREST => Fit::Nearest,
            HM_FIT_OUTSIDE => Fit::Outside,
            HM_FIT_INSIDE => Fit::Inside,
            other => {
                let allowed = "give HM_FIT_NEAREST, HM_FIT_OUTSIDE or HM_FIT_INSIDE";
                return Failure::value("fit", other, allowed);
            }
        };
        Ok(ShapeOptions {
            max_error: this.max_error,
            fit,
            min_area: this.min_area,
            max_corners: this.max_corners,
            min_width: this.min_width,
            scale: this.scale,
            y_up: this.y_up != 0,
            origin: this.origin.into(),
        })
    }
}

/// A lent list of polygons or chains in output units. The corners of polygon i are `points[starts[i]]`
/// up to but without `points[starts[i + 1]]`. The last corner of a polygon is joined to the first.
#[repr(C)]
#[derive(Default)]
pub struct hm_paths {
    /// The corners of all polygons.
    pub points: *const hm_vec2,
    /// count + 1 numbers: where each polygon starts, and where the last one ends.
    pub starts: *const u32,
    /// The number of polygons.
    pub count: usize,
}

/// The pieces that were left out because they are thinner than hm_shape_options.min_width.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_thin_pieces {
    /// Their area in square output units.
    pub area: f64,
    /// Their number.
    pub count: u32,
    /// 0.
    pub reserved: u32,
}

/// Area, centroid and moment of inertia of a shape, in output units, for a density of 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_mass {
    /// The area.
    pub area: f64,
    /// The centroid, to the right; 0 where the area is 0.
    pub centroid_x: f64,
    /// The centroid, along y.
    pub centroid_y: f64,
    /// The moment of inertia about the centroid.
    pub inertia: f64,
}

/// A cell of a shape grid.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_shape_cell {
    /// The pixels of the cell.
    pub rect: hm_rect,
    /// The number of updates that changed the cell.
    pub version: u32,
    /// The number of islands that min_area left out.
    pub islands_left_out: u32,
    /// The number of holes that min_area left out.
    pub holes_left_out: u32,
}

/// The memory of a list of polygons.
#[derive(Default)]
struct Paths {
    points: Vec<hm_vec2>,
    starts: Vec<u32>,
}

impl Paths {
    fn clear(&mut self) {
        self.points.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    fn add(&mut self, points: impl IntoIterator<Item = [f32; 2]>) {
        self.points.extend(points.into_iter().map(hm_vec2::from));
        self.starts.push(self.points.len() as u32);
    }

    fn lend(&self) -> hm_paths {
        let (points, starts) = (self.points.as_ptr(), self.starts.as_ptr());
        hm_paths { points, starts, count: self.starts.len() - 1 }
    }
}

/// The lists that a shape or a grid lends.
#[derive(Default)]
pub(crate) struct Lists {
    rings: Paths,
    borders: Vec<u32>,
    pieces: Paths,
    chains: Paths,
    closed: Vec<u8>,
    changed: Vec<u32>,
}

impl Lists {
    fn rings(&mut self, shape: &Shape) -> Answer<(hm_paths, hm_numbers)> {
        self.rings.clear();
        self.borders.clear();
        for polygon in shape.polygons() {
            let border = self.borders.len() as u32;
            self.borders.extend(std::iter::repeat_n(border, 1 + polygon.holes.len()));
            for ring in std::iter::once(polygon.border).chain(polygon.holes) {
                self.rings.add(ring);
            }
        }
        Ok((self.rings.lend(), self.borders.as_slice().into()))
    }

    fn pieces(&mut self, pieces: &Pieces) -> (hm_paths, hm_thin_pieces) {
        self.pieces.clear();
        for piece in &pieces.pieces {
            self.pieces.add(piece.iter().copied());
        }
        let (area, count) = (pieces.left_out_area, pieces.left_out);
        (self.pieces.lend(), hm_thin_pieces { area, count, reserved: 0 })
    }

    fn chains(&mut self, cell: ShapeCell<'_>) -> (hm_paths, hm_bytes) {
        self.chains.clear();
        self.closed.clear();
        for chain in cell.chains() {
            self.closed.push(chain.ghosts.is_none().into());
            let [before, after] = chain.ghosts.map_or([None; 2], |ghosts| ghosts.map(Some));
            self.chains.add(before.into_iter().chain(chain.points).chain(after));
        }
        (self.chains.lend(), self.closed.as_slice().into())
    }
}

/// A shape or a grid with the lists that it lends.
pub(crate) struct Lending<T> {
    inner: T,
    lists: Lists,
}

impl<T> From<T> for Lending<T> {
    fn from(inner: T) -> Self {
        Self { inner, lists: Lists::default() }
    }
}

handle! { hm_shape of Lending<Shape>, Shape }
handle! { hm_shape_grid of Lending<ShapeGrid>, ShapeGrid }

/// Runs `work` on a run-time mask of a world.
fn world_mask<R>(
    world: *const hm_world,
    id: hm_mask_id,
    work: impl FnOnce(&Mask) -> Answer<R>,
) -> Answer<R> {
    with(world, |state| {
        let id = mask_id(id)?;
        work(state.world.mask(id).ok_or(hitmask::CallError::UnknownMask(id))?)
    })
}

/// Creates the shape of the set pixels of a mask: outlines as valid polygons within an error. A null
/// pointer to the options means the defaults. The shape of an empty mask has no polygons.
///
/// Errors: HM_UNINITIALISED, HM_BAD_NUMBER for an option out of range, HM_BAD_VALUE, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_shape(
    mask: *const hm_mask,
    options: *const hm_shape_options,
    shape: *mut *mut hm_shape,
) -> hm_status {
    answer(shape, || {
        let options = hm_shape_options::read(options)?;
        store(with(mask, |state| Ok(state.mask.shape(options)?))?.into())
    })
}

/// Creates the shape of a frame of a sprite about its pivot, upright and at scale 1. Options are in pixels
/// of the image, and their origin is relative to the pivot. Otherwise it does what hm_mask_shape() does.
///
/// Errors: HM_UNKNOWN_SPRITE, and those of hm_mask_shape().
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_shape(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    frame: u32,
    plane: u32,
    options: *const hm_shape_options,
    shape: *mut *mut hm_shape,
) -> hm_status {
    answer(shape, || {
        let options = hm_shape_options::read(options)?;
        let shape = with(atlas, |state| {
            let sprite = in_plane(state.sprite(sprite)?, plane)?;
            sprite.frame_size(frame).ok_or_else(|| no_frame(frame, sprite))?;
            Ok(sprite.shape(frame, options)?)
        })?;
        store(shape.into())
    })
}

/// Creates the shape of a run-time mask of a world, as hm_mask_shape() does.
///
/// Errors: HM_STALE_ID, and those of hm_mask_shape().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_mask_shape(
    world: *const hm_world,
    id: hm_mask_id,
    options: *const hm_shape_options,
    shape: *mut *mut hm_shape,
) -> hm_status {
    answer(shape, || {
        let options = hm_shape_options::read(options)?;
        store(world_mask(world, id, |mask| Ok(mask.shape(options)?))?.into())
    })
}

/// Destroys a shape. All that it has lent becomes invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_destroy(shape: *mut hm_shape) -> hm_status {
    call(|| destroy(shape))
}

/// Writes area, centroid and moment of inertia of a shape.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_mass(shape: *const hm_shape, mass: *mut hm_mass) -> hm_status {
    answer_with(mass, shape, |state| {
        let mass = state.inner.mass();
        let [centroid_x, centroid_y] = mass.centroid;
        Ok(hm_mass { area: mass.area, centroid_x, centroid_y, inertia: mass.inertia })
    })
}

/// Writes the number of islands and of holes that hm_shape_options.min_area left out; `holes` may be
/// null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_left_out(
    shape: *const hm_shape,
    islands: *mut u32,
    holes: *mut u32,
) -> hm_status {
    answer_two(islands, holes, || with(shape, |state| Ok(state.inner.left_out().into())))
}

/// Lends the outlines of a shape, each outer border before its holes, until the next call of this
/// function with the same shape. Borders have positive area, holes negative. Lends with `borders` the
/// index of the border of each ring: a border has its own. `borders` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_rings(
    shape: *mut hm_shape,
    rings: *mut hm_paths,
    borders: *mut hm_numbers,
) -> hm_status {
    answer_two(rings, borders, || with_mut(shape, |Lending { inner, lists }| lists.rings(inner)))
}

/// Lends convex pieces that are together the shape, until the next call of this function with the same
/// shape. They have positive area: counter-clockwise with y up. Writes to `thin` what was left out;
/// `thin` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_pieces(
    shape: *mut hm_shape,
    pieces: *mut hm_paths,
    thin: *mut hm_thin_pieces,
) -> hm_status {
    answer_two(pieces, thin, || {
        with_mut(shape, |Lending { inner, lists }| Ok(lists.pieces(&inner.pieces())))
    })
}

/// Creates the shapes of a large mask in cells of `side` x `side` pixels, 8 to 1024, usually 64: for
/// terrain that changes. A null pointer to the options means the defaults.
///
/// Errors: HM_UNINITIALISED, HM_BAD_NUMBER for a side or an option out of range, HM_BAD_VALUE, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_create(
    mask: *const hm_mask,
    side: u32,
    options: *const hm_shape_options,
    grid: *mut *mut hm_shape_grid,
) -> hm_status {
    answer(grid, || {
        let options = hm_shape_options::read(options)?;
        store(with(mask, |state| Ok(ShapeGrid::new(&state.mask, side, options)?))?.into())
    })
}

/// Creates the shapes of a run-time mask of a world in cells, as hm_shape_grid_create() does.
///
/// Errors: HM_STALE_ID, and those of hm_shape_grid_create().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_shape_grid(
    world: *const hm_world,
    id: hm_mask_id,
    side: u32,
    options: *const hm_shape_options,
    grid: *mut *mut hm_shape_grid,
) -> hm_status {
    answer(grid, || {
        let options = hm_shape_options::read(options)?;
        store(world_mask(world, id, |mask| Ok(ShapeGrid::new(mask, side, options)?))?.into())
    })
}

/// Destroys a shape grid. All that it has lent becomes invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_destroy(grid: *mut hm_shape_grid) -> hm_status {
    call(|| destroy(grid))
}

fn update(grid: *mut hm_shape_grid, mask: &Mask, rect: hm_rect) -> Answer<hm_numbers> {
    with_mut(grid, |Lending { inner, lists }| {
        let changed = inner.update(mask, rect.into())?;
        lend(&mut lists.changed, changed)
    })
}

/// Traces the cells near `rect` again, and lends the ids of those that are different in ascending
/// order, until the next update of this grid. `rect` covers every pixel that was edited since the last
/// update, in pixels of the mask; it may reach beyond the mask.
///
/// Errors: HM_BAD_LENGTH if the mask has another size than the first one.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_update(
    grid: *mut hm_shape_grid,
    mask: *const hm_mask,
    rect: hm_rect,
    changed: *mut hm_numbers,
) -> hm_status {
    answer(changed, || with(mask, |state| update(grid, &state.mask, rect)))
}

/// Traces cells again by a run-time mask of a world, as hm_shape_grid_update() does.
///
/// Errors: HM_STALE_ID, HM_BAD_LENGTH.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_update_shape_grid(
    world: *const hm_world,
    id: hm_mask_id,
    grid: *mut hm_shape_grid,
    rect: hm_rect,
    changed: *mut hm_numbers,
) -> hm_status {
    answer(changed, || world_mask(world, id, |mask| update(grid, mask, rect)))
}

/// Writes the number of cells. Their ids are below it, row by row.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_count(grid: *const hm_shape_grid, count: *mut u32) -> hm_status {
    answer_with(count, grid, |state| Ok(state.inner.len() as u32))
}

/// Writes what is known of a cell. HM_NONE beyond the last cell.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_cell(
    grid: *const hm_shape_grid,
    id: u32,
    cell: *mut hm_shape_cell,
) -> hm_status {
    maybe_with(cell, grid, |state| {
        Ok(state.inner.cell(id).map(|cell| {
            let [islands_left_out, holes_left_out] = cell.shape().left_out();
            let (rect, version) = (cell.rect().into(), cell.version());
            hm_shape_cell { rect, version, islands_left_out, holes_left_out }
        }))
    })
}

/// Runs `work` on a cell and the lists of its grid.
fn with_cell<R>(
    grid: *mut hm_shape_grid,
    id: u32,
    work: impl FnOnce(&mut Lists, ShapeCell<'_>) -> Answer<R>,
) -> Answer<Option<R>> {
    with_mut(grid, |Lending { inner, lists }| {
        inner.cell(id).map(|cell| work(lists, cell)).transpose()
    })
}

/// Lends the outlines of a cell, as hm_shape_rings() does, until the next call of this function with the
/// same grid. All cells have the coordinates of the whole mask. HM_NONE beyond the last cell.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_rings(
    grid: *mut hm_shape_grid,
    id: u32,
    rings: *mut hm_paths,
    borders: *mut hm_numbers,
) -> hm_status {
    maybe_two(rings, borders, || with_cell(grid, id, |lists, cell| lists.rings(cell.shape())))
}

/// Lends the convex pieces of a cell, as hm_shape_pieces() does, until the next call of this function
/// with the same grid. HM_NONE beyond the last cell.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_pieces(
    grid: *mut hm_shape_grid,
    id: u32,
    pieces: *mut hm_paths,
    thin: *mut hm_thin_pieces,
) -> hm_status {
    maybe_two(pieces, thin, || with_cell(grid, id, |lists, cell| Ok(lists.pieces(cell.pieces()))))
}

/// Lends the outlines of the ground within a cell as chains, without the seams to other cells, until the
/// next call of this function with the same grid. `closed` has 1 for a chain whose last point is joined
/// to the first. Any other chain begins and ends with a ghost point in another cell, as Box2D takes it.
/// `closed` may be null. HM_NONE beyond the last cell.
#[unsafe(no_mangle)]
pub extern "C" fn hm_shape_grid_chains(
    grid: *mut hm_shape_grid,
    id: u32,
    chains: *mut hm_paths,
    closed: *mut hm_bytes,
) -> hm_status {
    maybe_two(chains, closed, || with_cell(grid, id, |lists, cell| Ok(lists.chains(cell))))
}
