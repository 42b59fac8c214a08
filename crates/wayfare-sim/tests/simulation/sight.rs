//! Lines of sight, rules of movement and taut lines on navigation meshes.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::path::{Path, Step};
use wayfare_core::space::{Action, CostTable, LineOfSight, MoveRules, Space};
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{
    AreaId, HeightReach, MeshDraft, MeshPoint, NavMesh, NavMeshSpace, PolygonId,
};
use wayfare_mesh::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_sim::agent::{AgentLimits, Hold, RailSpec, lay};

use crate::mesh_fields::{Flat, distance, fields, locate, places};

fn flat(point: Vec3) -> Flat {
    [f64::from(point.x), f64::from(point.z)]
}

fn at([x, z]: Flat) -> Vec3 {
    Vec3::new(x as f32, 0.0, z as f32)
}

fn length(line: &[Vec3]) -> f64 {
    line.windows(2).map(|leg| distance(flat(leg[0]), flat(leg[1]))).sum()
}

/// The corridor of a shortest path.
fn corridor(space: &NavMeshSpace<'_>, from: MeshPoint, to: MeshPoint) -> Option<Vec<PolygonId>> {
    let search = &mut Polyanya.search(MeshQuery::new(from, to));
    let answer = search.finish(space, &mut MeshScratch::new(), &mut ());
    Some(answer.outcome.path()?.corridor.clone())
}

/// The border edges of a mesh.
fn borders(mesh: &NavMesh) -> Vec<[Flat; 2]> {
    let mut borders = Vec::new();
    for polygon in mesh.polygons() {
        let outline: Vec<Flat> = mesh.outline(polygon).map(flat).collect();
        for (i, beyond) in mesh.neighbours(polygon).enumerate() {
            if beyond.is_none() {
                borders.push([outline[i], outline[(i + 1) % outline.len()]]);
            }
        }
    }
    borders
}

