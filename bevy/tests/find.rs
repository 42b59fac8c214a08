//! Paths found on the task pool.

use bevy_app::prelude::*;
use bevy_math::Vec3;
use bevy_time::TimePlugin;
use wayfare::space::{Grid, TerrainId};
use wayfare_bevy::prelude::*;
use wayfare_bevy::{FindPath, FindPlugin, FoundPath};

fn ask(app: &mut App, from: Vec3, to: Vec3) -> FoundPath {
    let question = app.world_mut().spawn(FindPath::new(from, to)).id();
    for _ in 0..2000 {
        app.update();
        if let Some(found) = app.world().get::<FoundPath>(question) {
            return found.clone();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("no answer");
}

#[test]
fn questions_are_answered_after_edits_too() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::<Grid>::default(), FindPlugin::<Grid>::default()));
    let map = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    let home = app.world_mut().spawn(NavSpace::new(map)).id();
    let (from, to) = (Vec3::new(2.5, 0.0, 0.5), Vec3::new(2.5, 0.0, 2.5));
    let FoundPath::Path { points, length } = ask(&mut app, from, to) else { panic!() };
    assert_eq!((points[0], *points.last().unwrap()), (from, to));
    assert!((5.0..8.0).contains(&length), "{length}");

    let mut space = app.world_mut().get_mut::<NavSpace<Grid>>(home).unwrap();
    let cells = [0, 4].map(|x| space.world().cell(x, 1).unwrap()).to_vec();
    let terrain = TerrainId::BLOCKED;
    space.edit(wayfare::simulation::GridEdit::Terrain { cells, terrain });
    space.simulation_mut().tick();
    let FoundPath::None(reason) = ask(&mut app, from, to) else { panic!() };
    assert!(reason.contains("island"), "{reason}");
    let FoundPath::None(reason) = ask(&mut app, from, Vec3::splat(99.0)) else { panic!() };
    assert!(reason.contains("goal lies off the map"), "{reason}");
}
