//! Halls on grids, and people who walk through them.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec3;
use wayfare::agent::{AgentId, AgentLimits, Behaviour};
use wayfare::crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{
    AgentSpec, Audit, Avoidance, Command, Event, GroundSpeeds, JamSettings, Simulation,
    SimulationSettings, Surroundings,
};
use wayfare::space::{Frame, Grid, GridProfile, TerrainId};
use wayfare_measure::WalkableArea;

use super::measure::Measure;

/// The radius of a person in metres, and the speed in metres a second (Weidmann 1993).
pub(super) const RADIUS: f32 = 0.2;
/// See [`RADIUS`].
pub(super) const SPEED: f32 = 1.34;

/// Stairs.
const STAIRS: TerrainId = TerrainId(1);

/// Whether cells are small.
static IS_FINE: AtomicBool = AtomicBool::new(false);

/// Makes the cells of all halls from now on half as large.
pub(super) fn use_fine_cells() {
    IS_FINE.store(true, Ordering::Relaxed);
}

/// The side of a cell in metres. A person fits into one of the usual cells, and into two by two of
/// the small ones, so that paths keep clear of walls.
fn cell_side() -> f32 {
    if IS_FINE.load(Ordering::Relaxed) { 0.25 } else { 0.5 }
}

/// A rectangle on the floor in metres, from its lower to its higher corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) x: (f32, f32),
    pub(super) z: (f32, f32),
}

impl Patch {
    pub(super) fn has(&self, at: Vec3) -> bool {
        (self.x.0..self.x.1).contains(&at.x) && (self.z.0..self.z.1).contains(&at.z)
    }

    /// That number of places, each with the same room around it, row by row along z. Every second
    /// row is a little askew: people are never in perfect symmetry.
    pub(super) fn places(&self, count: u32) -> Vec<Vec3> {
        self.places_askew(count, 0.04)
    }

    /// The same, with rows that far askew to either side, in metres.
    pub(super) fn places_askew(&self, count: u32, by: f32) -> Vec<Vec3> {
        let (width, depth) = (self.x.1 - self.x.0, self.z.1 - self.z.0);
        let columns = (count as f32 * width / depth).sqrt().ceil().max(1.0) as u32;
        let rows = count.div_ceil(columns);
        let place = |number: u32| {
            let (column, row) = ((number % columns) as f32, (number / columns) as f32);
            let askew = if (number / columns) % 2 == 1 { by } else { -by };
            let x = self.x.0 + width * (column + 0.5) / columns as f32 + askew;
            Vec3::new(x, 0.0, self.z.0 + depth * (row + 0.5) / rows as f32)
        };
        (0..count).map(place).collect()
    }
}

/// The ground plan of a building: free rectangles, and wall everywhere else.
pub(super) fn floor(patches: &[Patch]) -> Result<Hall, String> {
    let side = cell_side();
    let most = |side: fn(&Patch) -> f32| patches.iter().map(side).fold(0.0, f32::max);
    let cells = |metres: f32| (metres / side).ceil() as u32 + 1;
    let (width, height) = (cells(most(|patch| patch.x.1)), cells(most(|patch| patch.z.1)));
    let is_free = |at: u32| {
        let (x, z) = ((at % width) as f32 + 0.5, (at / width) as f32 + 0.5);
        patches.iter().any(|patch| patch.has(Vec3::new(x, 0.0, z) * side))
    };
    let terrain: Vec<TerrainId> = (0..width * height)
        .map(|at| if is_free(at) { TerrainId::GROUND } else { TerrainId::BLOCKED })
        .collect();
    let profile =
        GridProfile { width: (2.0 * RADIUS / side).ceil() as u8, ..GridProfile::default() };
    let grid = Grid::new(width, height, &terrain, profile)
        .and_then(|grid| grid.with_frame(Frame { origin: Vec3::ZERO, cell_size: side }))
        .map_err(|fault| fault.to_string())?;
    Ok(Hall { grid, on_stairs: 1.0, jams: None })
}