/// The distance of a segment from an edge that it does not cross, by many points of the segment.
fn gap([a, b]: [Flat; 2], [c, d]: [Flat; 2]) -> f64 {
    let along = [d[0] - c[0], d[1] - c[1]];
    let square = along[0].powi(2) + along[1].powi(2);
    let mut least = f64::INFINITY;
    for sample in 0..=200 {
        let t = f64::from(sample) / 200.0;
        let at = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
        let s = ((at[0] - c[0]) * along[0] + (at[1] - c[1]) * along[1]) / square;
        let s = s.clamp(0.0, 1.0);
        least = least.min(distance(at, [c[0] + along[0] * s, c[1] + along[1] * s]));
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn segments_are_clear_where_the_oracle_sees(field in fields(7), ends in prop::array::uniform6(places(7))) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let borders = borders(&mesh);
        for from in ends {
            for to in ends {
                let is_on = [from, to].into_iter().all(|end| locate(&space, end).is_some());
                // A hair beside the mesh counts as on it.
                let is_far = |end: Flat| space.nearest_point(at(end), 3e-3).is_none();
                if is_on || is_far(from) || is_far(to) {
                    let sees = is_on && field.sees(from, to);
                    let clear = space.segment_is_clear(at(from), at(to));
                    prop_assert!(clear || !sees, "{from:?} {to:?}");
                    let grazes = borders.iter().any(|&edge| gap([from, to], edge) < 0.06);
                    prop_assert!(!clear || sees || grazes, "{from:?} {to:?}");
                }
            }
        }
    }

    #[test]
    fn a_disc_is_swept_where_all_borders_are_as_far_away(
        field in fields(6),
        ends in prop::array::uniform4(places(6)),
        radius in 0.01_f64..0.6,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let borders = borders(&mesh);
        for from in ends {
            for to in ends {
                let is_on = [from, to].into_iter().all(|end| locate(&space, end).is_some());
                let room = borders.iter().map(|&edge| gap([from, to], edge)).fold(9.0, f64::min);
                // Samples of the segment are less than 0.05 apart.
                let is_unsure = (room - radius).abs() < 5e-3 || room < 0.06;
                if !is_unsure {
                    let clear = is_on && field.sees(from, to) && room > radius;
                    let swept = space.sweep_is_clear(at(from), at(to), radius as f32);
                    prop_assert_eq!(swept, clear, "{:?} {:?} {} {}", from, to, room, radius);
                }
            }
        }
    }

    /// Two statements of the rules: by the tables of edges, and by outlines.
    #[test]
    fn moves_are_the_same_by_both_statements(field in fields(5)) {
        let mesh = NavMesh::new(field.draft(true)).unwrap();
        let space = mesh.space();
        for from in mesh.polygons() {
            let mut moves = Vec::new();
            space.successors(from, |edge| moves.push((edge.target, edge.cost)));
            for to in mesh.polygons() {
                let known = moves.iter().find(|(target, _)| *target == to).map(|(_, cost)| *cost);
                prop_assert_eq!(space.check_move(from, to).ok(), known);
            }
        }
    }

    #[test]
    fn a_taut_line_is_as_short_as_any(field in fields(7), [from, to] in prop::array::uniform2(places(7))) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(start), Some(goal)) = (locate(&space, from), locate(&space, to)) else { return Ok(()) };
        let Some(corridor) = corridor(&space, start, goal) else { return Ok(()) };
        let line = space.taut(at(from), &corridor, Some(at(to)), 0.0).unwrap();
        prop_assert_eq!((flat(line[0]), flat(line[line.len() - 1])), (from, to));
        let shortest = field.shortest(from, to).unwrap();
        prop_assert!(length(&line) <= 1.0001 * shortest + 1e-6, "{} {shortest}", length(&line));
        for leg in line.windows(2) {
            prop_assert!(field.sees(flat(leg[0]), flat(leg[1])), "{:?}", leg);
        }
    }

    #[test]
    fn a_line_around_corners_is_clear_and_little_longer(
        field in fields(7),
        [from, to] in prop::array::uniform2(places(7)),
        radius in 0.05_f32..0.45,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(start), Some(goal)) = (locate(&space, from), locate(&space, to)) else { return Ok(()) };
        let Some(corridor) = corridor(&space, start, goal) else { return Ok(()) };
        let line = space.taut(at(from), &corridor, Some(at(to)), radius).unwrap();
        for leg in line.windows(2) {
            prop_assert!(space.segment_is_clear(leg[0], leg[1]), "{:?}", leg);
        }
        let shortest = field.shortest(from, to).unwrap();
        let most = 1.3 * shortest + 6.0 * f64::from(radius);
        prop_assert!(length(&line) < most, "{:?}", line);
        // The end is moved away from walls by no more than the radius.
        prop_assert!(distance(flat(line[line.len() - 1]), to) < 1.5 * f64::from(radius) + 0.01);
    }
}

#[test]
fn a_body_keeps_its_radius_from_corners_where_there_is_room() {
    let rows = [".........", ".........", "...##....", "...##....", ".........", "........."];
    let grid = Grid::from_rows(&rows).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let space = mesh.space();
    // Around one corner, around two of them, past one on a straight line, and to a wall.
    for (from, to) in [
        ([1.0, 3.0], [4.1, 5.1]),
        ([2.2, 3.0], [6.0, 3.1]),
        ([1.0, 1.9], [8.0, 1.9]),
        ([8.0, 5.0], [2.9, 3.0]),
    ] {
        for radius in [0.1_f32, 0.3, 0.5] {
            let ends = [from, to].map(|end| locate(&space, end).unwrap());
            let corridor = corridor(&space, ends[0], ends[1]).unwrap();
            let line = space.taut(at(from), &corridor, Some(at(to)), radius).unwrap();
            for leg in line.windows(2) {
                let is_swept = space.sweep_is_clear(leg[0], leg[1], radius);
                assert!(is_swept, "{from:?} to {to:?}, radius {radius}: {line:?}");
            }
        }
    }
}

