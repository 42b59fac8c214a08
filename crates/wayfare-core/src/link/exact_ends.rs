//! Where the exact ends of links are, and in which states: on meshes that change, edits give ground
//! to other polygons.

use glam::Vec3;

use super::nav_links::Arc;
use super::{LinkId, NavLinks};
use crate::space::{Space, StateId};

/// The exact ends of a link at present.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Places {
    pub(super) places: [Vec3; 2],
    /// Whether there is no ground within the radius of use of an end.
    pub(super) is_lost: bool,
}

/// A state and an exact point in it: an end of a link.
///
/// Example: [`ExactGround`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkGround<State> {
    /// The state.
    pub state: State,
    /// The point, on the ground of the state.
    pub point: Vec3,
}

/// A space whose states have many points each: links join two points of it instead of two states.
///
/// Navigation meshes implement it.
///
/// ```
/// use wayfare::link::{ExactGround, LinkGround};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["...#...", "...#..."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let above = Vec3::new(0.5, 0.2, 0.5);
/// let LinkGround { point, .. } = mesh.space().floor_at(above).unwrap();
/// assert_eq!(point, above.with_y(0.0));
/// assert!(mesh.space().nearest_to(Vec3::new(3.4, 0.0, 0.5), 0.1).is_none(), "in the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ExactGround: Space {
    /// Returns the floor at a point, a little above it or below it, on which a new link may end.
    fn floor_at(&self, point: Vec3) -> Option<LinkGround<Self::State>>;

    /// Returns the ground on which a body at a point stands.
    fn stand_at(&self, point: Vec3) -> Option<LinkGround<Self::State>>;

    /// Returns the ground nearest to a point, at most `distance` metres away.
    fn nearest_to(&self, point: Vec3, distance: f32) -> Option<LinkGround<Self::State>>;
}

impl<State: StateId> NavLinks<State> {
    /// Finds the exact ends of links again, after an edit that may have given their states other
    /// numbers or covered them. `find` returns the ground that is nearest to a point, at most that
    /// far from it. Returns whether any end is elsewhere or in another state than before.
    ///
    /// O(n log n) for n links, if any has exact ends.
    #[doc(hidden)]
    pub fn find_ends(&mut self, find: impl Fn(Vec3, f32) -> Option<LinkGround<State>>) -> bool {
        let mut moved = Vec::new();
        for (number, link) in self.links.iter_mut().enumerate() {
            let (Some(points), Some(places)) = (link.points, &mut self.places[number]) else {
                continue;
            };
            // A link without ground keeps its original ends, so the result depends on the mesh
            // alone.
            let found = [points.from, points.to].map(|point| find(point, points.reach()));
            let now = match found {
                [Some(from), Some(to)] => {
                    let is_same = (link.from, link.to) == (from.state, to.state);
                    (link.from, link.to) = (from.state, to.state);
                    if !is_same {
                        moved.push(number);
                    }
                    Places { places: [from.point, to.point], is_lost: false }
                }
                _ => Places { places: [points.from, points.to], is_lost: true },
            };
            if *places != now && moved.last() != Some(&number) {
                moved.push(number);
            }
            *places = now;
        }
        if moved.is_empty() {
            return false;
        }
        self.moves += 1;
        self.out.clear();
        self.back.clear();
        for number in 0..self.links.len() {
            self.join(LinkId(number as u32));
        }
        self.filter_again();
        for number in moved {
            self.note_change(LinkId(number as u32), true);
        }
        true
    }

    /// Returns the points of both ends of a link, the first end first: the exact ends, or the
    /// positions of its states. `None` for an unknown link, and if there is no ground within the
    /// radius of use of an end.
    #[must_use]
    pub fn places<S: Space<State = State>>(&self, space: &S, id: LinkId) -> Option<[Vec3; 2]> {
        let link = self.get(id)?;
        match self.places[id.0 as usize] {
            Some(Places { is_lost: true, .. }) => None,
            Some(Places { places, .. }) => Some(places),
            None => Some([link.from, link.to].map(|state| space.position(state))),
        }
    }

    /// Returns the states at two points, if a direction of a link leads from the one to the other.
    #[doc(hidden)]
    pub fn states_between(&self, id: LinkId, from: Vec3, to: Vec3) -> Option<[State; 2]> {
        let link = self.get(id)?;
        let Some(Places { places: [a, b], is_lost }) = self.places[id.0 as usize] else {
            return Some([link.from, link.to]);
        };
        if is_lost {
            None
        } else if (a, b) == (from, to) {
            Some([link.from, link.to])
        } else {
            (link.two_way && (b, a) == (from, to)).then_some([link.to, link.from])
        }
    }

    /// Returns a number that changes when exact ends of links do.
    pub(super) fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns whether an end of a link has no ground within its radius of use.
    #[doc(hidden)]
    pub fn is_lost(&self, id: LinkId) -> bool {
        self.places.get(id.0 as usize).is_some_and(|end| end.is_some_and(|end| end.is_lost))
    }

    /// Returns the points where a direction of a link is entered and left.
    pub(super) fn way_places<S: Space<State = State>>(
        &self,
        space: &S,
        arc: &Arc<State>,
    ) -> [Vec3; 2] {
        match self.places[arc.link.0 as usize] {
            None => [arc.here, arc.there].map(|state| space.position(state)),
            Some(Places { places: [from, to], .. }) if arc.backward => [to, from],
            Some(Places { places, .. }) => places,
        }
    }
}

impl<State: StateId> NavLinks<State> {
    /// Finds the ends of links again after edits of a live mesh, which give ground to other
    /// polygons, take it and give it back: to be called after each edit, with the mesh as it is
    /// now. Simulations do it by themselves. Returns whether any link changed.
    ///
    /// O(n log n) for n links.
    ///
    /// ```
    /// use wayfare::link::{Crossing, Keys, LinkPoints, NavLink, NavLinks};
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{CarvedGround, Carving, LiveMesh, MeshDraft, NavMesh, Prism};
    ///
    /// let grid = Grid::from_rows(&["...#...", "...#..."])?;
    /// let mut live = LiveMesh::new(NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?);
    /// let [from, to] = [2.5, 4.5].map(|x| Vec3::new(x, 0.0, 1.0));
    /// let points = LinkPoints { from, to, radius: 0.2 };
    /// let bridge = NavLink::on_mesh(&live.mesh().space(), points, Crossing::Speed(1.0))?;
    /// let mut links = NavLinks::new(1.0);
    /// let bridge = links.add(&live.mesh().space(), bridge)?;
    /// let barrel = Prism::cylinder(Vec3::new(2.5, 0.0, 1.0), 0.3, 1.0)?;
    /// let barrel = live.insert(Carving { prism: barrel, ground: CarvedGround::Blocked })?;
    /// links.follow(&live.mesh().space());
    /// assert_eq!(links.places(&live.mesh().space(), bridge), None); // it stands on the end
    /// live.remove(barrel)?;
    /// links.follow(&live.mesh().space());
    /// assert_eq!(links.places(&live.mesh().space(), bridge), Some([from, to]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow<S: ExactGround<State = State>>(&mut self, space: &S) -> bool {
        self.find_ends(|point, reach| {
            space.stand_at(point).or_else(|| space.nearest_to(point, reach))
        })
    }
}
