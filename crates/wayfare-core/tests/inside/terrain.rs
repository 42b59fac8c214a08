//! Tables of costs that are refused.

use wayfare_core::space::{CostError, CostTable, STRAIGHT, TerrainCost, TerrainId};

#[test]
fn a_negative_penalty_is_named_or_shifted_but_never_silent() {
    let table = CostTable::new().with(TerrainId(4), TerrainCost::penalised(-0.5));
    let error = table.compile().unwrap_err();
    assert_eq!(error, CostError::Negative { terrain: 4, penalty: -0.5 });
    let costs = table.shifting_negative_costs().compile().unwrap();
    assert_eq!(costs.shift, 0.5);
    assert_eq!(costs.get(TerrainId(4)).unwrap().penalty, 0);
    assert_eq!(costs.get(TerrainId(0)).unwrap().penalty, STRAIGHT.div_ceil(2));
}

#[test]
fn a_number_that_is_none_is_an_error() {
    for cost in [
        TerrainCost::multiplied(f32::NAN),
        TerrainCost::penalised(f32::INFINITY),
        TerrainCost::multiplied(-1.0),
    ] {
        assert!(matches!(
            CostTable::new().with(TerrainId(1), cost).compile(),
            Err(CostError::OutOfRange { .. })
        ));
    }
}
