//! A scene for every capability, in which it alone decides; edges of what is loaded; edits that
//! close the last way.

use crate::random::palette;
use wayfare_core::explain::Blockage;
use wayfare_core::path::validate;
use wayfare_core::search::{AStar, NoPath, Outcome, Query, Scratch, Weight, WeightedAStar, solve};
use wayfare_core::space::{Action, MoveRules, Obstruction, ProfileId, Space};
use wayfare_voxel::explain::{Capability, Why, solve_to_edge, why, would_block};
use wayfare_voxel::{
    BlockId, BlockPosition, ChunkPosition, Voxel, VoxelError, VoxelGrid, VoxelProfile, VoxelSize,
};

/// A world from pictures of its layers, the lowest first; rows run along z, columns along x. `#`
/// solid, `~` water, `!` lava, `H` ladder, `D` door, `C` climbable, `w` ground that is dear; `S`
/// and `G` are start and goal, in air.
fn scene(layers: &[&[&str]], profile: VoxelProfile) -> (VoxelGrid, Voxel, Voxel) {
    let (height, depth, width) =
        (layers.len() as u32, layers[0].len() as u32, layers[0][0].len() as u32);
    let glyph = |at: BlockPosition| layers[at.y as usize][at.z as usize].as_bytes()[at.x as usize];
    let world = VoxelGrid::from_fn(VoxelSize { width, height, depth }, &palette(), profile, |at| {
        BlockId(match glyph(at) {
            b'#' => 1,
            b'~' => 2,
            b'!' => 3,
            b'H' => 4,
            b'D' => 5,
            b'C' => 6,
            b'w' => 7,
            _ => 0,
        })
    })
    .unwrap();
    let find = |wanted: u8| {
        let places = (0..height).flat_map(|y| {
            (0..depth).flat_map(move |z| (0..width).map(move |x| BlockPosition::new(x, y, z)))
        });
        let at = places.into_iter().find(|&at| glyph(at) == wanted).unwrap();
        world.voxel(at).unwrap()
    };
    (world.clone(), find(b'S'), find(b'G'))
}

/// Asserts that there is a way with the capability and none without it, that `why` names it, and
/// what it says.
#[track_caller]
fn decides(
    layers: &[&[&str]],
    without: VoxelProfile,
    with: VoxelProfile,
    capability: Capability,
    said: &str,
) {
    let (world, start, goal) = scene(layers, with);
    let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
    let path = answer.outcome.path().expect("with it there is a way");
    assert_eq!(validate(&world.space(), path, start, goal), Ok(()));
    assert_eq!(why(&world, ProfileId::default(), start, goal), Why::Reachable);

    let (world, start, goal) = scene(layers, without);
    let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
    assert!(!answer.outcome.is_found());
    let because = why(&world, ProfileId::default(), start, goal);
    let Why::NeedsOneOf(needs) = &because else { panic!("{because}") };
    let need = needs.iter().find(|need| need.capability == capability).expect("it is named");
    assert_eq!(need.to_string(), said);
}

fn can(change: impl FnOnce(&mut VoxelProfile)) -> VoxelProfile {
    let mut profile = VoxelProfile::default();
    change(&mut profile);
    profile
}

#[test]
fn jump_height_decides() {
    decides(
        &[&["#####"], &["S.###"], &["..###"], &["....G"], &["....."]],
        VoxelProfile::default(),
        can(|profile| profile.jump_height = 2),
        Capability::JumpHeight,
        "a jump of 2 is needed at (1, 1, 0); this agent jumps 1",
    );
}

#[test]
fn the_jump_itself_decides() {
    decides(
        &[&["####"], &["S.##"], &["...G"], &["...."]],
        can(|profile| profile.abilities.jump = false),
        VoxelProfile::default(),
        Capability::JumpHeight,
        "a jump of 1 is needed at (1, 1, 0); this agent jumps 0",
    );
}

#[test]
fn jump_distance_decides() {
    decides(
        &[&["##..##"], &["S....G"], &["......"]],
        VoxelProfile::default(),
        can(|profile| profile.jump_distance = 2),
        Capability::JumpDistance,
        "a jump across a gap of 2 is needed at (1, 1, 0); this agent jumps across 0",
    );
}

