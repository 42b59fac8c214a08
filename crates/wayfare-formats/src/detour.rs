//! Detour's navigation meshes: `.bin`, a set of tiles as RecastDemo saves it, or a single tile.
//!
//! All values are little-endian. A set begins with
//!
//! | bytes | content |
//! |---|---|
//! | 4, 4, 4 | `TESM` (the number `MSET`), the version 1, the number of tiles |
//! | 12, 4, 4 | the origin of the tiles as floats, their width along x and depth along z |
//! | 4, 4 | the most tiles, the most polygons of a tile |
//! | 4, 4 | before each tile: its reference, the length of its data |
//!
//! With references of 64 bits, the two words before a tile take 16 bytes. A tile is
//!
//! | bytes | content |
//! |---|---|
//! | 4, 4 | `VAND` (the number `DNAV`), the version 7 |
//! | 12, 4 | x, y and layer of the tile, a number of the user |
//! | 4 each | the numbers of polygons, vertices, links, detail meshes, detail vertices, detail triangles, nodes and off-mesh connections; the first polygon that is such a connection |
//! | 4 each | height, radius and climb of the agent; the least corner of the tile and its greatest; a factor of the nodes |
//! | 12 each | vertices: x, y (up), z |
//! | 32 each | polygons: a link; 6 vertices and 6 neighbours of 16 bits; flags of 16 bits; the number of corners; area (6 bits) and type (2 bits): ground 0, connection 1 |
//! | 12 each | links, to be filled by Detour; 16 with references of 64 bits |
//! | 12 each | detail meshes: first vertex, first triangle, numbers of both in a byte each |
//! | 12, 4 each | detail vertices; detail triangles: three corners, flags of the edges |
//! | 16 each | nodes of the tree of boxes |
//! | 36 each | off-mesh connections: both ends, radius, polygon, direction (1: both ways), side, a number of the user |
//!
//! Only ground polygons, their areas and the connections are read. Neighbours are found again by
//! position, within the climb of the agent, so a file cannot make a path where there is no mesh.
//! Detail heights are not read.
//!
//! Source: the structures of `DetourNavMesh.h` (Mononen, version 7 of the tiles), and the set of
//! RecastDemo's `Sample.cpp`.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_core::link::{JumpLink, LinkKind};
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh};

use crate::LinkedMesh;
use crate::error::{Location, WorldError, WorldErrorKind};

const SET_MAGIC: u32 = u32::from_be_bytes(*b"MSET");
const TILE_MAGIC: u32 = u32::from_be_bytes(*b"DNAV");
const SET_VERSION: u32 = 1;
const TILE_VERSION: u32 = 7;
const SET_HEAD: usize = 40;
const TILE_HEAD: usize = 100;
const POLYGON: usize = 32;
/// The most corners of a polygon.
const CORNERS: usize = 6;
/// Neighbours are indices from 1 below this one, which marks edges between tiles.
const MOST_POLYGONS: usize = 0x7ffe;
const MOST_VERTICES: usize = 0xfffe;
const MOST_AREA: u8 = 63;
/// The speed at which a connection is crossed, in metres a second: the files have none.
const CROSSING_SPEED: f32 = 3.0;
/// Height and climb of the agent that is written: a mesh knows none.
const AGENT: [f32; 2] = [1.8, 0.5];

/// Reads values at offsets of a part of a file.
struct Reader<'b> {
    bytes: &'b [u8],
    /// Where the part begins.
    offset: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&self, at: usize) -> Result<[u8; N], WorldError> {
        let bytes = at.checked_add(N).and_then(|end| self.bytes.get(at..end));
        bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
            bad(self.offset + self.bytes.len(), "the file ends within a tile".to_owned())
        })
    }

    fn word(&self, at: usize) -> Result<u32, WorldError> {
        Ok(u32::from_le_bytes(self.take(at)?))
    }

    fn short(&self, at: usize) -> Result<u16, WorldError> {
        Ok(u16::from_le_bytes(self.take(at)?))
    }

    fn float(&self, at: usize) -> Result<f32, WorldError> {
        Ok(f32::from_le_bytes(self.take(at)?))
    }

    fn place(&self, at: usize) -> Result<Vec3, WorldError> {
        Ok(Vec3::new(self.float(at)?, self.float(at + 4)?, self.float(at + 8)?))
    }
}

