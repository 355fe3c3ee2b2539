//! Queries of a world: places, lines, masks, nearest, picks.

use crate::collider::{Id, filter, numbers};
use crate::errors::{OrRaise, invalid};
use crate::mask::{MaskArg, PyMask};
use crate::mask_pair::graze_name;
use crate::values::{Ij, RectArg, Xy, ij, record, use_one_of};
use crate::world::PyWorld;
use hitmask::{ColliderId, Line, Zone};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

record! {
    /// The collider that a ray enters.
    RayHit {
        /// The id of the collider.
        collider: u64,
        /// The pixel.
        point: (i32, i32),
        /// The number of the pixel on the line, from 0.
        step: u32,
        /// The steps of the whole line.
        steps: u32,
        /// The surface normal at the pixel, of length 1.
        normal: (f32, f32),
    }
}

/// Of a ray that enters nothing, among many.
pub(crate) const NO_RAY_HIT: RayHit =
    RayHit { collider: 0, point: (0, 0), step: 0, steps: 0, normal: (0.0, 0.0) };

pub(crate) fn ray_hit((collider, hit): (ColliderId, hitmask::LineHit)) -> RayHit {
    RayHit {
        collider: collider.to_bits(),
        point: ij(hit.point),
        step: hit.step,
        steps: hit.steps,
        normal: (hit.normal.x, hit.normal.y),
    }
}

fn near((id, distance): (ColliderId, f64)) -> (u64, f64) {
    (id.to_bits(), distance)
}

type Filter<'a, 'py> = &'a Bound<'py, PyDict>;

impl PyWorld {
    fn query(&self, zone: &Zone, given: Option<Filter<'_, '_>>) -> PyResult<Vec<u64>> {
        let filter = filter(given)?;
        self.read(|world| Ok(numbers(world.query(zone, filter).or_raise()?)))
    }
}

#[pymethods]
impl PyWorld {
    /// Returns the colliders that have a pixel at a point in pixels. Keyword arguments: ignore=None (an id),
    /// layers (all), sensors=True, accuracy="exact".
    #[pyo3(signature = (at, **filter))]
    fn query_point(&self, at: Xy, filter: Option<Filter<'_, '_>>) -> PyResult<Vec<u64>> {
        self.query(&Zone::point(at).or_raise()?, filter)
    }

    /// Returns the colliders that have a pixel in a rectangle (x0, y0, x1, y1) of mask pixels, its second
    /// corner exclusive, or a `pygame.Rect` of them. Keyword arguments as of `query_point`.
    #[pyo3(signature = (rect, **filter))]
    fn query_rect(&self, rect: RectArg, filter: Option<Filter<'_, '_>>) -> PyResult<Vec<u64>> {
        self.query(&Zone::rect(rect.0), filter)
    }

