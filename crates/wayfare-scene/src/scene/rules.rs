//! The rules of a scene's keys, and the key path of a value that breaks one.
//!
//! Each type of the schema lists its keys with one rule each in `rules!`. The list is checked by
//! the compiler against the type: a key without a rule, and a rule without a key, do not compile.

use std::collections::BTreeSet;
use std::fmt;

use wayfare_core::link::MOST_DANGER;
use wayfare_formats::inside::{KeyPath, Step};
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::geometry::{MAX_COORDINATE, MIN_SIZE};
use wayfare_grid::waypoint::MAX_COST;

use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::names::Names;

pub(super) type Checked = Result<(), WorldError>;

/// A part of a scene that says itself whether it is sound.
pub trait Rules {
    /// The keys in the file.
    const KEYS: &'static [&'static str] = &[];

    /// Fails at the first key that breaks its rule.
    fn check(&self, at: &At<'_>) -> Checked;
}

/// `Type { key: rule, … } then whole` for a struct, `Type: Variant { key: rule, … }, …` for an
/// enum. A rule is a function of the key path and the value; `whole` is one of the key path and the
/// whole value, called after the rules of all keys.
macro_rules! rules {
    ($type:ident { $($key:ident: $rule:expr),* $(,)? } $(then $whole:expr)?) => {
        impl $crate::scene::rules::Rules for $type {
            const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];

            fn check(&self, at: &At<'_>) -> $crate::scene::rules::Checked {
                let Self { $($key),* } = self;
                $($rule(&at.key(stringify!($key)), $key)?;)*
                $($whole(at, self)?;)?
                Ok(())
            }
        }
    };
    ($type:ident: $($variant:ident { $($key:ident: $rule:expr),* }),* $(,)? $(; then $whole:expr)?) => {
        impl $crate::scene::rules::Rules for $type {
            const KEYS: &'static [&'static str] = &[$($(stringify!($key),)*)*];

            fn check(&self, at: &At<'_>) -> $crate::scene::rules::Checked {
                match self {
                    $(Self::$variant { $($key),* } => {
                        $($rule(&at.key(stringify!($key)), $key)?;)*
                    })*
                }
                $($whole(at, self)?;)?
                Ok(())
            }
        }
    };
}
pub(super) use rules;

/// A position in a scene: a chain of steps on the stack, made into a [`KeyPath`] only for an error.
#[derive(Clone, Copy)]
pub struct At<'p> {
    outer: Option<&'p At<'p>>,
    step: Option<Step>,
    pub(super) names: &'p Names<'p>,
}

impl<'p> At<'p> {
    /// Returns the position of the whole document.
    pub(super) fn root(names: &'p Names<'p>) -> Self {
        Self { outer: None, step: None, names }
    }

    pub(super) fn key(&self, key: &'static str) -> At<'_> {
        At { outer: Some(self), step: Some(Step::Key(key)), ..*self }
    }

    pub(super) fn item(&self, index: usize) -> At<'_> {
        At { outer: Some(self), step: Some(Step::Index(index)), ..*self }
    }

    /// Returns the innermost key.
    pub(super) fn name(&self) -> &'static str {
        match (self.step, self.outer) {
            (Some(Step::Key(key)), _) => key,
            (_, Some(outer)) => outer.name(),
            _ => "scene",
        }
    }

    pub(super) fn path(&self) -> KeyPath {
        let path = self.outer.map_or_else(KeyPath::default, At::path);
        match self.step {
            None => path,
            Some(Step::Key(key)) => path.then(key),
            Some(Step::Index(index)) => path.at(index),
        }
    }

    pub(super) fn error(&self, kind: WorldErrorKind, message: impl Into<String>) -> WorldError {
        WorldError::new(kind, message).about(self.path())
    }

    /// Returns a value outside its range.
    pub(super) fn value(&self, message: impl Into<String>) -> WorldError {
        self.error(WorldErrorKind::Value, message)
    }

    /// Returns a value beyond a limit.
    pub(super) fn limit(&self, message: impl Into<String>) -> WorldError {
        self.error(WorldErrorKind::Limit, message)
    }

    /// Returns a name that refers to nothing. Lists some names that would do.
    pub(super) fn dangling<'n>(
        &self,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> WorldError {
        const SHOWN: usize = 8;
        let mut known: Vec<&str> = known.into_iter().take(SHOWN + 1).collect();
        if known.len() > SHOWN {
            known[SHOWN] = "…";
        }
        self.error(WorldErrorKind::Dangling, format!("there is no {what} '{name}'")).advise(
            match known.as_slice() {
                [] => format!("the scene has no {what}"),
                known => format!("known are {}", known.join(", ")),
            },
        )
    }
}

