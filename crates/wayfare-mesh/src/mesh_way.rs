//! Paths between points of a navigation mesh that may cross links.
//!
//! A path is a row of *stretches*. Each runs over the ground, from the start or the exit of a link
//! to the entrance of a link or the goal. The ends of links, the start and the goal are a small
//! graph with stretches as edges, and A* runs on it.
//!
//! # Why few stretches are searched
//!
//! The exact cost of a stretch takes a search over the mesh. The straight line, at the lowest
//! multiplier of the mesh, is a lower bound of it. A stretch enters the queue with that bound.
//! Popped, it is searched, and enters the queue again with its cost. If it is popped a second time,
//! everything else in the queue costs as much or more, and its far end is settled. A stretch that
//! is never popped is never searched.
//!
//! A stretch is skipped if a searched one reaches the same entrance at no more than its bound.
//!
//! # Why the path is a cheapest one
//!
//! The estimate of the cost after a link is the cheapest row of straight lines and links from its
//! exit to the goal. A straight line costs no more than the stretch, so the estimate never exceeds
//! the cost. Along a stretch and its link it never falls by more than their cost: it is consistent.
//! With [`MOST_CHAINED`] directions of links or more, a row of a single line, or of a link and the
//! line after it, bounds the cost in the same way.
//!
//! So the path is a cheapest one if its stretches are: on ground of one multiplier, by
//! [`Polyanya`]. On other ground, and where jams delay it, [`Corridor`] finds stretches without
//! that promise.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use wayfare_core::link::{LinkId, LinkedSpace};
use wayfare_core::search::{GroundDelays, Interruption, Limit, NoPath, Progress, Stats};
use wayfare_core::space::{Reachability, Revision, Space};

use crate::navmesh::{MeshPoint, NavMeshSpace};
use crate::search::{
    Corridor, CorridorSearch, MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch,
    Polyanya, PolyanyaSearch, mesh_preflight,
};
use crate::{MeshObserver, MeshPath};

/// The count of directions of links from which on estimates look past a single link only: their
/// time grows with the square of the count.
const MOST_CHAINED: usize = 128;

/// The pairs of ends that are looked at in the time of one unit of work.
const PAIRS_A_UNIT: usize = 4;

/// Unreachable.
const FAR: u64 = u64::MAX;

/// A link on a path.
///
/// Example: [`MeshWaySearch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossedLink {
    /// The link.
    pub link: LinkId,
    /// Its cost in millimetres of a walk that takes as long, the posted wait included.
    pub cost: u64,
}

/// A path over the ground, and the link at its end.
///
/// Example: [`MeshWaySearch`].
#[derive(Clone, PartialEq, Debug)]
pub struct MeshStretch {
    /// The path; without length where one link ends at the entrance of the next.
    pub path: MeshPath,
    /// The cost of the path in millimetres.
    pub cost: u64,
    /// The link at its end; `None` at the goal.
    pub link: Option<CrossedLink>,
}

/// A path from point to point, over the ground and through links.
///
/// Example: [`MeshWaySearch`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshWay {
    /// The stretches in order. All but the last end at a link.
    pub stretches: Vec<MeshStretch>,
    /// The cost of the path in millimetres, links included.
    pub cost: u64,
}

impl MeshWay {
    /// Returns the length of its paths over the ground in metres, seen from above; links do not
    /// count.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.stretches.iter().map(|stretch| stretch.path.length).fold(0.0, |sum, one| sum + one)
    }
}

/// The answer of a [`MeshWaySearch`].
///
/// Example: [`MeshWaySearch`].
#[derive(Clone, PartialEq, Debug)]
pub struct MeshWayAnswer {
    /// The path, or an outcome with the reason why there is none, which is never
    /// [`MeshOutcome::Found`].
    pub way: Result<MeshWay, MeshOutcome>,
    /// The counters of all searches over the ground together.
    pub stats: Stats,
}

/// The search for the stretches over the ground.
///
/// Example: [`MeshWaySearch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GroundSearch {
    /// By [`Polyanya`] where all ground costs the same and no jam delays it, else by [`Corridor`].
    #[default]
    Suited,
    /// By [`Polyanya`].
    Polyanya,
    /// By [`Corridor`].
    Corridor,
}

