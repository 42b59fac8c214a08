//! Tests of crowds: 6 and 8 to 15, and two measured bottlenecks.

use glam::Vec3;
use wayfare::crowd::CollisionFreeSpeed;

use super::hall::{BEGINNINGS, Flows, Patch, Person, SPEED, Walk, floor, walk};
use super::measure::{Measure, Where};
use super::{Finding, Report};

/// The density of the largest flow, in persons a square metre: from there on more people make it
/// smaller (Weidmann 1993).
const FULLEST: f32 = 1.75;

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// What a walk has to say of its safety.
fn safety(walk: &Walk) -> String {
    match &walk.fault {
        None => "no wall crossed, no overlap".into(),
        Some(fault) => fault.clone(),
    }
}

/// A time, or the number of those who left.
fn time_of(walk: &Walk) -> String {
    walk.last().map_or_else(
        || format!("{} of {} left", walk.count(), walk.left.len()),
        |time| format!("{time:.0} s"),
    )
}

/// Runs a test and adds what it found.
type Test = fn(&mut Report) -> Result<(), String>;

pub(super) fn run(report: &mut Report) -> Result<(), String> {
    let tests: [(&str, Test); 12] = [
        ("6", corner),
        ("8", parameters),
        ("9", public_room),
        ("10", cabins),
        ("11", choice_of_exit),
        ("12", two_rooms),
        ("13", stairs),
        ("14", choice_of_route),
        ("15", crowd_round_corner),
        ("door", doors),
        ("bottleneck", bottleneck),
        ("imo", imo_room),
    ];
    for (name, test) in tests {
        if report.wants(name) {
            test(report)?;
        }
    }
    Ok(())
}

/// Twenty persons walk round a corner to the left.
fn corner(report: &mut Report) -> Result<(), String> {
    let hall = floor(&[
        Patch { x: (0.5, 12.5), z: (0.5, 2.5) },
        Patch { x: (10.5, 12.5), z: (0.5, 12.5) },
    ])?;
    let begin = Patch { x: (0.5, 6.5), z: (0.5, 2.5) }.places(20);
    let people: Vec<Person> = begin
        .iter()
        .enumerate()
        .map(|(number, &from)| Person::new(from, at(11.0 + (number % 3) as f32 * 0.5, 12.1)))
        .collect();
    let walk = walk(hall, &people, |_, at| at.z >= 11.0, 120.0, &mut [])?;
    let measured = format!("{} of 20 arrive, {}", walk.count(), safety(&walk));
    let is_within = walk.fault.is_none() && walk.count() == 20;
    report.add(Finding::new(
        "6 twenty persons round a corner",
        measured,
        "all arrive, no wall is crossed",
        is_within,
    ));
    Ok(())
}

/// How long 60 persons take to leave a room by a door of 1 m.
fn leave_room(change: impl Fn(&mut Person)) -> Result<Walk, String> {
    let hall = floor(&[
        Patch { x: (0.5, 10.5), z: (0.5, 8.5) },
        Patch { x: (10.5, 11.0), z: (4.0, 5.0) },
        Patch { x: (11.0, 18.0), z: (0.5, 8.5) },
    ])?;
    let people: Vec<Person> = Patch { x: (0.5, 9.5), z: (0.5, 8.5) }
        .places(60)
        .into_iter()
        .map(|from| {
            let mut person = Person::new(from, at(17.0, from.z.clamp(1.0, 8.0)));
            change(&mut person);
            person
        })
        .collect();
    walk(hall, &people, |_, at| at.x >= 12.0, 300.0, &mut [])
}

