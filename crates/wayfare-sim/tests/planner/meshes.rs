//! On navigation meshes, where an engine makes the searches: they are sliced like all others.

use crate::mesh_fields::{Field, fields, locate, places};
use proptest::prelude::*;
use wayfare_core::link::{Crossing, Keys, LinkPoints, LinkedSpace, NavLink, NavLinks};
use wayfare_core::navigate::work::of_reading;
use wayfare_core::navigate::{
    Answered, End, Engine, EngineGround, EngineId, EngineSearch, EngineStep, Navigator, Offer,
    OverLinks, Policy, Question, Refusal,
};
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Limit, Outcome, Progress, Query, Scratch};
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_mesh::MeshEngine;
use wayfare_mesh::navmesh::{
    CarvedGround, Carving, LiveMesh, MeshDraft, MeshPoint, NavMesh, NavMeshSpace, PolygonId, Prism,
};
use wayfare_mesh::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_sim::plan::{ClassId, Planner, PlannerSettings, Request, RequestPoints, Standing};

type Own = Planner<PolygonId, u64, AStar>;

/// What an expansion may generate on these meshes, and so the most by which a slice exceeds what it
/// was allotted, in units.
const PIECE: u64 = 20;

const ONLY: ClassId = ClassId(0);

/// A field of scattered pillars, with hundreds of corners to turn at.
fn pillars(side: u32) -> NavMesh {
    scattered(side, 30)
}

