//! Agents that move, tick by tick, back and forth: the second module of Wayfare for JavaScript.
//!
//! It shares no memory with the module of worlds and searches. Scenes come as the bytes of their
//! files, a change of ground as text.

use std::convert::Infallible;

use js_sys::{Float32Array, Uint8Array, Uint16Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wayfare::agent::{AgentId, AgentLimits, AnimationClip, BlendTree, Order};
use wayfare::glam::Vec3;
use wayfare::plan::PlannerStats;
use wayfare::simulation::{AgentChange, CarveId, Command, Shape};
use wayfare_scene::scene::read_change;
use wayfare_site::{Playback, SimulationSession, open_simulation_bytes};
use wayfare_web_values::{beside, failure, object, parse, words};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// The numbers of obstacles that a page places: scenes count theirs from 0, puzzles from 2³¹.
const FIRST_OBSTACLE: u32 = 1 << 30;

/// A scene with agents, tick by tick. It goes back, too.
#[wasm_bindgen]
pub struct Simulation {
    playback: Playback,
    obstacles: u32,
}

/// A scene in short.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneAbout<'s> {
    name: &'s str,
    description: &'s str,
    tick_seconds: f64,
    ticks: u64,
    teams: &'s [String],
}

/// The planner in short.
#[derive(Serialize)]
struct PlannerAbout {
    queued: usize,
    running: usize,
    /// Of the last tick.
    finished: u64,
    work: u64,
    requested: u64,
    done: u64,
    failed: u64,
    shared: u64,
}

#[wasm_bindgen]
impl Simulation {
    /// Opens a scene with agents from the bytes of its file. `files` holds the files that it names.
    pub fn open(
        name: &str,
        bytes: &[u8],
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, Uint8Array>")] files: Option<
            js_sys::Object,
        >,
    ) -> Result<Simulation, JsError> {
        let session = open_simulation_bytes(name, bytes, &beside(files), None).map_err(failure)?;
        Self::of(session)
    }

    /// A description.
    #[wasm_bindgen(unchecked_return_type = "SceneAbout")]
    pub fn about(&self) -> Result<JsValue, JsError> {
        let session = self.playback.session();
        words(&SceneAbout {
            name: &session.scene().scene.name,
            description: &session.scene().scene.description,
            tick_seconds: f64::from(session.settings().tick_seconds),
            ticks: session.ticks(),
            teams: session.teams(),
        })
    }

