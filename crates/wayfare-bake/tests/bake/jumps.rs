//! Leaps, drops and climbs: small levels whose links are known, and random ones whose links are
//! checked against the boxes that the level is made of.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_bake::{Bake, BakeError, BakeSettings, JumpAbilities, JumpLink, WalkerShape};
use wayfare_core::link::LinkKind;
use wayfare_mesh::navmesh::{HeightReach, NavMesh};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};

use crate::boxes;

const RADIUS: f32 = 0.4;
const HEIGHT: f32 = 1.8;
const STEP: f32 = 0.5;

type Solid = [[f32; 3]; 2];

fn settings() -> BakeSettings {
    let walker = WalkerShape { radius: RADIUS, height: HEIGHT, step: STEP, slope: 45.0 };
    BakeSettings { cell_size: 0.2, cell_height: 0.1, min_island: 0, ..BakeSettings::new(walker) }
}

const ABLE: JumpAbilities =
    JumpAbilities { leap: 4.0, drop: 3.0, climb: 1.5, spacing: 2.0, detour: 3.0 };

fn found(
    solids: &[Solid],
    abilities: JumpAbilities,
    settings: BakeSettings,
) -> (NavMesh, Vec<JumpLink>) {
    let level = boxes(solids);
    let bake = Bake::new(&level, settings).unwrap();
    let mesh = bake.run().unwrap().polygons.nav_mesh().unwrap();
    let links = bake.jumps(&mesh, &abilities).unwrap();
    (mesh, links)
}

fn count(links: &[JumpLink], kind: LinkKind) -> usize {
    links.iter().filter(|link| link.kind == kind).count()
}

/// Two floors with a gap between them, over nothing.
fn gap(width: f32) -> [Solid; 2] {
    [[[0.0, -1.0, 0.0], [6.0, 0.0, 6.0]], [[6.0 + width, -1.0, 0.0], [14.0, 0.0, 6.0]]]
}

#[test]
fn a_gap_is_leapt_over_where_the_leap_is_long_enough() {
    for width in [0.6_f32, 1.4, 2.0, 2.6, 3.4] {
        let (mesh, links) = found(&gap(width), ABLE, settings());
        // The distance of the two parts of the mesh.
        let xs = mesh.vertices().iter().map(|at| at.x);
        let left = xs.clone().filter(|x| *x < 6.0).fold(f32::MIN, f32::max);
        let right = xs.filter(|x| *x > 6.0).fold(f32::MAX, f32::min);
        let leaps = count(&links, LinkKind::Jump);
        // Rays go cell by cell from up to a tenth of a cell behind the border.
        let apart = right - left;
        assert!((width..width + 1.7).contains(&apart), "{width}: {apart}");
        assert_eq!(leaps > 0, apart + 0.22 <= ABLE.leap, "{width} m: {apart}");
        assert_eq!(leaps, links.len());
        assert!(links.iter().all(|link| link.two_way && link.seconds > 0.2));
        // 4 m of border, a link every two.
        assert!(leaps == 0 || (2..=4).contains(&leaps), "{links:?}");
    }
}

#[test]
fn bodies_that_only_walk_find_nothing() {
    let (_, links) = found(&gap(1.0), JumpAbilities::default(), settings());
    assert_eq!(links, []);
    let (_, links) = found(&gap(1.0), JumpAbilities { leap: 0.0, ..ABLE }, settings());
    assert_eq!(links, []);
}

/// Ground with a terrace of some height.
fn terrace(height: f32) -> Vec<Solid> {
    vec![[[0.0, -1.0, 0.0], [16.0, 0.0, 6.0]], [[0.0, -0.5, 0.0], [6.0, height, 6.0]]]
}

#[test]
fn a_ledge_is_climbed_and_dropped_off_by_height() {
    for (height, drops, climbs) in
        [(0.4, false, false), (1.0, true, true), (2.0, true, false), (3.6, false, false)]
    {
        let (_, links) = found(&terrace(height), ABLE, settings());
        assert_eq!(count(&links, LinkKind::Drop) > 0, drops, "{height} m: {links:?}");
        assert_eq!(count(&links, LinkKind::Climb) > 0, climbs, "{height} m: {links:?}");
        assert_eq!(count(&links, LinkKind::Jump), 0, "{height} m: {links:?}");
        for link in &links {
            let up = link.to.y - link.from.y;
            assert_eq!(up > 0.0, link.kind == LinkKind::Climb);
            assert!(!link.two_way);
        }
    }
}

#[test]
fn stairs_beside_a_ledge_make_links_needless() {
    let mut solids = terrace(1.0);
    // Three steps along the whole ledge but its last metre.
    for step in 0..3 {
        let (x, top) = (6.0 + step as f32, 0.75 - 0.25 * step as f32);
        solids.push([[x, -0.5, 0.0], [x + 1.0, top, 6.0]]);
    }
    let (_, links) = found(&solids, ABLE, settings());
    assert_eq!(links, []);
}

