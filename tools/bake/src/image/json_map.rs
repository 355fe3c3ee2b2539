//! A JSON object whose keys are unique.
//!
//! Used by the readers of sheets and of Tiled's files. A map of the standard library would keep the
//! last of two values without a word.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

/// The values by key. A key that is there twice is an error of the parser.
pub(super) struct UniqueMap<T>(pub(super) BTreeMap<String, T>);

impl<T> Default for UniqueMap<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = UniqueMap<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    match entries.entry(key) {
                        Entry::Vacant(entry) => entry.insert(map.next_value()?),
                        Entry::Occupied(entry) => {
                            let key = entry.key();
                            return Err(A::Error::custom(format!("duplicate key `{key}`")));
                        }
                    };
                }
                Ok(UniqueMap(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}
