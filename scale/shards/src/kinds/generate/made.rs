//! Worlds from a seed, each with its map, its queries, and the proof that it can be passed.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, Float64Array, Float64Builder, ListBuilder, StringArray, UInt32Array,
    UInt32Builder, UInt64Array,
};
use arrow::record_batch::RecordBatch;
use wayfare::search::AlgorithmId;
use wayfare::space::VoxelProfile;
use wayfare::space::voxel::BlockPosition;
use wayfare_formats::{TilePosition, movingai_3dmap, movingai_map};
use wayfare_generate::{Kinds, Lineup, Manager};
use wayfare_scene::{GridWorld, Movement, World};
use wayfare_site::{
    Endpoints, GridSite, Place, SearchRequest, Searcher, Site, SiteError, VoxelSite,
};

use super::Generate;
use crate::BatchError;
use crate::rows::rows;
use crate::shard::Solving;

/// A query of a world. Coordinates are x and y of tiles, or x, y (up) and z of blocks.
pub(super) struct Query {
    pub(super) start: Vec<u32>,
    pub(super) goal: Vec<u32>,
    pub(super) length: f64,
    /// The coordinates of the path, place by place.
    pub(super) path: Vec<u32>,
}

/// A world, or why there is none.
#[derive(Default)]
struct Made {
    number: u64,
    kind: String,
    seed: u64,
    /// Kind, version, seed and values in words.
    origin: Option<String>,
    version: Option<u32>,
    /// Of a faulty kind.
    reason: Option<String>,
    map: Option<Vec<u8>>,
    proof_length: Option<f64>,
    queries: Vec<Query>,
}

/// Returns the coordinates of a place: two of a tile, three of a block.
pub(super) fn coordinates(place: &Place) -> Vec<u32> {
    match *place {
        Place::Cell { x, y } => vec![x, y],
        Place::Block { x, y, z } => vec![x, y, z],
        _ => Vec::new(),
    }
}

impl Generate {
    pub(super) fn make(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let kinds = Kinds::standard();
        let lineup = self.lineup_of(plan, &kinds)?;
        let mut all = Vec::with_capacity(shard.count as usize);
        for number in shard.first..shard.first + shard.count {
            all.push(self.world(number, &lineup, &kinds)?);
            progress.advance(1)?;
        }
        Ok(self.table(&all))
    }

    /// Makes a world. One that breaks a promise of its kind has a reason, and no map.
    fn world(&self, number: u64, lineup: &Lineup, kinds: &Kinds) -> Result<Made, BatchError> {
        let place = || format!("world {}", number + 1);
        let assignment =
            lineup.assign(number, kinds).map_err(|error| BatchError::faulty(place(), error))?;
        let mut made = Made {
            number: number + 1,
            kind: assignment.kind,
            seed: assignment.seed.0,
            ..Made::default()
        };
        if let Err(reason) = self.furnish(&mut made, lineup, kinds) {
            (made.map, made.queries) = (None, Vec::new());
            made.reason = Some(reason);
        }
        Ok(made)
    }

    fn furnish(&self, made: &mut Made, lineup: &Lineup, kinds: &Kinds) -> Result<(), String> {
        let world = lineup.generate(made.number - 1, kinds).map_err(|error| error.to_string())?;
        (made.version, made.origin) = (Some(world.version), Some(world.origin()));
        let proof = world.prove().map_err(|error| error.to_string())?;
        made.proof_length = Some(f64::from(proof.length));
        // The name of the map's file: in the list of queries alone, which is written later.
        let list = world.queries("map", self.queries as usize, self.spread());
        let list = list.map_err(|error| error.to_string())?;
        let list = list.ok_or("worlds of this form have no queries")?;
        let bytes = match &list.map {
            World::TileMap(map) => movingai_map::write(map),
            World::Voxels(blocks) => movingai_3dmap::write(blocks),
            _ => return Err("worlds of this form have no map".to_owned()),
        };
        made.map = Some(bytes.map_err(|error| error.to_string())?);
        made.queries = queries(&list.queries);
        if self.paths {
            let site = site(&list.map).map_err(|error| error.to_string())?;
            let mut searcher = site.searcher();
            for query in &mut made.queries {
                query.path = path(site.as_ref(), searcher.as_mut(), query)?;
            }
        }
        Ok(())
    }

