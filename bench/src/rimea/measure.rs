//! Measurements of crowds: flow over lines; density and speed in areas.
//!
//! The density of an area is the number of middles of bodies in it, divided by its size. The speed
//! is the mean of the bodies in it, over a second.

use glam::Vec3;

use super::hall::Patch;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    /// Those who cross a line at that x towards greater ones.
    Line(f32),
    /// Those in an area.
    Area(Patch),
}

/// A second of a measurement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The end of the second.
    pub(super) time: f32,
    /// Persons a square metre, of areas.
    pub(super) density: f32,
    /// Metres a second, of areas where somebody is.
    pub(super) speed: Option<f32>,
    /// Persons a second, of lines.
    pub(super) flow: f32,
}

/// A measurement that runs along with a crowd.
pub(super) struct Measure {
    pub(super) name: &'static str,
    place: Where,
    /// Where everybody was a look ago.
    before: Vec<Option<Vec3>>,
    looked: f32,
    next: f32,
    /// Sums over the looks of the second: looks, bodies in the area, metres they went, seconds they
    /// took, crossings.
    sums: (f32, f32, f32, f32, f32),
    pub(super) rows: Vec<Row>,
}

impl Measure {
    pub(super) fn new(name: &'static str, place: Where) -> Self {
        let sums = (0.0, 0.0, 0.0, 0.0, 0.0);
        Self { name, place, before: Vec::new(), looked: 0.0, next: 1.0, sums, rows: Vec::new() }
    }

    /// Looks at people, by number.
    pub(super) fn look(&mut self, now: f32, people: &[(usize, Vec3)]) {
        let passed = now - self.looked;
        self.looked = now;
        self.sums.0 += 1.0;
        let last = people.iter().map(|person| person.0 + 1).max().unwrap_or(0);
        self.before.resize(self.before.len().max(last), None);
        for &(number, at) in people {
            let before = self.before[number].replace(at);
            match self.place {
                Where::Area(patch) if patch.has(at) => {
                    self.sums.1 += 1.0;
                    if let Some(before) = before {
                        self.sums.2 += before.distance(at);
                        self.sums.3 += passed;
                    }
                }
                Where::Line(x) => {
                    let is_over = before.is_some_and(|before| before.x <= x) && at.x > x;
                    let is_back = before.is_some_and(|before| before.x > x) && at.x <= x;
                    self.sums.4 += f32::from(u8::from(is_over)) - f32::from(u8::from(is_back));
                }
                Where::Area(_) => {}
            }
        }
        if now + 1e-3 >= self.next {
            let (looks, bodies, metres, seconds, crossings) = self.sums;
            let area = match self.place {
                Where::Area(patch) => patch.area(),
                Where::Line(_) => f32::INFINITY,
            };
            self.rows.push(Row {
                time: self.next,
                density: bodies / looks / area,
                speed: (seconds > 0.0).then(|| metres / seconds),
                flow: crossings,
            });
            self.next += 1.0;
            self.sums = (0.0, 0.0, 0.0, 0.0, 0.0);
        }
    }

    /// The mean density and speed between two times, in seconds.
    pub(super) fn mean(&self, from: f32, to: f32) -> (f32, f32) {
        let rows = self.rows.iter().filter(|row| row.time > from && row.time <= to);
        let (mut count, mut density, mut moving, mut speed) = (0.0, 0.0, 0.0, 0.0);
        for row in rows {
            count += 1.0;
            density += row.density;
            if let Some(own) = row.speed {
                moving += 1.0;
                speed += own;
            }
        }
        (density / f32::max(count, 1.0), speed / f32::max(moving, 1.0))
    }

    /// Prints the rows as CSV.
    pub(super) fn print(&self, test: &str) {
        for Row { time, density, speed, flow } in &self.rows {
            let speed = speed.map_or_else(String::new, |speed| format!("{speed:.3}"));
            let (density, flow) = match self.place {
                Where::Area(_) => (format!("{density:.3}"), String::new()),
                Where::Line(_) => (String::new(), format!("{flow:.0}")),
            };
            println!("{test},{},{time:.0},{density},{speed},{flow}", self.name);
        }
    }
}
