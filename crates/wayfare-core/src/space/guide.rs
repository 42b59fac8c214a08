//! Guides: lower bounds on the cost to a goal, prepared before a search starts.

use super::{Cost, ExpanderMemory};

/// A lower bound on the cost to the goal from any cell on one side of a gateway.
///
/// Let `c(p)` be the least cost from position `p` of the gateway's line through the gateways ahead
/// to the goal, with open ground between them. With steps at 1 straight and `1 + q` diagonal, `c`
/// is convex and has four pieces, of slopes −1, −q, q and 1 along the line.
///
/// By induction over the gateways: at the goal `c` is an octile distance, which has that form. A
/// walk of `d` lines to the next gateway takes the least of `c(p') + octile(p, p')`. That keeps the
/// slopes and lengthens both middle pieces by `d`, since up to `d` cells aside cost only the
/// surcharge `q` of a diagonal. The ends of the gateway cut the pieces off. So three positions and
/// a cost describe `c`, and a look-up costs as much as an octile distance.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RemainingCost {
    /// The cost from the cheapest position on the line to the goal.
    least: u64,
    /// The epoch of the guide that the remaining cost belongs to.
    epoch: u32,
    /// The line's coordinate across it.
    line: u16,
    /// Positions along the line: the change of slope from −1 to −q, the minimum, the change from q
    /// to 1.
    low: u16,
    best: u16,
    high: u16,
    /// The number of gateways between the line and the goal.
    gateways_ahead: u16,
    /// Whether the line runs along y.
    is_column: bool,
}

/// A straight line of cells through which every path between two parts of a map leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gateway {
    /// Whether the line runs along y.
    #[doc(hidden)]
    pub is_column: bool,
    /// The coordinate that its cells have in common.
    #[doc(hidden)]
    pub line: u16,
    /// The other coordinate of its first and its last cell.
    #[doc(hidden)]
    pub first: u16,
    #[doc(hidden)]
    pub last: u16,
}

/// The costs of steps on uniform-cost terrain.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    #[doc(hidden)]
    pub straight: u32,
    /// The cost of a diagonal step minus that of a straight one; `straight` if there are no
    /// diagonals.
    #[doc(hidden)]
    pub more_for_diagonal: u32,
}

impl Steps {
    fn has_diagonals(self) -> bool {
        self.more_for_diagonal < self.straight
    }

    /// Returns the cost of a cheapest path on open ground.
    fn cost(self, from: (u32, u32), to: (u32, u32)) -> u64 {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        u64::from(dx.max(dy)) * u64::from(self.straight)
            + u64::from(dx.min(dy)) * u64::from(self.more_for_diagonal)
    }
}

impl RemainingCost {
    /// Returns the remaining cost at the goal itself.
    fn goal((x, y): (u32, u32)) -> Self {
        let (x, line) = (x as u16, y as u16);
        Self {
            least: 0,
            epoch: 0,
            line,
            low: x,
            best: x,
            high: x,
            gateways_ahead: 0,
            is_column: false,
        }
    }

    /// Returns a lower bound on the cost from a cell to the goal.
    #[inline(always)]
    fn cost(&self, steps: Steps, (x, y): (u32, u32)) -> u64 {
        let (along, across) = if self.is_column { (y, x) } else { (x, y) };
        let (along, best) = (along as i32, i32::from(self.best));
        let away = (across as i32 - i32::from(self.line)).abs();
        // To either side, each of the first `gentle` cells costs the surcharge of a diagonal, and
        // each cell beyond a straight step.
        let aside = (along - best).abs();
        let gentle = away
            + if along < best { best - i32::from(self.low) } else { i32::from(self.high) - best };
        let diagonal = aside.min(gentle) as u32;
        let straight = (away + (aside - gentle).max(0)) as u32;
        self.least
            + u64::from(diagonal) * u64::from(steps.more_for_diagonal)
            + u64::from(straight) * u64::from(steps.straight)
    }

