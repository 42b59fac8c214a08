//! Puzzles: plans cost what an oracle says, the judge accepts them and nothing else, and reasons
//! name what is missing.
#![expect(clippy::print_stdout, reason = "measurements")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::search::Progress;
use wayfare_core::space::{CostTable, MoveRules, STRAIGHT, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_puzzle::{
    Condition, Deed, GateForm, GroundArea, Hook, Lack, Lever, NoPlan, PartId, PlanFault, Plate,
    Platform, PlatformPlace, Puzzle, PuzzleCrate, PuzzleError, PuzzleGate, PuzzleGround, PuzzleKey,
    PuzzleLimit, PuzzleLimits, PuzzleOutcome, PuzzleParts, PuzzleQuery, PuzzleSearch, PuzzleState,
    Timetable,
};

/// A place and all parts, in an order: what the oracle's states are.
type Full = (Cell, Vec<bool>, Vec<bool>, Vec<bool>, Vec<Option<Cell>>, u64);

/// The time that the oracle waits at once. Where there are timetables, all costs are multiples.
const GRAIN: u64 = STRAIGHT as u64;

/// The cheapest cost by Dijkstra's algorithm over single steps, full states and phases: the time
/// until all timetables repeat together. It knows the rules from [`Puzzle::carry_out`] and the grid
/// from its own rules of movement.
fn oracle(grid: &Grid, puzzle: &Puzzle, start: Cell, goal: Cell, clock: u64) -> Option<u64> {
    let cycle =
        |all: u64, next: u64| (all..).step_by(all as usize).find(|n| n % next == 0).unwrap();
    let periods = puzzle.parts().platforms.iter().filter_map(|lift| lift.timetable);
    let repeat = periods.fold(1, |all, timetable| cycle(all, u64::from(timetable.period)));
    let has_timetables = repeat > 1;
    let full = |at: Cell, state: &PuzzleState, cost: u64| -> Full {
        let PuzzleState { keys, levers, hooks, mut crates } = state.clone();
        crates.sort_unstable();
        (at, keys, levers, hooks, crates, (clock + cost) % repeat)
    };
    let state_of = |full: &Full| PuzzleState {
        keys: full.1.clone(),
        levers: full.2.clone(),
        hooks: full.3.clone(),
        crates: full.4.clone(),
    };
    let begin = puzzle.begin();
    if !puzzle.is_free(&begin, start) {
        return None;
    }
    let space = grid.space();
    let mut known = BTreeMap::from([(full(start, &begin, 0), 0u64)]);
    let mut open = BinaryHeap::from([Reverse((0u64, full(start, &begin, 0)))]);
    while let Some(Reverse((cost, node))) = open.pop() {
        if known[&node] < cost {
            continue;
        }
        let (at, state) = (node.0, state_of(&node));
        if at == goal {
            return Some(cost);
        }
        let mut reach = |at: Cell, state: &PuzzleState, cost: u64| {
            let next = full(at, state, cost);
            if known.get(&next).is_none_or(|old| cost < *old) {
                known.insert(next.clone(), cost);
                open.push(Reverse((cost, next)));
            }
        };
        let position = grid.coordinates(at);
        let beside = |dx: i32, dy: i32| {
            let x = position.x.checked_add_signed(dx)?;
            grid.cell(x, position.y.checked_add_signed(dy)?)
        };
        let mut deeds = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let Some(next) = beside(dx, dy) else { continue };
            if let Ok(step) = space.check_move(at, next)
                && puzzle.is_free(&state, next)
            {
                reach(next, &state, cost + u64::from(step.max(1)));
            }
            deeds.extend(beside(2 * dx, 2 * dy).map(|to| Deed::Push { from: next, to }));
            deeds.push(Deed::Drag { from: next, to: at });
        }
        let parts = puzzle.parts();
        let ids = |count: usize| (0..count as u16).map(PartId);
        deeds.extend(ids(parts.keys.len()).map(Deed::Take));
        deeds.extend(ids(parts.levers.len()).map(Deed::Pull));
        deeds.extend(ids(parts.hooks.len()).map(Deed::Haul));
        if has_timetables {
            reach(at, &state, cost + GRAIN);
        }
        for lift in &parts.platforms {
            let holds = lift.up.iter().all(|one| puzzle.holds(&state, *one));
            let rides = match lift.timetable {
                None => [holds, !holds],
                Some(Timetable { period, up_at, down_at }) => {
                    let now = (clock + cost) % u64::from(period);
                    [up_at, down_at].map(|leaves| holds && now == u64::from(leaves))
                }
            };
            let ends = [(lift.low, lift.high), (lift.high, lift.low)];
            for ((from, to), _) in ends.into_iter().zip(rides).filter(|(_, goes)| *goes) {
                if at == from && puzzle.is_free(&state, to) {
                    reach(to, &state, cost + u64::from(lift.cost));
                }
            }
        }
        for deed in deeds {
            let (mut state, mut at) = (state.clone(), at);
            if let Some(paid) = puzzle.carry_out(&mut state, &mut at, deed) {
                reach(at, &state, cost + u64::from(paid));
            }
        }
    }
    None
}

