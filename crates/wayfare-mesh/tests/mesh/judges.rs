//! The judges of meshes are judged: paths broken in many ways and the fault of each, and traces
//! that differ in one field.

use glam::{DVec2, Vec3};
use wayfare_core::space::StateId;
use wayfare_core::trace::TraceEventKind;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, HeightReach, MeshDraft, MeshPoint, MeshProfile, NavMesh, NavMeshSpace,
    PolygonId,
};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_mesh::{MeshEvent, MeshPath, MeshPathFault, MeshTrace, validate_mesh_path};

const MUD: AreaId = AreaId(1);

/// Two convex polygons that share an edge, with a valley between them, a third one behind the
/// second, and one alone.
fn valley() -> NavMesh {
    let places = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [0.0, 3.0], // 0 to 3: the west
        [4.0, 0.0],
        [4.0, 3.0], // the east: 1, 4, 5, 2
        [6.0, 0.0],
        [6.0, 3.0], // behind it: 4, 6, 7, 5
        [8.0, 0.0],
        [9.0, 0.0],
        [9.0, 1.0],
        [8.0, 1.0], // alone
    ];
    let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
    // Anticlockwise as seen from above.
    draft.push(&[3, 2, 1, 0], AreaId::WALKABLE);
    draft.push(&[2, 5, 4, 1], AreaId::WALKABLE);
    draft.push(&[5, 7, 6, 4], MUD);
    draft.push(&[11, 10, 9, 8], AreaId::WALKABLE);
    NavMesh::new(draft).unwrap()
}

fn at(space: &NavMeshSpace<'_>, x: f32, z: f32) -> MeshPoint {
    space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap()
}

fn path(space: &NavMeshSpace<'_>, from: MeshPoint, to: MeshPoint) -> MeshPath {
    let query = MeshQuery::new(from, to);
    match Polyanya.search(query).finish(space, &mut MeshScratch::new(), &mut ()).outcome {
        MeshOutcome::Found(path) => path,
        other => panic!("{other:?}"),
    }
}

/// A path through those points and polygons, of the right length.
fn made(points: &[MeshPoint], corridor: &[PolygonId]) -> MeshPath {
    let mut path =
        MeshPath { points: points.to_vec(), corridor: corridor.to_vec(), ..MeshPath::default() };
    path.length = path.measured_length();
    path
}

/// The name of a fault, with its number.
fn name(verdict: Result<(), MeshPathFault>) -> String {
    match verdict {
        Ok(()) => "sound".to_owned(),
        Err(MeshPathFault::Empty) => "empty".to_owned(),
        Err(MeshPathFault::WrongEnds { .. }) => "ends".to_owned(),
        Err(MeshPathFault::OffMesh { point }) => format!("off {point}"),
        Err(MeshPathFault::WrongHeight { point, .. }) => format!("height {point}"),
        Err(MeshPathFault::LeavesMesh { leg }) => format!("leaves {leg}"),
        Err(MeshPathFault::BrokenCorridor { step }) => format!("corridor {step}"),
        Err(MeshPathFault::WrongLength { .. }) => "length".to_owned(),
        Err(other) => other.to_string(),
    }
}

#[test]
fn a_broken_path_is_refused_for_its_fault() {
    let mesh = valley();
    let space = mesh.space();
    let (start, goal) = (at(&space, 0.5, 2.0), at(&space, 5.0, 2.0));
    let sound = path(&space, start, goal);
    assert_eq!(sound.points.len(), 3, "it turns at the foot of the valley");
    let polygon = PolygonId::from_index;
    assert_eq!(sound.corridor, [0, 1, 2].map(polygon));
    type Change = fn(&mut MeshPath);
    let table: [(&str, Change, &str); 19] = [
        ("nothing", |_| (), "sound"),
        ("no points", |path| path.points.clear(), "empty"),
        ("another start", |path| path.points[0].place.x += 0.01, "ends"),
        ("another end", |path| path.points[2].place.z -= 0.01, "ends"),
        ("no end", |path| _ = path.points.pop(), "ends"),
        ("a point in the air", |path| path.points[1].place = Vec3::new(2.0, 0.0, 1.5), "off 1"),
        ("a floating point", |path| path.points[1].place.y = 0.02, "height 1"),
        ("a sunk end", |path| path.points[2].place.y = -3.0, "height 2"),
        ("no height", |path| path.points[0].place.y = f32::NAN, "off 0"),
        (
            "another polygon's point",
            |path| path.points[0].polygon = PolygonId::from_index(1),
            "off 0",
        ),
        (
            "straight over the valley",
            |path| *path = made(&[path.points[0], path.points[2]], &path.corridor),
            "leaves 0",
        ),
        ("no corridor", |path| path.corridor.clear(), "corridor 0"),
        ("a corridor without a start", |path| _ = path.corridor.remove(0), "corridor 0"),
        ("a corridor without an end", |path| _ = path.corridor.pop(), "corridor 0"),
        ("a corridor with a gap", |path| _ = path.corridor.remove(1), "corridor 1"),
        (
            "a corridor by way of elsewhere",
            |path| path.corridor.insert(2, PolygonId::from_index(3)),
            "corridor 2",
        ),
        ("a hair longer", |path| path.length += 1e-7, "length"),
        ("a hair shorter", |path| path.length -= 1e-7, "length"),
        ("rounding", |path| path.length += 1e-12, "sound"),
    ];
    for (what, change, fault) in table {
        let mut broken = sound.clone();
        change(&mut broken);
        assert_eq!(name(validate_mesh_path(&space, &broken, start, goal)), fault, "{what}");
    }
    // Both ends lie in polygons that touch the line, and side by side; the line leaves them
    // between.
    let (west, east) = (at(&space, 0.5, 2.0), at(&space, 3.5, 2.0));
    let over = made(&[west, east], &[0, 1].map(polygon));
    assert_eq!(name(validate_mesh_path(&space, &over, west, east)), "leaves 0");
    let low = [at(&space, 0.5, 0.5), at(&space, 3.5, 0.5)];
    let below = made(&low, &[0, 1].map(polygon));
    assert_eq!(name(validate_mesh_path(&space, &below, low[0], low[1])), "sound");
}

