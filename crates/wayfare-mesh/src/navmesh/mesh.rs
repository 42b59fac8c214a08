//! The mesh itself: vertices, polygons, and their edges.

use glam::{DVec3, Vec2, Vec3, Vec3Swizzles};
use wayfare_core::inside::{WordSum, state_id};
use wayfare_core::space::{ProfileId, Revision, StateId};

use super::build::NO_TWIN;
use super::layer::Layer;
use super::locator::{Locator, Rectangle};
use super::plan::{Raster, plan, turn};
use super::{AreaId, MeshDraft, MeshProfile, NavMeshError, NavMeshSpace, build};

state_id! {
    /// A polygon of a [`NavMesh`], numbered as in its draft.
    PolygonId
}

/// Polygons that were joined: corners without gaps, one polygon after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Rings {
    pub(super) vertices: Vec<Vec3>,
    /// Where the corners of each polygon begin; one entry more than polygons.
    pub(super) first: Vec<u32>,
    /// The vertex of each corner. The edge of a corner ends at the polygon's next one.
    pub(super) corners: Vec<u32>,
    /// The corner in the neighbouring polygon whose edge is the same one backwards, or [`NO_TWIN`].
    pub(super) twins: Vec<u32>,
}

/// The range of a polygon's corners in the tables; without corners there is no such polygon.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Span {
    #[doc(hidden)]
    pub begin: u32,
    #[doc(hidden)]
    pub end: u32,
    /// Whether a corner points inwards: neither single floats nor the raster can keep a corner on
    /// a slanting line.
    #[doc(hidden)]
    pub is_bent: bool,
    /// Whether all corners are equally high, to the last bit.
    pub(super) is_level: bool,
    /// Two opposite corners of a rectangle along the axes, counted from its first one; for other
    /// polygons one corner twice.
    pub(super) diagonal: [u8; 2],
}

impl Span {
    /// Returns the span of corners, given all vertices and their points of the raster.
    pub(super) fn of(
        [begin, end]: [u32; 2],
        corners: &[u32],
        vertices: &[Vec3],
        places: &[Vec2],
    ) -> Self {
        let own = &corners[begin as usize..end as usize];
        let is_bent = is_bent(places, vertices, own);
        let height = |corner: &u32| vertices[*corner as usize].y.to_bits();
        let is_level = own.windows(2).all(|pair| height(&pair[0]) == height(&pair[1]));
        let diagonal = (!is_bent).then(|| diagonal(vertices, own)).flatten().unwrap_or_default();
        Self { begin, end, is_bent, is_level, diagonal }
    }

    /// Returns two opposite corners of a rectangle along the axes; `None` for other polygons.
    #[inline]
    pub(super) fn diagonal(self) -> Option<[usize; 2]> {
        let corner = |from_first: u8| self.begin as usize + usize::from(from_first);
        (self.diagonal[0] != self.diagonal[1]).then(|| self.diagonal.map(corner))
    }

    /// Returns the corner after one of the polygon's.
    #[inline(always)]
    pub(crate) fn next(self, corner: u32) -> u32 {
        if corner + 1 == self.end { self.begin } else { corner + 1 }
    }

    /// Returns the corner before one of the polygon's.
    #[inline(always)]
    pub(crate) fn previous(self, corner: u32) -> u32 {
        if corner == self.begin { self.end - 1 } else { corner - 1 }
    }
}

/// The polygons as tables of corners. After live edits there may be indices without a polygon, and
/// corners that no polygon has.
#[derive(Clone, Debug)]
pub struct Tables {
    #[doc(hidden)]
    pub vertices: Vec<Vec3>,
    /// The point of the raster for each vertex.
    pub(super) places: Vec<Vec2>,
    /// The corners of each polygon.
    #[doc(hidden)]
    pub spans: Vec<Span>,
    /// The vertex of each corner. The edge of a corner ends at the polygon's next one.
    #[doc(hidden)]
    pub corners: Vec<u32>,
    /// The corner in the neighbouring polygon whose edge is the same one backwards, or [`NO_TWIN`].
    pub(crate) twins: Vec<u32>,
    /// The polygon of each corner; [`NO_TWIN`] if no polygon has it.
    #[doc(hidden)]
    pub owners: Vec<u32>,
    /// The raster of the points that searches use.
    pub(crate) raster: Raster,
}