/// A building.
pub(super) struct Hall {
    grid: Grid,
    /// The part of their speed that people have on stairs.
    on_stairs: f32,
    /// How people take crowds into account when they choose their way.
    jams: Option<JamSettings>,
}

impl Hall {
    /// The same with stairs, on which people have that part of their speed.
    pub(super) fn with_stairs(mut self, patch: Patch, speed: f32) -> Self {
        let stairs = self.grid.cells().filter(|&cell| patch.has(self.grid.centre(cell)));
        let stairs: Vec<_> = stairs.map(|cell| (cell, STAIRS)).collect();
        self.grid.set_terrains(stairs);
        Self { on_stairs: speed, ..self }
    }

    /// The same with people who look for ways round jams.
    pub(super) fn with_jams(self) -> Self {
        Self { jams: Some(JamSettings::default()), ..self }
    }
}

/// A person: where it begins, where it goes, how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// Metres a second.
    pub(super) speed: f32,
    pub(super) radius: f32,
    /// For how many seconds it stays before it sets out.
    pub(super) delay: f32,
    pub(super) model: CollisionFreeSpeed,
}

impl Person {
    pub(super) fn new(from: Vec3, to: Vec3) -> Self {
        let model = CollisionFreeSpeed::default();
        Self { from, to, speed: SPEED, radius: RADIUS, delay: 0.0, model }
    }
}

/// What became of people.
pub(super) struct Walk {
    /// When each had left, in seconds; `None` for those who never did.
    pub(super) left: Vec<Option<f32>>,
    /// Where each was when it left, or at the end.
    pub(super) at: Vec<Vec3>,
    /// When each set out.
    pub(super) set_out: Vec<Option<f32>>,
    /// The first fault that the audit found: a wall crossed, two bodies in one place.
    pub(super) fault: Option<String>,
}

impl Walk {
    /// The number of people who have left.
    pub(super) fn count(&self) -> usize {
        self.left.iter().flatten().count()
    }

    /// When the last one had left, if all have.
    pub(super) fn last(&self) -> Option<f32> {
        let times: Option<Vec<f32>> = self.left.iter().copied().collect();
        times.map(|times| times.into_iter().fold(0.0, f32::max))
    }

    /// Persons a second between the one that leaves after a tenth and the one after nine tenths.
    pub(super) fn flow(&self) -> Option<f32> {
        let mut times: Vec<f32> = self.left.iter().flatten().copied().collect();
        times.sort_by(f32::total_cmp);
        let (first, last) = (self.left.len() / 10, self.left.len() * 9 / 10);
        let seconds = times.get(last)? - times.get(first)?;
        (seconds > 0.0).then(|| (last - first) as f32 / seconds)
    }
}

/// How far rows are askew at the beginnings over which a flow is averaged, in metres: the flow
/// through a narrow door differs by a tenth from beginning to beginning.
pub(super) const BEGINNINGS: [f32; 5] = [0.02, 0.03, 0.04, 0.05, 0.06];

/// The flows of several walks.
#[derive(Default)]
pub(super) struct Flows {
    flows: Vec<f32>,
    /// Those who have not left.
    pub(super) stayed: usize,
    pub(super) fault: Option<String>,
}

impl Flows {
    pub(super) fn add(&mut self, walk: Walk) {
        self.flows.extend(walk.flow());
        self.stayed += walk.left.len() - walk.count();
        self.fault = self.fault.take().or(walk.fault);
    }

    pub(super) fn mean(&self) -> f32 {
        self.flows.iter().sum::<f32>() / f32::max(self.flows.len() as f32, 1.0)
    }

    /// Whether all left, without a fault.
    pub(super) fn all_left(&self) -> bool {
        self.stayed == 0 && self.fault.is_none() && !self.flows.is_empty()
    }

