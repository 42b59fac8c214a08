//! Why there is no way, in terms of what the agent lacks.

use crate::search::{AStar, Query, solve};
use crate::space::voxel::{
    Abilities, BlockPosition, MAX_FALL, MAX_JUMP, Voxel, VoxelGrid, VoxelProfile, VoxelSpace,
};
use crate::space::{MoveRules, Obstruction, ProfileId, Space};

/// Something an agent can have more or less of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Capability {
    /// [`VoxelProfile::jump_height`]
    JumpHeight,
    /// [`VoxelProfile::jump_distance`]
    JumpDistance,
    /// [`VoxelProfile::max_fall_distance`]
    FallDistance,
    /// A body that is less high.
    Height,
    /// A body that is less wide.
    Width,
    /// [`VoxelProfile::opens_doors`]
    Doors,
    /// [`Abilities::walk`]
    Walk,
    /// [`Abilities::climb`]
    Climb,
    /// [`Abilities::swim`]
    Swim,
    /// [`VoxelProfile::endures_lava`], and swimming
    Lava,
    /// [`Abilities::fly`]
    Fly,
}

impl Capability {
    /// All of them, those that change least about an agent first.
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

    /// How much of it a profile has, and the most that anyone can have.
    fn range(self, profile: &VoxelProfile) -> (u16, u16) {
        let Abilities { walk, jump, fall, swim, climb, fly } = profile.abilities;
        let when = |able: bool, much: u16| if able { much } else { 0 };
        match self {
            Self::JumpHeight => (when(jump, profile.jump_height.into()), MAX_JUMP.into()),
            Self::JumpDistance => (when(jump, profile.jump_distance.into()), MAX_JUMP.into()),
            Self::FallDistance => (when(fall, profile.max_fall_distance), MAX_FALL),
            // Of these, less is more: they are counted down to 1.
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

    /// The profile with that much of it.
    fn grant(self, profile: &VoxelProfile, much: u16) -> VoxelProfile {
        let mut more = profile.clone();
        let abilities = &mut more.abilities;
        // The jump's other measure is as it was: nothing, for who could not jump at all.
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

/// What would open a way: how much of a capability, and where it is needed first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// What is lacking.
    pub capability: Capability,
    /// How much of it there has to be: blocks, or 1 for what one has or has not.
    pub needed: u16,
    /// How much of it there is.
    pub has: u16,
    /// Where the first move begins that the agent cannot make.
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

/// Why there is no way between two places.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// There is a way.
    Reachable,
    /// The start is off the map or not loaded.
    Start(Obstruction),
    /// The goal is off the map or not loaded.
    Goal(Obstruction),
    /// Each of these alone would open a way.
    NeedsOneOf(Vec<Need>),
    /// No single one is enough; these together are, and none of them can be spared.
    NeedsAllOf(Vec<Need>),
    /// No agent gets there, whatever it can do.
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

/// Finds out what an agent lacks to get from one place to another.
///
/// Each capability is raised by itself: first as far as it goes and, if that opens a way, back to the least that does. What is
/// reported is the first move on the cheapest path then that the agent cannot make. Where none but flying is enough by itself, all
/// others are raised together, and given back one by one as long as a way stays open; flying is the answer where that is
/// not enough.
///
/// Takes up to a few dozen searches, and as many passes over the blocks of the world: for explaining, not for every frame.
#[must_use]
pub fn why(world: &VoxelGrid, profile: ProfileId, from: Voxel, to: Voxel) -> Why {
    let own = world.space_for::<u64>(profile);
    for (end, reason) in [(from, Why::Start as fn(_) -> _), (to, Why::Goal)] {
        if let Err(obstruction @ (Obstruction::OffMap | Obstruction::NotLoaded)) = own.check(end) {
            return reason(obstruction);
        }
    }
    let inquiry = Inquiry { world, own, from, to };
    let profile = world.profile(profile);
    if inquiry.first_new_move(profile).is_some() {
        return Why::Reachable;
    }
    let lacking = Capability::ALL.into_iter().filter(|capability| {
        let (has, most) = capability.range(profile);
        has < most
    });
    let mut alone: Vec<Need> =
        lacking.clone().filter_map(|capability| inquiry.least(profile, capability)).collect();
    // Who endures lava swims: where swimming is enough, lava is not in the way.
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
    // Flying nearly always helps. It is no reason not to say what else would.
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

struct Inquiry<'w> {
    world: &'w VoxelGrid,
    own: VoxelSpace<'w, u64>,
    from: Voxel,
    to: Voxel,
}

impl Inquiry<'_> {
    /// Where the agent's own abilities end on the cheapest path under that profile; the goal, if they do not. `None`: there
    /// is no path.
    fn first_new_move(&self, profile: &VoxelProfile) -> Option<Voxel> {
        // A profile made of valid parts is valid.
        let layer = self.world.derive(profile).ok()?;
        let answer = solve(
            &self.world.space_over::<u64>(&layer),
            &AStar::new(),
            Query::new(self.from, self.to),
        );
        let path = answer.outcome.path()?;
        let states: Vec<Voxel> = path.states().collect();
        let cannot = |pair: &&[Voxel]| self.own.check_move(pair[0], pair[1]).is_err();
        Some(states.windows(2).find(cannot).map_or(self.to, |pair| pair[0]))
    }

    /// The least of a capability that opens a way for that profile.
    fn least(&self, profile: &VoxelProfile, capability: Capability) -> Option<Need> {
        let (has, most) = capability.range(profile);
        let mut at = self.first_new_move(&capability.grant(profile, most))?;
        // Too little, and enough.
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

    /// Of capabilities that open a way together, some that cannot be spared, each at its least.
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
