//! How crowds count in the choice of paths.

use wayfare_core::inside::LEAST_SIDE;

use super::SettingsFault;

/// How crowds count in the choice of paths.
///
/// Every `seconds`, the simulation measures how much crowds delay each area of the ground. Searches
/// add the delay to the cost of moves, and agents with a delayed path ask for another one. So a
/// crowd spreads over all doors, and goes round agents that stand about. Agents in a queue at a
/// [link](wayfare_core::link::NavLink) look for other paths too.
///
/// [Obstacles](crate::simulation::MovingObstacle) that stand without being carved count as standing
/// agents. Agents without [avoidance](crate::simulation::Avoidance) stand in the way of others.
/// Others do not stand in theirs, and they look for paths round jams all the same.
///
/// On navigation meshes, searches see the delays between the middles of the edges that a path
/// crosses: agents take another door, but do not go round a crowd within one large polygon.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Avoidance, JamSettings};
///
/// let rows = ["........#.......", "................", "........#.......", "................"];
/// let grid = Grid::from_rows(&rows)?;
/// let settings = SimulationSettings {
///     jams: Some(JamSettings { side: 1.0, ..JamSettings::default() }),
///     ..SimulationSettings::default()
/// };
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings)?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let polite = Avoidance { quality: AvoidanceQuality::Medium, ..Avoidance::default() };
/// // Two stand in the upper gap.
/// for x in [8.2, 8.8] {
///     simulation.add_agent(AgentSpec::new("guard", class, at(x, 1.5)).avoidance(polite))?;
/// }
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, at(1.5, 1.5)))?;
/// for _ in 0..200 {
///     simulation.tick();
/// }
/// let gap = |jam: Jam| (jam.min.x, jam.min.z) == (8.0, 1.0);
/// assert!(simulation.links().jams().iter().any(|jam| gap(jam) && jam.delay > 1.0));
/// simulation.order(ann, Order::GoTo(at(14.5, 1.5)));
/// let lowest = (0..200).map(|_| {
///     simulation.tick();
///     simulation.agent(ann).unwrap().position().z
/// });
/// assert!(lowest.fold(0.0, f32::max) > 3.0, "by the lower gap");
/// # use wayfare::agent::Order;
/// # use wayfare::link::Jam;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JamSettings {
    /// The side of an area in world units, 0.1 to 1,000; default 2. Raising it makes measuring
    /// cheaper, and jams coarser: bodies on both sides of a thin wall count as one jam.
    pub side: f32,
    /// How often jams are measured, in seconds, from one tick to 3,600; default 1. Raising it makes
    /// searches restart less often.
    pub seconds: f32,
    /// The time over which measurements are smoothed, in seconds, 0 to 3,600; default 4. Raising it
    /// makes agents notice jams, and their ends, later.
    pub smoothing: f32,
    /// The interval at which an agent with a delayed path asks for another one, in seconds, from
    /// one tick to 3,600; default 5. Agents take turns. Raising it makes crowds slower to share
    /// doors, and cheaper.
    pub asks_every: f32,
    /// The least share by which a new path must be quicker, 0 to 10; default 0.3. Raising it makes
    /// agents keep to their paths longer.
    pub gain: f32,
}

impl Default for JamSettings {
    fn default() -> Self {
        Self { side: 2.0, seconds: 1.0, smoothing: 4.0, asks_every: 5.0, gain: 0.3 }
    }
}

impl JamSettings {
    /// Returns whether a path of price `other` should replace one of price `rest`.
    pub(in crate::simulation) fn is_worth_it(&self, other: f64, rest: f64) -> bool {
        other * (1.0 + f64::from(self.gain)) + f64::from(self.side) < rest
    }

    /// Fails if a setting is out of its range.
    pub(super) fn check(&self, tick: f32) -> Result<(), SettingsFault> {
        let checks = [
            ("side of an area of jams", self.side, LEAST_SIDE, 1.0e3, "from 0.1 to 1,000"),
            ("time between measurements of jams", self.seconds, tick, 3600.0, TIME),
            ("time over which jams are smoothed", self.smoothing, 0.0, 3600.0, "from 0 to 3,600"),
            ("time between questions for a way round jams", self.asks_every, tick, 3600.0, TIME),
            ("gain by a way round jams", self.gain, 0.0, 10.0, "from 0 to 10"),
        ];
        for (field, value, least, most, range) in checks {
            if !(least..=most).contains(&value) {
                return Err(SettingsFault { field, value, range });
            }
        }
        Ok(())
    }
}

/// The range of times between events.
const TIME: &str = "from one tick to 3,600 seconds";
