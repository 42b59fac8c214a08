//! Layers: a mesh as one profile of agents sees it.

use glam::{DVec2, Vec2};
use wayfare_core::inside::{Adjacency, Components};

use super::blocks::Blocks;
use super::build::NO_TWIN;
use super::index_set::IndexSet;
use super::mesh::{Span, Tables};
use super::plan::turn;
use super::{AreaCosts, AreaId};

/// One class of agents on a mesh: the cost of each area.
///
/// ```
/// use wayfare::space::navmesh::{AreaCosts, AreaId, MeshProfile};
/// let ducks = MeshProfile { areas: AreaCosts::new().with(AreaId(1), 0.5)? };
/// assert_eq!(ducks.areas.multiplier(AreaId(1)), Some(0.5));
/// # Ok::<(), wayfare::space::navmesh::AreaCostError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshProfile {
    /// The cost of each area. Default: the length walked on it.
    pub areas: AreaCosts,
}

/// The ground around a corner is no fan that a shortest path may turn in.
pub const NO_FAN: u32 = u32::MAX;

/// The fan of a corner whose fan is still to be found.
pub(super) const UNNAMED: u32 = u32::MAX - 1;

/// A corner as searches read it: 24 bytes; the corners of a polygon are consecutive.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The point as seen from above.
    pub place: Vec2,
    /// The fan that the corner is a part of, or [`NO_FAN`] if no shortest path turns there.
    pub fan: u32,
    /// The same edge in the neighbour, or [`NO_TWIN`] where agents of the profile cannot pass.
    pub twin: u32,
    /// The polygon beyond the edge, if agents can pass.
    pub beyond: u32,
    /// The block of the edge, if agents can pass.
    pub block: u32,
}

impl Corner {
    /// Returns the point of the raster as seen from above, as stored.
    #[inline(always)]
    pub(crate) fn flat(&self) -> Vec2 {
        self.place
    }

    /// Returns the point as seen from above.
    #[inline(always)]
    #[doc(hidden)]
    pub fn place(&self) -> DVec2 {
        self.place.as_dvec2()
    }
}

/// A mesh as one profile of agents sees it.
#[derive(Clone, Debug)]
pub struct Layer {
    pub(crate) profile: MeshProfile,
    pub corners: Vec<Corner>,
    pub(crate) blocks: Blocks,
    pub(super) fans: Fans,
    /// The islands, if the mesh is edited live; else the blocks know them.
    pub(super) islands: Option<Components>,
    /// The multiplier of all areas that can be entered and are on the mesh, if it is one.
    pub(crate) uniform: Option<f32>,
    /// The lowest multiplier of an area that can be entered.
    pub lowest: f32,
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
        let mut corners: Vec<Corner> = (0..tables.corners.len())
            .map(|corner| {
                let (twin, block) = (twins[corner], edge_blocks[corner]);
                let beyond = tables.owners.get(twin as usize).copied().unwrap_or(NO_TWIN);
                Corner { place: tables.place(corner as u32), fan: NO_FAN, twin, beyond, block }
            })
            .collect();
        let mut present = [false; 256];
        for (area, span) in areas.iter().zip(&tables.spans) {
            present[usize::from(area.0)] |= span.begin != span.end;
        }
        let mut fans = Fans::default();
        for wall in 0..corners.len() as u32 {
            let owner = tables.owners[wall as usize];
            if corners[wall as usize].twin == NO_TWIN && owner != NO_TWIN && is_free(owner) {
                fans.name(tables, &mut corners, wall);
            }
        }
        let bent =
            (0..).zip(&tables.spans).filter(|(number, span)| span.is_bent && is_free(*number));
        for corner in bent.flat_map(|(_, span)| span.begin..span.end) {
            if tables.is_dent(corner) && corners[corner as usize].fan == NO_FAN {
                let fan = fans.number();
                set_fan(tables, &mut corners, corner, fan);
            }
        }
        let (uniform, lowest) = (None, 1.0);
        let mut layer = Self { profile, corners, blocks, fans, islands: None, uniform, lowest };
        layer.set_present(&present);
        layer
    }

    /// Says which areas are on the mesh.
    pub(super) fn set_present(&mut self, present: &[bool; 256]) {
        let multipliers = (0..=255_u8).filter(|&area| present[usize::from(area)]);
        let areas = &self.profile.areas;
        let multipliers = multipliers.filter_map(|area| areas.multiplier(AreaId(area)));
        let highest = multipliers.clone().reduce(f32::max).unwrap_or(1.0);
        self.lowest = multipliers.reduce(f32::min).unwrap_or(1.0);
        self.uniform = (self.lowest == highest).then_some(self.lowest);
    }

    /// Returns the island of a polygon: the lowest index among its polygons. A polygon that cannot
    /// be entered is an island of its own.
    #[inline]
    pub(crate) fn island(&self, polygon: u32) -> u32 {
        match &self.islands {
            None => self.blocks.island(polygon),
            Some(islands) => islands.name(polygon).unwrap_or(polygon),
        }
    }

    /// Returns a bound above the indices of all fans.
    #[inline]
    #[doc(hidden)]
    pub fn fan_bound(&self) -> usize {
        self.fans.bound as usize
    }

    /// Returns the memory of the layer, in bytes.
    pub(super) fn size_in_bytes(&self) -> usize {
        self.corners.capacity() * size_of::<Corner>()
            + self.fans.free.size_in_bytes()
            + self.islands.as_ref().map_or(0, Components::size_in_bytes)
            + self.blocks.size_in_bytes()
    }
}

/// The neighbours of polygons by moves.
pub(super) struct Exits<'a> {
    pub(super) tables: &'a Tables,
    pub(super) corners: &'a [Corner],
}

