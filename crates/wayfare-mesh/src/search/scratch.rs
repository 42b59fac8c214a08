//! The working memory of searches on meshes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec2;

use crate::MeshPath;

/// No node, root or corner.
pub(super) const NONE: u32 = u32::MAX;

/// Lengths within this ratio are taken for equal: sums of the same legs in another order differ in
/// the last digits.
const SAME: f64 = 1.0 + 1e-12;

/// An interval: the part of an edge that a root sees, to be entered by the polygon behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The corner, in the polygon to be entered, whose edge the interval is a part of.
    pub(super) corner: u32,
    /// The polygon to be entered.
    pub(super) polygon: u32,
    /// The root that sees it.
    pub(super) root: u32,
    /// The node that it was generated from, or [`NONE`].
    pub(super) parent: u32,
    /// The ends of the edge, to the left and to the right.
    pub(super) edge: [Vec2; 2],
    /// The vertex that bounds the view to the left. The root itself: the view is bounded by the
    /// straight continuation past the root.
    pub(super) left: Vec2,
    /// The vertex that bounds the view to the right.
    pub(super) right: Vec2,
}

/// A root: the start, or a vertex where a path turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) place: Vec2,
    /// The point of the previous root.
    pub(super) before: Vec2,
    /// The length of the path as far as here.
    pub(super) g: f64,
    /// A corner at the vertex; [`NONE`] for the start.
    pub(super) corner: u32,
    /// The root before it, or [`NONE`].
    pub(super) parent: u32,
}

/// The shortest known path to the vertex of a fan, in the search with this id.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reached {
    g: f64,
    epoch: u32,
    /// The first in the list of turns on this path.
    turns: u32,
}

/// A turn at the vertex of a fan, in the list of those on the shortest known path to it.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// The point of the root before it.
    from: Vec2,
    way: Way,
    /// Whether it shortens no path.
    is_dropped: bool,
    /// The next one of the list, or [`NONE`].
    next: u32,
}

/// Where a path turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Left,
    Right,
}

/// The cheapest known path to an edge, in the search with this id.
#[derive(Clone, Copy, Default, Debug)]
struct Door {
    g: f64,
    epoch: u32,
    /// The edge before it, or [`NONE`].
    parent: u32,
}

/// The working memory of searches on meshes: owned by the caller, reused from query to query.
///
/// Make one per thread and keep it: after the first few queries a search allocates nothing. It
/// grows with the count of intervals that searches generate; none ends for want of memory. Takes 16
/// bytes for each vertex where paths may turn, 4 for each block of the mesh, and about 80 for each
/// interval of the largest search.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
/// use wayfare::space::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
///
/// // Two squares side by side.
/// let places = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [4.0, 2.0], [4.0, 0.0]];
/// let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId::WALKABLE);
/// let mesh = NavMesh::new(draft)?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let mut scratch = MeshScratch::new();
/// for x in [2.5, 3.0, 3.5] {
///     let query = MeshQuery::new(at(0.5, 1.0), at(x, 1.0));
///     let answer = Polyanya.search(query).finish(&space, &mut scratch, &mut ());
///     assert_eq!(answer.outcome.path().unwrap().length, f64::from(x) - 0.5);
/// }
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Debug, Default)]
pub struct MeshScratch {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<Root>,
    /// Lengths as bits, which order as they do, and below them the bits of nodes the other way
    /// around: of equal lengths the newest node is first.
    heap: BinaryHeap<Reverse<u128>>,
    reached: Vec<Reached>,
    turns: Vec<Turn>,
    /// The last search that took in the polygons around the vertex of each fan.
    around: Vec<u32>,
    allowed: Vec<u32>,
    doors: Vec<Door>,
    epoch: u32,
    /// Counts the searches that used this scratch.
    searches: u64,
    /// Polygons around a point, each with the index of the one it was entered from.
    pub(super) links: Vec<(u32, u32)>,
    /// The last round that saw each polygon.
    pub(super) seen: Vec<u32>,
    pub(super) round: u32,
    /// The search that last looked at each polygon, if that is not one of its nodes.
    looked: Vec<u32>,
    /// The count of nodes whose polygons are noted there as well.
    noted: usize,
    /// The nodes of a path.
    pub(super) chain: Vec<u32>,
    spare: Option<MeshPath>,
}

impl MeshScratch {
    /// Takes no memory before the first search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives back a path whose memory the next answer may use.
    pub fn recycle(&mut self, path: MeshPath) {
        self.spare = Some(path);
    }

