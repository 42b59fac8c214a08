//! Guides: what a space knows of the way to a goal before a search begins.

use super::Cost;

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

impl Funnel {
    /// At the goal itself.
    fn goal((x, y): (u32, u32)) -> Self {
        let (x, line) = (x as u16, y as u16);
        Self { least: 0, epoch: 0, line, low: x, best: x, high: x, is_column: false }
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
            is_column,
        }
    }
}

/// What a space knows of the way to one goal: the memory for [`Space::guide`](super::Space::guide), kept in the scratch.
#[derive(Clone, Default, Debug)]
pub struct Guide {
    /// A funnel for each part of the map. Those of an earlier epoch are of no cheapest path.
    funnels: Vec<Funnel>,
    epoch: u32,
    /// The parts still to be gone through, the next one last.
    pub(crate) way: Vec<u16>,
    /// All parts that funnels were noted for, and the number of the last change of the map before that.
    pub(crate) parts: Vec<u16>,
    pub(crate) made: u32,
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

    /// The memory it holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.funnels.capacity() * size_of::<Funnel>()
            + (self.way.capacity() + self.parts.capacity()) * size_of::<u16>()
    }
}
