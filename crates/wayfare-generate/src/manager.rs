//! Managers: which scenarios there are, of which kinds and seeds, and where they stand.

use std::collections::BTreeMap;

use crate::{Area, GenerateError, Generated, Kinds, Scenario, Seed, Settings, WorldForm, generate};

/// The order for a scenario: its kind, its seed, its ranges.
///
/// ```
/// use wayfare_generate::{Assignment, Seed, Settings};
///
/// let cave = Assignment { kind: "caves".into(), seed: Seed(7), settings: Settings::default() };
/// assert_eq!(cave.kind, "caves");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The name of the kind.
    pub kind: String,
    /// Its seed.
    pub seed: Seed,
    /// The ranges of its parameters.
    pub settings: Settings,
}

/// Decides the count, the kinds and the positions of scenarios.
///
/// ```
/// use wayfare_generate::{Area, Assignment, GenerateError, Kinds, Manager, Seed, Settings};
///
/// /// Mazes that become wider, one below the other.
/// struct Lessons;
///
/// impl Manager for Lessons {
///     fn count(&self) -> u64 {
///         3
///     }
///     fn assign(&self, number: u64, kinds: &Kinds) -> Result<Assignment, GenerateError> {
///         let text = format!("[maze]\nwidth = {0}\nheight = {0}\n", 16 + 8 * number);
///         let settings = Settings::read(&text, kinds)?;
///         Ok(Assignment { kind: "maze".into(), seed: Seed(number), settings })
///     }
///     fn place(&self, sizes: &[[u32; 2]]) -> Vec<Area> {
///         let mut y = 0;
///         sizes.iter().map(|[width, height]| {
///             let area = Area::new(0, y, *width, *height);
///             y += height + 2;
///             area
///         }).collect()
///     }
/// }
///
/// let kinds = Kinds::standard();
/// let second = Lessons.generate(1, &kinds)?;
/// assert!(second.prove().is_ok());
/// # Ok::<(), GenerateError>(())
/// ```
pub trait Manager {
    /// Returns the number of scenarios.
    fn count(&self) -> u64;

    /// Returns the assignment of the scenario with that index. Indices may be asked for in any
    /// order: a long row of worlds can be continued in the middle.
    ///
    /// # Errors
    /// When the request names a kind or a parameter that does not exist.
    fn assign(&self, number: u64, kinds: &Kinds) -> Result<Assignment, GenerateError>;

    /// Returns where scenarios of these sizes (columns and rows) stand beside each other, in order.
    /// None overlaps another.
    fn place(&self, sizes: &[[u32; 2]]) -> Vec<Area>;

    /// Builds the scenario with that index.
    ///
    /// # Errors
    /// As [`assign`](Self::assign) and [`generate`].
    fn generate(&self, number: u64, kinds: &Kinds) -> Result<Generated, GenerateError> {
        let assignment = self.assign(number, kinds)?;
        generate(kinds.get(&assignment.kind)?, &assignment.settings, assignment.seed)
    }
}

/// How kinds follow each other.
///
/// ```
/// use wayfare_generate::KindOrder;
/// assert_eq!(KindOrder::default(), KindOrder::InTurn);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KindOrder {
    /// One of each kind after the other, and again from the first.
    #[default]
    InTurn,
    /// All of the first kind, then all of the second: as many of each.
    Grouped,
    /// At random.
    Mixed,
}

/// The manager of this crate: scenarios of some kinds in rows, from one seed.
///
/// ```
/// use wayfare_generate::{Kinds, Lineup, Manager, Seed};
///
/// let kinds = Kinds::standard();
/// let lineup = Lineup {
///     kinds: vec!["caves".into(), "maze".into()],
///     count: 4,
///     seed: Seed(7),
///     // The third is exactly this one.
///     pinned: [(2, ("dungeon".to_string(), Seed(1)))].into(),
///     ..Lineup::default()
/// };
/// let of = |number| lineup.assign(number, &kinds).unwrap().kind;
/// assert_eq!([0, 1, 2, 3].map(of), ["caves", "maze", "dungeon", "maze"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lineup {
    /// The count of scenarios, from 1; default 1.
    pub count: u64,
    /// Kinds and families to choose from; default (empty): all kinds of tiles.
    pub kinds: Vec<String>,
    /// The one kind that all scenarios are of, whatever [`Lineup::kinds`] says; default none.
    pub only: Option<String>,
    /// How kinds follow each other.
    pub order: KindOrder,
    /// Tiles between two scenarios, from 1; default 3.
    pub spacing: u32,
    /// Scenarios in a row, from 1; default: about as many as there are rows.
    pub columns: Option<u32>,
    /// The seed of all scenarios: each has a child of it.
    pub seed: Seed,
    /// Scenarios, by index, with a fixed kind and seed.
    pub pinned: BTreeMap<u64, (String, Seed)>,
    /// The ranges of parameters.
    pub settings: Settings,
}

