//! The pieces against points and lines, on random holes.

use glam::{DVec2, dvec2};
use proptest::prelude::*;
use wayfare_mesh::inside::tested::join::{Joint, Loose, LooseCorner, NO_LINE, join};
use wayfare_mesh::inside::tested::pieces::{Carver, Cutting, Hole, Piece, Pieces};

const TOLERANCE: f64 = 1e-5;

/// How far inside a convex outline a point lies; negative outside.
fn depth(corners: &[DVec2], point: DVec2) -> f64 {
    let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    let depths = sides.map(|(a, b)| (b - a).perp().normalize().dot(point - a));
    depths.fold(f64::INFINITY, f64::min)
}

fn carve(polygon: &[DVec2], cuttings: &[Cutting<'_>], tolerance: f64) -> Pieces {
    Carver::default().carve(polygon, cuttings.iter().copied(), tolerance).clone()
}

fn doubled_area(pieces: &Pieces, piece: Piece) -> f64 {
    let corners = outline(pieces, piece);
    let ahead = corners.iter().skip(1).chain(&corners);
    let from_first = |at: &DVec2| *at - corners[0];
    corners.iter().zip(ahead).map(|(a, b)| from_first(a).perp_dot(from_first(b))).sum()
}

fn outline(pieces: &Pieces, piece: Piece) -> Vec<DVec2> {
    pieces.corners(piece).iter().map(|corner| corner.at).collect()
}

fn outlines(pieces: &Pieces) -> Vec<Vec<DVec2>> {
    pieces.list().iter().map(|&piece| outline(pieces, piece)).collect()
}

fn ring(middle: DVec2, radius: f64, corners: usize, turn: f64) -> Vec<DVec2> {
    let angle = |corner: usize| turn + std::f64::consts::TAU * corner as f64 / corners as f64;
    (0..corners).map(|corner| middle + radius * DVec2::from_angle(angle(corner))).collect()
}

fn rectangle(x: f64, y: f64, width: f64, length: f64) -> Vec<DVec2> {
    vec![dvec2(x, y), dvec2(x + width, y), dvec2(x + width, y + length), dvec2(x, y + length)]
}

/// Rings anywhere, and boxes on whole numbers, whose sides meet exactly.
fn holes() -> impl Strategy<Value = Vec<Vec<DVec2>>> {
    let rings = (0.0..10.0, 0.0..10.0, 0.05..3.0, 3_usize..9, 0.0..6.3)
        .prop_map(|(x, y, radius, corners, turn)| ring(dvec2(x, y), radius, corners, turn));
    let boxes = (0..10_u8, 0..10_u8, 1..4_u8, 1..4_u8)
        .prop_map(|(x, y, w, l)| rectangle(x.into(), y.into(), w.into(), l.into()));
    prop::collection::vec(prop_oneof![rings, boxes], 0..12)
}

fn dropped(hole: &Hole) -> Cutting<'_> {
    Cutting { hole, keeps: false }
}

/// The pieces of a polygon with that many sides, joined.
fn joined(pieces: &Pieces, sides: u32) -> Joint {
    let line = |line: u32| if line < sides { NO_LINE } else { line };
    let mut loose = Loose::default();
    for &piece in pieces.list() {
        let corners = pieces.corners(piece).iter();
        loose.push(corners.map(|c| LooseCorner { at: c.at, line: line(c.line) }));
    }
    join(loose, TOLERANCE)
}

/// The pieces on both sides of each joined edge.
fn neighbours(joint: &Joint) -> Vec<(u32, u32)> {
    let piece =
        |corner: u32| joint.polygons[joint.first.partition_point(|&begin| begin <= corner) - 1];
    let twins = (0..).zip(&joint.twins).filter(|(_, twin)| **twin != u32::MAX);
    twins.map(|(corner, &twin)| (piece(corner), piece(twin))).collect()
}

