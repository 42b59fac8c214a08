//! Open lists: queues of the states that a search has generated and not yet expanded.

use std::collections::VecDeque;

use super::Key;
use super::sort::sort_descending;

/// A priority queue, or a stand-in for one.
///
/// Open lists hold no positions and never decrease a key. A state with a cheaper path is pushed
/// again, and the search skips the older entry when it is popped. On grids that beats a heap with
/// positions, which must write to a node on every swap.
pub trait OpenList: Default + Send {
    /// Removes all keys and keeps the memory.
    fn clear(&mut self);
    /// Adds a key.
    fn push(&mut self, key: Key);
    /// Pops the next key.
    fn pop(&mut self) -> Option<Key>;
    /// Returns the number of keys, outdated ones included.
    fn len(&self) -> usize;
    /// Returns whether the list is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns the memory of the list, in bytes.
    fn bytes(&self) -> usize;
}

/// A 4-ary heap: the four children of a node share a cache line, and the tree is half as deep as a
/// binary one.
///
/// `push` and `pop` take O(log n). [`BucketQueue`] contains a small one.
#[derive(Clone, Default, Debug)]
struct Heap(Vec<Key>);

const ARITY: usize = 4;

impl Heap {
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

    #[inline(always)]
    fn pop(&mut self) -> Option<Key> {
        let last = self.0.pop()?;
        let Some(&top) = self.0.first() else { return Some(last) };
        self.sift_down(0, last);
        Some(top)
    }

    /// Puts `key` into the hole or below it.
    #[inline]
    fn sift_down(&mut self, mut hole: usize, key: Key) {
        let heap = &mut self.0;
        let len = heap.len();
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
            if key <= heap[smallest] {
                break;
            }
            heap[hole] = heap[smallest];
            hole = smallest;
        }
        heap[hole] = key;
    }
}

/// The open list of most searches: a queue of buckets, with the least key in front of them.
///
/// A search that steers well mostly pops the keys that it has just pushed. These never reach the
/// buckets. Jump point search pushes distant states, for which the comparison with the front is
/// wasted; it uses the buckets alone.
#[derive(Clone, Default, Debug)]
pub struct BucketQueue {
    /// A key below all in the buckets, if there is one.
    front: Option<Key>,
    buckets: Buckets,
}

impl BucketQueue {
    /// Returns the buckets, for searches that use them alone.
    #[inline]
    pub(crate) fn buckets(&mut self) -> &mut Buckets {
        debug_assert!(self.front.is_none());
        &mut self.buckets
    }
}

impl OpenList for BucketQueue {
    fn clear(&mut self) {
        self.front = None;
        self.buckets.clear();
    }

