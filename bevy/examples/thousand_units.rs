//! A thousand units march over a field while buildings go up in their way: they find other paths,
//! and none overlap.
//!
//! `cargo run --release --example thousand_units` also prints what a frame took.

#![expect(clippy::print_stdout, reason = "an example tells its story")]

use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wayfare::space::{Grid, GridProfile, TerrainId};
use wayfare_bevy::{Carving, prelude::*};

const SIDE: u32 = 128;
const UNITS: u32 = 1000;

fn setup(mut commands: Commands) {
    let ground = vec![TerrainId::GROUND; (SIDE * SIDE) as usize];
    let grid = Grid::new(SIDE, SIDE, &ground, GridProfile::default());
    commands.spawn(NavSpace::new(grid.expect("the map is small")));
    for number in 0..UNITS {
        let (column, row) = (number % 20, number / 20);
        let from = Vec3::new(3.0 + 1.5 * column as f32, 0.0, 27.0 + 1.5 * row as f32);
        commands.spawn((
            NavAgent { max_speed: 6.0, ..NavAgent::default() },
            Transform::from_translation(from),
            Destination::from(from + 90.0 * Vec3::X),
        ));
    }
}

/// A building every second, across the units' way.
fn build(mut frame: Local<u32>, mut commands: Commands) {
    *frame += 1;
    if frame.is_multiple_of(60) && *frame <= 6 * 60 {
        let z = 12.0 + 15.0 * (*frame / 60) as f32;
        let building = NavObstacle::cuboid(Vec3::new(3.0, 2.0, 4.0)).carves(Carving::Always);
        commands.spawn((building, Transform::from_xyz(80.0, 0.0, z)));
    }
}

#[derive(Resource, Default)]
struct Tally {
    arrived: usize,
    paths: usize,
}

fn count(
    mut tally: ResMut<Tally>,
    mut arrived: MessageReader<Arrived>,
    mut changed: MessageReader<PathChanged>,
) {
    tally.arrived += arrived.read().count();
    tally.paths += changed.read().count();
}

/// Returns the least distance between two units, in metres.
fn nearest(places: &[Vec3]) -> f32 {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = f32::INFINITY;
    for (number, &place) in sorted.iter().enumerate() {
        let near = sorted[number + 1..].iter().take_while(|other| other.x - place.x < least);
        least = near.map(|other| other.distance(place)).fold(least, f32::min);
    }
    least
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<Grid>::default()))
        .init_resource::<Tally>()
        .add_systems(Startup, setup)
        .add_systems(Update, (build, count));
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));

    let mut units = app.world_mut().query_filtered::<&Transform, With<NavAgent>>();
    let (mut least, mut longest, began) = (f32::INFINITY, Duration::ZERO, Instant::now());
    let frames = 60 * 60;
    for number in 0..frames {
        let begun = Instant::now();
        app.update();
        longest = longest.max(begun.elapsed());
        if number % 30 == 0 {
            let places: Vec<Vec3> =
                units.iter(app.world()).map(|transform| transform.translation).collect();
            least = least.min(nearest(&places));
        }
    }
    let Tally { arrived, paths } = *app.world().resource::<Tally>();
    println!(
        "{arrived} of {UNITS} units are there, by {paths} paths; none came nearer to another \
              than {least:.2} m"
    );
    println!(
        "a frame took {:.2} ms in the mean, {:.1} ms at most",
        began.elapsed().as_secs_f64() * 1e3 / f64::from(frames),
        longest.as_secs_f64() * 1e3
    );
    assert!(arrived * 100 >= UNITS as usize * 98, "{arrived} arrived");
    assert!(least > 0.59, "their radii are 0.3, and two were {least} apart");
}
