//! Worlds from a seed.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wayfare_formats::{obj, voxel_text};
use wayfare_generate::{Generated, Kinds, Seed, Settings, WorldDraft};
use wayfare_scene::{World, scene};
use wayfare_site::{OpenOptions, Site, VoxelSite, build};

use wayfare_web_values::failure;

/// A kind of world.
#[derive(Serialize)]
pub(crate) struct KindInfo {
    name: &'static str,
    about: &'static str,
    parameters: Vec<ParameterInfo>,
}

#[derive(Serialize)]
struct ParameterInfo {
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    least: f32,
    most: f32,
}

pub(crate) fn kinds() -> Vec<KindInfo> {
    let kinds = Kinds::standard();
    let of = |kind: &dyn wayfare_generate::Scenario| KindInfo {
        name: kind.name(),
        about: kind.about(),
        parameters: kind
            .parameters()
            .iter()
            .map(|parameter| ParameterInfo {
                name: parameter.name,
                about: parameter.about,
                unit: parameter.unit,
                least: parameter.limits.low,
                most: parameter.limits.high,
            })
            .collect(),
    };
    kinds.iter().map(of).collect()
}

fn seed_of(seed: f64) -> Result<Seed, JsError> {
    /// The largest whole number that JavaScript holds.
    const MOST: f64 = 9_007_199_254_740_991.0;
    if !(0.0..=MOST).contains(&seed) || seed.fract() != 0.0 {
        return Err(JsError::new("a seed is a whole number, 0 to 9007199254740991"));
    }
    Ok(Seed(seed as u64))
}

/// Generates a world.
pub(crate) fn made(kind: &str, seed: f64, settings: &str) -> Result<Generated, JsError> {
    let seed = seed_of(seed)?;
    let kinds = Kinds::standard();
    let scenario = kinds.get(kind).map_err(failure)?;
    let settings = Settings::read_for(settings, &kinds, &[kind]).map_err(failure)?;
    wayfare_generate::generate(scenario, &settings, seed).map_err(failure)
}

/// The same kind of world with the same values, and so as large, by other random numbers.
pub(crate) fn reseeded(made: &Generated, seed: f64) -> Result<Generated, JsError> {
    made.reseeded(seed_of(seed)?, &Kinds::standard()).map_err(failure)
}

/// The name of the file of a world.
fn name(made: &Generated) -> String {
    let extension = match &made.draft {
        WorldDraft::Blocks(_) => ".voxels",
        WorldDraft::Level(_) => ".obj",
        _ => "",
    };
    format!("{}-{}{extension}", made.kind, made.seed.0)
}

/// The file of a world of blocks or triangles by its name, as text.
pub(crate) fn file(made: &Generated) -> Result<Option<(String, String)>, JsError> {
    let text = match &made.draft {
        WorldDraft::Blocks(blocks) => voxel_text::write(&blocks.scene).map_err(failure)?,
        WorldDraft::Level(level) => obj::write(&level.mesh),
        _ => return Ok(None),
    };
    Ok(Some((name(made), text)))
}

/// The world, and its scene as text where it has puzzles: agents solve them.
///
/// A world of blocks is searched for the agent that gets through it: a file of blocks names none,
/// and the default agent jumps no gaps.
pub(crate) fn world(made: &Generated) -> Result<(Box<dyn Site>, Option<String>), JsError> {
    let name = name(made);
    if let WorldDraft::Blocks(blocks) = &made.draft {
        blocks.scene.check_extent(None).map_err(failure)?;
        let site = VoxelSite::new(name.as_ref(), &blocks.scene, blocks.profile.clone());
        return Ok((Box::new(site.map_err(failure)?), None));
    }
    let document = made.document(&name).map_err(failure)?;
    let scene = match &document {
        World::Scene(scene) if !scene.puzzles.is_empty() => {
            Some(scene::write(scene).map_err(failure)?)
        }
        _ => None,
    };
    let world = match made.map(&name).map_err(failure)? {
        Some(map) if scene.is_none() => map,
        _ => document,
    };
    let site = build(name.as_ref(), world, &OpenOptions::default()).map_err(failure)?;
    Ok((site, scene))
}
