//! Queries in generated worlds, with lengths that two independent searches agree on.

use wayfare_core::search::{Query, SharedJps, Solver};
use wayfare_core::space::{ProfileId, TerrainId};
use wayfare_formats::movingai_3dscen::{VoxelQuery, VoxelScenario};
use wayfare_formats::movingai_scen::{Scenario as QueryFile, SolvedQuery};
use wayfare_formats::{TileMap, TilePosition, VoxelScene, movingai_3dmap, movingai_map};
use wayfare_grid::grid::GridProfile;
use wayfare_scene::World;
use wayfare_voxel::{BlockPosition, VoxelProfile};

use crate::lengths::{FAR, Fixed, FreeBox, length_of};
use crate::{Arrangement, Dice, GenerateError, Generated, Seed, TileScene, WorldDraft};

/// The lengths of a bucket: from this many straight steps times its index up to, not including, the
/// next one.
const BUCKET: u64 = 4;

/// How a list of queries is spread.
///
/// Example: [`Generated::queries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuerySpread {
    /// Start and goal are any two places: queries of middling length are the most frequent.
    #[default]
    Places,
    /// Evenly over the buckets of length, four straight steps each, from the shortest to the
    /// longest query of the world.
    Lengths,
}

/// Queries of a world, with the map that they are asked on.
///
/// Example: [`Generated::queries`].
#[derive(Debug, Clone, PartialEq)]
pub struct QueryList {
    /// The world as the benchmarks know it: free or filled, all ground at one cost, doors shut. For
    /// a `.map` or `.3dmap` file.
    pub map: World,
    /// The queries with their optimal lengths, the shortest first. For a `.scen` or `.3dscen` file.
    pub queries: World,
}

impl Generated {
    /// Returns queries between free places of the world, with their optimal lengths, as Moving AI
    /// benchmarks have them: of tiles for walkers in eight directions, of blocks for flyers in 26.
    /// `None` for levels and sampled scenes. `file` is the name of the map's file in the list.
    ///
    /// All places are in the largest region. Each length comes from a search without the engine (E.
    /// Denardo, B. Fox, 1979, over exact lengths) and from the engine's jump point search on the
    /// map as its file has it. The two differ by the rounding of the engine's integer costs at
    /// most. The list is empty if no two places are connected. The same seed gives the same
    /// queries.
    ///
    /// Takes O(count · places) time and some 40 bytes a place.
    ///
    /// ```
    /// use wayfare_generate::{Kinds, QuerySpread, Seed, Settings, generate};
    /// use wayfare_scene::World;
    ///
    /// let maze = generate(Kinds::standard().get("maze")?, &Settings::default(), Seed(7))?;
    /// let list = maze.queries("maze.map", 12, QuerySpread::Lengths)?.expect("a world of tiles");
    /// let World::Scenario(list) = list.queries else { panic!("for a .scen file") };
    /// assert_eq!(list.entries.len(), 12);
    /// assert_eq!(list.entries[0].bucket, 0);
    /// let last = &list.entries[11];
    /// assert!(last.bucket > 10 && last.bucket == (last.optimal_length / 4.0) as u32);
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// [`GenerateError::Broken`] if the two searches differ; or if the built world is no sound map.
    pub fn queries(
        &self,
        file: &str,
        count: usize,
        spread: QuerySpread,
    ) -> Result<Option<QueryList>, GenerateError> {
        let order = Order { file, count, spread, kind: &self.kind, seed: self.seed };
        match &self.draft {
            WorldDraft::Tiles(scene) => of_tiles(scene, &order).map(Some),
            WorldDraft::Blocks(blocks) => of_blocks(&blocks.scene, &order).map(Some),
            WorldDraft::Level(_) | WorldDraft::Sampled(_) => Ok(None),
        }
    }
}

impl Arrangement {
    /// Queries over all scenarios, as [`Generated::queries`] makes them.
    ///
    /// # Errors
    /// As [`Generated::queries`].
    pub fn queries(
        &self,
        file: &str,
        count: usize,
        spread: QuerySpread,
    ) -> Result<QueryList, GenerateError> {
        let seed = self.parts.first().map_or(Seed(0), |part| part.seed);
        of_tiles(&self.scene, &Order { file, count, spread, kind: "the arrangement", seed })
    }
}