/// The values under a key: one, at most one, or a fixed count.
pub(super) trait Values<T> {
    fn values(&self) -> &[T];
}

impl<T> Values<T> for T {
    fn values(&self) -> &[T] {
        std::slice::from_ref(self)
    }
}

impl<T> Values<T> for Option<T> {
    fn values(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T, const N: usize> Values<T> for [T; N] {
    fn values(&self) -> &[T] {
        self
    }
}

impl<T: Rules> Rules for Option<T> {
    fn check(&self, at: &At<'_>) -> Checked {
        self.as_ref().map_or(Ok(()), |value| value.check(at))
    }
}

impl<T: Rules> Rules for Vec<T> {
    fn check(&self, at: &At<'_>) -> Checked {
        if self.len() > MAX_SCENE_ITEMS {
            let (count, key) = (self.len(), at.name());
            return Err(at.limit(format!(
                "there are {count} {key}, but a scene holds at most {MAX_SCENE_ITEMS}"
            )));
        }
        each(at, self, |at, item| item.check(at))
    }
}

/// Accepts any value, or leaves the rule to the whole.
pub(super) fn any<T>(_: &At<'_>, _: &T) -> Checked {
    Ok(())
}

/// Checks a table, or a list of tables, with rules of its own.
pub(super) fn table(at: &At<'_>, value: &impl Rules) -> Checked {
    value.check(at)
}

/// Checks a list with one rule for all its items.
pub(super) fn each<T>(at: &At<'_>, list: &[T], rule: impl Fn(&At<'_>, &T) -> Checked) -> Checked {
    list.iter().enumerate().try_for_each(|(index, item)| rule(&at.item(index), item))
}

fn must<T: fmt::Display + Copy>(
    at: &At<'_>,
    values: &[T],
    holds: impl Fn(T) -> bool,
    kind: WorldErrorKind,
    rule: fmt::Arguments<'_>,
) -> Checked {
    match values.iter().find(|value| !holds(**value)) {
        None => Ok(()),
        Some(value) => {
            Err(at.error(kind, format!("'{}' holds {value}, but must {rule}", at.name())))
        }
    }
}

fn finite_within(at: &At<'_>, values: &[f32], most: f32) -> Checked {
    must(at, values, f32::is_finite, WorldErrorKind::Value, format_args!("be finite"))?;
    let within = |value: f32| value.abs() <= most;
    must(at, values, within, WorldErrorKind::Limit, format_args!("lie within ±{most}"))
}

/// Checks coordinates and lengths against the engine's range.
pub(super) fn coordinate(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    finite_within(at, value.values(), MAX_COORDINATE)
}

/// Checks a cost in metres walked, possibly negative.
pub(super) fn cost(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    finite_within(at, value.values(), MAX_COST)
}

/// Checks a cost of 0 or more.
pub(super) fn price(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    not_negative(at, value)?;
    cost(at, value)
}

pub(super) fn not_negative(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    coordinate(at, value)?;
    let holds = |value| value >= 0.0;
    must(at, value.values(), holds, WorldErrorKind::Value, format_args!("not be negative"))
}

pub(super) fn positive(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    coordinate(at, value)?;
    let holds = |value| value > 0.0;
    must(at, value.values(), holds, WorldErrorKind::Value, format_args!("be greater than 0"))
}

/// Checks the size of a solid.
pub(super) fn size(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    positive(at, value)?;
    let holds = |value| value >= MIN_SIZE;
    let rule = format_args!("be at least {MIN_SIZE}");
    must(at, value.values(), holds, WorldErrorKind::Limit, rule)
}

/// Checks that a value is from `least` to `most`.
pub(super) fn within<T: PartialOrd + fmt::Display + Copy>(
    at: &At<'_>,
    value: &impl Values<T>,
    least: T,
    most: T,
) -> Checked {
    // Only NaN differs from itself.
    let number = |value: T| value.partial_cmp(&value).is_some();
    must(at, value.values(), number, WorldErrorKind::Value, format_args!("be finite"))?;
    let holds = |value| (least..=most).contains(&value);
    must(at, value.values(), holds, WorldErrorKind::Value, format_args!("be {least} to {most}"))
}

/// Checks a danger, in metres walked.
pub(super) fn danger(at: &At<'_>, value: &impl Values<f32>) -> Checked {
    within(at, value, 0.0, MOST_DANGER)
}

pub(super) fn at_least_one(at: &At<'_>, value: &impl Values<u32>) -> Checked {
    let holds = |value| value >= 1;
    must(at, value.values(), holds, WorldErrorKind::Value, format_args!("be at least 1"))
}

/// Checks a text that is not empty. That it is unique is [`Names`]' to say.
pub(super) fn name(at: &At<'_>, value: &impl Values<String>) -> Checked {
    match value.values().iter().all(|name| !name.trim().is_empty()) {
        true => Ok(()),
        false => Err(at.value(format!("'{}' must not be empty", at.name()))),
    }
}

/// Checks a name that `known` has.
fn reference(
    at: &At<'_>,
    value: &impl Values<String>,
    what: &str,
    known: &BTreeSet<&str>,
) -> Checked {
    match value.values().iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(at.dangling(what, name, known.iter().copied())),
    }
}

