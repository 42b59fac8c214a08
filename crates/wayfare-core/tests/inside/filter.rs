//! The filter of states with links.

use wayfare_core::inside::tested::filter::Filter;

#[test]
fn no_state_with_a_link_is_missed_and_few_others_are_suspected() {
    for count in [0, 1, 40, 3000] {
        let states: Vec<u32> = (0..count).map(|n| n * n * 7 + 13).collect();
        let filter = Filter::over(states.iter().copied());
        assert!(states.iter().all(|&state| filter.may_hold(state)));
        let suspects = (0..100_000).filter(|&state| filter.may_hold(state)).count();
        assert!(suspects <= 100_000 / 14, "{suspects} of 100000 with {count} links");
    }
}
