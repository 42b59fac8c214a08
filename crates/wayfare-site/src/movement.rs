//! The agent's movement in parts that can be changed one by one, by the names that remedies use.

use std::str::FromStr;

use serde::Serialize;
use wayfare::space::voxel::{Abilities, MAX_BODY, MAX_FALL, MAX_JUMP};
use wayfare::space::{CornerRule, GridProfile, Neighbours, VoxelProfile};
use wayfare_scene::scene::{Ability, AgentClass};

use crate::SiteError;

/// One part of an agent's movement.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let mut site = open_bytes("yard.txt", b"S#\n#G\n", &NoFiles, &OpenOptions::default())?;
/// let corners = &site.movement()[1];
/// assert_eq!((corners.name, corners.value.as_str()), ("corners", "both"));
/// assert_eq!(corners.choices, ["both", "one", "always"]);
///
/// let start = site.find("0,0")?;
/// assert!(site.moves_from(start).is_empty());
/// site.adapt("corners=always", start)?;
/// assert_eq!(site.moves_from(start).len(), 1);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct MovementPart {
    /// The name, as in [`Remedy::change`](crate::Remedy::change).
    pub name: &'static str,
    /// The present value; of a list its items, separated by commas.
    pub value: String,
    /// The values that it can have; empty for a number.
    pub choices: Vec<String>,
    /// Whether any number of the choices go together.
    pub is_list: bool,
    /// The range of a number; `None` for a choice.
    pub range: Option<(u16, u16)>,
}

impl MovementPart {
    fn number(name: &'static str, value: u16, range: (u16, u16)) -> Self {
        let value = value.to_string();
        Self { name, value, choices: Vec::new(), is_list: false, range: Some(range) }
    }

    fn choice(name: &'static str, value: &str, choices: &[&str]) -> Self {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        Self { name, value: value.to_owned(), choices, is_list: false, range: None }
    }

    pub(crate) fn list(name: &'static str, value: String, choices: Vec<String>) -> Self {
        Self { name, value, choices, is_list: true, range: None }
    }
}

/// The names of all changes; of the ends of a query no agent knows.
const NAMES: [&str; 15] = [
    "neighbours",
    "corners",
    "width",
    "enter",
    "one-way",
    "abilities",
    "jump-height",
    "jump-distance",
    "max-fall",
    "character-height",
    "opens-doors",
    "endures-lava",
    "keys",
    "open",
    "room",
];

/// A change of the movement, or of what is open to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Change<'t> {
    pub(crate) name: &'static str,
    pub(crate) value: &'t str,
}

