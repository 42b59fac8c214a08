//! Navigation meshes as Wayfare keeps them: `.navmesh`, versioned and with a checksum.
//!
//! All values are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `WAYFNAV` and a line feed |
//! | 4 | the version: 1, or 2 with links, or 3 with a radius and links |
//! | 4, 4, 4 | the number `v` of vertices, `p` of polygons and `c` of corners |
//! | 4 | version 3: the radius of the bodies that the mesh is made for, as a 32-bit float |
//! | 12 v | each vertex: x, y (up), z as 32-bit floats |
//! | 4 p | the number of corners of each polygon |
//! | p | the area of each polygon |
//! | 4 c | the vertex of each corner, polygon by polygon, counter-clockwise from above |
//! | 4 | versions 2 and 3: the number `l` of links |
//! | 28 | each of the links: its two ends and the seconds of its crossing, as 32-bit floats |
//! | 1, 1 | its kind; 1 if it leads back too, else 0 |
//! | 8 | the checksum of everything before: FNV-1a of 64 bits |
//!
//! Neighbours, islands and all data for fast searches are derived when a mesh is made. So no file
//! can make a path where there is no mesh. Kinds of links are counted from 0: passage, door,
//! ladder, teleport, lift, jump, drop, climb.

use glam::Vec3;
use wayfare_core::hash::Fnv1a;
use wayfare_core::link::{JumpLink, LinkKind};
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh, NavMeshError};

use crate::LinkedMesh;
use crate::error::{Location, WorldError, WorldErrorKind};

const MAGIC: &[u8; 8] = b"WAYFNAV\n";
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=3;
/// Where the radius begins.
const RADIUS: usize = 24;
const SUM: usize = 8;
const LINK: usize = 30;
/// The kinds of links, by their codes in files.
const KINDS: [LinkKind; 8] = [
    LinkKind::Passage,
    LinkKind::Door,
    LinkKind::Ladder,
    LinkKind::Teleport,
    LinkKind::Lift,
    LinkKind::Jump,
    LinkKind::Drop,
    LinkKind::Climb,
];

/// Reads a mesh with its links.
///
/// # Errors
/// With the offset: a file of another format or version, of another length than its counts say, or
/// with another checksum; polygons with unknown corners, links with unknown ends, and all that
/// [`NavMesh::new`] refuses.
pub fn read(bytes: &[u8]) -> Result<LinkedMesh, WorldError> {
    let bad = |at: usize, message: String| {
        WorldError::new(WorldErrorKind::Syntax, message).at(Location::Byte(at))
    };
    if !bytes.starts_with(MAGIC) {
        return Err(bad(0, "this is no navigation mesh: it does not begin with 'WAYFNAV'".into()));
    }
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
    };
    let cut = || bad(bytes.len(), "the file ends within its heading".into());
    let version = word(8).ok_or_else(cut)?;
    if !VERSIONS.contains(&version) {
        let (first, last) = VERSIONS.into_inner();
        let message =
            format!("the mesh has version {version}; versions {first} to {last} can be read");
        return Err(bad(8, message).advise("bake it again"));
    }
    let count = |at: usize| word(at).map(|count| count as usize).ok_or_else(cut);
    let [vertices, polygons, corners] = [count(12)?, count(16)?, count(20)?];
    let sum =
        |sum: usize, &(count, each): &(usize, usize)| sum.checked_add(count.checked_mul(each)?);
    let parts = [(vertices, 12), (polygons, 5), (corners, 4)];
    let (body_radius, head) = match version {
        3 => (f32::from_bits(word(RADIUS).ok_or_else(cut)?), RADIUS + 4),
        _ => (0.0, RADIUS),
    };
    let ground = parts.iter().try_fold(head, sum).unwrap_or(usize::MAX);
    let links = match version {
        1 => None,
        _ => Some(word(ground).map(|count| count as usize).ok_or_else(cut)?),
    };
    let linked = links.map_or(Some(0), |links| links.checked_mul(LINK)?.checked_add(4));
    let expected = linked
        .and_then(|linked| ground.checked_add(linked)?.checked_add(SUM))
        .unwrap_or(usize::MAX);
    if bytes.len() != expected {
        let found = bytes.len();
        return Err(bad(
            12,
            format!("the mesh says that it has {expected} bytes, and has {found}"),
        ));
    }
    let (content, sum) = bytes.split_at(bytes.len() - SUM);
    let mut hash = Fnv1a::default();
    hash.bytes(content);
    if hash.value().to_le_bytes() != *sum {
        let message = "the mesh is damaged: its checksum is not that of its contents";
        return Err(bad(content.len(), message.into()));
    }
    let number = |at: usize| word(at).unwrap_or_default();
    let place = |vertex: usize| {
        let at = head + 12 * vertex;
        Vec3::from_array([at, at + 4, at + 8].map(|at| f32::from_bits(number(at))))
    };
    let mut draft = MeshDraft::new((0..vertices).map(place).collect());
    draft.body_radius = body_radius;
    let sizes = head + 12 * vertices;
    let areas = sizes + 4 * polygons;
    let mut at = areas + polygons;
    let mut own: Vec<u32> = Vec::new();
    for polygon in 0..polygons {
        let size = number(sizes + 4 * polygon) as usize;
        let end = size.checked_mul(4).and_then(|bytes| at.checked_add(bytes));
        let Some(end) = end.filter(|&end| end <= ground) else {
            let message = format!("polygon {polygon} has {size} corners, more than there are");
            return Err(bad(sizes + 4 * polygon, message));
        };
        own.clear();
        own.extend((at..end).step_by(4).map(number));
        draft.push(&own, AreaId(bytes[areas + polygon]));
        at = end;
    }
    if at != ground {
        return Err(bad(at, "corners follow the last polygon".into()));
    }
    let links = (0..links.unwrap_or(0)).map(|link| {
        let at = ground + 4 + LINK * link;
        read_link(&content[at..at + LINK])
            .map_err(|problem| bad(at, format!("link {link} {problem}")))
    });
    let links = links.collect::<Result<_, _>>()?;
    let mesh = NavMesh::new(draft).map_err(|error| {
        let at = match (error.polygon(), error.vertex()) {
            (Some(polygon), _) => sizes + 4 * polygon as usize,
            (None, Some(vertex)) => head + 12 * vertex as usize,
            (None, None) if matches!(error, NavMeshError::BodyRadius { .. }) => RADIUS,
            (None, None) => 0,
        };
        WorldError::new(WorldErrorKind::Value, error.to_string()).at(Location::Byte(at))
    })?;
    Ok(LinkedMesh { mesh, links })
}

