//! Open lists: what holds the states that a search has reached and not yet expanded.

use std::collections::VecDeque;

use super::Key;

/// A priority queue, or something that stands in for one.
///
/// Open lists hold no positions and never decrease a key: a state that is reached more cheaply is pushed again, and the
/// search skips the older entry when it surfaces. On grids that beats a heap with positions, which must write to a node on
/// every swap.
pub trait OpenList: Default + Send {
    /// Empties the list and keeps its memory.
    fn clear(&mut self);
    /// Adds a key.
    fn push(&mut self, key: Key);
    /// Takes the next key out.
    fn pop(&mut self) -> Option<Key>;
    /// The key that [`OpenList::pop`] would take.
    fn peek(&self) -> Option<Key>;
    /// The number of keys, including outdated ones.
    fn len(&self) -> usize;
    /// Whether there are no keys.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The memory it holds, in bytes.
    fn bytes(&self) -> usize;
}

/// A 4-ary heap: the four children of a node fill one cache line, and the tree is half as deep as a binary one.
///
/// `push` and `pop` take O(log n).
#[derive(Clone, Default, Debug)]
pub struct Heap(Vec<Key>);

const ARITY: usize = 4;

impl OpenList for Heap {
    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn push(&mut self, key: Key) {
        let heap = &mut self.0;
        let mut hole = heap.len();
        heap.push(key);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if heap[parent] <= key {
                break;
            }
            heap[hole] = heap[parent];
            hole = parent;
        }
        heap[hole] = key;
    }

    #[inline]
    fn pop(&mut self) -> Option<Key> {
        let heap = &mut self.0;
        let last = heap.pop()?;
        let Some(&top) = heap.first() else { return Some(last) };
        let len = heap.len();
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            let smallest = if let Some(&[a, b, c, d]) = heap.get(first..first + ARITY) {
                let (left, left_key) = if b < a { (1, b) } else { (0, a) };
                let (right, right_key) = if d < c { (3, d) } else { (2, c) };
                first + if right_key < left_key { right } else { left }
            } else {
                match (first..len).min_by_key(|&child| heap[child]) {
                    Some(child) => child,
                    None => break,
                }
            };
            if last <= heap[smallest] {
                break;
            }
            heap[hole] = heap[smallest];
            hole = smallest;
        }
        heap[hole] = last;
        Some(top)
    }

    fn peek(&self) -> Option<Key> {
        self.0.first().copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Key>()
    }
}

/// An unsorted list that is scanned for its smallest key: what every first A* uses, kept to show what the heap is worth.
///
/// `push` takes O(1), `pop` O(n). It expands the same states in the same order as [`Heap`].
#[derive(Clone, Default, Debug)]
pub struct PlainList(Vec<Key>);

impl OpenList for PlainList {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, key: Key) {
        self.0.push(key);
    }

    fn pop(&mut self) -> Option<Key> {
        let smallest = (0..self.0.len()).min_by_key(|&entry| self.0[entry])?;
        Some(self.0.swap_remove(smallest))
    }

    fn peek(&self) -> Option<Key> {
        self.0.iter().min().copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Key>()
    }
}

/// First in, first out; keys are carried but not compared. What breadth-first search needs. All operations take O(1).
#[derive(Clone, Default, Debug)]
pub struct Fifo(VecDeque<Key>);

impl OpenList for Fifo {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, key: Key) {
        self.0.push_back(key);
    }

    fn pop(&mut self) -> Option<Key> {
        self.0.pop_front()
    }

    fn peek(&self) -> Option<Key> {
        self.0.front().copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Key>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn heap_and_list_pop_the_same_keys(operations in prop::collection::vec(prop::option::of((0u64..50, 0u64..50, 0u32..50)), 0..200)) {
            let (mut heap, mut list) = (Heap::default(), PlainList::default());
            for operation in operations {
                match operation {
                    Some((priority, g, state)) => {
                        heap.push(Key::new(priority, g, state));
                        list.push(Key::new(priority, g, state));
                    }
                    None => prop_assert_eq!(heap.pop(), list.pop()),
                }
                prop_assert_eq!(heap.peek(), list.peek());
            }
            while let Some(key) = heap.pop() {
                prop_assert_eq!(Some(key), list.pop());
            }
            prop_assert!(list.is_empty());
        }
    }
}
