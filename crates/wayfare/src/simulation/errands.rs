//! Errands: from what an agent wants to a rail that leads there.

use glam::Vec3;

use super::agents::{Agent, Aim, Pending, Rethink, Stage, Way};
use super::session::class_of;
use super::{Environment, Event, NoWay, Simulation, Trouble};
use crate::agent::{AgentId, Anchor, Hold, RailEnd, Smoothing, Source, lay};
use crate::navigate::Policy;
use crate::ops;
use crate::path::{Path, Step};
use crate::plan::{Lane, Priority, Request, Ticket};
use crate::search::{FleeQuery, FleeSearch, Outcome, Progress, Query};
use crate::space::{Action, Cost, Reachability, Space};

/// Goals nearer than this, in metres, are for the lane of short queries.
const LOCAL_DISTANCE: f32 = 12.0;
/// A new path begins so many ticks ahead, beyond the braking distance, so that a body need not stop for it.
const LEAD_TICKS: f32 = 4.0;
/// After so many failures a patrol goes on with its next point, and a chase is given up.
const MOST_FAILURES: u8 = 3;
/// After so many failures an order is dropped.
const MOST_ORDER_FAILURES: u8 = 5;
/// Whom they cannot reach pursuers forget for so many seconds.
const IDLE_SECONDS: f32 = 8.0;
/// The wait after a failure doubles so often at most.
const MOST_DOUBLINGS: u8 = 6;
/// Who cannot get to somebody goes to the nearest place that is at most so far from them, in metres.
const NEAR_SOMEBODY: f32 = 4.0;
/// The most expansions of one flight. Raising it would find safer places at the price of other agents' paths.
const FLIGHT_EXPANSIONS: u64 = 4096;
/// So many places are drawn for a walk about before the agent stays where it is.
const DRAWS: usize = 8;

impl<W: Environment> Simulation<W> {
    /// The agent stays where it is: it stops as soon as it can.
    pub(super) fn stay(&mut self, number: usize) {
        let agent = &mut self.agents[number];
        match agent.aim.map(|aim| aim.stage) {
            None | Some(Stage::Reached) => return,
            Some(Stage::Failed) => agent.trouble = None,
            Some(Stage::Planning | Stage::UnderWay) => {}
        }
        agent.aim = None;
        let anchor = self.anchor(number, 0.0);
        self.end_rail(number, &anchor);
    }

    /// The rail ends at an anchor from now on.
    fn end_rail(&mut self, number: usize, anchor: &Anchor<W::State>) {
        let tick = self.settings.tick_seconds;
        let agent = &mut self.agents[number];
        // A path that was to begin farther on would not fit any more.
        if let Some(pending) = agent.pending.take() {
            self.planner.cancel(pending.ticket);
        }
        agent.rail.end_at(&mut agent.body, anchor, &agent.limits, tick);
        agent.release();
        self.leave_queue(number);
    }

    /// Whoever does not stand at the entrance of that link any more leaves its queue.
    pub(super) fn leave_queue(&mut self, number: usize) {
        let agent = &mut self.agents[number];
        let Way::Waiting(waits_at) = agent.way else { return };
        let leg = agent.rail.legs().get(agent.body.leg());
        if !matches!(leg.map(|leg| leg.hold), Some(Hold::Link { link, .. }) if link == waits_at.0) {
            agent.way = Way::Free;
            if let Some(usage) = self.links_in_use.get_mut(waits_at.0 as usize) {
                usage.forget(AgentId(number as u32));
            }
        }
    }

    /// Where another path can begin, if the agent goes on for some ticks first.
    fn anchor(&self, number: usize, lead_ticks: f32) -> Anchor<W::State> {
        let (agent, tick) = (&self.agents[number], self.settings.tick_seconds);
        let profile = class_of(&self.classes, agent.class).profile;
        let locate = |point| self.world.state_at(profile, point);
        if agent.is_inside() {
            return agent.rail.anchor_after(&agent.body, locate);
        }
        let speed = agent.body.speed();
        let is_there = agent.aim.is_none_or(|aim| aim.stage == Stage::Reached);
        if speed == 0.0 || is_there && speed <= agent.limits.acceleration * tick {
            return agent.rail.anchor(&agent.body, 0.0, locate);
        }
        // What it gains in speed until then, it has to lose as well.
        let fastest = (speed + agent.limits.acceleration * tick).min(agent.limits.max_speed);
        let lead = fastest * tick * lead_ticks;
        let brake =
            agent.limits.braking_distance(if lead_ticks > 0.0 { fastest } else { speed }, tick);
        agent.rail.anchor(&agent.body, brake + lead, locate)
    }

