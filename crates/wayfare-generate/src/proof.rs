//! Proofs: the engine's own searches go through a generated world, and its promises are measured.

use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::ImplicitGraph;
use wayfare_formats::TilePosition;

use crate::passage::widest;
use crate::prove_blocks::of_blocks;
use crate::prove_level::of_level;
use crate::prove_puzzles::of_puzzles;
use crate::prove_sampled::of_sampled;
use crate::runs::Runs;
use crate::walk::Walk;
use crate::{
    Area, Arrangement, GenerateError, Generated, Promise, Statistic, TileScene, WorldDraft,
};

/// A world that keeps its promises, with its measures.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, Statistic, generate};
///
/// let kinds = Kinds::standard();
/// let dungeon = generate(kinds.get("dungeon")?, &Settings::default(), Seed(7))?;
/// let proof = dungeon.prove()?;
/// assert!(proof.length > 20.0);
/// assert!(proof.plan.iter().any(|step| step.starts_with("take the ")));
/// assert!(proof.value(Statistic::Doors).is_some_and(|doors| doors >= 2.0));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proof {
    /// The length of a cheapest path from the entry to the exit, in tiles, blocks or metres.
    pub length: f32,
    /// The points along it, from the entry to the exit: column, height and row, the height of tiles
    /// being 0. Empty for levels.
    pub path: Vec<[u32; 3]>,
    /// In levels: its turning points from the entry to the exit, in metres.
    pub turns: Vec<[f32; 3]>,
    /// Its actions where it has any: keys taken and doors opened, in order.
    pub plan: Vec<String>,
    /// All that was measured.
    pub statistics: Vec<(Statistic, f32)>,
}

impl Proof {
    /// Returns a measured value.
    #[must_use]
    pub fn value(&self, statistic: Statistic) -> Option<f32> {
        self.statistics.iter().find(|(known, _)| *known == statistic).map(|(_, value)| *value)
    }
}

impl Generated {
    /// Proves by the engine's searches that the exit can be reached from the entry, and measures
    /// that each promise is kept. Time: a few searches over the world.
    ///
    /// # Errors
    /// [`GenerateError::Broken`] with the first promise that is not kept.
    pub fn prove(&self) -> Result<Proof, GenerateError> {
        let proof = match &self.draft {
            WorldDraft::Tiles(scene) => of_tiles(scene, &self.promises),
            WorldDraft::Blocks(scene) => of_blocks(scene),
            WorldDraft::Level(scene) => of_level(scene),
            WorldDraft::Sampled(scene) => of_sampled(scene),
        };
        let proof = proof.map_err(|broken| self.broken(broken))?;
        for promise in &self.promises {
            let Some(value) = proof.value(promise.statistic) else {
                let name = promise.statistic.name();
                return Err(self.broken(format!("{name} is promised, but not measured here")));
            };
            if let Some(broken) = promise.broken_by(value) {
                return Err(self.broken(broken));
            }
        }
        Ok(proof)
    }

    fn broken(&self, broken: String) -> GenerateError {
        GenerateError::Broken { kind: self.kind.clone(), seed: self.seed.0, broken }
    }
}

impl Arrangement {
    /// Proves that the last exit can be reached from the first entry, and measures the whole.
    /// Between the first entry and the last exit lie all scenarios.
    ///
    /// # Errors
    /// [`GenerateError::Broken`] if the engine finds no path.
    pub fn prove(&self) -> Result<Proof, GenerateError> {
        of_tiles(&self.scene, &[]).map_err(|broken| GenerateError::Broken {
            kind: "the arrangement".to_owned(),
            seed: self.parts.first().map_or(0, |part| part.seed.0),
            broken,
        })
    }
}