/// A floor, and another one above it; a way beside them winds up from one to the other.
fn storeys() -> NavMesh {
    let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let mut draft = MeshDraft::new(vec![
        at(0.0, 0.0, 0.0),
        at(0.0, 0.0, 2.0),
        at(4.0, 0.0, 2.0),
        at(4.0, 0.0, 0.0), // 0 to 3: the lower floor
        at(0.0, 3.0, 0.0),
        at(0.0, 3.0, 2.0),
        at(4.0, 3.0, 2.0),
        at(4.0, 3.0, 0.0), // 4 to 7: the upper one
        at(6.0, 1.0, 2.0),
        at(6.0, 1.0, 0.0),
        at(4.0, 1.5, 4.0),
        at(4.0, 2.0, 6.0),
        at(6.0, 2.0, 6.0),
        at(0.0, 3.0, 4.0),
        at(0.0, 2.5, 6.0),
    ]);
    let polygons: [&[u32]; 6] = [
        &[0, 1, 2, 3],
        &[4, 5, 6, 7],
        &[3, 2, 8, 9],
        &[2, 10, 11, 12, 8],
        &[13, 14, 11, 10],
        &[5, 13, 10, 6],
    ];
    for polygon in polygons {
        draft.push(polygon, AreaId::WALKABLE);
    }
    NavMesh::new(draft).unwrap()
}

#[test]
fn a_leg_does_not_change_floors() {
    let mesh = storeys();
    let space = mesh.space();
    let place = |x, y, polygon| MeshPoint {
        polygon: PolygonId::from_index(polygon),
        place: Vec3::new(x, y, 1.0),
    };
    let (low, high) = (place(1.0, 0.0, 0), place(3.0, 3.0, 1));
    let ids = [0, 2, 3, 4, 5, 1].map(PolygonId::from_index);
    assert_eq!(name(validate_mesh_path(&space, &made(&[low, high], &ids), low, high)), "leaves 0");
    let same = place(3.0, 0.0, 0);
    let level = made(&[low, same], &ids[..1]);
    assert_eq!(name(validate_mesh_path(&space, &level, low, same)), "sound");
}

#[test]
fn a_closed_polygon_holds_no_path() {
    let mut mesh = valley();
    let dry = mesh.add_profile(MeshProfile { areas: AreaCosts::new().without(MUD) }).unwrap();
    let (open, closed) = (mesh.space(), mesh.space_of(dry));
    let (from, to) = (at(&open, 4.5, 1.0), at(&open, 5.5, 1.0));
    let within = path(&open, from, to);
    assert_eq!(name(validate_mesh_path(&open, &within, from, to)), "sound");
    assert_eq!(name(validate_mesh_path(&closed, &within, from, to)), "off 0");
    let (west, east) = (at(&open, 2.5, 0.5), at(&open, 3.5, 0.5));
    let beside = path(&open, west, east);
    assert_eq!(name(validate_mesh_path(&closed, &beside, west, east)), "sound");
    // Over the closed polygon and back.
    let mut detour = beside;
    detour.corridor = [1, 2, 1].map(PolygonId::from_index).to_vec();
    assert_eq!(name(validate_mesh_path(&open, &detour, west, east)), "sound");
    assert_eq!(name(validate_mesh_path(&closed, &detour, west, east)), "corridor 1");
}

#[test]
fn a_trace_hash_sees_every_field_of_every_event_and_their_order() {
    let polygon = PolygonId::from_index;
    let sound = MeshEvent {
        kind: TraceEventKind::Expand,
        polygon: polygon(7),
        from: polygon(5),
        root: DVec2::new(1.0, 2.0),
        left: DVec2::new(3.0, 4.0),
        right: DVec2::new(5.0, 6.0),
        g: 7.0,
        h: 8.0,
    };
    let (moved, aside) = (DVec2::new(1e-12, 0.0), DVec2::new(0.0, 1e-12));
    let changes = [
        ("kind", MeshEvent { kind: TraceEventKind::Generate, ..sound }),
        ("polygon", MeshEvent { polygon: polygon(8), ..sound }),
        ("from", MeshEvent { from: polygon(6), ..sound }),
        ("polygon and from", MeshEvent { polygon: polygon(5), from: polygon(7), ..sound }),
        ("root, x", MeshEvent { root: sound.root + moved, ..sound }),
        ("root, y", MeshEvent { root: sound.root + aside, ..sound }),
        ("left, x", MeshEvent { left: sound.left + moved, ..sound }),
        ("left, y", MeshEvent { left: sound.left + aside, ..sound }),
        ("right, x", MeshEvent { right: sound.right + moved, ..sound }),
        ("right, y", MeshEvent { right: sound.right + aside, ..sound }),
        ("left and right", MeshEvent { left: sound.right, right: sound.left, ..sound }),
        ("g", MeshEvent { g: 7.5, ..sound }),
        ("h", MeshEvent { h: 8.5, ..sound }),
        ("g and h", MeshEvent { g: 8.0, h: 7.0, ..sound }),
    ];
    let hash = |events: &[MeshEvent]| MeshTrace { events: events.to_vec() }.hash();
    let mut seen = vec![hash(&[sound]), hash(&[sound, sound]), hash(&[])];
    for (what, changed) in changes {
        for events in [[sound, changed], [changed, sound]] {
            let hash = hash(&events);
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        }
    }
}
