//! Scenes of waypoints, and their policies.

use crate::support::{Folder, run, wayfare, world};

#[test]
fn scenes_of_waypoints_are_solved_compared_and_explained() {
    for name in ["village.toml", "obstacles.toml"] {
        for algorithm in ["astar", "dijkstra", "bidirectional", "theta", "h-score"] {
            let line = format!("solve {} --algorithm {algorithm} --format json", world(name));
            let solved = wayfare(&line).ends(0).json();
            assert_eq!(
                (&solved["outcome"], &solved["world"]["kind"]),
                (&"found".into(), &"waypoint scene".into())
            );
        }
        let compared = wayfare(&format!("compare {} --repeat 1 --format json", world(name)));
        assert_eq!(compared.ends(0).json()["results"].as_array().unwrap().len(), 4);
        wayfare(&format!("why {}", world(name))).ends(0);
        let info = wayfare(&format!("info {} --format json", world(name))).ends(0).json();
        assert!(info["space"]["free"].as_u64().unwrap() >= 50);
    }
}

/// The costs of the tutorial's paths; `wayfare-scene` checks them against real numbers.
const POLICIES: &str = "\
policy                    own costs       1       2      3       4
vector3-distance          counted     44.56   34.31  15.07   21.57
manhattan                 counted     44.56   34.31  14.74   21.57
cost-of-movement          counted     44.56   34.31  14.74   21.57
inverse-cost-of-movement  counted    431.33  651.06  15.07  445.14
h-score                   counted     44.56   34.64  14.24   23.81
vector3-distance          ignored    330.50  153.14  14.74  243.49
manhattan                 ignored    330.50  153.14  14.74  243.49
cost-of-movement          ignored    330.50  153.14  14.74  243.49
inverse-cost-of-movement  ignored    330.50  153.14  14.74  243.49
h-score                   ignored    332.16  153.14  14.24  443.23
(a cheapest path)                     28.99   31.81  14.24   21.57
";

#[test]
fn one_command_prints_the_table_of_the_waypoint_policies() {
    let line = format!("compare {} --policies", world("village.toml"));
    let printed = wayfare(&line).ends(0).stdout;
    assert!(printed.contains(POLICIES), "{printed}");
    assert!(printed.contains("route 1     over the range: 1,2 to 8,2"), "{printed}");
    let json = wayfare(&format!("{line} --format json")).ends(0).json();
    assert_eq!(json["results"][1]["algorithm"], "vector3-distance");
    assert_eq!(json["results"][1]["runs"][0]["moves"], 26);
    wayfare(&format!("{line} -a astar")).ends(2);
    let nameless = wayfare(&format!("compare {} --policies", world("cave.map"))).ends(2);
    assert!(nameless.stderr.contains("names none"), "{}", nameless.stderr);
}

#[test]
fn waypoints_go_by_name_and_by_point() {
    let yard = world("obstacles.toml");
    let named = wayfare(&format!("solve {yard} --from a1 --to h8 --format json")).ends(0).json();
    assert_eq!(
        (&named["from"]["waypoint"], &named["to"]["waypoint"]),
        (&"a1".into(), &"h8".into())
    );
    let [x, y, z] = [0, 1, 2].map(|axis| named["from"]["position"][axis].as_f64().unwrap());
    let near = format!("solve {yard} --from {},{y},{z} --to h8 --format json", x + 0.1);
    assert_eq!(wayfare(&near).ends(0).json()["path"], named["path"]);
    let query = run(["solve", &yard, "--query", "corner to corner", "--format", "json"]).ends(0);
    assert_eq!(query.json()["path"], named["path"]);

    let wrong = wayfare(&format!("solve {yard} --from zz --to h8")).ends(2);
    assert!(wrong.stderr.contains("'zz' is no waypoint"), "{}", wrong.stderr);
    let wrong = wayfare(&format!("solve {yard} --width 3")).ends(2);
    assert!(wrong.stderr.contains("--width"), "{}", wrong.stderr);
}

#[test]
fn policies_are_compared_on_one_route_and_drawn() {
    let folder = Folder::new();
    let picture = folder.name("policies.svg");
    let line = format!("--policies --format json -o {picture}");
    let village = world("village.toml");
    let options = line.split(' ');
    let compared =
        run(["compare", &village, "--query", "over the range"].into_iter().chain(options));
    let compared = compared.ends(0).json();
    assert_eq!(compared["routes"].as_array().expect("a list").len(), 1);
    assert_eq!(compared["results"][1]["runs"].as_array().expect("a list").len(), 1);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.contains("h score") && drawn.contains("own costs ignored"));
    let unknown = run(["compare", &village, "--policies", "--query", "home"]).ends(2).stderr;
    assert!(unknown.contains("no route 'home'"), "{unknown}");
}

#[test]
fn a_scene_may_let_the_policies_ignore_own_costs() {
    let folder = Folder::new();
    let village = std::fs::read_to_string(world("village.toml")).expect("a scene");
    let ignoring = village.replace(
        "negative_costs = \"shift\"",
        "negative_costs = \"shift\", ignore_own_costs = true",
    );
    assert_ne!(village, ignoring);
    let [plain, ignoring] = [("plain.toml", village), ("ignoring.toml", ignoring)]
        .map(|(name, text)| folder.write(name, text));
    let cost = |file: &str, option: &str| {
        wayfare(&format!("solve {file} -a h-score {option} --format json")).ends(0).json()["cost"]
            .clone()
    };
    assert_ne!(cost(&plain, ""), cost(&ignoring, ""));
    assert_eq!(cost(&plain, "--ignore-own-costs"), cost(&ignoring, ""));
}
