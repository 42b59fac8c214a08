//! Meshes narrowed for wide bodies, against distances to the nearest wall.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::ops::{self, SinCos};
use wayfare_core::space::StateId;
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh, NavMeshError, PolygonId};

/// Cells of one metre, free or wall. Ground lies on a slope, so that heights are put to the test.
#[derive(Debug)]
struct Field {
    rows: Vec<Vec<bool>>,
}

const SLOPE: [f32; 2] = [0.25, -0.125];

fn height(x: f64, z: f64) -> f64 {
    x * f64::from(SLOPE[0]) + z * f64::from(SLOPE[1])
}

impl Field {
    fn is_free(&self, x: i32, z: i32) -> bool {
        let row = usize::try_from(z).ok().and_then(|z| self.rows.get(z));
        row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x))).copied() == Some(true)
    }

    fn mesh(&self) -> NavMesh {
        self.turned(|x, z| [x, z])
    }

    /// The mesh with its vertices moved in plan.
    fn turned(&self, place: impl Fn(f32, f32) -> [f32; 2]) -> NavMesh {
        let width = self.rows[0].len() as u32 + 1;
        let count = width * (self.rows.len() as u32 + 1);
        let vertices = (0..count).map(|vertex| {
            let (x, z) = ((vertex % width) as f32, (vertex / width) as f32);
            let [to_x, to_z] = place(x, z);
            Vec3::new(to_x, x * SLOPE[0] + z * SLOPE[1], to_z)
        });
        let mut draft = MeshDraft::new(vertices.collect());
        for (z, row) in (0..).zip(&self.rows) {
            for (x, _) in (0..).zip(row).filter(|(_, free)| **free) {
                let corner = z * width + x;
                let corners = [corner, corner + width, corner + width + 1, corner + 1];
                draft.push(&corners, AreaId((x % 3) as u8));
            }
        }
        NavMesh::new(draft).unwrap()
    }

    /// The distance from a free point to the nearest wall.
    fn distance(&self, x: f64, z: f64) -> f64 {
        let mut nearest = f64::INFINITY;
        for cell_z in -1..=self.rows.len() as i32 {
            for cell_x in -1..=self.rows[0].len() as i32 {
                if !self.is_free(cell_x, cell_z) {
                    let (low_x, low_z) = (f64::from(cell_x), f64::from(cell_z));
                    let (dx, dz) =
                        (x - x.clamp(low_x, low_x + 1.0), z - z.clamp(low_z, low_z + 1.0));
                    nearest = nearest.min((dx * dx + dz * dz).sqrt());
                }
            }
        }
        nearest
    }
}

/// How far inside a polygon a point lies, seen from above; negative outside.
fn depth(mesh: &NavMesh, polygon: PolygonId, x: f64, z: f64) -> f64 {
    let corners: Vec<Vec3> = mesh.outline(polygon).collect();
    let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    sides.fold(f64::INFINITY, |least, (a, b)| {
        let (ax, az, bx, bz) = (f64::from(a.x), f64::from(a.z), f64::from(b.x), f64::from(b.z));
        let (dx, dz) = (bx - ax, bz - az);
        least.min((dz * (x - ax) - dx * (z - az)) / (dx * dx + dz * dz).sqrt())
    })
}

fn at(mesh: &NavMesh, x: f64, z: f64) -> Option<PolygonId> {
    mesh.polygons().find(|&polygon| depth(mesh, polygon, x, z) >= -1e-6)
}

/// The island of each polygon: its lowest polygon.
fn islands(mesh: &NavMesh) -> Vec<usize> {
    let mut islands: Vec<usize> = vec![usize::MAX; mesh.len()];
    for root in mesh.polygons() {
        let mut stack = vec![root];
        while let Some(polygon) = stack.pop() {
            let island = &mut islands[polygon.index() as usize];
            if *island == usize::MAX {
                *island = root.index() as usize;
                stack.extend(mesh.neighbours(polygon).flatten());
            }
        }
    }
    islands
}