impl From<Rings> for Tables {
    fn from(Rings { vertices, first, corners, twins }: Rings) -> Self {
        let raster = Raster::around(&vertices);
        let places: Vec<Vec2> = vertices.iter().map(|&at| raster.place(at)).collect();
        let spans = first
            .windows(2)
            .map(|own| Span::of([own[0], own[1]], &corners, &vertices, &places))
            .collect();
        let mut owners = Vec::with_capacity(corners.len());
        for (polygon, own) in (0..).zip(first.windows(2)) {
            owners.resize(own[1] as usize, polygon);
        }
        Self { vertices, places, spans, corners, twins, owners, raster }
    }
}

impl Tables {
    /// Returns the next corner of the same polygon.
    #[inline(always)]
    #[doc(hidden)]
    pub fn next(&self, corner: u32) -> u32 {
        self.spans[self.owners[corner as usize] as usize].next(corner)
    }

    /// Returns the corner before this one in the same polygon.
    #[inline(always)]
    #[doc(hidden)]
    pub fn previous(&self, corner: u32) -> u32 {
        self.spans[self.owners[corner as usize] as usize].previous(corner)
    }

    /// Returns whether a corner of a polygon points inwards on the raster.
    #[inline]
    pub(super) fn is_dent(&self, corner: u32) -> bool {
        let place = |corner: u32| self.place(corner).as_dvec2();
        self.spans[self.owners[corner as usize] as usize].is_bent
            && turn(place(self.previous(corner)), place(corner), place(self.next(corner))) < 0.0
    }

    /// Returns a hash of all vertices and polygons. O(corners).
    pub(super) fn fingerprint(&self) -> u64 {
        let mut sum = WordSum::default();
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        for at in &self.vertices {
            let [x, y, z] = at.to_array().map(f32::to_bits);
            sum.word(pair(x, y));
            sum.word(u64::from(z));
        }
        for span in &self.spans {
            sum.word(pair(span.begin, span.end));
        }
        for (&corner, &twin) in self.corners.iter().zip(&self.twins) {
            sum.word(pair(corner, twin));
        }
        sum.0
    }

    /// Returns the point of the raster for a corner.
    pub(super) fn place(&self, corner: u32) -> Vec2 {
        self.places[self.corners[corner as usize] as usize]
    }
}

/// Returns the corner of the least and that of the greatest coordinates of a polygon that nowhere
/// points inwards, if all of its edges run along an axis: it is a rectangle.
fn diagonal(vertices: &[Vec3], corners: &[u32]) -> Option<[u8; 2]> {
    let place = |corner: &u32| vertices[*corner as usize].xz();
    let (first, last) = (corners.first()?, corners.last()?);
    let (mut before, mut lower, mut upper) = (place(last), place(first), place(first));
    for at in corners.iter().map(place) {
        if !at.cmpeq(before).any() {
            return None;
        }
        (before, lower, upper) = (at, lower.min(at), upper.max(at));
    }
    let corner =
        |end: Vec2| u8::try_from(corners.iter().position(|corner| place(corner) == end)?).ok();
    Some([corner(lower)?, corner(upper)?])
}

/// Returns whether a corner of a polygon points inwards, as it is stored or on the raster.
fn is_bent(places: &[Vec2], vertices: &[Vec3], corners: &[u32]) -> bool {
    let of = |corner: u32| {
        let corner = corner as usize;
        (places[corner].as_dvec2(), plan(vertices[corner]))
    };
    let [.., before, last] = corners else { return false };
    let (mut a, mut b) = (of(*before), of(*last));
    corners.iter().any(|&corner| {
        let c = of(corner);
        let turns_in = turn(a.0, b.0, c.0) < 0.0 || turn(a.1, b.1, c.1) < 0.0;
        (a, b) = (b, c);
        turns_in
    })
}

