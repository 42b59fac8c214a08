//! Wayfare for JavaScript: a thin layer over [`wayfare_site`].
//!
//! Nothing here decides anything about a search. Worlds, searches, explanations and their words
//! come from the facade that the command uses, too. States are numbers; what is long goes across as
//! typed arrays, what is short as plain objects. Every failure is an `Error` with a message.

mod asked;
mod describe;
mod generate;
mod level;
mod recording;
mod search;
mod shape;

use wasm_bindgen::prelude::*;
use wayfare::crowd::AvoidanceQuality;
use wayfare::glam::Vec3;
use wayfare::navigate::Policy;
use wayfare::search::{AlgorithmId, NamedAlgorithm, NamedHeuristic};
use wayfare::simulation::Shape;
use wayfare_generate::Generated;
use wayfare_scene::World as WorldDocument;
use wayfare_scene::scene::{self, QueryPlace, Scene, SceneQuery};
use wayfare_site::{
    Clock, DrawnGraph, EndpointTexts, Endpoints, EngineName, GroundCost, Layout, MeshSite, OFF_MAP,
    OpenOptions, OtherForm, Population, SearchRequest, Searcher, Site, build, choose_ends, explain,
    graph_scene, ground_change, map_file, open_as_from, open_bytes, other_form, populate,
};
use wayfare_web_values::{beside, failure, numbers, object, parse, strings, words};

use asked::{Asked, OpenAs};
pub use recording::Recording;
pub use search::Search;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// A world of any kind with its space.
#[wasm_bindgen]
pub struct World {
    site: Box<dyn Site>,
    /// Its memory is used again by every call of `solve`; an edit drops it.
    searcher: Option<Box<dyn Searcher>>,
    clock: Clock,
    /// The scene of a generated world whose agents solve puzzles.
    scene: Option<String>,
    /// The scene that the world was read from, where it was one.
    own: Option<Scene>,
    /// The class of the scene that sees the world.
    class: Option<String>,
    /// The values of a generated world.
    made: Option<Generated>,
    /// The ends that this world was made for.
    first: Option<Endpoints>,
}

/// Milliseconds since the page or program began.
fn now() -> std::time::Duration {
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        fn milliseconds() -> f64;
    }
    std::time::Duration::from_secs_f64(milliseconds().max(0.0) / 1000.0)
}

#[wasm_bindgen]
impl World {
    fn of(site: Box<dyn Site>) -> Self {
        let clock = Clock::new(now);
        Self {
            site,
            searcher: None,
            clock,
            scene: None,
            own: None,
            class: None,
            made: None,
            first: None,
        }
    }

    /// Opens a world from the bytes of a file. The extension of `name` tells the format. `files`
    /// holds the files that the world names, by their names.
    pub fn open(
        name: &str,
        bytes: &[u8],
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, Uint8Array>")] files: Option<
            js_sys::Object,
        >,
        #[wasm_bindgen(unchecked_optional_param_type = "OpenAs")] options: JsValue,
    ) -> Result<World, JsError> {
        let mut options: OpenAs = parse(&options)?;
        let (class, files) = (options.class.take(), beside(files));
        let options = OpenOptions::try_from(options)?;
        let site = match &class {
            Some(class) => open_as_from(name, &files.with(name, bytes), &options, class),
            None => open_bytes(name, bytes, &files, &options),
        };
        let site = site.map_err(failure)?;
        let is_scene = name.to_ascii_lowercase().ends_with(".toml");
        let own = is_scene.then(|| scene::read(bytes).ok()).flatten();
        Ok(Self { own, class, ..Self::of(site) })
    }

    /// Generates a world of a kind. The same kind, seed and settings give the same world on every
    /// machine. `settings` is TOML: a table by the name of the kind, with values of parameters.
    /// The agent in a world of blocks is the one whom the kind promises a way to the exit.
    pub fn generate(kind: &str, seed: f64, settings: Option<String>) -> Result<World, JsError> {
        Self::made(generate::made(kind, seed, settings.as_deref().unwrap_or_default())?)
    }

