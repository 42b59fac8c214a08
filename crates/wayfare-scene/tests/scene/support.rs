//! Scenes of a few lines, opened, refused and played.

use wayfare_scene::scene::Scene;
use wayfare_scene::{Staged, Staging, scene};
use wayfare_sim::simulation::Audit;

pub(crate) fn scene(body: &str) -> Result<Scene, wayfare_formats::WorldError> {
    let map = "scene = { name = \"s\", map = \"\"\"\n....\n.#..\n....\n\"\"\" }\n";
    scene::read(format!("{map}{body}").as_bytes())
}

#[track_caller]
pub(crate) fn assert_refused(body: &str, at: &str, field: &str, part: &str) {
    let error = scene(body).expect_err("this scene is wrong");
    let said = error.to_string();
    assert!(said.starts_with(at), "{said:?} should start with {at:?}");
    assert!(said.contains(part), "{said:?} should hold {part:?}");
    if !field.is_empty() {
        assert_eq!(error.field().as_deref(), Some(field), "{said}");
    }
}

/// Plays a scene for a number of ticks under the audit.
pub(crate) fn played<W: wayfare_sim::simulation::Environment + Clone>(
    staged: &mut Staged<W>,
    ticks: u64,
) {
    let mut audit = Audit::new();
    for _ in 0..ticks {
        staged.tick();
        audit.check(&staged.simulation).expect("no rule is broken");
    }
}

pub(crate) fn staged(text: &str) -> Staging {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    Staging::open(&path, None).map_err(|error| error.to_string()).expect("sound")
}
