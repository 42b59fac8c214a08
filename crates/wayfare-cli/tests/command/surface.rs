//! Help, lists, completions, manual pages, pipes.

use std::io::Read;
use std::process::Stdio;

use crate::support::{command, run, wayfare, world};

#[test]
fn help_has_examples_and_exit_codes() {
    let help = wayfare("--help").ends(0);
    for part in ["Examples:", "wayfare demo", "Exit codes:", "  4  a cost is not optimal"] {
        assert!(help.stdout.contains(part), "{part} is missing: {}", help.stdout);
    }
    let short = run([]).ends(2);
    assert!(short.stderr.contains("Usage: wayfare"), "{}", short.stderr);
    let all = "solve compare why bench info convert demo studio algorithms completions man";
    for name in all.split(' ') {
        assert!(help.stdout.contains(name));
        assert!(wayfare(&format!("{name} --help")).ends(0).stdout.contains("Usage"));
    }
}

#[test]
fn misspelt_names_are_corrected() {
    let wrong = wayfare(&format!("solve {} --algorithm dijkstr", world("maze.txt"))).ends(2);
    assert!(wrong.stderr.contains("'dijkstra'"), "{}", wrong.stderr);
    let wrong = wayfare("sovle x").ends(2);
    assert!(wrong.stderr.contains("'solve'"), "{}", wrong.stderr);
}

#[test]
fn every_algorithm_is_listed() {
    let list = wayfare("algorithms --format json").ends(0).json();
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    for name in ["bfs", "dijkstra", "astar", "astar-list", "weighted-astar", "greedy", "idastar"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let text = wayfare("algorithms").ends(0).stdout;
    assert!(names.iter().all(|name| text.contains(name)), "{text}");
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = wayfare(&format!("completions {shell}")).ends(0).stdout;
        assert!(script.contains("wayfare") && script.contains("weighted-astar"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = wayfare("man").ends(0).stdout;
    assert!(page.contains(".TH wayfare 1") && page.contains("wayfare\\-solve(1)"), "{page}");
    let page = wayfare("man index build").ends(0).stdout;
    assert!(page.contains(".TH wayfare-index-build 1") && page.contains("WORLD"), "{page}");
    let wrong = wayfare("man index solve").ends(2);
    assert!(wrong.stderr.contains("no command index solve"), "{}", wrong.stderr);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    // The path of a search through the cave is far longer than a pipe holds.
    let mut child = command()
        .args(["solve", &world("cave.map"), "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn nothing_is_coloured_when_no_terminal_watches() {
    let solved = wayfare(&format!("solve {}", world("village.tmj"))).ends(0);
    assert!(!solved.stdout.contains('\x1b') && !solved.stderr.contains('\x1b'));
}
