//! The mesh and its edits.

use glam::DVec2;
use wayfare_core::space::{ProfileId, StateId};

use super::super::carve::Hole;
use super::super::index_set::IndexSet;
use super::super::layer::Layer;
use super::super::{
    AreaId, Carving, HeightReach, MeshPoint, MeshProfile, NavMesh, NavMeshError, PolygonId,
};
use super::arena::Arena;
use super::carvings::{CarvingId, Carvings, Entry, LiveMeshError};
use super::cells::{Cell, NONE};
use super::layers::{self, Groups, Written};
use super::marks::Marks;
use super::stitch::{Region, Stitch};

/// A carving that is in a [`LiveMesh`], with its id.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{CarvedGround, Carving, KnownCarving, LiveMesh, MeshDraft, NavMesh, Prism};
///
/// let grid = Grid::from_rows(&["....", "...."]).unwrap();
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
/// let prism = Prism::cylinder(Vec3::new(2.0, 0.0, 1.0), 0.5, 1.0)?;
/// let carving = Carving { prism, ground: CarvedGround::Blocked };
/// let mut live = LiveMesh::new(mesh);
/// let id = live.insert(carving.clone())?;
/// assert!(live.carvings().eq([KnownCarving { id, carving: &carving }]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownCarving<'l> {
    /// Its id.
    pub id: CarvingId,
    /// The carving.
    pub carving: &'l Carving,
}

/// A navigation mesh that obstacles and areas are put on, moved over and taken from.
///
/// The cost of an edit is proportional to the polygons it touches. Polygons that no changed carving
/// affects, and that share no edge with an affected one, keep their indices. The ground after any
/// edits is that of [`NavMesh::carved`] with the present carvings, in order of id.
///
/// The indices of polygons depend on the order of edits. A polygon of the base that is cut keeps
/// its index for its first piece; the other pieces get free indices, the lowest first, which no
/// polygon of the base has. Free indices have no polygon ([`NavMesh::has`]). The same edits on
/// equal meshes give the same indices, and a clone has them too.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{
///     CarvedGround, Carving, CarvingId, LiveMesh, MeshDraft, NavMesh, Prism,
/// };
///
/// let grid = Grid::from_rows(&["....", "....", "...."]).unwrap();
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
/// let mut live = LiveMesh::new(mesh);
/// let door = Prism::cuboid(Vec3::new(2.0, 0.0, 1.5), Vec3::new(0.2, 1.0, 5.0), 0.0)?;
/// let door: CarvingId = live.insert(Carving { prism: door, ground: CarvedGround::Blocked })?;
/// assert_eq!(live.mesh().space().count_islands().islands, 2);
/// live.remove(door)?;
/// assert_eq!(live.mesh().space().count_islands().islands, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveMesh {
    /// Its layers know the areas that there were in the beginning.
    base: NavMesh,
    first_areas: Vec<AreaId>,
    /// The count of polygons of each area.
    counts: Box<[u32; 256]>,
    mesh: NavMesh,
    tolerance: f64,
    carvings: Carvings,
    cells: Vec<Cell>,
    arena: Arena,
    /// Polygons of the base to be cut again.
    edited: IndexSet,
    affected: Vec<PolygonId>,
    memory: Memory,
}

/// Memory of edits, used again by the next one.
#[derive(Clone, Debug, Default)]
struct Memory {
    clipped: [Vec<DVec2>; 2],
    /// The polygons to be cut again, in order, and those of them that are in no group yet.
    edited: Vec<u32>,
    is_left: Marks,
    /// The affected polygons so far.
    affected: IndexSet,
    region: Region,
    groups: Groups,
}

impl LiveMesh {
    /// Takes a mesh as the base of edits. Its polygons keep their indices, unless it was itself
    /// edited live: then they are renumbered without gaps. O(corners).
    #[must_use]
    pub fn new(mesh: NavMesh) -> Self {
        let mesh = if mesh.len() == mesh.bound() { mesh } else { mesh.renumbered() };
        let mut counts = Box::new([0; 256]);
        for area in &mesh.areas {
            counts[usize::from(area.0)] += 1;
        }
        let mut live = Self {
            tolerance: mesh.tolerance(),
            cells: vec![Cell::default(); mesh.bound()],
            arena: Arena::new(&mesh),
            base: mesh.clone(),
            first_areas: mesh.areas.clone(),
            counts,
            mesh,
            carvings: Carvings::default(),
            edited: IndexSet::default(),
            affected: Vec::new(),
            memory: Memory::default(),
        };
        live.mesh.base = Some(live.base.tables.fingerprint());
        for index in 0..live.mesh.layers.len() {
            live.mesh.layers[index] = live.layer(index);
        }
        live
    }

