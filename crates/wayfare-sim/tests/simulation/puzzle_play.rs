//! Puzzles in simulations: agents carry plans out, under the audit, and after a save and resume.

use std::sync::Arc;

use wayfare_core::link::{Crossing, Gate, Keys, LinkId, NavLink, NavLinks};
use wayfare_core::space::STRAIGHT;
use wayfare_grid::grid::{Cell, Grid};
use wayfare_puzzle::{
    Condition, GateForm, Lever, PartId, Plate, Platform, PlatformPlace, Puzzle, PuzzleCrate,
    PuzzleGate, PuzzleGround, PuzzleParts, Timetable,
};
use wayfare_sim::agent::{AgentId, AgentLimits, Behaviour, Order, Who};
use wayfare_sim::simulation::{
    AgentSpec, Audit, Command, CommandFault, Event, LinkWait, PuzzleId, PuzzlePhase, PuzzleSpec,
    Simulation, SimulationSettings, SnapshotOf,
};

const ONE: PartId = PartId(0);

/// A hall with a crate, a heavy door that needs it, and a platform behind a lever.
fn hall() -> Grid {
    Grid::from_rows(&["......#....#...", "...........#...", "......#....#..."]).unwrap()
}

fn puzzle(grid: &Grid) -> Arc<Puzzle> {
    let at = |x, y| grid.cell(x, y).unwrap();
    let parts = PuzzleParts {
        levers: vec![Lever { name: "lever".into(), at: at(9, 0), is_on: false }],
        plates: vec![Plate { name: "plate".into(), at: at(4, 2) }],
        crates: vec![PuzzleCrate { name: "crate".into(), at: at(2, 1) }],
        gates: vec![PuzzleGate {
            name: "door".into(),
            form: GateForm::HeavyDoor,
            cells: vec![at(6, 1)],
            when: vec![Condition::Loaded(ONE)],
        }],
        platforms: vec![Platform {
            name: "platform".into(),
            low: at(10, 1),
            high: at(12, 1),
            cost: 10_000,
            up: vec![Condition::LeverOn(ONE)],
            timetable: None,
        }],
        can_pull: true,
        ..PuzzleParts::default()
    };
    Arc::new(Puzzle::new(PuzzleGround::new(grid, Default::default(), None), parts).unwrap())
}

fn links(grid: &Grid) -> NavLinks<Cell> {
    let at = |x| grid.cell(x, 1).unwrap();
    let mut links = NavLinks::new(3.0);
    for (from, to) in [(10, 12), (12, 10)] {
        let link = NavLink::new(at(from), at(to), Crossing::Seconds(1.0)).one_way();
        links.add(&grid.space(), link.gate(Gate::Closed)).unwrap();
    }
    links
}

fn spec(grid: &Grid) -> PuzzleSpec {
    let at = |x, y| grid.cell(x, y).unwrap();
    PuzzleSpec {
        agent: Some(AgentId(0)),
        lifts: vec![[LinkId(0), LinkId(1)]],
        onward: vec![grid.centre(at(14, 0))],
        ..PuzzleSpec::new(puzzle(grid), at(0, 1), at(14, 1))
    }
}

fn simulation() -> Simulation<Grid> {
    let grid = hall();
    let puzzle = spec(&grid);
    played(grid, puzzle)
}

/// Ann solves a puzzle of the hall, and Bob follows her.
fn played(grid: Grid, puzzle: PuzzleSpec) -> Simulation<Grid> {
    let place = |x, y| grid.centre(grid.cell(x, y).unwrap());
    let (ann, bob) = (place(0, 0), place(0, 2));
    let links = links(&grid);
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    simulation.add_agent(AgentSpec::new("Ann", class, ann)).unwrap();
    let (who, distance) = (Who::Agent(AgentId(0)), 1.5);
    let bob = AgentSpec::new("Bob", class, bob).behaviour(Behaviour::Follow { who, distance });
    simulation.add_agent(bob).unwrap();
    simulation.add_puzzle(puzzle);
    simulation
}

#[test]
fn an_agent_opens_the_way_and_another_follows() {
    let (mut simulation, mut audit) = (simulation(), Audit::new());
    let mut phases = Vec::new();
    for _ in 0..1200 {
        simulation.tick();
        audit.check(&simulation).unwrap();
        let view = simulation.puzzles().next().unwrap();
        if phases.last() != Some(&view.phase) {
            phases.push(view.phase);
        }
    }
    assert_eq!(phases.last(), Some(&PuzzlePhase::Solved), "{phases:?}");
    assert!(phases.contains(&PuzzlePhase::Coming) && phases.contains(&PuzzlePhase::Walking));
    let state = simulation.puzzles().next().unwrap().state.clone();
    assert_eq!((state.levers, state.keys.len()), (vec![true], 0));
    for name in ["Ann", "Bob"] {
        let agent = simulation.agent(simulation.find(name).unwrap()).unwrap();
        assert!(agent.position().x > 12.5, "{name} is at {}", agent.position());
    }
}

