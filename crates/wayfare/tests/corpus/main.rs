//! Every engine on every case of `testdata/cases.toml`.
//!
//! With wide costs only the algorithms run: compiling all engines once more for each space takes
//! half a minute, and they are built of the same searches.

mod file;
#[path = "../../../wayfare-core/tests/common/oracle.rs"]
mod oracle;
mod runner;

use std::panic::{AssertUnwindSafe, catch_unwind};

use file::{Corpus, World};
use runner::{Ends, Run, algorithms, on_grid, on_space};
use wayfare::space::{ProfileId, StateId};

fn corpus() -> Corpus {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cases.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs the cases of one kind, and asserts that there are some.
fn run_cases(kind: &str, least: usize, run: impl Fn(&Run<'_>)) {
    let corpus = corpus();
    let cases: Vec<_> = corpus.case.iter().filter(|case| case.kind() == kind).collect();
    assert!(cases.len() >= least, "only {} cases of {kind}", cases.len());
    // All cases run, so that one run lists all that fail.
    let mut failed = Vec::new();
    for case in cases {
        let case_of = Run::new(&corpus, case);
        if catch_unwind(AssertUnwindSafe(|| run(&case_of))).is_err() {
            failed.push(&case.name);
        }
    }
    assert!(failed.is_empty(), "failed: {failed:?}");
}

#[test]
fn the_corpus_is_in_order() {
    let corpus = corpus();
    for (number, case) in corpus.case.iter().enumerate() {
        let is_new = corpus.case[..number].iter().all(|other| other.name != case.name);
        assert!(is_new, "two cases are named \"{}\"", case.name);
        let is_solved = case.cost.is_some() && case.moves.is_some();
        assert!(is_solved != case.no_path.is_some(), "\"{}\" needs cost and moves", case.name);
    }
    for exclusion in &corpus.excluded {
        assert!(!exclusion.reason.is_empty() && !exclusion.cases.is_empty());
        for name in &exclusion.cases {
            let is_known = corpus.case.iter().any(|case| case.name == *name);
            assert!(is_known, "there is no case \"{name}\"");
        }
    }
}

#[test]
fn grids() {
    run_cases("grid", 20, |run| {
        let World::Grid(grid, ends) = run.case.world() else { return };
        on_space(run, &grid.space(), ends);
        on_grid(run, &grid.space(), ends);
        algorithms(run, &grid.space_for::<u64>(ProfileId::default()), ends);
        // The same profile as the second one of its grid.
        let (second, profile) = run.case.second_profile();
        on_space(run, &second.space_for::<u32>(profile), ends);
        on_grid(run, &second.space_for::<u32>(profile), ends);
    });
}

#[test]
fn links() {
    run_cases("links", 10, |run| {
        let World::Grid(grid, ends) = run.case.world() else { return };
        let (links, keys) = run.case.links(&grid.space());
        on_space(run, &links.over(grid.space(), keys), ends);
    });
}

#[test]
fn waypoints() {
    run_cases("waypoints", 5, |run| {
        let World::Waypoints(graph, ends) = run.case.world() else { return };
        on_space(run, &*graph, ends);
    });
}

#[test]
fn voxels() {
    run_cases("voxels", 10, |run| {
        let World::Voxels(world, ends) = run.case.world() else { return };
        on_space(run, &world.space(), ends);
        algorithms(run, &world.space_for::<u64>(ProfileId::default()), ends);
    });
}

#[test]
fn meshes() {
    run_cases("mesh", 6, |run| {
        let World::Mesh(mesh, profile, ends) = run.case.world() else { return };
        on_space(run, &mesh.space_of(profile), ends);
        run.case.judge_lines(&mesh.space_of(profile));
    });
}

/// Ends of a world by their indices.
fn ends<State: StateId>(start: State, goal: State) -> Ends<State> {
    Ends { start, goal }
}
