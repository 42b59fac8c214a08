//! Voxel worlds: what agents can do decides where they go.

use crate::support::{Folder, drawing, run, wayfare, world};

#[test]
fn two_profiles_take_two_ways_over_the_river_and_draw_them() {
    let folder = Folder::new();
    let village = drawing("village.voxels");
    let solved = |extra: &str, picture: &str| {
        let picture = folder.name(picture);
        let line = format!("solve {village} --format json -o {picture} {extra}");
        let solved = wayfare(&line).ends(0).json();
        (solved, std::fs::read(picture).expect("the picture was written"))
    };
    let (walker, dry) = solved("", "walk.png");
    let (swimmer, wet) = solved("--abilities walk,jump,fall,swim", "swim.png");
    assert!(walker["cost"].as_f64().unwrap() > 2.0 * swimmer["cost"].as_f64().unwrap());
    let swims = |solved: &serde_json::Value| {
        solved["moves"].as_array().unwrap().iter().any(|each| each["action"] == "swim")
    };
    assert!(swims(&swimmer) && !swims(&walker));
    assert_ne!(dry, wet);
    let text = wayfare(&format!("solve {village} --abilities walk,jump,fall,swim")).ends(0).stdout;
    assert!(text.contains("walk east 3, drop 1 east, swim east 3"), "{text}");
    let layers = folder.name("layers.svg");
    wayfare(&format!("solve {village} --view layers -o {layers}")).ends(0);
    let cut = folder.name("cut.svg");
    wayfare(&format!("solve {village} --cut-above 4 -o {cut}")).ends(0);
}

#[test]
fn costs_in_time_are_told_in_seconds() {
    let village = drawing("village.voxels");
    let solved = |extra: &str| {
        let line = format!("solve {village} --format json --abilities walk,jump,fall,swim {extra}");
        wayfare(&line).ends(0).json()
    };
    let cost = |extra: &str| solved(extra)["cost"].as_f64().unwrap();
    let (blocks, people, players) = (cost(""), cost("--times people"), cost("--times minecraft"));
    // Falls are quicker than walking, water and jumps slower.
    assert!(people > 0.5 * blocks / 1.4 && people < 3.0 * blocks, "{people} s");
    assert!(players > 0.5 * blocks / 4.317 && players < people, "{players} s");
    let text = wayfare(&format!("solve {village} --times people")).ends(0).stdout;
    assert!(text.contains("counts costs in seconds"), "{text}");
    let refused = wayfare(&format!("solve {village} --times snails")).ends(2);
    assert!(refused.stderr.contains("minecraft"), "{}", refused.stderr);
}

#[test]
fn a_vast_world_in_a_small_file_is_refused_by_a_named_limit() {
    let folder = Folder::new();
    let vast = folder.write("vast.3dmap", "voxel 2048 2048 512\n0 0 0\n");
    let refused = wayfare(&format!("info {vast}")).ends(3);
    let said = &refused.stderr;
    assert!(said.contains("vast.3dmap") && said.contains("269484032 voxels"), "{said}");
    assert!(said.contains("--max-voxels 2147483648"), "{said}");
    wayfare(&format!("info {vast} --max-voxels 2147483648")).ends(0);
}

#[test]
fn why_names_what_is_missing_and_where() {
    let islands = drawing("islands.voxels");
    let why = |query: &str, extra: &[&str]| {
        let line = ["why", &islands, "--format", "json", "--query", query];
        run(line.into_iter().chain(extra.iter().copied())).ends(1).json()
    };
    let next = why("to the next island", &[]);
    let lack = &next["remedies"][0]["lacks"][0];
    assert_eq!(
        (&lack["capability"], &lack["needed"], &lack["has"]),
        (&"jump-distance".into(), &2.into(), &0.into())
    );
    assert!(lack["at"]["x"].is_number());
    assert!(next["reason"].as_str().unwrap().contains("a jump across a gap of 2 is needed at ("));

    // All of it is needed, and with all of it there is a way.
    let far = why("from end to end", &[]);
    assert_eq!(far["remedies"][0]["change"], "jump-height=2 jump-distance=2 max-fall=3", "{far}");
    wayfare(&format!("solve {islands} --jump-height 2 --jump-distance 2 --max-fall 3")).ends(0);

    // A drop is one-way.
    let back = why("back up", &["--jump-distance", "2", "--max-fall", "3"]);
    assert_eq!(back["remedies"][0]["lacks"][0]["needed"], 3, "{back}");
}

