//! Tests of single persons: 1, 2, 3, 5 and 7.

use glam::Vec3;

use super::hall::{Patch, Person, SPEED, floor, walk};
use super::measure::{Measure, Where};
use super::{Finding, Report};

/// Speeds in metres a second by age, as the guideline takes them from Weidmann: least, greatest.
const AGES: [(&str, f32, f32); 3] =
    [("below 30", 0.58, 1.61), ("30 to 50", 1.41, 1.54), ("above 50", 0.68, 1.41)];

pub(super) fn run(report: &mut Report) -> Result<(), String> {
    if report.wants("1") {
        corridor(report)?;
    }
    if report.wants("2") {
        stairs(report, "2 stairs up, 10 m at 0.61 m/s", 0.61, "16.0 to 16.8 s")?;
    }
    if report.wants("3") {
        stairs(report, "3 stairs down, 10 m at 0.69 m/s", 0.69, "14.1 to 14.9 s")?;
    }
    if report.wants("5") {
        delays(report)?;
    }
    if report.wants("7") {
        ages(report)?;
    }
    Ok(())
}

/// One person walks 40 m.
fn corridor(report: &mut Report) -> Result<(), String> {
    let hall = floor(&[Patch { x: (0.5, 44.0), z: (0.5, 2.5) }])?;
    let mut person = Person::new(Vec3::new(1.5, 0.0, 1.5), Vec3::new(43.0, 0.0, 1.5));
    person.speed = 1.33;
    let walk = walk(hall, &[person], |_, at| at.x >= 41.5, 60.0, &mut [])?;
    let time = walk.last().unwrap_or(f32::INFINITY);
    let is_within = (26.0..=34.0).contains(&time);
    report.add(Finding::new(
        "1 a corridor of 40 m at 1.33 m/s",
        format!("{time:.1} s"),
        "26 to 34 s",
        is_within,
    ));
    Ok(())
}

/// One person walks up or down stairs of 10 m at a speed that is kept: the mean of people by
/// Weidmann (1993), in metres a second seen from above.
fn stairs(
    report: &mut Report,
    test: &'static str,
    speed: f32,
    bound: &'static str,
) -> Result<(), String> {
    let hall = floor(&[Patch { x: (0.5, 18.0), z: (0.5, 2.5) }])?;
    let hall = hall.with_stairs(Patch { x: (4.0, 14.0), z: (0.5, 2.5) }, speed / SPEED);
    let person = Person::new(Vec3::new(1.5, 0.0, 1.5), Vec3::new(17.0, 0.0, 1.5));
    let mut on_stairs =
        [Measure::new("stairs", Where::Area(Patch { x: (4.5, 13.5), z: (0.5, 2.5) }))];
    let walk = walk(hall, &[person], |_, at| at.x >= 14.0, 60.0, &mut on_stairs)?;
    // The way to the stairs and the beginning are not the stairs' matter.
    let (_, kept) = on_stairs[0].mean(4.0, 18.0);
    let time = 10.0 / kept;
    let is_within = (time - 10.0 / speed).abs() <= 0.4 && walk.count() == 1;
    report.add(Finding::new(test, format!("{time:.1} s"), bound, is_within));
    report.keep(test, on_stairs);
    Ok(())
}

/// Ten persons set out 10 to 100 s after the beginning.
fn delays(report: &mut Report) -> Result<(), String> {
    let hall = floor(&[Patch { x: (0.5, 20.0), z: (0.5, 12.5) }])?;
    let people: Vec<Person> = (0..10)
        .map(|number| {
            let z = 1.5 + number as f32;
            let person = Person::new(Vec3::new(1.5, 0.0, z), Vec3::new(19.0, 0.0, z));
            Person { delay: 10.0 * (number + 1) as f32, ..person }
        })
        .collect();
    let walk = walk(hall, &people, |_, at| at.x >= 18.0, 150.0, &mut [])?;
    let late = walk.set_out.iter().zip(&people).map(|(set_out, person)| {
        set_out.map_or(f32::INFINITY, |set_out| (set_out - person.delay).abs())
    });
    let worst = late.fold(0.0, f32::max);
    report.add(Finding::new(
        "5 ten persons with delays of 10 to 100 s",
        format!("set out within {worst:.2} s of their times"),
        "each at its time",
        worst <= 0.6,
    ));
    Ok(())
}

/// Fifty persons, with speeds across the range of their ages, walk 30 m in lanes of their own.
fn ages(report: &mut Report) -> Result<(), String> {
    for (age, least, greatest) in AGES {
        let lanes: Vec<Patch> = (0..50)
            .map(|lane| Patch { x: (0.5, 36.0), z: (0.5 + lane as f32, 1.0 + lane as f32) })
            .collect();
        let speed = |lane: usize| least + (greatest - least) * lane as f32 / 49.0;
        let people: Vec<Person> = (0..50)
            .map(|lane| {
                let z = 0.75 + lane as f32;
                let person = Person::new(Vec3::new(1.0, 0.0, z), Vec3::new(35.5, 0.0, z));
                Person { speed: speed(lane), ..person }
            })
            .collect();
        let walk = walk(floor(&lanes)?, &people, |_, at| at.x >= 31.0, 100.0, &mut [])?;
        let speeds = walk.left.iter().zip(&walk.set_out).map(|(left, set_out)| {
            30.0 / left.zip(*set_out).map_or(f32::INFINITY, |(left, set_out)| left - set_out)
        });
        let speeds: Vec<f32> = speeds.collect();
        let lowest = speeds.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = speeds.iter().copied().fold(0.0, f32::max);
        // It takes a quarter of a second to gain speed, and arrivals are seen at the end of a tick.
        let is_within = lowest >= 0.98 * least && highest <= greatest * 1.001;
        let (test, bound) = match age {
            "below 30" => ("7 speeds of those below 30", "0.58 to 1.61 m/s"),
            "30 to 50" => ("7 speeds of those of 30 to 50", "1.41 to 1.54 m/s"),
            _ => ("7 speeds of those above 50", "0.68 to 1.41 m/s"),
        };
        report.add(Finding::new(
            test,
            format!("{lowest:.2} to {highest:.2} m/s"),
            bound,
            is_within,
        ));
    }
    Ok(())
}
