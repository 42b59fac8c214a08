//! Lists of Tiled's JSON that were objects before version 1.2: the properties of a thing by their
//! names, and the tiles of a set by their ids.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// An item of such a list.
pub(super) trait Keyed {
    /// Its content in an object.
    type Content;

    /// Returns the item of that content under a key; `None`: no item has such a key.
    fn under(key: String, content: Self::Content) -> Option<Self>
    where
        Self: Sized;
}

/// A list of items, or an object of their contents by keys.
#[derive(Debug)]
pub(super) struct KeyedList<T>(pub(super) Vec<T>);

impl<T> Default for KeyedList<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T> Deserialize<'de> for KeyedList<T>
where
    T: Keyed + Deserialize<'de>,
    T::Content: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);

        impl<'de, T> Visitor<'de> for Either<T>
        where
            T: Keyed + Deserialize<'de>,
            T::Content: Deserialize<'de>,
        {
            type Value = KeyedList<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list, or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(KeyedList(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some((key, content)) = object.next_entry::<String, T::Content>()? {
                    let shown = key.clone();
                    items.push(T::under(key, content).ok_or_else(|| {
                        A::Error::custom(format!("'{shown}' is not the number of a tile"))
                    })?);
                }
                Ok(KeyedList(items))
            }
        }

        from.deserialize_any(Either(PhantomData))
    }
}