fn of_tiles(scene: &TileScene, promises: &[Promise]) -> Result<Proof, String> {
    let draft = &scene.draft;
    if let Some(at) = leak(scene) {
        return Err(format!("the border is open at {},{}, beside entry and exit", at.x, at.y));
    }
    if !scene.puzzles.is_empty() {
        return of_puzzles(scene, promises);
    }
    let mut proof = if scene.doors.is_empty() {
        let way = Walk::of_agents(draft).cheapest(scene.entry_tile(), scene.exit_tile());
        let way = way.map_err(|why| format!("from entry to exit: {why}"))?;
        Proof {
            length: length(&way),
            path: way.into_iter().map(flat).collect(),
            ..Proof::default()
        }
    } else {
        with_keys(scene, scene.entry_tile(), scene.exit_tile())?
    };
    let promised = promises.iter().find(|promise| promise.statistic == Statistic::Passage);
    if let Some(promise) = promised {
        // Limits of the parameters are far below 255.
        let width = widest(scene, promise.range.low as u8);
        proof.statistics.push((Statistic::Passage, f32::from(width)));
    }
    measure(scene, &mut proof);
    Ok(proof)
}

/// Returns a tile through which one leaves the world, though it is neither entry nor exit.
fn leak(scene: &TileScene) -> Option<TilePosition> {
    let (width, height) = (scene.draft.width(), scene.draft.height());
    let is_gap = |at: &TilePosition| {
        (at.x == 0 && scene.entry.rows().contains(&at.y))
            || (at.x + 1 == width && scene.exit.rows().contains(&at.y))
    };
    let rim = |at: &TilePosition| at.x == 0 || at.y == 0 || at.x + 1 == width || at.y + 1 == height;
    let mut tiles = Area::new(0, 0, width, height).tiles();
    tiles.find(|at| rim(at) && scene.draft.is_free(at.x, at.y) && !is_gap(at))
}

/// Returns the length of a path by steps, in tiles: by the counts of straight and of diagonal ones.
fn length(way: &[TilePosition]) -> f32 {
    let is_diagonal = |step: &&[TilePosition]| step[0].x != step[1].x && step[0].y != step[1].y;
    let diagonal = way.windows(2).filter(is_diagonal).count();
    let straight = way.len().saturating_sub(1) - diagonal;
    (straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2) as f32
}

/// A tile and the keys the agent has there, one bit each.
type Held = (u32, u32);

/// Searches over tiles and keys, by straight steps. An agent on the tile of a key takes it, and
/// crosses doors whose key it has.
fn with_keys(scene: &TileScene, from: TilePosition, to: TilePosition) -> Result<Proof, String> {
    let draft = &scene.draft;
    let index = |at: TilePosition| draft.index(at.x, at.y) as u32;
    let key_at = |tile: u32| {
        let keys = scene.keys.iter().enumerate();
        keys.filter(|(_, key)| index(key.at) == tile).fold(0u32, |keys, (key, _)| keys | 1 << key)
    };
    let mut key_of = vec![0u32; draft.tiles().len()];
    for (tile, keys) in key_of.iter_mut().enumerate() {
        *keys = key_at(tile as u32);
    }
    let doors: Vec<(u32, u32, u32)> = scene
        .doors
        .iter()
        .map(|door| (index(door.from), index(door.to), 1u32 << door.key))
        .collect();
    let moves = |&(tile, keys): &Held| {
        let arrive = |next: u32| (next, keys | key_of[next as usize]);
        let mut next: Vec<(Held, u32)> = draft
            .around(tile as usize)
            .filter(|next| draft.tiles()[*next].is_walkable())
            .map(|next| (arrive(next as u32), 1))
            .collect();
        for (from, to, key) in &doors {
            let across = if tile == *from { *to } else { *from };
            if (tile == *from || tile == *to) && keys & key != 0 {
                next.push((arrive(across), 2));
            }
        }
        next
    };
    let exit = to;
    let estimate = |&(tile, _): &Held| {
        let at = draft.position(tile as usize);
        at.x.abs_diff(exit.x) + at.y.abs_diff(exit.y)
    };
    let goal = index(exit);
    let graph = ImplicitGraph::new(moves).with_goal(|(tile, _)| *tile == goal, estimate);
    let entry = index(from);
    let start = graph.state(&(entry, key_of[entry as usize]));
    let answer = solve(&graph, &AStar::new(), Query::new(start, graph.arrival()));
    let expanded = answer.stats.expanded;
    let Outcome::Found(path) = answer.outcome else {
        return Err(format!("from entry to exit, with keys and doors: {}", answer.outcome));
    };
    let nodes = graph.nodes(path.states());
    let mut plan = Vec::new();
    for step in nodes.windows(2) {
        let ((from, before), (to, after)) = (step[0], step[1]);
        let door = scene.doors.iter().find(|door| {
            [(index(door.from), index(door.to)), (index(door.to), index(door.from))]
                .contains(&(from, to))
        });
        let name = |key: usize| scene.keys[key].name;
        plan.extend(door.map(|door| format!("open the {} door", name(door.key))));
        let taken = (0..scene.keys.len()).filter(|key| (after & !before) >> key & 1 == 1);
        plan.extend(taken.map(|key| format!("take the {} key", name(key))));
    }
    Ok(Proof {
        length: path.cost() as f32,
        path: nodes.iter().map(|(tile, _)| draft.position(*tile as usize)).map(flat).collect(),
        plan,
        statistics: vec![(Statistic::Expanded, expanded as f32)],
        ..Proof::default()
    })
}

