//! The values of manifest keys, validated while they are parsed, because the parser knows line and
//! column.
//!
//! Used by `keys`.

use crate::image::GridOrder;
use crate::settings::{Anchor, MAX_RADIUS};
use hitmask::{
    AlphaRule, Channel, ColorRange, Flip, MAX_PIVOT, MaskError, Pivot, PoseError, PoseSet,
};
use serde::de::{self, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Converts a pose error to a parser error. The text includes the remedy, because a parser error
/// has only one text.
fn with_help<E: Error>(error: PoseError) -> E {
    E::custom(format_args!("{error}, {}", error.help()))
}

/// One value or a list of values.
#[derive(Clone)]
pub(super) struct Many<T>(pub(super) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
            type Value = Many<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one value or a list in [ ]")
            }

            fn visit_str<E: Error>(self, one: &str) -> Result<Many<T>, E> {
                T::deserialize(one.into_deserializer()).map(|one| Many(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Many<T>, A::Error> {
                let mut many = Vec::new();
                while let Some(one) = seq.next_element()? {
                    many.push(one);
                }
                Ok(Many(many))
            }
        }
        deserializer.deserialize_any(OneOrMany(PhantomData))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Angles(pub(super) u32);

impl<'de> Deserialize<'de> for Angles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let angles = u32::deserialize(deserializer)?;
        PoseSet::new(angles, [1.0]).map(|_| Self(angles)).map_err(with_help)
    }
}

/// A positive error limit in pixels.
#[derive(Clone, Copy)]
pub(super) struct MaxError(pub(super) f32);

impl<'de> Deserialize<'de> for MaxError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let error = one_number(deserializer)? as f32;
        // Also false for NaN.
        let is_good = error > 0.0 && error.is_finite();
        is_good
            .then_some(Self(error))
            .ok_or_else(|| D::Error::custom(format!("max_error is {error}, but must be above 0")))
    }
}

/// A size given in megabytes, stored in bytes.
#[derive(Clone, Copy)]
pub(super) struct Megabytes(pub(super) u64);

impl<'de> Deserialize<'de> for Megabytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let megabytes = one_number(deserializer)?;
        let is_good = megabytes > 0.0 && megabytes.is_finite();
        is_good
            .then_some(Self((megabytes * 1e6) as u64))
            .ok_or_else(|| D::Error::custom(format!("max_mb is {megabytes}, but must be above 0")))
    }
}

/// Mask pixels along one side of a pixel.
#[derive(Clone, Copy)]
pub(super) struct MaskPixels(pub(super) f32);

impl<'de> Deserialize<'de> for MaskPixels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let resolution = one_number(deserializer)? as f32;
        PoseSet::new(1, [1.0])
            .and_then(|poses| poses.at_resolution(resolution))
            .map(|_| Self(resolution))
            .map_err(with_help)
    }
}

/// Reads one integer or float.
fn one_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Numbers::deserialize(deserializer)?.0[..] {
        [one] => Ok(one),
        _ => Err(D::Error::custom("there must be exactly one number")),
    }
}

#[derive(Clone)]
pub(super) struct Scales(pub(super) Vec<f32>);

impl<'de> Deserialize<'de> for Scales {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let scales = Numbers::deserialize(deserializer)?.0;
        let scales: Vec<f32> = scales.into_iter().map(|scale| scale as f32).collect();
        PoseSet::new(1, scales.clone()).map(|_| Self(scales)).map_err(with_help)
    }
}

/// One number or a list of numbers, integers or floats.
struct Numbers(Vec<f64>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a list of numbers in [ ]")
            }

            fn visit_i64<E: Error>(self, one: i64) -> Result<Numbers, E> {
                Ok(Numbers(vec![one as f64]))
            }

            fn visit_f64<E: Error>(self, one: f64) -> Result<Numbers, E> {
                Ok(Numbers(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Numbers, A::Error> {
                let mut many = Vec::new();
                while let Some(one) = seq.next_element()? {
                    many.push(one);
                }
                Ok(Numbers(many))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Alpha(pub(super) AlphaRule);

impl<'de> Deserialize<'de> for Alpha {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rule;
        impl<'de> Visitor<'de> for Rule {
            type Value = Alpha;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the least solid alpha, 0 to 255, or { above = 0 } or { bits = 128 }")
            }

            fn visit_i64<E: Error>(self, least: i64) -> Result<Alpha, E> {
                let wrong = || E::invalid_value(de::Unexpected::Signed(least), &self);
                least.try_into().map(|least| Alpha(AlphaRule::AtLeast(least))).map_err(|_| wrong())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Alpha, A::Error> {
                #[derive(Deserialize)]
                #[serde(rename_all = "snake_case")]
                enum Kind {
                    AtLeast,
                    Above,
                    Bits,
                }
                let Some((kind, value)) = map.next_entry()? else {
                    return Err(A::Error::custom("alpha has no rule"));
                };
                if map.next_key::<Kind>()?.is_some() {
                    return Err(A::Error::custom("alpha has more than one rule"));
                }
                Ok(Alpha(match kind {
                    Kind::AtLeast => AlphaRule::AtLeast(value),
                    Kind::Above => AlphaRule::Above(value),
                    Kind::Bits => AlphaRule::Bits(value),
                }))
            }
        }
        deserializer.deserialize_any(Rule)
    }
}

/// The value of the key `channel`.
#[derive(Clone, Copy)]
pub(super) struct ChannelKey(pub(super) Channel);

impl<'de> Deserialize<'de> for ChannelKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        named(
            deserializer,
            &[
                ("alpha", Self(Channel::Alpha)),
                ("red", Self(Channel::Red)),
                ("green", Self(Channel::Green)),
                ("blue", Self(Channel::Blue)),
            ],
        )
    }
}

/// The value of the key `flip`.
#[derive(Clone, Copy)]
pub(super) struct FlipKey(pub(super) Flip);

impl<'de> Deserialize<'de> for FlipKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        named(
            deserializer,
            &[
                ("none", Self(Flip::NONE)),
                ("x", Self(Flip::X)),
                ("y", Self(Flip::Y)),
                ("xy", Self(Flip::XY)),
            ],
        )
    }
}

