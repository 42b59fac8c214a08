//! Measurements at stations, over the time of an experiment.
//!
//! A station is an area or a line. Its measurements come in rows, each over an interval of time: by
//! counting centres of bodies, and by Voronoi cells ([`VoronoiCells`]), which scatter less since a
//! cell leaves an area gradually.
//!
//! Let `v_i` be the velocity of person `i`, `A_i` its cell, `M` the ground of a station's area.
//! Means are over the looks in the interval.
//!
//! | | area | line of length `w` with normal `n` |
//! |---|---|---|
//! | density | people in `M` by its size | |
//! | speed | mean of the speeds of people in `M` | |
//! | flow | | crossings by the interval |
//! | Voronoi density | `Σ |A_i ∩ M| / |A_i| / |M|` | `Σ w_i / |A_i| / w`, `w_i` the part in `A_i` |
//! | Voronoi speed | `Σ |v_i| |A_i ∩ M| / Σ |A_i ∩ M|` | `Σ (v_i · n) w_i / Σ w_i` |
//! | Voronoi flow | | `Σ (v_i · n) w_i / |A_i|` |
//!
//! The velocity of a person is its displacement since the last look, divided by the time between.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::area::WalkableArea;
use crate::convex::Convex;
use crate::voronoi::{Cutoff, VoronoiCells};

/// Where something is measured.
///
/// Example: [`Survey`].
#[derive(Clone, PartialEq, Debug)]
pub enum StationPlace {
    /// In a part of the ground.
    Area(Convex),
    /// Across a line. Crossings towards its normal count as 1, crossings back as -1. The normal of
    /// a line along `(x, z)` is `(z, -x)`: of one along z it is x.
    Line {
        /// Its beginning, in metres.
        from: DVec2,
        /// Its end.
        to: DVec2,
    },
}

/// A named area or line.
///
/// Example: [`Survey`].
#[derive(Clone, PartialEq, Debug)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: StationPlace,
}

/// How often rows come, and how far cells reach.
///
/// Example: [`Survey`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurveySettings {
    /// The time of a row in seconds, more than 0. Default: 1. Longer ones scatter less.
    pub interval: f64,
    /// The greatest extent of Voronoi cells. Default: none, so that they end at walls and other
    /// people only.
    pub cutoff: Option<Cutoff>,
}

impl Default for SurveySettings {
    fn default() -> Self {
        Self { interval: 1.0, cutoff: None }
    }
}

/// Stations or settings that cannot be measured with.
#[derive(thiserror::Error, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SurveyError {
    /// The interval is not a finite number above 0.
    #[error("rows of {0} s: the time must be a number above 0")]
    Interval(f64),
    /// The radius of the cutoff is not a finite number above 0.
    #[error("cells of at most {0} m: the radius must be a number above 0")]
    Cutoff(f64),
    /// A station has no ground.
    #[error("no ground lies at the station {0}")]
    NoGround(String),
}

/// A person and where it is.
///
/// Example: [`Survey`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PersonPlace {
    /// Its number.
    pub id: u32,
    /// In metres.
    pub at: DVec2,
}

/// The measurements at a station in an interval.
///
/// Example: [`Survey`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurveyRow {
    /// The number of the station.
    pub station: usize,
    /// The end of the interval, in seconds.
    pub time: f64,
    /// The mean number of people in an area.
    pub persons: Option<f64>,
    /// Persons a square metre of an area.
    pub density: Option<f64>,
    /// Metres a second, of an area in which somebody was.
    pub speed: Option<f64>,
    /// Persons a second over a line.
    pub flow: Option<f64>,
    /// Persons over a line since the beginning.
    pub passed: Option<i64>,
    /// Persons a square metre, by Voronoi cells.
    pub voronoi_density: f64,
    /// Metres a second by Voronoi cells, where there were any.
    pub voronoi_speed: Option<f64>,
    /// Persons a second over a line, by Voronoi cells.
    pub voronoi_flow: Option<f64>,
}

