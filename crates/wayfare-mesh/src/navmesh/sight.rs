//! Lines of sight on a mesh, and its rules of movement.

use glam::{DVec2, Vec3};
use wayfare_core::space::{
    Bar, IllegalMove, LineOfSight, MoveRules, OpenSwath, Space, StateId, Sweep,
};

use super::locate::{HAIR, MeshPoint, STANDS};
use super::plan::{plan, turn};
use super::room::{Lane, LaneView};
use super::taut::taut_line;
use super::{MESH_COST_PER_METRE, MeshWall, NavMeshSpace, PolygonId};

/// A disc may reach this far over a border, in metres: coordinates are rounded, and a body as wide
/// as a passage has to fit into it.
const TOUCH: f64 = 1e-3;

/// The largest difference in height between a line and the ground that counts as none, in metres.
const SAME_GROUND: f32 = 0.1;

impl NavMeshSpace<'_> {
    /// Follows a segment between two points of the ground, and visits the polygons that it touches;
    /// returns its start. `None` if it leaves the ground.
    ///
    /// A body beside a wall touches it within rounding. So a segment that grazes borders also
    /// counts as clear if shifting its ends half a [`HAIR`] to the left or right clears it: one
    /// side for a segment past corners on the other, two sides for one between corners. A shifted
    /// end has to be on the mesh, so all of the segment is within half a hair of it. Where a border
    /// clearly [bars](bars) the way, no shift helps.
    pub(super) fn clear_ray(
        &self,
        from: Vec3,
        to: Vec3,
        visit: &mut dyn FnMut(PolygonId),
    ) -> Option<MeshPoint> {
        let along = (to - from).with_y(0.0).normalize_or_zero();
        let aside = Vec3::new(-along.z, 0.0, along.x) * (HAIR / 2.0);
        let stand = |point: Vec3, by: f32| {
            let point = point + aside * by;
            let is_on = |ground: &MeshPoint| {
                (plan(ground.place) - plan(point)).length() <= f64::from(HAIR) / 100.0
            };
            self.stand(point).filter(|ground| by == 0.0 || is_on(ground))
        };
        let asides = [(0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)];
        for (near, far) in asides {
            let (Some(begin), Some(end)) = (stand(from, near), stand(to, far)) else { continue };
            let hit = self.raycast_through(begin, end.place, &mut *visit);
            let arrives = (hit.end.place.y - end.place.y).abs() <= SAME_GROUND;
            if hit.is_clear() && arrives {
                return Some(begin);
            }
            if hit.wall.is_some_and(|wall| bars(&wall, [plan(begin.place), plan(end.place)])) {
                return None;
            }
        }
        None
    }

    /// Returns what is seen along a lane, wider by `flare` at its start: the ground is followed if
    /// no border is there. The radius is more than a [`HAIR`], so that the segment is
    /// [clear](Self::clear_ray) then.
    fn look_along(&self, [from, to]: [Vec3; 2], room: f64, flare: Option<f64>) -> Sweep {
        let barred = Sweep::Barred(None);
        let Some(begin) = self.stand(from) else { return barred };
        let lane = Lane::new([plan(begin.place), plan(to)], room);
        let mut is_level = true;
        let enter = |polygon| is_level &= self.mesh().is_level_at(polygon, begin.place.y);
        let last = match self.view_along(begin.polygon, (&lane, flare), to, enter) {
            LaneView::Open(last) => last,
            LaneView::Barred(corner) => {
                let walls = corner.map(|corner| self.wall_of(corner));
                let bar = |wall: MeshWall| Bar { ends: [wall.from, wall.to], room: room as f32 };
                return Sweep::Barred(walls.map(bar));
            }
            LaneView::Endless => return barred,
        };
        // Floors are farther apart.
        let arrives = |y: f32| (self.mesh().height_at(last, to) - y).abs() <= SAME_GROUND;
        let is_there = arrives(to.y) || self.stand(to).is_some_and(|end| arrives(end.place.y));
        if is_there { Sweep::Clear { is_level } } else { barred }
    }
}

/// Returns whether a segment leaves the ground through a border, more than a [`HAIR`] from the ends
/// of both: so does any other one whose ends are half a hair aside.
fn bars(wall: &MeshWall, [from, to]: [DVec2; 2]) -> bool {
    let [a, b] = [plan(wall.from), plan(wall.to)];
    let left_of = |[a, b]: [DVec2; 2], point: DVec2| turn(a, b, point) / (b - a).length();
    // The ground is on the left of the border.
    let gaps = [
        left_of([a, b], from),
        -left_of([a, b], to),
        left_of([from, to], b),
        -left_of([from, to], a),
    ];
    gaps.into_iter().all(|gap| gap > f64::from(HAIR))
}

