//! Tools of several kinds: regions and tunnels between them, paths dug by the engine's search,
//! noise, and common parameters.

use std::collections::VecDeque;

use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::{CostTable, TerrainCost};
use wayfare_formats::TilePosition;
use wayfare_grid::grid::{CornerRule, GridProfile, Neighbours};

use crate::parts::LevelBuilder;
use crate::runs::Sets;
use crate::walk::Walk;
use crate::{Area, GenerateError, Ground, Opening, Parameter, Range, Seed, TileDraft};

/// The longest side of a world in tiles.
pub(super) const MOST: u32 = 4096;

pub(super) const fn width(least: u32, low: u32, high: u32) -> Parameter {
    Parameter::whole("width", "columns", "tiles", least, MOST).by_default(low as f32, high as f32)
}

pub(super) const fn height(least: u32, low: u32, high: u32) -> Parameter {
    Parameter::whole("height", "rows", "tiles", least, MOST).by_default(low as f32, high as f32)
}

pub(super) const fn passage(high: u32, low_default: u32, high_default: u32) -> Parameter {
    Parameter::whole(
        "passage",
        "width of the widest body that gets from the entry to the exit",
        "tiles",
        1,
        high,
    )
    .by_default(low_default as f32, high_default as f32)
}

/// Returns a length in metres, from `low` to `high`, which are also its default.
pub(super) const fn metres(
    name: &'static str,
    about: &'static str,
    low: f32,
    high: f32,
) -> Parameter {
    let limits = Range::new(low, high);
    Parameter { name, about, unit: "metres", whole: false, limits, default: limits }
}

/// Rounds to centimetres, so that files are short.
pub(super) fn centimetres(metres: f32) -> f32 {
    (metres * 100.0).round() / 100.0
}

/// A level as it is planned, or with west and east exchanged. Lengths are metres.
#[derive(Clone, Copy)]
pub(super) struct Turned {
    /// The extent of the level along x.
    pub(super) width: f32,
    pub(super) is_turned: bool,
}

impl Turned {
    /// Returns the position of a planned `x` in the level.
    pub(super) fn across(self, x: f32) -> f32 {
        centimetres(if self.is_turned { self.width - x } else { x })
    }

    /// Builds a box over a planned area, given as x and z of its lower corner, then of its higher
    /// one, from one height up to another.
    pub(super) fn block(
        self,
        level: &mut LevelBuilder,
        [x0, z0, x1, z1]: [f32; 4],
        [bottom, top]: [f32; 2],
    ) {
        let [one, other] = [x0, x1].map(|x| self.across(x));
        let [z0, z1] = [z0, z1].map(centimetres);
        level.block([one.min(other), bottom, z0], [one.max(other), top, z1]);
    }
}

/// Labels of the regions of free tiles that hang together by sides, and the size of each.
pub fn regions(draft: &TileDraft) -> (Vec<Option<u32>>, Vec<usize>) {
    let mut labels = vec![None; draft.tiles().len()];
    let mut sizes = Vec::new();
    let mut stack = Vec::new();
    for first in 0..labels.len() {
        if labels[first].is_some() || !draft.tiles()[first].is_walkable() {
            continue;
        }
        // Fewer regions than tiles, of which there are fewer than 2³².
        let label = Some(sizes.len() as u32);
        let mut size = 0;
        labels[first] = label;
        stack.push(first);
        while let Some(tile) = stack.pop() {
            size += 1;
            for next in draft.around(tile) {
                if labels[next].is_none() && draft.tiles()[next].is_walkable() {
                    labels[next] = label;
                    stack.push(next);
                }
            }
        }
        sizes.push(size);
    }
    (labels, sizes)
}

/// Closes regions of fewer tiles than `least`, except the largest.
pub(super) fn drop_small_regions(draft: &mut TileDraft, least: usize, with: Ground) {
    let (labels, sizes) = regions(draft);
    let largest = sizes.iter().copied().max().unwrap_or(0);
    for (ground, label) in draft.tiles_mut().iter_mut().zip(labels) {
        if label.is_some_and(|label| sizes[label as usize] < least.min(largest)) {
            *ground = with;
        }
    }
}