fn bad(at: usize, message: String) -> WorldError {
    WorldError::new(WorldErrorKind::Syntax, message).at(Location::Byte(at))
}

/// Returns whether bytes begin as a set or a tile of Detour does.
pub(crate) fn is_detour(bytes: &[u8]) -> bool {
    let magic = bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    magic == Some(SET_MAGIC) || magic == Some(TILE_MAGIC)
}

/// Reads a set of tiles, or a single tile.
///
/// # Errors
/// With the offset: a file of another format, version or byte order; counts beyond the length of
/// the file; polygons with unknown vertices, and all that [`NavMesh::new`] refuses.
pub fn read(bytes: &[u8]) -> Result<LinkedMesh, WorldError> {
    let reader = Reader { bytes, offset: 0 };
    if bytes.starts_with(b"MSET") || bytes.starts_with(b"DNAV") {
        let message = "the file was written on a machine of another byte order";
        return Err(bad(0, message.to_owned()));
    }
    if !is_detour(bytes) {
        let message = "this is no mesh of Detour: it begins with neither 'TESM' nor 'VAND'";
        return Err(bad(0, message.to_owned()));
    }
    let draft = MeshDraft::new(Vec::new());
    let mut gathered = Gathered { draft, links: Vec::new(), least_radius: None };
    if reader.word(0)? == TILE_MAGIC {
        gathered.add(bytes, 0)?;
    } else {
        let version = reader.word(4)?;
        if version != SET_VERSION {
            let message = format!("the set has version {version}; only {SET_VERSION} can be read");
            return Err(bad(4, message));
        }
        let tiles = reader.word(8)?;
        let mut at = SET_HEAD;
        for _ in 0..tiles {
            let is_wide = reader.word(at + 8)? != TILE_MAGIC;
            let (head, size) = if is_wide { (16, at + 8) } else { (8, at + 4) };
            let size = reader.word(size)? as usize;
            let begin = at + head;
            let end = begin.checked_add(size).filter(|&end| end <= bytes.len());
            let Some(end) = end.filter(|_| size > 0) else {
                let message = format!("a tile has {size} bytes, more or fewer than there can be");
                return Err(bad(at, message));
            };
            gathered.add(&bytes[begin..end], begin)?;
            at = end;
        }
    }
    let Gathered { mut draft, links, least_radius } = gathered;
    draft.body_radius = least_radius.unwrap_or(0.0);
    let mesh = NavMesh::new(draft);
    let mesh = mesh.map_err(|error| WorldError::new(WorldErrorKind::Value, error.to_string()))?;
    Ok(LinkedMesh { mesh, links })
}

/// The polygons of the tiles so far.
struct Gathered {
    draft: MeshDraft,
    links: Vec<JumpLink>,
    /// The smallest radius of an agent among them.
    least_radius: Option<f32>,
}

