//! The tiles of a layer or chunk, out of whatever the file wraps them in.

use std::io::Read;

use base64::Engine;

use crate::error::{WorldError, WorldErrorKind, count};

/// How tiles are packed, for people.
const PACKED: &str =
    if cfg!(feature = "zstd") { "zlib, gzip or Zstandard" } else { "zlib or gzip" };

/// How layer data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Encoding {
    pub(super) fn from_names(encoding: &str, compression: &str) -> Result<Self, WorldError> {
        match (encoding, compression) {
            ("csv", "") => Ok(Encoding::Csv),
            ("base64", "") => Ok(Encoding::Base64),
            ("base64", "zlib") => Ok(Encoding::Zlib),
            ("base64", "gzip") => Ok(Encoding::Gzip),
            #[cfg(feature = "zstd")]
            ("base64", "zstd") => Ok(Encoding::Zstd),
            _ => Err(WorldError::new(
                WorldErrorKind::Syntax,
                format!("layer data with encoding '{encoding}', compression '{compression}'"),
            )
            .advise(format!(
                "choose CSV, or base64 that is uncompressed, {PACKED}, as Tile Layer Format in the \
                 map properties of Tiled"
            ))),
        }
    }

    /// Returns the global tile ids in `text`, which must be exactly `wanted`.
    ///
    /// No more is decompressed than `wanted` tiles take.
    pub(super) fn decode(self, text: &str, wanted: usize) -> Result<Vec<u32>, WorldError> {
        if self == Encoding::Csv {
            return decode_csv(text, wanted);
        }
        let compact: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let packed =
            base64::engine::general_purpose::STANDARD.decode(compact).map_err(|error| {
                WorldError::new(
                    WorldErrorKind::Syntax,
                    format!("layer data is not base64: {error}"),
                )
            })?;
        let limit = wanted as u64 * 4 + 1;
        let bytes = match self {
            Encoding::Zlib => inflate(flate2::read::ZlibDecoder::new(&packed[..]).take(limit))?,
            Encoding::Gzip => inflate(flate2::read::GzDecoder::new(&packed[..]).take(limit))?,
            #[cfg(feature = "zstd")]
            Encoding::Zstd => {
                let frames = ruzstd::decoding::StreamingDecoder::new(&packed[..]);
                inflate(frames.map_err(|error| unpacked(&error))?.take(limit))?
            }
            Encoding::Csv | Encoding::Base64 => packed,
        };
        if bytes.len() != wanted * 4 {
            return Err(wrong_count(bytes.len() / 4, wanted));
        }
        Ok(bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
    }
}

pub(super) fn wrong_count(found: usize, wanted: usize) -> WorldError {
    let more = if found >= wanted { "more" } else { "only" };
    let found = if found >= wanted { String::new() } else { format!(" {found}") };
    WorldError::new(
        WorldErrorKind::Dimensions,
        format!(
            "the layer has {more}{found} tiles where its size asks for {}",
            count(wanted, "tile")
        ),
    )
}

fn decode_csv(text: &str, wanted: usize) -> Result<Vec<u32>, WorldError> {
    let mut gids = Vec::new();
    for word in text.split(',').map(str::trim) {
        if gids.len() == wanted {
            // A trailing comma is common in the wild.
            if word.is_empty() {
                break;
            }
            return Err(wrong_count(wanted + 1, wanted));
        }
        gids.push(word.parse().map_err(|_| {
            let word: String = word.chars().take(20).collect();
            WorldError::new(
                WorldErrorKind::Value,
                format!("tile {} of the layer, '{word}', is not a tile number", gids.len()),
            )
        })?);
    }
    if gids.len() < wanted {
        return Err(wrong_count(gids.len(), wanted));
    }
    Ok(gids)
}

fn inflate(mut reader: impl Read) -> Result<Vec<u8>, WorldError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| unpacked(&error))?;
    Ok(bytes)
}

fn unpacked(error: &dyn std::fmt::Display) -> WorldError {
    WorldError::new(WorldErrorKind::Syntax, format!("layer data does not decompress: {error}"))
}
