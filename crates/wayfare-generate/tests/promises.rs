//! Every world is as promised: the engine gets through, and measures lie in their ranges.

use wayfare_generate::{
    Arrangement, Kinds, Lineup, Manager, Range, Scenario, Seed, Settings, Statistic, generate,
};

/// Worlds of each kind, unless `WAYFARE_WORLDS` asks for more.
fn rounds() -> u64 {
    std::env::var("WAYFARE_WORLDS").ok().and_then(|count| count.parse().ok()).unwrap_or(25)
}

#[test]
fn worlds_of_default_settings_keep_their_promises() {
    let kinds = Kinds::standard();
    for kind in kinds.iter() {
        for seed in 0..rounds() {
            let world = generate(kind, &Settings::default(), Seed(seed)).unwrap();
            let proof = world.prove().unwrap_or_else(|error| panic!("{error}: {}", world.origin()));
            // A way through a level may be a straight line.
            assert!(proof.path.len() > 2 || proof.turns.len() > 1, "{}", world.origin());
        }
    }
}

/// Settings at the ends of all limits, and in between.
fn extremes(kind: &dyn Scenario, seed: u64, kinds: &Kinds) -> Settings {
    let mut dice = Seed(seed).child("extremes", 0).dice();
    let mut text = format!("[{}]\n", kind.name());
    for parameter in kind.parameters() {
        let Range { low, high } = parameter.limits;
        // Sides of thousands of tiles are no test of anything but patience.
        let high = if parameter.whole { high.min(low.max(90.0)) } else { high };
        let value = match dice.below(4) {
            0 => low,
            1 => high,
            _ => Range::new(low, high).draw(parameter.whole, &mut dice),
        };
        text.push_str(&format!("{} = {value:?}\n", parameter.name));
    }
    Settings::read(&text, kinds).unwrap()
}

#[test]
fn worlds_of_any_settings_keep_their_promises() {
    let kinds = Kinds::standard();
    let seeds: Vec<u64> = (0..rounds()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for seeds in seeds.chunks(seeds.len().div_ceil(threads)) {
            scope.spawn(|| any_settings(&kinds, seeds));
        }
    });
}

/// Panics on a thread of its own, which fails the test.
fn any_settings(kinds: &Kinds, seeds: &[u64]) {
    for kind in kinds.iter() {
        for &seed in seeds {
            let settings = extremes(kind, seed, kinds);
            // A warehouse of the largest of everything is refused, with a reason.
            let Ok(world) = generate(kind, &settings, Seed(seed)) else {
                assert_eq!(kind.name(), "warehouse");
                continue;
            };
            world.prove().unwrap_or_else(|error| panic!("{error}: {}", world.origin()));
        }
    }
}

#[test]
fn shares_of_free_ground_are_as_asked_for() {
    let kinds = Kinds::standard();
    let measured = |kind: &str, text: &str, seed: u64| {
        let settings = Settings::read(&format!("[{kind}]\n{text}\n"), &kinds).unwrap();
        let world = generate(kinds.get(kind).unwrap(), &settings, Seed(seed)).unwrap();
        let share = world.prove().unwrap().value(Statistic::FreeShare).unwrap();
        let promise =
            world.promises.iter().find(|promise| promise.statistic == Statistic::FreeShare);
        (share, promise.unwrap().range, world)
    };
    for seed in 0..40 {
        // Streets take a third or more; squares and yards make up the rest.
        for open in [0.46, 0.5, 0.56] {
            let (share, ..) = measured("city", &format!("open = {open}"), seed);
            assert!((share - open).abs() < 0.03, "city {seed}: {share} in place of {open}");
        }
        // Not even with all yards as open as that, nor with none as built.
        let (most, promised, _) = measured("city", "open = 0.8", seed);
        let (least, ..) = measured("city", "open = 0.1", seed);
        assert!(promised.low < 0.6 && most < 0.77 && least > 0.2, "{seed}: {least} to {most}");

        // Many rivers: without fords less than that would be dry.
        let (share, promised, world) = measured("terrain", "spring = 40\nlakes = 0.25", seed);
        let dry = 0.75 - world.values.get("rock");
        assert!((promised.low - dry).abs() < 0.1 && share >= promised.low, "{seed}: {share}");
        assert!(promised.high < 1.0, "{seed}");

        let (share, promised, _) = measured("warehouse", "aisle = 2", seed);
        assert_eq!((share, share), (promised.low, promised.high));
    }
}

