//! Crowds: nobody in a wall, no two in one place, nobody stuck for ever, the same everywhere.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::space::{LineOfSight, TerrainId};
use wayfare_core::walls::{NoWalls, WallSide, Walls};
use wayfare_crowd::{
    AvoidanceQuality, Crowd, CrowdAgent, CrowdFault, CrowdMember, CrowdSettings, MemberId,
    WhenStanding,
};
use wayfare_grid::grid::{Grid, GridProfile};

const DT: f32 = 0.1;

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// A crowd whose members each have a place to go to.
struct Scene {
    crowd: Crowd,
    goals: Vec<Vec3>,
}

impl Scene {
    fn new(members: impl IntoIterator<Item = (CrowdAgent, Vec3)>) -> Self {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let mut goals = Vec::new();
        for (agent, goal) in members {
            crowd.add(agent).unwrap();
            goals.push(goal);
        }
        Self { crowd, goals }
    }

    /// Each straight to its goal, slower when it is near.
    fn prefer_goals(&mut self, speed: f32) {
        for (number, &goal) in (0..).zip(&self.goals) {
            let id = MemberId(number);
            let way = goal - self.crowd.agent(id).unwrap().position;
            self.crowd.prefer(id, (way / DT).clamp_length_max(speed)).unwrap();
        }
    }

    fn arrived(&self, within: f32) -> usize {
        let agents = self.crowd.agents().zip(&self.goals);
        agents.filter(|(one, goal)| one.agent.position.distance(**goal) <= within).count()
    }

    /// The least distance of two bodies as a part of the sum of their radii.
    fn least_distance(&self) -> f32 {
        let mut bodies: Vec<(Vec3, f32)> = self
            .crowd
            .agents()
            .map(|CrowdMember { agent, .. }| (agent.position, agent.radius))
            .collect();
        bodies.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
        let widest = bodies.iter().map(|body| body.1).fold(0.0, f32::max);
        let mut least = f32::INFINITY;
        for (place, a) in bodies.iter().enumerate() {
            for b in &bodies[place + 1..] {
                if b.0.x - a.0.x > a.1 + widest {
                    break;
                }
                least = least.min(a.0.distance(b.0) / (a.1 + b.1));
            }
        }
        least
    }

    /// Steps until all have arrived. Every pair and every move is checked in each step.
    fn run(&mut self, walls: &impl Walls, speed: f32, within: f32, most: usize) {
        for _ in 0..most {
            if self.arrived(within) == self.goals.len() {
                return;
            }
            self.prefer_goals(speed);
            self.step_checked(walls);
        }
        let (arrived, all) = (self.arrived(within), self.goals.len());
        panic!("{arrived} of {all} have arrived after {most} steps");
    }

    fn step_checked(&mut self, walls: &impl Walls) {
        let before: Vec<Vec3> =
            self.crowd.agents().map(|CrowdMember { agent, .. }| agent.position).collect();
        self.crowd.step(walls, DT).unwrap();
        for (CrowdMember { id, agent }, from) in self.crowd.agents().zip(before) {
            let clear = walls.is_clear(from, agent.position, agent.radius);
            assert!(clear, "{id:?} moved from {from} to {}", agent.position);
            let speed = from.distance(agent.position) / DT;
            assert!(speed <= agent.max_speed * 1.001, "{id:?} moved at {speed}");
        }
        let least = self.least_distance();
        assert!(least > 0.99, "two bodies came as near as {least} of the sum of their radii");
    }
}

/// Members on a circle, each with the opposite place as its goal.
fn circle(count: u32, spacing: f32) -> Scene {
    let radius = count as f32 * spacing / std::f32::consts::TAU;
    Scene::new((0..count).map(|number| {
        let SinCos { sin, cos } = sin_cos(std::f32::consts::TAU * number as f32 / count as f32);
        let place = at(cos, sin) * radius;
        (CrowdAgent::at(place), -place)
    }))
}

#[test]
fn a_circle_of_a_thousand_swaps_places() {
    let mut scene = circle(1000, 0.8);
    scene.run(&NoWalls, 1.5, 0.3, 6000);
}

