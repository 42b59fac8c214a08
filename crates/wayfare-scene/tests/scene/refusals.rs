//! Scenes that make no sense are refused, with the place and the key at fault.

use crate::support::{assert_refused, scene};
use wayfare_scene::scene;

#[test]
fn worlds_that_cannot_be() {
    assert_refused("map = 1", "6:1: ", "", "unknown field `map`");
    let read = |text: &str| scene::read(text.as_bytes()).expect_err("wrong").to_string();
    let said = read("[scene]\nname = \"s\"\nmap = \"\"\"\n...\n.?.\n\"\"\"\n");
    assert!(said.starts_with("5:2: '?' is not a tile"), "{said}");
    let said = read("scene = { name = \"s\", world = \"../x.map\" }\n");
    assert!(said.starts_with("1:31: ") && said.contains("folder of the scene"), "{said}");
    let said = read("scene = { name = \"s\", world = \"x.map\", map = \"..\" }\n");
    assert!(said.contains("both a 'map' and a 'world'"), "{said}");
    assert_refused(
        "waypoints = [{ id = \"a\", at = [0, 0, 0] }]\n",
        "6:13: ",
        "waypoints",
        "no use",
    );
}

#[test]
fn agents_that_cannot_be() {
    let one = |rest: &str| format!("agents = [{{ name = \"a\", at = [0, 0]{rest} }}]\n");
    assert_refused(&one(", speed = -1"), "6:46: ", "agents[0].speed", "greater than 0");
    assert_refused(&one(", speed = nan"), "6:46: ", "agents[0].speed", "finite");
    assert_refused(&one(", radius = inf"), "6:47: ", "agents[0].radius", "finite");
    assert_refused(&one(", acceleration = 0"), "6:53: ", "agents[0].acceleration", "greater");
    assert_refused(&one(", velocity = 1"), "6:38: ", "", "unknown field `velocity`");
    assert_refused(&one(", algorithm = \"astr\""), "6:50: ", "", "\"astr\"; there are: auto, bfs");
    assert_refused(&one(", count = 0"), "6:46: ", "agents[0].count", "at least 1");
    assert_refused(&one(", count = 4000000000"), "6:46: ", "agents[0].count", "at most 65536");
    assert_refused(&one(", class = \"x\""), "6:46: ", "agents[0].class", "no class 'x'");
    assert_refused(&one(", avoidance = \"on\""), "6:", "", "`off`, `low`, `medium`, `high`");
    assert_refused(&one(", priority = 256"), "6:", "", "256");
    assert_refused(&one(", layers = [0]"), "6:", "agents[0].layers[0]", "1 to 32");
    assert_refused(&one(", avoids = [1, 33]"), "6:", "agents[0].avoids[1]", "1 to 32");
    assert_refused(&one(", orders = [\"x\"]"), "6:48: ", "agents[0].orders[0]", "no place");
    assert_refused("agents = [{ name = \"a\", at = [0.5, 1] }]", "6:30: ", "", "name of a place");
    assert_refused("agents = [{ name = \"a\", at = [0, nan, 1] }]", "6:30: ", "", "finite");
    let two = "agents = [{ name = \"a\", at = [0, 0] }, { name = \"a\", at = [0, 0] }]";
    assert_refused(two, "6:49: ", "agents[1].name", "used twice");
    let mixed =
        "agents = [{ name = \"a\", at = [0, 0] }, { name = \"b\", team = \"a\", at = [0, 0] }]";
    assert_refused(mixed, "6:20: ", "agents[0].name", "is a team");
    let area = one(", area = { min = [0, 0], max = [1, 1] }");
    assert_refused(&area, "6:45: ", "agents[0].area", "for crowds");
}

#[test]
fn behaviours_that_cannot_be() {
    let does = |what: &str| {
        format!(
            "agents = [\n{{ name = \"b\", team = \"t\", at = [0, 0] }},\n{{ name = \"a\", at = [0, 0], behaviours = [\n{{ {what} }}] }}]\n"
        )
    };
    let field = |key: &str| format!("agents[1].behaviours[0].{key}");
    let refused = |what: &str, key: &str, part: &str| {
        assert_refused(&does(what), "9:", &field(key), part);
    };
    refused("kind = \"patrol\", points = []", "points", "no points");
    refused("kind = \"patrol\", points = [\"x\"]", "points[0]", "no place or waypoint 'x'");
    refused("kind = \"patrol\", points = [[0, 0]], dwell = -1", "dwell", "not be negative");
    refused("kind = \"patrol\", points = [[0, 0]], start = 1", "start", "numbered 0 to 0");
    refused("kind = \"pursue\", target = \"c\", aggro = 2", "target", "known are a, b, t");
    refused("kind = \"pursue\", target = \"a\", aggro = 2", "target", "itself");
    refused("kind = \"pursue\", target = \"b\", aggro = 0", "aggro", "greater than 0");
    refused("kind = \"pursue\", target = \"t\", aggro = 5, give_up = 4", "give_up", "less than");
    refused("kind = \"flee\", from = \"t\", radius = nan, distance = 1", "radius", "finite");
    refused("kind = \"wander\", radius = -2", "radius", "greater than 0");
    refused("kind = \"follow\", target = \"b\", distance = 0", "distance", "greater than 0");
    assert_refused(&does("kind = \"dance\""), "9:", "", "dance");
    assert_refused(&does("kind = \"patrol\", target = \"b\""), "8:", "", "target");
}

