//! A simulation's events by time: the events of a scene as those of the engine.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::search::NamedAlgorithm;
use wayfare_core::space::ProfileId;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{Terrain, WorldError, WorldErrorKind};
use wayfare_grid::geometry::MAX_COORDINATE;
use wayfare_sim::agent::Order;
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentChange, CarveId, CarveWhenStill, Command, MovingObstacle, PuzzleId, Shape, Simulation,
};

use super::cast::Cast;
use super::land::{Land, point, points};
use super::setting::{Replacement, Setting};
use super::staged::{StagedBarrier, StagedGround};
use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::{Block, CostChange, Drive, GroundChange, Rectangle, Scene};

/// The events of a scene as commands of the engine, by their times.
#[derive(Debug, Clone)]
pub(super) struct Timetable<Edit> {
    schedule: Schedule,
    /// The edits of its commands.
    edits: Vec<Edit>,
}

/// The index of an edit of a timetable.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditNumber(usize);

/// Events by their times, whatever edits of the world are.
#[derive(Debug, Clone)]
struct Schedule {
    entries: Vec<Entry>,
    tick_seconds: f64,
}

#[derive(Debug, Clone)]
struct Entry {
    at: f64,
    every: Option<f64>,
    commands: Vec<Command<EditNumber>>,
    /// The obstacle that appears, with its height, or goes away again.
    barrier: Option<(CarveId, Option<StagedBarrier>)>,
    drive: Option<(CarveId, Journey)>,
    /// The ground that replaces another.
    grounds: Vec<StagedGround>,
}

/// A box that moves.
#[derive(Debug, Clone)]
struct Journey {
    /// The middles of its foot, at least one.
    along: Vec<Vec3>,
    /// Half its size.
    half: Vec3,
    speed: f32,
    carves: Option<CarveWhenStill>,
}

impl Journey {
    fn new(
        world: &dyn Land,
        scene: &Scene,
        drive: &Drive,
        path: &KeyPath,
    ) -> Result<Self, WorldError> {
        let along = points(world, scene, &drive.along, &path.clone().then("along"))?;
        let still = CarveWhenStill::default();
        let seconds = drive.carve_after.unwrap_or(still.seconds);
        let [x, z] = drive.size;
        let journey = Self {
            along,
            half: Vec3::new(x, drive.height.unwrap_or(2.0), z) * 0.5,
            speed: drive.speed.unwrap_or(1.4),
            carves: (!drive.never_carved).then_some(CarveWhenStill { seconds, ..still }),
        };
        journey.at(0.0).check().map_err(|fault| {
            WorldError::new(WorldErrorKind::Value, fault.to_string()).about(path.clone())
        })?;
        Ok(journey)
    }

    /// Returns the seconds from the first point to the last.
    fn duration(&self) -> f64 {
        let legs = self.along.windows(2);
        let length: f64 = legs.map(|leg| f64::from(leg[0].distance(leg[1]))).sum();
        length / f64::from(self.speed)
    }

    /// Returns the obstacle at a time after its start, in seconds.
    fn at(&self, seconds: f64) -> MovingObstacle {
        let mut left = seconds * f64::from(self.speed);
        let mut foot = self.along.last().copied().unwrap_or_default();
        for leg in self.along.windows(2) {
            let length = f64::from(leg[0].distance(leg[1]));
            if left < length {
                foot = leg[0].lerp(leg[1], (left / length) as f32);
                break;
            }
            left -= length;
        }
        let (min, max) =
            (foot - self.half.with_y(0.0), foot + self.half * Vec3::new(1.0, 2.0, 1.0));
        MovingObstacle { shape: Shape::Box { min, max }, carves: self.carves }
    }
}

impl Entry {
    /// Returns the obstacle that the event blocks, drives or restores.
    fn obstacle(&self) -> Option<CarveId> {
        self.barrier.map(|barrier| barrier.0).or(self.drive.as_ref().map(|drive| drive.0))
    }