fn fields() -> impl Strategy<Value = Field> {
    (2_usize..9, 2_usize..9).prop_flat_map(|(width, length)| {
        let row = prop::collection::vec(prop::bool::weighted(0.8), width);
        prop::collection::vec(row, length).prop_map(|rows| Field { rows })
    })
}

proptest! {
    #[test]
    fn ground_is_left_where_walls_are_far(field in fields(), radius in 0.05_f32..1.8) {
        let mesh = field.mesh();
        let narrowed = mesh.narrowed(radius).unwrap();
        let radius = f64::from(radius);
        let islands = islands(&narrowed);
        let rows = field.rows.len() * 8;
        let place = |column: usize, row: usize| (column as f64 / 8.0 + 0.04, row as f64 / 8.0 + 0.07);
        let mut of_row: Vec<Option<usize>> = vec![None; field.rows[0].len() * 8];
        for row in 0..rows {
            let mut before = None;
            for (column, above) in of_row.iter_mut().enumerate() {
                let (x, z) = place(column, row);
                let distance = match field.is_free(x as i32, z as i32) {
                    true => field.distance(x, z),
                    false => 0.0,
                };
                let covering = narrowed.polygons().filter(|&p| depth(&narrowed, p, x, z) > 1e-4);
                prop_assert!(covering.count() <= 1, "polygons overlap at {x}, {z}");
                let found = at(&narrowed, x, z);
                if distance > radius * 1.0824 + 1e-3 {
                    prop_assert!(found.is_some(), "{x}, {z} is {distance} from walls");
                } else if distance < radius - 1e-3 {
                    prop_assert!(found.is_none(), "{x}, {z} is {distance} from walls");
                }
                if let Some(polygon) = found {
                    let base = at(&mesh, x, z).unwrap();
                    prop_assert_eq!(narrowed.area(polygon), mesh.area(base));
                    let island = islands[polygon.index() as usize];
                    // An eighth of a metre on, nothing can have come between if it is far.
                    if distance > radius * 1.0824 + 0.14 {
                        for other in [before, *above].into_iter().flatten() {
                            prop_assert_eq!(island, other, "cut off at {}, {}", x, z);
                        }
                    }
                }
                before = found.map(|polygon| islands[polygon.index() as usize]);
                *above = before;
            }
        }
        for vertex in narrowed.polygons().flat_map(|p| narrowed.outline(p).collect::<Vec<_>>()) {
            let (x, z) = (f64::from(vertex.x), f64::from(vertex.z));
            prop_assert!((f64::from(vertex.y) - height(x, z)).abs() < 1e-4);
        }
    }
}

/// The points of a lattice of 1/16 m, a row after the other, in groups: neighbours are joined where
/// both are farther from all walls than `clearance`.
fn groups(field: &Field, clearance: f64) -> (usize, Vec<Option<usize>>) {
    let (columns, rows) = (field.rows[0].len() * 16, field.rows.len() * 16);
    let is_far = |place: usize| {
        let (x, z) = lattice(place, columns);
        field.is_free(x as i32, z as i32) && field.distance(x, z) > clearance
    };
    let far: Vec<bool> = (0..columns * rows).map(is_far).collect();
    let mut groups: Vec<Option<usize>> = vec![None; far.len()];
    for first in 0..far.len() {
        let mut stack = vec![first];
        while let Some(place) = stack.pop() {
            if !far[place] || groups[place].is_some() {
                continue;
            }
            groups[place] = Some(first);
            let (column, row) = (place % columns, place / columns);
            stack.extend((column > 0).then(|| place - 1));
            stack.extend((column + 1 < columns).then_some(place + 1));
            stack.extend((row > 0).then(|| place - columns));
            stack.extend((row + 1 < rows).then_some(place + columns));
        }
    }
    (columns, groups)
}

