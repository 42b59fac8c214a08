//! The judge of plans: the rules of puzzles, written down a second time.
//!
//! It works on the lists of a [`PuzzleState`], shares no code with the search, and re-walks every
//! plan step by step.

use wayfare_grid::grid::Cell;

use super::{Deed, PartId, Puzzle, PuzzlePlan, PuzzleQuery, PuzzleState};

/// A ride of a plan.
///
/// Example: [`Timetable`](super::Timetable).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanRide {
    /// The index of the step whose walk it is a part of.
    pub step: usize,
    /// The platform.
    pub platform: PartId,
    /// The time that is spent waiting for it, in units of cost.
    pub wait: u32,
    /// The time at which it leaves, on the clock of the query.
    pub leaves: u64,
}

/// The cost of a step or a ride, and of a ride the platform and the time spent waiting for it.
struct Paid {
    cost: u32,
    ride: Option<(PartId, u32)>,
}

/// Why a plan is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// The state is not one of the puzzle.
    #[error("the state is not one of this puzzle")]
    State,
    /// A walk does not begin where the walker is, or jumps.
    #[error("step {step}: the walk is broken")]
    Walk {
        /// The index of the step.
        step: usize,
    },
    /// A walk goes through a crate or a shut gate.
    #[error("step {step}: the walk leads through a crate or a shut gate")]
    Barred {
        /// The index of the step.
        step: usize,
    },
    /// A deed is not possible there.
    #[error("step {step}: what is to be done there is not possible")]
    Deed {
        /// The index of the step.
        step: usize,
    },
    /// A step costs something else.
    #[error("step {step} costs {cost}, not what the plan says")]
    Cost {
        /// The index of the step.
        step: usize,
        /// Its cost in units.
        cost: u64,
    },
    /// The plan does not end at the goal.
    #[error("the plan does not end at the goal")]
    Goal,
}

impl Puzzle {
    /// Re-walks a plan. Returns its cost in units of cost.
    ///
    /// # Errors
    /// The first step that is not possible.
    pub fn judge(&self, query: &PuzzleQuery, plan: &PuzzlePlan) -> Result<u64, PlanFault> {
        self.replay(query, plan, |_| {})
    }

    /// Returns the rides of a plan on platforms, with the time that is spent waiting for each.
    ///
    /// # Errors
    /// As [`judge`](Self::judge).
    pub fn rides(
        &self,
        query: &PuzzleQuery,
        plan: &PuzzlePlan,
    ) -> Result<Vec<PlanRide>, PlanFault> {
        let mut rides = Vec::new();
        self.replay(query, plan, |ride| rides.push(ride))?;
        Ok(rides)
    }

    fn replay(
        &self,
        query: &PuzzleQuery,
        plan: &PuzzlePlan,
        mut note: impl FnMut(PlanRide),
    ) -> Result<u64, PlanFault> {
        if !self.fits(&query.state) {
            return Err(PlanFault::State);
        }
        let (mut state, mut walker) = (query.state.clone(), query.start);
        let (mut total, mut has_arrived) = (0, false);
        for (number, step) in plan.steps.iter().enumerate() {
            let Some((&first, rest)) = step.walk.split_first() else {
                return Err(PlanFault::Walk { step: number });
            };
            if first != walker || has_arrived {
                return Err(PlanFault::Walk { step: number });
            }
            let mut cost = 0;
            for &cell in rest {
                let clock = query.now().saturating_add(total + cost);
                let paid = self.paid(&state, walker, cell, clock);
                let paid = paid.ok_or(PlanFault::Walk { step: number })?;
                if let Some((platform, wait)) = paid.ride {
                    note(PlanRide {
                        step: number,
                        platform,
                        wait,
                        leaves: clock + u64::from(wait),
                    });
                }
                cost += u64::from(paid.cost);
                walker = cell;
            }
            if !step.walk.iter().all(|cell| self.is_free(&state, *cell)) {
                return Err(PlanFault::Barred { step: number });
            }
            let paid = self.carry_out(&mut state, &mut walker, step.deed);
            cost += u64::from(paid.ok_or(PlanFault::Deed { step: number })?);
            if step.deed == Deed::Arrive && walker != query.goal {
                return Err(PlanFault::Goal);
            }
            if cost != u64::from(step.cost) {
                return Err(PlanFault::Cost { step: number, cost });
            }
            total += cost;
            has_arrived = step.deed == Deed::Arrive;
        }
        if has_arrived { Ok(total) } else { Err(PlanFault::Goal) }
    }