/// A small puzzle with its grid and the ends of a query.
#[derive(Debug, Clone)]
struct Case {
    grid: Grid,
    puzzle: Puzzle,
    start: Cell,
    goal: Cell,
    clock: u64,
}

fn any_case() -> impl Strategy<Value = Case> {
    let terrain = prop::sample::select(vec![0u8, 0, 0, 0, 0, 1, 255]);
    let tiles = prop::collection::vec(terrain, 30);
    let spots = prop::collection::vec(0u32..30, 24);
    let counts = prop::collection::vec(0usize..3, 7);
    let choices = prop::collection::vec(any::<u16>(), 24);
    let times = prop::collection::vec(any::<u16>(), 12);
    (tiles, spots, counts, choices, times, any::<bool>(), any::<bool>()).prop_filter_map(
        "parts must lie on free ground",
        |(tiles, spots, counts, choices, times, can_pull, is_varied)| {
            let terrain: Vec<TerrainId> = tiles.into_iter().map(TerrainId).collect();
            // Platforms with timetables want costs that are multiples of a step.
            let has_timetables = counts[6] > 0 && choices[23] % 2 == 0;
            let costs = match is_varied && !has_timetables {
                true => CostTable::new().with(TerrainId(1), TerrainCost::multiplied(2.5)),
                false => CostTable::new(),
            };
            let profile = GridProfile { costs, ..GridProfile::default() };
            let grid = Grid::new(6, 5, &terrain, profile).unwrap();
            let mut free = spots
                .iter()
                .map(|spot| grid.cell(spot % 6, spot / 6).unwrap())
                .filter(|cell| grid.space().is_free(*cell));
            let mut next = || free.next();
            let name = |what: &str, number: usize| format!("{what} {number}");
            let mut parts = PuzzleParts { can_pull, ..PuzzleParts::default() };
            let (start, goal) = (next()?, next()?);
            for number in 0..counts[0] {
                parts.crates.push(PuzzleCrate { name: name("crate", number), at: next()? });
            }
            for number in 0..counts[1].max(1) {
                parts.plates.push(Plate { name: name("plate", number), at: next()? });
            }
            for (number, choice) in choices.iter().enumerate().take(counts[2].max(1)) {
                let is_on = choice % 3 == 0;
                parts.levers.push(Lever { name: name("lever", number), at: next()?, is_on });
            }
            for number in 0..counts[3].min(1) {
                parts.keys.push(PuzzleKey { name: name("key", number), at: next()? });
            }
            for number in 0..counts[4].min(1) {
                let hook = Hook { name: name("hook", number), at: next()?, under: next()? };
                parts.hooks.push(hook);
            }
            let mut choices = choices.into_iter();
            let mut condition = || {
                let (kind, number) = (choices.next()?, choices.next()?);
                let of = |count: usize| PartId(number % count as u16);
                let all = [
                    Some(Condition::LeverOn(of(parts.levers.len()))),
                    Some(Condition::LeverOff(of(parts.levers.len()))),
                    Some(Condition::Loaded(of(parts.plates.len()))),
                    Some(Condition::Unloaded(of(parts.plates.len()))),
                    (!parts.keys.is_empty()).then_some(Condition::Held(PartId(0))),
                    (!parts.hooks.is_empty()).then_some(Condition::Bridged(PartId(0))),
                ];
                let all: Vec<_> = all.into_iter().flatten().collect();
                Some(all[usize::from(kind) % all.len()])
            };
            for number in 0..counts[5] {
                parts.gates.push(PuzzleGate {
                    name: name("gate", number),
                    form: GateForm::Door,
                    cells: vec![next()?],
                    when: (0..=number % 2).filter_map(|_| condition()).collect(),
                });
            }
            let mut numbers = times.into_iter().map(u32::from);
            for number in 0..counts[6].min(1 + usize::from(has_timetables)) {
                let mut below = |bound: u32| numbers.next().unwrap() % bound;
                let timetable = (has_timetables && below(4) > 0).then(|| {
                    let period = [4, 6, 8, 12][below(4) as usize];
                    let up_at = below(period);
                    let down_at = (up_at + 2 + below(period - 3)) % period;
                    Timetable {
                        period: period * STRAIGHT,
                        up_at: up_at * STRAIGHT,
                        down_at: down_at * STRAIGHT,
                    }
                });
                let is_free = timetable.is_some() && below(2) == 0;
                parts.platforms.push(Platform {
                    name: name("platform", number),
                    low: next()?,
                    high: next()?,
                    cost: if has_timetables { 2 * STRAIGHT } else { 9_000 },
                    up: if is_free { vec![] } else { vec![condition()?] },
                    timetable,
                });
            }
            let clock = if has_timetables { u64::from(numbers.next()? % 30) * GRAIN } else { 0 };
            let ground = PuzzleGround::new(&grid, Default::default(), None);
            let puzzle = Puzzle::new(ground, parts).ok()?;
            Some(Case { grid, puzzle, start, goal, clock })
        },
    )
}

