//! Puzzles that replace others: those of events, and those that a caller brings.

use wayfare_core::link::{LinkId, NavLinks};
use wayfare_core::space::ProfileId;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{Terrain, WorldError, WorldErrorKind};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{Command, CommandOf, PuzzleId, Simulation};

use super::land::point;
use super::links::add_link;
use super::setting::Setting;
use super::staged::{add_lifts, puzzle_spec};
use crate::scene::{GroundChange, Scene, ScenePuzzle};
use crate::spaces::puzzles::{StagedPuzzle, no_grid};

/// A puzzle that an event brings.
pub(super) struct LaterPuzzle {
    /// The index of the event.
    pub(super) event: usize,
    /// The puzzle that it replaces.
    pub(super) puzzle: PuzzleId,
    pub(super) staged: StagedPuzzle,
    pub(super) lifts: Vec<[LinkId; 2]>,
}

/// Returns the puzzles that the events of a scene bring, each on the ground that the earlier events
/// leave. Adds the links of their platforms to the scene and to `links`.
pub(super) fn of_events<W: Setting>(
    world: &W,
    scene: &mut Scene,
    terrains: &[Terrain],
    profile: ProfileId,
    links: &mut NavLinks<W::State>,
) -> Result<Vec<LaterPuzzle>, WorldError> {
    let changes = scene.events.iter().enumerate();
    let changes = changes.filter_map(|(event, one)| Some((event, one.at, one.replace.clone()?)));
    let mut changes: Vec<(usize, f32, GroundChange)> = changes.collect();
    // Events of one time stay in their order.
    changes.sort_by(|one, other| one.1.total_cmp(&other.1));
    let last = changes.iter().rposition(|(_, _, change)| !change.puzzles.is_empty());
    changes.truncate(last.map_or(0, |last| last + 1));
    let mut found = Vec::new();
    let mut ground: Option<W> = None;
    for (event, _, change) in changes {
        let path = KeyPath::item("events", event).then("replace");
        let before = ground.as_ref().unwrap_or(world);
        let edit = before.ground_edit(&change, terrains, path.clone())?.edit;
        let after = before.edited(&edit).ok_or_else(no_grid)?;
        let lifts = add_lifts(&mut scene.nav_links, &change.puzzles);
        for link in lifts.iter().flatten().flatten() {
            add_link(links, link.0 as usize, &after, scene, profile)?;
        }
        let staged = puzzles_on(&after, scene, &change.puzzles, path)?;
        for (staged, lifts) in staged.into_iter().zip(lifts) {
            let puzzle = replaced(scene, &staged.name)?;
            found.push(LaterPuzzle { event, puzzle, staged, lifts });
        }
        ground = Some(after);
    }
    Ok(found)
}

/// Makes the commands by which the puzzles of a change replace others in a running simulation. Adds
/// the links of their platforms to the scene and to the simulation; none if it fails.
pub(super) fn of_change<W: Setting>(
    simulation: &mut Simulation<W>,
    scene: &mut Scene,
    edit: &W::Edit,
    change: &GroundChange,
    path: &KeyPath,
) -> Result<Vec<CommandOf<W>>, WorldError> {
    if change.puzzles.is_empty() {
        return Ok(Vec::new());
    }
    let entry = point(simulation.world(), scene, &change.entry, path.clone().then("entry"))?;
    let bare = W::bare(simulation).ok_or_else(no_grid)?;
    let after = bare.edited(edit).ok_or_else(no_grid)?;
    let staged = puzzles_on(&after, scene, &change.puzzles, path.clone())?;
    let replaced = staged.iter().map(|staged| replaced(scene, &staged.name));
    let replaced: Vec<PuzzleId> = replaced.collect::<Result<_, _>>()?;
    // A simulation that went back in time has fewer links than its scene.
    let mut links = simulation.links().clone();
    scene.nav_links.truncate(links.len());
    let lifts = add_lifts(&mut scene.nav_links, &change.puzzles);
    let profile = simulation.profile(ClassId(0)).unwrap_or_default();
    for link in lifts.iter().flatten().flatten() {
        if let Err(error) = add_link(&mut links, link.0 as usize, &after, scene, profile) {
            scene.nav_links.truncate(simulation.links().len());
            return Err(error.about(path.clone()));
        }
    }
    simulation.extend_links(links);
    let mut commands = Vec::new();
    for ((staged, puzzle), lifts) in staged.into_iter().zip(replaced).zip(lifts) {
        let first = simulation.puzzle_specs().nth(puzzle.0 as usize);
        let (agent, onward) =
            first.map_or((None, Vec::new()), |spec| (spec.agent, spec.onward.clone()));
        let spec = puzzle_spec(&staged, lifts, agent, onward);
        if let Some(version) = simulation.add_puzzle_version(puzzle, spec) {
            commands.push(Command::ReplacePuzzle { puzzle, version, entry });
        }
    }
    Ok(commands)
}

/// Returns the puzzle of a scene with that name.
fn replaced(scene: &Scene, name: &str) -> Result<PuzzleId, WorldError> {
    let place = scene.puzzles.iter().position(|puzzle| puzzle.name == name);
    place.and_then(|place| u32::try_from(place).ok()).map(PuzzleId).ok_or_else(|| {
        let message = format!("there is no puzzle '{name}' to be replaced");
        WorldError::new(WorldErrorKind::Dangling, message)
    })
}

/// Returns puzzles on new ground; `path`: the change that brings them.
fn puzzles_on<W: Setting>(
    world: &W,
    scene: &Scene,
    puzzles: &[ScenePuzzle],
    path: KeyPath,
) -> Result<Vec<StagedPuzzle>, WorldError> {
    let mut document = Scene::new(scene.scene.name.clone());
    document.places.clone_from(&scene.places);
    document.puzzles = puzzles.to_vec();
    world.puzzles(&document).map_err(|error| error.about(path.then("puzzles")))
}