#[test]
fn railings_and_low_beams_are_in_the_way() {
    let mut solids = terrace(2.0);
    assert!(count(&found(&solids, ABLE, settings()).1, LinkKind::Drop) > 0);
    solids.push([[5.6, 1.9, 0.0], [5.8, 3.0, 6.0]]);
    assert_eq!(found(&solids, ABLE, settings()).1, [], "a railing");

    let mut solids = gap(2.0).to_vec();
    assert!(!found(&solids, ABLE, settings()).1.is_empty());
    // The feet rise by 0.4 m: 1.8 m of body need 2.2 m.
    solids.push([[6.5, 2.0, 0.0], [7.5, 2.2, 6.0]]);
    assert_eq!(found(&solids, ABLE, settings()).1, [], "a beam");
    solids.pop();
    solids.push([[6.5, 2.8, 0.0], [7.5, 3.0, 6.0]]);
    assert!(!found(&solids, ABLE, settings()).1.is_empty(), "a beam higher up");
}

#[test]
fn a_low_bank_is_leapt_down_to() {
    let mut solids = gap(2.0).to_vec();
    solids[1][1][1] = -1.0;
    solids[1][0][1] = -2.0;
    let (_, links) = found(&solids, ABLE, settings());
    assert!(!links.is_empty());
    assert!(links.iter().all(|link| link.kind == LinkKind::Jump && !link.two_way));
    assert!(links.iter().all(|link| link.to.y < link.from.y - 0.9));
}

#[test]
fn abilities_are_checked_and_bakes_are_cancelled() {
    let level = boxes(&gap(1.0));
    let bake = Bake::new(&level, settings()).unwrap();
    let mesh = bake.run().unwrap().polygons.nav_mesh().unwrap();
    for wrong in [
        JumpAbilities { leap: f32::NAN, ..ABLE },
        JumpAbilities { drop: -1.0, ..ABLE },
        JumpAbilities { climb: 1e9, ..ABLE },
        JumpAbilities { spacing: 0.0, ..ABLE },
    ] {
        assert!(matches!(bake.jumps(&mesh, &wrong), Err(BakeError::Setting { .. })));
    }
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let bake = Bake::new(&level, settings()).unwrap().cancelled_by(&cancel);
    assert!(matches!(bake.jumps(&mesh, &ABLE), Err(BakeError::Cancelled { .. })));
}

/// The places on the ground that a bake may have taken for an end of a link: polygons lie up to a
/// step above or below the ground, and a bake takes the ground of the whole cell. So it is the top
/// of the solids at the very place, or the highest of those within a cell of it.
fn on_ground(solids: &[Solid], at: Vec3) -> Vec<Vec3> {
    // Of tops less than a body apart the highest has room above it.
    let highest_within = |reach: f32| {
        let holds = |[low, high]: &&Solid| {
            let is_over =
                |axis: usize, at: f32| (low[axis] - reach..=high[axis] + reach).contains(&at);
            is_over(0, at.x) && is_over(2, at.z) && (high[1] - at.y).abs() < STEP + 0.3
        };
        solids.iter().filter(holds).map(|solid| solid[1][1]).reduce(f32::max)
    };
    let mut tops: Vec<f32> = [0.0, 0.2].into_iter().filter_map(highest_within).collect();
    tops.dedup();
    if tops.is_empty() {
        return vec![at];
    }
    tops.into_iter().map(|top| at.with_y(top)).collect()
}

/// The first solid that the body meets along the arc of a link, if it meets one from whatever
/// ground the bake may have taken.
fn obstacle(solids: &[Solid], link: &JumpLink) -> Option<(Solid, Vec3)> {
    let (from, to) = match link.kind {
        LinkKind::Climb => (link.to, link.from),
        _ => (link.from, link.to),
    };
    let to = on_ground(solids, to);
    let arcs = on_ground(solids, from);
    let mut arcs = arcs.iter().flat_map(|from| to.iter().map(|to| (*from, *to)));
    let first = arcs.next().and_then(|(from, to)| obstacle_between(solids, link.kind, from, to))?;
    arcs.all(|(from, to)| obstacle_between(solids, link.kind, from, to).is_some()).then_some(first)
}

/// The first solid that the body meets between two places on the ground, each solid a little
/// smaller than it is. The bake counts ground in cells, up to one higher than it is.
fn obstacle_between(
    solids: &[Solid],
    kind: LinkKind,
    from: Vec3,
    to: Vec3,
) -> Option<(Solid, Vec3)> {
    let plan = |at: Vec3| Vec2::new(at.x, at.z);
    let length = plan(from).distance(plan(to));
    let mut stations = Vec::new();
    for part in 0..=400 {
        let share = part as f32 / 400.0;
        let over = from.lerp(to, share);
        if kind == LinkKind::Jump {
            let height = length / 8.0 + (to.y - from.y).abs() / 2.0;
            let feet = over.y + 4.0 * height * share * (1.0 - share);
            let is_near = length * share.min(1.0 - share) <= RADIUS + 0.4;
            stations.push((over.with_y(feet), if is_near { STEP } else { 0.1 }));
        } else {
            stations.push((over.with_y(from.y), STEP));
            stations.push((to.with_y(over.y), STEP));
        }
    }
    stations.into_iter().find_map(|(feet, slack)| {
        let hit = |solid: &&Solid| {
            let [low, high] = solid.map(Vec3::from_array);
            let nearest = plan(feet).clamp(plan(low), plan(high));
            // Solids are surfaces to a bake: within a large one there is room.
            let to_sides = (plan(feet) - plan(low)).min(plan(high) - plan(feet)).min_element();
            let is_inside = to_sides > RADIUS - 0.02
                && low.y < feet.y + slack + 0.11
                && high.y > feet.y + HEIGHT - 0.11;
            !is_inside
                && nearest.distance(plan(feet)) < RADIUS - 0.02
                && high.y > feet.y + slack + 0.11
                && low.y < feet.y + HEIGHT - 0.01
        };
        solids.iter().find(hit).map(|solid| (*solid, feet))
    })
}