proptest! {
    #[test]
    fn pieces_cover_what_holes_leave(
        holes in holes(),
        sides in 3_usize..9,
        points in prop::collection::vec((0.0..10.0, 0.0..10.0), 100),
        lines in prop::collection::vec((0.0..10.0, 0.0..10.0, 0.0..10.0, 0.0..10.0), 20),
    ) {
        let base = ring(dvec2(5.0, 5.0), 5.0, sides, 0.3);
        let cut: Vec<Hole> = holes.iter().cloned().map(Hole::new).collect();
        let cut: Vec<Cutting<'_>> = cut.iter().map(dropped).collect();
        let pieces = carve(&base, &cut, TOLERANCE);
        let outlines = outlines(&pieces);
        for corners in &outlines {
            for i in 0..corners.len() {
                let [a, b, c] = [0, 1, 2].map(|step| corners[(i + step) % corners.len()]);
                prop_assert!((b - a).perp_dot(c - b) > -1e-9, "not convex: {corners:?}");
            }
        }
        let is_free = |point: DVec2, margin: f64| {
            depth(&base, point) > margin && holes.iter().all(|hole| depth(hole, point) < -margin)
        };
        for (x, y) in points {
            let point = dvec2(x, y);
            let covering = outlines.iter().filter(|piece| depth(piece, point) > 0.0).count();
            prop_assert!(covering <= 1, "{point} is covered {covering} times");
            if is_free(point, 1e-3) {
                let nearest = outlines.iter().map(|piece| depth(piece, point));
                prop_assert!(nearest.fold(f64::MIN, f64::max) > -1e-4, "{point} is missing");
            } else if !is_free(point, -1e-3) {
                prop_assert_eq!(covering, 0, "{} is in a hole", point);
            }
        }
        // A line over free ground leads from piece to piece.
        let mut islands: Vec<usize> = (0..outlines.len()).collect();
        let edges = neighbours(&joined(&pieces, sides as u32));
        for _ in 0..outlines.len() {
            for &(a, b) in &edges {
                let (a, b) = (a as usize, b as usize);
                islands[a] = islands[a].min(islands[b]);
            }
        }
        for (ax, ay, bx, by) in lines {
            let at = |step: u32| dvec2(ax, ay).lerp(dvec2(bx, by), f64::from(step) / 200.0);
            if (0..=200).all(|step| is_free(at(step), 0.08)) {
                let found = (0..=200).filter_map(|step| {
                    outlines.iter().position(|piece| depth(piece, at(step)) > 1e-6)
                });
                let mut on: Vec<usize> = found.map(|piece| islands[piece]).collect();
                on.dedup();
                prop_assert!(on.len() <= 1, "the line breaks");
            }
        }
    }
}

#[test]
fn a_hole_in_the_middle_leaves_four_pieces_around_it() {
    let hole = Hole::new(rectangle(4.0, 4.0, 2.0, 2.0));
    let pieces = carve(&rectangle(0.0, 0.0, 10.0, 10.0), &[dropped(&hole)], TOLERANCE);
    assert_eq!(pieces.list().len(), 4);
    assert_eq!(neighbours(&joined(&pieces, 4)).len(), 8);
    let areas = pieces.list().iter().map(|&piece| doubled_area(&pieces, piece) / 2.0);
    let area: f64 = areas.sum();
    assert!((area - 96.0).abs() < 1e-9);
}

#[test]
fn a_hole_beside_the_polygon_cuts_nothing() {
    for [x, y] in [[10.0, 0.0], [-3.0, 2.0], [10.0, 10.0], [4.0, -3.0], [20.0, 20.0]] {
        let hole = Hole::new(rectangle(x, y, 3.0, 3.0));
        let base = rectangle(0.0, 0.0, 10.0, 10.0);
        let pieces = carve(&base, &[dropped(&hole)], TOLERANCE);
        assert_eq!(outlines(&pieces), [base]);
    }
}

#[test]
fn a_kept_hole_is_a_piece_of_its_own_and_later_holes_take_from_it() {
    let base = rectangle(0.0, 0.0, 10.0, 10.0);
    let mud = Hole::new(rectangle(2.0, 2.0, 4.0, 4.0));
    let rock = Hole::new(rectangle(4.0, 0.0, 8.0, 10.0));
    let kept = Cutting { hole: &mud, keeps: true };
    let size = |pieces: &Pieces, within: Option<u32>| -> f64 {
        let parts = pieces.list().iter().filter(|piece| piece.within == within);
        parts.map(|&piece| doubled_area(pieces, piece) / 2.0).sum()
    };
    let pieces = carve(&base, &[kept], TOLERANCE);
    assert_eq!((size(&pieces, Some(0)), size(&pieces, None)), (16.0, 84.0));
    assert_eq!(neighbours(&joined(&pieces, 4)).len(), 16, "mud joins the ground around it");
    let pieces = carve(&base, &[kept, dropped(&rock)], TOLERANCE);
    assert_eq!((size(&pieces, Some(0)), size(&pieces, None)), (8.0, 32.0));
    let pieces = carve(&base, &[dropped(&rock), kept], TOLERANCE);
    assert_eq!((size(&pieces, Some(1)), size(&pieces, None)), (8.0, 32.0));
}
