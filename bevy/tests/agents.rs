//! Agents in an app without a window: orders, obstacles, links, troubles, removal, repetition.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wayfare::agent::Order;
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{AgentSpec, Simulation, SimulationSettings};
use wayfare::space::voxel::{BlockId, BlockPosition, VoxelSize};
use wayfare::space::{Grid, ProfileId, TerrainId, VoxelGrid, VoxelProfile};
use wayfare_bevy::prelude::*;
use wayfare_bevy::{AgentAvoidance, Carving, KeepRotation, LinkGate};

/// An app of 60 frames a second on a map.
fn app_on(rows: &[&str]) -> App {
    app_with(NavSpace::new(Grid::from_rows(rows).unwrap()))
}

fn app_with(space: NavSpace<Grid>) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<Grid>::default()));
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app.world_mut().spawn(space);
    app
}

fn run(app: &mut App, seconds: f32) {
    (0..(seconds * 60.0).round() as u32).for_each(|_| app.update());
}

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).unwrap().translation
}

fn spawn(app: &mut App, from: Vec3, bundle: impl Bundle) -> Entity {
    let mut agent = app.world_mut().spawn((NavAgent::default(), Transform::from_translation(from)));
    agent.insert(bundle);
    agent.id()
}

fn space(app: &mut App) -> &NavSpace<Grid> {
    app.world_mut().query::<&NavSpace<Grid>>().single(app.world()).unwrap()
}

#[test]
fn an_agent_goes_where_it_is_told_smoothly_and_says_so() {
    #[derive(Resource, Default)]
    struct Seen(Vec<Entity>);

    let mut app = app_on(&["..........", ".########.", ".........."]);
    app.init_resource::<Seen>();
    let unit = spawn(&mut app, at(0.5, 0.5), NavPath::default());
    app.world_mut()
        .entity_mut(unit)
        .observe(|arrived: On<Arrived>, mut seen: ResMut<Seen>| seen.0.push(arrived.entity));
    run(&mut app, 0.5);
    assert_eq!(place(&app, unit), at(0.5, 0.5), "nobody sent it");

    let far = at(6.5, 2.5);
    app.world_mut().entity_mut(unit).insert(Destination::from(far));
    let mut last = place(&app, unit);
    let mut walked = 0.0;
    for frame in 0..600 {
        app.update();
        let now = place(&app, unit);
        let step = now.distance(last);
        assert!(step <= 3.0 / 60.0 * 1.05, "frame {frame} moved by {step}");
        walked += step;
        last = now;
        if frame == 60 {
            let world = app.world();
            let path = world.get::<NavPath>(unit).unwrap();
            assert!(path.points.len() >= 3 && path.length > 5.0, "{path:?}");
            let velocity = world.get::<DesiredVelocity>(unit).unwrap().0;
            assert!((1.0..3.01).contains(&velocity.length()), "{velocity}");
            let forward = world.get::<Transform>(unit).unwrap().forward();
            assert!(forward.dot(velocity.normalize()) > 0.9, "{forward:?} along {velocity}");
        }
    }
    assert_eq!(last, far);
    assert!((7.0..9.0).contains(&walked), "{walked}");
    assert_eq!(app.world().resource::<Seen>().0, [unit]);
    assert!(app.world().get::<Destination>(unit).is_some());

    // Told to stop half-way, it stops.
    app.world_mut().entity_mut(unit).insert(Destination::from(at(0.5, 2.5)));
    run(&mut app, 2.0);
    app.world_mut().entity_mut(unit).remove::<Destination>();
    run(&mut app, 1.0);
    let stopped = place(&app, unit);
    run(&mut app, 1.0);
    assert_eq!(place(&app, unit), stopped);
    assert!((1.0..6.0).contains(&stopped.x), "{stopped}");
}