#[test]
fn a_small_circle_in_perfect_symmetry_swaps_places() {
    for count in [2, 3, 4, 6, 8, 17] {
        let mut scene = circle(count, 2.0);
        scene.run(&NoWalls, 1.5, 0.3, 600);
    }
}

#[test]
fn two_dense_blocks_pass_through_each_other() {
    let block = |x: f32, to: f32| {
        (0..200).map(move |number| {
            let place = at(x + (number % 10) as f32 * 1.2, (number / 10) as f32 * 1.2);
            (CrowdAgent::at(place), place + Vec3::X * to)
        })
    };
    let mut scene = Scene::new(block(0.0, 20.0).chain(block(15.0, -20.0)));
    scene.run(&NoWalls, 1.5, 0.3, 4000);
}

fn grid(rows: &[&str]) -> Grid {
    Grid::from_rows(rows).unwrap()
}

/// Sixty bodies leave a room by a door that is `wide` cells wide, along the shortest path. Returns
/// the number of steps.
fn pass_a_door(wide: usize, beginning: u32) -> u32 {
    let mut rows = vec!["#".repeat(22)];
    rows.extend((0..10).map(|row| {
        if (5..5 + wide).contains(&row) {
            format!("#{}#", ".".repeat(20))
        } else {
            format!("#{0}#{0}.#", ".".repeat(9))
        }
    }));
    rows.push("#".repeat(22));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = grid(&rows);
    let through = |at: f32| at.clamp(6.4, 5.6 + wide as f32);
    let mut scene = Scene::new((0..60).map(|number| {
        let shift = beginning as f32 * 0.01;
        let place = at(1.6 + shift + (number % 8) as f32, 1.6 + (number / 8) as f32 * 1.1);
        (CrowdAgent::at(place), place)
    }));
    let space = grid.space();
    let mut inside: Vec<MemberId> = scene.crowd.agents().map(|one| one.id).collect();
    let mut step = 0;
    while !inside.is_empty() {
        // Through the door, then on to the other side.
        for &id in &inside {
            let here = scene.crowd.agent(id).unwrap().position;
            let to = if here.x > 10.0 { at(30.0, here.z) } else { at(10.6, through(here.z)) };
            scene.crowd.prefer(id, (to - here).clamp_length(1.5, 1.5)).unwrap();
        }
        scene.step_checked(&space);
        inside.retain(|&id| {
            let is_out = scene.crowd.agent(id).unwrap().position.x > 15.0;
            if is_out {
                scene.crowd.remove(id).unwrap();
            }
            !is_out
        });
        step += 1;
        assert!(step < 3000, "{} are still inside", inside.len());
    }
    step
}

/// Where two fit abreast, a queue does not push past the door those who stand before it. Where one
/// fits, no arch stands for ever.
#[test]
fn a_queue_passes_its_door_from_any_beginning() {
    let steps = |wide: usize| -> u32 { (0..12).map(|from| pass_a_door(wide, from)).sum() };
    let (narrow, wide) = (steps(1), steps(2));
    assert!(narrow < 12 * 720 && wide < 12 * 240, "{narrow} and {wide}");
}

/// The two come head to head in full width, from beginnings a centimetre apart.
#[test]
fn two_groups_pass_in_a_corridor() {
    let grid = Grid::from_rows(&[&".".repeat(40) as &str; 4]).unwrap();
    let group = |x: f32, to: f32| {
        (0..40).map(move |number| {
            let place = at(x + (number / 4) as f32, 0.5 + (number % 4) as f32);
            (CrowdAgent::at(place), place + Vec3::X * to)
        })
    };
    for beginning in 0..8 {
        let first = group(1.0 + beginning as f32 * 0.01, 28.0);
        let mut scene = Scene::new(first.chain(group(29.0, -28.0)));
        scene.run(&grid.space(), 1.3, 0.5, 4000);
    }
}

