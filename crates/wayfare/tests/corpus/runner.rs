//! One case through every engine.

use wayfare::hierarchy::{
    Hierarchy, HierarchyScratch, HierarchySettings, RouteOutcome, SectorSide,
};
use wayfare::index::{GridIndex, IndexScratch};
use wayfare::navigate::{FieldEngine, HierarchyEngine, IndexEngine, Navigator};
use wayfare::path::{Path, PathOf, validate, validate_any_angle};
use wayfare::plan::{ClassId, Planner, PlannerSettings, Request};
use wayfare::search::{
    AlgorithmId, AnswerOf, Auto, FieldQuery, FullSpace, Guarantee, NoPath, Options, Outcome,
    OutcomeOf, Progress, Query, Scratch, Search, distance_field, nearest_goal,
};
use wayfare::space::{Cell, Cost, GridSpace, MoveRules, Space, StateId};

use crate::file::{Case, Corpus};
use crate::oracle::oracle;

/// More expansions than any case needs. An excluded search must need more.
const MOST_EXPANSIONS: u64 = 20_000;

/// Start and goal of a query.
#[derive(Clone, Copy)]
pub(crate) struct Ends<State> {
    pub(crate) start: State,
    pub(crate) goal: State,
}

/// A case that is run.
pub(crate) struct Run<'c> {
    pub(crate) case: &'c Case,
    corpus: &'c Corpus,
    optimum: Option<u64>,
}

impl<'c> Run<'c> {
    pub(crate) fn new(corpus: &'c Corpus, case: &'c Case) -> Self {
        Self { case, corpus, optimum: case.optimum() }
    }

    fn excludes(&self, engine: &str) -> bool {
        let is_meant = |name: &String| *name == self.case.name;
        let mut excluded = self.corpus.excluded.iter().filter(|entry| entry.engine == engine);
        excluded.any(|entry| entry.cases.iter().any(is_meant))
    }

    fn judge_reason(&self, what: &str, reason: NoPath) {
        let reason = match reason {
            NoPath::DifferentIslands { .. } => "different-islands",
            NoPath::Start(_) => "start",
            NoPath::Goal(_) => "goal",
            NoPath::Exhausted | NoPath::Enclosed => "out-of-reach",
            other => panic!("{what}: {other}"),
        };
        assert_eq!(Some(reason), self.case.no_path.as_deref(), "{what}");
    }

    fn judge_path<S: FullSpace>(
        &self,
        what: &str,
        space: &S,
        ends: Ends<S::State>,
        path: &PathOf<S>,
        guarantee: Guarantee,
    ) {
        let Some(optimum) = self.optimum else { panic!("{what}: a path of {:?}", path.cost()) };
        let cost = path.cost().to_u64();
        if guarantee == Guarantee::AnyAngle {
            let verdict = validate_any_angle(space, path, ends.start, ends.goal);
            assert_eq!(verdict, Ok(()), "{what}");
            return;
        }
        assert_eq!(validate(space, path, ends.start, ends.goal), Ok(()), "{what}");
        assert!(cost >= optimum, "{what}: {cost} beats the optimum {optimum}");
        match guarantee {
            Guarantee::Optimal => assert_eq!(cost, optimum, "{what}"),
            Guarantee::Bounded => {
                let most = optimum as f64 * f64::from(Options::default().weight.get());
                assert!(cost as f64 <= most, "{what}: {cost} above {most}");
            }
            Guarantee::FewestMoves => assert_eq!(Some(path.len()), self.case.moves, "{what}"),
            _ => {}
        }
    }

    fn judge<S: FullSpace>(
        &self,
        what: &str,
        space: &S,
        ends: Ends<S::State>,
        outcome: &OutcomeOf<S>,
        guarantee: Guarantee,
    ) {
        match outcome {
            Outcome::Found(path) => self.judge_path(what, space, ends, path, guarantee),
            Outcome::Unreachable { reason, .. } => self.judge_reason(what, *reason),
            other => panic!("{what}: {other}"),
        }
    }
}