/// Measurements that run along with an experiment.
///
/// ```
/// use glam::{DVec2, Vec3};
/// use wayfare_measure::{
///     Convex, PersonPlace, Station, StationPlace, Survey, SurveySettings, WalkableArea,
/// };
///
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let room = WalkableArea::new([[at(0.0, 0.0), at(8.0, 0.0), at(8.0, 2.0), at(0.0, 2.0)]])?;
/// let middle = StationPlace::Line { from: DVec2::new(4.05, 0.0), to: DVec2::new(4.05, 2.0) };
/// let stations = [Station { name: "middle".into(), place: middle }];
/// let mut survey = Survey::new(room, stations, SurveySettings::default())?;
/// let mut rows = Vec::new();
/// // Somebody walks from x = 3 to 5 m in two seconds.
/// for look in 0..=20 {
///     let time = f64::from(look) / 10.0;
///     let ann = PersonPlace { id: 0, at: DVec2::new(3.0 + time, 1.0) };
///     rows.extend_from_slice(survey.look(time, &[ann]));
/// }
/// assert_eq!(rows.iter().map(|row| row.passed).collect::<Vec<_>>(), [Some(0), Some(1)]);
/// assert_eq!(rows[1].flow, Some(1.0));
/// // One person on 16 m², at 1 m/s, over a line of 2 m.
/// assert!((rows[1].voronoi_flow.unwrap() - 2.0 / 16.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    ground: WalkableArea,
    settings: SurveySettings,
    stations: Vec<Measured>,
    /// Where everybody was at the last look, and when that was.
    before: BTreeMap<u32, DVec2>,
    looked: Option<f64>,
    /// The beginning of the survey, and the number of intervals since.
    begin: f64,
    intervals: u64,
    rows: Vec<SurveyRow>,
}

#[derive(Clone, Debug)]
struct Measured {
    station: Station,
    /// Square metres of its area, metres of its line.
    extent: f64,
    sums: Sums,
    passed: i64,
}

/// Sums over the looks of an interval.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    looks: f64,
    persons: f64,
    speeds: f64,
    moving: f64,
    crossings: i64,
    voronoi_density: f64,
    voronoi_speed: f64,
    /// Looks with a speed.
    voronoi_moving: f64,
    voronoi_flow: f64,
}

impl Survey {
    /// Returns a survey that starts with its first look.
    ///
    /// # Errors
    /// When a station lies outside the ground, or a setting is out of its range.
    pub fn new(
        ground: WalkableArea,
        stations: impl IntoIterator<Item = Station>,
        settings: SurveySettings,
    ) -> Result<Self, SurveyError> {
        let is_length = |number: f64| number > 0.0 && number.is_finite();
        if !is_length(settings.interval) {
            return Err(SurveyError::Interval(settings.interval));
        }
        if let Some(Cutoff { radius, .. }) = settings.cutoff.filter(|cut| !is_length(cut.radius)) {
            return Err(SurveyError::Cutoff(radius));
        }
        let measured = |station: Station| {
            let extent = match &station.place {
                StationPlace::Area(area) => ground.size_within(area),
                StationPlace::Line { from, to } => ground.length_within(*from, *to),
            };
            match extent > 0.0 {
                true => Ok(Measured { station, extent, sums: Sums::default(), passed: 0 }),
                false => Err(SurveyError::NoGround(station.name)),
            }
        };
        let stations = stations.into_iter().map(measured).collect::<Result<_, _>>()?;
        Ok(Self {
            ground,
            settings,
            stations,
            before: BTreeMap::new(),
            looked: None,
            begin: 0.0,
            intervals: 0,
            rows: Vec::new(),
        })
    }

    /// Returns the stations, in the order of their numbers.
    pub fn stations(&self) -> impl Iterator<Item = &Station> {
        self.stations.iter().map(|measured| &measured.station)
    }

    /// Looks at people, each once. Returns the rows of the interval that ends with this look, if
    /// one does. Looks come in the order of time, in seconds; the first one tells no velocities.
    pub fn look(&mut self, time: f64, people: &[PersonPlace]) -> &[SurveyRow] {
        self.rows.clear();
        if let Some(looked) = self.looked.filter(|looked| *looked < time) {
            self.add(time - looked, people);
            // A hair early: times are sums of ticks.
            let end = self.begin + (self.intervals + 1) as f64 * self.settings.interval;
            if time + 1e-6 >= end {
                self.end_interval(time);
            }
        } else if self.looked.is_none() {
            self.begin = time;
        }
        self.before = people.iter().map(|person| (person.id, person.at)).collect();
        self.looked = Some(time);
        &self.rows
    }

