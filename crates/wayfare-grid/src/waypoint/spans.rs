//! Many short lists in one array.

/// The range of one list in the array.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    len: u32,
    capacity: u32,
}

/// Short lists that lie one after the other in memory, as the adjacency of a graph should, and can
/// be edited.
///
/// A list that outgrows its range moves to the end of the array with twice the capacity. Doubling
/// makes an insertion O(length of the list) amortised. When more than half of the array is idle it
/// is packed; at least as many items were moved since the last time, so packing is O(1) an item
/// moved.
#[derive(Clone, Debug, Default)]
pub struct Spans<T> {
    spans: Vec<Span>,
    items: Vec<T>,
    /// Entries of `items` outside of all lists.
    idle: usize,
}

impl<T: Copy + Default> Spans<T> {
    /// Makes `lists` lists, each with its items in their given order. O(lists + items).
    pub fn bucketed(lists: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut spans = vec![Span::default(); lists];
        for (list, _) in items.clone() {
            spans[list as usize].capacity += 1;
        }
        let mut start = 0;
        for span in &mut spans {
            span.start = start;
            start += span.capacity;
        }
        let mut bucketed = Self { spans, items: vec![T::default(); start as usize], idle: 0 };
        for (list, item) in items {
            let span = &mut bucketed.spans[list as usize];
            bucketed.items[(span.start + span.len) as usize] = item;
            span.len += 1;
        }
        bucketed
    }

    /// Sorts each list by a key. Of items with equal keys only the last is kept.
    pub fn sort_keeping_last<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for list in 0..self.spans.len() as u32 {
            let items = self.get_mut(list);
            items.sort_by_key(&key);
            let mut kept = 0;
            for at in 0..items.len() {
                if items.get(at + 1).is_none_or(|next| key(next) != key(&items[at])) {
                    items[kept] = items[at];
                    kept += 1;
                }
            }
            self.spans[list as usize].len = kept as u32;
        }
    }

    /// Appends an empty list.
    pub fn push_list(&mut self) {
        self.spans.push(Span::default());
    }

    /// The items of a list.
    #[inline]
    pub fn get(&self, list: u32) -> &[T] {
        let span = self.spans[list as usize];
        &self.items[span.start as usize..(span.start + span.len) as usize]
    }

    pub(super) fn get_mut(&mut self, list: u32) -> &mut [T] {
        let span = self.spans[list as usize];
        &mut self.items[span.start as usize..(span.start + span.len) as usize]
    }

    /// Returns all items with the numbers of their lists.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> + Clone {
        (0..self.spans.len() as u32)
            .flat_map(|list| self.get(list).iter().map(move |item| (list, item)))
    }

    /// Inserts an item into a list at an index.
    pub fn insert(&mut self, list: u32, at: usize, item: T) {
        let span = self.spans[list as usize];
        if span.len == span.capacity {
            self.relocate(list, (span.capacity * 2).max(4));
        }
        let span = &mut self.spans[list as usize];
        span.len += 1;
        let list = &mut self.items[span.start as usize..(span.start + span.len) as usize];
        list.copy_within(at..list.len() - 1, at + 1);
        list[at] = item;
    }

    /// Removes the item of a list at an index.
    pub fn remove(&mut self, list: u32, at: usize) {
        self.get_mut(list).copy_within(at + 1.., at);
        self.spans[list as usize].len -= 1;
    }

    fn relocate(&mut self, list: u32, capacity: u32) {
        let Span { start, len, capacity: old } = self.spans[list as usize];
        let end = self.items.len();
        self.items.extend_from_within(start as usize..(start + len) as usize);
        self.items.resize(end + capacity as usize, T::default());
        self.spans[list as usize] = Span { start: end as u32, len, capacity };
        self.idle += old as usize;
        if self.idle > self.items.len() / 2 + 64 {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let mut items = Vec::with_capacity(self.items.len() - self.idle);
        for span in &mut self.spans {
            let old = span.start as usize;
            span.start = items.len() as u32;
            items.extend_from_slice(&self.items[old..old + span.capacity as usize]);
        }
        self.items = items;
        self.idle = 0;
    }
}
