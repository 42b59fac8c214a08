//! Indexes of meshes as bytes.
//!
//! The [frame](crate::index::frame) with six counts: `n` bends, `w` ways, `h` hubs, `p` polygons
//! (with removed ones, whose indices stay) and `v` views, and the exponent `e` (signed): a metre
//! costs `2^e`. In words of 4 bytes:
//!
//! | words | content |
//! |---|---|
//! | n | the corner of each bend, in order of importance |
//! | n | the number of ways of each bend |
//! | 2 w | each way: the next bend and the number of hubs |
//! | 2 h | each hub: its bend and its cost |
//! | p | the number of views of each polygon |
//! | 3 v | each view: its bend, and the corners to its right and left |
//!
//! # Why no file can lead a path through a wall
//!
//! The positions and walls of bends are computed from the mesh. A query walks each leg of its path
//! over the polygons (`walk.rs`), whatever the file says, and leaves the answer to a search if a
//! leg cannot be walked.
//!
//! # Why queries end
//!
//! Each hub must be justified by its way: the next bend has the same hub, at a cost lower by
//! exactly the edge, which costs 1 at least; else decoding fails. So costs fall along the ways to a
//! hub, and only the hub itself has the cost 0.
//!
//! So a forged file can make a path longer than necessary, or slower to find, and nothing worse.

use wayfare_mesh::navmesh::NavMeshSpace;

use super::bends::Bends;
use super::build::{FARTHEST, MeshIndex, OtherMesh, check, cost, fingerprint, width};
use super::views::{View, Views};
use super::ways::Ways;
use crate::index::frame::{
    Frame, FrameWriter, IndexFileError, IndexFileFault, IndexKind, Words, permutation,
};
use crate::index::labels::Hub;

/// Returns the words of the contents for `n` bends, `w` ways, `h` hubs, `p` polygons and `v` views.
pub(in crate::index) fn words([n, w, h, p, v, _]: [u64; 6]) -> u64 {
    2 * n + 2 * w + 2 * h + p + 3 * v
}

impl MeshIndex {
    /// Encodes the index as the contents of a file. The same index always has the same bytes.
    ///
    /// ```
    /// use wayfare::index::MeshIndex;
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{MeshDraft, NavMesh};
    ///
    /// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
    /// let bytes = MeshIndex::new(&mesh.space())?.encode();
    /// let index = MeshIndex::decode(&mesh.space(), &bytes)?;
    /// assert_eq!(index.bends(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let Self { bends, ways, views, .. } = self;
        let nodes = bends.all.len() as u32;
        let polygons = views.polygons();
        // A power of two: its exponent is all there is to it.
        let exponent = (self.scale.to_bits() >> 52) as u32;
        let exponent = exponent.wrapping_sub(EXPONENT_OF_ONE);
        let counts =
            [nodes, ways.count() as u32, ways.len() as u32, polygons, views.len() as u32, exponent];
        let room = words(counts.map(u64::from)) as usize;
        let mut file = FrameWriter::new(IndexKind::Mesh, self.fingerprint, &counts, room);
        bends.all.iter().for_each(|bend| file.put(bend.corner));
        (0..nodes).for_each(|node| file.put(ways.of(node).count() as u32));
        for (way, hubs) in (0..nodes).flat_map(|node| ways.of(node)) {
            file.put(way.next());
            file.put(hubs.len() as u32);
        }
        for hub in (0..nodes).flat_map(|node| ways.of(node)).flat_map(|(_, hubs)| hubs) {
            file.put(hub.node);
            file.put(hub.cost);
        }
        (0..polygons).for_each(|polygon| file.put(views.of(polygon).len() as u32));
        for view in (0..polygons).flat_map(|polygon| views.of(polygon)) {
            [view.node, view.right, view.left].into_iter().for_each(|word| file.put(word));
        }
        file.seal()
    }

    /// Decodes the index of a mesh from the bytes that [`MeshIndex::encode`] returned.
    ///
    /// Time is O(corners · log(corners) + bytes) and memory O(corners + bytes), whatever counts the
    /// bytes claim.
    ///
    /// # Errors
    /// If the bytes are no index, or not one of this mesh: see [`IndexFileError`].
    pub fn decode(space: &NavMeshSpace<'_>, bytes: &[u8]) -> Result<Self, IndexFileError> {
        check(space)?;
        let Frame { fingerprint: of, counts, contents: mut rest } =
            Frame::open(IndexKind::Mesh, bytes, words)?;
        if of != fingerprint(space) {
            return Err(OtherMesh.into());
        }
        let [nodes, way_count, hub_count, polygons, _, exponent] = counts;
        let scale = scale(space, exponent.cast_signed())?;
        let found = Bends::new(space);
        if nodes as usize != found.all.len() {
            return Err(IndexFileFault::NodeCount.at(nodes as usize));
        }
        let bends = renamed(&found, rest.take_words(nodes as usize))?;
        let counts = rest.take_words(nodes as usize);
        let heads = rest.take_words(2 * way_count as usize);
        let hubs = rest.take_words(2 * hub_count as usize);
        let ways = ways(&bends, counts, heads, hubs)?;
        let cost = |a: u32, b: u32| cost(&bends, scale, a, b);
        if let Some(node) = ways.unjustified(nodes, cost) {
            return Err(IndexFileFault::NoWayToHub.at(node as usize));
        }
        if polygons as usize != space.mesh().bound() {
            return Err(IndexFileFault::ViewCount.at(polygons as usize));
        }
        let counts = rest.take_words(polygons as usize);
        let views = views(counts, rest, nodes, space.layer.corners.len())?;
        Ok(Self { fingerprint: of, bends, ways, views, scale })
    }
}