/// The request, and its world.
struct Order<'o> {
    file: &'o str,
    count: usize,
    spread: QuerySpread,
    kind: &'o str,
    seed: Seed,
}

/// A query with the length of its shortest path, and the count of its moves.
struct Solved {
    start: [u32; 3],
    goal: [u32; 3],
    length: f64,
    moves: u32,
}

fn of_tiles(scene: &TileScene, order: &Order<'_>) -> Result<QueryList, GenerateError> {
    let file = order.file;
    let draft = &scene.draft;
    let terrains = movingai_map::terrains();
    let tiles = draft.tiles().iter().map(|ground| TerrainId(u8::from(!ground.is_walkable())));
    let map = TileMap::new(file, draft.width(), draft.height(), terrains, tiles.collect())?;
    // The searched map is the one that the file will have.
    let map = movingai_map::read(&movingai_map::write(&map)?, file)?;
    let grid = map.to_grid(GridProfile { costs: map.cost_table(), ..GridProfile::default() });
    let grid = grid.map_err(|error| GenerateError::Request(error.to_string()))?;
    let space = grid.space_for::<u64>(ProfileId::default());
    let mut solver = Solver::new();
    let by_engine = |[from, to]: [[u32; 3]; 2]| {
        let [from, to] = [from, to].map(|[x, _, y]| grid.cell(x, y));
        let query = from.zip(to).map(|(from, to)| Query::new(from, to))?;
        let path = solver.solve(&space, &SharedJps, query).outcome;
        path.path().map(|path| space.length(path.states()))
    };
    let free = FreeBox::new([draft.width(), 1, draft.height()], |[x, _, y]| draft.is_free(x, y));
    // A diagonal step is off by 7.6 parts in 10⁹.
    let solved = agreed(&free, order, 1e-8, by_engine)?;
    let at = |[x, _, y]: [u32; 3]| TilePosition { x, y };
    let queries: Vec<SolvedQuery> = solved
        .into_iter()
        .map(|query| SolvedQuery {
            start: at(query.start),
            goal: at(query.goal),
            optimal_length: query.length,
        })
        .collect();
    let list = QueryFile::from_solved(file, draft.width(), draft.height(), &queries);
    Ok(QueryList { map: World::TileMap(map), queries: World::Scenario(list) })
}

fn of_blocks(scene: &VoxelScene, order: &Order<'_>) -> Result<QueryList, GenerateError> {
    let file = order.file;
    let map = movingai_3dmap::read(&movingai_3dmap::write(scene)?, file)?;
    let grid = map.to_grid(VoxelProfile::flyer());
    let grid = grid.map_err(|error| GenerateError::Request(error.to_string()))?;
    let space = grid.space();
    let mut solver = Solver::new();
    let by_engine = |ends: [[u32; 3]; 2]| {
        let [from, to] = ends.map(|[x, y, z]| grid.voxel(BlockPosition::new(x, y, z)));
        let query = from.zip(to).map(|(from, to)| Query::new(from, to))?;
        let path = solver.solve(&space, &SharedJps, query).outcome;
        path.path()
            .map(|path| space.length(path.steps.iter().map(|step| (step.state, step.action))))
    };
    let size = scene.size();
    let size = [size.width, size.height, size.depth];
    let carries: Vec<bool> = scene.palette().iter().map(|kind| kind.block.kind.carries()).collect();
    let free = FreeBox::new(size, |[x, y, z]| {
        let block = scene.block(BlockPosition::new(x, y, z));
        carries.get(usize::from(block.0)) == Some(&false)
    });
    // A move is off by 9 parts in 10⁷ of a step: the best path by integer costs may be longer by
    // that on each of its moves and on each of the shortest path's.
    let mut solved = agreed(&free, order, 1.8e-6, by_engine)?;
    solved.sort_by(|one, other| one.length.total_cmp(&other.length));
    let entries = solved.into_iter().map(|Solved { start, goal, length, .. }| {
        let apart = [0, 1, 2].map(|axis| start[axis].abs_diff(goal[axis]));
        let [x, y, z] = start;
        let [to_x, to_y, to_z] = goal;
        VoxelQuery {
            start: BlockPosition::new(x, y, z),
            goal: BlockPosition::new(to_x, to_y, to_z),
            optimal_length: length,
            ratio: length / unhindered(apart),
        }
    });
    let queries = VoxelScenario { map: file.to_owned(), entries: entries.collect() };
    Ok(QueryList { map: World::Voxels(map), queries: World::VoxelScenario(queries) })
}

