//! Plans for many agents without a collision.

use std::collections::BTreeMap;

use crate::support::{Folder, wayfare, without_times, world};

#[test]
fn agents_cross_a_city_without_a_collision() {
    let folder = Folder::new();
    let (table, gif) = (folder.name("plan.csv"), folder.name("plan.gif"));
    let city = world("city.map");
    let command = format!("mapf {city} -n 30 --seed 5 --refine 20000 --format json");
    let plan = wayfare(&format!("{command} -o {table} -o {gif}")).ends(0).json();
    assert_eq!(plan["agents"], 30);
    let cost = |which: &str| plan[which]["sum_of_costs"].as_u64().expect("a number");
    assert!(cost("refined") <= cost("first"));
    assert!(std::fs::read(&gif).expect("a film").starts_with(b"GIF89a"));

    // The table has every agent at every step, no two at one place, none farther than a step.
    let text = std::fs::read_to_string(&table).expect("a table");
    let mut places = BTreeMap::new();
    for line in text.lines().skip(1) {
        let numbers: Vec<i64> =
            line.split(',').map(|part| part.parse().expect("a number")).collect();
        let [step, agent, x, y] = numbers[..] else { panic!("four columns: {line}") };
        places.insert((step, agent), (x, y));
    }
    let makespan = plan["refined"]["makespan"].as_i64().expect("a number");
    for step in 0..=makespan {
        let now: Vec<(i64, i64)> = (0..30).map(|agent| places[&(step, agent)]).collect();
        for (agent, &(x, y)) in now.iter().enumerate() {
            assert!(!now[..agent].contains(&(x, y)));
            if let Some(&(from_x, from_y)) = places.get(&(step - 1, agent as i64)) {
                assert!((x - from_x).abs() + (y - from_y).abs() <= 1);
            }
        }
    }
    let again = wayfare(&format!("{command} -o {table} -o {gif}")).ends(0).json();
    let timeless = |mut plan: serde_json::Value| {
        plan["search_ms"] = 0.into();
        plan["refine_ms"] = 0.into();
        without_times(plan)
    };
    assert_eq!(timeless(plan), timeless(again));
}

#[test]
fn starts_and_goals_of_a_file_are_taken() {
    let (cave, scen) = (world("cave.map"), world("cave.map.scen"));
    let plan = wayfare(&format!("mapf {cave} --scen {scen} -n 4 --refine 0 --format json"));
    assert_eq!(plan.ends(0).json()["agents"], 4);
    let many = wayfare(&format!("mapf {cave} --scen {scen} -n 100000")).ends(3);
    assert!(many.stderr.contains("100000 agents are asked for"), "{}", many.stderr);
}

#[test]
fn what_cannot_be_planned_says_why() {
    let city = world("city.map");
    let many = wayfare(&format!("mapf {city} -n 900000")).ends(2);
    assert!(many.stderr.contains("do not fit"), "{}", many.stderr);
    let short = wayfare(&format!("mapf {city} -n 5 --max-steps 1")).ends(1);
    assert!(short.stdout.contains("gave up after 1 step"), "{}", short.stdout);
    let blocks = wayfare(&format!("mapf {}", world("floating-islands.voxels"))).ends(3);
    assert!(blocks.stderr.contains("planned for on grids"), "{}", blocks.stderr);
    let text = wayfare(&format!("mapf {city} -o plan.txt")).ends(2);
    assert!(text.stderr.contains(".gif or .csv"), "{}", text.stderr);
}

/// Ground, and a pond that a path through it would lead across.
const POND: &str = "legend\n. ground\n~ water medium=1\n# wall walkable=false\nmap\n..~~\n..~#\n";

