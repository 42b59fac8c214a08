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
use super::super::carve::{Joiner, LooseCorner, NO_LINE};
use super::super::locate::Heights;
use super::super::mesh::{Span, Tables};
use super::super::plan::plan;
use super::super::{NavMesh, PolygonId};
use super::arena::{Arena, Origin};
use super::carvings::Carvings;
use super::cells::{Cell, Cutter, NONE};
use super::layers;
use super::marks::Marks;

/// A piece that is written again.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The polygon of the base, and the index of the piece among its pieces.
    polygon: u32,
    piece: u32,
    /// The index of the polygon, if it has one.
    number: u32,
}

/// A corner before joining.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// The origin of the edge from here.
    origin: Origin,
    /// The vertex, if it is known: of a corner of the base that one, else that of the corner so
    /// far.
    vertex: u32,
    /// The present twin of the edge, if the edge stays.
    twin: u32,
}

/// The corners of a part after joining.
#[derive(Clone, Copy, Debug)]
struct Ring {
    part: u32,
    /// Where they begin and end among those of all rings.
    begin: u32,
    end: u32,
    /// The index of the polygon.
    number: u32,
    /// Where its corners begin in the tables.
    first: u32,
}

/// An edge of a ring, from one group of points to another.
#[derive(Clone, Copy, Debug)]
struct RingEdge {
    /// The group where it ends.
    to: u32,
    /// Its corner in the tables.
    corner: u32,
    /// The edge backwards, or [`NONE`].
    back: u32,
    /// The next edge that leaves the same group, or [`NONE`].
    next: u32,
    /// Whether several polygons have the edge in this direction.
    is_tangled: bool,
}

/// The parts to write again, with their corners.
#[derive(Clone, Debug, Default)]
struct Gathered {
    parts: Vec<Part>,
    points: Vec<Point>,
    joiner: Joiner,
}

impl Gathered {
    fn push(&mut self, at: DVec2, line: u32, point: Point) {
        self.joiner.loose.push_corner(LooseCorner { at, line });
        self.points.push(point);
    }
}

/// What is to be written again, and other memory of [`Stitch`].
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    cutter: Cutter,
    /// The polygons of the base to be cut or joined again, in order, and where the lines of each
    /// begin.
    pub(super) edited: Vec<u32>,
    lines: Vec<u32>,
    /// The index of each polygon of the base among these, if it is one.
    slots: Vec<u32>,
    /// The neighbours of edited polygons on the base, in order.
    around: Vec<u32>,
    is_around: Marks,
    /// The edges of the base that have an edited polygon on the other side.
    is_shared: Marks,
    /// The polygons of the mesh that edited polygons consisted of.
    old: Vec<u32>,
    /// The vertices that are no longer used.
    freed: Vec<u32>,
    is_freed: Marks,
    outline: Vec<DVec2>,
    gathered: Gathered,
    /// The last point at each vertex.
    seen: Vec<u32>,
    rings: Vec<Ring>,
    /// The vertex of each group of points.
    vertices: Vec<u32>,
    heights: Heights,
    spare: Vec<u32>,
    is_present: Marks,
    /// The edges of the rings, in order, and the last one that leaves each group of points.
    edges: Vec<RingEdge>,
    chains: Vec<u32>,
    /// The polygons of the mesh that were written or removed.
    pub(super) written: Vec<u32>,
    pub(super) is_written: Marks,
    /// For each layer, the polygons beside the written ones before.
    pub(super) beside: Vec<Vec<u32>>,
    /// Whether an area may have come to the mesh or gone from it.
    pub(super) has_new_areas: bool,
}

impl Region {
    /// Returns the index of a polygon of the base among the edited ones.
    fn slot(&self, polygon: u32) -> Option<u32> {
        let slot = *self.slots.get(polygon as usize)?;
        (self.edited.get(slot as usize) == Some(&polygon)).then_some(slot)
    }

    fn is_edited(&self, polygon: u32) -> bool {
        self.slot(polygon).is_some()
    }

    /// Says where the edited polygons are.
    fn set_slots(&mut self, bound: usize) {
        self.slots.resize(bound, NONE);
        for (slot, &polygon) in (0..).zip(&self.edited) {
            self.slots[polygon as usize] = slot;
        }
    }
}

