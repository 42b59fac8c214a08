//! Layers: a mesh as one profile of agents sees it.

use glam::{DVec2, Vec2};

use super::blocks::Blocks;
use super::build::NO_TWIN;
use super::mesh::Tables;
use super::plan::{plan, turn};
use super::{AreaCosts, AreaId};

/// One class of agents on a mesh: what each area costs them.
///
/// ```
/// use wayfare::space::navmesh::{AreaCosts, AreaId, MeshProfile};
/// let ducks = MeshProfile { areas: AreaCosts::new().with(AreaId(1), 0.5)? };
/// assert_eq!(ducks.areas.multiplier(AreaId(1)), Some(0.5));
/// # Ok::<(), wayfare::space::navmesh::AreaCostError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshProfile {
    /// What each area costs. Default: the length walked on it.
    pub areas: AreaCosts,
}

/// A corner with what searches ask of it: 24 bytes, those of a polygon in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// The place as seen from above.
    place: Vec2,
    /// The vertex.
    pub(crate) vertex: u32,
    /// The same edge in the neighbour, or [`NO_TWIN`] where agents of the profile cannot pass.
    pub(crate) twin: u32,
    /// The polygon beyond the edge, if agents can pass.
    pub(crate) beyond: u32,
    /// The block of the edge, if agents can pass.
    pub(crate) block: u32,
}

impl Corner {
    /// The place as seen from above, as stored.
    #[inline(always)]
    pub(crate) fn flat(&self) -> Vec2 {
        self.place
    }

    /// The place as seen from above.
    #[inline(always)]
    pub(crate) fn place(&self) -> DVec2 {
        self.place.as_dvec2()
    }
}

/// A mesh as one profile of agents sees it.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) profile: MeshProfile,
    pub(crate) corners: Vec<Corner>,
    pub(crate) blocks: Blocks,
    /// For each vertex: whether a shortest path may turn there.
    pub(crate) turns: Vec<bool>,
    /// The multiplier of all areas that can be entered and are on the mesh, if it is one.
    pub(crate) uniform: Option<f32>,
    /// The lowest multiplier of an area that can be entered.
    pub(crate) lowest: f32,
}

impl Layer {
    pub(super) fn build(tables: &Tables, areas: &[AreaId], profile: MeshProfile) -> Self {
        let is_free = |polygon: u32| profile.areas.multiplier(areas[polygon as usize]).is_some();
        let twins: Vec<u32> = (0..tables.corners.len())
            .map(|corner| match tables.twins[corner] {
                NO_TWIN => NO_TWIN,
                twin => {
                    let sides = [tables.owners[corner], tables.owners[twin as usize]];
                    if sides.into_iter().all(is_free) { twin } else { NO_TWIN }
                }
            })
            .collect();
        let (blocks, edge_blocks) = Blocks::build(&tables.spans, &tables.owners, &twins);
        let corners: Vec<Corner> = tables
            .corners
            .iter()
            .zip(&twins)
            .zip(&edge_blocks)
            .map(|((&vertex, &twin), &block)| {
                let place = plan(tables.vertices[vertex as usize]).as_vec2();
                let beyond = tables.owners.get(twin as usize).copied().unwrap_or(NO_TWIN);
                Corner { place, vertex, twin, beyond, block }
            })
            .collect();
        let mut present = [false; 256];
        for (area, span) in areas.iter().zip(&tables.spans) {
            present[usize::from(area.0)] |= span.begin != span.end;
        }
        let multipliers = (0..=255_u8).filter(|&area| present[usize::from(area)]);
        let multipliers = multipliers.filter_map(|area| profile.areas.multiplier(AreaId(area)));
        let lowest = multipliers.clone().reduce(f32::min).unwrap_or(1.0);
        let highest = multipliers.reduce(f32::max).unwrap_or(1.0);
        let uniform = (lowest == highest).then_some(lowest);
        let turns = turning_vertices(tables, &corners, is_free);
        Self { profile, corners, blocks, turns, uniform, lowest }
    }

    /// The memory that the layer holds, in bytes.
    pub(super) fn size_in_bytes(&self) -> usize {
        self.corners.capacity() * size_of::<Corner>()
            + self.turns.capacity()
            + self.blocks.size_in_bytes()
    }
}

/// The vertices where the free ground between two walls takes up more than 180°. A shortest path
/// turns nowhere else: where there are 180° or less on either side of it, a shortcut is free.
fn turning_vertices(
    tables: &Tables,
    corners: &[Corner],
    is_free: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut turns = vec![false; tables.vertices.len()];
    for wall in 0..corners.len() as u32 {
        let corner = corners[wall as usize];
        let owner = tables.owners[wall as usize];
        if corner.twin != NO_TWIN || owner == NO_TWIN || !is_free(owner) {
            continue;
        }
        // From the wall that begins here around to the wall that ends here, counter-clockwise.
        let here = corner.place();
        let ahead = corners[tables.next(wall) as usize].place();
        let mut at = wall;
        loop {
            let before = tables.previous(at);
            let spoke = corners[before as usize].place();
            let side = turn(here, ahead, spoke);
            let is_straight = side == 0.0 && (ahead - here).dot(spoke - here) < 0.0;
            let twin = corners[before as usize].twin;
            if side < 0.0 || (is_straight && twin != NO_TWIN) {
                turns[corner.vertex as usize] = true;
                break;
            }
            if twin == NO_TWIN || twin == wall {
                break;
            }
            at = twin;
        }
    }
    turns
}
