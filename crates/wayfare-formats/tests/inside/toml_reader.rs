//! Our reader of TOML, against the crate `toml`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use wayfare_formats::inside::read_toml as read;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    number: Option<f32>,
    #[serde(default)]
    large: u64,
    #[serde(default)]
    small: i8,
    #[serde(default)]
    is_on: bool,
    #[serde(default)]
    name: String,
    #[serde(default)]
    place: Option<[f32; 2]>,
    #[serde(default)]
    form: Option<Form>,
    #[serde(default)]
    tagged: Option<Tagged>,
    #[serde(default)]
    parts: Vec<File>,
    #[serde(default)]
    others: BTreeMap<String, Wrapped>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Wrapped(u32);

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    Plain,
    Sized(f32),
    Both(f32, f32),
    Named { radius: f32 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Tagged {
    Round { radius: f32 },
    Flat,
}

/// What is read, or the message and its place: by this reader, and by the crate's own.
type Read = Result<File, (String, Option<Range<usize>>)>;

fn both(text: &str) -> [Read; 2] {
    let ours = read(text).map_err(|fault| (fault.message, fault.span));
    let theirs = toml::from_str(text);
    [ours, theirs.map_err(|error| (error.message().to_owned(), error.span()))]
}

#[test]
fn documents_and_their_faults_are_those_of_the_crate() {
    for text in [
        "",
        "number = 1",
        "number = -1.5e3\nlarge = 0xff\nsmall = -0o7\nis_on = true",
        "number = inf",
        "large = 18_446_744_073_709_551_615",
        "name = 'a'\nplace = [1, 2.5]",
        "name = \"tab\\t\"",
        "form = 'plain'",
        "form = { sized = 2 }\nparts = [{ form = { named = { radius = 1 } } }]",
        "form = { both = [1, 2] }",
        "form = { plain = {} }",
        "tagged = { kind = 'round', radius = 1 }",
        "[[parts]]\nname = 'b'\n[parts.tagged]\nkind = 'flat'\n[others]\nx = 3",
        // Faults.
        "number = ",
        "number = 'one'",
        "small = 300",
        "large = -1",
        "is_on = 1",
        "name = 1",
        "nam = 'a'",
        "place = [1]",
        "place = [1, 'x']",
        "place = [1, 2, 3]",
        "form = 'square'",
        "form = 'sized'",
        "form = { sized = 'x' }",
        "form = { named = { width = 1 } }",
        "form = 3",
        "tagged = { kind = 'round' }",
        "tagged = { kind = 'oval' }",
        "tagged = { radius = 1 }",
        "[[parts]]\nname = 'b'\n[[parts]]\nnmae = 'c'",
        "[others]\nx = 3\ny = 'z'",
        "name = 'a'\nname = 'b'",
    ] {
        let [ours, theirs] = both(text);
        let is_like = match (&ours, &theirs) {
            // The crate names all keys that a variant does not have, in words of its own.
            (Err((_, ours)), Err((message, theirs))) if message.starts_with("unexpected keys") => {
                ours == theirs
            }
            _ => ours == theirs,
        };
        assert!(is_like, "{text}\n{ours:?}\n{theirs:?}");
    }
}

#[test]
fn dates_and_numbers_without_a_type_are_refused() {
    for (text, message) in [
        ("name = 1979-05-27", "dates and times have no meaning here"),
        ("large = 99999999999999999999", "integer number overflowed"),
        ("number = 1e999", "floating-point number overflowed"),
    ] {
        let fault = read::<File>(text).expect_err(text);
        assert_eq!(fault.message, message);
        assert!(fault.span.is_some_and(|span| span.start > 4), "{text}");
    }
}
