//! Results on standard output, messages and progress on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::Failure;

/// Prints a line of results.
pub(crate) fn line(text: impl Display) -> Result<(), Failure> {
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// Prints a named result.
pub(crate) fn field(name: &str, value: impl Display) -> Result<(), Failure> {
    line(format_args!("{name:<11} {value}"))
}

/// Prints a message.
pub(crate) fn say(text: impl Display) {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints why the command failed.
pub(crate) fn complain(failure: &Failure) {
    say(format_args!("error: {failure}"));
}

/// Returns a number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with a noun: "1 shard", "2,000 shards".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Returns a duration in words: "3.2 s", "4 min 10 s", "2 h 5 min".
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A bar for work of known length. Invisible where standard error is no terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(all: u64, noun: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(8));
        let template = format!(
            "{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {noun}  {{per_sec}}  {{eta}} left"
        );
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(bar)
    }

    pub(crate) fn set(&self, done: u64, message: impl Display) {
        self.0.set_message(message.to_string());
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_durations_in_words() {
        assert_eq!((grouped(7), grouped(1234567)), ("7".to_owned(), "1,234,567".to_owned()));
        assert_eq!(counted(1, "shard"), "1 shard");
        assert_eq!(duration(3.24), "3.2 s");
        assert_eq!(duration(250.0), "4 min 10 s");
        assert_eq!(duration(7500.0), "2 h 5 min");
    }
}
