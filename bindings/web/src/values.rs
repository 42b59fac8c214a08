//! Values on their way from and to JavaScript.

use js_sys::{Array, Float64Array, JSON, Object, Reflect, Uint8Array, Uint32Array};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wayfare::search::{NamedHeuristic, Options, Weight};
use wayfare::space::voxel::Abilities;
use wayfare::space::{CornerRule, Neighbours};
use wayfare_site::{MemoryFiles, OpenOptions};

/// How a search is asked for; missing fields have their defaults.
#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) algorithm: String,
    heuristic: String,
    weight: f32,
    ignore_own_costs: bool,
    pub(crate) max_expansions: Option<u64>,
    pub(crate) approach: bool,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            algorithm: "astar".to_owned(),
            heuristic: "natural".to_owned(),
            weight: 1.5,
            ignore_own_costs: false,
            max_expansions: None,
            approach: false,
        }
    }
}

impl Asked {
    pub(crate) fn options(&self) -> Result<Options, JsError> {
        let named = NamedHeuristic::ALL.into_iter().find(|(name, _)| *name == self.heuristic);
        let Some((_, heuristic)) = named else {
            let known: Vec<&str> = NamedHeuristic::ALL.iter().map(|(name, _)| *name).collect();
            let (name, known) = (&self.heuristic, known.join(", "));
            let problem = format!("there is no heuristic \"{name}\"; there are: {known}");
            return Err(JsError::new(&problem));
        };
        let weight = Weight::new(self.weight).map_err(failure)?;
        Ok(Options { heuristic, weight, ignore_own_costs: self.ignore_own_costs })
    }
}

/// The agent that moves in a world; missing fields are as usual for the kind of world.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct OpenAs {
    neighbours: Option<u8>,
    corners: Option<String>,
    width: Option<u8>,
    height: Option<u8>,
    abilities: Option<Vec<String>>,
    jump_height: Option<u8>,
    jump_distance: Option<u8>,
    max_fall: Option<u16>,
}

impl TryFrom<OpenAs> for OpenOptions {
    type Error = JsError;

    fn try_from(asked: OpenAs) -> Result<Self, JsError> {
        let neighbours = match asked.neighbours {
            None => None,
            Some(4) => Some(Neighbours::Four),
            Some(8) => Some(Neighbours::Eight),
            Some(_) => return Err(JsError::new("neighbours are 4 or 8")),
        };
        let corners = match asked.corners.as_deref() {
            None => None,
            Some("both") => Some(CornerRule::BothFree),
            Some("one") => Some(CornerRule::OneFree),
            Some("always") => Some(CornerRule::Always),
            Some(_) => return Err(JsError::new("corners are \"both\", \"one\" or \"always\"")),
        };
        Ok(Self {
            neighbours,
            corners,
            width: asked.width,
            height: asked.height,
            abilities: asked.abilities.map(abilities).transpose()?,
            jump_height: asked.jump_height,
            jump_distance: asked.jump_distance,
            max_fall: asked.max_fall,
            ..Self::default()
        })
    }
}

fn abilities(names: Vec<String>) -> Result<Abilities, JsError> {
    let mut able = Abilities::default();
    for name in names {
        let ability = match name.as_str() {
            "walk" => &mut able.walk,
            "jump" => &mut able.jump,
            "fall" => &mut able.fall,
            "swim" => &mut able.swim,
            "climb" => &mut able.climb,
            "fly" => &mut able.fly,
            _ => return Err(JsError::new(&format!("there is no ability \"{name}\""))),
        };
        *ability = true;
    }
    Ok(able)
}

/// An error of the engine as one of JavaScript, with all its causes.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn failure(error: impl std::error::Error) -> JsError {
    JsError::new(&error.to_string())
}

/// Reads an object; a missing one is empty.
pub(crate) fn parse<T: DeserializeOwned + Default>(value: &JsValue) -> Result<T, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    let text = JSON::stringify(value).ok().and_then(|text| text.as_string());
    let text = text.ok_or_else(|| JsError::new("options are a plain object"))?;
    serde_json::from_str(&text).map_err(failure)
}

/// A short value as a plain object.
pub(crate) fn words(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value).map_err(failure)?;
    JSON::parse(&text).map_err(|_| JsError::new("a value that JSON does not hold"))
}

/// The files of an object, by their names.
pub(crate) fn beside(files: Option<Object>) -> MemoryFiles {
    let mut beside = MemoryFiles::new();
    for entry in files.iter().flat_map(Object::entries) {
        let entry = Array::from(&entry);
        let name = entry.get(0).as_string().unwrap_or_default();
        beside = beside.with(name, Uint8Array::new(&entry.get(1)).to_vec());
    }
    beside
}

/// An object of these fields.
pub(crate) fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a new, plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

pub(crate) fn numbers(values: &[u32]) -> JsValue {
    Uint32Array::from(values).into()
}

pub(crate) fn costs(values: &[f64]) -> JsValue {
    Float64Array::from(values).into()
}

pub(crate) fn strings<'t>(values: impl Iterator<Item = &'t str>) -> JsValue {
    values.map(JsValue::from_str).collect::<Array>().into()
}
