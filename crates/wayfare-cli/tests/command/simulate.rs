//! Simulations: the shipped scenes under the audit, hashes, snapshots, and what is written of them.

use crate::support::{Folder, Ran, run, wayfare, without_times, world};

const SCENES: [&str; 14] = [
    "guards.toml",
    "errands.toml",
    "drawbridge.toml",
    "voxel-errands.toml",
    "voxel-flock.toml",
    "adders.toml",
    "bottleneck.toml",
    "counterflow.toml",
    "square.toml",
    "market.toml",
    "squad.toml",
    "footpaths.toml",
    "two-exits.toml",
    "roadworks.toml",
];

fn simulate(scene: &str, rest: &str) -> Ran {
    wayfare(&format!("simulate {} {rest}", world(scene)))
}

#[test]
fn the_shipped_scenes_break_no_rule_and_repeat() {
    for scene in SCENES {
        let first = simulate(scene, "--audit --format json").ends(0).json();
        let again = simulate(scene, "--audit --format json").ends(0).json();
        assert_eq!(without_times(first.clone()), without_times(again), "{scene}");
        let walked = |agent: &serde_json::Value| agent["walked"].as_f64().unwrap_or(0.0) > 5.0;
        let agents = first["agents"].as_array().expect("a list");
        assert!(
            agents.iter().filter(|agent| walked(agent)).count() * 10 >= agents.len() * 9,
            "{scene}"
        );
    }
}

#[test]
fn a_resumed_run_is_the_run_bit_for_bit() {
    let folder = Folder::new();
    for (scene, ticks, at) in [
        ("guards.toml", 400, 133),
        ("errands.toml", 160, 3),
        ("drawbridge.toml", 600, 300),
        ("voxel-errands.toml", 200, 77),
        ("voxel-flock.toml", 200, 90),
        ("adders.toml", 400, 233),
        ("bottleneck.toml", 300, 200),
        ("two-exits.toml", 400, 250),
        ("squad.toml", 500, 430),
        ("footpaths.toml", 400, 290),
        ("market.toml", 500, 330),
        ("roadworks.toml", 200, 111),
    ] {
        let whole = simulate(scene, &format!("--hash --ticks {ticks}")).ends(0).stdout;
        assert_eq!(whole.lines().count(), ticks);
        let file = folder.name("snapshot");
        let rest = format!("--hash --ticks {ticks} --save-at {at} --save {file}");
        assert_eq!(simulate(scene, &rest).ends(0).stdout, whole, "{scene}: saving disturbs");
        let rest = format!("--hash --ticks {ticks} --resume {file}");
        let resumed = simulate(scene, &rest).ends(0).stdout;
        let expected: Vec<&str> = whole.lines().skip(at).collect();
        assert_eq!(resumed.lines().collect::<Vec<_>>(), expected, "{scene}");
    }
}

#[test]
fn seeds_make_a_difference() {
    let hash = |rest: &str| {
        let json =
            simulate("errands.toml", &format!("--ticks 60 --format json {rest}")).ends(0).json();
        json["hash"].as_str().expect("a hash").to_owned()
    };
    assert_eq!(hash("--seed 5"), hash("--seed 5"));
    assert_ne!(hash("--seed 5"), hash("--seed 6"));
}

#[test]
fn snapshots_of_something_else_are_refused() {
    let folder = Folder::new();
    let file = folder.name("guards.snapshot");
    simulate("guards.toml", &format!("--ticks 50 --save {file}")).ends(0);
    let refused = |scene: &str, file: &str, part: &str| {
        let ran = simulate(scene, &format!("--resume {file}")).ends(3);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    };
    refused("drawbridge.toml", &file, "another scene");
    let mut bytes = std::fs::read(&file).expect("it was written");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    refused("guards.toml", &folder.write("damaged", &bytes), "checksum");
    refused("guards.toml", &folder.write("short", &bytes[..last]), "not complete");
    refused("guards.toml", &folder.write("other", b"GIF89a"), "no snapshot");
    refused("guards.toml", &folder.name("missing"), "no such file");
    let ended = simulate("guards.toml", &format!("--resume {file} --ticks 50")).ends(2);
    assert!(ended.stderr.contains("raise --ticks"), "{}", ended.stderr);
    simulate("guards.toml", &format!("--resume {file} --seed 4")).ends(2);
    simulate("guards.toml", "--save-at 9").ends(2);
    simulate("guards.toml", "--ticks 50 --save-at 51 --save x").ends(2);
}

