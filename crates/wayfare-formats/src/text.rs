//! Lines of a text file with their numbers, and positions in a text.

use crate::error::{Location, WorldError, WorldErrorKind};

/// Lines of `bytes` without their line ends (LF or CRLF), numbered from 1.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

/// One line: its number from 1, and its bytes without the line end.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Lines<'a> {
    /// Skips a UTF-8 byte order mark, which some Windows editors leave.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Lines { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), number: 0 }
    }

    /// Returns how many bytes have not been handed out yet.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the number of the last line handed out.
    pub(crate) fn number(&self) -> usize {
        self.number
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match self.rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        self.number += 1;
        Some(Line { number: self.number, bytes: line.strip_suffix(b"\r").unwrap_or(line) })
    }
}

impl<'a> Line<'a> {
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    pub(crate) fn text(&self) -> Result<&'a str, WorldError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            WorldError::new(WorldErrorKind::NotText, "this line is not UTF-8 text")
                .at_column(self.number, error.valid_up_to() + 1)
                .advise("save the file as UTF-8 (plain ASCII will do)")
        })
    }

    pub(crate) fn error(&self, kind: WorldErrorKind, message: impl Into<String>) -> WorldError {
        WorldError::new(kind, message).at_line(self.number)
    }
}

/// Returns the whole of a file as text.
///
/// # Errors
/// With the offset of the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, WorldError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        WorldError::new(WorldErrorKind::NotText, "the file is not UTF-8 text from here on")
            .at(Location::Byte(error.valid_up_to()))
            .advise("save the file as UTF-8")
    })
}

/// Returns line and column, both from 1, of a byte offset into a text.
#[must_use]
pub fn location(text: &str, offset: usize) -> Location {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Location::LineColumn { line, column }
}

/// Returns a glyph or byte as it should appear in a message, even when it is not printable.
pub(crate) fn show_byte(byte: u8) -> String {
    if byte.is_ascii_graphic() || byte == b' ' {
        format!("'{}'", byte as char)
    } else {
        format!("byte 0x{byte:02x}")
    }
}
