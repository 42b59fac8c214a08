//! Checks that bodies stay out of walls, at a point and between two.

use glam::Vec3;
use wayfare_core::ops;
use wayfare_core::space::{LineOfSight, ProfileId};
use wayfare_crowd::AvoidanceQuality;

use super::SLACK;
use crate::simulation::{AgentRecord, Environment};

/// The count of checked points on the outline of a body.
const OUTLINE: u32 = 16;

/// The count of such outlines of a body that flies or swims, besides its highest and lowest point.
const OUTLINES: i32 = 3;

/// Returns whether the outline of a body reaches into a wall, up to the proved room of its rail.
pub(super) fn reaches_into_wall<W: Environment>(record: &AgentRecord<W::State>, world: &W) -> bool {
    let radius = record.room.min(record.limits.radius) - 2e-3 * world.grain() - SLACK;
    if radius <= 0.0 || record.inside.is_some() {
        return false;
    }
    let is_wall = |point: Vec3| match record.avoidance.quality {
        AvoidanceQuality::Off => world.is_wall(record.profile, point),
        _ => world.is_wall_to_bodies(record.profile, point),
    };
    let outline = |height: f32, radius: f32| {
        (0..OUTLINE).any(|point| {
            let ops::SinCos { sin, cos } =
                ops::sin_cos(std::f32::consts::TAU * point as f32 / OUTLINE as f32);
            is_wall(record.at + Vec3::new(cos * radius, height, sin * radius))
        })
    };
    if !world.is_afloat(record.profile, record.at) {
        return outline(0.0, radius);
    }
    let poles = [radius, -radius];
    poles.into_iter().any(|height| is_wall(record.at + Vec3::Y * height))
        || (-OUTLINES / 2..=OUTLINES / 2).any(|level| {
            let height = radius * level as f32 / 2.0;
            outline(height, (radius * radius - height * height).sqrt())
        })
}

/// Returns whether a straight sweep is clear, within a hair's breadth to the side.
pub(in crate::simulation) fn sweeps<W: Environment>(
    world: &W,
    profile: ProfileId,
    from: Vec3,
    to: Vec3,
) -> bool {
    // Lines may cross ground of different costs.
    let space = world.space_for_bodies(profile);
    let hair = 2e-3 * world.grain();
    let asides = [0.0, -hair, hair];
    asides.iter().any(|&x| {
        asides.iter().any(|&z| {
            let aside = Vec3::new(x, 0.0, z);
            space.segment_is_clear(from + aside, to + aside)
        })
    })
}
