//! Measurements of crowds as tables and plots. Tables grow while the simulation runs; a plot keeps
//! its rows.

use std::io;
use std::path::{Path, PathBuf};

use glam::{DVec2, Vec3};
use wayfare_draw::{Plot, PlotPanel, Theme};
use wayfare_file::WholeFile;
use wayfare_measure::{
    Cutoff, PersonPlace, Station, StationPlace, Survey, SurveyRow, SurveySettings, weidmann_speed,
};
use wayfare_site::SimulationSession;

use super::jupedsim::ground;
use super::trajectory::tick_seconds;
use crate::args::SimulateArgs;
use crate::failure::Failure;

/// The columns of a table: the fields of a row.
pub(super) const COLUMNS: [&str; 10] = [
    "second",
    "place",
    "persons",
    "density",
    "speed",
    "flow",
    "passed",
    "voronoi_density",
    "voronoi_speed",
    "voronoi_flow",
];

/// Returns the values of a row, in the order of the columns after the area or line.
pub(super) fn numbers(row: &SurveyRow) -> [Option<f64>; 8] {
    [
        row.persons,
        row.density,
        row.speed,
        row.flow,
        row.passed.map(|passed| passed as f64),
        Some(row.voronoi_density),
        row.voronoi_speed,
        row.voronoi_flow,
    ]
}

/// A file of measurements, row by row. It appears once it is finished.
pub(super) trait MeasureTable {
    fn add(&mut self, place: &str, row: &SurveyRow) -> io::Result<()>;

    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The measurements that were asked for.
pub(super) struct Measures {
    survey: Survey,
    places: Vec<Station>,
    tables: Vec<(PathBuf, Box<dyn MeasureTable>)>,
    plots: Vec<PathBuf>,
    /// The rows for plots.
    rows: Vec<SurveyRow>,
    people: Vec<PersonPlace>,
    title: String,
    theme: Theme,
}

impl Measures {
    /// Returns the measurements of the arguments, if there are any.
    pub(super) fn create(
        args: &SimulateArgs,
        simulation: &dyn SimulationSession,
    ) -> Result<Option<Self>, Failure> {
        let Some(first) = args.measures.first() else { return Ok(None) };
        let unmeasured = |problem| Failure::Unencoded { path: first.clone(), problem };
        let ground = ground(simulation).map_err(unmeasured)?;
        let mut places = args.area.clone();
        places.extend(args.line.iter().cloned());
        if places.is_empty() {
            let all = ground.bounding_box().map(StationPlace::Area);
            places.extend(all.map(|place| Station { name: "everywhere".to_owned(), place }));
        }
        let settings = SurveySettings {
            interval: args.measure_every,
            cutoff: args.cutoff.map(|radius| Cutoff::at(f64::from(radius))),
        };
        let survey = Survey::new(ground, places.clone(), settings)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let (mut tables, mut plots): (Vec<(PathBuf, Box<dyn MeasureTable>)>, _) =
            (Vec::new(), Vec::new());
        for path in &args.measures {
            let create = || WholeFile::create(path).map_err(failed(path));
            let table: Box<dyn MeasureTable> = match super::run::extension(path).as_str() {
                #[cfg(feature = "parquet")]
                "parquet" => {
                    let table = super::parquet::ParquetMeasures::new(create()?);
                    Box::new(table.map_err(failed(path))?)
                }
                "csv" => Box::new(CsvMeasures::new(create()?).map_err(failed(path))?),
                _ => {
                    plots.push(path.clone());
                    continue;
                }
            };
            tables.push((path.clone(), table));
        }
        Ok(Some(Self {
            survey,
            places,
            tables,
            plots,
            rows: Vec::new(),
            people: Vec::new(),
            title: simulation.scene().scene.name.clone(),
            theme: args.theme.theme(),
        }))
    }

    /// Measures every agent. An agent inside a link is on no ground.
    pub(super) fn look(&mut self, simulation: &dyn SimulationSession) -> Result<(), Failure> {
        self.people.clear();
        let people = &mut self.people;
        simulation.for_each_agent(&mut |agent| {
            if agent.inside.is_none() {
                let Vec3 { x, z, .. } = agent.position.into();
                let at = DVec2::new(f64::from(x), f64::from(z));
                people.push(PersonPlace { id: agent.agent, at });
            }
        });
        let time = simulation.now() as f64 * tick_seconds(simulation);
        let rows = self.survey.look(time, &self.people);
        for (path, table) in &mut self.tables {
            let mut rows = rows.iter();
            let added = rows.try_for_each(|row| table.add(&self.places[row.station].name, row));
            added.map_err(failed(path))?;
        }
        if !self.plots.is_empty() {
            self.rows.extend_from_slice(rows);
        }
        Ok(())
    }