/// Adds the path between two tiles to a proof: by straight steps, with the keys along it.
pub(crate) fn leg(
    scene: &TileScene,
    from: TilePosition,
    to: TilePosition,
    proof: &mut Proof,
) -> Result<(), String> {
    if from == to {
        return Ok(());
    }
    let way = with_keys(scene, from, to)?;
    proof.length += way.length;
    proof.path.extend(way.path);
    proof.plan.extend(way.plan);
    Ok(())
}

/// Measures of the states that can be reached, by the count of moves from each.
pub(crate) fn of_degrees(degrees: impl Iterator<Item = u64>) -> Vec<(Statistic, f32)> {
    let (mut reached, mut dead_ends, mut sum) = (0u64, 0u64, 0u64);
    for degree in degrees {
        reached += 1;
        dead_ends += u64::from(degree == 1);
        sum += degree;
    }
    vec![
        (Statistic::DeadEnds, dead_ends as f32),
        (Statistic::MeanDegree, sum as f32 / reached as f32),
        (Statistic::Reached, reached as f32),
    ]
}

pub(crate) fn measure(scene: &TileScene, proof: &mut Proof) {
    let draft = &scene.draft;
    let width = draft.width() as usize;
    let is_free: Vec<bool> = draft.tiles().iter().map(|ground| ground.is_walkable()).collect();
    let (mut free, mut dead_ends, mut degrees) = (0usize, 0u64, 0u64);
    for (y, row) in is_free.chunks_exact(width.max(1)).enumerate() {
        let beside =
            |place: Option<usize>| place.and_then(|place| is_free.get(place)) == Some(&true);
        for x in (0..width).filter(|x| row[*x]) {
            let tile = y * width + x;
            let degree = u64::from(x > 0 && row[x - 1])
                + u64::from(x + 1 < width && row[x + 1])
                + u64::from(beside(tile.checked_sub(width)))
                + u64::from(beside(Some(tile + width)));
            free += 1;
            degrees += degree;
            dead_ends += u64::from(degree == 1);
        }
    }
    let share = |part: f32, of: usize| if of == 0 { 0.0 } else { part / of as f32 };
    let regions = Runs::of(draft).regions();
    proof.statistics.extend([
        (Statistic::FreeShare, share(free as f32, draft.tiles().len())),
        (Statistic::Regions, regions as f32),
        (Statistic::DeadEnds, dead_ends as f32),
        (Statistic::MeanDegree, share(degrees as f32, free)),
        (Statistic::Rooms, scene.rooms as f32),
        (Statistic::Doors, scene.doors.len() as f32),
    ]);
}

fn flat(at: TilePosition) -> [u32; 3] {
    [at.x, 0, at.y]
}