/// Reads a link.
///
/// # Errors
/// The fault.
fn read_link(bytes: &[u8]) -> Result<JumpLink, &'static str> {
    let mut numbers = [0.0_f32; 7];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
        *number = bytes.try_into().map_or(f32::NAN, f32::from_le_bytes);
    }
    let [from_x, from_y, from_z, to_x, to_y, to_z, seconds] = numbers;
    let (from, to) = (Vec3::new(from_x, from_y, from_z), Vec3::new(to_x, to_y, to_z));
    if !from.is_finite() || !to.is_finite() || from == to {
        return Err("leads nowhere");
    }
    if !(seconds > 0.0 && seconds.is_finite()) {
        return Err("takes no time, or endless time");
    }
    let kind = bytes.get(28).and_then(|&kind| KINDS.get(usize::from(kind)));
    let kind = *kind.ok_or("has an unknown kind")?;
    let two_way = match bytes.get(29) {
        Some(0) => false,
        Some(1) => true,
        _ => return Err("leads back neither always nor never"),
    };
    Ok(JumpLink { kind, from, to, seconds, two_way })
}

/// Writes a mesh with its links; reading it back gives the same one, without its profiles.
/// The version is the lowest that holds all of it.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
/// use wayfare_formats::{LinkedMesh, navmesh_file};
///
/// let mut draft = MeshDraft::new(vec![Vec3::ZERO, Vec3::Z, Vec3::X]);
/// draft.push(&[0, 1, 2], AreaId(7));
/// let mesh = LinkedMesh::from(NavMesh::new(draft).expect("a triangle"));
/// let bytes = navmesh_file::write(&mesh);
/// assert_eq!(navmesh_file::read(&bytes)?, mesh);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[must_use]
pub fn write(LinkedMesh { mesh, links }: &LinkedMesh) -> Vec<u8> {
    let corners: usize = mesh.polygons().map(|polygon| mesh.corners(polygon).len()).sum();
    let mut bytes = MAGIC.to_vec();
    let counts = [mesh.vertices().len(), mesh.len(), corners];
    let body_radius = mesh.body_radius();
    let version: u32 = match (body_radius > 0.0, links.is_empty()) {
        (true, _) => 3,
        (false, false) => 2,
        (false, true) => 1,
    };
    bytes.extend(version.to_le_bytes());
    // A mesh has at most 2^30 of each.
    bytes.extend(counts.iter().flat_map(|&count| (count as u32).to_le_bytes()));
    if version == 3 {
        bytes.extend(body_radius.to_le_bytes());
    }
    let places = mesh.vertices().iter().flat_map(Vec3::to_array);
    bytes.extend(places.flat_map(f32::to_le_bytes));
    let sizes = mesh.polygons().map(|polygon| mesh.corners(polygon).len() as u32);
    bytes.extend(sizes.flat_map(u32::to_le_bytes));
    bytes.extend(mesh.polygons().map(|polygon| mesh.area(polygon).0));
    for polygon in mesh.polygons() {
        bytes.extend(mesh.corners(polygon).iter().flat_map(|corner| corner.to_le_bytes()));
    }
    if version > 1 {
        bytes.extend((links.len() as u32).to_le_bytes());
    }
    for link in links {
        let ends = [link.from, link.to].into_iter().flat_map(|end| end.to_array());
        bytes.extend(ends.chain([link.seconds]).flat_map(f32::to_le_bytes));
        let kind = KINDS.iter().position(|&kind| kind == link.kind).unwrap_or(0);
        bytes.extend([kind as u8, u8::from(link.two_way)]);
    }
    let mut hash = Fnv1a::default();
    hash.bytes(&bytes);
    bytes.extend(hash.value().to_le_bytes());
    bytes
}