/// A field where that many cells of 97 are pillars.
fn scattered(side: u32, share: u32) -> NavMesh {
    let is_pillar = |x: u32, y: u32| {
        let drawn = (x * 7919 + y * 104_729 + x * y * 31) % 97;
        drawn < share && x + y > 1 && x + y < 2 * side - 3
    };
    let row = |y: u32| (0..side).map(|x| if is_pillar(x, y) { '#' } else { '.' }).collect();
    let rows: Vec<String> = (0..side).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

fn between(start: MeshPoint, goal: MeshPoint) -> Request<PolygonId, u64, AStar> {
    let points = RequestPoints { start: start.place, goal: goal.place };
    Request::new(ONLY, Query::new(start.polygon, goal.polygon)).between(points)
}

/// From one corner of the field to the other.
fn across(space: &NavMeshSpace<'_>, side: u32) -> [MeshPoint; 2] {
    let far = f64::from(side) - 0.5;
    [[0.5, 0.5], [far, far]].map(|at| locate(space, at).unwrap())
}

/// The answer of a navigator, which does not slice.
fn alone(space: NavMeshSpace<'_>, [start, goal]: [MeshPoint; 2]) -> Answered<PolygonId, u64> {
    let engine = MeshEngine::new();
    let end = |point: MeshPoint| End { state: point.polygon, point: point.place };
    let question = Question::between(end(start), end(goal));
    Navigator::by(space, AStar::new(), wayfare_core::search::Guarantee::Optimal)
        .with(&engine)
        .ask(question, &mut Scratch::new())
}

#[test]
fn a_tick_keeps_its_budget_and_the_answer_is_that_of_one_piece() {
    let mesh = pillars(60);
    let space = mesh.space();
    let ends = across(&space, 60);
    let whole = alone(space, ends);
    assert!(whole.outcome.is_found());
    assert!(whole.took.work > 40 * PIECE, "{} units: too short to be sliced", whole.took.work);
    let engine = MeshEngine::new();
    let reading = of_reading(whole.outcome.path().unwrap().steps.len());
    for budget in [1, 7, 64, 500] {
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        let tickets = [(); 3].map(|()| planner.request(between(ends[0], ends[1])));
        let (mut work, mut ticks) = (0, 0);
        while tickets.iter().any(|&ticket| planner.standing(ticket) != Standing::Done) {
            let report = planner.tick(|_| Navigator::new(space).with(&engine), budget);
            // Each of four slots may exceed its share by a piece, and reads its path at the end.
            let most = budget + 4 * (PIECE + reading);
            assert!(report.work <= most, "{} of {budget} units", report.work);
            (work, ticks) = (work + report.work, ticks + 1);
            assert!(ticks < 20_000, "it does not come to an end");
        }
        assert!(ticks as u64 >= work / (budget + 4 * (PIECE + reading)));
        assert_eq!(work, 3 * whole.took.work, "all work is counted");
        for ticket in tickets {
            assert_eq!(planner.take(ticket).as_ref(), Some(&whole));
        }
        assert_eq!(planner.stats().prepared, 0);
    }
}

/// The engine without regard to budgets.
#[derive(Debug)]
struct Greedy(MeshEngine);

impl<'m> Engine<NavMeshSpace<'m>> for Greedy {
    fn id(&self) -> EngineId {
        EngineId::Custom(1)
    }

    fn offer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
    ) -> Result<Offer, Refusal> {
        self.0.offer(space, question)
    }

    fn answer(
        &self,
        _space: &NavMeshSpace<'m>,
        _question: &Question<PolygonId, u64>,
        _spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        None
    }

    fn begin(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        question: &Question<PolygonId, u64>,
    ) -> Option<EngineSearch> {
        self.0.begin(ground, question)
    }

    fn step(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        search: &mut EngineSearch,
        _budget: u64,
    ) -> EngineStep {
        self.0.step(ground, search, u64::MAX)
    }

    fn conclude(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        search: EngineSearch,
        spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        self.0.conclude(ground, search, spare)
    }

    fn world_changed(&mut self, _space: &NavMeshSpace<'m>, _affected: &[PolygonId]) {}
}

/// What an engine does is counted, also where it does more than it may.
#[test]
fn work_beyond_the_budget_is_told() {
    let mesh = pillars(60);
    let (space, engine) = (mesh.space(), Greedy(MeshEngine::new()));
    let ends = across(&space, 60);
    let whole = alone(space, ends);
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let ticket = planner.request(between(ends[0], ends[1]));
    let report = planner.tick(|_| Navigator::new(space).with(&engine), 10);
    assert_eq!(report.work, whole.took.work);
    assert_eq!(planner.take(ticket), Some(whole));
}

#[test]
fn a_search_that_is_cancelled_on_its_way_costs_nothing_more() {
    let mesh = pillars(60);
    let (space, engine) = (mesh.space(), MeshEngine::new());
    let [start, goal] = across(&space, 60);
    for is_local in [false, true] {
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        let request = between(start, goal);
        let request = if is_local { request.local() } else { request };
        let ticket = planner.request(request);
        planner.tick(|_| Navigator::new(space).with(&engine), 100);
        assert!(matches!(planner.standing(ticket), Standing::Running { expanded: 1.. }));
        assert!(planner.cancel(ticket));
        let report = planner.tick(|_| Navigator::new(space).with(&engine), 100);
        assert_eq!((report.work, report.running, report.queued), (0, 0, 0));
    }
}

/// A search that may take no more work is answered by the way to where it came nearest.
#[test]
fn a_policy_bounds_the_work_and_the_way_so_far_is_told() {
    let mesh = pillars(60);
    let (space, engine) = (mesh.space(), MeshEngine::new());
    let ends = across(&space, 60);
    let whole = alone(space, ends).took.work;
    for units in [1, 50, whole / 2] {
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        let request = between(ends[0], ends[1]).policy(Policy::Within(units));
        let ticket = planner.request(request);
        for _ in 0..200 {
            planner.tick(|_| Navigator::new(space).with(&engine), 30);
        }
        let Answered { outcome, took, .. } = planner.take(ticket).unwrap();
        let Outcome::LimitReached { limit: Limit::Expansions, nearest } = outcome else {
            panic!("{units} units: {outcome:?}")
        };
        assert_eq!(took.engine, EngineId::Mesh);
        assert_eq!(nearest.steps.first().map(|step| step.state), Some(ends[0].polygon));
        assert!(took.work <= units + PIECE + of_reading(nearest.steps.len()), "{took:?}");
        if units == whole / 2 {
            assert!(nearest.steps.len() > 5, "it came somewhere");
        }
        let steps = nearest.steps.windows(2);
        assert!(steps.into_iter().all(|pair| {
            mesh.neighbours(pair[0].state).flatten().any(|beside| beside == pair[1].state)
        }));
    }
}

#[test]
fn after_an_edit_the_engine_is_asked_again() {
    let mut live = LiveMesh::new(pillars(60));
    let engine = MeshEngine::new();
    let ends = across(&live.mesh().space(), 60);
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let tickets = [(); 2].map(|()| planner.request(between(ends[0], ends[1])));
    planner.tick(|_| Navigator::new(live.mesh().space()).with(&engine), 200);
    assert!(matches!(planner.standing(tickets[0]), Standing::Running { expanded: 1.. }));
    let prism = Prism::cylinder(ends[0].place + glam::Vec3::X * 0.4, 0.2, 2.0).unwrap();
    live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
    planner.world_changed(|_| live.mesh().space(), live.affected());
    for _ in 0..10_000 {
        let report = planner.tick(|_| Navigator::new(live.mesh().space()).with(&engine), 200);
        if report.running + report.queued == 0 {
            break;
        }
    }
    // The start itself was cut, and keeps its number.
    let whole = alone(live.mesh().space(), ends);
    assert_eq!(whole.outcome.path().unwrap().revision, live.mesh().revision());
    for ticket in tickets {
        assert_eq!(planner.take(ticket), Some(whole.clone()));
    }
}

/// Obstacles that a search has not come to do not restart it, one in its way does. (Some far ones
/// do too: where they cut a polygon that holds parts of the mesh together, a search may enter more
/// of these.)
#[test]
fn a_search_goes_on_after_an_edit_that_it_has_seen_nothing_of() {
    let adopted_beside = |at: glam::Vec3| {
        let mut live = LiveMesh::new(scattered(60, 22));
        let engine = MeshEngine::new();
        let ends = across(&live.mesh().space(), 60);
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        let ticket = planner.request(between(ends[0], ends[1]));
        planner.tick(|_| Navigator::new(live.mesh().space()).with(&engine), 12);
        assert!(matches!(planner.standing(ticket), Standing::Running { expanded: 1.. }));
        let prism = Prism::cylinder(at, 0.2, 2.0).unwrap();
        live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
        if live.affected().is_empty() {
            return 0; // there is a pillar
        }
        let view = |_: ClassId| Navigator::new(live.mesh().space()).with(&engine);
        planner.world_changed(view, live.affected());
        let (adopted, restarted) = (planner.stats().adopted, planner.stats().restarted);
        assert_eq!(adopted + restarted, 1);
        while planner.tick(view, 100).finished == 0 {}
        assert_eq!(planner.take(ticket), Some(alone(live.mesh().space(), ends)));
        adopted
    };
    assert_eq!(adopted_beside(glam::Vec3::new(0.9, 0.0, 0.5)), 0);
    let far = (40..60).map(|x| glam::Vec3::new(x as f32 - 0.5, 0.0, 1.5));
    let adopted: u64 = far.map(adopted_beside).sum();
    assert!(adopted >= 1, "none of 20 adopted");
}

/// What a planner answers of a mesh with links over it, in ticks of `budget` units.
fn in_ticks(
    links: &NavLinks<PolygonId>,
    space: NavMeshSpace<'_>,
    ends: [MeshPoint; 2],
    (budget, save_at): (u64, usize),
) -> (Answered<PolygonId, u64>, u64) {
    let engine = MeshEngine::new();
    let over = OverLinks::new(&engine);
    let linked = |_: ClassId| -> LinkedSpace<'_, NavMeshSpace<'_>> { links.over(space, Keys(1)) };
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let ticket = planner.request(between(ends[0], ends[1]));
    let mut most = 0;
    for tick in 0..100_000 {
        if tick == save_at {
            let saved = planner.save();
            let views = |class| Navigator::new(linked(class)).with(&over);
            planner = Own::restore(AStar::new(), saved, views).unwrap();
        }
        let report = planner.tick(|class| Navigator::new(linked(class)).with(&over), budget);
        most = most.max(report.work);
        if let Some(answer) = planner.take(ticket) {
            return (answer, most);
        }
    }
    panic!("it does not come to an end");
}

fn mesh_of(field: &Field) -> NavMesh {
    NavMesh::new(field.draft(false)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// A search that goes on after edits does what one that begins after them does.
    #[test]
    fn an_adopted_search_is_a_fresh_one(
        field in fields(9),
        ends in prop::array::uniform2(places(9)),
        steps in prop::collection::vec(0_u64..12, 1..5),
        obstacles in prop::collection::vec((places(9), 0.1_f32..0.8), 4),
    ) {
        let mut live = LiveMesh::new(mesh_of(&field));
        let [Some(start), Some(goal)] = ends.map(|at| locate(&live.mesh().space(), at)) else {
            return Ok(());
        };
        let query = MeshQuery::new(start, goal);
        let (mut search, mut scratch) = (Polyanya.search(query), MeshScratch::new());
        let mut put = Vec::new();
        for (steps, ([x, z], radius)) in steps.into_iter().zip(obstacles) {
            let space = live.mesh().space();
            if search.step(&space, &mut scratch, &mut (), steps) == Progress::Done {
                break;
            }
            let foot = glam::Vec3::new(x as f32, -0.5, z as f32);
            let prism = Prism::cylinder(foot, radius, 2.0).unwrap();
            let carving = Carving { prism, ground: CarvedGround::Blocked };
            // Every other one takes the place of the one before.
            match put.pop() {
                Some(id) => live.replace(id, carving).unwrap(),
                None => put.push(live.insert(carving).unwrap()),
            }
            if !search.adopt(&live.mesh().space(), &mut scratch, live.affected()) {
                search = Polyanya.search(query);
            }
        }
        let space = live.mesh().space();
        let fresh = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
        prop_assert_eq!(search.finish(&space, &mut scratch, &mut ()), fresh);
    }

    /// Sliced, saved and restored on the way, with links or without: the same answer.
    #[test]
    fn slices_and_snapshots_change_no_answer(
        field in fields(6),
        ends in prop::array::uniform2(places(6)),
        doors in prop::collection::vec(prop::array::uniform2(places(6)), 0..3),
        budget in 1_u64..30,
        save_at in 0_usize..12,
    ) {
        let mesh = mesh_of(&field);
        let space = mesh.space();
        let [Some(start), Some(goal)] = ends.map(|at| locate(&space, at)) else { return Ok(()) };
        let mut links = NavLinks::new(1.0);
        for door in doors {
            let [from, to] = door.map(|[x, z]| glam::Vec3::new(x as f32, 0.0, z as f32));
            let points = LinkPoints { from, to, radius: 0.2 };
            if let Ok(door) = NavLink::on_mesh(&space, points, Crossing::Seconds(1.0)) {
                let _ = links.add(&space, door);
            }
        }
        let (whole, _) = in_ticks(&links, space, [start, goal], (u64::MAX >> 1, usize::MAX));
        let (sliced, most) = in_ticks(&links, space, [start, goal], (budget, save_at));
        prop_assert_eq!(&sliced, &whole);
        let reading = whole.outcome.path().map_or(0, |path| of_reading(path.steps.len()));
        prop_assert!(most <= budget + PIECE + reading, "{most} of {budget} units");
        if links.iter().next().is_none() && start.polygon != goal.polygon {
            prop_assert_eq!(sliced, alone(space, [start, goal]));
        }
    }
}
