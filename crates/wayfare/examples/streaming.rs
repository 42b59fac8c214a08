//! A road that grows while a cart drives along it: tiles are loaded around the cart alone.
//!
//! ```text
//! cargo run -p wayfare --example streaming
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints what happens")]

use glam::Vec3;
use wayfare::agent::Order;
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{
    AgentSpec, Command, MeshEdit, MeshGround, MeshWorld, Simulation, Trouble,
};
use wayfare_bake::{
    BakeError, BakeSettings, BakedTile, LevelGeometry, TileId, TileSet, TiledLevel, Tiling,
    WalkerShape,
};

/// A piece of floor, 4 m wide.
fn floor(from: f32, to: f32) -> Result<LevelGeometry, BakeError> {
    let corners = [[from, 0.0, 0.0], [from, 0.0, 4.0], [to, 0.0, 4.0], [to, 0.0, 0.0]];
    LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The box has room for all that the road may become.
    let walker = WalkerShape::default();
    let settings = BakeSettings { tile_side: Some(40), ..BakeSettings::new(walker) };
    let tiling = Tiling::over([[0.0, -5.0, 0.0].into(), [500.0, 20.0, 4.0].into()], settings)?;
    let (mut level, mut loaded) = (TiledLevel::new(tiling), TileSet::new(tiling));
    level.insert(floor(0.0, 40.0)?)?;
    let (start, goal) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(78.0, 0.0, 2.0));
    for tile in tiling.around(start, 20.0) {
        loaded.insert(level.bake(tile)?)?;
    }
    let world = MeshWorld::new(loaded.polygons().nav_mesh()?);
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), Default::default())?;
    let class = simulation.add_class(Default::default(), Keys::NONE)?;
    let cart = simulation.add_agent(AgentSpec::new("cart", class, start))?;
    simulation.order(cart, Order::GoTo(goal));
    let mut aim = goal;
    for tick in 0..2_000 {
        simulation.tick();
        let view = simulation.agent(cart).ok_or("the cart is gone")?;
        let at = view.position();
        if let Some(Trouble::NoWay(reason)) = view.trouble().filter(|_| aim == goal) {
            println!("tick {tick}: {reason}");
        }
        // The goal is not loaded yet: the cart goes to the nearest place that is.
        let nearest = simulation.world().mesh().space().nearest_point(goal, 1000.0);
        if let Some(place) = nearest.map(|found| found.place).filter(|place| *place != aim) {
            aim = place;
            simulation.order(cart, Order::GoTo(aim));
        }
        let mut stale = Vec::new();
        if tick == 300 {
            stale = level.insert(floor(40.0, 80.0)?)?.tiles; // the road is built on
        }
        let wanted = tiling.around(at, 20.0);
        let ids = loaded.tiles().map(BakedTile::id);
        let gone: Vec<TileId> = ids.filter(|id| !wanted.contains(id)).collect();
        let is_new = |id: &TileId| loaded.tile(*id).is_none() || stale.contains(id);
        let new: Vec<TileId> = wanted.into_iter().filter(is_new).collect();
        if !gone.is_empty() || !new.is_empty() {
            gone.into_iter().for_each(|id| drop(loaded.remove(id)));
            for id in new {
                loaded.insert(level.bake(id)?)?;
            }
            let ground = MeshGround::new(loaded.polygons().nav_mesh()?);
            simulation.schedule(0, Command::Edit(MeshEdit::Ground(ground)));
            println!("tick {tick}: {} tiles around {:.1} m", loaded.len(), at.x);
        }
        if at.distance(goal) < 0.5 {
            println!("tick {tick}: arrived");
            return Ok(());
        }
    }
    Err("the cart has not arrived".into())
}