#[test]
fn a_row_of_scenarios_is_passed_one_after_the_other() {
    let kinds = Kinds::standard();
    for spacing in [3, 8] {
        let lineup = Lineup { count: 8, spacing, seed: Seed(spacing.into()), ..Lineup::default() };
        let worlds: Vec<_> =
            (0..lineup.count()).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
        let row = Arrangement::new(&worlds, &lineup).unwrap();
        let proof = row.prove().unwrap();
        // The path enters each scenario by its entry and leaves it by its exit, in order.
        let mut path = proof.path.iter().map(|[x, _, y]| (*x, *y));
        for part in &row.parts {
            for end in [part.entry, part.exit] {
                // Openings are a few tiles wide, and a lane may run along them.
                let through = |(x, y): (u32, u32)| x == end.x && y.abs_diff(end.y) < 8;
                assert!(path.any(through), "{} is left out", part.kind);
            }
        }
        // Nothing else is open between them: shut any entry, and the exit is out of reach.
        for part in &row.parts {
            let mut shut = row.clone();
            let rows = part.area.y..part.area.bottom();
            for y in rows {
                shut.scene.draft.set(part.entry.x, y, wayfare_generate::Ground::Wall);
            }
            assert!(shut.prove().is_err(), "{} is passed by", part.kind);
        }
    }
}

#[test]
fn scenarios_keep_their_distance() {
    let kinds = Kinds::standard();
    for (spacing, count) in [(3, 9), (7, 5), (12, 2)] {
        let lineup = Lineup { count, spacing, seed: Seed(9), ..Lineup::default() };
        let worlds: Vec<_> =
            (0..count).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
        let parts = Arrangement::new(&worlds, &lineup).unwrap().parts;
        for (number, part) in parts.iter().enumerate() {
            for other in &parts[..number] {
                assert!(!part.area.is_near(other.area, spacing), "{} {}", part.kind, other.kind);
            }
        }
    }
}

#[test]
fn one_scenario_changes_and_the_others_stay() {
    let kinds = Kinds::standard();
    let before = Lineup { count: 6, seed: Seed(1), ..Lineup::default() };
    let pinned = [(3, ("maze".to_owned(), Seed(99)))].into();
    let after = Lineup { pinned, ..before.clone() };
    for number in 0..6 {
        let [one, other] = [&before, &after].map(|lineup| lineup.generate(number, &kinds).unwrap());
        assert_eq!(one == other, number != 3);
    }
}

#[test]
fn a_setting_changes_no_other_value() {
    let kinds = Kinds::standard();
    for kind in kinds.iter() {
        let plain = Settings::default().draw(kind, Seed(5));
        for parameter in kind.parameters() {
            let text =
                format!("[{}]\n{} = {:?}\n", kind.name(), parameter.name, parameter.limits.low);
            let set = Settings::read(&text, &kinds).unwrap().draw(kind, Seed(5));
            for other in kind.parameters().iter().filter(|other| other.name != parameter.name) {
                assert_eq!(set.get(other.name), plain.get(other.name), "{text}");
            }
        }
    }
}

