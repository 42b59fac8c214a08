//! The names of algorithms.

use wayfare_core::search::AlgorithmId;

#[test]
fn names_are_found_however_they_are_spelt() {
    for &id in AlgorithmId::ALL {
        assert_eq!(id.info().name.parse(), Ok(id));
    }
    for name in [
        "Vector3Distance",
        "CostOfMovement",
        "InverseCostOfMovement",
        "HScore",
        "Manhattan",
        "A-Star",
    ] {
        assert!(name.parse::<AlgorithmId>().is_ok(), "{name}");
    }
    let unknown = "astr".parse::<AlgorithmId>().unwrap_err().to_string();
    assert!(unknown.contains("\"astr\"") && unknown.contains("dijkstra"), "{unknown}");
}
