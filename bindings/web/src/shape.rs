//! The shape of a world as typed arrays.

use js_sys::{Array, Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use wayfare_site::{BlockLayout, CellLayout, Layout, PointLayout, PolygonLayout};

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
