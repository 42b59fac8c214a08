//! Every search of every space, and every prepared engine.

use wayfare::index::GridIndex;
use wayfare::navigate::{FieldEngine, IndexEngine, LandmarksEngine, Navigator};
use wayfare::prelude::*;
use wayfare::search::{Guarantee, NamedHeuristic};
use wayfare::space::GridSpace;
use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
use wayfare_searches::*;

const SEARCHES: [FastSearch; 4] = [
    FastSearch::AStar(NamedHeuristic::Natural),
    FastSearch::Dijkstra,
    FastSearch::Bidirectional,
    FastSearch::Jps,
];

#[test]
fn every_search_finds_the_cheapest_path_of_every_space() {
    let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
    let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
    let cheapest = solve(&grid.space(), &AStar::new(), query.clone()).outcome.into_path().cost();
    for search in SEARCHES {
        let question = query.clone().into();
        let answered = grid.space().answer(search, question, &mut Scratch::new(), &mut |_| ());
        assert_eq!(answered.outcome.into_path().cost(), cheapest, "{search:?}");
    }
    let size = VoxelSize { width: 4, height: 3, depth: 4 };
    let ground = |at: BlockPosition| if at.y == 0 { BlockId::SOLID } else { BlockId::AIR };
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), ground).unwrap();
    let at = |x, z| world.voxel(BlockPosition::new(x, 1, z)).unwrap();
    let query = Query::new(at(0, 0), at(3, 2));
    let cheapest = solve(&world.space(), &AStar::new(), query.clone()).outcome.into_path().cost();
    for search in SEARCHES {
        let question = query.clone().into();
        let answered = world.space().answer(search, question, &mut Scratch::new(), &mut |_| ());
        assert_eq!(answered.outcome.into_path().cost(), cheapest, "{search:?}");
    }
}

#[test]
fn prepared_engines_answer_and_lead() {
    let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
    let (space, mut scratch) = (grid.space(), Scratch::new());
    let ends = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
    let index = IndexEngine::new(&space, GridIndex::new(&space).unwrap()).unwrap();
    let landmarks = LandmarksEngine::new(&space, ends.0, 2).unwrap();
    let field = FieldEngine::new(&space, ends.1);
    let engines =
        [index_engine(&index), GridSpace::landmarks(&landmarks), GridSpace::field(&field)];
    for engine in engines {
        let navigator = Navigator::by(space, AStar::new(), Guarantee::Optimal).with(engine);
        let question = Query::new(ends.0, ends.1).into();
        let answered = GridSpace::answer_prepared(&navigator, question, &mut scratch, &mut |_| ());
        assert_eq!(answered.took.engine, engine.id());
        assert_eq!(answered.outcome.path().map(Path::len), Some(5));
    }
    assert!(index_turns(&index, &space, ends.0, ends.1));
    space.jump_points(Query::new(ends.0, ends.1), &mut scratch);
}
