//! The bodies that an obstacle is for a crowd.

use glam::{Vec2, Vec3};
use wayfare_crowd::{AvoidanceQuality, CrowdAgent};

use crate::simulation::{Shape, ShapeBounds};

/// The most discs that stand for a box.
const MOST_DISCS: f32 = 8.0;

/// The least height of an obstacle, so that flat ones block too.
const LEAST_HEIGHT: f32 = 1e-2;

/// Returns the bodies of an obstacle at rest: a disc, or for a box a row of up to eight around it.
pub(super) fn bodies(shape: &Shape) -> impl Iterator<Item = CrowdAgent> + use<> {
    let ShapeBounds { min, max } = shape.bounds();
    let size = max - min;
    let (long, short) = (size.x.max(size.z), size.x.min(size.z));
    let (count, radius) = match *shape {
        Shape::Ball { radius, .. } => (1.0, radius.abs()),
        Shape::Box { .. } => {
            let count = (long / short.max(long / MOST_DISCS)).ceil().clamp(1.0, MOST_DISCS);
            (count, Vec2::new(long / count, short).length() * 0.5)
        }
    };
    let along = if size.x >= size.z { Vec3::X } else { Vec3::Z };
    let foot = min.midpoint(max).with_y(min.y);
    (0..count as u32).map(move |disc| {
        let place = (disc as f32 + 0.5) / count - 0.5;
        CrowdAgent {
            radius,
            height: size.y.max(LEAST_HEIGHT),
            quality: AvoidanceQuality::Off,
            layers: u32::MAX,
            ..CrowdAgent::at(foot + along * (long * place))
        }
    })
}
