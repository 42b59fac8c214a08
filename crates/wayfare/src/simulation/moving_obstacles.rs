//! Obstacles that a program moves: bodies go round them while they move, paths once they stand.
//!
//! Cutting a world and finding all paths again costs tens of microseconds and more. An obstacle
//! that moves ten times a second is gone before a path round it is of use. So while it moves, only
//! the crowd knows of it, as a body that nothing stops; and where it stands long enough, it is
//! carved, as by [`Command::Carve`].

use glam::{Vec2, Vec3};

use super::carvings::Carvings;
use super::{CarveId, Command, CommandFault, Environment, Event, Shape, ShapeBounds, Simulation};
use crate::crowd::{AvoidanceModel, AvoidanceQuality, CrowdAgent, CrowdSettings, Lead, Member};

/// An obstacle that a program moves, such as a cart or a lift.
///
/// While it is not carved, agents that [avoid others](super::Avoidance) give way to it as to a body
/// that nothing stops, on grids, meshes and among voxels; all others walk through it. It pushes
/// nobody through a wall: whoever cannot give way is overrun. Paths lead round it only where it is
/// carved.
///
/// It is seen from above, as a disc, or for a box as a row of up to eight discs around it. Those
/// who fly or swim see it as balls of their height.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{CarveId, CarveWhenStill, Command, MovingObstacle, Shape};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// for tick in 0..20 {
///     let centre = Vec3::new(1.5 + 0.2 * tick as f32, 0.0, 0.5);
///     let cart = MovingObstacle {
///         shape: Shape::Ball { centre, radius: 0.4 },
///         carves: Some(CarveWhenStill { seconds: 0.5, ..CarveWhenStill::default() }),
///     };
///     simulation.schedule(tick, Command::MoveObstacle { id: CarveId(1), to: cart });
/// }
/// let mut free = || {
///     simulation.tick();
///     let grid = simulation.world();
///     (0..8).filter(|&x| grid.space().is_free(grid.cell(x, 0).unwrap())).count()
/// };
/// // It moves for a second; half a second later, after ten ticks more, it is cut out.
/// assert!((0..29).all(|_| free() == 8));
/// assert_eq!(free(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovingObstacle {
    /// What it covers now.
    pub shape: Shape,
    /// When it is carved; `None` for one that never is.
    pub carves: Option<CarveWhenStill>,
}

/// When an obstacle that a program moves is carved.
///
/// Example: [`MovingObstacle`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CarveWhenStill {
    /// The time that it has to stand, in seconds, 0 to 3,600; default 0.5. With 0 it is carved
    /// wherever it is, at the cost of an edit a move. Raising it makes agents go on longer towards
    /// one that has stopped.
    pub seconds: f32,
    /// The distance in world units, 0 to 1,000, beyond which it counts as moved; default 0.1.
    /// Raising it saves edits, and lets the ground that is cut lie beside the obstacle by as much.
    pub least_move: f32,
}

impl Default for CarveWhenStill {
    fn default() -> Self {
        Self { seconds: 0.5, least_move: 0.1 }
    }
}

/// An obstacle that a program moves, as it is now.
///
/// ```
/// # use wayfare::link::NavLinks;
/// # use wayfare::prelude::*;
/// # use wayfare::simulation::{CarveId, Command, MovingObstacle, Shape};
/// # let grid = Grid::from_rows(&["........"])?;
/// # let links = NavLinks::new(3.0);
/// let mut simulation = Simulation::new(grid, links, SimulationSettings::default())?;
/// let shape = Shape::Ball { centre: Vec3::new(1.5, 0.0, 0.5), radius: 0.4 };
/// let to = MovingObstacle { shape, carves: None };
/// simulation.schedule(0, Command::MoveObstacle { id: CarveId(1), to });
/// simulation.tick();
/// assert!(simulation.moving_obstacles().all(|one| one.id == CarveId(1) && !one.is_carved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovingObstacleView {
    /// Its number.
    pub id: CarveId,
    /// The obstacle.
    pub obstacle: MovingObstacle,
    /// The velocity by its last moves, in world units a second.
    pub velocity: Vec3,
    /// Whether it is carved.
    pub is_carved: bool,
}

impl MovingObstacle {
    /// Whether every number is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), CommandFault> {
        if !self.shape.is_finite() {
            return Err(CommandFault::Shape);
        }
        let CarveWhenStill { seconds, least_move } = self.carves.unwrap_or_default();
        let ranges = [
            ("time to stand before it is carved", seconds, 3600.0),
            ("least move", least_move, 1000.0),
        ];
        for (field, value, most) in ranges {
            if !(0.0..=most).contains(&value) {
                return Err(CommandFault::CarveWhenStill { field, value, most });
            }
        }
        Ok(())
    }
}

/// An obstacle, and what is remembered of its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Tracked {
    id: CarveId,
    obstacle: MovingObstacle,
    /// Its middle at the end of the last tick.
    before: Vec3,
    /// The velocity by the last two commands, which holds up to a tick.
    velocity: Vec3,
    velocity_until: u64,
    /// The tick of the last command.
    told_at: u64,
    /// Where it stands, by the last move that counts, and since which tick.
    rests: Shape,
    rests_since: u64,
    is_carved: bool,
}

