//! solve --trace and replay: recorded searches as files.

use serde_json::{Value, json};

use crate::support::{Folder, run, wayfare, world};

/// A recorded search, as text and as JSON.
fn recorded(folder: &Folder) -> (String, Value) {
    let file = folder.name("search.trace.json");
    let line = format!("solve {} --algorithm astar --trace {file}", world("village.tmj"));
    wayfare(&line).ends(0);
    let text = std::fs::read_to_string(&file).expect("it was written");
    (file, serde_json::from_str(&text).expect("it is JSON"))
}

#[test]
fn replay_tells_what_solve_did_in_every_kind_of_world() {
    let folder = Folder::new();
    let file = folder.name("search.trace.json");
    let worlds = [
        "village.tmj",
        "village.toml",
        "cave.map",
        "voxel-village.voxels",
        "courtyard.obj",
        "two-islands.txt",
    ];
    for name in worlds {
        for algorithm in ["astar", "bidirectional", "ida-star", "theta-star"] {
            let line = format!(
                "solve {} --algorithm {algorithm} --max-expansions 20000 --trace {file} --format json",
                world(name)
            );
            let solved = wayfare(&line);
            if solved.code == 2 {
                continue;
            }
            let solved = solved.json();
            let replayed = wayfare(&format!("replay {file} --format json")).ends(0).json();
            let search = &replayed["searches"][0];
            for key in ["outcome", "cost", "length"] {
                assert_eq!(search[key], solved[key], "{name} {algorithm} {key}");
            }
            assert_eq!(
                search["path"].as_array().unwrap().len(),
                solved["path"].as_array().unwrap().len()
            );
            assert!(
                search["expanded"].as_u64() <= solved["expanded"].as_u64(),
                "{name} {algorithm}"
            );
        }
    }
}

#[test]
fn replay_draws_a_film_on_the_world_that_the_trace_names() {
    let folder = Folder::new();
    let (file, _) = recorded(&folder);
    let film = folder.name("search.gif");
    let told = run(["replay", &file, "-o", &film]).ends(0).stdout;
    assert!(told.contains("a path of") && told.contains("all events"), "{told}");
    assert_eq!(&std::fs::read(&film).expect("it was drawn")[..4], b"GIF8");
    let other = world("cave.map");
    let problem = run(["replay", &file, "--world", &other, "-o", &film]).ends(3).stderr;
    assert!(problem.contains("open the world that was searched"), "{problem}");
}

#[test]
fn a_trace_that_lies_is_refused_at_its_place() {
    let folder = Folder::new();
    let (_, sound) = recorded(&folder);
    let damage = |change: &dyn Fn(&mut Value)| {
        let mut damaged = sound.clone();
        change(&mut damaged);
        assert_ne!(damaged, sound);
        let file = folder.write("damaged.trace.json", damaged.to_string());
        run(["replay", &file]).ends(3).stderr
    };
    type Change = Box<dyn Fn(&mut Value)>;
    fn set(column: &'static str, at: usize, value: Value) -> Change {
        Box::new(move |trace| trace["searches"][0][column][at] = value.clone())
    }
    let cases: Vec<(Change, &str)> = vec![
        (Box::new(|trace| trace["format"] = json!("other")), "format: it is no trace"),
        (Box::new(|trace| trace["version"] = json!(2)), "version: 2 is not known"),
        (Box::new(|trace| trace["version"] = json!("one")), "invalid type"),
        (Box::new(|trace| trace["count"] = json!(1e15)), "unknown field `count`"),
        (Box::new(|trace| trace["searches"] = json!([])), "searches: there are 0"),
        (Box::new(|trace| trace["world"]["unit_cost"] = json!(0)), "world.unit_cost: 0"),
        (set("kinds", 3, json!(6)), "searches[0].kinds[3]: 6 is no kind"),
        (set("kinds", 3, json!(-1)), "expected u8"),
        (set("sides", 2, json!(2)), "searches[0].sides[2]: 2 is no side"),
        (set("states", 1, json!(u32::MAX)), "searches[0].states[1]: 4294967295 is no state"),
        (set("states", 1, json!(1u64 << 40)), "expected u32"),
        (set("g", 1, json!(77)), "searches[0].hash: it says"),
        (set("costs", 1, json!(u64::MAX)), "searches[0].costs[2]: it is below the one before"),
        (set("path", 0, json!(0)), "searches[0].path[0]: it is not the start"),
        (
            Box::new(|trace| {
                trace["searches"][0]["h"].as_array_mut().unwrap().pop();
            }),
            "searches[0].h: it has",
        ),
        (
            Box::new(|trace| {
                trace["searches"][0]["path"].as_array_mut().unwrap().pop();
                trace["searches"][0]["costs"].as_array_mut().unwrap().pop();
            }),
            "searches[0].path: it does not end at the goal",
        ),
        (Box::new(|trace| trace["searches"][0]["hash"] = json!("\u{1b}[2J")), "u{1b}[2J"),
    ];
    for (change, told) in cases {
        let problem = damage(&change);
        assert!(problem.contains("damaged.trace.json: ") && problem.contains(told), "{problem}");
    }
    let text = sound.to_string();
    for end in [0, 1, text.len() / 2, text.len() - 1] {
        let file = folder.write("short.trace.json", &text[..end]);
        run(["replay", &file]).ends(3);
    }
    let deep = folder.write("deep.trace.json", "[".repeat(1_000_000));
    run(["replay", &deep]).ends(3);
    let missing = run(["replay", &folder.name("nothing.json")]).ends(3).stderr;
    assert!(missing.contains("there is no such file"), "{missing}");
}

#[test]
fn states_of_another_world_are_refused_before_they_are_drawn() {
    let folder = Folder::new();
    let (_, mut trace) = recorded(&folder);
    trace["query"]["goal"] = json!(4_000_000_000u32);
    let search = &mut trace["searches"][0];
    search["path"] = json!([]);
    search["costs"] = json!([]);
    search["ending"] = json!("limit");
    let file = folder.write("elsewhere.trace.json", trace.to_string());
    let picture = folder.name("search.png");
    let problem = run(["replay", &file, "-o", &picture]).ends(3).stderr;
    assert!(problem.contains("query.goal: 4000000000 is no cell"), "{problem}");
}

#[test]
fn only_searches_are_recorded() {
    let folder = Folder::new();
    let file = folder.name("search.trace.json");
    let (map, hall) = (world("city.map"), folder.name("hall.toml"));
    wayfare(&format!("solve {map} --hierarchy --trace {file}")).ends(2);
    wayfare(&format!("generate --kinds hook --seed 5 -o {hall}")).ends(0);
    let problem = wayfare(&format!("solve {hall} --trace {file}")).ends(2).stderr;
    assert!(problem.contains("this scene is a puzzle"), "{problem}");
    let nowhere = folder.name("none/search.trace.json");
    let problem = wayfare(&format!("solve {map} --algorithm astar --trace {nowhere}")).ends(5);
    assert!(!problem.stderr.is_empty());
}
