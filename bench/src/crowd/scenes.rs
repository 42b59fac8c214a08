//! Where the bodies of a crowd begin, and where they want to go.

use glam::Vec3;
use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, MemberId};
use wayfare::ops::{SinCos, sin_cos};

/// The radius of a body.
pub(super) const RADIUS: f32 = 1.5;
/// The largest speed.
pub(super) const SPEED: f32 = 2.0;
/// The length of a step.
pub(super) const DT: f32 = 0.25;
/// How far a body looks.
pub(super) const RANGE: f32 = 15.0;
/// For how many seconds it looks ahead.
pub(super) const HORIZON: f32 = 10.0;
/// At how many others it looks.
pub(super) const MOST: usize = 10;

/// Where agents begin and end.
pub(super) type Ways = Vec<(Vec3, Vec3)>;

/// A circle of that radius; all want to the other side.
pub(super) fn circle_of(count: u32, radius: f32) -> Ways {
    let angle = |number: u32| std::f32::consts::TAU * number as f32 / count as f32;
    let place = |SinCos { sin, cos }: SinCos| Vec3::new(cos, 0.0, sin) * radius;
    (0..count).map(|number| place(sin_cos(angle(number)))).map(|at| (at, -at)).collect()
}

/// A circle, 5 units of it an agent.
pub(super) fn circle(count: u32) -> Ways {
    circle_of(count, count as f32 * 5.0 / std::f32::consts::TAU)
}

/// A square at that spacing; all want to the opposite place of it.
pub(super) fn square(count: u32, spacing: f32) -> Ways {
    let side = f64::from(count).sqrt().ceil() as u32;
    let middle = (side - 1) as f32 / 2.0;
    let place = |number: u32| {
        Vec3::new((number % side) as f32 - middle, 0.0, (number / side) as f32 - middle) * spacing
    };
    (0..count).map(place).map(|at| (at, -at)).collect()
}

/// A square with a gap of 1 between two bodies.
pub(super) fn dense(count: u32) -> Ways {
    square(count, 4.0)
}

/// A square with two or three bodies within sight of each.
pub(super) fn sparse(count: u32) -> Ways {
    square(count, 16.0)
}

/// Whether a word means a scene of that name and size: its name, or name and size, or nothing.
pub(super) fn is_meant(word: &str, name: &str, count: u32) -> bool {
    word.is_empty() || word == name || word == format!("{name} {count}")
}

/// A crowd at the beginning of these ways.
pub(super) fn crowd(ways: &Ways, body: CrowdAgent) -> Result<Crowd, String> {
    let settings = CrowdSettings { range: RANGE, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(settings).map_err(|fault| fault.to_string())?;
    for &(from, _) in ways {
        crowd.add(CrowdAgent { position: from, ..body }).map_err(|fault| fault.to_string())?;
    }
    Ok(crowd)
}

/// A body of the official circle. Its velocity may change at once, as in RVO2.
pub(super) fn body() -> CrowdAgent {
    CrowdAgent {
        radius: RADIUS,
        max_speed: SPEED,
        acceleration: 1.0e4,
        horizon: HORIZON,
        ..CrowdAgent::at(Vec3::ZERO)
    }
}

/// Sets preferred velocities: straight to the goals, at most that fast.
pub(super) fn prefer(crowd: &mut Crowd, ways: &Ways, speed: f32) -> Result<(), String> {
    for (id, &(_, to)) in (0..).map(MemberId).zip(ways) {
        let here = crowd.agent(id).map_or(to, |agent| agent.position);
        let preferred = (to - here).clamp_length_max(speed);
        crowd.prefer(id, preferred).map_err(|fault| fault.to_string())?;
    }
    Ok(())
}

/// The least distance of two bodies as a part of the sum of their radii; 9 at most.
pub(super) fn least_distance(places: impl Iterator<Item = Vec3>, radius: f32) -> f32 {
    let mut places: Vec<Vec3> = places.collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = 9.0f32;
    for (number, a) in places.iter().enumerate() {
        let within = |b: &&Vec3| b.x - a.x < least.min(1.0) * 2.0 * radius;
        let nearest = places[number + 1..].iter().take_while(within);
        least = nearest.map(|b| a.distance(*b) / (2.0 * radius)).fold(least, f32::min);
    }
    least
}
