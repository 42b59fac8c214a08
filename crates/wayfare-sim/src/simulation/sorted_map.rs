//! A map as a sorted list: a tenth of the code of a B-tree for each type of its values.
//!
//! For maps of few keys, or of keys that mostly come in ascending order and seldom go.

/// Keys in ascending order, with their values.
#[derive(Clone, Debug)]
pub(super) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K: Ord, V> SortedMap<K, V> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns where the key is, or where it belongs.
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|entry| entry.0.cmp(key))
    }

    /// Returns the value of a key. O(log n).
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Returns the value of a key. O(log n).
    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Inserts a value. O(log n + m), where m keys are greater.
    pub(super) fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (key, value)),
        }
    }

    /// Removes a key. O(log n + m), where m keys are greater.
    pub(super) fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Returns the entries in ascending order of the keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn it_is_the_map_that_a_tree_is() {
        let (mut list, mut tree, mut draw) = (SortedMap::new(), BTreeMap::new(), 1u32);
        for _ in 0..2_000 {
            draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (key, value) = (draw >> 16 & 31, draw >> 8 & 255);
            if draw >> 28 < 8 {
                list.insert(key, value);
                tree.insert(key, value);
            } else {
                assert_eq!(list.remove(&key), tree.remove(&key));
            }
            assert_eq!(list.get(&value), tree.get(&value));
            assert_eq!(list.get_mut(&key), tree.get_mut(&key));
            assert!(list.iter().eq(tree.iter()));
        }
    }
}
