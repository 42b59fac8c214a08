//! An oracle that has nothing to do with the engine's searches.

use std::collections::BTreeMap;

use wayfare_core::space::{Cost, MoveRules, StateId};

/// The cost of the cheapest path from `start` to every state it reaches, by the Bellman-Ford
/// algorithm over all pairs of states that [`MoveRules`] joins. Knows neither heaps nor
/// `successors`.
pub(crate) fn oracle<S: MoveRules>(
    space: &S,
    states: &[S::State],
    start: S::State,
) -> BTreeMap<u32, u64> {
    let mut moves = Vec::new();
    for &from in states {
        for &to in states {
            if let Ok(cost) = space.check_move(from, to) {
                moves.push((from.index(), to.index(), cost.to_u64()));
            }
        }
    }
    let mut costs = BTreeMap::from([(start.index(), 0u64)]);
    loop {
        let mut changed = false;
        for &(from, to, cost) in &moves {
            let Some(reached) = costs.get(&from).map(|g| g + cost) else { continue };
            if costs.get(&to).is_none_or(|&known| reached < known) {
                costs.insert(to, reached);
                changed = true;
            }
        }
        if !changed {
            return costs;
        }
    }
}
