//! Resets: a scenario of a world is swapped for one of another seed, while agents are in it.

use wayfare_formats::TilePosition;
use wayfare_grid::grid::Grid;
use wayfare_scene::scene::{GroundChange, ScenePuzzle, ScheduledCommand, Spot};
use wayfare_sim::simulation::{Command, CommandOf, GridEdit};

use crate::arrange::tiles_of;
use crate::{Arrangement, GenerateError, Generated, Ground, Kinds, Manager, Seed};

impl Generated {
    /// Returns the same kind with the same values, built by other random numbers: as large as this
    /// one.
    ///
    /// ```
    /// use wayfare_generate::{Kinds, Seed, Settings, generate};
    ///
    /// let kinds = Kinds::standard();
    /// let cave = generate(kinds.get("caves")?, &Settings::default(), Seed(7))?;
    /// let other = cave.reseeded(Seed(8), &kinds)?;
    /// assert!(other.values == cave.values && other.draft != cave.draft);
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// When `kinds` has no such kind in that version, or the values contradict each other under
    /// that seed.
    pub fn reseeded(&self, seed: Seed, kinds: &Kinds) -> Result<Self, GenerateError> {
        let scenario = kinds.get(&self.kind)?.in_version(self.version)?;
        let draft = scenario.build(&self.values, seed.child("build", 0))?;
        Ok(Generated { seed, draft, ..self.clone() })
    }

    /// Returns the world as a change of the scene of a world of the same kind and values: all
    /// tiles, and the puzzles.
    ///
    /// ```
    /// use wayfare_generate::{Kinds, Seed, Settings, generate};
    ///
    /// let kinds = Kinds::standard();
    /// let hall = generate(kinds.get("heavy-door")?, &Settings::default(), Seed(7))?;
    /// let change = hall.reseeded(Seed(8), &kinds)?.change()?;
    /// assert_eq!((change.corner, change.puzzles.len()), ([0, 0], 1));
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// If the world is not made of tiles.
    pub fn change(&self) -> Result<GroundChange, GenerateError> {
        let scene = tiles_of(self)?.clone().unlocked();
        let tiles = scene.draft.tiles().iter().enumerate();
        let tiles = tiles.map(|(tile, ground)| {
            let at = scene.draft.position(tile);
            TileChange { at, ground: *ground }
        });
        let tiles: Vec<TileChange> = tiles.collect();
        Ok(change_of(&tiles, scene.entry_tile(), scene.puzzles))
    }
}

/// Returns changes of tiles, row by row, as a change of a scene.
fn change_of(
    changes: &[TileChange],
    entry: TilePosition,
    puzzles: Vec<ScenePuzzle>,
) -> GroundChange {
    let columns = changes.iter().map(|change| change.at.x);
    let rows = changes.iter().map(|change| change.at.y);
    let left = columns.min().unwrap_or(0);
    let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
    let mut lines = vec![String::new(); (bottom - top) as usize + 1];
    for TileChange { at, ground } in changes {
        let line = &mut lines[(at.y - top) as usize];
        // Changes of a row come from left to right; characters of grounds are single bytes.
        let blanks = (at.x - left) as usize - line.len();
        line.extend(std::iter::repeat_n(' ', blanks));
        line.push(ground.glyph());
    }
    let entry = Spot::Cell([entry.x, entry.y]);
    GroundChange { corner: [left, top], map: lines.join("\n"), entry, puzzles }
}

/// A world in which one scenario was swapped for one of another seed, and the changes that it
/// needs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::space::GridProfile;
/// use wayfare_generate::{Arrangement, Kinds, Lineup, Manager, Reset, Seed};
///
/// let kinds = Kinds::standard();
/// let lineup = Lineup { count: 2, only: Some("caves".into()), ..Lineup::default() };
/// let worlds: Vec<_> = (0..2).map(|number| lineup.generate(number, &kinds)).collect::<Result<_, _>>()?;
/// let row = Arrangement::new(&worlds, &lineup)?;
/// let map = row.scene.draft.to_map("row")?;
/// let grid = map.to_grid(GridProfile { costs: map.cost_table(), ..GridProfile::default() }).unwrap();
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
///
/// // The second scenario gets another seed, under its agents.
/// let reset = Reset::new(&row, &worlds, 1, Seed(99), &lineup, &kinds)?;
/// let command = reset.command(simulation.world());
/// simulation.schedule(simulation.now(), command);
/// simulation.tick();
/// assert_eq!(reset.worlds[0], worlds[0]);
/// assert_eq!(reset.arrangement.parts[1].area, row.parts[1].area);
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reset {
    /// The scenarios after the reset.
    pub worlds: Vec<Generated>,
    /// The whole after the reset: all scenarios stay in their positions, and so do the ends of the
    /// whole. Lanes go to the new entry and exit.
    pub arrangement: Arrangement,
    /// The tiles that differ, row by row.
    pub changes: Vec<TileChange>,
    /// The entry of the new scenario, where agents begin again that it would build in, and with
    /// puzzles all that are in it.
    pub entry: TilePosition,
    /// The puzzles of the new scenario, by the names of those that they replace.
    pub puzzles: Vec<ScenePuzzle>,
}

