//! Lengths from points of a mesh to everywhere: Polyanya without a goal.
//!
//! Intervals are expanded in the order of their least distance from the sources. So when an
//! interval of distance `d` is taken, the length to each point nearer than `d` is known. Turning
//! points wait in the same order, and each looks around once: one that did so as soon as it is seen
//! would pass on lengths of any ways, and do it again for each shorter one.
//!
//! With a goal, the estimate keeps a search from most intervals. Without one, each turning point
//! would see through the whole mesh; skipping [beaten](Expansion::is_beaten) intervals prevents
//! that.

use std::collections::BTreeMap;

use glam::DVec2;
use wayfare_core::search::{FieldError, Interruption, Limit, Progress, Stats};
use wayfare_core::space::StateId;
use wayfare_core::trace::TraceEventKind;

use super::course::{Begun, Course, Ends, Machine, Run, step};
use super::expansion::{Best, Expansion, direction};
use super::field::{Entry, Glimpse, MeshField, Source, View, length_through};
use super::machine::inner_place;
use super::query::check_end;
use super::scratch::{NONE, Node, Root};
use super::{MeshFieldQuery, MeshScratch};
use crate::navmesh::build::NO_TWIN;
use crate::navmesh::{Corner, MeshPoint, NO_FAN, NavMeshSpace, PolygonId};
use crate::{MeshEvent, MeshObserver};

/// How a search ended: at a limit, or not.
pub(super) type Ending = Result<Option<Limit>, FieldError>;

/// Marks numbers on the heap as those of roots.
const ROOT: u32 = 1 << 31;

/// A target of a search.
#[derive(Clone, Copy, Debug)]
struct Target {
    polygon: u32,
    place: DVec2,
    /// The length of the shortest known path.
    length: f64,
}

/// A resumable machine that computes a [`MeshField`], with counters and limits like any search.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshField, MeshFieldQuery, MeshFieldSearch, MeshScratch};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let goal = space.locate(Vec3::new(3.5, 0.0, 2.0), HeightReach::default()).unwrap();
/// let mut scratch = MeshScratch::new();
/// let mut search = MeshFieldSearch::new(MeshFieldQuery::from_points([goal]));
/// while search.step(&space, &mut scratch, &mut (), 2) == Progress::Working {
///     // Two expansions at a time.
/// }
/// let field = search.into_field(&space, &mut scratch, MeshField::default())?;
/// assert_eq!(field.distance(&space, goal), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshFieldSearch {
    query: MeshFieldQuery,
    sources: Vec<Source>,
    entries: Vec<Entry>,
    glimpses: Vec<Glimpse>,
    /// The length to the root of each expanded view: an edge, and the points of the root and of the
    /// bounds of its cone.
    ///
    /// Of equally long paths only one continues; else their count would double from corner to
    /// corner. There are finitely many views, so a search ends for any roundings in the mesh.
    known: BTreeMap<(u32, [[u32; 2]; 3]), f64>,
    /// In order of polygon.
    targets: Vec<Target>,
    /// The known length to the last of the wanted targets.
    enough: f64,
    /// The distance up to which all lengths are known.
    radius: f64,
    /// Whether something was left out as too far.
    is_cut: bool,
    run: Run<Ending>,
}

impl MeshFieldSearch {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(query: MeshFieldQuery) -> Self {
        Self {
            query,
            sources: Vec::new(),
            entries: Vec::new(),
            glimpses: Vec::new(),
            known: BTreeMap::new(),
            targets: Vec::new(),
            enough: f64::INFINITY,
            radius: 0.0,
            is_cut: false,
            run: Run::new(),
        }
    }

