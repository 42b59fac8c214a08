//! What a scene says of a simulation, to text.

use std::fmt::Write as _;

use wayfare::space::{CornerRule, Neighbours};

use crate::scene::agents::{Ability, AgentClass, PatrolOrder, SceneAgent, SceneBehaviour};
use crate::scene::document::Scene;
use crate::scene::simulation::{
    GateState, NavLinkKind, SceneCommand, SceneNavLink, SceneSimulation, ScheduledCommand, Spot,
};
use crate::scene::write::{Fields, area, list, numbers, quote};

/// Adds the tables that belong to a simulation.
pub(super) fn write_simulation(scene: &Scene, text: &mut String) {
    if let Some(settings) = &scene.simulation {
        let _ = write!(text, "\nsimulation = {}\n", simulation(settings).table());
    }
    list(
        text,
        "places",
        scene.places.iter().map(|place| {
            let mut fields = Fields::default();
            fields.string("name", &place.name);
            fields.spot("at", &place.at);
            fields
        }),
    );
    list(text, "classes", scene.classes.iter().map(class));
    list(text, "nav_links", scene.nav_links.iter().map(nav_link));
    list(text, "agents", scene.agents.iter().map(agent));
    list(text, "events", scene.events.iter().map(event));
}

impl Fields {
    fn spot(&mut self, key: &str, spot: &Spot) {
        self.raw(key, write_spot(spot));
    }

    fn optional(&mut self, key: &str, value: Option<f32>) {
        if let Some(value) = value {
            self.number(key, value);
        }
    }

    fn count(&mut self, key: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.raw(key, value);
        }
    }

    fn strings<'s>(&mut self, key: &str, values: impl IntoIterator<Item = &'s str>) {
        let values: Vec<_> = values.into_iter().map(quote).collect();
        if !values.is_empty() {
            self.raw(key, format!("[{}]", values.join(", ")));
        }
    }
}

fn write_spot(spot: &Spot) -> String {
    match spot {
        Spot::Named(name) => quote(name),
        Spot::Cell(cell) => format!("{cell:?}"),
        Spot::Point(point) => numbers(point),
    }
}

fn write_spots(spots: &[Spot]) -> String {
    let spots: Vec<_> = spots.iter().map(write_spot).collect();
    format!("[{}]", spots.join(", "))
}

fn simulation(settings: &SceneSimulation) -> Fields {
    let mut fields = Fields::default();
    fields.optional("tick_seconds", settings.tick_seconds);
    fields.optional("decision_seconds", settings.decision_seconds);
    fields.count("expansions_per_tick", settings.expansions_per_tick);
    fields.optional("seconds", settings.seconds);
    if settings.seed != 0 {
        fields.raw("seed", settings.seed);
    }
    fields
}

fn class(class: &AgentClass) -> Fields {
    let mut fields = Fields::default();
    fields.string("name", &class.name);
    fields.count("width", class.width);
    let neighbours = class.neighbours.map(|neighbours| match neighbours {
        Neighbours::Four => 4,
        Neighbours::Eight => 8,
    });
    fields.count("neighbours", neighbours);
    if let Some(corners) = class.corners {
        fields.string(
            "corners",
            match corners {
                CornerRule::BothFree => "both",
                CornerRule::OneFree => "one",
                CornerRule::Always => "always",
            },
        );
    }
    if let Some(abilities) = &class.abilities {
        let names: Vec<_> = abilities.iter().map(|ability| quote(ability_key(*ability))).collect();
        fields.raw("abilities", format!("[{}]", names.join(", ")));
    }
    fields.count("jump_height", class.jump_height);
    fields.count("jump_distance", class.jump_distance);
    fields.count("max_fall", class.max_fall);
    fields.count("height", class.height);
    fields.strings("keys", class.keys.iter().map(String::as_str));
    fields
}

fn ability_key(ability: Ability) -> &'static str {
    match ability {
        Ability::Walk => "walk",
        Ability::Jump => "jump",
        Ability::Fall => "fall",
        Ability::Swim => "swim",
        Ability::Climb => "climb",
        Ability::Fly => "fly",
    }
}