fn lattice(place: usize, columns: usize) -> (f64, f64) {
    ((place % columns) as f64 / 16.0 + 0.03, (place / columns) as f64 / 16.0 + 0.035)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn passages_stay_open_where_arcs_are_coarse(
        field in fields(),
        radius in 0.3_f32..1.8,
        angle in 0.0_f32..6.3,
    ) {
        let SinCos { sin, cos } = ops::sin_cos(angle);
        let narrowed = field.turned(|x, z| [cos * x - sin * z, sin * x + cos * z]).narrowed(radius);
        let narrowed = narrowed.unwrap();
        let islands = islands(&narrowed);
        // Between two places of the lattice the distance falls by at most half of what lies
        // between.
        let clearance = f64::from(radius) * 1.0197 + 0.5 / 16.0 + 1e-3;
        let (columns, groups) = groups(&field, clearance);
        let (sin, cos) = (f64::from(sin), f64::from(cos));
        let mut of_group = std::collections::BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            let Some(group) = group else { continue };
            let (x, z) = lattice(place, columns);
            let Some(found) = at(&narrowed, cos * x - sin * z, sin * x + cos * z) else { continue };
            let island = islands[found.index() as usize];
            let known = *of_group.entry(*group).or_insert(island);
            prop_assert_eq!(island, known, "cut off at {}, {}", x, z);
        }
    }
}

fn size(mesh: &NavMesh) -> f64 {
    mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum()
}

proptest! {
    #[test]
    fn a_narrowed_mesh_can_be_read_again(
        field in fields(),
        radius in 0.05_f32..1.8,
        angle in 0.0_f32..6.3,
    ) {
        let SinCos { sin, cos } = ops::sin_cos(angle);
        let turned = field.turned(|x, z| [cos * x - sin * z + 70.0, sin * x + cos * z - 90.0]);
        let narrowed = turned.narrowed(radius).unwrap();
        let again = NavMesh::new(MeshDraft::of_mesh(&narrowed));
        let is_splinter = matches!(again, Err(NavMeshError::NoArea { .. }));
        prop_assert!(is_splinter || again.as_ref() == Ok(&narrowed), "{again:?}");
        // Turned, the ground is as large and as connected.
        let straight = field.mesh().narrowed(radius).unwrap();
        prop_assert!((size(&straight) - size(&narrowed)).abs() < 1e-2);
    }
}

#[test]
fn a_narrowed_mesh_has_few_polygons() {
    let is_pillar = |x: usize, z: usize| x % 8 == 4 && z % 8 == 4;
    let row = |z: usize| (0..32).map(|x| !is_pillar(x, z)).collect();
    let field = Field { rows: (0..32).map(row).collect() };
    let mesh = field.mesh();
    let narrowed = mesh.narrowed(0.5).unwrap();
    // Each of the 16 pillars has 8 corners, which need an edge each; there are 32 columns.
    assert!(narrowed.len() <= 192, "{} polygons", narrowed.len());
}

#[test]
fn a_ramp_keeps_its_foot() {
    let mut draft = MeshDraft::new(Vec::new());
    for x in [0.0, 4.0, 8.0, 12.0, 16.0] {
        let y = f32::max(0.0, x - 8.0) / 2.0;
        draft.vertices.extend([Vec3::new(x, y, 0.0), Vec3::new(x, y, 6.0)]);
    }
    for first in [0, 2, 4, 6] {
        draft.push(&[first, first + 1, first + 3, first + 2], AreaId::WALKABLE);
    }
    let narrowed = NavMesh::new(draft).unwrap().narrowed(0.5).unwrap();
    assert_eq!(narrowed.len(), 2);
    for polygon in narrowed.polygons() {
        for x in [1.0, 7.0, 7.9, 8.1, 12.0, 15.0_f32] {
            let at = Vec3::new(x, 0.0, 3.0);
            if narrowed.contains(polygon, at) {
                let height = f32::max(0.0, x - 8.0) / 2.0;
                assert!((narrowed.height_at(polygon, at) - height).abs() < 1e-4);
            }
        }
    }
}