    /// Returns the present counters.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.run.stats
    }

    /// Works for at most `budget` [units](wayfare_core::navigate::work), which the last expansion
    /// may exceed. Sliced and whole searches give the same field.
    pub fn step<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        step(self, space, scratch, observer, budget)
    }

    /// Returns the field, in the memory of another one that is not needed any more. Before the
    /// search is done: the field as far as it is known.
    ///
    /// # Errors
    /// If all sources are blocked, or the search could not go on.
    pub fn into_field(
        mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        mut spare: MeshField,
    ) -> Result<MeshField, FieldError> {
        let (ticket, limit) = match self.run.course {
            Course::Fresh => return Err(Interruption::ScratchReused.into()),
            Course::Working { ticket, .. } => (ticket, Some(Limit::Expansions)),
            Course::Ended { ticket, ending } => (ticket, ending?),
        };
        if !scratch.serves(ticket) {
            return Err(Interruption::ScratchReused.into());
        }
        let corners = &space.layer.corners;
        self.entries.retain(|entry| {
            let root = scratch.roots[entry.root as usize];
            let is_fan = root.corner != NONE;
            !is_fan || scratch.is_shortest(corners[root.corner as usize].fan, root.g)
        });
        let longest = self.radius.min(self.query.limits.length);
        spare.take_ways(self.sources, self.entries);
        spare.take_chains(scratch, &self.glimpses);
        spare.end(longest, limit, self.run.stats);
        spare.revision = space.mesh().revision();
        Ok(spare)
    }

    /// Adds the view of one source.
    fn add_source(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        source: MeshPoint,
        number: usize,
    ) {
        let place = inner_place(space, source);
        // The source is the first root of an expansion of its own.
        let (nodes, roots) =
            (std::mem::take(&mut scratch.nodes), std::mem::take(&mut scratch.roots));
        let mut best = Best::NONE;
        let mut work = Expansion::new(space, scratch, DVec2::ZERO, NONE, &mut best);
        work.begin(place, source.polygon.index());
        let (own_nodes, own_roots) = (
            std::mem::replace(&mut scratch.nodes, nodes),
            std::mem::replace(&mut scratch.roots, roots),
        );
        let (first_node, first_root) = (scratch.nodes.len() as u32, scratch.roots.len() as u32);
        let later = |index: u32, by: u32| if index == NONE { NONE } else { index + by };
        scratch.nodes.extend(own_nodes.into_iter().map(|node| Node {
            root: node.root + first_root,
            parent: later(node.parent, first_node),
            ..node
        }));
        scratch.roots.extend(own_roots.into_iter().map(|mut root| {
            root.parent = later(root.parent, first_root);
            root
        }));
        self.sources.push(Source { root: first_root, number, point: source });
        for link in 0..scratch.links.len() {
            let polygon = scratch.links[link].0;
            self.add_around(space, scratch, polygon, first_root);
        }
        Self::push_roots(scratch, first_root as usize + 1);
    }

    /// Puts the roots from `first` on the heap.
    fn push_roots(scratch: &mut MeshScratch, first: usize) {
        for index in first..scratch.roots.len() {
            scratch.push(scratch.roots[index].g, index as u32 | ROOT);
        }
    }

    /// Takes in a root: it sees all of the polygons that it is a corner of. Once for each vertex,
    /// since roots come in the order of their lengths.
    fn take_root(&mut self, space: &NavMeshSpace<'_>, scratch: &mut MeshScratch, index: u32) {
        let (tables, corners) = (&space.mesh().tables, &space.layer.corners);
        let Root { corner, g, .. } = scratch.roots[index as usize];
        let fan = corners[corner as usize].fan;
        if !scratch.is_shortest(fan, g) || !scratch.is_first_around(fan) {
            return;
        }
        if g > self.query.limits.length {
            self.is_cut = true;
            return;
        }
        // Clockwise to the wall, or all around; then from there all counter-clockwise.
        let mut first = corner;
        loop {
            let twin = corners[first as usize].twin;
            if twin == NO_TWIN || tables.next(twin) == corner {
                break;
            }
            first = tables.next(twin);
        }
        let (mut at, first_root) = (first, scratch.roots.len());
        loop {
            self.add_around(space, scratch, tables.owners[at as usize], index);
            self.run.surplus += 1;
            at = corners[tables.previous(at) as usize].twin;
            if at == NO_TWIN || at == first {
                break;
            }
        }
        Self::push_roots(scratch, first_root);
    }

    /// Adds a polygon that a root lies on: the entry, and its corners.
    fn add_around(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        polygon: u32,
        index: u32,
    ) {
        let g = scratch.roots[index as usize].g;
        self.add_entry(space, scratch, Entry::at_root(polygon, index, g));
        let span = space.mesh().tables.spans[polygon as usize];
        for corner in span.begin..span.end {
            self.add_corner(space, scratch, Glimpse { root: index, behind: NONE }, corner);
        }
    }

    /// Takes in the corners that a root sees in the polygon behind a node.
    fn add_corners_behind(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        index: u32,
    ) {
        let node = scratch.nodes[index as usize];
        let root = scratch.roots[node.root as usize];
        let eye = root.place.as_dvec2();
        let (to_left, to_right) = (direction(&root, node.left), direction(&root, node.right));
        let span = space.mesh().tables.spans[node.polygon as usize];
        for corner in span.begin..span.end {
            let offset = space.layer.corners[corner as usize].place() - eye;
            if to_right.perp_dot(offset) >= 0.0 && to_left.perp_dot(offset) <= 0.0 {
                let from = Glimpse { root: node.root, behind: index };
                self.add_corner(space, scratch, from, corner);
            }
        }
    }

    /// Makes a visible corner a root as well, if paths may turn there and no path as short is
    /// known.
    ///
    /// An expansion does so only for turns with an interval behind them. Behind others there may be
    /// polygons at the corner without further exits.
    fn add_corner(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        from: Glimpse,
        corner: u32,
    ) {
        let Corner { fan, .. } = space.layer.corners[corner as usize];
        if fan == NO_FAN {
            return;
        }
        let before = scratch.roots[from.root as usize];
        let place = space.layer.corners[corner as usize].flat();
        let g = before.g + (place.as_dvec2() - before.place.as_dvec2()).length();
        if !scratch.has_root(fan, g) {
            scratch.glimpse(fan, g);
            let root = scratch.roots.len() as u32;
            let (before, parent) = (before.place, from.root);
            scratch.roots.push(Root { place, before, g, corner, parent });
            self.glimpses.push(Glimpse { root, behind: from.behind });
        }
    }

    /// Adds an entry into a polygon.
    fn add_entry(&mut self, space: &NavMeshSpace<'_>, scratch: &MeshScratch, entry: Entry) {
        self.entries.push(entry);
        let begin = self.targets.partition_point(|target| target.polygon < entry.polygon);
        let mut is_nearer = false;
        for target in &mut self.targets[begin..] {
            if target.polygon != entry.polygon {
                break;
            }
            let view = View::of(&entry, &scratch.nodes, &scratch.roots);
            let length = length_through(space, &view, target.place).length;
            if length < target.length {
                (target.length, is_nearer) = (length, true);
            }
        }
        if is_nearer && self.query.wanted > 0 {
            let mut lengths: Vec<f64> = self.targets.iter().map(|target| target.length).collect();
            lengths.sort_unstable_by(f64::total_cmp);
            self.enough = lengths.get(self.query.wanted - 1).copied().unwrap_or(f64::INFINITY);
        }
    }

    /// Puts the nodes from `first` on the heap.
    fn take_in<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        first: usize,
    ) {
        self.run.stats.generated += (scratch.nodes.len() - first) as u64;
        let mut best = Best::NONE;
        let work = Expansion::new(space, scratch, DVec2::ZERO, NONE, &mut best);
        for node in first..work.scratch.nodes.len() {
            let least = least(&work, node);
            if O::LISTENS {
                observer.observe(event(&work, node, TraceEventKind::Generate));
            }
            if least > self.query.limits.length {
                self.is_cut = true;
            } else {
                work.scratch.push(least, node as u32);
            }
        }
        self.run.stats.heap_peak = self.run.stats.heap_peak.max(scratch.open());
    }
}

