//! How fast classes of agents are on each ground.

use wayfare_core::space::StateId;

use super::Roster;
use crate::plan::ClassId;
use crate::simulation::{Environment, GroundId};

/// The part of its speed that an agent has on each ground: stairs, mud. Default: all of it
/// everywhere.
///
/// Speeds are apart from costs. A path is the cheapest one whatever the speeds on it; for the
/// fastest one, give ground of speed `s` the cost multiplier `1 / s` as well. Where some ground is
/// faster than the usual one, a road, let the largest speed be that of the road and slow all else.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::GroundSpeeds;
///
/// let mud = TerrainId(1);
/// let mut terrain = vec![TerrainId::GROUND; 20];
/// terrain.extend([mud; 20]);
/// let grid = Grid::new(40, 1, &terrain, Default::default())?;
/// let settings = SimulationSettings::default();
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings)?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// simulation.set_ground_speeds(class, GroundSpeeds::new().with(mud, 0.5)?)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, Vec3::new(0.5, 0.0, 0.5)))?;
/// simulation.order(ann, Order::GoTo(Vec3::new(39.5, 0.0, 0.5)));
/// let mut speeds = [0.0f32; 2];
/// for _ in 0..400 {
///     simulation.tick();
///     let ann = simulation.agent(ann).unwrap();
///     let place = usize::from(ann.position().x > 22.0);
///     speeds[place] = speeds[place].max(ann.speed());
/// }
/// assert_eq!(speeds, [3.0, 1.5]);
/// # use wayfare::agent::Order;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundSpeeds {
    /// The grounds that slow, in ascending order, each once.
    slow: Vec<SlowGround>,
}

/// A ground and the part of its speed that an agent has there.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SlowGround {
    ground: GroundId,
    factor: f32,
}

/// Why speeds by ground are refused.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GroundSpeedFault {
    /// The factor is out of range.
    #[error("the speed on ground {} is {factor} of the usual one; it must be 0.01 to 1", ground.0)]
    Factor {
        /// The ground.
        ground: GroundId,
        /// The factor.
        factor: f32,
    },
    /// The simulation has no such class.
    #[error("there is no class {0}")]
    NoSuchClass(u16),
}

impl GroundSpeeds {
    /// Returns the full speed everywhere.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the same with another factor for one ground: the part of the usual speed that agents
    /// have there, 0.01 to 1.
    ///
    /// # Errors
    /// The factor is out of range.
    pub fn with(
        mut self,
        ground: impl Into<GroundId>,
        factor: f32,
    ) -> Result<Self, GroundSpeedFault> {
        let ground = ground.into();
        if !(0.01..=1.0).contains(&factor) {
            return Err(GroundSpeedFault::Factor { ground, factor });
        }
        let place = self.slow.binary_search_by_key(&ground, |slow| slow.ground);
        let slow = SlowGround { ground, factor };
        match place {
            Ok(place) if factor == 1.0 => drop(self.slow.remove(place)),
            Ok(place) => self.slow[place] = slow,
            Err(_) if factor == 1.0 => {}
            Err(place) => self.slow.insert(place, slow),
        }
        Ok(self)
    }

    /// Returns the part of its speed that an agent has on a ground. O(log grounds that slow).
    #[must_use]
    pub fn get(&self, ground: GroundId) -> f32 {
        let place = self.slow.binary_search_by_key(&ground, |slow| slow.ground);
        place.map_or(1.0, |place| self.slow[place].factor)
    }

    /// Returns whether its factors are such as [`with`](Self::with) accepts. Factors read from a
    /// file may not be.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn is_sound(&self) -> bool {
        self.slow.is_sorted_by(|a, b| a.ground < b.ground)
            && self.slow.iter().all(|slow| (0.01..1.0).contains(&slow.factor))
    }

    /// Calls `take` with all of it, for a hash.
    pub(in crate::simulation) fn words(&self, mut take: impl FnMut(u64)) {
        for slow in &self.slow {
            take(u64::from(slow.ground.0) << 32 | u64::from(slow.factor.to_bits()));
        }
    }
}

impl<State: StateId> Roster<State> {
    /// Sets how fast the agents of a class are on each ground.
    pub(in crate::simulation) fn set_ground_speeds(
        &mut self,
        class: ClassId,
        speeds: GroundSpeeds,
    ) -> Result<(), GroundSpeedFault> {
        if self.classes.get(class).is_none() {
            return Err(GroundSpeedFault::NoSuchClass(class.0));
        }
        let number = usize::from(class.0);
        if self.ground_speeds.len() <= number {
            self.ground_speeds.resize_with(number + 1, GroundSpeeds::new);
        }
        self.ground_speeds[number] = speeds;
        // Nothing is looked up in simulations where nothing slows.
        while self.ground_speeds.last().is_some_and(|speeds| speeds.slow.is_empty()) {
            self.ground_speeds.pop();
        }
        Ok(())
    }

    /// Returns the part of its speed that an agent has where it is.
    #[inline]
    pub(in crate::simulation) fn ground_factor<W>(&self, number: usize, world: &W) -> f32
    where
        W: Environment<State = State>,
    {
        if self.ground_speeds.is_empty() { 1.0 } else { self.factor_by_ground(number, world) }
    }

    fn factor_by_ground<W: Environment<State = State>>(&self, number: usize, world: &W) -> f32 {
        let agent = &self.agents[number];
        let Some(speeds) = self.ground_speeds.get(usize::from(agent.class.0)) else { return 1.0 };
        let ground = world.ground_at(self.profile(number), agent.body.at());
        ground.map_or(1.0, |ground| speeds.get(ground))
    }
}