/// A resumable search for a cheapest path between two points of a mesh, over the ground and through
/// links.
///
/// Links count as long as a walk that takes as long; closed, locked and full ones are left out, as
/// in [`LinkedSpace`]. [`Jams`](wayfare_core::link::Jams) delay the ground for [`Corridor`] alone.
/// It knows nothing of danger. Where no link can be used, it is the search over the ground alone.
///
/// The `limits` of the query apply to the whole path: expansions of all searches together, and its
/// cost as a length of plain ground. Of several cheapest paths it takes the first found, which is
/// the same on every run and target.
///
/// For n usable directions of links: O(n²) time at the start (O(n) from 128 on), O(n log n) for
/// each link on paths cheaper than the answer, and one search over the mesh for each stretch
/// popped. Memory: 40 bytes for each stretch in the queue, at most n² of them.
///
/// ```
/// use wayfare::link::{
///     CrossedLink, Crossing, Gate, GroundSearch, Keys, LinkPoints, MeshStretch, MeshWay, MeshWayAnswer,
///     MeshWaySearch, NavLink, NavLinks,
/// };
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["...#...", "...#...", "......."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let place = |x| Vec3::new(x, 0.0, 0.5);
/// let points = LinkPoints { from: place(2.5), to: place(4.5), radius: 0.0 };
/// let mut links = NavLinks::new(1.0); // a second counts as long as a metre
/// let door = links.add(&space, NavLink::on_mesh(&space, points, Crossing::Seconds(2.0))?)?;
///
/// let at = |x| space.locate(place(x), HeightReach::default()).unwrap();
/// let query = MeshQuery::new(at(1.5), at(5.5));
/// let find = |links: &NavLinks<_>| -> MeshWay {
///     let linked = links.over(space, Keys::NONE);
///     let mut search = MeshWaySearch::new(query, GroundSearch::Suited);
///     let answer: MeshWayAnswer = search.finish(&linked, &mut MeshScratch::new(), &mut ());
///     answer.way.unwrap()
/// };
/// let through = find(&links);
/// let first: &MeshStretch = &through.stretches[0];
/// assert_eq!((first.cost, through.cost), (1000, 4000));
/// assert_eq!(first.link, Some(CrossedLink { link: door, cost: 2000 }));
/// links.set_gate(door, Gate::Closed);
/// let around = find(&links);
/// assert_eq!(around.stretches.len(), 1);
/// assert!(around.cost > 4000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshWaySearch {
    query: MeshQuery,
    ground: GroundSearch,
    delays: Option<Arc<dyn GroundDelays>>,
    state: State,
    graph: Graph,
    /// Stretches by the least cost of a whole path through them.
    queue: BinaryHeap<Reverse<Open>>,
    /// The paths of stretches that were searched, by their two ends.
    paths: BTreeMap<(u32, u32), MeshPath>,
    /// The stretch that is being searched.
    running: Option<(Open, Running)>,
    /// Whether a stretch was skipped because paths through it are too long.
    is_cut: bool,
    stats: Stats,
    /// The units of work up to now.
    work: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    Fresh,
    Working { revision: Revision },
    Ended(Ending),
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ending {
    Found { cost: u64 },
    NoPath(NoPath),
    Limit(Limit),
    Interrupted(Interruption),
}

/// A search over the ground under way.
#[derive(Clone, Debug)]
enum Running {
    Polyanya(PolyanyaSearch),
    Corridor(CorridorSearch),
}

/// A stretch in the queue: from node `from` to node `to`. Ordered by `least`, then by the rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Open {
    /// The least cost of a whole path through it.
    least: u64,
    /// The cost of the path to its far end, the link there included; a lower bound while the
    /// stretch is not searched.
    cost: u64,
    is_searched: bool,
    from: u32,
    to: u32,
}

/// A direction of a link.
#[derive(Clone, Copy, Debug)]
struct Way {
    entry: MeshPoint,
    exit: MeshPoint,
    link: LinkId,
    cost: u64,
}

/// The ends of stretches.
///
/// Node 0 is the start if a stretch begins there, the goal if it ends there. Node n is direction
/// n - 1: its exit if a stretch begins there, its entrance if it ends there.
#[derive(Clone, Debug)]
struct Graph {
    start: MeshPoint,
    goal: MeshPoint,
    ways: Vec<Way>,
    /// The least cost from each node to the goal.
    rest: Vec<u64>,
    /// The least cost of a searched path to each node, the link there included.
    known: Vec<u64>,
    /// The node before each one that is settled.
    before: Vec<Option<u32>>,
}

impl Graph {
    fn way(&self, node: u32) -> Option<&Way> {
        self.ways.get((node as usize).checked_sub(1)?)
    }

    /// Returns where a stretch from a node begins.
    fn begin(&self, node: u32) -> MeshPoint {
        self.way(node).map_or(self.start, |way| way.exit)
    }

