//! Danger and jams beside the links. They share the revision of the links, so that a search notices
//! any change by one number.

use std::sync::Arc;

use glam::Vec3;

use super::NavLinks;
use super::danger::{Danger, around};
use super::jams::{AreaDelay, AreaKey, Jams, LEAST_SIDE, MOST_DELAY};
use crate::space::{InfluenceRule, ReverseSpace, Revision, StateId};

impl<State: StateId> NavLinks<State> {
    /// Returns the danger of states.
    #[must_use]
    pub fn danger(&self) -> &Danger<State> {
        &self.danger
    }

    /// Adds `amount` to the danger of states, in world units of length, or takes from it: the
    /// result lies from 0 to [`MOST_DANGER`](super::MOST_DANGER). Not a number adds nothing. The
    /// states have to be states of `space`.
    ///
    /// Returns the states whose moves it changes, as
    /// [`Search::adopt`](crate::search::Search::adopt) and the planner want to be told.
    ///
    /// While any state is in danger, searches neither jump nor follow guidance: on uniform-cost
    /// grids they expand more. Straight lines end before danger.
    ///
    /// O(n log n) for the n states in danger.
    pub fn add_danger<S: ReverseSpace<State = State>>(
        &mut self,
        space: &S,
        states: &[State],
        amount: f32,
    ) -> Vec<State> {
        let changed = self.danger.add(space, states, amount);
        self.note_danger(space, &changed)
    }

    /// Lets `seconds` go by for all danger: it spreads along the moves of `space` and decays.
    /// Returns the states whose moves that changes.
    ///
    /// O(moves out of states in danger · log).
    pub fn age_danger<S: ReverseSpace<State = State>>(
        &mut self,
        space: &S,
        rule: &InfluenceRule,
        seconds: f32,
    ) -> Vec<State> {
        let changed = self.danger.age(space, rule, seconds);
        self.note_danger(space, &changed)
    }

    /// Returns the delays of ground by jams.
    #[must_use]
    pub fn jams(&self) -> &Jams {
        &self.jams
    }

    /// Replaces the delays by jams: each area with a point in it gets that point's delay, the
    /// largest of several. Areas are squares with sides of `side` world units, 0.1 or more. Delays
    /// are metres per metre, 0 to [`MOST_DELAY`](super::MOST_DELAY); others are clamped, and NaN
    /// counts as 0.
    ///
    /// Tell a planner the states in the areas that changed, and the states beside them. A
    /// simulation that watches for jams does all of this itself.
    ///
    /// ```
    /// use wayfare::link::{Jams, Keys, NavLinks};
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// let grid = Grid::from_rows(&["...", "...", "..."])?;
    /// let [west, middle, east] = [0, 1, 2].map(|x| grid.cell(x, 1).unwrap());
    /// let mut overlay = NavLinks::new(3.0);
    /// overlay.set_jams(1.0, &[(grid.centre(middle), 4.0)]);
    /// let jams: &Jams = overlay.jams();
    /// assert_eq!(jams.at(grid.centre(middle)), 4.0);
    /// let space = overlay.over(grid.space(), Keys::NONE);
    /// let path = solve(&space, &AStar::new(), Query::new(west, east)).outcome.into_path();
    /// assert!(path.states().all(|cell| cell != middle)); // round it
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn set_jams(&mut self, side: f32, delays: &[(Vec3, f32)]) {
        let side = if side >= LEAST_SIDE { side } else { LEAST_SIDE };
        let mut areas: Vec<AreaDelay> = delays
            .iter()
            .map(|&(at, delay)| (AreaKey::at(at, side), delay.clamp(0.0, MOST_DELAY)))
            .filter(|&(_, delay)| delay > 0.0) // nor what is not a number
            .map(|(area, delay)| AreaDelay { area, delay })
            .collect();
        areas.sort_unstable_by(|a, b| a.area.cmp(&b.area).then(b.delay.total_cmp(&a.delay)));
        areas.dedup_by_key(|one| one.area);
        self.post_jams(side, &areas);
    }

    /// Replaces all delays by `areas` (in ascending order, each once). Returns the areas whose
    /// delay changed.
    #[doc(hidden)]
    pub fn post_jams(&mut self, side: f32, areas: &[AreaDelay]) -> Vec<AreaKey> {
        let changed = Arc::make_mut(&mut self.jams).replace(side, areas, self.revision + 1);
        self.revision += u64::from(!changed.is_empty());
        changed
    }

    /// Replaces all danger.
    #[doc(hidden)]
    pub fn set_danger(&mut self, danger: Danger<State>) {
        self.danger = danger.restored();
        self.revision += 1;
    }

    fn note_danger<S: ReverseSpace<State = State>>(
        &mut self,
        space: &S,
        changed: &[State],
    ) -> Vec<State> {
        if changed.is_empty() {
            return Vec::new();
        }
        self.revision += 1;
        self.danger_reach = self.danger_reach.max(self.danger.reach());
        self.danger_changed.extend(changed.iter().map(|&state| (state, self.revision)));
        around(space, changed)
    }

    /// Returns the revision after the last change of danger that concerns a move, or a straight
    /// line, into a state from `away` world units off. A line longer than every move may pass any
    /// state.
    pub(super) fn last_danger_change(&self, into: State, away: impl FnOnce() -> f32) -> Revision {
        if self.danger_changed.is_empty() {
            return Revision::default();
        }
        let single = self.danger_changed.get(&into).copied().unwrap_or(0);
        let is_move = away() <= self.danger_reach * 1.001;
        let any = || self.danger_changed.values().copied().max().unwrap_or(0);
        Revision(if is_move { single } else { any() })
    }
}