impl Gathered {
    /// Adds a tile that begins at `offset` of the file.
    fn add(&mut self, tile: &[u8], offset: usize) -> Result<(), WorldError> {
        let reader = Reader { bytes: tile, offset };
        let wrong = |at: usize, message: String| Err(bad(offset + at, message));
        if reader.word(0)? != TILE_MAGIC {
            return wrong(0, "this is no tile: it does not begin with 'VAND'".to_owned());
        }
        let version = reader.word(4)?;
        if version != TILE_VERSION {
            let message =
                format!("the tile has version {version}; only {TILE_VERSION} can be read");
            return wrong(4, message);
        }
        let count = |index: usize| reader.word(24 + 4 * index).map(|count| count as usize);
        let [polygons, vertices, links, details] = [count(0)?, count(1)?, count(2)?, count(3)?];
        let [detail_vertices, triangles, nodes] = [count(4)?, count(5)?, count(6)?];
        let connections = count(7)?;
        let sum = |link: usize| {
            let parts = [
                (vertices, 12),
                (polygons, POLYGON),
                (links, link),
                (details, 12),
                (detail_vertices, 12),
                (triangles, 4),
                (nodes, 16),
                (connections, 36),
            ];
            parts.into_iter().try_fold(TILE_HEAD, |sum, (count, each): (usize, usize)| {
                sum.checked_add(count.checked_mul(each)?)
            })
        };
        if ![12, 16].into_iter().any(|link| sum(link) == Some(tile.len())) {
            let message = format!(
                "the numbers of the tile do not make up its length of {} bytes",
                tile.len()
            );
            return wrong(24, message);
        }
        // Below, every point lies within the tile: the sum is its length.
        let climb = reader.float(68)?;
        if (0.0..=1000.0).contains(&climb) {
            self.draft.step = self.draft.step.max(climb);
        }
        let radius = reader.float(64)?;
        if (0.0..=1000.0).contains(&radius) {
            self.least_radius = Some(self.least_radius.map_or(radius, |least| least.min(radius)));
        }
        let own_vertices = |polygon: usize| {
            let at = TILE_HEAD + 12 * vertices + POLYGON * polygon;
            let [corners, area_and_type] = reader.take(at + 30)?;
            let corners =
                if area_and_type >> 6 == 0 { usize::from(corners).min(CORNERS) } else { 0 };
            let shorts = (0..corners).map(|corner| reader.short(at + 4 + 2 * corner));
            shorts.map(|vertex| vertex.map(usize::from)).collect::<Result<Vec<_>, _>>()
        };
        // Connections have vertices of their own, which are left out.
        let mut is_used = vec![false; vertices];
        for polygon in 0..polygons {
            for vertex in own_vertices(polygon)? {
                if let Some(is_used) = is_used.get_mut(vertex) {
                    *is_used = true;
                }
            }
        }
        let mut names = vec![0; vertices];
        for vertex in (0..vertices).filter(|&vertex| is_used[vertex]) {
            let place = reader.place(TILE_HEAD + 12 * vertex)?;
            if !place.is_finite() {
                return wrong(TILE_HEAD + 12 * vertex, format!("vertex {vertex} lies nowhere"));
            }
            names[vertex] = self.draft.vertices.len() as u32;
            self.draft.vertices.push(place);
        }
        for polygon in 0..polygons {
            let at = TILE_HEAD + 12 * vertices + POLYGON * polygon;
            let [corners, area_and_type] = reader.take(at + 30)?;
            if area_and_type >> 6 != 0 {
                continue;
            }
            let corners = usize::from(corners);
            if !(3..=CORNERS).contains(&corners) {
                return wrong(at, format!("polygon {polygon} has {corners} corners, not 3 to 6"));
            }
            let mut own = Vec::with_capacity(CORNERS);
            for vertex in own_vertices(polygon)? {
                let Some(&name) = names.get(vertex) else {
                    let message = format!("polygon {polygon} names vertex {vertex} of {vertices}");
                    return wrong(at, message);
                };
                own.push(name);
            }
            if twice_area(&self.draft.vertices, &own) < 0.0 {
                own.reverse();
            }
            self.draft.push(&own, AreaId(area_and_type & MOST_AREA));
        }
        let connected = tile.len() - 36 * connections;
        for connection in 0..connections {
            let at = connected + 36 * connection;
            let (from, to) = (reader.place(at)?, reader.place(at + 12)?);
            if !from.is_finite() || !to.is_finite() || from == to {
                return wrong(at, format!("connection {connection} leads nowhere"));
            }
            let [flags] = reader.take(at + 30)?;
            let seconds = (from.distance(to) / CROSSING_SPEED).max(0.05);
            let two_way = flags & 1 != 0;
            let kind = LinkKind::Jump;
            self.links.push(JumpLink { kind, from, to, seconds, two_way });
        }
        Ok(())
    }
}

/// Returns the losses and changes of [`write()`], in sentences for people.
pub(crate) fn losses(linked: &LinkedMesh) -> Vec<String> {
    let mut lost = Vec::new();
    let large = linked.mesh.polygons().filter(|&id| linked.mesh.corners(id).len() > CORNERS);
    let large = large.count();
    if large > 0 {
        let polygons = crate::error::count(large, "polygon");
        lost.push(format!("{polygons} of more than {CORNERS} corners, cut into smaller ones"));
    }
    if !linked.links.is_empty() {
        lost.push("kinds and times of links: they are off-mesh connections".to_owned());
    }
    lost
}

