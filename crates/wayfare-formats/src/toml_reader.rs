//! From the tree of a TOML document to the types of files.
//!
//! The crate `toml` has a deserializer of its own for values, one for tables, one for dates and one
//! for spans, and each type of a file is compiled for all of them. A scene has some eighty types.
//! Here there is one, over the tree that `toml` parses, which knows tables, lists, texts, numbers
//! and booleans: no file of ours contains a date.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::value::CowStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeArray, DeFloat, DeInteger, DeTable, DeValue};

/// A fault of a document, and its bytes.
#[derive(Debug)]
pub struct TomlFault {
    /// The fault.
    pub message: String,
    /// Where, if it is known.
    pub span: Option<Range<usize>>,
}

impl TomlFault {
    fn new(message: impl fmt::Display, span: Range<usize>) -> Self {
        Self { message: message.to_string(), span: Some(span) }
    }

    /// Sets the position of the fault, unless one within it is known.
    fn within(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }
}

impl fmt::Display for TomlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TomlFault {}

impl Error for TomlFault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// Reads a document.
///
/// # Errors
/// Malformed TOML, and values that the type does not accept.
pub fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, TomlFault> {
    let root = DeTable::parse(text)
        .map_err(|error| TomlFault { message: error.message().to_owned(), span: error.span() })?;
    let span = root.span();
    T::deserialize(Node { value: DeValue::Table(root.into_inner()), span })
}

/// A value of the document, and the bytes where it is.
struct Node<'t> {
    value: DeValue<'t>,
    span: Range<usize>,
}

impl<'t> From<Spanned<DeValue<'t>>> for Node<'t> {
    fn from(value: Spanned<DeValue<'t>>) -> Self {
        Self { span: value.span(), value: value.into_inner() }
    }
}

impl<'t> Node<'t> {
    /// Returns the items of a list, and its bytes.
    fn into_items(self, wanted: &dyn Expected) -> Result<(Items<'t>, Range<usize>), TomlFault> {
        let Self { value, span } = self;
        match value {
            DeValue::Array(items) => Ok((Items(items.into_iter()), span)),
            other => Err(unsuited(&other, wanted).within(&span)),
        }
    }

    /// Returns the entries of a table, and its bytes.
    fn into_entries(self, wanted: &dyn Expected) -> Result<(Entries<'t>, Range<usize>), TomlFault> {
        let Self { value, span } = self;
        match value {
            DeValue::Table(entries) => Ok((Entries::of(entries), span)),
            other => Err(unsuited(&other, wanted).within(&span)),
        }
    }

    /// Returns a variant with its content, and the bytes of both.
    fn into_choice(self) -> Result<(Choice<'t>, Range<usize>), TomlFault> {
        let Self { value, span } = self;
        let choice = match value {
            DeValue::String(name) => Choice { name, span: span.clone(), content: Content(None) },
            DeValue::Table(entries) if entries.len() == 1 => {
                let entry = entries.into_iter().next();
                let Some((name, content)) = entry else {
                    return Err(TomlFault::new("wanted an entry", span));
                };
                let span = name.span();
                Choice { name: name.into_inner(), span, content: Content(Some(content.into())) }
            }
            DeValue::Table(entries) => {
                let count = entries.len();
                let message = format!("wanted exactly 1 element, found {count} elements");
                return Err(TomlFault::new(message, span));
            }
            _ => return Err(TomlFault::new("wanted string or table", span)),
        };
        Ok((choice, span))
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = TomlFault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlFault> {
        let Self { value, span } = self;
        let read = match value {
            DeValue::String(Cow::Owned(text)) => visitor.visit_string(text),
            DeValue::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            DeValue::Integer(number) => match whole(&number) {
                Some(Whole::Signed(number)) => visitor.visit_i64(number),
                Some(Whole::Large(number)) => visitor.visit_u64(number),
                None => Err(TomlFault::custom("integer number overflowed")),
            },
            DeValue::Float(number) => match real(&number) {
                Some(number) => visitor.visit_f64(number),
                None => Err(TomlFault::custom("floating-point number overflowed")),
            },
            DeValue::Boolean(is_true) => visitor.visit_bool(is_true),
            DeValue::Datetime(_) => Err(TomlFault::custom("dates and times have no meaning here")),
            DeValue::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            DeValue::Table(entries) => visitor.visit_map(Entries::of(entries)),
        };
        read.map_err(|fault| fault.within(&span))
    }

    /// Reads any present value as `Some`: an absent one is no entry of a table.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlFault> {
        let span = self.span.clone();
        visitor.visit_some(self).map_err(|fault| fault.within(&span))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TomlFault> {
        let span = self.span.clone();
        visitor.visit_newtype_struct(self).map_err(|fault| fault.within(&span))
    }

    /// Reads a choice: a text, or a table of one entry with the content of the variant.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TomlFault> {
        let (choice, span) = self.into_choice()?;
        visitor.visit_enum(choice).map_err(|fault| fault.within(&span))
    }