#[test]
fn nobody_follows_in_circles() {
    let follows = |name: &str, target: &str| {
        format!(
            "{{ name = \"{name}\", at = [0, 0], behaviours = [{{ kind = \"follow\", target = \"{target}\", distance = 1 }}] }},\n"
        )
    };
    let agents = |list: &[(&str, &str)]| {
        let all: String = list.iter().map(|(name, target)| follows(name, target)).collect();
        format!("agents = [\n{{ name = \"lead\", team = \"front\", at = [0, 0] }},\n{all}]\n")
    };
    scene(&agents(&[("a", "b"), ("b", "c"), ("c", "front")])).expect("a chain");
    scene(&agents(&[("a", "lead"), ("b", "a"), ("c", "a")])).expect("a tree");
    let round = agents(&[("a", "b"), ("b", "c"), ("c", "a")]);
    assert_refused(&round, "10:", "agents[3].behaviours[0].target", "in a circle: a, b, c, a");
    let pair = agents(&[("x", "lead"), ("a", "b"), ("b", "a")]);
    assert_refused(&pair, "10:", "agents[3].behaviours[0].target", "in a circle: a, b, a");
}

#[test]
fn links_that_cannot_be() {
    let link = |rest: &str| format!("nav_links = [{{ name = \"l\", {rest} }}]\n");
    let refused = |rest: &str, key: &str, part: &str| {
        assert_refused(&link(rest), "6:", &format!("nav_links[0].{key}"), part);
    };
    refused("from = [0, 0], to = \"nowhere\", seconds = 1", "to", "no place or waypoint 'nowhere'");
    refused("from = [0, 0], to = [0, 0], seconds = 1", "to", "to where it begins");
    refused("from = [0, 0], to = [1, 0]", "seconds", "how long it takes");
    refused("from = [0, 0], to = [1, 0], seconds = 1, speed = 1", "speed", "both");
    refused("from = [0, 0], to = [1, 0], speed = -1", "speed", "greater than 0");
    refused("from = [0, 0], to = [1, 0], seconds = inf", "seconds", "finite");
    refused("from = [0, 0], to = [1, 0], speed = 1, capacity = 0", "capacity", "nobody fits");
    refused("from = [0, 0], to = [1, 0], speed = 1, key = \"k\"", "key", "carries the key 'k'");
    assert_refused(
        &link("from = [0, 0], to = [1, 0], kind = \"rope\", speed = 1"),
        "6:",
        "",
        "rope",
    );
}

#[test]
fn groups_that_cannot_be() {
    let agents =
        "agents = [{ name = \"a\", team = \"t\", at = [0, 0] }, { name = \"b\", at = [1, 0] }]\n";
    let one = |rest: &str| format!("{agents}groups = [{{ name = \"g\", {rest} }}]\n");
    let refused = |rest: &str, key: &str, part: &str| {
        assert_refused(&one(rest), "7:", &format!("groups[0].{key}"), part);
    };
    scene(&one("members = [\"a\", \"b\"], formation = [[0, 1]]")).expect("sound");
    refused("members = []", "members", "no members");
    refused("members = [\"x\"]", "members[0]", "no agent, crowd or team 'x'; known are a, b, t");
    refused("members = [\"b\", \"a\", \"t\"]", "members[2]", "'a' is in the group 'g' already");
    refused("members = [\"a\"], spacing = 0", "spacing", "0.01 to 1000");
    refused("members = [\"a\"], spacing = 2, patience = 1", "patience", "2 to 10000");
    refused("members = [\"a\"], formation = [[0, 1], [0, 2000]]", "formation[1]", "-1000 to 1000");
    refused("members = [\"a\"], orders = [\"x\"]", "orders[0]", "no place");
    assert_refused(&one("members = [\"a\"], formation = \"ring\""), "7:", "", "\"wedge\"");
    let named =
        |name: &str| format!("{agents}groups = [{{ name = \"{name}\", members = [\"b\"] }}]");
    assert_refused(&named("t"), "7:", "groups[0].name", "cannot be a group too");
    let event = |what: &str| format!("{}\nevents = [{{ at = 1, {what} }}]\n", named("g"));
    scene(&event("order = { agent = \"g\", to = [0, 0] }")).expect("sound");
    assert_refused(&event("disband = \"x\""), "8:", "events[0].disband", "no group 'x'");
    let form = event("form = { group = \"t\", formation = \"line\" }");
    assert_refused(&form, "8:", "events[0].form.group", "no group 't'; known are g");
    assert_refused(&event("remove = \"g\""), "8:", "events[0].remove", "no agent or team 'g'");
}

