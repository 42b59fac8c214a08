//! The expander of a space with links laid over it, built on that of the space beneath.

use std::marker::PhantomData;

use super::LinkedSpace;
use crate::space::{EdgeOf, Expander, Guidance, JumpVisitor, Jumping, Pruning, Space};

/// The [`Expander`] of a [`LinkedSpace`] over a space with the expander `E`, and each of its parts.
#[derive(Clone, Copy, Debug)]
pub struct Linked<E>(PhantomData<fn() -> E>);

impl<'l, S: Space, E: Expander<S>> Expander<LinkedSpace<'l, S>> for Linked<E> {
    type Pruning = Linked<E::Pruning>;
    type Guidance = Linked<E::Guidance>;
    type Jumping = Linked<E::Jumping>;

    /// Returns the stamp of the space, the number of links, the count of moves of their ends, and
    /// whether there is danger. Links are only ever added. Estimates depend on nothing else of
    /// links, and pruning on nothing else of danger.
    fn stamp(space: &LinkedSpace<'l, S>) -> u64 {
        let overlay = (space.links().len() as u64) << 1 | u64::from(space.is_safe());
        let overlay = overlay ^ space.links().moves().rotate_left(24);
        E::stamp(space.space()).rotate_left(32) ^ overlay
    }

    /// Returns the predecessors in the space, and the states from which a usable link leads here.
    fn predecessors(
        space: &LinkedSpace<'l, S>,
        state: S::State,
        mut visit: impl FnMut(S::State),
    ) -> bool {
        let is_told = E::predecessors(space.space(), state, &mut visit);
        if is_told {
            space.visit_link_entries(state, visit);
        }
        is_told
    }
}

/// # Why the moves left out are not needed
///
/// The space leaves out a move because the parent reaches its target over ground as cheaply. That
/// holds with links too if the state was reached over ground. A state that a link leads into may
/// have been reached by it, so none of its moves is left out. With danger the ground that is as
/// cheap in the space may cost more, so no move at all is left out.
impl<'l, S: Space, P: Pruning<S>> Pruning<LinkedSpace<'l, S>> for Linked<P> {
    #[inline]
    fn successors(
        space: &LinkedSpace<'l, S>,
        parent: S::State,
        state: S::State,
        mut visit: impl FnMut(EdgeOf<LinkedSpace<'l, S>>),
    ) {
        if !space.is_safe() || !space.links().into(state).is_empty() {
            return space.successors(state, visit);
        }
        if space.is_bare(state) {
            return P::successors(space.space(), parent, state, visit);
        }
        space.visit_overlaid::<P>(parent, state, &mut visit);
    }
}

/// Only while there are no links and no danger. A link leads past every gateway, and a detour
/// around danger may lead through a room off the route.
impl<'l, S: Space, G: Guidance<S>> Guidance<LinkedSpace<'l, S>> for Linked<G> {
    type Memory = G::Memory;

    const GUIDES: bool = G::GUIDES;

    fn prepare(
        space: &LinkedSpace<'l, S>,
        start: S::State,
        goal: S::State,
        memory: &mut G::Memory,
    ) -> bool {
        is_plain(space) && G::prepare(space.space(), start, goal, memory)
    }

    #[inline]
    fn estimate(space: &LinkedSpace<'l, S>, memory: &G::Memory, state: S::State) -> S::Cost {
        G::estimate(space.space(), memory, state)
    }

    fn holds(space: &LinkedSpace<'l, S>, goal: S::State, memory: &mut G::Memory) -> bool {
        !is_plain(space) || G::holds(space.space(), goal, memory)
    }
}

/// Only while there are no links, as a jump would pass over their ends, and no danger: it would
/// pass over states at other costs.
impl<'l, S: Space, J: Jumping<S>> Jumping<LinkedSpace<'l, S>> for Linked<J> {
    type Memory = J::Memory;

    const IS_SYMMETRIC: bool = J::IS_SYMMETRIC;

    fn is_possible(space: &LinkedSpace<'l, S>) -> bool {
        is_plain(space) && J::is_possible(space.space())
    }

    fn prepare(space: &LinkedSpace<'l, S>, goals: &[S::State], memory: &mut J::Memory) {
        J::prepare(space.space(), goals, memory);
    }

    #[inline]
    fn jumps(
        space: &LinkedSpace<'l, S>,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &J::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
        J::jumps(space.space(), parent, state, goals, memory, visitor);
    }

    #[inline]
    fn shared_jumps(
        space: &LinkedSpace<'l, S>,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &J::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
        J::shared_jumps(space.space(), parent, state, goals, memory, visitor);
    }

    fn in_sight(space: &LinkedSpace<'l, S>, from: S::State, goal: S::State) -> Option<S::State> {
        J::in_sight(space.space(), from, goal)
    }

    #[inline]
    fn position(space: &LinkedSpace<'l, S>, state: S::State) -> [i32; 3] {
        J::position(space.space(), state)
    }

    #[inline]
    fn estimate(space: &LinkedSpace<'l, S>, from: S::State, to: [i32; 3]) -> S::Cost {
        J::estimate(space.space(), from, to)
    }

    fn retrace(
        space: &LinkedSpace<'l, S>,
        from: S::State,
        to: S::State,
        visit: impl FnMut(EdgeOf<LinkedSpace<'l, S>>),
    ) {
        J::retrace(space.space(), from, to, visit);
    }
}

/// Returns whether nothing is laid over the space.
fn is_plain<S: Space>(space: &LinkedSpace<'_, S>) -> bool {
    space.links().is_empty() && space.is_safe()
}