    /// Returns the colliders that have a pixel in a circle, in pixels. Keyword arguments as of `query_point`.
    #[pyo3(signature = (center, radius, **filter))]
    fn query_circle(
        &self,
        center: Xy,
        radius: f32,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Vec<u64>> {
        self.query(&Zone::circle(center, radius).or_raise()?, filter)
    }

    /// Returns the colliders that have a pixel in an ellipse, in pixels. Keyword arguments as of
    /// `query_point`.
    #[pyo3(signature = (center, radii, **filter))]
    fn query_ellipse(
        &self,
        center: Xy,
        radii: Xy,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Vec<u64>> {
        self.query(&Zone::ellipse(center, radii).or_raise()?, filter)
    }

    /// Returns the colliders that have a pixel on a line, in pixels. Keyword arguments as of `query_point`.
    #[pyo3(signature = (start, end, **filter))]
    fn query_line(&self, start: Xy, end: Xy, filter: Option<Filter<'_, '_>>) -> PyResult<Vec<u64>> {
        self.query(&Zone::line(Line::new(start, end).or_raise()?), filter)
    }

    /// Returns the colliders that share a pixel with a mask, whose top left corner is at a mask pixel.
    /// Keyword arguments as of `query_point`.
    #[pyo3(signature = (mask, at, **filter))]
    fn query_mask(
        &self,
        mask: MaskArg<'_, PyMask>,
        at: Ij,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Vec<u64>> {
        let (mask, filter) = (mask.try_borrow()?, self::filter(filter)?);
        self.read(|world| Ok(numbers(world.probe(&mask.0, at).touching(filter))))
    }

    /// Returns the first collider on a line from start to end, in pixels, or None. Keyword arguments as of
    /// `query_point`.
    #[pyo3(signature = (start, end, **filter))]
    fn ray(&self, start: Xy, end: Xy, filter: Option<Filter<'_, '_>>) -> PyResult<Option<RayHit>> {
        let (line, filter) = (Line::new(start, end).or_raise()?, self::filter(filter)?);
        self.read(|world| Ok(world.ray(&line, filter).or_raise()?.map(ray_hit)))
    }

    /// Returns all colliders on a line from start to end, in pixels, in order. Keyword arguments as of
    /// `query_point`.
    #[pyo3(signature = (start, end, **filter))]
    fn ray_all(&self, start: Xy, end: Xy, filter: Option<Filter<'_, '_>>) -> PyResult<Vec<RayHit>> {
        let (line, filter) = (Line::new(start, end).or_raise()?, self::filter(filter)?);
        self.read(|world| {
            Ok(world.ray_all(&line, filter).or_raise()?.into_iter().map(ray_hit).collect())
        })
    }

    /// Returns the collider whose pixels are nearest to a point, at most `within` pixels away, and its
    /// distance in pixels; or None. Keyword arguments as of `query_point`.
    #[pyo3(signature = (at, within, **filter))]
    fn nearest(
        &self,
        at: Xy,
        within: f32,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Option<(u64, f64)>> {
        let filter = self::filter(filter)?;
        self.read(|world| Ok(world.nearest(at, within, filter).or_raise()?.map(near)))
    }

    /// Returns the collider whose pixels are nearest to those of another one, at most `within` pixels away,
    /// and the distance in pixels; or None. Keyword arguments as of `query_point`.
    #[pyo3(signature = (id, within, **filter))]
    fn nearest_to(
        &self,
        id: Id,
        within: f32,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Option<(u64, f64)>> {
        let filter = self::filter(filter)?;
        self.read(|world| Ok(world.nearest_to(id.0, within, filter).or_raise()?.map(near)))
    }

    /// Returns the collider under a pointer at a point in pixels, or None. If no pixel is there, the nearest
    /// one within `radius` pixels is picked. Among several the largest `order` wins: "slot", "data" (the
    /// user_data of a collider), or a function of the id. Keyword arguments as of `query_point`.
    #[pyo3(signature = (at, radius=0.0, order=None, **filter), text_signature = "($self, at, radius=0.0, order='slot', **filter)")]
    fn pick(
        &self,
        at: Xy,
        radius: f32,
        order: Option<&Bound<'_, PyAny>>,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Option<u64>> {
        let filter = self::filter(filter)?;
        let name: Option<String> = order.and_then(|order| order.extract().ok());
        let raised = RefCell::new(None);
        let height = |id: ColliderId| -> f64 {
            let found = order.map(|call| call.call1((id.to_bits(),)).and_then(|key| key.extract()));
            match found {
                Some(Ok(height)) => height,
                Some(Err(error)) => {
                    raised.borrow_mut().get_or_insert(error);
                    0.0
                }
                None => 0.0,
            }
        };
        let found = self.read(|world| {
            match (order, name.as_deref()) {
                (None, _) | (_, Some("slot")) => world.pick(at, radius, filter, ColliderId::index),
                (_, Some("data")) => world.pick(at, radius, filter, |id| {
                    world.get(id).map_or(0, |collider| collider.user_data)
                }),
                (_, Some(name)) => {
                    let help = use_one_of(name, &["slot", "data"]);
                    return Err(invalid(
                        format!("order is {name:?}"),
                        format!("{help}, or a function of the id"),
                    ));
                }
                _ => world.pick(at, radius, filter, height),
            }
            .or_raise()
        })?;
        raised.into_inner().map_or(Ok(found.map(ColliderId::to_bits)), Err)
    }

    /// Returns the ids of the colliders that a collider hits or passes within some pixels, each with "hit" or
    /// "graze". Keyword arguments as of `query_point`.
    #[pyo3(signature = (id, within, **filter))]
    fn graze(
        &self,
        id: Id,
        within: f32,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Vec<(u64, &'static str)>> {
        let filter = self::filter(filter)?;
        self.read(|world| {
            let found = world.graze(id.0, within, filter).or_raise()?.into_iter();
            Ok(found.map(|(id, graze)| (id.to_bits(), graze_name(graze))).collect())
        })
    }

    /// Returns the shortest translation, at most `radius` mask pixels, that frees a mask at a mask pixel from
    /// all colliders: (0, 0) if it is free, None if no place within the radius is. Keyword arguments as of
    /// `query_point`.
    #[pyo3(signature = (mask, at, radius, **filter))]
    fn nearest_free_offset(
        &self,
        mask: MaskArg<'_, PyMask>,
        at: Ij,
        radius: u32,
        filter: Option<Filter<'_, '_>>,
    ) -> PyResult<Option<(i32, i32)>> {
        let (mask, filter) = (mask.try_borrow()?, self::filter(filter)?);
        self.read(|world| Ok(world.probe(&mask.0, at).push_out(radius, filter).map(ij)))
    }
}