/// A navigation mesh: convex polygons that agents walk on, joined along their edges.
///
/// Polygons may lie above each other, like the floors of a house. Lengths are measured from above:
/// a path up a ramp counts by its run, not its rise.
///
/// A mesh never changes; an edit makes another one. Made from a [`MeshDraft`], which has an
/// example.
///
/// Memory: about 60 bytes a corner, and 25 for each further profile.
///
/// Example: [`MeshDraft`](super::MeshDraft).
#[derive(Clone, Debug)]
pub struct NavMesh {
    #[doc(hidden)]
    pub tables: Tables,
    pub(super) areas: Vec<AreaId>,
    pub(super) layers: Vec<Layer>,
    pub(super) locator: Locator,
    pub(super) revision: Revision,
    /// The count of polygons; the tables may have room for more.
    pub(super) count: usize,
    /// The [fingerprint](Tables::fingerprint) of the base, if the mesh is edited live.
    pub(super) base: Option<u64>,
    /// In metres.
    pub(super) body_radius: f32,
}

/// Equal vertices, polygons, areas and radius of bodies; profiles do not count.
impl PartialEq for NavMesh {
    fn eq(&self, other: &Self) -> bool {
        self.body_radius == other.body_radius
            && self.tables.vertices == other.tables.vertices
            && self.polygons().eq(other.polygons())
            && self.polygons().all(|polygon| {
                self.area(polygon) == other.area(polygon)
                    && self.corners(polygon) == other.corners(polygon)
                    && self.neighbours(polygon).eq(other.neighbours(polygon))
            })
    }
}

impl NavMesh {
    /// Checks a draft and joins its polygons. O(n log n) for n corners.
    ///
    /// The mesh has one profile, in which all areas cost the same.
    ///
    /// # Errors
    /// If a coordinate is NaN or beyond ±16,777,216; a polygon is not convex, not counter-clockwise
    /// or without area; or two polygons lie on the same side of an edge. The error names the
    /// polygon and the vertex.
    pub fn new(draft: MeshDraft) -> Result<Self, NavMeshError> {
        let rings = build::join(&draft)?;
        Ok(Self::from_rings(rings, draft.areas).with_body_radius(draft.body_radius))
    }

