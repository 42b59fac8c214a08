//! Distances to the borders of a mesh.

use glam::Vec3;
use wayfare_core::inside::nearest_on;

use super::locate::{MeshPoint, lowered};
use super::plan::{plan, turn};
use super::room::Lane;
use super::{MeshWall, NavMeshSpace};

/// The border point nearest to a point of a mesh.
///
/// Example: [`NavMeshSpace::distance_to_border`](super::NavMeshSpace::distance_to_border).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NearestBorder {
    /// The distance in metres, seen from above.
    pub distance: f32,
    /// The point of the border.
    pub place: Vec3,
    /// The edge that it lies on.
    pub wall: MeshWall,
}

impl NavMeshSpace<'_> {
    /// Returns the nearest point of the border of the ground that agents of the profile can enter,
    /// at most `within` metres (0 or more) away, seen from above; `None` if the border is farther
    /// away.
    ///
    /// Counts only borders of connected ground within the distance: none of other floors, and none
    /// behind a wall. Of equally near ones it returns the first found, which depends on the mesh
    /// alone. O(p²) for the p polygons within the distance.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh, NearestBorder};
    ///
    /// let grid = Grid::from_rows(&["....", "....", "...."]).unwrap();
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    /// let space = mesh.space();
    /// let point = space.locate(Vec3::new(2.0, 0.0, 1.2), HeightReach::default()).unwrap();
    /// let NearestBorder { place, .. } = space.distance_to_border(point, 5.0).unwrap();
    /// assert_eq!(place, Vec3::new(2.0, 0.0, 0.0));
    /// assert!(space.distance_to_border(point, 1.0).is_none());
    /// ```
    #[must_use]
    pub fn distance_to_border(&self, point: MeshPoint, within: f32) -> Option<NearestBorder> {
        let at = plan(point.place);
        let mut nearest: Option<(f64, usize)> = None;
        let around = Lane::new([at, at], f64::from(within));
        self.borders_near(point.polygon, &around, |corner| {
            let [from, to] = self.edge(corner);
            let distance = (nearest_on(at, from, to) - at).length_squared();
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, corner));
            }
            true
        });
        let (square, corner) = nearest?;
        let wall = self.wall_of(corner);
        let (from, to) = (plan(wall.from), plan(wall.to));
        let share = (nearest_on(at, from, to) - from).length() / (to - from).length();
        let place = wall.from.lerp(wall.to, share as f32);
        Some(NearestBorder { distance: square.sqrt() as f32, place, wall })
    }

    /// Visits the borders less than `within` metres away, seen from above, with the inner side
    /// towards a point of the ground; none, and returns false, if the point is beside the mesh or
    /// `within` is below 0. Counts the same borders as
    /// [`distance_to_border`](Self::distance_to_border).
    #[doc(hidden)]
    pub fn borders_facing(
        &self,
        point: Vec3,
        within: f32,
        mut visit: impl FnMut(MeshWall),
    ) -> bool {
        let Some(ground) = self.stand(point).filter(|_| within >= 0.0) else { return false };
        let at = plan(ground.place);
        let around = Lane::new([at, at], f64::from(within));
        self.borders_near(ground.polygon, &around, |corner| {
            let [from, to] = self.edge(corner);
            if turn(from, to, at) >= 0.0 {
                visit(self.wall_of(corner));
            }
            true
        })
    }

    /// Moves from a point straight towards another, and slides along borders: after each border
    /// only the part of the push along it remains.
    ///
    /// Seen from above, the result is no longer than the straight line. It ends where a border is
    /// square to the push, or in a corner. O(corners of the polygons touched); at most 8 borders.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
    ///
    /// let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    /// let space = mesh.space();
    /// let from = space.locate(Vec3::new(0.5, 0.0, 0.5), HeightReach::default()).unwrap();
    /// let moved = space.move_along_surface(from, Vec3::new(2.5, 0.0, 1.5));
    /// assert!(moved.place.distance(Vec3::new(2.5, 0.0, 1.0)) < 1e-4); // along the wall
    /// ```
    #[must_use]
    pub fn move_along_surface(&self, from: MeshPoint, to: Vec3) -> MeshPoint {
        /// The most borders along which a push is followed.
        const MOST_BORDERS: u32 = 8;
        let mut here = from;
        let mut push = plan(to) - plan(from.place);
        for _ in 0..MOST_BORDERS {
            let hit = self.raycast(here, lowered(plan(here.place) + push));
            let Some(wall) = hit.wall else { return hit.end };
            let gone = plan(hit.end.place) - plan(here.place);
            let along = (plan(wall.to) - plan(wall.from)).normalize_or_zero();
            push = along * (push - gone).dot(along);
            here = self.inside(hit.end);
            if push.length_squared() < 1e-12 {
                break;
            }
        }
        here
    }
}
