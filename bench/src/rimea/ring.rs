//! Test 4: speed by density, as Weidmann (1993) measured it.
//!
//! A corridor without an end is a ring: 2 m wide, the middle of it a circle of 9 m. People walk for
//! 70 s; the first 10 do not count.

use glam::Vec3;
use wayfare::crowd::{
    AvoidanceQuality, CollisionFreeSpeed, Crowd, CrowdAgent, CrowdSettings, MemberId,
};
use wayfare::ops::{SinCos, sin_cos};
use wayfare_measure::weidmann_speed;

use super::hall::{RADIUS, SPEED};
use super::{Finding, Report};

const TICK: f32 = 0.05;
const SECONDS: f32 = 70.0;
const DROPPED: f32 = 10.0;
const INNER: f32 = 8.0;
const OUTER: f32 = 10.0;

/// The mean speed along the ring; 0 where people are pushed back on the whole.
fn speed_at(density: f32) -> Result<f32, String> {
    let area = std::f32::consts::PI * (OUTER * OUTER - INNER * INNER);
    let walls = |_from: Vec3, to: Vec3, radius: f32| {
        let away = to.length();
        away - radius >= INNER && away + radius <= OUTER
    };
    let count = (density * area).round() as u32;
    // As many lanes as give the persons of a lane about as much room as they have to the next lane.
    let lanes = ((density.sqrt() * 1.6).round() as u32).clamp(1, 4);
    let mut crowd = Crowd::new(CrowdSettings::default()).map_err(|fault| fault.to_string())?;
    let mut ids: Vec<MemberId> = Vec::new();
    for number in 0..count {
        let (lane, turn) = (number % lanes, number as f32 / count as f32);
        let away = INNER + RADIUS + (2.0 - 2.0 * RADIUS) * (lane as f32 + 0.5) / lanes as f32;
        let SinCos { sin, cos } = sin_cos(std::f32::consts::TAU * turn);
        let agent = CrowdAgent {
            radius: RADIUS,
            max_speed: SPEED,
            acceleration: 6.0,
            quality: AvoidanceQuality::High,
            ..CrowdAgent::at(Vec3::new(cos, 0.0, sin) * away)
        };
        ids.push(crowd.add(agent).map_err(|fault| fault.to_string())?);
    }
    let (mut gone, mut looks) = (0.0, 0.0);
    for step in 0..(SECONDS / TICK) as u32 {
        for &id in &ids {
            let Some(agent) = crowd.agent(id) else { continue };
            let place = agent.position;
            let away = place.length();
            let ahead = Vec3::new(-place.z, 0.0, place.x) / away;
            if step as f32 * TICK >= DROPPED {
                gone += agent.velocity.dot(ahead);
                looks += 1.0;
            }
            // Back from the borders of the ring.
            let inwards = -place / away * (away - 9.0) * 0.3;
            crowd.prefer(id, (ahead + inwards).normalize() * SPEED).map_err(|f| f.to_string())?;
        }
        let stepped = crowd.step_by(&CollisionFreeSpeed::default(), &walls, TICK);
        stepped.map_err(|fault| fault.to_string())?;
    }
    Ok((gone / f32::max(looks, 1.0)).max(0.0))
}

pub(super) fn run(report: &mut Report) -> Result<(), String> {
    if !report.wants("4") {
        return Ok(());
    }
    let tests = [
        ("4 speed at 0.5 persons a square metre", 0.5, "1.10 to 1.50 m/s"),
        ("4 at 1", 1.0, "0.86 to 1.26 m/s"),
        ("4 at 1.5", 1.5, "0.61 to 1.01 m/s"),
        ("4 at 2", 2.0, "0.41 to 0.81 m/s"),
        ("4 at 3", 3.0, "0.13 to 0.53 m/s"),
        ("4 at 4", 4.0, "0 to 0.36 m/s"),
        ("4 at 5", 5.0, "0 to 0.24 m/s"),
        ("4 at 6", 6.0, "0 to 0.20 m/s"),
    ];
    for (test, density, bound) in tests {
        let (ours, theirs) = (speed_at(density)?, weidmann_speed(density, SPEED));
        let is_within = (ours - theirs).abs() <= 0.2;
        let measured = format!("{ours:.2} m/s, Weidmann {theirs:.2}");
        report.add(
            Finding::new(test, measured, bound, is_within).remark("Weidmann's curve ± 0.2 m/s"),
        );
    }
    Ok(())
}
