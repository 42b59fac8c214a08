//! The table of states, against a map.

use std::collections::BTreeMap;

use wayfare_puzzle::inside::tested::table::{Known, StateTable, mix};

#[test]
fn a_table_is_a_map_within_16_bytes_a_state() {
    let (mut table, mut map) = (StateTable::default(), BTreeMap::new());
    for number in 0..200_000u64 {
        // Every third key comes twice, the second time with a lower cost.
        let key = mix(number % 150_000) >> 20;
        let cost = (400_000 - number) as u32;
        let is_better = map.get(&key).is_none_or(|known| cost < *known);
        assert_eq!(table.improve(key, cost), is_better);
        if is_better {
            map.insert(key, cost);
        }
    }
    assert_eq!(table.count(), map.len() as u64);
    for (key, cost) in &map {
        assert_eq!(table.get(*key), Some(Known { cost: *cost, is_expanded: false }));
        assert_eq!(table.expand(*key), Some(*cost));
        assert_eq!(table.expand(*key), None);
        assert!(table.get(*key).is_some_and(|known| known.is_expanded));
    }
    assert_eq!(table.get(u64::MAX), None);
    let bytes = table.bytes() as f64 / map.len() as f64;
    assert!(bytes <= 16.0, "{bytes} bytes a state");
}