    /// The agent wants to be at a point, or near it; the point may move by `slack` before it is worth another path.
    pub(super) fn go(
        &mut self,
        number: usize,
        source: Source,
        (to, short): (Vec3, f32),
        slack: f32,
    ) {
        let to = if slack > 0.0 { self.near(number, to) } else { to };
        let agent = &self.agents[number];
        let mut is_spare = false;
        if let Some(aim) = agent.aim.filter(|aim| aim.source == source) {
            let moved = aim.to.distance(to);
            let is_same = moved <= slack;
            match aim.stage {
                // A moving target's path is walked at least in part: else it would never be.
                Stage::Planning if agent.pending.is_some() && (is_same || slack > 0.0) => return,
                Stage::UnderWay if is_same && agent.rethink == Rethink::No => return,
                Stage::UnderWay if is_same && agent.rethink == Rethink::Perhaps => is_spare = true,
                Stage::Reached if is_same && slack == 0.0 && agent.rethink == Rethink::No => {
                    return self.conclude(number); // it has been there all along
                }
                Stage::Reached if moved < 0.05 && slack > 0.0 && agent.rethink == Rethink::No => {
                    return;
                }
                Stage::Failed if self.now < agent.retry_at && (is_same || slack > 0.0) => return,
                _ => {}
            }
        }
        if is_spare && agent.pending.is_some() {
            return;
        }
        self.request(number, (source, to, short), is_spare);
    }

    /// Where a body can stand that goes after somebody: where they are guessed to be may lie in a wall, and so may they, inside a
    /// link.
    fn near(&self, number: usize, to: Vec3) -> Vec3 {
        let profile = class_of(&self.classes, self.agents[number].class).profile;
        if self.world.state_at(profile, to).is_some() {
            return to;
        }
        let nearest = self.world.nearest_state(profile, to, NEAR_SOMEBODY);
        nearest.map_or(to, |state| self.world.space(profile).position(state))
    }

    /// Asks the planner for a path.
    fn request(&mut self, number: usize, (source, to, short): (Source, Vec3, f32), is_spare: bool) {
        let agent = &mut self.agents[number];
        if agent.aim.is_none_or(|aim| aim.source != source) {
            agent.failures = 0;
        }
        agent.rethink = Rethink::No;
        let replaced = agent.pending.take().map(|pending| pending.ticket);
        let anchor = self.anchor(number, LEAD_TICKS);
        let agent = &mut self.agents[number];
        let stage = if is_spare { Stage::UnderWay } else { Stage::Planning };
        agent.aim = Some(Aim { source, to, short, stage });
        let class = class_of(&self.classes, agent.class);
        agent.rail.hold_at(anchor.along);
        let Some(goal) = self.world.state_meant(class.profile, to) else {
            self.withdraw(replaced);
            self.fail(number, &anchor, is_spare, NoWay::OffMap);
            return;
        };
        if goal == anchor.state {
            self.withdraw(replaced);
            let step = Step { state: goal, action: Action::default(), cost: W::Cost::ZERO };
            let path = Path { steps: vec![step], revision: self.world.revision() };
            self.install(number, &anchor, &path);
            return;
        }
        let is_near = anchor.point.distance(to) <= LOCAL_DISTANCE;
        let request = Request {
            class: agent.class,
            query: Query::new(anchor.state, goal),
            priority: Priority::default(),
            lane: if is_near { Lane::Local } else { Lane::Normal },
            policy: Policy::Exact,
        };
        // Whoever waits keeps its place in the queue.
        let ticket = match replaced {
            Some(ticket) => self.planner.request_instead(ticket, request),
            None => self.planner.request(request),
        };
        agent.pending = Some(Pending { ticket, anchor, is_spare });
    }

    /// Cancels a request, if there is one.
    fn withdraw(&mut self, ticket: Option<Ticket>) {
        if let Some(ticket) = ticket {
            self.planner.cancel(ticket);
        }
    }