#[test]
fn fall_distance_decides_and_there_is_no_way_back() {
    let layers: &[&[&str]] = &[&["#####"], &["###.G"], &["###.."], &["S...."]];
    let far = can(|profile| profile.max_fall_distance = 2);
    decides(
        layers,
        VoxelProfile::default(),
        far.clone(),
        Capability::FallDistance,
        "a fall of 2 is needed at (2, 3, 0); this agent falls 1",
    );
    let (world, start, goal) = scene(layers, far);
    assert!(!solve(&world.space(), &AStar::new(), Query::new(goal, start)).outcome.is_found());
}

#[test]
fn the_fall_itself_decides() {
    decides(
        &[&["####"], &["##.G"], &["S..."]],
        can(|profile| profile.abilities.fall = false),
        VoxelProfile::default(),
        Capability::FallDistance,
        "a fall of 1 is needed at (1, 2, 0); this agent falls 0",
    );
}

#[test]
fn walking_decides() {
    decides(
        &[&["###"], &["S.G"]],
        can(|profile| profile.abilities.walk = false),
        VoxelProfile::default(),
        Capability::Walk,
        "walking is needed at (0, 1, 0); this agent does not walk",
    );
}

#[test]
fn swimming_decides() {
    decides(
        &[&["#######"], &["##~~~##"], &["S.....G"]],
        VoxelProfile::default(),
        can(|profile| profile.abilities.swim = true),
        Capability::Swim,
        "swimming is needed at (1, 2, 0); this agent does not swim",
    );
}

#[test]
fn lava_decides() {
    decides(
        &[&["#######"], &["##!!!##"], &["S.....G"]],
        can(|profile| profile.abilities.swim = true),
        can(|profile| {
            profile.abilities.swim = true;
            profile.endures_lava = true;
        }),
        Capability::Lava,
        "lava is in the way at (1, 2, 0); this agent does not endure it",
    );
}

#[test]
fn climbing_a_ladder_decides() {
    decides(
        &[&["####"], &["SH##"], &[".H##"], &[".H##"], &["...G"], &["...."]],
        VoxelProfile::default(),
        can(|profile| profile.abilities.climb = true),
        Capability::Climb,
        "climbing is needed at (1, 1, 0); this agent does not climb",
    );
}

#[test]
fn climbing_a_wall_decides() {
    decides(
        &[&["####"], &["S.C#"], &["..C#"], &["..C#"], &["...G"], &["...."]],
        VoxelProfile::default(),
        can(|profile| profile.abilities.climb = true),
        Capability::Climb,
        "climbing is needed at (1, 1, 0); this agent does not climb",
    );
}

#[test]
fn flying_decides() {
    decides(
        &[&["#............#"], &["S............G"]].map(|layer| layer as &[&str]),
        VoxelProfile::default(),
        can(|profile| profile.abilities.fly = true),
        Capability::Fly,
        "flying is needed at (0, 1, 0); this agent does not fly",
    );
}

#[test]
fn doors_decide() {
    decides(
        &[&["#####"], &["S.D.G"]],
        can(|profile| profile.opens_doors = false),
        VoxelProfile::default(),
        Capability::Doors,
        "a door is in the way at (1, 1, 0); this agent opens none",
    );
}

#[test]
fn height_decides() {
    decides(
        &[&["#####"], &["S...G"], &["..#.."], &["....."]],
        can(|profile| profile.height = 2),
        VoxelProfile::default(),
        Capability::Height,
        "a body at most 1 high is needed at (1, 1, 0); this agent is 2 high",
    );
}

#[test]
fn width_decides() {
    let floor: &[&str] = &["#######"; 4];
    let walls: &[&str] = &["..###..", "S.....G", "..###..", "......."];
    let closed: &[&str] = &["..###..", "S.....G", "..###..", "..###.."];
    let wide = can(|profile| profile.width = 2);
    decides(
        &[floor, closed],
        wide.clone(),
        VoxelProfile::default(),
        Capability::Width,
        "a body at most 1 wide is needed at (0, 1, 1); this agent is 2 wide",
    );
    // A wide one needs room around the corner too.
    let (world, start, goal) = scene(&[floor, walls], wide);
    assert!(!solve(&world.space(), &AStar::new(), Query::new(start, goal)).outcome.is_found());
}

#[test]
fn a_low_ceiling_stops_a_jump_whose_ends_have_room() {
    let open: &[&[&str]] = &[&["###"], &["S.#"], &["..G"], &["..."]];
    let low: &[&[&str]] = &[&["###"], &["S.#"], &["..G"], &[".#."]];
    let tall = can(|profile| profile.height = 2);
    for (layers, gets_there) in [(open, true), (low, false)] {
        let layers = [layers, &[&["..."]]].concat();
        let (world, start, goal) = scene(&layers, tall.clone());
        let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
        assert_eq!(answer.outcome.is_found(), gets_there);
    }
}