/// The ground after digging, by the ground before.
pub(super) type Dug = fn(Ground) -> Ground;

pub(super) const FLOOR: Dug = |_| Ground::Floor;

/// Digs a square of side `width` around a tile where the draft is closed, the frame of the draft
/// left as it is. The square is the ground of a body of that width whose cell is the tile.
pub(super) fn dig(draft: &mut TileDraft, at: TilePosition, width: u32, dug: Dug) {
    let (left, right) = ((width - 1) / 2, width / 2);
    // Beside the frame the square is moved inwards, so that a tunnel along it stays as wide.
    let span = |at: u32, side: u32| {
        let last = side.saturating_sub(2 + right).max(1 + left);
        let at = at.clamp(1 + left, last);
        at - left..=(at + right).min(side.saturating_sub(2))
    };
    for y in span(at.y, draft.height()) {
        for x in span(at.x, draft.width()) {
            if !draft.is_free(x, y) {
                draft.set(x, y, dug(draft.at(x, y)));
            }
        }
    }
}

/// Joins all regions by tunnels `width` wide, with as little digging as possible.
///
/// All regions grow through the rock at the same speed. Where two meet, the length of the tunnel
/// between them is known. The tunnels of a minimum spanning tree are dug (Kruskal, 1956). Tiles of
/// the frame stay closed.
pub(super) fn join_regions(draft: &mut TileDraft, width: u32, dug: Dug) {
    let (mut labels, sizes) = regions(draft);
    if sizes.len() < 2 {
        return;
    }
    let inner = |at: TilePosition| {
        at.x > 0 && at.y > 0 && at.x + 1 < draft.width() && at.y + 1 < draft.height()
    };
    let mut from: Vec<usize> = (0..labels.len()).collect();
    let mut distance = vec![0u32; labels.len()];
    let mut queue: VecDeque<usize> =
        (0..labels.len()).filter(|tile| labels[*tile].is_some()).collect();
    let mut meetings = Vec::new();
    while let Some(tile) = queue.pop_front() {
        for next in draft.around(tile) {
            match labels[next] {
                None if inner(draft.position(next)) => {
                    labels[next] = labels[tile];
                    from[next] = tile;
                    distance[next] = distance[tile] + 1;
                    queue.push_back(next);
                }
                Some(_) if labels[next] != labels[tile] => {
                    meetings.push((distance[tile] + distance[next], tile, next));
                }
                _ => {}
            }
        }
    }
    meetings.sort_unstable();
    let mut sets = Sets::new(sizes.len());
    for (_, one, other) in meetings {
        let of = |tile: usize| labels[tile].unwrap_or_default() as usize;
        if !sets.join(of(one), of(other)) {
            continue;
        }
        for mut tile in [one, other] {
            loop {
                dig(draft, draft.position(tile), width, dug);
                if from[tile] == tile {
                    break;
                }
                tile = from[tile];
            }
        }
    }
}

/// Returns the edges of a minimum spanning tree over points, by Prim's algorithm; and each point's
/// nearest others, for loops.
pub(super) fn spanning_tree(points: &[TilePosition]) -> Vec<(usize, usize)> {
    let distance =
        |a: usize, b: usize| points[a].x.abs_diff(points[b].x) + points[a].y.abs_diff(points[b].y);
    let mut edges = Vec::new();
    let mut nearest: Vec<(u32, usize)> = (0..points.len()).map(|to| (distance(0, to), 0)).collect();
    let mut outside: Vec<usize> = (1..points.len()).collect();
    while let Some(place) = (0..outside.len()).min_by_key(|place| nearest[outside[*place]]) {
        let added = outside.remove(place);
        edges.push((nearest[added].1, added));
        for other in &outside {
            nearest[*other] = nearest[*other].min((distance(added, *other), added));
        }
    }
    edges
}