#[test]
fn a_unit_without_a_path_says_why_and_sets_out_when_there_is_one() {
    let mut app = app_on(&["....#....", "....#...."]);
    let unit = spawn(&mut app, at(0.5, 0.5), Destination::from(at(8.5, 0.5)));
    run(&mut app, 1.0);
    let trouble = app.world().get::<NavTrouble>(unit).expect("there is a wall").to_string();
    assert!(trouble.contains("island"), "{trouble}");
    assert_eq!(space(&mut app).text(unit), Some(trouble));

    let grid = space(&mut app).world();
    let gap = wayfare::simulation::GridEdit::Terrain {
        cells: vec![grid.cell(4, 1).unwrap()],
        terrain: TerrainId::GROUND,
    };
    let mut spaces = app.world_mut().query::<&mut NavSpace<Grid>>();
    spaces.single_mut(app.world_mut()).unwrap().edit(gap);
    run(&mut app, 6.0);
    assert!(app.world().get::<NavTrouble>(unit).is_none());
    assert_eq!(place(&app, unit), at(8.5, 0.5));
}

#[test]
fn agents_off_the_ground_and_without_a_space_are_told_and_tried_again() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<Grid>::default()));
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let lost = spawn(&mut app, at(1.5, 0.5), ());
    run(&mut app, 0.2);
    assert_eq!(app.world().get::<NavTrouble>(lost), Some(&NavTrouble::NoSpace));

    app.world_mut().spawn(NavSpace::new(Grid::from_rows(&["..#."]).unwrap()));
    let built_in = spawn(&mut app, at(2.5, 0.5), ());
    let odd = spawn(&mut app, at(3.5, 0.5), ());
    app.world_mut().get_mut::<NavAgent>(odd).unwrap().profile = 7;
    run(&mut app, 0.2);
    assert!(app.world().get::<NavTrouble>(lost).is_none());
    let trouble = |app: &App, unit| app.world().get::<NavTrouble>(unit).map(ToString::to_string);
    assert!(trouble(&app, built_in).is_some_and(|text| text.contains("blocked")));
    assert!(trouble(&app, odd).is_some_and(|text| text.contains("profile 7")));

    app.world_mut().get_mut::<Transform>(built_in).unwrap().translation.x = 3.5;
    run(&mut app, 0.2);
    assert_eq!(trouble(&app, built_in), None);
    assert!(space(&mut app).agent(built_in).is_some());

    // Settings that are refused leave the old ones, and the trouble goes with them.
    app.world_mut().get_mut::<NavAgent>(lost).unwrap().max_speed = -1.0;
    run(&mut app, 0.2);
    assert!(trouble(&app, lost).is_some_and(|text| text.contains("maximum speed")));
    app.world_mut().get_mut::<NavAgent>(lost).unwrap().max_speed = 5.0;
    run(&mut app, 0.2);
    assert_eq!(trouble(&app, lost), None);
    assert_eq!(space(&mut app).agent(lost).unwrap().limits().max_speed, 5.0);
}

#[test]
fn obstacles_are_walked_round_where_they_stand_and_leave_no_trace() {
    let mut app = app_on(&["........."; 5]);
    let always = NavObstacle::cuboid(Vec3::new(0.4, 1.0, 2.1)).carves(Carving::Always);
    let wall = app.world_mut().spawn((always, Transform::from_xyz(4.5, 0.0, 2.5))).id();
    run(&mut app, 0.2);
    let free = |app: &mut App| {
        let grid = space(app).world();
        (0..5).filter(|&y| grid.space().is_free(grid.cell(4, y).unwrap())).count()
    };
    assert_eq!(free(&mut app), 0, "rows 0 to 4 are covered");
    app.world_mut().get_mut::<Transform>(wall).unwrap().translation.z = 1.5;
    run(&mut app, 0.2);
    assert_eq!(free(&mut app), 1);
    app.world_mut().despawn(wall);
    run(&mut app, 0.2);
    assert_eq!(free(&mut app), 5);
}