#[test]
fn every_capability_of_the_village_and_the_cave_counts() {
    let (village, cave) = (drawing("village.voxels"), drawing("cave.voxels"));
    let ends = |file: &str, query: &str, extra: &str, code: i32| {
        let args = ["solve", file, "--query", query];
        run(args.into_iter().chain(extra.split_whitespace())).ends(code);
    };
    ends(&village, "up the tower", "", 1);
    ends(&village, "up the tower", "--abilities walk,climb", 0);
    ends(&village, "up the tower", "--abilities walk,climb --no-doors", 1);
    ends(&village, "to the terrace", "--abilities walk", 1);
    ends(&village, "home", "--width 2", 1);
    ends(&cave, "across the lake", "", 1);
    ends(&cave, "across the lake", "--abilities walk,swim", 0);
    ends(&cave, "across the lake", "--abilities walk,swim --character-height 2", 1);
    ends(&cave, "down the drop", "--max-fall 4", 0);
}

#[test]
fn flying_lengths_are_checked_and_wrong_ones_found_out() {
    let folder = Folder::new();
    folder.write("cube.3dmap", "voxel 3 3 3\n1 1 1\n");
    let scenario = |length: &str| {
        let queries =
            format!("version 1\ncube.3dmap\n0 0 0 2 0 0 2.0 1.0\n0 1 1 2 1 1 {length} 1.0\n");
        folder.write("cube.3dmap.3dscen", queries)
    };
    // Round the middle block, whose corners cannot be cut.
    let report = wayfare(&format!("bench {} --format json", scenario("4.0"))).ends(0).json();
    for (row, algorithm) in ["astar", "jps"].into_iter().enumerate() {
        let row = &report[row];
        assert_eq!((&row["algorithm"], &row["optimal"]), (&algorithm.into(), &2.into()));
    }
    let wrong = wayfare(&format!("bench {}", scenario("3.998"))).ends(4);
    assert!(wrong.stderr.contains("from 0,1,1 to 2,1,1: length 4.0"), "{}", wrong.stderr);
    let info = wayfare(&format!("info {} --format json", scenario("4.0"))).ends(0).json();
    assert_eq!(
        (&info["kind"], &info["scenario"]["queries"]),
        (&"voxel scenario".into(), &2.into())
    );
}

#[test]
fn options_for_the_wrong_kind_of_world_are_refused() {
    let village = drawing("village.voxels");
    wayfare(&format!("solve {village} --neighbours 4")).ends(2);
    wayfare(&format!("solve {village} --from 1,2")).ends(2);
    wayfare(&format!("solve {village} --width 9")).ends(3);
    wayfare(&format!("solve {} --max-fall 2", world("maze.txt"))).ends(2);
    let off = wayfare(&format!("solve {village} --from 99,2,3")).ends(1);
    assert!(off.stdout.contains("lies off the map"), "{}", off.stdout);
    let folder = Folder::new();
    let damaged = folder.write("damaged.voxels", "voxels 2 2 2\nlayer 0\n##\n#?\n");
    let ran = wayfare(&format!("info {damaged}")).ends(3);
    assert!(ran.stderr.contains("4:2: '?' is no block"), "{}", ran.stderr);
}

#[test]
fn info_and_compare_know_voxel_worlds() {
    let info = wayfare(&format!("info {} --format json", drawing("cave.voxels"))).ends(0);
    let info = info.json();
    assert_eq!((&info["kind"], &info["voxels"]["depth"]), (&"voxel world".into(), &24.into()));
    assert!(info["space"]["regions"].as_u64().unwrap() > 0);
    let compared = wayfare(&format!("compare {} --repeat 1 --format json", drawing("cave.voxels")));
    let compared = compared.ends(0).json();
    let costs: Vec<f64> =
        (0..3).map(|one| compared["results"][one]["cost"].as_f64().unwrap()).collect();
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
}

#[test]
fn ends_in_very_large_worlds_are_sampled_and_lie_in_no_pockets() {
    let folder = Folder::new();
    // The voxel in the corner that is tried first is walled in.
    let walls = "0 178 0\n1 178 0\n0 178 1\n1 178 1\n1 179 0\n0 179 1\n1 179 1\n";
    let air = folder.write("air.3dmap", format!("voxel 180 180 180\n{walls}"));
    let solved = wayfare(&format!("solve {air} --abilities fly --format json")).ends(0);
    assert!(solved.stderr.contains("the route's ends were chosen among"), "{}", solved.stderr);
    let document = solved.json();
    assert_eq!(document["from"], serde_json::json!({"x": 0, "y": 177, "z": 0}));
    assert_eq!(document["to"], serde_json::json!({"x": 179, "y": 0, "z": 179}));
    // Whoever says where is not told how else it would have been chosen.
    let line = format!("solve {air} --abilities fly --from 0,177,0 --to 9,9,9");
    assert_eq!(wayfare(&line).ends(0).stderr, "");
    let void = folder.write("void.3dmap", "voxel 180 180 180\n");
    let none = wayfare(&format!("solve {void}")).ends(2);
    assert!(none.stderr.contains("this walker can stand at none of the"), "{}", none.stderr);
}