/// The value of the key `order`.
#[derive(Clone, Copy)]
pub(super) struct OrderKey(pub(super) GridOrder);

impl<'de> Deserialize<'de> for OrderKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let orders = [("rows", Self(GridOrder::Rows)), ("columns", Self(GridOrder::Columns))];
        named(deserializer, &orders)
    }
}

/// A radius in texels.
#[derive(Clone, Copy)]
pub(super) struct Radius(pub(super) u32);

impl<'de> Deserialize<'de> for Radius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let radius = u32::deserialize(deserializer)?;
        let wrong =
            || D::Error::custom(format!("the radius is {radius}, and the limit is {MAX_RADIUS}"));
        if radius <= MAX_RADIUS { Ok(Self(radius)) } else { Err(wrong()) }
    }
}

/// Left, top, width and height in texels.
#[derive(Clone, Copy)]
pub(super) struct Rectangle(pub(super) [u32; 4]);

impl<'de> Deserialize<'de> for Rectangle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WRONG: &str =
            "a rectangle is [left, top, width, height] in whole texels, at least 1 wide and high";
        let numbers = Numbers::deserialize(deserializer)?.0;
        let whole = |&v: &f64| {
            (v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&v)).then_some(v as u32)
        };
        let whole: Option<Vec<u32>> = numbers.iter().map(whole).collect();
        match whole.as_deref() {
            Some(&[x, y, width, height]) if width > 0 && height > 0 => {
                Ok(Self([x, y, width, height]))
            }
            _ => Err(D::Error::custom(WRONG)),
        }
    }
}

/// Looks up a value by its name.
fn named<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    names: &[(&str, T)],
) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        D::Error::custom(format!("{name:?} is not one of {}", names.join(", ")))
    })
}

/// A colour or a range of colours.
#[derive(Clone, Copy)]
pub(super) struct ColorKey(pub(super) ColorRange);

impl<'de> Deserialize<'de> for ColorKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let range: Result<ColorRange, MaskError> = text.parse();
        range.map(Self).map_err(|e| D::Error::custom(format_args!("{e}: {}", e.help())))
    }
}

/// Alpha thresholds of planes.
#[derive(Clone)]
pub(super) struct Thresholds(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Thresholds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut thresholds: Vec<u8> = Vec::new();
        for value in Numbers::deserialize(deserializer)?.0 {
            if value.fract() != 0.0 || !(1.0..=255.0).contains(&value) {
                let wrong = format!("threshold {value} is not a whole number from 1 to 255");
                return Err(D::Error::custom(wrong));
            }
            if thresholds.contains(&(value as u8)) {
                return Err(D::Error::custom(format!("threshold {value} is repeated")));
            }
            thresholds.push(value as u8);
        }
        Ok(Self(thresholds))
    }
}

/// A pivot: coordinates in texels, or a named point of the frame.
#[derive(Clone, Copy)]
pub(super) enum PivotKey {
    At(Pivot),
    Anchor(Anchor),
}

impl<'de> Deserialize<'de> for PivotKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Place;
        impl<'de> Visitor<'de> for Place {
            type Value = PivotKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name such as \"bottom\", or [x, y] in texels")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<PivotKey, E> {
                match name.parse() {
                    Ok(Anchor::Center) => Ok(PivotKey::At(Pivot::Center)),
                    Ok(anchor) => Ok(PivotKey::Anchor(anchor)),
                    Err(text) => Err(E::custom(format!("{text} nor [x, y]"))),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PivotKey, A::Error> {
                let mut half_texels = Vec::new();
                while let Some(texels) = seq.next_element::<f64>()? {
                    let twice = 2.0 * texels;
                    // Also false for NaN.
                    let is_good = twice.fract() == 0.0 && twice.abs() <= f64::from(MAX_PIVOT);
                    half_texels.extend(is_good.then_some(twice as i32));
                }
                match half_texels[..] {
                    [x, y] => Ok(PivotKey::At(Pivot::HalfTexels(x, y))),
                    _ => Err(A::Error::custom(format!(
                        "a pivot needs two whole or half numbers, at most {} texels from the corner",
                        MAX_PIVOT / 2
                    ))),
                }
            }
        }
        deserializer.deserialize_any(Place)
    }
}

/// Width and height of a tile.
#[derive(Clone, Copy)]
pub(super) struct Tile(pub(super) [u32; 2]);

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Pair(tile) = Pair::deserialize(deserializer)?;
        let is_good = !tile.contains(&0);
        is_good
            .then_some(Self(tile))
            .ok_or_else(|| D::Error::custom("the sides of a tile must be at least 1"))
    }
}

/// Two whole numbers, or one for both axes.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub(super) [u32; 2]);

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Numbers::deserialize(deserializer)?.0;
        let whole = |v: &f64| v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(v);
        match numbers[..] {
            _ if !numbers.iter().all(whole) => {
                Err(D::Error::custom("the number of texels must be whole and at least 0"))
            }
            [both] => Ok(Self([both as u32; 2])),
            [x, y] => Ok(Self([x as u32, y as u32])),
            _ => Err(D::Error::custom("there must be one number for both axes, or [x, y]")),
        }
    }
}
