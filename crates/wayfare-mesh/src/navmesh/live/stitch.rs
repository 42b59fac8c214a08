//! Puts the pieces of polygons that were cut again into the tables of the mesh.
//!
//! # Which polygons have to be written again
//!
//! Let `T` be the polygons of the base that were cut again, and `N` their neighbours on the base
//! that were not. A polygon of the mesh needs a corner where a neighbour ends. So a side of a piece
//! of `N` gets other corners if it lies on an edge shared with `T`, and only then: on all other
//! edges both sides are unchanged. The corners on the shared edges get new vertices; a piece of `N`
//! that has one of the old vertices, even at a corner alone, is written again with them. Sides off
//! the shared edges keep their corners, vertices and twins. Nothing beyond `N` changes.
//!
//! # Why the ground does not depend on the order of edits
//!
//! Pieces are a function of a polygon of the base and its carvings in order of id. Corners on an
//! edge of the base are found from the pieces on its two sides, and vertices take their position
//! from the first of the pieces that have them. Only indices depend on former edits.

use glam::{DVec2, Vec3};

use super::super::build::NO_TWIN;
use super::super::carve::{Loose, LooseCorner, NO_LINE, RingCorner, join_rings};
use super::super::mesh::is_bent;
use super::super::plan::plan;
use super::super::{NavMesh, PolygonId};
use super::arena::Arena;
use super::cells::{Cell, NONE, Piece};
use super::layers;

/// A piece that is written again.
struct Part {
    /// The polygon of the base, and the index of the piece among its pieces.
    polygon: u32,
    piece: u32,
    /// The index of the polygon, if it has one.
    number: u32,
}

/// A corner before joining.
struct Point {
    part: u32,
    /// The side of the piece that the edge from here is a part of.
    side: u32,
    /// The edge of the base that it is a part of, or [`NO_TWIN`].
    edge: u32,
    /// The vertex, if it is known: of a corner of the base that one, else that of the corner so
    /// far.
    vertex: u32,
    /// The present twin of the edge, if the edge stays.
    twin: u32,
}

/// The parts to write again.
#[derive(Default)]
struct Region {
    parts: Vec<Part>,
    loose: Vec<Loose>,
    points: Vec<Point>,
}

pub(super) struct Stitch<'a> {
    pub(super) base: &'a NavMesh,
    pub(super) mesh: &'a mut NavMesh,
    pub(super) cells: &'a mut [Cell],
    pub(super) arena: &'a mut Arena,
    pub(super) tolerance: f64,
    /// The polygons of the mesh that were written or removed, in order.
    pub(super) written: &'a mut Vec<u32>,
    /// For each layer, the polygons beside the written ones before.
    pub(super) beside: &'a mut Vec<Vec<u32>>,
    /// The count of polygons of each area.
    pub(super) counts: &'a mut [u32; 256],
}