    /// The same kind of generated world with the same values, and so as large, by another seed.
    pub fn reseeded(&self, seed: f64) -> Result<World, JsError> {
        match &self.made {
            Some(made) => Self::made(generate::reseeded(made, seed)?),
            None => Err(JsError::new("only generated worlds are made again by another seed")),
        }
    }

    /// The names of the classes of agents of the scene that the world was read from.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn classes(&self) -> JsValue {
        let classes = self.own.iter().flat_map(|scene| &scene.classes);
        strings(classes.map(|class| class.name.as_str()))
    }

    /// The scene of a generated world with puzzles, as the text of a file: its agents solve them.
    #[wasm_bindgen(getter)]
    pub fn scene(&self) -> Option<String> {
        self.scene.clone()
    }

    /// The file of a generated world of blocks or triangles; `null` for other worlds.
    #[wasm_bindgen(unchecked_return_type = "WorldFile | null")]
    pub fn file(&self) -> Result<JsValue, JsError> {
        let Some(made) = &self.made else { return Ok(JsValue::NULL) };
        let Some((name, text)) = generate::file(made)? else { return Ok(JsValue::NULL) };
        let bytes = js_sys::Uint8Array::from(text.as_bytes());
        Ok(object(&[("name", name.into()), ("bytes", bytes.into())]))
    }

    /// A description.
    #[wasm_bindgen(unchecked_return_type = "About")]
    pub fn about(&self) -> Result<JsValue, JsError> {
        words(self.site.about())
    }

    /// The shape of the world, to be drawn.
    #[wasm_bindgen(unchecked_return_type = "Shape")]
    pub fn shape(&self) -> Result<JsValue, JsError> {
        shape::of(self.site.layout())
    }

    /// The links that have both ends on the ground of the agent.
    #[wasm_bindgen(unchecked_return_type = "Passage[]")]
    pub fn passages(&self) -> Result<JsValue, JsError> {
        words(&self.site.passages())
    }

    /// For each cell of a grid its ground; empty for other worlds.
    pub fn grounds(&self) -> js_sys::Uint8Array {
        match self.site.layout() {
            Layout::Cells(cells) => js_sys::Uint8Array::from(&cells.ground[..]),
            _ => js_sys::Uint8Array::new_with_length(0),
        }
    }

    /// The start and the goal of the world's first own route, else two places far apart.
    #[wasm_bindgen(unchecked_return_type = "[number, number]")]
    pub fn ends(&self) -> Result<JsValue, JsError> {
        if let Some(Endpoints { start, goal }) = self.first {
            return words(&[start, goal]);
        }
        let chosen = choose_ends(self.site.as_ref(), EndpointTexts::default()).map_err(failure)?;
        words(&[chosen.ends.start, chosen.ends.goal])
    }

    /// The routes that the world names itself.
    #[wasm_bindgen(unchecked_return_type = "Route[]")]
    pub fn routes(&self) -> Result<JsValue, JsError> {
        words(&self.site.routes())
    }

    /// The state that a text names: `3,4` for a cell, a waypoint's name, `x,z` in metres.
    pub fn find(&self, text: &str) -> Result<u32, JsError> {
        self.site.find(text).map_err(failure)
    }

    /// The name of a state.
    pub fn place(&self, state: u32) -> String {
        self.site.place(state).to_string()
    }

    /// The name of the ground at a state.
    pub fn ground(&self, state: u32) -> String {
        self.site.ground(state)
    }

    /// The positions of states in world units: x, height, z of each.
    pub fn positions(&self, states: &[u32]) -> js_sys::Float32Array {
        let at = states.iter().flat_map(|&state| self.site.position(state).to_array());
        js_sys::Float32Array::from(&at.collect::<Vec<f32>>()[..])
    }

    /// The state itself where an agent can stand on it, else the nearest such state.
    #[wasm_bindgen(js_name = nearestFree)]
    pub fn nearest_free(&self, state: u32) -> u32 {
        self.site.nearest_free(state).unwrap_or(state)
    }

    /// The moves out of a state: targets and costs, in units of length on plain ground.
    #[wasm_bindgen(js_name = movesFrom, unchecked_return_type = "Moves")]
    pub fn moves_from(&self, state: u32) -> JsValue {
        let moves = self.site.moves_from(state);
        let unit = self.site.about().unit_cost;
        let states: Vec<u32> = moves.iter().map(|step| step.state).collect();
        let costs: Vec<f64> = moves.iter().map(|step| step.cost as f64 / unit).collect();
        object(&[("states", numbers(&states)), ("costs", wayfare_web_values::costs(&costs))])
    }

    /// The cost of entering a state beyond the way there and danger, in units of length: the
    /// terrain's penalty, blurred, or the waypoint's own cost.
    pub fn penalty(&self, state: u32) -> f32 {
        self.site.penalty(state)
    }

    /// The region of each state, by number; 0 where no agent can stand. Empty where the world is
    /// too large for regions.
    pub fn regions(&self) -> js_sys::Uint32Array {
        let mut regions = Vec::new();
        if self.site.knows_regions() {
            self.site.for_each_free(&mut |free| {
                let state = free.state as usize;
                if regions.len() <= state {
                    regions.resize(state + 1, 0);
                }
                regions[state] = free.region.saturating_add(1);
            });
        }
        js_sys::Uint32Array::from(&regions[..])
    }

    /// For each cell of a grid, row by row, the distance to the nearest cell that is not free, in
    /// cells. Empty for other worlds.
    pub fn clearances(&self) -> js_sys::Float32Array {
        js_sys::Float32Array::from(&self.site.clearances()[..])
    }

    /// Gives the ground at states of a grid other names: "blocked" or one of the world's grounds.
    /// Searches that began before keep the world as it was. All or nothing.
    #[wasm_bindgen(js_name = setGround)]
    pub fn set_ground(&mut self, states: &[u32], ground: &str) -> Result<(), JsError> {
        // A searcher would make the edit copy the world.
        self.searcher = None;
        let edits: Vec<(u32, &str)> = states.iter().map(|&state| (state, ground)).collect();
        self.site.set_ground(&edits).map_err(failure)
    }

    /// Changes what a ground of a grid costs: whether the agent may enter, the factor on the length
    /// of a step, and what is added on entering, in straight steps. Searches that began before keep
    /// the world as it was.
    #[wasm_bindgen(js_name = setGroundCost)]
    pub fn set_ground_cost(
        &mut self,
        ground: &str,
        is_open: bool,
        multiplier: f32,
        penalty: f32,
    ) -> Result<(), JsError> {
        self.searcher = None;
        let cost = GroundCost { is_open, multiplier, penalty };
        self.site.set_ground_cost(ground, cost).map_err(failure)
    }

    /// The agent's movement, part by part.
    #[wasm_bindgen(unchecked_return_type = "MovementPart[]")]
    pub fn movement(&self) -> Result<JsValue, JsError> {
        words(&self.site.movement())
    }

    /// Makes changes of the agent's movement, or of what is open to it: those of remedies, and
    /// others of the same names, as "neighbours=4 width=2". `from` is the state in whose medium
    /// ground is entered. All or nothing. Searches that began before keep the world as it was.
    pub fn adapt(&mut self, change: &str, from: u32) -> Result<(), JsError> {
        self.searcher = None;
        self.site.adapt(change, from).map_err(failure)
    }

    /// Changes the radius of the blur over the penalties of a grid, 0 to 64 cells. Searches that
    /// began before keep the world as it was.
    #[wasm_bindgen(js_name = setBlur)]
    pub fn set_blur(&mut self, cells: f64) -> Result<(), JsError> {
        if !(0.0..=64.0).contains(&cells) {
            return Err(JsError::new("a blur has a radius of 0 to 64 cells"));
        }
        self.searcher = None;
        self.site.set_blur(cells as u8).map_err(failure)
    }

    /// For each cell of a grid, row by row, its `penalty`. Empty for other worlds.
    pub fn penalties(&self) -> js_sys::Float32Array {
        js_sys::Float32Array::from(&self.site.penalties()[..])
    }

    /// Tells the agent that a round place is dangerous: entering each state there costs `amount`
    /// more, in units of length. Searches that began before do not know of it.
    pub fn endanger(
        &mut self,
        x: f32,
        height: f32,
        z: f32,
        radius: f32,
        amount: f32,
    ) -> Result<(), JsError> {
        let numbers = [x, height, z, radius, amount];
        if !numbers.iter().all(|number| number.is_finite()) || radius <= 0.0 {
            return Err(JsError::new("a danger has a place, a radius above 0 and an amount"));
        }
        self.searcher = None;
        let centre = Vec3::new(x, height, z);
        self.site.fear(&Shape::Ball { centre, radius }, amount).map_err(failure)
    }

    /// Lets time go by for danger: it spreads and decays.
    #[wasm_bindgen(js_name = ageDanger)]
    pub fn age_danger(&mut self, seconds: f32) {
        self.searcher = None;
        self.site.age_danger(seconds.clamp(0.0, 3600.0));
    }

    /// The states in danger, and what each costs more to enter, in units of length.
    #[wasm_bindgen(unchecked_return_type = "Dangers")]
    pub fn dangers(&self) -> JsValue {
        let (states, amounts): (Vec<u32>, Vec<f32>) = self.site.dangers().into_iter().unzip();
        let amounts = js_sys::Float32Array::from(&amounts[..]);
        object(&[("states", numbers(&states)), ("amounts", amounts.into())])
    }

    /// Puts other danger in place of what the agent knows of: states, and what each costs more to
    /// enter, in units of length. Searches that began before do not know of it.
    #[wasm_bindgen(js_name = setDangers)]
    pub fn set_dangers(&mut self, states: &[u32], amounts: &[f32]) {
        self.searcher = None;
        let dangers = states.iter().copied().zip(amounts.iter().copied());
        self.site.set_dangers(&dangers.collect::<Vec<_>>());
    }

    /// The waypoints and links of a waypoint scene, to be edited; none on a grid.
    #[wasm_bindgen(unchecked_return_type = "DrawnGraph")]
    pub fn graph(&self) -> Result<JsValue, JsError> {
        words(&DrawnGraph::of(&self.graph_scene()?))
    }

    /// This world as the text of a scene with other waypoints and links. Opened, it is the world
    /// with that graph. The blocked cells of a grid are obstacles there.
    #[wasm_bindgen(js_name = withGraph)]
    pub fn with_graph(
        &self,
        #[wasm_bindgen(unchecked_param_type = "DrawnGraph")] graph: JsValue,
    ) -> Result<String, JsError> {
        let graph: DrawnGraph = parse(&graph)?;
        scene::write(&graph.on(self.graph_scene()?)).map_err(failure)
    }

    /// A grid as it is now, as a file that other programs open: `format` is "map" (Moving AI),
    /// "txt", "tmj" (Tiled) or "png", whose legend belongs beside it as `NAME.png.toml`.
    #[wasm_bindgen(js_name = mapFile, unchecked_return_type = "MapFile")]
    pub fn map_file(&self, format: &str, start: u32, goal: u32) -> Result<JsValue, JsError> {
        let format = format.parse().map_err(|problem: String| JsError::new(&problem))?;
        let ends = Endpoints { start, goal };
        let file = map_file(self.site.as_ref(), ends, format).map_err(failure)?;
        let bytes = js_sys::Uint8Array::from(&file.bytes[..]);
        let legend = file.legend.map_or(JsValue::NULL, JsValue::from);
        Ok(object(&[("bytes", bytes.into()), ("legend", legend)]))
    }

    /// This world as the text of a scene: a grid as its form of waypoints, with these ends.
    #[wasm_bindgen(js_name = sceneFile)]
    pub fn scene_file(&self, start: u32, goal: u32) -> Result<String, JsError> {
        if self.site.grid().is_none() {
            return scene::write(&self.graph_scene()?).map_err(failure);
        }
        let ends = Endpoints { start, goal };
        let form = other_form(self.site.as_ref(), self.own.as_ref(), ends).map_err(failure)?;
        let OtherForm { mut scene, start, goal } = form;
        let ids: Vec<&str> = scene.waypoints.iter().map(|one| one.id.as_str()).collect();
        if [&start, &goal].into_iter().all(|end| ids.contains(&end.as_str())) {
            let [from, to] = [start, goal].map(QueryPlace::Waypoint);
            scene.queries.push(SceneQuery { name: "drawn".to_owned(), from, to });
        }
        scene::write(&scene).map_err(failure)
    }

    /// A grid as a world of waypoints, or waypoints as a grid, with these ends.
    #[wasm_bindgen(js_name = otherForm)]
    pub fn other_form(&self, start: u32, goal: u32) -> Result<World, JsError> {
        let ends = Endpoints { start, goal };
        let form = other_form(self.site.as_ref(), self.own.as_ref(), ends).map_err(failure)?;
        let document = WorldDocument::Scene(form.scene.clone());
        let file = format!("{}.toml", self.site.about().name);
        let site = build(file.as_ref(), document, &OpenOptions::default()).map_err(failure)?;
        let find = |text: &str| {
            let state = site.find(text).map_err(failure)?;
            Ok::<u32, JsError>(site.nearest_free(state).unwrap_or(state))
        };
        let first = Some(Endpoints { start: find(&form.start)?, goal: find(&form.goal)? });
        Ok(Self { own: Some(form.scene), first, ..Self::of(site) })
    }

    /// A search to be stepped and watched.
    pub fn search(
        &self,
        start: u32,
        goal: u32,
        #[wasm_bindgen(unchecked_optional_param_type = "Asked")] asked: JsValue,
    ) -> Result<Search, JsError> {
        let request = self.request(start, goal, &asked)?;
        Ok(Search::new(self.site.session(&request), self.site.about().unit_cost, request))
    }

    /// Answers at once, without a trace: for a goal that is dragged.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn solve(
        &mut self,
        start: u32,
        goal: u32,
        #[wasm_bindgen(unchecked_optional_param_type = "Asked")] asked: JsValue,
    ) -> Result<JsValue, JsError> {
        let request = self.request(start, goal, &asked)?;
        let searcher = self.searcher.get_or_insert_with(|| self.site.searcher());
        let report = searcher.run(&request, &mut |_| ());
        Ok(describe::report(self.site.as_ref(), &report, request.ends))
    }

    /// The report of a search, which is stepped to its end and used up.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn finish(&self, search: Search) -> JsValue {
        let (report, ends) = search.finish();
        describe::report(self.site.as_ref(), &report, ends)
    }

    /// Searches and records for a file; each search up to about `most_events` events. `link` is
    /// the end of an address that shows the world, where there is one.
    pub fn record(
        &self,
        start: u32,
        goal: u32,
        #[wasm_bindgen(unchecked_param_type = "Asked[]")] all: JsValue,
        most_events: u32,
        link: Option<String>,
    ) -> Result<Recording, JsError> {
        let all: Vec<Asked> = parse(&all)?;
        let requests = all.iter().map(|asked| self.request_of(start, goal, asked));
        let requests = requests.collect::<Result<Vec<SearchRequest>, JsError>>()?;
        let ends = Endpoints { start, goal };
        Ok(Recording::of(self.site.as_ref(), ends, &requests, most_events as usize, link))
    }

    /// The searches of a recording that was made in this world. An error tells where the recording
    /// is of another world.
    #[wasm_bindgen(unchecked_return_type = "Replay")]
    pub fn replay(&self, recording: &Recording) -> Result<JsValue, JsError> {
        recording.replay(self.site.as_ref())
    }

    /// The text of a scene in this world, as it is now, whose agents go to and fro all over it.
    /// `avoidance` is "off", "low", "medium" or "high". A level, a mesh and a world of blocks stay
    /// in their file, which is to be given beside the scene: see `file`.
    pub fn populated(&self, count: u32, seed: f64, avoidance: &str) -> Result<String, JsError> {
        let avoidance = match avoidance {
            "off" => AvoidanceQuality::Off,
            "low" => AvoidanceQuality::Low,
            "medium" => AvoidanceQuality::Medium,
            "high" => AvoidanceQuality::High,
            _ => return Err(JsError::new("avoidance is \"off\", \"low\", \"medium\" or \"high\"")),
        };
        let population = Population { count, seed: seed.max(0.0) as u64, avoidance };
        let Some(scene) =
            populate(self.site.as_ref(), self.own.as_ref(), self.class.as_deref(), population)
        else {
            return Err(JsError::new("there is no room for agents in this world"));
        };
        scene::write(&scene).map_err(failure)
    }

    /// The change that makes the ground of agents on this grid that of another grid.
    #[wasm_bindgen(js_name = changeTo, unchecked_return_type = "GroundChange")]
    pub fn change_to(&self, other: &World) -> Result<JsValue, JsError> {
        let (change, ground) =
            ground_change(self.site.as_ref(), other.site.as_ref()).map_err(failure)?;
        let change = match (&self.scene, &other.made) {
            // Ground and puzzles, in the terrains of the scene.
            (Some(_), Some(made)) => made.change().map_err(failure)?,
            _ => change,
        };
        let change = scene::write_change(&change).map_err(failure)?;
        let ground = js_sys::Uint8Array::from(&ground[..]);
        Ok(object(&[("change", change.into()), ("ground", ground.into())]))
    }

    /// Why there is no path and what would open one, or what the path costs by ground.
    #[wasm_bindgen(unchecked_return_type = "Why")]
    pub fn why(
        &self,
        start: u32,
        goal: u32,
        #[wasm_bindgen(unchecked_optional_param_type = "Asked")] asked: JsValue,
    ) -> Result<JsValue, JsError> {
        let request = self.request(start, goal, &asked)?.recorded(true);
        let why = explain(self.site.as_ref(), &request, &mut |_| ()).map_err(failure)?;
        describe::why(self.site.as_ref(), &why, request.ends)
    }
}

