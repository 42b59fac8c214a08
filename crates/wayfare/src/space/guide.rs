//! Guides: lower bounds on the way to a goal, prepared before a search begins.

use super::{Cost, ExpanderMemory};

/// How much every path to a goal still costs at least, from any place on one side of a gate.
///
/// The least cost of going through a chain of straight gates to one cell, as a function of the place: along the line of the last gate it is
/// convex, and made of four pieces. With steps at 1 straight and `1 + q` diagonal they slope by −1, −q, q and 1 from west to east.
/// Walking on to the next gate lengthens the middle pieces, and the ends of that gate cut them off. So three places and a cost say all of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Funnel {
    /// What the rest of the way costs from the best place on the line.
    least: u64,
    /// The epoch of the guide that the funnel belongs to.
    epoch: u32,
    /// The line's coordinate across it.
    line: u16,
    /// Along the line: where the slope turns to −q, where it is cheapest, where it turns from q to 1.
    low: u16,
    best: u16,
    high: u16,
    /// How many gates lie between there and the goal.
    gates_ahead: u16,
    /// Whether the line runs along y.
    is_column: bool,
}

/// A straight line of cells through which every path between two parts of a map leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gate {
    /// Whether the line runs along y.
    pub(crate) is_column: bool,
    /// The coordinate that its cells have in common.
    pub(crate) line: u16,
    /// The other coordinate of its first and its last cell.
    pub(crate) first: u16,
    pub(crate) last: u16,
}

/// What steps cost on ground of one cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) straight: u32,
    /// By how much a diagonal step is dearer than a straight one.
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

impl Funnel {
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
            gates_ahead: 0,
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

    /// The same for those beyond the gate.
    fn through(&self, steps: Steps, gate: Gate) -> Self {
        let Gate { is_column, line, first, last } = gate;
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
            gates_ahead: self.gates_ahead + 1,
            is_column,
        }
    }
}

impl Gate {
    /// The places of its first and its last cell.
    fn ends(self) -> [(u32, u32); 2] {
        [self.first, self.last].map(|place| {
            let (line, place) = (u32::from(self.line), u32::from(place));
            if self.is_column { (line, place) } else { (place, line) }
        })
    }

    /// Where a jump from one place to another, on the other side, comes to the gate: it goes diagonally first, among four neighbours along the row.
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

/// A jump through gates.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// The states where it begins and ends, and what it costs to come to the end.
    from: u32,
    to: u32,
    g: u64,
    /// How many gates lie ahead after it and before.
    gates: (u16, u16),
}

/// Lower bounds on the way to one goal: the memory of the grid's [`Guidance`](super::Guidance).
#[derive(Clone, Default, Debug)]
pub struct Guide {
    /// A funnel for each part of the map. Those of an earlier epoch are of no cheapest path.
    funnels: Vec<Funnel>,
    epoch: u32,
    /// The parts still to be gone through, the next one last.
    pub(crate) way: Vec<u16>,
    /// All parts that funnels were noted for, from the goal's to the start's, and the number of the last change of the map before that.
    pub(crate) parts: Vec<u16>,
    pub(crate) made: u32,
    /// How many gates the search has not come through yet.
    ahead: usize,
    /// For each of the parts the priority above which no cheapest path leads through it: what the search has learnt on its way.
    limits: Vec<u64>,
    /// Where it came through gates that the limits do not heed yet, and its priority when it came through the first of them.
    crossings: Vec<Crossing>,
    unheeded: u64,
    steps: Option<Steps>,
}