    /// Returns where a stretch to a node ends.
    fn end(&self, node: u32) -> MeshPoint {
        self.way(node).map_or(self.goal, |way| way.entry)
    }

    /// Returns the cost of the link at a node.
    fn toll(&self, node: u32) -> u64 {
        self.way(node).map_or(0, |way| way.cost)
    }

    fn nodes(&self) -> std::ops::Range<u32> {
        0..self.ways.len() as u32 + 1
    }

    /// Returns a lower bound of the cost of a stretch; [`FAR`] between islands.
    fn straight(&self, space: &NavMeshSpace<'_>, from: u32, to: u32) -> u64 {
        let (from, to) = (self.begin(from), self.end(to));
        if space.reachability(from.polygon, to.polygon) != Reachability::Possible {
            return FAR;
        }
        let way = (to.place - from.place).with_y(0.0).as_dvec3();
        let cost = way.length() * f64::from(space.layer.lowest) * space.cost_per_unit();
        // A millimetre less, since points are rounded.
        (cost - 1.0).max(0.0) as u64
    }

    /// Finds the least cost from each node to the goal.
    fn estimate(&mut self, space: &NavMeshSpace<'_>) {
        self.rest = self.nodes().map(|node| self.straight(space, node, 0)).collect();
        let past =
            |graph: &Self, node: u32| graph.toll(node).saturating_add(graph.rest[node as usize]);
        if self.ways.len() >= MOST_CHAINED {
            let least = self.nodes().skip(1).map(|node| past(self, node)).min().unwrap_or(FAR);
            for rest in &mut self.rest {
                *rest = least.min(*rest);
            }
            return;
        }
        // Dijkstra's algorithm, backwards from the goal.
        let mut open: Vec<u32> = self.nodes().skip(1).collect();
        while let Some(place) = (0..open.len()).min_by_key(|&at| self.rest[open[at] as usize]) {
            let nearest = open.swap_remove(place);
            let beyond = past(self, nearest);
            if beyond == FAR {
                break;
            }
            for node in open.iter().copied().chain([0]) {
                let through = self.straight(space, node, nearest).saturating_add(beyond);
                let rest = &mut self.rest[node as usize];
                *rest = through.min(*rest);
            }
        }
    }
}

/// Returns the cost of a path over the ground, in millimetres.
fn cost_of(space: &NavMeshSpace<'_>, path: &MeshPath) -> u64 {
    (path.cost * space.cost_per_unit()).ceil() as u64
}

impl MeshWaySearch {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(query: MeshQuery, ground: GroundSearch) -> Self {
        let (start, goal) = (query.start, query.goal);
        let graph = Graph {
            start,
            goal,
            ways: Vec::new(),
            rest: Vec::new(),
            known: Vec::new(),
            before: Vec::new(),
        };
        Self {
            query,
            ground,
            delays: None,
            state: State::Fresh,
            graph,
            queue: BinaryHeap::new(),
            paths: BTreeMap::new(),
            running: None,
            is_cut: false,
            stats: Stats::default(),
            work: 0,
        }
    }

