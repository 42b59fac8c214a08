//! What comes out of the backends, decoded again.

use crate::common::{event, walk, world};
use glam::Vec2;
use wayfare_core::trace::TraceEventKind;
use wayfare_draw::{
    Animation, Canvas, Colour, DrawError, GridScenery, LinkArt, Paint, Palette, Panel, Picture,
    Ramp, Scenery, SearchView, Shape, Sheet, Status, Stroke, Terrain, Theme, Typeface,
    WaypointScenery, terminal,
};

const THEME: Theme = Theme::DARK;

fn panel<'a>(
    scenery: &'a GridScenery<'a>,
    trace: &'a wayfare_core::trace::Trace<crate::common::Node, u64>,
) -> Panel<'a> {
    Panel::new(scenery).title("A* <&>").search(trace).endpoints(0, 17).path_states(0..6)
}

/// The left upper corner of the first panel's world.
fn corner(canvas: &Canvas) -> Option<(u32, u32)> {
    (0..canvas.height())
        .flat_map(|y| (0..canvas.width()).map(move |x| (x, y)))
        .find(|(x, y)| canvas.pixel(*x, *y) == Some(THEME.closed(Ramp::Fire, 0.0)))
}

#[test]
fn an_svg_is_well_formed_and_holds_the_title() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    let svg = Sheet::new(vec![panel(&scenery, &trace)]).draw()?.to_svg()?;
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"A* <&>"), "{texts:?}");
    let numbers = |name| {
        document
            .descendants()
            .filter_map(move |node| node.attribute(name))
            .all(|value| !value.contains("NaN") && !value.contains("inf"))
    };
    assert!(["d", "x", "y", "cx", "cy", "width", "height", "r"].into_iter().all(numbers));
    Ok(())
}

#[test]
fn a_png_has_the_right_size_and_the_right_colours() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    // The path would cover the cells: this one ends where it begins.
    let panel = Panel::new(&scenery).search(&trace).endpoints(17, 17);
    let picture = Sheet::new(vec![panel]).world_pixels(240).without_legend().draw()?;
    let bytes = picture.to_png()?;
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (picture.width(), picture.height()));
    assert_eq!(info.color_type, png::ColorType::Rgb);

    let canvas = picture.to_canvas()?;
    let (left, top) = corner(&canvas).expect("an expanded start");
    let cell = |x: u32, y: u32| canvas.pixel(left + x * 40 + 20, top + y * 40 + 20);
    assert_eq!(cell(0, 0), Some(THEME.closed(Ramp::Fire, 0.0)));
    assert_eq!(cell(4, 0), Some(THEME.closed(Ramp::Fire, 1.0)));
    assert_eq!(cell(5, 0), Some(THEME.open(Ramp::Fire, 1.0)));
    assert_eq!(cell(2, 1), Some(THEME.wall));
    assert_eq!(cell(2, 2), Some(THEME.floor));
    let offset = (((top + 20) * info.width + left + 20) * 3) as usize;
    let closed = THEME.closed(Ramp::Fire, 0.0);
    assert_eq!(pixels[offset..offset + 3], [closed.red, closed.green, closed.blue]);
    Ok(())
}

#[test]
fn the_path_is_on_top() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    let sheet = Sheet::new(vec![panel(&scenery, &trace)]).world_pixels(240);
    let canvas = sheet.draw()?.to_canvas()?;
    let (left, top) = corner(&canvas).expect("an expanded start");
    assert_eq!(canvas.pixel(left + 100, top + 20), Some(THEME.path));
    Ok(())
}

/// Plays a GIF and returns every frame as it looks on the screen.
fn play(bytes: &[u8]) -> Vec<(u16, Vec<[u8; 3]>)> {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    let palette = decoder.global_palette().expect("a palette").to_vec();
    let width = usize::from(decoder.width());
    let mut screen = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        for (number, index) in frame.buffer.iter().enumerate() {
            if Some(*index) != frame.transparent {
                let x = usize::from(frame.left) + number % usize::from(frame.width);
                let y = usize::from(frame.top) + number / usize::from(frame.width);
                let entry = usize::from(*index) * 3;
                screen[y * width + x].copy_from_slice(&palette[entry..entry + 3]);
            }
        }
        frames.push((frame.delay, screen.clone()));
    }
    frames
}

