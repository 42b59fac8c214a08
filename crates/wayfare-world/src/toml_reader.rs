//! TOML to structures.
//!
//! The reader of the crate `toml` takes each structure from tables, dates, arrays and values with
//! their places, and each way is compiled for every structure. This one takes structures from
//! tables alone. It reads what that one reads, but refuses an array in place of a structure.

use std::fmt;
use std::ops::Range;
use std::slice;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::text::location;

/// Reads a document.
///
/// # Errors
/// With line and column: malformed TOML, a key that is unknown or missing, a value of another type.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, WorldError> {
    let fault = |fault: Fault| {
        let at = fault.span.map_or(Location::File, |span| location(text, span.start));
        WorldError::new(WorldErrorKind::Syntax, fault.message.trim().replace('\n', " ")).at(at)
    };
    let root = DeTable::parse(text).map_err(|error| {
        fault(Fault { message: error.message().to_owned(), span: error.span() })
    })?;
    let span = root.span();
    let root = DeValue::Table(root.into_inner());
    T::deserialize(Value { value: &root, span }).map_err(fault)
}

/// What is wrong, and the bytes of the text at fault.
#[derive(Debug)]
struct Fault {
    message: String,
    span: Option<Range<usize>>,
}

impl Fault {
    /// The same fault, in that part of the text unless it is known to lie in a smaller one.
    fn within(mut self, span: Range<usize>) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// A value of a document, and the bytes of the text that it takes.
struct Value<'d> {
    value: &'d DeValue<'d>,
    span: Range<usize>,
}

/// A number without a fraction.
enum Integer {
    Signed(i64),
    Unsigned(u64),
}

fn integer(number: &DeInteger<'_>) -> Option<Integer> {
    let (digits, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(digits, radix).ok().map(Integer::Signed);
    signed.or_else(|| u64::from_str_radix(digits, radix).ok().map(Integer::Unsigned))
}

/// A number with a fraction; `None` if it is too large for one that is finite.
fn float(digits: &str) -> Option<f64> {
    let number: f64 = digits.parse().ok()?;
    (!number.is_infinite() || digits.contains("inf")).then_some(number)
}

impl<'d> Value<'d> {
    fn of(spanned: &'d Spanned<DeValue<'d>>) -> Self {
        Self { value: spanned.get_ref(), span: spanned.span() }
    }

    /// The fault that this is not a value of the expected type.
    #[cold]
    fn refuse(&self, expected: &dyn Expected) -> Fault {
        let found = match self.value {
            DeValue::String(text) => Unexpected::Str(text),
            DeValue::Integer(number) => match integer(number) {
                Some(Integer::Signed(number)) => Unexpected::Signed(number),
                Some(Integer::Unsigned(number)) => Unexpected::Unsigned(number),
                None => return self.overflow(),
            },
            DeValue::Float(number) => match float(number.as_str()) {
                Some(number) => Unexpected::Float(number),
                None => return self.overflow(),
            },
            DeValue::Boolean(value) => Unexpected::Bool(*value),
            DeValue::Datetime(_) => Unexpected::Other("date or time"),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
        };
        <Fault as de::Error>::invalid_type(found, expected).within(self.span.clone())
    }

    #[cold]
    fn overflow(&self) -> Fault {
        let message = match self.value {
            DeValue::Float(_) => "floating-point number overflowed",
            _ => "integer number overflowed",
        };
        Fault { message: message.to_owned(), span: Some(self.span.clone()) }
    }

    fn table(&self) -> Option<Entries<'d>> {
        let DeValue::Table(table) = self.value else { return None };
        Some(Entries { rest: table.iter(), value: None })
    }
}

/// Defines methods that do what another one does.
macro_rules! forward {
    ($($to:ident from $($from:ident),+;)*) => {
        $($(
            fn $from<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
                self.$to(visitor)
            }
        )+)*
    };
}