/// The fewest moves between two states, by breadth-first search over [`MoveRules`].
fn fewest_moves<S: MoveRules>(
    space: &S,
    states: &[S::State],
    ends: Ends<S::State>,
) -> Option<usize> {
    let (mut reached, mut moves) = (vec![ends.start], 0);
    let mut unseen: Vec<S::State> = states.iter().copied().filter(|&at| at != ends.start).collect();
    while !reached.contains(&ends.goal) {
        let joins = |to: &S::State| reached.iter().any(|&from| space.check_move(from, *to).is_ok());
        let (next, left) = unseen.into_iter().partition(joins);
        (reached, unseen, moves) = (next, left, moves + 1);
        if reached.is_empty() {
            return None;
        }
    }
    Some(moves)
}

/// Every engine that any space has.
pub(crate) fn on_space<S: FullSpace + Sync>(run: &Run<'_>, space: &S, ends: Ends<S::State>) {
    let name = &run.case.name;
    let states: Vec<S::State> = (0..space.state_bound() as u32)
        .map(S::State::from_index)
        .filter(|&state| space.check(state).is_ok())
        .collect();
    let is_free = space.check(ends.start).is_ok();
    let costs = if is_free { oracle(space, &states, ends.start) } else { Default::default() };
    let known = costs.get(&ends.goal.index()).copied();
    assert_eq!(known, run.optimum, "the cost of \"{name}\" in the file is not the oracle's");
    if is_free {
        let known = fewest_moves(space, &states, ends);
        assert_eq!(
            known, run.case.moves,
            "the moves of \"{name}\" in the file are not the oracle's"
        );
    }
    algorithms(run, space, ends);
    let engines =
        [("nearest", nearest as Engine<S>), ("navigator", navigator), ("planner", planner)];
    for (engine, answer) in engines {
        let what = format!("{engine} on \"{name}\"");
        run.judge(&what, space, ends, &answer(space, ends), Guarantee::Optimal);
    }
    fields(run, space, ends);
}

type Engine<S> = fn(&S, Ends<<S as Space>::State>) -> OutcomeOf<S>;

/// Every algorithm of the catalog, at once and in slices.
pub(crate) fn algorithms<S: FullSpace>(run: &Run<'_>, space: &S, ends: Ends<S::State>) {
    let mut scratch = Scratch::new();
    for &algorithm in AlgorithmId::ALL {
        let what = format!("{algorithm} on \"{}\"", run.case.name);
        let query = Query::new(ends.start, ends.goal).max_expansions(MOST_EXPANSIONS);
        let mut answer = |slice: u64| -> AnswerOf<S> {
            let mut search = algorithm.search(&Options::default(), query.clone());
            while search.step(space, &mut scratch, &mut (), slice) == Progress::Working {}
            search.answer(space, &mut scratch)
        };
        let whole = answer(u64::MAX);
        for slice in [1, 7] {
            assert_eq!(answer(slice), whole, "{what}, {slice} expansions at a time");
        }
        if run.excludes(algorithm.info().name) {
            let has_given_up = matches!(whole.outcome, Outcome::LimitReached { .. });
            assert!(has_given_up, "{what} is excluded, and answers");
        } else {
            run.judge(&what, space, ends, &whole.outcome, algorithm.info().guarantee);
        }
    }
}

fn nearest<S: FullSpace>(space: &S, ends: Ends<S::State>) -> OutcomeOf<S> {
    let nearest = nearest_goal(space, ends.start, &[ends.goal]);
    assert_eq!(nearest.goal, nearest.answer.outcome.is_found().then_some(0));
    nearest.answer.outcome
}

fn navigator<S: FullSpace>(space: &S, ends: Ends<S::State>) -> OutcomeOf<S> {
    let query = Query::new(ends.start, ends.goal);
    let mut scratch = Scratch::new();
    let searched = Navigator::new(space).ask(query.clone(), &mut scratch);
    let field = FieldEngine::new(space, ends.goal);
    let by_field = Navigator::new(space).with(&field).ask(query, &mut scratch);
    let cost = |outcome: &OutcomeOf<S>| outcome.path().map(Path::cost);
    assert_eq!(cost(&by_field.outcome), cost(&searched.outcome), "the navigator's field");
    searched.outcome
}

