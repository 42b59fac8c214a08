//! Why there is no path, in terms of the capabilities that the agent lacks.

use wayfare_core::path::Step;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::{Action, MoveRules, Obstruction, ProfileId, Space};

use crate::{
    Abilities, BlockPosition, MAX_FALL, MAX_JUMP, Voxel, VoxelGrid, VoxelProfile, VoxelSpace,
};

/// A capability that an agent has to some degree.
///
/// Example: [`why`](why()).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Capability {
    /// [`VoxelProfile::jump_height`]
    JumpHeight,
    /// [`VoxelProfile::jump_distance`]
    JumpDistance,
    /// [`VoxelProfile::max_fall_distance`]
    FallDistance,
    /// A lower body.
    Height,
    /// A narrower body.
    Width,
    /// [`VoxelProfile::opens_doors`]
    Doors,
    /// [`Abilities::walk`]
    Walk,
    /// [`Abilities::climb`]
    Climb,
    /// [`Abilities::swim`]
    Swim,
    /// [`VoxelProfile::endures_lava`], together with swimming
    Lava,
    /// [`Abilities::fly`]
    Fly,
}

impl Capability {
    /// All capabilities, the least change of an agent first.
    pub const ALL: [Self; 11] = [
        Self::JumpHeight,
        Self::JumpDistance,
        Self::FallDistance,
        Self::Height,
        Self::Width,
        Self::Doors,
        Self::Walk,
        Self::Climb,
        Self::Swim,
        Self::Lava,
        Self::Fly,
    ];

    /// Returns the degree of a profile's capability, and the largest degree.
    fn range(self, profile: &VoxelProfile) -> (u16, u16) {
        let Abilities { walk, jump, fall, swim, climb, fly } = profile.abilities;
        let when = |able: bool, much: u16| if able { much } else { 0 };
        match self {
            Self::JumpHeight => (when(jump, profile.jump_height.into()), MAX_JUMP.into()),
            Self::JumpDistance => (when(jump, profile.jump_distance.into()), MAX_JUMP.into()),
            Self::FallDistance => (when(fall, profile.max_fall_distance), MAX_FALL),
            // A smaller body is more capable: the degree counts the blocks taken off, down to a
            // size of 1.
            Self::Height => (0, u16::from(profile.height) - 1),
            Self::Width => (0, u16::from(profile.width) - 1),
            Self::Doors => (profile.opens_doors.into(), 1),
            Self::Walk => (walk.into(), 1),
            Self::Climb => (climb.into(), 1),
            Self::Swim => (swim.into(), 1),
            Self::Lava => ((swim && profile.endures_lava).into(), 1),
            Self::Fly => (fly.into(), 1),
        }
    }

    /// Returns the profile with the given degree of the capability.
    fn grant(self, profile: &VoxelProfile, much: u16) -> VoxelProfile {
        let mut more = profile.clone();
        let abilities = &mut more.abilities;
        // The other measure of a jump stays; 0 for an agent that could not jump.
        let could_jump = profile.abilities.jump;
        match self {
            Self::JumpHeight => {
                more.jump_height = much as u8;
                more.jump_distance = if could_jump { profile.jump_distance } else { 0 };
                abilities.jump = true;
            }
            Self::JumpDistance => {
                more.jump_distance = much as u8;
                more.jump_height = if could_jump { profile.jump_height } else { 0 };
                abilities.jump = true;
            }
            Self::FallDistance => {
                more.max_fall_distance = much;
                abilities.fall = true;
            }
            Self::Height => more.height -= much as u8,
            Self::Width => more.width -= much as u8,
            Self::Doors => more.opens_doors = true,
            Self::Walk => abilities.walk = true,
            Self::Climb => abilities.climb = true,
            Self::Swim => abilities.swim = true,
            Self::Lava => {
                abilities.swim = true;
                more.endures_lava = true;
            }
            Self::Fly => abilities.fly = true,
        }
        more
    }
}

/// A capability that would open a path: the degree, and the voxel where it is first needed.
///
/// Example: [`why`](why()).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The capability.
    pub capability: Capability,
    /// The degree needed: in blocks, or 1 for a capability without degrees.
    pub needed: u16,
    /// The degree that the agent has.
    pub has: u16,
    /// The start of the first move that the agent cannot make.
    pub at: BlockPosition,
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { capability, needed, has, at } = self;
        match capability {
            Capability::JumpHeight => {
                write!(f, "a jump of {needed} is needed at {at}; this agent jumps {has}")
            }
            Capability::JumpDistance => {
                write!(
                    f,
                    "a jump across a gap of {needed} is needed at {at}; this agent jumps across {has}"
                )
            }
            Capability::FallDistance => {
                write!(f, "a fall of {needed} is needed at {at}; this agent falls {has}")
            }
            Capability::Height => {
                write!(
                    f,
                    "a body at most {needed} high is needed at {at}; this agent is {has} high"
                )
            }
            Capability::Width => {
                write!(
                    f,
                    "a body at most {needed} wide is needed at {at}; this agent is {has} wide"
                )
            }
            Capability::Doors => write!(f, "a door is in the way at {at}; this agent opens none"),
            Capability::Walk => write!(f, "walking is needed at {at}; this agent does not walk"),
            Capability::Climb => write!(f, "climbing is needed at {at}; this agent does not climb"),
            Capability::Swim => write!(f, "swimming is needed at {at}; this agent does not swim"),
            Capability::Lava => {
                write!(f, "lava is in the way at {at}; this agent does not endure it")
            }
            Capability::Fly => write!(f, "flying is needed at {at}; this agent does not fly"),
        }
    }
}

