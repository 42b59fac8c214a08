//! Meshes of grids, against the cells.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{AreaId, CarvedGround, Carving, MeshDraft, NavMesh, Prism};

use crate::mesh_fields::turn;

fn grids() -> impl Strategy<Value = Vec<String>> {
    (1_usize..14, 1_usize..14).prop_flat_map(|(width, height)| {
        let row = prop::collection::vec(prop::sample::select(vec!['.', '.', '.', '#']), width);
        prop::collection::vec(row.prop_map(String::from_iter), height)
    })
}

proptest! {
    #[test]
    fn rectangles_cover_the_free_cells_once(rows in grids()) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
        let mut owners = vec![None; grid.cells().count()];
        for polygon in mesh.polygons() {
            let outline: Vec<Vec3> = mesh.outline(polygon).collect();
            let low = outline.iter().fold(Vec3::INFINITY, |low, &corner| low.min(corner));
            let high = outline.iter().fold(Vec3::NEG_INFINITY, |high, &corner| high.max(corner));
            for (index, cell) in grid.cells().enumerate() {
                let centre = grid.centre(cell);
                if centre.x > low.x && centre.x < high.x && centre.z > low.z && centre.z < high.z {
                    prop_assert!(owners[index].replace(polygon).is_none(), "two rectangles");
                    prop_assert_eq!(mesh.area(polygon), AreaId(grid.terrain(cell).0));
                }
            }
        }
        // Rectangles meet where free cells do.
        let owner = |x: u32, y: u32| {
            let cell = grid.cell(x, y)?;
            grid.cells().position(|other| other == cell).and_then(|index| owners[index])
        };
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let is_free = grid.space().is_free(grid.cell(x, y).unwrap());
                let here = owner(x, y);
                prop_assert_eq!(here.is_some(), is_free);
                for there in [owner(x + 1, y), owner(x, y + 1)] {
                    if let (Some(here), Some(there)) = (here, there) {
                        let meets = mesh.neighbours(here).any(|neighbour| neighbour == Some(there));
                        prop_assert!(here == there || meets, "a seam at {x}, {y} is not joined");
                    }
                }
            }
        }
    }

    /// By the corners of rectangles, as by the edges of any polygon; on an edge counts.
    #[test]
    fn a_rectangle_contains_what_lies_within_its_edges(rows in grids(), is_carved: bool) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
        let prism = Prism::cuboid(Vec3::new(3.0, 0.0, 2.75), Vec3::new(0.75, 1.0, 0.625), 0.0).unwrap();
        let pillar = Carving { prism, ground: CarvedGround::Blocked };
        let mesh = if is_carved { mesh.carved(&[pillar]) } else { mesh };
        let at = |at: Vec3| [f64::from(at.x), f64::from(at.z)];
        for polygon in mesh.polygons() {
            let outline: Vec<Vec3> = mesh.outline(polygon).collect();
            let edges = || outline.iter().zip(outline.iter().cycle().skip(1));
            for number in 0..=4 * (grid.width() + 2) * (grid.height() + 2) {
                let (x, z) = (number % (2 * grid.width() + 4), number / (2 * grid.width() + 4));
                let point = Vec3::new(x as f32, 0.0, z as f32) * 0.5 - Vec3::new(1.0, 0.0, 1.0);
                let is_inside = edges().all(|(&a, &b)| turn(at(a), at(b), at(point)) >= 0.0);
                prop_assert_eq!(mesh.contains(polygon, point), is_inside, "{:?} {}", polygon, point);
            }
        }
    }
}

#[test]
fn a_frame_moves_and_scales_the_mesh() {
    let frame = wayfare_grid::grid::Frame { origin: Vec3::new(5.0, 2.0, -3.0), cell_size: 0.5 };
    let grid = Grid::from_rows(&["..", ".."]).unwrap().with_frame(frame).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let polygon = mesh.polygon(0).unwrap();
    assert_eq!((mesh.len(), mesh.plan_area(polygon)), (1, 1.0));
    assert_eq!(mesh.middle(polygon), Vec3::new(5.5, 2.0, -2.5));
}
