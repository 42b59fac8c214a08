//! Every algorithm of the catalog on every case of `testdata/cases.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use wayfare::index::{GridIndex, IndexScratch};
use wayfare::path::{Path, validate, validate_any_angle};
use wayfare::search::{AlgorithmId, Guarantee, NoPath, Options, Outcome, Query, Scratch, Search};
use wayfare::space::{
    Cell, CornerRule, CostTable, DIAGONAL, Grid, GridProfile, Neighbours, STRAIGHT, TerrainCost,
    TerrainId,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
    #[serde(default)]
    excluded: Vec<Exclusion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rows: Vec<String>,
    #[serde(default)]
    neighbours: Option<u8>,
    #[serde(default)]
    corners: Option<String>,
    #[serde(default)]
    width: Option<u8>,
    #[serde(default)]
    multipliers: BTreeMap<String, f32>,
    #[serde(default)]
    penalties: BTreeMap<String, f32>,
    #[serde(default)]
    start_is_goal: bool,
    /// Straight steps, diagonal steps, and what penalties add in straight steps.
    cost: Option<Vec<f64>>,
    moves: Option<usize>,
    no_path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exclusion {
    case: String,
    algorithm: String,
    #[expect(dead_code, reason = "read by people")]
    reason: String,
}

impl Case {
    fn profile(&self) -> GridProfile {
        let mut costs = CostTable::new();
        for number in 0..=9u8 {
            let key = number.to_string();
            costs = costs.with(
                TerrainId(number),
                TerrainCost {
                    multiplier: self.multipliers.get(&key).copied().unwrap_or(1.0),
                    penalty: self.penalties.get(&key).copied().unwrap_or(0.0),
                    ..TerrainCost::default()
                },
            );
        }
        GridProfile {
            neighbours: if self.neighbours == Some(4) {
                Neighbours::Four
            } else {
                Neighbours::Eight
            },
            corners: match self.corners.as_deref() {
                None | Some("both") => CornerRule::BothFree,
                Some("one") => CornerRule::OneFree,
                Some("always") => CornerRule::Always,
                Some(other) => panic!("{}: unknown corner rule {other}", self.name),
            },
            width: self.width.unwrap_or(1),
            costs,
            ..GridProfile::default()
        }
    }

    fn build(&self) -> (Grid, Cell, Cell) {
        let width = self.rows[0].len() as u32;
        let glyphs = || self.rows.iter().flat_map(|row| row.bytes());
        let terrain: Vec<TerrainId> = glyphs()
            .map(|glyph| match glyph {
                b'#' => TerrainId::BLOCKED,
                b'0'..=b'9' => TerrainId(glyph - b'0'),
                _ => TerrainId::GROUND,
            })
            .collect();
        let grid = Grid::new(width, self.rows.len() as u32, &terrain, self.profile()).unwrap();
        let find = |wanted: u8| {
            let at = glyphs().position(|glyph| glyph == wanted).unwrap() as u32;
            grid.cell(at % width, at / width).unwrap()
        };
        let start = find(b'S');
        let goal = if self.start_is_goal { start } else { find(b'G') };
        (grid, start, goal)
    }

    fn optimal(&self) -> Option<u32> {
        let parts = self.cost.as_ref()?;
        let unit =
            |place: usize, unit: u32| parts.get(place).copied().unwrap_or(0.0) * f64::from(unit);
        Some((unit(0, STRAIGHT) + unit(1, DIAGONAL) + unit(2, STRAIGHT)).round() as u32)
    }
}

#[test]
fn every_algorithm_solves_every_case() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cases.toml");
    let corpus: Corpus = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut ran = 0;
    for case in &corpus.case {
        let (grid, start, goal) = case.build();
        let space = grid.space();
        if let Ok(index) = GridIndex::new(&space) {
            let outcome = index.of(&space).unwrap().path(start, goal, &mut IndexScratch::new());
            let what = format!("an index on \"{}\"", case.name);
            assert_eq!(outcome.path().map(Path::cost), case.optimal(), "{what}");
            if let Outcome::Found(path) = outcome {
                assert_eq!(validate(&space, &path, start, goal), Ok(()), "{what}");
            }
        }
        for &algorithm in AlgorithmId::ALL {
            let name = algorithm.info().name;
            if corpus
                .excluded
                .iter()
                .any(|entry| entry.case == case.name && entry.algorithm == name)
            {
                continue;
            }
            let what = format!("{name} on \"{}\"", case.name);
            let options = Options::default();
            let search = &mut algorithm.search(&options, Query::new(start, goal));
            match search.finish(&space, &mut Scratch::new(), &mut ()).outcome {
                Outcome::Found(path) => {
                    let optimal = case
                        .optimal()
                        .unwrap_or_else(|| panic!("{what}: found a path of {}", path.len()));
                    let guarantee = algorithm.info().guarantee;
                    if guarantee == Guarantee::AnyAngle {
                        assert_eq!(
                            validate_any_angle(&space, &path, start, goal),
                            Ok(()),
                            "{what}"
                        );
                    } else {
                        assert_eq!(validate(&space, &path, start, goal), Ok(()), "{what}");
                        assert!(
                            path.cost() >= optimal,
                            "{what}: {} beats the optimum {optimal}",
                            path.cost()
                        );
                    }
                    match guarantee {
                        Guarantee::Optimal => assert_eq!(path.cost(), optimal, "{what}"),
                        Guarantee::Bounded => {
                            assert!(
                                f64::from(path.cost())
                                    <= f64::from(optimal) * f64::from(options.weight.get())
                            );
                        }
                        Guarantee::FewestMoves => {
                            assert_eq!(Some(path.len() - 1), case.moves, "{what}");
                        }
                        _ => {}
                    }
                }
                Outcome::Unreachable { reason, .. } => {
                    let reason = match reason {
                        NoPath::DifferentIslands { .. } => "different-islands",
                        NoPath::Start(_) => "start",
                        NoPath::Goal(_) => "goal",
                        other => panic!("{what}: {other}"),
                    };
                    assert_eq!(Some(reason), case.no_path.as_deref(), "{what}");
                }
                other => panic!("{what}: {other}"),
            }
            ran += 1;
        }
    }
    assert!(ran >= corpus.case.len() * 10, "only {ran} runs");
}
