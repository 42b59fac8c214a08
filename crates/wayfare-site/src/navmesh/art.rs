//! Pictures of meshes: the mesh alone from above, or a level with the mesh on it.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use wayfare::space::PolygonId;
use wayfare::space::navmesh::{AreaId, NavMesh};
use wayfare_draw::{
    Colour, DrawError, LevelArt, LevelScenery, MeshScenery, PolygonArt, Scenery, Theme,
};
use wayfare_formats::Terrain;

use super::{MeshScene, MeshSite, level_layout};
use crate::{Level, LevelLayout, Site, View};

/// Returns the mesh of a site, on its level where there is one and no layers are asked for.
pub(super) fn scenery<'s>(
    site: &'s MeshSite,
    theme: &Theme,
    view: &View<'_>,
) -> Result<Box<dyn Scenery + 's>, DrawError> {
    if let Some(scene) = &site.scene
        && let Some(level) = &site.level
        && !view.layers
    {
        return Ok(Box::new(LevelScenery::new(level_art(site, theme, scene, level))?));
    }
    let mesh = site.mesh();
    let flat = |place: Vec3| Vec2::new(place.x, place.z);
    let heights = mesh.vertices().iter().map(|place| place.y);
    let (low, high) = heights
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    let space = site.world.space();
    let home = largest_island(site);
    let art = |polygon: PolygonId| {
        let area = mesh.area(polygon);
        let ground = match area {
            AreaId::WALKABLE => theme.floor,
            AreaId(number) => theme.numbered_terrain(number),
        };
        // Higher floors are lighter; small islands are dimmed.
        let height = (mesh.middle(polygon).y - low) / (high - low).max(f32::MIN_POSITIVE);
        let lit = ground.mix(theme.text, 0.22 * height.clamp(0.0, 1.0));
        let is_home = space.component(polygon) == home;
        let colour = if is_home { lit } else { lit.mix(theme.wall, 0.45) };
        PolygonArt { outline: mesh.outline(polygon).map(flat).collect(), colour }
    };
    let polygons: Vec<PolygonArt> = mesh.polygons().map(art).collect();
    let numbers: Vec<PolygonId> = mesh.polygons().collect();
    let mut order: Vec<u32> = (0..mesh.len() as u32).collect();
    let lowest = |polygon: &u32| {
        let polygon = numbers[*polygon as usize];
        mesh.outline(polygon).map(|place| place.y).fold(f32::INFINITY, f32::min)
    };
    order.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)).then(a.cmp(b)));
    let borders = borders(mesh).into_iter().map(|ends| ends.map(flat)).collect();
    let mut areas: Vec<AreaId> = mesh.polygons().map(|polygon| mesh.area(polygon)).collect();
    areas.sort_unstable();
    areas.dedup();
    let legend = areas.iter().filter(|area| **area != AreaId::WALKABLE);
    let legend = legend.map(|area| (area.to_string(), theme.numbered_terrain(area.0)));
    let points = site.world.point_states().map(|state| flat(site.position(state)));
    let scenery = MeshScenery::new(polygons, points.collect())?;
    let legend = legend.collect();
    let arcs = site.passages.arcs(&space);
    let scenery = scenery.in_order(order).with_borders(borders).with_legend(legend);
    Ok(Box::new(scenery.with_links(arcs)?))
}

fn of_terrain(terrain: &Terrain) -> Colour {
    let [red, green, blue] = terrain.color;
    Colour { red, green, blue, alpha: 255 }
}

/// Returns the level with the mesh on it.
fn level_art(site: &MeshSite, theme: &Theme, scene: &MeshScene, level: &Level) -> LevelArt {
    let LevelLayout { vertices, triangles, materials, colours } = level_layout(level);
    let corner = |at: &u32| Vec3::from(vertices[*at as usize]);
    let solids = triangles.iter().zip(&materials).map(|(corners, &material)| {
        let [red, green, blue] = colours[usize::from(material)];
        (corners.each_ref().map(corner), Colour { red, green, blue, alpha: 255 })
    });
    let mesh = site.mesh();
    let pane = theme.text.with_alpha(16);
    let polygons = mesh.polygons().map(|polygon| (mesh.outline(polygon).collect(), pane));
    let points = site.world.point_states().map(|state| site.position(state));
    let walkable = scene.scene.terrains.iter();
    let legend = walkable.map(|terrain| (terrain.name.clone(), of_terrain(terrain))).collect();
    LevelArt {
        solids: solids.collect(),
        polygons: polygons.collect(),
        points: points.collect(),
        borders: borders(mesh),
        links: site.passages.arcs(&site.world.space()),
        storeys: scene.settings.storeys.clone(),
        legend,
    }
}

/// Returns the island with the most polygons.
fn largest_island(site: &MeshSite) -> u32 {
    let mut sizes = BTreeMap::new();
    site.for_each_free(&mut |free| *sizes.entry(free.region).or_insert(0_u32) += 1);
    let most = sizes.iter().max_by_key(|(island, size)| (**size, std::cmp::Reverse(**island)));
    most.map_or(0, |(island, _)| *island)
}

/// Returns the edges beyond which there is no polygon.
fn borders(mesh: &NavMesh) -> Vec<[Vec3; 2]> {
    let mut borders = Vec::new();
    for polygon in mesh.polygons() {
        let outline: Vec<Vec3> = mesh.outline(polygon).collect();
        for (index, next) in mesh.neighbours(polygon).enumerate() {
            if next.is_none() {
                borders.push([outline[index], outline[(index + 1) % outline.len()]]);
            }
        }
    }
    borders
}