#[test]
fn links_lead_across_and_their_gates_shut() {
    let mut app = app_on(&["...##...", "...##..."]);
    let link = NavLink::new(at(2.5, 0.5), at(5.5, 0.5), 0.5).gate(LinkGate::Locked(2));
    let door = app.world_mut().spawn(link).id();
    let unit = spawn(&mut app, at(0.5, 1.5), Destination::from(at(7.5, 1.5)));
    run(&mut app, 1.0);
    assert!(app.world().get::<NavTrouble>(unit).is_some(), "it has no key");
    app.world_mut().get_mut::<NavAgent>(unit).unwrap().keys = 2;
    run(&mut app, 6.0);
    assert_eq!(place(&app, unit), at(7.5, 1.5));

    app.world_mut().despawn(door);
    app.world_mut().entity_mut(unit).insert(Destination::from(at(0.5, 1.5)));
    run(&mut app, 1.0);
    assert!(app.world().get::<NavTrouble>(unit).is_some(), "the door is gone");
}

#[test]
fn guards_patrol_chase_an_entity_and_are_warned_of_points_out_of_reach() {
    #[derive(Resource, Default)]
    struct Warned(Vec<Vec3>);

    let mut app = app_on(&[".........#..", ".........#..", ".........#.."]);
    app.init_resource::<Warned>();
    app.add_systems(Update, |mut told: MessageReader<OutOfReach>, mut warned: ResMut<Warned>| {
        warned.0.extend(told.read().map(|told| told.point));
    });
    let thief = spawn(&mut app, at(8.5, 2.5), ());
    let patrol = Behaviour::Patrol {
        points: vec![at(0.5, 0.5), at(3.5, 0.5), at(11.5, 0.5)],
        order: Route::Loop,
        dwell: 0.0,
    };
    let target = Target::Entity(thief);
    let chase = Behaviour::Pursue { target, aggro: 3.0, give_up: 5.0 };
    let guard = spawn(&mut app, at(0.5, 0.5), Behaviours(vec![chase, patrol]));
    run(&mut app, 0.2);
    run(&mut app, 1.0);
    assert_eq!(app.world().resource::<Warned>().0, [at(11.5, 0.5)], "it lies behind the wall");
    assert!(space(&mut app).text(guard).is_some_and(|text| text.contains("patrol")));
    app.world_mut().get_mut::<Transform>(thief).unwrap().translation = at(4.5, 2.5);
    run(&mut app, 3.0);
    assert!(place(&app, guard).distance(at(4.5, 2.5)) < 0.7, "{}", place(&app, guard));
}

#[test]
fn a_destination_may_be_an_entity_that_moves() {
    let mut app = app_on(&[".........."; 3]);
    let flag = app.world_mut().spawn(Transform::from_xyz(5.5, 0.0, 0.5)).id();
    let unit = spawn(&mut app, at(0.5, 0.5), Destination::Entity(flag));
    run(&mut app, 4.0);
    assert_eq!(place(&app, unit), at(5.5, 0.5));
    app.world_mut().get_mut::<Transform>(flag).unwrap().translation = at(9.5, 2.5);
    run(&mut app, 4.0);
    assert_eq!(place(&app, unit), at(9.5, 2.5));
}

#[test]
fn an_agent_whose_transform_is_written_goes_on_from_there() {
    let mut app = app_on(&["...................."; 3]);
    let unit = spawn(&mut app, at(0.5, 0.5), Destination::from(at(19.5, 0.5)));
    run(&mut app, 1.0);
    app.world_mut().get_mut::<Transform>(unit).unwrap().translation = at(12.5, 1.5);
    run(&mut app, 0.5);
    assert!(place(&app, unit).x >= 12.0, "{}", place(&app, unit));
    run(&mut app, 4.0);
    assert_eq!(place(&app, unit), at(19.5, 0.5));
}

