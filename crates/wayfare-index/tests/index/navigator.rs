//! The navigator: random grids, edits, engines and policies, against a search alone.

use proptest::prelude::*;
use wayfare_core::link::{Crossing, Gate, Keys, NavLink, NavLinks};
use wayfare_core::navigate::{
    Answered, Choice, Coverage, Engine, EngineId, FieldEngine, LandmarksEngine, Lead, LowerBound,
    Navigator, Offer, OverLinks, Policy, Question, QuestionOf, Reason, Refusal,
};
use wayfare_core::path::{Path, PathOf, validate};
use wayfare_core::search::{
    AStar, Algorithm, Dijkstra, FullSpace, Goal, Guarantee, Landmarks, Limit, Outcome, Progress,
    Query, Scratch, Search, solve,
};
use wayfare_core::space::{Revision, Space, StateId, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridSpace};
use wayfare_index::hierarchy::{HierarchySettings, SectorSide};
use wayfare_index::index::GridIndex;
use wayfare_index::{HierarchyEngine, IndexEngine};

use crate::grids::{any_grid, pick};

/// A prepared engine of a grid, and the revision that it knows.
struct Prepared {
    engine: Ready,
    knows: Revision,
    /// The cells that were edited since without its knowledge.
    untold: Vec<Cell>,
}

enum Ready {
    Index(Box<IndexEngine>),
    Hierarchy(Box<HierarchyEngine>),
    Field(Box<FieldEngine<Cell, u32>>),
    Landmarks(LandmarksEngine<Cell, u32>),
}

impl Prepared {
    fn new(space: &GridSpace<'_>, kind: u8, near: Cell) -> Option<Self> {
        let settings = HierarchySettings {
            sector_side: SectorSide::new(8).unwrap(),
            ..HierarchySettings::default()
        };
        let engine = match kind {
            0 => Ready::Index(Box::new(
                IndexEngine::new(space, GridIndex::new(space).ok()?).unwrap(),
            )),
            1 => Ready::Hierarchy(Box::new(HierarchyEngine::new(space, settings))),
            2 => Ready::Field(Box::new(FieldEngine::new(space, near))),
            _ => Ready::Landmarks(LandmarksEngine::new(space, near, 2).ok()?),
        };
        Some(Self { engine, knows: space.revision(), untold: Vec::new() })
    }

    fn as_engine<'g>(&self) -> &dyn Engine<GridSpace<'g>> {
        match &self.engine {
            Ready::Index(engine) => &**engine,
            Ready::Hierarchy(engine) => &**engine,
            Ready::Field(engine) => &**engine,
            Ready::Landmarks(engine) => engine,
        }
    }

    /// Tells the engine of all edits since it was told last. Those that cannot follow are prepared
    /// again if `renews`.
    fn follow(&mut self, space: &GridSpace<'_>, renews: bool) {
        let edited = &std::mem::take(&mut self.untold)[..];
        match &mut self.engine {
            Ready::Index(engine) => {
                engine.world_changed(space, edited);
                if space.is_uniform() {
                    self.knows = space.revision();
                }
            }
            Ready::Hierarchy(engine) => {
                engine.world_changed(space, edited);
                self.knows = space.revision();
            }
            Ready::Field(engine) if renews => {
                engine.renew(space);
                self.knows = space.revision();
            }
            Ready::Field(engine) => engine.world_changed(space, edited),
            Ready::Landmarks(engine) if renews => {
                if engine.renew(space).is_ok() {
                    self.knows = space.revision();
                }
            }
            Ready::Landmarks(engine) => engine.world_changed(space, edited),
        }
    }
}

