//! The engine within an app of Bevy does what it does elsewhere: the golden hashes of all searches,
//! engines and simulations, with the features and versions of Bevy's tree of crates.

#[path = "../../crates/wayfare/tests/common/golden.rs"]
mod golden;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

#[derive(Resource, Default)]
struct Hashes(Vec<String>);

fn compute(mut hashes: ResMut<Hashes>) {
    let all = golden::all();
    hashes
        .0
        .extend(all.into_iter().map(|golden::Golden { name, hash }| format!("{hash:016x} {name}")));
}

#[test]
fn every_engine_does_in_bevy_what_it_does_elsewhere() {
    let mut app = App::new();
    app.init_resource::<Hashes>().add_systems(Startup, compute);
    app.update();
    let here = &app.world().resource::<Hashes>().0;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/hashes.txt");
    let elsewhere = std::fs::read_to_string(file).unwrap();
    let elsewhere: Vec<&str> = elsewhere.lines().collect();
    assert!(elsewhere.len() > 100);
    assert_eq!(*here, elsewhere);
}