pub(super) struct Stitch<'a> {
    pub(super) base: &'a NavMesh,
    pub(super) mesh: &'a mut NavMesh,
    pub(super) cells: &'a mut [Cell],
    pub(super) carvings: &'a Carvings,
    pub(super) arena: &'a mut Arena,
    pub(super) tolerance: f64,
    /// The count of polygons of each area.
    pub(super) counts: &'a mut [u32; 256],
    pub(super) region: &'a mut Region,
}

impl Stitch<'_> {
    /// Cuts the edited polygons of the base again.
    pub(super) fn replace(&mut self) {
        let cut = self.region.edited.len();
        self.find_neighbours();
        self.cut(cut);
        self.find_freed();
        self.gather();
        self.region.gathered.joiner.join(self.tolerance);
        self.find_vertices();
        self.number();
        self.write();
        self.pair();
    }

    /// Finds the neighbours of edited polygons on the base. A neighbour with pieces that are not on
    /// the mesh, since they shrank to lines, is edited as well: the pieces may come back.
    fn find_neighbours(&mut self) {
        let region = &mut *self.region;
        region.set_slots(self.base.bound());
        region.around.clear();
        region.is_around.clear(self.base.bound());
        region.is_shared.clear(self.base.corner_count());
        let mut seen = 0;
        while let Some(&polygon) = region.edited.get(seen) {
            seen += 1;
            for corner in self.base.own(PolygonId(polygon)) {
                let twin = self.base.twin(corner as u32);
                if twin == NO_TWIN {
                    continue;
                }
                region.is_shared.mark(twin);
                let next = self.base.owner(twin).0;
                if region.is_edited(next) || !region.is_around.mark(next) {
                    continue;
                }
                if self.cells[next as usize].pieces.iter().any(|piece| piece.number == NONE) {
                    region.slots[next as usize] = region.edited.len() as u32;
                    region.edited.push(next);
                } else {
                    region.around.push(next);
                }
            }
        }
        region.around.sort_unstable();
    }

    /// Cuts the first `count` edited polygons; the others keep their pieces.
    fn cut(&mut self, count: usize) {
        let region = &mut *self.region;
        region.old.clear();
        region.lines.clear();
        // In order, whether they are cut or not.
        let least_kept = region.edited[count..].iter().copied().min();
        region.is_present.clear(self.base.bound());
        region.is_present.mark_all(&region.edited[..count]);
        if least_kept.is_some() {
            region.edited.sort_unstable();
            region.set_slots(self.base.bound());
        }
        let mut lines = 0;
        for &polygon in &region.edited {
            let cell = &mut self.cells[polygon as usize];
            region.old.extend(numbers(polygon, cell));
            if region.is_present.has(polygon) {
                region.cutter.cut(self.base, polygon, cell, self.carvings, self.tolerance);
            } else {
                cell.pieces.iter_mut().for_each(|piece| piece.number = NONE);
            }
            region.lines.push(lines);
            lines += cell.line_bound().max(self.base.own(PolygonId(polygon)).len() as u32);
        }
    }

    /// Returns the line along a side of a piece: an edge of the base, if `line` is one.
    fn edge(&self, polygon: u32, line: u32) -> u32 {
        let own = self.base.own(PolygonId(polygon));
        if line < own.len() as u32 { own.start as u32 + line } else { NO_TWIN }
    }

    /// Returns the index of the line along an edge of the base that an edited polygon has: the same
    /// for both of its sides.
    fn edge_line(&self, edge: u32) -> u32 {
        let line = |edge: u32| {
            let owner = self.base.owner(edge);
            let slot = self.region.slot(owner.0)?;
            Some(self.region.lines[slot as usize] + edge - self.base.own(owner).start as u32)
        };
        match self.base.twin(edge) {
            NO_TWIN => NO_LINE,
            twin => line(edge.min(twin)).or_else(|| line(edge.max(twin))).unwrap_or(NO_LINE),
        }
    }

    /// Finds the vertices that are no longer used: the vertices of edited polygons and on their
    /// edges. Vertices of the base stay.
    fn find_freed(&mut self) {
        let mut freed = std::mem::take(&mut self.region.freed);
        let mut is_freed = std::mem::take(&mut self.region.is_freed);
        freed.clear();
        is_freed.clear(self.mesh.vertices().len());
        let first = self.base.vertices().len() as u32;
        let mut free = |vertex: u32| {
            if vertex >= first && is_freed.mark(vertex) {
                freed.push(vertex);
            }
        };
        let tables = &self.mesh.tables;
        for &number in &self.region.old {
            tables.corners[self.mesh.own(PolygonId(number))].iter().copied().for_each(&mut free);
        }
        for &polygon in &self.region.around {
            for number in numbers(polygon, &self.cells[polygon as usize]) {
                let own = self.mesh.own(PolygonId(number));
                for corner in own.clone() {
                    if self.region.is_shared.has(self.arena.origins[corner].edge) {
                        let next = if corner + 1 == own.end { own.start } else { corner + 1 };
                        free(tables.corners[corner]);
                        free(tables.corners[next]);
                    }
                }
            }
        }
        (self.region.freed, self.region.is_freed) = (freed, is_freed);
    }

    /// Takes in all parts, in order of the polygons of the base.
    fn gather(&mut self) {
        let mut all = std::mem::take(&mut self.region.gathered);
        let mut outline = std::mem::take(&mut self.region.outline);
        all.parts.clear();
        all.points.clear();
        all.joiner.loose.clear();
        let (mut edited, mut around) = (0, 0);
        loop {
            let next = self.region.edited.get(edited).copied();
            let neighbour = self.region.around.get(around).copied();
            let neighbour = neighbour.filter(|&before| next.is_none_or(|next| before < next));
            let Some(polygon) = neighbour.or(next) else { break };
            outline.clear();
            outline.extend(self.base.outline(PolygonId(polygon)).map(plan));
            if neighbour.is_some() {
                self.gather_neighbour(polygon, &outline, &mut all);
                around += 1;
            } else {
                self.gather_edited(polygon, self.region.lines[edited], &outline, &mut all);
                edited += 1;
            }
        }
        all.joiner.begin();
        let seen = &mut self.region.seen;
        seen.resize(self.mesh.vertices().len(), NONE);
        for (node, point) in (0..).zip(&all.points) {
            if point.vertex != NONE {
                let before = std::mem::replace(&mut seen[point.vertex as usize], node);
                // Else it is of a former time.
                if before < node && all.points[before as usize].vertex == point.vertex {
                    all.joiner.unite(before, node);
                }
            }
        }
        (self.region.gathered, self.region.outline) = (all, outline);
    }

    /// Takes in the pieces of an edited polygon, with its lines from `lines` on.
    fn gather_edited(&self, polygon: u32, lines: u32, outline: &[DVec2], all: &mut Gathered) {
        let own = self.base.corners(PolygonId(polygon));
        let cell = &self.cells[polygon as usize];
        for (number, &piece) in (0..).zip(&cell.pieces) {
            all.joiner.loose.begin();
            for (side, corner) in (0..).zip(cell.corners(piece)) {
                let edge = self.edge(polygon, corner.line);
                let line = if edge == NO_TWIN { lines + corner.line } else { self.edge_line(edge) };
                let known = outline.iter().position(|&at| at == corner.at);
                let vertex = known.map_or(NONE, |corner| own[corner]);
                all.push(
                    corner.at,
                    line,
                    Point { origin: Origin { side, edge }, vertex, twin: NO_TWIN },
                );
            }
            all.parts.push(Part { polygon, piece: number, number: NONE });
        }
    }

    /// Takes in the pieces of a neighbour that have to be written again.
    fn gather_neighbour(&self, polygon: u32, outline: &[DVec2], all: &mut Gathered) {
        let tables = &self.mesh.tables;
        let cell = &self.cells[polygon as usize];
        for (piece, number) in (0..).zip(numbers(polygon, cell)) {
            let own = self.mesh.own(PolygonId(number));
            let corners = cell.pieces.get(piece as usize).map(|&piece| cell.corners(piece));
            let sides = corners.map_or(outline.len(), <[_]>::len) as u32;
            let edge = |side: u32| {
                let line = corners.map_or(side, |corners| corners[side as usize].line);
                self.edge(polygon, line)
            };
            let is_shared = |edge: u32| self.region.is_shared.has(edge);
            let has_freed = || {
                let vertices = &tables.corners[own.clone()];
                vertices.iter().any(|&vertex| self.region.is_freed.has(vertex))
            };
            if !has_freed() && !(0..sides).any(|side| is_shared(edge(side))) {
                continue;
            }
            all.joiner.loose.begin();
            // The corners of the mesh go around as the sides do. A side that shrank has none.
            let mut corner = own.start;
            for side in 0..sides {
                let at = match corners {
                    Some(corners) => corners[side as usize].at,
                    None => outline[side as usize],
                };
                let begin = corner;
                while corner < own.end && self.arena.origins[corner].side == side {
                    corner += 1;
                }
                let vertex = tables.corners[if begin < own.end { begin } else { own.start }];
                let edge = edge(side);
                let shared = is_shared(edge);
                let line = if shared { self.edge_line(edge) } else { NO_LINE };
                let twin = if shared || begin == corner { NO_TWIN } else { tables.twins[begin] };
                all.push(at, line, Point { origin: Origin { side, edge }, vertex, twin });
                if shared {
                    continue;
                }
                for split in begin + 1..corner.max(begin + 1) {
                    let (vertex, twin) = (tables.corners[split], tables.twins[split]);
                    let at = plan(tables.vertices[vertex as usize]);
                    all.push(at, NO_LINE, Point { origin: Origin { side, edge }, vertex, twin });
                }
            }
            all.parts.push(Part { polygon, piece, number });
        }
    }

    /// Finds the vertex of each group of points that is on the mesh.
    fn find_vertices(&mut self) {
        let Region { gathered, vertices, heights, freed, is_freed, .. } = &mut *self.region;
        let Gathered { parts, points, joiner } = gathered;
        vertices.clear();
        vertices.resize(joiner.groups().len(), NONE);
        for (point, &group) in points.iter().zip(joiner.groups()) {
            // Of the base if there is one: these have the lowest indices.
            if point.vertex != NONE && !is_freed.has(point.vertex) {
                let vertex = &mut vertices[group as usize];
                *vertex = point.vertex.min(*vertex);
            }
        }
        for &vertex in freed.iter() {
            self.arena.free_vertex(vertex);
        }
        heights.clear();
        for corner in joiner.rings() {
            let vertex = &mut vertices[corner.node as usize];
            if *vertex == NONE {
                let polygon = parts[joiner.polygon(corner.node) as usize].polygon;
                let at = joiner.place(corner.node);
                let point = Vec3::new(at.x as f32, 0.0, -at.y as f32);
                // Along an edge of the base both polygons are equally high.
                let edge =
                    points.get(corner.node as usize).map_or(NO_TWIN, |point| point.origin.edge);
                let height = match edge {
                    NO_TWIN => heights.at(self.base, PolygonId(polygon), point),
                    edge => self.base.height_along(edge, at),
                };
                let place = Vec3::new(point.x, height, point.z);
                *vertex = self.arena.take_vertex(self.mesh, place);
            }
        }
    }

    /// Assigns indices to the parts that have a ring, and frees the rest.
    fn number(&mut self) {
        let region = &mut *self.region;
        let Region { written, is_written, is_present, rings, spare, .. } = region;
        let Gathered { parts, joiner, .. } = &region.gathered;
        written.clear();
        is_written.clear(self.mesh.bound());
        let known = parts.iter().map(|part| part.number).filter(|&number| number != NONE);
        written.extend(region.old.iter().copied().chain(known).filter(|&it| is_written.mark(it)));
        let (tables, layers) = (&self.mesh.tables, &mut self.mesh.layers);
        region.beside.resize(layers.len(), Vec::new());
        for (layer, beside) in layers.iter_mut().zip(&mut region.beside) {
            layers::retire(layer, tables, written, is_written, beside);
        }
        rings.clear();
        let corners = joiner.rings();
        let mut begin = 0;
        for ring in corners.chunk_by(|a, b| a.polygon == b.polygon) {
            let (part, end) = (ring[0].polygon, begin + ring.len() as u32);
            let number = parts[part as usize].number;
            rings.push(Ring { part, begin, end, number, first: 0 });
            begin = end;
        }
        // The indices to reuse: the same in the same order if the count of pieces stays. Each
        // edited polygon has its own besides.
        spare.clear();
        spare.extend(region.old.iter().rev().filter(|&&it| it as usize >= self.base.bound()));
        is_present.clear(self.mesh.bound());
        let mut last = NONE;
        for ring in rings.iter_mut() {
            let part = &parts[ring.part as usize];
            if ring.number == NONE {
                ring.number = if std::mem::replace(&mut last, part.polygon) != part.polygon {
                    part.polygon
                } else if let Some(number) = spare.pop() {
                    number
                } else {
                    self.arena.take_number(self.mesh)
                };
            }
            is_present.mark(ring.number);
        }
        region.has_new_areas = false;
        for &number in written.iter() {
            if self.mesh.has(PolygonId(number)) {
                let count = &mut self.counts[usize::from(self.mesh.areas[number as usize].0)];
                *count -= 1;
                region.has_new_areas |= *count == 0;
            }
            if !is_present.has(number) {
                self.arena.clear(self.mesh, number);
                if number as usize >= self.base.bound() {
                    self.arena.free_number(number);
                }
            }
        }
        let mut left = rings.iter().peekable();
        for (index, part) in (0..).zip(parts) {
            let ring = left.next_if(|ring| ring.part == index);
            let number = ring.map_or(NONE, |ring| ring.number);
            let piece = self.cells[part.polygon as usize].pieces.get_mut(part.piece as usize);
            let area = piece.map(|piece| {
                piece.number = number;
                piece.area
            });
            if number == NONE {
                continue;
            }
            let area = area.unwrap_or(self.mesh.areas[number as usize]);
            self.mesh.areas[number as usize] = area;
            let count = &mut self.counts[usize::from(area.0)];
            region.has_new_areas |= *count == 0;
            *count += 1;
            if is_written.mark(number) {
                written.push(number);
            }
        }
    }

    /// Writes the corners of the rings.
    fn write(&mut self) {
        let Region { rings, gathered: Gathered { joiner, points, .. }, vertices, .. } = self.region;
        for ring in rings {
            let own = &joiner.rings()[ring.begin as usize..ring.end as usize];
            ring.first = self.arena.make_room(self.mesh, ring.number, own.len() as u32);
            let tables = &mut self.mesh.tables;
            let room = ring.first as usize..ring.first as usize + own.len();
            let origins = &mut self.arena.origins[room.clone()];
            let to = tables.corners[room.clone()].iter_mut().zip(origins);
            for (corner, (vertex, origin)) in own.iter().zip(to) {
                *vertex = vertices[corner.node as usize];
                *origin = points[corner.side as usize].origin;
            }
            let ends = [room.start as u32, room.end as u32];
            let Tables { corners, vertices, places, .. } = &*tables;
            let span = Span::of(ends, corners, vertices, places);
            tables.spans[ring.number as usize] = span;
        }
    }

    /// Finds the twins of edges: two edges between the same groups of points, there and back.
    fn pair(&mut self) {
        self.find_edges();
        let Region { gathered: Gathered { joiner, points, .. }, edges, is_written, .. } =
            &*self.region;
        let tables = &mut self.mesh.tables;
        for (edge, ring) in edges.iter().zip(joiner.rings()) {
            let back = edges.get(edge.back as usize);
            let back = back.filter(|back| !edge.is_tangled && !back.is_tangled);
            if let Some(back) = back {
                tables.twins[edge.corner as usize] = back.corner;
                continue;
            }
            let twin = points[ring.side as usize].twin;
            // Of a polygon that was written as well, the corner has moved.
            let owner = tables.owners.get(twin as usize).copied();
            if owner.is_some_and(|owner| owner != NO_TWIN && !is_written.has(owner)) {
                tables.twins[edge.corner as usize] = twin;
                tables.twins[twin as usize] = edge.corner;
            }
        }
    }

    /// Lists the edges of all rings, those that leave one group of points in a chain.
    fn find_edges(&mut self) {
        let Region { rings, gathered: Gathered { joiner, .. }, edges, chains, .. } =
            &mut *self.region;
        edges.clear();
        chains.clear();
        chains.resize(joiner.groups().len(), NONE);
        for ring in rings {
            let own = &joiner.rings()[ring.begin as usize..ring.end as usize];
            let ahead = own.iter().skip(1).chain(own);
            for (corner, (ring, next)) in (ring.first..).zip(own.iter().zip(ahead)) {
                let (from, to, this) = (ring.node, next.node, edges.len() as u32);
                let mut edge = RingEdge { to, corner, back: NONE, next: NONE, is_tangled: false };
                let mut at = chains[to as usize];
                while let Some(other) = edges.get_mut(at as usize) {
                    if other.to == from {
                        (edge.back, other.back) = (at, this);
                    }
                    at = other.next;
                }
                let mut at = chains[from as usize];
                while let Some(other) = edges.get_mut(at as usize) {
                    if other.to == to {
                        (other.is_tangled, edge.is_tangled) = (true, true);
                    }
                    at = other.next;
                }
                edge.next = std::mem::replace(&mut chains[from as usize], this);
                edges.push(edge);
            }
        }
    }
}

/// Returns the indices of the pieces of a polygon of the base.
fn numbers(polygon: u32, cell: &Cell) -> impl Iterator<Item = u32> + '_ {
    let whole = (!cell.is_cut).then_some(polygon);
    let pieces = cell.pieces.iter().map(|piece| piece.number);
    whole.into_iter().chain(pieces.filter(|&number| number != NONE))
}