    /// Returns the radius of the bodies that the mesh is made for, in metres, 0 or more: its border
    /// keeps that distance from walls.
    ///
    /// A body needs no more room on the mesh than its own radius exceeds this one by. 0 for meshes
    /// whose border is the walls themselves. Baked meshes have the radius of their walker, and
    /// [`narrowed`](Self::narrowed) adds what it takes away; files keep it.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{MeshDraft, NavMesh};
    ///
    /// let grid = Grid::from_rows(&["....", "....", "...."])?;
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
    /// assert_eq!(mesh.body_radius(), 0.0);
    /// assert_eq!(mesh.narrowed(0.5)?.body_radius(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn body_radius(&self) -> f32 {
        self.body_radius
    }

    /// Returns the same mesh, made for bodies of that radius in metres, 0 to 1,000: of use for
    /// meshes of other tools, which do not say. Values outside of the range count as the nearest
    /// one, and NaN as 0. See [`body_radius`](Self::body_radius).
    #[must_use]
    pub fn with_body_radius(self, body_radius: f32) -> Self {
        let body_radius = if body_radius.is_nan() { 0.0 } else { body_radius };
        Self { body_radius: body_radius.clamp(0.0, build::MOST_RADIUS), ..self }
    }

    /// Returns a mesh of polygons that were joined rightly.
    pub(super) fn from_rings(rings: Rings, areas: Vec<AreaId>) -> Self {
        let tables = Tables::from(rings);
        let boxes: Vec<Rectangle> = (tables.spans.iter())
            .map(|own| {
                let own = &tables.corners[own.begin as usize..own.end as usize];
                Rectangle::around(own.iter().map(|&vertex| tables.vertices[vertex as usize]))
            })
            .collect();
        let locator = Locator::build(&boxes);
        let layers = vec![Layer::build(&tables, &areas, MeshProfile::default())];
        let count = areas.len();
        let (revision, base, body_radius) = Default::default();
        Self { tables, areas, layers, locator, revision, count, base, body_radius }
    }

    /// Returns the same mesh with polygons, corners and vertices numbered without gaps, in the
    /// order that they have. O(corners).
    ///
    /// Of use for files and tables that know no gaps; see [`bound`](Self::bound).
    #[must_use]
    pub fn renumbered(&self) -> Self {
        let mut rings = Rings { first: vec![0], ..Rings::default() };
        let mut areas = Vec::with_capacity(self.count);
        let mut moved = vec![NO_TWIN; self.tables.corners.len()];
        let mut vertices = vec![NO_TWIN; self.tables.vertices.len()];
        for polygon in self.polygons() {
            for corner in self.own(polygon) {
                moved[corner] = rings.corners.len() as u32;
                let vertex = self.tables.corners[corner];
                vertices[vertex as usize] = 0;
                rings.corners.push(vertex);
                rings.twins.push(self.tables.twins[corner]);
            }
            rings.first.push(rings.corners.len() as u32);
            areas.push(self.area(polygon));
        }
        for (number, &place) in vertices.iter_mut().zip(&self.tables.vertices) {
            if *number == 0 {
                *number = rings.vertices.len() as u32;
                rings.vertices.push(place);
            }
        }
        for vertex in &mut rings.corners {
            *vertex = vertices[*vertex as usize];
        }
        for twin in rings.twins.iter_mut().filter(|twin| **twin != NO_TWIN) {
            *twin = moved[*twin as usize];
        }
        let mut mesh = self.with_rings(rings, areas);
        mesh.revision = self.revision;
        mesh
    }

    /// Returns other polygons, in the profiles of this mesh; an edit later.
    pub(super) fn with_rings(&self, rings: Rings, areas: Vec<AreaId>) -> Self {
        let mut mesh = Self::from_rings(rings, areas);
        if self.layers[0].profile != mesh.layers[0].profile {
            mesh.layers.clear();
        }
        for layer in &self.layers[mesh.layers.len()..] {
            mesh.layers.push(Layer::build(&mesh.tables, &mesh.areas, layer.profile.clone()));
        }
        mesh.revision = self.revision.next();
        mesh.body_radius = self.body_radius;
        mesh
    }

    /// Adds a profile: a class of agents with costs of their own. O(corners).
    ///
    /// # Errors
    /// When there are 65,536 profiles.
    pub fn add_profile(&mut self, profile: MeshProfile) -> Result<ProfileId, NavMeshError> {
        let id = u16::try_from(self.layers.len()).map_err(|_| NavMeshError::TooManyProfiles)?;
        self.layers.push(Layer::build(&self.tables, &self.areas, profile));
        Ok(ProfileId(id))
    }

    /// Returns whether there is a profile with that id.
    #[must_use]
    pub fn has_profile(&self, profile: ProfileId) -> bool {
        usize::from(profile.0) < self.layers.len()
    }

    /// Returns the mesh as its first profile sees it, in which all areas cost the same.
    #[must_use]
    pub fn space(&self) -> NavMeshSpace<'_> {
        self.space_of(ProfileId::default())
    }

    /// Returns the mesh as a profile sees it.
    ///
    /// For an unknown id all states are blocked: every query is answered with
    /// [`NoSuchProfile`](wayfare_core::space::Obstruction::NoSuchProfile).
    #[must_use]
    pub fn space_of(&self, profile: ProfileId) -> NavMeshSpace<'_> {
        let layer = self.layers.get(usize::from(profile.0));
        NavMeshSpace::new(self, layer.unwrap_or(&self.layers[0]), layer.is_some())
    }

    /// Returns the number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no polygons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the size of a table by polygon: all indices are below it. The same as
    /// [`len`](Self::len) unless the mesh is [edited live](super::LiveMesh): then some indices may
    /// have no polygon.
    #[must_use]
    #[inline]
    pub fn bound(&self) -> usize {
        self.areas.len()
    }

    /// Returns all polygons in order.
    pub fn polygons(&self) -> impl DoubleEndedIterator<Item = PolygonId> + Clone + '_ {
        (0..self.areas.len() as u32).map(PolygonId).filter(|&polygon| self.has(polygon))
    }

    /// Returns the polygon with that index, if there is one.
    #[must_use]
    pub fn polygon(&self, index: u32) -> Option<PolygonId> {
        self.has(PolygonId(index)).then_some(PolygonId(index))
    }

    /// Returns whether there is a polygon with that index.
    #[must_use]
    #[inline]
    pub fn has(&self, polygon: PolygonId) -> bool {
        let span = self.tables.spans.get(polygon.0 as usize);
        span.is_some_and(|span| span.begin != span.end)
    }

    /// Returns the vertices in metres; y is up. Some may be in no polygon.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.tables.vertices
    }

    /// Returns the area of a polygon.
    ///
    /// # Panics
    /// If the index is not below [`bound`](Self::bound). So do all methods that take a polygon. An
    /// index without a polygon counts as a polygon without corners.
    #[must_use]
    #[inline]
    pub fn area(&self, polygon: PolygonId) -> AreaId {
        self.areas[polygon.0 as usize]
    }

    /// Returns the vertices of a polygon's corners, counter-clockwise seen from above. Where an
    /// edge of a neighbour ends between two corners there is a further one, with an angle of 180°.
    #[must_use]
    #[inline]
    pub fn corners(&self, polygon: PolygonId) -> &[u32] {
        &self.tables.corners[self.own(polygon)]
    }

    /// Returns the positions of a polygon's corners.
    pub fn outline(
        &self,
        polygon: PolygonId,
    ) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + Clone + '_ {
        self.corners(polygon).iter().map(|&vertex| self.tables.vertices[vertex as usize])
    }

    /// Returns the neighbour across each edge of a polygon, in the order of its corners; an edge
    /// runs from its corner to the next one. `None`: there the mesh ends.
    pub fn neighbours(
        &self,
        polygon: PolygonId,
    ) -> impl DoubleEndedIterator<Item = Option<PolygonId>> + ExactSizeIterator + '_ {
        self.tables.twins[self.own(polygon)]
            .iter()
            .map(|&twin| (twin != NO_TWIN).then(|| PolygonId(self.tables.owners[twin as usize])))
    }

    /// Returns the middle of a polygon's corners.
    #[must_use]
    pub fn middle(&self, polygon: PolygonId) -> Vec3 {
        self.exact_middle(polygon).as_vec3()
    }

    /// Returns the centroid of the corners in f64: inside the outline even for slivers.
    pub(super) fn exact_middle(&self, polygon: PolygonId) -> DVec3 {
        let sum = self.outline(polygon).fold(DVec3::ZERO, |sum, at| sum + at.as_dvec3());
        sum / self.corners(polygon).len() as f64
    }

    /// Returns the size of a polygon seen from above, in square metres.
    #[must_use]
    pub fn plan_area(&self, polygon: PolygonId) -> f64 {
        let mut outline = self.outline(polygon).map(plan);
        let (Some(origin), Some(mut before)) = (outline.next(), outline.next()) else { return 0.0 };
        let doubled = outline.fold(0.0, |sum, at| {
            let part = turn(origin, before, at);
            before = at;
            sum + part
        });
        doubled / 2.0
    }

    /// Returns the count of edits.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the memory of the mesh, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        let tables = &self.tables;
        let words = [&tables.corners, &tables.twins, &tables.owners];
        words.iter().map(|table| table.capacity()).sum::<usize>() * size_of::<u32>()
            + tables.spans.capacity() * size_of::<Span>()
            + tables.vertices.capacity() * size_of::<Vec3>()
            + tables.places.capacity() * size_of::<Vec2>()
            + self.areas.capacity()
            + self.locator.size_in_bytes()
            + self.layers.iter().map(Layer::size_in_bytes).sum::<usize>()
    }

    /// Returns the corners of a polygon in the tables.
    #[inline]
    pub(crate) fn own(&self, polygon: PolygonId) -> std::ops::Range<usize> {
        let Span { begin, end, .. } = self.tables.spans[polygon.index() as usize];
        begin as usize..end as usize
    }

    /// Returns the number of corners of all polygons.
    pub(super) fn corner_count(&self) -> usize {
        self.tables.corners.len()
    }

    /// Returns the corner in the neighbouring polygon whose edge is the same one backwards, or
    /// [`NO_TWIN`].
    pub(super) fn twin(&self, corner: u32) -> u32 {
        self.tables.twins[corner as usize]
    }

    /// Returns the polygon of a corner.
    pub(super) fn owner(&self, corner: u32) -> PolygonId {
        PolygonId(self.tables.owners[corner as usize])
    }

    /// Returns the position of a corner.
    pub(super) fn place(&self, corner: u32) -> Vec3 {
        self.tables.vertices[self.tables.corners[corner as usize] as usize]
    }

    /// Returns the distance below which a point counts as lying on a line.
    pub(super) fn tolerance(&self) -> f64 {
        build::tolerance(&self.tables.vertices).max(build::ON_LINE)
    }
}