impl Exits<'_> {
    /// Returns the neighbours of a polygon.
    pub(super) fn of(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let span = self.tables.spans[polygon as usize];
        let own = self.corners[span.begin as usize..span.end as usize].iter();
        own.filter(|corner| corner.twin != NO_TWIN).map(|corner| corner.beyond)
    }
}

impl Adjacency for Exits<'_> {
    fn neighbours(&self, state: u32, visit: impl FnMut(u32)) {
        self.of(state).for_each(visit);
    }
}

/// Indices of fans: the free ground around a vertex from one wall to the next, where it spans more
/// than 180°.
///
/// A shortest path turns nowhere else: with 180° or less on either side of a turn, a shortcut is
/// free. Where walls touch, a vertex has several fans, so the vertex does not identify one: a short
/// path to one is no path to another.
///
/// # Dents
///
/// Blocks that a search skips are walls to it, at whose vertices it may have to turn. Around a
/// vertex without a wall all polygons but one hang together without that one, so they are of one
/// block: if a search is to skip some but not all of them, these are all but one. That one spans
/// 180° or less unless it has a dent there. So all the free ground around a dent is a fan too.
#[derive(Clone, Debug, Default)]
pub(super) struct Fans {
    bound: u32,
    free: IndexSet,
    /// The corners of a fan, each with the one before it in its polygon. Memory.
    spokes: Vec<[u32; 2]>,
}

impl Fans {
    /// Frees the index of a fan; once more makes no difference.
    pub(super) fn free(&mut self, fan: u32) {
        self.free.insert(fan);
    }

    /// Gives an index to the fan that starts at a wall, if a path may turn in it.
    fn name(&mut self, tables: &Tables, corners: &mut [Corner], wall: u32) {
        let fan = if is_wide(tables, corners, wall) { self.number() } else { NO_FAN };
        set_fan(tables, corners, wall, fan);
    }

    /// Returns an unused index for a fan.
    fn number(&mut self) -> u32 {
        self.free.take_first().unwrap_or_else(|| {
            self.bound += 1;
            self.bound - 1
        })
    }

    /// Gives indices to the fans of a polygon's corners, where these are [`UNNAMED`].
    pub(super) fn name_around(&mut self, tables: &Tables, corners: &mut [Corner], span: Span) {
        for corner in span.begin..span.end {
            if corners[corner as usize].fan == UNNAMED {
                let may_turn = match self.find_wall(tables, corners, span, corner) {
                    Some(ahead) => self.is_wide(tables, corners, ahead),
                    None => self.spokes.iter().any(|&[corner, _]| tables.is_dent(corner)),
                };
                let fan = if may_turn { self.number() } else { NO_FAN };
                for [corner, _] in &self.spokes {
                    corners[*corner as usize].fan = fan;
                }
            }
        }
    }

    /// Goes clockwise around a corner, all around or to the wall of its fan, whose end is returned.
    /// The corners on the way become the spokes.
    fn find_wall(
        &mut self,
        tables: &Tables,
        corners: &[Corner],
        mut span: Span,
        corner: u32,
    ) -> Option<u32> {
        self.spokes.clear();
        let mut at = corner;
        loop {
            self.spokes.push([at, span.previous(at)]);
            let Corner { twin, beyond, .. } = corners[at as usize];
            if twin == NO_TWIN {
                return Some(span.next(at));
            }
            span = tables.spans[beyond as usize];
            at = span.next(twin);
            if at == corner {
                return None;
            }
        }
    }

    /// Adds the spokes from the first one counter-clockwise to a wall, and returns whether the fan
    /// spans more than 180°. Its other wall ends at `ahead`.
    fn is_wide(&mut self, tables: &Tables, corners: &[Corner], ahead: u32) -> bool {
        let known = self.spokes.len();
        let mut before = self.spokes[0][1];
        loop {
            let Corner { twin, beyond, .. } = corners[before as usize];
            if twin == NO_TWIN {
                break;
            }
            before = tables.spans[beyond as usize].previous(twin);
            self.spokes.push([twin, before]);
        }
        let here = corners[self.spokes[0][0] as usize].place();
        let along = corners[ahead as usize].place() - here;
        let spokes = self.spokes[..known].iter().rev().chain(&self.spokes[known..]);
        spokes.into_iter().any(|&[_, before]| {
            let spoke = &corners[before as usize];
            let to = spoke.place() - here;
            let side = along.perp_dot(to);
            side < 0.0 || side == 0.0 && spoke.twin != NO_TWIN && along.dot(to) < 0.0
        })
    }
}

/// Gives an index to the corners of a fan, from one counter-clockwise to a wall or all around.
fn set_fan(tables: &Tables, corners: &mut [Corner], first: u32, fan: u32) {
    let mut at = first;
    loop {
        corners[at as usize].fan = fan;
        at = corners[tables.previous(at) as usize].twin;
        if at == NO_TWIN || at == first {
            break;
        }
    }
}

/// Returns whether the fan that starts at a wall spans more than 180°.
fn is_wide(tables: &Tables, corners: &[Corner], wall: u32) -> bool {
    let here = corners[wall as usize].place();
    let ahead = corners[tables.next(wall) as usize].place();
    let mut at = wall;
    loop {
        let before = tables.previous(at);
        let spoke = corners[before as usize].place();
        let side = turn(here, ahead, spoke);
        let is_straight = side == 0.0 && (ahead - here).dot(spoke - here) < 0.0;
        let twin = corners[before as usize].twin;
        if side < 0.0 || (is_straight && twin != NO_TWIN) {
            return true;
        }
        if twin == NO_TWIN || twin == wall {
            return false;
        }
        at = twin;
    }
}