/// The rows of a table as fields.
fn rows(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).expect("a table");
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_crowd_is_measured_in_areas_and_over_lines() {
    let folder = Folder::new();
    let (csv, svg) = (folder.name("door.csv"), folder.name("door.svg"));
    let rest = format!(
        "--ticks 400 --measures {csv} --measures {svg} --line door=14,5..14,7 \
         --area hall=1,1..14,11 --measure-every 2 --cutoff 1"
    );
    simulate("bottleneck.toml", &rest).ends(0);
    let table = std::fs::read_to_string(&csv).expect("a table");
    let heading = "second,place,persons,density,speed,flow,passed,voronoi_density,voronoi_speed,\
                   voronoi_flow";
    assert_eq!(table.lines().next(), Some(heading));
    let rows = rows(&csv);
    assert_eq!(rows.len(), 20);
    let number = |row: &[String], at: usize| row[at].parse::<f64>().expect("a number");
    let of = |name: &str| rows.iter().filter(|row| row[1] == name).cloned().collect::<Vec<_>>();
    let (hall, door) = (of("hall"), of("door"));
    // All seventy are in the hall of 13 by 10 m at first, and all of their cells; who passes the
    // door leaves it.
    assert_eq!(number(&hall[0], 2), 70.0);
    let density = number(&hall[0], 7);
    assert!((0.5..70.0 / 130.0 + 1e-6).contains(&density), "{density}");
    let (left, passed) = (number(&hall[9], 2), number(&door[9], 6));
    assert!(passed > 10.0 && (left + passed - 70.0).abs() < 6.0, "{left} + {passed}");
    // Flow by cells is the flow by counting, with less scatter.
    let sum = |at: usize| door.iter().map(|row| number(row, at) * 2.0).sum::<f64>();
    assert_eq!(sum(5), passed);
    assert!((sum(9) - passed).abs() < 0.15 * passed, "{} and {passed}", sum(9));
    assert!(std::fs::read_to_string(svg).expect("a plot").contains("persons/m²"));
    let outside = "--ticks 5 --measures x.csv --area far=90,90..99,99";
    let refused = simulate("bottleneck.toml", outside).ends(2);
    assert!(refused.stderr.contains("no ground lies at the station far"), "{}", refused.stderr);
    simulate("bottleneck.toml", "--area hall=1,1..14,11").ends(2);
}

#[test]
fn trajectories_are_written_for_jupedsim() {
    let folder = Folder::new();
    let (txt, wkt) = (folder.name("walk.txt"), folder.name("ground.wkt"));
    simulate("bottleneck.toml", &format!("--ticks 3 -o {txt} -o {wkt}")).ends(0);
    let text = std::fs::read_to_string(txt).expect("trajectories");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("# framerate: 20"));
    assert_eq!(lines.next(), Some("# id\tframe\tx/m\ty/m\tz/m"));
    assert_eq!(lines.clone().count(), 70 * 4);
    let last: Vec<f64> = lines
        .last()
        .map(|line| line.split('\t').map(|field| field.parse().expect("a number")).collect())
        .expect("a row");
    assert_eq!([last[0], last[1], last[4]], [69.0, 3.0, 0.0]);
    // The hall, a door of 2 m, and the room beyond.
    let ground = "POLYGON ((1 1, 14 1, 14 5, 15 5, 15 1, 25 1, 25 11, 15 11, 15 7, 14 7, 14 11, \
                  1 11, 1 1))\n";
    assert_eq!(std::fs::read_to_string(wkt).expect("the ground"), ground);
    let none = folder.name("none.wkt");
    let refused = simulate("voxel-errands.toml", &format!("--ticks 3 -o {none}")).ends(5);
    assert!(refused.stderr.contains("only grids and levels"), "{}", refused.stderr);
}

#[cfg(feature = "sqlite")]
#[test]
fn trajectories_are_written_as_sqlite() {
    let folder = Folder::new();
    let file = folder.name("walk.sqlite");
    simulate("bottleneck.toml", &format!("--ticks 3 -o {file}")).ends(0);
    let bytes = std::fs::read(&file).expect("a file");
    assert!(bytes.starts_with(b"SQLite format 3\0"));
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("POLYGON ((1 1, 14 1, 14 5") && has("CREATE TABLE trajectory_data"));
    // A failure leaves nothing.
    let none = folder.name("none.sqlite");
    simulate("voxel-errands.toml", &format!("--ticks 3 -o {none}")).ends(5);
    assert!(!std::path::Path::new(&none).exists());
}