    /// Returns the layer of a profile of the base, for the mesh as it is now.
    fn layer(&self, index: usize) -> Layer {
        let base = (&self.base, &self.base.layers[index]);
        let (mesh, arena, cells) = (&self.mesh, &self.arena, &self.cells);
        let mut layer = layers::build(base, &self.first_areas, mesh, arena, cells);
        layer.set_present(&self.counts.map(|count| count > 0));
        layer
    }

    /// Returns the mesh as it is now: searches, queries and pictures work on it.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Returns the mesh without any carving. Changes of areas count.
    #[must_use]
    pub fn base(&self) -> &NavMesh {
        &self.base
    }

    /// Returns the carvings that are there, in order of id.
    pub fn carvings(&self) -> impl ExactSizeIterator<Item = KnownCarving<'_>> {
        self.carvings.iter().map(|(id, entry)| KnownCarving { id, carving: &entry.carving })
    }

    /// Returns a carving that is there.
    ///
    /// # Errors
    /// When it is not.
    pub fn carving(&self, id: CarvingId) -> Result<&Carving, LiveMeshError> {
        self.carvings.get(id).map(|entry| &entry.carving)
    }

    /// Returns the polygons whose moves changed by the last edit or batch of edits, in order: the
    /// removed polygons, the polygons that are new or got other corners, and their neighbours.
    #[must_use]
    pub fn affected(&self) -> &[PolygonId] {
        &self.affected
    }

    /// Puts a carving on the mesh.
    ///
    /// # Errors
    /// After 2³² carvings.
    pub fn insert(&mut self, carving: Carving) -> Result<CarvingId, LiveMeshError> {
        self.edit().insert(carving)
    }

    /// Replaces a carving: moves it, or changes its shape or ground. It keeps its id, and its rank
    /// among overlapping ones.
    ///
    /// # Errors
    /// When there is no such carving.
    pub fn replace(&mut self, id: CarvingId, carving: Carving) -> Result<(), LiveMeshError> {
        self.edit().replace(id, carving)
    }

    /// Takes a carving from the mesh.
    ///
    /// # Errors
    /// When there is no such carving.
    pub fn remove(&mut self, id: CarvingId) -> Result<Carving, LiveMeshError> {
        self.edit().remove(id)
    }

    /// Changes the area of a polygon of the base, with all its pieces that are not areas of
    /// carvings.
    ///
    /// # Errors
    /// When the base has no such polygon.
    pub fn set_area(&mut self, polygon: PolygonId, area: AreaId) -> Result<(), LiveMeshError> {
        self.edit().set_area(polygon, area)
    }

    /// Replaces the base: ground was loaded, unloaded or baked again. An edit that affects all
    /// polygons, since all may get other indices.
    ///
    /// Carvings keep their ids and are put on the new ground. The profiles are those of this mesh;
    /// the profiles of `mesh` do not count. Areas that were [set](Self::set_area) are forgotten.
    /// The indices of polygons are a function of `mesh` and the carvings. O(corners) for each
    /// profile.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{LiveMesh, MeshDraft, NavMesh};
    ///
    /// let mesh = |rows: &[&str]| {
    ///     let grid = Grid::from_rows(rows).unwrap();
    ///     NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
    /// };
    /// let mut live = LiveMesh::new(mesh(&["..", ".."]));
    /// live.set_base(mesh(&["....", ".##.", "...."]));
    /// assert_eq!(live.mesh().len(), 4);
    /// ```
    pub fn set_base(&mut self, mesh: NavMesh) {
        let mut mesh = if mesh.len() == mesh.bound() { mesh } else { mesh.renumbered() };
        let known = std::mem::take(&mut mesh.layers);
        let mut known = known.into_iter().next();
        for layer in &self.base.layers {
            let fitting = known.take().filter(|known| known.profile == layer.profile);
            mesh.layers.push(
                fitting.unwrap_or_else(|| {
                    Layer::build(&mesh.tables, &mesh.areas, layer.profile.clone())
                }),
            );
        }
        mesh.revision = self.mesh.revision.next();
        let revision = mesh.revision;
        let mut live = Self::new(mesh);
        live.carvings = std::mem::take(&mut self.carvings);
        let ids: Vec<CarvingId> = live.carvings.iter().map(|(id, _)| id).collect();
        for id in ids {
            let Ok(known) = live.carvings.get(id) else { continue };
            let entry = live.entry(known.carving.clone());
            // The id is that of a carving.
            let _ = live.carvings.replace(id, entry).and_then(|_| live.takes_effect(id));
        }
        if !live.edited.is_empty() {
            live.apply();
        }
        live.mesh.revision = revision;
        live.affected = live.mesh.polygons().collect();
        *self = live;
    }

    /// Begins a batch of edits, which count as one. They take effect when the batch is dropped.
    ///
    /// Cheaper than single edits where these touch the same polygons.
    pub fn edit(&mut self) -> MeshEdits<'_> {
        MeshEdits { live: self }
    }

    /// Adds a profile, as [`NavMesh::add_profile`] does.
    ///
    /// # Errors
    /// When there are 65,536 profiles.
    pub fn add_profile(&mut self, profile: MeshProfile) -> Result<ProfileId, NavMeshError> {
        let id = self.mesh.add_profile(profile.clone())?;
        let layer = Layer::build(&self.base.tables, &self.first_areas, profile);
        self.base.layers.push(layer);
        let index = usize::from(id.0);
        self.mesh.layers[index] = self.layer(index);
        Ok(id)
    }

    /// Changes the costs of areas for a profile: an edit that affects all polygons. O(corners).
    ///
    /// # Errors
    /// When there is no such profile.
    pub fn set_profile(
        &mut self,
        id: ProfileId,
        profile: &MeshProfile,
    ) -> Result<(), LiveMeshError> {
        let index = usize::from(id.0);
        if index >= self.mesh.layers.len() {
            return Err(LiveMeshError::NoProfile { profile: id.0 });
        }
        let layer = Layer::build(&self.base.tables, &self.first_areas, profile.clone());
        self.base.layers[index] = layer;
        self.mesh.layers[index] = self.layer(index);
        self.mesh.revision = self.mesh.revision.next();
        self.affected.clear();
        self.affected.extend(self.mesh.polygons());
        Ok(())
    }

    /// Returns whether further carvings would leave agents of a profile no path between the points
    /// of one of the `pairs` that have one now. A point whose ground would be carved has none.
    ///
    /// The mesh stays as it is. O(corners).
    #[must_use]
    pub fn would_block(
        &self,
        carvings: &[Carving],
        profile: ProfileId,
        pairs: &[[MeshPoint; 2]],
    ) -> bool {
        let mut other = self.clone();
        let mut batch = other.edit();
        for carving in carvings {
            if batch.insert(carving.clone()).is_err() {
                return false;
            }
        }
        drop(batch);
        let (now, then) = (self.mesh.space_of(profile), other.mesh.space_of(profile));
        let reach = HeightReach { below: 0.1, above: 0.1 };
        pairs.iter().any(|pair| {
            let [a, b] = pair.map(|point| now.is_on(point).then(|| now.component(point.polygon)));
            let is_joined = a.is_some() && a == b;
            is_joined && {
                let [a, b] = pair.map(|point| {
                    then.locate(point.place, reach).map(|point| then.component(point.polygon))
                });
                a.is_none() || a != b
            }
        })
    }

    /// Lets a carving take effect from the next cut on.
    fn takes_effect(&mut self, id: CarvingId) -> Result<(), LiveMeshError> {
        for &polygon in &self.carvings.get(id)?.touches {
            self.cells[polygon as usize].set(id, true);
            self.edited.insert(polygon);
        }
        Ok(())
    }

    /// Lets a carving that is gone take no effect on these polygons from the next cut on.
    fn takes_no_effect(&mut self, id: CarvingId, polygons: &[u32]) {
        for &polygon in polygons {
            self.cells[polygon as usize].set(id, false);
            self.edited.insert(polygon);
        }
    }

    /// Returns a carving with the polygons of the base that have ground in it.
    fn entry(&mut self, carving: Carving) -> Entry {
        let hole = Hole::new(carving.prism.outline().to_vec());
        let mut touches = Vec::new();
        let memory = &mut self.memory.clipped;
        self.base.touched(&hole, &carving.prism, memory, |polygon| touches.push(polygon.0));
        touches.sort_unstable();
        Entry { carving, hole, touches }
    }

    /// Cuts the edited polygons of the base again, one connected group at a time: whether islands
    /// fell apart is then decided around each group, not by floods from one to the next.
    fn apply(&mut self) {
        let mut edited = std::mem::take(&mut self.memory.edited);
        edited.clear();
        edited.extend(std::iter::from_fn(|| self.edited.take_first()));
        self.memory.is_left.clear(self.base.bound());
        self.memory.is_left.mark_all(&edited);
        for &first in &edited {
            if !self.memory.is_left.unmark(first) {
                continue;
            }
            let group = &mut self.memory.region.edited;
            group.clear();
            group.push(first);
            let mut next = 0;
            while let Some(&polygon) = group.get(next) {
                next += 1;
                let beside = self.base.neighbours(PolygonId(polygon)).flatten();
                group.extend(beside.map(|it| it.0).filter(|&it| self.memory.is_left.unmark(it)));
            }
            group.sort_unstable();
            self.apply_group();
        }
        self.memory.edited = edited;
        let affected = &mut self.memory.affected;
        self.affected.clear();
        self.affected.extend(std::iter::from_fn(|| affected.take_first().map(PolygonId)));
        self.mesh.revision = self.mesh.revision.next();
    }

    /// Cuts the polygons of the region again.
    fn apply_group(&mut self) {
        let (base, mesh, cells) = (&self.base, &mut self.mesh, &mut self.cells);
        let (carvings, arena, counts) = (&self.carvings, &mut self.arena, &mut self.counts);
        let Memory { region, groups, affected, .. } = &mut self.memory;
        let tolerance = self.tolerance;
        Stitch { base, mesh, cells, carvings, arena, tolerance, counts, region }.replace();
        for &polygon in &region.edited {
            let pieces = cells[polygon as usize].pieces.iter().map(|piece| piece.number);
            mesh.locator.set_pieces(polygon, pieces.filter(|&number| number != NONE));
        }
        for &number in &region.written {
            affected.insert(number);
            let beside = mesh.neighbours(PolygonId(number)).flatten().map(|next| next.0);
            let beside = beside.filter(|&next| !region.is_written.has(next));
            beside.for_each(|next| affected.insert(next));
        }
        let parts = (&mesh.tables, mesh.areas.as_slice());
        let layers = mesh.layers.iter_mut().zip(&base.layers);
        for ((layer, below), beside) in layers.zip(&mut region.beside) {
            for &polygon in &region.edited {
                let cell = &cells[polygon as usize];
                let (first, now) =
                    (self.first_areas[polygon as usize], base.areas[polygon as usize]);
                layers::set_cell(layer, (base, below), polygon, first, cell, now);
            }
            let written = Written { list: &region.written, marks: &region.is_written };
            layers::patch(layer, below, parts, arena, written, beside, groups);
            if region.has_new_areas {
                layer.set_present(&counts.map(|count| count > 0));
            }
        }
    }
}

