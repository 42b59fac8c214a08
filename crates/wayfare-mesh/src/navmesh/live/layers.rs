//! Layers that follow edits.
//!
//! An edit frees the fans of the written polygons before the tables change ([`retire`]), and puts
//! the polygons into the layer again afterwards ([`patch`]).
//!
//! # Which fans have to be found again
//!
//! The fans that a written polygon is or was in. A polygon beyond the written ones keeps its edges.
//! So if the fan of one of its corners changed, some polygon of the fan was written; the edges from
//! the corner to the first such polygon are unchanged, and that polygon still has a corner there.
//! Hence each changed fan is met from a corner of a written polygon.

use super::super::blocks::Blocks;
use super::super::build::NO_TWIN;
use super::super::layer::{Corner, Exits, Layer, NO_FAN, UNNAMED};
use super::super::mesh::Tables;
use super::super::{AreaId, MeshProfile, NavMesh, PolygonId};
use super::arena::Arena;
use super::cells::{Cell, NONE};
use super::marks::Marks;
use glam::Vec2;
use wayfare_core::inside::Components;

/// Frees the fans of polygons that are to be written or removed. `beside` gets the polygons beside
/// them.
pub(super) fn retire(
    layer: &mut Layer,
    tables: &Tables,
    written: &[u32],
    is_written: &Marks,
    beside: &mut Vec<u32>,
) {
    beside.clear();
    for &number in written {
        let Some(span) = tables.spans.get(number as usize) else { continue };
        for corner in &layer.corners[span.begin as usize..span.end as usize] {
            if corner.fan != NO_FAN {
                layer.fans.free(corner.fan);
            }
            if corner.twin != NO_TWIN && !is_written.has(corner.beyond) {
                beside.push(corner.beyond);
            }
        }
    }
}

/// The polygons that were written, in any order.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) list: &'a [u32],
    pub(super) marks: &'a Marks,
}

/// Puts written polygons into a layer. `beside` has the neighbours before the edit.
pub(super) fn patch(
    layer: &mut Layer,
    base: &Layer,
    mesh: (&Tables, &[AreaId]),
    arena: &Arena,
    written: Written<'_>,
    beside: &[u32],
    groups: &mut Groups,
) {
    let tables = mesh.0;
    set_corners(layer, base, mesh, arena, written);
    let corners = &mut layer.corners;
    for &number in written.list {
        layer.fans.name_around(tables, corners, tables.spans[number as usize]);
    }
    if let Some(islands) = &mut layer.islands {
        let exits = Exits { tables, corners };
        groups.free.clear();
        let free = written.list.iter().filter(|&&number| is_free(&layer.profile, mesh, number));
        groups.free.extend(free);
        update_islands(islands, &exits, written.list, beside, groups);
    }
}

/// Moves written polygons to their islands. `beside` has the neighbours before the edit.
///
/// Around an obstacle all polygons are of one island as a rule, and stay connected. Then the others
/// of the island stay connected with them: each was connected with a neighbour by polygons that
/// are not written. No island is joined either: an edge between a written polygon and one that is
/// not was there before.
fn update_islands(
    islands: &mut Components,
    exits: &Exits<'_>,
    written: &[u32],
    beside: &[u32],
    groups: &mut Groups,
) {
    let all = written.iter().chain(beside);
    let mut before = all.filter_map(|&number| islands.label(number));
    let first = before.next();
    let island = first.filter(|&island| before.all(|label| label == island));
    groups.collect(beside, exits);
    if let (Some(island), true) = (island, groups.are_one(exits)) {
        islands.grow(exits.tables.spans.len());
        let mut free = groups.free.iter().peekable();
        for number in written {
            if free.next_if_eq(&number).is_none() {
                islands.vacate(*number);
            } else if islands.label(*number).is_none() {
                islands.fill(*number, 1, island);
            }
        }
        islands.mend_names();
        return;
    }
    written.iter().for_each(|&number| islands.vacate(number));
    // Before any island that lost its name is joined with another one.
    islands.mend_names();
    for &number in &groups.free {
        islands.insert(number, exits.of(number));
    }
    groups.find_firsts(exits);
    if groups.firsts.len() > 1 {
        islands.split(&groups.firsts, exits);
    }
}

/// Groups of polygons that are joined by moves between them; its fields are memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The written polygons that can be entered.
    free: Vec<u32>,
    /// The polygons looked at: the free ones first.
    polygons: Vec<u32>,
    /// The index of each polygon among these, if it is one.
    places: Vec<u32>,
    /// The index of an earlier polygon of each one's group: its own, for the first.
    earlier: Vec<u32>,
    /// The first polygon of each group.
    firsts: Vec<u32>,
}

impl Groups {
    /// Takes the free polygons and these `beside`.
    fn collect(&mut self, beside: &[u32], exits: &Exits<'_>) {
        self.places.resize(exits.tables.spans.len(), NONE);
        self.polygons.clear();
        for &polygon in self.free.iter().chain(beside) {
            if self.place(polygon).is_none() {
                self.places[polygon as usize] = self.polygons.len() as u32;
                self.polygons.push(polygon);
            }
        }
    }

    /// Returns the index of a polygon among these looked at.
    #[inline]
    fn place(&self, polygon: u32) -> Option<u32> {
        let place = self.places[polygon as usize];
        (self.polygons.get(place as usize) == Some(&polygon)).then_some(place)
    }

    /// Returns whether there is one group. The polygons that the first one reaches move to the
    /// front.
    fn are_one(&mut self, exits: &Exits<'_>) -> bool {
        let (mut at, mut reached) = (0, 1);
        while at < reached && reached < self.polygons.len() {
            for next in exits.of(self.polygons[at]) {
                if let Some(place) = self.place(next).filter(|&place| place as usize >= reached) {
                    let other = self.polygons[reached];
                    self.polygons.swap(place as usize, reached);
                    self.places[other as usize] = place;
                    self.places[next as usize] = reached as u32;
                    reached += 1;
                }
            }
            at += 1;
        }
        reached == self.polygons.len()
    }

