//! The shape of a world as typed arrays.

use js_sys::{Array, Float32Array, Uint8Array, Uint16Array, Uint32Array};
use wasm_bindgen::prelude::*;
use wayfare_site::{
    BlockLayout, CellLayout, Layout, LevelLayout, LineKind, PointLayout, PolygonLayout, StageKind,
    StageShape,
};

use wayfare_web_values::{numbers, object, words};

pub(crate) fn of(layout: Layout) -> Result<JsValue, JsError> {
    match layout {
        Layout::Cells(cells) => of_cells(&cells),
        Layout::Points(points) => of_points(&points),
        Layout::Polygons(mesh) => Ok(of_polygons(&mesh)),
        Layout::Blocks(blocks) => of_blocks(&blocks),
    }
}

fn of_cells(cells: &CellLayout) -> Result<JsValue, JsError> {
    Ok(object(&[
        ("kind", "cells".into()),
        ("width", cells.width.into()),
        ("height", cells.height.into()),
        ("first", cells.first.into()),
        ("stride", cells.stride.into()),
        ("ground", Uint8Array::from(&cells.ground[..]).into()),
        ("grounds", words(&cells.grounds)?),
        ("blur", cells.blur.into()),
    ]))
}

fn of_points(points: &PointLayout) -> Result<JsValue, JsError> {
    let outlines = points.outlines.iter().map(|outline| {
        let corners = Float32Array::from(outline.corners.as_flattened());
        let ground = outline.ground.map_or(JsValue::NULL, JsValue::from);
        object(&[("corners", corners.into()), ("ground", ground)])
    });
    Ok(object(&[
        ("kind", "points".into()),
        ("places", Float32Array::from(points.places.as_flattened()).into()),
        ("links", numbers(points.links.as_flattened())),
        ("ground", Uint8Array::from(&points.ground[..]).into()),
        ("grounds", words(&points.grounds)?),
        ("outlines", outlines.collect::<Array>().into()),
    ]))
}

fn of_polygons(mesh: &PolygonLayout) -> JsValue {
    let mut corners = Vec::new();
    let mut ends = Vec::new();
    for polygon in &mesh.polygons {
        corners.extend(polygon);
        ends.push(corners.len() as u32);
    }
    object(&[
        ("kind", "polygons".into()),
        ("vertices", Float32Array::from(mesh.vertices.as_flattened()).into()),
        ("corners", numbers(&corners)),
        ("ends", numbers(&ends)),
        ("areas", Uint8Array::from(&mesh.areas[..]).into()),
        ("level", mesh.level.as_ref().map_or(JsValue::NULL, of_level)),
    ])
}

fn of_level(level: &LevelLayout) -> JsValue {
    object(&[
        ("vertices", Float32Array::from(level.vertices.as_flattened()).into()),
        ("triangles", numbers(level.triangles.as_flattened())),
        ("materials", Uint16Array::from(&level.materials[..]).into()),
        ("colours", Uint8Array::from(level.colours.as_flattened()).into()),
    ])
}

/// A stage of a bake in columns.
pub(crate) fn of_stage(stage: &StageShape) -> JsValue {
    let (mut kinds, mut values) = (Vec::new(), Vec::new());
    for tile in &stage.tiles {
        let (kind, value) = match tile.kind {
            StageKind::Blocked => (0, 0),
            StageKind::Eroded => (1, 0),
            StageKind::Area(number) => (2, u32::from(number)),
            StageKind::Region(number) => (3, number),
        };
        kinds.push(kind);
        values.push(value);
    }
    let corners = stage.tiles.iter().flat_map(|tile| tile.corner.to_array());
    let shares: Vec<f32> = stage.tiles.iter().map(|tile| tile.share).collect();
    let panes = stage.panes.iter().flat_map(|pane| pane.corners).flat_map(|at| at.to_array());
    let polygons: Vec<u32> = stage.panes.iter().map(|pane| pane.polygon).collect();
    let areas: Vec<u8> = stage.panes.iter().map(|pane| pane.area).collect();
    let lines = stage.lines.iter().flat_map(|line| line.ends).flat_map(|at| at.to_array());
    let of_lines = stage.lines.iter().map(|line| match line.kind {
        LineKind::Border => 0,
        LineKind::Inner => 1,
        LineKind::Height => 2,
    });
    let floats = |values: Vec<f32>| JsValue::from(Float32Array::from(&values[..]));
    let bytes = |values: Vec<u8>| JsValue::from(Uint8Array::from(&values[..]));
    object(&[
        ("stage", stage.stage.name().into()),
        ("side", stage.side.into()),
        ("count", (stage.count as f64).into()),
        ("corners", floats(corners.collect())),
        ("kinds", bytes(kinds)),
        ("values", numbers(&values)),
        ("shares", floats(shares)),
        ("panes", floats(panes.collect())),
        ("polygons", numbers(&polygons)),
        ("areas", bytes(areas)),
        ("lines", floats(lines.collect())),
        ("lineKinds", bytes(of_lines.collect())),
    ])
}

fn of_blocks(blocks: &BlockLayout) -> Result<JsValue, JsError> {
    let kind: Vec<u32> = blocks.kind.iter().map(|&kind| u32::from(kind)).collect();
    Ok(object(&[
        ("kind", "blocks".into()),
        ("size", words(&blocks.size)?),
        ("places", numbers(blocks.places.as_flattened())),
        ("kinds", Uint32Array::from(&kind[..]).into()),
        ("grounds", words(&blocks.kinds)?),
        ("isCut", blocks.is_cut.into()),
    ]))
}