proptest! {
    #[test]
    fn plans_cost_what_the_oracle_says(case in any_case()) {
        let Case { grid, puzzle, start, goal, clock } = &case;
        let query = PuzzleQuery { clock: *clock, ..PuzzleQuery::new(puzzle, *start, *goal) };
        let answer = puzzle.solve(&query);
        match (&answer.outcome, oracle(grid, puzzle, *start, *goal, *clock)) {
            (PuzzleOutcome::Found(plan), Some(cost)) => {
                prop_assert_eq!(plan.cost(), cost);
                prop_assert_eq!(puzzle.judge(&query, plan), Ok(cost));
            }
            (PuzzleOutcome::NoPlan(_), None) => {}
            (outcome, cost) => prop_assert!(false, "{:?}, but the oracle says {:?}", outcome, cost),
        }
        // In slices of any size the answer is the same.
        let mut search = PuzzleSearch::new(puzzle, query);
        while search.step(puzzle, 3) == Progress::Working {
            prop_assert_eq!(search.answer(puzzle).outcome, PuzzleOutcome::Working);
        }
        prop_assert_eq!(search.answer(puzzle), answer);
    }
}

/// A puzzle drawn in characters: `@` start, `!` goal, `c` crates, `_` plates, lower-case letters
/// from `l` levers, `k` keys, digits gates, `#` walls.
fn drawn(rows: &[&str], when: &[Condition]) -> Case {
    let walls: Vec<String> = rows
        .iter()
        .map(|row| row.chars().map(|it| if it == '#' { '#' } else { '.' }).collect())
        .collect();
    let walls: Vec<&str> = walls.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&walls).unwrap();
    let mut parts = PuzzleParts::default();
    let (mut start, mut goal) = (None, None);
    let mut gates = BTreeMap::new();
    for (y, row) in (0..).zip(rows) {
        for (x, glyph) in (0..).zip(row.chars()) {
            let at = grid.cell(x, y).unwrap();
            let name = format!("{glyph}{x}");
            match glyph {
                '@' => start = Some(at),
                '!' => goal = Some(at),
                'c' => parts.crates.push(PuzzleCrate { name, at }),
                '_' => parts.plates.push(Plate { name, at }),
                'k' => parts.keys.push(PuzzleKey { name, at }),
                'l' => parts.levers.push(Lever { name, at, is_on: false }),
                '0'..='9' => {
                    gates.insert(glyph, at);
                }
                _ => {}
            }
        }
    }
    for (number, (glyph, at)) in gates.into_iter().enumerate() {
        let (name, form) = (format!("gate {glyph}"), GateForm::HeavyDoor);
        parts.gates.push(PuzzleGate { name, form, cells: vec![at], when: vec![when[number]] });
    }
    let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), parts).unwrap();
    Case { grid, puzzle, start: start.unwrap(), goal: goal.unwrap(), clock: 0 }
}