    /// Returns the last tick before `end` in which it happens.
    fn last_before(&self, end: u64, tick_seconds: f64) -> Option<u64> {
        let tick = |number: f64| {
            let seconds = self.at + number * self.every.unwrap_or(0.0);
            (seconds / tick_seconds).round() as u64
        };
        let latest = match self.every {
            Some(every) => ((end as f64 * tick_seconds - self.at) / every).floor() + 1.0,
            None => 0.0,
        };
        // Rounding to ticks makes it one of the last three.
        let numbers = [latest, latest - 1.0, latest - 2.0].into_iter();
        numbers.filter(|number| *number >= 0.0).map(tick).find(|tick| *tick < end)
    }
}

/// What the events of a scene mean in a world.
pub(super) struct Meaning<'a> {
    pub(super) scene: &'a Scene,
    pub(super) cast: &'a Cast<'a>,
    /// The classes of the scene, in its order.
    pub(super) classes: &'a [(ClassId, ProfileId)],
    /// The versions of puzzles that each event brings.
    pub(super) versions: &'a [Vec<(PuzzleId, u32)>],
}

/// The edits of a world, behind virtual calls.
trait Edits {
    fn cost(
        &mut self,
        profile: ProfileId,
        change: &CostChange,
        at: KeyPath,
    ) -> Result<EditNumber, WorldError>;

    /// Returns the edit that replaces ground, and the look of the new ground.
    fn ground(
        &mut self,
        change: &GroundChange,
        at: KeyPath,
    ) -> Result<(EditNumber, Vec<StagedGround>), WorldError>;
}

/// The edits of a world, and those that were made.
struct EditsOf<'w, W: Setting> {
    world: &'w W,
    terrains: &'w [Terrain],
    made: Vec<W::Edit>,
}

impl<W: Setting> EditsOf<'_, W> {
    fn number(&mut self, edit: W::Edit) -> EditNumber {
        self.made.push(edit);
        EditNumber(self.made.len() - 1)
    }
}

impl<W: Setting> Edits for EditsOf<'_, W> {
    fn cost(
        &mut self,
        profile: ProfileId,
        change: &CostChange,
        at: KeyPath,
    ) -> Result<EditNumber, WorldError> {
        let edit = self.world.cost_edit(profile, change, self.terrains, at)?;
        Ok(self.number(edit))
    }

    fn ground(
        &mut self,
        change: &GroundChange,
        at: KeyPath,
    ) -> Result<(EditNumber, Vec<StagedGround>), WorldError> {
        let Replacement { edit, grounds } = self.world.ground_edit(change, self.terrains, at)?;
        Ok((self.number(edit), grounds))
    }
}

impl<Edit: Clone> Timetable<Edit> {
    pub(super) fn of<W: Setting<Edit = Edit>>(
        meaning: &Meaning<'_>,
        terrains: &[Terrain],
        simulation: &Simulation<W>,
    ) -> Result<Self, WorldError> {
        let world = simulation.world();
        let mut edits = EditsOf { world, terrains, made: Vec::new() };
        let tick_seconds = f64::from(simulation.settings().tick_seconds);
        let schedule = Schedule::of(meaning, world, &mut edits, tick_seconds)?;
        Ok(Self { schedule, edits: edits.made })
    }

    /// Returns the commands of a tick: those of its events in the order of the scene, then the
    /// moves of driven obstacles.
    pub(super) fn due(&self, tick: u64) -> Vec<Command<Edit>> {
        let due = self.schedule.due(tick).into_iter();
        due.map(|command| command.map_edit(|EditNumber(number)| self.edits[number].clone()))
            .collect()
    }

    /// Returns the ground by which events have replaced another within `ticks` ticks, in the order
    /// of the last time of each.
    pub(super) fn grounds(&self, ticks: u64) -> impl Iterator<Item = &StagedGround> {
        self.schedule.grounds(ticks).into_iter()
    }

    /// Returns the barriers that stand after `ticks` ticks. A block that is driven away is none.
    pub(super) fn barriers(&self, ticks: u64) -> impl Iterator<Item = StagedBarrier> {
        self.schedule.barriers(ticks).into_iter()
    }
}