/// The most discs that stand for a box.
const MOST_DISCS: f32 = 8.0;

/// The least height of an obstacle, so that flat ones are in the way.
const LEAST_HEIGHT: f32 = 1e-2;

fn middle(shape: &Shape) -> Vec3 {
    let ShapeBounds { min, max } = shape.bounds();
    min.midpoint(max)
}

/// How far the farthest corner of one shape's bounds is from that of another one.
fn moved_by(from: &Shape, to: &Shape) -> f32 {
    let (from, to) = (from.bounds(), to.bounds());
    from.min.distance(to.min).max(from.max.distance(to.max))
}

impl Tracked {
    fn new(id: CarveId, obstacle: MovingObstacle, now: u64) -> Self {
        Self {
            id,
            obstacle,
            before: middle(&obstacle.shape),
            velocity: Vec3::ZERO,
            velocity_until: now,
            told_at: now,
            rests: obstacle.shape,
            rests_since: now,
            is_carved: false,
        }
    }

    /// Takes the obstacle to another place. Says whether it counts as moved.
    fn take(&mut self, to: MovingObstacle, now: u64, tick_seconds: f32) -> bool {
        // Several commands of one tick are one move, from where it was before the tick.
        let by = middle(&to.shape) - self.before;
        let ticks = (now - self.told_at).max(1);
        self.velocity = by / (ticks as f32 * tick_seconds);
        self.velocity_until = now + ticks - 1;
        (self.obstacle, self.told_at) = (to, now);
        let least = to.carves.map_or(0.0, |carves| carves.least_move);
        let is_moved = moved_by(&self.rests, &to.shape) > least;
        if is_moved {
            (self.rests, self.rests_since) = (to.shape, now);
        }
        is_moved
    }

    fn velocity(&self, now: u64) -> Vec3 {
        if now <= self.velocity_until { self.velocity } else { Vec3::ZERO }
    }

    /// Whether it is time to carve it.
    fn is_due(&self, now: u64, ticks: impl Fn(f32) -> u64) -> bool {
        self.obstacle.carves.is_some_and(|carves| {
            let wait = if carves.seconds > 0.0 { ticks(carves.seconds) } else { 0 };
            !self.is_carved && now >= self.rests_since + wait
        })
    }

    /// The bodies that it is for a crowd in this tick: none while it is carved.
    fn discs(&self, now: u64) -> impl Iterator<Item = Member> + use<> {
        let shape = self.obstacle.shape;
        let ShapeBounds { min, max } = shape.bounds();
        let size = max - min;
        let (long, short) = (size.x.max(size.z), size.x.min(size.z));
        let (count, radius) = match shape {
            Shape::Ball { radius, .. } => (1.0, radius.abs()),
            Shape::Box { .. } => {
                let count = (long / short.max(long / MOST_DISCS)).ceil().clamp(1.0, MOST_DISCS);
                (count, Vec2::new(long / count, short).length() * 0.5)
            }
        };
        let along = if size.x >= size.z { Vec3::X } else { Vec3::Z };
        // What moves farther than anybody looks was put there.
        let by = min.midpoint(max) - self.before;
        let is_put = by.length() > CrowdSettings::default().range;
        let by = if is_put { Vec3::ZERO } else { by };
        let from = (min.midpoint(max) - by).with_y(min.y);
        let velocity = self.velocity(now).with_y(0.0);
        let velocity = if is_put { Vec3::ZERO } else { velocity };
        let lead = Some(Lead { by: Some(by), keeps: true, was_followed: true, left: 0.0 });
        let count = if self.is_carved || radius <= 0.0 { 0 } else { count as u32 };
        (0..count).map(move |disc| {
            let place = (disc as f32 + 0.5) / count as f32 - 0.5;
            let agent = CrowdAgent {
                velocity,
                preferred: velocity,
                radius,
                height: size.y.max(LEAST_HEIGHT),
                quality: AvoidanceQuality::Off,
                layers: u32::MAX,
                ..CrowdAgent::at(from + along * (long * place))
            };
            let (is_settled, stuck, ground) = (false, 0.0, 0);
            let model = AvoidanceModel::Reciprocal; // of no use to one that moves as told
            Member { agent, is_settled, stuck, ground, model, lead, passes: None, group: None }
        })
    }

    /// Whether it can be, in the tick `now`.
    fn is_sound(&self, now: u64) -> bool {
        self.obstacle.check().is_ok()
            && self.rests.is_finite()
            && self.before.is_finite()
            && self.velocity.is_finite()
            && self.told_at <= now
            && self.rests_since <= now
            && self.velocity_until <= 2 * now
            && (!self.is_carved || self.obstacle.carves.is_some())
    }
}

/// The obstacles that a program moves, by number.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct MovingObstacles(Vec<Tracked>);