#[test]
fn a_gif_ends_with_the_still_picture() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    let sheet = Sheet::new(vec![
        panel(&scenery, &trace),
        panel(&scenery, &trace).title("Stopped").until_expansion(2),
    ])
    .world_pixels(240);
    let mut bytes = Vec::new();
    let mut heard = Vec::new();
    let animation = Animation::new(sheet.clone()).seconds(1.0).frames_per_second(10.0).hold(2.0);
    let report = animation.encode(&mut bytes, &mut |done, all| heard.push((done, all)))?;
    assert_eq!(report.bytes, bytes.len());
    let frames = play(&bytes);
    assert_eq!(frames.len(), report.frames);
    // Of 1 + 10 + 9 images two equal the one before: the third, in which nothing is expanded, and
    // the last.
    assert_eq!(report.frames, 18);
    let total: u32 = frames.iter().map(|(delay, _)| u32::from(*delay)).sum();
    assert_eq!(total, 10 + 100 + 90 + 200);
    assert!(heard.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    assert_eq!(heard.last().map(|(done, all)| done == all), Some(true));

    let still = sheet.draw()?.to_canvas()?;
    let last = &frames.last().expect("frames").1;
    let apart =
        still.rgba().chunks_exact(4).zip(last).filter(|(still, shown)| {
            still.iter().zip(shown.iter()).any(|(a, b)| a.abs_diff(*b) > 24)
        });
    assert_eq!(apart.count(), 0);
    Ok(())
}

#[test]
fn a_terminal_shows_it_in_ascii() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    let panel = Panel::new(&scenery).title("A*").search(&trace).until_expansion(3).endpoints(0, 17);
    let text = terminal::render(&panel, &THEME, 40, terminal::Colours::None)?;
    assert_eq!(text, "A*\nSxxo..\n.####.\n.....G\nexpanded 3   generated 4   open 1\n");
    let coloured = terminal::render(&panel, &THEME, 40, terminal::Colours::Full)?;
    // Six cells of four pixels; three rows of four pixels are six lines.
    assert_eq!(coloured.lines().count(), 1 + 6 + 1);
    assert_eq!(coloured.matches('▀').count(), 24 * 6);
    let palette = terminal::render(&panel, &THEME, 40, terminal::Colours::Palette)?;
    assert!(palette.contains("\x1b[38;5;") && !palette.contains(";2;"));
    Ok(())
}

#[test]
fn a_large_map_is_scaled_down() -> Result<(), DrawError> {
    let side = 1500;
    let cells = vec![0; side * side];
    let scenery = GridScenery::new(1500, 1500, vec![Terrain::floor(&THEME)], &cells)?;
    let mut trace = walk();
    trace.events.push(event(TraceEventKind::Generate, (side * side - 1) as u32, 0, 9));
    let panel = Panel::new(&scenery).search(&trace);
    let picture = Sheet::new(vec![panel.clone()]).draw()?;
    assert!(picture.width() <= 1000 && picture.height() <= 1000);
    let text = terminal::render(&panel, &THEME, 50, terminal::Colours::None)?;
    assert!(text.lines().all(|line| line.len() <= 50));
    assert!(text.contains('o'), "{text}");
    Ok(())
}

#[test]
fn every_link_has_an_arrow_for_each_way() -> Result<(), DrawError> {
    let points = vec![[0.0, 0.0].into(), [4.0, 1.0].into()];
    let count = |one_way| -> Result<usize, DrawError> {
        let link = LinkArt { from: 0, to: 1, one_way };
        let scenery = WaypointScenery::new(points.clone(), vec![link])?;
        Ok(Panel::new(&scenery).draw()?.shapes().len())
    };
    assert_eq!(count(true)? + 1, count(false)?);
    Ok(())
}