fn parameters(report: &mut Report) -> Result<(), String> {
    let time = |walk: Walk| walk.last().unwrap_or(f32::INFINITY);
    let usual = time(leave_room(|_| ())?);
    let slow = time(leave_room(|person| person.speed = 0.8)?);
    let gap = CollisionFreeSpeed { time_gap: 1.0, ..CollisionFreeSpeed::default() };
    let patient = time(leave_room(|person| person.model = gap)?);
    let thin = time(leave_room(|person| person.radius = 0.15)?);
    report.add(
        Finding::new(
            "8 trends of parameters",
            format!(
                "{usual:.0} s; slow {slow:.0} s; time gap of 1 s {patient:.0} s; thin {thin:.0} s"
            ),
            "slow ≥, gap ≥, thin ≤",
            slow >= usual && patient >= usual && thin <= usual,
        )
        .remark("60 persons, one door of 1 m, in place of a building of three storeys"),
    );
    Ok(())
}

/// 1,000 persons leave a room of 30 by 20 m by these exits of 1 m, each by the nearest.
fn thousand(doors: &[f32], measures: &mut [Measure]) -> Result<Walk, String> {
    let mut patches = vec![
        Patch { x: (6.5, 36.5), z: (0.5, 20.5) },
        Patch { x: (0.5, 6.0), z: (0.5, 20.5) },
        Patch { x: (37.0, 43.0), z: (0.5, 20.5) },
    ];
    for &z in doors {
        patches.push(Patch { x: (6.0, 6.5), z: (z - 0.5, z + 0.5) });
        patches.push(Patch { x: (36.5, 37.0), z: (z - 0.5, z + 0.5) });
    }
    let people: Vec<Person> = Patch { x: (6.75, 36.25), z: (0.75, 20.25) }
        .places(1_000)
        .into_iter()
        .map(|from| {
            let out = if from.x < 21.5 { 1.5 } else { 42.0 };
            let nearest = doors
                .iter()
                .copied()
                .min_by(|a, b| (a - from.z).abs().total_cmp(&(b - from.z).abs()));
            Person::new(from, at(out, nearest.unwrap_or(10.5)))
        })
        .collect();
    let is_out = |_: usize, at: Vec3| at.x <= 5.0 || at.x >= 38.0;
    walk(floor(&patches)?, &people, is_out, 1_200.0, measures)
}

fn public_room(report: &mut Report) -> Result<(), String> {
    let mut measures = [
        Measure::new("before a door", Where::Area(Patch { x: (34.5, 36.5), z: (4.5, 6.5) })),
        Measure::new("behind the doors", Where::Line(37.25)),
    ];
    let four = thousand(&[5.5, 15.5], &mut measures)?;
    let two = thousand(&[10.5], &mut [])?;
    let ratio = two.last().zip(four.last()).map(|(two, four)| two / four);
    report.add(Finding::new(
        "9 1,000 persons, four exits and two",
        format!(
            "{} and {}, a ratio of {:.2}; {}",
            time_of(&four),
            time_of(&two),
            ratio.unwrap_or(f32::NAN),
            safety(&four)
        ),
        "about twice the time",
        ratio.is_some_and(|ratio| (1.7..=2.3).contains(&ratio)),
    ));
    report.keep("9", measures);
    Ok(())
}

/// Twelve cabins along a corridor with two exits; the last three use the other one.
fn cabins(report: &mut Report) -> Result<(), String> {
    let mut patches = vec![Patch { x: (0.5, 26.5), z: (6.0, 8.0) }];
    let mut people = Vec::new();
    for cabin in 0..12 {
        let (column, is_above) = ((cabin % 6) as f32, cabin < 6);
        let x = 3.5 + column * 3.5;
        let (room, door) = match is_above {
            true => ((0.5, 5.0), (5.0, 6.0)),
            false => ((9.0, 13.5), (8.0, 9.0)),
        };
        patches.push(Patch { x: (x - 1.5, x + 1.5), z: room });
        patches.push(Patch { x: (x - 0.5, x + 0.5), z: door });
        let inside = Patch { x: (x - 1.25, x + 1.25), z: (room.0 + 0.5, room.1 - 0.5) };
        let goal = if cabin % 6 >= 4 { at(25.9, 7.0) } else { at(1.1, 7.0) };
        people.extend(inside.places(2).into_iter().map(|from| Person::new(from, goal)));
    }
    people.pop(); // 23 persons
    let is_out = |_: usize, at: Vec3| at.x <= 1.8 || at.x >= 25.2;
    let walk = walk(floor(&patches)?, &people, is_out, 120.0, &mut [])?;
    let as_told = people.iter().zip(&walk.at).zip(&walk.left);
    let as_told =
        as_told.filter(|((person, at), left)| left.is_some() && person.to.distance(**at) < 2.0);
    let count = as_told.count();
    report.add(Finding::new(
        "10 23 persons in cabins with exits assigned",
        format!("{count} of 23 by theirs, {}", safety(&walk)),
        "each by its own",
        count == 23 && walk.fault.is_none(),
    ));
    Ok(())
}