    pub(super) fn text(&self) -> String {
        let least = self.flows.iter().copied().fold(f32::INFINITY, f32::min);
        let most = self.flows.iter().copied().fold(0.0, f32::max);
        let rest = match (&self.fault, self.stayed) {
            (Some(fault), _) => fault.clone(),
            (None, 0) => "all left".into(),
            (None, stayed) => format!("{stayed} stayed"),
        };
        format!("{:.2} persons/s ({least:.2} to {most:.2}), {rest}", self.mean())
    }
}

/// Lets people walk until all have left, or for that number of seconds. Who is beyond an exit
/// leaves the building.
pub(super) fn walk(
    hall: Hall,
    people: &[Person],
    has_left: impl Fn(usize, Vec3) -> bool,
    seconds: f32,
    measures: &mut [Measure],
) -> Result<Walk, String> {
    let mut pieces = Vec::new();
    hall.grid.visit_ground(&[Default::default()], &mut |piece| pieces.push(piece.to_vec()));
    let ground = WalkableArea::new(pieces).map_err(|fault| fault.to_string())?;
    measures.iter_mut().try_for_each(|measure| measure.begin(&ground))?;
    let settings = SimulationSettings {
        work_per_tick: 20_000_000,
        jams: hall.jams,
        ..SimulationSettings::default()
    };
    let mut simulation = Simulation::new(hall.grid, NavLinks::new(SPEED), settings)
        .map_err(|fault| fault.to_string())?;
    let class =
        simulation.add_class(Default::default(), Keys::NONE).map_err(|fault| fault.to_string())?;
    let speeds = GroundSpeeds::new().with(STAIRS, hall.on_stairs);
    speeds
        .and_then(|speeds| simulation.set_ground_speeds(class, speeds))
        .map_err(|fault| fault.to_string())?;
    for (number, person) in people.iter().enumerate() {
        let Person { from, to, speed, radius, delay, model } = *person;
        let avoidance = Avoidance {
            quality: AvoidanceQuality::High,
            model: AvoidanceModel::FreeSpeed(model),
            ..Avoidance::default()
        };
        let limits = AgentLimits {
            max_speed: speed,
            acceleration: 6.0,
            radius,
            turn_radius: 0.2,
            ..AgentLimits::default()
        };
        let behaviours = vec![Behaviour::GoTo { to }];
        let spec = AgentSpec {
            limits,
            behaviours,
            phase: delay,
            avoidance,
            ..AgentSpec::new(format!("person {number}"), class, from)
        };
        simulation.add_agent(spec).map_err(|fault| fault.to_string())?;
    }
    let mut walk = Walk {
        left: vec![None; people.len()],
        at: people.iter().map(|person| person.from).collect(),
        set_out: vec![None; people.len()],
        fault: None,
    };
    let mut audit = Audit::new();
    let mut places: Vec<(usize, Vec3)> = Vec::new();
    while walk.count() < people.len() && simulation.seconds() < f64::from(seconds) {
        simulation.tick();
        let now = simulation.seconds() as f32;
        if walk.fault.is_none() {
            walk.fault = audit.check(&simulation).err().map(|fault| fault.to_string());
        }
        for event in &simulation.events().events {
            if let Event::Departed(AgentId(number)) = *event {
                walk.set_out[number as usize].get_or_insert(now);
            }
        }
        places.clear();
        for agent in simulation.agents() {
            let number = agent.id().0 as usize;
            if walk.left[number].is_none() {
                places.push((number, agent.position()));
                walk.at[number] = agent.position();
            }
        }
        measures.iter_mut().for_each(|measure| measure.look(now, &places));
        for &(number, at) in &places {
            if has_left(number, at) {
                walk.left[number] = Some(now);
                simulation.schedule(simulation.now(), Command::Remove(AgentId(number as u32)));
            }
        }
    }
    Ok(walk)
}
