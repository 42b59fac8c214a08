//! Click to move, in 2D: a unit on a tile map goes where it is told, and says why it cannot.
//!
//! `cargo run --example click_to_move`. The clicks come from a list here, so that it runs without a
//! window; in a game they come from `ButtonInput<MouseButton>` and the camera.

#![expect(clippy::print_stdout, reason = "an example tells its story")]

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{UVec2, Vec2, Vec3};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wayfare::space::Grid;
use wayfare_bevy::{KeepRotation, prelude::*};

const TILE: f32 = 16.0;
const MAP: [&str; 7] = [
    "............",
    ".####..####.",
    ".#........#.",
    ".#..~~~~..#.",
    ".#........#.",
    ".####..####.",
    "...........#",
];
/// When a player clicks, in seconds, and on which tile.
const CLICKS: [(f32, [f32; 2]); 4] =
    [(0.5, [5.0, 3.0]), (3.0, [10.0, 0.0]), (7.0, [1.0, 5.0]), (8.0, [0.0, 6.0])];

#[derive(Component)]
struct Player;

/// Returns the middle of a tile: the map's first row is on top, its middle at the origin.
fn tile_to_world([x, y]: [f32; 2]) -> Vec2 {
    TILE * Vec2::new(x - 5.5, 3.0 - y)
}

fn setup(mut commands: Commands) {
    let size = UVec2::new(MAP[0].len() as u32, MAP.len() as u32);
    let grid = grid_of_tiles(size, |at| match MAP[at.y as usize].as_bytes()[at.x as usize] {
        b'#' => None,
        b'~' => Some(3.0), // mud
        _ => Some(1.0),
    });
    let corner = tile_to_world([-0.5, -0.5]).extend(0.0);
    let placement = Placement::rows_down(corner, TILE);
    commands.spawn(NavSpace::placed(grid.expect("the map is small"), placement));
    commands.spawn((
        Player,
        NavAgent::new(6.0, 80.0),
        KeepRotation,
        Transform::from_translation(tile_to_world([0.0, 0.0]).extend(1.0)),
    ));
}

fn click(
    time: Res<Time>,
    mut done: Local<usize>,
    mut commands: Commands,
    player: Single<Entity, With<Player>>,
) {
    if let Some(&(when, tile)) = CLICKS.get(*done)
        && time.elapsed_secs() >= when
    {
        *done += 1;
        println!("{:4.1} s  click on {tile:?}", time.elapsed_secs());
        commands.entity(*player).insert(Destination::from(tile_to_world(tile)));
    }
}

fn tell(
    time: Res<Time>,
    mut arrived: MessageReader<Arrived>,
    mut failed: MessageReader<PathFailed>,
    places: Query<&Transform>,
) {
    for Arrived { entity } in arrived.read() {
        let at = places.get(*entity).map_or(Vec3::NAN, |transform| transform.translation);
        println!("{:4.1} s  there, at {:.0}", time.elapsed_secs(), at.truncate());
    }
    for PathFailed { reason, .. } in failed.read() {
        println!("{:4.1} s  {reason}", time.elapsed_secs());
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<Grid>::default()))
        .add_systems(Startup, setup)
        .add_systems(Update, (click, tell));
    // A frame is a sixtieth of a second, however long it takes: for a run without a window.
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    (0..13 * 60).for_each(|_| app.update());

    let world = app.world_mut();
    let mut players = world.query_filtered::<(&Transform, Option<&NavTrouble>), With<Player>>();
    let (at, trouble) = players.single(world).expect("one player");
    assert_eq!((at.translation.truncate(), trouble), (tile_to_world([0.0, 6.0]), None));
}
