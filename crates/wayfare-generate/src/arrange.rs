//! Scenarios side by side in one world, joined so that agents pass through one after the other.

use wayfare_formats::TilePosition;
use wayfare_scene::scene::{PuzzleArea, ScenePuzzle, Spot};

use crate::kinds::way_over;
use crate::{
    Area, GenerateError, Generated, Ground, Manager, Opening, Seed, TileDraft, TileScene,
    WorldDraft,
};

/// Tiles of one world at most: 256 Mi, as grids have.
const MOST_TILES: u64 = 1 << 28;

/// A scenario in a world of several.
///
/// ```
/// use wayfare_generate::{Arrangement, Kinds, Lineup, Manager, Seed};
///
/// let kinds = Kinds::standard();
/// let lineup = Lineup { count: 3, kinds: vec!["maze".into()], seed: Seed(7), ..Lineup::default() };
/// let worlds = (0..3).map(|number| lineup.generate(number, &kinds)).collect::<Result<Vec<_>, _>>()?;
/// let row = Arrangement::new(&worlds, &lineup)?;
/// assert_eq!(row.parts[2].seed, worlds[2].seed);
/// assert!(row.scene.draft.is_free(row.parts[1].entry.x, row.parts[1].entry.y));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub kind: String,
    /// Its seed.
    pub seed: Seed,
    /// Where it stands.
    pub area: Area,
    /// Where one comes in.
    pub entry: TilePosition,
    /// Where one goes out.
    pub exit: TilePosition,
    /// Its puzzles: indices into [`TileScene::puzzles`] of the arrangement.
    pub puzzles: std::ops::Range<usize>,
}

/// Scenarios of tiles side by side: walls between them, and lanes from the exit of each to the
/// entry of the next.
///
/// Every free border tile of a scenario is one of its openings, and a lane keeps away from other
/// lanes. So the only path from the first entry to the last exit passes through all scenarios, in
/// order.
///
/// Locked doors are gates of a puzzle, and keys are parts of it, which lie where they are: an agent
/// has to fetch them.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    /// The world.
    pub scene: TileScene,
    /// The scenarios, in order.
    pub parts: Vec<Part>,
}

impl Arrangement {
    /// Lays out worlds at a manager's positions. A scenario whose successor stands further west is
    /// mirrored from left to right, and so are the later ones in its row.
    ///
    /// # Errors
    /// If there are none, one is not made of tiles, two overlap, there is no room for a lane, or
    /// the whole is larger than a grid can be.
    pub fn new(worlds: &[Generated], manager: &dyn Manager) -> Result<Self, GenerateError> {
        Self::between(worlds, manager, None)
    }

    /// Returns the same with the ends of the whole in certain rows: that of its entry, and that of
    /// its exit.
    pub(crate) fn between(
        worlds: &[Generated],
        manager: &dyn Manager,
        rows: Option<[u32; 2]>,
    ) -> Result<Self, GenerateError> {
        let scenes: Vec<TileScene> = worlds
            .iter()
            .map(|world| tiles_of(world).map(|scene| scene.clone().unlocked()))
            .collect::<Result<_, _>>()?;
        let sizes: Vec<[u32; 2]> =
            scenes.iter().map(|scene| [scene.draft.width(), scene.draft.height()]).collect();
        let areas = manager.place(&sizes);
        if areas.is_empty() || areas.len() != scenes.len() {
            return Err(GenerateError::request("a manager places each scenario, one at least"));
        }
        // A frame of one tile, and room for lanes on all sides.
        const RIM: u32 = 3;
        let areas: Vec<Area> = areas
            .into_iter()
            .zip(&sizes)
            .map(|(area, [width, height])| Area::new(area.x + RIM, area.y + RIM, *width, *height))
            .collect();
        let width = areas.iter().map(|area| area.right()).max().unwrap_or(0) + 2 * RIM;
        let height = areas.iter().map(|area| area.bottom()).max().unwrap_or(0) + 2 * RIM;
        if u64::from(width) * u64::from(height) > MOST_TILES {
            return Err(GenerateError::Request(format!(
                "{width} × {height} tiles are more than one world holds; write one file each"
            )));
        }
        // Where lanes may run: everywhere but on scenarios and beside other lanes.
        let mut room = TileDraft::new(width, height, Ground::Floor);
        room.whole().frame(Ground::Wall);
        let mut draft = TileDraft::new(width, height, Ground::Wall);
        let mut arrangement = Arrangement {
            scene: TileScene::new(draft.clone(), NOWHERE, NOWHERE),
            parts: Vec::new(),
        };
        let mut puzzles = Vec::new();
        let mut turned = false;
        for (number, (scene, area)) in scenes.iter().zip(&areas).enumerate() {
            if areas[..number].iter().any(|other| other.is_near(*area, 0)) {
                let problem = format!("scenario {number} stands on another; raise the spacing");
                return Err(GenerateError::Request(problem));
            }
            turned = match areas.get(number + 1) {
                Some(next) if next.x >= area.right() => false,
                Some(next) if next.right() <= area.x => true,
                _ => turned,
            };
            let at = |at: TilePosition| {
                let x = if turned { area.width - 1 - at.x } else { at.x };
                TilePosition { x: area.x + x, y: area.y + at.y }
            };
            for tile in Area::new(0, 0, area.width, area.height).tiles() {
                let on = at(tile);
                draft.set(on.x, on.y, scene.draft.at(tile.x, tile.y));
                room.set(on.x, on.y, Ground::Wall);
            }
            let name = |name: &str| match scenes.len() {
                1 => name.to_owned(),
                _ => format!("{} {name}", number + 1),
            };
            let moved = |puzzle: &ScenePuzzle| ScenePuzzle {
                name: name(&puzzle.name),
                ..placed(puzzle, |[x, y]| {
                    let on = at(TilePosition { x, y });
                    [on.x, on.y]
                })
            };
            let first = puzzles.len();
            puzzles.extend(scene.puzzles.iter().map(moved));
            arrangement.parts.push(Part {
                kind: worlds[number].kind.clone(),
                seed: worlds[number].seed,
                area: *area,
                entry: at(scene.entry_tile()),
                exit: at(scene.exit_tile()),
                puzzles: first..puzzles.len(),
            });
        }
        let parts = &arrangement.parts;
        for pair in parts.windows(2) {
            lane(
                &mut draft,
                &mut room,
                beside(&pair[0], pair[0].exit),
                beside(&pair[1], pair[1].entry),
            )?;
        }
        let (first, last) = (&parts[0], &parts[parts.len() - 1]);
        let (come, go) = (beside(first, first.entry), beside(last, last.exit));
        // The ends of the whole: in the western border, and in the eastern one.
        let [entry, exit] = rows.unwrap_or([come.y, go.y]);
        let west = TilePosition { x: 1, y: entry };
        let east = TilePosition { x: width - 2, y: exit };
        lane(&mut draft, &mut room, west, come)?;
        lane(&mut draft, &mut room, go, east)?;
        let (entry, exit) = (Opening::new(west.y, 1), Opening::new(east.y, 1));
        arrangement.scene = TileScene::new(draft, entry, exit);
        arrangement.scene.puzzles = puzzles;
        arrangement.scene.rooms = arrangement.parts.len() as u32;
        Ok(arrangement)
    }
}

