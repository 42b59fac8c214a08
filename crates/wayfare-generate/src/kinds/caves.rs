//! Caves: halls and passages in the rock.
//!
//! Cellular automata in two scales: a coarse one lays out halls, a fine one roughens their walls.
//! Between the two, the ground is opened where it is smoothest until exactly the share that was
//! asked for is open. Halls that do not hang together are joined by tunnels.
//!
//! Source: L. Johnson, G. Yannakakis, J. Togelius, "Cellular automata for real-time generation of
//! infinite cave levels", 2010. That paper joins neighbouring caves by straight corridors; here
//! tunnels follow a minimum spanning tree through the rock.

use super::tools::{self, FLOOR, drop_small_regions, height, join_regions, passage, width};
use crate::{
    GenerateError, Ground, Parameter, Promise, Range, Scenario, Seed, Statistic, TileDraft,
    TileScene, Values, WorldDraft,
};

pub(crate) struct Caves;

const PARAMETERS: &[Parameter] = &[
    width(24, 72, 104),
    height(24, 56, 80),
    Parameter::share("open", "share of the rock that is hollow", 0.25, 0.65).by_default(0.38, 0.52),
    Parameter::whole("hall", "size of halls and pillars, an eighth of the shorter side at most: more makes caves coarser", "tiles", 1, 12)
        .by_default(3.0, 5.0),
    Parameter::share("rough", "roughness of the walls", 0.0, 0.4).by_default(0.1, 0.25),
    passage(8, 2, 3),
];

/// How far the share of open ground may be from the one asked for, tunnels not counted.
const TOLERANCE: f32 = 0.08;

impl Scenario for Caves {
    fn name(&self) -> &'static str {
        "caves"
    }

    fn about(&self) -> &'static str {
        "halls in the rock, joined by tunnels"
    }

    fn families(&self) -> &'static [&'static str] {
        &["underground"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (width, height) = (values.whole("width"), values.whole("height"));
        let passage = values.whole("passage");
        let mut draft = hollow(values, width, height, seed);
        drop_small_regions(&mut draft, 16 * passage as usize, Ground::Wall);
        join_regions(&mut draft, passage, FLOOR);
        let mut dice = seed.child("openings", 0).dice();
        let rows = [0; 2].map(|_| dice.between(height / 4, height - height / 4));
        let middle = wayfare_formats::TilePosition { x: width / 2, y: height / 2 };
        let stop = |east: bool, row: u32| tools::free_towards(&draft, east, row).unwrap_or(middle);
        let stops = [stop(false, rows[0]), stop(true, rows[1])];
        let price = |ground: Ground| Some(if ground.is_walkable() { 1.0 } else { 4.0 });
        let [entry, exit] = tools::dig_through(&mut draft, stops, rows, passage, FLOOR, price)?;
        Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let open = values.get("open");
        let [width, height, passage] = ["width", "height", "passage"].map(|name| values.get(name));
        // Tunnels and the path through may be dug where all is rock.
        let dug = 1.5 * passage * (width + height) / (width * height);
        let range = Range::new(open - TOLERANCE, (open + TOLERANCE + dug).min(1.0));
        vec![
            Promise::between(Statistic::FreeShare, range),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("passage")),
        ]
    }
}

/// Returns the rock with its halls, closed all around.
fn hollow(values: &Values, width: u32, height: u32, seed: Seed) -> TileDraft {
    let open = values.get("open");
    // Fewer than eight halls across would all be cut by the border.
    let hall = values.whole("hall").min(width.min(height) / 8);
    let (columns, rows) = (width.div_ceil(hall), height.div_ceil(hall));
    let mut dice = seed.child("halls", 0).dice();
    let mut coarse = Bitmap::new(columns, rows);
    for cell in &mut coarse.open {
        *cell = dice.happens(0.5);
    }
    // Of noise, few cells have equal counts: the share is met, and blobs keep it.
    let coarse = coarse.with_share(open, 2).smoothed().smoothed();
    let rough = values.get("rough");
    let mut dice = seed.child("walls", 0).dice();
    let mut fine = Bitmap::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let hollow = coarse.open[((y / hall) * columns + x / hall) as usize];
            fine.open[(y * width + x) as usize] = hollow != dice.happens(rough);
        }
    }
    let fine = fine.smoothed().with_share(open, hall.max(2)).smoothed();
    let mut draft = TileDraft::new(width, height, Ground::Wall);
    for (ground, open) in draft.tiles_mut().iter_mut().zip(&fine.open) {
        if *open {
            *ground = Ground::Floor;
        }
    }
    draft.whole().frame(Ground::Wall);
    draft
}

/// Open and closed cells.
struct Bitmap {
    width: usize,
    height: usize,
    open: Vec<bool>,
}

impl Bitmap {
    fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        Bitmap { width, height, open: vec![false; width * height] }
    }

    /// Returns a round in which each cell takes the state that most of the nine cells around it
    /// have. Cells beyond the border count as closed.
    fn smoothed(&self) -> Self {
        let counts = self.counts(1);
        let open = counts.iter().map(|count| *count >= 5).collect();
        Bitmap { open, ..*self }
    }

    /// Returns the number of open cells in the square of 2 · `radius` + 1 cells a side around each
    /// cell: a running sum along the rows, then along the columns.
    fn counts(&self, radius: usize) -> Vec<u32> {
        let mut along = vec![0u32; self.open.len()];
        for (row, sums) in
            self.open.chunks_exact(self.width).zip(along.chunks_exact_mut(self.width))
        {
            let mut sum: u32 = row.iter().take(radius).map(|open| u32::from(*open)).sum();
            for (x, place) in sums.iter_mut().enumerate() {
                if let Some(open) = row.get(x + radius) {
                    sum += u32::from(*open);
                }
                *place = sum;
                if let Some(gone) = x.checked_sub(radius) {
                    sum -= u32::from(row[gone]);
                }
            }
        }
        let mut counts = vec![0u32; self.open.len()];
        let mut column = vec![0u32; self.width];
        let row = |y: usize| &along[y * self.width..(y + 1) * self.width];
        for y in 0..radius.min(self.height) {
            column.iter_mut().zip(row(y)).for_each(|(sum, count)| *sum += count);
        }
        for y in 0..self.height {
            if y + radius < self.height {
                column.iter_mut().zip(row(y + radius)).for_each(|(sum, count)| *sum += count);
            }
            counts[y * self.width..(y + 1) * self.width].copy_from_slice(&column);
            if let Some(gone) = y.checked_sub(radius) {
                column.iter_mut().zip(row(gone)).for_each(|(sum, count)| *sum -= count);
            }
        }
        counts
    }

    /// Opens the cells with the most open ground within `radius`, as many as the share says: a
    /// count and, among equal ones, the cell's own state decide.
    fn with_share(&self, share: f32, radius: u32) -> Self {
        let ranks: Vec<u32> = self
            .counts(radius as usize)
            .iter()
            .zip(&self.open)
            .map(|(count, open)| 2 * count + u32::from(*open))
            .collect();
        let highest = ranks.iter().copied().max().unwrap_or(0);
        let mut cells = vec![0usize; highest as usize + 1];
        for rank in &ranks {
            cells[*rank as usize] += 1;
        }
        let wanted = (ranks.len() as f32 * share) as usize;
        let mut opened = 0;
        let mut least = highest;
        for (rank, count) in cells.iter().enumerate().rev() {
            least = rank as u32;
            opened += count;
            if opened >= wanted {
                break;
            }
        }
        Bitmap { open: ranks.iter().map(|rank| *rank >= least).collect(), ..*self }
    }
}