    /// Finishes all files, which then appear.
    pub(super) fn finish(self) -> Result<(), Failure> {
        if !self.plots.is_empty() {
            let plot = self.plot();
            for path in &self.plots {
                let is_svg = super::run::extension(path) == "svg";
                let written = plot.draw().and_then(|picture| match is_svg {
                    true => picture.write_svg(path),
                    false => picture.write_png(path),
                });
                let failed = |problem| Failure::Picture { path: path.clone(), problem };
                written.map_err(failed)?;
            }
        }
        let mut tables = self.tables.into_iter();
        tables.try_for_each(|(path, table)| table.finish().map_err(failed(&path)))
    }

    /// Returns a plot of density, speed and flow over time, and speed over density beside
    /// Weidmann's curve.
    fn plot(&self) -> Plot {
        let of = |station: usize, value: fn(&SurveyRow) -> Option<f64>| {
            let rows = self.rows.iter().filter(move |row| row.station == station);
            rows.map(move |row| (row.time, value(row).unwrap_or(f64::NAN)))
        };
        let mut density = PlotPanel::new("s", "persons/m², by Voronoi cells");
        let mut speed = PlotPanel::new("s", "m/s, by Voronoi cells");
        let mut flow = PlotPanel::new("s", "persons/s over lines, by Voronoi cells");
        let mut passed = PlotPanel::new("s", "persons");
        let mut diagram = PlotPanel::new("persons/m²", "m/s");
        let mut densest = 0.0f64;
        for (number, Station { name, place }) in self.places.iter().enumerate() {
            density = density.line(name, of(number, |row| Some(row.voronoi_density)));
            speed = speed.line(name, of(number, |row| row.voronoi_speed));
            match place {
                StationPlace::Line { .. } => {
                    flow = flow.line(name, of(number, |row| row.voronoi_flow));
                    let passed_by = |row: &SurveyRow| row.passed.map(|passed| passed as f64);
                    passed = passed.line(format!("over {name}"), of(number, passed_by));
                }
                StationPlace::Area(_) => {
                    passed = passed.line(format!("in {name}"), of(number, |row| row.persons));
                    let rows = self.rows.iter().filter(|row| row.station == number);
                    let points = rows.filter_map(|row| {
                        densest = densest.max(row.voronoi_density);
                        Some((row.voronoi_density, row.voronoi_speed?))
                    });
                    diagram = diagram.dots(name, points.collect::<Vec<_>>());
                }
            }
        }
        let plot = Plot::new(&self.title).theme(self.theme).panel(density).panel(speed);
        let plot = plot.panel(flow).panel(passed);
        if densest == 0.0 {
            return plot;
        }
        let curve = (0..=100).map(|part| {
            let density = densest * f64::from(part) / 100.0;
            (density, f64::from(weidmann_speed(density as f32, 1.34)))
        });
        plot.panel(diagram.curve("Weidmann 1993", curve))
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| {
        let problem = format!("writing the file failed: {error}");
        Failure::Unencoded { path: path.to_path_buf(), problem }
    }
}

/// Comma-separated values with a heading (RFC 4180).
struct CsvMeasures(csv::Writer<WholeFile>);

impl CsvMeasures {
    fn new(file: WholeFile) -> io::Result<Self> {
        let mut table =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(file);
        table.write_record(COLUMNS)?;
        Ok(Self(table))
    }
}

impl MeasureTable for CsvMeasures {
    fn add(&mut self, place: &str, row: &SurveyRow) -> io::Result<()> {
        // More digits than six are noise.
        let text = |number: f64| ((number * 1e6).round() / 1e6).to_string();
        self.0.write_field(text(row.time))?;
        self.0.write_field(place)?;
        for number in numbers(row) {
            self.0.write_field(number.map(text).unwrap_or_default())?;
        }
        // Ends the record.
        Ok(self.0.write_record(None::<&[u8]>)?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)?.finish()
    }
}