impl Schedule {
    fn of(
        meaning: &Meaning<'_>,
        world: &dyn Land,
        edits: &mut dyn Edits,
        tick_seconds: f64,
    ) -> Result<Self, WorldError> {
        let Meaning { scene, cast, classes, versions } = *meaning;
        let class_of = |name: &str| {
            let place = scene.classes.iter().position(|class| class.name == name);
            place.and_then(|place| classes.get(place)).copied().unwrap_or_default()
        };
        let mut obstacles: Vec<&str> = Vec::new();
        let mut number = |id| {
            let known = obstacles.iter().position(|known| *known == id);
            let place = known.unwrap_or_else(|| {
                obstacles.push(id);
                obstacles.len() - 1
            });
            CarveId(place as u32)
        };
        let mut entries = Vec::new();
        let mut total = 0;
        for (index, event) in scene.events.iter().enumerate() {
            let path = KeyPath::item("events", index);
            let mut commands: Vec<Command<EditNumber>> = Vec::new();
            let mut barrier = None;
            let mut drive = None;
            let mut grounds = Vec::new();
            if let Some(change) = &event.gate {
                let link = scene.nav_links.iter().position(|link| link.name == change.link);
                let link = link.and_then(|place| u32::try_from(place).ok()).map(LinkId);
                let link = link.ok_or_else(|| {
                    let message = format!("there is no link '{}'", change.link);
                    WorldError::new(WorldErrorKind::Dangling, message)
                        .about(path.clone().then("gate").then("link"))
                })?;
                commands.push(Command::Gate { link, gate: change.state });
            }
            if let Some(block) = &event.block {
                let id = number(block.id.as_str());
                let Block { area, bottom, top, .. } = *block;
                let top = top.unwrap_or(0.0);
                barrier = Some((id, Some(StagedBarrier { area, bottom, top })));
                commands.push(Command::Carve { id, shape: shape(block) });
            }
            if let Some(driven) = &event.drive {
                let path = path.clone().then("drive");
                let journey = Journey::new(world, scene, driven, &path)?;
                drive = Some((number(driven.id.as_str()), journey));
            }
            if let Some(block) = &event.restore {
                let id = number(block.as_str());
                barrier = Some((id, None));
                commands.push(Command::Restore { id });
            }
            if let Some(order) = &event.order {
                let path = path.clone().then("order").then("to");
                let to = point(world, scene, &order.to, path)?;
                let order_of = match (order.algorithm.map(NamedAlgorithm::from), order.at_once) {
                    (None, true) => Order::GoTo(to),
                    (None, false) => Order::Then(to),
                    (Some(algorithm), true) => Order::GoToBy { to, algorithm },
                    (Some(algorithm), false) => Order::ThenBy { to, algorithm },
                };
                if let Some(group) = cast.group(&order.agent) {
                    commands.push(Command::OrderGroup { group, order: order_of });
                }
                let agents = cast.members(&order.agent).into_iter();
                let order = |agent| Command::Order { agent, order: order_of };
                commands.extend(agents.map(order));
            }
            if let Some(harm) = &event.harm {
                let harmed = |agent| Command::Harm { agent, amount: harm.amount };
                commands.extend(cast.members(&harm.agent).into_iter().map(harmed));
            }
            if let Some(news) = &event.danger {
                commands.push(Command::Danger { shape: news.area.column(), amount: news.amount });
            }
            if let Some(wanted) = &event.change {
                for agent in cast.members(&wanted.agent) {
                    let class =
                        wanted.class.as_ref().map(|name| AgentChange::Class(class_of(name).0));
                    let algorithm = wanted
                        .class
                        .as_ref()
                        .map(|name| AgentChange::Algorithm(cast.algorithm_in(agent, name)));
                    let team = wanted.team.as_ref().and_then(|name| cast.team(name));
                    let speed = wanted.speed.map(|speed| cast.limits_at(agent, speed));
                    let changes =
                        class.into_iter().chain(algorithm).chain(team.map(AgentChange::Team));
                    let changes = changes.chain(speed.map(AgentChange::Limits));
                    commands.extend(changes.map(|change| Command::Change { agent, change }));
                }
            }
            if let Some(change) = &event.costs {
                let (path, profile) = (path.clone().then("costs"), class_of(&change.class).1);
                commands.push(Command::Edit(edits.cost(profile, change, path)?));
            }
            if let Some(name) = &event.remove {
                commands.extend(cast.members(name).into_iter().map(Command::Remove));
            }
            commands.extend(event.form.as_ref().and_then(|change| cast.form(change)));
            let disbanded = event.disband.as_ref().and_then(|name| cast.group(name));
            commands.extend(disbanded.map(Command::Disband));
            if let Some(change) = &event.replace {
                let path = path.clone().then("replace");
                let (edit, look) = edits.ground(change, path.clone())?;
                let entry = point(world, scene, &change.entry, path.then("entry"))?;
                grounds.extend(look);
                commands.push(Command::Replace { edit, entry });
                let replaced = versions.get(index).into_iter().flatten();
                commands.extend(replaced.map(|(puzzle, version)| Command::ReplacePuzzle {
                    puzzle: *puzzle,
                    version: *version,
                    entry,
                }));
            }
            total += commands.len();
            if total > MAX_SCENE_ITEMS {
                let message = format!("that makes more than {MAX_SCENE_ITEMS} events");
                return Err(WorldError::new(WorldErrorKind::Limit, message).about(path));
            }
            let (at, every) = (f64::from(event.at), event.every.map(f64::from));
            entries.push(Entry { at, every, commands, barrier, drive, grounds });
        }
        Ok(Self { entries, tick_seconds })
    }