#[test]
fn a_puzzle_goes_on_after_a_save_and_resume() {
    let mut whole = simulation();
    let mut hashes = Vec::new();
    let mut saved: Vec<(usize, String)> = Vec::new();
    for tick in 0..700 {
        if tick % 90 == 35 {
            saved.push((tick, serde_json::to_string(&whole.save()).unwrap()));
        }
        whole.tick();
        hashes.push(whole.hash());
    }
    assert_eq!(whole.puzzles().next().unwrap().phase, PuzzlePhase::Solved);
    for (tick, text) in saved {
        let snapshot: SnapshotOf<Grid> = serde_json::from_str(&text).unwrap();
        let grid = hall();
        let restored = Simulation::restore(grid.clone(), links(&grid), snapshot.clone()).unwrap();
        // Without its puzzle, or with another, it is not the same simulation.
        assert!(restored.with_puzzles(Vec::new()).is_none());
        let restored = Simulation::restore(grid.clone(), links(&grid), snapshot).unwrap();
        let mut restored = restored.with_puzzles(vec![spec(&grid)]).unwrap();
        for (number, hash) in hashes.iter().enumerate().skip(tick) {
            restored.tick();
            assert_eq!(restored.hash(), *hash, "tick {number}, saved at {tick}");
        }
    }
    // The state of the parts is in the hash.
    let mut other = simulation();
    let same = simulation().hash();
    assert_eq!(other.hash(), same);
    other.add_puzzle(spec(&hall()));
    assert_ne!(other.hash(), same);
}

/// The hall with a ferry for a platform: it leaves every ten seconds, and comes back after five.
fn ferry() -> Simulation<Grid> {
    let grid = hall();
    let mut spec = spec(&grid);
    let mut parts = spec.puzzle.parts().clone();
    let timetable =
        Timetable { period: 20 * STRAIGHT, up_at: 3 * STRAIGHT, down_at: 13 * STRAIGHT };
    parts.platforms[0].timetable = Some(timetable);
    parts.platforms[0].cost = 2 * STRAIGHT;
    spec.puzzle = Arc::new(Puzzle::new(spec.puzzle.ground().clone(), parts).unwrap());
    played(grid, spec)
}

#[test]
fn agents_wait_at_the_edge_until_the_ferry_leaves() {
    let (mut simulation, mut audit) = (ferry(), Audit::new());
    let (mut boarded, mut waited) = (Vec::new(), 0);
    for tick in 0..2400u64 {
        let entered: Vec<AgentId> = simulation
            .tick()
            .events
            .iter()
            .filter_map(|event| match event {
                Event::Entered(agent, _) => Some(*agent),
                _ => None,
            })
            .collect();
        audit.check(&simulation).unwrap();
        for agent in entered {
            boarded.push((agent, tick));
            // It has just left: 3 steps after the beginning of a period, at 2 steps a second.
            let view = simulation.puzzles().next().unwrap();
            assert_eq!(view.platform(ONE), Some(PlatformPlace::Moving));
            let since = view.clock % u64::from(20 * STRAIGHT);
            assert!(since.abs_diff(u64::from(3 * STRAIGHT)) < u64::from(STRAIGHT), "{since}");
        }
        let away = |agent| simulation.agent(AgentId(agent)).unwrap().link_wait();
        waited += usize::from(away(0) == Some(LinkWait::Away));
    }
    assert_eq!(simulation.puzzles().next().unwrap().phase, PuzzlePhase::Solved);
    assert!(waited > 10, "{waited}");
    // Bob takes the next one.
    let times: Vec<u64> = boarded.iter().map(|(_, tick)| *tick).collect();
    assert_eq!(boarded.iter().map(|(agent, _)| agent.0).collect::<Vec<_>>(), [0, 1]);
    let period = (10.0 / SimulationSettings::default().tick_seconds).round() as u64;
    assert_eq!((times[1] - times[0]) % period, 0, "{times:?}");
    for name in ["Ann", "Bob"] {
        let agent = simulation.agent(simulation.find(name).unwrap()).unwrap();
        assert!(agent.position().x > 12.5, "{name} is at {}", agent.position());
    }
}