/// Writes a mesh as a set of one tile, for an agent of the radius that the mesh is made for, 1.8 m
/// high, that climbs 0.5 m. Links become off-mesh connections. Polygons of more than six corners
/// are cut.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
/// use wayfare_formats::{LinkedMesh, detour};
///
/// let mut draft = MeshDraft::new(vec![Vec3::ZERO, Vec3::Z, Vec3::X]);
/// draft.push(&[0, 1, 2], AreaId(7));
/// let mesh = LinkedMesh::from(NavMesh::new(draft).expect("a triangle"));
/// assert_eq!(detour::read(&detour::write(&mesh)?)?, mesh);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// [`WorldErrorKind::NotRepresentable`]: an area above 63, more than 65,534 vertices or 32,766
/// polygons.
pub fn write(linked: &LinkedMesh) -> Result<Vec<u8>, WorldError> {
    let LinkedMesh { mesh, links } = linked;
    let no = |message: String| Err(WorldError::new(WorldErrorKind::NotRepresentable, message));
    let mut pieces: Vec<(Vec<u32>, u8)> = Vec::new();
    for polygon in mesh.polygons() {
        let AreaId(area) = mesh.area(polygon);
        if area > MOST_AREA {
            return no(format!("area {area} is above {MOST_AREA}, the last that Detour knows"));
        }
        cut(mesh.vertices(), mesh.corners(polygon).to_vec(), &mut |piece| {
            pieces.push((piece, area));
        });
    }
    let ground = pieces.len();
    let vertices = mesh.vertices().len() + 2 * links.len();
    let polygons = ground + links.len();
    if vertices > MOST_VERTICES || polygons > MOST_POLYGONS {
        return no(format!(
            "a tile of Detour has at most {MOST_VERTICES} vertices and {MOST_POLYGONS} polygons, and the \
             mesh needs {vertices} and {polygons}"
        ));
    }
    let mut owners = BTreeMap::new();
    for (number, (piece, _)) in pieces.iter().enumerate() {
        for (index, &from) in piece.iter().enumerate() {
            owners.insert((from, piece[(index + 1) % piece.len()]), number);
        }
    }
    let ends = links.iter().flat_map(|link| [link.from, link.to]);
    let places: Vec<Vec3> = mesh.vertices().iter().copied().chain(ends).collect();
    let nowhere = [Vec3::ZERO; 2];
    let bounds = places.iter().map(|&at| [at, at]);
    let [min, max] = bounds.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]).unwrap_or(nowhere);
    let corners: usize = pieces.iter().map(|(piece, _)| piece.len()).sum();
    let triangles: usize = pieces.iter().map(|(piece, _)| piece.len() - 2).sum();
    let most_links = corners + 2 * links.len();

    let mut tile = Vec::new();
    let counts = [polygons, vertices, most_links, ground, 0, triangles, 0, links.len(), ground];
    let head = [TILE_MAGIC, TILE_VERSION, 0, 0, 0, 0];
    // All counts are below 2³²: the polygons are below 2¹⁵, and have few corners each.
    put_words(&mut tile, head.into_iter().chain(counts.map(|count| count as u32)));
    let [height, climb] = AGENT;
    put_floats(&mut tile, [height, mesh.body_radius(), climb]);
    put_floats(&mut tile, min.to_array().into_iter().chain(max.to_array()).chain([1.0]));
    put_floats(&mut tile, places.iter().flat_map(Vec3::to_array));
    for (piece, area) in &pieces {
        let neighbour = |index: usize| {
            let edge = (piece[(index + 1) % piece.len()], piece[index]);
            owners.get(&edge).map_or(0, |&owner| owner as u16 + 1)
        };
        let neighbours: Vec<u16> = (0..piece.len()).map(neighbour).collect();
        let corners: Vec<u16> = piece.iter().map(|&vertex| vertex as u16).collect();
        put_polygon(&mut tile, &corners, &neighbours, *area);
    }
    for link in 0..links.len() {
        let from = (mesh.vertices().len() + 2 * link) as u16;
        put_polygon(&mut tile, &[from, from + 1], &[0, 0], 1 << 6);
    }
    tile.resize(tile.len() + 12 * most_links, 0);
    let mut triangle = 0;
    for (piece, _) in &pieces {
        put_words(&mut tile, [0, triangle]);
        let own = piece.len() - 2;
        tile.extend([0, own as u8, 0, 0]);
        triangle += own as u32;
    }
    for (piece, _) in &pieces {
        let last = piece.len() as u8 - 1;
        // Two bits an edge: whether it is an edge of the polygon.
        tile.extend((2..=last).flat_map(|corner| {
            let outer = 1 << 2 | u8::from(corner == 2) | u8::from(corner == last) << 4;
            [0, corner - 1, corner, outer]
        }));
    }
    for (number, link) in links.iter().enumerate() {
        let ends = link.from.to_array().into_iter().chain(link.to.to_array());
        put_floats(&mut tile, ends.chain([0.5]));
        tile.extend(((ground + number) as u16).to_le_bytes());
        tile.extend([u8::from(link.two_way), 0xff]);
        put_words(&mut tile, [number as u32]);
    }

    let mut bytes = Vec::new();
    put_words(&mut bytes, [SET_MAGIC, SET_VERSION, 1]);
    let size = (max - min).max(Vec3::splat(f32::MIN_POSITIVE));
    put_floats(&mut bytes, min.to_array().into_iter().chain([size.x, size.z]));
    let most = polygons.max(1).next_power_of_two() as u32;
    // A reference has the index of the polygon in its lowest bits, and a count from 1 above.
    put_words(&mut bytes, [1, most, most, tile.len() as u32]);
    bytes.extend(tile);
    Ok(bytes)
}

