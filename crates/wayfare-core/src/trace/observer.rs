//! Observers: hear every event of a search.

use crate::space::{Cost, Space, StateId};

/// What happened to a state.
///
/// Example: [`Observer`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TraceEventKind {
    /// It was reached for the first time and put on the open list.
    Generate,
    /// It was reached again, more cheaply.
    Relax,
    /// It was taken off the open list, and its moves are about to be followed.
    Expand,
    /// It was reached more cheaply after it had been expanded, and goes back to the open list.
    Reopen,
    /// It is the goal, and the search ends here.
    Goal,
    /// A search that runs in rounds restarts: no state is open or closed any more (IDA*).
    Restart,
}

/// Which end a search runs from.
///
/// Example: [`Observer`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Side {
    /// From the start.
    #[default]
    Forward,
    /// From the goal, in a bidirectional search.
    Backward,
}

/// One thing that a search did.
///
/// Example: [`Observer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceEvent<State, Cost> {
    /// What happened.
    pub kind: TraceEventKind,
    /// Which end the search runs from.
    pub side: Side,
    /// The state it happened to.
    pub state: State,
    /// The state it was reached from; itself for the first.
    pub parent: State,
    /// The cost of the best path to it so far.
    pub g: Cost,
    /// The estimate from it to the goal.
    pub h: Cost,
}

/// Hears every event of a search. `()` hears nothing and compiles away.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::Cost;
/// use wayfare::trace::{Observer, Side, TraceEvent, TraceEventKind, TraceHash};
///
/// /// Counts the expansions of each side.
/// #[derive(Default)]
/// struct Count {
///     forward: usize,
///     backward: usize,
/// }
/// impl<State: StateId, C: Cost> Observer<State, C> for Count {
///     fn observe(&mut self, event: TraceEvent<State, C>) {
///         match (event.kind, event.side) {
///             (TraceEventKind::Expand, Side::Forward) => self.forward += 1,
///             (TraceEventKind::Expand, Side::Backward) => self.backward += 1,
///             _ => {}
///         }
///     }
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let (mut count, mut trace, mut hash) = (Count::default(), Trace::new(), TraceHash::default());
/// let mut scratch = Scratch::new();
/// AStar::new().search(query.clone()).finish(&grid.space(), &mut scratch, &mut count);
/// AStar::new().search(query.clone()).finish(&grid.space(), &mut scratch, &mut trace);
/// AStar::new().search(query).finish(&grid.space(), &mut scratch, &mut hash);
/// assert_eq!((count.forward, count.backward), (trace.expansions(), 0));
/// assert_eq!(trace.hash(), hash.value());
/// # Ok::<(), GridError>(())
/// ```
pub trait Observer<State: StateId, C: Cost> {
    /// Takes in one event.
    fn observe(&mut self, event: TraceEvent<State, C>);

    /// Takes in the work of an expansion beyond one unit: what jumps looked at, in 64ths of a
    /// [unit](crate::search::Search::step). No part of a trace.
    #[inline(always)]
    fn scanned(&mut self, _work: u32) {}
}

impl<State: StateId, C: Cost> Observer<State, C> for () {
    #[inline(always)]
    fn observe(&mut self, _event: TraceEvent<State, C>) {}
}

impl<State: StateId, C: Cost, O: Observer<State, C> + ?Sized> Observer<State, C> for &mut O {
    #[inline]
    fn observe(&mut self, event: TraceEvent<State, C>) {
        (**self).observe(event);
    }

    #[inline]
    fn scanned(&mut self, work: u32) {
        (**self).scanned(work);
    }
}

/// An observer of searches in the space `S`. A shorthand for bounds.
///
/// Example: [`FullSpace`](crate::search::FullSpace).
pub trait ObserverOf<S: Space>: Observer<S::State, S::Cost> {}
impl<S: Space, O: Observer<S::State, S::Cost>> ObserverOf<S> for O {}
