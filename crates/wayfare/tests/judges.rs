//! The judges are judged: paths and moves broken in many ways, and the fault that each must raise.

use glam::Vec3;
use wayfare::link::{Crossing, Gate, Keys, LinkedSpace, NavLink, NavLinks};
use wayfare::path::{Path, PathFault, Step, validate, validate_any_angle};
use wayfare::search::{AStar, LazyThetaStar, Query, solve};
use wayfare::space::voxel::{
    Abilities, Block, BlockCost, BlockId, BlockKind, BlockPosition, Voxel, VoxelGrid, VoxelProfile,
    VoxelSize,
};
use wayfare::space::waypoint::WaypointLinkCost;
use wayfare::space::{
    Action, Cell, CornerRule, CostTable, DIAGONAL, Grid, GridProfile, GridSpace, IllegalMove,
    Medium, MoveRules, NegativeCosts, Neighbours, Obstruction, STRAIGHT, StateId, TerrainCost,
    TerrainId, VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT, Waypoint, WaypointGraph,
    WaypointId, WaypointLink,
};

const OFF_MAP: IllegalMove = IllegalMove::Obstructed(Obstruction::OffMap);
const BLOCKED: IllegalMove = IllegalMove::Obstructed(Obstruction::Blocked);

fn wall() -> IllegalMove {
    IllegalMove::Obstructed(Obstruction::Terrain { terrain: TerrainId::BLOCKED.0 })
}

/// A change of a path, and the fault that it must raise.
type Broken<State, C> = (&'static str, Path<State, C>, PathFault<State, C>);

/// Changes of one cost by one up and down, and of all costs from one step on.
fn wrong_costs(path: &Path<Cell, u32>) -> Vec<Broken<Cell, u32>> {
    let mut table = Vec::new();
    for step in 0..path.states().len() {
        let summed = path.steps[step].cost;
        let mut changes: Vec<(&str, Path<Cell, u32>)> = Vec::new();
        let mut one_more = path.clone();
        one_more.steps[step].cost += 1;
        changes.push(("a cost is one too high", one_more));
        let mut all_more = path.clone();
        all_more.steps[step..].iter_mut().for_each(|step| step.cost += 1);
        changes.push(("all costs from here are one too high", all_more));
        if summed > 0 {
            let mut one_less = path.clone();
            one_less.steps[step].cost -= 1;
            changes.push(("a cost is one too low", one_less));
        }
        table.extend(changes.into_iter().map(|(what, path)| {
            let claimed = path.steps[step].cost;
            (what, path, PathFault::WrongCost { step, claimed, summed })
        }));
    }
    table
}

/// A change of the steps of a path.
type Change<'c> = &'c dyn Fn(&mut Vec<Step<Cell, u32>>);

#[test]
fn a_broken_path_is_refused_for_its_fault() {
    let grid = Grid::from_rows(&["......", ".####.", ".#..#.", "......"]).unwrap();
    let (space, cell) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
    let (start, goal) = (cell(0, 0), cell(5, 2));
    let sound =
        solve(&space, &AStar::new(), Query::new(start, goal)).outcome.path().unwrap().clone();
    assert_eq!(validate(&space, &sound, start, goal), Ok(()));
    let cut = sound.states().len() / 2;
    let changed = |change: Change<'_>| {
        let mut path = sound.clone();
        change(&mut path.steps);
        path
    };
    let illegal = |step, reason| PathFault::Illegal { step, reason };
    let far = IllegalMove::NotAdjacent;
    let mut table: Vec<Broken<Cell, u32>> = vec![
        ("no steps", changed(&|steps| steps.clear()), PathFault::Empty),
        (
            "the start is missing",
            changed(&|steps| {
                steps.remove(0);
            }),
            PathFault::WrongStart(sound.steps[1].state),
        ),
        (
            "the goal is missing",
            changed(&|steps| {
                steps.pop();
            }),
            PathFault::WrongEnd(sound.steps[sound.len() - 1].state),
        ),
        ("backwards", changed(&|steps| steps.reverse()), PathFault::WrongStart(goal)),
        (
            "a step is missing",
            changed(&|steps| {
                steps.remove(cut);
            }),
            illegal(cut, far),
        ),
        (
            "a step is doubled",
            changed(&|steps| steps.insert(cut, steps[cut])),
            illegal(cut + 1, far),
        ),
        ("two steps change places", changed(&|steps| steps.swap(cut, cut + 1)), illegal(cut, far)),
        (
            "only both ends are left",
            changed(&|steps| {
                steps.drain(1..steps.len() - 1);
            }),
            illegal(1, far),
        ),
        ("into a wall", changed(&|steps| steps[2].state = cell(2, 1)), illegal(2, wall())),
        (
            "off the map",
            changed(&|steps| steps[1].state = Cell::from_index(u32::MAX >> 1)),
            illegal(1, OFF_MAP),
        ),
        (
            "another action",
            changed(&|steps| steps[cut].action = Action::Jump),
            PathFault::WrongAction { step: cut, claimed: Action::Jump, expected: Action::Walk },
        ),
        (
            "an action before the start",
            changed(&|steps| steps[0].action = Action::Fall),
            PathFault::WrongAction { step: 0, claimed: Action::Fall, expected: Action::Walk },
        ),
    ];
    table.extend(wrong_costs(&sound));
    for (what, path, fault) in table {
        assert_eq!(validate(&space, &path, start, goal), Err(fault), "{what}");
    }
    // The wall lies between these two, and the cheaper way round is not the one that was asked for.
    assert_eq!(validate(&space, &sound, start, cell(4, 3)), Err(PathFault::WrongEnd(goal)));
    assert_eq!(validate(&space, &sound, cell(1, 0), goal), Err(PathFault::WrongStart(start)));
}