#[test]
fn physics_may_move_an_agent_by_its_desired_velocity() {
    let mut app = app_on(&["..........", ".########.", ".........."]);
    // Bodies that reach nine tenths of what they want, and are held for a second.
    app.add_systems(
        FixedUpdate,
        |time: Res<bevy_time::Time>,
         mut bodies: Query<(&DesiredVelocity, &mut Transform), With<ManualMovement>>| {
            let is_held = (1.0..2.0).contains(&time.elapsed_secs());
            for (velocity, mut at) in &mut bodies {
                let share = if is_held { 0.0 } else { 0.9 };
                at.translation += share * velocity.0 * time.delta_secs();
            }
        },
    );
    let unit = spawn(&mut app, at(0.5, 0.5), (Destination::from(at(0.5, 2.5)), ManualMovement));
    app.world_mut().entity_mut(unit).insert(Destination::from(at(9.5, 2.5)));
    run(&mut app, 1.95);
    let held = place(&app, unit);
    assert!(held.x < 3.5, "{held}");
    run(&mut app, 8.0);
    let end = place(&app, unit);
    assert!(end.distance(at(9.5, 2.5)) < 0.1, "{end}");
    assert_eq!(app.world().get::<Transform>(unit).unwrap().rotation, Quat::IDENTITY);
}

#[test]
fn maps_in_2d_have_pixels_and_layers() {
    let rows = ["......", ".####.", "......"];
    let placement = Placement::rows_down(Vec3::new(-48.0, 24.0, 0.0), 16.0);
    let mut app = app_with(NavSpace::placed(Grid::from_rows(&rows).unwrap(), placement));
    let unit = (
        NavAgent::new(5.0, 64.0),
        Transform::from_xyz(-40.0, 16.0, 7.0),
        Destination::from(Vec3::new(40.0, -16.0, 0.0)),
        KeepRotation,
    );
    let unit = app.world_mut().spawn(unit).id();
    run(&mut app, 1.0);
    let speed = app.world().get::<DesiredVelocity>(unit).unwrap().0.length();
    assert!((speed - 64.0).abs() < 8.0, "{speed}");
    run(&mut app, 4.0);
    assert_eq!(place(&app, unit), Vec3::new(40.0, -16.0, 7.0), "on its layer");
    assert_eq!(app.world().get::<Transform>(unit).unwrap().rotation, Quat::IDENTITY);
}

#[test]
fn despawned_agents_leave_their_spaces_and_a_despawned_space_frees_its_agents() {
    let mut app = app_on(&["......"]);
    let [one, other] = [0.5, 3.5].map(|x| spawn(&mut app, at(x, 0.5), ()));
    run(&mut app, 0.2);
    assert_eq!(space(&mut app).simulation().agents().count(), 2);
    app.world_mut().despawn(one);
    app.world_mut().entity_mut(other).remove::<NavAgent>();
    run(&mut app, 0.2);
    assert_eq!(space(&mut app).simulation().agents().count(), 0);

    app.world_mut().entity_mut(other).insert(NavAgent::default());
    run(&mut app, 0.2);
    assert_eq!(space(&mut app).simulation().agents().count(), 1);
    let home = app.world().resource::<wayfare_bevy::DefaultSpace>().0.unwrap();
    app.world_mut().despawn(home);
    run(&mut app, 0.2);
    assert_eq!(app.world().get::<NavTrouble>(other), Some(&NavTrouble::NoSpace));
    app.world_mut().spawn(NavSpace::new(Grid::from_rows(&["......"]).unwrap()));
    run(&mut app, 0.2);
    assert!(space(&mut app).agent(other).is_some());
}

#[test]
fn two_spaces_of_two_kinds_keep_to_themselves() {
    let mut app = app_on(&["......"]);
    app.add_plugins(NavPlugin::<VoxelGrid>::default());
    let size = VoxelSize { width: 8, height: 4, depth: 8 };
    let mut blocks = VoxelGrid::new(size, VoxelProfile::default()).unwrap();
    let floor = (0..8).flat_map(|x| (0..8).map(move |z| BlockPosition::new(x, 0, z)));
    blocks.set_blocks(floor.map(|at| (at, BlockId::SOLID))).unwrap();
    let cave = app.world_mut().spawn(NavSpace::new(blocks)).id();
    let [up, down] = [Vec3::new(6.5, 1.5, 6.5), at(5.5, 0.5)]; // the middles of their places
    let miner = spawn(&mut app, Vec3::new(0.5, 1.0, 0.5), (InSpace(cave), Destination::from(up)));
    let walker = spawn(&mut app, at(0.5, 0.5), Destination::from(down));
    run(&mut app, 5.0);
    assert_eq!((place(&app, miner), place(&app, walker)), (up, down));
}

