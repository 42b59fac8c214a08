//! From rows to the files of a dataset.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array, ListArray, StringArray, UInt32Array};
use arrow::datatypes::{Float64Type, UInt32Type, UInt64Type};
use arrow::record_batch::RecordBatch;
use wayfare::space::voxel::BlockPosition;
use wayfare_formats::movingai_3dscen::{self, VoxelQuery, VoxelScenario};
use wayfare_formats::movingai_scen::{self, Scenario, SolvedQuery};
use wayfare_formats::{TilePosition, movingai_map};
use wayfare_generate::{Kinds, WorldForm};

use super::Generate;
use super::citation::{Counts, Dataset, FileEntry, KindEntry, MapEntry, WorldEntry};
use crate::rows::{Encoder, rows};
use crate::{BatchError, Notes, Results};

/// A world in the rows of a shard.
struct World<'b> {
    batch: &'b RecordBatch,
    row: usize,
}

impl<'b> World<'b> {
    fn column(&self, name: &str) -> &'b ArrayRef {
        self.batch.column_by_name(name).expect("rows of this kind have it")
    }

    fn text(&self, name: &str) -> &'b str {
        self.column(name).as_string::<i32>().value(self.row)
    }

    fn number(&self, name: &str) -> u64 {
        self.column(name).as_primitive::<UInt64Type>().value(self.row)
    }

    fn version(&self) -> u32 {
        self.column("version").as_primitive::<UInt32Type>().value(self.row)
    }

    fn map(&self) -> &'b [u8] {
        self.column("map").as_binary::<i32>().value(self.row)
    }

    fn is_made(&self) -> bool {
        self.text("status") == "made"
    }

    fn list(&self, name: &str) -> ArrayRef {
        self.column(name).as_list::<i32>().value(self.row)
    }

    fn coordinates(&self, name: &str) -> Vec<u32> {
        self.list(name).as_primitive::<UInt32Type>().values().to_vec()
    }

    fn lengths(&self) -> Vec<f64> {
        self.list("optimal_length").as_primitive::<Float64Type>().values().to_vec()
    }

    /// Returns the ends of a query, axis by axis.
    fn ends(&self, end: &str, axes: usize) -> Vec<[u32; 3]> {
        let axis = |axis: &&str| self.coordinates(&format!("{end}_{axis}"));
        let axes: Vec<Vec<u32>> = ["x", "y", "z"].iter().take(axes).map(axis).collect();
        let place = |row: usize| [0, 1, 2].map(|axis| axes.get(axis).map_or(0, |all| all[row]));
        (0..axes[0].len()).map(place).collect()
    }

    fn scenario(&self, file: &str, form: WorldForm) -> Result<Vec<u8>, BatchError> {
        let failed = |error| BatchError::faulty(file, error);
        let lengths = self.lengths();
        let axes = if form == WorldForm::Blocks { 3 } else { 2 };
        let [starts, goals] = ["start", "goal"].map(|end| self.ends(end, axes));
        let queries = starts.into_iter().zip(goals).zip(lengths);
        if form == WorldForm::Blocks {
            let block = |[x, y, z]: [u32; 3]| BlockPosition::new(x, y, z);
            let entry = |((start, goal), length): (([u32; 3], [u32; 3]), f64)| VoxelQuery {
                start: block(start),
                goal: block(goal),
                optimal_length: length,
                ratio: length / unhindered(start, goal),
            };
            let entries = queries.map(entry).collect();
            let list = VoxelScenario { map: file.to_owned(), entries };
            return movingai_3dscen::write(&list).map_err(failed);
        }
        let tile = |[x, y, _]: [u32; 3]| TilePosition { x, y };
        let solved: Vec<SolvedQuery> = queries
            .map(|((start, goal), optimal_length)| SolvedQuery {
                start: tile(start),
                goal: tile(goal),
                optimal_length,
            })
            .collect();
        let map = movingai_map::read(self.map(), file).map_err(failed)?;
        let list = Scenario::from_solved(file, map.width(), map.height(), &solved);
        movingai_scen::write(&list).map_err(failed)
    }

    /// Returns the queries as rows that `[queries]` reads. `axes`: those of the whole dataset.
    fn queries(&self, form: WorldForm, axes: usize, paths: bool) -> RecordBatch {
        let lengths = self.lengths();
        let own = if form == WorldForm::Blocks { 3 } else { 2 };
        let axis = |end: &str, axis: usize| -> ArrayRef {
            let places = self.ends(end, own);
            Arc::new(UInt32Array::from_iter_values(places.into_iter().map(|place| place[axis])))
        };
        let maps = std::iter::repeat_n(self.text("hash"), lengths.len());
        let mut columns: Vec<(&str, ArrayRef)> =
            vec![("map", Arc::new(StringArray::from_iter_values(maps)))];
        let names = [["start_x", "start_y", "start_z"], ["goal_x", "goal_y", "goal_z"]];
        for (end, names) in ["start", "goal"].into_iter().zip(names) {
            columns.extend((0..axes).map(|number| (names[number], axis(end, number))));
        }
        columns.push(("optimal_length", Arc::new(Float64Array::from(lengths))));
        if paths {
            let paths: ListArray = self.list("path").as_list::<i32>().clone();
            columns.push(("path", Arc::new(paths)));
        }
        rows(columns)
    }
}