    #[inline]
    fn push(&mut self, key: Key) {
        let is_least = match self.front {
            Some(front) => key < front,
            None => self.buckets.are_above(key),
        };
        if !is_least {
            self.buckets.push(key);
        } else if let Some(second) = self.front.replace(key) {
            self.buckets.push(second);
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Key> {
        match self.front.take() {
            None => self.buckets.pop(),
            front => front,
        }
    }

    fn len(&self) -> usize {
        self.buckets.len() + usize::from(self.front.is_some())
    }

    fn bytes(&self) -> usize {
        self.buckets.bytes()
    }
}

/// A queue of buckets: keys wait unsorted in the bucket of their priority.
///
/// A search that steers well pushes most states far from the front. Here that is an append, and
/// only a few dozen keys are sorted at a time.
///
/// # Why the order is that of one heap
///
/// * A bucket is sorted once, when it becomes the lowest. Keys pushed into it later go to a small
///   heap beside it, and the lesser of both fronts is popped. Keys below the lowest bucket go there
///   too.
/// * All keys of a higher bucket have higher priorities, so none of them can be next.
/// * Keys beyond the last bucket wait apart until the buckets are empty. Then the width of the
///   buckets adapts to them.
///
/// `push` takes O(1) above the lowest bucket, else O(log b) for b keys in it. `pop` takes O(log b)
/// on average.
///
/// Sources: R. B. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969; E.
/// V. Denardo, B. L. Fox, "Shortest-route methods: 1. Reaching, pruning, and buckets", 1979 (two
/// levels).
#[derive(Clone, Debug)]
pub struct Buckets {
    /// The keys of the lowest bucket when it became the lowest, in descending order, and the keys
    /// pushed since.
    sorted: Vec<Key>,
    late: Heap,
    /// The number of the lowest bucket: the shifted priorities of its keys. Later keys may lie
    /// below.
    number: u64,
    /// Priorities per bucket, as powers of two: at present, and at least.
    width_log2: u32,
    least_width_log2: u32,
    /// The first key of bucket `n` in the pool, in slot `n % 64`, for the 63 buckets above the
    /// lowest.
    ring: [u32; RING as usize],
    /// The slots of the ring that hold keys, as bits.
    occupied: u64,
    /// The keys in the ring as linked lists, each with its successor. Unused entries form a list
    /// too.
    pool: Vec<Key>,
    next: Vec<u32>,
    unused: u32,
    /// Keys beyond the ring, and the least of their priorities.
    beyond: Vec<Key>,
    least_beyond: u64,
    len: usize,
}

const RING: u64 = 64;
/// 256 priorities a bucket: on a uniform-cost grid no move raises `f` by more than two diagonals,
/// so the ring holds all keys.
const FIRST_WIDTH_LOG2: u32 = 8;
/// The end of a list in the pool.
const END: u32 = u32::MAX;

impl Default for Buckets {
    fn default() -> Self {
        Self {
            sorted: Vec::new(),
            late: Heap::default(),
            number: 0,
            width_log2: FIRST_WIDTH_LOG2,
            least_width_log2: FIRST_WIDTH_LOG2,
            ring: [END; RING as usize],
            occupied: 0,
            pool: Vec::new(),
            next: Vec::new(),
            unused: END,
            beyond: Vec::new(),
            least_beyond: u64::MAX,
            len: 0,
        }
    }
}

impl Buckets {
    /// Puts the key into the bucket, the heap or the rest, by its priority.
    #[inline]
    fn place(&mut self, key: Key) {
        let number = key.priority() >> self.width_log2;
        if number <= self.number {
            self.late.push(key);
        } else if number - self.number < RING {
            let slot = number % RING;
            let place = self.unused;
            let first = std::mem::replace(&mut self.ring[slot as usize], place);
            if place == END {
                self.ring[slot as usize] = self.pool.len() as u32;
                self.pool.push(key);
                self.next.push(first);
            } else {
                self.pool[place as usize] = key;
                self.unused = std::mem::replace(&mut self.next[place as usize], first);
            }
            self.occupied |= 1 << slot;
        } else {
            self.least_beyond = self.least_beyond.min(key.priority());
            self.beyond.push(key);
        }
    }

    /// Makes the next bucket with keys the lowest. Call it when that is empty. Returns whether
    /// there is one.
    #[inline(never)]
    fn advance(&mut self) -> bool {
        let ahead = self.occupied.rotate_right((self.number % RING) as u32).trailing_zeros();
        let next_in_ring =
            if self.occupied == 0 { u64::MAX } else { self.number + u64::from(ahead) };
        if !self.beyond.is_empty() && self.least_beyond >> self.width_log2 <= next_in_ring {
            self.gather();
        } else if self.occupied == 0 {
            return false;
        } else {
            self.number = next_in_ring;
        }
        let slot = self.number % RING;
        let mut place = std::mem::replace(&mut self.ring[slot as usize], END);
        self.occupied &= !(1 << slot);
        while place != END {
            self.sorted.push(self.pool[place as usize]);
            let after = std::mem::replace(&mut self.next[place as usize], self.unused);
            self.unused = std::mem::replace(&mut place, after);
        }
        sort_descending(&mut self.sorted);
        true
    }

    /// Moves on to the least key beyond the ring, and takes in all keys within reach of it. The
    /// buckets become just wide enough to reach all of them.
    fn gather(&mut self) {
        if self.occupied == 0 {
            let most =
                self.beyond.iter().map(|key| key.priority()).max().unwrap_or(self.least_beyond);
            self.width_log2 = self.least_width_log2;
            while (most >> self.width_log2) - (self.least_beyond >> self.width_log2) >= RING {
                self.width_log2 += 1;
            }
        }
        self.number = self.least_beyond >> self.width_log2;
        self.least_beyond = u64::MAX;
        let mut kept = 0;
        for at in 0..self.beyond.len() {
            let key = self.beyond[at];
            if (key.priority() >> self.width_log2) - self.number < RING {
                self.place(key);
            } else {
                self.least_beyond = self.least_beyond.min(key.priority());
                self.beyond[kept] = key;
                kept += 1;
            }
        }
        self.beyond.truncate(kept);
    }
}

impl Buckets {
    /// Returns whether a key is known to be below all others.
    #[inline]
    fn are_above(&self, key: Key) -> bool {
        match (self.sorted.last(), self.late.0.first()) {
            (None, None) => self.len == 0 || key.priority() >> self.width_log2 <= self.number,
            (sorted, late) => {
                sorted.is_none_or(|&least| key < least) && late.is_none_or(|&least| key < least)
            }
        }
    }

    /// Makes the buckets of an empty queue at least 2^`width_log2` priorities wide, until it is
    /// cleared.
    #[doc(hidden)]
    pub fn widen(&mut self, width_log2: u32) {
        (self.width_log2, self.least_width_log2) = (width_log2, width_log2);
    }
}

impl OpenList for Buckets {
    fn clear(&mut self) {
        let Self { sorted, late, beyond, pool, next, .. } = self;
        sorted.clear();
        late.0.clear();
        beyond.clear();
        pool.clear();
        next.clear();
        self.ring = [END; RING as usize];
        self.occupied = 0;
        self.unused = END;
        self.least_beyond = u64::MAX;
        self.widen(FIRST_WIDTH_LOG2);
        (self.number, self.len) = (0, 0);
    }

    #[inline]
    fn push(&mut self, key: Key) {
        self.len += 1;
        self.place(key);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Key> {
        if self.sorted.is_empty() && self.late.0.is_empty() && !self.advance() {
            return None;
        }
        self.len -= 1;
        match (self.sorted.last(), self.late.0.first()) {
            (Some(_), None) => self.sorted.pop(),
            (Some(&least), Some(&late)) if least < late => self.sorted.pop(),
            _ => self.late.pop(),
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        (self.sorted.capacity()
            + self.late.0.capacity()
            + self.beyond.capacity()
            + self.pool.capacity())
            * size_of::<Key>()
            + self.next.capacity() * size_of::<u32>()
    }
}

/// An unsorted list that is scanned for its least key: the open list of textbooks, for comparison.
///
/// `push` takes O(1), `pop` O(n). The order is that of [`BucketQueue`].
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

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Key>()
    }
}

/// First in, first out, for breadth-first search. Keys are stored but not compared. O(1) each.
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

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Key>()
    }
}