#[test]
fn events_that_cannot_be() {
    let event = |rest: &str| format!("events = [\n{{ {rest} }}]\n");
    let refused = |rest: &str, key: &str, part: &str| {
        assert_refused(&event(rest), "7:", &format!("events[0].{key}"), part);
    };
    refused("at = -1, restore = \"x\"", "at", "negative");
    refused("at = nan, restore = \"x\"", "at", "finite");
    refused("at = 1, every = 0, restore = \"x\"", "every", "must be 0.01");
    refused("at = 1, restore = \"x\"", "restore", "no block 'x'");
    refused("at = 1, remove = \"x\"", "remove", "no agent or team 'x'");
    refused("at = 1, gate = { link = \"x\", state = \"open\" }", "gate.link", "no link 'x'");
    refused("at = 1, order = { agent = \"x\", to = [0, 0] }", "order.agent", "no agent, team");
    refused(
        "at = 1, block = { id = \"b\", area = { min = [2, 0], max = [1, 1] } }",
        "block.area.max",
        "must be greater than 'min'",
    );
    assert_refused(&event("at = 1"), "7:", "events[0]", "does nothing");
    assert_refused(&event("at = 1, explode = 1"), "7:", "", "explode");
}

#[test]
fn settings_that_cannot_be() {
    let refused = |rest: &str, key: &str, part: &str| {
        let text = format!("simulation = {{ {rest} }}\n");
        assert_refused(&text, "6:", &format!("simulation.{key}"), part);
    };
    refused("tick_seconds = 0", "tick_seconds", "must be 0.001 to 1");
    refused("tick_seconds = nan", "tick_seconds", "finite");
    refused("decision_seconds = 0.01", "decision_seconds", "must be 0.05");
    refused("seconds = -4", "seconds", "greater than 0");
    refused("seconds = 3e6", "seconds", "at most 16777216");
    refused("work_per_tick = 0", "work_per_tick", "at least 1");
    let both = "simulation = { work_per_tick = 9, expansions_per_tick = 9 }\n";
    assert_refused(both, "6:", "", "duplicate");
    let keys: Vec<String> = (0..40).map(|number| format!("\"k{number}\"")).collect();
    let class = format!("classes = [{{ name = \"c\", keys = [{}] }}]\n", keys.join(", "));
    assert_refused(&class, "6:", "classes[0].keys", "more than 32");
    assert_refused(
        "classes = [{ name = \"c\", width = 0 }]\n",
        "6:",
        "classes[0].width",
        "1 to 64",
    );
    assert_refused(
        "classes = [{ name = \"c\", time_gap = 1 }]\n",
        "6:",
        "classes[0].time_gap",
        "for",
    );
    let hasty = "classes = [{ name = \"c\", steering = \"free_speed\", time_gap = 0 }]\n";
    assert_refused(hasty, "6:", "classes[0].time_gap", "0.001 to 60");
    let standing = "terrains = [{ name = \"mud\" }]\nclasses = [{ name = \"c\", terrains = [{ terrain = \"mud\", speed = 0 }] }]\n";
    assert_refused(standing, "7:", "classes[0].terrains[0].speed", "0.01 to 1");
    assert_refused("classes = [{ name = \"c\", neighbours = 5 }]\n", "6:", "", "4 or 8");
    assert_refused("places = [{ name = \"p\", at = \"q\" }]\n", "6:", "places[0].at", "is a name");
}

#[test]
fn dangers_and_changes_that_cannot_be() {
    let area = "area = { min = [0, 0], max = [1, 1] }";
    let one = |rest: &str| format!("dangers = [{{ {area}{rest} }}]\n");
    assert_refused(&one(""), "6:12: ", "dangers[0]", "is none");
    assert_refused(&one(", known = -1"), "6:61: ", "dangers[0].known", "0 to 10000");
    assert_refused(&one(", harm = nan"), "6:60: ", "dangers[0].harm", "finite");
    let agent = "agents = [{ name = \"a\", at = [0, 0] }]\nclasses = [{ name = \"c\" }]\n";
    let event = |what: &str| format!("{agent}events = [{{ at = 1, {what} }}]\n");
    let harm = event("harm = { agent = \"a\", amount = 0 }");
    assert_refused(&harm, "8:", "events[0].harm.amount", "greater than 0");
    let change = event("change = { agent = \"a\" }");
    assert_refused(&change, "8:", "events[0].change", "changes nothing");
    let change = event("change = { agent = \"a\", team = \"t\" }");
    assert_refused(&change, "8:", "events[0].change.team", "no team 't'");
    let costs = event("costs = { class = \"d\", terrain = \"free\" }");
    assert_refused(&costs, "8:", "events[0].costs.class", "no class 'd'");
    let clips = "clips = [{ name = \"run\", speed = 4 }, { name = \"walk\", speed = 1 }]\n";
    assert_refused(clips, "6:", "clips[1].speed", "not faster");
}