/// Returns the cheapest path between two inner tiles, by the engine's A*, with straight steps only,
/// for a body of `width` that may go through closed ground at a price. `cost` gives the price of a
/// ground as a factor on the step, `None` if it must not be dug.
pub(super) fn way(
    draft: &TileDraft,
    from: TilePosition,
    to: TilePosition,
    cost: impl Fn(Ground) -> Option<f32>,
) -> Result<Vec<TilePosition>, GenerateError> {
    let walk = Walk::new(draft, Neighbours::Four, &cost);
    if !walk.is_uniform() {
        let way = walk.cheapest(from, to);
        return way.map_err(|why| GenerateError::Request(format!("no way can be dug: {why}")));
    }
    // On ground of one price a grid finds another of the cheapest paths, and worlds have been dug
    // along this one.
    let mut costs = CostTable::new();
    for ground in Ground::ALL {
        costs = match cost(ground) {
            Some(factor) => costs.with(ground.terrain(), TerrainCost::multiplied(factor)),
            None => costs.without(ground.terrain()),
        };
    }
    let profile = GridProfile {
        neighbours: Neighbours::Four,
        corners: CornerRule::default(),
        costs,
        ..GridProfile::default()
    };
    let grid = draft.to_map("draft")?.to_grid(profile);
    let grid = grid.map_err(|error| GenerateError::Request(error.to_string()))?;
    let cell = |at: TilePosition| grid.cell(at.x, at.y);
    let ends = cell(from).zip(cell(to));
    let (start, goal) = ends.ok_or_else(|| GenerateError::request("a way ends off the map"))?;
    let answer = solve(&grid.space(), &AStar::new(), Query::new(start, goal));
    match answer.outcome {
        Outcome::Found(path) => Ok(path
            .states()
            .map(|state| {
                let at = grid.coordinates(state);
                TilePosition { x: at.x, y: at.y }
            })
            .collect()),
        other => Err(GenerateError::Request(format!("no way can be dug: {other}"))),
    }
}

/// Returns the shortest path over free tiles, by straight steps.
pub(crate) fn way_over(
    draft: &TileDraft,
    from: TilePosition,
    to: TilePosition,
) -> Result<Vec<TilePosition>, GenerateError> {
    way(draft, from, to, |ground| ground.is_walkable().then_some(1.0))
}

/// Digs a path `width` wide from an opening in the west over `stops` to one in the east, and
/// returns the openings. Ground that is free already costs 1, other ground `price`.
pub(super) fn dig_through(
    draft: &mut TileDraft,
    stops: [TilePosition; 2],
    rows: [u32; 2],
    width: u32,
    dug: Dug,
    cost: impl Fn(Ground) -> Option<f32>,
) -> Result<[Opening; 2], GenerateError> {
    let inset = 1 + (width - 1) / 2;
    let clamp = |row: u32| row.clamp(inset, draft.height().saturating_sub(2 + width / 2).max(1));
    let (left, right) = (inset, draft.width().saturating_sub(2 + width / 2));
    let places = [
        TilePosition { x: left, y: clamp(rows[0]) },
        stops[0],
        stops[1],
        TilePosition { x: right, y: clamp(rows[1]) },
    ];
    for ends in places.windows(2) {
        for at in way(draft, ends[0], ends[1], &cost)? {
            dig(draft, at, width, dug);
        }
    }
    let opening = |at: TilePosition| Opening::new(at.y - (width - 1) / 2, width);
    Ok([opening(places[0]), opening(places[3])])
}

/// Returns the free tile nearest to a side: of the tiles in the westmost (or eastmost) column that
/// has any, the one nearest to `row`.
pub(super) fn free_towards(draft: &TileDraft, east: bool, row: u32) -> Option<TilePosition> {
    let columns = 1..draft.width().saturating_sub(1);
    let in_column = |x: u32| {
        let free = (1..draft.height().saturating_sub(1)).filter(|y| draft.is_free(x, *y));
        free.min_by_key(|y| (y.abs_diff(row), *y)).map(|y| TilePosition { x, y })
    };
    if east { columns.rev().find_map(in_column) } else { columns.clone().find_map(in_column) }
}