impl World {
    fn made(made: Generated) -> Result<World, JsError> {
        let (site, scene) = generate::world(&made)?;
        Ok(Self { scene, made: Some(made), ..Self::of(site) })
    }

    fn request(&self, start: u32, goal: u32, asked: &JsValue) -> Result<SearchRequest, JsError> {
        self.request_of(start, goal, &parse(asked)?)
    }

    fn request_of(&self, start: u32, goal: u32, asked: &Asked) -> Result<SearchRequest, JsError> {
        let mut request = SearchRequest::new(AlgorithmId::AStar, Endpoints { start, goal });
        request.engine = asked.algorithm.parse().map_err(failure)?;
        request.options = asked.options()?;
        request.options.ignore_own_costs |= self.site.ignores_own_costs();
        request.max_expansions = asked.max_expansions;
        // Only a state has a place that can be approached.
        request.approach =
            asked.approach && [start, goal].iter().all(|&end| self.site.has_state(end));
        request.policy = Policy::Exact;
        request.clock = self.clock;
        Ok(request)
    }

    fn graph_scene(&self) -> Result<Scene, JsError> {
        graph_scene(self.site.as_ref(), self.own.as_ref()).map_err(failure)
    }

    fn suits(&self, id: AlgorithmId) -> bool {
        let states = usize::try_from(self.site.about().states).unwrap_or(usize::MAX);
        NamedAlgorithm::from(id).check(states).is_ok()
    }
}