#[test]
fn a_broken_line_is_refused_for_its_fault() {
    let grid = Grid::from_rows(&[".......", "...#...", ".......", "......."]).unwrap();
    let (space, cell) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
    let (start, goal) = (cell(0, 0), cell(6, 3));
    let sound =
        solve(&space, &LazyThetaStar, Query::new(start, goal)).outcome.path().unwrap().clone();
    assert_eq!(validate_any_angle(&space, &sound, start, goal), Ok(()));
    assert!(sound.len() < 4, "its lines are longer than moves");
    assert!(matches!(validate(&space, &sound, start, goal), Err(PathFault::Illegal { .. })));
    let mut through = sound.clone();
    let (first, last) = (cell(1, 1), cell(5, 1));
    through.steps = [(first, 0), (last, 4 * STRAIGHT)]
        .map(|(state, cost)| Step { state, action: Action::Walk, cost })
        .to_vec();
    let reason = IllegalMove::NotAdjacent;
    let fault = PathFault::Illegal { step: 1, reason };
    assert_eq!(validate_any_angle(&space, &through, first, last), Err(fault), "through a wall");
    let mut short = sound.clone();
    let end = short.len();
    short.steps[end].cost -= 1;
    let fault = validate_any_angle(&space, &short, start, goal);
    assert!(matches!(fault, Err(PathFault::WrongCost { step, .. }) if step == end), "{fault:?}");
    let mut empty = sound;
    empty.steps.clear();
    assert_eq!(validate_any_angle(&space, &empty, start, goal), Err(PathFault::Empty));
}

#[test]
fn a_diagonal_is_judged_by_its_corner_rule() {
    use CornerRule::{Always, BothFree, OneFree};
    // From the top left to the bottom right, with the corners beside it blocked or not.
    for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
        let glyph = |blocked| if blocked { '#' } else { '.' };
        let rows = [format!(".{}", glyph(first)), format!("{}.", glyph(second))];
        for (corners, passes) in
            [(BothFree, !first && !second), (OneFree, !first || !second), (Always, true)]
        {
            let mut grid = Grid::from_rows(&[&rows[0], &rows[1]]).unwrap();
            let profile =
                grid.add_profile(GridProfile { corners, ..GridProfile::default() }).unwrap();
            let space: GridSpace<'_> = grid.space_for(profile);
            let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(1, 1).unwrap());
            let verdict = if passes { Ok(DIAGONAL) } else { Err(IllegalMove::CutsCorner) };
            assert_eq!(space.check_move(a, b), verdict, "{corners:?} {first} {second}");
            assert_eq!(space.check_move(b, a), verdict, "{corners:?} {first} {second}");
        }
    }
}