/// Returns a puzzle with its cells elsewhere.
fn placed(puzzle: &ScenePuzzle, at: impl Fn([u32; 2]) -> [u32; 2]) -> ScenePuzzle {
    let mut puzzle = puzzle.clone();
    for spot in [&mut puzzle.start, &mut puzzle.goal] {
        if let Spot::Cell(cell) = spot {
            *cell = at(*cell);
        }
    }
    if let Some(PuzzleArea { min, max }) = &mut puzzle.area {
        let (one, other) = (at(*min), at(*max));
        // A world that is turned over has its corners in the other order.
        *min = [0, 1].map(|axis| one[axis].min(other[axis]));
        *max = [0, 1].map(|axis| one[axis].max(other[axis]));
    }
    let things = puzzle.keys.iter_mut().chain(&mut puzzle.plates).chain(&mut puzzle.crates);
    things.for_each(|thing| thing.at = at(thing.at));
    puzzle.levers.iter_mut().for_each(|lever| lever.at = at(lever.at));
    for hook in &mut puzzle.hooks {
        (hook.at, hook.under) = (at(hook.at), at(hook.under));
    }
    puzzle.gates.iter_mut().flat_map(|gate| &mut gate.cells).for_each(|cell| *cell = at(*cell));
    for lift in &mut puzzle.platforms {
        (lift.low, lift.high) = (at(lift.low), at(lift.high));
    }
    puzzle
}

const NOWHERE: Opening = Opening { row: 0, width: 1 };

pub(crate) fn tiles_of(world: &Generated) -> Result<&TileScene, GenerateError> {
    match &world.draft {
        WorldDraft::Tiles(scene) => Ok(scene),
        _ => Err(GenerateError::Request(format!(
            "{} is not made of tiles: worlds side by side are; write one file each",
            world.kind
        ))),
    }
}

/// Returns the tile outside an opening of a part.
fn beside(part: &Part, opening: TilePosition) -> TilePosition {
    let x = if opening.x == part.area.x { opening.x - 1 } else { opening.x + 1 };
    TilePosition { x, ..opening }
}

/// Draws a lane between two tiles; other lanes keep a tile away from it.
fn lane(
    draft: &mut TileDraft,
    room: &mut TileDraft,
    from: TilePosition,
    to: TilePosition,
) -> Result<(), GenerateError> {
    let tiles = way_over(room, from, to).map_err(|_| {
        GenerateError::request(
            "there is no room for a lane between two scenarios; raise the spacing",
        )
    })?;
    for at in &tiles {
        draft.set(at.x, at.y, Ground::Road);
        for y in at.y - 1..=at.y + 1 {
            for x in at.x - 1..=at.x + 1 {
                room.set(x, y, Ground::Wall);
            }
        }
    }
    Ok(())
}
