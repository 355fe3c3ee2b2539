//! Collisions of `pygame.sprite`, with its results: boxes first, then pixels.
//!
//! Nothing is kept from one call to the next, because pygame gives no notice when a rect, a mask or an
//! image changes. Reading rect and mask takes 0.1 µs per sprite. Within a call of `groupcollide` each sprite of
//! the second group is read once, and again after a removal.

use crate::mask::{PygameMask, mask_of};
use crate::pygame::from_surface;
use crate::pygame_values::rect_class;
use hitmask::TexelRule;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType};

/// A sprite that is read once: its corner, and its mask.
struct Placed<'py> {
    sprite: Bound<'py, PyAny>,
    x: f64,
    y: f64,
    mask: Bound<'py, PygameMask>,
}

impl<'py> Placed<'py> {
    fn new(sprite: &Bound<'py, PyAny>, rects: &mut Rects<'py>) -> PyResult<Self> {
        let rect = rects.of(sprite)?;
        let (x, y) = (rect.get_item(0)?.extract()?, rect.get_item(1)?.extract()?);
        Ok(Self { sprite: sprite.clone(), x, y, mask: mask(sprite)? })
    }

    /// Returns the offset of another sprite as pygame cuts it: towards 0.
    fn offset(&self, other: &Self) -> PyResult<[i32; 2]> {
        let cut = |distance: f64| {
            let cut = distance.trunc();
            let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&cut);
            fits.then_some(cut as i32)
                .ok_or_else(|| PyTypeError::new_err("offset must be two numbers"))
        };
        Ok([cut(other.x - self.x)?, cut(other.y - self.y)?])
    }

    fn touches(&self, other: &Self) -> PyResult<bool> {
        let offset = self.offset(other)?;
        Ok(self.mask.try_borrow()?.0.touches(&other.mask.try_borrow()?.0, offset))
    }
}

/// Returns the mask of a sprite as one of hitmask: its attribute `mask`, or made from `image`.
fn mask<'py>(sprite: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PygameMask>> {
    let py = sprite.py();
    let given = sprite.getattr_opt(intern!(py, "mask"))?.filter(|mask| !mask.is_none());
    let Some(given) = given else {
        return Bound::new(py, from_surface(&sprite.getattr(intern!(py, "image"))?, 127)?);
    };
    match given.cast_into::<PygameMask>() {
        Ok(mask) => Ok(mask),
        Err(other) => {
            let other = other.into_inner();
            if !other.hasattr(intern!(py, "overlap_area"))? {
                return Err(PyTypeError::new_err(format!(
                    "mask is {}; pass a mask of hitmask, of hitmask.pygame.mask or of pygame.mask",
                    other.repr()?
                )));
            }
            Bound::new(py, PygameMask(mask_of(&other, &TexelRule::default())?))
        }
    }
}

fn listed<'py>(group: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let list = group.py().get_type::<PyList>().call1((group,))?;
    Ok(list.cast_into()?)
}

/// Reads the attribute `rect` of sprites, without a call of Python where it is the property of pygame's class.
#[derive(Default)]
struct Rects<'py> {
    /// The class of the last sprite, and whether it has pygame's property.
    class: Option<(Bound<'py, PyType>, bool)>,
}

impl<'py> Rects<'py> {
    fn of(&mut self, sprite: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        static PROPERTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = sprite.py();
        let class = sprite.get_type();
        let is_plain = match &self.class {
            Some((last, is_plain)) if last.is(&class) => *is_plain,
            _ => {
                let property = PROPERTY.import(py, "hitmask.pygame.sprite", "RECT_OF_SPRITE")?;
                let own = class.getattr_opt(intern!(py, "rect"))?;
                let is_plain = !property.is_none() && own.is_some_and(|own| own.is(property));
                self.class = Some((class, is_plain));
                is_plain
            }
        };
        if is_plain && let Some(rect) = sprite.getattr_opt(intern!(py, "_Sprite__rect"))? {
            return Ok(rect);
        }
        sprite.getattr(intern!(py, "rect"))
    }
}

