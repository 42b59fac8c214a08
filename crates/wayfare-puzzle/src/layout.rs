//! States in 64 bits.
//!
//! From the lowest bit: a bit for each key, lever and hook; the cells of the crates in ascending
//! order; the cell of the walker. Crates are alike, so states that differ only in their order are
//! one. A crate that became a bridge has the index after the last.

use super::flood::Sense;
use super::ground::{NOWHERE, PuzzleGround};
use super::parts::{Condition, PartId, PuzzleError, PuzzleParts};
use super::timetable::Timetable;

/// The most crates of a puzzle.
pub const MOST_CRATES: usize = 15;

/// A state, unpacked. Crates that became bridges are [`NOWHERE`], which sorts last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) walker: u32,
    /// Keys that were taken, levers that are on, hooks that were used.
    pub(super) flags: u64,
    pub(super) crates: [u32; MOST_CRATES],
    pub(super) count: u8,
}

impl Node {
    pub(super) fn crates(&self) -> &[u32] {
        &self.crates[..usize::from(self.count)]
    }

    /// Returns the node with a crate at another cell.
    pub(super) fn with_crate(mut self, number: usize, place: u32) -> Self {
        self.crates[number] = place;
        self.crates[..usize::from(self.count)].sort_unstable();
        self
    }
}

/// Conditions as bits and cells: all must be true for a gate to be open.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Needs {
    /// Flags that have to be set.
    set: u64,
    /// Flags that must not be set.
    clear: u64,
    /// Plates with a crate, by cell.
    loaded: Vec<u32>,
    /// Plates without.
    unloaded: Vec<u32>,
}

impl Needs {
    #[inline]
    pub(super) fn hold(&self, node: &Node) -> bool {
        node.flags & self.set == self.set
            && node.flags & self.clear == 0
            && self.loaded.iter().all(|place| node.crates().contains(place))
            && !self.unloaded.iter().any(|place| node.crates().contains(place))
    }
}

/// A gate by cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GateLayout {
    pub(super) places: Vec<u32>,
    pub(super) needs: Needs,
}

/// A platform by cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RideLayout {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) cost: u32,
    pub(super) up: Needs,
    pub(super) timetable: Option<Timetable>,
}

impl RideLayout {
    /// Returns whether it goes up in a node, and down, sooner or later.
    pub(super) fn ways(&self, node: &Node) -> [bool; 2] {
        let holds = self.up.hold(node);
        [holds, if self.timetable.is_some() { holds } else { !holds }]
    }

    /// Returns the cost of the other end in a flood from `clock`, given the cost of an end; `None`
    /// where it is below 0 on the clock.
    pub(super) fn relax(&self, is_up: bool, sense: Sense, clock: u64, cost: u32) -> Option<u32> {
        let Some(timetable) = self.timetable else { return Some(cost.saturating_add(self.cost)) };
        match sense {
            Sense::From => {
                let wait = timetable.wait(is_up, clock + u64::from(cost));
                Some(cost.saturating_add(wait).saturating_add(self.cost))
            }
            Sense::To => {
                // The last departure that arrives in time.
                let latest = clock.checked_sub(u64::from(cost))?.checked_sub(self.cost.into())?;
                let left = latest - u64::from(timetable.since(is_up, latest)?);
                u32::try_from(clock - left).ok()
            }
        }
    }
}

/// The position of everything in a state, and the parts by cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layout {
    flags: u32,
    crate_bits: u32,
    pub(super) count: u8,
    places: u32,
    pub(super) keys: Vec<u32>,
    pub(super) levers: Vec<u32>,
    /// The winch and the cell under the hook.
    pub(super) hooks: Vec<[u32; 2]>,
    pub(super) gates: Vec<GateLayout>,
    pub(super) rides: Vec<RideLayout>,
}

