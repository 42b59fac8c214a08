//! The rows of sparse states.

use proptest::prelude::*;
use wayfare_core::inside::tested::landmarks::Rows;

proptest! {
    #[test]
    fn rows_count_up_through_the_states(states in prop::collection::btree_set(0u32..20_000, 0..300)) {
        let rows = Rows::new(20_000, states.iter().copied());
        let all: Vec<_> = (0..20_000).filter_map(|state| rows.get(state)).collect();
        prop_assert_eq!(all, (0..states.len()).collect::<Vec<_>>());
        prop_assert!((0..20_000).all(|state| rows.get(state).is_some() == states.contains(&state)));
    }
}
