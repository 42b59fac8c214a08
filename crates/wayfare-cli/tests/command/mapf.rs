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