fn put_words(bytes: &mut Vec<u8>, words: impl IntoIterator<Item = u32>) {
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
}

fn put_floats(bytes: &mut Vec<u8>, floats: impl IntoIterator<Item = f32>) {
    bytes.extend(floats.into_iter().flat_map(f32::to_le_bytes));
}

fn put_polygon(bytes: &mut Vec<u8>, corners: &[u16], neighbours: &[u16], area_and_type: u8) {
    bytes.extend(u32::MAX.to_le_bytes());
    for list in [corners, neighbours] {
        let padded = list.iter().copied().chain(std::iter::repeat(0)).take(CORNERS);
        bytes.extend(padded.flat_map(u16::to_le_bytes));
    }
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend([corners.len() as u8, area_and_type]);
}

/// Returns twice the area of a polygon as seen from above: below 0 if its corners run clockwise.
fn twice_area(vertices: &[Vec3], corners: &[u32]) -> f64 {
    let place = |index: usize| vertices[corners[index] as usize].as_dvec3();
    let fan = 1..corners.len().saturating_sub(1);
    let triangles = fan.map(|index| {
        let (b, c) = (place(index) - place(0), place(index + 1) - place(0));
        b.z * c.x - b.x * c.z
    });
    triangles.sum()
}

/// Cuts a convex polygon into pieces of at most six corners, none without area.
///
/// Each cut takes off a piece by a diagonal that leaves area on both sides. A convex polygon with
/// area has one as long as it has more than three corners, since not all lie on one line.
fn cut(vertices: &[Vec3], mut corners: Vec<u32>, push: &mut dyn FnMut(Vec<u32>)) {
    while corners.len() > CORNERS {
        let all = twice_area(vertices, &corners);
        let count = corners.len();
        let sizes = (3..=CORNERS).rev();
        let found = sizes.flat_map(|size| (0..count).map(move |begin| (size, begin))).find(
            |&(size, begin)| {
                let piece: Vec<u32> =
                    (0..size).map(|index| corners[(begin + index) % count]).collect();
                let own = twice_area(vertices, &piece);
                own > all * 1e-9 && all - own > all * 1e-9
            },
        );
        let Some((size, begin)) = found else { break };
        corners.rotate_left(begin);
        push(corners[..size].to_vec());
        corners.drain(1..size - 1);
    }
    push(corners);
}
