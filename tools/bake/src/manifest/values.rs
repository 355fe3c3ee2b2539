//! The values of manifest keys, validated while they are parsed, because the parser knows line and
//! column.
//!
//! Used by `keys`.

use crate::image::GridOrder;
use crate::settings::{Anchor, MAX_RADIUS};
use hitmask::{AlphaRule, CallError, Channel, ColorRange, Flip, MAX_PIVOT, Pivot, PoseSet};
use serde::de::{self, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Makes types that are read as another type and then checked. An error is a text.
macro_rules! checked {
    ($derive:tt $(
        $(#[$doc:meta])* $name:ident($value:ty): |$read:ident: $from:ty| $check:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive $derive]
        pub(super) struct $name(pub(super) $value);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let check = |$read: $from| -> Result<$value, String> { $check };
                check(Deserialize::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
            }
        }
    )*};
}

checked! {
    (Clone)
    Scales(Vec<f32>): |scales: Numbers| {
        let scales: Vec<f32> = scales.0.into_iter().map(|scale| scale as f32).collect();
        PoseSet::new(1, scales.clone()).map(|_| scales).map_err(with_help)
    };
    /// Alpha thresholds of planes.
    Thresholds(Vec<u8>): |numbers: Numbers| {
        let mut thresholds: Vec<u8> = Vec::new();
        for value in numbers.0 {
            if value.fract() != 0.0 || !(1.0..=255.0).contains(&value) {
                return Err(format!("threshold {value} is not a whole number from 1 to 255"));
            }
            if thresholds.contains(&(value as u8)) {
                return Err(format!("threshold {value} is repeated"));
            }
            thresholds.push(value as u8);
        }
        Ok(thresholds)
    };
}

checked! {
    (Clone, Copy)
    Angles(u32): |angles: u32| {
        PoseSet::new(angles, [1.0]).map(|_| angles).map_err(with_help)
    };
    /// A positive error limit in pixels.
    MaxError(f32): |error: Numbers| above_0("max_error", one(error)? as f32);
    /// A size given in megabytes, stored in bytes.
    Megabytes(u64): |size: Numbers| Ok((above_0("max_mb", one(size)?)? * 1e6) as u64);
    /// Mask pixels along one side of a pixel.
    MaskPixels(f32): |resolution: Numbers| {
        let resolution = one(resolution)? as f32;
        let poses = PoseSet::new(1, [1.0]).and_then(|poses| poses.at_resolution(resolution));
        poses.map(|_| resolution).map_err(with_help)
    };
    ChannelKey(Channel): |name: String| named(&name, &[
        ("alpha", Channel::Alpha),
        ("red", Channel::Red),
        ("green", Channel::Green),
        ("blue", Channel::Blue),
    ]);
    FlipKey(Flip): |name: String| {
        named(&name, &[("none", Flip::NONE), ("x", Flip::X), ("y", Flip::Y), ("xy", Flip::XY)])
    };
    OrderKey(GridOrder): |name: String| {
        named(&name, &[("rows", GridOrder::Rows), ("columns", GridOrder::Columns)])
    };
    /// A radius in texels.
    Radius(u32): |radius: u32| {
        let wrong = || format!("the radius is {radius}, and the limit is {MAX_RADIUS}");
        (radius <= MAX_RADIUS).then_some(radius).ok_or_else(wrong)
    };
    /// Left, top, width and height in texels.
    Rectangle([u32; 4]): |numbers: Numbers| {
        match whole(&numbers.0).as_deref() {
            Some(&[x, y, width, height]) if width > 0 && height > 0 => Ok([x, y, width, height]),
            _ => Err("a rectangle is [left, top, width, height] in whole texels, at least 1 wide \
                      and high".to_owned()),
        }
    };
    /// A colour or a range of colours.
    ColorKey(ColorRange): |text: String| {
        text.parse().map_err(|e: CallError| format!("{e}: {}", e.help()))
    };
    /// Width and height of a tile.
    Tile([u32; 2]): |tile: Pair| {
        let wrong = || "the sides of a tile must be at least 1".to_owned();
        (!tile.0.contains(&0)).then_some(tile.0).ok_or_else(wrong)
    };
    /// Two whole numbers, or one for both axes.
    Pair([u32; 2]): |numbers: Numbers| match whole(&numbers.0).as_deref() {
        None => Err("the number of texels must be whole and at least 0".to_owned()),
        Some(&[both]) => Ok([both; 2]),
        Some(&[x, y]) => Ok([x, y]),
        Some(_) => Err("there must be one number for both axes, or [x, y]".to_owned()),
    };
}

/// Converts a pose error to a text with the remedy, because a parser error has only one text.
fn with_help(error: CallError) -> String {
    format!("{error}, {}", error.help())
}

/// Returns the only number.
fn one(numbers: Numbers) -> Result<f64, String> {
    let [one] = numbers.0[..] else { return Err("there must be exactly one number".to_owned()) };
    Ok(one)
}

fn above_0<N: Into<f64> + fmt::Display + Copy>(key: &str, value: N) -> Result<N, String> {
    let number: f64 = value.into();
    // Also false for NaN.
    let is_good = number > 0.0 && number.is_finite();
    is_good.then_some(value).ok_or_else(|| format!("{key} is {value}, but must be above 0"))
}

/// Returns the numbers, or `None` if one is not a whole number of 32 bits.
fn whole(numbers: &[f64]) -> Option<Vec<u32>> {
    let is_whole = |v: f64| v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&v);
    numbers.iter().map(|&v| is_whole(v).then_some(v as u32)).collect()
}

/// Looks up a value by its name.
fn named<T: Copy>(name: &str, names: &[(&str, T)]) -> Result<T, String> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        format!("{name:?} is not one of {}", names.join(", "))
    })
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
                f.write_str("a text in quotes, or a list of texts in [ ]")
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
