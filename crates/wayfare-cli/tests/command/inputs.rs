//! What is wrong with an input is said, with the place, and nothing panics.

use crate::support::{Folder, wayfare, world};

#[test]
fn broken_files_are_named_with_the_place() {
    let folder = Folder::new();
    let ragged = folder.write("ragged.map", "type octile\nheight 2\nwidth 4\nmap\n....\n...\n");
    let huge =
        folder.write("huge.map", "type octile\nheight 4000000000\nwidth 4000000000\nmap\n..\n");
    let binary = folder.write("binary.txt", [0u8, 159, 146, 150, 255, 10, 13]);
    let empty = folder.write("empty.tmj", "");
    let dangling = folder.write(
        "dangling.toml",
        "scene = { name = \"d\" }\nwaypoints = [{ id = \"a\", at = [0, 0, 0] }]\n\
         links = [{ from = \"a\", to = \"nowhere\" }]\n",
    );
    for file in [&ragged, &huge, &binary, &empty, &dangling] {
        for command in ["solve", "compare", "why", "info"] {
            let ran = wayfare(&format!("{command} {file}")).ends(3);
            assert!(ran.stderr.contains(file.as_str()) && ran.stdout.is_empty(), "{}", ran.stderr);
        }
        assert!(wayfare(&format!("convert {file} {}", folder.name("out.txt"))).ends(3).code == 3);
    }
    let ran = wayfare(&format!("solve {ragged}")).ends(3);
    assert!(ran.stderr.contains("ragged.map:6"), "{}", ran.stderr);
    assert!(wayfare(&format!("solve {dangling}")).ends(3).stderr.contains("nowhere"));
}

#[test]
fn missing_and_unknown_files_are_named() {
    let missing = wayfare("solve nowhere.map").ends(3);
    assert!(missing.stderr.contains("nowhere.map"), "{}", missing.stderr);
    let unknown = wayfare("info world.xyz").ends(3);
    assert!(unknown.stderr.contains(".tmj"), "{}", unknown.stderr);
    let queries = wayfare("solve cave.map.scen").ends(2);
    assert!(queries.stderr.contains("wayfare bench cave.map.scen"), "{}", queries.stderr);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let maze = world("maze.txt");
    for (arguments, says) in [
        ("--from nonsense --to 1,1", "is no cell"),
        ("--from 1 --to 1,1", "is no cell"),
        ("--neighbours 6", "4 or 8"),
        ("--width 0", "1..=64"),
        ("--weight 0.5", "from 1"),
        ("--max-cost NaN", "from 0 up"),
        ("--query nothing", "names no route 'nothing'"),
        ("-o picture.bmp", ".png, .svg or .gif"),
        ("--smooth round --turn-radius -1", "above 0"),
    ] {
        let ran = wayfare(&format!("solve {maze} {arguments}")).ends(2);
        assert!(ran.stderr.contains(says), "{arguments}: {}", ran.stderr);
    }
}

#[test]
fn off_the_map_is_an_answer_and_not_an_error() {
    for from in ["99,99", "-1,3", "5000000000,1"] {
        let line = format!("solve {} --from={from} --to 1,1 --format json", world("maze.txt"));
        let solved = wayfare(&line).ends(1).json();
        assert_eq!(solved["outcome"], "no path");
        assert!(solved["reason"].as_str().unwrap().contains("off the map"));
        wayfare(&format!("why {} --to={from} --from 1,1", world("maze.txt"))).ends(1);
    }
}

#[test]
fn pictures_that_cannot_be_written_have_a_code_of_their_own() {
    let line = format!("solve {} -o /nowhere/at/all/p.png", world("maze.txt"));
    let ran = wayfare(&line).ends(5);
    assert!(ran.stderr.contains("/nowhere/at/all/p.png"), "{}", ran.stderr);
}
