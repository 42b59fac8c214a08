//! The trail: from the costs in the table to the plan.
//!
//! A state with cost `g` was reached by some deed `d`, from a state of cost `g'` whose walker went
//! `w` to the cell of `d`: `g = g' + w + cost(d)`. Undoing each deed that can have been the last
//! one gives the ground of the state before. A flood backwards from the cell of that deed gives `w`
//! for all cells of its walker. An entry in the table with the fitting cost is a parent.
//!
//! Where platforms have timetables, `w` is the latest departure, as a time before the deed. A state
//! that was expanded at `g' ≤ g - w - cost(d)` arrives in time, and not too early, since `g` is the
//! least cost: the rest is spent waiting.
//!
//! Costs of deeds are at least 1, so costs fall at each step back and the trail ends at the start.
//! That is a flood for each part and step of the plan, and saves a parent in every entry.

use wayfare_grid::grid::Cell;

use super::flood::{FAR, Flood, Sense};
use super::ground::NOWHERE;
use super::layout::{Layout, Node};
use super::search::{PlacedDeed, PuzzleSearch};
use super::{Deed, PartId, PlanStep, Puzzle, PuzzlePlan};

/// A step back.
struct Parent {
    key: u64,
    walk: Vec<u32>,
    deed: Deed,
}

impl PuzzleSearch {
    /// Returns the plan that ends with a state of the table.
    pub(super) fn plan(&mut self, puzzle: &Puzzle, last: u64) -> PuzzlePlan {
        let mut flood = std::mem::take(&mut self.flood);
        let mut steps = Vec::new();
        let mut key = last;
        let cost = |key| self.table.get(key).map_or(0, |known| known.cost);
        let cell = |place: &u32| puzzle.ground().cell(*place);
        // The last deed may have ended at the goal: arriving is a step of its own.
        let mut is_first = true;
        loop {
            let parent = match key == self.first {
                true => None,
                false => self.parent(puzzle, &mut flood, key, is_first),
            };
            let Some(parent) = parent else {
                if is_first {
                    let walker = puzzle.layout().unpack(key).walker;
                    let walk = vec![cell(&walker)];
                    steps.push(PlanStep { walk, deed: Deed::Arrive, cost: 0 });
                    is_first = false;
                    if key != self.first {
                        continue;
                    }
                }
                break;
            };
            is_first = false;
            steps.push(PlanStep {
                walk: parent.walk.iter().map(cell).collect(),
                deed: parent.deed,
                cost: cost(key) - cost(parent.key),
            });
            key = parent.key;
        }
        steps.reverse();
        self.flood = flood;
        PuzzlePlan { steps }
    }