    /// Finds the first polygon of each group.
    fn find_firsts(&mut self, exits: &Exits<'_>) {
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.clear();
        earlier.extend(0..self.polygons.len() as u32);
        for (at, &polygon) in (0..).zip(&self.polygons) {
            for next in exits.of(polygon).filter_map(|next| self.place(next)) {
                let [a, b] = [at, next].map(|at| root(&mut earlier, at));
                earlier[a.max(b) as usize] = a.min(b);
            }
        }
        let firsts = (0..).zip(&self.polygons).filter(|(at, _)| earlier[*at as usize] == *at);
        self.firsts.clear();
        self.firsts.extend(firsts.map(|(_, &polygon)| polygon));
        self.earlier = earlier;
    }
}

/// Returns the first of a group, and shortens the way to it.
fn root(first: &mut [u32], mut at: u32) -> u32 {
    while first[at as usize] != at {
        first[at as usize] = first[first[at as usize] as usize];
        at = first[at as usize];
    }
    at
}

/// Returns whether agents of a profile can enter a polygon, if there is one.
fn is_free(profile: &MeshProfile, (tables, areas): (&Tables, &[AreaId]), number: u32) -> bool {
    let span = tables.spans[number as usize];
    span.begin != span.end && profile.areas.multiplier(areas[number as usize]).is_some()
}

/// Writes the corners of polygons, and the references of neighbouring corners to them.
fn set_corners(
    layer: &mut Layer,
    base: &Layer,
    mesh: (&Tables, &[AreaId]),
    arena: &Arena,
    written: Written<'_>,
) {
    let tables = mesh.0;
    let always = layer.blocks.always();
    let empty =
        Corner { place: Vec2::ZERO, fan: NO_FAN, twin: NO_TWIN, beyond: NO_TWIN, block: always };
    layer.corners.resize(tables.corners.len(), empty);
    for &number in written.list {
        let span = tables.spans[number as usize];
        let is_own_free = is_free(&layer.profile, mesh, number);
        let fan = if is_own_free { UNNAMED } else { NO_FAN };
        for corner in span.begin..span.end {
            let place = tables.place(corner);
            let twin = tables.twins[corner as usize];
            let edge = base.corners.get(arena.origins[corner as usize].edge as usize);
            let block = edge.map_or(always, |edge| edge.block.min(always));
            let mut own = Corner { place, fan, twin: NO_TWIN, beyond: NO_TWIN, block };
            if twin != NO_TWIN {
                let beyond = tables.owners[twin as usize];
                let passes = is_own_free && is_free(&layer.profile, mesh, beyond);
                if passes {
                    (own.twin, own.beyond) = (twin, beyond);
                }
                if !written.marks.has(beyond) {
                    let other = &mut layer.corners[twin as usize];
                    (other.twin, other.beyond) =
                        if passes { (corner, number) } else { (NO_TWIN, NO_TWIN) };
                    other.block = block;
                }
            }
            layer.corners[corner as usize] = own;
        }
    }
}

/// Notes the result of an edit on a polygon of the base. `area` is its area when the blocks were
/// found.
pub(super) fn set_cell(
    layer: &mut Layer,
    base: (&NavMesh, &Layer),
    polygon: u32,
    area: AreaId,
    cell: &Cell,
    now: AreaId,
) {
    let blocks: &mut Blocks = &mut layer.blocks;
    let edges = || base.1.corners[base.0.own(PolygonId(polygon))].iter().map(|edge| edge.block);
    blocks.set_cut(polygon, !cell.carvings.is_empty(), edges);
    let pieces = || cell.pieces.iter().filter(|piece| piece.number != NONE);
    for piece in pieces() {
        blocks.set_base(piece.number, polygon);
    }
    let areas = &layer.profile.areas;
    let is_free = || match cell.is_cut {
        true => pieces().any(|piece| areas.multiplier(piece.area).is_some()),
        false => areas.multiplier(now).is_some(),
    };
    blocks.set_loose(polygon, areas.multiplier(area).is_none() && is_free());
}

/// Returns a layer of the mesh as it is now. `areas` are these of the base when the blocks of
/// `base` were found.
pub(super) fn build(
    base: (&NavMesh, &Layer),
    areas: &[AreaId],
    mesh: &NavMesh,
    arena: &Arena,
    cells: &[Cell],
) -> Layer {
    let mut layer = Layer {
        profile: base.1.profile.clone(),
        corners: Vec::new(),
        blocks: base.1.blocks.clone(),
        fans: super::super::layer::Fans::default(),
        islands: None,
        uniform: base.1.uniform,
        lowest: base.1.lowest,
    };
    for (polygon, cell) in (0..).zip(cells) {
        let area = areas[polygon as usize];
        let now = base.0.area(PolygonId(polygon));
        set_cell(&mut layer, base, polygon, area, cell, now);
    }
    let parts = (&mesh.tables, mesh.areas.as_slice());
    let all: Vec<u32> = (0..mesh.bound() as u32).collect();
    let mut marks = Marks::default();
    marks.clear(all.len());
    marks.mark_all(&all);
    let written = Written { list: &all, marks: &marks };
    patch(&mut layer, base.1, parts, arena, written, &[], &mut Groups::default());
    let is_state = |number: u32| is_free(&layer.profile, parts, number);
    let exits = Exits { tables: &mesh.tables, corners: &layer.corners };
    let islands = Components::build(mesh.bound(), is_state, &exits);
    layer.islands = Some(islands);
    layer
}
