//! Paths between places that are listed.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, AsArray, Float64Array, ListBuilder, StringBuilder, UInt32Builder, UInt64Array,
    UInt64Builder,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare::search::{
    Algorithm as _, Jps, JpsSearch, JumpPoints, Progress, Query, Scratch, Search as _,
};
use wayfare::space::{Cell, DIAGONAL, STRAIGHT, StateId as _};
use wayfare_formats::movingai_scen;
use wayfare_site::{
    Clock, Ending, Endpoints, EngineName, Preparation, SearchRequest, Searcher, Site,
};

use super::Kind;
use super::places::largest_region;
use super::worlds::{site, state_at};
use crate::plan::{Input, Items, Planning, Slice};
use crate::rows::{encode, joined, rows};
use crate::shard::Solving;
use crate::{BatchError, Notes, Results, Store};

/// The most queries of a shard: what a worker holds at a time, with some 400 bytes each.
const MOST: u64 = 500_000;
/// The queries that are solved to estimate the others.
const SAMPLE: u64 = 128;
/// Seconds of a unit of work, and of a query beside its search. Not measured where the plan is
/// made: a plan is the same everywhere.
const SECONDS_OF_WORK: f64 = 100e-9;
const SECONDS_OF_A_QUERY: f64 = 4e-6;

/// Paths between places that are listed: `[queries]`.
///
/// Files are Moving AI's `.scen`, or Parquet with the columns `start_x`, `start_y`, `goal_x`,
/// `goal_y` (and `start_z`, `goal_z` where there are heights), `map` where there are several maps,
/// and `agent` where there are several agents. A map is named by its file, or by the BLAKE3 hash of
/// its content.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Queries {
    /// The files with queries; patterns may be used.
    pub from: Vec<String>,
    /// The maps. Default: those that `.scen` files name, beside them.
    #[serde(default)]
    pub maps: Vec<String>,
    /// The engine that answers. Default: `auto`.
    #[serde(default = "auto")]
    pub engine: String,
    /// How the agents move, by name: "neighbours=4 width=2". Default: as the map says.
    #[serde(default)]
    pub agents: BTreeMap<String, String>,
    /// The agent of queries that name none. Default: one that moves as the map says.
    #[serde(default)]
    pub agent: String,
    /// Whether the paths are kept, in `paths/`. Default: no.
    #[serde(default)]
    pub paths: bool,
}

fn auto() -> String {
    "auto".to_owned()
}

/// The queries of a file, column by column.
struct Asked {
    ends: [Vec<[f64; 3]>; 2],
    /// The map and the agent of each, where the file names them.
    map: Option<Vec<Option<String>>>,
    agent: Option<Vec<Option<String>>>,
}

impl Asked {
    fn len(&self) -> usize {
        self.ends[0].len()
    }

    fn of_rows(batch: &RecordBatch, file: &str) -> Result<Self, BatchError> {
        let numbers = |name: &str| -> Result<Option<Vec<f64>>, BatchError> {
            let Some(column) = batch.column_by_name(name) else { return Ok(None) };
            let column = cast(column, &DataType::Float64).map_err(|error| {
                BatchError::faulty(file, format!("the column {name} has no numbers: {error}"))
            })?;
            let column = column.as_primitive::<Float64Type>();
            // A missing coordinate is a bad row, not a bad file.
            Ok(Some(column.iter().map(|value| value.unwrap_or(f64::NAN)).collect()))
        };
        let needed = |name: &str| {
            numbers(name)?.ok_or_else(|| {
                let columns = batch.schema();
                let columns: Vec<&str> =
                    columns.fields().iter().map(|field| field.name().as_str()).collect();
                let problem =
                    format!("the column {name} is missing; there are {}", columns.join(", "));
                BatchError::faulty(file, problem)
            })
        };
        let place = |end: &str| -> Result<Vec<[f64; 3]>, BatchError> {
            let (x, y) = (needed(&format!("{end}_x"))?, needed(&format!("{end}_y"))?);
            let z = numbers(&format!("{end}_z"))?;
            Ok((0..x.len())
                .map(|row| [x[row], y[row], z.as_ref().map_or(0.0, |z| z[row])])
                .collect())
        };
        let words = |name: &str| -> Result<Option<Vec<Option<String>>>, BatchError> {
            let Some(column) = batch.column_by_name(name) else { return Ok(None) };
            let column = cast(column, &DataType::Utf8).map_err(|error| {
                BatchError::faulty(file, format!("the column {name} has no text: {error}"))
            })?;
            let column = column.as_string::<i32>();
            Ok(Some(column.iter().map(|value| value.map(str::to_owned)).collect()))
        };
        Ok(Self {
            ends: [place("start")?, place("goal")?],
            map: words("map")?,
            agent: words("agent")?,
        })
    }

