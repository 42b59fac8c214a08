//! The order in which accelerators follow an edit.

use wayfare_grid::inside::tested::accelerator::{Stage, order};

#[test]
fn each_stage_comes_after_those_it_reads() {
    use Stage::{Islands, Penalties, Rooms, Signs, Standing, Steps, TerrainMap};
    let order = order([
        (Rooms, &[Islands, Signs]),
        (Steps, &[Penalties]),
        (Islands, &[Standing]),
        (Penalties, &[]),
        (TerrainMap, &[Rooms]),
        (Standing, &[]),
        (Signs, &[Standing]),
    ]);
    assert_eq!(order, [Penalties, Steps, Standing, Islands, Signs, Rooms, TerrainMap]);
}

#[test]
#[should_panic(expected = "in a circle")]
fn a_circle_is_refused() {
    use Stage::{Islands, Penalties, Rooms, Signs, Standing, Steps, TerrainMap};
    let _ = order([
        (Standing, &[Rooms]),
        (Penalties, &[]),
        (Steps, &[]),
        (Islands, &[]),
        (Signs, &[]),
        (Rooms, &[Standing]),
        (TerrainMap, &[]),
    ]);
}