/// 1,000 persons in the left half of a hall of 40 by 20 m, with an exit of 1 m below each half.
fn choice_of_exit(report: &mut Report) -> Result<(), String> {
    let doors = [10.5f32, 30.5];
    let leave = |looks: bool, measures: &mut [Measure]| -> Result<Walk, String> {
        let mut patches = vec![
            Patch { x: (0.5, 40.5), z: (0.5, 20.5) },
            Patch { x: (0.5, 40.5), z: (21.0, 27.0) },
        ];
        patches.extend(doors.map(|x| Patch { x: (x - 0.5, x + 0.5), z: (20.5, 21.0) }));
        let hall = floor(&patches)?;
        // All want to one place, as far from the one exit as from the other.
        let people: Vec<Person> = Patch { x: (0.75, 20.25), z: (0.75, 20.25) }
            .places(1_000)
            .into_iter()
            .map(|from| Person::new(from, at(20.5, 26.5)))
            .collect();
        let hall = if looks { hall.with_jams() } else { hall };
        walk(hall, &people, |_, at| at.z >= 22.0, 1_200.0, measures)
    };
    let mut measures = doors.map(|x| {
        let name = if x < 20.0 { "before the nearer exit" } else { "before the farther exit" };
        Measure::new(name, Where::Area(Patch { x: (x - 1.0, x + 1.0), z: (18.5, 20.5) }))
    });
    let (blind, looking) = (leave(false, &mut [])?, leave(true, &mut measures)?);
    let farther = |walk: &Walk| {
        let places = walk.at.iter().zip(&walk.left);
        places.filter(|(at, left)| left.is_some() && at.x > 20.5).count()
    };
    let is_quicker = looking.last() < blind.last() || blind.last().is_none();
    report.add(
        Finding::new(
            "11 1,000 persons, two exits",
            format!(
                "{} by the farther one, {}; without looking for it {} and {}; {}",
                farther(&looking),
                time_of(&looking),
                farther(&blind),
                time_of(&blind),
                safety(&looking)
            ),
            "some take the farther one",
            (100..=500).contains(&farther(&looking))
                && looking.last().is_some()
                && is_quicker
                && looking.fault.is_none(),
        )
        .remark("those who look go by jams measured by area (`JamSettings`); between 100 and 500"),
    );
    report.keep("11", measures);
    Ok(())
}