/// Returns the length of the path through empty space between two different places.
fn unhindered(mut apart: [u32; 3]) -> f64 {
    apart.sort_unstable();
    let [least, middle, most] = apart;
    length_of([most - middle, middle - least, least])
}

/// Draws queries, and compares their lengths with the engine's.
///
/// `rounding`: the most by which a move may lengthen the engine's path. Its costs are integers, so
/// of two paths with nearly equal lengths it may take the longer one.
fn agreed(
    free: &FreeBox,
    order: &Order<'_>,
    rounding: f64,
    mut by_engine: impl FnMut([[u32; 3]; 2]) -> Option<f64>,
) -> Result<Vec<Solved>, GenerateError> {
    let Order { count, spread, kind, seed, .. } = *order;
    let solved = draw(free, count, spread, &mut seed.child("queries", 0).dice());
    for Solved { start, goal, length, moves } in &solved {
        let found = by_engine([*start, *goal]);
        // Sums of floats of that size are exact to far less than 10⁻⁹.
        let most = 1e-9 + rounding * f64::from(*moves);
        if !found.is_some_and(|found| (-1e-9..=most).contains(&(found - length))) {
            let found = found.map_or("no way".to_owned(), |found| format!("one of {found}"));
            let broken = format!(
                "the shortest way from {start:?} to {goal:?} is {length} long, but the engine finds \
                 {found}"
            );
            return Err(GenerateError::Broken { kind: kind.to_owned(), seed: seed.0, broken });
        }
    }
    Ok(solved)
}

/// Queries with their lengths, by [`FreeBox::lengths`] alone.
fn draw(free: &FreeBox, count: usize, spread: QuerySpread, dice: &mut Dice) -> Vec<Solved> {
    let places = free.largest_part();
    if places.len() < 2 {
        return Vec::new();
    }
    let solve = |start: usize, goal: usize, lengths: &[Fixed]| {
        let moves = free.moves_to(goal, lengths);
        let [start, goal] = [start, goal].map(|place| free.at(place));
        Solved { start, goal, length: length_of(moves), moves: moves.iter().sum() }
    };
    let mut solved = Vec::with_capacity(count);
    if spread == QuerySpread::Places {
        while solved.len() < count {
            let pair = [0; 2].map(|_| dice.pick(&places).copied().unwrap_or_default());
            if pair[0] != pair[1] {
                solved.push(solve(pair[0], pair[1], &free.lengths(pair[0])));
            }
        }
        return solved;
    }
    // The two ends of a long path: each place is at least as far from the farther of the two as
    // half of it.
    let farthest = |lengths: &[Fixed]| {
        places.iter().copied().max_by_key(|place| lengths[*place]).unwrap_or_default()
    };
    let first = farthest(&free.lengths(places[0]));
    let from_first = free.lengths(first);
    let second = farthest(&from_first);
    let from_second = free.lengths(second);
    let buckets = bucket(from_first[second]) + 1;
    for number in 0..count as u64 {
        let wanted = number * buckets / count as u64;
        // From a place that is as far from one of the ends, a path through all shorter lengths
        // leads there, by moves shorter than a bucket: one of its places is in the bucket.
        let reaches = |place: usize| bucket(from_first[place].max(from_second[place])) >= wanted;
        let start = far_place(&places, reaches, dice);
        let lengths = free.lengths(start);
        let is_goal = |place: usize| place != start && bucket(lengths[place]) == wanted;
        solved.push(solve(start, far_place(&places, is_goal, dice), &lengths));
    }
    solved
}

fn bucket(length: Fixed) -> u64 {
    if length == FAR { 0 } else { (length >> 32) / BUCKET }
}

/// Returns any of the suitable places, of which there is at least one: all are equally likely.
fn far_place(places: &[usize], suits: impl Fn(usize) -> bool, dice: &mut Dice) -> usize {
    for _ in 0..64 {
        if let Some(place) = dice.pick(places).copied().filter(|place| suits(*place)) {
            return place;
        }
    }
    let suitable: Vec<usize> = places.iter().copied().filter(|place| suits(*place)).collect();
    dice.pick(&suitable).copied().unwrap_or_default()
}
