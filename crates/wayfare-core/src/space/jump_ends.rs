//! Jumps behind virtual calls, so that they are compiled once and not for each type of search.
//!
//! The jumps of a space are tens of kilobytes of code. A [`JumpVisitor`] differs by the search, the
//! observer, the links over the space and the type of costs. Jumps scan many cells for each call of
//! their visitor, so that a virtual call costs little there.
//!
//! # Why costs may be `u64` meanwhile
//!
//! A jump adds up its cost in integers that never saturate: a jump visits each cell once at most,
//! and a cell costs less than 2³². [`Cost::from_u64`] then saturates the sum as the costs of the
//! search do.

use std::marker::PhantomData;

use super::{Cost, JumpCourse, JumpVisitor};

/// A [`JumpVisitor`] for costs of any type. Object safe.
pub trait JumpEnds<State> {
    /// See [`JumpVisitor::end`]. `scanned`: the work of this jump, see [`JumpVisitor::scanned`].
    fn end(&mut self, state: State, cost: u64, scanned: u32) -> u64;

    /// See [`JumpVisitor::part`] and [`JumpVisitor::puts_off`]: whether the jumps go on from
    /// `state` now.
    fn goes_on(&mut self, state: State, cost: u64) -> bool;

    /// See [`JumpVisitor::part`].
    fn part(&mut self, state: State, cost: u64) -> bool;

    /// See [`JumpVisitor::course`].
    fn course(&self) -> JumpCourse;
}

/// A visitor of costs of the type `C`.
pub struct EndsOf<'v, V, C> {
    visitor: &'v mut V,
    cost: PhantomData<C>,
}

impl<'v, V, C> EndsOf<'v, V, C> {
    #[doc(hidden)]
    pub fn new(visitor: &'v mut V) -> Self {
        Self { visitor, cost: PhantomData }
    }
}

impl<State: Copy, C: Cost, V: JumpVisitor<State, C>> JumpEnds<State> for EndsOf<'_, V, C> {
    #[inline]
    fn end(&mut self, state: State, cost: u64, scanned: u32) -> u64 {
        if scanned > 0 {
            self.visitor.scanned(scanned);
        }
        self.visitor.end(state, C::from_u64(cost)).to_u64()
    }

    #[inline]
    fn goes_on(&mut self, state: State, cost: u64) -> bool {
        let cost = C::from_u64(cost);
        self.visitor.part(state, cost) && !self.visitor.puts_off(state, cost)
    }

    #[inline]
    fn part(&mut self, state: State, cost: u64) -> bool {
        self.visitor.part(state, C::from_u64(cost))
    }

    #[inline]
    fn course(&self) -> JumpCourse {
        self.visitor.course()
    }
}