/// 150 persons go from a room by a bottleneck through another room, and out by one as wide.
fn two_rooms(report: &mut Report) -> Result<(), String> {
    let hall = floor(&[
        Patch { x: (0.5, 10.5), z: (0.5, 10.5) },
        Patch { x: (10.5, 15.5), z: (5.0, 6.0) },
        Patch { x: (15.5, 25.5), z: (0.5, 10.5) },
        Patch { x: (25.5, 26.5), z: (5.0, 6.0) },
        Patch { x: (26.5, 31.5), z: (0.5, 10.5) },
    ])?;
    let people: Vec<Person> = Patch { x: (0.75, 9.5), z: (0.75, 10.25) }
        .places(150)
        .into_iter()
        .map(|from| Person::new(from, at(31.0, from.z.clamp(2.0, 9.0))))
        .collect();
    let before = |x: f32| Where::Area(Patch { x: (x - 2.0, x), z: (4.5, 6.5) });
    let mut measures = [
        Measure::new("before the first", before(10.5)),
        Measure::new("before the second", before(25.5)),
        Measure::new("behind the second", Where::Line(26.75)),
    ];
    let walk = walk(hall, &people, |_, at| at.x >= 28.0, 400.0, &mut measures)?;
    let means = [0, 1].map(|place: usize| measures[place].mean(20.0, 80.0));
    let [(first, slow), (second, fast)] = means;
    let [(by_cells, _), (second_by_cells, _)] =
        [0, 1].map(|place: usize| measures[place].voronoi_mean(20.0, 80.0));
    report.add(
        Finding::new(
            "12 two rooms, two bottlenecks",
            format!(
                "{first:.1} persons/m² at {slow:.2} m/s, {second:.1} at {fast:.2} (by Voronoi \
                 cells {by_cells:.1} and {second_by_cells:.1}); {}",
                time_of(&walk)
            ),
            "a jam before the first only",
            walk.last().is_some() && first > FULLEST && second < FULLEST,
        )
        .remark("a jam: above 1.75 persons/m², where flow is largest (Weidmann); seconds 20 to 80"),
    );
    report.keep("12", measures);
    Ok(())
}

/// 100 persons from a room along a corridor of 2 m, and up stairs as wide at its end.
fn stairs(report: &mut Report) -> Result<(), String> {
    let run = |speed: f32| -> Result<(Walk, [Measure; 1]), String> {
        let hall = floor(&[
            Patch { x: (0.5, 8.5), z: (0.5, 8.5) },
            Patch { x: (8.5, 34.5), z: (3.5, 5.5) },
        ])?;
        let stairs = Patch { x: (20.5, 30.5), z: (3.5, 5.5) };
        let people: Vec<Person> = Patch { x: (0.75, 8.0), z: (0.75, 8.25) }
            .places(100)
            .into_iter()
            .map(|from| Person::new(from, at(34.0, from.z.clamp(4.0, 5.0))))
            .collect();
        let hall = hall.with_stairs(stairs, speed / SPEED);
        let middle = Patch { x: (22.5, 28.5), z: (3.5, 5.5) };
        let mut measures = [Measure::new("on the stairs", Where::Area(middle))];
        let walk = walk(hall, &people, |_, at| at.x >= 31.5, 400.0, &mut measures)?;
        Ok((walk, measures))
    };
    let ((level, _), (steep, measures)) = (run(SPEED)?, run(0.61)?);
    let flows = [&level, &steep].map(|walk| walk.flow().unwrap_or(0.0));
    let (_, speed) = measures[0].mean(20.0, 60.0);
    let all = level.count() == 100 && steep.count() == 100;
    report.add(Finding::new(
        "13 a corridor and stairs",
        format!(
            "{:.2} persons/s, without stairs {:.2}; {speed:.2} m/s on them, {}",
            flows[1],
            flows[0],
            safety(&steep)
        ),
        "a lower flow by stairs; 0.55 to 0.80 m/s",
        all && flows[1] < flows[0] && (0.55..=0.80).contains(&speed),
    ));
    report.keep("13", measures);
    Ok(())
}

