//! Patches of waypoint graphs.

use glam::Vec2;
use wayfare_draw::Scenery;
use wayfare_draw::inside::waypoints::{Patches, holds};
use wayfare_draw::{Area, DrawError, LinkArt, Terrain, Theme, WaypointScenery};

#[test]
fn a_polygon_holds_its_middle_and_not_the_outside() {
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Vec2::from);
    assert!(holds(&square, Vec2::ONE));
    assert!(!holds(&square, Vec2::new(3.0, 1.0)));
    assert!(!holds(&[], Vec2::ONE));
}

#[test]
fn patches_tile_a_lattice_and_leave_gaps_elsewhere() {
    let lattice = [[0.5, 0.5], [2.5, 0.5], [0.5, 4.5]].map(Vec2::from);
    assert_eq!(Patches::around(&lattice), Patches { side: 2.0, is_lattice: true });
    let scattered = [[0.0, 0.0], [2.0, 0.0], [1.0, 7.0]].map(Vec2::from);
    assert!(!Patches::around(&scattered).is_lattice);
    assert_eq!(Patches::around(&[Vec2::ONE]).side, 1.0);

    let theme = Theme::DARK;
    let grass = Terrain::themed("grass", theme.floor, false, &theme);
    let water = Terrain::themed("water", theme.floor, true, &theme);
    let world = WaypointScenery::new(lattice.to_vec(), Vec::new()).expect("a world");
    let grounds = [Some(0), Some(1), Some(9)];
    let world = world.with_terrains(vec![grass.clone(), water], grounds);
    assert_eq!(world.terrains_shown(&theme).len(), 2, "the third terrain does not exist");
    let at = |x, y| world.ground(Area::sized(Vec2::new(x, y), Vec2::splat(0.01)), &theme);
    assert_eq!(at(1.4, 0.0).colour, grass.colour);
    assert_eq!((at(1.6, 0.0).solid, at(0.5, 4.5).colour), (1.0, theme.floor));
}

#[test]
fn broken_worlds_are_refused() {
    let link = LinkArt { from: 0, to: 7, one_way: false };
    let dangling = WaypointScenery::new(vec![Vec2::ZERO], vec![link]);
    assert!(matches!(dangling, Err(DrawError::DanglingLink { link: 0, waypoint: 7, known: 1 })));
    let nowhere = WaypointScenery::new(vec![Vec2::ZERO, Vec2::NAN], vec![]);
    assert!(matches!(nowhere, Err(DrawError::NotFinite { index: 1, .. })));
}
