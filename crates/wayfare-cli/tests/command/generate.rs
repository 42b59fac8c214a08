//! Generated worlds: what is made, repeated, resumed and refused.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Folder, wayfare, world};

/// The files of a folder, by name, with their bytes.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| {
        let file = file.expect("a file");
        let name = file.file_name().into_string().expect("a name");
        (name, std::fs::read(file.path()).expect("bytes"))
    });
    files.collect()
}

#[test]
fn a_seed_makes_the_same_files_and_another_seed_others() {
    let folder = Folder::new();
    let make = |seed: u32, name: &str| {
        let to = folder.name(name);
        let rest = format!("--kinds caves,maze,dungeon --count 6 --seed {seed} -o {to}");
        let worlds = wayfare(&format!("generate {rest} --format json")).ends(0).json();
        (worlds, files(&to))
    };
    let ((worlds, one), (_, again), (_, other)) = (make(7, "a"), make(7, "b"), make(8, "c"));
    assert_eq!(one.len(), 6);
    assert_eq!(one, again);
    assert_ne!(one.values().collect::<Vec<_>>(), other.values().collect::<Vec<_>>());
    let kinds: Vec<&str> = worlds["worlds"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|world| world["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["caves", "maze", "dungeon", "caves", "maze", "dungeon"]);
    for world in worlds["worlds"].as_array().expect("a list") {
        assert!(world["length"].as_f64().expect("a way") > 0.0);
    }
}

#[test]
fn pictures_show_locked_doors_keys_and_the_parts_of_puzzles() {
    let folder = Folder::new();
    let drawn = |kinds: &str, count: u32| {
        let to = folder.name("worlds.svg");
        wayfare(&format!("generate --kinds {kinds} --count {count} --seed 7 --picture {to}"))
            .ends(0);
        std::fs::read_to_string(to).expect("a picture")
    };
    let picture = drawn("puzzle,dungeon", 4);
    for part in ["door", "key", "heavy door", "plate", "crate", "lever, off", "platform", "hook"] {
        assert!(picture.contains(&format!(">{part}<")), "no {part}");
    }
    assert!(!drawn("caves", 1).contains(">key<"));
}

#[test]
fn a_stopped_run_is_resumed_with_the_same_files() {
    let folder = Folder::new();
    let to = folder.name("worlds");
    let make = |rest: &str| {
        wayfare(&format!("generate --only caves --count 5 --seed 3 -o {to} {rest}")).ends(0);
        files(&to)
    };
    let whole = make("");
    // As after a stop: some worlds are missing.
    for name in whole.keys().skip(2) {
        std::fs::remove_file(format!("{to}/{name}")).expect("it was there");
    }
    // One that is there is not made again.
    let first = whole.keys().next().expect("a world");
    std::fs::write(format!("{to}/{first}"), "mine").expect("written");
    let resumed = make("--resume");
    assert_eq!(resumed[first], b"mine");
    let rest = |files: &BTreeMap<String, Vec<u8>>| {
        files.iter().skip(1).map(|(name, bytes)| (name.clone(), bytes.clone())).collect::<Vec<_>>()
    };
    assert_eq!(rest(&resumed), rest(&whole));
}

#[test]
fn pins_only_and_spacing_are_kept() {
    let folder = Folder::new();
    let rest = "--only maze --pin 2=caves:9 --count 3 --seed 1 --format json";
    let mixed = wayfare(&format!("generate {rest}")).ends(0).json();
    let kind = |number: usize| mixed["worlds"][number]["kind"].as_str().expect("a kind");
    assert_eq!([kind(0), kind(1), kind(2)], ["maze", "caves", "maze"]);
    assert_eq!(mixed["worlds"][1]["seed"], 9);

    let width = |spacing: u32| {
        let file = folder.name(&format!("row{spacing}.map"));
        let rest = "--only maze --count 2 --columns 2 --seed 1";
        wayfare(&format!("generate {rest} --spacing {spacing} -o {file}")).ends(0);
        let map = std::fs::read_to_string(&file).expect("a map");
        let line = map.lines().find_map(|line| line.strip_prefix("width ")).expect("its width");
        line.trim().parse::<u64>().expect("a number")
    };
    // Ten tiles more between the two, and ten beside them.
    assert_eq!(width(12) - width(2), 20);
}

#[test]
fn scenarios_in_a_row_are_walked_through_and_reset() {
    let folder = Folder::new();
    let file = folder.name("row.toml");
    let rest = "--kinds caves,rooms --count 2 --columns 2 --seed 5 --walkers 4 --reset 4=1:11";
    wayfare(&format!("generate {rest} -o {file}")).ends(0);
    let run = wayfare(&format!("simulate {file} --ticks 400 --audit --format json")).ends(0).json();
    assert_eq!(run["agents"].as_array().expect("a list").len(), 4);
}

/// Halls and dungeons are reset under agents, with their parts, and walked all the same.
#[test]
fn halls_in_a_row_are_reset_with_their_parts() {
    let folder = Folder::new();
    let line = |reset: &str| {
        let file = folder.name("live.toml");
        let rest = format!("--kinds heavy-door,dungeon --count 2 -o {file} --walkers 4 {reset}");
        wayfare(&format!("generate {rest}")).ends(0);
        let text = std::fs::read_to_string(&file).expect("a scene");
        (wayfare(&format!("simulate {file} --audit --format json")).ends(0).json(), text)
    };
    let ((without, _), (with, text)) = (line(""), line("--reset 15=1:7"));
    assert!(text.contains("replace = "), "{text}");
    let walked = |run: &serde_json::Value| -> Vec<f64> {
        let agents = run["agents"].as_array().expect("a list").iter();
        agents.map(|agent| agent["walked"].as_f64().expect("a length")).collect()
    };
    assert_eq!(with["unsolved"].as_array().expect("a list").len(), 0);
    // The agent that opens the halls has to begin again.
    assert!(walked(&with)[0] > walked(&without)[0], "{:?} {:?}", walked(&with), walked(&without));
}

#[test]
fn walkers_pass_halls_behind_the_agent_that_opens_them() {
    let folder = Folder::new();
    let file = folder.name("halls.toml");
    let rest = "--kinds heavy-door,hook --count 2 --columns 2 --seed 5 --walkers 3";
    let made = wayfare(&format!("generate {rest} -o {file} --format json")).ends(0).json();
    let length = made["row"]["length"].as_f64().expect("a way");
    let run = wayfare(&format!("simulate {file} --audit --format json")).ends(0).json();
    let agents = run["agents"].as_array().expect("a list");
    assert_eq!(agents.len(), 4);
    for agent in agents {
        // Walks of plans are straight, those of bodies may be diagonal.
        let walked = agent["walked"].as_f64().expect("a length");
        assert!(walked > 0.6 * length, "{agent}");
    }
}

#[test]
fn what_cannot_be_made_names_the_key_and_the_range() {
    let folder = Folder::new();
    let refused = |settings: &str, words: [&str; 2]| {
        let file = folder.name("settings.toml");
        std::fs::write(&file, settings).expect("written");
        let ran = wayfare(&format!("generate --only caves --params {file}"));
        assert!(ran.code == 2 || ran.code == 3, "{settings}: {}", ran.code);
        let text = ran.stderr;
        assert!(words.iter().all(|word| text.contains(word)), "{settings}: {text}");
    };
    refused("[caves]\nwidth = [90, 40]", ["caves.width", "90"]);
    refused("[caves]\nwidth = 0", ["caves.width", "0"]);
    refused("[caves]\nwidth = 4000000000", ["caves.width", "4000000000"]);
    refused("[caves]\nwidht = 40", ["widht", "width"]);
    refused("[cavse]\nwidth = 40", ["cavse", "caves"]);
    let unknown = wayfare("generate --kinds cavse").ends(2);
    assert!(unknown.stderr.contains("caves"), "{}", unknown.stderr);
}

#[test]
fn queries_beside_worlds_pass_the_bench() {
    let folder = Folder::new();
    let to = folder.name("worlds");
    let kinds = "caves,terrain,voxel-caves,level";
    let rest = format!("--kinds {kinds} --count 4 --seed 4 -o {to} --queries 12 --buckets");
    let worlds = wayfare(&format!("generate {rest} --format json")).ends(0).json();
    let names: Vec<String> = files(&to).into_keys().collect();
    assert_eq!(
        names,
        [
            "1-caves.map",
            "1-caves.map.scen",
            "1-caves.toml",
            "2-terrain.map",
            "2-terrain.map.scen",
            "2-terrain.toml",
            "3-voxel-caves.3dmap",
            "3-voxel-caves.3dmap.3dscen",
            "3-voxel-caves.voxels",
            "4-level.obj",
        ]
    );
    let lists = worlds["worlds"].as_array().expect("a list").iter();
    let lists: Vec<&str> = lists.filter_map(|world| world["queries"].as_str()).collect();
    assert_eq!(lists.len(), 3);
    for list in &lists {
        let results = wayfare(&format!("bench {list} --format json")).ends(0).json();
        let results = results.as_array().expect("a list");
        assert!(results.len() > 1);
        for result in results.iter().filter(|result| result["guarantee"] == "optimal") {
            let count = |name: &str| result[name].as_u64().expect("a number");
            // Iterative deepening gives up where ground is wide.
            assert_eq!(count("optimal") + count("capped"), 12, "{list}: {result}");
            assert!(count("capped") == 0 || result["algorithm"] == "idastar", "{list}: {result}");
        }
    }
    // After a stop the list is made again, and nothing else.
    let before = files(&to);
    std::fs::remove_file(lists[0]).expect("it was there");
    wayfare(&format!("generate {rest} --resume")).ends(0);
    assert_eq!(files(&to), before);
}

#[test]
fn queries_of_a_row_lead_through_it() {
    let folder = Folder::new();
    for name in ["row.toml", "row.map"] {
        let file = folder.name(name);
        let rest = format!("--kinds caves,maze --count 3 -o {file} --queries 9");
        let row = wayfare(&format!("generate {rest} --format json")).ends(0).json();
        let list = row["row"]["queries"].as_str().expect("a file");
        assert!(list.ends_with("row.map.scen"), "{list}");
        wayfare(&format!("bench {list} --algorithms astar,jps")).ends(0);
    }
}

#[test]
fn the_village_of_waypoints_is_converted_but_for_its_description_and_queries() {
    let folder = Folder::new();
    let file = folder.name("village.toml");
    wayfare(&format!("convert {} {file}", world("village.tmj"))).ends(0);
    let converted = std::fs::read_to_string(file).expect("converted");
    let shipped = std::fs::read_to_string(world("village.toml")).expect("shipped");
    let [converted, shipped] =
        [&converted, &shipped].map(|text| text.split_once('\n').expect("lines").1);
    let (shipped, queries) = shipped.split_once("\n\nqueries = [").expect("queries");
    assert_eq!(converted.trim_end(), shipped);
    assert_eq!(queries.matches("name = ").count(), 4);
}

/// The samples come from the commands in `worlds/README.md`.
#[test]
fn samples_are_as_they_are_generated() {
    let folder = Folder::new();
    let readme = std::fs::read_to_string(world("README.md")).expect("shipped");
    let commands: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("wayfare generate ")).collect();
    let settings = world("../crates/wayfare-generate/samples.toml");
    for command in commands {
        let here = command.replace("worlds/", &folder.name(""));
        let here = here.replace("crates/wayfare-generate/samples.toml", &settings);
        wayfare(&format!("generate {here}")).ends(0);
    }
    let made = files(&folder.name(""));
    // The table says of each file where it comes from.
    let is_generated = |line: &&str| line.contains("| generated");
    let rows = readme.lines().filter(is_generated).filter_map(|row| row.split('`').nth(1));
    assert_eq!(made.keys().map(String::as_str).collect::<BTreeSet<_>>(), rows.collect());
    for (name, bytes) in made {
        let shipped = std::fs::read(world(&name)).expect("shipped");
        assert!(bytes == shipped, "{name} is another one");
    }
}

#[test]
fn settings_of_all_kinds_count_for_those_that_are_asked_for() {
    let folder = Folder::new();
    // No city is so narrow, and no maze has such streets.
    let settings = folder.write("small.toml", "[all]\nwidth = 12\nheight = 12\nstreet = 3\n");
    let line = |more: &str| format!("generate --params {settings} {more}");
    wayfare(&line("--only maze")).ends(0);
    wayfare(&line("--kinds maze,caves --pin 1=maze:3")).ends(3);
    let refused = wayfare(&line("--only city")).ends(3).stderr;
    assert!(refused.contains(": all.height is 12, but must be from 48"), "{refused}");
    let pinned = wayfare(&line("--only maze --pin 1=city:7")).ends(3).stderr;
    assert!(pinned.contains("all.height is 12"), "{pinned}");
    let nothing = folder.write("nothing.toml", "[all]\nstreets = 3\n");
    let refused = wayfare(&format!("generate --params {nothing}")).ends(3).stderr;
    assert!(refused.contains("no kind has a parameter 'streets'"), "{refused}");
}

/// The example of the help: the first world is swapped while all walkers are in it.
#[test]
fn the_reset_of_the_help_finds_walkers_in_its_world() {
    let help = wayfare("generate --help").ends(0).stdout;
    // As one line, since it is wrapped.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut examples = help.split("wayfare ").filter(|line| line.starts_with("generate "));
    let example = examples.find(|line| line.contains(" --reset ")).expect("an example");
    let folder = Folder::new();
    let (scene, table) = (folder.name("live.toml"), folder.name("live.csv"));
    wayfare(&example.replace("live.toml", &scene)).ends(0);
    let text = std::fs::read_to_string(&scene).expect("a scene");
    let (_, event) = text.split_once("{ at = 20, replace = { corner = [").expect("a reset");
    let (corner, event) = event.split_once("], map = \"\"\"\n").expect("a map");
    let (map, _) = event.split_once("\"\"\"").expect("its end");
    let numbers: Vec<f64> =
        corner.split(", ").map(|number| number.parse().expect("a number")).collect();
    let [x, y] = numbers[..] else { panic!("{corner}") };
    let rows: Vec<&str> = map.lines().collect();
    let ends = (x + rows[0].chars().count() as f64, y + rows.len() as f64);
    wayfare(&format!("simulate {scene} --ticks 400 -o {table}")).ends(0);
    let text = std::fs::read_to_string(&table).expect("a table");
    let last: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("400,"))
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(last.len(), 20);
    for row in last {
        let [at_x, at_y] = [row[5], row[7]].map(|number| number.parse::<f64>().expect("a number"));
        assert!((x..ends.0).contains(&at_x) && (y..ends.1).contains(&at_y), "{row:?}");
    }
}