#[test]
fn films_pictures_and_tables_are_written() {
    let folder = Folder::new();
    let at = |name: &str| folder.name(name);
    let outputs = [at("a.gif"), at("a.png"), at("a.csv"), at("a.json"), at("frames.svg")];
    let outputs: String = outputs.iter().map(|file| format!(" -o {file}")).collect();
    let rest = format!("--ticks 30 --size 200 --fps 5{outputs}");
    simulate("guards.toml", &rest).ends(0);
    assert!(std::fs::read(at("a.gif")).expect("a film").starts_with(b"GIF89a"));
    assert!(std::fs::read(at("a.png")).expect("a picture").starts_with(b"\x89PNG"));
    let frames = std::fs::read_dir(at("frames")).expect("a folder").count();
    assert_eq!(frames, 8);
    let table = std::fs::read_to_string(at("a.csv")).expect("a table");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("tick,time,agent,name,team,x,y,z,heading,speed,activity"));
    assert!(lines.next().is_some_and(|line| line.starts_with("0,0,0,Ada,guards,")));
    assert_eq!(table.lines().count(), 1 + 31 * 3);
    let json = std::fs::read(at("a.json")).expect("a document");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(31 * 3));
    let still = at("one.svg");
    simulate("voxel-errands.toml", &format!("--ticks 20 --at 1 -o {still}")).ends(0);
    assert!(std::fs::read_to_string(still).expect("a picture").contains("Watchman"));
    let text = simulate("drawbridge.toml", "--ticks 20").ends(0).stdout;
    assert!(text.contains("trader") && text.contains("an agent and tick"), "{text}");
}

#[test]
fn clips_are_weighted_in_tables_and_films() {
    let folder = Folder::new();
    let (csv, json) = (folder.name("a.csv"), folder.name("a.json"));
    let svg = folder.name("a.svg");
    let clips = "--clips idle=0,stroll=0.8,walk=1.6,run=9";
    simulate("guards.toml", &format!("--ticks 60 {clips} -o {csv} -o {json} -o {svg} --at 2"))
        .ends(0);
    let table = std::fs::read_to_string(&csv).expect("a table");
    let mut rows = table.lines();
    let heading = rows.next().expect("a heading");
    let ends = ",activity,weight_idle,weight_stroll,weight_walk,weight_run,playback";
    assert!(heading.ends_with(ends), "{heading}");
    let mut seen = [false; 4];
    for row in rows {
        let fields: Vec<&str> = row.rsplitn(6, ',').collect();
        let numbers: Vec<f32> =
            fields[..5].iter().rev().map(|text| text.parse().unwrap()).collect();
        assert!((numbers[..4].iter().sum::<f32>() - 1.0).abs() < 1e-5, "{row}");
        assert_eq!(numbers[4], 1.0, "nobody is faster than the fastest clip: {row}");
        for (seen, weight) in seen.iter_mut().zip(&numbers) {
            *seen |= *weight > 0.0;
        }
    }
    assert_eq!(seen, [true; 4], "agents start, speed up and run");
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).expect("a document")).expect("JSON");
    assert_eq!(document["clips"][1], "stroll");
    assert_eq!(document["rows"][0]["animation"]["weights"].as_array().unwrap().len(), 4);
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    assert!(picture.contains(">stroll</text>") && picture.contains(">×1.00</text>"));
    simulate("guards.toml", "--clips walk=2,idle=0").ends(2);
    simulate("guards.toml", "--clips walk").ends(2);
}

#[test]
fn scenes_that_cannot_be_played_say_why() {
    let folder = Folder::new();
    let refused = |text: &str, code: i32, part: &str| {
        let scene = folder.write("scene.toml", text);
        let ran = run(["simulate", &scene]).ends(code);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    };
    let map = "scene = { name = \"s\", map = \"\"\"\n...\n.#.\n...\"\"\" }\n";
    refused(map, 3, "no agents");
    refused(&format!("{map}agents = [{{ name = \"a\", at = [1, 1] }}]\n"), 3, "scene.toml:5:30: ");
    refused(&format!("{map}agents = [{{ name = \"a\", at = [9, 1] }}]\n"), 3, "off the map");
    let agent = "agents = [{ name = \"a\", at = [0, 0] }]\n";
    let link = "nav_links = [{ name = \"l\", from = [0, 0], to = [1, 1], seconds = 1 }]\n";
    refused(&format!("{map}{agent}{link}"), 3, "scene.toml:6:48: 'l': ");
    let class = "classes = [{ name = \"c\", abilities = [\"swim\"] }]\n";
    refused(&format!("{map}{agent}{class}"), 3, "means nothing in a grid");
    wayfare(&format!("simulate {}", world("maze.txt"))).ends(3);
    wayfare(&format!("simulate {} -o film.mp4", world("guards.toml"))).ends(2);
    wayfare(&format!("simulate {} --at 1e9 -o {}", world("guards.toml"), folder.name("x.png")))
        .ends(2);
}

