//! The table of states that were reached: 12 bytes an entry, 15 with the room between entries.
//!
//! A parent is not stored: the cost of each state is, and from these costs `trail.rs` finds the
//! parents again.
//!
//! The table is cut into segments by the hash. Each is open-addressed with linear probing, is
//! between 7/9 and 7/8 full once it has grown, and grows by an eighth on its own. So never more
//! than one segment exists twice.

/// A cost in the table with a mark in the highest bit for states that were expanded.
const EXPANDED: u32 = 1 << 31;
/// The cost of an empty entry.
const EMPTY: u32 = u32::MAX;
/// The largest cost of a state.
pub(super) const MOST_COST: u32 = EXPANDED - 2;

const SEGMENT_BITS: u32 = 10;

#[derive(Debug, Default, Clone)]
struct Segment {
    keys: Vec<u64>,
    costs: Vec<u32>,
    count: usize,
}

/// The entry of a state in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its lowest cost so far.
    pub cost: u32,
    /// Whether it was expanded.
    pub is_expanded: bool,
}

/// The costs of the states that were reached.
#[derive(Debug, Clone)]
pub struct StateTable {
    segments: Vec<Segment>,
    count: u64,
    room: usize,
}

/// Returns the finalizer of SplitMix64: a bijection of words. Source: S. Vigna, 2015.
pub fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

impl Segment {
    /// Returns the entry of a key, or the empty one where it would be.
    fn find(&self, key: u64, hash: u64) -> usize {
        let room = self.keys.len();
        let mut at = (((hash & 0xffff_ffff) * room as u64) >> 32) as usize;
        while self.costs[at] != EMPTY && self.keys[at] != key {
            at += 1;
            if at == room {
                at = 0;
            }
        }
        at
    }

    fn grow(&mut self) -> usize {
        let room = (self.keys.len() + self.keys.len() / 8).max(16);
        let keys = std::mem::replace(&mut self.keys, vec![0; room]);
        let costs = std::mem::replace(&mut self.costs, vec![EMPTY; room]);
        for (key, cost) in keys.iter().zip(&costs).filter(|(_, cost)| **cost != EMPTY) {
            let at = self.find(*key, mix(*key));
            (self.keys[at], self.costs[at]) = (*key, *cost);
        }
        room - keys.len()
    }
}

impl Default for StateTable {
    fn default() -> Self {
        Self { segments: vec![Segment::default(); 1 << SEGMENT_BITS], count: 0, room: 0 }
    }
}

/// Returns the number of states.
impl StateTable {
    /// Returns the number of states.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns its memory in bytes.
    pub fn bytes(&self) -> usize {
        self.room * 12 + self.segments.len() * size_of::<Segment>()
    }

    /// Returns what is known of a state.
    pub fn get(&self, key: u64) -> Option<Known> {
        let hash = mix(key);
        let segment = &self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        if segment.count == 0 {
            return None;
        }
        let cost = segment.costs[segment.find(key, hash)];
        (cost != EMPTY)
            .then_some(Known { cost: cost & !EXPANDED, is_expanded: cost & EXPANDED != 0 })
    }

    /// Visits the states that were not expanded, with their costs.
    pub(super) fn for_each_waiting(&self, mut visit: impl FnMut(u64, u32)) {
        for segment in &self.segments {
            for (key, cost) in segment.keys.iter().zip(&segment.costs) {
                if cost & EXPANDED == 0 {
                    visit(*key, *cost);
                }
            }
        }
    }

    /// Notes a cost of a state, if it is the lowest known. Returns whether it is.
    pub fn improve(&mut self, key: u64, cost: u32) -> bool {
        let hash = mix(key);
        let segment = &mut self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        if (segment.count + 1) * 8 > segment.keys.len() * 7 {
            self.room += segment.grow();
        }
        let at = segment.find(key, hash);
        let known = segment.costs[at];
        if known == EMPTY {
            segment.count += 1;
            self.count += 1;
            segment.keys[at] = key;
        } else if known & !EXPANDED <= cost {
            return false;
        }
        segment.costs[at] = cost;
        true
    }

    /// Marks a state as expanded. Returns its cost, or `None` if it was marked already.
    pub fn expand(&mut self, key: u64) -> Option<u32> {
        let hash = mix(key);
        let segment = &mut self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        if segment.count == 0 {
            return None;
        }
        let at = segment.find(key, hash);
        let known = segment.costs[at];
        if known == EMPTY || known & EXPANDED != 0 {
            return None;
        }
        segment.costs[at] = known | EXPANDED;
        Some(known)
    }
}