    /// Returns the remaining cost on the far side of a gateway.
    fn through(&self, steps: Steps, gateway: Gateway) -> Self {
        let Gateway { is_column, line, first, last } = gateway;
        let within = |place: i32| place.clamp(first.into(), last.into()) as u16;
        let (low, best, high): (i32, i32, i32) =
            (self.low.into(), self.best.into(), self.high.into());
        let (low, best, high) = if is_column == self.is_column {
            let away = i32::from(line.abs_diff(self.line));
            (low - away, best, high + away)
        } else {
            let outside = (low - i32::from(line)).max(i32::from(line) - high).max(0);
            let line = i32::from(self.line);
            (line - outside, line, line + outside)
        };
        let best = within(best);
        let place = if is_column { (line, best) } else { (best, line) };
        let least = self.cost(steps, (place.0.into(), place.1.into()));
        Self {
            least,
            epoch: self.epoch,
            line,
            low: within(low),
            best,
            high: within(high),
            // Beyond that parts share a number, and with it the limit of the one nearest to the
            // goal.
            gateways_ahead: self.gateways_ahead.saturating_add(1),
            is_column,
        }
    }
}

impl Gateway {
    /// Returns the positions of its first and its last cell.
    fn ends(self) -> [(u32, u32); 2] {
        [self.first, self.last].map(|place| {
            let (line, place) = (u32::from(self.line), u32::from(place));
            if self.is_column { (line, place) } else { (place, line) }
        })
    }

    /// Returns the position where a jump between two cells on opposite sides meets the gateway.
    ///
    /// A jump takes its diagonal steps first; among four neighbours, the steps along the row.
    fn crossing(self, from: (u32, u32), to: (u32, u32), steps: Steps) -> (u32, u32) {
        let toward = |from: u32, to: u32, steps: u32| {
            if to < from { from - steps } else { from + steps }
        };
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let line = u32::from(self.line);
        let away = if self.is_column { from.0.abs_diff(line) } else { from.1.abs_diff(line) };
        let (x, y) = match (steps.has_diagonals(), self.is_column) {
            (true, true) => (away, away.min(dy)),
            (true, false) => (away.min(dx), away),
            (false, true) => (away, 0),
            (false, false) => (dx, away),
        };
        (toward(from.0, to.0, x), toward(from.1, to.1, y))
    }
}

/// A jump through gateways.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// The states at its two ends, and the cost of the path to `to`.
    from: u32,
    to: u32,
    g: u64,
    /// The numbers of gateways ahead after it and before it.
    gateways: (u16, u16),
}

/// The state of a guide before some edits, with the limits that its search had found.
#[derive(Debug)]
pub struct FormerGuide {
    #[doc(hidden)]
    pub ends: (u32, u32),
    signature: Vec<u64>,
    is_worthwhile: bool,
    ahead: usize,
    limits: Vec<u64>,
    crossings: Vec<Crossing>,
    pending_from: u64,
}

/// Lower bounds on the cost to one goal: the memory of the grid's [`Guidance`](super::Guidance).
#[derive(Clone, Default, Debug)]
pub struct Guide {
    /// A remaining cost for each part of the map. No cheapest path enters a part of an earlier
    /// epoch.
    remaining_costs: Vec<RemainingCost>,
    epoch: u32,
    /// For each part the epoch in which a way up from the start or the goal last came to it,
    /// doubled, and one more for the start.
    marks: Vec<u32>,
    /// The parts on the tree path that have no remaining cost yet, the next one last.
    #[doc(hidden)]
    pub way: Vec<u32>,
    /// All parts with a remaining cost, from the goal's to the start's.
    #[doc(hidden)]
    pub parts: Vec<u32>,
    /// For each of `parts` a number that its gateways determine.
    #[doc(hidden)]
    pub signature: Vec<u64>,
    /// The start and the goal that the guide was last prepared for.
    ends: Option<(u32, u32)>,
    /// Whether the guide skips enough cells to pay for itself.
    is_worthwhile: bool,
    /// The number of gateways that the search has not passed yet.
    ahead: usize,
    /// For each of `parts` the priority above which no state in it is on a cheapest path. The
    /// search lowers these limits as it passes gateways.
    limits: Vec<u64>,
    /// Passages of gateways that `limits` does not reflect yet, and the least priority among them.
    crossings: Vec<Crossing>,
    pending_from: u64,
    steps: Option<Steps>,
}