/// The same agents and orders in Bevy and without it: the same state, bit by bit.
#[test]
fn the_simulation_is_the_one_that_runs_without_bevy() {
    let rows = ["............", ".####..####.", "............", ".####..####.", "............"];
    let settings = SimulationSettings { seed: 5, ..SimulationSettings::default() };
    let new = || {
        let grid = Grid::from_rows(&rows).unwrap();
        NavSpace::with_settings(grid, NavLinks::new(3.0), settings.clone()).unwrap()
    };
    let ends: Vec<[Vec3; 2]> = (0..10)
        .map(|number| {
            let x = number as f32 + 0.5;
            [at(x, 0.5), at(10.5 - number as f32, 4.5)]
        })
        .collect();

    let mut app = app_with(new());
    for &[from, to] in &ends {
        spawn(&mut app, from, Destination::from(to));
    }
    run(&mut app, 5.0);
    let ticks = space(&mut app).simulation().now();
    let in_bevy: Vec<Vec3> =
        space(&mut app).simulation().agents().map(|agent| agent.position()).collect();

    let grid = Grid::from_rows(&rows).unwrap();
    let mut alone = Simulation::new(grid, NavLinks::new(3.0), settings.clone()).unwrap();
    let class = alone.add_class(ProfileId::default(), Keys::NONE).unwrap();
    let polite = AgentAvoidance::default();
    let quality = wayfare::crowd::AvoidanceQuality::Medium;
    let AgentAvoidance { priority, layers, mask, .. } = polite;
    let polite =
        wayfare::simulation::Avoidance { quality, priority, layers, mask, ..Default::default() };
    for &[from, to] in &ends {
        // As the transforms of the agents look, along -z.
        let spec = AgentSpec::unnamed(class, from).avoidance(polite);
        let spec = AgentSpec { facing: -std::f32::consts::FRAC_PI_2, ..spec };
        let agent = alone.add_agent(spec).unwrap();
        alone.order(agent, Order::GoTo(to));
    }
    (0..ticks).for_each(|_| {
        alone.tick();
    });
    assert!(ticks > 90);
    assert_eq!(in_bevy, alone.agents().map(|agent| agent.position()).collect::<Vec<_>>());
    assert_eq!(space(&mut app).simulation().hash(), alone.hash());
}

#[test]
fn agents_links_and_obstacles_enter_a_space_that_replaces_another() {
    let rows = ["...##....", "...##....", "...##...."];
    let mut app = app_on(&rows);
    app.world_mut().spawn(NavLink::new(at(2.5, 0.5), at(5.5, 0.5), 0.5));
    let block = NavObstacle::ball(0.4).carves(Carving::Always);
    app.world_mut().spawn((block, Transform::from_xyz(7.5, 0.0, 2.5)));
    let unit = spawn(&mut app, at(0.5, 1.5), ());
    run(&mut app, 0.2);
    let replace = |app: &mut App, in_place: bool| {
        let home = app.world().resource::<wayfare_bevy::DefaultSpace>().0.unwrap();
        let space = NavSpace::new(Grid::from_rows(&rows).unwrap());
        if in_place {
            app.world_mut().entity_mut(home).insert(space);
        } else {
            app.world_mut().despawn(home);
            app.world_mut().spawn(space);
        }
        run(app, 0.3);
    };
    for (in_place, goal) in [(true, at(8.5, 1.5)), (false, at(0.5, 1.5))] {
        replace(&mut app, in_place);
        let grid = space(&mut app).world();
        assert!(!grid.space().is_free(grid.cell(7, 2).unwrap()), "the obstacle is there");
        app.world_mut().entity_mut(unit).insert(Destination::from(goal));
        run(&mut app, 7.0);
        assert_eq!(place(&app, unit), goal, "by the link");
    }
}