#[test]
fn a_ferry_goes_on_after_a_save_and_resume() {
    let mut whole = ferry();
    let spec = whole.puzzles().next().unwrap().spec.clone();
    let (mut hashes, mut saved) = (Vec::new(), Vec::new());
    for tick in 0..900 {
        if tick % 150 == 35 {
            saved.push((tick, serde_json::to_string(&whole.save()).unwrap()));
        }
        whole.tick();
        hashes.push(whole.hash());
    }
    for (tick, text) in saved {
        let snapshot: SnapshotOf<Grid> = serde_json::from_str(&text).unwrap();
        let grid = hall();
        let restored = Simulation::restore(grid.clone(), links(&grid), snapshot).unwrap();
        let mut restored = restored.with_puzzles(vec![spec.clone()]).unwrap();
        for (number, hash) in hashes.iter().enumerate().skip(tick) {
            restored.tick();
            assert_eq!(restored.hash(), *hash, "tick {number}, saved at {tick}");
        }
    }
}

/// With little work a tick, the search for a plan takes many; a run that was saved in between is
/// the same.
#[test]
fn planning_takes_a_share_of_each_tick() {
    let grid = hall();
    let mut whole = simulation();
    whole.set_work_per_tick(10);
    let (mut hashes, mut saved, mut planning) = (Vec::new(), Vec::new(), 0);
    for tick in 0..1500 {
        let phase = whole.puzzles().next().unwrap().phase;
        if phase == PuzzlePhase::Planning {
            planning += 1;
            if planning % 7 == 3 && saved.len() < 4 {
                saved.push((tick, whole.save()));
            }
        }
        whole.tick();
        hashes.push(whole.hash());
    }
    assert!(planning > 15 && saved.len() > 1, "{planning} ticks");
    assert_eq!(whole.puzzles().next().unwrap().phase, PuzzlePhase::Solved);
    for (tick, snapshot) in saved {
        let restored = Simulation::restore(grid.clone(), links(&grid), snapshot).unwrap();
        let mut restored = restored.with_puzzles(vec![spec(&grid)]).unwrap();
        for (number, hash) in hashes.iter().enumerate().skip(tick).take(200) {
            restored.tick();
            assert_eq!(restored.hash(), *hash, "tick {number}, saved at {tick}");
        }
    }
}

/// The hall with another version of its puzzle: the crate begins elsewhere, and the lever is on.
fn two_versions(grid: &Grid) -> PuzzleSpec {
    let at = |x, y| grid.cell(x, y).unwrap();
    let first = spec(grid);
    let mut parts = first.puzzle.parts().clone();
    parts.crates[0].at = at(3, 2);
    parts.levers[0].is_on = true;
    let puzzle = Puzzle::new(first.puzzle.ground().clone(), parts).unwrap();
    let second = PuzzleSpec { puzzle: Arc::new(puzzle), ..first.clone() };
    PuzzleSpec { later: vec![second], ..first }
}

/// Replaces the puzzle of the hall in the midst of it, and once more when it is solved.
#[test]
fn a_puzzle_is_replaced_under_its_agents() {
    let grid = hall();
    let entry = grid.centre(grid.cell(0, 1).unwrap());
    let (puzzle, version) = (PuzzleId(0), 1);
    let scheduled = || {
        let mut simulation = played(hall(), two_versions(&grid));
        for (tick, version) in [(150, version), (900, 0)] {
            simulation.schedule(tick, Command::ReplacePuzzle { puzzle, version, entry });
        }
        simulation
    };
    let (mut whole, mut audit) = (scheduled(), Audit::new());
    let (mut displaced, mut hashes, mut saved) = (Vec::new(), Vec::new(), Vec::new());
    for tick in 0..2000u64 {
        if [100, 150, 151, 400, 1000].contains(&tick) {
            saved.push((tick, whole.save()));
        }
        for event in &whole.tick().events {
            assert!(!matches!(event, Event::Failed(_)), "{event:?}");
            if let Event::Warped(agent) = event {
                displaced.push((tick, agent.0));
            }
        }
        audit.check(&whole).unwrap();
        hashes.push(whole.hash());
        let view = whole.puzzles().next().unwrap();
        match tick {
            150 => assert_eq!(view.state.crates, [grid.cell(3, 2)]),
            899 | 1999 => assert_eq!(view.phase, PuzzlePhase::Solved),
            900 => assert_eq!(view.state.crates, [grid.cell(2, 1)]),
            _ => {}
        }
    }
    // Those that were through begin again, too.
    assert_eq!(displaced, [(150, 0), (150, 1), (900, 0), (900, 1)]);
    for (tick, snapshot) in saved {
        let restored = Simulation::restore(grid.clone(), links(&grid), snapshot).unwrap();
        let specs = whole.puzzle_specs().cloned().collect();
        let mut restored = restored.with_puzzles(specs).unwrap();
        for (number, hash) in hashes.iter().enumerate().skip(tick as usize) {
            restored.tick();
            assert_eq!(restored.hash(), *hash, "tick {number}, saved at {tick}");
        }
    }
    // A version that is not there is refused.
    let version = 2;
    whole.schedule(whole.now(), Command::ReplacePuzzle { puzzle, version, entry });
    let fault = CommandFault::NoSuchPuzzle { puzzle, version };
    assert!(whole.tick().events.contains(&Event::Failed(fault)));
}