impl Guide {
    /// Restarts at `goal`, for a map of `parts` parts. Returns the remaining cost at the goal.
    #[doc(hidden)]
    pub fn begin(&mut self, parts: usize, steps: Steps, goal: (u32, u32)) -> RemainingCost {
        if self.epoch == u32::MAX / 2 {
            self.remaining_costs.fill(RemainingCost::default());
            self.marks.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.steps = Some(steps);
        if self.remaining_costs.len() < parts {
            self.remaining_costs.resize(parts, RemainingCost::default());
            self.marks.resize(parts, 0);
        }
        self.way.clear();
        self.parts.clear();
        self.limits.clear();
        self.crossings.clear();
        self.pending_from = u64::MAX;
        RemainingCost { epoch: self.epoch, ..RemainingCost::goal(goal) }
    }

    /// Marks a part that a way up from the goal, or from the start, came to. Returns whether the
    /// other way came to it too.
    #[doc(hidden)]
    pub fn mark(&mut self, part: u32, is_from_start: bool) -> bool {
        let former = &mut self.marks[part as usize];
        let is_met = *former == 2 * self.epoch + u32::from(!is_from_start);
        *former = 2 * self.epoch + u32::from(is_from_start);
        is_met
    }

    /// Stores the start and the goal, and forgets the signature of the previous ones.
    #[doc(hidden)]
    pub fn set_ends(&mut self, ends: (u32, u32)) {
        self.ends = Some(ends);
        self.signature.clear();
        self.is_worthwhile = false;
    }

    /// Stores whether the guide skips enough cells to pay for itself, and returns that.
    #[doc(hidden)]
    pub fn set_worthwhile(&mut self, is_worthwhile: bool) -> bool {
        self.is_worthwhile = is_worthwhile;
        is_worthwhile
    }

    /// Moves out the state that [`restore`](Self::restore) compares and restores; `None` if the
    /// guide was never prepared.
    #[doc(hidden)]
    pub fn take_former(&mut self) -> Option<FormerGuide> {
        Some(FormerGuide {
            ends: self.ends?,
            signature: std::mem::take(&mut self.signature),
            is_worthwhile: self.is_worthwhile,
            ahead: self.ahead,
            limits: std::mem::take(&mut self.limits),
            crossings: std::mem::take(&mut self.crossings),
            pending_from: self.pending_from,
        })
    }

    /// Restores the limits of the search, after the guide was prepared again for the same ends.
    ///
    /// Returns whether all parts of the route have the same gateways as before. If not, restores
    /// nothing.
    #[doc(hidden)]
    pub fn restore(&mut self, former: FormerGuide) -> bool {
        let is_same =
            former.signature == self.signature && former.is_worthwhile == self.is_worthwhile;
        if is_same {
            self.ahead = former.ahead;
            self.limits = former.limits;
            self.crossings = former.crossings;
            self.pending_from = former.pending_from;
        }
        is_same
    }

    /// Returns the remaining cost on the far side of a gateway.
    #[doc(hidden)]
    pub fn through(&self, remaining: RemainingCost, gateway: Gateway) -> RemainingCost {
        self.steps.map_or(remaining, |steps| remaining.through(steps, gateway))
    }

    /// Stores the remaining cost of a part of the map.
    #[inline]
    #[doc(hidden)]
    pub fn set(&mut self, part: u32, remaining: RemainingCost) {
        self.remaining_costs[part as usize] = remaining;
    }

    /// Returns a lower bound on the cost from a cell in a part of the map to the goal; `None` if
    /// the part has no remaining cost.
    #[inline(always)]
    #[doc(hidden)]
    pub fn cost<C: Cost>(&self, part: u32, place: (u32, u32)) -> Option<C> {
        match (self.steps, self.remaining_costs.get(part as usize)) {
            (Some(steps), Some(remaining)) if remaining.epoch == self.epoch => {
                // A cost too large for the type is finite all the same.
                let most = C::INFINITY.to_u64() - 1;
                Some(C::from_u64(remaining.cost(steps, place).min(most)))
            }
            _ => None,
        }
    }

    /// Returns whether there is a gateway on the route.
    #[inline]
    #[doc(hidden)]
    pub fn leads_through_gateways(&self) -> bool {
        self.parts.len() > 1
    }

    /// Called once `parts` is complete. The search starts in the last of them.
    #[doc(hidden)]
    pub fn begin_search(&mut self) {
        self.limits.resize(self.parts.len(), u64::MAX);
        self.ahead = self.parts.len() - 1;
    }

    /// Returns the number of gateways between a part of the map and the goal; `None` if the part
    /// has no remaining cost.
    #[inline(always)]
    #[doc(hidden)]
    pub fn gateways_ahead(&self, part: u32) -> Option<usize> {
        let remaining = self.remaining_costs.get(part as usize)?;
        (remaining.epoch == self.epoch).then_some(remaining.gateways_ahead.into())
    }

    /// Returns whether no state popped so far has as few gateways ahead.
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_farther(&self, gateways_ahead: usize) -> bool {
        gateways_ahead < self.ahead
    }

    /// Notes a jump through gateways.
    ///
    /// `gateways_ahead`: the numbers at its start and at its end. `g` and `f`: the cost and the
    /// priority of the state at its end.
    #[doc(hidden)]
    pub fn note_passage(
        &mut self,
        gateways_ahead: (usize, usize),
        (from, to): (u32, u32),
        (g, f): (u64, u64),
    ) {
        let (before, after) = (gateways_ahead.0.min(self.ahead), gateways_ahead.1);
        if before > after {
            self.pending_from = self.pending_from.min(f);
            let gateways = (after as u16, before as u16);
            self.crossings.push(Crossing { from, to, g, gateways });
        }
        self.ahead = self.ahead.min(after);
    }

    /// Returns whether [`update_limits`](Self::update_limits) may exclude a state of priority `f`.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_limit(&self, f: u64) -> bool {
        f > self.pending_from
    }

