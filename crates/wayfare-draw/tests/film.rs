//! Films: agents that move over a world.

use glam::Vec2;
use wayfare_draw::{
    Actor, ActorShot, DangerShot, DrawError, Film, FilmPlace, Gait, GridScenery, GroundShot, Paint,
    Passage, PassageGate, PassageShot, PropLook, PropShot, Shape, Shot, Team, Terrain, Theme,
};

const MAP: [&str; 9] = [
    "####################",
    "#........#.........#",
    "#........#.........#",
    "#........#....##...#",
    "#.............##...#",
    "#........#.........#",
    "#........#####..####",
    "#..................#",
    "####################",
];

fn scenery(theme: &Theme) -> GridScenery<'static> {
    let cells: Vec<u8> =
        MAP.iter().flat_map(|row| row.bytes().map(|tile| u8::from(tile == b'#'))).collect();
    let terrains = vec![Terrain::floor(theme), Terrain::wall(theme)];
    GridScenery::new(20, 9, terrains, &cells).expect("it fits")
}

fn film<'s>(scenery: &'s GridScenery<'s>) -> Film<'s> {
    let mut film = Film::new(scenery).title("Two guards & a thief");
    let guards = film.add_team(Team::new("guards", Team::COLOURS[0]));
    let thieves = film.add_team(Team::new("thieves", Team::COLOURS[1]));
    for (name, team) in [("Ann", guards), ("Bo", guards), ("Kit", thieves)] {
        film.add_actor(Actor { name: name.into(), team, radius: 0.35, is_named: true });
    }
    film.add_passage(Passage {
        name: "tunnel".into(),
        ends: [Vec2::new(2.5, 1.5), Vec2::new(17.5, 7.5)],
        one_way: false,
        capacity: Some(1),
    });
    film.add_place(FilmPlace { name: "well".into(), at: Vec2::new(5.5, 3.5) });
    film.add_place(FilmPlace { name: String::new(), at: Vec2::new(12.5, 2.5) });
    film
}

fn shot(seconds: f32) -> Shot {
    let point = |x: f32, y: f32| Vec2::new(x, y);
    let x = 3.0 + seconds;
    Shot {
        props: Vec::new(),
        seconds,
        actors: vec![
            ActorShot {
                label: "patrol 2/3".into(),
                ahead: vec![point(x, 4.5), point(12.5, 4.5), point(12.5, 2.5)],
                ..ActorShot::at(0, point(x, 4.5), Vec2::X)
            },
            ActorShot {
                label: "chasing Kit".into(),
                ahead: vec![point(14.5, 7.5), point(9.0, 7.5)],
                ..ActorShot::at(1, point(14.5 - seconds * 0.3, 7.5), Vec2::NEG_X)
            },
            ActorShot {
                label: "in the tunnel".into(),
                is_inside: true,
                ..ActorShot::at(2, point(10.0, 4.6), Vec2::new(0.3, 0.3))
            },
        ],
        passages: vec![PassageShot { gate: PassageGate::Locked, inside: 1, waiting: 2 }],
        grounds: Vec::new(),
        barriers: vec![[[6.0, 6.0], [8.0, 6.0], [8.0, 7.5], [6.0, 7.5]].map(Vec2::from).to_vec()],
        dangers: Vec::new(),
    }
}

