//! Implicit graphs: nodes of any type, and moves by a closure.

use std::hash::{BuildHasherDefault, Hash};
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::Vec3;
use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::{
    Action, Cost, Edge, EdgeOf, LineOfSight, Metric, MoveRules, Obstruction, Plain, ReverseSpace,
    Revision, Space,
};

crate::state_id! {
    /// A node of an [`ImplicitGraph`], by the number it got when it was first seen.
    ImplicitState
}

/// A graph that is never stored: a closure names the moves out of a node.
///
/// **When to use it:** for puzzles, plans and everything else whose nodes are values: the board of
/// a game, the facts that a planner knows. A node is any `Eq + Hash + Clone` type. Every search
/// works on it; [nodes](Self::nodes) turns a path into values. For positions in a world use a grid,
/// waypoints or voxels: their states are dense ids already, and nothing is hashed.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::{BothWays, ImplicitGraph, OneWay, ToCondition};
///
/// // From 1 to 97 by doubling and by adding 1.
/// let graph = ImplicitGraph::new(|&n: &u32| [(n + 1, 1u32), (n * 2, 1)]);
/// let query = Query::new(graph.state(&1), graph.state(&97));
/// let path = solve(&graph, &Dijkstra, query).outcome.into_path();
/// assert_eq!(graph.nodes(path.states()), [1, 2, 3, 6, 12, 24, 48, 96, 97]);
///
/// // The last parameter of the type says which way moves are known.
/// let forwards: ImplicitGraph<'_, u32, u32, OneWay> = graph;
/// let either: ImplicitGraph<'_, u32, u32, BothWays> =
///     forwards.with_predecessors(|&n| [(n.saturating_sub(1), 1)]);
/// let some: ImplicitGraph<'_, u32, u32, ToCondition> = either.with_goal(|n| n % 9 == 0, |_| 0);
/// ```
///
/// An [estimate](Self::with_estimate) steers A\*. A [goal](Self::with_goal) may be a condition.
/// Searches that go backwards need [`both_ways`](Self::both_ways) or
/// [`with_predecessors`](Self::with_predecessors).
///
/// A node gets its number when a search or [`state`](Self::state) first meets it, and keeps it. The
/// numbers break ties: of several cheapest paths, the one that a search returns may depend on the
/// searches before it in the same graph. In a new graph it is always the same.
///
/// Memory: a node, a hash and up to 8 bytes for each node that was met, until the graph is dropped.
/// At most 2³¹ − 1 nodes; moves to further ones are left out.
pub struct ImplicitGraph<'f, N, C = u32, D = OneWay> {
    nodes: Mutex<Nodes<N, C>>,
    successors: Moves<'f, N, C>,
    predecessors: Option<Moves<'f, N, C>>,
    estimate: Option<Estimate<'f, N, C>>,
    goal: Option<Condition<'f, N, C>>,
    ways: PhantomData<fn() -> D>,
}

/// Writes the moves out of a node, or into it, to a list.
type Moves<'f, N, C> = Box<dyn Fn(&N, &mut Vec<(N, C)>) + Send + Sync + 'f>;

/// A lower bound on the cost from one node to another.
type Estimate<'f, N, C> = Box<dyn Fn(&N, &N) -> C + Send + Sync + 'f>;

/// Of an [`ImplicitGraph`]: moves are known forwards only.
///
/// Example: [`ImplicitGraph`].
#[derive(Clone, Copy, Debug)]
pub enum OneWay {}

/// Of an [`ImplicitGraph`]: moves are known forwards and backwards.
///
/// Example: [`ImplicitGraph`].
#[derive(Clone, Copy, Debug)]
pub enum BothWays {}

/// Of an [`ImplicitGraph`]: its goal is a condition. Nobody can list the nodes that satisfy it, so
/// that no search can begin there and go backwards.
///
/// Example: [`ImplicitGraph`].
#[derive(Clone, Copy, Debug)]
pub enum ToCondition {}

/// A goal that is given by a condition.
struct Condition<'f, N, C> {
    holds: Box<dyn Fn(&N) -> bool + Send + Sync + 'f>,
    estimate: Box<dyn Fn(&N) -> C + Send + Sync + 'f>,
}

struct Nodes<N, C> {
    known: IndexSet<N, BuildHasherDefault<FxHasher>>,
    /// Empty lists whose memory is used again.
    moves: Vec<(N, C)>,
    edges: Vec<Edge<ImplicitState, C>>,
}

/// The number of the state that stands for the goal given by a condition. Nodes follow it.
const ARRIVAL: u32 = 0;
/// The number of nodes that a state's 31 bits leave room for beside [`ARRIVAL`].
const MOST_NODES: usize = (1 << 31) - 1;

