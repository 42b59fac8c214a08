//! Levels of triangles that become navigation meshes in the background.

use std::time::Duration;

use bevy_app::{TaskPoolPlugin, prelude::*};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wayfare::simulation::MeshWorld;
use wayfare_bevy::prelude::*;
use wayfare_bevy::{Carving, FindPath, FindPlugin, FoundPath};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, BakePlugin));
    app.add_plugins((NavPlugin::<MeshWorld>::default(), FindPlugin::<MeshWorld>::default()));
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app
}

/// Runs frames until an entity has a component.
fn wait_for<C: Component + Clone>(app: &mut App, entity: Entity) -> C {
    for _ in 0..5000 {
        app.update();
        if let Some(found) = app.world().get::<C>(entity) {
            return found.clone();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it never came");
}

fn wait_for_space(app: &mut App, entity: Entity) {
    for _ in 0..5000 {
        app.update();
        if app.world().get::<NavSpace<MeshWorld>>(entity).is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it was never baked: {:?}", app.world().get::<BakeFailed>(entity));
}

/// A floor of 12 m by 8 m.
fn floor() -> BakeSpace {
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [12.0, 0.0, 8.0], [12.0, 0.0, 0.0]];
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    BakeSpace::new(corners.map(Vec3::from).to_vec(), triangles, Default::default())
}

#[test]
fn a_level_is_baked_and_walked_round_an_obstacle() {
    let mut app = app();
    let level = app.world_mut().spawn(floor()).id();
    let (from, to) = (Vec3::new(1.0, 0.0, 4.0), Vec3::new(11.0, 0.0, 4.0));
    let unit = app.world_mut().spawn((
        NavAgent { radius: 0.4, ..NavAgent::default() },
        Transform::from_translation(from),
        Destination::from(to),
    ));
    let unit = unit.id();
    wait_for_space(&mut app, level);
    let pillar = NavObstacle::ball(1.0).carves(Carving::Always);
    app.world_mut().spawn((pillar, Transform::from_xyz(6.0, 0.5, 4.0)));
    let mut nearest = f32::INFINITY;
    for _ in 0..480 {
        app.update();
        let at = app.world().get::<Transform>(unit).unwrap().translation;
        nearest = nearest.min(at.distance(Vec3::new(6.0, at.y, 4.0)));
    }
    let at = app.world().get::<Transform>(unit).unwrap().translation;
    assert!(at.with_y(0.0).distance(to) < 0.05, "{at}");
    assert!(nearest > 1.3, "the pillar's radius and its own make 1.4, and it came to {nearest}");

    let FoundPath::Path { points, length } = ({
        let question = app.world_mut().spawn(FindPath::new(from, to)).id();
        wait_for::<FoundPath>(&mut app, question)
    }) else {
        panic!("there is a path");
    };
    assert!(points.len() > 2 && (10.1..12.0).contains(&length), "{points:?}, {length}");

    // Baked again, it is other ground under the same agents: half of it is gone.
    let mut half = floor();
    half.vertices.iter_mut().for_each(|vertex| vertex.x = vertex.x.max(5.0));
    app.world_mut().entity_mut(level).insert(half);
    for _ in 0..5000 {
        app.update();
        let space = app.world().get::<NavSpace<MeshWorld>>(level).unwrap();
        let gone = space.world().mesh().nearest_point(from, 1.0).is_none();
        if gone && space.agent(unit).is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the ground was never replaced");
}

#[test]
fn a_level_that_nobody_can_walk_on_says_why() {
    let mut app = app();
    let mut ceiling = floor();
    ceiling.triangles.iter_mut().for_each(|triangle| triangle.reverse());
    let level = app.world_mut().spawn(ceiling).id();
    let BakeFailed(reason) = wait_for(&mut app, level);
    assert!(reason.contains("nothing in this level is walkable"), "{reason}");
}

/// Bevy's meshes where their entities are: a floor and a step up to another one.
#[test]
fn meshes_of_bevy_become_a_level() {
    use bevy_mesh::{Mesh, Meshable};

    let plane: Mesh = bevy_shape::Plane3d::default().mesh().size(4.0, 4.0).into();
    let [here, there] = [Vec3::new(2.0, 0.0, 2.0), Vec3::new(6.0, 0.3, 2.0)]
        .map(|at| GlobalTransform::from(Transform::from_translation(at)));
    let level = BakeSpace::of_meshes([(&plane, &here), (&plane, &there)], Default::default());
    assert_eq!(level.triangles.len(), 4);
    let mut app = app();
    let level = app.world_mut().spawn(level).id();
    wait_for_space(&mut app, level);
    let space = app.world().get::<NavSpace<MeshWorld>>(level).unwrap();
    assert_eq!(space.world().mesh().space().count_islands().islands, 1);
}

#[cfg(feature = "asset")]
#[test]
fn a_level_file_becomes_a_space_and_a_broken_one_is_told() {
    use bevy_asset::{AssetPlugin, AssetServer, LoadState};
    use wayfare_bevy::{LevelPlugin, LevelSpace};

    let folder = tempfile::tempdir().unwrap();
    let yard = "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n";
    std::fs::write(folder.path().join("yard.obj"), yard).unwrap();
    std::fs::write(folder.path().join("broken.nav.glb"), "glTF").unwrap();
    let mut app = App::new();
    let file_path = folder.path().to_string_lossy().into_owned();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin));
    app.add_plugins(AssetPlugin { file_path, ..AssetPlugin::default() });
    app.add_plugins((NavPlugin::<MeshWorld>::default(), LevelPlugin));
    let load = |app: &App, name: &'static str| app.world().resource::<AssetServer>().load(name);
    let [good, broken] = ["yard.obj", "broken.nav.glb"].map(|name| load(&app, name));
    let walker = Default::default();
    let level = app.world_mut().spawn(LevelSpace { level: good, walker }).id();
    wait_for_space(&mut app, level);
    for _ in 0..5000 {
        app.update();
        if let LoadState::Failed(fault) = app.world().resource::<AssetServer>().load_state(&broken)
        {
            assert!(fault.to_string().contains("broken.nav.glb"), "{fault}");
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the broken file was never told of");
}