/// Returns the length of the path through empty space between two different places.
fn unhindered(start: [u32; 3], goal: [u32; 3]) -> f64 {
    let mut apart = [0, 1, 2].map(|axis| start[axis].abs_diff(goal[axis]));
    apart.sort_unstable();
    let [least, middle, most] = apart;
    let moves = [most - middle, middle - least, least].map(f64::from);
    moves[0] + moves[1] * 2f64.sqrt() + moves[2] * 3f64.sqrt()
}

/// What of a dataset is written so far.
struct Writing<'r> {
    results: &'r Results<'r>,
    kinds: Kinds,
    /// Whether there are worlds of blocks: then all queries have heights.
    axes: usize,
    queries: Option<Encoder>,
    maps: Vec<MapEntry>,
    counts: Counts,
    worlds: BTreeMap<(String, u32), u64>,
}

impl Writing<'_> {
    fn add(&mut self, world: &World<'_>, count: u64, paths: bool) -> Result<(), BatchError> {
        if !world.is_made() {
            self.counts.broken += 1;
            return Ok(());
        }
        let (number, kind) = (world.number("number"), world.text("kind"));
        let form = self.kinds.get(kind).map_err(|error| BatchError::faulty(kind, error))?.form();
        let [map, scenario] = match form {
            WorldForm::Blocks => ["3dmap", "3dmap.3dscen"],
            _ => ["map", "map.scen"],
        };
        // Numbers of equal length, so that names sort as numbers do: as `wayfare generate` has
        // them.
        let digits = count.to_string().len();
        let stem = format!("{number:0digits$}-{kind}");
        let file = format!("{stem}.{map}");
        let store = self.results.store;
        store.write(&format!("maps/{file}"), world.map().to_vec())?;
        let scenario = format!("maps/{stem}.{scenario}");
        store.write(&scenario, world.scenario(&file, form)?)?;
        let queries = world.queries(form, self.axes, paths);
        let encoder = match &mut self.queries {
            Some(encoder) => encoder,
            none => none.insert(Encoder::new(&queries.schema(), &Notes::new())?),
        };
        encoder.write(&queries)?;
        self.counts.maps += 1;
        self.counts.queries += queries.num_rows() as u64;
        *self.worlds.entry((kind.to_owned(), world.version())).or_default() += 1;
        let proof = world.column("proof_length").as_primitive::<Float64Type>().value(world.row);
        self.maps.push(MapEntry {
            file: format!("maps/{file}"),
            hash: world.text("hash").to_owned(),
            queries: queries.num_rows() as u64,
            world: Some(WorldEntry {
                scenario,
                kind: kind.to_owned(),
                version: world.version(),
                seed: world.number("seed"),
                proof_length: proof,
            }),
        });
        Ok(())
    }
}

impl Generate {
    pub(super) fn finish_worlds(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        let Results { plan, store } = *results;
        let kinds = Kinds::standard();
        let lineup = self.lineup_of(plan, &kinds)?;
        let chosen = lineup.chosen(&kinds).map_err(|error| BatchError::faulty("`kinds`", error))?;
        let is_of_blocks =
            |kind: &&str| kinds.get(kind).is_ok_and(|kind| kind.form() == WorldForm::Blocks);
        let axes = if chosen.iter().any(is_of_blocks) { 3 } else { 2 };
        let mut writing = Writing {
            results,
            kinds: Kinds::standard(),
            axes,
            queries: None,
            maps: Vec::new(),
            counts: Counts::default(),
            worlds: BTreeMap::new(),
        };
        for shard in 0..plan.shards.len() {
            for batch in store.rows(&plan.file_of(shard), 0, u64::MAX >> 1)? {
                for row in 0..batch.num_rows() {
                    writing.add(&World { batch: &batch, row }, lineup.count, self.paths)?;
                }
            }
        }
        let Writing { queries, maps, counts, worlds, .. } = writing;
        let mut products: Vec<String> = Vec::new();
        let mut dataset = self.dataset(results, counts)?;
        dataset.maps = maps;
        for ((kind, version), worlds) in &worlds {
            dataset.kinds.push(KindEntry::of((kind, *version), *worlds, &kinds, &lineup)?);
        }
        if let Some(queries) = queries {
            let (file, bytes) = ("queries.parquet".to_owned(), queries.finish()?);
            let hash = blake3::hash(&bytes).to_hex().to_string();
            store.write(&file, bytes)?;
            products.push(file.clone());
            dataset.files.push(FileEntry { file, hash });
        }
        write(results, &dataset, products)
    }

    /// The shards are the queries: only the document is missing.
    pub(super) fn finish_maps(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        let Results { plan, store } = *results;
        let maps = self.maps_of(plan);
        let queries = plan.shards.iter().map(|shard| shard.count).sum();
        let counts = Counts { maps: maps.len() as u64, queries, broken: 0 };
        let mut dataset = self.dataset(results, counts)?;
        dataset.maps = maps
            .into_iter()
            .map(|map| MapEntry {
                file: map.name.clone(),
                hash: map.hash.clone(),
                queries: self.queries,
                world: None,
            })
            .collect();
        for shard in 0..plan.shards.len() {
            let file = plan.file_of(shard);
            let hash = blake3::hash(&store.read(&file)?).to_hex().to_string();
            dataset.files.push(FileEntry { file, hash });
        }
        write(results, &dataset, Vec::new())
    }
}

fn write(
    results: &Results<'_>,
    dataset: &Dataset,
    mut products: Vec<String>,
) -> Result<Vec<String>, BatchError> {
    let text = serde_json::to_vec_pretty(dataset).expect("a dataset has only names as keys");
    results.store.write("dataset.json", text)?;
    products.push("dataset.json".to_owned());
    Ok(products)
}