/// What decides whether two sprites collide.
enum Test<'a, 'py> {
    Rects,
    Masks,
    Call(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> Test<'a, 'py> {
    fn of(collided: Option<&'a Bound<'py, PyAny>>) -> PyResult<Self> {
        static COLLIDE_MASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Some(collided) = collided else { return Ok(Self::Rects) };
        let ours = COLLIDE_MASK.import(collided.py(), "hitmask._hitmask", "collide_mask")?;
        Ok(if collided.is(ours) { Self::Masks } else { Self::Call(collided) })
    }

    /// Returns the sprites of a group that collide, or the first one.
    fn hits(
        &self,
        sprite: &Bound<'py, PyAny>,
        group: impl IntoIterator<Item = PyResult<Bound<'py, PyAny>>>,
        only_first: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let py = sprite.py();
        let mut rects = Rects::default();
        match self {
            Self::Masks => {
                let mut placed = None;
                filtered(group, only_first, |other| {
                    let placed = match &placed {
                        Some(placed) => placed,
                        None => placed.insert(Placed::new(sprite, &mut rects)?),
                    };
                    placed.touches(&Placed::new(other, &mut rects)?)
                })
            }
            Self::Call(collided) => {
                filtered(group, only_first, |other| collided.call1((sprite, other))?.is_truthy())
            }
            Self::Rects if only_first => {
                let collides = rects.of(sprite)?.getattr(intern!(py, "colliderect"))?;
                filtered(group, true, |other| collides.call1((rects.of(other)?,))?.is_truthy())
            }
            Self::Rects => {
                let group: Vec<_> = group.into_iter().collect::<PyResult<_>>()?;
                let rect = rects.of(sprite)?;
                let others = group.iter().map(|other| rects.of(other));
                let others: Vec<_> = others.collect::<PyResult<_>>()?;
                let class = rect_class(py)?;
                if std::iter::once(&rect).chain(&others).all(|rect| rect.get_type().is(class)) {
                    // One call for all. No class of the program has a say in it.
                    let others = PyList::new(py, others)?;
                    let all = rect.call_method1(intern!(py, "collidelistall"), (others,))?;
                    let all = all.cast_into::<PyList>()?;
                    return all
                        .iter()
                        .map(|at| Ok(group[at.extract::<usize>()?].clone()))
                        .collect();
                }
                let collides = rect.getattr(intern!(py, "colliderect"))?;
                let mut hits = Vec::new();
                for (sprite, other) in group.into_iter().zip(others) {
                    if collides.call1((other,))?.is_truthy()? {
                        hits.push(sprite);
                    }
                }
                Ok(hits)
            }
        }
    }
}

fn filtered<'py>(
    group: impl IntoIterator<Item = PyResult<Bound<'py, PyAny>>>,
    only_first: bool,
    mut test: impl FnMut(&Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut hits = Vec::new();
    for other in group {
        let other = other?;
        if test(&other)? {
            hits.push(other);
            if only_first {
                break;
            }
        }
    }
    Ok(hits)
}

fn kill(sprite: &Bound<'_, PyAny>) -> PyResult<()> {
    sprite.call_method0(intern!(sprite.py(), "kill")).map(drop)
}

/// Returns the first pixel that the masks of two sprites share, from the left one's corner, or None.
///
/// The mask is the attribute `mask`, or made from `image`.
#[pyfunction]
pub(crate) fn collide_mask(
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Option<(i32, i32)>> {
    let rects = &mut Rects::default();
    let (left, right) = (Placed::new(left, rects)?, Placed::new(right, rects)?);
    let offset = left.offset(&right)?;
    let found = left.mask.try_borrow()?.first_overlap(&right.mask.try_borrow()?.0, offset);
    Ok(found.map(|point| (point.x, point.y)))
}

/// Returns the sprites of a group that a sprite collides with, in the order of the group.
///
/// `collided(sprite, other)` decides; without it the boxes `rect`. If dokill, these sprites are removed from
/// all their groups.
#[pyfunction]
#[pyo3(signature = (sprite, group, dokill, collided=None))]
pub(crate) fn spritecollide<'py>(
    sprite: &Bound<'py, PyAny>,
    group: &Bound<'py, PyAny>,
    dokill: &Bound<'py, PyAny>,
    collided: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let hits = Test::of(collided)?.hits(sprite, listed(group)?.iter().map(Ok), false)?;
    if dokill.is_truthy()? {
        hits.iter().try_for_each(kill)?;
    }
    Ok(hits)
}

/// Returns the first sprite of a group that a sprite collides with, or None. `collided` is that of `spritecollide`.
#[pyfunction]
#[pyo3(signature = (sprite, group, collided=None))]
pub(crate) fn spritecollideany<'py>(
    sprite: &Bound<'py, PyAny>,
    group: &Bound<'py, PyAny>,
    collided: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Test::of(collided)?.hits(sprite, group.try_iter()?, true)?.pop())
}

/// Returns the sprites of a group that collide with another group, each with the list of those: see
/// `hitmask.pygame.sprite.groupcollide`. If `kills_each`, a sprite of the first group is removed before the
/// next one is tested.
#[pyfunction]
pub(crate) fn groupcollide<'py>(
    groups: [Bound<'py, PyAny>; 2],
    kills: [bool; 2],
    collided: Option<&Bound<'py, PyAny>>,
    kills_each: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let [first, second] = groups;
    let found = PyDict::new(first.py());
    let test = Test::of(collided)?;
    let mut rects = Rects::default();
    let mut others = listed(&second)?;
    let mut placed: Option<Vec<Placed<'py>>> = None;
    let may_change = kills[0] || kills[1];
    for sprite in listed(&first)?.iter() {
        if may_change {
            // A sprite that is killed cannot be hit again.
            let now = listed(&second)?;
            if now.len() != others.len() || now.iter().zip(others.iter()).any(|(a, b)| !a.is(&b)) {
                (others, placed) = (now, None);
            }
        }
        let hits = if matches!(test, Test::Masks) && !others.is_empty() {
            let one = Placed::new(&sprite, &mut rects)?;
            let others = match &placed {
                Some(others) => others,
                None => {
                    let all = others.iter().map(|other| Placed::new(&other, &mut rects));
                    placed.insert(all.collect::<PyResult<_>>()?)
                }
            };
            let mut hits = Vec::new();
            for other in others {
                if one.touches(other)? {
                    hits.push(other.sprite.clone());
                }
            }
            hits
        } else {
            test.hits(&sprite, others.iter().map(Ok), false)?
        };
        if hits.is_empty() {
            continue;
        }
        if kills[1] {
            hits.iter().try_for_each(kill)?;
        }
        found.set_item(&sprite, hits)?;
        if kills[0] && kills_each {
            kill(&sprite)?;
        }
    }
    if kills[0] && !kills_each {
        found.keys().iter().try_for_each(|sprite| kill(&sprite))?;
    }
    Ok(found)
}
