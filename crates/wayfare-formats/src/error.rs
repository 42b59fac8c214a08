//! The one error of this crate: the position, the fault, and advice.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::key_path::KeyPath;

/// A world file that could not be read or written.
///
/// It reads well aloud, and names the position:
///
/// ```
/// use wayfare_formats::{movingai_map, WorldErrorKind};
///
/// let error = movingai_map::read(b"type octile\nheight 1\nwidth 4\nmap\n...\n", "short")
///     .unwrap_err();
/// assert_eq!(error.kind(), WorldErrorKind::Dimensions);
/// assert_eq!(
///     error.to_string(),
///     "5:4: this row has 3 tiles, but the header says the map is 4 wide; \
///      add 1 tile or fix the header"
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct WorldError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    path: Option<PathBuf>,
    location: Location,
    /// The key path of the value at fault, in documents that have keys.
    field: KeyPath,
    kind: WorldErrorKind,
    message: String,
    advice: Option<String>,
}

/// The kind of a fault. The message describes it in words.
///
/// ```
/// use wayfare_formats::{WorldErrorKind, movingai_map};
///
/// let error = movingai_map::read(b"height 1", "short").unwrap_err();
/// assert_eq!(error.kind(), WorldErrorKind::Syntax);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorldErrorKind {
    /// The file system refused: missing file, no permission, full disk.
    Io,
    /// No reader knows this file's extension.
    UnknownFormat,
    /// Bytes where text was expected.
    NotText,
    /// The file does not follow its format's grammar.
    Syntax,
    /// Sizes disagree: a header with the rows, an index with its list.
    Dimensions,
    /// A glyph, colour, tile or name that stands for no terrain.
    UnknownTerrain,
    /// A value or name outside its valid range.
    Value,
    /// A name or mark that must be unique is used twice.
    Duplicate,
    /// A reference to something that is not there.
    Dangling,
    /// Larger than this crate is willing to read.
    Limit,
    /// A sound document, but none that a route can be looked for in.
    NotSearchable,
    /// The document cannot be expressed in the format it is to be written in.
    NotRepresentable,
}

/// The position of an error in a file. Lines and columns count from 1, bytes and pixels from 0.
///
/// ```
/// use wayfare_formats::{Location, movingai_scen};
///
/// let error = movingai_scen::read(b"version 1\n2\tfield.map\tsixteen\n").unwrap_err();
/// assert!(matches!(
///     error.location(),
///     Location::Line(2) | Location::LineColumn { line: 2, .. }
/// ));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    File,
    /// A line of text.
    Line(usize),
    /// A position in a line of text; the column counts characters (bytes in formats that are
    /// ASCII).
    LineColumn {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// An offset into the file, in bytes from 0.
    Byte(usize),
    /// A pixel of an image.
    Pixel {
        /// Column of pixels, from 0 at the left.
        x: u32,
        /// Row of pixels, from 0 at the top.
        y: u32,
    },
}

impl WorldError {
    /// Returns an error about the file as a whole; narrow it with the `at_` methods.
    #[doc(hidden)]
    pub fn new(kind: WorldErrorKind, message: impl Into<String>) -> Self {
        WorldError(Box::new(Inner {
            path: None,
            location: Location::File,
            field: KeyPath::default(),
            kind,
            message: message.into(),
            advice: None,
        }))
    }

    pub(crate) fn io(error: &std::io::Error, doing: &str) -> Self {
        WorldError::new(WorldErrorKind::Io, format!("{doing} failed: {error}"))
    }

    /// Sets the position.
    #[doc(hidden)]
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.0.location = location;
        self
    }

    pub(crate) fn at_line(self, line: usize) -> Self {
        self.at(Location::Line(line))
    }

    pub(crate) fn at_column(self, line: usize, column: usize) -> Self {
        self.at(Location::LineColumn { line, column })
    }

    /// Names the value at fault.
    #[doc(hidden)]
    #[must_use]
    pub fn about(mut self, field: KeyPath) -> Self {
        self.0.field = field;
        self
    }

    /// Sets the advice.
    #[doc(hidden)]
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// Names the file, unless an inner file has been named already.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        self.0.path.get_or_insert_with(|| path.to_path_buf());
        self
    }

    /// Returns the file, when the document came from one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the position in the file.
    pub fn location(&self) -> Location {
        self.0.location
    }

    /// Returns the value at fault, such as `links[3].to`, in documents that have keys.
    pub fn field(&self) -> Option<String> {
        (!self.0.field.is_empty()).then(|| self.0.field.to_string())
    }

    /// Returns the path to the value at fault.
    #[doc(hidden)]
    pub fn key_path(&self) -> &KeyPath {
        &self.0.field
    }

    /// Returns the kind of error, for code that wants to branch on it.
    pub fn kind(&self) -> WorldErrorKind {
        self.0.kind
    }

    /// Returns the fault, without position and advice.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the advice, if there is something better than the obvious.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }

    fn sentence(&self) -> String {
        let mut text = String::new();
        if let Some(path) = &self.0.path {
            text.push_str(&path.display().to_string());
            text.push(':');
        }
        match (self.0.location, self.field()) {
            // A line says more than the key path, which the message names too.
            (Location::File, Some(field)) => text.push_str(&field),
            (location, _) => text.push_str(&location.to_string()),
        }
        if !text.is_empty() {
            if !text.ends_with(':') {
                text.push(':');
            }
            text.push(' ');
        }
        text.push_str(&self.0.message);
        if let Some(advice) = &self.0.advice {
            text.push_str("; ");
            text.push_str(advice);
        }
        printable(&text)
    }
}

/// Writes out control characters of names: a terminal would obey them.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push(' '),
            control if control.is_control() => shown.extend(control.escape_default()),
            other => shown.push(other),
        }
    }
    shown
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File => Ok(()),
            Location::Line(line) => write!(f, "{line}"),
            Location::LineColumn { line, column } => write!(f, "{line}:{column}"),
            Location::Byte(byte) => write!(f, "byte {byte}"),
            Location::Pixel { x, y } => write!(f, "pixel {x},{y}"),
        }
    }
}

/// Returns a count with its noun: "1 tile", "2 tiles".
pub fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