/// Four ways of different lengths lead round three walls to one place.
fn choice_of_route(report: &mut Report) -> Result<(), String> {
    // A wall across the hall with gaps, the nearest one off the straight line by 2 m.
    let gaps = [3.0f32, 9.0, 15.0, 21.0];
    let mut patches =
        vec![Patch { x: (0.5, 10.5), z: (0.5, 24.5) }, Patch { x: (11.5, 21.5), z: (0.5, 24.5) }];
    patches.extend(gaps.map(|z| Patch { x: (10.5, 11.5), z: (z - 1.0, z + 1.0) }));
    let people: Vec<Person> = Patch { x: (0.75, 4.0), z: (5.0, 9.0) }
        .places(20)
        .into_iter()
        .map(|from| Person::new(from, at(20.0, 7.0)))
        .collect();
    let gates = gaps.map(|z| Patch { x: (10.5, 11.5), z: (z - 1.0, z + 1.0) });
    let mut measures = ["first gap", "second gap", "third gap", "fourth gap"]
        .iter()
        .zip(gates)
        .map(|(name, gate)| Measure::new(name, Where::Area(gate)))
        .collect::<Vec<Measure>>();
    let walk = walk(floor(&patches)?, &people, |_, at| at.x >= 15.0, 120.0, &mut measures)?;
    let used = |measure: &Measure| measure.rows.iter().any(|row| row.density > Some(0.0));
    let used: Vec<bool> = measures.iter().map(used).collect();
    report.add(
        Finding::new(
            "14 choice of route",
            format!(
                "{} of 20 by the shortest",
                if used == [false, true, false, false] { walk.count() } else { 0 }
            ),
            "documented: the shortest",
            used == [false, true, false, false] && walk.count() == 20,
        )
        .remark("the guideline asks for a statement which of the ways is taken"),
    );
    Ok(())
}

/// 100 persons along a corridor of 4 m: straight and short, round a corner, straight and long.
fn crowd_round_corner(report: &mut Report) -> Result<(), String> {
    let begin = Patch { x: (0.75, 6.0), z: (0.75, 4.25) }.places(100);
    let straight = |length: f32| -> Result<Walk, String> {
        let hall = floor(&[Patch { x: (0.5, length + 4.0), z: (0.5, 4.5) }])?;
        let people: Vec<Person> =
            begin.iter().map(|&from| Person::new(from, at(length + 3.5, from.z))).collect();
        walk(hall, &people, |_, at| at.x >= length, 200.0, &mut [])
    };
    let hall = floor(&[
        Patch { x: (0.5, 16.5), z: (0.5, 4.5) },
        Patch { x: (12.5, 16.5), z: (0.5, 20.5) },
    ])?;
    let people: Vec<Person> =
        begin.iter().map(|&from| Person::new(from, at(17.0 - from.z, 20.1))).collect();
    let corner = walk(hall, &people, |_, at| at.z >= 16.5, 200.0, &mut [])?;
    // The way along the inner side is 12 m and 12 m, along the outer one 16 m and 16 m.
    let (short, long) = (straight(24.5)?, straight(32.5)?);
    let times = [&short, &corner, &long].map(Walk::last);
    let is_within = matches!(times, [Some(a), Some(b), Some(c)] if a <= b && b <= c);
    report.add(
        Finding::new(
            "15 100 persons round a corner",
            format!("{}, {}, {}", time_of(&short), time_of(&corner), time_of(&long)),
            "short ≤ corner ≤ long",
            is_within,
        )
        .remark("all shortest paths touch the inner side of the corner, and a queue forms there"),
    );
    Ok(())
}

/// People who leave a room through an opening: the flows from several beginnings. The measures are
/// of the last one.
fn through(count: u32, width: f32, length: f32, measures: &mut [Measure]) -> Result<Flows, String> {
    let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
    let mut flows = Flows::default();
    for (number, askew) in BEGINNINGS.into_iter().enumerate() {
        let hall = floor(&[
            Patch { x: (0.5, 10.5), z: (0.5, 9.5) },
            Patch { x: (10.5, 10.5 + length), z: (low, high) },
            Patch { x: (10.5 + length, 16.5 + length), z: (0.5, 9.5) },
        ])?;
        let people: Vec<Person> = Patch { x: (1.0, 9.0), z: (1.0, 9.0) }
            .places_askew(count, askew)
            .into_iter()
            .map(|from| Person::new(from, at(15.5 + length, from.z.clamp(2.0, 8.0))))
            .collect();
        let is_last = number + 1 == BEGINNINGS.len();
        let measures = if is_last { &mut *measures } else { &mut [] };
        flows.add(walk(hall, &people, |_, at| at.x >= 11.5 + length, 400.0, measures)?);
    }
    Ok(flows)
}