#[test]
fn danger_that_is_painted_turns_routes_and_is_drawn() {
    let solve = |rest: &str| {
        let ends = "--from 2,6 --to 27,6 --format json";
        wayfare(&format!("solve {} {ends} {rest}", world("adders.toml"))).ends(0).json()
    };
    let folder = Folder::new();
    let picture = folder.name("p.svg");
    let plain = solve("");
    let wary = solve(&format!("--danger 11,3..17,9=50 -o {picture}"));
    let length = |route: &serde_json::Value| route["length"].as_f64().expect("a path");
    assert!(length(&wary) > length(&plain) + 1.0, "{plain} {wary}");
    assert!(length(&solve("--danger 4,11=50")) < length(&plain) + 0.1, "off the route");
    assert!(std::fs::read_to_string(&picture).expect("a picture").contains("<svg"));
    let wrong = format!("solve {} --danger 99,1=5", world("adders.toml"));
    let said = wayfare(&wrong).ends(2).stderr;
    assert!(said.contains("the danger at 99,1 lies off the map"), "{said}");
    // Painted at the beginning, the way is longer for everybody.
    let walked = |rest: &str| {
        let rest = format!("--ticks 200 --format json {rest}");
        let json = simulate("adders.toml", &rest).ends(0).json();
        json["hash"].as_str().expect("a hash").to_owned()
    };
    assert_ne!(walked("--danger 11,3..17,9=50"), walked(""));
}

#[test]
fn a_route_is_that_of_the_class() {
    let folder = Folder::new();
    let scene = folder.name("s.toml");
    let text = r#"
        scene = { name = "moat", map = "..~.." }
        terrains = [{ name = "water", glyph = "~", walkable = false }]
        classes = [{ name = "walker" }, { name = "boat", terrains = [{ terrain = "water", walkable = true }] }]
    "#;
    std::fs::write(&scene, text).expect("written");
    let solve = |rest: &str| wayfare(&format!("solve {scene} --from 0,0 --to 4,0 {rest}"));
    solve("").ends(1);
    solve("--class boat").ends(0);
    solve("--class walker").ends(1);
    let said = solve("--class bird").ends(3).stderr;
    assert!(said.contains("no class 'bird'") && said.contains("walker, boat"), "{said}");
    let map = wayfare(&format!("solve {} --class boat", world("maze.txt"))).ends(3).stderr;
    assert!(map.contains("only scenes have classes"), "{map}");
}

/// Ends the program by Ctrl-C while a table grows with the ticks: the temporary file goes with it.
#[cfg(unix)]
#[test]
fn a_stopped_run_leaves_no_file_behind() {
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    let files = || std::fs::read_dir(folder.path("")).expect("readable").count();
    let line = format!("simulate {} --ticks 10000000", world("guards.toml"));
    let mut command = crate::support::command();
    command.args(line.split_whitespace()).args(["-o", &folder.name("a.csv")]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    while files() == 0 {
        assert!(run.try_wait().expect("asked").is_none(), "it ended before it began to write");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let stop = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(stop.expect("a shell's command").success());
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    assert_eq!(files(), 0, "the table grew under a temporary name, which is left");
}

#[test]
fn points_that_a_patrol_cannot_reach_are_warned_of() {
    let folder = Folder::new();
    let scene = r##"
        scene = { name = "yard", map = "....#...\n....#...\n" }
        simulation = { seconds = 2 }
        classes = [{ name = "guard" }]
        [[agents]]
        name = "Ann"
        class = "guard"
        at = [0, 0]
        behaviours = [{ kind = "patrol", points = [[2, 0], [6, 1]], dwell = 0.5 }]
    "##;
    let scene = folder.write("yard.toml", scene);
    let warned = run(["simulate", &scene]).ends(0).stderr;
    let line = warned.lines().find(|line| line.contains("warning")).expect("a warning");
    assert!(line.contains("Ann is to go to (6.5, 0, 1.5): no path"), "{line}");
    assert_eq!(warned.matches("warning").count(), 1, "{warned}");
}
