//! Worlds of blocks: what can be seen, and where.

use crate::common::{Node, event};
use proptest::prelude::*;
use wayfare_core::space::Action;
use wayfare_core::trace::{Trace, TraceEventKind};
use wayfare_draw::{
    Animation, BlockArt, Canvas, Colour, CutAway, DrawError, IsometricScenery, LayerScenery, Panel,
    Scenery, Sheet, Theme, VoxelWorld, terminal,
};

const THEME: Theme = Theme::DARK;

fn arts() -> Vec<BlockArt> {
    let names = ["stone", "water", "unheard of"];
    names.map(|name| BlockArt::themed(name, Colour::hex(0x336699), &THEME)).to_vec()
}

/// A floor of stone, and on it a wall at x = 3 with a gap, two blocks high.
fn walled(at: [u32; 3]) -> Option<u16> {
    let [x, y, z] = at;
    (y == 0 || x == 3 && y < 3 && z != 4).then_some(0)
}

fn state([x, y, z]: [u32; 3]) -> u32 {
    (y * 6 + z) * 6 + x
}

/// From one side of the wall to it: the first place is expanded, the second open.
fn search() -> Trace<Node, u64> {
    let (from, to) = (state([1, 1, 1]), state([1, 1, 2]));
    let mut trace = Trace::new();
    trace.events.push(event(TraceEventKind::Generate, from, from, 0));
    trace.events.push(event(TraceEventKind::Expand, from, from, 0));
    trace.events.push(event(TraceEventKind::Generate, to, from, 1));
    trace
}

fn has(canvas: &Canvas, wanted: impl Fn(Colour) -> bool) -> usize {
    let pixels = canvas.rgba().chunks_exact(4);
    pixels.filter(|p| wanted(Colour { red: p[0], green: p[1], blue: p[2], alpha: 255 })).count()
}

fn is_greenish(colour: Colour) -> bool {
    let other = colour.red.max(colour.blue);
    colour.green > 150 && colour.green > other.saturating_add(40)
}

fn is_blueish(colour: Colour) -> bool {
    let other = colour.red.max(colour.green);
    colour.blue > 120 && colour.blue > other.saturating_add(60)
}

fn draw(panel: Panel<'_>) -> Result<Canvas, DrawError> {
    Sheet::new(vec![panel]).without_legend().world_pixels(300).draw()?.to_canvas()
}

#[test]
fn open_is_green_expanded_blue_and_the_path_red() -> Result<(), DrawError> {
    let world = VoxelWorld::new([6, 4, 6], arts(), walled)?;
    let trace = search();
    let opened = IsometricScenery::new(&world).cut(CutAway::FrontX(3));
    let canvas = draw(Panel::new(&opened).search(&trace))?;
    assert!(has(&canvas, is_greenish) > 50);
    assert!(has(&canvas, is_blueish) > 50);
    let states = [[1, 1, 0], [1, 1, 1], [1, 1, 2], [1, 1, 3]].map(state);
    let canvas = draw(Panel::new(&opened).path_states(states))?;
    assert!(has(&canvas, |colour| colour == THEME.voxel_path) > 50);
    Ok(())
}

/// Between the colour of heat and stone.
fn is_hot(colour: Colour) -> bool {
    let Colour { red, green, blue, .. } = colour;
    blue > green.saturating_add(40) && red > green.saturating_add(15)
}

#[test]
fn danger_is_heat_on_the_ground_and_a_haze_in_the_air() -> Result<(), DrawError> {
    let heated = |hot: [u32; 3]| {
        let world = VoxelWorld::new([6, 4, 6], arts(), walled)?;
        Ok::<_, DrawError>(world.with_heat(move |at| if at == hot { 1.0 } else { 0.0 }))
    };
    let cold = VoxelWorld::new([6, 4, 6], arts(), walled)?;
    let [on_ground, in_air, in_wall] = [heated([1, 1, 1])?, heated([4, 2, 1])?, heated([1, 0, 1])?];
    let isometric = |world: &VoxelWorld<'_>| {
        let open = IsometricScenery::new(world).cut(CutAway::FrontX(3));
        Ok::<_, DrawError>(has(&draw(Panel::new(&open))?, is_hot))
    };
    assert_eq!((isometric(&cold)?, isometric(&in_wall)?), (0, 0));
    assert!(isometric(&on_ground)? > 50 && isometric(&in_air)? > 50);
    let layers = |world: &VoxelWorld<'_>, y: u32| {
        let layers = LayerScenery::new(world, y..y + 1)?;
        Ok::<_, DrawError>(has(&draw(Panel::new(&layers))?, is_hot))
    };
    assert_eq!((layers(&cold, 1)?, layers(&on_ground, 2)?), (0, 0));
    assert!(layers(&on_ground, 1)? > 50 && layers(&in_air, 2)? > 50);
    let legend = |world: &VoxelWorld<'_>| IsometricScenery::new(world).terrains_shown(&THEME);
    assert!(legend(&cold).is_empty());
    assert_eq!(legend(&on_ground), [("danger".to_owned(), THEME.heat)]);
    Ok(())
}

#[test]
fn a_wall_hides_a_path_until_it_is_cut() -> Result<(), DrawError> {
    // A wall right before the path, four high.
    let world = VoxelWorld::new([6, 6, 6], arts(), |[x, y, _]| (y == 0 || x == 2).then_some(0))?;
    let states = [[1, 1, 1], [1, 1, 2], [1, 1, 3], [1, 1, 4]].map(state);
    let steps: Vec<(usize, Action)> = states
        .iter()
        .filter_map(|state| Some((IsometricScenery::new(&world).place_of(*state)?, Action::Walk)))
        .collect();
    let is_hidden = |scenery: &IsometricScenery<'_>| {
        let trail = scenery.trail(&steps).expect("a trail");
        trail.legs.iter().any(|leg| leg.hidden)
    };
    assert!(is_hidden(&IsometricScenery::new(&world)));
    assert!(!is_hidden(&IsometricScenery::new(&world).cut(CutAway::Path(&states))));
    assert!(!is_hidden(&IsometricScenery::new(&world).cut(CutAway::Above(1))));
    Ok(())
}

