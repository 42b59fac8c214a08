//! Settings: a TOML file with the ranges of parameters.
//!
//! ```toml
//! [all]                    # every kind asked for that has such a parameter
//! width = [64, 96]
//!
//! [caves]
//! open = [0.4, 0.5]        # a range, from which each scenario draws
//! passage = 3              # a single value
//!
//! [city]
//! version = 1              # worlds as an earlier version made them; default: the last
//! ```

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{GenerateError, Kinds, Parameter, Range, Scenario, Seed, Values};

/// The table for parameters of all kinds.
const ALL: &str = "all";
/// The key for the version of a kind.
const VERSION: &str = "version";

/// The ranges that are set, by kind and parameter, and the versions of kinds. Unset ones are the
/// default and the last version.
///
/// ```
/// use wayfare_generate::{Kinds, Settings};
///
/// let kinds = Kinds::standard();
/// let settings = Settings::read("[maze]\ncorridor = [2, 3]\n", &kinds)?;
/// let wrong = Settings::read("[maze]\ncorridors = 2\n", &kinds).unwrap_err();
/// assert!(wrong.to_string().starts_with("2:1: maze has no parameter 'corridors'; it has "));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    ranges: BTreeMap<(String, &'static str), Range>,
    /// By kind; the last version of the others.
    versions: BTreeMap<String, u32>,
}

impl Settings {
    /// Reads a settings file.
    ///
    /// # Errors
    /// The first fault with its line and column: an unknown kind or parameter, a value out of its
    /// limits, a range with its bounds swapped, a version that does not exist.
    pub fn read(text: &str, kinds: &Kinds) -> Result<Self, GenerateError> {
        let every: Vec<&str> = kinds.names().collect();
        Self::read_for(text, kinds, &every)
    }

    /// Like [`read`](Self::read), but the table `all` counts only for the kinds that are asked for:
    /// a value that is out of the limits of another kind is no fault.
    ///
    /// ```
    /// use wayfare_generate::{Kinds, Settings};
    ///
    /// let kinds = Kinds::standard();
    /// let text = "[all]\nwidth = 12\n";
    /// assert!(Settings::read_for(text, &kinds, &["maze"]).is_ok());
    /// assert!(Settings::read(text, &kinds).is_err()); // a city is wider
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_for(text: &str, kinds: &Kinds, asked: &[&str]) -> Result<Self, GenerateError> {
        let mut settings = Settings::default();
        let at = |place: usize, problem: String| fault(text, place, problem);
        let root = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            at(place, error.message().to_owned())
        })?;
        for (kind, table) in root.get_ref() {
            let name = kind.get_ref().as_ref();
            let (DeValue::Table(keys), Ok(scenario)) = (table.get_ref(), kinds.get(name)) else {
                continue;
            };
            let Some(value) = keys.get(VERSION) else { continue };
            let version =
                version(value, scenario).map_err(|problem| at(value.span().start, problem))?;
            settings.versions.insert(name.to_owned(), version);
        }
        for (kind, table) in root.get_ref() {
            let name = kind.get_ref().as_ref();
            if name != ALL && kinds.get(name).is_err() {
                let known = kinds.names().collect::<Vec<_>>().join(", ");
                let problem = format!("there is no kind '{name}'; known are {ALL}, {known}");
                return Err(at(kind.span().start, problem));
            }
            let DeValue::Table(table_of) = table.get_ref() else {
                let problem = format!("'{name}' is a table: write [{name}] and its keys below");
                return Err(at(table.span().start, problem));
            };
            for (key, value) in table_of {
                let key_name = key.get_ref().as_ref();
                if key_name == VERSION && name != ALL {
                    continue;
                }
                let mut found = false;
                for scenario in kinds.iter().filter(|kind| name == ALL || kind.name() == name) {
                    let parameters = settings.version_of(scenario)?.parameters();
                    let Some(parameter) = parameters.iter().find(|known| known.name == key_name)
                    else {
                        continue;
                    };
                    found = true;
                    if name == ALL && !asked.contains(&scenario.name()) {
                        continue;
                    }
                    let range = range(value, name, parameter)
                        .map_err(|problem| at(value.span().start, problem))?;
                    let place = (scenario.name().to_owned(), parameter.name);
                    // A setting of one kind overrides a setting of all.
                    if name == ALL {
                        settings.ranges.entry(place).or_insert(range);
                    } else {
                        settings.ranges.insert(place, range);
                    }
                }
                if !found {
                    let problem = settings.unknown(name, key_name, kinds);
                    return Err(at(key.span().start, problem));
                }
            }
        }
        Ok(settings)
    }

    /// Returns the range of a parameter.
    #[must_use]
    pub fn range(&self, kind: &str, parameter: &Parameter) -> Range {
        let set = self.ranges.get(&(kind.to_owned(), parameter.name));
        set.copied().unwrap_or(parameter.default)
    }

    /// Returns the scenario in the version that is asked for; by default as it is.
    ///
    /// # Errors
    /// When it has no such version.
    pub fn version_of<'s>(
        &self,
        scenario: &'s dyn Scenario,
    ) -> Result<&'s dyn Scenario, GenerateError> {
        match self.versions.get(scenario.name()) {
            Some(version) => scenario.in_version(*version),
            None => Ok(scenario),
        }
    }

    /// Returns the values of a scenario of that seed. Each parameter has random numbers of its own:
    /// setting one changes no other.
    #[must_use]
    pub fn draw(&self, scenario: &dyn Scenario, seed: Seed) -> Values {
        let mut values = Values::default();
        for parameter in scenario.parameters() {
            let mut dice = seed.child(parameter.name, 0).dice();
            let range = self.range(scenario.name(), parameter);
            values.insert(parameter.name, range.draw(parameter.whole, &mut dice));
        }
        values
    }

    fn unknown(&self, kind: &str, key: &str, kinds: &Kinds) -> String {
        match kinds.get(kind).and_then(|scenario| self.version_of(scenario)) {
            Ok(scenario) => {
                let known: Vec<_> = scenario.parameters().iter().map(|known| known.name).collect();
                format!("{kind} has no parameter '{key}'; it has {}", known.join(", "))
            }
            Err(_) => format!("no kind has a parameter '{key}'"),
        }
    }
}

