//! Layers that follow edits.
//!
//! An edit takes the written polygons out of a layer ([`retire`]) before the tables change, and
//! puts them in again afterwards ([`patch`]).
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
use wayfare_core::inside::{Adjacency, Components};

/// Takes polygons out of a layer that are to be written or removed. `beside` gets the polygons
/// beside them.
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
        if let Some(islands) = &mut layer.islands {
            islands.vacate(number);
        }
    }
    if let Some(islands) = &mut layer.islands {
        // Before any island that lost its name is joined with another one.
        islands.mend_names();
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
    beside: &mut Vec<u32>,
    groups: &mut Groups,
) {
    let tables = mesh.0;
    set_corners(layer, base, mesh, arena, written);
    let corners = &mut layer.corners;
    let around = written.list.iter().flat_map(|&number| {
        let span = tables.spans[number as usize];
        span.begin..span.end
    });
    layer.fans.name_around(tables, corners, around);
    let exits = Exits { tables, corners };
    if let Some(islands) = &mut layer.islands {
        let profile = &layer.profile;
        for &number in written.list.iter().filter(|&&number| is_free(profile, mesh, number)) {
            let span = tables.spans[number as usize];
            let own = &exits.corners[span.begin as usize..span.end as usize];
            let next = own.iter().filter(|at| at.twin != NO_TWIN).map(|at| at.beyond);
            islands.insert(number, next);
            beside.push(number);
        }
        groups.thin_out(beside, &exits);
        if beside.len() > 1 {
            islands.split(beside, &exits);
        }
    }
}

/// Groups of polygons that are joined by moves between them; its fields are memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The index of each polygon among these looked at, if it is one.
    places: Vec<u32>,
    /// The index of an earlier polygon of each one's group: its own, for the first.
    first: Vec<u32>,
}

impl Groups {
    /// Leaves one polygon of each group. Around an obstacle all polygons are one group as a rule;
    /// then no flood is needed to see that no island fell apart.
    fn thin_out(&mut self, polygons: &mut Vec<u32>, exits: &Exits<'_>) {
        let Self { places, first } = self;
        places.resize(exits.tables.spans.len(), NONE);
        let is_known = |places: &[u32], polygons: &[u32], polygon: u32| {
            polygons.get(places[polygon as usize] as usize) == Some(&polygon)
        };
        let mut count = 0;
        for index in 0..polygons.len() {
            let polygon = polygons[index];
            if !is_known(places, &polygons[..count], polygon) {
                polygons[count] = polygon;
                places[polygon as usize] = count as u32;
                count += 1;
            }
        }
        polygons.truncate(count);
        first.clear();
        first.extend(0..count as u32);
        for (place, &polygon) in (0..).zip(&*polygons) {
            exits.neighbours(polygon, |next| {
                if is_known(places, polygons, next) {
                    let [a, b] = [place, places[next as usize]].map(|at| root(first, at));
                    first[a.max(b) as usize] = a.min(b);
                }
            });
        }
        let mut place = 0..;
        polygons.retain(|_| place.next().is_some_and(|place: u32| first[place as usize] == place));
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
            let edge = base.corners.get(arena.edges[corner as usize] as usize);
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
    patch(&mut layer, base.1, parts, arena, written, &mut Vec::new(), &mut Groups::default());
    let is_state = |number: u32| is_free(&layer.profile, parts, number);
    let exits = Exits { tables: &mesh.tables, corners: &layer.corners };
    let islands = Components::build(mesh.bound(), is_state, &exits);
    layer.islands = Some(islands);
    layer
}
