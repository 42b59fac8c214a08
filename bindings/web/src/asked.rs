//! How searches and worlds are asked for.

use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wayfare::search::{NamedHeuristic, Options, Weight};
use wayfare::space::voxel::Abilities;
use wayfare::space::{CornerRule, Neighbours};
use wayfare_site::OpenOptions;
use wayfare_web_values::failure;

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
    pub(crate) class: Option<String>,
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
    let mut able = Abilities::NONE;
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