/// Checks the name of a terrain.
pub(super) fn terrain(at: &At<'_>, value: &impl Values<String>) -> Checked {
    let hint = |error: WorldError| match at.names.terrains.is_empty() {
        true => error.advise("add it under [[terrains]]"),
        false => error,
    };
    reference(at, value, "terrain", &at.names.terrains).map_err(hint)
}

/// Checks the id of a waypoint that is written out.
pub(super) fn waypoint(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "waypoint", &at.names.waypoints)
}

/// Checks the name of a class.
pub(super) fn class(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "class", &at.names.classes)
}

/// Checks the name of a team that some agent begins on.
pub(super) fn team(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "team", &at.names.teams)
}

/// Checks the name of a navigation link.
pub(super) fn nav_link(at: &At<'_>, value: &impl Values<String>) -> Checked {
    if at.names.has_map { Ok(()) } else { reference(at, value, "link", &at.names.links) }
}

/// Checks the name of a puzzle of the scene.
pub(super) fn puzzle(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "puzzle", &at.names.puzzles)
}

/// Checks a key that some class carries.
pub(super) fn carried_key(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "class that carries the key", &at.names.keys)
}

/// Checks the id of a block.
pub(super) fn block(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "block", &at.names.blocks)
}

/// Checks the name of a group.
pub(super) fn group(at: &At<'_>, value: &impl Values<String>) -> Checked {
    reference(at, value, "group", &at.names.groups)
}

/// Checks the name of an agent or a team. The name of a crowd does not count.
pub(super) fn agent_or_team(at: &At<'_>, value: &impl Values<String>) -> Checked {
    let Names { agents, teams, .. } = at.names;
    any_of(at, value, "agent or team", &[agents, teams])
}

/// Checks the name of an agent, a team or a group.
pub(super) fn agent_team_or_group(at: &At<'_>, value: &impl Values<String>) -> Checked {
    let Names { agents, teams, groups, .. } = at.names;
    any_of(at, value, "agent, team or group", &[agents, teams, groups])
}

/// Checks the name of an agent, a crowd or a team.
pub(super) fn agent_crowd_or_team(at: &At<'_>, value: &impl Values<String>) -> Checked {
    let Names { agents, crowds, teams, .. } = at.names;
    any_of(at, value, "agent, crowd or team", &[agents, crowds, teams])
}

/// Checks a name that one of several lists has.
fn any_of(
    at: &At<'_>,
    value: &impl Values<String>,
    what: &str,
    known: &[&BTreeSet<&str>],
) -> Checked {
    let is_known = |name: &str| known.iter().any(|names| names.contains(name));
    match value.values().iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(at.dangling(what, name, known.iter().copied().flatten().copied())),
    }
}

/// Checks a file in or below the folder of the scene. Names no other, so that a scene from
/// elsewhere cannot read files from anywhere.
pub(super) fn file_beside(at: &At<'_>, value: &impl Values<String>) -> Checked {
    let beside = |file: &&String| {
        let mut parts = std::path::Path::new(file.as_str()).components();
        !file.is_empty()
            && !file.contains('\\')
            && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
    };
    match value.values().iter().find(|file| !beside(file)) {
        None => Ok(()),
        Some(file) => Err(at
            .value(format!("the {} '{file}' is not in the folder of the scene", at.name()))
            .advise("name a file beside the scene or in a folder below, with / between folders")),
    }
}
