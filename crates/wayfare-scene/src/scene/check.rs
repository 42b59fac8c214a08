//! The rules of a scene that concern several of its tables.

use wayfare_core::space::NegativeCosts;
use wayfare_formats::WorldErrorKind;

use crate::limits::{MAX_AGENTS, MAX_SCENE_ITEMS};
use crate::scene::agents::{SceneAgent, SceneBehaviour};
use crate::scene::document::Scene;
use crate::scene::groups::check_memberships;
use crate::scene::rules::{At, Checked};

pub(super) fn check_whole(at: &At<'_>, scene: &Scene) -> Checked {
    check_world(at, scene)?;
    check_placements(at, scene)?;
    check_negative_costs(at, scene)?;
    check_crowds(at, scene)?;
    check_clips(at, scene)?;
    check_followers(at, scene)?;
    check_memberships(at, scene)
}

/// Checks that a scene has one world: its own tables, a map written out, or a file beside it.
fn check_world(at: &At<'_>, scene: &Scene) -> Checked {
    let info = at.key("scene");
    let elsewhere = match (&scene.scene.world, &scene.scene.map) {
        (None, None) if scene.navmesh.is_some() => {
            let error = at.key("navmesh").value("the scene names no level and no mesh");
            return Err(error.advise("give scene.world: a level of triangles or a mesh"));
        }
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => {
            let message = "the scene has both a 'map' and a 'world'";
            return Err(info.key("map").error(WorldErrorKind::Duplicate, message));
        }
        (Some(file), None) if file.to_ascii_lowercase().ends_with(".toml") => {
            let error = info.key("world").value(format!("'{file}' is a scene itself"));
            return Err(
                error.advise("name a tile map, a world of blocks, a level or a navigation mesh")
            );
        }
        (Some(_), None) => "world",
        (None, Some(_)) => {
            scene.own_map()?;
            "map"
        }
    };
    let own = [
        ("terrains", elsewhere == "world" && scene.navmesh.is_none() && !scene.terrains.is_empty()),
        ("navmesh", elsewhere == "map" && scene.navmesh.is_some()),
        ("obstacles", !scene.obstacles.is_empty()),
        ("surfaces", !scene.surfaces.is_empty()),
        ("grid", scene.grid.is_some()),
        ("waypoints", !scene.waypoints.is_empty()),
        ("placements", !scene.placements.is_empty()),
        ("links", !scene.links.is_empty()),
        ("auto_links", scene.auto_links.is_some()),
        ("queries", !scene.queries.is_empty()),
    ];
    let Some((table, _)) = own.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    let message = format!("'{table}' are of no use in a scene whose world is its '{elsewhere}'");
    Err(at.key(table).value(message).advise("remove one of the two"))
}

fn check_placements(at: &At<'_>, scene: &Scene) -> Checked {
    let mut total = scene.waypoints.len() as f64;
    for (index, placement) in scene.placements.iter().enumerate() {
        let (key, most) = placement.most();
        total += most;
        if total > MAX_SCENE_ITEMS as f64 {
            let message = format!(
                "that makes about {total:.0} waypoints, but a scene holds at most {MAX_SCENE_ITEMS}"
            );
            let list = at.key("placements");
            return Err(list.item(index).key("generate").key(key).limit(message));
        }
    }
    Ok(())
}

fn check_negative_costs(at: &At<'_>, scene: &Scene) -> Checked {
    let own = |index: usize| scene.own_cost(&scene.waypoints[index]);
    let negative = (0..scene.waypoints.len()).find(|index| own(*index) < 0.0);
    match (scene.costs.negative_costs, negative) {
        (NegativeCosts::Reject, Some(index)) => {
            let (id, cost) = (&scene.waypoints[index].id, own(index));
            let message = format!("the cost of waypoint '{id}' is {cost}, which is negative");
            let error = at.key("waypoints").item(index).key("cost").value(message);
            Err(error.advise(
                "raise it, or write costs.negative_costs = \"shift\" to raise all costs until the \
                 lowest is 0",
            ))
        }
        _ => Ok(()),
    }
}

fn check_crowds(at: &At<'_>, scene: &Scene) -> Checked {
    let mut total = 0;
    for (index, agent) in scene.agents.iter().enumerate() {
        total += u64::from(agent.number());
        if total > MAX_AGENTS as u64 {
            let message =
                format!("that makes {total} agents, but at most {MAX_AGENTS} are simulated");
            return Err(at.key("agents").item(index).key("count").limit(message));
        }
    }
    Ok(())
}

/// Clips stand in order of their speeds, so that each speed lies between two of them.
fn check_clips(at: &At<'_>, scene: &Scene) -> Checked {
    match scene.clips.windows(2).position(|pair| pair[0].speed >= pair[1].speed) {
        None => Ok(()),
        Some(slower) => {
            let [slow, fast] = [slower, slower + 1].map(|place| &scene.clips[place]);
            let message = format!("'{}' is not faster than '{}'", fast.name, slow.name);
            let error = at.key("clips").item(slower + 1).key("speed").value(message);
            Err(error.advise("begin with the slowest clip"))
        }
    }
}

/// Fails if following is circular: an agent that follows another must not lead it in the end.
fn check_followers(at: &At<'_>, scene: &Scene) -> Checked {
    // For each agent the indices of its leaders, each with the index of the behaviour that names
    // it.
    let leaders: Vec<Vec<(usize, usize)>> = scene
        .agents
        .iter()
        .map(|agent| {
            let mut leaders = Vec::new();
            for (number, behaviour) in agent.behaviours.iter().enumerate() {
                let SceneBehaviour::Follow { target, .. } = behaviour else { continue };
                let leads = |other: &SceneAgent| other.is_called(target);
                let named = scene.agents.iter().enumerate().filter(|(_, other)| leads(other));
                leaders.extend(named.map(|(leader, _)| (leader, number)));
            }
            leaders
        })
        .collect();
    // A depth-first search: a leader that is on the current chain closes a circle.
    #[derive(Clone, Copy)]
    enum Seen {
        No,
        OnChain,
        Done,
    }
    let mut seen = vec![Seen::No; leaders.len()];
    for first in 0..leaders.len() {
        if !matches!(seen[first], Seen::No) {
            continue;
        }
        let mut chain = vec![(first, 0)];
        while let Some((agent, next)) = chain.last_mut() {
            let agent = *agent;
            seen[agent] = Seen::OnChain;
            let Some(&(leader, number)) = leaders[agent].get(*next) else {
                seen[agent] = Seen::Done;
                chain.pop();
                continue;
            };
            *next += 1;
            match seen[leader] {
                Seen::No => chain.push((leader, 0)),
                Seen::Done => {}
                Seen::OnChain => {
                    let begin = chain.iter().position(|(other, _)| *other == leader).unwrap_or(0);
                    let circle = chain[begin..].iter().map(|(agent, _)| *agent).chain([leader]);
                    let names: Vec<&str> =
                        circle.map(|agent| scene.agents[agent].name.as_str()).collect();
                    let message =
                        format!("these follow each other in a circle: {}", names.join(", "));
                    let list = at.key("agents");
                    let (agent, key) = (list.item(agent), "behaviours");
                    let error = agent.key(key).item(number).key("target").value(message);
                    return Err(error.advise("one of them has to lead"));
                }
            }
        }
    }
    Ok(())
}
