//! The largest component of states that are reached from each other.

use wayfare_site::inside::largest_round_trip;

/// Returns whether a target is reached from a state.
fn reaches(moves: &[Vec<u32>], from: u32, to: u32) -> bool {
    let (mut seen, mut open) = (vec![from], vec![from]);
    while let Some(state) = open.pop() {
        for &next in &moves[state as usize] {
            if !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    seen.contains(&to)
}

#[test]
fn components_are_those_of_reachability() {
    let mut number = 1u64;
    let mut random = |most: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (number >> 33) % most
    };
    for _ in 0..300 {
        let count = random(12) + 1;
        let mut moves = vec![Vec::new(); count as usize];
        for _ in 0..random(2 * count) {
            moves[random(count) as usize].push(random(count) as u32);
        }
        let states: Vec<u32> = (0..count as u32).collect();
        let component = |state: u32| {
            let both =
                |&other: &u32| reaches(&moves, state, other) && reaches(&moves, other, state);
            states.iter().copied().filter(both).collect::<Vec<u32>>()
        };
        let most = states.iter().map(|&state| component(state).len()).max().unwrap();
        let found = largest_round_trip(&states, |state| moves[state as usize].clone());
        assert_eq!(found.len(), most);
        assert_eq!(found, component(found[0]));
    }
    assert!(largest_round_trip(&[], |_| Vec::new()).is_empty());
}
