//! Whether what a scene says of a simulation is sound.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use crate::error::WorldErrorKind;
use crate::key_path::KeyPath;
use crate::limits::{MAX_AGENTS, MAX_TICKS};
use crate::scene::agents::{AgentClass, SceneAgent, SceneBehaviour};
use crate::scene::document::Scene;
use crate::scene::simulation::{
    SceneCommand, SceneNavLink, SceneSimulation, ScheduledCommand, Spot,
};
use crate::scene::way::{Checked, Way, problem, problem_advised};

/// How many different keys there can be.
const MOST_KEYS: usize = 32;

/// Every name that something may refer to.
struct Names<'s> {
    spots: BTreeSet<&'s str>,
    classes: BTreeSet<&'s str>,
    agents: BTreeMap<&'s str, &'s SceneAgent>,
    teams: BTreeSet<&'s str>,
    links: BTreeSet<&'s str>,
    keys: BTreeSet<&'s str>,
    /// Whether waypoints will be made whose ids are not known yet.
    prefixes: Vec<&'s str>,
}

/// Checks all tables that belong to a simulation. `waypoints` are the ids of those written out.
pub(super) fn check_simulation(scene: &Scene, waypoints: &BTreeSet<&str>) -> Checked {
    if let Some(settings) = &scene.simulation {
        check_settings(settings)?;
    }
    let mut names = Names {
        spots: waypoints.clone(),
        classes: BTreeSet::new(),
        agents: BTreeMap::new(),
        teams: BTreeSet::new(),
        links: BTreeSet::new(),
        keys: BTreeSet::new(),
        prefixes: scene.placements.iter().map(|placement| placement.prefix.as_str()).collect(),
    };
    for (index, place) in scene.places.iter().enumerate() {
        let at = Way(KeyPath::item("places", index));
        at.name("name", &place.name, &mut names.spots)?;
        if let Spot::Named(other) = &place.at {
            return problem_advised(
                at.to("at"),
                WorldErrorKind::Value,
                format!("'{other}' is a name, but a place lies at a cell or a point"),
                "write at = [column, row] or at = [x, y, z]",
            );
        }
        names.spot(&at, "at", &place.at)?;
    }
    for (index, class) in scene.classes.iter().enumerate() {
        let at = Way(KeyPath::item("classes", index));
        at.name("name", &class.name, &mut names.classes)?;
        check_class(&at, class)?;
        names.keys.extend(class.keys.iter().map(String::as_str));
        if names.keys.len() > MOST_KEYS {
            return problem(
                at.to("keys"),
                WorldErrorKind::Limit,
                format!("there are more than {MOST_KEYS} different keys"),
            );
        }
    }
    for (index, link) in scene.nav_links.iter().enumerate() {
        let at = Way(KeyPath::item("nav_links", index));
        at.name("name", &link.name, &mut names.links)?;
        names.link(&at, link)?;
    }
    names.collect_agents(scene)?;
    for (index, agent) in scene.agents.iter().enumerate() {
        names.agent(&Way(KeyPath::item("agents", index)), agent)?;
    }
    check_followers(scene)?;
    let mut blocks = BTreeSet::new();
    for event in &scene.events {
        for command in &event.commands {
            if let SceneCommand::Block(block) = command {
                blocks.insert(block.id.as_str());
            }
        }
    }
    for (index, event) in scene.events.iter().enumerate() {
        names.event(&Way(KeyPath::item("events", index)), event, &blocks)?;
    }
    Ok(())
}

fn check_settings(settings: &SceneSimulation) -> Checked {
    let at = Way(KeyPath::key("simulation"));
    if let Some(tick) = settings.tick_seconds {
        at.between("tick_seconds", tick, 0.001, 1.0)?;
    }
    let tick = settings.tick_seconds();
    if let Some(seconds) = settings.decision_seconds {
        at.between("decision_seconds", seconds, tick, 60.0)?;
    }
    if let Some(seconds) = settings.seconds {
        at.positive("seconds", &[seconds])?;
        let ticks = f64::from(seconds) / f64::from(tick);
        if ticks > MAX_TICKS as f64 {
            return problem(
                at.to("seconds"),
                WorldErrorKind::Limit,
                format!("{seconds} s are {ticks:.0} ticks, but at most {MAX_TICKS} are simulated"),
            );
        }
    }
    if settings.expansions_per_tick == Some(0) {
        return problem(
            at.to("expansions_per_tick"),
            WorldErrorKind::Value,
            "'expansions_per_tick' must be at least 1",
        );
    }
    Ok(())
}

