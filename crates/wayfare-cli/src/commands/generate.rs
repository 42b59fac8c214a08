//! `generate`: worlds from a seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::Serialize;
use wayfare::space::Grid;
use wayfare::space::navmesh::HeightReach;
use wayfare::space::voxel::BlockPosition;
use wayfare_bake::Ground;
use wayfare_draw::{Panel, PropShot, Scenery, Sheet};
use wayfare_formats::TilePosition;
use wayfare_generate::{
    Arrangement, Generated, Kinds, Lineup, Manager, Parameter, Proof, QueryList, QuerySpread,
    Reset, Scenario, Seed, Settings, Statistic, TileScene, TimedReset, WorldDraft, WorldForm,
};
use wayfare_scene::scene::Scene;
use wayfare_scene::{GridWorld, Movement, bake_level, level_geometry, write_path};
use wayfare_site::{GridSite, MeshSite, PropKind, PropRecord, Site, View, VoxelSite, props_of};

use super::shared;
use crate::args::{GenerateArgs, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Align, Bar, Printer, Table, counted, decimals, grouped, prop_shots, rounded, write_still,
};

/// Worlds of a picture at most.
const MOST_DRAWN: u64 = 64;
/// Worlds of a table at most; of more, each kind has a line.
const MOST_LINES: usize = 40;

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document {
    seed: u64,
    worlds: Vec<WorldEntry>,
    /// All worlds side by side, where they were asked for in one file.
    row: Option<WorldEntry>,
    picture: Option<PathBuf>,
}

#[derive(Serialize, Default)]
struct WorldEntry {
    number: u64,
    kind: String,
    version: u32,
    seed: u64,
    values: BTreeMap<&'static str, f64>,
    /// From entry to exit, in tiles, blocks or metres; null for worlds that were there already.
    length: Option<f64>,
    moves: Option<usize>,
    /// The points at both ends of that path: x, y, z, the height of tiles being 0.
    entry: Option<[f64; 3]>,
    exit: Option<[f64; 3]>,
    /// Keys taken and doors opened, in order.
    plan: Vec<String>,
    statistics: BTreeMap<&'static str, f64>,
    file: Option<PathBuf>,
    /// The queries with their optimal lengths, where they were asked for.
    queries: Option<PathBuf>,
}