impl MovingObstacles {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, id: CarveId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |tracked| tracked.id)
    }

    /// Moves an obstacle. Says what is to be done about what was carved for it.
    fn take(
        &mut self,
        id: CarveId,
        to: MovingObstacle,
        (now, tick_seconds): (u64, f32),
        is_carved: impl Fn(CarveId) -> bool,
    ) -> bool {
        match self.place(id) {
            Ok(place) => {
                let tracked = &mut self.0[place];
                let is_moved = tracked.take(to, now, tick_seconds);
                let is_lifted = tracked.is_carved && (is_moved || to.carves.is_none());
                tracked.is_carved &= !is_lifted;
                is_lifted
            }
            Err(place) => {
                self.0.insert(place, Tracked::new(id, to, now));
                // One that was carved by a command begins to move.
                is_carved(id)
            }
        }
    }

    /// Forgets an obstacle. Says whether it was there without being carved.
    fn forget(&mut self, id: CarveId) -> bool {
        self.place(id).is_ok_and(|place| !self.0.remove(place).is_carved)
    }

    /// A tick is over.
    pub(super) fn end_tick(&mut self) {
        for tracked in &mut self.0 {
            tracked.before = middle(&tracked.obstacle.shape);
        }
    }

    /// The bodies that they are for a crowd in this tick.
    pub(super) fn discs(&self, now: u64) -> impl Iterator<Item = Member> {
        self.0.iter().flat_map(move |tracked| tracked.discs(now))
    }

    /// Whether they can be, in the tick `now`, with those obstacles carved.
    #[cfg_attr(not(feature = "serde"), expect(dead_code, reason = "only snapshots are checked"))]
    pub(super) fn are_sound<Place, Fill>(&self, now: u64, carvings: &Carvings<Place, Fill>) -> bool
    where
        Place: Copy + Ord + std::fmt::Debug,
        Fill: Copy + std::fmt::Debug + PartialEq,
    {
        self.0.is_sorted_by(|a, b| a.id < b.id)
            && self.0.iter().all(|one| one.is_sound(now) && one.is_carved == carvings.holds(one.id))
    }

    /// Hands out words that tell two of them apart.
    pub(super) fn words(&self, mut word: impl FnMut(u64)) {
        for tracked in &self.0 {
            let ShapeBounds { min, max } = tracked.obstacle.shape.bounds();
            let ShapeBounds { min: low, max: high } = tracked.rests.bounds();
            for point in [min, max, low, high, tracked.before, tracked.velocity] {
                point.to_array().iter().for_each(|part| word(u64::from(part.to_bits())));
            }
            word(u64::from(tracked.id.0) << 1 | u64::from(tracked.is_carved));
            let ticks = [tracked.told_at, tracked.rests_since, tracked.velocity_until];
            ticks.into_iter().for_each(&mut word);
        }
    }
}

impl<W: Environment> Simulation<W> {
    /// The obstacles that are moved by [`Command::MoveObstacle`], by number.
    pub fn moving_obstacles(&self) -> impl Iterator<Item = MovingObstacleView> + '_ {
        // In the tick that is over.
        let last = self.now.saturating_sub(1);
        self.moving_obstacles.0.iter().map(move |tracked| MovingObstacleView {
            id: tracked.id,
            obstacle: tracked.obstacle,
            velocity: tracked.velocity(last),
            is_carved: tracked.is_carved,
        })
    }

    /// Moves obstacles. Puts in the place of these commands those that carve what stands, and
    /// restore what moves.
    pub(super) fn move_obstacles(
        &mut self,
        commands: Vec<Command<W::Edit>>,
    ) -> Vec<Command<W::Edit>> {
        let is_any = commands.iter().any(|one| matches!(one, Command::MoveObstacle { .. }));
        if self.moving_obstacles.is_empty() && !is_any {
            return commands;
        }
        let Self { moving_obstacles: moving, carvings, events, settings, now, .. } = self;
        let mut carved = Vec::with_capacity(commands.len());
        for command in commands {
            match command {
                Command::MoveObstacle { id, to } => {
                    let time = (*now, settings.tick_seconds);
                    match to.check() {
                        Err(fault) => events.events.push(Event::Failed(fault)),
                        Ok(()) => {
                            if moving.take(id, to, time, |id| carvings.holds(id)) {
                                carved.push(Command::Restore { id });
                            }
                        }
                    }
                }
                Command::Restore { id } => {
                    if !moving.forget(id) {
                        carved.push(Command::Restore { id });
                    }
                }
                Command::Carve { id, shape } if shape.is_finite() => {
                    moving.forget(id);
                    carved.push(Command::Carve { id, shape });
                }
                other => carved.push(other),
            }
        }
        for tracked in &mut moving.0 {
            if tracked.is_due(*now, |seconds| settings.ticks(seconds)) {
                tracked.is_carved = true;
                let (id, shape) = (tracked.id, tracked.obstacle.shape);
                carved.push(Command::Carve { id, shape });
            }
        }
        carved
    }
}