fn reason(case: &Case) -> String {
    let query = PuzzleQuery::new(&case.puzzle, case.start, case.goal);
    match case.puzzle.solve(&query).outcome {
        PuzzleOutcome::NoPlan(reason) => reason.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reasons_name_what_is_missing() {
    let one = PartId(0);
    let held = [Condition::Held(one), Condition::LeverOn(one)];
    // Each door is behind the other's opener.
    let case = drawn(&["k0@1l.!"], &[Condition::LeverOn(one), Condition::Held(one)]);
    assert_eq!(reason(&case), "gate 1 stays shut: its key, k0, is out of reach, behind gate 0");
    let case = drawn(&["@..0.!#", "####k##"], &held);
    assert_eq!(reason(&case), "gate 0 stays shut: its key, k4, is out of reach, behind gate 0");
    let case = drawn(&["@..0.!", "...###", "c#_###"], &[Condition::Loaded(one)]);
    assert_eq!(reason(&case), "gate 0 stays shut: no crate can be brought to its plate, _2");
    let case = drawn(&["@#!"], &[]);
    assert_eq!(reason(&case), "walls cut the goal off, whatever is opened");
    let case = drawn(&["@0l1!"], &[Condition::LeverOff(one), Condition::LeverOn(one)]);
    assert_eq!(
        case.puzzle
            .solve(&PuzzleQuery::new(&case.puzzle, case.start, case.goal))
            .plan()
            .map(|plan| plan.steps.len()),
        Some(2)
    );
    // The lever lets one in and out, but only one of the two doors is open at a time.
    let case = drawn(&["@l01!"], &[Condition::LeverOff(one), Condition::LeverOn(one)]);
    assert_eq!(reason(&case), "all on the way can be opened, but not so that one gets through");
    assert_ne!(Lack::Together.to_string(), NoPlan::Order.to_string());
}

/// A ferry from the fourth cell of a row to the sixth, which runs while a lever is on.
fn ferry(timetable: Timetable, row: &str) -> Case {
    let mut case = drawn(&[row], &[]);
    let at = |x| case.grid.cell(x, 0).unwrap();
    let mut parts = case.puzzle.parts().clone();
    parts.platforms.push(Platform {
        name: "ferry".into(),
        low: at(3),
        high: at(5),
        cost: 2 * STRAIGHT,
        up: (0..parts.levers.len() as u16).map(|lever| Condition::LeverOn(PartId(lever))).collect(),
        timetable: Some(timetable),
    });
    case.puzzle = Puzzle::new(case.puzzle.ground().clone(), parts).unwrap();
    case
}

#[test]
fn a_ferry_is_waited_for_both_ways() {
    let timetable = Timetable { period: 10 * STRAIGHT, up_at: STRAIGHT, down_at: 6 * STRAIGHT };
    let steps = |count: u32| u64::from(count * STRAIGHT);
    for (row, clock, wait, cost) in [
        // Three steps, and the ferry leaves at 11; from a clock of 8 it leaves at once.
        ("@...#..!", 0, 8, 3 + 8 + 2 + 2),
        ("@...#..!", 8, 0, 3 + 2 + 2),
        ("@...#..!", 9, 9, 3 + 9 + 2 + 2),
        // Down at 6.
        ("!...#..@", 0, 4, 2 + 4 + 2 + 3),
        // The lever costs a step.
        ("@l..#..!", 0, 7, 1 + 1 + 2 + 7 + 2 + 2),
    ] {
        let case = ferry(timetable, row);
        let query = PuzzleQuery {
            clock: steps(clock),
            ..PuzzleQuery::new(&case.puzzle, case.start, case.goal)
        };
        let answer = case.puzzle.solve(&query);
        let plan = answer.plan().unwrap();
        assert_eq!(plan.cost(), steps(cost), "{row} at {clock}");
        assert_eq!(case.puzzle.judge(&query, plan), Ok(plan.cost()));
        let rides = case.puzzle.rides(&query, plan).unwrap();
        assert_eq!(rides.len(), 1);
        assert_eq!(u64::from(rides[0].wait), steps(wait), "{row} at {clock}");
        // A step later the same plan waits for another time.
        let late = PuzzleQuery { clock: query.clock + steps(1), ..query };
        assert!(matches!(case.puzzle.judge(&late, plan), Err(PlanFault::Cost { .. })));
    }
    // A clock beyond its range counts as its end.
    let case = ferry(timetable, "@...#..!");
    let late =
        PuzzleQuery { clock: u64::MAX, ..PuzzleQuery::new(&case.puzzle, case.start, case.goal) };
    let answer = case.puzzle.solve(&late);
    let plan = answer.plan().expect("a plan");
    assert_eq!(case.puzzle.judge(&late, plan), Ok(plan.cost()));
    let case = ferry(timetable, "@...#.l!");
    let lack = "ferry never comes: its lever, l6, is out of reach, behind ferry";
    assert_eq!(reason(&case), lack);
    // Where it is: it leaves at 1, arrives at 3, leaves at 6, arrives at 8.
    for (time, place) in [
        (0, PlatformPlace::Low),
        (1, PlatformPlace::Moving),
        (3, PlatformPlace::High),
        (7, PlatformPlace::Moving),
        (8, PlatformPlace::Low),
        (12, PlatformPlace::Moving),
    ] {
        assert_eq!(timetable.place(steps(time), 2 * STRAIGHT), place, "{time}");
    }
}

#[test]
fn a_judge_refuses_broken_plans() {
    let case =
        drawn(&["@......", ".c...##", "..._.##", "####.0!"], &[Condition::Loaded(PartId(0))]);
    let query = PuzzleQuery::new(&case.puzzle, case.start, case.goal);
    let plan = case.puzzle.solve(&query).plan().unwrap().clone();
    let judge = |plan| case.puzzle.judge(&query, &plan);
    assert_eq!(judge(plan.clone()), Ok(plan.cost()));
    let pushes = plan.deeds().filter(|deed| matches!(deed, Deed::Push { .. })).count();
    assert!(pushes >= 3, "{plan:?}");

    let mut broken = plan.clone();
    broken.steps[0].cost -= 1;
    assert!(matches!(judge(broken), Err(PlanFault::Cost { step: 0, .. })));
    let mut broken = plan.clone();
    broken.steps[0].walk.remove(0);
    assert_eq!(judge(broken), Err(PlanFault::Walk { step: 0 }));
    let mut broken = plan.clone();
    broken.steps.pop();
    assert_eq!(judge(broken), Err(PlanFault::Goal));
    let mut broken = plan.clone();
    broken.steps[0].deed = Deed::Pull(PartId(7));
    assert_eq!(judge(broken), Err(PlanFault::Deed { step: 0 }));
    // Straight through the shut door.
    let mut broken = plan.clone();
    let walk = broken.steps.last().unwrap().walk.clone();
    broken.steps.truncate(1);
    let position = |cell: &Cell| case.grid.coordinates(*cell);
    let gate = walk.iter().position(|cell| (position(cell).x, position(cell).y) == (5, 3)).unwrap();
    let at = |x, y| case.grid.cell(x, y).unwrap();
    let mut through = vec![at(0, 0), at(0, 1), at(0, 2), at(1, 2), at(2, 2), at(3, 2), at(4, 2)];
    through.extend([at(4, 3), walk[gate], at(6, 3)]);
    broken.steps[0].walk = through;
    assert_eq!(judge(broken), Err(PlanFault::Barred { step: 0 }));
}

#[test]
fn unsound_parts_are_refused() {
    let grid = Grid::from_rows(&["..#", "..."]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let new =
        |parts| Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), parts).unwrap_err();
    let one = |x, y| PuzzleCrate { name: "box".into(), at: at(x, y) };
    let gate = |when| PuzzleGate {
        name: "gate".into(),
        form: GateForm::Door,
        cells: vec![at(1, 1)],
        when,
    };
    let lever = |x| Lever { name: "lever".into(), at: at(x, 1), is_on: false };
    let on = Condition::LeverOn(PartId(0));
    let parts = |crates, gates, levers| PuzzleParts { crates, gates, levers, ..Default::default() };
    let part = || "box".to_owned();
    assert_eq!(new(parts(vec![one(2, 0)], vec![], vec![])), PuzzleError::Blocked { part: part() });
    let two = vec![one(0, 0), one(0, 0)];
    assert_eq!(new(parts(two, vec![], vec![])), PuzzleError::Taken { part: part() });
    let shut = new(parts(vec![one(1, 1)], vec![gate(vec![on])], vec![lever(0)]));
    assert_eq!(shut, PuzzleError::Taken { part: part() });
    let dangling = new(parts(vec![], vec![gate(vec![on])], vec![]));
    assert_eq!(dangling, PuzzleError::Dangling { part: "gate".into() });
    let empty = new(parts(vec![], vec![gate(vec![])], vec![]));
    assert_eq!(empty, PuzzleError::Empty { part: "gate".into() });
    let inside = new(parts(vec![], vec![gate(vec![on])], vec![lever(1)]));
    assert_eq!(inside, PuzzleError::InGate { part: "lever".into() });
    let levers = (0..61).map(|_| lever(0)).collect();
    assert!(matches!(new(parts(vec![one(0, 0)], vec![], levers)), PuzzleError::Bits(67)));
    let crates = (0..16).map(|_| one(0, 0)).collect();
    assert_eq!(new(parts(crates, vec![], vec![])), PuzzleError::Crates(16));
    let lift = |period, up_at, down_at| PuzzleParts {
        platforms: vec![Platform {
            name: "lift".into(),
            low: at(0, 0),
            high: at(0, 1),
            cost: 3,
            up: vec![],
            timetable: Some(Timetable { period, up_at, down_at }),
        }],
        ..PuzzleParts::default()
    };
    assert!(Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), lift(6, 0, 3)).is_ok());
    for timetable in [(0, 0, 0), (6, 0, 6), (6, 6, 1), (6, 2, 2), (5, 0, 3), (u32::MAX, 0, 100)] {
        let refused = new(lift(timetable.0, timetable.1, timetable.2));
        assert_eq!(refused, PuzzleError::Timetable { part: "lift".into() }, "{timetable:?}");
    }
    let endless = PuzzleGate { cells: vec![at(1, 1); 4001], ..gate(vec![on]) };
    assert_eq!(new(parts(vec![], vec![endless], vec![])), PuzzleError::GateCells(4001));
}

