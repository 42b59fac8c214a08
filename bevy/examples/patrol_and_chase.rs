//! A level of triangles, baked on the task pool: a guard patrols, sees a thief, chases it over a
//! bridge, loses it, and goes back to its patrol.
//!
//! `cargo run --example patrol_and_chase --features bake`

#![expect(clippy::print_stdout, reason = "an example tells its story")]

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wayfare::simulation::{Event, MeshWorld};
use wayfare_bevy::prelude::*;

#[derive(Component)]
struct Guard;
#[derive(Component)]
struct Thief;

/// Adds a floor to a level: a rectangle on the ground.
fn floor(level: &mut BakeSpace, min: [f32; 2], max: [f32; 2]) {
    let first = level.vertices.len() as u32;
    let corners = [[min[0], min[1]], [min[0], max[1]], [max[0], max[1]], [max[0], min[1]]];
    level.vertices.extend(corners.map(|[x, z]| Vec3::new(x, 0.0, z)));
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

fn load(mut commands: Commands) {
    let mut level = BakeSpace::new(Vec::new(), Vec::new(), Default::default());
    floor(&mut level, [0.0, 0.0], [12.0, 12.0]);
    floor(&mut level, [20.0, 0.0], [32.0, 12.0]);
    floor(&mut level, [12.0, 5.0], [20.0, 7.0]);
    commands.spawn(level);
}

fn populate(ready: On<SpaceReady>, time: Res<Time>, mut commands: Commands) {
    println!("{:4.1} s  space {} is baked", time.elapsed_secs(), ready.entity);
    let at = |x, z| Vec3::new(x, 0.0, z);
    let thief = commands.spawn((
        Thief,
        NavAgent { max_speed: 6.0, team: 1, ..NavAgent::default() },
        Transform::from_translation(at(28.0, 6.0)),
    ));
    let target = Target::Entity(thief.id());
    let points = vec![at(2.0, 2.0), at(10.0, 2.0), at(10.0, 10.0), at(2.0, 10.0)];
    commands.spawn((
        Guard,
        NavAgent { max_speed: 3.0, ..NavAgent::default() },
        Transform::from_translation(at(2.0, 2.0)),
        Behaviours(vec![
            Behaviour::Pursue { target, aggro: 6.0, give_up: 9.0 },
            Behaviour::Patrol { points, order: Route::Loop, dwell: 0.5 },
        ]),
    ));
}

/// The thief comes over the bridge, and runs back as soon as it is seen.
fn steal(
    mut commands: Commands,
    mut events: MessageReader<AgentEvent>,
    thief: Option<Single<Entity, With<Thief>>>,
    mut is_on_its_way: Local<bool>,
    spaces: Query<&NavSpace<MeshWorld>>,
    time: Res<Time>,
) {
    let Some(thief) = thief else { return };
    if !*is_on_its_way {
        *is_on_its_way = true;
        commands.entity(*thief).insert(Destination::from(Vec3::new(11.0, 0.0, 6.0)));
    }
    for AgentEvent { entity, event } in events.read() {
        let text = spaces.iter().find_map(|space| space.text(*entity)).unwrap_or_default();
        if let Event::Decided(..) = event {
            println!("{:4.1} s  {entity}: {text}", time.elapsed_secs());
            if text.contains("chasing") {
                commands.entity(*thief).insert(Destination::from(Vec3::new(31.0, 0.0, 1.0)));
            }
        }
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<MeshWorld>::default(), BakePlugin))
        .add_systems(Startup, load)
        .add_systems(Update, steal)
        .add_observer(populate);
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));

    let mut guards = app.world_mut().query_filtered::<(Entity, &Transform), With<Guard>>();
    let mut has_chased = false;
    let mut frames = 0;
    while frames < 40 * 60 {
        app.update();
        let Ok((guard, at)) = guards.single(app.world()) else {
            std::thread::sleep(Duration::from_millis(1)); // it is being baked
            continue;
        };
        has_chased |= at.translation.x > 13.0;
        frames += 1;
        if frames == 40 * 60 {
            let mut spaces = app.world_mut().query::<&NavSpace<MeshWorld>>();
            let text = spaces.single(app.world()).ok().and_then(|space| space.text(guard));
            println!("at the end: {}", text.as_deref().unwrap_or_default());
            assert!(text.is_some_and(|text| text.contains("patrol") || text == "on watch"));
        }
    }
    assert!(has_chased, "the guard went over the bridge");
}