#[test]
fn diagonals_do_not_cut_corners() {
    let floor: &[&str] = &["##", "##"];
    let (world, start, goal) = scene(&[floor, &["S.", "#G"]], VoxelProfile::default());
    assert_eq!(
        solve(&world.space(), &AStar::new(), Query::new(start, goal))
            .outcome
            .path()
            .unwrap()
            .states()
            .len(),
        3
    );
    let (world, start, goal) = scene(&[floor, &["S.", ".G"]], VoxelProfile::default());
    assert_eq!(
        solve(&world.space(), &AStar::new(), Query::new(start, goal))
            .outcome
            .path()
            .unwrap()
            .states()
            .len(),
        2
    );
}

#[test]
fn a_route_is_made_of_actions() {
    let (world, start, goal) = scene(
        &[&["#########"], &["##~~##.##"], &["S.......#"], &["........G"]],
        can(|profile| profile.abilities.swim = true),
    );
    let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
    let actions: Vec<Action> =
        answer.outcome.path().unwrap().steps.iter().skip(1).map(|step| step.action).collect();
    use Action::{Fall, Jump, Swim, Walk};
    assert_eq!(actions, [Walk, Fall, Swim, Swim, Walk, Fall, Jump, Jump]);
}

#[test]
fn ground_that_is_dear_is_walked_around() {
    let cheap: &[&str] = &["#####", "#www#", "#####"];
    let air: &[&str] = &[".....", "S...G", "....."];
    let (world, start, goal) = scene(&[cheap, air], VoxelProfile::default());
    let path = solve(&world.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
    assert!(
        path.states().all(|state| world.block(BlockPosition { y: 0, ..world.position_of(state) })
            != Some(BlockId(7)))
    );
    assert_eq!(path.cost(), 2 * 5811 + 2 * 4109);
}

#[test]
fn two_lacks_are_named_together_and_a_sealed_room_as_such() {
    let layers: &[&[&str]] = &[
        &["##########"],
        &["##~~~#####"],
        &["S.....####"],
        &["......####"],
        &[".........G"],
        &[".........."],
    ];
    let (world, start, goal) = scene(layers, VoxelProfile::default());
    let because = why(&world, ProfileId::default(), start, goal);
    // Flying alone would do; what would do without it says more.
    assert!(matches!(&because, Why::NeedsAllOf(needs) if needs.len() == 2), "{because}");
    let roofed: &[&[&str]] = &[
        &["##########"],
        &["##~~~#####"],
        &["S.D...####"],
        &["###...####"],
        &["###......G"],
        &["##########"],
    ];
    let (world, start, goal) = scene(roofed, can(|profile| profile.opens_doors = false));
    let because = why(&world, ProfileId::default(), start, goal);
    let Why::NeedsAllOf(needs) = &because else { panic!("{because}") };
    let named: Vec<Capability> = needs.iter().map(|need| need.capability).collect();
    assert!(named.contains(&Capability::Doors) && named.len() >= 2, "{because}");

    let sealed: &[&[&str]] = &[&["#####"], &["S.#.G"], &["#####"]];
    let (world, start, goal) = scene(sealed, VoxelProfile::default());
    assert_eq!(why(&world, ProfileId::default(), start, goal), Why::Sealed);
}

#[test]
fn a_goal_outside_the_loaded_chunks_has_a_reason_and_a_route_to_the_edge() {
    let size = VoxelSize { width: 64, height: 16, depth: 64 };
    let mut world = VoxelGrid::unloaded(size, VoxelProfile::default()).unwrap();
    let chunk = |x, z| ChunkPosition { x, y: 0, z };
    let floor: Vec<BlockId> = (0..4096).map(|index| BlockId(u16::from(index < 256))).collect();
    for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        world.load_chunk(chunk(x, z), &floor).unwrap();
    }
    let at = |x, z| world.voxel(BlockPosition::new(x, 1, z)).unwrap();
    let (start, goal, inside) = (at(2, 2), at(60, 10), at(31, 31));
    let space = world.space();
    let mut scratch = Scratch::new();
    let answer = solve(&space, &AStar::new(), Query::new(start, goal));
    let reason = NoPath::Goal(Obstruction::NotLoaded);
    assert!(
        matches!(answer.outcome, Outcome::Unreachable { reason: found, .. } if found == reason)
    );
    assert_eq!(why(&world, ProfileId::default(), start, goal), Why::Goal(Obstruction::NotLoaded));
    let answer = solve_to_edge(&space, &mut scratch, start, goal);
    let Outcome::Unreachable { reason: found, nearest } = answer.outcome else {
        panic!("not loaded")
    };
    assert_eq!((found, nearest.cost()), (reason, 29 * 4109 + nearest_extra(&nearest, &world)));
    assert_eq!(world.position_of(nearest.end().unwrap()).x, 31);
    assert_eq!(validate(&space, &nearest, start, nearest.end().unwrap()), Ok(()));
    assert!(solve_to_edge(&space, &mut scratch, start, inside).outcome.is_found());

    world.load_chunk(chunk(2, 0), &floor).unwrap();
    world.load_chunk(chunk(3, 0), &floor).unwrap();
    assert!(solve(&world.space(), &AStar::new(), Query::new(start, goal)).outcome.is_found());
    world.unload_chunk(chunk(2, 0)).unwrap();
    assert!(!solve(&world.space(), &AStar::new(), Query::new(start, goal)).outcome.is_found());
    assert!(matches!(
        world.set_block(BlockPosition::new(40, 1, 2), BlockId::SOLID),
        Err(VoxelError::NotLoaded { .. })
    ));
}