fn check_class(at: &Way, class: &AgentClass) -> Checked {
    let bounds = [
        ("width", class.width.map(u16::from), 1, 64),
        ("jump_height", class.jump_height.map(u16::from), 0, 8),
        ("jump_distance", class.jump_distance.map(u16::from), 0, 8),
        ("max_fall", class.max_fall, 0, 1024),
        ("height", class.height.map(u16::from), 1, 8),
    ];
    for (key, value, least, most) in bounds {
        if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
            return problem(
                at.to(key),
                WorldErrorKind::Value,
                format!("'{key}' is {value}, but must be {least} to {most}"),
            );
        }
    }
    if let Some(key) = class.keys.iter().position(|key| key.trim().is_empty()) {
        return problem(at.to("keys").at(key), WorldErrorKind::Value, "a key needs a name");
    }
    Ok(())
}

impl<'s> Names<'s> {
    fn spot(&self, at: &Way, key: &'static str, spot: &Spot) -> Checked {
        self.spot_at(at.to(key), spot)
    }

    fn spot_at(&self, path: KeyPath, spot: &Spot) -> Checked {
        match spot {
            Spot::Cell(_) => Ok(()),
            Spot::Point(point) => Way(path).coordinates("", point),
            Spot::Named(name) => {
                let made = |prefix: &&str| {
                    name.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok())
                };
                if self.spots.contains(name.as_str()) || self.prefixes.iter().any(made) {
                    return Ok(());
                }
                dangling(path, "place or waypoint", name, self.spots.iter().copied())
            }
        }
    }

    fn link(&self, at: &Way, link: &'s SceneNavLink) -> Checked {
        self.spot(at, "from", &link.from)?;
        self.spot(at, "to", &link.to)?;
        if link.from == link.to {
            return problem(
                at.to("to"),
                WorldErrorKind::Value,
                format!("the link '{}' leads to where it begins", link.name),
            );
        }
        for (key, value) in [("seconds", link.seconds), ("speed", link.speed)] {
            if let Some(value) = value {
                at.positive(key, &[value])?;
            }
        }
        match (link.seconds, link.speed) {
            (None, None) => {
                return problem_advised(
                    at.to("seconds"),
                    WorldErrorKind::Value,
                    format!("nothing says how long it takes to go through '{}'", link.name),
                    "give 'seconds' or 'speed'",
                );
            }
            (Some(_), Some(_)) => {
                return problem_advised(
                    at.to("speed"),
                    WorldErrorKind::Duplicate,
                    "both 'seconds' and 'speed' say how long it takes",
                    "keep one of them",
                );
            }
            _ => {}
        }
        if link.capacity == Some(0) {
            return problem_advised(
                at.to("capacity"),
                WorldErrorKind::Value,
                "nobody fits into a link of capacity 0",
                "raise it, or write gate = \"closed\"",
            );
        }
        match &link.key {
            Some(key) if !self.keys.contains(key.as_str()) => {
                dangling(at.to("key"), "class that carries the key", key, self.keys.iter().copied())
            }
            _ => Ok(()),
        }
    }

    /// The names of agents and teams; the counts.
    fn collect_agents(&mut self, scene: &'s Scene) -> Checked {
        let mut taken = BTreeSet::new();
        let mut total = 0u64;
        for (index, agent) in scene.agents.iter().enumerate() {
            let at = Way(KeyPath::item("agents", index));
            at.name("name", &agent.name, &mut taken)?;
            if agent.count == Some(0) {
                return problem(
                    at.to("count"),
                    WorldErrorKind::Value,
                    "'count' must be at least 1",
                );
            }
            total += u64::from(agent.number());
            if total > MAX_AGENTS as u64 {
                return problem(
                    at.to("count"),
                    WorldErrorKind::Limit,
                    format!("that makes {total} agents, but at most {MAX_AGENTS} are simulated"),
                );
            }
            if agent.count.is_none() {
                self.agents.insert(&agent.name, agent);
            }
            if let Some(team) = &agent.team {
                if team.trim().is_empty() {
                    return problem(
                        at.to("team"),
                        WorldErrorKind::Value,
                        "'team' must not be empty",
                    );
                }
                self.teams.insert(team);
            }
        }
        for (index, agent) in scene.agents.iter().enumerate() {
            if self.teams.contains(agent.name.as_str()) {
                return problem_advised(
                    KeyPath::item("agents", index).then("name"),
                    WorldErrorKind::Duplicate,
                    format!("'{}' is a team and cannot be an agent too", agent.name),
                    "rename one of them",
                );
            }
        }
        Ok(())
    }

    fn agent(&self, at: &Way, agent: &SceneAgent) -> Checked {
        if let Some(class) = agent.class.as_deref().filter(|class| !self.classes.contains(class)) {
            return dangling(at.to("class"), "class", class, self.classes.iter().copied());
        }
        self.spot(at, "at", &agent.at)?;
        if let Some(area) = &agent.area {
            if agent.count.is_none() {
                return problem_advised(
                    at.to("area"),
                    WorldErrorKind::Value,
                    "an area is for crowds",
                    "give 'count' too",
                );
            }
            Way(at.to("area")).rectangle(area)?;
        }
        at.coordinates("facing", &[agent.facing])?;
        let positive = [
            ("speed", agent.speed),
            ("acceleration", agent.acceleration),
            ("turn_speed", agent.turn_speed),
        ];
        for (key, value) in positive {
            value.map_or(Ok(()), |value| at.positive(key, &[value]))?;
        }
        let not_negative = [
            ("stopping_distance", agent.stopping_distance),
            ("turn_radius", agent.turn_radius),
            ("radius", agent.radius),
        ];
        for (key, value) in not_negative {
            value.map_or(Ok(()), |value| at.not_negative(key, value))?;
        }
        for (number, order) in agent.orders.iter().enumerate() {
            self.spot_at(at.to("orders").at(number), order)?;
        }
        for (number, behaviour) in agent.behaviours.iter().enumerate() {
            self.behaviour(&Way(at.to("behaviours").at(number)), agent, behaviour)?;
        }
        Ok(())
    }

    fn behaviour(&self, at: &Way, agent: &SceneAgent, behaviour: &SceneBehaviour) -> Checked {
        match behaviour {
            SceneBehaviour::Patrol { points, dwell, start, .. } => {
                if points.is_empty() {
                    return problem_advised(
                        at.to("points"),
                        WorldErrorKind::Value,
                        format!("the patrol of '{}' has no points", agent.name),
                        "give it at least one",
                    );
                }
                for (number, point) in points.iter().enumerate() {
                    self.spot_at(at.to("points").at(number), point)?;
                }
                at.not_negative("dwell", *dwell)?;
                if *start as usize >= points.len() {
                    return problem(
                        at.to("start"),
                        WorldErrorKind::Value,
                        format!(
                            "'start' is {start}, but the points are numbered 0 to {}",
                            points.len() - 1
                        ),
                    );
                }
                Ok(())
            }
            SceneBehaviour::Pursue { target, aggro, give_up, predict } => {
                self.who(at, "target", target, Some(agent))?;
                at.positive("aggro", &[*aggro])?;
                at.not_negative("predict", *predict)?;
                let Some(give_up) = *give_up else { return Ok(()) };
                at.positive("give_up", &[give_up])?;
                if give_up < *aggro {
                    return problem_advised(
                        at.to("give_up"),
                        WorldErrorKind::Value,
                        format!("'give_up' is {give_up}, less than 'aggro', which is {aggro}"),
                        "a pursuit would end before it begins: raise it",
                    );
                }
                Ok(())
            }
            SceneBehaviour::Flee { from, radius, distance } => {
                self.who(at, "from", from, Some(agent))?;
                at.positive("radius", &[*radius])?;
                at.positive("distance", &[*distance])
            }
            SceneBehaviour::Wander { radius, dwell } => {
                at.positive("radius", &[*radius])?;
                at.not_negative("dwell", *dwell)
            }
            SceneBehaviour::Follow { target, distance } => {
                self.who(at, "target", target, Some(agent))?;
                at.positive("distance", &[*distance])
            }
            SceneBehaviour::Idle => Ok(()),
        }
    }

    /// An agent or a team, other than the agent itself.
    fn who(&self, at: &Way, key: &'static str, name: &str, own: Option<&SceneAgent>) -> Checked {
        if own.is_some_and(|own| own.name == name) {
            return problem(
                at.to(key),
                WorldErrorKind::Value,
                format!("'{name}' cannot have itself for '{key}'"),
            );
        }
        if self.agents.contains_key(name) || self.teams.contains(name) {
            return Ok(());
        }
        let known = self.agents.keys().chain(&self.teams).copied();
        dangling(at.to(key), "agent or team", name, known)
    }

    fn event(&self, at: &Way, event: &ScheduledCommand, blocks: &BTreeSet<&str>) -> Checked {
        at.not_negative("at", event.at)?;
        if let Some(every) = event.every {
            at.between("every", every, 0.01, 1e6)?;
        }
        if event.commands.is_empty() {
            return problem_advised(
                at.0.clone(),
                WorldErrorKind::Value,
                "this event does nothing",
                "give it one of 'gate', 'block', 'restore', 'order' and 'remove'",
            );
        }
        for (number, command) in event.commands.iter().enumerate() {
            let same = |other: &SceneCommand| discriminant(other) == discriminant(command);
            if event.commands[..number].iter().any(same) {
                return problem_advised(
                    at.0.clone(),
                    WorldErrorKind::Duplicate,
                    "this event does two things of one kind",
                    "make it two events",
                );
            }
            self.command(at, command, blocks)?;
        }
        Ok(())
    }

    fn command(&self, at: &Way, command: &SceneCommand, blocks: &BTreeSet<&str>) -> Checked {
        match command {
            SceneCommand::Gate(change) => {
                if self.links.contains(change.link.as_str()) {
                    return Ok(());
                }
                let path = at.to("gate").then("link");
                dangling(path, "link", &change.link, self.links.iter().copied())
            }
            SceneCommand::Block(block) => {
                let at = Way(at.to("block"));
                if block.id.trim().is_empty() {
                    return problem(at.to("id"), WorldErrorKind::Value, "'id' must not be empty");
                }
                Way(at.to("area")).rectangle(&block.area)?;
                for (key, value) in [("bottom", block.bottom), ("top", block.top)] {
                    value.map_or(Ok(()), |value| at.coordinates(key, &[value]))?;
                }
                match (block.bottom, block.top) {
                    (Some(bottom), Some(top)) if bottom >= top => problem(
                        at.to("top"),
                        WorldErrorKind::Value,
                        format!("'top' is {top}, not above 'bottom', which is {bottom}"),
                    ),
                    _ => Ok(()),
                }
            }
            SceneCommand::Restore(id) => {
                if blocks.contains(id.as_str()) {
                    return Ok(());
                }
                dangling(at.to("restore"), "block", id, blocks.iter().copied())
            }
            SceneCommand::Order(order) => {
                let at = Way(at.to("order"));
                self.who(&at, "agent", &order.agent, None)?;
                self.spot(&at, "to", &order.to)
            }
            SceneCommand::Remove(who) => self.who(at, "remove", who, None),
        }
    }
}