impl Default for Lineup {
    fn default() -> Self {
        Lineup {
            count: 1,
            kinds: Vec::new(),
            only: None,
            order: KindOrder::default(),
            spacing: 3,
            columns: None,
            seed: Seed(0),
            pinned: BTreeMap::new(),
            settings: Settings::default(),
        }
    }
}

impl Lineup {
    /// Returns the kinds that scenarios are of.
    ///
    /// # Errors
    /// When a name stands for none.
    pub fn chosen<'k>(&self, kinds: &'k Kinds) -> Result<Vec<&'k str>, GenerateError> {
        if let Some(only) = &self.only {
            return Ok(vec![kinds.get(only)?.name()]);
        }
        if self.kinds.is_empty() {
            let of_tiles = kinds.iter().filter(|kind| kind.form() == WorldForm::Tiles);
            return Ok(of_tiles.map(Scenario::name).collect());
        }
        let mut chosen: Vec<&str> = Vec::new();
        for name in &self.kinds {
            for kind in kinds.of(name)? {
                if !chosen.contains(&kind.name()) {
                    chosen.push(kind.name());
                }
            }
        }
        Ok(chosen)
    }

    /// Returns the same with the settings of a file, whose table `all` counts for the kinds of its
    /// scenarios alone.
    ///
    /// # Errors
    /// As [`chosen`](Self::chosen) and [`Settings::read`]; when a pinned kind is unknown.
    pub fn with_settings(mut self, text: &str, kinds: &Kinds) -> Result<Self, GenerateError> {
        let mut asked = self.chosen(kinds)?;
        for (kind, _) in self.pinned.values() {
            asked.push(kinds.get(kind)?.name());
        }
        self.settings = Settings::read_for(text, kinds, &asked)?;
        Ok(self)
    }
}

impl Manager for Lineup {
    fn count(&self) -> u64 {
        self.count
    }

    fn assign(&self, number: u64, kinds: &Kinds) -> Result<Assignment, GenerateError> {
        let settings = self.settings.clone();
        if let Some((kind, seed)) = self.pinned.get(&number) {
            return Ok(Assignment {
                kind: kinds.get(kind)?.name().to_owned(),
                seed: *seed,
                settings,
            });
        }
        let chosen = self.chosen(kinds)?;
        let seed = self.seed.child("scenario", number);
        let count = chosen.len() as u64;
        let place = match self.order {
            KindOrder::InTurn => number % count,
            KindOrder::Grouped => {
                let each = self.count.div_ceil(count).max(1);
                (number / each).min(count - 1)
            }
            KindOrder::Mixed => u64::from(seed.child("kind", 0).dice().below(chosen.len() as u32)),
        };
        Ok(Assignment { kind: chosen[place as usize].to_owned(), seed, settings })
    }

    /// Rows from west to east and back in turn, each as high as its highest scenario, within a rim
    /// as wide as the spacing.
    fn place(&self, sizes: &[[u32; 2]]) -> Vec<Area> {
        let spacing = self.spacing.max(1);
        let count = sizes.len().max(1);
        // The smallest count of columns whose square is `count` or more.
        let square = (1..).find(|side: &usize| side * side >= count).unwrap_or(1);
        let columns = self.columns.map_or(square, |columns| columns.max(1) as usize);
        let widest = sizes
            .chunks(columns)
            .map(|row| row.iter().map(|[width, _]| width + spacing).sum::<u32>())
            .max()
            .unwrap_or(0);
        let mut areas = Vec::with_capacity(sizes.len());
        let mut y = spacing;
        for (number, row) in sizes.chunks(columns).enumerate() {
            let highest = row.iter().map(|[_, height]| *height).max().unwrap_or(0);
            let mut x = spacing;
            for [width, height] in row {
                let left = if number % 2 == 0 { x } else { widest + spacing - x - width };
                areas.push(Area::new(left, y + (highest - height) / 2, *width, *height));
                x += width + spacing;
            }
            y += highest + spacing;
        }
        areas
    }
}
