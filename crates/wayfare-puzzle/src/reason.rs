//! Why there is no plan: the gate that never opens, and its lack.

use std::collections::VecDeque;

use super::flood::Flood;
use super::ground::NOWHERE;
use super::layout::Node;
use super::parts::{Condition, PartId};
use super::{Puzzle, PuzzleState};

/// The lack of a gate, in all states that can be reached.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Lack {
    /// Its key is never taken.
    #[error("its key, {key}, is out of reach{}", add_gate(.behind))]
    Key {
        /// The key.
        key: String,
        /// The gate before it that never opens.
        behind: Option<String>,
    },
    /// Its lever is never in the position that it takes.
    #[error("its lever, {lever}, is out of reach{}", add_gate(.behind))]
    Lever {
        /// The lever.
        lever: String,
        /// The gate before it that never opens.
        behind: Option<String>,
    },
    /// No crate ever lies on its plate.
    #[error("no crate can be brought to its plate, {plate}")]
    Weight {
        /// The plate.
        plate: String,
    },
    /// A crate lies on its plate for ever.
    #[error("the crate on its plate, {plate}, cannot be moved away")]
    Relief {
        /// The plate.
        plate: String,
    },
    /// Its hook is never used.
    #[error("its hook, {hook}, cannot be used: {}", if *.is_out_of_reach {
        "its winch is out of reach"
    } else {
        "no crate can be brought under it"
    })]
    Hook {
        /// The hook.
        hook: String,
        /// Whether the walker cannot reach its winch.
        is_out_of_reach: bool,
    },
    /// Each of its conditions can be met, but never all together.
    #[error("its conditions can be met one by one, but never together")]
    Together,
}

fn add_gate(gate: &Option<String>) -> String {
    gate.as_ref().map_or_else(String::new, |gate| format!(", behind {gate}"))
}

/// Why there is no plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum NoPlan {
    /// The start is blocked.
    #[error("nobody can stand at the start")]
    Start,
    /// The goal is blocked.
    #[error("nobody can stand at the goal")]
    Goal,
    /// The state is not one of this puzzle.
    #[error("the state is not one of this puzzle")]
    State,
    /// Walls cut the goal off, whatever is opened.
    #[error("walls cut the goal off, whatever is opened")]
    Walls,
    /// A gate never opens.
    #[error("{gate} stays shut: {lack}")]
    Shut {
        /// The first gate before the goal that never opens.
        gate: String,
        /// Its lack.
        lack: Lack,
    },
    /// A platform never goes in that direction.
    #[error("{platform} never carries anybody across: {lack}")]
    Idle {
        /// The platform.
        platform: String,
        /// Its lack.
        lack: Lack,
    },
    /// A platform with a timetable never comes.
    #[error("{platform} never comes: {lack}")]
    Halted {
        /// The platform.
        platform: String,
        /// Its lack.
        lack: Lack,
    },
    /// All gates before the goal can be opened, but crates or shutting doors bar it at the wrong
    /// time.
    #[error("all on the way can be opened, but not so that one gets through")]
    Order,
}

/// The conditions that were true in any expanded state.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    reached: Vec<bool>,
    opened: Vec<bool>,
    set: u64,
    clear: u64,
    loaded: Vec<bool>,
    unloaded: Vec<bool>,
    lifted: Vec<[bool; 2]>,
}