/// The exponent that floats of 64 bits keep for 1.
const EXPONENT_OF_ONE: u32 = 1023;

/// Returns the units of cost to a metre.
fn scale(space: &NavMeshSpace<'_>, exponent: i32) -> Result<f64, IndexFileError> {
    // More than single floats reach to either side.
    let is_sane = (-200..200).contains(&exponent);
    let biased = u64::from(EXPONENT_OF_ONE).saturating_add_signed(i64::from(exponent));
    let scale = f64::from_bits(biased << 52);
    let fits = is_sane && width(space) * scale <= FARTHEST;
    if fits { Ok(scale) } else { Err(IndexFileFault::Unit.at(0)) }
}

/// Returns the bends of a mesh in the order that their corners are told in.
fn renamed(found: &Bends, corners: Words<'_>) -> Result<Bends, IndexFileError> {
    let mut places: Vec<(u32, u32)> =
        (0..).zip(&found.all).map(|(place, bend)| (bend.corner, place)).collect();
    places.sort_unstable();
    let place = |corner: u32| {
        let at = places.binary_search_by_key(&corner, |&(corner, _)| corner).ok()?;
        Some(places[at].1)
    };
    let order = permutation(corners.map(place))?;
    let mut names = vec![0; order.len()];
    (0..).zip(&order).for_each(|(name, &place)| names[place as usize] = name);
    Ok(found.renamed(&names))
}

/// Returns the ways of bends: next bends and hubs ascend.
fn ways(
    bends: &Bends,
    counts: Words<'_>,
    mut heads: Words<'_>,
    mut hubs: Words<'_>,
) -> Result<Ways, IndexFileError> {
    let nodes = bends.all.len() as u32;
    let mut ways = Ways::with_capacity(nodes as usize, heads.len() / 2, hubs.len() / 2);
    for (node, count) in (0..nodes).zip(counts) {
        let mut least = 0;
        for _ in 0..count {
            let (Some(next), Some(length)) = (heads.next(), heads.next()) else {
                return Err(IndexFileFault::WayOrder.at(node as usize));
            };
            if next < least || next >= nodes {
                return Err(IndexFileFault::WayOrder.at(node as usize));
            }
            least = next + 1;
            if hubs.len() / 2 < length as usize {
                return Err(IndexFileFault::MissingHubs.at(node as usize));
            }
            let hub = |_| Some(Hub { node: hubs.next()?, cost: hubs.next()? });
            let own = ways.push(bends, node, next, (0..length).filter_map(hub));
            let is_own = |own: &[Hub]| own == [Hub { node, cost: 0 }];
            if !own.is_sorted_by(|a, b| a.node < b.node) || (next == node && !is_own(own)) {
                return Err(IndexFileFault::HubOrder.at(node as usize));
            }
        }
        ways.end_node();
    }
    match (heads.len(), hubs.len()) {
        (0, 0) => Ok(ways),
        (0, _) => Err(IndexFileFault::SurplusHubs.at(0)),
        _ => Err(IndexFileFault::WayOrder.at(nodes as usize)),
    }
}

/// Returns the views of polygons.
fn views(
    counts: Words<'_>,
    mut rest: Words<'_>,
    nodes: u32,
    corners: usize,
) -> Result<Views, IndexFileError> {
    let mut views = Views::with_capacity(counts.len(), rest.len() / 3);
    for (polygon, count) in counts.enumerate() {
        for _ in 0..count {
            let (Some(node), Some(right), Some(left)) = (rest.next(), rest.next(), rest.next())
            else {
                return Err(IndexFileFault::ViewCount.at(polygon));
            };
            let view = View { node, right, left };
            if node >= nodes || !view.is_among(corners) {
                return Err(IndexFileFault::NoSuchView.at(polygon));
            }
            views.push(view);
        }
        views.end_polygon();
    }
    if rest.len() == 0 { Ok(views) } else { Err(IndexFileFault::ViewCount.at(views.len())) }
}
