//! Sets of indices that give back their least member.
//!
//! A bit an index, and above each 64 words of bits a word with a bit for each that is not zero, up
//! to one word: adding an index and taking the least one are O(log₆₄ n).

/// A set of indices.
#[derive(Clone, Debug, Default)]
pub struct IndexSet {
    /// The bits, from those of the indices up.
    levels: Vec<Vec<u64>>,
}

impl IndexSet {
    /// Adds an index, if it is not there yet.
    pub fn insert(&mut self, index: u32) {
        let mut at = index as usize;
        self.grow(at);
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let is_known = *word != 0;
            *word |= 1 << (at % 64);
            if is_known {
                break;
            }
            at /= 64;
        }
    }

    /// Removes the least index, and returns it.
    pub fn take_first(&mut self) -> Option<u32> {
        let top = self.levels.last()?.first()?;
        if *top == 0 {
            return None;
        }
        let first = self
            .levels
            .iter()
            .rev()
            .fold(0, |at, level| at * 64 + level[at].trailing_zeros() as usize);
        let mut at = first;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= *word - 1;
            if *word != 0 {
                break;
            }
            at /= 64;
        }
        Some(first as u32)
    }

    /// Returns whether there is no index.
    pub fn is_empty(&self) -> bool {
        self.levels.last().is_none_or(|level| level[0] == 0)
    }

    /// Returns the memory of the set, in bytes.
    pub fn size_in_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<u64>()).sum()
    }

    /// Makes room for an index.
    fn grow(&mut self, index: usize) {
        if self.levels.first().is_some_and(|level| index / 64 < level.len()) {
            return;
        }
        let mut words = (index / 64 + 1).next_power_of_two();
        for level in 0.. {
            if level == self.levels.len() {
                // The level below had one word so far, if there is one.
                let below = level.checked_sub(1).map(|below| self.levels[below][0]);
                self.levels.push(vec![u64::from(below.is_some_and(|word| word != 0))]);
            }
            self.levels[level].resize(words, 0);
            if words == 1 {
                break;
            }
            words = words.div_ceil(64);
        }
    }
}
