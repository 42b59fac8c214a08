//! Whether a simulation that was read from a snapshot can be.
//!
//! Checks all that the rest of the code relies on: indices name existing things, lists agree with
//! each other, and bodies are on their rails. Whether the snapshot *was* so is for its seal to say.

use std::collections::BTreeSet;

use glam::Vec3;
use wayfare_core::link::{LinkId, NavLinks};
use wayfare_core::space::{ProfileId, Space, StateId};

use super::audit::sweeps;
use super::ground::Ground;
use super::roster::{Agent, Errand, Roster, Way};
use super::traffic::LinksInUse;
use super::{Contradiction, Environment, Simulation};
use crate::agent::{AgentId, GroupId, Hold};
use crate::plan::Standing;

/// The largest count of ticks that a snapshot may claim: no sum of ticks overflows.
const MOST_TICKS: u64 = 1 << 48;
/// The most that rounding may add to a length along a rail, in world units.
const SLACK: f32 = 1e-2;
/// How often a segment is halved until its parts count as walls: two corners that it grazes on
/// different sides have to fall into different parts.
const MOST_HALVINGS: u32 = 6;

/// Returns whether each part of a segment is clear, a hair to the side of it at most.
fn is_nearly_clear<W: Environment>(
    world: &W,
    profile: ProfileId,
    from: Vec3,
    to: Vec3,
    halvings: u32,
) -> bool {
    let is_clear = |from, to| is_nearly_clear(world, profile, from, to, halvings - 1);
    let middle = from.midpoint(to);
    sweeps(world, profile, from, to)
        || halvings > 0 && is_clear(from, middle) && is_clear(middle, to)
}

impl<W: Environment> Simulation<W> {
    /// Checks the whole simulation except its planner.
    pub(super) fn check_consistency(&self) -> Result<(), Contradiction> {
        let Self { clock, roster, ground, traffic, service, .. } = self;
        let claim = |holds: bool, fault| if holds { Ok(()) } else { Err(fault) };
        claim(clock.now <= MOST_TICKS, Contradiction::Ticks)?;
        claim(
            roster.classes.0.iter().all(|class| ground.world.has_profile(class.profile)),
            Contradiction::Classes,
        )?;
        claim(
            roster.ground_speeds.len() <= roster.classes.0.len()
                && roster.ground_speeds.iter().all(super::GroundSpeeds::is_sound),
            Contradiction::Classes,
        )?;
        claim(self.schedule.first().is_none_or(|tick| tick >= clock.now), Contradiction::Ticks)?;
        let mut tickets = BTreeSet::new();
        for agent in &roster.agents {
            let profile = roster.classes.profile(agent.class);
            claim(roster.classes.get(agent.class).is_some(), Contradiction::Classes)?;
            claim(is_possible::<W>(agent), Contradiction::Behaviours)?;
            claim(lies_on_rail(agent, profile, ground), Contradiction::Rails)?;
            claim(can_go_on(agent, profile, ground), Contradiction::Walls)?;
            if let Errand::Failed { retry_at, .. } = agent.errand {
                claim(retry_at <= 2 * MOST_TICKS, Contradiction::Ticks)?;
            }
            claim(agent.asleep_until <= 2 * MOST_TICKS, Contradiction::Ticks)?;
            if let Some(asked) = agent.errand.asked() {
                let is_known = service.planner().standing(asked.ticket) != Standing::Unknown;
                claim(is_known && tickets.insert(asked.ticket), Contradiction::Requests)?;
            }
        }
        claim(groups_agree::<W>(roster), Contradiction::Groups)?;
        let are_sound = ground.are_obstacles_sound(clock.now);
        claim(are_sound, Contradiction::MovingObstacles)?;
        links_agree(roster, &ground.links, &traffic.links_in_use, clock.now)
            .then_some(())
            .ok_or(Contradiction::Links)
    }
}

/// Returns whether groups and agents agree on the members of each group, and the values of
/// groups are possible. Members that are gone stay members; members that are present lead or
/// follow.
fn groups_agree<W: Environment>(roster: &Roster<W::State>) -> bool {
    let mut members = BTreeSet::new();
    let is_present = |id: &AgentId| roster.agents[id.0 as usize].is_present();
    let are_sound = (0..).map(GroupId).zip(&roster.groups).all(|(id, group)| {
        let are_known = group.spec.members.iter().all(|&member| {
            let agent = roster.agents.get(member.0 as usize);
            members.insert(member) && agent.is_some_and(|agent| agent.group == Some(id))
        });
        are_known && group.is_sound(is_present)
    });
    let grouped = roster.agents.iter().filter(|agent| agent.group.is_some()).count();
    are_sound && grouped == members.len() && (W::CAN_FORM || roster.groups.is_empty())
}