/// Levers all over a square with pillars. The gate to the goal needs all of them.
fn switches(side: u32, count: u16) -> Case {
    let pillar = |at: u32| at % side % 5 == 2 && at / side % 4 == 1;
    let wall = |at: u32| at % side == side - 3 && at / side != side / 2;
    let terrain = (0..side * side).map(|at| match pillar(at) || wall(at) {
        true => TerrainId::BLOCKED,
        false => TerrainId::GROUND,
    });
    let terrain: Vec<TerrainId> = terrain.collect();
    let grid = Grid::new(side, side, &terrain, GridProfile::default()).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let lever = |number: u16| {
        let spot = u32::from(number) + 1;
        let at = at(spot * 37 % (side - 8) / 5 * 5, spot * 23 % side / 4 * 4);
        Lever { name: format!("lever {number}"), at, is_on: false }
    };
    let parts = PuzzleParts {
        levers: (0..count).map(lever).collect(),
        gates: vec![PuzzleGate {
            name: "gate".into(),
            form: GateForm::Door,
            cells: vec![at(side - 3, side / 2)],
            when: (0..count).map(|number| Condition::LeverOn(PartId(number))).collect(),
        }],
        ..PuzzleParts::default()
    };
    let (start, goal) = (at(0, 0), at(side - 1, side - 1));
    let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), parts).unwrap();
    Case { grid, puzzle, start, goal, clock: 0 }
}