/// Why there is no path between two voxels.
///
/// Example: [`why`](why()).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// There is a path.
    Reachable,
    /// The start is off the map or not loaded, or the world has no such profile.
    Start(Obstruction),
    /// The goal is off the map or not loaded.
    Goal(Obstruction),
    /// Each of these capabilities alone would open a path.
    NeedsOneOf(Vec<Need>),
    /// No single capability is enough. These together are, and each of them is needed.
    NeedsAllOf(Vec<Need>),
    /// No capabilities would open a path.
    Sealed,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |f: &mut std::fmt::Formatter<'_>, needs: &[Need], joint: &str| {
            for (number, need) in needs.iter().enumerate() {
                write!(f, "{}{need}", if number == 0 { "" } else { joint })?;
            }
            Ok(())
        };
        match self {
            Self::Reachable => write!(f, "there is a way"),
            Self::Start(obstruction) => write!(f, "the start {obstruction}"),
            Self::Goal(obstruction) => write!(f, "the goal {obstruction}"),
            Self::NeedsOneOf(needs) => list(f, needs, "; or "),
            Self::NeedsAllOf(needs) => list(f, needs, "; and "),
            Self::Sealed => write!(f, "no agent gets there, whatever it can do"),
        }
    }
}

/// Finds the capabilities that an agent lacks to get from one voxel to another.
///
/// 1. Each capability is raised by itself to its largest degree. If that opens a path, bisection
///    finds the least degree that does. The first move of that path that the agent cannot make is
///    reported.
/// 2. If none but flying is enough, all others are raised together, and each is withdrawn again if
///    a path remains without it.
/// 3. If that is not enough either, flying is reported.
///
/// Bisection finds the least degree because a larger degree adds moves and removes none. Width is
/// the exception: a narrower body can lose its footing at an edge. Its reported degree opens a
/// path, but a wider body may do so too.
///
/// Takes up to a few dozen searches, and as many passes over all blocks: for messages, not for
/// every frame.
///
/// ```
/// use wayfare::explain::voxel::{Capability, Need, Why, why};
/// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 4, height: 5, depth: 1 };
/// let floor = (0..4).map(|x| (BlockPosition::new(x, 0, 0), BlockId::SOLID));
/// let step = (1..3).map(|y| (BlockPosition::new(3, y, 0), BlockId::SOLID)); // two blocks high
/// let world = VoxelGrid::from_blocks(size, &[], VoxelProfile::default(), floor.chain(step))?;
/// let [below, above] =
///     [(0, 1), (3, 3)].map(|(x, y)| world.voxel(BlockPosition::new(x, y, 0)).unwrap());
/// let first = world.profiles().next().unwrap();
/// let Why::NeedsOneOf(needs) = why(&world, first, below, above) else { unreachable!() };
/// let Need { capability, needed, .. } = needs[0];
/// assert_eq!((capability, needed), (Capability::JumpHeight, 2));
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[must_use]
pub fn why(world: &VoxelGrid, profile: ProfileId, from: Voxel, to: Voxel) -> Why {
    why_by(world, profile, from, to, |space, query| solve(&space, &AStar::new(), query).outcome)
}

