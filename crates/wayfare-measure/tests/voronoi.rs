//! Voronoi cells against values worked out by hand, and against what must hold in any room.

use glam::{DVec2, Vec3};
use proptest::prelude::*;
use wayfare_measure::{Convex, Cutoff, VoronoiCell, VoronoiCells, WalkableArea};

/// The ground of a map: `#` is wall, everything else a free cell of a side of `side` metres.
fn ground(rows: &[&str], side: f32) -> WalkableArea {
    let at = |x: usize, z: usize| Vec3::new(x as f32 * side, 0.0, z as f32 * side);
    let rows = rows.iter().enumerate();
    let cells = rows.flat_map(|(z, row)| row.bytes().enumerate().map(move |(x, b)| (x, z, b)));
    let free = cells.filter(|(_, _, byte)| *byte != b'#');
    let cells = free.map(|(x, z, _)| [at(x, z), at(x + 1, z), at(x + 1, z + 1), at(x, z + 1)]);
    WalkableArea::new(cells).expect("cells are ground")
}

fn room(width: f32, depth: f32) -> WalkableArea {
    let at = |x, z| Vec3::new(x, 0.0, z);
    let corners = [at(0.0, 0.0), at(width, 0.0), at(width, depth), at(0.0, depth)];
    WalkableArea::new([corners]).expect("a rectangle")
}

fn areas(ground: &WalkableArea, people: &[[f64; 2]]) -> Vec<f64> {
    let people: Vec<DVec2> = people.iter().copied().map(DVec2::from).collect();
    let cells = VoronoiCells::of(ground, None, &people);
    cells.iter().map(|cell| cell.map_or(0.0, VoronoiCell::area)).collect()
}

#[test]
fn a_lattice_has_the_density_of_its_spacing() {
    for (spacing, density) in [(0.5, 4.0), (1.0, 1.0), (0.8, 1.5625)] {
        let side = 10.0 * spacing;
        let hall = room(side as f32, side as f32);
        let place =
            |at: u32| DVec2::new(f64::from(at % 10) + 0.5, f64::from(at / 10) + 0.5) * spacing;
        let people: Vec<DVec2> = (0..100).map(place).collect();
        let cells = VoronoiCells::of(&hall, None, &people);
        for cell in cells.iter() {
            let own = cell.expect("all have a cell").density();
            assert!((own - density).abs() < 1e-4, "{own} at a spacing of {spacing}");
        }
        // Any area has it too, wherever its borders are.
        let part = Convex::rectangle(DVec2::splat(0.13) * side, DVec2::new(0.77, 0.41) * side);
        assert!((cells.density_in(&part, part.area()) - density).abs() < 1e-4);
    }
}

#[test]
fn who_is_alone_has_the_whole_room() {
    assert_eq!(areas(&room(7.0, 3.0), &[[1.0, 2.5]]), [21.0]);
    assert_eq!(areas(&ground(&["....", "....", "...."], 0.5), &[[0.1, 1.4]]), [3.0]);
}

#[test]
fn two_share_the_room_at_the_middle_between_them() {
    assert_eq!(areas(&room(8.0, 2.0), &[[1.0, 1.0], [4.0, 1.0]]), [5.0, 11.0]);
    // Across a corner: the diagonal of a square.
    assert_eq!(areas(&room(4.0, 4.0), &[[1.0, 3.0], [3.0, 1.0]]), [8.0, 8.0]);
}

#[test]
fn what_lies_behind_a_wall_is_no_part_of_a_cell() {
    // Two rooms of 3 by 3 m, a wall of 1 m between. Each has all of its own room.
    let rooms = ground(&["...#...", "...#...", "...#..."], 1.0);
    assert_eq!(areas(&rooms, &[[0.5, 1.5], [6.5, 1.5]]), [9.0, 9.0]);
    // Somebody near the wall is nearer to half a metre of the other room. That is none of its
    // ground, and none of the other one's.
    let near = areas(&rooms, &[[2.5, 1.5], [6.5, 1.5]]);
    assert_eq!(near, [9.0, 7.5]);
    // With a door at the lower end, the part beyond it hangs together with the rest.
    let open = ground(&["...#...", "...#...", "......."], 1.0);
    let through = areas(&open, &[[2.5, 1.5], [6.5, 1.5]]);
    assert_eq!(through, [9.0 + 1.0 + 0.5 * 3.0, 7.5]);
}

#[test]
fn a_wall_between_leaves_pockets_to_nobody() {
    // A person in a dead end of 1 m beside a corridor, with a wall of one cell between.
    let ground = ground(&[".#.....", ".#.....", ".######"], 1.0);
    assert_eq!(areas(&ground, &[[0.5, 0.5], [6.5, 0.5]]), [3.0, 3.5 * 2.0]);
}

#[test]
fn a_cutoff_bounds_cells() {
    let hall = room(20.0, 20.0);
    let at = DVec2::splat(10.0);
    let area = |sides_per_quarter| {
        let cutoff = Cutoff { radius: 2.0, sides_per_quarter };
        VoronoiCells::of(&hall, Some(cutoff), &[at]).get(0).map_or(0.0, VoronoiCell::area)
    };
    // A square on its tip, a twelve-sided polygon (3 r²), almost a circle.
    for (sides, expected) in [(1, 8.0), (3, 12.0), (500, 4.0 * std::f64::consts::PI)] {
        assert!((area(sides) - expected).abs() < 1e-3, "{sides}: {} for {expected}", area(sides));
    }
}

