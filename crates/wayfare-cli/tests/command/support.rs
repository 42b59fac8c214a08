//! Running the binary.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What a run of the command left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!("not JSON ({error}): {}{}", self.stdout, self.stderr);
        })
    }

    /// As it should be: that exit code, and no panic whatever the code.
    pub(crate) fn ends(self, code: i32) -> Self {
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.env_remove("NO_COLOR").env("TERM", "xterm");
    command
}

/// Runs the command with arguments parted by blanks.
pub(crate) fn wayfare(line: &str) -> Ran {
    run(line.split_whitespace())
}

/// Runs the command.
pub(crate) fn run<'a>(args: impl IntoIterator<Item = &'a str>) -> Ran {
    let output = command().args(args).output().expect("the binary runs");
    Ran {
        code: output.status.code().expect("it was not killed"),
        stdout: String::from_utf8(output.stdout).expect("it prints text"),
        stderr: String::from_utf8(output.stderr).expect("it prints text"),
    }
}

/// A shipped world.
pub(crate) fn world(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(name);
    path.to_str().expect("the path is text").to_owned()
}

/// A drawing that tests need as it is.
pub(crate) fn drawing(name: &str) -> String {
    world(&format!("../testdata/{name}"))
}

/// A file in a folder that goes away with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("there is a folder for temporary files"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("the path is text").to_owned()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).expect("the file can be written");
        self.name(name)
    }
}

/// Removes what differs from run to run, at any depth.
pub(crate) fn without_times(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !name.ends_with("_us") && name != "speedup");
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}