    fn of_scenario(bytes: &[u8], file: &str) -> Result<Self, BatchError> {
        let list = movingai_scen::read(bytes).map_err(|error| BatchError::faulty(file, error))?;
        let place = |at: wayfare_formats::TilePosition| [f64::from(at.x), f64::from(at.y), 0.0];
        Ok(Self {
            ends: [
                list.entries.iter().map(|entry| place(entry.start)).collect(),
                list.entries.iter().map(|entry| place(entry.goal)).collect(),
            ],
            map: Some(list.entries.into_iter().map(|entry| Some(entry.map)).collect()),
            agent: None,
        })
    }

    fn part(mut self, first: usize, count: usize) -> Self {
        fn cut<T>(all: &mut Vec<T>, first: usize, count: usize) {
            all.drain(..first);
            all.truncate(count);
        }
        self.ends.iter_mut().for_each(|end| cut(end, first, count));
        [&mut self.map, &mut self.agent]
            .into_iter()
            .flatten()
            .for_each(|all| cut(all, first, count));
        self
    }
}

fn is_scenario(name: &str) -> bool {
    name.ends_with(".scen")
}

/// Reads some of the queries of a file.
fn asked(input: &Input, first: u64, count: u64) -> Result<Asked, BatchError> {
    if is_scenario(&input.name) {
        let all = Asked::of_scenario(&input.read()?, &input.name)?;
        return Ok(all.part(first as usize, count as usize));
    }
    let (store, name) = input.opened()?;
    let batches = store.rows(&name, first, count)?;
    let batch = joined(&batches).ok_or_else(|| {
        BatchError::faulty(&input.name, "there are fewer rows than the plan says")
    })?;
    Asked::of_rows(&batch, &input.name)
}

/// The number of queries in a file.
fn count_of(planning: &Planning, input: usize) -> Result<u64, BatchError> {
    let found = planning.found(input);
    if is_scenario(&found.name) {
        let bytes = planning.content(input)?;
        return Ok(Asked::of_scenario(&bytes, &found.name)?.len() as u64);
    }
    let (store, name) = found.opened()?;
    Ok(store.table(&name)?.0)
}

/// What finds a map by the words of a query.
struct Maps<'p>(Vec<(usize, &'p Input)>);

impl<'p> Maps<'p> {
    fn of(inputs: &[usize], all: &'p [Input]) -> Self {
        Self(inputs.iter().map(|&input| (input, &all[input])).collect())
    }

    fn name(&self, map: usize) -> &str {
        self.0.iter().find(|(input, _)| *input == map).map_or("", |(_, input)| &input.name)
    }

    /// Returns the map of a query. An error says in a few words why there is none.
    fn find(&self, words: Option<&str>) -> Result<usize, String> {
        let Some(words) = words else {
            return match self.0[..] {
                [(only, _)] => Ok(only),
                _ => Err("it names no map, and the job has several".to_owned()),
            };
        };
        let is_hash = words.len() >= 16 && words.bytes().all(|byte| byte.is_ascii_hexdigit());
        let by_hash = |input: &Input| is_hash && input.hash.starts_with(words);
        let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let found = self.0.iter().find(|(_, input)| input.name == words || by_hash(input));
        let found =
            found.or_else(|| self.0.iter().find(|(_, input)| last(&input.name) == last(words)));
        found.map(|(input, _)| *input).ok_or_else(|| format!("the job has no map '{words}'"))
    }
}

/// A map, and how the agent on it moves.
type Mover<'a> = (usize, &'a str);

/// Opens the map of a query for an agent.
type Opener<'o> = dyn FnMut(usize, &str) -> Result<Rc<dyn Site>, BatchError> + 'o;

/// The answer to a query.
#[derive(Clone, Default)]
struct Answer {
    status: &'static str,
    reason: Option<String>,
    cost: Option<u64>,
    length: Option<f64>,
    expanded: u64,
    path: Vec<u32>,
}

impl Answer {
    fn bad(reason: String) -> Self {
        Self { status: "bad row", reason: Some(reason), ..Self::default() }
    }
}

/// A world with a searcher whose engine is prepared.
struct Ready {
    site: Rc<dyn Site>,
    searcher: Box<dyn Searcher>,
    engine: EngineName,
    is_prepared: bool,
    /// The memory of searches for jump points alone, where those answer.
    jumping: Option<Scratch<Cell, u32>>,
}