/// Methods for one type each, so that a structure is compiled for tables, a list for arrays.
impl<'d> Deserializer<'d> for Value<'d> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            DeValue::String(_) => self.deserialize_str(visitor),
            DeValue::Integer(_) | DeValue::Float(_) => self.deserialize_f64(visitor),
            DeValue::Boolean(_) => self.deserialize_bool(visitor),
            DeValue::Datetime(_) => Err(self.refuse(&visitor)),
            DeValue::Array(_) => self.deserialize_seq(visitor),
            DeValue::Table(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Some(entries) = self.table() else { return Err(self.refuse(&visitor)) };
        visitor.visit_map(entries).map_err(|fault: Fault| fault.within(self.span))
    }

    fn deserialize_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_seq<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let DeValue::Array(array) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_seq(Items(array.iter())).map_err(|fault: Fault| fault.within(self.span))
    }

    fn deserialize_tuple<V: Visitor<'d>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_str<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let DeValue::String(text) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_borrowed_str(text).map_err(|fault: Fault| fault.within(self.span))
    }

    fn deserialize_i64<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let DeValue::Integer(number) = self.value else { return Err(self.refuse(&visitor)) };
        match integer(number) {
            Some(Integer::Signed(number)) => visitor.visit_i64(number),
            Some(Integer::Unsigned(number)) => visitor.visit_u64(number),
            None => Err(self.overflow()),
        }
        .map_err(|fault: Fault| fault.within(self.span))
    }

    /// Whole numbers are numbers too.
    fn deserialize_f64<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let DeValue::Float(number) = self.value else { return self.deserialize_i64(visitor) };
        match float(number.as_str()) {
            Some(number) => visitor.visit_f64(number),
            None => Err(self.overflow()),
        }
        .map_err(|fault: Fault| fault.within(self.span))
    }

    fn deserialize_bool<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let DeValue::Boolean(value) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_bool(*value).map_err(|fault: Fault| fault.within(self.span))
    }

    /// What is there is something: a key that is missing is nothing.
    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let span = self.span.clone();
        visitor.visit_some(self).map_err(|fault: Fault| fault.within(span))
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let span = self.span.clone();
        visitor.visit_newtype_struct(self).map_err(|fault: Fault| fault.within(span))
    }

    /// A variant without data by its name, one with data as a table of one key.
    fn deserialize_enum<V: Visitor<'d>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let span = self.span.clone();
        let variant = match self.value {
            DeValue::String(name) => Some(Variant { name, span: span.clone(), data: None }),
            DeValue::Table(table) => only_entry(table).map(|(name, data)| Variant {
                name: name.get_ref(),
                span: name.span(),
                data: Some(Self::of(data)),
            }),
            _ => None,
        };
        let Some(variant) = variant else { return Err(self.refuse(&visitor)) };
        visitor.visit_enum(variant).map_err(|fault: Fault| fault.within(span))
    }

    forward_to_deserialize_any! {
        <V: Visitor<'d>>
        bytes byte_buf unit unit_struct ignored_any identifier i128 u128
    }

    forward! {
        deserialize_i64 from deserialize_i8, deserialize_i16, deserialize_i32, deserialize_u8,
            deserialize_u16, deserialize_u32, deserialize_u64;
        deserialize_f64 from deserialize_f32;
        deserialize_str from deserialize_char, deserialize_string;
    }
}

fn only_entry<'d>(
    table: &'d DeTable<'d>,
) -> Option<(&'d Spanned<DeString<'d>>, &'d Spanned<DeValue<'d>>)> {
    if table.len() == 1 { table.iter().next() } else { None }
}

/// The keys and values of a table.
struct Entries<'d> {
    rest: toml::map::Iter<'d, Spanned<DeString<'d>>, Spanned<DeValue<'d>>>,
    value: Option<&'d Spanned<DeValue<'d>>>,
}

impl<'d> MapAccess<'d> for Entries<'d> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        let name = BorrowedStrDeserializer::new(key.get_ref());
        seed.deserialize(name).map(Some).map_err(|fault: Fault| fault.within(key.span()))
    }

    fn next_value_seed<V: DeserializeSeed<'d>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        match self.value.take() {
            Some(value) => {
                let read = seed.deserialize(Value::of(value));
                read.map_err(|fault: Fault| fault.within(value.span()))
            }
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }
}

/// The values of an array.
struct Items<'d>(slice::Iter<'d, Spanned<DeValue<'d>>>);

impl<'d> SeqAccess<'d> for Items<'d> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        self.0.next().map(|item| seed.deserialize(Value::of(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// A variant of an enum by its name, with its data.
struct Variant<'d> {
    name: &'d str,
    /// The place of the name.
    span: Range<usize>,
    data: Option<Value<'d>>,
}

impl<'d> EnumAccess<'d> for Variant<'d> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'d>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let name = BorrowedStrDeserializer::new(self.name);
        let named = seed.deserialize(name);
        let named = named.map_err(|fault: Fault| fault.within(self.span.clone()))?;
        Ok((named, self))
    }
}

