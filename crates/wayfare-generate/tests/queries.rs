//! Queries of generated worlds: written, read, and solved once more.

use std::collections::BTreeMap;

use wayfare_core::search::{AStar, Query, solve};
use wayfare_formats::{TilePosition, movingai_3dmap, movingai_3dscen, movingai_map, movingai_scen};
use wayfare_generate::{
    Arrangement, Generated, Kinds, Lineup, Manager, QuerySpread, Seed, Settings, WorldDraft,
    WorldForm, generate,
};
use wayfare_grid::grid::GridProfile;
use wayfare_scene::World;
use wayfare_voxel::{BlockPosition, VoxelProfile};

fn default_world(kind: &str, seed: u64) -> Generated {
    let kinds = Kinds::standard();
    generate(kinds.get(kind).unwrap(), &Settings::default(), Seed(seed)).unwrap()
}

/// The lengths in the file, each beside that of A*, on map and list as they are after writing and
/// reading; and the number of queries in each bucket.
fn lengths(map: &World, queries: &World) -> (Vec<[f64; 2]>, BTreeMap<u32, u32>) {
    let mut lengths = Vec::new();
    match (map, queries) {
        (World::TileMap(map), World::Scenario(list)) => {
            let list = movingai_scen::read(&movingai_scen::write(list).unwrap()).unwrap();
            let map = movingai_map::read(&movingai_map::write(map).unwrap(), "a").unwrap();
            let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
            let grid = map.to_grid(profile).unwrap();
            let space = grid.space();
            let cell = |at: TilePosition| grid.cell(at.x, at.y).unwrap();
            for entry in &list.entries {
                assert_eq!((entry.width, entry.height), (map.width(), map.height()));
                assert_eq!(entry.bucket, (entry.optimal_length / 4.0) as u32);
                let query = Query::new(cell(entry.start), cell(entry.goal));
                let path = solve(&space, &AStar::new(), query).outcome.into_path();
                lengths.push([entry.optimal_length, space.length(path.states())]);
            }
        }
        (World::Voxels(map), World::VoxelScenario(list)) => {
            let list = movingai_3dscen::read(&movingai_3dscen::write(list).unwrap()).unwrap();
            let map = movingai_3dmap::read(&movingai_3dmap::write(map).unwrap(), "a").unwrap();
            let grid = map.to_grid(VoxelProfile::flyer()).unwrap();
            let space = grid.space();
            let voxel = |at: BlockPosition| grid.voxel(at).unwrap();
            for entry in &list.entries {
                assert!(entry.ratio > 0.999_999, "{}", entry.ratio);
                let query = Query::new(voxel(entry.start), voxel(entry.goal));
                let path = solve(&space, &AStar::new(), query).outcome.into_path();
                let steps = path.steps.iter().map(|step| (step.state, step.action));
                lengths.push([entry.optimal_length, space.length(steps)]);
            }
        }
        other => panic!("{other:?}"),
    }
    let mut buckets = BTreeMap::new();
    for [length, _] in &lengths {
        *buckets.entry((length / 4.0) as u32).or_default() += 1;
    }
    (lengths, buckets)
}

#[test]
fn lengths_are_those_that_astar_finds_in_the_files() {
    let kinds = Kinds::standard();
    for kind in kinds.iter() {
        for spread in [QuerySpread::Places, QuerySpread::Lengths] {
            let world = default_world(kind.name(), 11);
            let list = world.queries("a.map", 30, spread).unwrap();
            assert_eq!(list, world.queries("a.map", 30, spread).unwrap());
            let Some(list) = list else {
                assert!(matches!(kind.form(), WorldForm::Level | WorldForm::Sampled));
                continue;
            };
            let (lengths, _) = lengths(&list.map, &list.queries);
            assert_eq!(lengths.len(), 30);
            for [in_file, found] in &lengths {
                // As `wayfare bench` compares them: to a thousandth of a step.
                assert!((in_file - found).abs() <= 1e-3, "{}", kind.name());
            }
            assert!(lengths.is_sorted(), "{}", kind.name());
        }
    }
}