impl Ready {
    /// Prepares the engine before the first query. What it is prepared from is of the map alone, so
    /// that a query has the same answer in any shard.
    fn prepare(&mut self) -> Result<(), String> {
        if self.is_prepared {
            return Ok(());
        }
        self.is_prepared = true;
        let Some(&near) = largest_region(self.site.as_ref()).first() else { return Ok(()) };
        let ends = Endpoints { start: near, goal: near };
        match Preparation::usual(self.engine, ends) {
            Some(preparation) => {
                let prepared = self.searcher.prepare(preparation, Clock::NONE);
                prepared.map(|_| ()).map_err(|error| error.to_string())
            }
            None => Ok(()),
        }
    }

    /// Returns the cost and the length of a path by its jump points, without the cells between
    /// them. `None` where there is no path, one too long for small costs, or one over dear ground.
    fn by_jump_points(&mut self, ends: Endpoints) -> Option<Answer> {
        let scratch = self.jumping.as_mut()?;
        let view = self.site.grid()?;
        let space = view.grid.space_for::<u32>(view.profile);
        let [start, goal] = [ends.start, ends.goal].map(Cell::from_index);
        let mut search: JpsSearch<Cell, u32> = Jps.search(Query::new(start, goal));
        while search.step(&space, scratch, &mut (), u64::MAX) == Progress::Working {}
        let JumpPoints { path, stats } = search.jump_points(&space, scratch);
        let path = path?;
        // From one point to the next a path goes diagonally as far as it can, before or after it
        // goes straight.
        let (mut straight, mut diagonal) = (0u64, 0u64);
        let mut points = path.states().map(|cell| view.grid.coordinates(cell));
        let mut before = points.next()?;
        for point in points {
            let apart = [point.x.abs_diff(before.x), point.y.abs_diff(before.y)];
            let least = apart[0].min(apart[1]);
            diagonal += u64::from(least);
            straight += u64::from(apart[0].max(apart[1]) - least);
            before = point;
        }
        let cost = u64::from(path.cost());
        scratch.recycle(path);
        let is_plain = straight * u64::from(STRAIGHT) + diagonal * u64::from(DIAGONAL) == cost;
        is_plain.then(|| Answer {
            status: "found",
            cost: Some(cost),
            length: Some(straight as f64 + diagonal as f64 * SQRT_2),
            expanded: stats.expanded,
            ..Answer::default()
        })
    }
}

impl Queries {
    fn engine(&self) -> Result<EngineName, BatchError> {
        self.engine.parse().map_err(|error| BatchError::faulty("`engine`", error))
    }

    fn agent(&self, named: Option<&str>) -> Result<&str, String> {
        let named = named.unwrap_or(&self.agent);
        match self.agents.get(named) {
            Some(agent) => Ok(agent),
            None if named.is_empty() => Ok(""),
            None => Err(format!("the job has no agent '{named}'")),
        }
    }

    /// Returns whether jump point search and its jump points answer: on plain maps, where no path
    /// is kept.
    fn jumps_suffice(&self, map: &str, agent: &str) -> bool {
        let is_jumping = matches!(self.engine.as_str(), "auto" | "jps");
        is_jumping && !self.paths && agent.is_empty() && map.ends_with(".map")
    }

    fn answer(&self, ready: &mut Ready, ends: [[f64; 3]; 2]) -> Answer {
        let [start, goal] = ends.map(|end| state_at(ready.site.as_ref(), end));
        let ends = match (start, goal) {
            (Ok(start), Ok(goal)) => Endpoints { start, goal },
            (Err(why), _) => return Answer::bad(format!("start: {why}")),
            (_, Err(why)) => return Answer::bad(format!("goal: {why}")),
        };
        let engine = ready.engine;
        if let Err(why) = ready.prepare() {
            return Answer::bad(why);
        }
        if let Some(answer) = ready.by_jump_points(ends) {
            return answer;
        }
        let report = ready.searcher.run(&SearchRequest::new(engine, ends), &mut |_| ());
        let expanded = report.stats.expanded;
        match report.ending {
            _ if report.fault.is_some() => {
                Answer { status: "fault", reason: report.fault, expanded, ..Answer::default() }
            }
            Ending::Found => Answer {
                status: "found",
                reason: None,
                cost: Some(report.cost()),
                length: Some(report.length),
                expanded,
                path: match self.paths {
                    true => report.path.iter().map(|step| step.state).collect(),
                    false => Vec::new(),
                },
            },
            Ending::NoPath(why) => Answer {
                status: "no path",
                reason: Some(why.to_string()),
                expanded,
                ..Answer::default()
            },
            Ending::Limit(limit) => Answer {
                status: "limit",
                reason: Some(limit.to_string()),
                expanded,
                ..Answer::default()
            },
            Ending::Interrupted(why) => Answer {
                status: "limit",
                reason: Some(why.to_string()),
                expanded,
                ..Answer::default()
            },
        }
    }