/// Several edits of a [`LiveMesh`] that count as one. They take effect when this is dropped.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{CarvedGround, Carving, LiveMesh, MeshDraft, NavMesh, Prism};
///
/// let grid = Grid::from_rows(&["........"; 8]).unwrap();
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
/// let mut live = LiveMesh::new(mesh);
/// let mut batch = live.edit();
/// for x in [2.0, 4.0, 6.0] {
///     let prism = Prism::cylinder(Vec3::new(x, 0.0, 4.0), 0.5, 1.0)?;
///     batch.insert(Carving { prism, ground: CarvedGround::Blocked })?;
/// }
/// drop(batch);
/// assert_eq!(live.carvings().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MeshEdits<'l> {
    live: &'l mut LiveMesh,
}

impl MeshEdits<'_> {
    /// Like [`LiveMesh::insert`].
    ///
    /// # Errors
    /// After 2³² carvings.
    pub fn insert(&mut self, carving: Carving) -> Result<CarvingId, LiveMeshError> {
        let entry = self.live.entry(carving);
        let id = self.live.carvings.insert(entry)?;
        self.live.takes_effect(id)?;
        Ok(id)
    }

    /// Like [`LiveMesh::replace`].
    ///
    /// # Errors
    /// When there is no such carving.
    pub fn replace(&mut self, id: CarvingId, carving: Carving) -> Result<(), LiveMeshError> {
        let known = self.live.carvings.get(id)?;
        if known.carving == carving {
            return Ok(());
        }
        let entry = self.live.entry(carving);
        let before = self.live.carvings.replace(id, entry)?;
        self.live.takes_no_effect(id, &before.touches);
        self.live.takes_effect(id)
    }

    /// Like [`LiveMesh::remove`].
    ///
    /// # Errors
    /// When there is no such carving.
    pub fn remove(&mut self, id: CarvingId) -> Result<Carving, LiveMeshError> {
        let before = self.live.carvings.remove(id)?;
        self.live.takes_no_effect(id, &before.touches);
        Ok(before.carving)
    }

    /// Like [`LiveMesh::set_area`].
    ///
    /// # Errors
    /// When the base has no such polygon.
    pub fn set_area(&mut self, polygon: PolygonId, area: AreaId) -> Result<(), LiveMeshError> {
        if !self.live.base.has(polygon) {
            return Err(LiveMeshError::NoPolygon { polygon: polygon.index() });
        }
        let known = &mut self.live.base.areas[polygon.index() as usize];
        if std::mem::replace(known, area) != area {
            self.live.edited.insert(polygon.index());
        }
        Ok(())
    }
}

impl Drop for MeshEdits<'_> {
    fn drop(&mut self) {
        if self.live.edited.is_empty() {
            self.live.affected.clear();
        } else {
            self.live.apply();
        }
    }
}
