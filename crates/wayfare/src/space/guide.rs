//! Guides: lower bounds on the way to a goal, prepared before a search begins.

use super::{Cost, ExpanderMemory};

/// A lower bound on the cost to the goal from any place on one side of a gateway.
///
/// Let `c(p)` be the least cost from place `p` of the gateway's line through the gateways ahead to the goal,
/// with open ground between them. With steps at 1 straight and `1 + q` diagonal, `c` is convex and has
/// four pieces, of slopes −1, −q, q and 1 along the line.
///
/// By induction over the gateways: at the goal `c` is an octile distance, which has that form. A walk of `d`
/// lines to the next gateway takes the least of `c(p') + octile(p, p')`. That keeps the slopes and
/// lengthens both middle pieces by `d`, since up to `d` cells aside cost only the surcharge `q` of a
/// diagonal. The ends of the gateway cut the pieces off. So three places and a cost describe `c`, and a
/// look-up costs as much as an octile distance.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct RemainingCost {
    /// What the rest of the way costs from the best place on the line.
    least: u64,
    /// The epoch of the guide that the remaining cost belongs to.
    epoch: u32,
    /// The line's coordinate across it.
    line: u16,
    /// Along the line: where the slope turns to −q, where it is cheapest, where it turns from q to 1.
    low: u16,
    best: u16,
    high: u16,
    /// How many gateways lie between there and the goal.
    gateways_ahead: u16,
    /// Whether the line runs along y.
    is_column: bool,
}

/// A straight line of cells through which every path between two parts of a map leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gateway {
    /// Whether the line runs along y.
    pub(crate) is_column: bool,
    /// The coordinate that its cells have in common.
    pub(crate) line: u16,
    /// The other coordinate of its first and its last cell.
    pub(crate) first: u16,
    pub(crate) last: u16,
}

/// What steps cost on uniform-cost terrain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) straight: u32,
    /// How much more expensive a diagonal step is than a straight one.
    pub(crate) more_for_diagonal: u32,
}

impl Steps {
    fn has_diagonals(self) -> bool {
        self.more_for_diagonal < self.straight
    }

    /// Of a way on open ground.
    fn cost(self, from: (u32, u32), to: (u32, u32)) -> u64 {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        u64::from(dx.max(dy)) * u64::from(self.straight)
            + u64::from(dx.min(dy)) * u64::from(self.more_for_diagonal)
    }
}

impl RemainingCost {
    /// At the goal itself.
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

    /// What the rest of the way costs at least from there.
    #[inline(always)]
    fn cost(&self, steps: Steps, (x, y): (u32, u32)) -> u64 {
        let (along, across) = if self.is_column { (y, x) } else { (x, y) };
        let (along, best) = (along as i32, i32::from(self.best));
        let away = (across as i32 - i32::from(self.line)).abs();
        // To either side, up to `gentle` cells cost the surcharge of a diagonal; those beyond, straight steps.
        let aside = (along - best).abs();
        let gentle = away
            + if along < best { best - i32::from(self.low) } else { i32::from(self.high) - best };
        let diagonal = aside.min(gentle) as u32;
        let straight = (away + (aside - gentle).max(0)) as u32;
        self.least
            + u64::from(diagonal) * u64::from(steps.more_for_diagonal)
            + u64::from(straight) * u64::from(steps.straight)
    }

    /// The same for those beyond the gateway.
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
            gateways_ahead: self.gateways_ahead + 1,
            is_column,
        }
    }
}

impl Gateway {
    /// The places of its first and its last cell.
    fn ends(self) -> [(u32, u32); 2] {
        [self.first, self.last].map(|place| {
            let (line, place) = (u32::from(self.line), u32::from(place));
            if self.is_column { (line, place) } else { (place, line) }
        })
    }

    /// Where a jump from one place to another, on the other side, comes to the gateway: it goes diagonally first, among four neighbours along the row.
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
    /// The states where it begins and ends, and what it costs to come to the end.
    from: u32,
    to: u32,
    g: u64,
    /// How many gateways lie ahead after it and before.
    gateways: (u16, u16),
}