    /// Answers queries, map by map. `open` opens the map of a query for an agent.
    fn answers(
        &self,
        asked: &Asked,
        maps: &Maps<'_>,
        open: &mut Opener<'_>,
        done: &mut dyn FnMut(u64) -> Result<(), BatchError>,
    ) -> Result<Vec<Answer>, BatchError> {
        let engine = self.engine()?;
        let mut answers = vec![Answer::default(); asked.len()];
        let mut groups: BTreeMap<Mover<'_>, Vec<usize>> = BTreeMap::new();
        // Few words name the maps and agents of many rows.
        let mut known: BTreeMap<[Option<&str>; 2], Result<Mover<'_>, String>> = BTreeMap::new();
        for (row, answer) in answers.iter_mut().enumerate() {
            let words = [&asked.map, &asked.agent];
            let words = words.map(|words| words.as_ref().and_then(|words| words[row].as_deref()));
            let meant = known
                .entry(words)
                .or_insert_with(|| Ok((maps.find(words[0])?, self.agent(words[1])?)));
            match meant {
                Ok(meant) => groups.entry(*meant).or_default().push(row),
                Err(why) => *answer = Answer::bad(why.clone()),
            }
        }
        for ((map, agent), wanted) in groups {
            let site = open(map, agent)?;
            let searcher = site.searcher();
            let jumping = self.jumps_suffice(maps.name(map), agent).then(Scratch::new);
            let mut ready = Ready { site, searcher, engine, is_prepared: false, jumping };
            for some in wanted.chunks(256) {
                for &row in some {
                    answers[row] =
                        self.answer(&mut ready, asked.ends.each_ref().map(|end| end[row]));
                }
                done(some.len() as u64)?;
            }
        }
        Ok(answers)
    }
}

impl Kind for Queries {
    fn name(&self) -> &'static str {
        "queries"
    }

    fn items(&self) -> &'static str {
        "queries"
    }

    fn summary(&self) -> Option<&'static str> {
        Some(
            "SELECT file, status, reason, count(*) AS queries, round(avg(length), 1) AS mean_length, \
             round(avg(expanded), 1) AS mean_expanded FROM results \
             GROUP BY file, status, reason ORDER BY file, status, reason",
        )
    }

    fn wrong(&self) -> Option<&'static str> {
        Some("SELECT count(*) FROM results WHERE status = 'fault'")
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        if self.engine()? == EngineName::Field {
            let problem =
                "a field answers queries to one goal; [tables] reads travel times from fields";
            return Err(BatchError::faulty("`engine`", problem));
        }
        if !self.agent.is_empty() && !self.agents.contains_key(&self.agent) {
            let problem = format!("`agents` has no '{}'", self.agent);
            return Err(BatchError::faulty("`agent`", problem));
        }
        let files = planning.matching(&self.from, "from")?;
        let mut maps = planning.matching(&self.maps, "maps")?;
        if maps.is_empty() {
            maps = maps_beside(planning, &files)?;
        }
        if maps.is_empty() {
            let problem =
                "there are no maps; Parquet files need them listed, as maps = [\"*.map\"]";
            return Err(BatchError::faulty("`maps`", problem));
        }
        let mut slices = Vec::new();
        for file in files {
            let count = count_of(planning, file)?;
            let seconds = self.estimate(planning, file, &maps, count)?;
            let mut inputs = vec![file];
            inputs.extend(&maps);
            let items = Items { count, seconds, before: 0.0, most: MOST };
            slices.extend(planning.cut(&items, &inputs, ""));
        }
        Ok(slices)
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, store, progress, is_check } = solving;
        let (file, maps) = (&plan.inputs[shard.inputs[0]], &shard.inputs[1..]);
        let asked = asked(file, shard.first, shard.count)?;
        let maps = Maps::of(maps, &plan.inputs);
        let mut open = |map: usize, agent: &str| site(plan, map, agent);
        let mut done = |count| progress.advance(count);
        let answers = self.answers(&asked, &maps, &mut open, &mut done)?;
        if self.paths && !is_check {
            write_paths(&shard.key, shard.first, &answers, store)?;
        }
        Ok(table(&file.name, shard.first, &answers))
    }

    fn finish(&self, _results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        Ok(Vec::new())
    }
}