    fn due(&self, tick: u64) -> Vec<Command<EditNumber>> {
        let now = |entry: &&Entry| entry.last_before(tick + 1, self.tick_seconds) == Some(tick);
        let due = self.entries.iter().filter(now).flat_map(|entry| entry.commands.iter().cloned());
        let mut due: Vec<_> = due.collect();
        self.add_moves(tick, &mut due);
        due
    }

    /// Adds the moves of driven obstacles in a tick. A later event about an obstacle ends its
    /// journey.
    fn add_moves(&self, tick: u64, moves: &mut Vec<Command<EditNumber>>) {
        for (number, entry) in self.entries.iter().enumerate() {
            let Some((id, journey)) = &entry.drive else { continue };
            let begun = |entry: &Entry| entry.last_before(tick + 1, self.tick_seconds);
            let Some(when) = begun(entry) else { continue };
            let seconds = (tick - when) as f64 * self.tick_seconds;
            // It is told of once more in the tick in which it comes to the last point.
            if seconds >= journey.duration() + self.tick_seconds {
                continue;
            }
            let is_over = self.entries.iter().enumerate().any(|(other, later)| {
                later.obstacle() == Some(*id)
                    && begun(later).is_some_and(|then| (then, other) > (when, number))
            });
            if !is_over {
                moves.push(Command::MoveObstacle { id: *id, to: journey.at(seconds) });
            }
        }
    }

    fn grounds(&self, ticks: u64) -> Vec<&StagedGround> {
        let changing = self.entries.iter().filter(|entry| !entry.grounds.is_empty());
        let mut happened: Vec<_> = changing
            .filter_map(|entry| Some((entry.last_before(ticks, self.tick_seconds)?, entry)))
            .collect();
        // Events of one tick stay in their order.
        happened.sort_by_key(|(when, _)| *when);
        happened.into_iter().flat_map(|(_, entry)| &entry.grounds).collect()
    }

    fn barriers(&self, ticks: u64) -> Vec<StagedBarrier> {
        let mut latest = BTreeMap::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let Some(id) = entry.obstacle() else { continue };
            let area = entry.barrier.and_then(|(_, area)| area);
            let Some(when) = entry.last_before(ticks, self.tick_seconds) else { continue };
            let known = latest.entry(id).or_insert(((when, number), area));
            if known.0 <= (when, number) {
                *known = ((when, number), area);
            }
        }
        latest.into_values().filter_map(|(_, area)| area).collect()
    }
}

fn shape(block: &Block) -> Shape {
    let Rectangle { min, max } = block.area;
    let bottom = block.bottom.unwrap_or(-MAX_COORDINATE);
    let top = block.top.unwrap_or(MAX_COORDINATE);
    Shape::Box { min: Vec3::new(min[0], bottom, min[1]), max: Vec3::new(max[0], top, max[1]) }
}