#[test]
fn people_at_one_place_share_a_cell() {
    let hall = room(4.0, 4.0);
    let people = [[1.0, 1.0], [3.0, 1.0], [1.0, 1.0]].map(DVec2::from);
    let cells = VoronoiCells::of(&hall, None, &people);
    let densities: Vec<f64> = cells.iter().flatten().map(VoronoiCell::density).collect();
    assert_eq!(densities, [0.25, 0.125, 0.25]);
    let all = Convex::rectangle(DVec2::ZERO, DVec2::splat(4.0));
    assert!((cells.density_in(&all, 16.0) - 3.0 / 16.0).abs() < 1e-12);
}

#[test]
fn who_is_not_on_the_ground_has_no_cell() {
    let hall = room(4.0, 4.0);
    let people = [[5.0, 1.0], [3.0, 1.0], [f64::NAN, 1.0]].map(DVec2::from);
    let cells = VoronoiCells::of(&hall, None, &people);
    let has: Vec<bool> = cells.iter().map(|cell| cell.is_some()).collect();
    assert_eq!(has, [false, true, false]);
}

#[test]
fn a_line_is_counted_once_where_pieces_and_cells_meet() {
    // The line lies on the common sides of cells of the grid, and on the border between the two.
    let hall = ground(&["....", "....", "##.."], 1.0);
    let people = [[1.0, 1.0], [3.0, 1.0]].map(DVec2::from);
    let cells = VoronoiCells::of(&hall, None, &people);
    let share = |from: [f64; 2], to: [f64; 2]| {
        cells.iter().flatten().map(|cell| cell.share_of_line(from.into(), to.into())).sum::<f64>()
    };
    for (from, to, length) in [
        // At the face of a wall the ground to the left of the line counts.
        ([2.0, 0.0], [2.0, 3.0], 2.0),
        ([2.0, 3.0], [2.0, 0.0], 3.0),
        ([1.0, 0.0], [1.0, 2.0], 2.0),
        ([0.0, 1.0], [4.0, 1.0], 4.0),
        ([-1.0, 0.5], [9.0, 0.5], 4.0),
    ] {
        assert!((share(from, to) - length).abs() < 1e-6, "{from:?}: {}", share(from, to));
        assert!((hall.length_within(from.into(), to.into()) - length).abs() < 1e-6);
    }
}

proptest! {
    /// In a convex room the cells cover all of it, whatever pieces it is in; every person is in its
    /// own cell; each point belongs to the nearest person.
    #[test]
    fn cells_cover_a_room(
        people in prop::collection::vec((0.0f64..6.0, 0.0f64..4.0), 1..60),
        probes in prop::collection::vec((0.0f64..6.0, 0.0f64..4.0), 20),
    ) {
        let people: Vec<DVec2> = people.into_iter().map(DVec2::from).collect();
        for hall in [room(6.0, 4.0), ground(&["............"; 8], 0.5)] {
            let cells = VoronoiCells::of(&hall, None, &people);
            let sum: f64 = cells.iter().flatten().map(VoronoiCell::area).sum();
            prop_assert!((sum - 24.0).abs() < 1e-9, "{sum}");
            let all = Convex::rectangle(DVec2::ZERO, DVec2::new(6.0, 4.0));
            let density = cells.density_in(&all, 24.0);
            prop_assert!((density - people.len() as f64 / 24.0).abs() < 1e-9);
            for probe in probes.iter().copied().map(DVec2::from) {
                let nearest = people.iter().map(|place| place.distance(probe)).fold(9.0, f64::min);
                for (place, cell) in people.iter().zip(cells.iter()) {
                    let is_in = cell.is_some_and(|cell| cell.parts().iter().any(|p| p.has(probe)));
                    let excess = place.distance(probe) - nearest;
                    prop_assert!(excess.abs() < 1e-9 || !is_in);
                    prop_assert!(is_in || excess > -1e-9 && excess != 0.0);
                }
            }
        }
    }

    /// On any ground no cell is larger than the ground, no two have ground in common, and the sum
    /// is at most all of it.
    #[test]
    fn cells_never_overlap(
        walls in prop::collection::vec(any::<bool>(), 36),
        people in prop::collection::vec((0.0f64..6.0, 0.0f64..6.0), 1..12),
        cutoff in prop::option::of(0.3f64..4.0),
    ) {
        let at = |x: usize, z: usize| Vec3::new(x as f32, 0.0, z as f32);
        let free = (0..36).filter(|cell| !walls[*cell]).map(|cell| (cell % 6, cell / 6));
        let cells = free.map(|(x, z)| [at(x, z), at(x + 1, z), at(x + 1, z + 1), at(x, z + 1)]);
        let ground = WalkableArea::new(cells).expect("cells are ground");
        let people: Vec<DVec2> = people.into_iter().map(DVec2::from).collect();
        let cells = VoronoiCells::of(&ground, cutoff.map(Cutoff::at), &people);
        let mut sum = 0.0;
        let all: Vec<_> = cells.iter().collect();
        for (number, cell) in all.iter().enumerate() {
            let place = people[number];
            let is_wall = walls[place.y as usize * 6 + place.x as usize];
            prop_assert!(is_wall || cell.is_some(), "{place} has no cell");
            let Some(cell) = cell else { continue };
            prop_assert!(cell.area() > 0.0);
            prop_assert!(cell.parts().iter().any(|part| part.has(place)) || is_wall);
            sum += cell.area();
            for other in all[number + 1..].iter().flatten() {
                let common: f64 = other.parts().iter().map(|part| cell.share_in(part)).sum();
                prop_assert!(common < 1e-9, "{common} m² twice");
            }
        }
        prop_assert!(sum <= ground.size() + 1e-9, "{sum} of {}", ground.size());
    }
}
