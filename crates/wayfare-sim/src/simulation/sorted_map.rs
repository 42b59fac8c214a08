//! A map as a sorted list: a tenth of the code of a B-tree for each type of its values.
//!
//! For maps of few keys, or of keys that mostly come in ascending order and seldom go.

/// Keys in ascending order, with their values.
#[derive(Clone, Debug)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Returns where the key is, or where it belongs.
impl<K: Ord, V> SortedMap<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|entry| entry.0.cmp(key))
    }

    /// Returns the value of a key. O(log n).
    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Returns the value of a key. O(log n).
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Inserts a value. O(log n + m), where m keys are greater.
    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (key, value)),
        }
    }

    /// Removes a key. O(log n + m), where m keys are greater.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Returns the entries in ascending order of the keys.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }
}