/// Compares an answer with that of a search alone, within the guarantee that it claims.
fn check<S: FullSpace + Space<State = Cell, Cost = u32>>(
    space: &S,
    question: &Question<Cell, u32>,
    answered: &Answered<Cell, u32>,
) -> Result<(), TestCaseError> {
    let Goal::State(goal) = question.query.goal else { unreachable!("no other goal is asked for") };
    let start = question.query.start;
    let optimum = |from| solve(space, &Dijkstra, Query::new(from, goal)).outcome;
    let best = optimum(start);
    let took = answered.took;
    match &answered.outcome {
        Outcome::Found(path) => {
            let best = u64::from(best.path().expect("there is a path").cost());
            let end = path.end().unwrap();
            prop_assert_eq!(validate(space, path, start, end), Ok(()), "{:?}", took);
            let rest = match took.coverage {
                Coverage::Whole => {
                    prop_assert_eq!(end, goal);
                    0
                }
                Coverage::FirstLeg => optimum(end).path().expect("it goes on").cost().into(),
            };
            let cost = u64::from(path.cost()) + rest;
            match took.guarantee {
                Guarantee::Optimal => prop_assert_eq!(cost, best, "{:?}", took),
                Guarantee::Bounded => {
                    prop_assert_eq!(question.policy, Policy::FirstLeg);
                    let most = best as f64 * f64::from(took.loss_bound) * 1.000_001;
                    prop_assert!(cost as f64 <= most, "{} of {}: {:?}", cost, best, took);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
        Outcome::Unreachable { .. } => prop_assert!(!best.is_found(), "{:?}", took),
        Outcome::LimitReached { limit, .. } => {
            prop_assert_eq!(*limit, Limit::Expansions);
            let Policy::Within(units) = question.policy else {
                return Err(TestCaseError::fail("a limit that nobody set"));
            };
            prop_assert!(took.work >= units, "{:?}", took);
        }
        Outcome::Interrupted(why) => prop_assert!(false, "{}", why),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Engines that know the ground alone, asked where links lie over it.
    #[test]
    fn over_links_an_answer_is_that_of_a_search_alone(
        grid in any_grid(),
        kinds in prop::collection::vec(0u8..4, 1..5),
        near in any::<u32>(),
        doors in prop::collection::vec((any::<u32>(), any::<u32>(), 0u8..30, 0u8..3), 0..5),
        rounds in prop::collection::vec(
            (any_policy(), any::<(u32, bool, u32)>(), any::<(u8, bool)>(), 1u64..9),
            1..6,
        ),
    ) {
        let space = grid.space();
        let near = pick(&grid, near);
        let engines: Vec<Prepared> =
            kinds.iter().filter_map(|&kind| Prepared::new(&space, kind, near)).collect();
        let engines: Vec<OverLinks<'_, _>> =
            engines.iter().map(|prepared| OverLinks::new(prepared.as_engine())).collect();
        let mut links = NavLinks::new(1.0);
        let mut ids = Vec::new();
        for (from, to, tenths, lock) in doors {
            let crossing = Crossing::Seconds(f32::from(tenths) * 0.1);
            let door = NavLink::new(pick(&grid, from), pick(&grid, to), crossing);
            let door = if lock == 0 { door.locked(Keys(1)) } else { door };
            ids.extend(links.add(&space, door));
        }
        let mut scratch = Scratch::new();
        for (policy, (start, to_near, goal), (door, is_open), slice) in rounds {
            if let Some(&id) = ids.get(usize::from(door)) {
                links.set_gate(id, if is_open { Gate::Open } else { Gate::Closed });
                links.post_wait(id, f32::from(door));
            }
            let linked = links.over(space, if is_open { Keys(1) } else { Keys::NONE });
            let goal = if to_near { near } else { pick(&grid, goal) };
            let question = Question::from(Query::new(pick(&grid, start), goal)).policy(policy);
            let navigator =
                engines.iter().fold(Navigator::new(linked), |navigator, engine| navigator.with(engine));
            let answered = navigator.ask(question.clone(), &mut scratch);
            check(&linked, &question, &answered)?;
            if let Some(path) = answered.outcome.path() {
                prop_assert!(!path.is_stale(&linked));
            }
            let mut inquiry = navigator.begin(question.clone());
            while inquiry.step(&linked, &mut scratch, &mut (), slice) == Progress::Working {}
            check(&linked, &question, &inquiry.answer(&linked, &mut scratch))?;
        }
    }
}

fn any_policy() -> impl Strategy<Value = Policy> {
    prop_oneof![Just(Policy::Exact), Just(Policy::FirstLeg), (0u64..40).prop_map(Policy::Within)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]
    #[test]
    fn an_answer_is_that_of_a_search_alone(
        grid in any_grid(),
        kinds in prop::collection::vec(0u8..4, 0..6),
        near in any::<u32>(),
        rounds in prop::collection::vec(
            (
                prop::collection::vec((any::<u32>(), 0u8..6), 0..4), // an edit
                any::<(u8, bool)>(),                                 // who follows it
                any_policy(),
                (any::<u32>(), any::<bool>(), any::<u32>()),
                1u64..9,
            ),
            1..5,
        ),
    ) {
        let mut grid = grid;
        let near = pick(&grid, near);
        let mut engines: Vec<Prepared> =
            kinds.iter().filter_map(|&kind| Prepared::new(&grid.space(), kind, near)).collect();
        let mut scratch = Scratch::new();
        for (edit, (followers, renews), policy, (start, to_near, goal), slice) in rounds {
            let edit: Vec<(Cell, TerrainId)> = edit
                .into_iter()
                .map(|(at, terrain)| (pick(&grid, at), TerrainId(if terrain > 3 { 255 } else { terrain })))
                .collect();
            grid.set_terrains(edit.iter().copied());
            let space = grid.space();
            let edited: Vec<Cell> = edit.iter().map(|&(cell, _)| cell).collect();
            for (number, prepared) in engines.iter_mut().enumerate() {
                prepared.untold.extend_from_slice(&edited);
                if followers >> (number % 8) & 1 == 0 {
                    prepared.follow(&space, renews);
                }
            }
            let goal = if to_near { near } else { pick(&grid, goal) };
            let question = Question::from(Query::new(pick(&grid, start), goal)).policy(policy);
            let navigator = engines.iter().fold(Navigator::new(space), |navigator, prepared| {
                navigator.with(prepared.as_engine())
            });
            let choices: Vec<_> = navigator.choices(&question).collect();
            prop_assert_eq!(choices.len(), engines.len() + 2);
            for (choice, prepared) in choices[1..].iter().zip(&engines) {
                let stale = prepared.knows != space.revision();
                prop_assert!(!stale || choice.offer.is_err(), "{:?} is stale", choice);
                let claims_stale = choice.offer == Err(Refusal::Stale);
                prop_assert!(stale || !claims_stale, "{:?} is not stale", choice);
            }
            let offers: Vec<_> = choices.iter().filter(|choice| choice.offer.is_ok()).collect();

            let answered = navigator.ask(question.clone(), &mut scratch);
            let answers = |choice: &&&Choice| choice.engine == answered.took.engine;
            let first = offers.iter().find(answers).unwrap();
            // After an edit an index may turn out to have no answer.
            let mut declined = offers.iter().take_while(|choice| !answers(choice));
            prop_assert!(declined.all(|choice| choice.engine == EngineId::Index));
            prop_assert_eq!(answered.took.reason, first.offer.unwrap().reason);
            prop_assert_eq!(answered.took.guarantee, first.offer.unwrap().guarantee);
            check(&space, &question, &answered)?;

            let mut inquiry = navigator.begin(question.clone());
            while inquiry.step(&space, &mut scratch, &mut (), slice) == Progress::Working {}
            let sliced = inquiry.answer(&space, &mut scratch);
            check(&space, &question, &sliced)?;
            prop_assert_eq!(sliced.took.engine, answered.took.engine);
            if !matches!(policy, Policy::Within(_)) {
                prop_assert_eq!(sliced, answered);
            }
        }
    }
}

/// A question that was begun with landmarks, whose search starts after an edit that opens a
/// shorter way.
#[test]
fn a_bound_from_before_an_edit_leads_nobody() {
    let mut grid = Grid::from_rows(&["..#..", "..#..", "..#..", "....."]).unwrap();
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    let (start, goal) = (at(&grid, 0, 0), at(&grid, 4, 0));
    let engine = LandmarksEngine::new(&grid.space(), start, 2).unwrap();
    let navigator = Navigator::new(grid.space()).with(&engine);
    let mut inquiry = navigator.begin(Query::new(start, goal));
    assert_eq!(inquiry.took().engine, EngineId::Landmarks);
    assert_eq!(inquiry.took().reason, Reason::BoundsAreKnown);
    grid.set_terrain(at(&grid, 2, 0), TerrainId::GROUND);
    let (space, mut scratch) = (grid.space(), Scratch::new());
    while inquiry.step(&space, &mut scratch, &mut (), 1) == Progress::Working {}
    let cost = inquiry.answer(&space, &mut scratch).outcome.path().map(Path::cost);
    let best = solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
    assert_eq!(cost, best.path().map(Path::cost));
    let choice =
        Navigator::new(space).with(&engine).choices(&Query::new(start, goal).into()).nth(1);
    assert_eq!(choice.unwrap().offer, Err(Refusal::Stale));
}

/// A search led by landmarks was carried across an edit that it had not reached, with open states
/// whose estimates were of the world before: it found the longer way.
#[test]
fn a_search_led_by_landmarks_does_not_outlive_an_edit() {
    let rows = [
        "...............",
        ".#############.",
        "...............",
        ".###########...",
        "...............",
    ];
    for x in 1..14 {
        let mut grid = Grid::from_rows(&rows).unwrap();
        let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
        let (start, goal) = (at(&grid, 7, 2), at(&grid, 7, 0));
        let landmarks = Landmarks::new(&grid.space(), start, 2).unwrap();
        let mut search = AStar::with(&landmarks).search(Query::new(start, goal));
        let mut scratch = Scratch::new();
        let _ = search.step(&grid.space(), &mut scratch, &mut (), 1);
        let gap = at(&grid, x, 1);
        grid.set_terrain(gap, TerrainId::GROUND);
        let space = grid.space();
        if !search.adopt(&space, &mut scratch, &[gap]) {
            search = AStar::with(&landmarks).search(Query::new(start, goal));
        }
        let found = search.finish(&space, &mut scratch, &mut ()).outcome;
        let best = solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
        assert_eq!(found.path().map(Path::cost), best.path().map(Path::cost), "gap at {x}");
    }
}

/// Lends a bound that is exact, and remembers nothing else.
#[derive(Debug)]
struct Exact(std::sync::Arc<Table>, Revision);

#[derive(Debug)]
struct Table(Vec<u32>);

impl LowerBound<Cell, u32> for Table {
    fn least(&self, from: Cell, _to: Cell) -> u32 {
        self.0[from.index() as usize]
    }
}

impl<'g> Engine<GridSpace<'g>> for Exact {
    fn id(&self) -> EngineId {
        EngineId::Custom(1)
    }

    fn offer(&self, _: &GridSpace<'g>, question: &Question<Cell, u32>) -> Result<Offer, Refusal> {
        question.plain_goal()?;
        Ok(Offer {
            reason: Reason::BoundsAreKnown,
            guarantee: Guarantee::Optimal,
            coverage: Coverage::Whole,
        })
    }

    fn answer(
        &self,
        _: &GridSpace<'g>,
        _: &QuestionOf<GridSpace<'g>>,
        _: PathOf<GridSpace<'g>>,
    ) -> Option<Answered<Cell, u32>> {
        None
    }

    fn lead(&self, _: &GridSpace<'g>, _: &QuestionOf<GridSpace<'g>>) -> Option<Lead<Cell, u32>> {
        Some(Lead::new(self.0.clone(), self.1))
    }

    fn world_changed(&mut self, _: &GridSpace<'g>, _: &[Cell]) {}
}

#[test]
fn an_engine_of_ones_own_leads_a_search() {
    let grid = Grid::from_rows(&["......", "####..", "......"]).unwrap();
    let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
    let (start, goal) = (at(0, 0), at(0, 2));
    let cost = |cell| solve(&space, &Dijkstra, Query::new(cell, goal)).outcome;
    let mut costs = vec![0; space.state_bound()];
    for cell in grid.cells() {
        costs[cell.index() as usize] = cost(cell).path().map_or(0, Path::cost);
    }
    let engine = Exact(std::sync::Arc::new(Table(costs)), space.revision());
    let navigator = Navigator::new(space).with(&engine);
    let mut scratch = Scratch::new();
    let led = navigator.ask(Query::new(start, goal), &mut scratch);
    assert_eq!(led.took.engine, EngineId::Custom(1));
    let path = led.outcome.path().unwrap();
    assert_eq!(led.took.work, path.len() as u64, "it expands the path and nothing beside it");
    // A planner, which searches by its own algorithm, is not kept from doing so.
    assert!(navigator.ask_engines(&Query::new(start, goal).into(), Path::default).is_none());
}

#[test]
fn every_engine_is_asked() {
    let grid = Grid::from_rows(&["..."]).unwrap();
    let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space()).unwrap()).unwrap();
    let mut navigator = Navigator::new(grid.space());
    for _ in 0..20 {
        navigator = navigator.with(&index);
    }
    let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 0).unwrap());
    let question = query.into();
    let asked = navigator.choices(&question).filter(|choice| choice.offer.is_ok());
    assert_eq!(asked.count(), 21);
}

/// Offers to answer, and never does.
#[derive(Debug)]
struct Declines;

impl<S: Space> Engine<S> for Declines {
    fn id(&self) -> EngineId {
        EngineId::Custom(7)
    }

    fn offer(&self, _: &S, _: &QuestionOf<S>) -> Result<Offer, Refusal> {
        Ok(Offer {
            reason: Reason::Prepared,
            guarantee: Guarantee::Optimal,
            coverage: Coverage::Whole,
        })
    }

    fn answer(
        &self,
        _: &S,
        _: &QuestionOf<S>,
        _: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        None
    }

    fn world_changed(&mut self, _: &S, _: &[S::State]) {}
}

#[test]
fn the_next_engine_is_asked_where_one_declines() {
    let grid = Grid::from_rows(&["..."]).unwrap();
    let space = grid.space();
    let index = IndexEngine::new(&space, GridIndex::new(&space).unwrap()).unwrap();
    let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 0).unwrap());
    let navigator = Navigator::new(space).with(&Declines).with(&index);
    let answered = navigator.ask(query.clone(), &mut Scratch::new());
    assert_eq!(answered.took.engine, EngineId::Index);
    let at_once = navigator.ask_engines(&query.clone().into(), Path::default);
    assert_eq!(at_once.map(|answered| answered.took.engine), Some(EngineId::Index));
    let navigator = Navigator::new(space).with(&Declines);
    assert_eq!(navigator.ask(query, &mut Scratch::new()).took.engine, EngineId::Search);
}
