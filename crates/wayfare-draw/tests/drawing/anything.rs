//! Whatever a recording says, and wherever points lie: no panic.

use crate::common::{Node, world};
use glam::Vec2;
use proptest::prelude::*;
use wayfare_core::trace::{Side, Trace, TraceEvent, TraceEventKind};
use wayfare_draw::{
    Animation, Footprint, LinkArt, Panel, Scenery, Sheet, Theme, WaypointScenery, terminal,
};

fn kind() -> impl Strategy<Value = TraceEventKind> {
    prop::sample::select(vec![
        TraceEventKind::Generate,
        TraceEventKind::Relax,
        TraceEventKind::Expand,
        TraceEventKind::Reopen,
        TraceEventKind::Goal,
        TraceEventKind::Restart,
    ])
}

fn trace() -> impl Strategy<Value = Trace<Node, u64>> {
    let state = || prop_oneof![9 => 0..20u32, 1 => any::<u32>()];
    let side = prop::sample::select(vec![Side::Forward, Side::Backward]);
    let event = (kind(), side, state(), state(), any::<u64>()).prop_map(
        |(kind, side, state, parent, g)| TraceEvent {
            kind,
            side,
            state: Node(state),
            parent: Node(parent),
            g: g >> 17,
            h: 0,
        },
    );
    prop::collection::vec(event, 0..60).prop_map(|events| Trace { events })
}

fn point() -> impl Strategy<Value = Vec2> {
    let number = || prop_oneof![8 => -50.0..50.0f32, 1 => any::<f32>(), 1 => Just(1e30f32), 1 => Just(0.0f32)];
    (number(), number()).prop_map(|(x, y)| Vec2::new(x, y))
}

fn draw(scenery: &dyn Scenery, trace: &Trace<Node, u64>, path: &[Vec2], stop: usize) {
    let theme = Theme::LIGHT;
    let panel = Panel::new(scenery)
        .title("any")
        .search(trace)
        .path_points(path.iter().copied())
        .until_event(stop);
    for colours in [terminal::Colours::None, terminal::Colours::Full] {
        let _ = terminal::render(&panel, &theme, 30, colours);
    }
    let sheet = Sheet::new(vec![panel]).theme(theme).world_pixels(60);
    if let Ok(picture) = sheet.draw() {
        let svg = picture.to_svg().expect("an SVG");
        roxmltree::Document::parse(&svg).expect("well-formed");
        picture.to_canvas().expect("pixels");
    }
    let animation = Animation::new(sheet).seconds(0.3).frames_per_second(10.0);
    let _ = animation.encode(std::io::sink(), &mut |_, _| ());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn any_recording_on_a_grid(
        trace in trace(),
        path in prop::collection::vec(point(), 0..6),
        stop in 0..70usize,
    ) {
        draw(&world(&Theme::LIGHT), &trace, &path, stop);
    }

    #[test]
    fn any_recording_on_waypoints(
        trace in trace(),
        points in prop::collection::vec(point(), 0..20),
        path in prop::collection::vec(point(), 0..6),
        links in prop::collection::vec((0..20u32, 0..20u32, any::<bool>()), 0..20),
        corners in prop::collection::vec(point(), 0..6),
        radius in any::<f32>(),
        stop in 0..70usize,
    ) {
        let links = links
            .into_iter()
            .filter(|(from, to, _)| (*from.max(to) as usize) < points.len())
            .map(|(from, to, one_way)| LinkArt { from, to, one_way })
            .collect();
        let obstacles = vec![
            Footprint::Disc { centre: corners.first().copied().unwrap_or_default(), radius },
            Footprint::Polygon(corners),
        ];
        if let Ok(scenery) = WaypointScenery::new(points, links) {
            let scenery = scenery.with_names(["a", "b"]).with_costs([1.0, f32::NAN]);
            draw(&scenery, &trace, &path, stop);
            if let Ok(scenery) = scenery.with_obstacles(obstacles) {
                draw(&scenery, &trace, &path, stop);
            }
        }
    }
}
