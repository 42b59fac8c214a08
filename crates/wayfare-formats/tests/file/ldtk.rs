//! LDtk projects.

use std::path::Path;

use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::{
    MemoryFiles, TileMap, TilePosition, World, WorldError, WorldErrorKind, read_from,
};

fn read(files: &MemoryFiles) -> Result<TileMap, WorldError> {
    let World::TileMap(map) =
        read_from(Path::new("game.ldtk"), files, HeightmapOptions::default())?
    else {
        panic!("a tile map")
    };
    Ok(map)
}

fn project(values: &str, levels: &str) -> String {
    format!(
        r#"{{"jsonVersion":"1.5.3","worldLayout":"GridVania","defs":{{"layers":[
        {{"uid":7,"intGridValues":[{values}]}}]}},"levels":[{levels}]}}"#
    )
}

fn grid(name: &str, csv: &str) -> String {
    format!(
        r#"{{"__identifier":"{name}","__type":"IntGrid","__cWid":3,"__cHei":2,"__gridSize":16,
        "layerDefUid":7,"intGridCsv":[{csv}],"entityInstances":[]}}"#
    )
}

fn level(x: i32, y: i32, layers: &str) -> String {
    format!(
        r#"{{"identifier":"L","worldX":{x},"worldY":{y},"pxWid":48,"pxHei":32,"layerInstances":[{layers}]}}"#
    )
}

const NAMED: &str = r##"{"value":1,"identifier":"walls","color":"#102030"},
    {"value":2,"identifier":"sand","color":"#e0d0a0"}"##;

fn names(map: &TileMap) -> Vec<Vec<&str>> {
    map.rows()
        .map(|row| row.iter().map(|tile| map.terrain(*tile).name.as_str()).collect())
        .collect()
}

/// Two levels, one lower by a cell, with a start and a goal.
#[test]
fn levels_lie_where_the_world_has_them() {
    let entities = r#"{"__identifier":"Things","__type":"Entities","__cWid":3,"__cHei":2,
        "__gridSize":16,"layerDefUid":8,"entityInstances":[
        {"__identifier":"Player","__grid":[0,0]},{"__identifier":"Exit","__grid":[2,1]}]}"#;
    let first = level(-48, 0, &format!("{entities},{}", grid("Ground", "0,1,0,2,2,0")));
    let second = level(0, 16, &grid("Ground", "0,0,1,0,0,0"));
    let text = project(NAMED, &format!("{first},{second}"));
    let map = read(&MemoryFiles::new().with("game.ldtk", text)).expect("sound");
    let (open, out) = ("open", "outside");
    assert_eq!(
        names(&map),
        [
            [open, "walls", open, out, out, out],
            ["sand", "sand", open, open, open, "walls"],
            [out, out, out, open, open, open],
        ]
    );
    let terrain = |name: &str| map.terrains().iter().find(|terrain| terrain.name == name);
    assert_eq!(terrain("walls").map(|it| (it.walkable, it.color)), Some((false, [16, 32, 48])));
    assert_eq!(terrain("sand").map(|it| it.walkable), Some(true));
    let at = |x, y| Some(TilePosition { x, y });
    assert_eq!((map.marks().start, map.marks().goal), (at(0, 0), at(2, 1)));
    let [remark] = map.remarks() else { panic!("{:?}", map.remarks()) };
    assert!(remark.contains("'walls' block"), "{remark}");
}

#[test]
fn values_without_names_block_and_layers_lie_over_each_other() {
    let values = r#"{"value":1,"identifier":null,"color":"x"},{"value":2,"identifier":"mud"}"#;
    let two = format!("{},{}", grid("top", "0,2,0,0,0,0"), grid("below", "1,1,0,2,0,0"));
    let text = project(values, &level(0, 0, &two));
    let map = read(&MemoryFiles::new().with("game.ldtk", text)).expect("sound");
    // Under the mud there is a wall.
    assert_eq!(names(&map), [["below 1", "blocked", "open"], ["mud", "open", "open"]]);
    assert!(map.remarks()[0].contains("'below 1' block"), "{:?}", map.remarks());
}

#[test]
fn levels_in_files_of_their_own() {
    let text = project(
        NAMED,
        r#"{"worldX":0,"worldY":0,"layerInstances":null,"externalRelPath":"game/L.ldtkl"}"#,
    );
    let files = MemoryFiles::new().with("game.ldtk", text);
    assert_eq!(read(&files).expect_err("not there").kind(), WorldErrorKind::Io);
    let files = files.with("game/L.ldtkl", level(0, 0, &grid("Ground", "1,0,0,0,0,0")));
    assert_eq!(names(&read(&files).expect("sound"))[0], ["walls", "open", "open"]);
}

#[test]
fn what_is_wrong_is_named() {
    let said = |levels: &str| {
        let files = MemoryFiles::new().with("game.ldtk", project(NAMED, levels));
        read(&files).expect_err(levels).to_string()
    };
    assert!(said("").contains("no IntGrid layer"), "{}", said(""));
    let short = said(&level(0, 0, &grid("g", "1,1")));
    assert!(short.contains("2 values where its size asks for 6"), "{short}");
    let here = level(0, 0, &grid("g", "0,0,0,0,0,0"));
    for far in ["9000000", "-9223372036854775808"] {
        let there = here.replace("\"worldX\":0", &format!("\"worldX\":{far}"));
        let scattered = said(&format!("{here},{there}"));
        assert!(scattered.contains("move the levels together"), "{scattered}");
    }
    let cells = said(&format!("{here},{}", here.replace("\"__gridSize\":16", "\"__gridSize\":8")));
    assert!(cells.contains("8 pixels wide, others 16"), "{cells}");
    let outside = r#"{"layerInstances":null,"externalRelPath":"C:\\x"}"#;
    assert!(said(outside).contains("not named relative"), "{}", said(outside));
}