#[test]
fn moves_on_a_grid_are_judged_by_terrain_width_and_medium() {
    let costs = CostTable::new()
        .with(TerrainId(1), TerrainCost::multiplied(2.0))
        .with(TerrainId(2), TerrainCost::penalised(1.5))
        .with(TerrainId(3), TerrainCost::default().in_medium(Medium(1)))
        .without(TerrainId(4));
    let wide = GridProfile { width: 2, ..GridProfile::default() };
    let four = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    let rows: [[u8; 6]; 3] = [[0, 1, 2, 0, 255, 0], [0, 0, 0, 0, 0, 0], [3, 3, 4, 0, 0, 0]];
    let terrain: Vec<TerrainId> = rows.as_flattened().iter().copied().map(TerrainId).collect();
    let profile = GridProfile { costs, ..GridProfile::default() };
    let mut grid = Grid::new(6, 3, &terrain, profile).unwrap();
    let (wide, four) = (grid.add_profile(wide).unwrap(), grid.add_profile(four).unwrap());
    let cell = |(x, y)| grid.cell(x, y).unwrap();
    let plain = grid.space();
    let no_entry = IllegalMove::Obstructed(Obstruction::Terrain { terrain: 4 });
    let far = IllegalMove::NotAdjacent;
    let penalty = 8612; // 1.5 straight steps, rounded
    for (from, to, verdict) in [
        ((0, 0), (0, 1), Ok(STRAIGHT)),
        ((0, 0), (1, 1), Ok(DIAGONAL)),
        ((0, 0), (1, 0), Ok(2 * STRAIGHT)),
        ((1, 0), (0, 0), Ok(STRAIGHT)),
        ((0, 1), (1, 0), Ok(2 * DIAGONAL)),
        ((1, 0), (2, 0), Ok(STRAIGHT + penalty)),
        ((1, 1), (2, 0), Ok(DIAGONAL + penalty)),
        ((0, 0), (0, 0), Err(far)),
        ((0, 0), (2, 0), Err(far)),
        ((0, 0), (0, 2), Err(far)),
        ((3, 0), (5, 0), Err(far)),
        ((3, 0), (5, 1), Err(far)),
        ((3, 0), (4, 0), Err(wall())),
        ((4, 0), (3, 0), Err(wall())),
        ((3, 0), (4, 1), Err(IllegalMove::CutsCorner)),
        ((1, 1), (1, 2), Err(far)), // into another medium
        ((0, 2), (1, 2), Ok(STRAIGHT)),
        ((2, 1), (2, 2), Err(no_entry)),
        ((2, 2), (2, 1), Err(no_entry)),
    ] {
        assert_eq!(plain.check_move(cell(from), cell(to)), verdict, "{from:?} {to:?}");
    }
    let beyond = Cell::from_index(1 << 30);
    assert_eq!(plain.check_move(cell((0, 0)), beyond), Err(OFF_MAP));
    assert_eq!(plain.check_move(beyond, cell((0, 0))), Err(OFF_MAP));
    let four: GridSpace<'_> = grid.space_for(four);
    assert_eq!(four.check_move(cell((0, 0)), cell((1, 1))), Err(far));
    assert_eq!(four.check_move(cell((0, 0)), cell((0, 1))), Ok(STRAIGHT));
    let wide: GridSpace<'_> = grid.space_for(wide);
    let narrow = IllegalMove::Obstructed(Obstruction::TooNarrow { needed: 2 });
    let moves: Vec<_> = [((0, 0), (0, 1)), ((2, 0), (3, 0)), ((3, 0), (2, 0)), ((4, 1), (5, 1))]
        .map(|(from, to)| wide.check_move(cell(from), cell(to)).map(|_| ()))
        .to_vec();
    assert!(moves.contains(&Err(narrow)) && moves.contains(&Ok(())), "{moves:?}");
}