    /// Takes the planner's answer.
    pub(super) fn answer(
        &mut self,
        number: usize,
        pending: &Pending<W::State>,
        outcome: Outcome<W::State, W::Cost>,
    ) {
        match outcome {
            Outcome::Found(path) => {
                self.install(number, &pending.anchor, &path);
                self.planner.recycle(path);
            }
            Outcome::Interrupted(_) => self.think_again(number),
            Outcome::Unreachable { reason, .. } => {
                self.fail(number, &pending.anchor, pending.is_spare, NoWay::NoPath(reason));
            }
            Outcome::LimitReached { limit, .. } => {
                self.fail(number, &pending.anchor, pending.is_spare, NoWay::Limit(limit));
            }
        }
    }

    /// The agent needs another path to where it wants to be.
    pub(super) fn think_again(&mut self, number: usize) {
        let agent = &mut self.agents[number];
        (agent.rethink, agent.is_alert) = (Rethink::Must, true);
    }

    /// Makes a path the way ahead from an anchor on.
    fn install(
        &mut self,
        number: usize,
        anchor: &Anchor<W::State>,
        path: &Path<W::State, W::Cost>,
    ) {
        let tick = self.settings.tick_seconds;
        let agent = &mut self.agents[number];
        let (Some(mut aim), Some(end)) = (agent.aim, path.end()) else { return };
        let profile = class_of(&self.classes, agent.class).profile;
        let space = self.world.space(profile);
        // Right to the point, where it lies in the goal state and not just near it.
        let is_exact = W::CUTS_ACROSS && self.world.state_at(profile, aim.to) == Some(end);
        let exact = is_exact.then(|| aim.to.with_y(space.position(end).y));
        // Cut short where that can be shown to be clear; else move by move.
        let mut lays = |smoothing| {
            lay(&space, anchor.point, path, &agent.limits, smoothing, exact, &mut self.legs).is_ok()
        };
        if !(W::CUTS_ACROSS && lays(Smoothing::LineOfSight) || lays(Smoothing::None)) {
            return self.fail(number, anchor, false, NoWay::Changed);
        }
        let short = aim.short.max(agent.limits.stopping_distance);
        let Agent { rail, body, limits, .. } = agent;
        let end = RailEnd { state: end, short };
        rail.splice(body, anchor, &mut self.legs, end, limits, tick);
        aim.stage = Stage::UnderWay;
        (agent.aim, agent.failures, agent.trouble) = (Some(aim), 0, None);
        agent.release();
        self.leave_queue(number);
        self.report(Event::Departed(AgentId(number as u32)));
    }

    /// There is no path. The agent stands, and tries again after a while that doubles each time.
    fn fail(&mut self, number: usize, anchor: &Anchor<W::State>, is_spare: bool, reason: NoWay) {
        let agent = &mut self.agents[number];
        let Some(aim) = agent.aim.as_mut() else { return };
        if is_spare {
            // The rail it has still leads there, or to a gate that will open.
            aim.stage = Stage::UnderWay;
            agent.release();
            return;
        }
        aim.stage = Stage::Failed;
        let source = aim.source;
        agent.failures = agent.failures.saturating_add(1);
        let doublings = (agent.failures - 1).min(MOST_DOUBLINGS);
        agent.retry_at =
            self.now + (self.settings.ticks(self.settings.decision_seconds) << doublings);
        agent.trouble = Some(Trouble::NoWay(reason));
        let most = if source == Source::Order { MOST_ORDER_FAILURES } else { MOST_FAILURES };
        if agent.failures >= most {
            let until = self.now + self.settings.ticks(IDLE_SECONDS);
            agent.mind.give_up(source, &agent.behaviours, until);
            if source == Source::Order {
                (agent.aim, agent.failures, agent.trouble) = (None, 0, None);
                agent.is_alert = true;
            }
        }
        self.end_rail(number, anchor);
        self.report(Event::NoPath { agent: AgentId(number as u32), reason });
    }