/// Returns whether an agent's limits and mind are possible.
fn is_possible<W: Environment>(agent: &Agent<W::State>) -> bool {
    let is_finite = |aim: Vec3| aim.is_finite();
    agent.limits.check().is_ok()
        && agent.gait().check().is_ok()
        && super::settings::check_behaviours(&agent.behaviours).is_ok()
        && agent.mind.fits(&agent.behaviours)
        && agent.evasion.as_ref().is_none_or(|evasion| {
            evasion.is_sound() && evasion.avoidance.check(&agent.limits, W::AVOIDING).is_ok()
        })
        && agent
            .errand
            .aim()
            .is_none_or(|aim| is_finite(aim.to) && aim.short >= 0.0 && aim.short.is_finite())
}

/// Returns whether an agent's rail is a line, its states exist, and its body is on it.
fn lies_on_rail<W: Environment>(
    agent: &Agent<W::State>,
    profile: ProfileId,
    ground: &Ground<W>,
) -> bool {
    let bound = ground.world.space(profile).state_bound();
    // State 0 also stands for one that is gone.
    let exists = |state: W::State| (state.index() as usize) < bound.max(1);
    let rail = &agent.rail;
    let asked = agent.errand.asked().map(|asked| asked.anchor);
    let is_anchored = asked.is_none_or(|anchor| {
        exists(anchor.state)
            && anchor.point.is_finite()
            && (0.0..=rail.length() + SLACK).contains(&anchor.along)
    });
    let body = &agent.body;
    let is_on_leg =
        agent.is_inside() || body.at().distance(rail.point(body.leg(), body.along())) <= SLACK;
    is_anchored
        && rail.is_line()
        && exists(rail.goal())
        && rail.legs().iter().all(|leg| match leg.hold {
            Hold::Move { from, to } => exists(from) && exists(to),
            Hold::Link { from, to, link } => {
                exists(from) && exists(to) && ground.links.get(LinkId(link)).is_some()
            }
            Hold::Back { to } => exists(to),
            Hold::Clear | Hold::Escape => true,
        })
        && body.is_sound()
        && body.leg() <= rail.legs().len()
        && body.along() <= rail.length() + SLACK
        && is_on_leg
}

/// Returns whether no wall stands on the released part of an agent's rail.
///
/// Each clear segment was proven when it was laid, and again after each edit near it. The rest
/// of a shortened one is, within rounding, a part of a proven segment, and may graze a corner
/// on either side. So [parts](is_nearly_clear) that are clear a hair to the side are accepted.
/// The rail of an agent that is built in is reviewed when the world changes again.
fn can_go_on<W: Environment>(
    agent: &Agent<W::State>,
    profile: ProfileId,
    ground: &Ground<W>,
) -> bool {
    let space = ground.space_around(profile, agent);
    let is_clear = |from, to| is_nearly_clear(&ground.world, profile, from, to, MOST_HALVINGS);
    let is_still = matches!(agent.way, Way::Stuck | Way::Gone);
    is_still || agent.rail.is_legal_ahead(&agent.body, &space, is_clear)
}

/// Returns whether agents and links agree on the agents in each link and in its queue.
fn links_agree<State: StateId>(
    roster: &Roster<State>,
    links: &NavLinks<State>,
    links_in_use: &LinksInUse,
    now: u64,
) -> bool {
    let mut users = BTreeSet::new();
    for (number, usage) in links_in_use.0.iter().enumerate() {
        let id = LinkId(number as u32);
        let room = links.get(id).and_then(|link| link.capacity);
        if room.is_some_and(|room| usage.inside.len() > usize::from(room.get())) {
            return false;
        }
        let inside = usage.inside.iter().map(|&who| (who, true));
        for (who, is_inside) in inside.chain(usage.queue.iter().map(|&who| (who, false))) {
            let way = roster.agents.get(who.0 as usize).map(|agent| agent.way);
            let agrees = match way {
                Some(Way::Inside { link, .. }) => is_inside && link == id,
                Some(Way::Waiting(link)) => !is_inside && link == id,
                _ => false,
            };
            if !agrees || !users.insert(who) {
                return false;
            }
        }
    }
    (0u32..).zip(&roster.agents).all(|(number, agent)| match agent.way {
        Way::Waiting(_) => users.contains(&AgentId(number)),
        Way::Inside { link, since, until } => {
            let leg = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.hold);
            users.contains(&AgentId(number))
                && since <= until
                && since <= now
                && until <= 2 * MOST_TICKS
                && matches!(leg, Some(Hold::Link { link: used, .. }) if used == link.0)
        }
        Way::Free | Way::Stuck | Way::Gone => true,
    })
}