/// Those who come first stand in the way of those whose goals lie inwards.
#[test]
fn goals_close_together_are_all_reached() {
    let place = |number: u32, spacing: f32| {
        at((number % 14) as f32 - 6.5, (number / 14) as f32 - 6.5) * spacing
    };
    // Each goal once, in an order that has nothing to do with where bodies begin.
    let members = (0..196).map(|number| {
        let goal = place(number * 45 % 196, 0.72);
        (CrowdAgent::at(place(number, 3.2)), goal)
    });
    let mut scene = Scene::new(members);
    let mut step = 0;
    while scene.arrived(0.3) < 196 {
        for (number, &goal) in (0..).zip(&scene.goals) {
            // Slower over the last radius.
            let way = goal - scene.crowd.agent(MemberId(number)).unwrap().position;
            scene.crowd.prefer(MemberId(number), (way * 4.0).clamp_length_max(1.5)).unwrap();
        }
        scene.step_checked(&NoWalls);
        step += 1;
        assert!(step < 10_000, "{} of 196 have arrived", scene.arrived(0.3));
    }
}

#[test]
fn bodies_that_begin_in_one_place_are_parted() {
    let mut scene = Scene::new((0..30).map(|_| (CrowdAgent::at(Vec3::ZERO), Vec3::ZERO)));
    for _ in 0..300 {
        scene.crowd.step(&NoWalls, DT).unwrap();
    }
    assert!(scene.least_distance() > 0.99, "{}", scene.least_distance());
}

#[test]
fn who_crowds_round_a_goal_settles_and_stands() {
    let goal = at(0.0, 0.0);
    let mut scene = Scene::new((0..80).map(|number| {
        let SinCos { sin, cos } = sin_cos(number as f32 * 2.4);
        let place = at(cos, sin) * (4.0 + number as f32 * 0.2);
        (CrowdAgent { goal: Some(goal), ..CrowdAgent::at(place) }, goal)
    }));
    for _ in 0..700 {
        scene.prefer_goals(1.5);
        scene.step_checked(&NoWalls);
    }
    let settled = scene.crowd.agents().filter(|one| scene.crowd.is_settled(one.id)).count();
    assert_eq!(settled, 80);
    for _ in 0..50 {
        scene.prefer_goals(1.5);
        scene.step_checked(&NoWalls);
        for CrowdMember { id, agent } in scene.crowd.agents() {
            assert!(agent.velocity.length() < 0.01, "{id:?} moves at {}", agent.velocity);
        }
    }
    // A disc packed as loosely as 1 in 4 would have this radius.
    let farthest = scene.crowd.agents().map(|CrowdMember { agent, .. }| agent.position.length());
    let farthest = farthest.fold(0.0, f32::max);
    assert!(farthest < 0.3 * (4.0 * 80.0f32).sqrt(), "they stand as far off as {farthest}");
    // A new goal moves them all.
    for number in 0..80 {
        let agent = scene.crowd.agent(MemberId(number)).unwrap();
        let agent = CrowdAgent { goal: Some(at(20.0, 0.0)), ..agent };
        scene.crowd.set(MemberId(number), agent).unwrap();
        assert!(!scene.crowd.is_settled(MemberId(number)));
    }
}

#[test]
fn quality_off_moves_exactly_as_told() {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let velocity = Vec3::new(1.7, 0.0, -0.3);
    let told = CrowdAgent {
        quality: AvoidanceQuality::Off,
        preferred: velocity,
        max_speed: 0.1,
        acceleration: 0.1,
        ..CrowdAgent::at(Vec3::ZERO)
    };
    let id = crowd.add(told).unwrap();
    let other = crowd.add(CrowdAgent::at(at(3.0, -0.4))).unwrap();
    let mut place = Vec3::ZERO;
    let nowhere = |_: Vec3, _: Vec3, _: f32| false;
    for _ in 0..40 {
        crowd.step(&NoWalls, DT).unwrap();
        place += velocity * DT;
        assert_eq!(crowd.agent(id).unwrap().position, place);
        assert_eq!(crowd.agent(id).unwrap().velocity, velocity);
    }
    assert_ne!(crowd.agent(other).unwrap().position, at(3.0, -0.4), "the other has stepped aside");
    crowd.step(&nowhere, DT).unwrap();
    assert_eq!(crowd.agent(id).unwrap().position, place + velocity * DT);
}

