//! Steps of bodies that fly or swim: balls.

use glam::Vec3;

use super::orca::to_the_right;
use crate::grounds::{Grounds, Standpoint};
use crate::model::Reciprocal;
use crate::moves::Moves;
use crate::solver::{CrowdSettings, Member, Role};
use crate::steering::WallPoint;
use crate::step::{Step, Tick};

/// A body that flies or swims, or that such bodies avoid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Floater {
    /// Its id. Bodies of one id, the parts of a walker, do not avoid each other.
    #[doc(hidden)]
    pub number: u32,
    #[doc(hidden)]
    pub member: Member,
    #[doc(hidden)]
    pub role: Role,
}

/// Bodies that fly or swim, and avoid each other as balls.
#[derive(Clone, Debug, Default)]
pub struct VolumeCrowd {
    settings: CrowdSettings,
    #[doc(hidden)]
    pub floaters: Vec<Floater>,
    roles: Vec<Role>,
    step: Step<Vec3>,
}

impl VolumeCrowd {
    /// Moves all bodies by `dt` seconds, at that time since the beginning.
    #[doc(hidden)]
    pub fn step_on(&mut self, grounds: &impl Grounds, time: f64, dt: f32) {
        let Self { settings, floaters, roles, step } = self;
        roles.clear();
        roles.extend(floaters.iter().map(|floater| floater.role));
        step.store.clear();
        for (key, Floater { number, member, role }) in floaters.iter().enumerate() {
            step.store.put(key, *number, member, role);
        }
        let tick = Tick { settings: *settings, time, dt };
        step.solve(roles, &Reciprocal, grounds, tick);
        for (key, floater) in floaters.iter_mut().enumerate() {
            if let Some(member) = step.store.member(key) {
                floater.member = member;
            }
        }
    }
}

impl Moves for Vec3 {
    const FINEST: f32 = 1.0 / 16.0;

    #[inline]
    fn of(vector: Vec3) -> Self {
        vector
    }

    #[inline]
    fn raised(self, _height: f32) -> Vec3 {
        self
    }

    #[inline]
    fn moved(self, position: Vec3) -> Vec3 {
        position + self
    }

    #[inline]
    fn velocity(self, _told: Option<Self>, dt: f32) -> Self {
        self / dt
    }

    #[inline]
    fn heights(_up: f32, _height: f32) -> (f32, f32) {
        (f32::NEG_INFINITY, f32::INFINITY)
    }

    #[inline]
    fn apart(own: u32, other: u32) -> Self {
        to_the_right(if own < other { Self::X } else { Self::NEG_X })
    }

    #[inline]
    fn parts(self) -> impl Iterator<Item = Self> {
        let planes = [self.with_x(0.0), self.with_y(0.0), self.with_z(0.0)];
        let lines = [self * Self::X, self * Self::Y, self * Self::Z];
        planes.into_iter().chain(lines)
    }

    #[inline]
    fn visit_walls(
        walls: &impl Grounds,
        Standpoint { ground, position, radius }: Standpoint,
        range: f32,
        mut visit: impl FnMut(WallPoint<Self>),
    ) -> bool {
        walls.wall_points(ground, position, range, |point| {
            let offset = position - point;
            let distance = offset.length();
            if distance > 0.0 && distance <= range {
                visit(WallPoint { away: offset / distance, room: distance - radius });
            }
        });
        false
    }
}