#[test]
fn buckets_are_filled_evenly_up_to_the_longest() {
    for kind in ["caves", "city", "dungeon", "voxel-caves"] {
        for seed in 0..4 {
            let list = default_world(kind, seed).queries("a.map", 200, QuerySpread::Lengths);
            let list = list.unwrap().unwrap();
            let (_, buckets) = lengths(&list.map, &list.queries);
            let last = *buckets.keys().last().unwrap();
            assert!(last > 4, "{kind}: {buckets:?}");
            // None is left out, and none has two queries more than another.
            assert_eq!(buckets.len() as u32, last + 1, "{kind}: {buckets:?}");
            let (least, most) = (buckets.values().min().unwrap(), buckets.values().max().unwrap());
            assert!(most - least <= 1, "{kind}: {buckets:?}");
        }
    }
}

#[test]
fn fewer_queries_than_buckets_are_spread_over_all_lengths() {
    let list = default_world("maze", 3).queries("a.map", 5, QuerySpread::Lengths);
    let list = list.unwrap().unwrap();
    let all = default_world("maze", 3).queries("a.map", 500, QuerySpread::Lengths);
    let all = all.unwrap().unwrap();
    let longest = lengths(&all.map, &all.queries).0.last().unwrap()[0];
    let five = lengths(&list.map, &list.queries).0;
    for (number, [length, _]) in five.iter().enumerate() {
        assert!((length / longest - number as f64 / 5.0).abs() < 0.05, "{five:?} of {longest}");
    }
}

#[test]
fn a_row_of_worlds_has_queries_from_one_to_the_other() {
    let kinds = Kinds::standard();
    let lineup = Lineup { count: 3, seed: Seed(4), ..Lineup::default() };
    let worlds: Vec<_> = (0..3).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
    let row = Arrangement::new(&worlds, &lineup).unwrap();
    let list = row.queries("row.map", 20, QuerySpread::Lengths).unwrap();
    let (found, _) = lengths(&list.map, &list.queries);
    assert!(found.iter().all(|[in_file, found]| (in_file - found).abs() < 0.01), "{found:?}");
    let World::Scenario(list) = &list.queries else { panic!("of tiles") };
    let part = |at: TilePosition| {
        let holds = |area: wayfare_generate::Area| {
            (area.x..area.right()).contains(&at.x) && (area.y..area.bottom()).contains(&at.y)
        };
        row.parts.iter().position(|part| holds(part.area))
    };
    assert!(list.entries.iter().any(|query| part(query.start) != part(query.goal)));
}

#[test]
fn no_query_passes_a_door() {
    let world = default_world("dungeon", 5);
    let WorldDraft::Tiles(scene) = &world.draft else { panic!("of tiles") };
    assert!(!scene.doors.is_empty());
    let list = world.queries("a.map", 50, QuerySpread::Places).unwrap().unwrap();
    let (lengths, _) = lengths(&list.map, &list.queries);
    assert!(lengths.iter().all(|[in_file, found]| (in_file - found).abs() < 0.01));
}

#[test]
fn a_world_without_two_places_has_no_queries() {
    let mut world = default_world("maze", 1);
    let WorldDraft::Tiles(scene) = &mut world.draft else { panic!("of tiles") };
    scene
        .draft
        .whole()
        .fill(wayfare_generate::Area::new(0, 0, 4096, 4096), wayfare_generate::Ground::Wall);
    scene.draft.set(3, 3, wayfare_generate::Ground::Floor);
    for spread in [QuerySpread::Places, QuerySpread::Lengths] {
        let list = world.queries("a.map", 5, spread).unwrap().unwrap();
        assert!(lengths(&list.map, &list.queries).0.is_empty());
    }
    // Two places have queries, of the one length that there is.
    let WorldDraft::Tiles(scene) = &mut world.draft else { panic!("of tiles") };
    scene.draft.set(4, 4, wayfare_generate::Ground::Floor);
    scene.draft.set(4, 3, wayfare_generate::Ground::Floor);
    let list = world.queries("a.map", 8, QuerySpread::Lengths).unwrap().unwrap();
    assert!(lengths(&list.map, &list.queries).0.iter().all(|[length, _]| *length < 3.0));
}
