//! What is wrong with an input is said, with the place, and nothing panics.

use crate::support::{Folder, command, run, wayfare, world};

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

/// Help and results that do not reach their reader are no success.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told() {
    let maze = world("maze.txt");
    for line in ["--help", "solve --help", "--version", "help why", &format!("solve {maze}")] {
        let full = std::fs::File::create("/dev/full").expect("Linux has it");
        let ran = command().args(line.split_whitespace()).stdout(full).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(5), "{line}: {said}");
        assert!(said.contains("standard output"), "{line}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let maze = world("maze.txt");
    let name = OsStr::from_bytes(b"caf\xe9");
    let ran = command().args(["solve", &maze, "--query"]).arg(name).output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("'caf\u{fffd}': not UTF-8"), "{said}");
    // A file may be called so.
    let ran = command().arg("info").arg(name).output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.code() == Some(3) && said.contains("caf\u{fffd}"), "{said}");
}

#[test]
fn missing_and_unknown_files_are_named() {
    let missing = wayfare("solve nowhere.map").ends(3);
    assert!(missing.stderr.contains("nowhere.map"), "{}", missing.stderr);
    let misspelt = run(["solve", &world("vilage.tmj")]).ends(3);
    let meant = format!("did you mean {}?", world("village.tmj"));
    assert!(misspelt.stderr.contains(&meant), "{}", misspelt.stderr);
    let folder = Folder::new();
    let unknown = run(["info", &folder.write("world.xyz", "")]).ends(3);
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
        ("--width 0", "from 1 to 64"),
        ("--weight 0.5", "from 1"),
        ("--weight 1e99", "a number from 1 to 65536"),
        ("--max-cost NaN", "from 0 up"),
        ("--max-expansions -1", "'-1' for '--max-expansions <N>': it must be a whole number"),
        ("--max-generated 1.5", "it must be a whole number from 0 to"),
        ("--max-open 99999999999999999999", "it must be a whole number from 0 to"),
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
    assert!(ran.stderr.contains("there is no folder /nowhere/at/all"), "{}", ran.stderr);
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = Folder::new();
    let named = folder.write("red\u{1b}[31m.txt", "S..\n.#.\n..G\n");
    let missing = folder.name("no\u{1b}]0;title\u{7}.txt");
    for (command, file, code) in [
        ("solve", &named, 0),
        ("compare", &named, 0),
        ("why", &named, 0),
        ("info", &named, 0),
        ("info", &missing, 3),
    ] {
        let ran = run([command, file]).ends(code);
        for said in [ran.stdout, ran.stderr] {
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{command}: {said:?}");
        }
    }
    let solved = run(["solve", &named]).ends(0).stdout;
    assert!(solved.contains("red\\u{1b}[31m.txt"), "{solved}");
}

#[test]
fn bad_answers_that_were_mended_stay_so() {
    let folder = Folder::new();
    let long = folder.write("long.map", "type octile\nheight 99999999999\nwidth 5\nmap\n.\n");
    let ran = wayfare(&format!("info {long}")).ends(3);
    assert!(ran.stderr.contains("a whole number from 1 to 16384"), "{}", ran.stderr);
    let json = folder.write("list.json", "{\"a\": 1}");
    let ran = wayfare(&format!("info {json}")).ends(3);
    assert!(ran.stderr.contains("that Tiled has saved"), "{}", ran.stderr);
    let empty = folder.write("empty.toml", "");
    let ran = wayfare(&format!("info {empty}")).ends(3);
    assert!(ran.stderr.contains("scene = { name ="), "{}", ran.stderr);
    let maze = world("maze.txt");
    let ran = wayfare(&format!("solve {maze} -a astar --weight 2")).ends(0);
    assert!(ran.stderr.contains("--weight is for weighted-astar"), "{}", ran.stderr);
    let ran = wayfare(&format!("solve {maze} -a weighted-astar --weight 2")).ends(0);
    assert!(!ran.stderr.contains("--weight"), "{}", ran.stderr);
    let ran = wayfare("simulate scene.toml --ticks -1").ends(2);
    assert!(ran.stderr.contains("a whole number from 1 to 16777216"), "{}", ran.stderr);
    let ran = wayfare(&format!("solve {maze} --index {maze}")).ends(3);
    assert!(ran.stderr.contains("not an index"), "{}", ran.stderr);
}

#[test]
fn limits_on_generated_and_open_states_are_named() {
    let cave = world("cave.map");
    for (option, reason) in [
        ("--max-generated 20", "the limit of generated states was reached"),
        ("--max-open 5", "the limit of states on the open list was reached"),
    ] {
        let line = format!("{cave} -a astar {option} --format json");
        let solved = wayfare(&format!("solve {line}")).ends(1).json();
        assert_eq!(solved["reason"], reason);
        let why = wayfare(&format!("why {cave} {option}")).ends(1).stdout;
        let name = option.split(' ').next().unwrap();
        assert!(why.contains(&format!("({name})")), "{why}");
    }
}
