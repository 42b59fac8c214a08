//! The hash of a simulation's state, to tell two runs apart.

use wayfare_core::inside::WordHash;
use wayfare_core::link::KnownLink;
use wayfare_core::space::StateId;

use super::roster::{Agent, Cover, Errand, Way};
use super::{Environment, Simulation};
use crate::agent::{Hold, Source};
use crate::plan::{Standing, Ticket};

impl<W: Environment> Simulation<W> {
    /// Returns the hash of the whole state: all changes of the world, bodies, rails, minds, links,
    /// requests. Equal runs have equal hashes on every target and at any thread count, also after a
    /// save and resume.
    ///
    /// Worlds that were edited otherwise and are the same now hash alike.
    ///
    /// O(legs of rails + places beneath obstacles).
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = WordHash(self.clock.now);
        hash.word(self.ground.digest());
        hash.word(self.ground.world.digest());
        if !self.ground.links.danger().is_empty() {
            hash.word(self.ground.links.danger().digest());
        }
        self.traffic.jams.words(|word| hash.word(word));
        self.ground.moving_obstacles.words(|word| hash.word(word));
        if !self.ground.links.jams().is_empty() {
            hash.word(self.ground.links.jams().digest());
        }
        self.puzzles.words(&mut hash);
        for (class, speeds) in (0..).zip(&self.roster.ground_speeds) {
            speeds.words(|word| hash.word(class << 40 | word));
        }
        for agent in &self.roster.agents {
            hash_agent(&mut hash, agent, |ticket| self.service.planner().standing(ticket));
        }
        for group in &self.roster.groups {
            group.words(|word| hash.word(word));
        }
        for usage in &self.traffic.links_in_use.0 {
            usage.inside.iter().chain(&usage.queue).for_each(|who| hash.word(u64::from(who.0)));
            hash.word(usage.queue.len() as u64);
        }
        for KnownLink { id, link } in self.ground.links.iter() {
            hash.word(link.gate as u64 | u64::from(self.ground.links.wait(id)) << 2);
        }
        hash.0
    }
}

/// Adds an agent to a hash. `standing`: how far a request has come.
fn hash_agent<State: StateId>(
    hash: &mut WordHash,
    agent: &Agent<State>,
    standing: impl Fn(Ticket) -> Standing,
) {
    hash.point(agent.body.at());
    for part in [agent.body.along(), agent.body.speed(), agent.body.heading()] {
        hash.float(part);
    }
    hash.float(agent.gait().max_speed);
    hash.word(agent.body.leg() as u64);
    hash.float(agent.rail.end());
    for leg in agent.rail.legs() {
        hash.point(leg.to);
        hash.float(leg.until);
        hash.word(match leg.hold {
            Hold::Clear => 1,
            Hold::Escape => 2,
            Hold::Move { from, to } => {
                3 | u64::from(from.index()) << 2 | u64::from(to.index()) << 33
            }
            Hold::Back { to } => 4 | u64::from(to.index()) << 3,
            Hold::Link { link, .. } => 5 | u64::from(link) << 3,
        });
    }
    hash.word(match agent.way {
        Way::Free => 0,
        Way::Waiting(link) => 1 | u64::from(link.0) << 2,
        Way::Inside { link, until, .. } => 2 | u64::from(link.0) << 2 | until << 32,
        Way::Stuck => 3,
        Way::Gone => 7,
    });
    hash.word(match agent.errand {
        Errand::None => 0,
        Errand::Planning { .. } => 1,
        Errand::UnderWay { cover: Cover::FirstLeg(_), .. } => 2,
        Errand::UnderWay { .. } => 3,
        Errand::Reached { .. } => 4,
        Errand::Failed { retry_at, .. } => 5 | retry_at << 3,
    });
    if let Some(aim) = agent.errand.aim() {
        hash.point(aim.to);
        hash.word(match aim.source {
            Source::Order => 0,
            Source::Behaviour(place) => 1 + u64::from(place),
            Source::Group => 2 + u64::from(u16::MAX),
        });
    }
    if let Some(asked) = agent.errand.asked() {
        hash.float(asked.anchor.along);
        hash.word(match standing(asked.ticket) {
            Standing::Queued => 0,
            Standing::Running { expanded } => 1 + expanded,
            Standing::Done => u64::MAX,
            Standing::Unknown => u64::MAX - 1,
        });
    }
    if let Some(evasion) = &agent.evasion {
        evasion.words(|word| hash.word(word));
    }
    hash.word(u64::from(agent.failures));
    if let Some(algorithm) = agent.algorithm {
        hash.word(algorithm.word());
    }
    agent.mind.words(|word| hash.word(word));
}