/// Like [`why`], with a search of the caller's: to lay links over each space. Moves through links
/// need no capability.
#[must_use]
pub fn why_by(
    world: &VoxelGrid,
    profile: ProfileId,
    from: Voxel,
    to: Voxel,
    search: impl Fn(VoxelSpace<'_, u64>, Query<Voxel, u64>) -> Outcome<Voxel, u64>,
) -> Why {
    let own = world.space_for::<u64>(profile);
    for (end, reason) in [(from, Why::Start as fn(_) -> _), (to, Why::Goal)] {
        if let Err(obstruction @ (Obstruction::OffMap | Obstruction::NotLoaded)) = own.check(end) {
            return reason(obstruction);
        }
    }
    let inquiry = Inquiry { world, own, id: profile, from, to, search };
    let Some(profile) = world.profile(profile) else {
        return Why::Start(Obstruction::NoSuchProfile);
    };
    if inquiry.outcome(own).is_found() {
        return Why::Reachable;
    }
    let lacking = Capability::ALL.into_iter().filter(|capability| {
        let (has, most) = capability.range(profile);
        has < most
    });
    let mut alone: Vec<Need> =
        lacking.clone().filter_map(|capability| inquiry.least(profile, capability)).collect();
    // Agents that endure lava swim: if swimming is enough, lava is not in the path.
    if alone.iter().any(|need| need.capability == Capability::Swim) {
        alone.retain(|need| need.capability != Capability::Lava);
    }
    let all = |with_flying: bool| {
        let granted = lacking.clone().filter(|&other| with_flying || other != Capability::Fly);
        let granted: Vec<Capability> = granted.collect();
        let most = granted.iter().fold(profile.clone(), |profile, capability| {
            let (_, most) = capability.range(&profile);
            capability.grant(&profile, most)
        });
        inquiry.first_new_move(&most).map(|_| granted)
    };
    // Flying nearly always helps, so other capabilities are reported beside it.
    if alone.iter().any(|need| need.capability != Capability::Fly) {
        return Why::NeedsOneOf(alone);
    }
    match all(false) {
        Some(granted) => Why::NeedsAllOf(inquiry.spare(profile, granted)),
        None if !alone.is_empty() => Why::NeedsOneOf(alone),
        None => match all(true) {
            Some(granted) => Why::NeedsAllOf(inquiry.spare(profile, granted)),
            None => Why::Sealed,
        },
    }
}

struct Inquiry<'w, F> {
    world: &'w VoxelGrid,
    /// The space of the agent's own profile, in which there is no path.
    own: VoxelSpace<'w, u64>,
    id: ProfileId,
    from: Voxel,
    to: Voxel,
    search: F,
}

impl<F> Inquiry<'_, F>
where
    F: Fn(VoxelSpace<'_, u64>, Query<Voxel, u64>) -> Outcome<Voxel, u64>,
{
    fn outcome(&self, space: VoxelSpace<'_, u64>) -> Outcome<Voxel, u64> {
        (self.search)(space, Query::new(self.from, self.to))
    }

    /// Returns the start of the first move on the cheapest path under `profile` that the agent's
    /// own profile cannot make; the goal if it can make all. `None` if there is no path.
    fn first_new_move(&self, profile: &VoxelProfile) -> Option<Voxel> {
        // A profile made of valid parts is valid.
        let layer = self.world.derive(profile).ok()?;
        if self.world.has_moves_of(&layer, self.id) {
            return None; // as under the agent's own profile: to swim is no help without water
        }
        let outcome = self.outcome(self.world.space_over::<u64>(&layer));
        let path = outcome.path()?;
        let cannot = |pair: &&[Step<Voxel, u64>]| {
            !matches!(pair[1].action, Action::Link(_))
                && self.own.check_move(pair[0].state, pair[1].state).is_err()
        };
        Some(path.steps.windows(2).find(cannot).map_or(self.to, |pair| pair[0].state))
    }

    /// Returns the least degree of a capability that opens a path for `profile`.
    fn least(&self, profile: &VoxelProfile, capability: Capability) -> Option<Need> {
        let (has, most) = capability.range(profile);
        let mut at = self.first_new_move(&capability.grant(profile, most))?;
        // A degree that is too low, and one that is enough.
        let (mut little, mut enough) = (has, most);
        while enough - little > 1 {
            let middle = little + (enough - little) / 2;
            match self.first_new_move(&capability.grant(profile, middle)) {
                Some(place) => (enough, at) = (middle, place),
                None => little = middle,
            }
        }
        let size = match capability {
            Capability::Height => Some(profile.height),
            Capability::Width => Some(profile.width),
            _ => None,
        };
        let (needed, has) = match size {
            Some(size) => (u16::from(size) - enough, u16::from(size)),
            None => (enough, has),
        };
        Some(Need { capability, needed, has, at: self.world.position_of(at) })
    }

    /// Returns a subset of the capabilities that opens a path and of which each is needed, at its
    /// least degree.
    fn spare(&self, profile: &VoxelProfile, mut granted: Vec<Capability>) -> Vec<Need> {
        let with = |granted: &[Capability], but: Option<Capability>| {
            granted.iter().filter(|&&other| Some(other) != but).fold(
                profile.clone(),
                |profile, capability| {
                    let (_, most) = capability.range(&profile);
                    capability.grant(&profile, most)
                },
            )
        };
        for capability in granted.clone().into_iter().rev() {
            if self.first_new_move(&with(&granted, Some(capability))).is_some() {
                granted.retain(|&other| other != capability);
            }
        }
        let needs = granted.iter().map(|&capability| {
            let others = with(&granted, Some(capability));
            self.least(&others, capability)
        });
        needs.flatten().collect()
    }
}
