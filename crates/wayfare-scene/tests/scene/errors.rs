//! What an error of a scene says: the place, what is wrong, what to do.

use wayfare_formats::WorldError;
use wayfare_scene::scene;

fn said<T: std::fmt::Debug>(result: Result<T, WorldError>) -> String {
    result.expect_err("this input is wrong").to_string()
}

#[track_caller]
fn assert_says<T: std::fmt::Debug>(result: Result<T, WorldError>, start: &str, part: &str) {
    let said = said(result);
    assert!(said.starts_with(start), "{said:?} should start with {start:?}");
    assert!(said.contains(part), "{said:?} should hold {part:?}");
}

#[test]
fn scenes() {
    let scene = |body: &str| scene::read(format!("scene = {{ name = \"s\" }}\n{body}").as_bytes());
    let two =
        "waypoints = [\n  { id = \"a\", at = [0, 0, 0] },\n  { id = \"b\", at = [1, 0, 0] },\n]\n";
    assert_says(
        scene(&format!("{two}[[links]]\nfrom = \"a\"\nto = \"c\"\n")),
        "8:6: ",
        "there is no waypoint 'c'",
    );
    assert_says(scene("speed = 1\n"), "2:1: ", "unknown field `speed`");
    assert_says(scene("waypoints = [{ id = \"a\", at = [0, nan, 0] }]\n"), "2:31: ", "finite");
    assert_says(scene("waypoints = [{ id = \"a\" }]\n"), "2:14: ", "missing field `at`");
    assert_says(
        scene("[[obstacles]]\nshape = \"sphere\"\ncenter = [0,0,0]\nradius = -1\n"),
        "5:10: ",
        "greater than 0",
    );
    assert_says(scene("[[obstacles]]\nshape = \"torus\"\n"), "3:9: ", "torus");
    assert_says(
        scene("[[obstacles]]\nshape = \"mesh\"\nmesh = { file = \"../x.obj\" }\n"),
        "4:17: ",
        "folder of the scene",
    );
    assert_says(
        scene(
            "[[surfaces]]\nshape = \"rectangle\"\nlayer = \"x\"\nmin = [0,0]\nmax = [1,1]\ny = 0\n",
        ),
        "4:9: ",
        "no terrain 'x'",
    );
    assert_says(
        scene("waypoints = [{ id = \"a\", at = [0,0,0], cost = -1 }]\n"),
        "2:47: ",
        "negative",
    );
    assert_says(
        scene("grid = { min = [0,0], max = [1e6,1e6], node_radius = 0.01 }\n"),
        "2:54: ",
        "at most 16777216 are sampled",
    );
    assert_says(
        scene(&format!("{two}queries = [{{ name = \"q\", from = \"a\", to = 3 }}]\n")),
        "6:",
        "id of a waypoint or a point",
    );
    assert_says(scene("waypoints = [\n"), "2:14: ", "unclosed array");
    assert_says(scene::read(b"\xff"), "byte 0: ", "not UTF-8");
}

/// Nesting is cut off long before it could exhaust the stack.
#[test]
fn deep_nesting() {
    assert!(scene::read(format!("x = {}", "[".repeat(100_000)).as_bytes()).is_err());
    assert!(scene::read(format!("x = {}", "{a=".repeat(100_000)).as_bytes()).is_err());
    assert!(scene::read("a.".repeat(100_000).as_bytes()).is_err());
}