impl Ends for Ending {
    fn interrupted(interruption: Interruption) -> Self {
        Err(interruption.into())
    }
}

impl Machine for MeshFieldSearch {
    type Ending = Ending;

    fn run(&mut self) -> &mut Run<Ending> {
        &mut self.run
    }

    fn begin<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Begun<Ending> {
        let blocks = &space.layer.blocks;
        let ticket = scratch.begin(space.layer.fan_bound(), blocks.bound());
        (0..blocks.bound() as u32).for_each(|block| scratch.allow(block));
        let mut targets: Vec<Target> = (self.query.targets.iter())
            .filter(|target| check_end(space, **target).is_ok())
            .map(|&target| Target {
                polygon: target.polygon.index(),
                place: inner_place(space, target).as_dvec2(),
                length: f64::INFINITY,
            })
            .collect();
        targets.sort_by_key(|target| target.polygon);
        self.targets = targets;
        let mut reason = FieldError::NoSource;
        let query = self.query.clone();
        for (number, &source) in (0..).zip(&*query.sources) {
            match check_end(space, source) {
                Ok(()) => self.add_source(space, scratch, source, number),
                Err(obstruction) if reason == FieldError::NoSource => {
                    reason = FieldError::Source(obstruction);
                }
                Err(_) => {}
            }
        }
        if self.sources.is_empty() {
            return Begun { ticket: 0, ending: Some(Err(reason)) };
        }
        self.take_in(space, scratch, observer, 0);
        Begun { ticket, ending: None }
    }