    /// The number of ticks so far.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        self.playback.session().now() as f64
    }

    /// The latest tick that was simulated.
    #[wasm_bindgen(getter)]
    pub fn furthest(&self) -> f64 {
        self.playback.furthest() as f64
    }

    /// Goes to a tick, forward or back.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, tick: f64) -> Result<(), JsError> {
        self.playback.go_to(tick.max(0.0) as u64).map_err(failure)
    }

    /// Every agent that is there, by number, in columns.
    #[wasm_bindgen(unchecked_return_type = "Agents")]
    pub fn agents(&self) -> JsValue {
        let mut ids = Vec::new();
        let mut places = Vec::new();
        let mut headings = Vec::new();
        let mut speeds = Vec::new();
        let mut radii = Vec::new();
        let mut teams = Vec::new();
        let mut states = Vec::new();
        let session = self.playback.session();
        session.for_each_agent(&mut |agent| {
            radii.push(session.limits(agent.agent).map_or(0.0, |limits| limits.radius));
            ids.push(agent.agent);
            places.extend_from_slice(&agent.position);
            headings.push(agent.heading);
            speeds.push(agent.speed);
            teams.push(agent.team);
            states.push(match (agent.inside, agent.waiting) {
                (Some(_), _) => 1,
                (None, Some(_)) => 2,
                (None, None) => 0,
            });
        });
        object(&[
            ("count", (ids.len() as u32).into()),
            ("ids", Uint32Array::from(&ids[..]).into()),
            ("places", Float32Array::from(&places[..]).into()),
            ("headings", Float32Array::from(&headings[..]).into()),
            ("speeds", Float32Array::from(&speeds[..]).into()),
            ("radii", Float32Array::from(&radii[..]).into()),
            ("teams", Uint16Array::from(&teams[..]).into()),
            ("states", Uint8Array::from(&states[..]).into()),
        ])
    }

    /// An agent's name and what it does, in words; `null` if it is not there.
    #[wasm_bindgen(unchecked_return_type = "AgentAbout | null")]
    pub fn agent(&self, agent: u32) -> JsValue {
        let session = self.playback.session();
        let (Some(occupation), Some(limits)) = (session.occupation(agent), session.limits(agent))
        else {
            return JsValue::NULL;
        };
        let mut name = String::new();
        session.for_each_agent(&mut |one| {
            if one.agent == agent {
                one.name.clone_into(&mut name);
            }
        });
        let limits = words(&limits).unwrap_or(JsValue::NULL);
        object(&[
            ("name", name.into()),
            ("text", occupation.text.into()),
            ("isTroubled", occupation.is_troubled.into()),
            ("limits", limits),
        ])
    }

    /// The points of an agent's way ahead, its own place first: x, height, z of each.
    #[wasm_bindgen(js_name = wayAhead)]
    pub fn way_ahead(&self, agent: u32) -> Float32Array {
        let points = self.playback.session().way_ahead(agent);
        let flat: Vec<f32> = points.iter().flat_map(|point| point.to_array()).collect();
        Float32Array::from(&flat[..])
    }

    /// Links, obstacles and parts of puzzles.
    #[wasm_bindgen(unchecked_return_type = "Scenery")]
    pub fn scenery(&self) -> Result<JsValue, JsError> {
        let session = self.playback.session();
        let dangers: Vec<f32> = session
            .dangers()
            .iter()
            .flat_map(|danger| {
                let [x, y, z] = danger.position;
                [x, y, z, danger.radius, danger.amount]
            })
            .collect();
        Ok(object(&[
            ("links", words(&session.links())?),
            ("barriers", words(&session.barriers())?),
            ("obstacles", Float32Array::from(&self.placed()[..]).into()),
            ("props", words(&session.props())?),
            ("dangers", Float32Array::from(&dangers[..]).into()),
        ]))
    }

    /// The queue of requests for paths.
    #[wasm_bindgen(unchecked_return_type = "PlannerAbout")]
    pub fn planner(&self) -> Result<JsValue, JsError> {
        let PlannerStats { last_tick, requested, done, failed, coalesced, .. } =
            self.playback.session().planner_stats();
        words(&PlannerAbout {
            queued: last_tick.queued,
            running: last_tick.running,
            finished: last_tick.finished,
            work: last_tick.work,
            requested,
            done,
            failed,
            shared: coalesced,
        })
    }

    /// Sends agents to a place, at the beginning of the next tick. What was simulated after the
    /// present tick is forgotten, as by every change.
    pub fn order(&mut self, agents: &[u32], x: f32, height: f32, z: f32) {
        for &agent in agents {
            let order = Order::GoTo(Vec3::new(x, height, z));
            self.playback.command(Command::Order { agent: AgentId(agent), order });
        }
    }

    /// Changes how an agent moves. Fields that are not given have the engine's defaults.
    #[wasm_bindgen(js_name = setLimits)]
    pub fn set_limits(
        &mut self,
        agent: u32,
        #[wasm_bindgen(unchecked_param_type = "Partial<Limits>")] limits: JsValue,
    ) -> Result<(), JsError> {
        let limits: AgentLimits = parse(&limits)?;
        let change = AgentChange::Limits(limits);
        self.playback.command(Command::Change { agent: AgentId(agent), change });
        Ok(())
    }

    /// Puts a round obstacle on the ground, in metres.
    pub fn block(&mut self, x: f32, height: f32, z: f32, radius: f32) -> Result<(), JsError> {
        if !(radius > 0.0 && radius <= 1000.0 && [x, height, z].iter().all(|part| part.is_finite()))
        {
            return Err(JsError::new("an obstacle has a place and a radius of up to 1000 metres"));
        }
        let id = CarveId(FIRST_OBSTACLE + self.obstacles);
        self.obstacles += 1;
        let shape = Shape::Ball { centre: Vec3::new(x, height, z), radius };
        self.playback.command(Command::Carve { id, shape });
        Ok(())
    }

    /// Takes all obstacles away that [`Simulation::block`] has put there.
    pub fn clear(&mut self) {
        let ids: Vec<CarveId> = self.standing().map(|(id, _)| id).collect();
        for id in ids {
            self.playback.command(Command::Restore { id });
        }
    }

    /// Teaches all agents that a round place is dangerous: entering it costs `amount` metres more.
    pub fn endanger(&mut self, x: f32, height: f32, z: f32, radius: f32, amount: f32) {
        let shape = Shape::Ball { centre: Vec3::new(x, height, z), radius };
        self.playback.command(Command::Danger { shape, amount });
    }

    /// Replaces ground at the beginning of the next tick by a `change` that a world has told, where
    /// the agents were put on that world: agents whose place it takes begin again at the other
    /// world's first end.
    pub fn replace(&mut self, change: &str) -> Result<(), JsError> {
        let change = read_change(change).map_err(failure)?;
        self.playback.replace(change).map_err(failure)
    }

    /// A hash of the whole state, in hexadecimal: the same on every machine.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.playback.session().hash())
    }
}

impl Simulation {
    fn of(session: Box<dyn SimulationSession>) -> Result<Self, JsError> {
        Ok(Self { playback: Playback::new(session).map_err(failure)?, obstacles: 0 })
    }

    /// The obstacles that stand at the present tick.
    fn standing(&self) -> impl Iterator<Item = (CarveId, Shape)> {
        let mut standing: Vec<(CarveId, Shape)> = Vec::new();
        for command in self.playback.commands() {
            match command {
                Command::<Infallible>::Carve { id, shape } => standing.push((*id, shape.clone())),
                Command::Restore { id } => standing.retain(|(one, _)| one != id),
                _ => {}
            }
        }
        standing.into_iter()
    }

    /// x, height, z and radius of the obstacles that stand at the present tick.
    fn placed(&self) -> Vec<f32> {
        self.standing()
            .filter_map(|(_, shape)| match shape {
                Shape::Ball { centre, radius } => Some([centre.x, centre.y, centre.z, radius]),
                _ => None,
            })
            .flatten()
            .collect()
    }
}

/// The share of each animation clip at a speed, and last how fast they are played. `clips` holds
/// the speed of the body in each clip, from the slowest to the fastest, in metres a second.
#[wasm_bindgen(js_name = blendWeights)]
pub fn blend_weights(clips: &[f32], speed: f32) -> Result<Float32Array, JsError> {
    let named = clips.iter().map(|&speed| AnimationClip::new("", speed));
    let weights = BlendTree::new(named).map_err(failure)?.weights(speed);
    let mut shares: Vec<f32> = (0..clips.len()).map(|clip| weights.of(clip)).collect();
    shares.push(weights.playback);
    Ok(Float32Array::from(&shares[..]))
}
