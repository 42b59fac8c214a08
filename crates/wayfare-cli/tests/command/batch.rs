//! `batch` hands over to a program of its own.

use std::process::Command;

use crate::support::{Folder, command};

fn batch(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = command();
    command.arg("batch").args(arguments).env("PATH", folder.name(""));
    command
}

#[test]
fn without_the_program_the_answer_says_how_to_get_it() {
    let output = batch(&Folder::new(), &["run", "job.toml"]).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("cargo install --locked --path scale/batch"), "{complaint}");
}

#[cfg(unix)]
#[test]
fn arguments_and_the_exit_code_are_handed_over() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    let program = folder.write("wayfare-batch", "#!/bin/sh\necho \"$@\"\nexit 7\n");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output =
        batch(&folder, &["run", "a job.toml", "--threads", "2", "--help"]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"run a job.toml --threads 2 --help\n");
}