fn bits(values: u64) -> u32 {
    u64::BITS - values.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// # Errors
    /// If a state takes more than 64 bits.
    pub(super) fn of(ground: &PuzzleGround, parts: &PuzzleParts) -> Result<Self, PuzzleError> {
        // All cells were checked.
        let place = |cell| ground.place(cell).unwrap_or_default();
        let flags = parts.keys.len() + parts.levers.len() + parts.hooks.len();
        let flags = u32::try_from(flags).unwrap_or(u32::MAX);
        let crate_bits = bits(ground.len() as u64 + 1);
        let crates = crate_bits * parts.crates.len() as u32;
        let all = flags.saturating_add(crates).saturating_add(bits(ground.len() as u64));
        if all > 64 || flags > 63 {
            return Err(PuzzleError::Bits(all));
        }
        let mut layout = Self {
            flags,
            crate_bits,
            count: parts.crates.len() as u8,
            places: ground.len() as u32,
            keys: parts.keys.iter().map(|key| place(key.at)).collect(),
            levers: parts.levers.iter().map(|lever| place(lever.at)).collect(),
            hooks: parts.hooks.iter().map(|hook| [place(hook.at), place(hook.under)]).collect(),
            gates: Vec::new(),
            rides: Vec::new(),
        };
        let needs = |conditions: &[Condition]| {
            let mut needs = Needs::default();
            let plate = |PartId(number): PartId| place(parts.plates[usize::from(number)].at);
            for condition in conditions {
                match *condition {
                    Condition::LeverOn(lever) => needs.set |= layout.lever_flag(lever.0.into()),
                    Condition::LeverOff(lever) => needs.clear |= layout.lever_flag(lever.0.into()),
                    Condition::Held(key) => needs.set |= 1 << key.0,
                    Condition::Bridged(hook) => needs.set |= layout.hook_flag(hook.0.into()),
                    Condition::Loaded(number) => needs.loaded.push(plate(number)),
                    Condition::Unloaded(number) => needs.unloaded.push(plate(number)),
                }
            }
            needs
        };
        let gates = parts.gates.iter().map(|gate| GateLayout {
            places: gate.cells.iter().map(|cell| place(*cell)).collect(),
            needs: needs(&gate.when),
        });
        let gates = gates.collect();
        let rides = parts.platforms.iter().map(|lift| RideLayout {
            low: place(lift.low),
            high: place(lift.high),
            cost: lift.cost,
            up: needs(&lift.up),
            timetable: lift.timetable,
        });
        let rides = rides.collect();
        (layout.gates, layout.rides) = (gates, rides);
        Ok(layout)
    }

    pub(super) fn key_flag(key: usize) -> u64 {
        1 << key
    }

    pub(super) fn lever_flag(&self, lever: usize) -> u64 {
        1 << (self.keys.len() + lever)
    }

    pub(super) fn hook_flag(&self, hook: usize) -> u64 {
        1 << (self.keys.len() + self.levers.len() + hook)
    }

    /// Returns a node of a walker, flags and crates; at most [`MOST_CRATES`] of these.
    pub(super) fn node(&self, walker: u32, flags: u64, crates: &[u32]) -> Node {
        let mut node = Node { walker, flags, crates: [NOWHERE; MOST_CRATES], count: self.count };
        let count = crates.len().min(usize::from(self.count));
        node.crates[..count].copy_from_slice(&crates[..count]);
        node.crates[..usize::from(self.count)].sort_unstable();
        node
    }

    pub(super) fn pack(&self, node: &Node) -> u64 {
        let mut key = u64::from(node.walker);
        for place in node.crates().iter().rev() {
            key = key << self.crate_bits | u64::from(*place.min(&self.places));
        }
        key << self.flags | node.flags
    }

    /// Returns the walker's cell in a packed state.
    pub(super) fn walker(&self, key: u64) -> u32 {
        let below = self.flags + self.crate_bits * u32::from(self.count);
        key.checked_shr(below).unwrap_or(0) as u32
    }

    pub(super) fn unpack(&self, key: u64) -> Node {
        let flags = key & ((1 << self.flags) - 1);
        let mut rest = key >> self.flags;
        let mut crates = [NOWHERE; MOST_CRATES];
        for place in &mut crates[..usize::from(self.count)] {
            let value = (rest & ((1 << self.crate_bits) - 1)) as u32;
            rest >>= self.crate_bits;
            *place = if value == self.places { NOWHERE } else { value };
        }
        Node { walker: rest as u32, flags, crates, count: self.count }
    }

    /// Returns whether a shut gate has a crate or the walker in it.
    pub(super) fn is_caught(&self, node: &Node) -> bool {
        self.gates.iter().any(|gate| {
            let is_in = |place: &u32| *place == node.walker || node.crates().contains(place);
            gate.places.iter().any(is_in) && !gate.needs.hold(node)
        })
    }
}
