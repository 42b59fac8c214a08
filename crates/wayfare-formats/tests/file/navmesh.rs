//! Files of navigation meshes: read, written, and hostile.

use std::path::PathBuf;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::link::{JumpLink, LinkKind};
use wayfare_formats::{
    LinkedMesh, Location, World, detour, mesh_scenario, navmesh_file, polyanya_mesh, read_path,
    write_path,
};
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh};

/// Three squares in a row at different heights, the middle one of another area.
fn steps() -> LinkedMesh {
    let mut draft = MeshDraft::new(Vec::new());
    for x in 0..4 {
        let height = x as f32 / 4.0;
        draft.vertices.extend([Vec3::new(x as f32, height, 0.0), Vec3::new(x as f32, height, 1.0)]);
    }
    for (x, area) in [(0, 0), (1, 9), (2, 0)] {
        draft.push(&[2 * x, 2 * x + 1, 2 * x + 3, 2 * x + 2], AreaId(area));
    }
    NavMesh::new(draft).unwrap().into()
}

/// The same with a leap and a drop.
fn linked_steps() -> LinkedMesh {
    let [a, b, c] = [0.5, 1.5, 2.5].map(|x| Vec3::new(x, x / 4.0, 0.5));
    let leap = JumpLink { kind: LinkKind::Jump, from: a, to: c, seconds: 0.7, two_way: true };
    let drop = JumpLink { kind: LinkKind::Drop, from: b, to: a, seconds: 0.4, two_way: false };
    LinkedMesh { links: vec![leap, drop], ..steps() }
}

/// The same, made for bodies of 0.4 metres.
fn steps_with_room() -> LinkedMesh {
    let linked = linked_steps();
    LinkedMesh { mesh: linked.mesh.with_body_radius(0.4), ..linked }
}

/// Two triangles in a square, in both versions of the format.
const VERSION_1: &str = "mesh\n1\n4 2\n0 0 3 0 1 -1\n2 0 2 0 -1\n2 2 3 1 0 -1\n0 2 2 1 -1\n\
                         3 0 1 2 -1 -1 1\n3 0 2 3 0 -1 -1\n";
const VERSION_2: &str = "mesh\n2\n4 2\n0 0 3 0 1 -1\n2 0 2 0 -1\n2 2 3 1 0 -1\n0 2 2 1 -1\n\
                         3 0 1 2 1 -1 -1\n3 0 2 3 -1 0 -1\n";

#[test]
fn a_navmesh_file_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.navmesh");
    write_path(&path, &World::NavMesh(steps())).unwrap();
    assert_eq!(read_path(&path).unwrap(), World::NavMesh(steps()));
    let lost = wayfare_formats::losses("steps.mesh", &World::NavMesh(steps()));
    assert_eq!(lost.len(), 2, "{lost:?}");
}

#[test]
fn a_navmesh_file_keeps_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.navmesh");
    write_path(&path, &World::NavMesh(linked_steps())).unwrap();
    assert_eq!(read_path(&path).unwrap(), World::NavMesh(linked_steps()));
    let lost = wayfare_formats::losses("steps.mesh", &World::NavMesh(linked_steps()));
    assert_eq!(lost.last().unwrap(), "the links: 1 jump, 1 drop");
    // Without links the file is that of earlier versions.
    let version = |mesh: &LinkedMesh| navmesh_file::write(mesh)[8];
    assert_eq!((version(&steps()), version(&linked_steps())), (1, 2));
}

#[test]
fn files_keep_the_radius_that_a_mesh_is_made_for() {
    let linked = steps_with_room();
    let plain = LinkedMesh { links: Vec::new(), ..linked.clone() };
    for mesh in [&linked, &plain] {
        let bytes = navmesh_file::write(mesh);
        assert_eq!(bytes[8], 3);
        assert_eq!(&navmesh_file::read(&bytes).unwrap(), mesh);
        assert_eq!(detour::read(&detour::write(mesh).unwrap()).unwrap().mesh.body_radius(), 0.4);
    }
    let lost = wayfare_formats::losses("steps.mesh", &World::NavMesh(plain));
    assert_eq!(lost.last().unwrap(), "the radius that it is made for: 0.4 m");
    for radius in [f32::NAN, -0.1, 1e9] {
        let mut bytes = navmesh_file::write(&linked);
        bytes[24..28].copy_from_slice(&radius.to_le_bytes());
        let error = navmesh_file::read(&with_right_sum(bytes)).unwrap_err();
        assert_eq!(error.location(), Location::Byte(24), "{error}");
        assert!(error.to_string().contains("radius of bodies"), "{error}");
    }
}

/// Returns a file with the checksum of its contents, so that what follows is looked at.
fn with_right_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let mut hash = wayfare_core::hash::Fnv1a::default();
    hash.bytes(&bytes[..end]);
    bytes[end..].copy_from_slice(&hash.value().to_le_bytes());
    bytes
}