#[test]
fn moves_between_waypoints_are_judged_by_links_as_described() {
    let id = WaypointId::from_index;
    let point = |x: f32, cost| Waypoint { cost, ..Waypoint::at(Vec3::new(x, 0.0, 0.0)) };
    let waypoints = vec![
        point(0.0, 0.0),
        point(3.0, 0.0),
        point(5.0, 1.25),
        Waypoint { blocked: true, ..point(6.0, 0.0) },
        point(9.0, 0.0),
    ];
    let links = [
        WaypointLink::new(id(0), id(1)).with_surcharge(0.5),
        WaypointLink::one_way(id(1), id(2)),
        WaypointLink::new(id(2), id(3)),
        WaypointLink::new(id(0), id(2)).with_cost(WaypointLinkCost::Fixed(0.25)),
        WaypointLink::new(id(0), id(4)).with_cost(WaypointLinkCost::Length { multiplier: 2.0 }),
    ];
    let mut graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    let far = IllegalMove::NotAdjacent;
    for (from, to, verdict) in [
        (0, 1, Ok(3500)),
        (1, 0, Ok(3500)),
        (1, 2, Ok(2000 + 1250)),
        (2, 1, Err(far)),
        (0, 2, Ok(250 + 1250)),
        (2, 0, Ok(250)),
        (0, 4, Ok(18_000)),
        (1, 4, Err(far)),
        (0, 0, Err(far)),
        (2, 3, Err(BLOCKED)),
        (3, 2, Err(BLOCKED)),
        (0, 77, Err(OFF_MAP)),
        (77, 0, Err(OFF_MAP)),
    ] {
        assert_eq!(graph.check_move(id(from), id(to)), verdict, "{from} {to}");
    }
    graph.remove_link(id(0), id(1));
    assert_eq!(graph.check_move(id(0), id(1)), Err(far), "the link was removed");
    graph.remove_waypoint(id(4)).unwrap();
    let removed = IllegalMove::Obstructed(Obstruction::Removed);
    assert_eq!(graph.check_move(id(0), id(4)), Err(removed));
}

#[test]
fn moves_through_links_are_judged_by_gate_key_direction_and_ends() {
    let mut grid = Grid::from_rows(&["..#..", "..#..", "..#..", "....."]).unwrap();
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(2.0);
    let ends = |grid: &Grid, y| (at(grid, 1, y), at(grid, 3, y));
    let seconds = Crossing::Seconds(1.5);
    let mut add = |y, change: &dyn Fn(NavLink<Cell>) -> NavLink<Cell>| {
        let (from, to) = ends(&grid, y);
        links.add(&grid.space(), change(NavLink::new(from, to, seconds))).unwrap()
    };
    let door = add(0, &|link| link.locked(Keys(0b110)));
    let hatch = add(1, &|link| link.one_way());
    let gate = add(2, &|link| link);
    let cost = 3 * STRAIGHT; // 1.5 s at 2 m/s
    let far = Err(IllegalMove::NotAdjacent);
    {
        let judge = |links: &NavLinks<Cell>, keys, y, is_back: bool| {
            let linked: LinkedSpace<'_, GridSpace<'_>> = links.over(grid.space(), keys);
            let (from, to) = ends(&grid, y);
            if is_back { linked.check_move(to, from) } else { linked.check_move(from, to) }
        };
        for (keys, y, is_back, verdict) in [
            (Keys::NONE, 0, false, far),
            (Keys(0b010), 0, false, far),
            (Keys(0b001), 0, true, far),
            (Keys(0b110), 0, false, Ok(cost)),
            (Keys(0b111), 0, true, Ok(cost)),
            (Keys::NONE, 1, false, Ok(cost)),
            (Keys::NONE, 1, true, far),
            (Keys::NONE, 2, false, Ok(cost)),
            (Keys::NONE, 2, true, Ok(cost)),
        ] {
            assert_eq!(judge(&links, keys, y, is_back), verdict, "{keys:?} {y} {is_back}");
        }
        links.set_gate(gate, Gate::Closed);
        assert_eq!(judge(&links, Keys(u32::MAX), 2, false), far, "the gate is shut");
        links.set_gate(gate, Gate::Open);
        links.post_wait(gate, 4.0);
        assert_eq!(judge(&links, Keys::NONE, 2, false), Ok(11 * STRAIGHT), "4 s of waiting");
        let missing =
            links.over(grid.space(), Keys::NONE).check_move(at(&grid, 0, 0), at(&grid, 3, 0));
        assert_eq!(missing, far, "no link joins these two");
        assert!(links.get(door).is_some() && links.get(hatch).is_some());
    }
    let exit = ends(&grid, 1).1;
    grid.set_terrain(exit, TerrainId::BLOCKED);
    let linked = links.over(grid.space(), Keys::NONE);
    assert_eq!(linked.check_move(ends(&grid, 1).0, exit), Err(wall()), "its end is blocked");
}