/// Nobody may follow somebody who, in the end, follows them.
fn check_followers(scene: &Scene) -> Checked {
    // Whom each agent follows, by their places in the list, with the way to who says so.
    let leaders: Vec<Vec<(usize, usize)>> = scene
        .agents
        .iter()
        .map(|agent| {
            let mut leaders = Vec::new();
            for (number, behaviour) in agent.behaviours.iter().enumerate() {
                let SceneBehaviour::Follow { target, .. } = behaviour else { continue };
                let named = |other: &SceneAgent| {
                    other.name == *target || other.team.as_deref() == Some(target)
                };
                let those = scene.agents.iter().enumerate().filter(|(_, other)| named(other));
                leaders.extend(those.map(|(place, _)| (place, number)));
            }
            leaders
        })
        .collect();
    // Depth first: 1 for those on the way, 2 for those that lead nowhere bad.
    let mut seen = vec![0u8; leaders.len()];
    for first in 0..leaders.len() {
        let mut way = vec![(first, 0)];
        while let Some((agent, next)) = way.last_mut() {
            seen[*agent] = seen[*agent].max(1);
            let Some(&(leader, number)) = leaders[*agent].get(*next) else {
                seen[*agent] = 2;
                way.pop();
                continue;
            };
            *next += 1;
            match seen[leader] {
                0 => way.push((leader, 0)),
                1 => {
                    let agent = *agent;
                    let begin = way.iter().position(|(other, _)| *other == leader).unwrap_or(0);
                    let round = way[begin..].iter().map(|(place, _)| *place).chain([leader]);
                    let round: Vec<&str> =
                        round.map(|place| scene.agents[place].name.as_str()).collect();
                    return problem_advised(
                        KeyPath::item("agents", agent).then("behaviours").at(number).then("target"),
                        WorldErrorKind::Value,
                        format!("these follow each other in a circle: {}", round.join(", ")),
                        "one of them has to lead",
                    );
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Says that a name stands for nothing, and a few that would.
fn dangling<'n>(
    path: KeyPath,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Checked {
    const SHOWN: usize = 8;
    let mut known: Vec<&str> = known.take(SHOWN + 1).collect();
    if known.len() > SHOWN {
        known[SHOWN] = "…";
    }
    problem_advised(
        path,
        WorldErrorKind::Dangling,
        format!("there is no {what} '{name}'"),
        match known.as_slice() {
            [] => "none is known".to_owned(),
            known => format!("known are {}", known.join(", ")),
        },
    )
}