pub(super) fn run(args: &GenerateArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let kinds = Kinds::standard();
    if args.list {
        return list(args, &kinds, printer);
    }
    let lineup = lineup(args, &kinds)?;
    let output = match &args.output {
        Some(path) if is_file(path) => Output::File(path),
        Some(path) => Output::Folder(path),
        None => Output::Nothing,
    };
    if args.picture.is_some() && args.count > MOST_DRAWN {
        let problem = format!("a picture shows {MOST_DRAWN} worlds at most; lower --count");
        return Err(Failure::Usage(problem));
    }
    let is_played = args.walkers.is_some() || !args.resets.is_empty();
    if is_played && !matches!(output, Output::File(file) if is_scene(file)) {
        let problem = "--walkers and --reset need a scene: -o FILE.toml".to_owned();
        return Err(Failure::Usage(problem));
    }
    if let Output::Folder(folder) = output {
        std::fs::create_dir_all(folder).map_err(|error| Failure::Unencoded {
            path: folder.to_path_buf(),
            problem: format!("the folder cannot be made: {error}"),
        })?;
    }
    // Worlds are kept only where they are drawn or laid side by side.
    let keeps = args.picture.is_some() || matches!(output, Output::File(_));
    let mut kept = Vec::new();
    let mut entries = Vec::new();
    let mut bar = Bar::new("generating");
    for number in 0..args.count {
        bar.set(number, args.count);
        let assignment = lineup.assign(number, &kinds)?;
        let mut entry = WorldEntry {
            number: number + 1,
            kind: assignment.kind.clone(),
            seed: assignment.seed.0,
            ..WorldEntry::default()
        };
        let mut stem = stem(number, args.count, &assignment.kind);
        let form = kinds.get(&assignment.kind)?.form();
        if let Output::File(file) = output
            && is_alone(args, form)
        {
            stem = name_of(file);
            entry.file = Some(file.to_path_buf());
        }
        if let Output::Folder(folder) = output {
            let extension = args.extension.as_deref().unwrap_or(native(form));
            let file = folder.join(format!("{stem}.{extension}"));
            let lists = args.queries.and_then(|_| Lists::of(&file, form));
            let is_there =
                args.resume && file.exists() && lists.is_none_or(|lists| lists.queries.exists());
            entry.file = Some(file);
            if is_there && !keeps {
                entries.push(entry);
                continue;
            }
        }
        let world = lineup.generate(number, &kinds)?;
        let proof = world.prove()?;
        entry.version = world.version;
        entry.values = world.values.iter().map(|(name, value)| (name, tidy(value))).collect();
        describe(&mut entry, &proof);
        if let Some(file) = &entry.file {
            let lists = args.queries.and_then(|count| Some((Lists::of(file, form)?, count)));
            // The map of the queries may have the world's own name.
            let is_own = lists.as_ref().is_none_or(|(lists, _)| lists.map != *file);
            if is_own && !(args.resume && file.exists()) {
                write(&world, file, &stem)?;
            }
            if let Some((lists, count)) = lists
                && let Some(list) = world.queries(&lists.name(), count as usize, spread(args))?
            {
                entry.queries = Some(lists.write(&list)?);
            }
        }
        if keeps {
            kept.push((world, proof));
        }
        entries.push(entry);
    }
    drop(bar);
    let row = match output {
        Output::File(file) if entries.iter().all(|entry| entry.file.is_none()) => {
            Some(together(file, &kept, &lineup, &kinds, args)?)
        }
        _ => None,
    };
    if let Some(file) = &args.picture {
        let drawn = match &row {
            Some(row) if kept.len() > 1 => {
                let title = format!("{} in a row", counted(args.count, "world"));
                vec![Drawn::of_tiles(&row.arrangement.scene, &row.proof, title)?]
            }
            _ => kept
                .iter()
                .map(|(world, proof)| Drawn::of(world, proof))
                .collect::<Result<_, _>>()?,
        };
        draw(&drawn, args, file)?;
    }
    let row = row.map(|row| row.entry);
    print(args, entries, row, printer)
}