/// The lines of a picture between the middles of cells, as numbers of cells.
fn parent_lines(theme: Theme) -> Result<Vec<[[u32; 2]; 2]>, DrawError> {
    let (scenery, trace) = (world(&theme), walk());
    let panel = Panel::new(&scenery).search(&trace).endpoints(17, 17);
    let picture = Sheet::new(vec![panel]).theme(theme).world_pixels(240).without_legend().draw()?;
    let viewport_of = |shape: &Shape| match shape {
        Shape::Tiles(tiles) => Some((tiles.corner, tiles.side as f32)),
        _ => None,
    };
    let (corner, side) = picture.shapes().iter().find_map(viewport_of).expect("a lattice");
    let cell = |at: glam::Vec2| ((at - corner) / side).to_array().map(|number| number as u32);
    let is_middle = |at: &glam::Vec2| ((*at - corner) / side).fract() == glam::Vec2::splat(0.5);
    let lines = picture.shapes().iter().filter_map(|shape| match shape {
        Shape::Segments { ends, .. } if ends.iter().flatten().all(is_middle) => Some(ends),
        _ => None,
    });
    Ok(lines.flatten().map(|ends| ends.map(cell)).collect())
}

#[test]
fn the_palette_of_open_and_closed_places_joins_them_to_their_parents() -> Result<(), DrawError> {
    assert!(parent_lines(THEME)?.is_empty());
    let lines = parent_lines(THEME.with_palette(Palette::OpenClosed))?;
    let (scenery, trace) = (world(&THEME), walk());
    let mut view = SearchView::new(&scenery, &trace);
    view.advance_to_end();
    let at = |place: usize| [place as u32 % 6, place as u32 / 6];
    let places =
        (0..scenery.places()).filter_map(|place| Some([at(place), at(view.parent(place)?)]));
    assert_eq!(lines, places.collect::<Vec<_>>());
    assert!(lines.len() >= 5);
    Ok(())
}

#[test]
fn the_palette_of_visited_places_in_black_keeps_them_apart_from_walls() -> Result<(), DrawError> {
    for theme in [Theme::DARK, Theme::LIGHT] {
        let theme = theme.with_palette(Palette::VisitedBlack);
        let (scenery, trace) = (world(&theme), walk());
        let panel = Panel::new(&scenery).search(&trace).endpoints(17, 17);
        let sheet = Sheet::new(vec![panel]).theme(theme).world_pixels(240).without_legend();
        let canvas = sheet.draw()?.to_canvas()?;
        let black = Colour::hex(0x000000);
        let count = |colour| canvas.rgba().chunks_exact(4).filter(|rgb| rgb[..3] == colour).count();
        assert!(count([0, 0, 0]) >= 5 * 38 * 38, "five expanded cells");
        assert!(theme.wall.contrast(black) > 2.0 && theme.path.contrast(black) > 7.0);
        assert!(theme.goal.contrast(theme.floor) > 1.3);
    }
    Ok(())
}

#[test]
fn turning_points_are_marked_among_waypoints() -> Result<(), DrawError> {
    let points = [[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [8.0, 5.0]].map(glam::Vec2::from).to_vec();
    let scenery = WaypointScenery::new(points.clone(), Vec::new())?;
    let circles = |panel: Panel<'_>| -> Result<usize, DrawError> {
        let is_circle = |shape: &&Shape| matches!(shape, Shape::Circle { .. });
        Ok(panel.draw()?.shapes().iter().filter(is_circle).count())
    };
    let by_places = circles(Panel::new(&scenery).path_states([0, 1, 2, 3]))?;
    let by_points = circles(Panel::new(&scenery).path_points(points))?;
    assert_eq!(by_places, by_points + 1, "the corner, not the waypoint on the way");
    Ok(())
}

#[test]
fn turning_points_are_marked_on_grids_with_room_for_them() -> Result<(), DrawError> {
    let scenery = world(&THEME);
    let circles = |pixels: u32, path: &[u32]| -> Result<usize, DrawError> {
        let panel = Panel::new(&scenery).path_states(path.iter().copied());
        let picture = Sheet::new(vec![panel]).without_legend().world_pixels(pixels).draw()?;
        let is_circle = |shape: &&Shape| matches!(shape, Shape::Circle { .. });
        Ok(picture.shapes().iter().filter(is_circle).count())
    };
    // Along the upper row; down at its end; and back along the lower one.
    let straight = circles(300, &[0, 1, 2, 3, 4, 5])?;
    assert_eq!(circles(300, &[0, 1, 2, 3, 4, 5, 11])?, straight + 1);
    assert_eq!(circles(300, &[0, 1, 2, 3, 4, 5, 11, 17, 16])?, straight + 2);
    assert_eq!(circles(40, &[0, 1, 2, 3, 4, 5, 11])?, straight, "cells of seven pixels");
    Ok(())
}

