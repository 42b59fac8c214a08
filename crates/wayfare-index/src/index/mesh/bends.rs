//! Bends: the vertices of a mesh at which a shortest path may turn.
//!
//! A bend is a fan of the mesh: the free ground around a vertex from one wall to the next, where it
//! takes up more than 180°.
//!
//! # Where a path can turn
//!
//! Let the ground begin at the wall in direction `a`, and go counter-clockwise by the angle `w` to
//! the wall in direction `b`. A path that comes from direction `u` and turns around the walls makes
//! less than 180° on their side. Seen counter-clockwise from `a`, `u` then lies below `w - 180°`
//! (the path turns towards `b`), or above 180° (it turns towards `a`). In between any turn can be
//! cut short. Since `-b` lies at `w - 180°` and `-a` at 180°, `u` is *taut* if
//!
//! * it lies between `a` and `-b`: `a × u >= 0` and `u × b <= 0`, or
//! * it lies between `-a` and `b`: `a × u <= 0` and `u × b >= 0`.
//!
//! Around a dent there are no walls, and all directions count as taut.

use glam::DVec2;

use wayfare_mesh::inside::{NO_FAN, NO_TWIN};
use wayfare_mesh::navmesh::NavMeshSpace;

/// No bend.
pub(super) const NO_BEND: u32 = u32::MAX;

/// A bend.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bend {
    pub(super) place: DVec2,
    /// The first corner of the fan, counter-clockwise.
    pub(super) corner: u32,
    /// The directions of the two walls; zero at a dent.
    walls: [DVec2; 2],
}

impl Bend {
    /// Returns the sides that a direction lies on. The direction lies in the fan.
    #[inline]
    pub(super) fn sides(&self, at: DVec2) -> Sides {
        let [a, b] = self.walls;
        let (of_a, of_b) = (a.perp_dot(at), at.perp_dot(b));
        Sides { first: of_a >= 0.0 && of_b <= 0.0, last: of_a <= 0.0 && of_b >= 0.0 }
    }

    /// Returns whether a path that comes from a direction may turn here. The direction lies in the
    /// fan.
    #[inline]
    pub(super) fn is_taut(&self, from: DVec2) -> bool {
        let Sides { first, last } = self.sides(from);
        first || last
    }

    /// Returns whether no direction of a cone of less than 180° that lies in the fan is taut.
    ///
    /// The directions that are not taut lie between `-b` and `-a`, less than 180° apart. So a cone
    /// has none but these if neither of its bounds is strictly taut.
    #[inline]
    pub(super) fn is_slack(&self, right: DVec2, left: DVec2) -> bool {
        let [a, b] = self.walls;
        let is_between = |at: DVec2| at.perp_dot(b) >= 0.0 && a.perp_dot(at) >= 0.0;
        b.perp_dot(a) > 0.0 && is_between(right) && is_between(left)
    }
}

/// The sides of a bend that a taut direction lies on: counter-clockwise between the first wall and
/// the line of the last one, or the reverse. A path that comes from one side goes on to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides {
    pub(super) first: bool,
    pub(super) last: bool,
}

/// The bends of a mesh, in the order of their first corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Bends {
    pub(super) all: Vec<Bend>,
    /// The bend of each fan.
    of_fan: Vec<u32>,
}

impl Bends {
    /// Finds the bends. O(corners).
    pub(super) fn new(space: &NavMeshSpace<'_>) -> Self {
        let (corners, tables) = (&space.layer.corners, &space.mesh().tables);
        let mut bends = Self { all: Vec::new(), of_fan: vec![NO_BEND; space.layer.fan_bound()] };
        let mut dents = Vec::new();
        for polygon in space.mesh().polygons().filter(|&polygon| space.is_free(polygon)) {
            let span = tables.spans[polygon.0 as usize];
            for corner in span.begin..span.end {
                let at = corners[corner as usize];
                if at.fan == NO_FAN {
                    continue;
                }
                if at.twin != NO_TWIN {
                    dents.push((at.fan, corner));
                    continue;
                }
                let place = at.place();
                let to = |corner: u32| corners[corner as usize].place() - place;
                let mut last = corner;
                loop {
                    let twin = corners[tables.previous(last) as usize].twin;
                    if twin == NO_TWIN {
                        break;
                    }
                    last = twin;
                }
                let walls = [to(tables.next(corner)), to(tables.previous(last))];
                bends.push(at.fan, Bend { place, corner, walls });
            }
        }
        // Fans without a wall.
        for (fan, corner) in dents {
            if bends.of_fan[fan as usize] == NO_BEND {
                let place = corners[corner as usize].place();
                bends.push(fan, Bend { place, corner, walls: [DVec2::ZERO; 2] });
            }
        }
        bends
    }

    /// Returns the same bends, the one at each position numbered `names[position]`.
    pub(super) fn renamed(&self, names: &[u32]) -> Self {
        let mut renamed = self.clone();
        for (bend, &name) in self.all.iter().zip(names) {
            renamed.all[name as usize] = *bend;
        }
        for bend in renamed.of_fan.iter_mut().filter(|bend| **bend != NO_BEND) {
            *bend = names[*bend as usize];
        }
        renamed
    }

    fn push(&mut self, fan: u32, bend: Bend) {
        self.of_fan[fan as usize] = self.all.len() as u32;
        self.all.push(bend);
    }

    /// Returns the bend of a fan, or [`NO_BEND`].
    #[inline]
    pub(super) fn of(&self, fan: u32) -> u32 {
        self.of_fan.get(fan as usize).copied().unwrap_or(NO_BEND)
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Bend>() + 4 * self.of_fan.capacity()
    }
}