impl<N: Eq + Hash, C> Nodes<N, C> {
    fn intern(&mut self, node: N) -> Option<ImplicitState> {
        if self.known.len() >= MOST_NODES {
            let index = self.known.get_index_of(&node)?;
            return Some(ImplicitState(index as u32 + 1));
        }
        let (index, _) = self.known.insert_full(node);
        Some(ImplicitState(index as u32 + 1))
    }

    fn get(&self, state: ImplicitState) -> Option<&N> {
        self.known.get_index((state.0 as usize).checked_sub(1)?)
    }
}

impl<'f, N, C> ImplicitGraph<'f, N, C, OneWay>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
    /// Returns a graph whose moves a closure names: for each node the nodes that single moves lead
    /// to, each with the cost of its move. The closure must always name the same moves in the same
    /// order, and is called without any lock held.
    pub fn new<I: IntoIterator<Item = (N, C)>>(
        successors: impl Fn(&N) -> I + Send + Sync + 'f,
    ) -> Self {
        Self {
            nodes: Mutex::new(Nodes {
                known: IndexSet::default(),
                moves: Vec::new(),
                edges: Vec::new(),
            }),
            successors: boxed(successors),
            predecessors: None,
            estimate: None,
            goal: None,
            ways: PhantomData,
        }
    }

    /// Returns the same graph with moves that can be followed backwards: for each node, the closure
    /// names the nodes that single moves lead from.
    #[must_use]
    pub fn with_predecessors<I: IntoIterator<Item = (N, C)>>(
        mut self,
        predecessors: impl Fn(&N) -> I + Send + Sync + 'f,
    ) -> ImplicitGraph<'f, N, C, BothWays> {
        self.predecessors = Some(boxed(predecessors));
        self.known_as()
    }

    /// Returns the same graph, every move of which can be undone by a move of the same cost: a
    /// sliding puzzle, a street without direction.
    #[must_use]
    pub fn both_ways(self) -> ImplicitGraph<'f, N, C, BothWays> {
        self.known_as()
    }
}

impl<'f, N, C, D> ImplicitGraph<'f, N, C, D>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
    /// The same graph with a lower bound on the cost from one node to another. It is zero without,
    /// and A\* is Dijkstra's algorithm.
    ///
    /// A\* finds cheapest paths if no estimate exceeds the true cost. Searches that expand each
    /// state once ([`Bidirectional`](crate::search::Bidirectional), the planner) need a consistent
    /// one: `estimate(a, c) ≤ cost(a, b) + estimate(b, c)`. The closure must not use the graph.
    #[must_use]
    pub fn with_estimate(mut self, estimate: impl Fn(&N, &N) -> C + Send + Sync + 'f) -> Self {
        self.estimate = Some(Box::new(estimate));
        self
    }

    /// Returns the same graph with a goal: any node that satisfies a condition. `estimate` is a
    /// lower bound on the cost from a node to the nearest such node; `|_| 0` always is one.
    ///
    /// The query's goal is then [`ImplicitGraph::arrival`]. Neither closure may use the graph.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::space::ImplicitGraph;
    ///
    /// // The shortest way from 1 to a number that ends in 77, by doubling and by adding 3.
    /// let graph = ImplicitGraph::new(|&n: &u32| [(n + 3, 1u32), (n * 2, 1)])
    ///     .with_goal(|n| n % 100 == 77, |_| 0);
    /// let path = solve(&graph, &Dijkstra, Query::new(graph.state(&1), graph.arrival()));
    /// let nodes = graph.nodes(path.outcome.into_path().states());
    /// assert_eq!(nodes.last().map(|n| n % 100), Some(77));
    /// ```
    #[must_use]
    pub fn with_goal(
        mut self,
        holds: impl Fn(&N) -> bool + Send + Sync + 'f,
        estimate: impl Fn(&N) -> C + Send + Sync + 'f,
    ) -> ImplicitGraph<'f, N, C, ToCondition> {
        self.goal = Some(Condition { holds: Box::new(holds), estimate: Box::new(estimate) });
        self.known_as()
    }

    fn known_as<E>(self) -> ImplicitGraph<'f, N, C, E> {
        let Self { nodes, successors, predecessors, estimate, goal, .. } = self;
        ImplicitGraph { nodes, successors, predecessors, estimate, goal, ways: PhantomData }
    }

    /// Returns the state that stands for the goal of [`with_goal`](Self::with_goal). A move without
    /// cost leads to it from every node that satisfies the condition; [`nodes`](Self::nodes) leaves
    /// it out.
    #[must_use]
    pub fn arrival(&self) -> ImplicitState {
        ImplicitState(ARRIVAL)
    }

    /// Returns the state of a node; a number is given to it if it was never seen.
    #[must_use]
    pub fn state(&self, node: &N) -> ImplicitState {
        let mut nodes = self.lock();
        // `check` refuses a node that there is no room for.
        nodes.intern(node.clone()).unwrap_or(ImplicitState(u32::MAX))
    }

    /// Returns the node of a state. `None` for [`arrival`](Self::arrival) and for states of other
    /// graphs.
    #[must_use]
    pub fn node(&self, state: ImplicitState) -> Option<N> {
        self.lock().get(state).cloned()
    }

    /// Returns the nodes of states, such as those of a path.
    #[must_use]
    pub fn nodes(&self, states: impl IntoIterator<Item = ImplicitState>) -> Vec<N> {
        let nodes = self.lock();
        states.into_iter().filter_map(|state| nodes.get(state).cloned()).collect()
    }

    /// Returns the number of nodes that were met so far.
    #[must_use]
    pub fn known(&self) -> usize {
        self.lock().known.len()
    }

    /// A closure that panicked left no node half added: the lock is taken all the same.
    fn lock(&self) -> MutexGuard<'_, Nodes<N, C>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Visits the moves that `name` lists for a node, then the moves of `more`.
    ///
    /// Both closures run without the lock, as they may look at the graph.
    fn visit_moves(
        &self,
        state: ImplicitState,
        name: &Moves<'f, N, C>,
        more: impl FnOnce(&N) -> Option<Edge<ImplicitState, C>>,
        mut visit: impl FnMut(Edge<ImplicitState, C>),
    ) {
        let (node, mut moves, mut edges) = {
            let mut nodes = self.lock();
            let Some(node) = nodes.get(state).cloned() else { return };
            (node, std::mem::take(&mut nodes.moves), std::mem::take(&mut nodes.edges))
        };
        name(&node, &mut moves);
        edges.extend(more(&node));
        let mut nodes = self.lock();
        edges.extend(moves.drain(..).filter_map(|(node, cost)| {
            Some(Edge { target: nodes.intern(node)?, cost, action: Action::Walk })
        }));
        nodes.moves = moves;
        drop(nodes);
        edges.iter().copied().for_each(&mut visit);
        edges.clear();
        self.lock().edges = edges;
    }
}

