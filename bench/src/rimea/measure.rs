//! Measurements of crowds: flow over lines; density and speed in areas, by counting and by Voronoi
//! cells (`wayfare-measure` says how). Cells reach 1 m.

use glam::{DVec2, Vec3};
use wayfare_measure::{
    Convex, Cutoff, PersonPlace, Station, StationPlace, Survey, SurveyRow, SurveySettings,
    WalkableArea,
};

use super::hall::Patch;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    /// Those who cross a line at that x towards greater ones.
    Line(f32),
    /// Those in an area.
    Area(Patch),
}

/// A measurement that runs along with a crowd.
pub(super) struct Measure {
    pub(super) name: &'static str,
    place: Where,
    survey: Option<Survey>,
    pub(super) rows: Vec<SurveyRow>,
}

impl Measure {
    pub(super) fn new(name: &'static str, place: Where) -> Self {
        Self { name, place, survey: None, rows: Vec::new() }
    }

    /// Begins on that ground.
    pub(super) fn begin(&mut self, ground: &WalkableArea) -> Result<(), String> {
        let at = |x: f32, z: f32| DVec2::new(f64::from(x), f64::from(z));
        let place = match self.place {
            Where::Area(Patch { x, z }) => {
                StationPlace::Area(Convex::rectangle(at(x.0, z.0), at(x.1, z.1)))
            }
            Where::Line(x) => StationPlace::Line { from: at(x, -1_000.0), to: at(x, 1_000.0) },
        };
        let station = Station { name: self.name.to_owned(), place };
        let settings = SurveySettings { interval: 1.0, cutoff: Some(Cutoff::at(1.0)) };
        let survey = Survey::new(ground.clone(), [station], settings);
        self.survey = Some(survey.map_err(|fault| fault.to_string())?);
        Ok(())
    }

    /// Looks at people, by number.
    pub(super) fn look(&mut self, now: f32, people: &[(usize, Vec3)]) {
        let at = |place: Vec3| DVec2::new(f64::from(place.x), f64::from(place.z));
        let people = people.iter().map(|&(id, place)| PersonPlace { id: id as u32, at: at(place) });
        let people: Vec<PersonPlace> = people.collect();
        if let Some(survey) = &mut self.survey {
            self.rows.extend_from_slice(survey.look(f64::from(now), &people));
        }
    }

    /// The mean density and speed between two times, in seconds.
    pub(super) fn mean(&self, from: f32, to: f32) -> (f32, f32) {
        self.mean_of(from, to, |row| (row.density.unwrap_or(0.0), row.speed))
    }

    /// The same by Voronoi cells.
    pub(super) fn voronoi_mean(&self, from: f32, to: f32) -> (f32, f32) {
        self.mean_of(from, to, |row| (row.voronoi_density, row.voronoi_speed))
    }

    fn mean_of(
        &self,
        from: f32,
        to: f32,
        value: impl Fn(&SurveyRow) -> (f64, Option<f64>),
    ) -> (f32, f32) {
        let is_within = |row: &&SurveyRow| row.time > f64::from(from) && row.time <= f64::from(to);
        let (mut count, mut density, mut moving, mut speed) = (0.0, 0.0, 0.0, 0.0);
        for row in self.rows.iter().filter(is_within) {
            let (own_density, own_speed) = value(row);
            count += 1.0;
            density += own_density;
            if let Some(own) = own_speed {
                moving += 1.0;
                speed += own;
            }
        }
        ((density / f64::max(count, 1.0)) as f32, (speed / f64::max(moving, 1.0)) as f32)
    }

    /// Prints the rows as CSV.
    pub(super) fn print(&self, test: &str) {
        let text = |number: Option<f64>| number.map_or_else(String::new, |n| format!("{n:.3}"));
        for row in &self.rows {
            let counted = [row.density, row.speed, row.flow].map(text);
            let cells = [Some(row.voronoi_density), row.voronoi_speed, row.voronoi_flow].map(text);
            let [density, speed, flow] = counted;
            let (name, time, cells) = (self.name, row.time, cells.join(","));
            println!("{test},{name},{time:.0},{density},{speed},{flow},{cells}");
        }
    }
}
