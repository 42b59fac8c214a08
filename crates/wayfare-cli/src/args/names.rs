//! Values that are chosen by name.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use wayfare::search::{AlgorithmId, NamedHeuristic};

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON document, stable from version to version
    Json,
}

/// What becomes of a path's shape.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum SmoothArg {
    /// As the search left it
    #[default]
    None,
}

/// Takes the name of an algorithm in the catalog. Suggestions and completions come with it.
pub(super) fn algorithms() -> impl TypedValueParser<Value = AlgorithmId> {
    let names = AlgorithmId::ALL.iter().map(|id| {
        let info = id.info();
        PossibleValue::new(info.name).help(info.summary)
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse::<AlgorithmId>())
}

/// Takes the name of a heuristic.
pub(super) fn heuristics() -> impl TypedValueParser<Value = NamedHeuristic> {
    PossibleValuesParser::new(NamedHeuristic::ALL.map(|(name, _)| name)).map(|name| {
        let found = NamedHeuristic::ALL.into_iter().find(|(known, _)| *known == name);
        found.map_or_else(NamedHeuristic::default, |(_, heuristic)| heuristic)
    })
}