/// What diagonals add on a way of 29 columns.
fn nearest_extra(path: &wayfare_core::path::Path<Voxel, u32>, world: &VoxelGrid) -> u32 {
    let rows: Vec<u32> = path.states().map(|state| world.position_of(state).z).collect();
    rows.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32 * (5811 - 4109)
}

#[test]
fn an_edit_that_would_close_the_last_way_is_known_before_it_is_made() {
    let floor: &[&str] = &["#####"; 3];
    let air: &[&str] = &["..#..", "S...G", "..#.."];
    let lid: &[&str] = &["#####"; 3];
    let (mut world, start, goal) = scene(&[floor, air, lid], VoxelProfile::default());
    let revision = world.revision();
    let mut ask = |x, z| {
        let edit = [(BlockPosition::new(x, 1, z), BlockId::SOLID)];
        would_block(&mut world, ProfileId::default(), edit, start, goal).unwrap()
    };
    assert_eq!(
        [ask(2, 1), ask(3, 0), ask(0, 0)],
        [Blockage::WouldBlock, Blockage::Open, Blockage::Open]
    );
    assert_eq!(ask(4, 1), Blockage::WouldBlock); // the goal itself
    assert_eq!(world.revision(), revision);
    world.set_block(BlockPosition::new(2, 1, 1), BlockId::SOLID).unwrap();
    assert_ne!(world.revision(), revision);
    let edit = [(BlockPosition::new(0, 1, 0), BlockId::SOLID)];
    assert_eq!(
        would_block(&mut world, ProfileId::default(), edit, start, goal),
        Ok(Blockage::AlreadyBlocked)
    );
}

#[test]
fn a_limit_of_nodes_comes_with_a_partial_path_and_greed_keeps_its_bound() {
    let floor: &[&str] = &["##########"; 10];
    let air: &[&str] = &[
        "S.........",
        "..........",
        "..######..",
        ".......#..",
        ".......#..",
        ".......#..",
        ".#######..",
        "..........",
        "..........",
        ".........G",
    ];
    let (world, start, goal) = scene(&[floor, air], VoxelProfile::default());
    let space = world.space();
    let best = solve(&space, &AStar::new(), Query::new(start, goal)).outcome.path().unwrap().cost();
    let limited = solve(&space, &AStar::new(), Query::new(start, goal).max_expansions(8)).outcome;
    assert!(
        matches!(&limited, Outcome::LimitReached { nearest, .. } if nearest.states().len() > 2)
    );
    let greedy = WeightedAStar::new(Weight::new(2.0).unwrap());
    let greedy = solve(&space, &greedy, Query::new(start, goal)).outcome.path().unwrap().cost();
    assert!(best <= greedy && greedy <= 2 * best);
}