/// A corridor of that width between two rooms, cut askew through the cells of the mesh.
fn corridor(width: f32) -> NavMesh {
    let points = [
        [0.0, 0.0],
        [0.0, 10.0],
        [10.0, 10.0],
        [10.0, 6.0],
        [10.0, 6.0 - width],
        [10.0, 0.0],
        [20.0, 6.0],
        [20.0, 6.0 - width],
        [20.0, 10.0],
        [30.0, 10.0],
        [30.0, 0.0],
        [20.0, 0.0],
    ];
    let turned =
        points.map(|[x, z]: [f32; 2]| Vec3::new(0.8 * x - 0.6 * z, 0.0, 0.6 * x + 0.8 * z));
    let mut draft = MeshDraft::new(turned.to_vec());
    draft.push(&[0, 1, 2, 3, 4, 5], AreaId::WALKABLE);
    draft.push(&[4, 3, 6, 7], AreaId::WALKABLE);
    draft.push(&[11, 7, 6, 8, 9, 10], AreaId::WALKABLE);
    NavMesh::new(draft).unwrap()
}

#[test]
fn a_passage_is_open_to_bodies_that_fit() {
    for radius in [0.2_f32, 0.5, 1.0, 2.0] {
        for (share, rooms) in [(0.9, 2), (0.99, 2), (1.05, 1), (1.4, 1)] {
            let narrowed = corridor(2.0 * radius * share).narrowed(radius).unwrap();
            let mut islands = islands(&narrowed);
            islands.sort_unstable();
            islands.dedup();
            assert_eq!(islands.len(), rooms, "a body of {radius} m, {share} of its width");
        }
    }
}

/// Two rooms that a gap between two corners joins: 5 m by 2 m from one to the other, askew to the
/// middles of their arcs.
fn askew(angle: f32) -> NavMesh {
    let is_wall =
        |x: usize, z: usize| x < 12 && (8..16).contains(&z) || x >= 17 && (18..26).contains(&z);
    let row = |z: usize| (0..30).map(|x| !is_wall(x, z)).collect();
    let SinCos { sin, cos } = ops::sin_cos(angle);
    Field { rows: (0..34).map(row).collect() }.turned(|x, z| [cos * x - sin * z, sin * x + cos * z])
}

#[test]
fn a_gap_between_corners_is_open_to_bodies_that_fit() {
    for turn in 0..16 {
        let mesh = askew(turn as f32 * 0.4);
        for (share, rooms) in [(0.98, 2), (1.03, 1), (1.07, 1), (1.12, 1)] {
            let radius = 29.0_f32.sqrt() / 2.0 / share;
            let narrowed = mesh.narrowed(radius).unwrap();
            let mut islands = islands(&narrowed);
            islands.sort_unstable();
            islands.dedup();
            assert_eq!(islands.len(), rooms, "a body of {radius} m, {share} of its width, {turn}");
        }
    }
}

#[test]
fn walls_of_one_floor_do_not_narrow_another() {
    let mut draft = MeshDraft::new(Vec::new());
    for (y, from, to) in [(0.0, 0.0, 10.0), (3.0, 4.0, 6.0), (6.0, 2.0, 7.0)] {
        let first = draft.vertices.len() as u32;
        let corners = [[from, from], [from, to], [to, to], [to, from]];
        draft.vertices.extend(corners.map(|[x, z]: [f32; 2]| Vec3::new(x, y, z)));
        draft.push(&[first, first + 1, first + 2, first + 3], AreaId::WALKABLE);
    }
    let narrowed = NavMesh::new(draft).unwrap().narrowed(0.5).unwrap();
    let sizes: Vec<f64> = narrowed.polygons().map(|polygon| narrowed.plan_area(polygon)).collect();
    assert_eq!(sizes.len(), 3);
    for (size, side) in sizes.iter().zip([9.0, 1.0, 4.0_f64]) {
        assert!((size - side * side).abs() < 1e-4);
    }
}

#[test]
fn a_radius_out_of_range_is_refused() {
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1001.0] {
        let message = corridor(1.0).narrowed(radius).unwrap_err().to_string();
        assert!(message.contains("0.001 to 1000 metres"), "{message}");
    }
}