    /// The agent walks about: it goes on to the place drawn last, or draws another.
    pub(super) fn roam(
        &mut self,
        number: usize,
        source: Source,
        (home, radius): (Vec3, f32),
        is_under_way: bool,
    ) {
        let agent = &self.agents[number];
        if let Some(aim) = agent.aim.filter(|aim| aim.source == source) {
            let goes_on = matches!(aim.stage, Stage::Planning | Stage::UnderWay) && is_under_way;
            let waits = aim.stage == Stage::Failed && self.now < agent.retry_at;
            if agent.rethink == Rethink::No && goes_on || waits {
                return;
            }
        }
        let here = self.anchor(number, LEAD_TICKS);
        let class = self.agents[number].class;
        let profile = class_of(&self.classes, class).profile;
        for _ in 0..DRAWS {
            let mind = &mut self.agents[number].mind;
            let share = |draw: u32| (draw >> 8) as f32 / (1 << 24) as f32;
            let (angle, away) = (share(mind.draw()) * std::f32::consts::TAU, share(mind.draw()));
            let (sin, cos) = ops::sin_cos(angle);
            let drawn = home + Vec3::new(cos, 0.0, sin) * (away.sqrt() * radius);
            let space = self.space(class);
            let Some(state) = self.world.state_meant(profile, drawn) else { continue };
            let place = space.position(state);
            if space.check(state).is_ok()
                && space.reachability(here.state, state) == Reachability::Possible
                && place.distance(home) <= radius
            {
                return self.request(number, (source, place, 0.0), false);
            }
        }
        // Nowhere to go: it rests, and draws again later.
        let agent = &mut self.agents[number];
        agent.mind.give_up(source, &agent.behaviours, self.now);
        agent.aim = Some(Aim { source, to: home, short: 0.0, stage: Stage::Failed });
        agent.retry_at = self.now + self.settings.ticks(self.settings.decision_seconds);
        self.end_rail(number, &here);
    }

    /// The agent runs: it goes on to where it runs while it is nearer to it than the threat, else looks for another place, within
    /// the tick's expansions.
    pub(super) fn flee(
        &mut self,
        number: usize,
        source: Source,
        (threat, distance): (Vec3, f32),
        expansions: &mut u64,
    ) {
        let agent = &self.agents[number];
        if let Some(aim) = agent.aim.filter(|aim| aim.source == source) {
            let is_ahead = agent.body.at().distance(aim.to) < threat.distance(aim.to);
            let goes_on = aim.stage == Stage::UnderWay && is_ahead && agent.rethink == Rethink::No;
            if goes_on || aim.stage == Stage::Failed && self.now < agent.retry_at {
                return;
            }
        }
        if *expansions < FLIGHT_EXPANSIONS.min(self.settings.work_per_tick) {
            self.agents[number].is_alert = true; // in the next tick, then
            return;
        }
        let anchor = self.anchor(number, LEAD_TICKS);
        let class = class_of(&self.classes, self.agents[number].class);
        let space = self.links.over(self.world.space(class.profile), class.keys);
        let threats: Vec<W::State> =
            self.world.state_meant(class.profile, threat).into_iter().collect();
        let cost =
            |metres: f32| W::Cost::from_u64((f64::from(metres) * space.cost_per_unit()) as u64);
        let query =
            FleeQuery::new(anchor.state, threats, cost(distance)).horizon(cost(distance * 3.0));
        let mut search = FleeSearch::new(query);
        let most = FLIGHT_EXPANSIONS.min(*expansions);
        let progress = search.step(&space, &mut self.scratch, &mut (), most);
        let flight =
            search.answer(&space, &mut self.scratch).ok().filter(|_| progress == Progress::Done);
        *expansions -= flight.as_ref().map_or(most, |flight| flight.stats.expanded.min(most));
        let to =
            flight.as_ref().and_then(|flight| flight.path.end()).map(|end| space.position(end));
        let agent = &mut self.agents[number];
        if let Some(pending) = agent.pending.take() {
            self.planner.cancel(pending.ticket);
        }
        agent.rethink = Rethink::No;
        let to = to.unwrap_or(agent.body.at());
        agent.aim = Some(Aim { source, to, short: 0.0, stage: Stage::Planning });
        match flight {
            Some(flight) => {
                self.install(number, &anchor, &flight.path);
                self.scratch.recycle(flight.path);
            }
            None => self.fail(number, &anchor, false, NoWay::NoRefuge),
        }
    }
}