fn boxed<'f, N, C, I: IntoIterator<Item = (N, C)>>(
    moves: impl Fn(&N) -> I + Send + Sync + 'f,
) -> Moves<'f, N, C> {
    Box::new(move |node, list| list.extend(moves(node)))
}

impl<N, C, D> Space for ImplicitGraph<'_, N, C, D>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
    type State = ImplicitState;
    type Cost = C;
    type Expander = Plain;

    /// Returns the bound of all possible states: a scratch takes memory for the reached ones.
    fn state_bound(&self) -> usize {
        MOST_NODES + 1
    }

    /// Always the first one: the moves never change.
    fn revision(&self) -> Revision {
        Revision::default()
    }

    fn check(&self, state: ImplicitState) -> Result<(), Obstruction> {
        let is_known = match state {
            ImplicitState(ARRIVAL) => self.goal.is_some(),
            node => self.lock().get(node).is_some(),
        };
        if is_known { Ok(()) } else { Err(Obstruction::OffMap) }
    }

    fn successors(&self, state: ImplicitState, visit: impl FnMut(EdgeOf<Self>)) {
        let arrive = |node: &N| {
            let has_arrived = self.goal.as_ref().is_some_and(|goal| (goal.holds)(node));
            has_arrived.then(|| Edge {
                target: self.arrival(),
                cost: C::ZERO,
                action: Action::Walk,
            })
        };
        self.visit_moves(state, &self.successors, arrive, visit);
    }

    fn estimate(&self, from: ImplicitState, to: ImplicitState) -> C {
        let nodes = self.lock();
        let bound = || match (nodes.get(from)?, nodes.get(to), &self.goal) {
            (from, Some(to), _) => self.estimate.as_ref().map(|estimate| estimate(from, to)),
            (from, None, Some(goal)) => Some((goal.estimate)(from)),
            (_, None, None) => None,
        };
        bound().unwrap_or(C::ZERO)
    }

    /// Returns the origin: nodes have no position in a world.
    fn position(&self, _state: ImplicitState) -> Vec3 {
        Vec3::ZERO
    }

    fn action(&self, _from: ImplicitState, _to: ImplicitState) -> Action {
        Action::Walk
    }
}

impl<N, C> ReverseSpace for ImplicitGraph<'_, N, C, BothWays>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
    fn predecessors(&self, state: ImplicitState, visit: impl FnMut(EdgeOf<Self>)) {
        let moves = self.predecessors.as_ref().unwrap_or(&self.successors);
        self.visit_moves(state, moves, |_| None, visit);
    }
}

impl<N, C, D> Metric for ImplicitGraph<'_, N, C, D>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
}

impl<N, C, D> LineOfSight for ImplicitGraph<'_, N, C, D>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
}

impl<N, C, D> MoveRules for ImplicitGraph<'_, N, C, D>
where
    N: Eq + Hash + Clone + Send,
    C: Cost,
{
}

impl<N, C, D> std::fmt::Debug for ImplicitGraph<'_, N, C, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImplicitGraph").finish_non_exhaustive()
    }
}