/// How far the second of two bodies that meet head-on has left its line.
fn aside(first: CrowdAgent, second: CrowdAgent) -> (f32, f32) {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let ids = [crowd.add(first).unwrap(), crowd.add(second).unwrap()];
    let mut most = [0.0f32; 2];
    for _ in 0..80 {
        crowd.step(&NoWalls, DT).unwrap();
        for (most, id) in most.iter_mut().zip(ids) {
            *most = most.max(crowd.agent(id).unwrap().position.z.abs());
        }
    }
    (most[0], most[1])
}

#[test]
fn who_has_the_lower_priority_makes_way() {
    let east = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
    let west = CrowdAgent { preferred: -Vec3::X, ..CrowdAgent::at(at(6.0, 0.0)) };
    let (first, second) = aside(east, west);
    assert!((first - second).abs() < 0.05, "{first} and {second}");
    let (first, second) = aside(CrowdAgent { priority: 9, ..east }, west);
    assert!(second > 3.0 * first, "{first} and {second}");
}

#[test]
fn who_stands_holds_or_parts_as_asked() {
    let east = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
    let stands = CrowdAgent::at(at(4.0, 0.0));
    let (walker, stander) =
        aside(east, CrowdAgent { when_standing: WhenStanding::Parts, ..stands });
    assert!(walker < 0.05 && stander > 0.5, "{walker} and {stander}");
    let (walker, stander) =
        aside(east, CrowdAgent { when_standing: WhenStanding::Holds, ..stands });
    assert!(walker > 0.5 && stander < 0.05, "{walker} and {stander}");
}

/// Walls leave a gap for one, in which another one stands.
#[test]
fn who_holds_is_not_pushed_from_a_gap() {
    let grid = grid(&["....#....", ".........", "....#...."]);
    let holder = CrowdAgent { when_standing: WhenStanding::Holds, ..CrowdAgent::at(at(4.5, 1.5)) };
    let parter = CrowdAgent { when_standing: WhenStanding::Parts, ..holder };
    let pushed = [holder, parter].map(|stands| {
        let mut scene =
            Scene::new([(stands, stands.position), (CrowdAgent::at(at(1.5, 1.5)), at(8.0, 1.5))]);
        for _ in 0..200 {
            scene.prefer_goals(1.5);
            scene.crowd.prefer(MemberId(0), Vec3::ZERO).unwrap();
            scene.step_checked(&grid.space());
        }
        scene.crowd.agent(MemberId(0)).unwrap().position.distance(stands.position)
    });
    assert!(pushed[0] < 0.05 && pushed[1] > 0.5, "{pushed:?}");
}

#[test]
fn layers_and_floors_are_apart() {
    let east = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
    let west = CrowdAgent { preferred: -Vec3::X, ..CrowdAgent::at(at(6.0, 0.0)) };
    let blind = CrowdAgent { mask: 1, ..east };
    let ghost = CrowdAgent { layers: 2, mask: 2, ..west };
    assert_eq!(aside(blind, ghost), (0.0, 0.0));
    assert_ne!(aside(east, ghost), (0.0, 0.0), "one of them looking is enough");
    let upstairs = CrowdAgent { position: Vec3::new(6.0, 3.0, 0.0), ..west };
    assert_eq!(aside(east, upstairs), (0.0, 0.0));
    let half_a_floor = CrowdAgent { position: Vec3::new(6.0, 1.0, 0.0), ..west };
    assert_ne!(aside(east, half_a_floor), (0.0, 0.0));
}

