//! Locked doors and keys as a puzzle: an agent has to fetch the keys.

use wayfare_formats::TilePosition;
use wayfare_scene::scene::{PuzzleArea, PuzzleBarrier, PuzzleThing, ScenePuzzle, Spot};

use crate::{DoorPlan, Ground, TileDraft, TileScene};

impl TileScene {
    /// Returns the same world with its locked doors as gates of a puzzle and its keys as parts: of
    /// its first puzzle, or of one from the entry to the exit. A door is floor beneath its gate.
    #[must_use]
    pub(crate) fn unlocked(mut self) -> Self {
        if self.doors.is_empty() {
            return self;
        }
        if self.puzzles.is_empty() {
            let cell = |at: TilePosition| Spot::Cell([at.x, at.y]);
            let max = [self.draft.width() - 1, self.draft.height() - 1];
            self.puzzles.push(ScenePuzzle {
                name: "doors".to_owned(),
                start: cell(self.entry_tile()),
                goal: cell(self.exit_tile()),
                area: Some(PuzzleArea { min: [0, 0], max }),
                ..ScenePuzzle::default()
            });
        }
        let puzzle = &mut self.puzzles[0];
        for key in &self.keys {
            let (name, at) = (key.name.to_owned(), [key.at.x, key.at.y]);
            puzzle.keys.push(PuzzleThing { name, at });
        }
        for door in std::mem::take(&mut self.doors) {
            let key = self.keys[door.key].name;
            let Some(at) = tile_of(&self.draft, &door) else { continue };
            puzzle.gates.push(PuzzleBarrier {
                name: format!("{key} door"),
                form: Default::default(),
                cells: vec![[at.x, at.y]],
                when: vec![format!("key {key}")],
            });
            self.draft.set(at.x, at.y, Ground::Floor);
        }
        self.keys.clear();
        self
    }
}

/// Returns the tile of a door: the one beside both of its ends.
fn tile_of(draft: &TileDraft, door: &DoorPlan) -> Option<TilePosition> {
    let around = |at: TilePosition| draft.around(draft.index(at.x, at.y));
    let both = around(door.from).find(|tile| {
        draft.tiles()[*tile] == Ground::Door && around(door.to).any(|other| other == *tile)
    });
    both.map(|tile| draft.position(tile))
}