#[test]
fn a_broken_world_is_noticed() {
    let kinds = Kinds::standard();
    let mut maze = generate(kinds.get("maze").unwrap(), &Settings::default(), Seed(3)).unwrap();
    let sound = maze.clone();
    let tiles = |world: &mut wayfare_generate::Generated, x: u32, y: u32, ground| {
        let wayfare_generate::WorldDraft::Tiles(scene) = &mut world.draft else { panic!("tiles") };
        scene.draft.set(x, y, ground);
    };
    tiles(&mut maze, 5, 0, wayfare_generate::Ground::Floor);
    assert!(maze.prove().unwrap_err().to_string().contains("the border is open at 5,0"));
    let mut maze = sound.clone();
    let wayfare_generate::WorldDraft::Tiles(scene) = &sound.draft else { panic!("tiles") };
    for y in 0..scene.draft.height() {
        tiles(&mut maze, scene.draft.width() / 2, y, wayfare_generate::Ground::Wall);
    }
    assert!(maze.prove().unwrap_err().to_string().contains("from entry to exit"));
    assert!(sound.prove().unwrap().value(Statistic::DeadEnds).unwrap() > 0.0);
}

#[test]
fn ways_are_as_long_as_their_steps() {
    let kinds = Kinds::standard();
    for kind in ["caves", "voxel-village", "voxel-caves"] {
        for seed in 0..6 {
            let world = generate(kinds.get(kind).unwrap(), &Settings::default(), Seed(seed));
            let proof = world.unwrap().prove().unwrap();
            let steps = proof.path.windows(2).map(|step| {
                let [x, y, z] = [0, 1, 2].map(|axis| step[0][axis].abs_diff(step[1][axis]));
                // Along the ground in eight directions, and straight up or down.
                f64::from(x.abs_diff(z) + y) + f64::from(x.min(z)) * 2f64.sqrt()
            });
            let length: f64 = steps.sum();
            assert!((f64::from(proof.length) - length).abs() < 0.01, "{kind} {seed}: {length}");
        }
    }
}

#[test]
fn puzzles_are_solved_or_proved_to_have_no_solution() {
    let kinds = Kinds::standard();
    for kind in kinds.of("pulley").unwrap() {
        let (mut pushes, mut levers) = (0, 0);
        for seed in 0..12 {
            let text = format!("[{}]\nsolvable = {}\n", kind.name(), seed % 2);
            let settings = Settings::read(&text, &kinds).unwrap();
            let world = generate(kind, &settings, Seed(seed)).unwrap();
            let proof = world.prove().unwrap_or_else(|error| panic!("{error}"));
            let value = |statistic| proof.value(statistic).unwrap();
            assert_eq!(value(Statistic::Solvable), (seed % 2) as f32);
            assert!(value(Statistic::States) >= 1.0);
            if seed % 2 == 0 {
                // The reason is told.
                assert_eq!(proof.plan.len(), 1, "{:?}", proof.plan);
                let reason = &proof.plan[0];
                assert!(reason.contains("no crate can be brought"), "{reason}");
                continue;
            }
            assert_eq!(value(Statistic::Deeds), proof.plan.len() as f32);
            let count = |what| proof.plan.iter().filter(|deed| deed.starts_with(what)).count();
            pushes += count("push");
            levers += count("pull lever");
        }
        assert!(pushes > 20 && levers > 0, "{}: {pushes} pushes, {levers} levers", kind.name());
    }
}

#[test]
fn each_variation_of_a_pulley_is_solved_or_has_no_solution() {
    let kinds = Kinds::standard();
    for kind in kinds.of("pulley").unwrap() {
        let variation = kind.parameters().iter().find(|known| known.name == "variation").unwrap();
        let mut told = std::collections::BTreeSet::new();
        for number in 1..=variation.limits.high as u32 {
            let mut puzzles = String::new();
            for (seed, solvable) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 1)] {
                let text = format!(
                    "[{}]\nsolvable = {solvable}\nvariation = {number}\nlevers = 1\n",
                    kind.name()
                );
                let settings = Settings::read(&text, &kinds).unwrap();
                let world = generate(kind, &settings, Seed(seed)).unwrap();
                let proof = world.prove().unwrap_or_else(|error| panic!("{text}{error}"));
                assert_eq!(proof.value(Statistic::Solvable), Some(solvable as f32), "{text}");
                let wayfare_generate::WorldDraft::Tiles(scene) = &world.draft else { panic!() };
                puzzles.push_str(&format!("{:?}", scene.puzzles));
            }
            // Each is another puzzle.
            assert!(told.insert(puzzles), "{} {number}", kind.name());
        }
    }
}