#[test]
fn an_agent_without_a_path_is_told_as_solve_tells_it() {
    let folder = Folder::new();
    let map = folder.write("pond.txt", POND);
    let query = |goal: &str| {
        let line = format!("0\tpond.txt\t4\t2\t0\t0\t{}\t3\n", goal.replace(',', "\t"));
        let first = "0\tpond.txt\t4\t2\t0\t1\t1\t1\t1\n";
        folder.write("pond.scen", format!("version 1\n{first}{line}"))
    };
    for goal in ["2,1", "3,1"] {
        let scen = query(goal);
        let told = wayfare(&format!("mapf {map} --scen {scen}")).ends(1).stdout;
        let solved = wayfare(&format!("solve {map} --from 0,0 --to {goal} --format json"));
        let solved = solved.ends(1).json();
        let reason = solved["reason"].as_str().expect("a reason");
        assert_eq!(told, format!("no plan: agent 1: {reason}\n"));
        let told = wayfare(&format!("mapf {map} --scen {scen} --format json")).ends(1).json();
        assert_eq!(told["reason"], format!("agent 1: {reason}"));
        assert_eq!(told["planned"], false);
    }
}

#[test]
fn an_agent_that_only_a_link_would_help_is_told_so() {
    let folder = Folder::new();
    let scene = folder.write(
        "gap.toml",
        "scene = { name = \"gap\", map = \"..#..\" }\n\
         [[nav_links]]\nname = \"over\"\nfrom = [1, 0]\nto = [3, 0]\nseconds = 1\n",
    );
    let scen = folder.write("gap.scen", "version 1\n0\tgap\t5\t1\t0\t0\t4\t0\t3\n");
    let told = wayfare(&format!("mapf {scene} --scen {scen}")).ends(1).stdout;
    assert_eq!(
        told,
        "no plan: agent 0: only links lead from 0.5,0.5 to 4.5,0.5, and plans use none\n"
    );
}

/// Plans on the benchmark's maps with trees, which connect to trees alone.
#[test]
fn plans_on_maps_with_trees_keep_to_their_ground() {
    let Some(data) = std::env::var_os("WAYFARE_DATA") else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA does not name the folder of benchmark data");
        }
        return;
    };
    let folder = Folder::new();
    let table = folder.name("plan.csv");
    for name in ["arena", "8room_000", "den520d", "brc202d", "random512-25-0"] {
        let file = std::path::Path::new(&data).join("grid").join(format!("{name}.map"));
        let text = std::fs::read_to_string(&file).expect("a map");
        let rows: Vec<&[u8]> = text.lines().skip(4).map(str::as_bytes).collect();
        for seed in 0..3 {
            let file = file.to_str().expect("the path is text");
            wayfare(&format!("mapf {file} -n 40 --seed {seed} --refine 1000 -o {table}")).ends(0);
            let plan = std::fs::read_to_string(&table).expect("a table");
            let mut grounds = BTreeMap::new();
            for line in plan.lines().skip(1) {
                let numbers: Vec<usize> =
                    line.split(',').map(|part| part.parse().expect("a number")).collect();
                let [_, agent, x, y] = numbers[..] else { panic!("four columns: {line}") };
                let ground = rows[y][x];
                assert_eq!(*grounds.entry(agent).or_insert(ground), ground, "{name}: {line}");
            }
        }
    }
}

#[test]
fn movement_that_plans_do_not_know_is_refused_by_its_name_and_not_offered() {
    let map = world("maze.txt");
    let help = wayfare("mapf --help").ends(0).stdout;
    for (option, advice) in [
        ("--width 2", "draw the map with cells as large as an agent"),
        ("--width=1", "draw the map"),
        ("--neighbours 8", "leave it out"),
        ("--corners always", "leave it out"),
        ("--abilities walk,fly", "leave it out"),
        ("--max-fall 3", "leave it out"),
        ("--no-doors", "leave it out"),
        ("--map-height 9", "leave it out"),
    ] {
        let refused = wayfare(&format!("mapf {map} -n 2 {option}")).ends(2).stderr;
        let name = option.split([' ', '=']).next().expect("a name");
        assert!(refused.contains(name) && refused.contains(advice), "{option}: {refused}");
        assert!(!help.contains(name), "{help}");
    }
}

#[test]
fn values_are_apart_from_their_names() {
    let text = wayfare(&format!("mapf {} -n 2", world("maze.txt"))).ends(0).stdout;
    assert!(text.lines().any(|line| line.starts_with("sum of costs ")), "{text}");
}