impl Stitch<'_> {
    /// Replaces the pieces of polygons of the base: in order of index, each with its new pieces.
    pub(super) fn replace(&mut self, mut edited: Vec<(u32, Vec<Piece>)>) {
        let around = self.neighbours(&mut edited);
        let is_edited = |polygon: u32| edited.binary_search_by_key(&polygon, |(it, _)| *it).is_ok();
        let old: Vec<Vec<u32>> =
            edited.iter().map(|(polygon, _)| self.numbers(*polygon).collect()).collect();
        let freed = self.freed_vertices(&old, &around, is_edited);
        let mut region = Region::default();
        let mut around = around.into_iter().peekable();
        for (polygon, pieces) in &edited {
            while let Some(before) = around.next_if(|neighbour| neighbour < polygon) {
                self.gather_neighbour(before, &freed, is_edited, &mut region);
            }
            self.gather_edited(*polygon, pieces, &mut region);
        }
        for after in around {
            self.gather_neighbour(after, &freed, is_edited, &mut region);
        }
        for (polygon, pieces) in edited {
            let cell = &mut self.cells[polygon as usize];
            (cell.pieces, cell.is_cut) = (pieces, true);
        }
        self.write(&region, &old, &freed);
    }

    /// Returns the neighbours of edited polygons on the base, in order. A neighbour with pieces
    /// that are not on the mesh, since they shrank to lines, is edited as well: the pieces may come
    /// back.
    fn neighbours(&self, edited: &mut Vec<(u32, Vec<Piece>)>) -> Vec<u32> {
        let mut seen = 0;
        let mut around = Vec::new();
        // In order, to be looked up in: a group may have thousands.
        let mut numbers: Vec<u32> = edited.iter().map(|(polygon, _)| *polygon).collect();
        while seen < edited.len() {
            for polygon in edited[seen..].iter().map(|(polygon, _)| PolygonId(*polygon)) {
                let next = self.base.neighbours(polygon).flatten();
                around.extend(next.map(|next| next.0));
            }
            seen = edited.len();
            around.sort_unstable();
            around.dedup();
            around.retain(|next| numbers.binary_search(next).is_err());
            for &next in &around {
                let pieces = &self.cells[next as usize].pieces;
                if pieces.iter().any(|piece| piece.number == NONE) {
                    edited.push((next, pieces.clone()));
                    numbers.push(next);
                }
            }
            numbers.sort_unstable();
        }
        edited.sort_by_key(|(polygon, _)| *polygon);
        around
    }

    /// Returns the indices of the pieces of a polygon of the base.
    fn numbers(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let cell = &self.cells[polygon as usize];
        let whole = (!cell.is_cut).then_some(polygon);
        let pieces = cell.pieces.iter().map(|piece| piece.number);
        whole.into_iter().chain(pieces.filter(|&number| number != NONE))
    }

    /// Returns the line along a side of a piece: an edge of the base, if `line` is one.
    fn edge(&self, polygon: u32, line: u32) -> Option<u32> {
        let own = self.base.own(PolygonId(polygon));
        (line < own.len() as u32).then(|| own.start as u32 + line)
    }

    /// Returns whether an edge of the base is shared with an edited polygon.
    fn is_shared(&self, edge: Option<u32>, is_edited: impl Fn(u32) -> bool) -> bool {
        let twin = edge.map_or(NO_TWIN, |edge| self.base.twin(edge));
        twin != NO_TWIN && is_edited(self.base.owner(twin).0)
    }

    /// Returns the line that a side of a piece of the base lies on; of a whole polygon its own
    /// side.
    fn line(&self, polygon: u32, piece: u32, side: u32) -> u32 {
        let pieces = &self.cells[polygon as usize].pieces;
        pieces.get(piece as usize).map_or(side, |piece| piece.corners[side as usize].line)
    }

    /// Returns the vertices that are no longer used: the vertices of edited polygons and on their
    /// edges. Vertices of the base stay.
    fn freed_vertices(
        &self,
        old: &[Vec<u32>],
        around: &[u32],
        is_edited: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let tables = &self.mesh.tables;
        let own = |number: u32| self.mesh.own(PolygonId(number));
        let mut freed: Vec<u32> = Vec::new();
        for &number in old.iter().flatten() {
            freed.extend(&tables.corners[own(number)]);
        }
        for &polygon in around {
            for (piece, number) in (0..).zip(self.numbers(polygon)) {
                for corner in own(number) {
                    let side = self.arena.sides[corner];
                    let edge = self.edge(polygon, self.line(polygon, piece, side));
                    if self.is_shared(edge, &is_edited) {
                        let next = tables.next(corner as u32) as usize;
                        freed.extend([tables.corners[corner], tables.corners[next]]);
                    }
                }
            }
        }
        freed.retain(|&vertex| vertex as usize >= self.base.vertices().len());
        freed.sort_unstable();
        freed.dedup();
        freed
    }

    /// Takes in the new pieces of an edited polygon.
    fn gather_edited(&self, polygon: u32, pieces: &[Piece], region: &mut Region) {
        let own = self.base.corners(PolygonId(polygon));
        let outline: Vec<DVec2> = self.base.outline(PolygonId(polygon)).map(plan).collect();
        for (number, piece) in (0..).zip(pieces) {
            let part = region.parts.len() as u32;
            let mut loose = Loose::with_capacity(piece.corners.len());
            for (side, corner) in (0..).zip(&piece.corners) {
                let edge = self.edge(polygon, corner.line);
                let line = match edge {
                    Some(edge) => edge_line(self.base, edge),
                    None => cut_line(polygon, corner.line),
                };
                let edge = edge.unwrap_or(NO_TWIN);
                loose.push(LooseCorner { at: corner.at, line });
                let known = outline.iter().position(|&at| at == corner.at);
                let vertex = known.map_or(NONE, |corner| own[corner]);
                region.points.push(Point { part, side, edge, vertex, twin: NO_TWIN });
            }
            region.loose.push(loose);
            region.parts.push(Part { polygon, piece: number, number: NONE });
        }
    }

    /// Takes in the pieces of a neighbour that have to be written again.
    fn gather_neighbour(
        &self,
        polygon: u32,
        freed: &[u32],
        is_edited: impl Fn(u32) -> bool,
        region: &mut Region,
    ) {
        let tables = &self.mesh.tables;
        let outline: Vec<DVec2> = self.base.outline(PolygonId(polygon)).map(plan).collect();
        for (piece, number) in (0..).zip(self.numbers(polygon)) {
            let own = self.mesh.own(PolygonId(number));
            let pieces = &self.cells[polygon as usize].pieces;
            let corners = pieces.get(piece as usize).map(|piece| &piece.corners);
            let sides = corners.map_or(outline.len(), Vec::len) as u32;
            let is_shared = |side: u32| {
                let edge = self.edge(polygon, self.line(polygon, piece, side));
                self.is_shared(edge, &is_edited)
            };
            let has_freed = || {
                let vertices = &tables.corners[own.clone()];
                vertices.iter().any(|vertex| freed.binary_search(vertex).is_ok())
            };
            if !(0..sides).any(is_shared) && !has_freed() {
                continue;
            }
            let part = region.parts.len() as u32;
            let mut loose = Loose::with_capacity(own.len());
            // The corners of the mesh go around as the sides do. A side that shrank has none.
            let mut corner = own.start;
            for side in 0..sides {
                let at = match corners {
                    Some(corners) => corners[side as usize].at,
                    None => outline[side as usize],
                };
                let begin = corner;
                while corner < own.end && self.arena.sides[corner] == side {
                    corner += 1;
                }
                let vertex = tables.corners[if begin < own.end { begin } else { own.start }];
                let shared = is_shared(side);
                let edge = self.edge(polygon, self.line(polygon, piece, side));
                let line = match (shared, edge) {
                    (true, Some(edge)) => edge_line(self.base, edge),
                    _ => NO_LINE,
                };
                let edge = edge.unwrap_or(NO_TWIN);
                let twin = if shared || begin == corner { NO_TWIN } else { tables.twins[begin] };
                loose.push(LooseCorner { at, line });
                region.points.push(Point { part, side, edge, vertex, twin });
                if shared {
                    continue;
                }
                for split in begin + 1..corner.max(begin + 1) {
                    let (vertex, twin) = (tables.corners[split], tables.twins[split]);
                    let at = plan(tables.vertices[vertex as usize]);
                    loose.push(LooseCorner { at, line: NO_LINE });
                    region.points.push(Point { part, side, edge, vertex, twin });
                }
            }
            region.loose.push(loose);
            region.parts.push(Part { polygon, piece, number });
        }
    }

    /// Joins the region and writes its polygons.
    fn write(&mut self, region: &Region, old: &[Vec<u32>], freed: &[u32]) {
        let Region { parts, loose, points } = region;
        let mut same: Vec<(u32, u32)> =
            (0..).zip(points).map(|(node, point)| (point.vertex, node)).collect();
        same.retain(|(vertex, _)| *vertex != NONE);
        same.sort_unstable();
        let pairs = same.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let pairs = pairs.map(|pair| (pair[0].1, pair[1].1));
        let joined = join_rings(loose, pairs, self.tolerance);
        let vertices = self.vertices(region, freed, &joined.rings, &joined.groups, &joined.places);
        let rings: Vec<&[RingCorner]> =
            joined.rings.chunk_by(|a, b| a.polygon == b.polygon).collect();
        let numbers = self.number(parts, old, &rings);

        // Corners, and the edges between groups of points.
        let mut placed = Vec::with_capacity(joined.rings.len());
        let mut edges: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(joined.rings.len());
        for (ring, &number) in rings.iter().zip(&numbers) {
            let begin = self.arena.make_room(self.mesh, number, ring.len() as u32);
            for (index, corner) in ring.iter().enumerate() {
                let at = begin as usize + index;
                self.mesh.tables.corners[at] = vertices[corner.node as usize];
                self.arena.sides[at] = points[corner.side as usize].side;
                self.arena.edges[at] = points[corner.side as usize].edge;
                let (a, b) = (corner.node, ring[(index + 1) % ring.len()].node);
                edges.push((a.min(b), a.max(b), a < b, placed.len() as u32));
                placed.push(at as u32);
            }
            let tables = &mut self.mesh.tables;
            let own = &tables.corners[begin as usize..begin as usize + ring.len()];
            tables.spans[number as usize].is_bent = is_bent(tables.raster, &tables.vertices, own);
        }
        edges.sort_unstable();
        let twins = &mut self.mesh.tables.twins;
        for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let [(.., false, a), (.., true, b)] = *same {
                let (a, b) = (placed[a as usize], placed[b as usize]);
                (twins[a as usize], twins[b as usize]) = (b, a);
                continue;
            }
            for &(.., corner) in same {
                let at = placed[corner as usize];
                let twin = points[joined.rings[corner as usize].side as usize].twin;
                // Of a polygon that was written as well, the corner has moved.
                let owner = self.mesh.tables.owners.get(twin as usize).copied();
                let stays =
                    |owner: u32| owner != NO_TWIN && self.written.binary_search(&owner).is_err();
                if owner.is_some_and(stays) {
                    (twins[at as usize], twins[twin as usize]) = (twin, at);
                }
            }
        }
    }

    /// Returns the vertex of each group of points; [`NONE`] for groups that are not on the mesh.
    fn vertices(
        &mut self,
        region: &Region,
        freed: &[u32],
        rings: &[RingCorner],
        groups: &[u32],
        places: &[DVec2],
    ) -> Vec<u32> {
        let mut vertices = vec![NONE; groups.len()];
        for (point, &group) in region.points.iter().zip(groups) {
            // Of the base if there is one: these have the lowest indices.
            if point.vertex != NONE && freed.binary_search(&point.vertex).is_err() {
                let vertex = &mut vertices[group as usize];
                *vertex = point.vertex.min(*vertex);
            }
        }
        for &vertex in freed {
            self.arena.free_vertex(vertex);
        }
        for corner in rings {
            let vertex = &mut vertices[corner.node as usize];
            if *vertex == NONE {
                let part =
                    region.points.get(corner.node as usize).map_or(corner.polygon, |p| p.part);
                let polygon = region.parts[part as usize].polygon;
                let at = places[corner.node as usize];
                let point = Vec3::new(at.x as f32, 0.0, -at.y as f32);
                let height = self.base.height_at(PolygonId(polygon), point);
                let place = Vec3::new(point.x, height, point.z);
                *vertex = self.arena.take_vertex(self.mesh, place);
            }
        }
        vertices
    }

    /// Assigns indices to the parts that have a ring, and frees the rest. Returns the index for
    /// each ring.
    fn number(&mut self, parts: &[Part], old: &[Vec<u32>], rings: &[&[RingCorner]]) -> Vec<u32> {
        self.written.clear();
        self.written.extend(old.iter().flatten());
        self.written.extend(parts.iter().map(|part| part.number).filter(|&number| number != NONE));
        self.written.sort_unstable();
        let (tables, layers) = (&self.mesh.tables, &mut self.mesh.layers);
        let beside = layers.iter_mut().map(|layer| layers::retire(layer, tables, self.written));
        *self.beside = beside.collect();
        // The indices to reuse, of each edited polygon: its own, then its pieces'.
        let mut numbers = vec![NONE; rings.len()];
        let mut spare: Vec<u32> = Vec::new();
        for (ring, corners) in rings.iter().enumerate() {
            let part = &parts[corners[0].polygon as usize];
            numbers[ring] = part.number;
        }
        for &number in old.iter().flatten() {
            if number as usize >= self.base.bound() {
                spare.push(number);
            }
        }
        // The same indices in the same order if the count of pieces stays.
        spare.reverse();
        let mut last = NONE;
        for (ring, corners) in rings.iter().enumerate() {
            let part = &parts[corners[0].polygon as usize];
            if part.number != NONE {
                continue;
            }
            numbers[ring] = if std::mem::replace(&mut last, part.polygon) != part.polygon {
                part.polygon
            } else if let Some(number) = spare.pop() {
                number
            } else {
                self.arena.take_number(self.mesh)
            };
        }
        for &number in self.written.iter() {
            if self.mesh.has(PolygonId(number)) {
                self.counts[usize::from(self.mesh.areas[number as usize].0)] -= 1;
            }
        }
        // The removed parts.
        let mut present = numbers.clone();
        present.sort_unstable();
        for index in 0..self.written.len() {
            let number = self.written[index];
            if present.binary_search(&number).is_err() {
                self.arena.clear(self.mesh, number);
                if number as usize >= self.base.bound() {
                    self.arena.free_number(number);
                }
            }
        }
        let mut ringless: Vec<bool> = vec![true; parts.len()];
        for (corners, &number) in rings.iter().zip(&numbers) {
            let part = &parts[corners[0].polygon as usize];
            ringless[corners[0].polygon as usize] = false;
            let cell = &mut self.cells[part.polygon as usize];
            let area = match cell.pieces.get_mut(part.piece as usize) {
                Some(piece) => {
                    piece.number = number;
                    piece.area
                }
                None => self.mesh.areas[number as usize],
            };
            self.mesh.areas[number as usize] = area;
            self.counts[usize::from(area.0)] += 1;
        }
        for (part, _) in parts.iter().zip(ringless).filter(|(_, ringless)| *ringless) {
            let cell = &mut self.cells[part.polygon as usize];
            if let Some(piece) = cell.pieces.get_mut(part.piece as usize) {
                piece.number = NONE;
            }
        }
        self.written.extend(numbers.iter().copied());
        self.written.sort_unstable();
        self.written.dedup();
        numbers
    }
}

/// Returns the index of the line along an edge of the base: the same for both of its sides.
fn edge_line(base: &NavMesh, edge: u32) -> u64 {
    match base.twin(edge) {
        NO_TWIN => NO_LINE,
        twin => u64::from(edge.min(twin)),
    }
}

/// Returns the index of the line of a cut through a polygon of the base.
fn cut_line(polygon: u32, line: u32) -> u64 {
    1 << 63 | u64::from(polygon) << 32 | u64::from(line)
}