/// Points of segments are points of the ground, at most a metre above or below it: floors above
/// each other are told apart.
impl LineOfSight for NavMeshSpace<'_> {
    const PULLS_TAUT: bool = true;

    /// Returns the cost of the straight line between the middles of two polygons, rounded down.
    fn line_cost(&self, from: PolygonId, to: PolygonId) -> Option<u64> {
        let multiplier = self.multiplier(from)?;
        self.multiplier(to)?;
        let [begin, end] = [from, to].map(|polygon| self.mesh().middle(polygon));
        let mut is_even = true;
        let ray = MeshPoint { polygon: from, place: begin };
        let hit = self.raycast_through(ray, end, |polygon| {
            is_even &= self.multiplier(polygon) == Some(multiplier);
        });
        let arrives = hit.is_clear() && self.mesh().contains(to, hit.end.place);
        let on_floor = (hit.end.place.y - self.mesh().height_at(to, end)).abs() <= SAME_GROUND;
        let length = (plan(end) - plan(begin)).length() * MESH_COST_PER_METRE as f64;
        (is_even && arrives && on_floor).then(|| (length * f64::from(multiplier)) as u64)
    }

    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.clear_ray(from, to, &mut |_| {}).is_some()
    }

    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        matches!(self.sweep(from, to, radius), Sweep::Clear { .. })
    }

    fn sweep(&self, from: Vec3, to: Vec3, radius: f32) -> Sweep {
        let room = f64::from(self.room(radius)) - TOUCH;
        if room > f64::from(HAIR) {
            return self.look_along([from, to], room, None);
        }
        let is_clear = self.clear_ray(from, to, &mut |_| {}).is_some_and(|begin| {
            let lane = Lane::new([plan(from), plan(to)], room);
            room <= 0.0 || self.borders_near(begin.polygon, &lane, |_| false)
        });
        if is_clear { Sweep::Clear { is_level: false } } else { Sweep::Barred(None) }
    }

    /// Where no border is near, seen from above. Floors above each other are taken to be more than
    /// a metre apart.
    ///
    /// It narrows: a taut line bends one radius from a corner.
    fn open_swath(&self, from: Vec3, to: Vec3, radius: f32) -> Option<OpenSwath> {
        let body = 0.5 * radius;
        if plan(from).distance(plan(to)) < f64::from(radius) {
            return None;
        }
        let room = (f64::from(self.room(body)) - TOUCH).max(f64::from(HAIR));
        match self.look_along([from, to], room, Some(body.into())) {
            Sweep::Clear { is_level } => {
                Some(OpenSwath { height: STANDS, is_level, narrows: true })
            }
            Sweep::Barred(_) => None,
        }
    }

    fn taut(
        &self,
        from: Vec3,
        states: &[PolygonId],
        to: Option<Vec3>,
        radius: f32,
    ) -> Option<Vec<Vec3>> {
        taut_line(self, from, states, to, self.room(radius))
    }

    fn follow_ground(&self, from: Vec3, to: Vec3, visit: &mut dyn FnMut(Vec3)) {
        self.ground_between(from, to, visit);
    }
}

/// From the outlines: two polygons join where one has an edge that the other one has backwards.
impl MoveRules for NavMeshSpace<'_> {
    fn check_move(&self, from: PolygonId, to: PolygonId) -> Result<u64, IllegalMove> {
        self.check(from)?;
        self.check(to)?;
        let mesh = self.mesh();
        let edges = |polygon: PolygonId| {
            let corners = mesh.corners(polygon);
            let ahead = corners.iter().cycle().skip(1);
            corners.iter().zip(ahead).map(|(&a, &b)| (a, b)).collect::<Vec<(u32, u32)>>()
        };
        let beyond = edges(to);
        if from.index() == to.index()
            || !edges(from).into_iter().any(|(a, b)| beyond.contains(&(b, a)))
        {
            return Err(IllegalMove::NotAdjacent);
        }
        let (Some(own), Some(other)) = (self.multiplier(from), self.multiplier(to)) else {
            return Err(IllegalMove::NotAdjacent);
        };
        let offset: DVec2 = plan(mesh.middle(to)) - plan(mesh.middle(from));
        let length = offset.length() * MESH_COST_PER_METRE as f64;
        Ok((length * (f64::from(own) + f64::from(other)) / 2.0).ceil() as u64)
    }
}
