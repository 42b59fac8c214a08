//! The document of the format has every key of the types, and no other.

use std::collections::{BTreeMap, BTreeSet};

use wayfare_scene::inside::rules::Rules;
use wayfare_scene::scene::{
    AgentClass, AutoLinks, Block, ClassTerrain, CostChange, CostRules, DangerNews, Drive,
    FormationChange, GateChange, GroundChange, MeshSource, NamedPlace, Placement, PlacementKind,
    PuzzleBarrier, PuzzleHook, PuzzleLever, PuzzleLift, PuzzleThing, Rectangle, Scene, SceneAgent,
    SceneBehaviour, SceneChange, SceneClip, SceneDanger, SceneGrid, SceneGroup, SceneHarm,
    SceneInfo, SceneLink, SceneNavLink, SceneNavMesh, SceneObstacle, SceneOrder, ScenePuzzle,
    SceneQuery, SceneSimulation, SceneWaypoint, ScheduledCommand, Surface,
};

const PAGE: &str = include_str!("../../docs/scene-format.md");

/// The keys of a table, and those of the inline tables in it.
type Keys = (&'static [&'static str], Vec<&'static str>);

fn schema() -> BTreeMap<&'static str, Keys> {
    let table = |name, keys| (name, (keys, vec![]));
    BTreeMap::from([
        table("scene", SceneInfo::KEYS),
        table("costs", CostRules::KEYS),
        table(
            "terrains",
            &["name", "glyph", "color", "multiplier", "penalty", "walkable", "medium"],
        ),
        ("obstacles", (SceneObstacle::KEYS, [MeshSource::KEYS, &["shape"]].concat())),
        ("surfaces", (Surface::KEYS, vec!["shape"])),
        table("grid", SceneGrid::KEYS),
        table("navmesh", SceneNavMesh::KEYS),
        table("waypoints", SceneWaypoint::KEYS),
        (
            "placements",
            (Placement::KEYS, [Rectangle::KEYS, PlacementKind::KEYS, &["kind"]].concat()),
        ),
        table("links", SceneLink::KEYS),
        table("auto_links", AutoLinks::KEYS),
        table("queries", SceneQuery::KEYS),
        table("simulation", SceneSimulation::KEYS),
        table("places", NamedPlace::KEYS),
        ("classes", (AgentClass::KEYS, ClassTerrain::KEYS.to_vec())),
        table("agents", SceneAgent::KEYS),
        table("groups", SceneGroup::KEYS),
        ("behaviour", (SceneBehaviour::KEYS, vec!["kind"])),
        table("nav_links", SceneNavLink::KEYS),
        (
            "puzzles",
            (
                ScenePuzzle::KEYS,
                [
                    PuzzleThing::KEYS,
                    PuzzleLever::KEYS,
                    PuzzleHook::KEYS,
                    PuzzleBarrier::KEYS,
                    PuzzleLift::KEYS,
                ]
                .concat(),
            ),
        ),
        ("dangers", (SceneDanger::KEYS, Rectangle::KEYS.to_vec())),
        table("clips", SceneClip::KEYS),
        (
            "events",
            (
                ScheduledCommand::KEYS,
                [
                    GateChange::KEYS,
                    Block::KEYS,
                    Drive::KEYS,
                    SceneOrder::KEYS,
                    Rectangle::KEYS,
                    SceneHarm::KEYS,
                    DangerNews::KEYS,
                    SceneChange::KEYS,
                    CostChange::KEYS,
                    FormationChange::KEYS,
                    GroundChange::KEYS,
                ]
                .concat(),
            ),
        ),
    ])
}

/// The code spans of a text.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// For each table of the page the code spans of its key column, and the text of its rows.
fn page() -> BTreeMap<String, (BTreeSet<&'static str>, String)> {
    let mut tables: BTreeMap<String, (BTreeSet<&str>, String)> = BTreeMap::new();
    let mut table = String::new();
    for line in PAGE.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').splitn(3, " | ").map(str::trim).collect();
        if let [name, keys, text] = cells[..] {
            match spans(name).next() {
                Some(name) => table = name.to_string(),
                None if name == "behaviour" => table = name.to_string(),
                None => {}
            }
            let (known, rows) = tables.entry(table.clone()).or_default();
            known.extend(spans(keys));
            rows.push_str(text);
        }
    }
    tables.remove("");
    tables
}

#[test]
fn the_page_has_the_keys_of_the_types() {
    let (schema, page) = (schema(), page());
    let tables = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_string).collect();
    let (ours, theirs): (BTreeSet<String>, BTreeSet<String>) =
        (tables(&mut schema.keys().copied()), tables(&mut page.keys().map(String::as_str)));
    assert_eq!(ours, theirs);
    for (table, (keys, inner)) in &schema {
        let (columns, rows) = &page[*table];
        for key in *keys {
            assert!(columns.contains(key), "the page lacks {table}.{key}");
        }
        for key in columns {
            let known = keys.contains(key) || inner.contains(key);
            assert!(known, "the page has {table}.{key}, which no type has");
        }
        // The content of a mesh file is no key.
        for key in inner.iter().filter(|key| **key != "loaded") {
            let there = columns.contains(key) || rows.contains(key);
            assert!(there, "the page lacks '{key}' in {table}");
        }
    }
    let known: BTreeSet<&str> = Scene::KEYS.iter().copied().chain(["behaviour"]).collect();
    assert_eq!(known, schema.keys().copied().collect());
}