/// What a guide said, and what its search had learnt, before some edits.
#[derive(Debug)]
pub(crate) struct FormerGuide {
    pub(crate) ends: (u32, u32),
    signature: Vec<u64>,
    is_worth: bool,
    ahead: usize,
    limits: Vec<u64>,
    crossings: Vec<Crossing>,
    unheeded: u64,
}

/// Lower bounds on the way to one goal: the memory of the grid's [`Guidance`](super::Guidance).
#[derive(Clone, Default, Debug)]
pub struct Guide {
    /// A remaining cost for each part of the map. Those of an earlier epoch are of no cheapest path.
    remaining_costs: Vec<RemainingCost>,
    epoch: u32,
    /// The parts still to be gone through, the next one last.
    pub(crate) way: Vec<u16>,
    /// All parts that remaining costs were noted for, from the goal's to the start's.
    pub(crate) parts: Vec<u16>,
    /// For each of the parts a number that its gateways determine.
    pub(crate) signature: Vec<u64>,
    /// The states from which and to which the guide was prepared last.
    ends: Option<(u32, u32)>,
    /// Whether it is worth following.
    is_worth: bool,
    /// How many gateways the search has not come through yet.
    ahead: usize,
    /// For each of the parts the priority above which no cheapest path leads through it: what the search has learnt on its way.
    limits: Vec<u64>,
    /// Where it came through gateways that the limits do not heed yet, and its priority when it came through the first of them.
    crossings: Vec<Crossing>,
    unheeded: u64,
    steps: Option<Steps>,
}