#[test]
fn cells_with_room_hold_g_h_and_f() -> Result<(), DrawError> {
    let (scenery, trace) = (world(&THEME), walk());
    let written = |pixels: u32, unit: Option<f64>| -> Result<Vec<String>, DrawError> {
        let panel = Panel::new(&scenery).search(&trace);
        let panel = unit.map_or(panel.clone(), |unit| panel.cost_per_unit(unit));
        let picture = Sheet::new(vec![panel]).without_legend().world_pixels(pixels).draw()?;
        let texts = picture.shapes().iter().filter_map(|shape| match shape {
            Shape::Text(label) => Some(label.text.clone()),
            _ => None,
        });
        Ok(texts.collect())
    };
    let plain = written(600, None)?;
    let numbers = written(600, Some(5741.0))?;
    // Each with four shadows, in the cells of the five expanded states and of the open one.
    assert_eq!(numbers.len(), plain.len() + 6 * 3 * 5);
    // g rises by a straight step from cell to cell, h is nothing, and f is g.
    for g in 0..=5 {
        let found = numbers.iter().filter(|text| **text == g.to_string()).count();
        let shown = plain.iter().filter(|text| **text == g.to_string()).count();
        assert_eq!(found - shown, if g == 0 { (3 + 5) * 5 } else { 2 * 5 }, "{g} in {numbers:?}");
    }
    assert_eq!(written(240, Some(5741.0))?.len(), plain.len(), "cells of 40 pixels");
    Ok(())
}

/// A higher penalty is hotter than a lower one beside it, whatever lies beneath.
#[test]
fn heat_rises_with_the_penalty_on_every_ground() -> Result<(), DrawError> {
    let (light, dark) = (Colour::hex(0xf0f0e0), Colour::hex(0x304030));
    let terrains = vec![
        Terrain::new("road", light, false),
        Terrain::new("wood", dark, false),
        Terrain::wall(&THEME),
    ];
    let scenery = GridScenery::new(6, 1, terrains, &[0, 1, 0, 1, 0, 2])?;
    let scenery = scenery.with_heat(&[0.0, 4.0, 8.0, 12.0, 16.0, 16.0])?;
    let canvas = Sheet::new(vec![Panel::new(&scenery)]).without_legend().draw()?.to_canvas()?;
    let places = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
    let pixels: Vec<Colour> = places.filter_map(|(x, y)| canvas.pixel(x, y)).collect();
    let has = |colour: &Colour| pixels.contains(colour);
    let shades = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| THEME.floor.mix(THEME.heat, share));
    let far = |colour: Colour| {
        let parts = |colour: Colour| [colour.red, colour.green, colour.blue].map(i32::from);
        let pairs = parts(colour).into_iter().zip(parts(THEME.heat));
        pairs.map(|(one, other)| (one - other).abs()).sum::<i32>()
    };
    assert!(shades.windows(2).all(|pair| far(pair[1]) < far(pair[0])));
    assert!(shades.iter().all(has));
    assert!(!has(&light) && !has(&dark) && has(&THEME.wall));
    let legend = scenery.terrains_shown(&THEME);
    assert_eq!(legend.iter().map(|line| &*line.0).collect::<Vec<_>>(), ["wall", "penalty"]);
    Ok(())
}

#[test]
fn texts_keep_their_width_in_any_typeface() -> Result<(), DrawError> {
    let scenery = world(&THEME);
    let svg = Panel::new(&scenery).title("Hills").draw()?.to_svg()?;
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let title = document.descendants().find(|node| node.text() == Some("Hills")).expect("a title");
    let width: f32 = title.attribute("textLength").expect("a width").parse().expect("a number");
    let size: f32 = title.attribute("font-size").expect("a size").parse().expect("a number");
    assert!((width - Typeface::Sans.width("Hills", size)).abs() < 0.01);
    Ok(())
}

#[test]
fn endless_titles_make_no_endless_pictures() -> Result<(), DrawError> {
    let scenery = world(&THEME);
    let long = "long ".repeat(2000);
    let picture = Sheet::new(vec![Panel::new(&scenery).title(&long).caption(&long)]).title(&long);
    assert!(picture.draw()?.width() < 1000);
    Ok(())
}