#[test]
fn eight_switches_are_solved() {
    let case = switches(64, 8);
    let query = PuzzleQuery::new(&case.puzzle, case.start, case.goal);
    let clock = std::time::Instant::now();
    let answer = case.puzzle.solve(&query);
    let time = clock.elapsed();
    println!("8 switches on 64²: {:?} in {time:?}", answer.stats);
    let plan = answer.plan().expect("a plan");
    assert_eq!(case.puzzle.judge(&query, plan), Ok(plan.cost()));
    assert!(plan.deeds().filter(|deed| matches!(deed, Deed::Pull(_))).count() >= 8);
}

/// Crates on open ground with a goal that walls cut off: every arrangement is a state.
fn yard(side: u32, crates: u32) -> Case {
    let rows: Vec<String> = (0..side)
        .map(|y| (0..side + 3).map(|x| if x == side + 1 && y != 1 { '#' } else { '.' }).collect())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let crates = (0..crates).map(|number| PuzzleCrate {
        name: format!("crate {number}"),
        at: at(1 + number, 1 + number % (side - 2)),
    });
    let lever = Lever { name: "lever".into(), at: at(side + 2, 0), is_on: false };
    let parts = PuzzleParts {
        crates: crates.collect(),
        levers: vec![lever],
        gates: vec![PuzzleGate {
            name: "gate".into(),
            form: GateForm::Door,
            cells: vec![at(side + 1, 1)],
            when: vec![Condition::LeverOn(PartId(0))],
        }],
        can_pull: true,
        ..PuzzleParts::default()
    };
    let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), parts).unwrap();
    let (start, goal) = (at(0, 0), at(side + 2, side - 1));
    Case { grid, puzzle, start, goal, clock: 0 }
}

