//! Obstacles that a program moves: bodies go round them while they move, paths once they stand.
//!
//! Cutting a world and finding all paths again costs tens of microseconds and more. An obstacle
//! that moves ten times a second is gone before a path round it is of use. So while it moves, only
//! the crowd knows of it, as a body that nothing stops; and where it stands long enough, it is
//! carved, as by [`Command::Carve`](crate::simulation::Command::Carve).

use glam::Vec3;
use wayfare_crowd::inside::{Lead, Member, Role};
use wayfare_crowd::{CrowdAgent, CrowdSettings};

use super::{Carvings, Ground};
use crate::simulation::clock::Clock;
use crate::simulation::obstacle::bodies;
use crate::simulation::{
    CarveId, Command, Environment, Event, MovingObstacle, MovingObstacleView, Shape, ShapeBounds,
    TickEvents,
};

/// An obstacle, and the history of its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Tracked {
    id: CarveId,
    obstacle: MovingObstacle,
    /// The tick of the last command.
    told_at: u64,
    /// Its middle before that tick.
    before: Vec3,
    /// The velocity by the commands of the last two ticks with any, and the last tick that it
    /// applies to.
    velocity: Vec3,
    velocity_until: u64,
    /// Where it stands, by the last move that counts, and since which tick.
    rests: Shape,
    rests_since: u64,
    is_carved: bool,
}

fn middle(shape: &Shape) -> Vec3 {
    let ShapeBounds { min, max } = shape.bounds();
    min.midpoint(max)
}

/// Returns how far the farthest corner of one shape's bounds is from that of another one.
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

    /// Moves the obstacle to another position. Returns whether it counts as moved.
    fn take(&mut self, to: MovingObstacle, now: u64, tick_seconds: f32) -> bool {
        // Several commands of one tick are one move, from where it was before the tick.
        let ticks = if self.told_at < now {
            self.before = middle(&self.obstacle.shape);
            now - self.told_at
        } else {
            self.velocity_until + 1 - now
        };
        self.velocity = (middle(&to.shape) - self.before) / (ticks as f32 * tick_seconds);
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

    /// Returns whether it is time to carve it.
    fn is_due(&self, now: u64, ticks: impl Fn(f32) -> u64) -> bool {
        self.obstacle.carves.is_some_and(|carves| {
            let wait = if carves.seconds > 0.0 { ticks(carves.seconds) } else { 0 };
            !self.is_carved && now >= self.rests_since + wait
        })
    }

    /// Returns the bodies that it is for a crowd in this tick, with their move in it: none while it
    /// is carved.
    fn members(&self, now: u64) -> impl Iterator<Item = (Member, Role)> + use<> {
        let shape = self.obstacle.shape;
        let moved = middle(&shape) - self.before;
        let by = if self.told_at == now { moved } else { Vec3::ZERO };
        // A jump beyond the range of all agents is a new position, not a move.
        let is_put = by.length() > CrowdSettings::default().range;
        let (by, velocity) = match is_put {
            true => (Vec3::ZERO, Vec3::ZERO),
            false => (by, self.velocity(now).with_y(0.0)),
        };
        let lead = Some(Lead { by: Some(by), keeps: true, left: 0.0 });
        let standing = (!self.is_carved).then(|| bodies(&shape));
        standing.into_iter().flatten().map(move |body| {
            let position = body.position - by;
            let agent = CrowdAgent { position, velocity, preferred: velocity, ..body };
            (Member::new(agent), Role { lead, ..*Role::PLAIN })
        })
    }

    /// Returns whether it can be, in the tick `now`.
    fn is_sound(&self, now: u64) -> bool {
        self.obstacle.check().is_ok()
            && self.rests.is_finite()
            && self.before.is_finite()
            && self.velocity.is_finite()
            && self.told_at <= now
            && self.rests_since <= now
            && (self.told_at..=2 * now).contains(&self.velocity_until)
            && (!self.is_carved || self.obstacle.carves.is_some())
    }
}

/// The obstacles that a program moves, by id.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct MovingObstacles(Vec<Tracked>);

impl MovingObstacles {
    pub(in crate::simulation) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, id: CarveId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |tracked| tracked.id)
    }

    /// Moves an obstacle. Returns whether its carving is to be restored.
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

    /// Returns them as they are at the end of a tick.
    pub(in crate::simulation) fn views(
        &self,
        tick: u64,
    ) -> impl Iterator<Item = MovingObstacleView> {
        self.0.iter().map(move |tracked| MovingObstacleView {
            id: tracked.id,
            obstacle: tracked.obstacle,
            velocity: tracked.velocity(tick),
            is_carved: tracked.is_carved,
        })
    }

    /// Returns the bodies that they are for a crowd in this tick.
    pub(in crate::simulation) fn members(&self, now: u64) -> impl Iterator<Item = (Member, Role)> {
        self.0.iter().flat_map(move |tracked| tracked.members(now))
    }

    /// Returns whether they can be, in the tick `now`, with those obstacles carved.
    #[cfg_attr(not(feature = "serde"), expect(dead_code, reason = "only snapshots are checked"))]
    pub(in crate::simulation) fn are_sound<Place, Fill>(
        &self,
        now: u64,
        carvings: &Carvings<Place, Fill>,
    ) -> bool
    where
        Place: Copy + Ord + std::fmt::Debug,
        Fill: Copy + std::fmt::Debug + PartialEq,
    {
        self.0.is_sorted_by(|a, b| a.id < b.id)
            && self.0.iter().all(|one| one.is_sound(now) && one.is_carved == carvings.holds(one.id))
    }

    /// Hands out words that tell two of them apart.
    pub(in crate::simulation) fn words(&self, mut word: impl FnMut(u64)) {
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

/// Returns whether an obstacle is carved after a command; `None` if the command is of no concern to
/// it.
fn carves<Edit>(command: &Command<Edit>, obstacle: CarveId) -> Option<bool> {
    match *command {
        Command::Carve { id, .. } if id == obstacle => Some(true),
        Command::Restore { id } if id == obstacle => Some(false),
        _ => None,
    }
}

impl<W: Environment> Ground<W> {
    /// Moves obstacles. Replaces these commands by commands that carve standing obstacles and
    /// restore moving ones.
    pub(in crate::simulation) fn move_obstacles(
        &mut self,
        commands: Vec<Command<W::Edit>>,
        clock: &Clock,
        events: &mut TickEvents,
    ) -> Vec<Command<W::Edit>> {
        let is_any = commands.iter().any(|one| matches!(one, Command::MoveObstacle { .. }));
        if self.moving_obstacles.is_empty() && !is_any {
            return commands;
        }
        let Self { moving_obstacles: moving, carvings, .. } = self;
        let mut carved = Vec::with_capacity(commands.len());
        for command in commands {
            match command {
                Command::MoveObstacle { id, to } => {
                    let time = (clock.now, clock.tick());
                    match to.check() {
                        Err(fault) => events.report(Event::Failed(fault)),
                        Ok(()) => {
                            let is_carved = |id| {
                                let last = carved.iter().rev().find_map(|one| carves(one, id));
                                last.unwrap_or_else(|| carvings.holds(id))
                            };
                            if moving.take(id, to, time, is_carved) {
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
            if tracked.is_due(clock.now, |seconds| clock.ticks(seconds)) {
                tracked.is_carved = true;
                let (id, shape) = (tracked.id, tracked.obstacle.shape);
                carved.push(Command::Carve { id, shape });
            }
        }
        carved
    }
}