/// Returns the version of that kind.
fn version(value: &Spanned<DeValue<'_>>, scenario: &dyn Scenario) -> Result<u32, String> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    let number =
        number.ok_or_else(|| format!("{}.{VERSION} is a whole number from 1", scenario.name()))?;
    scenario.in_version(number).map(|_| number).map_err(|error| error.to_string())
}

/// Returns a number, or a list of two.
fn range(value: &Spanned<DeValue<'_>>, kind: &str, parameter: &Parameter) -> Result<Range, String> {
    let name = format!("{kind}.{}", parameter.name);
    let Parameter { limits, unit, .. } = parameter;
    let number = |value: &Spanned<DeValue<'_>>| -> Result<f32, String> {
        let parsed: Option<f64> = match value.get_ref() {
            DeValue::Integer(number) => {
                let (digits, radix) = (number.as_str(), number.radix());
                i64::from_str_radix(digits, radix).ok().map(|number| number as f64)
            }
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let Some(number) = parsed else {
            return Err(format!("{name} is a number, or a range [low, high]"));
        };
        // Rounded before the comparison, since the rounded value is the one that is used.
        let rounded = number as f32;
        if !limits.contains(rounded) {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            let Range { low, high } = limits;
            return Err(format!("{name} is {number}, but must be from {low} to {high}{unit}"));
        }
        if parameter.whole && rounded.fract() != 0.0 {
            return Err(format!("{name} is {number}, but must be a whole number"));
        }
        Ok(rounded)
    };
    let DeValue::Array(ends) = value.get_ref() else {
        return number(value).map(Range::only);
    };
    let [low, high] = &ends[..] else {
        return Err(format!("{name} is a number, or a range [low, high]"));
    };
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("{name} goes from {low} to {high}: write the lower number first"));
    }
    Ok(Range { low, high })
}

/// Returns an error at a byte of the text.
fn fault(text: &str, place: usize, problem: String) -> GenerateError {
    let before = text.get(..place).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    GenerateError::Settings { line, column, problem }
}