    fn table(&self, all: &[Made]) -> RecordBatch {
        let texts = |text: &dyn Fn(&Made) -> Option<String>| -> ArrayRef {
            Arc::new(StringArray::from_iter(all.iter().map(text)))
        };
        let hash = |made: &Made| Some(blake3::hash(made.map.as_ref()?).to_hex().to_string());
        let status = |made: &Made| if made.reason.is_some() { "broken" } else { "made" };
        let numbers = |number: fn(&Made) -> u64| -> ArrayRef {
            Arc::new(UInt64Array::from_iter_values(all.iter().map(number)))
        };
        let ends = |axis: usize, end: fn(&Query) -> &Vec<u32>| -> ArrayRef {
            let mut lists = ListBuilder::new(UInt32Builder::new());
            for made in all {
                let of_axis = |query| end(query).get(axis).copied();
                let coordinates: Vec<u32> = made.queries.iter().filter_map(of_axis).collect();
                // Tiles have no third one.
                let is_there = coordinates.len() == made.queries.len();
                lists.values().append_slice(&coordinates);
                lists.append(made.map.is_some() && is_there);
            }
            Arc::new(lists.finish())
        };
        let maps = BinaryArray::from_iter(all.iter().map(|made| made.map.as_deref()));
        let proofs = Float64Array::from_iter(all.iter().map(|made| made.proof_length));
        let versions = UInt32Array::from_iter(all.iter().map(|made| made.version));
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("number", numbers(|made| made.number)),
            ("kind", texts(&|made| Some(made.kind.clone()))),
            ("version", Arc::new(versions)),
            ("seed", numbers(|made| made.seed)),
            ("status", texts(&|made| Some(status(made).to_owned()))),
            ("reason", texts(&|made| made.reason.clone())),
            ("origin", texts(&|made| made.origin.clone())),
            ("proof_length", Arc::new(proofs)),
            ("hash", texts(&hash)),
            ("map", Arc::new(maps)),
            ("start_x", ends(0, |query| &query.start)),
            ("start_y", ends(1, |query| &query.start)),
            ("start_z", ends(2, |query| &query.start)),
            ("goal_x", ends(0, |query| &query.goal)),
            ("goal_y", ends(1, |query| &query.goal)),
            ("goal_z", ends(2, |query| &query.goal)),
            ("optimal_length", lengths(all)),
        ];
        if self.paths {
            columns.push(("path", paths(all)));
        }
        rows(columns)
    }
}

fn lengths(all: &[Made]) -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    for made in all {
        made.queries.iter().for_each(|query| lists.values().append_value(query.length));
        lists.append(made.map.is_some());
    }
    Arc::new(lists.finish())
}

fn paths(all: &[Made]) -> ArrayRef {
    let mut lists = ListBuilder::new(ListBuilder::new(UInt32Builder::new()));
    for made in all {
        for query in &made.queries {
            lists.values().values().append_slice(&query.path);
            lists.values().append(true);
        }
        lists.append(made.map.is_some());
    }
    Arc::new(lists.finish())
}

fn queries(list: &World) -> Vec<Query> {
    let query = |start, goal, length| Query { start, goal, length, path: Vec::new() };
    let tile = |at: TilePosition| vec![at.x, at.y];
    let block = |at: BlockPosition| vec![at.x, at.y, at.z];
    match list {
        World::Scenario(list) => list
            .entries
            .iter()
            .map(|it| query(tile(it.start), tile(it.goal), it.optimal_length))
            .collect(),
        World::VoxelScenario(list) => list
            .entries
            .iter()
            .map(|it| query(block(it.start), block(it.goal), it.optimal_length))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the site of a map as its queries are meant.
fn site(map: &World) -> Result<Box<dyn Site>, SiteError> {
    let name = Path::new("map");
    match map {
        World::Voxels(blocks) => Ok(Box::new(VoxelSite::new(name, blocks, VoxelProfile::flyer())?)),
        World::TileMap(map) => {
            let world = GridWorld::from_tile_map(map, &Movement::default())?;
            Ok(Box::new(GridSite::new(name, world)))
        }
        _ => unreachable!("maps of queries are of tiles or of blocks"),
    }
}

/// Returns the path of a query, whose length is the query's.
fn path(site: &dyn Site, searcher: &mut dyn Searcher, query: &Query) -> Result<Vec<u32>, String> {
    let text = |end: &[u32]| end.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let [start, goal] = [&query.start, &query.goal].map(|end| site.find(&text(end)));
    let ends = Endpoints {
        start: start.map_err(|error| error.to_string())?,
        goal: goal.map_err(|error| error.to_string())?,
    };
    let report = searcher.run(&SearchRequest::new(AlgorithmId::Jps, ends), &mut |_| ());
    let places = (text(&query.start), text(&query.goal));
    let broken = |why: String| Err(format!("the path from {} to {}: {why}", places.0, places.1));
    if let Some(fault) = report.fault {
        return broken(fault);
    }
    if (report.length - query.length).abs() > 1e-3 {
        return broken(format!("{} long instead of {}", report.length, query.length));
    }
    Ok(report.path.iter().flat_map(|step| coordinates(&site.place(step.state))).collect())
}