#[test]
fn agents_are_put_elsewhere_and_go_on_from_there() {
    let grid = hall();
    let to = grid.centre(grid.cell(5, 2).unwrap());
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), Default::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let begin = simulation.world().centre(simulation.world().cell(0, 0).unwrap());
    let ann = simulation.add_agent(AgentSpec::new("Ann", class, begin)).unwrap();
    let mut audit = Audit::new();
    for tick in 0..40 {
        if tick == 20 {
            simulation.schedule(20, Command::Warp { agent: ann, to });
            simulation.schedule(20, Command::Warp { agent: AgentId(7), to });
        }
        let events = simulation.tick().events.clone();
        audit.check(&simulation).unwrap();
        if tick == 20 {
            assert!(events.contains(&Event::Warped(ann)));
            let fault = CommandFault::NoSuchAgent(AgentId(7));
            assert!(events.contains(&Event::Failed(fault)));
            assert!(simulation.agent(ann).unwrap().position().distance(to) < 0.5);
        }
    }
}

/// Whoever stands where a crate has to go leaves, and takes up its orders again.
#[test]
fn bystanders_give_way_to_deeds() {
    for (x, y, order) in [(4, 2, None), (3, 1, None), (4, 2, Some((5, 0)))] {
        let grid = hall();
        let place = |x, y| grid.centre(grid.cell(x, y).unwrap());
        let (ann, puzzle) = (place(0, 0), spec(&grid));
        let mut simulation =
            Simulation::new(grid.clone(), links(&grid), SimulationSettings::default()).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        simulation.add_agent(AgentSpec::new("Ann", class, ann)).unwrap();
        // So slow that Ann is there before he is gone.
        let max_speed = if order.is_some() { 0.05 } else { 1.0 };
        let limits = AgentLimits { max_speed, ..AgentLimits::default() };
        let bob = AgentSpec::new("Bob", class, place(x, y)).limits(limits);
        let bob = simulation.add_agent(bob).unwrap();
        if let Some((x, y)) = order {
            simulation.order(bob, Order::GoTo(place(x, y)));
        }
        simulation.add_puzzle(puzzle);
        let mut audit = Audit::new();
        for _ in 0..2400 {
            simulation.tick();
            audit.check(&simulation).unwrap();
        }
        let view = simulation.puzzles().next().unwrap();
        assert_eq!(view.phase, PuzzlePhase::Solved, "Bob at {x},{y}");
        if let Some((x, y)) = order {
            let at = simulation.agent(bob).unwrap().position();
            assert!(at.distance(place(x, y)) < 0.5, "{at}");
        }
    }
}

#[test]
fn a_puzzle_without_a_plan_says_why() {
    let grid = hall();
    let mut puzzle = spec(&grid);
    let mut parts = puzzle.puzzle.parts().clone();
    parts.plates[0].at = grid.cell(8, 2).unwrap();
    puzzle.puzzle = Arc::new(Puzzle::new(puzzle.puzzle.ground().clone(), parts).unwrap());
    let mut simulation = played(grid, puzzle);
    for _ in 0..300 {
        simulation.tick();
    }
    let view = simulation.puzzles().next().unwrap();
    let told = view.unsolved.map(ToString::to_string);
    let right = "door stays shut: no crate can be brought to its plate, plate";
    assert_eq!((view.phase, told.as_deref()), (PuzzlePhase::Hopeless, Some(right)));
    let saved = simulation.save();
    let restored = Simulation::restore(hall(), links(&hall()), saved).unwrap();
    let specs = simulation.puzzle_specs().cloned().collect();
    let restored = restored.with_puzzles(specs).unwrap();
    assert_eq!(restored.puzzles().next().unwrap().unsolved, view.unsolved);
}