#[test]
fn speed_grows_no_faster_than_the_acceleration() {
    let slow =
        CrowdAgent { acceleration: 1.0, preferred: Vec3::X * 2.0, ..CrowdAgent::at(Vec3::ZERO) };
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let id = crowd.add(slow).unwrap();
    for step in 1..=30 {
        crowd.step(&NoWalls, DT).unwrap();
        let speed = crowd.agent(id).unwrap().velocity.length();
        let expected = (step as f32 * DT).min(2.0);
        assert!((speed - expected).abs() < 1e-3, "{speed} after {step} steps");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let agent = CrowdAgent::at(Vec3::ZERO);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    for wrong in [
        CrowdAgent { radius: 0.0, ..agent },
        CrowdAgent { radius: f32::NAN, ..agent },
        CrowdAgent { max_speed: -1.0, ..agent },
        CrowdAgent { preferred: Vec3::X * f32::NAN, ..agent },
        CrowdAgent { position: Vec3::X * f32::INFINITY, ..agent },
        CrowdAgent { acceleration: 0.0, ..agent },
        CrowdAgent { horizon: 61.0, ..agent },
    ] {
        assert!(crowd.add(wrong).is_err(), "{wrong:?}");
    }
    assert_eq!(crowd.remove(MemberId(0)).unwrap_err(), CrowdFault::NoSuchMember(MemberId(0)));
    let id = crowd.add(agent).unwrap();
    assert!(crowd.prefer(id, Vec3::Z * f32::NAN).is_err());
    for dt in [0.0, -1.0, f32::NAN, 11.0] {
        assert!(crowd.step(&NoWalls, dt).is_err(), "{dt}");
    }
    assert_eq!(crowd.remove(id).unwrap(), agent);
    assert!(crowd.agent(id).is_none() && crowd.agents().next().is_none());
    assert_ne!(crowd.add(agent).unwrap(), id);
}

#[test]
fn a_body_in_a_wall_comes_out_and_goes_no_deeper() {
    let grid = grid(&["......", "..##..", "......"]);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let into = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(at(1.8, 1.5)) };
    let id = crowd.add(into).unwrap();
    let report = crowd.step(&grid.space(), DT).unwrap();
    assert_eq!(report.in_walls, 1);
    for _ in 0..50 {
        crowd.step(&grid.space(), DT).unwrap();
        let place = crowd.agent(id).unwrap().position;
        let nearest = place.clamp(at(2.0, 1.0), at(4.0, 2.0));
        assert!(nearest.distance(place) > 0.148, "at {place}");
    }
    crowd.prefer(id, -Vec3::X).unwrap();
    for _ in 0..20 {
        crowd.step(&grid.space(), DT).unwrap();
    }
    assert_eq!(crowd.step(&grid.space(), DT).unwrap().in_walls, 0);
}

#[test]
fn a_step_allocates_nothing_once_warm() {
    let mut scene = circle(200, 0.8);
    // Until the crowd is densest.
    for _ in 0..400 {
        scene.prefer_goals(1.5);
        scene.crowd.step(&NoWalls, DT).unwrap();
    }
    let pool = |scene: &mut Scene| {
        allocation_counter::measure(|| {
            for _ in 0..100 {
                scene.prefer_goals(1.5);
                scene.crowd.step(&NoWalls, DT).unwrap();
            }
        })
    };
    // Threads that share the work allocate when they begin.
    assert!(pool(&mut scene).count_total < 20);
}

/// A random map with bodies in it, each with a goal.
fn scenes() -> impl Strategy<Value = (Vec<bool>, Vec<(u32, u32, u32)>)> {
    let walls = prop::collection::vec(prop::bool::weighted(0.25), 144);
    let bodies = prop::collection::vec((0u32..144, 0u32..144, 0u32..4), 1..60);
    (walls, bodies)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_any_map_every_step_is_clear_and_no_two_meet((walls, bodies) in scenes()) {
        let terrain: Vec<TerrainId> = walls
            .iter()
            .map(|&wall| if wall { TerrainId::BLOCKED } else { TerrainId::GROUND })
            .collect();
        let grid = Grid::new(12, 12, &terrain, GridProfile::default()).unwrap();
        let space = grid.space();
        let centre = |place: u32| at((place % 12) as f32 + 0.5, (place / 12) as f32 + 0.5);
        let mut taken = std::collections::BTreeSet::new();
        let free = bodies.iter().filter(|body| !walls[body.0 as usize] && taken.insert(body.0));
        let mut scene = Scene::new(free.map(|&(from, to, kind)| {
            let radius = [0.2, 0.3, 0.4, 0.5][kind as usize];
            let agent = CrowdAgent { radius, priority: kind as u8, ..CrowdAgent::at(centre(from)) };
            (agent, centre(to))
        }));
        for _ in 0..80 {
            scene.prefer_goals(2.0);
            // Asks `Walls::is_clear` for each move, and here it is the sweep of the space.
            scene.step_checked(&space);
        }
        for CrowdMember { agent, .. } in scene.crowd.agents() {
            let (place, radius) = (agent.position, agent.radius);
            prop_assert!(space.sweep_is_clear(place, place, radius));
            // Nearer to a wall than 0.99 of the radius is no cell's square.
            for (number, _) in walls.iter().enumerate().filter(|(_, wall)| **wall) {
                let low = centre(number as u32) - at(0.5, 0.5);
                let nearest = place.clamp(low, low + at(1.0, 1.0));
                prop_assert!(nearest.distance(place) > 0.99 * radius);
            }
        }
    }
}

