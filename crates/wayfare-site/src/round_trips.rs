//! Where agents can go and come back from: moves such as falls lead one way.

/// The mark of a state that was not visited.
const UNSEEN: u32 = u32::MAX;

/// Returns the largest strongly connected component of `states`, which are in order, in order; the
/// first of several. Moves to other states do not count. Time and memory by states and moves.
///
/// Source: R. Tarjan, "Depth-first search and linear graph algorithms" (1972).
pub fn largest_round_trip(states: &[u32], moves: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let rank = |state: u32| states.binary_search(&state).ok();
    let count = states.len();
    // By rank: the time of the first visit, and the earliest time known to be reached from there.
    // A state of a finished component counts as reaching nothing.
    let (mut seen, mut low) = (vec![UNSEEN; count], vec![UNSEEN; count]);
    let mut is_done = vec![false; count];
    let (mut open, mut largest): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut path: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut clock = 0;
    for root in 0..count {
        let mut arrived = (seen[root] == UNSEEN).then_some(root);
        while arrived.is_some() || !path.is_empty() {
            if let Some(here) = arrived.take() {
                (seen[here], low[here]) = (clock, clock);
                clock += 1;
                open.push(here);
                path.push((here, moves(states[here])));
            }
            let Some((here, left)) = path.last_mut() else { break };
            let here = *here;
            if let Some(target) = left.pop() {
                match rank(target) {
                    Some(there) if seen[there] == UNSEEN => arrived = Some(there),
                    Some(there) if !is_done[there] => low[here] = low[here].min(seen[there]),
                    _ => {}
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[here]);
            }
            if low[here] == seen[here] {
                // Nothing seen before is reached: what is open from here on is a component.
                let first = open.iter().rposition(|member| *member == here).unwrap_or_default();
                let component = open.split_off(first);
                component.iter().for_each(|member| is_done[*member] = true);
                if component.len() > largest.len() {
                    largest = component;
                }
            }
        }
    }
    largest.sort_unstable();
    largest.into_iter().map(|rank| states[rank]).collect()
}