impl<'t> Change<'t> {
    /// Returns the changes of a text, separated by spaces. Values may have spaces of their own: a
    /// change reaches to the next word that begins with a name of one.
    pub(crate) fn all(text: &'t str) -> Result<Vec<Self>, SiteError> {
        let mut begun: Vec<(&'static str, usize)> = Vec::new();
        let mut at = 0;
        for word in text.split(' ') {
            let name = word.split('=').next().unwrap_or_default();
            if let Some(known) = NAMES.into_iter().find(|known| *known == name) {
                begun.push((known, at));
            } else if begun.is_empty() {
                let known = NAMES.join(", ");
                return Err(refused(text, &format!("changes begin with one of {known}")));
            }
            at += word.len() + 1;
        }
        let ends = begun.iter().skip(1).map(|(_, at)| at - 1).chain([text.len()]);
        let changes = begun.iter().zip(ends).map(|(&(name, from), to)| {
            let change = text.get(from..to).unwrap_or_default();
            Self { name, value: change.split_once('=').map_or("yes", |(_, value)| value) }
        });
        Ok(changes.collect())
    }

    pub(crate) fn refused(self, problem: &str) -> SiteError {
        refused(&format!("{}={}", self.name, self.value), problem)
    }

    /// Refuses a change that the world has no use for.
    pub(crate) fn foreign(self) -> SiteError {
        self.refused("agents in this world have no such part")
    }

    fn number<N: Copy + FromStr + PartialOrd + std::fmt::Display>(
        self,
        least: N,
        most: N,
    ) -> Result<N, SiteError> {
        let number = self.value.parse().ok().filter(|number| (&least..=&most).contains(&number));
        number.ok_or_else(|| self.refused(&format!("it takes {least} to {most}")))
    }

    fn is_yes(self) -> Result<bool, SiteError> {
        match self.value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.refused("it takes yes or no")),
        }
    }

    /// Changes a walker on a grid. Returns whether this is a change of one.
    pub(crate) fn of_grid(self, profile: &mut GridProfile) -> Result<bool, SiteError> {
        match self.name {
            "neighbours" => {
                profile.neighbours = match self.value {
                    "4" => Neighbours::Four,
                    "8" => Neighbours::Eight,
                    _ => return Err(self.refused("it takes 4 or 8")),
                };
            }
            "corners" => {
                profile.corners = match self.value {
                    "both" => CornerRule::BothFree,
                    "one" => CornerRule::OneFree,
                    "always" => CornerRule::Always,
                    _ => return Err(self.refused("it takes both, one or always")),
                };
            }
            "width" => profile.width = self.number(1, 64)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Changes an agent among blocks. Returns whether this is a change of one.
    pub(crate) fn of_blocks(self, profile: &mut VoxelProfile) -> Result<bool, SiteError> {
        match self.name {
            "abilities" => profile.abilities = self.abilities()?,
            "jump-height" => {
                profile.jump_height = self.number(0, MAX_JUMP)?;
                profile.abilities.jump |= profile.jump_height > 0;
            }
            "jump-distance" => {
                profile.jump_distance = self.number(0, MAX_JUMP)?;
                profile.abilities.jump |= profile.jump_distance > 0;
            }
            "max-fall" => {
                profile.max_fall_distance = self.number(0, MAX_FALL)?;
                profile.abilities.fall |= profile.max_fall_distance > 0;
            }
            "character-height" => profile.height = self.number(1, MAX_BODY)?,
            "width" => profile.width = self.number(1, MAX_BODY)?,
            "opens-doors" => profile.opens_doors = self.is_yes()?,
            "endures-lava" => {
                profile.endures_lava = self.is_yes()?;
                profile.abilities.swim |= profile.endures_lava;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn abilities(self) -> Result<Abilities, SiteError> {
        let mut able = Abilities::NONE;
        for name in self.value.split(',').filter(|name| !name.is_empty()) {
            let ability = match name {
                "walk" => &mut able.walk,
                "jump" => &mut able.jump,
                "fall" => &mut able.fall,
                "swim" => &mut able.swim,
                "climb" => &mut able.climb,
                "fly" => &mut able.fly,
                _ => return Err(self.refused("it takes walk, jump, fall, swim, climb and fly")),
            };
            *ability = true;
        }
        Ok(able)
    }
}

fn refused(change: &str, problem: &str) -> SiteError {
    SiteError::NoChange { change: change.to_owned(), problem: problem.to_owned() }
}

/// Returns the parts of a walker on a grid.
pub(crate) fn of_grid(profile: &GridProfile) -> Vec<MovementPart> {
    let neighbours = match profile.neighbours {
        Neighbours::Four => "4",
        Neighbours::Eight => "8",
    };
    let corners = match profile.corners {
        CornerRule::BothFree => "both",
        CornerRule::OneFree => "one",
        CornerRule::Always => "always",
    };
    vec![
        MovementPart::choice("neighbours", neighbours, &["8", "4"]),
        MovementPart::choice("corners", corners, &["both", "one", "always"]),
        MovementPart::number("width", profile.width.into(), (1, 64)),
    ]
}

/// Returns the parts of an agent among blocks.
pub(crate) fn of_blocks(profile: &VoxelProfile) -> Vec<MovementPart> {
    let able = ability_names(profile.abilities).join(",");
    let all = ability_names(Abilities::ALL).into_iter().map(str::to_owned).collect();
    let (jump, body) = ((0, MAX_JUMP.into()), (1, MAX_BODY.into()));
    let yes = |is: bool| if is { "yes" } else { "no" };
    vec![
        MovementPart::list("abilities", able, all),
        MovementPart::number("jump-height", profile.jump_height.into(), jump),
        MovementPart::number("jump-distance", profile.jump_distance.into(), jump),
        MovementPart::number("max-fall", profile.max_fall_distance, (0, MAX_FALL)),
        MovementPart::number("character-height", profile.height.into(), body),
        MovementPart::number("width", profile.width.into(), body),
        MovementPart::choice("opens-doors", yes(profile.opens_doors), &["yes", "no"]),
        MovementPart::choice("endures-lava", yes(profile.endures_lava), &["no", "yes"]),
    ]
}

/// Returns the names of abilities.
pub(crate) fn ability_names(able: Abilities) -> Vec<&'static str> {
    let all = [
        ("walk", able.walk),
        ("jump", able.jump),
        ("fall", able.fall),
        ("swim", able.swim),
        ("climb", able.climb),
        ("fly", able.fly),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

fn ability_list(able: Abilities) -> Vec<Ability> {
    let all = [
        (Ability::Walk, able.walk),
        (Ability::Jump, able.jump),
        (Ability::Fall, able.fall),
        (Ability::Swim, able.swim),
        (Ability::Climb, able.climb),
        (Ability::Fly, able.fly),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(ability, _)| ability).collect()
}

/// Returns a class of a scene, without a name, whose agents move by these parts, and for the rest
/// as `known` do. It is the default one if they move as agents without a class.
pub(crate) fn class(parts: &[MovementPart], known: Option<&AgentClass>) -> AgentClass {
    let mut class = AgentClass { name: String::new(), ..known.cloned().unwrap_or_default() };
    let usual = [of_grid(&GridProfile::default()), of_blocks(&VoxelProfile::default())].concat();
    for part in parts {
        let is_usual = |usual: &MovementPart| usual.name == part.name && usual.value == part.value;
        if known.is_none() && usual.iter().any(is_usual) {
            continue;
        }
        let change = Change { name: part.name, value: &part.value };
        match part.name {
            "keys" => {
                let keys = part.value.split(',').filter(|key| !key.is_empty());
                class.keys = keys.map(str::to_owned).collect();
            }
            "neighbours" | "corners" => {
                let mut grid = GridProfile::default();
                if change.of_grid(&mut grid).is_ok() {
                    (class.neighbours, class.corners) = match part.name {
                        "corners" => (class.neighbours, Some(grid.corners)),
                        _ => (Some(grid.neighbours), class.corners),
                    };
                }
            }
            "width" => class.width = change.number(1, 64).ok(),
            "abilities" => class.abilities = change.abilities().ok().map(ability_list),
            "jump-height" => class.jump_height = change.number(0, MAX_JUMP).ok(),
            "jump-distance" => class.jump_distance = change.number(0, MAX_JUMP).ok(),
            "max-fall" => class.max_fall = change.number(0, MAX_FALL).ok(),
            "character-height" => class.height = change.number(1, MAX_BODY).ok(),
            "opens-doors" => class.opens_doors = change.is_yes().ok(),
            "endures-lava" => class.endures_lava = change.is_yes().ok(),
            _ => {}
        }
    }
    class
}