/// The places of all bodies after some steps.
fn places(count: u32, steps: usize) -> Vec<Vec3> {
    let mut scene = circle(count, 0.8);
    for _ in 0..steps {
        scene.prefer_goals(1.5);
        scene.crowd.step(&NoWalls, DT).unwrap();
    }
    scene.crowd.agents().map(|CrowdMember { agent, .. }| agent.position).collect()
}

#[test]
fn steps_repeat_bit_by_bit() {
    let whole = places(300, 400);
    assert_eq!(whole, places(300, 400));
    #[cfg(feature = "rayon")]
    for threads in [1, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| places(300, 400)), whole, "{threads} threads");
    }
}

/// Fails where another thread than one asks for walls.
struct OfThread(std::thread::ThreadId);

impl Walls for OfThread {
    fn sides_near(&self, _at: Vec3, _range: f32, _visit: impl FnMut(WallSide)) -> bool {
        assert_eq!(std::thread::current().id(), self.0);
        true
    }

    fn is_clear(&self, _from: Vec3, _to: Vec3, _radius: f32) -> bool {
        true
    }
}

/// Waking another thread would take longer than a step of a few hundred bodies.
#[test]
fn a_small_crowd_stays_on_the_thread_of_its_caller() {
    let mut scene = circle(300, 0.8);
    let walls = OfThread(std::thread::current().id());
    for _ in 0..10 {
        scene.prefer_goals(1.5);
        scene.crowd.step(&walls, DT).unwrap();
    }
}

/// Two bodies that overlap are parted by their weights: by priority, and by what they do while they
/// stand.
#[test]
fn bodies_that_overlap_are_parted_by_their_weights() {
    let standing = |when_standing, priority| (when_standing, priority);
    // How far the first goes, as a part of what both go, at least and at most.
    for (first, second, [least, most]) in [
        (standing(WhenStanding::Shares, 0), standing(WhenStanding::Shares, 0), [0.499, 0.501]),
        (standing(WhenStanding::Shares, 3), standing(WhenStanding::Shares, 0), [0.01, 0.21]),
        (standing(WhenStanding::Holds, 0), standing(WhenStanding::Shares, 0), [0.0, 0.001]),
        (standing(WhenStanding::Parts, 0), standing(WhenStanding::Shares, 0), [0.999, 1.0]),
    ] {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        for (x, (when_standing, priority)) in [(0.0, first), (0.9, second)] {
            let agent =
                CrowdAgent { radius: 0.5, when_standing, priority, ..CrowdAgent::at(at(x, 0.0)) };
            crowd.add(agent).unwrap();
        }
        crowd.step(&NoWalls, DT).unwrap();
        let [one, other] = [0, 1].map(|id| crowd.agent(MemberId(id)).unwrap().position.x);
        let (gone, all) = (-one, other - one - 0.9);
        assert!(all > 0.05, "{first:?} {second:?} are parted: {all}");
        let part = gone / all;
        assert!((least..=most).contains(&part), "{first:?} {second:?}: {gone} of {all}");
    }
}