#[test]
fn an_svg_is_well_formed_and_joins_what_is_equal() -> Result<(), DrawError> {
    let world = VoxelWorld::new([64, 2, 64], arts(), |[_, y, _]| (y == 0).then_some(0))?;
    let scenery = IsometricScenery::new(&world);
    let svg = Sheet::new(vec![Panel::new(&scenery)]).draw()?.to_svg()?;
    roxmltree::Document::parse(&svg).expect("well-formed");
    assert!(svg.len() < 40_000, "{}", svg.len());
    Ok(())
}

#[test]
fn a_gif_ends_with_the_still_picture() -> Result<(), DrawError> {
    let world = VoxelWorld::new([6, 4, 6], arts(), walled)?;
    let (scenery, trace) = (IsometricScenery::new(&world), search());
    let sheet = Sheet::new(vec![Panel::new(&scenery).search(&trace)]).world_pixels(200);
    let mut bytes = Vec::new();
    let animation = Animation::new(sheet.clone()).seconds(0.5).frames_per_second(10.0);
    let report = animation.encode(&mut bytes, &mut |_, _| ())?;
    assert!(report.frames > 1);
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).expect("a GIF");
    let palette = decoder.global_palette().expect("a palette").to_vec();
    let width = usize::from(decoder.width());
    let mut screen = vec![[0u8; 3]; width * usize::from(decoder.height())];
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        for (number, index) in frame.buffer.iter().enumerate() {
            if Some(*index) != frame.transparent {
                let x = usize::from(frame.left) + number % usize::from(frame.width);
                let y = usize::from(frame.top) + number / usize::from(frame.width);
                let entry = usize::from(*index) * 3;
                screen[y * width + x].copy_from_slice(&palette[entry..entry + 3]);
            }
        }
    }
    // The palette holds what is frequent exactly; edges may be a shade away.
    let still = sheet.draw()?.to_canvas()?;
    let differ = screen
        .iter()
        .zip(still.rgba().chunks_exact(4))
        .filter(|(one, two)| (0..3).any(|channel| one[channel].abs_diff(two[channel]) > 24));
    assert!(differ.count() < screen.len() / 200);
    Ok(())
}

#[test]
fn a_terminal_stacks_the_layers() -> Result<(), DrawError> {
    let world = VoxelWorld::new([6, 4, 6], arts(), walled)?;
    let layers = LayerScenery::new(&world, 1..3)?.columns(1);
    let states = [[2, 1, 4], [3, 1, 4], [4, 1, 4]].map(state);
    let text = terminal::render(
        &Panel::new(&layers).path_states(states),
        &THEME,
        80,
        terminal::Colours::None,
    )?;
    let wall = "...#..\n";
    let first = format!("y = 1\n{}..S*G.\n{wall}", wall.repeat(4));
    let second = format!("y = 2\n{}......\n{wall}", wall.repeat(4));
    assert_eq!(text, first + &second);
    assert!(matches!(LayerScenery::new(&world, 4..9), Err(DrawError::NoLayers { .. })));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn any_world_and_any_recording(
        size in prop::array::uniform3(1..7u32),
        blocks in prop::collection::vec(prop::option::of(0..5u16), 216),
        states in prop::collection::vec(0..400u32, 0..12),
        longest in 1..200u32,
        cuts in prop::array::uniform3(0..8u32),
    ) {
        let world = VoxelWorld::new(size, arts(), |[x, y, z]| blocks[((y * 6 + z) * 6 + x) as usize])
            .expect("small enough");
        let mut trace = Trace::new();
        for (number, state) in (0..).zip(&states) {
            let kind = [TraceEventKind::Generate, TraceEventKind::Expand, TraceEventKind::Restart][number % 7 % 3];
            trace.events.push(event(kind, *state, 0, number as u64));
        }
        let actions = [Action::Walk, Action::Jump, Action::Fall, Action::Swim, Action::Climb, Action::Fly];
        let steps = || states.iter().zip(actions.iter().cycle()).map(|(state, action)| (*state, *action));
        let isometric = IsometricScenery::new(&world)
            .cut(CutAway::Path(&states))
            .cut(CutAway::Above(cuts[0]))
            .cut(CutAway::FrontX(cuts[1] + 2))
            .cut(CutAway::FrontZ(cuts[2] + 2));
        let whole = IsometricScenery::new(&world).with_sky().with_blocks_explained();
        let layers = LayerScenery::new(&world, 0..9).expect("layers").columns(cuts[0].max(1));
        let sceneries: [&dyn Scenery; 3] = [&isometric, &whole, &layers];
        let panels = sceneries.map(|scenery| Panel::new(scenery).search(&trace).path_steps(steps()));
        for panel in &panels {
            for colours in [terminal::Colours::None, terminal::Colours::Full] {
                terminal::render(panel, &THEME, 40, colours).expect("text");
            }
        }
        let sheet = Sheet::new(panels.to_vec()).world_pixels(longest);
        let picture = sheet.draw().expect("a picture");
        roxmltree::Document::parse(&picture.to_svg().expect("an SVG")).expect("well-formed");
        let animation = Animation::new(sheet).seconds(0.2).frames_per_second(10.0);
        animation.encode(std::io::sink(), &mut |_, _| ()).expect("a GIF");
    }
}