fn doors(report: &mut Report) -> Result<(), String> {
    let tests = [
        ("door of 1 m, 100 persons", 1.0, "1.5 to 2.3 persons/s"),
        ("door of 1.5 m", 1.5, "2.2 to 3.4 persons/s"),
        ("door of 2 m", 2.0, "3.0 to 4.6 persons/s"),
    ];
    for (test, width, bound) in tests {
        let flows = through(100, width, 0.5, &mut [])?;
        let measured = 1.9 * width;
        let is_within = (flows.mean() - measured).abs() <= 0.2 * measured && flows.all_left();
        report.add(
            Finding::new(test, flows.text(), bound, is_within)
                .remark("1.9 persons/s and metre ± 20 % (Seyfried and others 2009)"),
        );
    }
    Ok(())
}

fn bottleneck(report: &mut Report) -> Result<(), String> {
    let mut measures = [
        Measure::new("before it", Where::Area(Patch { x: (8.5, 10.5), z: (4.0, 6.0) })),
        Measure::new("its end", Where::Line(16.25)),
    ];
    let flows = through(75, 0.5, 5.5, &mut measures)?;
    report.add(
        Finding::new(
            "bottleneck of 0.5 m, 5.5 m long, 75 persons",
            flows.text(),
            "0.92 to 1.38 persons/s",
            (0.92..=1.38).contains(&flows.mean()) && flows.all_left(),
        )
        .remark("1.15 persons/s ± 20 %"),
    );
    let (density, speed) = measures[0].mean(10.0, 40.0);
    let (by_cells, cell_speed) = measures[0].voronoi_mean(10.0, 40.0);
    report.add(Finding::new(
        "before it, seconds 10 to 40",
        format!(
            "{density:.1} persons/m² at {speed:.2} m/s; by Voronoi cells {by_cells:.1} at \
             {cell_speed:.2}"
        ),
        "a jam that moves",
        density > 1.5 && speed > 0.05,
    ));
    report.keep("bottleneck", measures);
    Ok(())
}

/// The room of the International Maritime Organization: 8 by 5 m, an exit of 1 m, 100 persons. By
/// the usual parameters, and by those for studies under that regulation.
fn imo_room(report: &mut Report) -> Result<(), String> {
    let tests = [
        (
            "IMO room, exit of 1 m, 100 persons",
            0.5,
            "as people, not as the regulation has it: see the door of 1 m",
        ),
        ("IMO room with a time gap of 0.9 s", 0.9, "for studies by the regulation"),
    ];
    for (test, time_gap, remark) in tests {
        let mut flows = Flows::default();
        for askew in BEGINNINGS {
            let hall = floor(&[
                Patch { x: (0.5, 8.5), z: (0.5, 5.5) },
                Patch { x: (8.5, 9.0), z: (2.5, 3.5) },
                Patch { x: (9.0, 15.0), z: (0.5, 5.5) },
            ])?;
            let model = CollisionFreeSpeed { time_gap, ..CollisionFreeSpeed::default() };
            let people: Vec<Person> = Patch { x: (0.75, 8.0), z: (0.75, 5.25) }
                .places_askew(100, askew)
                .into_iter()
                .map(|from| Person { model, ..Person::new(from, at(14.0, from.z.clamp(1.0, 5.0))) })
                .collect();
            flows.add(walk(hall, &people, |_, at| at.x >= 10.0, 400.0, &mut [])?);
        }
        let is_within = flows.mean() <= 1.33 && flows.all_left();
        report.add(
            Finding::new(test, flows.text(), "at most 1.33 persons/s", is_within).remark(remark),
        );
    }
    Ok(())
}