/// Returns the point nearest to the western or eastern border; the corner if there is none.
pub(super) fn outermost(points: &[TilePosition], east: bool) -> TilePosition {
    let key = |at: &&TilePosition| if east { u32::MAX - at.x } else { at.x };
    points.iter().min_by_key(key).copied().unwrap_or(TilePosition { x: 1, y: 1 })
}

/// Noise between 0 and 1 that varies over `scale` tiles: values on a lattice, smoothly in between,
/// with `octaves` finer ones of half the size and weight on top.
///
/// Source: K. Perlin, "An image synthesizer", 1985, with values instead of gradients. Only sums and
/// products of floats: the same on every machine.
pub(super) struct Noise {
    lattices: Vec<Lattice>,
}

struct Lattice {
    seed: Seed,
    scale: f32,
    weight: f32,
}

impl Noise {
    pub(super) fn new(seed: Seed, scale: f32, octaves: u32) -> Self {
        let mut lattices = Vec::new();
        let (mut scale, mut weight, mut sum) = (scale.max(1.0), 1.0, 0.0);
        for octave in 0..octaves.max(1) {
            lattices.push(Lattice { seed: seed.child("octave", u64::from(octave)), scale, weight });
            sum += weight;
            weight *= 0.5;
            scale = (scale * 0.5).max(1.0);
        }
        for lattice in &mut lattices {
            lattice.weight /= sum;
        }
        Noise { lattices }
    }

    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        self.lattices.iter().map(|lattice| lattice.weight * lattice.at(x, y)).sum()
    }
}

impl Lattice {
    fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x / self.scale, y / self.scale);
        // Coordinates are not negative.
        let (column, row) = (x as u32, y as u32);
        let ease = |share: f32| share * share * (3.0 - 2.0 * share);
        let (right, down) = (ease(x - column as f32), ease(y - row as f32));
        let line = |row: u32| {
            self.value(column, row) * (1.0 - right) + self.value(column + 1, row) * right
        };
        line(row) * (1.0 - down) + line(row + 1) * down
    }

    /// Returns the value of a lattice point.
    fn value(&self, column: u32, row: u32) -> f32 {
        let point = u64::from(column) << 32 | u64::from(row);
        (self.seed.hashed(point) >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// Returns the value below which a share of the values lies; values are between 0 and 1.
pub(super) fn quantile(values: &[f32], share: f32) -> f32 {
    let mut sorted = values.to_vec();
    if sorted.is_empty() {
        return 0.0;
    }
    let place = ((sorted.len() as f32 * share) as usize).min(sorted.len() - 1);
    *sorted.select_nth_unstable_by(place, f32::total_cmp).1
}

/// Returns the columns or rows of `side` tiles cut into `parts` spans of nearly equal length.
pub(super) fn spans(side: u32, parts: u32) -> Vec<(u32, u32)> {
    let cut = |part: u32| (u64::from(side) * u64::from(part) / u64::from(parts.max(1))) as u32;
    (0..parts.max(1)).map(|part| (cut(part), cut(part + 1) - cut(part))).collect()
}

/// Digs a corridor from one tile to another: along, across, and along again.
pub(super) fn corridor(
    draft: &mut TileDraft,
    from: TilePosition,
    to: TilePosition,
    width: u32,
    sideways_first: bool,
    dug: Dug,
) {
    let corner = if sideways_first {
        TilePosition { x: to.x, y: from.y }
    } else {
        TilePosition { x: from.x, y: to.y }
    };
    for (a, b) in [(from, corner), (corner, to)] {
        let area =
            Area::new(a.x.min(b.x), a.y.min(b.y), a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1);
        for at in area.tiles() {
            dig(draft, at, width, dug);
        }
    }
}
