//! Detour's tiles: read, written, and hostile.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::link::{JumpLink, LinkKind};
use wayfare_formats::{LinkedMesh, World, detour, losses, read_path, write_path};
use wayfare_mesh::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};

/// Squares in a row along x from `first`, one metre wide, each a quarter higher than the last.
fn squares(first: u32, areas: &[u8]) -> LinkedMesh {
    let mut draft = MeshDraft::new(Vec::new());
    for x in first..=first + areas.len() as u32 {
        let at = |z: f32| Vec3::new(x as f32, x as f32 / 4.0, z);
        draft.vertices.extend([at(0.0), at(1.0)]);
    }
    for (x, area) in (0..).zip(areas) {
        draft.push(&[2 * x, 2 * x + 1, 2 * x + 3, 2 * x + 2], AreaId(*area));
    }
    NavMesh::new(draft).unwrap().into()
}

fn leap(from: f32, to: f32, two_way: bool) -> JumpLink {
    let [from, to] = [from, to].map(|x| Vec3::new(x, x / 4.0, 0.5));
    let seconds = from.distance(to) / 3.0;
    JumpLink { kind: LinkKind::Jump, from, to, seconds, two_way }
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let mut mesh = squares(0, &[0, 63, 7]);
    assert_eq!(detour::read(&detour::write(&mesh).unwrap()).unwrap(), mesh);
    mesh.links = vec![leap(0.5, 2.5, true), leap(1.5, 0.5, false)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("squares.bin");
    write_path(&path, &World::NavMesh(mesh.clone())).unwrap();
    assert!(read_path(&path).unwrap() == World::NavMesh(mesh.clone()));
    assert_eq!(losses("squares.bin", &World::NavMesh(mesh)).len(), 1);
    let area = detour::write(&squares(0, &[64])).unwrap_err().to_string();
    assert!(area.contains("area 64"), "{area}");
}

/// The tile of a set of one.
fn tile(mesh: &LinkedMesh) -> Vec<u8> {
    detour::write(mesh).unwrap()[48..].to_vec()
}

fn length(mesh: &NavMesh, from: Vec3, to: Vec3) -> Option<f64> {
    let at = |place| mesh.locate(place, HeightReach::default());
    let query = MeshQuery::new(at(from)?, at(to)?);
    match Polyanya.search(query).finish(&mesh.space(), &mut MeshScratch::new(), &mut ()).outcome {
        MeshOutcome::Found(path) => Some(path.length),
        _ => None,
    }
}

#[test]
fn tiles_are_joined_at_their_border_with_references_of_both_sizes() {
    let tiles = [tile(&squares(0, &[0, 1])), tile(&squares(2, &[2]))];
    let one = detour::read(&tiles[0]).unwrap();
    assert_eq!(one, squares(0, &[0, 1]), "a tile alone");
    for wide in [false, true] {
        let mut set = detour::write(&squares(0, &[0])).unwrap()[..40].to_vec();
        set[8..12].copy_from_slice(&2_u32.to_le_bytes());
        for tile in &tiles {
            // The links of wide references are longer.
            let number =
                |at: usize| u32::from_le_bytes(tile[at..at + 4].try_into().unwrap()) as usize;
            let links = 100 + 32 * number(24) + 12 * number(28);
            let end = links + 12 * number(32);
            let longer = if wide { 4 * number(32) } else { 0 };
            let size = (tile.len() + longer) as u32;
            match wide {
                false => set.extend([9, 0, 0, 0]),
                true => set.extend([9, 0, 0, 0, 0, 0, 0, 0]),
            }
            set.extend(size.to_le_bytes());
            set.extend(std::iter::repeat_n(0, if wide { 4 } else { 0 }));
            set.extend(&tile[..end]);
            set.extend(std::iter::repeat_n(0, longer));
            set.extend(&tile[end..]);
        }
        let both = detour::read(&set).unwrap();
        let way = length(&both.mesh, Vec3::new(0.5, 0.1, 0.5), Vec3::new(2.5, 0.6, 0.5));
        assert_eq!(way, Some(2.0), "wide: {wide}");
        let areas: Vec<AreaId> = both.mesh.polygons().map(|id| both.mesh.area(id)).collect();
        assert_eq!(areas, [0, 1, 2].map(AreaId), "wide: {wide}");
    }
}

#[test]
fn errors_name_the_place() {
    let sound = detour::write(&squares(0, &[0, 1])).unwrap();
    let refused = |at: usize, value: u32| {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        detour::read(&bytes).unwrap_err().to_string()
    };
    assert!(refused(0, 5).contains("TESM"));
    assert!(refused(0, u32::from_le_bytes(*b"MSET")).contains("byte order"));
    assert!(refused(4, 2).contains("the set has version 2"));
    assert!(refused(44, 7).contains("byte 55: the file ends"), "{}", refused(44, 7));
    assert!(refused(44, 0).contains("0 bytes"));
    assert!(refused(44, u32::MAX).contains("bytes"));
    assert!(refused(44, 120).contains("do not make up its length of 120 bytes"));
    assert!(refused(52, 6).contains("the tile has version 6"));
    for count in 0..8 {
        for value in [u32::MAX, 0x7fff_ffff, 9999] {
            let error = refused(72 + 4 * count, value);
            assert!(error.contains("do not make up"), "{count}: {error}");
        }
    }
    // The first corner of the first polygon, which follows six vertices.
    assert!(refused(48 + 100 + 72 + 4, 0xffff).contains("names vertex 65535 of 6"));
    assert!(refused(48 + 100, f32::NAN.to_bits()).contains("vertex 0 lies nowhere"));
}

proptest! {
    #[test]
    fn no_forged_file_panics(
        changes in prop::collection::vec((0_usize..600, any::<u8>()), 1..6),
        end in 0_usize..800,
    ) {
        let mut mesh = squares(0, &[0, 3]);
        mesh.links = vec![leap(0.5, 1.5, true)];
        let mut bytes = detour::write(&mesh).unwrap();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(end);
        let _ = detour::read(&bytes);
        let _ = detour::read(bytes.get(48..).unwrap_or_default());
    }
}