#[test]
fn a_still_tells_who_does_what() -> Result<(), DrawError> {
    let scenery = scenery(&Theme::DARK);
    let svg = film(&scenery).still(&shot(2.0))?.to_svg()?;
    for words in [
        "Ann: patrol 2/3",
        "Two guards &amp; a thief",
        "tunnel 1/1 +2",
        "well",
        "2.0 s",
        "in the way",
        "guards (2)",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    roxmltree::Document::parse(&svg).expect("well-formed");
    if let Some(file) = std::env::var_os("WAYFARE_FILM_STILL") {
        film(&scenery).still(&shot(2.0))?.write_png(file.as_ref())?;
    }
    Ok(())
}

#[test]
fn paths_ahead_mark_where_they_turn() -> Result<(), DrawError> {
    let scenery = scenery(&Theme::DARK);
    let marks = |shot: &Shot| -> Result<Vec<Vec2>, DrawError> {
        let picture = film(&scenery).still(shot)?;
        let marks = picture.shapes().iter().filter_map(|shape| match shape {
            Shape::Circle { centre, radius, .. } if *radius == 2.6 => Some(*centre),
            _ => None,
        });
        Ok(marks.collect())
    };
    let mut shot = shot(2.0);
    assert_eq!(marks(&shot)?.len(), 1, "Ann goes round one corner");
    // A point on the way is none, and no second mark lies upon the first.
    shot.actors[1].ahead.insert(1, Vec2::new(12.0, 7.5));
    shot.actors[0].ahead.push(Vec2::new(12.6, 2.5));
    shot.actors[0].ahead.push(Vec2::new(12.6, 2.4));
    assert_eq!(marks(&shot)?.len(), 2);
    Ok(())
}

#[test]
fn teams_differ_by_shape_and_gaits_are_shown() -> Result<(), DrawError> {
    let scenery = scenery(&Theme::DARK);
    let film = film(&scenery).clips(["idle", "walk", "run"]);
    let mut shot = shot(2.0);
    let gait = Gait { weights: vec![0.0, 0.25, 0.75], playback: 1.25 };
    shot.actors[0].gait = Some(gait);
    let picture = film.still(&shot)?;
    let filled = |colour| move |paint: &Paint| paint.fill == Some(colour);
    let (guards, thieves) = (filled(Team::COLOURS[0]), filled(Team::COLOURS[1]));
    let discs = picture.shapes().iter().filter_map(|shape| match shape {
        Shape::Circle { paint, .. } => Some(*paint),
        _ => None,
    });
    let discs: Vec<Paint> = discs.collect();
    assert!(discs.iter().any(guards) && !discs.iter().any(thieves), "thieves are squares");
    let svg = picture.to_svg()?;
    for words in [">×1.25</text>", ">idle</text>", ">run</text>"] {
        assert!(svg.contains(words), "{words}");
    }
    Ok(())
}

#[test]
fn a_film_has_an_image_a_shot_and_takes_its_time() -> Result<(), DrawError> {
    let scenery = scenery(&Theme::LIGHT);
    let film = film(&scenery).theme(Theme::LIGHT).world_pixels(160);
    let shots: Vec<Shot> = (0u8..12).map(|number| shot(f32::from(number) / 10.0)).collect();
    let mut bytes = Vec::new();
    let mut last = (0, 0);
    let report = film.encode_gif(&mut bytes, &shots, &mut |done, all| last = (done, all))?;
    assert_eq!((report.frames, report.bytes), (12, bytes.len()));
    assert_eq!(last.0, last.1);
    let mut again = Vec::new();
    film.encode_gif(&mut again, &shots, &mut |_, _| ())?;
    assert_eq!(bytes, again);
    assert!(matches!(film.encode_gif(Vec::new(), &[], &mut |_, _| ()), Err(DrawError::NoPanels)));
    Ok(())
}

#[test]
fn odd_shots_do_no_harm() -> Result<(), DrawError> {
    let scenery = scenery(&Theme::DARK);
    let film = film(&scenery);
    let nowhere = ActorShot {
        ahead: vec![Vec2::NAN, Vec2::ONE],
        ..ActorShot::at(99, Vec2::splat(f32::INFINITY), Vec2::ZERO)
    };
    let odd = Shot {
        props: vec![PropShot { look: PropLook::Crate, at: Vec2::NAN, side: f32::NAN }],
        seconds: f32::NAN,
        actors: vec![nowhere],
        passages: Vec::new(),
        grounds: vec![GroundShot { outline: vec![Vec2::NAN; 4], colour: Theme::DARK.wall }],
        barriers: vec![vec![], vec![Vec2::NAN; 4]],
        dangers: vec![DangerShot { outline: vec![Vec2::NAN; 4], heat: f32::NAN }],
    };
    film.still(&odd)?.to_canvas()?;
    Ok(())
}

/// Every part of a puzzle, in every state, in a row.
fn props() -> Vec<PropShot> {
    let both = [false, true];
    let looks = both.map(|is_open| PropLook::Door { is_open }).into_iter();
    let looks = looks
        .chain(both.map(|is_open| PropLook::HeavyDoor { is_open }))
        .chain(both.map(|is_bridged| PropLook::Gap { is_bridged }))
        .chain(both.map(|is_loaded| PropLook::Plate { is_loaded }))
        .chain(both.map(|is_on| PropLook::Lever { is_on }))
        .chain(both.map(|is_here| PropLook::Platform { is_here }))
        .chain([PropLook::Key, PropLook::Crate, PropLook::Hook, PropLook::Winch]);
    let shot = |(x, look)| PropShot { look, at: Vec2::new(x as f32 + 0.5, 0.5), side: 1.0 };
    (0u8..).zip(looks).map(|(x, look)| shot((u32::from(x), look))).collect()
}

#[test]
fn parts_of_puzzles_look_different_in_each_state() {
    let world = GridScenery::new(2, 1, vec![Terrain::floor(&Theme::DARK)], &[0; 2]).unwrap();
    let film = Film::new(&world);
    let drawn = props().into_iter().map(|prop| {
        let prop = PropShot { at: Vec2::new(0.5, 0.5), ..prop };
        film.still(&Shot { props: vec![prop], ..Shot::default() }).unwrap().to_svg().unwrap()
    });
    let drawn: Vec<String> = drawn.collect();
    for (number, one) in drawn.iter().enumerate() {
        // An open door and a raised heavy door differ too.
        assert!(!drawn[..number].contains(one), "{number}");
    }
}