/// Rooms with a flight of stairs, a ramp, and a crooked slope between them, of that rise.
fn stairs(rise: f32) -> NavMesh {
    let mut draft = MeshDraft::new(Vec::new());
    let mut quad = |corners: [[f32; 3]; 4]| {
        let first = draft.vertices.len() as u32;
        draft.vertices.extend(corners.map(Vec3::from));
        draft.push(&[first, first + 1, first + 2, first + 3], AreaId::WALKABLE);
    };
    let mut row = |(x0, y0): (f32, f32), (x1, y1): (f32, f32), skew: f32| {
        quad([[x0, y0, 0.0], [x0, y0 + skew, 4.0], [x1, y1, 4.0], [x1, y1, 0.0]]);
    };
    row((0.0, 0.0), (4.0, 0.0), 0.0);
    // Steps as a baker sees them: a slope for each rise, and a level tread.
    for step in 0..6 {
        let (x, y) = (4.0 + step as f32 * 0.5, step as f32 * rise / 6.0);
        row((x, y), (x + 0.25, y + rise / 6.0), 0.0);
        row((x + 0.25, y + rise / 6.0), (x + 0.5, y + rise / 6.0), 0.0);
    }
    row((7.0, rise), (9.0, rise), 0.0);
    row((9.0, rise), (15.0, 0.0), 0.0);
    row((15.0, 0.0), (19.0, 0.0), 0.0);
    NavMesh::new(draft).unwrap()
}

#[test]
fn legs_follow_the_ground_over_stairs_and_ramps() {
    for rise in [0.3, 1.2, 2.4] {
        let mesh = stairs(rise);
        let space = mesh.space();
        let ends = [Vec3::new(0.5, 0.0, 0.5), Vec3::new(18.5, 0.0, 3.5)];
        for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let [start, goal] =
                [from, to].map(|end| space.locate(end, HeightReach::default()).unwrap());
            let states = corridor(&space, start, goal).unwrap();
            let step = |&state| Step { state, action: Action::Walk, cost: 0_u64 };
            let path = Path { steps: states.iter().map(step).collect(), ..Path::default() };
            let mut legs = Vec::new();
            let limits = AgentLimits::default();
            lay(&space, &path, &RailSpec::new(from, &limits).goal(Some(to)), &mut legs).unwrap();
            let (mut here, mut worst) = (from, 0.0_f32);
            for leg in &legs {
                assert_eq!((leg.hold, leg.room), (Hold::Clear, limits.radius));
                for sample in 0..=20 {
                    let place = here.lerp(leg.to, sample as f32 / 20.0);
                    let reach = HeightReach { below: 0.5, above: 0.5 };
                    let ground = space.locate(place, reach).unwrap().place;
                    worst = worst.max((place.y - ground.y).abs());
                }
                here = leg.to;
            }
            assert_eq!(here, to);
            assert!(worst < 0.025, "rise {rise}: {worst}");
        }
    }
}

#[test]
fn floors_above_each_other_are_told_apart() {
    let mut draft = MeshDraft::new(Vec::new());
    for y in [0.0, 2.5] {
        let first = draft.vertices.len() as u32;
        let corners = [[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]];
        draft.vertices.extend(corners.map(|[x, z]| Vec3::new(x, y, z)));
        draft.push(&[first, first + 1, first + 2, first + 3], AreaId::WALKABLE);
    }
    let mesh = NavMesh::new(draft).unwrap();
    let space = mesh.space();
    let [low, high] = [0.0, 2.5].map(|y| Vec3::new(1.0, y, 1.0));
    let aside = Vec3::new(2.0, 0.0, 1.0);
    assert!(space.segment_is_clear(low, low + aside) && space.segment_is_clear(high, high + aside));
    assert!(!space.segment_is_clear(low, high) && !space.segment_is_clear(low, high + aside));
    assert!(space.sweep_is_clear(high, high + aside, 0.9));
    assert!(!space.sweep_is_clear(high, high + aside, 1.1));
}