    /// Limits the priority of states behind the gateways that the search has passed.
    ///
    /// # Why a gateway settles the rooms behind it
    ///
    /// The search came through the gateway at cell `x`, at cost `g(x)`. Let `P` be a path that
    /// costs less than the cheapest one through `x`, and `e` the cell where it meets the gateway.
    /// The cells between `x` and `e` are free and on one line, so `P` comes to `e` at a cost below
    /// `g(x) + |x - e|`. The priority of a state on `P` behind the gateway is at most the cost of
    /// `P` to `e`, plus `c(e)`, the estimate at `e`: the estimate is consistent. Hence it is below
    ///
    /// `limit = max over e of g(x) + |x - e| + c(e)`
    ///
    /// The sum is convex in `e`, so the maximum is at an end of the gateway. States behind the
    /// gateway with a higher priority are skipped, whatever the rest of the path costs. States at
    /// the limit are not, so that every cheapest path remains.
    ///
    /// Of several gateways the narrowest counts. O(gateways since the last call + parts limited).
    #[inline(never)]
    #[doc(hidden)]
    pub fn update_limits(
        &mut self,
        gateway_between: impl Fn(u32, u32) -> Gateway,
        place: impl Fn(u32) -> (u32, u32),
    ) {
        self.pending_from = u64::MAX;
        let crossings = self.crossings.drain(..).flat_map(|crossing| {
            let (after, before) = crossing.gateways;
            (usize::from(after)..usize::from(before)).map(move |number| (number, crossing))
        });
        let narrowest = crossings
            .map(|(number, crossing)| {
                (gateway_between(self.parts[number], self.parts[number + 1]), number, crossing)
            })
            .min_by_key(|(gateway, number, _)| (gateway.last - gateway.first, *number));
        let (Some(steps), Some((gateway, number, Crossing { from, to, g, .. }))) =
            (self.steps, narrowest)
        else {
            return;
        };
        let (from, to) = (place(from), place(to));
        let crossing = gateway.crossing(from, to, steps);
        let remaining = self.remaining_costs[self.parts[number + 1] as usize];
        let [one, other] =
            gateway.ends().map(|end| steps.cost(crossing, end) + remaining.cost(steps, end));
        let limit = g - steps.cost(crossing, to) + one.max(other);
        for behind in &mut self.limits[number + 1..] {
            if *behind <= limit {
                break;
            }
            *behind = limit;
        }
    }

    /// Returns whether a cheapest path may contain a state of priority `f` with `gateways_ahead`
    /// gateways between it and the goal.
    #[inline(always)]
    #[doc(hidden)]
    pub fn admits(&self, gateways_ahead: usize, f: u64) -> bool {
        self.limits.get(gateways_ahead).is_none_or(|&limit| f <= limit)
    }
}

impl ExpanderMemory for Guide {
    fn bytes(&self) -> usize {
        self.remaining_costs.capacity() * size_of::<RemainingCost>()
            + (self.way.capacity() + self.parts.capacity() + self.marks.capacity())
                * size_of::<u32>()
            + self.crossings.capacity() * size_of::<Crossing>()
            + (self.limits.capacity() + self.signature.capacity()) * size_of::<u64>()
    }
}
