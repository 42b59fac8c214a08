//! The shape of NBT data, checked before anything is built of it: lengths that fit the file, and no
//! nesting deep enough to exhaust the stack.

use std::io::Read;

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::limits::{MAX_NBT_DEPTH, MAX_SCHEM_BYTES};

/// The remaining content of a compound or a list.
enum Open {
    /// Named tags up to an end tag.
    Compound,
    /// That many elements of one type.
    List { tag: u8, left: u32 },
}

struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Cursor<'_> {
    fn error(&self, message: &str) -> WorldError {
        WorldError::new(WorldErrorKind::Syntax, message).at(Location::Byte(self.at))
    }

    fn skip(&mut self, length: usize) -> Result<&[u8], WorldError> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            return Err(self.error("the data ends inside a value"));
        };
        let skipped = &self.bytes[self.at..end];
        self.at = end;
        Ok(skipped)
    }

    fn byte(&mut self) -> Result<u8, WorldError> {
        Ok(self.skip(1)?[0])
    }

    fn length(&mut self) -> Result<u32, WorldError> {
        let word = self.skip(4)?.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        if word > i32::MAX.cast_unsigned() {
            Err(self.error("a length is negative"))
        } else {
            Ok(word)
        }
    }

    fn text(&mut self) -> Result<(), WorldError> {
        let length = self.skip(2)?.iter().fold(0, |word, &byte| word << 8 | usize::from(byte));
        self.skip(length).map(|_| ())
    }
}

/// Returns checked NBT from a file that may be gzipped. At most [`MAX_SCHEM_BYTES`].
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, WorldError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        check(bytes)?;
        return Ok(bytes.to_vec());
    }
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes).take(MAX_SCHEM_BYTES + 1);
    reader.read_to_end(&mut unpacked).map_err(|error| {
        WorldError::new(WorldErrorKind::Syntax, format!("not a sound gzip file: {error}"))
    })?;
    if unpacked.len() as u64 > MAX_SCHEM_BYTES {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("the schematic unpacks to more than {} MiB", MAX_SCHEM_BYTES >> 20),
        )
        .advise("cut it into parts"));
    }
    check(&unpacked)?;
    Ok(unpacked)
}

/// Returns a value from checked NBT; `what` the file should be stands in the message.
pub(super) fn parse<'de, T: serde::Deserialize<'de>>(
    unpacked: &'de [u8],
    what: &str,
) -> Result<T, WorldError> {
    // Lengths have been checked against the data, which is no longer than that.
    let options = fastnbt::DeOpts::new().max_seq_len(MAX_SCHEM_BYTES as usize);
    fastnbt::from_bytes_with_opts(unpacked, options)
        .map_err(|error| WorldError::new(WorldErrorKind::Syntax, format!("not {what}: {error}")))
}

/// Walks over all tags without recursion.
fn check(bytes: &[u8]) -> Result<(), WorldError> {
    let mut cursor = Cursor { bytes, at: 0 };
    if cursor.byte()? != 10 {
        cursor.at = 0;
        return Err(cursor.error("this is no NBT: it does not begin with a compound"));
    }
    cursor.text()?;
    let mut open = vec![Open::Compound];
    while let Some(top) = open.last_mut() {
        let tag = match top {
            Open::List { left: 0, .. } => {
                open.pop();
                continue;
            }
            Open::List { tag, left } => {
                *left -= 1;
                *tag
            }
            Open::Compound => match cursor.byte()? {
                0 => {
                    open.pop();
                    continue;
                }
                tag => {
                    cursor.text()?;
                    tag
                }
            },
        };
        let (array, size) = match tag {
            1 => (false, 1),
            2 => (false, 2),
            3 | 5 => (false, 4),
            4 | 6 => (false, 8),
            7 => (true, 1),
            11 => (true, 4),
            12 => (true, 8),
            8 => {
                cursor.text()?;
                continue;
            }
            9 => {
                let (tag, left) = (cursor.byte()?, cursor.length()?);
                if tag == 0 && left > 0 {
                    return Err(cursor.error("a list of nothing has elements"));
                }
                open.push(Open::List { tag, left });
                (false, 0)
            }
            10 => {
                open.push(Open::Compound);
                (false, 0)
            }
            _ => return Err(cursor.error("a tag of unknown type")),
        };
        if open.len() > MAX_NBT_DEPTH {
            return Err(cursor.error("values are nested too deep"));
        }
        let count = if array { cursor.length()? as usize } else { 1 };
        cursor.skip(count.saturating_mul(size))?;
    }
    Ok(())
}
