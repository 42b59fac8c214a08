//! Paths on meshes after edits, and what they cost over several areas.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, LiveMesh, MeshProfile, NavMesh, Prism,
};
use wayfare_mesh::search::{
    Corridor, MeshQuery, MeshScratch, MeshSearch, Polyanya, WeighedPath, weighed_path,
};
use wayfare_mesh::validate_mesh_path;

use crate::mesh_fields::{Field, Flat, fields, locate, places};

/// The multiplier of the areas where obstacles would be.
const MUD: f64 = 3.0;

/// What a path costs that goes from one to another of the points that are half a metre apart, over
/// a field of whole cells: no less than a cheapest path.
fn cost_on_lattice(field: &Field, start: Flat, goal: Flat) -> f64 {
    let side = 2 * field.side as i32;
    let of = |at: Flat| ((at[0] * 2.0).round() as i32, (at[1] * 2.0).round() as i32);
    let multiplier = |x: f64, z: f64| {
        let last = field.side - 1;
        let cell = |at: f64| (at.max(0.0) as usize).min(last);
        if field.blocked[cell(z) * field.side + cell(x)] { MUD } else { 1.0 }
    };
    let mut costs = vec![f64::INFINITY; ((side + 1) * (side + 1)) as usize];
    let index = |(x, z): (i32, i32)| (z * (side + 1) + x) as usize;
    let mut heap = BinaryHeap::from([(Reverse(0.0_f64.to_bits()), of(start))]);
    costs[index(of(start))] = 0.0;
    while let Some((Reverse(bits), at)) = heap.pop() {
        let cost = f64::from_bits(bits);
        if at == of(goal) {
            return cost;
        }
        for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let next = (at.0 + dx, at.1 + dz);
            if !(0..=side).contains(&next.0) || !(0..=side).contains(&next.1) {
                continue;
            }
            // On a border the cheaper side counts.
            let middle = [f64::from(at.0 + next.0) / 4.0, f64::from(at.1 + next.1) / 4.0];
            let around = [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)];
            let least = around.map(|(x, z)| multiplier(middle[0] + x, middle[1] + z));
            let length = 0.5 * f64::from(dx * dx + dz * dz).sqrt();
            let sum = cost + length * least.into_iter().fold(f64::INFINITY, f64::min);
            if sum < costs[index(next)] {
                costs[index(next)] = sum;
                heap.push((Reverse(sum.to_bits()), next));
            }
        }
    }
    f64::INFINITY
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_weighed_path_keeps_its_bound(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
    ) {
        let mut mesh = NavMesh::new(field.draft(true)).unwrap();
        let mud = AreaCosts::new().with(AreaId(1), MUD as f32).unwrap();
        let slow = mesh.add_profile(MeshProfile { areas: mud }).unwrap();
        let space = mesh.space_of(slow);
        let half = |[x, z]: Flat| [(x * 2.0).round() / 2.0, (z * 2.0).round() / 2.0];
        let (start, goal) = (half(start), half(goal));
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let mut scratch = MeshScratch::new();
        let found = weighed_path(&space, query, &mut scratch);
        prop_assert!(found.is_ok());
        let WeighedPath { path, lower_bound, .. } = found.clone().unwrap();
        let slack = 1e-6 * (1.0 + path.cost);
        prop_assert_eq!(validate_mesh_path(&space, &path, from, to), Ok(()));
        prop_assert!(lower_bound <= path.cost + slack);
        prop_assert!(found.unwrap().excess() <= MUD + slack);
        let corridor = Corridor.search(query).finish(&space, &mut scratch, &mut ());
        prop_assert!(path.cost <= corridor.outcome.path().unwrap().cost + slack);
        let shortest = Polyanya.search(query).finish(&space, &mut scratch, &mut ());
        prop_assert!(path.length >= shortest.outcome.path().unwrap().length - slack);
        if field.is_square {
            let oracle = cost_on_lattice(&field, start, goal);
            prop_assert!(lower_bound <= oracle + slack, "{lower_bound} {oracle}");
            prop_assert!(path.cost <= MUD * oracle + slack, "{} {oracle}", path.cost);
        }
    }

    #[test]
    fn a_path_is_stale_if_and_only_if_it_was_blocked(
        field in fields(7),
        [start, goal, hole] in prop::array::uniform3(places(7)),
        radius in 0.05_f32..0.8,
    ) {
        let mut live = LiveMesh::new(NavMesh::new(field.draft(false)).unwrap());
        let space = live.mesh().space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let answer = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
        let Some(path) = answer.outcome.path() else { return Ok(()) };
        prop_assert!(!path.is_stale(&space));
        let foot = Vec3::new(hole[0] as f32, -0.5, hole[1] as f32);
        let prism = Prism::cylinder(foot, radius, 1.0).unwrap();
        let id = live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
        let touches = |polygon| live.affected().binary_search(polygon).is_ok();
        let is_touched = path.corridor.iter().any(touches);
        let legs = path.points.windows(2).map(|leg| {
            let (a, b) = (leg[0].place.as_dvec3(), leg[1].place.as_dvec3());
            let middle = foot.as_dvec3().with_y(a.y);
            let along = b - a;
            let share = ((middle - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (a + along * if share.is_nan() { 0.0 } else { share }).distance(middle)
        });
        let nearest = legs.fold(f64::INFINITY, f64::min);
        let is_stale = path.is_stale(&live.mesh().space());
        if nearest < f64::from(radius) * 0.9 {
            prop_assert!(is_stale);
        }
        if !is_touched {
            prop_assert!(!is_stale);
        }
        live.remove(id).unwrap();
        // Polygons of the base have their numbers back.
        prop_assert!(!path.is_stale(&live.mesh().space()));
    }
}