    fn add(&mut self, passed: f64, people: &[PersonPlace]) {
        let places: Vec<DVec2> = people.iter().map(|person| person.at).collect();
        let cells = VoronoiCells::of(&self.ground, self.settings.cutoff, &places);
        let ways: Vec<Option<[DVec2; 2]>> =
            people.iter().map(|p| self.before.get(&p.id).map(|before| [*before, p.at])).collect();
        let velocity = |way: &Option<[DVec2; 2]>| way.map(|[from, to]| (to - from) / passed);
        for Measured { station, extent, sums, .. } in &mut self.stations {
            sums.looks += 1.0;
            // Of the cells at the station: their part of it, and their speed times that.
            let (mut part, mut sped) = (0.0, 0.0);
            for (number, way) in ways.iter().enumerate() {
                let (at, velocity) = (places[number], velocity(way));
                let (share, speed) = match &station.place {
                    StationPlace::Area(area) => {
                        if area.has(at) {
                            sums.persons += 1.0;
                            sums.speeds += velocity.map_or(0.0, DVec2::length);
                            sums.moving += f64::from(u8::from(velocity.is_some()));
                        }
                        let share = cells.get(number).map_or(0.0, |cell| cell.share_in(area));
                        (share, velocity.map(DVec2::length))
                    }
                    StationPlace::Line { from, to } => {
                        sums.crossings += way.map_or(0, |way| crossing(way, [*from, *to]));
                        let cell = cells.get(number);
                        let share = cell.map_or(0.0, |cell| cell.share_of_line(*from, *to));
                        (share, velocity.map(|velocity| velocity.dot(normal(*from, *to))))
                    }
                };
                let Some(cell) = cells.get(number).filter(|_| share > 0.0) else { continue };
                sums.voronoi_density += share * cell.density() / *extent;
                if let Some(speed) = speed {
                    part += share;
                    sped += speed * share;
                    sums.voronoi_flow += speed * share * cell.density();
                }
            }
            if part > 0.0 {
                sums.voronoi_speed += sped / part;
                sums.voronoi_moving += 1.0;
            }
        }
    }

    fn end_interval(&mut self, time: f64) {
        // A look may be later than the ends of several intervals: the row is that of the last.
        let since = (time + 1e-6 - self.begin) / self.settings.interval;
        let passed = (since as u64).saturating_sub(self.intervals).max(1);
        self.intervals += passed;
        let seconds = passed as f64 * self.settings.interval;
        let end = self.begin + self.intervals as f64 * self.settings.interval;
        for (number, measured) in self.stations.iter_mut().enumerate() {
            let sums = std::mem::take(&mut measured.sums);
            measured.passed += sums.crossings;
            let is_area = matches!(measured.station.place, StationPlace::Area(_));
            let of_area = |value: f64| is_area.then_some(value);
            self.rows.push(SurveyRow {
                station: number,
                time: end,
                persons: of_area(sums.persons / sums.looks),
                density: of_area(sums.persons / sums.looks / measured.extent),
                speed: (sums.moving > 0.0).then(|| sums.speeds / sums.moving),
                flow: (!is_area).then(|| sums.crossings as f64 / seconds),
                passed: (!is_area).then_some(measured.passed),
                voronoi_density: sums.voronoi_density / sums.looks,
                voronoi_speed: (sums.voronoi_moving > 0.0)
                    .then(|| sums.voronoi_speed / sums.voronoi_moving),
                voronoi_flow: (!is_area).then(|| sums.voronoi_flow / sums.looks),
            });
        }
    }
}

/// Returns the normal of a line, of length 1: towards which crossings count.
fn normal(from: DVec2, to: DVec2) -> DVec2 {
    let along = (to - from).normalize_or_zero();
    DVec2::new(along.y, -along.x)
}

/// Returns 1 if a displacement crosses a line towards its normal, -1 if it crosses back, else 0.
fn crossing([before, now]: [DVec2; 2], [from, to]: [DVec2; 2]) -> i64 {
    let normal = normal(from, to);
    let (behind, ahead) = (normal.dot(before - from), normal.dot(now - from));
    if (behind > 0.0) == (ahead > 0.0) {
        return 0;
    }
    let place = before.lerp(now, behind / (behind - ahead));
    let along = (place - from).dot(to - from) / (to - from).length_squared();
    let is_within = (0.0..=1.0).contains(&along);
    if is_within { if ahead > 0.0 { 1 } else { -1 } } else { 0 }
}