#[test]
fn a_walled_in_goal_is_found_out_from_its_own_side() {
    let size = VoxelSize { width: 160, height: 4, depth: 160 };
    let built = |gap: bool| {
        VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |BlockPosition { x, y, z }| {
            let (dx, dz) = (x.abs_diff(120), z.abs_diff(120));
            let is_wall = dx.max(dz) == 6 && y < 3 && !(gap && dx == 6 && dz == 0);
            if y == 0 || is_wall { BlockId::SOLID } else { BlockId::AIR }
        })
        .unwrap()
    };
    let ends = |world: &VoxelGrid| {
        [20, 120].map(|side| world.voxel(BlockPosition::new(side, 1, side)).unwrap())
    };
    let (sealed, open) = (built(false), built(true));
    let [start, goal] = ends(&sealed);
    let answer = solve(&sealed.space(), &AStar::new(), Query::new(start, goal));
    assert!(matches!(&answer.outcome, Outcome::Unreachable { reason: NoPath::Enclosed, .. }));
    assert!(answer.stats.expanded <= 4096, "{}", answer.stats.expanded);
    // The other way round it is the start that is walled in, and to come near takes a look at
    // everything.
    let back = solve(&sealed.space(), &AStar::new(), Query::new(goal, start)).outcome;
    assert!(matches!(&back, Outcome::Unreachable { reason: NoPath::Exhausted, .. }));
    let near = solve(&sealed.space(), &AStar::new(), Query::new(start, goal).approach()).outcome;
    assert!(matches!(&near, Outcome::Unreachable { reason: NoPath::Exhausted, .. }));
    // What was looked at backwards changes nothing where there is a way.
    let dear = solve(&open.space(), &AStar::new(), Query::new(start, goal));
    assert!(dear.outcome.is_found() && dear.stats.expanded > 1024);
}

#[test]
fn impossible_worlds_profiles_and_edits_are_errors() {
    let size = VoxelSize { width: 4, height: 4, depth: 4 };
    let bad = |profile: VoxelProfile| VoxelGrid::new(size, profile).is_err();
    assert!(bad(can(|profile| profile.jump_height = 9)));
    assert!(bad(can(|profile| profile.height = 0)));
    assert!(bad(can(|profile| profile.width = 0)));
    assert!(bad(can(|profile| profile.action_costs.walk = f32::NAN)));
    assert!(bad(can(|profile| profile.action_costs.walk = -1.0)));
    assert!(bad(can(|profile| profile.block_costs = vec![(BlockId(9), Default::default())])));
    let mut world = VoxelGrid::new(size, VoxelProfile::default()).unwrap();
    let off = BlockPosition::new(4, 0, 0);
    assert!(matches!(world.set_block(off, BlockId::AIR), Err(VoxelError::OffMap { .. })));
    let here = BlockPosition::new(0, 0, 0);
    assert!(matches!(world.set_block(here, BlockId(2)), Err(VoxelError::UnknownBlock { .. })));
    assert!(matches!(
        world.load_chunk(ChunkPosition { x: 0, y: 0, z: 0 }, &[]),
        Err(VoxelError::ChunkLength { .. })
    ));
    assert!(world.fill_chunk(ChunkPosition { x: 1, y: 0, z: 0 }, BlockId::AIR).is_err());
    let space = world.space();
    let (inside, outside) =
        (world.voxel(here).unwrap(), <Voxel as wayfare_core::space::StateId>::from_index(u32::MAX));
    assert_eq!(space.check(outside), Err(Obstruction::OffMap));
    assert!(space.check_move(inside, outside).is_err());
}

#[test]
fn a_large_world_that_is_mostly_uniform_is_small() {
    let size = VoxelSize { width: 1024, height: 256, depth: 1024 };
    let (pillar, hole) = (BlockPosition::new(510, 64, 520), BlockPosition::new(512, 63, 520));
    let ground = (0..1024 * 1024).flat_map(|column| {
        (48..64).map(move |y| (BlockPosition::new(column % 1024, y, column / 1024), BlockId::SOLID))
    });
    let edits = [(pillar, BlockId::SOLID), (hole, BlockId::AIR)];
    let mut world = VoxelGrid::from_blocks(size, &[], VoxelProfile::default(), ground).unwrap();
    world.set_blocks(edits).unwrap();
    assert!(world.size_in_bytes() < 64 << 20, "{}", world.size_in_bytes());
    let at = |x, z| world.voxel(BlockPosition::new(x, 64, z)).unwrap();
    let (start, goal) = (at(500, 500), at(520, 540));
    let mut scratch = Scratch::new();
    let answer = wayfare_core::search::Search::finish(
        &mut wayfare_core::search::Algorithm::search(&AStar::new(), Query::new(start, goal)),
        &world.space(),
        &mut scratch,
        &mut (),
    );
    assert!(answer.outcome.is_found());
    assert!(scratch.bytes() < 4 << 20, "{}", scratch.bytes());
}