    fn advance<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Option<Ending> {
        let Some((least, index)) = scratch.pop() else {
            self.radius = f64::INFINITY;
            return Some(Ok(self.is_cut.then_some(Limit::Cost)));
        };
        if least > self.enough {
            self.radius = self.enough;
            return Some(Ok(None));
        }
        if index & ROOT != 0 {
            self.take_root(space, scratch, index & !ROOT);
            return None;
        }
        let node = scratch.nodes[index as usize];
        let root = scratch.roots[node.root as usize];
        if root.corner != NONE {
            let fan = space.layer.corners[root.corner as usize].fan;
            if !scratch.is_shortest(fan, root.g) {
                return None; // a shorter way to the root was found since
            }
        }
        if self.run.stats.expanded == self.query.limits.expansions {
            // Rounding aside, nothing nearer comes later.
            self.radius = least * (1.0 - 1e-9);
            scratch.push(least, index);
            return Some(Ok(Some(Limit::Expansions)));
        }
        self.run.stats.expanded += 1;
        self.radius = least * (1.0 - 1e-9);
        let bits = [root.place, node.left, node.right].map(|at| at.to_array().map(f32::to_bits));
        let view = (node.corner, bits);
        let (first_node, first_root) = (scratch.nodes.len(), scratch.roots.len());
        let mut best = Best::NONE;
        let mut work = Expansion::new(space, scratch, DVec2::ZERO, NONE, &mut best);
        if work.is_beaten(index) || work.comes_back(index) {
            return None;
        }
        let known = self.known.entry(view).or_insert(f64::INFINITY);
        if root.g >= *known * (1.0 - 1e-12) {
            return None;
        }
        *known = root.g;
        if O::LISTENS {
            observer.observe(event(&work, index as usize, TraceEventKind::Expand));
        }
        work.expand(index);
        let entry = Entry { polygon: node.polygon, root: node.root, node: index, least };
        self.add_entry(space, scratch, entry);
        self.add_corners_behind(space, scratch, index);
        Self::push_roots(scratch, first_root);
        self.take_in(space, scratch, observer, first_node);
        None
    }
}

/// Returns the least distance from the sources to a point of a node's interval.
fn least(work: &Expansion<'_>, index: usize) -> f64 {
    let node = &work.scratch.nodes[index];
    let root = &work.scratch.roots[node.root as usize];
    let (eye, (left, right)) = (root.place.as_dvec2(), work.ends(node));
    let along = right - left;
    let share = (eye - left).dot(along) / along.length_squared();
    let nearest = if share > 0.0 { left + along * share.min(1.0) } else { left };
    root.g + (nearest - eye).length()
}

/// Returns an event of a node.
fn event(work: &Expansion<'_>, index: usize, kind: TraceEventKind) -> MeshEvent {
    let node = work.scratch.nodes[index];
    let root = work.scratch.roots[node.root as usize];
    let (left, right) = work.ends(&node);
    let twin = work.space.layer.corners[node.corner as usize].twin;
    let of_world = |place: DVec2| DVec2::new(place.x, -place.y);
    MeshEvent {
        kind,
        polygon: PolygonId::from_index(node.polygon),
        from: PolygonId::from_index(work.space.mesh().tables.owners[twin as usize]),
        root: of_world(root.place.as_dvec2()),
        left: of_world(left),
        right: of_world(right),
        g: root.g,
        h: least(work, index) - root.g,
    }
}