#[derive(Clone, Copy)]
enum Output<'a> {
    Nothing,
    File(&'a Path),
    Folder(&'a Path),
}

/// Returns whether a name has an extension and is no folder.
fn is_file(path: &Path) -> bool {
    path.extension().is_some() && !path.is_dir()
}

/// Returns whether a world has its file to itself: a single one that is not made of tiles. No lanes
/// lead to it.
fn is_alone(args: &GenerateArgs, form: WorldForm) -> bool {
    args.count == 1 && form != WorldForm::Tiles
}

fn is_scene(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

fn native(form: WorldForm) -> &'static str {
    match form {
        WorldForm::Blocks => "voxels",
        WorldForm::Level => "obj",
        _ => "toml",
    }
}

fn lineup(args: &GenerateArgs, kinds: &Kinds) -> Result<Lineup, Failure> {
    let pins = args.pins.iter().map(|pin| (pin.number - 1, (pin.kind.clone(), pin.seed)));
    let lineup = Lineup {
        count: args.count,
        kinds: args.kinds.clone(),
        only: args.only.clone(),
        order: args.order.order(),
        spacing: args.spacing,
        columns: args.columns,
        seed: Seed(args.seed),
        pinned: pins.collect(),
        settings: Settings::default(),
    };
    if let Some(pin) = args.pins.iter().find(|pin| pin.number > args.count) {
        let problem = format!("--pin {} is beyond --count {}", pin.number, args.count);
        return Err(Failure::Usage(problem));
    }
    // An unknown kind is refused before anything is made.
    lineup.chosen(kinds)?;
    for pin in &args.pins {
        kinds.get(&pin.kind)?;
    }
    let Some(path) = &args.params else { return Ok(lineup) };
    let unreadable = |problem: String| Failure::Unsearchable { path: path.clone(), problem };
    let text = String::from_utf8(shared::read(path)?)
        .map_err(|error| unreadable(format!("it cannot be read: {error}")))?;
    lineup.with_settings(&text, kinds).map_err(|error| unreadable(error.to_string()))
}

/// Returns numbers of equal length, so that names sort as numbers do.
fn stem(number: u64, count: u64, kind: &str) -> String {
    let digits = count.to_string().len();
    format!("{:0digits$}-{kind}", number + 1)
}

/// Returns the name of the only world of a file.
fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn write(world: &Generated, file: &Path, name: &str) -> Result<(), Failure> {
    let document = match world.map(name)? {
        Some(map) if !is_scene(file) => map,
        _ => world.document(name)?,
    };
    write_path(file, &document).map_err(Failure::Unwritten)
}

fn describe(entry: &mut WorldEntry, proof: &Proof) {
    entry.length = Some(rounded(f64::from(proof.length)));
    let places = proof.path.len().max(proof.turns.len());
    entry.moves = Some(places.saturating_sub(1));
    let ends = [(proof.path.first(), proof.turns.first()), (proof.path.last(), proof.turns.last())];
    [entry.entry, entry.exit] = ends.map(|end| match end {
        (Some(tile), _) => Some(tile.map(f64::from)),
        (_, Some(place)) => Some(place.map(tidy)),
        _ => None,
    });
    entry.plan.clone_from(&proof.plan);
    entry.statistics = proof
        .statistics
        .iter()
        .map(|(statistic, value)| (statistic.name(), tidy(*value)))
        .collect();
}

fn spread(args: &GenerateArgs) -> QuerySpread {
    if args.buckets { QuerySpread::Lengths } else { QuerySpread::Places }
}

/// The files beside a world with its queries.
struct Lists {
    map: PathBuf,
    queries: PathBuf,
}

impl Lists {
    /// `None` for worlds that have no queries.
    fn of(world: &Path, form: WorldForm) -> Option<Self> {
        let [map, queries] = match form {
            WorldForm::Tiles => ["map", "map.scen"],
            WorldForm::Blocks => ["3dmap", "3dmap.3dscen"],
            _ => return None,
        };
        Some(Lists { map: world.with_extension(map), queries: world.with_extension(queries) })
    }

    /// Returns the map, as its list names it.
    fn name(&self) -> String {
        self.map.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the file of the queries.
    fn write(self, list: &QueryList) -> Result<PathBuf, Failure> {
        write_path(&self.map, &list.map).map_err(Failure::Unwritten)?;
        write_path(&self.queries, &list.queries).map_err(Failure::Unwritten)?;
        Ok(self.queries)
    }
}

/// Rounds a value to its short form: 0.38, not 0.3799999952316284.
fn tidy(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// All worlds in one.
struct Row {
    arrangement: Arrangement,
    proof: Proof,
    entry: WorldEntry,
}

fn together(
    file: &Path,
    kept: &[(Generated, Proof)],
    lineup: &Lineup,
    kinds: &Kinds,
    args: &GenerateArgs,
) -> Result<Row, Failure> {
    let name = name_of(file);
    let worlds: Vec<Generated> = kept.iter().map(|(world, _)| world.clone()).collect();
    let arrangement = Arrangement::new(&worlds, lineup)?;
    let proof = arrangement.prove()?;
    let document = if is_scene(file) {
        let origins: Vec<String> = worlds.iter().map(Generated::origin).collect();
        let origin = format!("seed {}. {}", args.seed, origins.join(". "));
        let resets = resets(&arrangement, &worlds, lineup, kinds, args)?;
        arrangement.show(&name, origin, args.walkers.unwrap_or(0), &resets)?
    } else {
        arrangement.scene.map(&name)?
    };
    let lists = args.queries.and_then(|count| Some((Lists::of(file, WorldForm::Tiles)?, count)));
    if lists.as_ref().is_none_or(|(lists, _)| lists.map != file) {
        write_path(file, &document).map_err(Failure::Unwritten)?;
    }
    let queries = match lists {
        Some((lists, count)) => {
            let list = arrangement.queries(&lists.name(), count as usize, spread(args))?;
            Some(lists.write(&list)?)
        }
        None => None,
    };
    let mut entry = WorldEntry { kind: "row".to_owned(), seed: args.seed, ..WorldEntry::default() };
    entry.file = Some(file.to_path_buf());
    entry.queries = queries;
    describe(&mut entry, &proof);
    Ok(Row { arrangement, proof, entry })
}

/// Returns the resets in the order of their times, each of the worlds as the earlier ones leave
/// them.
fn resets(
    arrangement: &Arrangement,
    worlds: &[Generated],
    lineup: &Lineup,
    kinds: &Kinds,
    args: &GenerateArgs,
) -> Result<Vec<TimedReset>, Failure> {
    let mut asked = args.resets.clone();
    asked.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let mut resets: Vec<TimedReset> = Vec::new();
    for Timed { seconds, number, seed } in asked {
        if number > args.count {
            let problem = format!("--reset {number} is beyond --count {}", args.count);
            return Err(Failure::Usage(problem));
        }
        let (before, worlds) = match resets.last() {
            Some(last) => (&last.reset.arrangement, &last.reset.worlds[..]),
            None => (arrangement, worlds),
        };
        let reset = Reset::new(before, worlds, number as usize - 1, seed, lineup, kinds)?;
        resets.push(TimedReset { seconds, reset });
    }
    Ok(resets)
}

/// A part of a picture: the world, its path, and texts.
struct Drawn {
    site: Box<dyn Site>,
    path: Vec<u32>,
    props: Vec<PropShot>,
    title: String,
    caption: String,
}

impl Drawn {
    fn of_tiles(scene: &TileScene, proof: &Proof, title: String) -> Result<Self, Failure> {
        let map = scene.draft.to_map(&title)?;
        let world = GridWorld::from_tile_map(&map, &Movement::default())?;
        let props = props(scene, &world.grid)?;
        let site = GridSite::new(Path::new(&title), world);
        let path = proof.path.iter().map(|[x, _, y]| site.cell(TilePosition { x: *x, y: *y }));
        let path = path.collect();
        let props = prop_shots(&site, &props);
        Ok(Self { site: Box::new(site), path, props, title, caption: proof.plan.join(", ") })
    }

    fn of(world: &Generated, proof: &Proof) -> Result<Self, Failure> {
        let title = format!("{} {}", world.kind, world.seed.0);
        match &world.draft {
            WorldDraft::Tiles(scene) => Self::of_tiles(scene, proof, title),
            WorldDraft::Blocks(blocks) => {
                let file = Path::new(&title);
                let site = VoxelSite::new(file, &blocks.scene, blocks.profile.clone())?;
                let at = |[x, y, z]: &[u32; 3]| site.voxel(BlockPosition::new(*x, *y, *z));
                let path = proof.path.iter().map(at).collect();
                Ok(Self {
                    site: Box::new(site),
                    path,
                    props: Vec::new(),
                    title,
                    caption: String::new(),
                })
            }
            WorldDraft::Level(level) => {
                let geometry = level_geometry(&level.mesh, |_| Ground::PLAIN, false);
                let geometry = geometry.map_err(|error| Failure::Usage(error.to_string()))?;
                let site =
                    MeshSite::new(Path::new(&title), bake_level(&geometry, level.walker, None)?);
                let at = |at: &[f32; 3]| site.state_at(Vec3::from(*at), HeightReach::default());
                let path = proof.turns.iter().map(at).collect();
                Ok(Self {
                    site: Box::new(site),
                    path,
                    props: Vec::new(),
                    title,
                    caption: String::new(),
                })
            }
            WorldDraft::Sampled(sampled) => {
                let world = sampled.scene.to_grid(&Movement::default())?;
                let site = GridSite::new(Path::new(&title), world);
                let path =
                    proof.path.iter().map(|[x, _, y]| site.cell(TilePosition { x: *x, y: *y }));
                let path = path.collect();
                Ok(Self {
                    site: Box::new(site),
                    path,
                    props: Vec::new(),
                    title,
                    caption: String::new(),
                })
            }
            _ => Err(Failure::Usage(format!("worlds of kind {} are not drawn", world.kind))),
        }
    }
}

/// Returns locked doors and keys, and the parts of puzzles, in their first state.
fn props(scene: &TileScene, grid: &Grid) -> Result<Vec<PropRecord>, Failure> {
    // As large as a sign has to be to be seen in a large world.
    let side = (scene.draft.width().max(scene.draft.height()) as f32 / 28.0).max(1.0);
    let on_tile = |kind, at: TilePosition| PropRecord {
        kind,
        position: [at.x as f32 + 0.5, 0.0, at.y as f32 + 0.5],
        side,
    };
    let locked = scene.doors.iter().map(|door| {
        // Two tiles apart along a row or a column, with the door between them.
        let [x, y] = [door.from.x + door.to.x, door.from.y + door.to.y].map(|sum| sum / 2);
        on_tile(PropKind::Door { is_open: false }, TilePosition { x, y })
    });
    let keys = scene.keys.iter().map(|key| on_tile(PropKind::Key, key.at));
    let mut props: Vec<PropRecord> = locked.chain(keys).collect();
    if !scene.puzzles.is_empty() {
        let mut document = Scene::new("puzzles");
        document.puzzles.clone_from(&scene.puzzles);
        for one in document.puzzles_on(grid)? {
            let query = one.query();
            props.extend(props_of(&one.puzzle, &query.state, query.clock));
        }
    }
    Ok(props)
}

/// Draws all worlds on one picture, each with its path.
fn draw(drawn: &[Drawn], args: &GenerateArgs, file: &Path) -> Result<(), Failure> {
    let theme = args.theme.theme();
    let failed = |problem| Failure::Picture { path: file.to_path_buf(), problem };
    let sceneries: Vec<Box<dyn Scenery + '_>> = drawn
        .iter()
        .map(|part| part.site.scenery(&theme, &View { path: &part.path, ..View::default() }))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let panels: Vec<Panel<'_>> = drawn
        .iter()
        .zip(&sceneries)
        .map(|(part, scenery)| {
            let mut panel = Panel::new(scenery.as_ref()).title(&part.title);
            panel = panel.props(part.props.iter().copied());
            // Beside others a long caption would stretch its panel.
            if drawn.len() == 1 {
                panel = panel.caption(&part.caption);
            }
            if let [first, .., last] = part.path[..] {
                panel = panel.path_states(part.path.iter().copied()).endpoints(first, last);
            }
            panel
        })
        .collect();
    let count = panels.len() as u32;
    let mut sheet = Sheet::new(panels).theme(theme);
    if count > 4 {
        sheet = sheet.without_legend();
        // Five beside four look better than three beside three.
        let columns =
            args.columns.unwrap_or((1..).find(|side| side * side * 4 >= count * 5).unwrap_or(1));
        sheet = sheet.columns(columns);
    }
    write_still(&sheet.draw().map_err(failed)?, file).map_err(failed)
}

fn list(args: &GenerateArgs, kinds: &Kinds, printer: &mut Printer) -> Result<Exit, Failure> {
    let chosen = match &args.only {
        Some(only) => vec![kinds.get(only)?],
        None => kinds.iter().collect(),
    };
    if printer.is_json() {
        let entries: Vec<KindEntry> = chosen.iter().map(|kind| KindEntry::of(*kind)).collect();
        printer.json(&entries)?;
        return Ok(Exit::Done);
    }
    let left = |heading| (heading, Align::Left);
    let right = |heading| (heading, Align::Right);
    let mut table = if args.only.is_some() {
        Table::new(&[
            left("parameter"),
            right("from"),
            right("to"),
            left("default"),
            left("unit"),
            left(""),
        ])
    } else {
        Table::new(&[left("kind"), left("families"), left("")])
    };
    for kind in chosen {
        if args.only.is_none() {
            table.row([kind.name(), &kind.families().join(", "), kind.about()].map(str::to_owned));
            continue;
        }
        for parameter in kind.parameters() {
            let Parameter { limits, default, .. } = parameter;
            let default = match default.low == default.high {
                true => format!("{}", default.low),
                false => format!("{} to {}", default.low, default.high),
            };
            let [low, high] = [limits.low, limits.high].map(|limit| limit.to_string());
            let texts = [parameter.name.to_owned(), low, high, default];
            table
                .row(texts.into_iter().chain([parameter.unit, parameter.about].map(str::to_owned)));
        }
    }
    printer.text(&table.render(printer.is_styled()))?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct KindEntry {
    kind: &'static str,
    about: &'static str,
    version: u32,
    earlier_versions: Vec<u32>,
    families: &'static [&'static str],
    parameters: Vec<ParameterEntry>,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    whole: bool,
    /// Lowest and highest.
    limits: [f64; 2],
    default: [f64; 2],
}

impl KindEntry {
    fn of(kind: &dyn Scenario) -> Self {
        let parameter = |parameter: &Parameter| ParameterEntry {
            name: parameter.name,
            about: parameter.about,
            unit: parameter.unit,
            whole: parameter.whole,
            limits: [parameter.limits.low, parameter.limits.high].map(tidy),
            default: [parameter.default.low, parameter.default.high].map(tidy),
        };
        Self {
            kind: kind.name(),
            about: kind.about(),
            version: kind.version(),
            earlier_versions: kind.earlier().iter().map(|earlier| earlier.version()).collect(),
            families: kind.families(),
            parameters: kind.parameters().iter().map(parameter).collect(),
        }
    }
}

fn print(
    args: &GenerateArgs,
    worlds: Vec<WorldEntry>,
    row: Option<WorldEntry>,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    if printer.is_json() {
        let picture = args.picture.clone();
        printer.json(&Document { seed: args.seed, worlds, row, picture })?;
        return Ok(Exit::Done);
    }
    const SHOWN: [Statistic; 5] = [
        Statistic::FreeShare,
        Statistic::Passage,
        Statistic::Rooms,
        Statistic::DeadEnds,
        Statistic::MeanDegree,
    ];
    let right = |heading| (heading, Align::Right);
    let mut columns = vec![right("world"), ("kind", Align::Left), right("seed"), right("length")];
    columns.extend(SHOWN.map(|statistic| right(statistic.name())));
    let mut table = Table::new(&columns);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| decimals(value, 2));
    for entry in worlds.iter().chain(&row).take(MOST_LINES) {
        let world = if entry.number == 0 { "all".to_owned() } else { entry.number.to_string() };
        let texts = [world, entry.kind.clone(), entry.seed.to_string(), number(entry.length)];
        let values = SHOWN.map(|statistic| number(entry.statistics.get(statistic.name()).copied()));
        table.row(texts.into_iter().chain(values));
    }
    printer.text(&table.render(printer.is_styled()))?;
    if let Some(more) = worlds.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        printer.line(format!("… and {} more", counted(more as u64, "world")))?;
    }
    for entry in worlds.iter().take(MOST_LINES).filter(|entry| !entry.plan.is_empty()) {
        printer.line(format!("{} {}: {}", entry.number, entry.kind, entry.plan.join(", ")))?;
    }
    if let Some(output) = &args.output {
        let skipped = worlds.iter().filter(|entry| entry.length.is_none()).count();
        let written = match skipped {
            0 => output.display().to_string(),
            _ => format!("{}; {} were there", output.display(), grouped(skipped as u64)),
        };
        printer.field("written", written)?;
    }
    if let Some(picture) = &args.picture {
        printer.field("picture", picture.display().to_string())?;
    }
    Ok(Exit::Done)
}