fn planner<S: FullSpace + Sync>(space: &S, ends: Ends<S::State>) -> OutcomeOf<S> {
    let mut planner = Planner::new(Auto, PlannerSettings::default());
    planner.request(Request::new(ClassId(0), Query::new(ends.start, ends.goal)));
    let mut answers = Vec::new();
    for _ in 0..MOST_EXPANSIONS {
        planner.tick_with(|_| space, 5, |_, answered| answers.push(answered.outcome));
        if !answers.is_empty() {
            break;
        }
    }
    answers.pop().expect("the planner answers")
}

/// Distance fields from the start and to the goal.
fn fields<S: FullSpace>(run: &Run<'_>, space: &S, ends: Ends<S::State>) {
    let queries = [
        ("an outward field", FieldQuery::outward([ends.start]), ends.start, ends.goal),
        ("an inward field", FieldQuery::inward([ends.goal]), ends.goal, ends.start),
    ];
    for (engine, query, source, other) in queries {
        let what = format!("{engine} on \"{}\"", run.case.name);
        let Ok(field) = distance_field(space, query) else {
            assert!(space.check(source).is_err(), "{what}: no field");
            continue;
        };
        assert_eq!(field.cost(other).map(Cost::to_u64), run.optimum, "{what}");
        if let Some(path) = field.path(space, other) {
            run.judge_path(&what, space, ends, &path, Guarantee::Optimal);
        }
    }
}

/// The engines that only grids have: index, hierarchy, and a navigator with each.
pub(crate) fn on_grid(run: &Run<'_>, space: &GridSpace<'_>, ends: Ends<Cell>) {
    let mut scratch = Scratch::new();
    let query = Query::new(ends.start, ends.goal);
    let what = |engine: &str| format!("{engine} on \"{}\"", run.case.name);
    let index = GridIndex::new(space);
    assert_eq!(index.is_err(), run.excludes("index"), "{}", what("index"));
    if let Ok(index) = index {
        let answer = index.of(space).unwrap().path(ends.start, ends.goal, &mut IndexScratch::new());
        run.judge(&what("index"), space, ends, &answer, Guarantee::Optimal);
        let engine = IndexEngine::new(space, index).unwrap();
        let answered = Navigator::new(*space).with(&engine).ask(query.clone(), &mut scratch);
        let what = what("navigator with an index");
        run.judge(&what, space, ends, &answered.outcome, Guarantee::Optimal);
    }
    let settings = HierarchySettings {
        sector_side: SectorSide::new(8).unwrap(),
        ..HierarchySettings::default()
    };
    let hierarchy = Hierarchy::build(space, settings);
    let mut memory = HierarchyScratch::new();
    match hierarchy.route(space, &mut memory, ends.start, ends.goal).unwrap() {
        RouteOutcome::Found(route) => {
            let path = route.refine_all(&hierarchy, space, &mut memory).unwrap();
            assert!(path.cost() <= route.cost(), "{}", what("hierarchy"));
            run.judge_path(&what("hierarchy"), space, ends, &path, Guarantee::None);
            let path = route.exact(&hierarchy, space, &mut memory).unwrap();
            run.judge_path(&what("exact hierarchy"), space, ends, &path, Guarantee::Optimal);
        }
        RouteOutcome::Unreachable(reason) => run.judge_reason(&what("hierarchy"), reason),
        RouteOutcome::LimitReached(limit) => panic!("{}: {limit}", what("hierarchy")),
    }
    let engine = HierarchyEngine::new(space, settings);
    let answered = Navigator::new(*space).with(&engine).ask(query, &mut scratch);
    let what = what("navigator with a hierarchy");
    run.judge(&what, space, ends, &answered.outcome, Guarantee::None);
}