impl Guide {
    /// Begins anew, for a map of so many parts, at the goal.
    pub(crate) fn begin(&mut self, parts: usize, steps: Steps, goal: (u32, u32)) -> Funnel {
        if self.epoch == u32::MAX {
            self.funnels.fill(Funnel::default());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.steps = Some(steps);
        if self.funnels.len() < parts {
            self.funnels.resize(parts, Funnel::default());
        }
        self.way.clear();
        self.parts.clear();
        self.limits.clear();
        self.crossings.clear();
        self.unheeded = u64::MAX;
        Funnel { epoch: self.epoch, ..Funnel::goal(goal) }
    }

    /// What holds beyond the gate.
    pub(crate) fn through(&self, funnel: Funnel, gate: Gate) -> Funnel {
        self.steps.map_or(funnel, |steps| funnel.through(steps, gate))
    }

    /// Notes what holds in a part of the map.
    #[inline]
    pub(crate) fn set(&mut self, part: u16, funnel: Funnel) {
        self.funnels[usize::from(part)] = funnel;
    }

    /// What the rest of the way costs at least from a place in a part of the map; `None`, where nothing was noted.
    #[inline(always)]
    pub(crate) fn cost<C: Cost>(&self, part: u16, place: (u32, u32)) -> Option<C> {
        match (self.steps, self.funnels.get(usize::from(part))) {
            (Some(steps), Some(funnel)) if funnel.epoch == self.epoch => {
                // More than the type holds is not the same as nowhere.
                let most = C::INFINITY.to_u64() - 1;
                Some(C::from_u64(funnel.cost(steps, place).min(most)))
            }
            _ => None,
        }
    }

    /// Whether there is a gate on the way.
    #[inline]
    pub(crate) fn leads_through_gates(&self) -> bool {
        self.parts.len() > 1
    }

    /// Notes that the parts are complete, and the search begins in the last.
    pub(crate) fn set_out(&mut self) {
        self.limits.resize(self.parts.len(), u64::MAX);
        self.ahead = self.parts.len() - 1;
    }

    /// How many gates lie between a part of the map and the goal; `None`, where nothing was noted.
    #[inline(always)]
    pub(crate) fn gates_ahead(&self, part: u16) -> Option<usize> {
        let funnel = self.funnels.get(usize::from(part))?;
        (funnel.epoch == self.epoch).then_some(funnel.gates_ahead.into())
    }

    /// Whether the search has not been so far yet.
    #[inline(always)]
    pub(crate) fn is_farther(&self, gates_ahead: usize) -> bool {
        gates_ahead < self.ahead
    }

    /// Notes a jump between states with that many gates ahead, to the farther of which the search comes at a cost and a priority.
    pub(crate) fn come_through(
        &mut self,
        gates_ahead: (usize, usize),
        (from, to): (u32, u32),
        (g, f): (u64, u64),
    ) {
        let (before, after) = (gates_ahead.0.min(self.ahead), gates_ahead.1);
        if before > after {
            self.unheeded = self.unheeded.min(f);
            let gates = (after as u16, before as u16);
            self.crossings.push(Crossing { from, to, g, gates });
        }
        self.ahead = self.ahead.min(after);
    }

    /// Whether [`heed`](Self::heed) may show that something of that priority is of no use.
    #[inline(always)]
    pub(crate) fn may_limit(&self, f: u64) -> bool {
        f > self.unheeded
    }

    /// Limits what lies behind the gates that the search has come through: a path that is better than the one through a gate comes to one of its
    /// cells more cheaply than along the gate from where that one came through. From the cell where that is dearest, an end of the gate, the rest
    /// of the way costs so much at least; what has a higher priority comes to none of them in time, whatever the true cost of the rest.
    /// Of several gates the narrowest says the most. O(gates since the last time + parts limited).
    #[inline(never)]
    pub(crate) fn heed(
        &mut self,
        gate_between: impl Fn(u16, u16) -> Gate,
        place: impl Fn(u32) -> (u32, u32),
    ) {
        self.unheeded = u64::MAX;
        let crossings = self.crossings.drain(..).flat_map(|crossing| {
            let (after, before) = crossing.gates;
            (usize::from(after)..usize::from(before)).map(move |number| (number, crossing))
        });
        let narrowest = crossings
            .map(|(number, crossing)| {
                (gate_between(self.parts[number], self.parts[number + 1]), number, crossing)
            })
            .min_by_key(|(gate, number, _)| (gate.last - gate.first, *number));
        let (Some(steps), Some((gate, number, Crossing { from, to, g, .. }))) =
            (self.steps, narrowest)
        else {
            return;
        };
        let (from, to) = (place(from), place(to));
        let crossing = gate.crossing(from, to, steps);
        let funnel = self.funnels[usize::from(self.parts[number + 1])];
        let [one, other] =
            gate.ends().map(|end| steps.cost(crossing, end) + funnel.cost(steps, end));
        let limit = g - steps.cost(crossing, to) + one.max(other);
        for behind in &mut self.limits[number + 1..] {
            if *behind <= limit {
                break;
            }
            *behind = limit;
        }
    }

    /// Whether a cheapest path may lead through a place with so many gates ahead, to which the search comes at that priority.
    #[inline(always)]
    pub(crate) fn admits(&self, gates_ahead: usize, f: u64) -> bool {
        self.limits.get(gates_ahead).is_none_or(|&limit| f <= limit)
    }
}

impl ExpanderMemory for Guide {
    fn bytes(&self) -> usize {
        self.funnels.capacity() * size_of::<Funnel>()
            + (self.way.capacity() + self.parts.capacity()) * size_of::<u16>()
            + self.crossings.capacity() * size_of::<Crossing>()
            + self.limits.capacity() * size_of::<u64>()
    }
}