impl Facts {
    pub(super) fn note(&mut self, puzzle: &Puzzle, node: &Node, flood: &Flood) {
        let (layout, parts) = (puzzle.layout(), puzzle.parts());
        self.reached.resize(puzzle.ground().len(), false);
        self.opened.resize(layout.gates.len(), false);
        self.loaded.resize(parts.plates.len(), false);
        self.unloaded.resize(parts.plates.len(), false);
        self.lifted.resize(layout.rides.len(), [false; 2]);
        for place in flood.reached() {
            self.reached[*place as usize] = true;
        }
        for (opened, gate) in self.opened.iter_mut().zip(&layout.gates) {
            *opened |= gate.needs.hold(node);
        }
        for (lifted, ride) in self.lifted.iter_mut().zip(&layout.rides) {
            let [up, down] = ride.ways(node);
            *lifted = [lifted[0] | down, lifted[1] | up];
        }
        (self.set, self.clear) = (self.set | node.flags, self.clear | !node.flags);
        for (number, plate) in parts.plates.iter().enumerate() {
            let place = puzzle.ground().place(plate.at).unwrap_or(NOWHERE);
            let list = match node.crates().contains(&place) {
                true => &mut self.loaded,
                false => &mut self.unloaded,
            };
            list[number] = true;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.reached.capacity()
    }

    /// Returns the reason, once everything was searched.
    pub(super) fn reason(&self, puzzle: &Puzzle, state: &PuzzleState, goal: u32) -> NoPlan {
        let Some(barriers) = self.barriers(puzzle, goal) else { return NoPlan::Walls };
        match barriers {
            Barrier::None => NoPlan::Order,
            Barrier::Gate(gate) => {
                let gate = &puzzle.parts().gates[gate];
                NoPlan::Shut { gate: gate.name.clone(), lack: self.lack(puzzle, state, &gate.when) }
            }
            Barrier::Ride { ride, up } => {
                let lift = &puzzle.parts().platforms[ride];
                let lack = match up || lift.timetable.is_some() {
                    true => self.lack(puzzle, state, &lift.up),
                    false => Lack::Together,
                };
                let platform = lift.name.clone();
                match lift.timetable {
                    Some(_) => NoPlan::Halted { platform, lack },
                    None => NoPlan::Idle { platform, lack },
                }
            }
        }
    }

    /// Returns the first permanent barrier on a path with the fewest of them, from reached ground
    /// to a cell. `None` if walls are in between.
    ///
    /// Searches the cells backwards from the target by the count of permanent barriers: each costs
    /// one, all else nothing.
    fn barriers(&self, puzzle: &Puzzle, to: u32) -> Option<Barrier> {
        let ground = puzzle.ground();
        let layout = puzzle.layout();
        let mut gate_of = vec![usize::MAX; ground.len()];
        for (number, gate) in layout.gates.iter().enumerate() {
            if !self.opened[number] {
                gate.places.iter().for_each(|place| gate_of[*place as usize] = number);
            }
        }
        let mut best = vec![(u32::MAX, Barrier::None); ground.len()];
        let mut queue = VecDeque::from([(to, 0, Barrier::None)]);
        while let Some((place, count, barrier)) = queue.pop_front() {
            if best[place as usize].0 <= count {
                continue;
            }
            best[place as usize] = (count, barrier);
            let gate = gate_of[place as usize];
            if gate == usize::MAX && self.reached[place as usize] {
                return Some(barrier);
            }
            // The barrier nearest to reached ground is the last one met.
            for &next in ground.next(place).iter().filter(|next| **next != NOWHERE) {
                let other = gate_of[next as usize];
                if other == usize::MAX || other == gate {
                    queue.push_front((next, count, barrier));
                } else {
                    queue.push_back((next, count + 1, Barrier::Gate(other)));
                }
            }
            for (ride, lift) in layout.rides.iter().enumerate() {
                for (from, end, up) in [(lift.low, lift.high, true), (lift.high, lift.low, false)] {
                    if end != place {
                        continue;
                    }
                    match self.lifted[ride][usize::from(up)] {
                        true => queue.push_front((from, count, barrier)),
                        false => queue.push_back((from, count + 1, Barrier::Ride { ride, up })),
                    }
                }
            }
        }
        None
    }

    fn lack(&self, puzzle: &Puzzle, state: &PuzzleState, conditions: &[Condition]) -> Lack {
        let (parts, layout) = (puzzle.parts(), puzzle.layout());
        let behind = |place: u32| match self.barriers(puzzle, place) {
            Some(Barrier::Gate(gate)) => Some(parts.gates[gate].name.clone()),
            Some(Barrier::Ride { ride, .. }) => Some(parts.platforms[ride].name.clone()),
            _ => None,
        };
        let is_met = |condition: &Condition| match *condition {
            Condition::LeverOn(PartId(lever)) => self.set & layout.lever_flag(lever.into()) != 0,
            Condition::LeverOff(PartId(lever)) => self.clear & layout.lever_flag(lever.into()) != 0,
            Condition::Held(PartId(key)) => self.set & 1 << key != 0,
            Condition::Bridged(PartId(hook)) => self.set & layout.hook_flag(hook.into()) != 0,
            Condition::Loaded(PartId(plate)) => self.loaded[usize::from(plate)],
            Condition::Unloaded(PartId(plate)) => self.unloaded[usize::from(plate)],
        };
        let is_reached = |place: u32| self.reached[place as usize];
        let Some(unmet) = conditions.iter().find(|one| !is_met(one)) else {
            return Lack::Together;
        };
        debug_assert!(!puzzle.holds(state, *unmet));
        match *unmet {
            Condition::Held(PartId(key)) => Lack::Key {
                key: parts.keys[usize::from(key)].name.clone(),
                behind: behind(layout.keys[usize::from(key)]),
            },
            Condition::LeverOn(PartId(lever)) | Condition::LeverOff(PartId(lever)) => Lack::Lever {
                lever: parts.levers[usize::from(lever)].name.clone(),
                behind: behind(layout.levers[usize::from(lever)]),
            },
            Condition::Loaded(PartId(plate)) => {
                Lack::Weight { plate: parts.plates[usize::from(plate)].name.clone() }
            }
            Condition::Unloaded(PartId(plate)) => {
                Lack::Relief { plate: parts.plates[usize::from(plate)].name.clone() }
            }
            Condition::Bridged(PartId(hook)) => Lack::Hook {
                hook: parts.hooks[usize::from(hook)].name.clone(),
                is_out_of_reach: !is_reached(layout.hooks[usize::from(hook)][0]),
            },
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Barrier {
    None,
    Gate(usize),
    Ride { ride: usize, up: bool },
}
