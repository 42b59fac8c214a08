//! What a step of a crowd costs, an agent, beside the crate `dodgy_2d`.
//!
//! Both get the parameters of the official circle of RVO2: radius 1.5, speed 2, 10 neighbours
//! within 15, a horizon of 10 seconds, steps of a quarter. The crate has no search for neighbours:
//! it gets them, and that time is not counted. Ours finds them, parts bodies and proves all
//! distances within the time. Run it with `RAYON_NUM_THREADS=1`: times are of the whole process,
//! and threads that wait for work take some. Steps are taken from the middle of the way, when the
//! crowd is dense.

use std::borrow::Cow;

use cpu_time::ProcessTime;
use glam::Vec3;
use wayfare::crowd::{Crowd, CrowdAgent, CrowdMember, CrowdSettings, MemberId, NoWalls};
use wayfare::ops::{SinCos, sin_cos};

const RADIUS: f32 = 1.5;
const SPEED: f32 = 2.0;
const DT: f32 = 0.25;
const RANGE: f32 = 15.0;
const HORIZON: f32 = 10.0;
const MOST: usize = 10;
/// Steps measured.
const STEPS: u32 = 40;

/// Where agents begin and end.
type Ways = Vec<(Vec3, Vec3)>;

/// A circle, 5 units of it an agent; all want to the other side.
fn circle(count: u32) -> Ways {
    let radius = count as f32 * 5.0 / std::f32::consts::TAU;
    let angle = |number: u32| std::f32::consts::TAU * number as f32 / count as f32;
    let place = |SinCos { sin, cos }: SinCos| Vec3::new(cos, 0.0, sin) * radius;
    (0..count).map(|number| place(sin_cos(angle(number)))).map(|at| (at, -at)).collect()
}

/// A square at a spacing of 4 units; all want to the opposite place of it.
fn dense(count: u32) -> Ways {
    let side = f64::from(count).sqrt().ceil() as u32;
    let middle = (side - 1) as f32 / 2.0;
    let place = |number: u32| {
        Vec3::new((number % side) as f32 - middle, 0.0, (number / side) as f32 - middle) * 4.0
    };
    (0..count).map(place).map(|at| (at, -at)).collect()
}

fn crowd(ways: &Ways) -> Result<Crowd, String> {
    let settings = CrowdSettings { range: RANGE, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(settings).map_err(|fault| fault.to_string())?;
    for &(from, _) in ways {
        let agent = CrowdAgent {
            radius: RADIUS,
            max_speed: SPEED,
            acceleration: 1.0e4,
            horizon: HORIZON,
            ..CrowdAgent::at(from)
        };
        crowd.add(agent).map_err(|fault| fault.to_string())?;
    }
    Ok(crowd)
}

fn prefer(crowd: &mut Crowd, ways: &Ways) -> Result<(), String> {
    for (id, &(_, to)) in (0..).map(MemberId).zip(ways) {
        let here = crowd.agent(id).map_or(to, |agent| agent.position);
        let preferred = (to - here).clamp_length_max(SPEED);
        crowd.prefer(id, preferred).map_err(|fault| fault.to_string())?;
    }
    Ok(())
}

/// Nanoseconds that the crate takes for the velocities of all agents as they are.
fn theirs(crowd: &Crowd) -> f64 {
    let agents: Vec<dodgy_2d::Agent> = crowd
        .agents()
        .map(|CrowdMember { agent, .. }| dodgy_2d::Agent {
            position: dodgy_2d::Vec2::new(agent.position.x, agent.position.z),
            velocity: dodgy_2d::Vec2::new(agent.velocity.x, agent.velocity.z),
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        })
        .collect();
    let preferred: Vec<dodgy_2d::Vec2> = crowd
        .agents()
        .map(|CrowdMember { agent, .. }| dodgy_2d::Vec2::new(agent.preferred.x, agent.preferred.z))
        .collect();
    let near: Vec<Vec<Cow<'_, dodgy_2d::Agent>>> = agents
        .iter()
        .enumerate()
        .map(|(own, me)| {
            let mut near: Vec<(f32, usize)> = agents
                .iter()
                .enumerate()
                .map(|(place, other)| (me.position.distance(other.position), place))
                .filter(|&(distance, place)| place != own && distance < RANGE)
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0));
            near.iter().take(MOST).map(|&(_, place)| Cow::Borrowed(&agents[place])).collect()
        })
        .collect();
    let options = dodgy_2d::AvoidanceOptions {
        obstacle_margin: RADIUS,
        time_horizon: HORIZON,
        obstacle_time_horizon: HORIZON,
    };
    let begun = ProcessTime::now();
    for ((agent, near), &preferred) in agents.iter().zip(&near).zip(&preferred) {
        std::hint::black_box(agent.compute_avoiding_velocity(
            near,
            &[],
            preferred,
            SPEED,
            DT,
            &options,
        ));
    }
    begun.elapsed().as_secs_f64() * 1e9
}

/// Measures and prints the table.
pub(crate) fn run() -> Result<bool, String> {
    if std::env::var("RAYON_NUM_THREADS").as_deref() != Ok("1") {
        return Err("set RAYON_NUM_THREADS=1: times are of the whole process".into());
    }
    println!(
        "{:<8} {:>7} {:>12} {:>12} {:>7}",
        "scene", "agents", "ours, ns", "dodgy_2d, ns", "ratio"
    );
    for (name, scene) in [("circle", circle as fn(u32) -> Ways), ("dense", dense)] {
        for count in [1_000, 10_000] {
            let ways = scene(count);
            let mut crowd = crowd(&ways)?;
            // The circle is crossed in 800 steps at 1,000; a dense square mixes at once.
            let before = if name == "circle" { 200 } else { 100 };
            let (mut ours, mut peer, mut peers) = (0.0, 0.0, 0u32);
            for step in 0..before + STEPS {
                prefer(&mut crowd, &ways)?;
                if step >= before && (step - before).is_multiple_of(STEPS / 4) {
                    peer += theirs(&crowd);
                    peers += 1;
                }
                let begun = ProcessTime::now();
                crowd.step(&NoWalls, DT).map_err(|fault| fault.to_string())?;
                if step >= before {
                    ours += begun.elapsed().as_secs_f64() * 1e9;
                }
            }
            let each = |total: f64, steps: u32| total / f64::from(steps) / f64::from(count);
            let (ours, peer) = (each(ours, STEPS), each(peer, peers));
            println!("{name:<8} {count:>7} {ours:>12.0} {peer:>12.0} {:>7.2}", peer / ours);
        }
    }
    Ok(true)
}