    /// `arrival`: whether a walk to the goal may have been the last move; else a deed was.
    fn parent(
        &self,
        puzzle: &Puzzle,
        flood: &mut Flood,
        key: u64,
        arrival: bool,
    ) -> Option<Parent> {
        let cost = self.table.get(key)?.cost;
        let node = puzzle.layout().unpack(key);
        if arrival {
            flood.run(puzzle, &node, node.walker, Sense::To, self.clock(cost));
            return self.before(puzzle, flood, &node, key, cost, Deed::Arrive);
        }
        for Undone { node: undone, deed } in undo(puzzle, &node) {
            let stand = deed.stand(puzzle, &undone);
            if stand == NOWHERE {
                continue;
            }
            flood.bar(puzzle, &undone);
            let effect = deed.apply(puzzle, &undone, flood);
            let Some(effect) = effect.filter(|effect| effect.node == node) else { continue };
            let Some(rest) = cost.checked_sub(effect.cost) else { continue };
            flood.run(puzzle, &undone, stand, Sense::To, self.clock(rest));
            let told = told(puzzle, &undone, deed);
            let found = self.before(puzzle, flood, &undone, key, rest, told);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the state whose walker went to the source of the flood, for a total of `cost`.
    fn before(
        &self,
        puzzle: &Puzzle,
        flood: &mut Flood,
        world: &Node,
        after: u64,
        cost: u32,
        deed: Deed,
    ) -> Option<Parent> {
        let mut places: Vec<u32> = flood.reached().to_vec();
        places.sort_unstable();
        for place in places {
            let Some(rest) = cost.checked_sub(flood.cost(place)) else { continue };
            let key = puzzle.layout().pack(&Node { walker: place, ..*world });
            let known = self.table.get(key).filter(|known| known.is_expanded && known.cost <= rest);
            if known.is_some() && key != after {
                let walk = descend(puzzle, flood, world, place, self.clock(cost));
                return Some(Parent { key, walk, deed });
            }
        }
        None
    }
}

/// Returns the walk from a cell to the source of a flood towards it. `clock`: the time at the
/// source.
fn descend(puzzle: &Puzzle, flood: &Flood, world: &Node, from: u32, clock: u64) -> Vec<u32> {
    let (ground, layout) = (puzzle.ground(), puzzle.layout());
    let mut walk = vec![from];
    let mut place = from;
    while flood.cost(place) != 0 {
        let left = flood.cost(place);
        let leads =
            |next: u32, cost: u32| flood.cost(next) != FAR && flood.cost(next) + cost == left;
        let step = (0..4).find_map(|direction| {
            let next = ground.next(place)[direction];
            (next != NOWHERE && leads(next, ground.cost(place, direction))).then_some(next)
        });
        let ride = || {
            layout.rides.iter().find_map(|ride| {
                let [up, down] = ride.ways(world);
                let ends = [(ride.low, ride.high, up), (ride.high, ride.low, down)];
                ends.into_iter().zip([true, false]).find_map(|((from, to, is_open), is_up)| {
                    let leads = from == place && is_open && flood.cost(to) != FAR;
                    let cost = || ride.relax(is_up, Sense::To, clock, flood.cost(to));
                    (leads && cost() == Some(left)).then_some(to)
                })
            })
        };
        let Some(next) = step.or_else(ride) else { break };
        walk.push(next);
        place = next;
    }
    walk
}

/// A deed that may have been the last one, and the node before it, whatever its walker.
struct Undone {
    node: Node,
    deed: PlacedDeed,
}

/// Returns the deeds that may have led to a node. Some of them cannot have: the caller does them
/// again.
fn undo(puzzle: &Puzzle, node: &Node) -> Vec<Undone> {
    let (layout, ground) = (puzzle.layout(), puzzle.ground());
    let mut found = Vec::new();
    for (key, place) in layout.keys.iter().enumerate() {
        let flag = Layout::key_flag(key);
        if *place == node.walker && node.flags & flag != 0 {
            let node = Node { flags: node.flags & !flag, ..*node };
            found.push(Undone { node, deed: PlacedDeed::Take(key) });
        }
    }
    for (lever, place) in layout.levers.iter().enumerate() {
        if *place == node.walker {
            let node = Node { flags: node.flags ^ layout.lever_flag(lever), ..*node };
            found.push(Undone { node, deed: PlacedDeed::Pull(lever) });
        }
    }
    for (hook, [winch, under]) in layout.hooks.iter().enumerate() {
        let flag = layout.hook_flag(hook);
        let used = node.crates().iter().position(|place| *place == NOWHERE);
        if let Some(used) = used.filter(|_| *winch == node.walker && node.flags & flag != 0) {
            let node = Node { flags: node.flags & !flag, ..node.with_crate(used, *under) };
            found.push(Undone { node, deed: PlacedDeed::Haul(hook) });
        }
    }
    // The node with a crate back where it was, if nothing else lies there.
    let put_back = |one: usize, place: u32| -> Option<(Node, usize)> {
        if place == NOWHERE || node.crates().contains(&place) {
            return None;
        }
        let node = node.with_crate(one, place);
        Some((node, node.crates().iter().position(|other| *other == place)?))
    };
    for (one, place) in node.crates().iter().enumerate() {
        for direction in (0..4).filter(|_| *place != NOWHERE) {
            // After a push the walker stands where the crate was.
            let behind = ground.next(*place)[direction ^ 1];
            if behind == node.walker
                && let Some((node, number)) = put_back(one, behind)
            {
                found.push(Undone { node, deed: PlacedDeed::Push(number, direction) });
            }
            // After a pull the walker is a cell ahead of the crate, which was a cell behind.
            let is_ahead = ground.next(*place)[direction] == node.walker;
            if is_ahead
                && puzzle.parts().can_pull
                && let Some((node, number)) = put_back(one, behind)
            {
                found.push(Undone { node, deed: PlacedDeed::Drag(number, direction) });
            }
        }
    }
    found
}

/// Returns the deed as plans have it.
fn told(puzzle: &Puzzle, node: &Node, deed: PlacedDeed) -> Deed {
    let id = |number: usize| PartId(number as u16);
    let shoved = |one: usize, direction: usize| -> [Cell; 2] {
        let from = node.crates()[one];
        let to = puzzle.ground().next(from)[direction];
        [from, if to == NOWHERE { from } else { to }].map(|place| puzzle.ground().cell(place))
    };
    match deed {
        PlacedDeed::Take(key) => Deed::Take(id(key)),
        PlacedDeed::Pull(lever) => Deed::Pull(id(lever)),
        PlacedDeed::Haul(hook) => Deed::Haul(id(hook)),
        PlacedDeed::Push(one, direction) => {
            let [from, to] = shoved(one, direction);
            Deed::Push { from, to }
        }
        PlacedDeed::Drag(one, direction) => {
            let [from, to] = shoved(one, direction);
            Deed::Drag { from, to }
        }
    }
}