#[wasm_bindgen]
impl World {
    /// The algorithms that are sensible in this world, in the order of the catalog.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn suited(&self) -> JsValue {
        if self.site.about().kind == MeshSite::KIND {
            return strings(EngineName::ON_MESHES.iter().map(|(engine, _)| engine.name()));
        }
        let suited = AlgorithmId::ALL.iter().filter(|&&id| self.suits(id));
        strings(suited.map(|id| id.info().name))
    }
}

/// The algorithms of the catalog.
#[wasm_bindgen(unchecked_return_type = "AlgorithmInfo[]")]
pub fn algorithms() -> Result<JsValue, JsError> {
    words(&describe::catalog())
}

/// The names of the heuristics.
#[wasm_bindgen(unchecked_return_type = "string[]")]
pub fn heuristics() -> JsValue {
    strings(NamedHeuristic::ALL.iter().map(|(name, _)| *name))
}

/// The kinds of worlds that can be generated.
#[wasm_bindgen(unchecked_return_type = "Kind[]")]
pub fn kinds() -> Result<JsValue, JsError> {
    words(&generate::kinds())
}

/// The number that stands for a place off the map.
#[wasm_bindgen(js_name = offMap)]
pub fn off_map() -> u32 {
    OFF_MAP
}

/// The version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
