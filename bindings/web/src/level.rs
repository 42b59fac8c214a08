//! Levels of triangles: the bake, its stages, and the same level baked otherwise.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wayfare_site::{BakeStage, Level, LevelBake, WalkerShape};
use wayfare_web_values::{failure, strings, words};

use crate::{World, shape};

/// The most tiles of a stage that go across.
const MOST_TILES: usize = 1_500_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BakeAbout {
    radius: f32,
    height: f32,
    step: f32,
    slope: f32,
    cell_size: f32,
}

#[wasm_bindgen]
impl World {
    /// How the mesh was baked from a level of triangles; `null` where it was not.
    #[wasm_bindgen(unchecked_return_type = "BakeAbout | null")]
    pub fn bake(&self) -> Result<JsValue, JsError> {
        let Some(level) = self.site.level() else { return Ok(JsValue::NULL) };
        let WalkerShape { radius, height, step, slope } = level.bake().walker;
        let cell_size = level.cell_size().map_err(failure)?;
        words(&BakeAbout { radius, height, step, slope, cell_size })
    }

    /// The same level baked for another body: radius, height and step in metres, slope in degrees,
    /// and the side of a cell in metres, by default half the radius.
    pub fn rebaked(
        &self,
        radius: f32,
        height: f32,
        step: f32,
        slope: f32,
        cell_size: Option<f32>,
    ) -> Result<World, JsError> {
        let walker = WalkerShape { radius, height, step, slope };
        let site = self.level()?.baked(LevelBake { walker, cell_size }).map_err(failure)?;
        Ok(World {
            own: self.own.clone(),
            class: self.class.clone(),
            made: self.made.clone(),
            ..World::of(Box::new(site))
        })
    }

    /// What a stage of the bake makes of the level: one of `bakeStages`.
    #[wasm_bindgen(js_name = bakeStage, unchecked_return_type = "StageShape")]
    pub fn bake_stage(&self, stage: &str) -> Result<JsValue, JsError> {
        let stage: BakeStage = stage.parse().map_err(|text: String| JsError::new(&text))?;
        let stage = self.level()?.stage(stage).map_err(failure)?;
        if stage.tiles.len() > MOST_TILES {
            let problem = format!(
                "the stage has {} tiles, too many to be shown: larger cells make fewer",
                wayfare_site::numbers::grouped(stage.tiles.len() as u64)
            );
            return Err(JsError::new(&problem));
        }
        Ok(shape::of_stage(&stage))
    }
}

impl World {
    fn level(&self) -> Result<&Level, JsError> {
        let none = || JsError::new("the world was not baked from a level of triangles");
        self.site.level().ok_or_else(none)
    }
}

/// The names of the stages of a bake, in order.
#[wasm_bindgen(js_name = bakeStages, unchecked_return_type = "string[]")]
pub fn bake_stages() -> JsValue {
    strings(BakeStage::ALL.iter().map(|stage| stage.name()))
}