/// With `WAYFARE_STATES=10000000` in a release build, the claim of the issue.
#[test]
fn states_take_16_bytes() {
    let wanted = std::env::var("WAYFARE_STATES").ok().and_then(|count| count.parse().ok());
    let states = wanted.unwrap_or(200_000u64);
    let case = yard(12, 5);
    let limits = PuzzleLimits { states, bytes: usize::MAX };
    let query = PuzzleQuery { limits, ..PuzzleQuery::new(&case.puzzle, case.start, case.goal) };
    let mut stats = None;
    let clock = std::time::Instant::now();
    let peak = allocation_counter::measure(|| {
        let answer = case.puzzle.solve(&query);
        assert_eq!(answer.outcome, PuzzleOutcome::Limit(PuzzleLimit::States));
        stats = Some(answer.stats);
    });
    let stats = stats.unwrap();
    assert!(stats.states >= states);
    let (counted, measured) = (stats.bytes as f64, peak.bytes_max as f64);
    let per_state = measured / stats.states as f64;
    println!("{stats:?} in {:?}: {per_state:.2} bytes a state at the peak", clock.elapsed());
    assert!(per_state <= 16.0, "{per_state} bytes a state");
    assert!((counted / measured - 1.0).abs() < 0.2, "counted {counted}, measured {measured}");
}

#[test]
fn limits_hold_and_areas_cut() {
    let case = yard(8, 3);
    let limits = PuzzleLimits { states: u64::MAX, bytes: 300_000 };
    let query = PuzzleQuery { limits, ..PuzzleQuery::new(&case.puzzle, case.start, case.goal) };
    let answer = case.puzzle.solve(&query);
    assert_eq!(answer.outcome, PuzzleOutcome::Limit(PuzzleLimit::Memory));
    assert!(answer.stats.bytes < 400_000, "{:?}", answer.stats);
    let area = GroundArea { x: 6, y: 0, width: u32::MAX, height: 3 };
    let part = PuzzleGround::new(&case.grid, Default::default(), Some(area));
    assert_eq!((part.len(), part.is_empty()), (5 * 3 - 2, false));
    let corner = case.grid.cell(6, 0).unwrap();
    assert_eq!(part.cell_near(Vec3::new(6.4, 0.0, 0.5)), Some(corner));
    assert_eq!(part.cell_near(Vec3::new(2.0, 0.0, 0.5)), None);
    assert_eq!(part.centre(corner), Some(case.grid.centre(corner)));
}