/// Two shelves in the air with a gap between them: no walker gets from one to the other.
#[test]
fn ends_that_are_chosen_in_a_very_large_world_have_a_path() {
    let folder = Folder::new();
    let mut shelves = "voxel 512 40 512\n".to_owned();
    for x in (0..40).chain(90..130) {
        for z in 0..120 {
            shelves.push_str(&format!("{x} 0 {z}\n"));
        }
    }
    let shelves = folder.write("shelves.3dmap", shelves);
    let solved = wayfare(&format!("solve {shelves} --format json")).ends(0).json();
    assert!(solved["length"].as_f64().unwrap() > 50.0, "{solved}");
}

#[test]
fn free_voxels_of_a_very_large_world_are_counted_in_proportion_to_its_blocks() {
    let folder = Folder::new();
    let vast = folder.write("vast.3dmap", "voxel 1024 1024 64\n0 0 0\n");
    let free = |abilities: &str| {
        let line = format!("info {vast} --abilities {abilities} --format json");
        wayfare(&line).ends(0).json()["space"]["free"].as_u64().unwrap()
    };
    assert_eq!(free("walk"), 1, "on the block");
    assert_eq!(free("fly"), 1024 * 1024 * 64 - 1);
}

#[test]
fn a_goal_outside_the_loaded_chunks_gets_a_route_to_the_edge() {
    let folder = Folder::new();
    let rows = format!("{}\n", "#".repeat(32)).repeat(3);
    let text =
        format!("voxels 32 3 3\nunloaded 16,0,0 31,2,2\nroute 0,1,1 30,1,1\nlayer 0\n{rows}");
    let edge = folder.write("edge.voxels", text);
    let solved = wayfare(&format!("solve {edge}")).ends(1).stdout;
    assert!(solved.contains("the goal 30,1,1 lies outside the loaded chunks"), "{solved}");
    assert!(solved.contains("moves       walk east 15"), "{solved}");
    assert!(solved.contains("memory"), "{solved}");
}

#[test]
fn voxel_worlds_are_converted() {
    let folder = Folder::new();
    let (village, map) = (drawing("village.voxels"), folder.name("village.3dmap"));
    wayfare(&format!("convert {village} {map}")).ends(0);
    let text = folder.name("stone.voxels");
    wayfare(&format!("convert {map} {text}")).ends(0);
    let stone = wayfare(&format!("info {text} --format json")).ends(0).json();
    assert_eq!(stone["voxels"]["width"], 32);
    let cost = |file: &str| {
        let ends = "--from 10,2,18 --to 22,2,18 --format json";
        wayfare(&format!("solve {file} {ends}")).ends(0).json()["cost"].as_f64()
    };
    for extension in ["vox", "schem"] {
        let file = folder.name(&format!("village.{extension}"));
        let told = wayfare(&format!("convert {village} {file}")).ends(0);
        assert!(told.stderr.contains("not kept: 4 routes"), "{}", told.stderr);
        assert_eq!(cost(&file), cost(&village));
        let back = folder.name(&format!("{extension}.voxels"));
        wayfare(&format!("convert {file} {back}")).ends(0);
        assert_eq!(cost(&back), cost(&village));
    }
    let ran = wayfare(&format!("convert {village} {}", folder.name("village.map"))).ends(2);
    assert!(
        ran.stderr.contains("write it as .voxels (text), .3dmap (Moving AI), .vox"),
        "{}",
        ran.stderr
    );
    let damaged = folder.write("hills.height.png", "no image");
    let ran = wayfare(&format!("info {damaged}")).ends(3);
    assert!(ran.stderr.contains("PNG"), "{}", ran.stderr);
}

#[test]
fn limits_and_weights_are_options_in_voxel_worlds_too() {
    let village = drawing("village.voxels");
    let json = |extra: &str, code: i32| {
        wayfare(&format!("solve {village} --format json {extra}")).ends(code).json()
    };
    let (best, greedy) = (json("", 0), json("--algorithm weighted-astar --weight 2", 0));
    let cost = |solved: &serde_json::Value| solved["cost"].as_f64().unwrap();
    assert!(cost(&best) <= cost(&greedy) && cost(&greedy) <= 2.0 * cost(&best));
    let cut = json("--max-expansions 60", 1);
    assert!(cut["path"].as_array().unwrap().len() > 1, "{cut}");
    let dear = json("--max-cost 20", 1);
    assert_eq!(dear["outcome"], "limit");
}
