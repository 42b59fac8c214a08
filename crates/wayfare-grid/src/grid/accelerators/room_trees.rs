//! The rooms of each medium, kept for who asks for them.
//!
//! Rooms follow an edit at once if they were asked for since the one before, so that searches in a
//! loop of edits find them up to date. If they were not, another edit is only noted: games that
//! find their ways by an index, a hierarchy or a field need no rooms. Whoever asks next has the
//! noted edits followed. Once these are more than can be followed faster than rooms are found, the
//! rooms are dropped. What is found depends on the map alone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::accelerator::{Accelerator, CELLS_A_MENDED_FLIP, Edit, MoveRule, Stage};
use super::rooms::Rooms;
use super::signs::Signed;
use super::standing::Standing;
use crate::grid::Cell;

/// The rooms of each medium.
#[derive(Clone, Debug)]
pub(in crate::grid) struct RoomTrees(Vec<Kept>);

/// The rooms of a medium.
#[derive(Debug, Default)]
struct Kept {
    /// Of the map as it is.
    rooms: OnceLock<Rooms>,
    /// Whether they were asked for since the last edit.
    are_asked_for: AtomicBool,
    behind: Mutex<Option<Behind>>,
}

/// Rooms before some edits, and the cells that these changed.
#[derive(Clone, Debug)]
struct Behind {
    rooms: Rooms,
    flips: Vec<Cell>,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            rooms: self.rooms.clone(),
            are_asked_for: AtomicBool::new(self.are_asked_for.load(Ordering::Relaxed)),
            behind: Mutex::new(behind.clone()),
        }
    }
}

impl Kept {
    fn find(&self, map: Signed<'_>) -> &Rooms {
        // Written once an edit: threads that only read keep the line.
        if !self.are_asked_for.load(Ordering::Relaxed) {
            self.are_asked_for.store(true, Ordering::Relaxed);
        }
        self.rooms.get_or_init(|| {
            let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(Behind { mut rooms, flips }) = behind else { return Rooms::new(map) };
            rooms.follow(map, &flips);
            rooms
        })
    }

    /// Follows an edit, or notes it. Keeps at most `most` noted cells. Returns the work.
    fn follow(&mut self, map: Signed<'_>, flips: Vec<Cell>, most: usize) -> u64 {
        let are_asked_for = std::mem::take(self.are_asked_for.get_mut());
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        match (self.rooms.get_mut(), &mut *behind) {
            (Some(_), _) if flips.len() > most => self.rooms = OnceLock::new(),
            (Some(rooms), _) if are_asked_for => return rooms.follow(map, &flips),
            (Some(_), _) => {
                *behind = self.rooms.take().map(|rooms| Behind { rooms, flips });
            }
            (None, Some(noted)) if noted.flips.len() + flips.len() <= most => {
                noted.flips.extend(flips);
            }
            (None, _) => *behind = None,
        }
        0
    }

    fn size_in_bytes(&self) -> usize {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = |behind: &Behind| {
            behind.rooms.size_in_bytes() + size_of::<Cell>() * behind.flips.capacity()
        };
        self.rooms.get().map_or(0, Rooms::size_in_bytes) + behind.as_ref().map_or(0, noted)
    }
}

impl RoomTrees {
    pub(super) fn new(media: usize) -> Self {
        Self((0..media).map(|_| Kept::default()).collect())
    }

    /// Returns the rooms of a medium, found now if need be.
    pub(super) fn find(&self, medium: usize, map: Signed<'_>) -> Option<&Rooms> {
        self.0.get(medium).map(|kept| kept.find(map))
    }

    /// Returns the rooms of a medium, if they were found since the last edit.
    #[inline(always)]
    pub(super) fn found(&self, medium: usize) -> Option<&Rooms> {
        self.0.get(medium)?.rooms.get()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.0.iter().map(Kept::size_in_bytes).sum()
    }
}

impl Accelerator for RoomTrees {
    const STAGE: Stage = Stage::Rooms;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = (&'a Standing, MoveRule);

    /// See [`Rooms::follow`]; O(changed cells) where the edit is noted.
    fn follow(&mut self, (standing, rule): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        let layout = edit.ground.layout;
        let most = layout.bound() / CELLS_A_MENDED_FLIP + 64;
        let mut work = 0;
        for (medium, kept) in self.0.iter_mut().enumerate() {
            let Some(map) = standing.map_of(medium, layout, rule) else { continue };
            let flips: Vec<Cell> = edit.flips_of(medium).map(|flip| flip.cell).collect();
            if !flips.is_empty() {
                work += flips.len() as u64 + kept.follow(map, flips, most);
            }
        }
        work
    }
}