    /// Returns the step or ride between two cells at a time; the cheapest, where there are several.
    fn paid(&self, state: &PuzzleState, from: Cell, to: Cell, clock: u64) -> Option<Paid> {
        let step = self.ground().step(from, to).map(|stride| stride.cost);
        let step = step.map(|cost| Paid { cost, ride: None });
        let rides = (0..).zip(&self.parts().platforms).filter_map(|(number, lift)| {
            let is_up = [lift.low, lift.high] == [from, to];
            let holds = lift.up.iter().all(|one| self.holds(state, *one));
            let wait = match lift.timetable {
                _ if !is_up && [lift.high, lift.low] != [from, to] => None,
                None => (holds == is_up).then_some(0),
                Some(timetable) => holds.then(|| timetable.wait(is_up, clock)),
            }?;
            Some(Paid { cost: lift.cost + wait, ride: Some((PartId(number), wait)) })
        });
        step.into_iter().chain(rides).min_by_key(|paid| paid.cost)
    }

    /// Does a deed, if a walker at that cell can. Returns its cost in units.
    ///
    /// State and walker are as before if it is not possible: `None`.
    #[must_use]
    pub fn carry_out(&self, state: &mut PuzzleState, walker: &mut Cell, deed: Deed) -> Option<u32> {
        let (parts, costs) = (self.parts(), self.parts().costs);
        let (mut after, mut at) = (state.clone(), *walker);
        let number = |PartId(number): PartId| usize::from(number);
        let cost = match deed {
            Deed::Take(key) => {
                let is_there = parts.keys.get(number(key))?.at == at;
                let held = after.keys.get_mut(number(key))?;
                if !is_there || std::mem::replace(held, true) {
                    return None;
                }
                costs.take
            }
            Deed::Pull(lever) => {
                let is_there = parts.levers.get(number(lever))?.at == at;
                let is_on = after.levers.get_mut(number(lever))?;
                *is_on = !*is_on;
                is_there.then_some(costs.pull)?
            }
            Deed::Haul(hook) => {
                let there = parts.hooks.get(number(hook))?;
                let under = after.crates.iter().position(|cell| *cell == Some(there.under))?;
                let used = after.hooks.get_mut(number(hook))?;
                if there.at != at || std::mem::replace(used, true) {
                    return None;
                }
                after.crates[under] = None;
                costs.haul
            }
            Deed::Push { from, to } | Deed::Drag { from, to } => {
                let moved = after.crates.iter().position(|cell| *cell == Some(from))?;
                let direction = self.ground().step(from, to)?.direction;
                let next = if matches!(deed, Deed::Push { .. }) {
                    if self.ground().beyond(at, direction)? != from || !self.is_free(state, to) {
                        return None;
                    }
                    from
                } else {
                    let back = self.ground().beyond(to, direction)?;
                    if !parts.can_pull || at != to || !self.is_free(state, back) {
                        return None;
                    }
                    back
                };
                after.crates[moved] = Some(to);
                let step = self.ground().step(at, next)?.cost;
                at = next;
                step + costs.shove
            }
            Deed::Arrive => 0,
        };
        // Nothing shuts on the walker or on a crate.
        let is_caught = |cell: Cell| self.shut_gate(&after, cell).is_some();
        if is_caught(at) || after.crates.iter().flatten().any(|cell| is_caught(*cell)) {
            return None;
        }
        (*state, *walker) = (after, at);
        Some(cost)
    }
}
