//! Where results and messages go: data to standard output, messages to standard error.

use std::borrow::Cow;
use std::io::{BufWriter, IsTerminal, StderrLock, Stdout, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use wayfare_draw::terminal::Colours;

use crate::args::Format;
use crate::failure::Failure;

/// Prints results as text or JSON, and messages beside them.
pub(crate) struct Printer {
    format: Format,
    out: BufWriter<Stdout>,
    is_terminal: bool,
    is_styled: bool,
}

impl Printer {
    pub(crate) fn new(format: Format) -> Self {
        let stdout = std::io::stdout();
        let is_terminal = stdout.is_terminal();
        let is_styled = is_terminal && colours_are_wanted();
        Self { format, out: BufWriter::new(stdout), is_terminal, is_styled }
    }

    /// Returns whether results are printed as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Returns whether a person watches the results as they come.
    pub(crate) fn draws_in_terminal(&self) -> bool {
        self.is_terminal && !self.is_json()
    }

    /// Returns whether text may be bold or coloured.
    pub(crate) fn is_styled(&self) -> bool {
        self.is_styled
    }

    /// Returns the colours that the terminal has.
    pub(crate) fn colours(&self) -> Colours {
        let full = |value: std::ffi::OsString| value == "truecolor" || value == "24bit";
        if !self.is_styled {
            Colours::None
        } else if std::env::var_os("COLORTERM").is_some_and(full) {
            Colours::Full
        } else {
            Colours::Palette
        }
    }

    /// Prints text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(Failure::Stdout)
    }

    /// Prints lines without styles. Control characters in them are written out.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.text(&printable(text.as_ref()))?;
        self.text("\n")
    }

    /// Prints a line of a name and a value, the names in one column. A space parts a value from a
    /// name that is as wide as the column or wider.
    pub(crate) fn field(&mut self, name: &str, value: impl AsRef<str>) -> Result<(), Failure> {
        self.line(format!("{name:<11} {}", value.as_ref()))
    }

    /// Prints a heading.
    pub(crate) fn heading(&mut self, text: &str) -> Result<(), Failure> {
        let bold = if self.is_styled { Style::new().bold() } else { Style::new() };
        let text = printable(text);
        self.text(&format!("{bold}{text}{bold:#}\n"))
    }

    /// Prints a document as JSON.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, document)
            .map_err(|error| Failure::Stdout(error.into()))?;
        self.text("\n")
    }

    /// Writes the buffered output. Results come before the messages that follow them.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::Stdout)
    }

    /// Says something beside the results.
    pub(crate) fn note(&self, message: impl AsRef<str>) {
        self.say("note", AnsiColor::Cyan, message.as_ref());
    }

    /// Warns of something.
    pub(crate) fn warn(&self, message: impl AsRef<str>) {
        self.say("warning", AnsiColor::Yellow, message.as_ref());
    }

    /// Says why the command failed.
    pub(crate) fn complain(&mut self, failure: &Failure) {
        if failure.is_closed_pipe() {
            return;
        }
        // Results come first; an error of writing them is no news by now.
        let _ = self.out.flush();
        self.say("error", AnsiColor::Red, &failure.to_string());
    }

    fn say(&self, kind: &str, colour: AnsiColor, message: &str) {
        let mut stderr: StderrLock<'_> = std::io::stderr().lock();
        let style = if stderr.is_terminal() && colours_are_wanted() {
            colour.on_default().bold()
        } else {
            Style::new()
        };
        // If standard error is closed, there is no way to report it.
        let _ = writeln!(stderr, "{style}{kind}:{style:#} {}", printable(message));
    }
}

/// Returns the text with its control characters written out, line breaks excepted. A terminal obeys
/// them, and names of files, places and agents may contain any.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let obeyed = |character: char| character.is_control() && character != '\n';
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if obeyed(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Returns whether the surroundings allow colours: <https://no-color.org> and terminals that have
/// none.
fn colours_are_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