impl Queries {
    /// Returns about how many seconds a query of a file takes.
    fn estimate(
        &self,
        planning: &Planning,
        file: usize,
        maps: &[usize],
        count: u64,
    ) -> Result<f64, BatchError> {
        let input = planning.found(file);
        let inputs: Vec<Input> =
            (0..=*maps.iter().max().unwrap_or(&0)).map(|it| planning.found(it)).collect();
        let maps = Maps::of(maps, &inputs);
        let mut opened: BTreeMap<(usize, String), Rc<dyn Site>> = BTreeMap::new();
        let mut open = |map: usize, agent: &str| match opened.get(&(map, agent.to_owned())) {
            Some(site) => Ok(site.clone()),
            None => {
                let name = &inputs[map].name;
                let (_, site) =
                    planning.world(name, |path, files| super::worlds::open(path, files, agent))?;
                let site: Rc<dyn Site> = site.into();
                opened.insert((map, agent.to_owned()), site.clone());
                Ok(site)
            }
        };
        let (mut work, mut asked_in_all) = (0, 0);
        let parts = count.clamp(1, SAMPLE / 8);
        // Searches instead of an engine that takes long to prepare: an upper bound.
        let estimating = Self { engine: auto(), paths: false, ..self.clone() };
        for part in 0..parts {
            let first = part * count / parts;
            let some = asked(&input, first, (count - first).min(SAMPLE / parts))?;
            let answers = estimating.answers(&some, &maps, &mut open, &mut |_| Ok(()))?;
            work += answers.iter().map(|answer| answer.expanded).sum::<u64>();
            asked_in_all += answers.len();
        }
        Ok(SECONDS_OF_A_QUERY + SECONDS_OF_WORK * work as f64 / asked_in_all.max(1) as f64)
    }
}

/// Returns the maps that scenarios name, beside them.
fn maps_beside(planning: &Planning, files: &[usize]) -> Result<Vec<usize>, BatchError> {
    let mut maps = Vec::new();
    for &file in files.iter().filter(|file| is_scenario(&planning.found(**file).name)) {
        let (content, name) = (planning.content(file)?, planning.found(file).name);
        let list =
            movingai_scen::read(&content).map_err(|error| BatchError::faulty(&name, error))?;
        let mut named: Vec<&str> = list.entries.iter().map(|entry| entry.map.as_str()).collect();
        named.sort_unstable();
        named.dedup();
        let folder =
            name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        for map in named {
            let last = map.rsplit(['/', '\\']).next().unwrap_or(map);
            let map = planning.input(&format!("{folder}{last}"))?;
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    Ok(maps)
}

fn table(file: &str, first: u64, answers: &[Answer]) -> RecordBatch {
    let mut status = StringBuilder::new();
    let mut reason = StringBuilder::new();
    let mut cost = UInt64Builder::with_capacity(answers.len());
    for answer in answers {
        status.append_value(answer.status);
        reason.append_option(answer.reason.as_deref());
        cost.append_option(answer.cost);
    }
    let files: ArrayRef = Arc::new(arrow::array::StringArray::from(vec![file; answers.len()]));
    let count = answers.len() as u64;
    rows(vec![
        ("file", files),
        ("row", Arc::new(UInt64Array::from_iter_values(first..first + count))),
        ("status", Arc::new(status.finish())),
        ("cost", Arc::new(cost.finish())),
        ("length", Arc::new(Float64Array::from_iter(answers.iter().map(|answer| answer.length)))),
        (
            "expanded",
            Arc::new(UInt64Array::from_iter_values(answers.iter().map(|answer| answer.expanded))),
        ),
        ("reason", Arc::new(reason.finish())),
    ])
}

/// Writes the paths of a shard, before the shard: where that is, its paths are.
fn write_paths(key: &str, first: u64, answers: &[Answer], store: &Store) -> Result<(), BatchError> {
    let mut states = ListBuilder::new(UInt32Builder::new());
    for answer in answers {
        states.values().append_slice(&answer.path);
        states.append(answer.status == "found");
    }
    let row = UInt64Array::from_iter_values(first..first + answers.len() as u64);
    let paths = rows(vec![("row", Arc::new(row)), ("states", Arc::new(states.finish()))]);
    store.write(&format!("paths/{key}.parquet"), encode(&paths, &Notes::new())?)
}