    /// Returns its memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.roots.capacity() * size_of::<Root>()
            + self.heap.capacity() * size_of::<u128>()
            + self.reached.capacity() * size_of::<Reached>()
            + self.turns.capacity() * size_of::<Turn>()
            + self.around.capacity() * size_of::<u32>()
            + self.allowed.capacity() * size_of::<u32>()
            + self.doors.capacity() * size_of::<Door>()
            + self.looked.capacity() * size_of::<u32>()
    }

    /// Begins a search on a mesh with that many fans and blocks; returns its id.
    pub(super) fn begin(&mut self, fans: usize, blocks: usize) -> u64 {
        self.nodes.clear();
        self.roots.clear();
        self.turns.clear();
        self.heap.clear();
        if self.epoch == u32::MAX {
            self.epoch = 0;
            self.reached.clear();
            self.around.clear();
            self.allowed.clear();
            self.doors.clear();
            self.looked.clear();
        }
        self.epoch += 1;
        self.noted = 0;
        if self.reached.len() < fans {
            self.reached.resize(fans, Reached::default());
        }
        if self.allowed.len() < blocks {
            self.allowed.resize(blocks, 0);
        }
        self.searches += 1;
        self.searches
    }

    /// Returns whether the search with that id is the last one.
    pub(super) fn serves(&self, search: u64) -> bool {
        self.searches == search
    }

    /// Makes room for fans, blocks and polygons of a mesh that was edited.
    pub(super) fn grow(&mut self, fans: usize, blocks: usize, polygons: usize) {
        if self.reached.len() < fans {
            self.reached.resize(fans, Reached::default());
        }
        if self.allowed.len() < blocks {
            self.allowed.resize(blocks, 0);
        }
        if self.looked.len() < polygons {
            self.looked.resize(polygons, 0);
        }
    }

    /// Notes that the search looked at a polygon, if there is [room](Self::grow).
    #[inline]
    pub(super) fn look(&mut self, polygon: u32) {
        if let Some(looked) = self.looked.get_mut(polygon as usize) {
            *looked = self.epoch;
        }
    }

    /// Marks the polygons of all nodes as read by the search.
    pub(super) fn look_at_nodes(&mut self) {
        for index in self.noted.min(self.nodes.len())..self.nodes.len() {
            self.look(self.nodes[index].polygon);
        }
        self.noted = self.nodes.len();
    }

    /// Returns whether the search looked at a polygon.
    pub(super) fn has_looked(&self, polygon: u32) -> bool {
        self.looked.get(polygon as usize) == Some(&self.epoch)
    }

    /// Makes room for edges.
    pub(super) fn begin_doors(&mut self, edges: usize) {
        if self.doors.len() < edges {
            self.doors.resize(edges, Door::default());
        }
    }

    /// Stores a path to an edge if it is the cheapest known. Returns whether it is.
    pub(super) fn relax(&mut self, edge: u32, g: f64, parent: u32) -> bool {
        let epoch = self.epoch;
        let door = &mut self.doors[edge as usize];
        let is_cheaper = door.epoch != epoch || g < door.g;
        if is_cheaper {
            *door = Door { g, epoch, parent };
        }
        is_cheaper
    }

    /// Returns the cost of the cheapest known path to a reached edge.
    pub(super) fn door(&self, edge: u32) -> f64 {
        self.doors[edge as usize].g
    }

    /// Returns the edge before an edge that was reached.
    pub(super) fn door_parent(&self, edge: u32) -> u32 {
        self.doors[edge as usize].parent
    }

    /// Forgets the polygons around the last point. There are `polygons` in all.
    pub(super) fn begin_round(&mut self, polygons: usize) {
        self.links.clear();
        if self.round == u32::MAX {
            self.round = 0;
            self.seen.fill(0);
        }
        self.round += 1;
        if self.seen.len() < polygons {
            self.seen.resize(polygons, 0);
        }
    }

    /// Returns whether a polygon is seen for the first time in this round.
    #[inline]
    pub(super) fn see(&mut self, polygon: u32) -> bool {
        std::mem::replace(&mut self.seen[polygon as usize], self.round) != self.round
    }

    /// Returns an empty path.
    pub(super) fn path(&mut self) -> MeshPath {
        let mut path = self.spare.take().unwrap_or_default();
        path.clear();
        path
    }

    /// Lets the search enter a block.
    pub(super) fn allow(&mut self, block: u32) {
        self.allowed[block as usize] = self.epoch;
    }

    /// Returns whether the search may enter a block.
    #[inline(always)]
    pub(super) fn allows(&self, block: u32) -> bool {
        self.allowed[block as usize] == self.epoch
    }

    /// Returns whether no known path to the vertex of a fan is shorter than `g`.
    #[inline(always)]
    pub(super) fn is_shortest(&self, fan: u32, g: f64) -> bool {
        let reached = &self.reached[fan as usize];
        reached.epoch != self.epoch || g <= reached.g * SAME
    }

    /// Returns the length of the shortest known path to the vertex of a fan; infinity without one.
    #[inline(always)]
    pub(super) fn known(&self, fan: u32) -> f64 {
        let reached = self.reached.get(fan as usize).filter(|it| it.epoch == self.epoch);
        reached.map_or(f64::INFINITY, |reached| reached.g)
    }

    /// Returns whether the shortest known path to the vertex of a fan has a root there, and is no
    /// longer than `g`.
    pub(super) fn has_root(&self, fan: u32, g: f64) -> bool {
        let Reached { turns, .. } = self.reached[fan as usize];
        g >= self.known(fan) && (turns == NONE || self.turns_from(turns).any(|it| !it.is_dropped))
    }

    /// Returns whether this is the first such question for a fan in this search.
    pub(super) fn is_first_around(&mut self, fan: u32) -> bool {
        if self.around.len() <= fan as usize {
            self.around.resize(self.reached.len(), 0);
        }
        std::mem::replace(&mut self.around[fan as usize], self.epoch) != self.epoch
    }

    /// Stores a path to the vertex of a fan that has not turned there yet, with a root.
    pub(super) fn glimpse(&mut self, fan: u32, g: f64) {
        self.reached[fan as usize] = Reached { g, epoch: self.epoch, turns: NONE };
    }

    /// Stores a path to the vertex `at` of a fan, from a root at `from`, unless a known one is
    /// shorter, or as long, from the same direction, with the same turn: both see the same. Returns
    /// the number of the turn, for [`drop_turn`](Self::drop_turn).
    ///
    /// Between equal obstacles in rows, about 2ⁿ equally short paths reach a corner at the n-th
    /// crossing. All end with one of a few turns.
    #[inline(always)]
    pub(super) fn reach(
        &mut self,
        fan: u32,
        g: f64,
        [from, at]: [Vec2; 2],
        way: Way,
    ) -> Option<u32> {
        let (known, epoch) = (self.reached[fan as usize], self.epoch);
        let (mut next, mut shortest) = (NONE, g);
        if known.epoch == epoch && g * SAME >= known.g {
            let way_to = |from: Vec2| at.as_dvec2() - from.as_dvec2();
            let to = way_to(from);
            let is_same = |turn: &Turn| {
                let other = way_to(turn.from);
                turn.way == way && other.perp_dot(to) == 0.0 && other.dot(to) > 0.0
            };
            if g > known.g * SAME || self.turns_from(known.turns).any(is_same) {
                return None;
            }
            (next, shortest) = (known.turns, g.min(known.g));
        }
        let turns = self.turns.len() as u32;
        self.turns.push(Turn { from, way, is_dropped: false, next });
        self.reached[fan as usize] = Reached { g: shortest, epoch, turns };
        Some(turns)
    }

    /// Marks a turn as one that shortens no path. The path as far as its vertex stays known, and
    /// the turn is not tried again: along n corners on one line, 2ⁿ paths would try the last.
    pub(super) fn drop_turn(&mut self, turn: u32) {
        self.turns[turn as usize].is_dropped = true;
    }

    /// Visits a list of turns.
    #[inline(always)]
    fn turns_from(&self, mut at: u32) -> impl Iterator<Item = &Turn> {
        std::iter::from_fn(move || {
            let turn = self.turns.get(at as usize)?;
            at = turn.next;
            Some(turn)
        })
    }

    #[inline(always)]
    pub(super) fn push(&mut self, f: f64, node: u32) {
        self.heap.push(Reverse(u128::from(f.to_bits()) << 32 | u128::from(!node)));
    }

    /// Returns the least length on the heap; infinite if it is empty.
    #[inline(always)]
    pub(super) fn least(&self) -> f64 {
        self.heap
            .peek()
            .map_or(f64::INFINITY, |Reverse(entry)| f64::from_bits((entry >> 32) as u64))
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(f64, u32)> {
        let Reverse(entry) = self.heap.pop()?;
        Some((f64::from_bits((entry >> 32) as u64), !(entry as u32)))
    }

    pub(super) fn open(&self) -> usize {
        self.heap.len()
    }
}
