//! Values that are chosen by name.

use std::ffi::OsStr;
use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};
use wayfare::search::{AlgorithmId, NamedHeuristic, UnknownAlgorithm};
use wayfare_site::{EngineName, Refinement};

/// The form of the results.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON document, stable from version to version
    Json,
}

/// The refinement of a path's shape.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum SmoothArg {
    /// As the search left it
    #[default]
    None,
    /// Keep the turning points only
    Simplify,
    /// Take shortcuts where nothing is in the way
    Shorten,
    /// Shorten, then turn corners on arcs of --turn-radius
    Round,
    /// Shorten, then draw a Catmull-Rom curve through the turning points
    CatmullRom,
}

impl SmoothArg {
    /// Returns the refinement, its arcs of that radius.
    pub(crate) fn refinement(self, turn_radius: f32) -> Refinement {
        match self {
            Self::None => Refinement::None,
            Self::Simplify => Refinement::Simplify,
            Self::Shorten => Refinement::Shorten,
            Self::Round => Refinement::Round { turn_radius },
            Self::CatmullRom => Refinement::CatmullRom,
        }
    }
}

/// Takes the name of an engine: of an algorithm in the catalog, or of a prepared one. Suggestions
/// and completions come with it.
pub(super) fn engines() -> impl TypedValueParser<Value = EngineName> {
    let names = AlgorithmId::ALL.iter().map(|id| {
        let info = id.info();
        PossibleValue::new(info.name).alias(id.type_name()).help(info.summary)
    });
    let others = EngineName::PREPARED.into_iter().chain(EngineName::ON_MESHES);
    let others = others.map(|(engine, summary)| PossibleValue::new(engine.name()).help(summary));
    Engines(PossibleValuesParser::new(names.chain(others)))
}

/// Takes the names that the catalog lists, and those of the types.
#[derive(Clone)]
struct Engines(PossibleValuesParser);

impl TypedValueParser for Engines {
    type Value = EngineName;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<EngineName, clap::Error> {
        let invalid =
            |problem: String| clap::Error::raw(ErrorKind::InvalidValue, problem).with_cmd(command);
        let name = self.0.parse_ref(command, arg, value)?;
        name.parse().map_err(|unknown: UnknownAlgorithm| invalid(format!("{unknown}\n")))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Takes the name of a heuristic.
pub(super) fn heuristics() -> impl TypedValueParser<Value = NamedHeuristic> {
    PossibleValuesParser::new(NamedHeuristic::ALL.map(|(name, _)| name)).map(|name| {
        let found = NamedHeuristic::ALL.into_iter().find(|(known, _)| *known == name);
        found.map_or_else(NamedHeuristic::default, |(_, heuristic)| heuristic)
    })
}

/// Takes a whole number.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number from 0 to {}", u64::MAX))
}

/// Takes a whole number from `least` to `most`.
pub(super) fn within<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse::<T>().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    }
}

/// Takes a finite number from zero up.
pub(super) fn length(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number from 0 up".to_owned()),
    }
}

/// Takes a finite number above zero.
pub(super) fn positive_length(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number above 0".to_owned()),
    }
}
