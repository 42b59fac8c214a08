//! Walkable areas: outlines that are exact, closed and do not touch themselves.

use glam::{DVec2, Vec3};
use proptest::prelude::*;
use wayfare_measure::{AreaError, NotConvex, WalkableArea};

fn cell(x: usize, z: usize) -> [Vec3; 4] {
    let at = |x: usize, z: usize| Vec3::new(x as f32, 0.0, z as f32);
    [at(x, z), at(x + 1, z), at(x + 1, z + 1), at(x, z + 1)]
}

fn ground(rows: &[&str]) -> WalkableArea {
    let rows = rows.iter().enumerate();
    let cells = rows.flat_map(|(z, row)| row.bytes().enumerate().map(move |(x, b)| (x, z, b)));
    let free = cells.filter(|(_, _, byte)| *byte != b'#').map(|(x, z, _)| cell(x, z));
    WalkableArea::new(free).expect("cells are ground")
}

/// Twice the area within a ring, negative if it turns the other way.
fn doubled(ring: &[DVec2]) -> f64 {
    (0..ring.len()).map(|at| ring[at].perp_dot(ring[(at + 1) % ring.len()])).sum()
}

#[test]
fn outlines_have_holes_and_no_needless_corners() {
    let wkt = |rows: &[&str]| ground(rows).wkt();
    assert_eq!(wkt(&["###"]), "POLYGON EMPTY");
    assert_eq!(wkt(&["....", "...."]), "POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))");
    assert_eq!(wkt(&["..", ".#"]), "POLYGON ((0 0, 2 0, 2 1, 1 1, 1 2, 0 2, 0 0))");
    let two = "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((2 0, 3 0, 3 1, 2 1, 2 0)))";
    assert_eq!(wkt(&[".#."]), two);
}

#[test]
fn where_cells_touch_at_a_corner_no_ring_touches_itself() {
    // Two cells that share a corner are two islands.
    assert_eq!(ground(&[".#", "#."]).outlines().len(), 2);
    // Two pillars that share a corner are two holes; a pillar at the border is one too.
    let pillars = ground(&["....", ".#..", "..#.", "...."]);
    assert_eq!(pillars.outlines().iter().map(|o| o.holes.len()).collect::<Vec<_>>(), [2]);
    let bay = ground(&["..#", ".#.", "..."]);
    assert_eq!((bay.outlines().len(), bay.outlines()[0].holes.len()), (1, 1));
}

#[test]
fn islands_are_found_by_who_is_on_them() {
    let ground = ground(&["..#..", "..#.."]);
    let around =
        |points: &[[f64; 2]]| ground.outlines_around(points.iter().copied().map(DVec2::from)).len();
    assert_eq!([around(&[]), around(&[[0.5, 0.5]]), around(&[[2.5, 0.5]])], [0, 1, 0]);
    assert_eq!(around(&[[0.5, 0.5], [1.5, 1.5], [4.5, 0.5]]), 2);
}

#[test]
fn polygons_of_a_mesh_are_merged_by_their_sides() {
    let at = |x, z| Vec3::new(x, 0.0, z);
    // A hexagon of two trapezia, one of them the other way around.
    let low = [at(0.0, 1.0), at(1.0, 0.0), at(2.0, 0.0), at(3.0, 1.0)];
    let high = [at(0.0, 1.0), at(1.0, 2.0), at(2.0, 2.0), at(3.0, 1.0)];
    let area = WalkableArea::new([low, high]).expect("two trapezia");
    assert_eq!((area.size(), area.outlines().len()), (4.0, 1));
    assert_eq!(area.wkt(), "POLYGON ((1 0, 2 0, 3 1, 2 2, 1 2, 0 1, 1 0))");
    // On another floor it is other ground.
    let upstairs = high.map(|corner| corner.with_y(3.0));
    assert_eq!(WalkableArea::new([low, upstairs]).expect("two floors").outlines().len(), 2);
}

#[test]
fn what_is_no_ground_is_refused() {
    let at = |x, z| Vec3::new(x, 0.0, z);
    let flat = AreaError::Piece { number: 1, fault: NotConvex::Flat };
    let line = vec![at(0.0, 0.0), at(1.0, 1.0), at(2.0, 2.0)];
    assert_eq!(WalkableArea::new([cell(0, 0).to_vec(), line]).err(), Some(flat));
    let twice = WalkableArea::new([cell(0, 0), cell(0, 0)]);
    assert_eq!(twice.err(), Some(AreaError::Overlap { number: 1 }));
}

proptest! {
    #[test]
    fn outlines_have_the_area_of_the_cells(walls in prop::collection::vec(any::<bool>(), 81)) {
        let free: Vec<(usize, usize)> =
            (0..81).filter(|at| !walls[*at]).map(|at| (at % 9, at / 9)).collect();
        let area = WalkableArea::new(free.iter().map(|(x, z)| cell(*x, *z))).expect("cells");
        prop_assert_eq!(area.size(), free.len() as f64);
        let mut sum = 0.0;
        for outline in area.outlines() {
            prop_assert!(doubled(&outline.border) > 0.0);
            prop_assert!(outline.holes.iter().all(|hole| doubled(hole) < 0.0));
            for ring in std::iter::once(&outline.border).chain(&outline.holes) {
                sum += doubled(ring);
                let mut corners: Vec<[u64; 2]> =
                    ring.iter().map(|corner| corner.to_array().map(f64::to_bits)).collect();
                corners.sort_unstable();
                corners.dedup();
                prop_assert_eq!(corners.len(), ring.len(), "a ring touches itself");
            }
        }
        prop_assert_eq!(sum, 2.0 * free.len() as f64);
    }
}
