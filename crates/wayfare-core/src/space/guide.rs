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

impl RemainingCost {
    /// Returns the remaining cost at the goal itself.
    fn goal((x, y): (u32, u32)) -> Self {
        let (x, line) = (x as u16, y as u16);
        Self { least: 0, epoch: 0, line, low: x, best: x, high: x, is_column: false }
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
            is_column,
        }
    }
}

/// What a guide says, as a hash.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    of_parts: u64,
    is_worthwhile: bool,
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
    /// A number that the gateways of all `parts` determine.
    signature: u64,
    /// The start and the goal that the guide was last prepared for.
    ends: Option<(u32, u32)>,
    /// Whether the guide skips enough cells to pay for itself.
    is_worthwhile: bool,
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
        self.signature = 0;
        self.is_worthwhile = false;
    }

    /// Adds a part of the route to the signature, by a number that its gateways determine.
    #[doc(hidden)]
    pub fn sign(&mut self, boundary: u64) {
        // The hash of G. Fowler, L. C. Noll, K.-P. Vo, by words.
        self.signature = (self.signature ^ boundary).wrapping_mul(0x0000_0100_0000_01B3);
    }

    /// Stores whether the guide skips enough cells to pay for itself, and returns that.
    #[doc(hidden)]
    pub fn set_worthwhile(&mut self, is_worthwhile: bool) -> bool {
        self.is_worthwhile = is_worthwhile;
        is_worthwhile
    }

    /// Returns whether the guide skips enough cells to pay for itself.
    #[doc(hidden)]
    #[must_use]
    pub fn is_worthwhile(&self) -> bool {
        self.is_worthwhile
    }

    /// Returns the start and the goal that the guide was last prepared for.
    #[doc(hidden)]
    #[must_use]
    pub fn ends(&self) -> Option<(u32, u32)> {
        self.ends
    }

    /// Returns what is equal if the guide says the same: a hash of the gateways of all parts of
    /// the route, and whether it pays.
    #[doc(hidden)]
    #[must_use]
    pub fn signature(&self) -> Signature {
        Signature { of_parts: self.signature, is_worthwhile: self.is_worthwhile }
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
}

impl ExpanderMemory for Guide {
    fn bytes(&self) -> usize {
        self.remaining_costs.capacity() * size_of::<RemainingCost>()
            + (self.way.capacity() + self.parts.capacity() + self.marks.capacity())
                * size_of::<u32>()
    }
}