#[test]
fn links_that_lead_nowhere_are_refused() {
    let plain = linked_steps().links[0];
    for (link, part) in [
        (JumpLink { to: plain.from, ..plain }, "nowhere"),
        (JumpLink { to: Vec3::splat(f32::NAN), ..plain }, "nowhere"),
        (JumpLink { seconds: 0.0, ..plain }, "time"),
        (JumpLink { seconds: f32::INFINITY, ..plain }, "time"),
    ] {
        let bytes = navmesh_file::write(&LinkedMesh { links: vec![plain, link], ..steps() });
        let error = navmesh_file::read(&bytes).unwrap_err().to_string();
        assert!(error.contains("link 1") && error.contains(part), "{error}");
    }
}

#[test]
fn both_versions_of_polyanya_meshes_are_one_mesh() {
    let [one, two] =
        [VERSION_1, VERSION_2].map(|text| polyanya_mesh::read(text.as_bytes()).unwrap());
    assert_eq!(one, two);
    let polygon = one.polygon(0).unwrap();
    assert_eq!((one.len(), one.plan_area(polygon)), (2, 2.0));
    assert_eq!(one.neighbours(polygon).flatten().count(), 1);
    // What is written is read as the same again, and so are its numbers.
    let written = polyanya_mesh::write(&one);
    assert_eq!(polyanya_mesh::read(written.as_bytes()).unwrap(), one);
    let last = |text: &str| text.lines().rev().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(last(&written), last(VERSION_2));
}

#[test]
fn an_error_names_the_line() {
    let line = |text: &str| {
        let error = polyanya_mesh::read(text.as_bytes()).unwrap_err();
        match error.location() {
            Location::Line(line) | Location::LineColumn { line, .. } => (line, error.to_string()),
            other => panic!("{other:?}: {error}"),
        }
    };
    assert_eq!(line("mash\n2\n").0, 1);
    assert_eq!(line("mesh\n3\n").0, 2);
    assert_eq!(line("mesh\n2\n4000000000 1\n").0, 3);
    assert_eq!(line(&VERSION_2.replace("2 2 3 1 0", "2 b 3 1 0")).0, 6);
    assert_eq!(line(&VERSION_2.replace("3 0 2 3 -1", "3 0 2 9 -1")).0, 9);
    // A polygon the wrong way round.
    let (at, message) = line(&VERSION_2.replace("3 0 2 3 -1", "3 3 2 0 -1"));
    assert_eq!(at, 9, "{message}");
    assert!(message.contains("polygon 1"), "{message}");
    assert_eq!(line(&format!("{VERSION_2}7\n")).0, 10);
    assert_eq!(line(&VERSION_2[..VERSION_2.len() - 6]).0, 9);
}

#[test]
fn a_damaged_navmesh_file_is_refused() {
    for mesh in [steps(), linked_steps(), steps_with_room()] {
        let bytes = navmesh_file::write(&mesh);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(navmesh_file::read(&damaged).is_err(), "byte {at}");
            assert!(navmesh_file::read(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}

/// The public benchmark meshes, where they are: see `WAYFARE_DATA` in docs/testing.md.
#[test]
fn benchmark_meshes_are_read_and_written_as_they_are() {
    let Some(data) = std::env::var_os("WAYFARE_DATA").map(PathBuf::from) else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA is not set");
        }
        return;
    };
    for name in ["arena", "arena-merged", "aurora-merged"] {
        let path = data.join("navmesh/polyanya").join(name).with_extension("mesh");
        let World::NavMesh(LinkedMesh { mesh, .. }) = read_path(&path).unwrap() else {
            panic!("{name} is a mesh")
        };
        let written = polyanya_mesh::write(&mesh);
        assert_eq!(polyanya_mesh::read(written.as_bytes()).unwrap(), mesh);
        // The polygons with their neighbours, word for word.
        let text = std::fs::read_to_string(&path).unwrap();
        let polygons = |text: &str| {
            let lines = text.lines().map(|line| line.split_ascii_whitespace().map(str::to_owned));
            let lines: Vec<Vec<String>> = lines.map(Iterator::collect).collect();
            lines[lines.len() - mesh.len()..].to_vec()
        };
        assert_eq!(polygons(&written), polygons(&text), "{name}");
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = polyanya_mesh::read(&bytes);
        let _ = navmesh_file::read(&bytes);
        let _ = mesh_scenario::read(&bytes);
    }

    #[test]
    fn no_words_panic(words in prop::collection::vec(-2_i32..9, 0..60)) {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let text = format!("mesh\n2\n{}", words.join(" "));
        let _ = polyanya_mesh::read(text.as_bytes());
        let text = format!("mesh scenario 1\nl.mesh\n{}", words.join(" "));
        let _ = mesh_scenario::read(text.as_bytes());
    }

    #[test]
    fn no_forged_file_panics(at in 8_usize..320, byte in any::<u8>()) {
        for mesh in [linked_steps(), steps_with_room()] {
            let mut bytes = navmesh_file::write(&mesh);
            let at = at.min(bytes.len() - 9);
            bytes[at] = byte;
            let _ = navmesh_file::read(&with_right_sum(bytes));
        }
    }
}