fn nav_link(link: &SceneNavLink) -> Fields {
    let mut fields = Fields::default();
    fields.string("name", &link.name);
    fields.spot("from", &link.from);
    fields.spot("to", &link.to);
    let kind = match link.kind {
        NavLinkKind::Passage => "passage",
        NavLinkKind::Door => "door",
        NavLinkKind::Ladder => "ladder",
        NavLinkKind::Teleport => "teleport",
        NavLinkKind::Lift => "lift",
    };
    if link.kind != NavLinkKind::default() {
        fields.string("kind", kind);
    }
    fields.optional("seconds", link.seconds);
    fields.optional("speed", link.speed);
    fields.count("capacity", link.capacity);
    if link.gate != GateState::default() {
        fields.string("gate", gate_key(link.gate));
    }
    if let Some(key) = &link.key {
        fields.string("key", key);
    }
    if link.one_way {
        fields.raw("one_way", true);
    }
    fields
}

fn gate_key(gate: GateState) -> &'static str {
    match gate {
        GateState::Open => "open",
        GateState::Closed => "closed",
        GateState::Locked => "locked",
    }
}

fn agent(agent: &SceneAgent) -> Fields {
    let mut fields = Fields::default();
    fields.string("name", &agent.name);
    if let Some(team) = &agent.team {
        fields.string("team", team);
    }
    if let Some(class) = &agent.class {
        fields.string("class", class);
    }
    fields.spot("at", &agent.at);
    fields.count("count", agent.count);
    if let Some(rectangle) = &agent.area {
        fields.raw("area", area(rectangle));
    }
    fields.number_unless("facing", agent.facing, 0.0);
    fields.optional("speed", agent.speed);
    fields.optional("acceleration", agent.acceleration);
    fields.optional("turn_speed", agent.turn_speed);
    fields.optional("stopping_distance", agent.stopping_distance);
    fields.count("auto_braking", agent.auto_braking);
    fields.optional("turn_radius", agent.turn_radius);
    fields.optional("radius", agent.radius);
    if !agent.orders.is_empty() {
        fields.raw("orders", write_spots(&agent.orders));
    }
    if !agent.behaviours.is_empty() {
        let behaviours: Vec<_> =
            agent.behaviours.iter().map(|each| behaviour(each).table()).collect();
        fields.raw("behaviours", format!("[{}]", behaviours.join(", ")));
    }
    fields
}

fn behaviour(behaviour: &SceneBehaviour) -> Fields {
    let mut fields = Fields::default();
    match behaviour {
        SceneBehaviour::Patrol { points, order, dwell, start } => {
            fields.string("kind", "patrol");
            fields.raw("points", write_spots(points));
            match order {
                PatrolOrder::Loop => {}
                PatrolOrder::PingPong => fields.string("order", "ping_pong"),
                PatrolOrder::Random => fields.string("order", "random"),
            }
            fields.number_unless("dwell", *dwell, 0.0);
            if *start != 0 {
                fields.raw("start", start);
            }
        }
        SceneBehaviour::Pursue { target, aggro, give_up, predict } => {
            fields.string("kind", "pursue");
            fields.string("target", target);
            fields.number("aggro", *aggro);
            fields.optional("give_up", *give_up);
            fields.number_unless("predict", *predict, 0.0);
        }
        SceneBehaviour::Flee { from, radius, distance } => {
            fields.string("kind", "flee");
            fields.string("from", from);
            fields.number("radius", *radius);
            fields.number("distance", *distance);
        }
        SceneBehaviour::Wander { radius, dwell } => {
            fields.string("kind", "wander");
            fields.number("radius", *radius);
            fields.number_unless("dwell", *dwell, 0.0);
        }
        SceneBehaviour::Follow { target, distance } => {
            fields.string("kind", "follow");
            fields.string("target", target);
            fields.number("distance", *distance);
        }
        SceneBehaviour::Idle => fields.string("kind", "idle"),
    }
    fields
}

fn event(event: &ScheduledCommand) -> Fields {
    let mut fields = Fields::default();
    fields.number("at", event.at);
    fields.optional("every", event.every);
    for command in &event.commands {
        let mut inner = Fields::default();
        match command {
            SceneCommand::Gate(change) => {
                inner.string("link", &change.link);
                inner.string("state", gate_key(change.state));
                fields.raw("gate", inner.table());
            }
            SceneCommand::Block(block) => {
                inner.string("id", &block.id);
                inner.raw("area", area(&block.area));
                inner.optional("bottom", block.bottom);
                inner.optional("top", block.top);
                fields.raw("block", inner.table());
            }
            SceneCommand::Restore(id) => fields.string("restore", id),
            SceneCommand::Order(order) => {
                inner.string("agent", &order.agent);
                inner.spot("to", &order.to);
                if order.at_once {
                    inner.raw("at_once", true);
                }
                fields.raw("order", inner.table());
            }
            SceneCommand::Remove(who) => fields.string("remove", who),
        }
    }
    fields
}