#[test]
fn a_search_that_begins_anew_forgets() {
    let scenery = world(&THEME);
    let mut trace = walk();
    trace.events.push(event(TraceEventKind::Restart, 0, 0, 0));
    trace.events.push(event(TraceEventKind::Generate, 3, 3, 0));
    let mut view = SearchView::new(&scenery, &trace);
    view.advance_to_event(11);
    assert_eq!(view.mark(2).map(|mark| mark.status), Some(Status::Closed));
    view.advance_to_end();
    assert_eq!(view.mark(2), None);
    assert_eq!(view.mark(3).map(|mark| mark.status), Some(Status::Open));
    assert_eq!((view.counters().open, view.counters().restarts), (1, 1));
}

#[test]
fn impossible_pictures_are_refused() {
    let scenery = world(&THEME);
    let sheet =
        |pixels| Sheet::new(vec![Panel::new(&scenery); 400]).columns(1).world_pixels(pixels);
    assert!(matches!(sheet(2000).draw(), Err(DrawError::PictureSize { .. })));
    assert!(matches!(Sheet::new(vec![]).draw(), Err(DrawError::NoPanels)));
    let animation = Animation::new(Sheet::new(vec![Panel::new(&scenery)])).seconds(f32::NAN);
    let encoded = animation.encode(std::io::sink(), &mut |_, _| ());
    assert!(matches!(encoded, Err(DrawError::OutOfRange { .. })));
    let floor = vec![Terrain::new("floor", Colour::hex(0), false)];
    assert!(matches!(
        GridScenery::new(2, 2, floor.clone(), &[0; 3]),
        Err(DrawError::GridSize { .. })
    ));
    let unknown = GridScenery::new(2, 1, floor, &[0, 9]);
    assert!(matches!(unknown, Err(DrawError::UnknownTerrain { cell: 1, terrain: 9, known: 1 })));
}

#[test]
fn a_failed_file_leaves_the_old_one() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("picture.svg");
    let scenery = world(&THEME);
    Panel::new(&scenery).draw()?.write_svg(&path)?;
    let before = std::fs::read(&path)?;
    let failed: Result<(), DrawError> = wayfare_draw::write_whole(&path, |file| {
        let _ = file.write(b"half of it");
        Err(DrawError::NoPanels)
    });
    assert!(failed.is_err());
    assert_eq!(std::fs::read(&path)?, before);
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
    let nowhere = folder.path().join("no/such/folder.png");
    let written = Panel::new(&scenery).draw()?.write_png(&nowhere);
    assert!(matches!(written, Err(DrawError::Write { .. })));
    Ok(())
}

#[test]
fn a_graph_with_a_hole_keeps_its_states() -> Result<(), Box<dyn std::error::Error>> {
    use wayfare_core::space::{NegativeCosts, StateId};
    use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    let waypoints = [0.0, 1.0, 2.0].map(|x| Waypoint::at(glam::Vec3::new(x, 5.0, 2.0 * x)));
    let [a, b, c] = [0, 1, 2].map(WaypointId::from_index);
    let links = [WaypointLink::new(a, c), WaypointLink::one_way(c, b)];
    let mut graph = WaypointGraph::new(waypoints, links, NegativeCosts::default())?;
    graph.remove_waypoint(b)?;
    let scenery = WaypointScenery::of_graph(&graph)?;
    assert_eq!(scenery.places(), 2);
    assert_eq!(
        (scenery.place_of(0), scenery.place_of(1), scenery.place_of(2)),
        (Some(0), None, Some(1))
    );
    assert_eq!(scenery.position(1), glam::Vec2::new(2.0, 4.0));
    Ok(())
}

#[test]
fn shapes_out_of_reach_or_without_a_place_are_left_out() -> Result<(), DrawError> {
    let ink = Colour::hex(0x224466);
    let stroke = Stroke { colour: ink, width: 1.0 };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e7] {
        for place in [Vec2::new(bad, 5.0), Vec2::new(5.0, bad)] {
            let mut picture = Picture::new(10, 10, Colour::hex(0xffffff))?;
            picture.push(Shape::Circle { centre: place, radius: 2.0, paint: Paint::fill(ink) });
            picture.push(Shape::Polyline { points: vec![Vec2::ONE, place], stroke });
            picture.push(Shape::Segments { ends: vec![[place, Vec2::ONE]], stroke });
            assert!(picture.shapes().is_empty(), "{place}");
        }
    }
    Ok(())
}