/// A tile and the ground that it gets.
///
/// Example: [`Reset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileChange {
    /// The tile.
    pub at: TilePosition,
    /// Its ground.
    pub ground: Ground,
}

/// A reset at a time of a scene.
///
/// Example: [`Arrangement::show`].
#[derive(Debug, Clone, PartialEq)]
pub struct TimedReset {
    /// Seconds from the beginning, at least 0.
    pub seconds: f32,
    /// The reset, of the arrangement as the resets before it leave it.
    pub reset: Reset,
}

impl Reset {
    /// Swaps the scenario with that index for one of the same kind, values and size. `worlds` are
    /// the scenarios of the arrangement `before`, by the same `manager`. All other scenarios stay
    /// as they are; lanes between scenarios may change.
    ///
    /// # Errors
    /// If there is no such scenario, the new one has another number of puzzles, or the arrangement
    /// of the new scenarios fails.
    pub fn new(
        before: &Arrangement,
        worlds: &[Generated],
        number: usize,
        seed: Seed,
        manager: &dyn Manager,
        kinds: &Kinds,
    ) -> Result<Self, GenerateError> {
        let count = worlds.len();
        let old = worlds.get(number).ok_or_else(|| {
            GenerateError::Request(format!("there is no scenario {number} of {count}, from 0"))
        })?;
        let new = old.reseeded(seed, kinds)?;
        let mut worlds = worlds.to_vec();
        worlds[number] = new;
        // Agents are on their way to the ends of the whole.
        let rows = [before.scene.entry_tile().y, before.scene.exit_tile().y];
        let arrangement = Arrangement::between(&worlds, manager, Some(rows))?;
        let (old, new) = (&before.scene.draft, &arrangement.scene.draft);
        let kind = &worlds[number].kind;
        if (old.width(), old.height()) != (new.width(), new.height()) {
            return Err(GenerateError::Request(format!("{kind} changes its size with the seed")));
        }
        let part = &arrangement.parts[number];
        if before.parts.get(number).map(|part| part.puzzles.len()) != Some(part.puzzles.len()) {
            return Err(GenerateError::Request(format!(
                "{kind} has another number of puzzles by the seed {}: choose another seed",
                seed.0
            )));
        }
        let tiles = old.tiles().iter().zip(new.tiles()).enumerate();
        let changes = tiles.filter(|(_, (old, new))| old != new);
        let changes = changes.map(|(tile, (_, new))| TileChange {
            at: before.scene.draft.position(tile),
            ground: *new,
        });
        let (changes, entry) = (changes.collect(), part.entry);
        let puzzles = arrangement.scene.puzzles[part.puzzles.clone()].to_vec();
        Ok(Reset { worlds, arrangement, changes, entry, puzzles })
    }

    /// Returns the command that resets the scenario in a simulation on the grid of the present
    /// arrangement, as [`TileDraft::to_map`](crate::TileDraft::to_map) makes it: its ground. For
    /// the puzzles on it there is [`change`](Self::change).
    #[must_use]
    pub fn command(&self, grid: &Grid) -> CommandOf<Grid> {
        let cell = |at: TilePosition| grid.cell(at.x, at.y);
        let changes = self.changes.iter();
        let cells = changes.filter_map(|change| Some((cell(change.at)?, change.ground.terrain())));
        let edit = GridEdit::Terrains { cells: cells.collect() };
        let entry = cell(self.entry).map(|cell| grid.centre(cell)).unwrap_or_default();
        Command::Replace { edit, entry }
    }

    /// Returns the reset as a change of the scene of the present arrangement, with the puzzles:
    /// `wayfare_scene::Staged::replace` makes it in a running simulation.
    #[must_use]
    pub fn change(&self) -> GroundChange {
        change_of(&self.changes, self.entry, self.puzzles.clone())
    }

    /// Returns the same as an event of a scene, `seconds` after its beginning.
    #[must_use]
    pub fn event(&self, seconds: f32) -> ScheduledCommand {
        let replace = Some(self.change());
        ScheduledCommand { at: seconds, replace, ..ScheduledCommand::default() }
    }
}