/// The first thing that is wrong with a link.
fn fault(mesh: &NavMesh, solids: &[Solid], link: &JumpLink) -> Option<String> {
    let end = |at: Vec3| mesh.locate(at, HeightReach { below: 0.02, above: 0.02 });
    let (Some(from), Some(to)) = (end(link.from), end(link.to)) else {
        return Some("an end lies off the mesh".to_owned());
    };
    let apart = link.to - link.from;
    let (length, up) = (apart.with_y(0.0).length(), apart.y);
    let edge = 2.0 * RADIUS + 6.0 * 0.2 + 0.01;
    let is_able = match link.kind {
        LinkKind::Jump => {
            let lowest = if link.two_way { -STEP } else { -ABLE.drop };
            length <= ABLE.leap + 0.01 && (lowest - 0.01..=STEP + 0.01).contains(&up)
        }
        LinkKind::Drop => length <= edge && (STEP..=ABLE.drop + 0.01).contains(&-up),
        LinkKind::Climb => length <= edge && (STEP..=ABLE.climb + 0.01).contains(&up),
        _ => false,
    };
    if !is_able {
        return Some("it is beyond the abilities".to_owned());
    }
    if let Some((solid, feet)) = obstacle(solids, link) {
        return Some(format!("at {feet} the body is in {solid:?}"));
    }
    let most = f64::from((length + up.abs()) * ABLE.detour) * 0.999;
    let answer = Polyanya.search(MeshQuery::new(from, to)).finish(
        &mesh.space(),
        &mut MeshScratch::new(),
        &mut (),
    );
    match answer.outcome {
        MeshOutcome::Found(path) if path.length <= most => {
            Some(format!("one walks there in {} m", path.length))
        }
        _ => None,
    }
}

fn any_solid() -> impl Strategy<Value = Solid> {
    let corner = (0..60_i32, -5..40_i32, 0..60_i32);
    (corner, 2..25_i32, 1..25_i32, 2..25_i32).prop_map(|((x, y, z), width, height, depth)| {
        let low = [x, y, z].map(|at| at as f32 * 0.2);
        let size = [width, height, depth].map(|at| at as f32 * 0.2);
        [low, [low[0] + size[0], low[1] + size[1], low[2] + size[2]]]
    })
}

/// A case that was once found: a leap begins between two grounds 0.2 m apart, and from the higher
/// one the head would meet the block above.
#[test]
fn a_leap_from_the_lower_of_two_grounds_passes_below_a_block() {
    // In fifths of a metre.
    let solids = [
        [[18, 35, 8], [21, 36, 17]],
        [[16, 10, 20], [23, 22, 27]],
        [[26, 21, 0], [28, 22, 5]],
        [[23, 11, 21], [32, 23, 28]],
        [[21, 4, 0], [27, 10, 7]],
        [[0, -10, 0], [40, -5, 80]],
    ];
    let solids =
        solids.map(|solid: [[i32; 3]; 2]| solid.map(|at| at.map(|part| part as f32 * 0.2)));
    let (mesh, links) = found(&solids, ABLE, settings());
    assert!(links.iter().any(|link| link.from.y > 4.0 && (2.0..2.2).contains(&link.to.y)));
    for link in &links {
        assert_eq!(fault(&mesh, &solids, link), None, "{link:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn links_of_random_levels_are_within_abilities_and_free(
        solids in prop::collection::vec(any_solid(), 1..14),
        tiled in any::<bool>(),
    ) {
        let mut solids = solids;
        solids.push([[0.0, -2.0, 0.0], [8.0, -1.0, 16.0]]);
        let settings = BakeSettings { tile_side: tiled.then_some(24), ..settings() };
        let (mesh, links) = found(&solids, ABLE, settings);
        for link in &links {
            let fault = fault(&mesh, &solids, link);
            prop_assert!(fault.is_none(), "{link:?}: {}", fault.unwrap_or_default());
        }
        for (number, link) in links.iter().enumerate() {
            for other in &links[..number] {
                let is_near = other.from.distance(link.from) < ABLE.spacing
                    && other.to.distance(link.to) < ABLE.spacing;
                let is_same = other.kind == link.kind && other.two_way == link.two_way;
                prop_assert!(!(is_near && is_same), "{link:?} and {other:?}");
            }
        }
    }
}
