//! The order of the open list's lowest bucket.

/// Slices of up to this length are sorted by insertion.
const FEW: usize = 20;

/// Sorts in descending order, without memory.
///
/// Natively by the standard library. In WebAssembly that is compiled for size and sorts by a heap
/// (`docs/decisions/0041`), which took a third of the time of A*. There keys are parted around a
/// median of three (C. A. R. Hoare, *Quicksort*, 1962). Parts that shrink too slowly go to the
/// standard library, so that no keys take quadratic time. Equal keys are the same number, so the
/// result is the same.
pub fn sort_descending<K: Ord + Copy>(keys: &mut [K]) {
    if cfg!(target_family = "wasm") {
        by_parts(keys, 2 * keys.len().max(1).ilog2());
    } else {
        keys.sort_unstable_by(|a, b| b.cmp(a));
    }
}

/// Sorts in descending order by at most `depth` nested partitions.
pub fn by_parts<K: Ord + Copy>(mut keys: &mut [K], mut depth: u32) {
    while keys.len() > FEW {
        if depth == 0 {
            return keys.sort_unstable_by(|a, b| b.cmp(a));
        }
        depth -= 1;
        let middle = partition(keys);
        let (high, low) = keys.split_at_mut(middle);
        // The pivot, the first of `low`, is in its final position. The loop continues with the
        // longer part, so that calls nest at most log2 deep.
        let low = &mut low[1..];
        let (short, long) = if high.len() < low.len() { (high, low) } else { (low, high) };
        by_parts(short, depth);
        keys = long;
    }
    for end in 1..keys.len() {
        let key = keys[end];
        let mut at = end;
        while at > 0 && keys[at - 1] < key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
    }
}

/// Moves the median of the first, the middle and the last key to its final position, and returns
/// this: all keys before it are higher, none after it is. There are three keys or more.
fn partition<K: Ord + Copy>(keys: &mut [K]) -> usize {
    let (middle, last) = (keys.len() / 2, keys.len() - 1);
    for (high, low) in [(0, middle), (middle, last), (0, middle)] {
        if keys[high] < keys[low] {
            keys.swap(high, low);
        }
    }
    let pivot = keys[middle];
    // Before `at` are the higher ones.
    keys.swap(middle, last);
    let mut at = 0;
    for place in 0..last {
        let key = keys[place];
        keys.swap(place, at);
        at += usize::from(key > pivot);
    }
    keys.swap(at, last);
    at
}