impl<'d> VariantAccess<'d> for Variant<'d> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.data {
            None => Ok(()),
            Some(data) => Err(data.refuse(&"no data")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.with_data()?)
    }

    fn tuple_variant<V: Visitor<'d>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.with_data()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.with_data()?.deserialize_map(visitor)
    }
}

impl<'d> Variant<'d> {
    fn with_data(self) -> Result<Value<'d>, Fault> {
        let message = || format!("`{}` needs data: {} = …", self.name, self.name);
        self.data.ok_or_else(|| Fault { message: message(), span: Some(self.span.clone()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Everything {
        name: String,
        #[serde(default)]
        small: Option<u8>,
        #[serde(default)]
        ratio: f32,
        #[serde(default)]
        places: Vec<[u32; 2]>,
        #[serde(default)]
        kind: Option<Kind>,
        #[serde(default)]
        spot: Option<Spot>,
        #[serde(default)]
        shape: Option<Shape>,
        #[serde(default, deserialize_with = "even")]
        even: u8,
    }

    fn even<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        let number = <u8 as serde::Deserialize>::deserialize(from)?;
        if number % 2 == 0 { Ok(number) } else { Err(de::Error::custom("an odd number")) }
    }

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Plain,
        Wide(u16),
        Deep { metres: f32 },
    }

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(untagged, expecting = "expected a name or a point")]
    enum Spot {
        Named(String),
        Point([f32; 3]),
    }

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
    enum Shape {
        Ball { radius: f32 },
    }

    /// What this reader and that of the crate `toml` make of a text: a value, or a message with the
    /// place at fault.
    fn both(text: &str) -> [Result<Everything, String>; 2] {
        let ours = read(text).map_err(|error| format!("{error}"));
        let theirs = toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(Location::File, |span| location(text, span.start));
            let message = error.message().trim().replace('\n', " ");
            format!("{}", WorldError::new(WorldErrorKind::Syntax, message).at(at))
        });
        [ours, theirs]
    }

    #[test]
    fn it_reads_what_the_crate_toml_reads_and_finds_its_faults() {
        let texts = [
            "name = 'a'",
            "name = 'a'\nsmall = 7\nratio = 2\nplaces = [[1, 2], [3, 0x10]]",
            "name = \"a\\tb\"\nratio = 0.25\nkind = 'plain'\nspot = 'here'",
            "name = 'a'\nkind = { wide = 300 }\nspot = [1, 2.5, -3]",
            "name = 'a'\nkind = { deep = { metres = 2 } }\nshape = { shape = 'ball', radius = 1 }",
            "name = 'a'\nratio = inf",
            // Faults.
            "",
            "name = 1",
            "\nname = 'a'\n  small = 256",
            "name = 'a'\nsmall = -1",
            "name = 'a'\nsmall = 1.5",
            "name = 'a'\nsmall = 99999999999999999999999999999999999999999999",
            "name = 'a'\nratio = 'wide'",
            "name = 'a'\nratio = 1e999",
            "name = 'a'\ngrit = 1",
            "name = 'a'\nplaces = [[1, 2], [3]]",
            "name = 'a'\nplaces = [[1, 2], [3, true]]",
            "name = 'a'\nplaces = 3",
            "name = 'a'\nkind = 'steep'",
            "name = 'a'\nkind = { steep = 1 }",
            "name = 'a'\nkind = { wide = 'x' }",
            "name = 'a'\nspot = 5",
            "name = 'a'\nshape = { shape = 'cube' }",
            "name = 'a'\nshape = { shape = 'ball', radius = 'x' }",
            "name = 'a'\nshape = { shape = 'ball' }",
            "name = 'a'\nshape = { shape = 'ball', radius = 1, edge = 2 }",
            "name = 'a'\neven = 3",
            "name = 'a'\nname = 'b'",
            "name = ",
            "[name]\nx = 1",
        ];
        for text in texts {
            let [ours, theirs] = both(text);
            assert_eq!(ours, theirs, "{text}");
        }
    }

    #[test]
    fn structures_are_tables() {
        let said = read::<Everything>("name = 'a'\nshape = 2020-01-02\n").unwrap_err().to_string();
        assert!(said.starts_with("2:9: invalid type: date or time"), "{said}");
        #[derive(serde::Deserialize, Debug)]
        #[expect(dead_code, reason = "only read")]
        struct Outer {
            inner: Everything,
        }
        let said = read::<Outer>("inner = ['a']\n").unwrap_err().to_string();
        assert!(said.starts_with("1:9: invalid type: sequence"), "{said}");
    }
}
