//! Agents that look for paths round jams.
//!
//! # Who asks
//!
//! Agents take turns to ask for another path, if jams and waits delay the rest of theirs. A path is
//! taken only if it is quicker by a share, [`JamSettings::gain`], and by the side of an area at
//! least. So no agent swings between two paths of about the same time. Both paths are priced by the
//! same function of their rails. An agent that waits at a link pays only for agents ahead in the
//! queue.
//!
//! An agent does not ask if the estimate of a path without any jam is too long already. It does not
//! stop for an answer either: its request is withdrawn when the body would have to brake, and made
//! again in another turn. If the planning work of a tick does not suffice, fewer agents look for
//! other paths, and other agents each time.

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::space::{Cost, Space};

use super::Errands;
use super::lookout::Lookout;
use super::requests::LEAD_TICKS;
use crate::agent::{AgentId, Anchor, Hold, Leg};
use crate::plan::ClassId;
use crate::simulation::roster::{Cover, Errand, Way};
use crate::simulation::{Environment, JamSettings};

impl<W: Environment> Errands<'_, W> {
    /// Lets agents look for paths round jams in turns.
    pub(in crate::simulation) fn look_round_jams(&mut self, settings: &JamSettings) {
        let turns = self.clock.ticks(settings.asks_every);
        if let Some(asked) = self.clock.now.checked_sub(LEAD_TICKS as u64) {
            for number in turn(asked, turns, self.roster.agents.len()) {
                self.withdraw_late(number);
            }
        }
        for number in turn(self.clock.now, turns, self.roster.agents.len()) {
            self.weigh_ways(number);
        }
    }

    /// Withdraws the request of an agent that still has no answer about another path.
    fn withdraw_late(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        if agent.errand.asked().is_some_and(|asked| asked.is_weighed)
            && let Some(ticket) = agent.errand.keep_rail()
        {
            agent.release();
            self.service.withdraw(Some(ticket));
        }
    }

    /// Asks for a path round the delay of an agent under way, if that is worth a request.
    pub(in crate::simulation) fn weigh_ways(&mut self, number: usize) {
        let Some(settings) = self.clock.settings.jams else { return };
        let agent = &self.roster.agents[number];
        let Errand::UnderWay { aim, cover: Cover::Whole } = agent.errand else { return };
        if !matches!(agent.way, Way::Free | Way::Waiting(_)) {
            return;
        }
        let here = (agent.body.at(), agent.body.along());
        let rest = self.look().price_of_rest(number, here, self.own_wait(number));
        if rest.delay <= f64::from(settings.side) {
            return;
        }
        let class = self.roster.classes.of(agent.class);
        let ends = self.ground.world.state_at(class.profile, here.0);
        let ends = ends.zip(self.ground.world.state_meant(class.profile, aim.to));
        let space = self.ground.space_of(self.roster.classes.of(agent.class));
        let least = ends.map_or(0.0, |(from, to)| {
            space.estimate(from, to).to_u64() as f64 / space.cost_per_unit()
        });
        if settings.is_worth_it(least, rest.all) {
            self.request_weighed(number, aim);
        }
    }

    /// Returns whether a new path, from an anchor on the rail, is quicker than the rest of the rail
    /// by the gain of the settings. The new path is laid out in `legs`.
    pub(in crate::simulation) fn is_worth_it(
        &self,
        number: usize,
        anchor: &Anchor<W::State>,
    ) -> bool {
        let Some(settings) = self.clock.settings.jams else { return true };
        let rest = self
            .look()
            .price_of_rest(number, (anchor.point, anchor.along), self.own_wait(number))
            .all;
        let other = self
            .look()
            .price(self.roster.agents[number].class, anchor.point, &self.service.legs, None)
            .all;
        settings.is_worth_it(other, rest)
    }

    /// Returns how long an agent in the queue of a link still waits, in seconds.
    fn own_wait(&self, number: usize) -> Option<f64> {
        let Way::Waiting(link) = self.roster.agents[number].way else { return None };
        let posted = f64::from(self.ground.links.wait(link));
        Some(self.links_in_use.wait_of(link, AgentId(number as u32), posted))
    }
}

impl<W: Environment> Lookout<'_, W> {
    /// Returns the price of the rest of an agent's rail from a point on it. `own_wait`: how long an
    /// agent in the queue of a link still waits, in seconds.
    fn price_of_rest(
        &self,
        number: usize,
        (at, along): (Vec3, f32),
        own_wait: Option<f64>,
    ) -> Price {
        let agent = &self.roster.agents[number];
        let first = agent.rail.legs().partition_point(|leg| leg.until <= along);
        let first = first.max(agent.body.leg());
        let rest = agent.rail.legs().get(first..).unwrap_or_default();
        let queue = match agent.way {
            Way::Waiting(link) => own_wait.map(|wait| (link, wait)),
            _ => None,
        };
        self.price(agent.class, at, rest, queue)
    }

    /// Returns the price of a path that begins at a point. At the link of `queue` the wait is that
    /// of this agent.
    fn price(
        &self,
        class: ClassId,
        from: Vec3,
        legs: &[Leg<W::State>],
        queue: Option<(LinkId, f64)>,
    ) -> Price {
        let class = self.roster.classes.of(class);
        let speed = f64::from(self.ground.links.reference_speed());
        let space = self.ground.world.space(self.roster.classes.first_profile());
        let (mut here, mut price) = (from, Price::default());
        for leg in legs {
            if let Hold::Link { link, .. } = leg.hold {
                let link = LinkId(link);
                let wait = match queue {
                    Some((own, wait)) if own == link => wait,
                    _ => f64::from(self.ground.links.wait(link)),
                };
                let crossing = self
                    .ground
                    .links
                    .get(link)
                    .map_or(0.0, |_| self.ground.links.seconds(&space, link));
                price.all += (crossing + wait) * speed;
                price.delay += wait * speed;
            } else {
                let delay = f64::from(self.ground.links.jams().along(here, leg.to));
                price.all += self.ground.price_on_foot(class.profile, here, leg.to) + delay;
                price.delay += delay;
            }
            here = leg.to;
        }
        price
    }
}

/// Returns the agents of `count` whose turn it is in a tick, if each has one in `turns` ticks. In
/// each round of turns another of them is the first.
fn turn(tick: u64, turns: u64, count: usize) -> impl Iterator<Item = usize> {
    let (turns, first) = (turns as usize, ((turns - tick % turns) % turns) as usize);
    let due = count.saturating_sub(first).div_ceil(turns);
    let begin = (tick / turns as u64).checked_rem(due as u64).unwrap_or(0) as usize;
    (0..due).map(move |place| first + (place + begin) % due * turns)
}

/// The price of a path, in metres of plain ground that take as long.
#[derive(Clone, Copy, Default)]
struct Price {
    all: f64,
    /// The part of it that jams and queues make.
    delay: f64,
}