impl Guide {
    /// Begins anew, for a map of so many parts, at the goal.
    pub(crate) fn begin(&mut self, parts: usize, steps: Steps, goal: (u32, u32)) -> RemainingCost {
        if self.epoch == u32::MAX {
            self.remaining_costs.fill(RemainingCost::default());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.steps = Some(steps);
        if self.remaining_costs.len() < parts {
            self.remaining_costs.resize(parts, RemainingCost::default());
        }
        self.way.clear();
        self.parts.clear();
        self.limits.clear();
        self.crossings.clear();
        self.unheeded = u64::MAX;
        RemainingCost { epoch: self.epoch, ..RemainingCost::goal(goal) }
    }

    /// Notes the ends of the way, of which nothing else is known yet.
    pub(crate) fn set_ends(&mut self, ends: (u32, u32)) {
        self.ends = Some(ends);
        self.signature.clear();
        self.is_worth = false;
    }

    /// Notes whether the guide is worth following, and returns that.
    pub(crate) fn set_worth(&mut self, is_worth: bool) -> bool {
        self.is_worth = is_worth;
        is_worth
    }

    /// Takes out what [`take_back`](Self::take_back) compares and restores; `None` if the guide was
    /// never prepared.
    pub(crate) fn set_aside(&mut self) -> Option<FormerGuide> {
        Some(FormerGuide {
            ends: self.ends?,
            signature: std::mem::take(&mut self.signature),
            is_worth: self.is_worth,
            ahead: self.ahead,
            limits: std::mem::take(&mut self.limits),
            crossings: std::mem::take(&mut self.crossings),
            unheeded: self.unheeded,
        })
    }

    /// After the guide was prepared again for the same ends: restores what the search had learnt, if all
    /// parts of the way have the same gateways as before. Returns whether they have.
    pub(crate) fn take_back(&mut self, former: FormerGuide) -> bool {
        let is_same = former.signature == self.signature && former.is_worth == self.is_worth;
        if is_same {
            self.ahead = former.ahead;
            self.limits = former.limits;
            self.crossings = former.crossings;
            self.unheeded = former.unheeded;
        }
        is_same
    }

    /// What holds beyond the gateway.
    pub(crate) fn through(&self, remaining: RemainingCost, gateway: Gateway) -> RemainingCost {
        self.steps.map_or(remaining, |steps| remaining.through(steps, gateway))
    }

    /// Notes what holds in a part of the map.
    #[inline]
    pub(crate) fn set(&mut self, part: u16, remaining: RemainingCost) {
        self.remaining_costs[usize::from(part)] = remaining;
    }

    /// What the rest of the way costs at least from a place in a part of the map; `None`, where nothing was noted.
    #[inline(always)]
    pub(crate) fn cost<C: Cost>(&self, part: u16, place: (u32, u32)) -> Option<C> {
        match (self.steps, self.remaining_costs.get(usize::from(part))) {
            (Some(steps), Some(remaining)) if remaining.epoch == self.epoch => {
                // More than the type holds is not the same as nowhere.
                let most = C::INFINITY.to_u64() - 1;
                Some(C::from_u64(remaining.cost(steps, place).min(most)))
            }
            _ => None,
        }
    }

    /// Whether there is a gateway on the way.
    #[inline]
    pub(crate) fn leads_through_gateways(&self) -> bool {
        self.parts.len() > 1
    }

    /// Notes that the parts are complete, and the search begins in the last.
    pub(crate) fn set_out(&mut self) {
        self.limits.resize(self.parts.len(), u64::MAX);
        self.ahead = self.parts.len() - 1;
    }

    /// How many gateways lie between a part of the map and the goal; `None`, where nothing was noted.
    #[inline(always)]
    pub(crate) fn gateways_ahead(&self, part: u16) -> Option<usize> {
        let remaining = self.remaining_costs.get(usize::from(part))?;
        (remaining.epoch == self.epoch).then_some(remaining.gateways_ahead.into())
    }

    /// Whether the search has not been so far yet.
    #[inline(always)]
    pub(crate) fn is_farther(&self, gateways_ahead: usize) -> bool {
        gateways_ahead < self.ahead
    }

    /// Notes a jump between states with that many gateways ahead, to the farther of which the search comes at a cost and a priority.
    pub(crate) fn come_through(
        &mut self,
        gateways_ahead: (usize, usize),
        (from, to): (u32, u32),
        (g, f): (u64, u64),
    ) {
        let (before, after) = (gateways_ahead.0.min(self.ahead), gateways_ahead.1);
        if before > after {
            self.unheeded = self.unheeded.min(f);
            let gateways = (after as u16, before as u16);
            self.crossings.push(Crossing { from, to, g, gateways });
        }
        self.ahead = self.ahead.min(after);
    }

    /// Whether [`heed`](Self::heed) may show that something of that priority is of no use.
    #[inline(always)]
    pub(crate) fn may_limit(&self, f: u64) -> bool {
        f > self.unheeded
    }

    /// Limits the priority of states behind the gateways that the search has come through.
    ///
    /// # Why a gateway settles the rooms behind it
    ///
    /// The search came through the gateway at cell `x`, at cost `g(x)`. Let `P` be a path that costs less than
    /// the cheapest one through `x`, and `e` the cell where it meets the gateway. The cells between `x` and
    /// `e` are free and on one line, so `P` comes to `e` at a cost below `g(x) + |x - e|`. The priority of a
    /// state on `P` behind the gateway is at most the cost of `P` to `e`, plus `c(e)`, the estimate at `e`:
    /// the estimate is consistent. Hence it is below
    ///
    /// `limit = max over e of g(x) + |x - e| + c(e)`
    ///
    /// The sum is convex in `e`, so the maximum is at an end of the gateway. States behind the gateway with
    /// a higher priority are skipped, whatever the rest of the way truly costs. States at the limit are
    /// not, so that every cheapest path stays in.
    ///
    /// Of several gateways the narrowest counts. O(gateways since the last call + parts limited).
    #[inline(never)]
    pub(crate) fn heed(
        &mut self,
        gateway_between: impl Fn(u16, u16) -> Gateway,
        place: impl Fn(u32) -> (u32, u32),
    ) {
        self.unheeded = u64::MAX;
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
        let remaining = self.remaining_costs[usize::from(self.parts[number + 1])];
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

    /// Whether a cheapest path may lead through a place with so many gateways ahead, to which the search comes at that priority.
    #[inline(always)]
    pub(crate) fn admits(&self, gateways_ahead: usize, f: u64) -> bool {
        self.limits.get(gateways_ahead).is_none_or(|&limit| f <= limit)
    }
}

impl ExpanderMemory for Guide {
    fn bytes(&self) -> usize {
        self.remaining_costs.capacity() * size_of::<RemainingCost>()
            + (self.way.capacity() + self.parts.capacity()) * size_of::<u16>()
            + self.crossings.capacity() * size_of::<Crossing>()
            + (self.limits.capacity() + self.signature.capacity()) * size_of::<u64>()
    }
}