/// A world of layers from below; `#` solid, `~` water, `H` ladder, `D` door, `!` lava, `w` costly
/// ground.
fn blocks(layers: &[&[&str]], profile: VoxelProfile) -> VoxelGrid {
    use BlockKind::{Air, Door, Ladder, Lava, Solid, Water};
    let mut palette = [Air, Solid, Water, Ladder, Door, Lava].map(Block::from).to_vec();
    palette.push(Block { kind: Solid, cost: BlockCost { multiplier: 2.0, penalty: 0.5 } });
    let size = VoxelSize {
        width: layers[0][0].len() as u32,
        height: layers.len() as u32,
        depth: layers[0].len() as u32,
    };
    VoxelGrid::from_fn(size, &palette, profile, |at| {
        let glyph = layers[at.y as usize][at.z as usize].as_bytes()[at.x as usize];
        BlockId("?#~HD!w".bytes().position(|known| known == glyph).unwrap_or(0) as u16)
    })
    .unwrap()
}

/// A world, an agent, a move from one place to another, and whether it is legal.
type VoxelCase<'a> =
    (&'a str, &'a [&'a [&'a str]], VoxelProfile, [u32; 3], [u32; 3], Result<u32, IllegalMove>);

#[test]
fn moves_between_voxels_are_judged_by_blocks_and_abilities() {
    let none = VoxelProfile { abilities: Abilities::NONE, ..VoxelProfile::default() };
    let only = |change: &dyn Fn(&mut Abilities)| {
        let mut profile = none.clone();
        change(&mut profile.abilities);
        profile
    };
    let walker = || only(&|can| can.walk = true);
    let jumper = |height, distance| VoxelProfile {
        jump_height: height,
        jump_distance: distance,
        ..only(&|can| can.jump = true)
    };
    let leaper =
        || VoxelProfile { jump_distance: 1, max_fall_distance: 2, ..VoxelProfile::default() };
    let faller = |most| VoxelProfile { max_fall_distance: most, ..only(&|can| can.fall = true) };
    let diver = || VoxelProfile {
        abilities: Abilities { swim: true, ..Abilities::default() },
        ..VoxelProfile::default()
    };
    let climber = || only(&|can| can.climb = true);
    let swimmer = || only(&|can| can.swim = true);
    let far = Err(IllegalMove::NotAdjacent);
    let filled = |block| Err(IllegalMove::Obstructed(Obstruction::Block { block }));
    let no_footing = Err(IllegalMove::Obstructed(Obstruction::NoFooting));
    let flat: &[&[&str]] =
        &[&["###", "###", "###"], &["...", "...", "..."], &["...", "...", "..."]];
    let corner: &[&[&str]] =
        &[&["###", "###", "###"], &[".#.", "...", "..."], &["...", "...", "..."]];
    let low: &[&[&str]] = &[&["###"], &["..."], &[".#."]];
    let costly: &[&[&str]] = &[&["#w#"], &["..."], &["..."]];
    let step: &[&[&str]] = &[&["###"], &[".##"], &["..#"], &["..."]];
    let ceiling: &[&[&str]] = &[&["##"], &[".#"], &["#."], &[".."]];
    let gap: &[&[&str]] = &[&["#..#"], &["...."], &["...."], &["...."]];
    let beam: &[&[&str]] = &[&["#.#"], &["..."], &[".#."], &["..."]];
    let wide_beam: &[&[&str]] = &[&["#..#"], &["...."], &[".##."], &["...."]];
    let high_beam: &[&[&str]] = &[&["#.#"], &["..#"], &["..."], &[".#."], &["..."]];
    let tunnel: &[&[&str]] = &[&["#.#"], &["..."], &["..."], &["###"]];
    let tall = || VoxelProfile { height: 2, ..leaper() };
    let level_leap = Ok(2 * VOXEL_STRAIGHT);
    let low_leap = Ok(3 * VOXEL_STRAIGHT);
    let cove: &[&[&str]] = &[&["###"], &["#~~"], &["#.."], &["#.."], &["..."], &["..."]];
    let pit: &[&[&str]] = &[&["###"], &["#.#"], &["..."], &["..."]];
    let stair: &[&[&str]] = &[&["###"], &["##."], &["#.."], &["..."], &["..."]];
    let cliff: &[&[&str]] = &[&["###"], &["#.."], &["#.."], &["..."], &["..."]];
    let ladder: &[&[&str]] = &[&["##"], &["H."], &["H."], &[".."]];
    let pond: &[&[&str]] = &[&["####"], &["~~!#"], &["...."]];
    let door: &[&[&str]] = &[&["###"], &[".D."], &["..."]];
    let air: &[&[&str]] = &[&["...", "..."], &["...", ".#."], &["...", "..."]];
    let table: Vec<VoxelCase<'_>> = vec![
        ("a step", flat, walker(), [0, 1, 0], [1, 1, 0], Ok(VOXEL_STRAIGHT)),
        ("a diagonal step", flat, walker(), [0, 1, 0], [1, 1, 1], Ok(VOXEL_DIAGONAL)),
        ("on the spot", flat, walker(), [0, 1, 0], [0, 1, 0], far),
        ("two steps", flat, walker(), [0, 1, 0], [2, 1, 0], far),
        ("a knight's step", flat, walker(), [0, 1, 0], [2, 1, 1], far),
        ("who cannot walk", flat, jumper(1, 0), [0, 1, 0], [1, 1, 0], far),
        ("round a blocked corner", corner, walker(), [0, 1, 0], [1, 1, 1], far),
        ("into a block", corner, walker(), [0, 1, 0], [1, 1, 0], filled(1)),
        ("into the air", flat, walker(), [0, 1, 0], [0, 2, 0], no_footing),
        ("costly ground", costly, walker(), [0, 1, 0], [1, 1, 0], Ok(2 * VOXEL_STRAIGHT + 2055)),
        ("off costly ground", costly, walker(), [1, 1, 0], [2, 1, 0], Ok(VOXEL_STRAIGHT)),
        (
            "under a beam, upright",
            low,
            VoxelProfile { height: 2, ..walker() },
            [0, 1, 0],
            [1, 1, 0],
            Err(IllegalMove::Obstructed(Obstruction::NoRoom { width: 1, height: 2 })),
        ),
        ("under a beam, small", low, walker(), [0, 1, 0], [1, 1, 0], Ok(VOXEL_STRAIGHT)),
        ("a jump up", step, jumper(1, 0), [0, 1, 0], [1, 2, 0], Ok(2 * VOXEL_STRAIGHT)),
        ("a jump up by who walks", step, walker(), [0, 1, 0], [1, 2, 0], far),
        ("a jump up with height 0", step, jumper(0, 0), [0, 1, 0], [1, 2, 0], far),
        ("a jump under a ceiling", ceiling, jumper(1, 0), [0, 1, 0], [1, 2, 0], far),
        ("a leap", gap, jumper(1, 2), [0, 1, 0], [3, 1, 0], Ok(3 * VOXEL_STRAIGHT)),
        ("a leap over ground", flat, leaper(), [0, 1, 0], [2, 1, 0], far),
        (
            "a hop by who cannot walk",
            flat,
            jumper(1, 1),
            [0, 1, 0],
            [2, 1, 0],
            Ok(2 * VOXEL_STRAIGHT),
        ),
        ("a leap under a beam", beam, leaper(), [0, 1, 0], [2, 1, 0], Ok(2 * VOXEL_STRAIGHT)),
        ("a leap over two blocks under a beam", wide_beam, jumper(1, 2), [0, 1, 0], [3, 1, 0], far),
        ("a leap up under a beam", high_beam, jumper(1, 1), [0, 1, 0], [2, 2, 0], far),
        ("a leap down under a beam", high_beam, leaper(), [2, 2, 0], [0, 1, 0], low_leap),
        ("a leap with the head at a beam", tunnel, tall(), [0, 1, 0], [2, 1, 0], level_leap),
        ("a leap with the head in a beam", beam, tall(), [0, 1, 0], [2, 1, 0], far),
        ("a leap over a pit", pit, leaper(), [0, 2, 0], [2, 2, 0], Ok(2 * VOXEL_STRAIGHT)),
        ("a dive", cove, diver(), [0, 4, 0], [1, 1, 0], Ok(4 * VOXEL_STRAIGHT)),
        ("a dive beyond a ledge", cove, diver(), [0, 4, 0], [2, 1, 0], far),
        ("a leap down over a stair", stair, leaper(), [0, 3, 0], [2, 1, 0], far),
        ("a leap too far", gap, jumper(1, 1), [0, 1, 0], [3, 1, 0], far),
        ("a leap by who walks", gap, walker(), [0, 1, 0], [3, 1, 0], far),
        ("a fall", cliff, faller(2), [0, 3, 0], [1, 1, 0], Ok(3 * VOXEL_STRAIGHT)),
        ("a fall too deep", cliff, faller(1), [0, 3, 0], [1, 1, 0], far),
        ("a fall by who cannot", cliff, walker(), [0, 3, 0], [1, 1, 0], far),
        ("a fall upwards", cliff, faller(2), [1, 1, 0], [0, 3, 0], far),
        ("up a ladder", ladder, climber(), [0, 1, 0], [0, 2, 0], Ok(VOXEL_STRAIGHT)),
        ("two rungs", ladder, climber(), [0, 1, 0], [0, 3, 0], no_footing),
        ("up a ladder by who walks", ladder, walker(), [0, 1, 0], [0, 2, 0], no_footing),
        ("through water", pond, swimmer(), [0, 1, 0], [1, 1, 0], Ok(VOXEL_STRAIGHT)),
        ("through water by who walks", pond, walker(), [0, 1, 0], [1, 1, 0], filled(2)),
        ("into lava", pond, swimmer(), [1, 1, 0], [2, 1, 0], filled(5)),
        (
            "into lava, enduring it",
            pond,
            VoxelProfile { endures_lava: true, ..swimmer() },
            [1, 1, 0],
            [2, 1, 0],
            Ok(VOXEL_STRAIGHT),
        ),
        ("through a door", door, walker(), [0, 1, 0], [1, 1, 0], Ok(VOXEL_STRAIGHT)),
        (
            "through a shut door",
            door,
            VoxelProfile { opens_doors: false, ..walker() },
            [0, 1, 0],
            [1, 1, 0],
            filled(4),
        ),
        ("a flight", air, VoxelProfile::flyer(), [0, 0, 0], [1, 0, 0], Ok(VOXEL_STRAIGHT)),
        ("a flight across", air, VoxelProfile::flyer(), [0, 1, 0], [1, 2, 0], Ok(VOXEL_DIAGONAL)),
        ("a flight past an edge", air, VoxelProfile::flyer(), [0, 1, 0], [1, 2, 1], far),
        ("a flight past a corner", air, VoxelProfile::flyer(), [1, 1, 0], [2, 1, 1], far),
        ("a flight by who walks", air, walker(), [0, 1, 0], [1, 2, 0], no_footing),
    ];
    let mut wrong = Vec::new();
    for (what, layers, profile, from, to, verdict) in table {
        let world = blocks(layers, profile);
        let voxel = |[x, y, z]: [u32; 3]| world.voxel(BlockPosition::new(x, y, z)).unwrap();
        let said = world.space().check_move(voxel(from), voxel(to));
        if said != verdict {
            wrong.push(format!("{what}: {said:?}, not {verdict:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let world = blocks(flat, VoxelProfile::flyer());
    let at = |x, y, z| world.voxel(BlockPosition::new(x, y, z)).unwrap();
    assert_eq!(world.space().check_move(at(0, 1, 0), Voxel::from_index(1 << 30)), Err(OFF_MAP));
    let across = world.space().check_move(at(0, 1, 0), at(1, 2, 1));
    assert_eq!(across, Ok(VOXEL_SPACE_DIAGONAL), "a flight along three axes");
}