    /// Returns the counters of all searches over the ground.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns the [units of work](wayfare_core::navigate::work) up to now: those of the searches
    /// over the ground, one for each stretch popped from the queue, and one for each four tested
    /// pairs of ends.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    fn end(&mut self, ending: Ending) -> Progress {
        self.state = State::Ended(ending);
        self.running = None;
        Progress::Done
    }

    /// Looks at the ends, and at the links that can be used.
    fn begin(&mut self, linked: &LinkedSpace<'_, NavMeshSpace<'_>>) {
        let space = linked.space();
        if let Err(reason @ (NoPath::Start(_) | NoPath::Goal(_))) =
            mesh_preflight(space, &self.query)
        {
            let _ = self.end(Ending::NoPath(reason));
            return;
        }
        self.state = State::Working { revision: linked.revision() };
        self.delays = linked.delays();
        let ways = linked.ways().map(|way| Way {
            entry: space.nearest_within(way.entry, way.places[0]),
            exit: space.nearest_within(way.exit, way.places[1]),
            link: way.link,
            cost: way.cost,
        });
        self.graph.ways = ways.collect();
        let nodes = self.graph.nodes().len();
        let pairs = if nodes > MOST_CHAINED { nodes } else { nodes * nodes };
        self.work += pairs.div_ceil(PAIRS_A_UNIT) as u64;
        self.graph.known = vec![FAR; nodes];
        self.graph.before = vec![None; nodes];
        self.graph.estimate(space);
        self.leave(space, 0, 0);
    }

    /// Queues the stretches from a node that a path reaches at cost `gone`.
    fn leave(&mut self, space: &NavMeshSpace<'_>, from: u32, gone: u64) {
        for to in self.graph.nodes() {
            let least = self.graph.straight(space, from, to);
            let rest = if to == 0 { 0 } else { self.graph.rest[to as usize] };
            if least == FAR || rest == FAR || self.graph.before[to as usize].is_some() {
                continue;
            }
            let cost = gone.saturating_add(least).saturating_add(self.graph.toll(to));
            let least = cost.saturating_add(rest);
            self.push(space, Open { least, cost, is_searched: false, from, to });
        }
    }

    /// Queues a stretch, unless it is on no cheapest path.
    fn push(&mut self, space: &NavMeshSpace<'_>, open: Open) {
        let most = self.query.limits.length * space.cost_per_unit();
        if open.least as f64 > most {
            self.is_cut = true;
        } else if open.is_searched || !self.is_dominated(&open) {
            self.queue.push(Reverse(open));
        }
    }

    /// Returns whether a known path to the far end of a stretch, or to the goal, costs no more than
    /// the bound of the stretch.
    fn is_dominated(&self, open: &Open) -> bool {
        open.cost >= self.graph.known[open.to as usize] || open.least >= self.graph.known[0]
    }

    /// Takes the next stretch from the queue: settles its far end, or begins to search it.
    fn advance(&mut self, space: &NavMeshSpace<'_>) -> Option<Ending> {
        let Some(Reverse(open)) = self.queue.pop() else { return Some(self.verdict(space)) };
        if self.graph.before[open.to as usize].is_some() {
            return None; // settled before
        }
        if open.is_searched {
            self.graph.before[open.to as usize] = Some(open.from);
            if open.to == 0 {
                return Some(Ending::Found { cost: open.cost });
            }
            self.leave(space, open.to, open.cost);
        } else if !self.is_dominated(&open) {
            let left = self.query.limits.expansions.saturating_sub(self.stats.expanded);
            let ends = (self.graph.begin(open.from), self.graph.end(open.to));
            let query = MeshQuery::new(ends.0, ends.1).max_expansions(left);
            let by_corridor = match self.ground {
                GroundSearch::Suited => !space.is_uniform() || self.delays.is_some(),
                GroundSearch::Polyanya => false,
                GroundSearch::Corridor => true,
            };
            self.running = Some(match by_corridor {
                true => {
                    let search = Corridor.search(query);
                    let search = match &self.delays {
                        Some(delays) => search.with_delays(Arc::clone(delays)),
                        None => search,
                    };
                    (open, Running::Corridor(search))
                }
                false => (open, Running::Polyanya(Polyanya.search(query))),
            });
        }
        None
    }

    /// Returns the cost of a cheapest path to a settled node, the link there included.
    fn gone(&self, node: u32) -> u64 {
        if node == 0 { 0 } else { self.graph.known[node as usize] }
    }

    /// Takes in the answer of a search over the ground.
    fn take_in(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        open: Open,
        outcome: MeshOutcome,
    ) -> Option<Ending> {
        let path = match outcome {
            MeshOutcome::Found(path) => path,
            MeshOutcome::Unreachable { nearest, .. } => {
                scratch.recycle(nearest);
                return None;
            }
            MeshOutcome::LimitReached { limit, nearest } => {
                scratch.recycle(nearest);
                return Some(Ending::Limit(limit));
            }
            MeshOutcome::Interrupted(interruption) => {
                return Some(Ending::Interrupted(interruption));
            }
        };
        let toll = self.graph.toll(open.to);
        let gone = self.gone(open.from);
        let cost = gone.saturating_add(cost_of(space, &path)).saturating_add(toll);
        let known = &mut self.graph.known[open.to as usize];
        if cost >= *known {
            scratch.recycle(path);
            return None;
        }
        *known = cost;
        self.paths.insert((open.from, open.to), path);
        let least = cost.saturating_add(open.least - open.cost);
        self.push(space, Open { least, cost, is_searched: true, ..open });
        None
    }

    /// Returns how a search ends when no stretch is left.
    fn verdict(&self, space: &NavMeshSpace<'_>) -> Ending {
        match mesh_preflight(space, &self.query) {
            _ if self.is_cut => Ending::Limit(Limit::Cost),
            Err(reason) => Ending::NoPath(reason),
            Ok(()) => Ending::NoPath(NoPath::Exhausted),
        }
    }

    /// Works for at most `budget` [units](wayfare_core::navigate::work), which the last expansion
    /// may exceed. The first step looks at the links in one piece.
    pub fn step<O: MeshObserver>(
        &mut self,
        linked: &LinkedSpace<'_, NavMeshSpace<'_>>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        let last = self.work.saturating_add(budget);
        match self.state {
            State::Ended(_) => return Progress::Done,
            State::Fresh => {
                self.begin(linked);
                if let State::Ended(_) = self.state {
                    return Progress::Done;
                }
            }
            State::Working { revision } => {
                if revision != linked.revision() {
                    return self.end(Ending::Interrupted(Interruption::SpaceEdited));
                }
            }
        }
        let space = linked.space();
        while self.work < last {
            let left = last - self.work;
            let Some((open, running)) = &mut self.running else {
                self.work += 1;
                match self.advance(space) {
                    Some(ending) => return self.end(ending),
                    None => continue,
                }
            };
            let open = *open;
            let MeshStep { answer, worked, expanded } = match running {
                Running::Polyanya(search) => stepped(search, space, scratch, observer, left),
                Running::Corridor(search) => stepped(search, space, scratch, observer, left),
            };
            self.work += worked;
            self.stats.expanded += expanded;
            let Some(MeshAnswer { outcome, stats }) = answer else { continue };
            self.running = None;
            self.stats.generated += stats.generated;
            self.stats.heap_peak = self.stats.heap_peak.max(stats.heap_peak);
            if let Some(ending) = self.take_in(space, scratch, open, outcome) {
                return self.end(ending);
            }
        }
        Progress::Working
    }

    /// Returns the answer once the search is done. Before that, its answer if it is given up now.
    pub fn answer(&mut self) -> MeshWayAnswer {
        let stats = self.stats;
        let ending = match self.state {
            State::Ended(ending) => ending,
            State::Fresh | State::Working { .. } => Ending::Limit(Limit::Expansions),
        };
        let nearest = || MeshPath {
            points: vec![self.query.start],
            corridor: vec![self.query.start.polygon],
            ..MeshPath::default()
        };
        let way = match ending {
            Ending::Found { cost } => Ok(self.way(cost)),
            Ending::NoPath(reason @ NoPath::Start(_)) => {
                Err(MeshOutcome::Unreachable { reason, nearest: MeshPath::default() })
            }
            Ending::NoPath(reason) => Err(MeshOutcome::Unreachable { reason, nearest: nearest() }),
            Ending::Limit(limit) => Err(MeshOutcome::LimitReached { limit, nearest: nearest() }),
            Ending::Interrupted(interruption) => Err(MeshOutcome::Interrupted(interruption)),
        };
        MeshWayAnswer { way, stats }
    }

    /// Returns the path to the goal. Its stretches are moved out of the search.
    fn way(&mut self, cost: u64) -> MeshWay {
        let mut stretches = Vec::new();
        let (mut to, mut cost_before) = (0, cost);
        // Every node is settled once, so that the row from the goal back ends at the start.
        while let Some(from) = self.graph.before[to as usize] {
            let link = self.graph.way(to).map(|way| CrossedLink { link: way.link, cost: way.cost });
            let gone = self.gone(from);
            let path = self.paths.remove(&(from, to)).unwrap_or_default();
            let cost = cost_before - gone - self.graph.toll(to);
            stretches.push(MeshStretch { path, cost, link });
            if from == 0 {
                break;
            }
            (to, cost_before) = (from, gone);
        }
        stretches.reverse();
        MeshWay { stretches, cost }
    }

    /// Runs the search to its end and returns the answer.
    pub fn finish<O: MeshObserver>(
        &mut self,
        linked: &LinkedSpace<'_, NavMeshSpace<'_>>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> MeshWayAnswer {
        while self.step(linked, scratch, observer, u64::MAX) == Progress::Working {}
        self.answer()
    }
}

/// The result of a step of a search over the ground.
struct MeshStep {
    /// The answer, if the search is done.
    answer: Option<MeshAnswer>,
    /// The units of work of the step.
    worked: u64,
    /// The expansions of the step.
    expanded: u64,
}

fn stepped<S: MeshSearch, O: MeshObserver>(
    search: &mut S,
    space: &NavMeshSpace<'_>,
    scratch: &mut MeshScratch,
    observer: &mut O,
    budget: u64,
) -> MeshStep {
    let before = (search.work(), search.stats().expanded);
    let progress = search.step(space, scratch, observer, budget);
    let (worked, expanded) = (search.work() - before.0, search.stats().expanded - before.1);
    let answer = (progress == Progress::Done).then(|| search.answer(space, scratch));
    MeshStep { answer, worked, expanded }
}
