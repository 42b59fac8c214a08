//! Snapshots as bytes: a simulation saved, to be continued as if without interruption.
//!
//! A heading of 40 bytes and the state in the [postcard](https://postcard.jamesmunns.com) format,
//! which keeps floats bit by bit. The heading, all words little-endian: the magic `wayfsnap`, the
//! version (8 bytes), the fingerprint of the scene, the length of the state, the checksum of the
//! state.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use wayfare::hash::Fnv1a;
use wayfare::link::NavLinks;
use wayfare::simulation::{Environment, Simulation, SnapshotOf};
use wayfare_formats::Files;

use crate::SiteError;

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"wayfsnap";
/// The version that is read and written.
pub const VERSION: u64 = 10;
const HEADING: usize = 40;

/// A hash that tells scenes apart: of the contents of all files that are read to play one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub u64);

/// Files that remember what was read of them.
pub(crate) struct Witness<'f> {
    files: &'f dyn Files,
    read: RefCell<Read>,
}

#[derive(Default)]
struct Read {
    sum: Fnv1a,
    /// The reads that count, by path and length: a file may be read again, or first in part.
    known: Vec<(PathBuf, usize)>,
}

impl<'f> Witness<'f> {
    pub(crate) fn of(files: &'f dyn Files) -> Self {
        Self { files, read: RefCell::default() }
    }

    /// Returns the fingerprint of what was read so far. The same files in another folder have the
    /// same one.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.read.borrow().sum.value())
    }
}

impl Files for Witness<'_> {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        let bytes = self.files.read(path, cap)?;
        let mut read = self.read.borrow_mut();
        if !read.known.iter().any(|(known, length)| known == path && *length == bytes.len()) {
            read.known.push((path.to_owned(), bytes.len()));
            read.sum.word(bytes.len() as u64);
            read.sum.bytes(&bytes);
        }
        Ok(bytes)
    }

    fn contains(&self, path: &Path) -> bool {
        self.files.contains(path)
    }

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        self.files.beside(path)
    }
}

/// Returns a snapshot as bytes.
pub(crate) fn encode(
    snapshot: &impl Serialize,
    fingerprint: Fingerprint,
) -> Result<Vec<u8>, SiteError> {
    let state = postcard::to_allocvec(snapshot)
        .map_err(|error| SiteError::Unsaved { problem: error.to_string() })?;
    let mut sum = Fnv1a::default();
    sum.bytes(&state);
    let mut bytes = MAGIC.to_vec();
    for number in [VERSION, fingerprint.0, state.len() as u64, sum.value()] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(state);
    Ok(bytes)
}

/// The world and the links of a simulation before its first tick.
#[derive(Clone)]
pub(crate) struct Beginning<W: Environment> {
    world: W,
    links: NavLinks<W::State>,
}

impl<W: Environment + Clone> Beginning<W> {
    /// Returns the fingerprint of a simulation before its first tick.
    pub(crate) fn of(simulation: &Simulation<W>) -> Self {
        Self { world: simulation.world().clone(), links: simulation.links().clone() }
    }
}

/// Returns a simulation with the puzzles and the later links of another one, put to where a
/// snapshot was taken.
pub(crate) fn restore<W>(
    begin: Beginning<W>,
    other: &Simulation<W>,
    bytes: &[u8],
    fingerprint: Fingerprint,
) -> Result<Simulation<W>, String>
where
    W: Environment + Clone,
    W::State: DeserializeOwned,
    W::Cost: DeserializeOwned,
    W::Edit: DeserializeOwned,
{
    let state = state(bytes, fingerprint)?;
    let snapshot: SnapshotOf<W> = postcard::from_bytes(state)
        .map_err(|error| format!("its state cannot be read: {error}"))?;
    // Later links came with changes of the ground.
    let mut links = begin.links;
    links.add_later(other.links(), snapshot.link_count());
    let restored =
        Simulation::restore(begin.world, links, snapshot).map_err(|error| error.to_string())?;
    let puzzles = other.puzzle_specs().cloned().collect();
    restored.with_puzzles(puzzles).ok_or_else(|| "its puzzles are others".to_owned())
}

/// Returns the state in a snapshot, once its heading has been checked.
pub fn state(bytes: &[u8], fingerprint: Fingerprint) -> Result<&[u8], &'static str> {
    let heading = bytes.get(..HEADING).filter(|heading| heading.starts_with(MAGIC));
    let heading = heading.ok_or("it is no snapshot of wayfare")?;
    let number = |place: usize| {
        let bytes = heading[8 * place..8 * place + 8].iter().rev();
        bytes.fold(0u64, |number, byte| number << 8 | u64::from(*byte))
    };
    if number(1) != VERSION {
        return Err("it was written by another version of wayfare");
    }
    let state = &bytes[HEADING..];
    if number(3) != state.len() as u64 {
        return Err("it is not complete");
    }
    let mut sum = Fnv1a::default();
    sum.bytes(state);
    if number(4) != sum.value() {
        return Err("it is damaged: its checksum is wrong");
    }
    if number(2) != fingerprint.0 {
        return Err("it is of another scene, or the scene has been changed since");
    }
    Ok(state)
}
