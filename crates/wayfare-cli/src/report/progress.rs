//! Progress on standard error, when a terminal watches and it takes long.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::grouped;

/// How long work may take before progress is shown.
const PATIENCE: Duration = Duration::from_millis(700);

/// A bar for work of known length. Invisible when standard error is no terminal, or the work is
/// short.
pub(crate) struct Bar {
    begun: Instant,
    bar: Option<ProgressBar>,
    what: String,
}

impl Bar {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { begun: Instant::now(), bar: None, what: what.into() }
    }

    /// Sets the progress: `done` of `all`.
    pub(crate) fn set(&mut self, done: u64, all: u64) {
        if self.bar.is_none() && self.begun.elapsed() > PATIENCE {
            let bar =
                ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(self.what.clone());
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A sign of life from work of unknown length.
pub(crate) struct Heartbeat {
    begun: Instant,
    spinner: Option<ProgressBar>,
    what: String,
}

impl Heartbeat {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { begun: Instant::now(), spinner: None, what: what.into() }
    }

    /// Reports the count of expansions.
    pub(crate) fn beat(&mut self, expanded: u64) {
        if self.spinner.is_none() && self.begun.elapsed() > PATIENCE {
            self.spinner =
                Some(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)));
        }
        if let Some(spinner) = &self.spinner {
            spinner.set_message(format!("{}: {} expansions", self.what, grouped(expanded)));
            spinner.tick();
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}
