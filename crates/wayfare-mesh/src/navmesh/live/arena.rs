//! Room for polygons in the tables of a mesh: reuses indices, corners and vertices.

use glam::Vec3;

use super::super::build::NO_TWIN;
use super::super::index_set::IndexSet;
use super::super::mesh::Span;
use super::super::{AreaId, NavMesh};

/// The sides that an edge is a part of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The side of its piece.
    pub(super) side: u32,
    /// The edge of the base, or [`NO_TWIN`].
    pub(super) edge: u32,
}

/// The free slots in the tables of a mesh.
///
/// Corners are given out in blocks of 4, 8, 16, … The blocks of the polygons of the base are as
/// large as these.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    /// The capacity of the block of each polygon, in corners.
    rooms: Vec<u32>,
    /// The origin of each corner's edge.
    pub(super) origins: Vec<Origin>,
    numbers: IndexSet,
    /// The vertices freed last are reused first: they are in the cache.
    vertices: Vec<u32>,
    /// Where free blocks begin, by the logarithm of their size.
    blocks: [Vec<u32>; 31],
}

impl Arena {
    /// Returns an arena without free room: the tables of a mesh are full.
    pub(super) fn new(mesh: &NavMesh) -> Self {
        let spans = &mesh.tables.spans;
        Self {
            rooms: spans.iter().map(|span| span.end - span.begin).collect(),
            origins: (spans.iter())
                .flat_map(|span| (0..).zip(span.begin..span.end))
                .map(|(side, edge)| Origin { side, edge })
                .collect(),
            numbers: IndexSet::default(),
            vertices: Vec::new(),
            blocks: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Returns the lowest free index. The polygon has no corners yet.
    pub(super) fn take_number(&mut self, mesh: &mut NavMesh) -> u32 {
        self.numbers.take_first().unwrap_or_else(|| {
            mesh.areas.push(AreaId::WALKABLE);
            mesh.tables.spans.push(Span::default());
            self.rooms.push(0);
            self.rooms.len() as u32 - 1
        })
    }

    /// Frees an index. The polygon has no corners any more.
    pub(super) fn free_number(&mut self, number: u32) {
        self.numbers.insert(number);
    }

    pub(super) fn take_vertex(&mut self, mesh: &mut NavMesh, place: Vec3) -> u32 {
        let tables = &mut mesh.tables;
        let on_raster = tables.raster.place(place);
        if let Some(vertex) = self.vertices.pop() {
            tables.vertices[vertex as usize] = place;
            tables.places[vertex as usize] = on_raster;
            return vertex;
        }
        tables.vertices.push(place);
        tables.places.push(on_raster);
        tables.vertices.len() as u32 - 1
    }

    pub(super) fn free_vertex(&mut self, vertex: u32) {
        self.vertices.push(vertex);
    }

    /// Takes the corners from a polygon.
    pub(super) fn clear(&mut self, mesh: &mut NavMesh, number: u32) {
        let tables = &mut mesh.tables;
        let span = std::mem::take(&mut tables.spans[number as usize]);
        if span.begin == span.end {
            return;
        }
        for corner in span.begin as usize..span.end as usize {
            (tables.twins[corner], tables.owners[corner]) = (NO_TWIN, NO_TWIN);
        }
        mesh.count -= 1;
        let room = std::mem::take(&mut self.rooms[number as usize]);
        self.blocks[room.ilog2() as usize].push(span.begin);
    }

    /// Makes room for corners of a polygon, and returns their first index. The former corners of
    /// the polygon are lost.
    pub(super) fn make_room(&mut self, mesh: &mut NavMesh, number: u32, corners: u32) -> u32 {
        let span = mesh.tables.spans[number as usize];
        if span.begin != span.end && corners <= self.rooms[number as usize] {
            for corner in span.begin..span.end {
                let corner = corner as usize;
                (mesh.tables.twins[corner], mesh.tables.owners[corner]) = (NO_TWIN, NO_TWIN);
            }
            let end = span.begin + corners;
            mesh.tables.spans[number as usize].end = end;
            mesh.tables.owners[span.begin as usize..end as usize].fill(number);
            return span.begin;
        }
        self.clear(mesh, number);
        let size = corners.next_power_of_two().max(4);
        let begin = self.blocks[size.ilog2() as usize].pop().unwrap_or_else(|| {
            let tables = &mut mesh.tables;
            let begin = tables.corners.len() as u32;
            let length = (begin + size) as usize;
            tables.corners.resize(length, 0);
            tables.twins.resize(length, NO_TWIN);
            tables.owners.resize(length, NO_TWIN);
            self.origins.resize(length, Origin { side: 0, edge: NO_TWIN });
            begin
        });
        self.rooms[number as usize] = size;
        let end = begin + corners;
        mesh.tables.spans[number as usize] = Span { begin, end, ..Span::default() };
        mesh.tables.owners[begin as usize..end as usize].fill(number);
        mesh.count += 1;
        begin
    }
}
