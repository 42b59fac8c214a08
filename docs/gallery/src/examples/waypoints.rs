//! # Waypoints
//!
//! Points placed by hand and the links between them; the mill costs two to enter.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::space::NegativeCosts;
use wayfare_draw::{Panel, WaypointScenery};

use crate::shared::{Drawn, Result};

pub(super) fn draw() -> Result {
    let places = [
        ("gate", 0, 4),
        ("mill", 6, 4),
        ("ford", 5, 9),
        ("well", 10, 8),
        ("tower", 13, 3),
        ("hut", 7, 0),
    ];
    let waypoints = places.map(|(name, x, z)| Waypoint {
        name: Some(name.into()),
        cost: if name == "mill" { 2.0 } else { 0.0 },
        ..Waypoint::at(Vec3::new(x as f32, 0.0, z as f32))
    });
    let joined = [(0, 1), (1, 4), (0, 2), (2, 3), (3, 4), (0, 5), (5, 4), (1, 3)];
    let links = joined.map(|(from, to)| WaypointLink::new(WaypointId(from), WaypointId(to)));
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::default())?;

    let [gate, tower] = ["gate", "tower"].map(|name| graph.find(name));
    let query = Query::new(gate.ok_or("no gate")?, tower.ok_or("no tower")?);
    let path = solve(&graph, &AStar::new(), query).outcome.into_path();

    let scenery = WaypointScenery::of_graph(&graph)?;
    let panel = Panel::new(&scenery).title("From the gate to the tower").path(&graph, &path);
    let names: Vec<_> = path.states().filter_map(|state| graph.name(state)).collect();
    Ok(Drawn::new(panel.draw()?, names.join(", ")))
}