#[test]
fn a_row_with_a_puzzle_that_cannot_be_solved_is_refused_with_the_reason() {
    let kinds = Kinds::standard();
    let settings = Settings::read("[heavy-door]\nsolvable = 0\n", &kinds).unwrap();
    let lineup = Lineup { only: Some("heavy-door".into()), settings, ..Lineup::default() };
    let worlds = [lineup.generate(0, &kinds).unwrap()];
    assert!(worlds[0].prove().is_ok());
    let refused = Arrangement::new(&worlds, &lineup).unwrap().prove().unwrap_err().to_string();
    let reason = "cannot be solved: heavy door stays shut: no crate can be brought to its plate";
    assert!(refused.contains(reason), "{refused}");
}

#[test]
fn parts_keep_to_their_places_and_to_themselves() {
    use wayfare_generate::parts::{CrateItem, LeverItem, PlateItem};
    use wayfare_generate::{Area, Ground, HallDraft, PartOrder, Place, TileDraft};
    for seed in 0..200 {
        let mut dice = Seed(seed).dice();
        let mut hall = HallDraft::new(TileDraft::new(12, 8, Ground::Floor), Default::default());
        hall.mark("west", Area::new(1, 0, 1, 8));
        hall.mark("east", Area::new(9, 0, 1, 8));
        let (one, plate, lever) = (&CrateItem, &PlateItem, &LeverItem { on: 0.5 });
        let orders = [
            PartOrder::new("between", one, Place::Between("west", "east")).rim(1),
            PartOrder::new("behind", plate, Place::Behind("east")),
            PartOrder::new("in front", lever, Place::InFrontOf("between")),
            PartOrder::new("anywhere", lever, Place::Anywhere),
        ];
        for order in &orders {
            hall.furnish(order, &mut dice).expect("room");
        }
        let area = |name| hall.area(name).unwrap();
        assert!((3..8).contains(&area("between").x) && (1..7).contains(&area("between").y));
        assert!(area("behind").x > 9 && area("in front").x < area("between").x);
        for (number, part) in hall.parts().iter().enumerate() {
            assert!(hall.parts()[..number].iter().all(|other| !other.area.is_near(part.area, 0)));
        }
        let on_top = PartOrder::new("on top", one, Place::OnTopOf("behind"));
        let top = hall.furnish(&on_top, &mut dice).expect("room").area;
        assert_eq!(Some(top), hall.area("behind"));
        // Without room, or without the part that it stands beside, nothing is built.
        let before = hall.clone();
        for place in [Place::Between("east", "west"), Place::Behind("nothing")] {
            assert!(hall.furnish(&PartOrder::new("no", one, place), &mut dice).is_none());
        }
        assert_eq!(hall, before);
    }
}

#[test]
fn eight_scenarios_with_puzzles_between_them_are_one_world() {
    let kinds = Kinds::standard();
    let names = ["caves", "heavy-door", "rooms", "hook", "maze", "platform", "dungeon"];
    let lineup = Lineup {
        count: 8,
        kinds: names.map(str::to_owned).to_vec(),
        seed: Seed(5),
        ..Lineup::default()
    };
    let worlds: Vec<_> = (0..8).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
    let row = Arrangement::new(&worlds, &lineup).unwrap();
    let proof = row.prove().unwrap();
    // Three halls, and the doors of the dungeon.
    assert_eq!(row.scene.puzzles.len(), 4);
    for what in ["push", "work hook", "take iron"] {
        assert!(proof.plan.iter().any(|deed| deed.starts_with(what)), "{what}: {:?}", proof.plan);
    }
    let document = row.document("row", String::new()).unwrap();
    let wayfare_scene::World::Scene(scene) = document else { panic!("a scene") };
    assert_eq!(scene.puzzles[1].name, "4 puzzle");
    assert!(scene.validate().is_ok());
}
