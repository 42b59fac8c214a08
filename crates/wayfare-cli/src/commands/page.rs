//! The built page: a folder, or files packed into this program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};

use crate::failure::Failure;

// Files by path, each compressed by gzip; empty without the feature `studio`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the files of the page are.
#[derive(Debug)]
pub(super) enum Page {
    Folder(PathBuf),
    /// Within this program.
    Packed,
}

/// A file for a visitor.
pub(super) struct Content {
    pub(super) bytes: Box<dyn Read>,
    /// The length in bytes.
    pub(super) length: u64,
    pub(super) is_gzip: bool,
}

impl Content {
    /// Returns the content of a file.
    pub(super) fn of_file(file: &Path) -> io::Result<Self> {
        let file = File::open(file)?;
        let length = file.metadata()?.len();
        Ok(Self { bytes: Box::new(file), length, is_gzip: false })
    }

    /// Returns the same compressed: less to send for the price of a moment.
    fn compressed(self) -> io::Result<Self> {
        let mut bytes = Vec::new();
        GzEncoder::new(self.bytes, Compression::fast()).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        Ok(Self { bytes: Box::new(io::Cursor::new(bytes)), length, is_gzip: true })
    }
}

/// Returns whether a file is of a form that is stored without compression.
fn gains_by_gzip(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["html", "js", "css", "wasm"].contains(&extension))
}

impl Page {
    /// Returns the page in the folder that was asked for, else the one in this program, else that
    /// of one of the usual folders.
    pub(super) fn find(asked: Option<&Path>) -> Result<Self, Failure> {
        let is_page = |folder: &PathBuf| folder.join("index.html").is_file();
        if asked.is_none() && !PACKED.is_empty() {
            return Ok(Self::Packed);
        }
        let beside = std::env::current_exe().ok().and_then(|program| {
            let folder = program.parent()?;
            Some([folder.join("studio"), folder.join("../share/wayfare/studio")])
        });
        let usual = || beside.into_iter().flatten().chain([PathBuf::from("studio/dist")]);
        let found = match asked {
            Some(folder) => Some(folder.to_path_buf()).filter(is_page),
            None => usual().find(is_page),
        };
        found.map(Self::Folder).ok_or_else(|| {
            let problem = match asked {
                Some(folder) => format!("{} holds no built page", folder.display()),
                None => "there is no built page in this program, in ./studio/dist or beside this \
                     program"
                    .to_owned(),
            };
            Failure::Usage(format!(
                "{problem}: build it with studio/build in the source of Wayfare, and name its \
                 folder studio/dist with --page"
            ))
        })
    }

    /// Returns the folder of the page; `None` if it is within this program.
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Packed => None,
        }
    }

    /// Returns the file at a path below the page, if there is one. It is compressed only if
    /// `takes_gzip`.
    pub(super) fn read(&self, path: &str, takes_gzip: bool) -> io::Result<Option<Content>> {
        match self {
            Self::Folder(folder) => {
                let path = Path::new(path);
                let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
                let file = folder.join(path);
                if !is_below || !file.is_file() {
                    return Ok(None);
                }
                let content = Content::of_file(&file)?;
                let is_packed = takes_gzip && gains_by_gzip(&file);
                Ok(Some(if is_packed { content.compressed()? } else { content }))
            }
            Self::Packed => {
                let packed = PACKED.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes);
                packed.map(|packed| unpacked(packed, takes_gzip)).transpose()
            }
        }
    }
}

fn unpacked(packed: &'static [u8], takes_gzip: bool) -> io::Result<Content> {
    if takes_gzip {
        let length = packed.len() as u64;
        return Ok(Content { bytes: Box::new(packed), length, is_gzip: true });
    }
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    let length = bytes.len() as u64;
    Ok(Content { bytes: Box::new(io::Cursor::new(bytes)), length, is_gzip: false })
}