    // A list is read as a list and a table as a table: compiled for each type, all other forms of a
    // value were three fifths of the code.

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlFault> {
        let (items, span) = self.into_items(&visitor)?;
        visitor.visit_seq(items).map_err(|fault| fault.within(&span))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, TomlFault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlFault> {
        let (entries, span) = self.into_entries(&visitor)?;
        visitor.visit_map(entries).map_err(|fault| fault.within(&span))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TomlFault> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char str string bytes byte_buf unit
        ignored_any unit_struct tuple_struct identifier
    }
}

/// Returns the fault of a value of another form than what is wanted.
fn unsuited(value: &DeValue<'_>, wanted: &dyn Expected) -> TomlFault {
    let found = match value {
        DeValue::String(text) => Unexpected::Str(text),
        DeValue::Integer(number) => match whole(number) {
            Some(Whole::Signed(number)) => Unexpected::Signed(number),
            Some(Whole::Large(number)) => Unexpected::Unsigned(number),
            None => return TomlFault::custom("integer number overflowed"),
        },
        DeValue::Float(number) => match real(number) {
            Some(number) => Unexpected::Float(number),
            None => return TomlFault::custom("floating-point number overflowed"),
        },
        DeValue::Boolean(is_true) => Unexpected::Bool(*is_true),
        DeValue::Datetime(_) => return TomlFault::custom("dates and times have no meaning here"),
        DeValue::Array(_) => Unexpected::Seq,
        DeValue::Table(_) => Unexpected::Map,
    };
    TomlFault::invalid_type(found, wanted)
}

enum Whole {
    Signed(i64),
    /// Above all that are signed.
    Large(u64),
}

/// Returns an integer; `None` if it has more than 64 bits.
fn whole(number: &DeInteger<'_>) -> Option<Whole> {
    let (digits, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(digits, radix).map(Whole::Signed);
    signed.or_else(|_| u64::from_str_radix(digits, radix).map(Whole::Large)).ok()
}

/// Returns a float; `None` if it is too large to be one, except `inf`.
fn real(number: &DeFloat<'_>) -> Option<f64> {
    let value: f64 = number.as_str().parse().ok()?;
    (!value.is_infinite() || number.as_str().contains("inf")).then_some(value)
}

/// The items of a list.
struct Items<'t>(<DeArray<'t> as IntoIterator>::IntoIter);

impl<'t> SeqAccess<'t> for Items<'t> {
    type Error = TomlFault;

    fn next_element_seed<T: DeserializeSeed<'t>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TomlFault> {
        self.0.next().map(|item| seed.deserialize(Node::from(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a table.
struct Entries<'t> {
    entries: <DeTable<'t> as IntoIterator>::IntoIter,
    /// That of the key that was read last.
    value: Option<Node<'t>>,
}

impl<'t> Entries<'t> {
    fn of(entries: DeTable<'t>) -> Self {
        Self { entries: entries.into_iter(), value: None }
    }
}

impl<'t> MapAccess<'t> for Entries<'t> {
    type Error = TomlFault;

    fn next_key_seed<K: DeserializeSeed<'t>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, TomlFault> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value.into());
        let span = key.span();
        let key: CowStrDeserializer<'_, TomlFault> = key.into_inner().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|fault| fault.within(&span))
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, TomlFault> {
        let value = self.value.take();
        let value =
            value.ok_or_else(|| TomlFault::custom("a value was asked for before its key"))?;
        let span = value.span.clone();
        seed.deserialize(value).map_err(|fault| fault.within(&span))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// One of several variants.
struct Choice<'t> {
    name: Cow<'t, str>,
    /// That of the name.
    span: Range<usize>,
    content: Content<'t>,
}

impl<'t> EnumAccess<'t> for Choice<'t> {
    type Error = TomlFault;
    type Variant = Content<'t>;

    fn variant_seed<V: DeserializeSeed<'t>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), TomlFault> {
        let name: CowStrDeserializer<'_, TomlFault> = self.name.into_deserializer();
        let variant = seed.deserialize(name).map_err(|fault| fault.within(&self.span))?;
        Ok((variant, self.content))
    }
}

/// The content of a variant; none if its name stands alone.
struct Content<'t>(Option<Node<'t>>);

impl<'t> Content<'t> {
    fn expect(self, form: &'static str) -> Result<Node<'t>, TomlFault> {
        self.0.ok_or_else(|| TomlFault::invalid_type(Unexpected::UnitVariant, &form))
    }
}

impl<'t> VariantAccess<'t> for Content<'t> {
    type Error = TomlFault;

    fn unit_variant(self) -> Result<(), TomlFault> {
        match self.0 {
            None => Ok(()),
            Some(Node { value: DeValue::Table(entries), .. }) if entries.is_empty() => Ok(()),
            Some(Node { span, .. }) => Err(TomlFault::new("expected empty table", span)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'t>>(self, seed: T) -> Result<T::Value, TomlFault> {
        seed.deserialize(self.expect("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'t>>(self, _len: usize, visitor: V) -> Result<V::Value, TomlFault> {
        self.expect("tuple variant")?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TomlFault> {
        let content = self.expect("struct variant")?;
        if let DeValue::Table(entries) = &content.value {
            let unknown = entries.keys().find(|key| !fields.contains(&key.get_ref().as_ref()));
            if let Some(key) = unknown {
                let fault = TomlFault::unknown_field(key.get_ref(), fields);
                return Err(fault.within(&key.span()));
            }
        }
        content.deserialize_map(visitor)
    }
}
