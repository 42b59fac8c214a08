//! Errands: from the intent of an agent to a rail that reaches its goal.

use glam::Vec3;
use wayfare_core::navigate::{Answered, Coverage, Policy};
use wayfare_core::ops;
use wayfare_core::path::{Path, Step};
use wayfare_core::search::{FleeQuery, FleeSearch, NamedAlgorithm, Outcome, Progress, Query};
use wayfare_core::space::{Action, Cost, Reachability, Space, StateId};

use super::Errands;
use crate::agent::{AgentId, Anchor, Hold, RailEnd, RailSpec, Smoothing, Source, lay_over_links};
use crate::plan::{ClassId, Priority, Request, RequestPoints, Ticket};
use crate::simulation::roster::{Aim, Asked, Class, Cover, Errand, Way};
use crate::simulation::service::Flight;
use crate::simulation::{Environment, Event, NoWay, Trouble};

/// Goals nearer than this, in metres, are for the lane of short queries.
const LOCAL_DISTANCE: f32 = 12.0;
/// The ticks between a body and the anchor of its new path, beyond the braking distance: the body
/// need not stop while it waits for the path.
pub(in crate::simulation) const LEAD_TICKS: f32 = 4.0;
/// After this many failures a patrol goes on with its next point, and a chase is given up.
const MOST_FAILURES: u8 = 3;
/// After this many failures an order is dropped.
const MOST_ORDER_FAILURES: u8 = 5;
/// Pursuers forget a target that they cannot reach for this many seconds.
const IDLE_SECONDS: f32 = 8.0;
/// The wait after a failure doubles so often at most.
const MOST_DOUBLINGS: u8 = 6;
/// The most expansions of one flight. Raising it would find safer points at the price of other
/// agents' paths.
const FLIGHT_EXPANSIONS: u64 = 4096;
/// The priority of a path that the agent can do without.
const NOT_NEEDED: Priority = Priority(64);
/// The most points drawn for a walk about, before the agent stays where it is.
const DRAWS: usize = 8;

impl<W: Environment> Errands<'_, W> {
    /// Lets the agent stay where it is: it stops as soon as it can.
    pub(in crate::simulation) fn stay(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        if agent.errand.is_over() {
            return;
        }
        if !agent.errand.is_open() {
            agent.trouble = None; // it had failed
        }
        let pointless = agent.errand.end();
        self.service.withdraw(pointless);
        let anchor = self.look().anchor(number, 0.0);
        self.end_rail(number, &anchor);
    }

    /// Ends the rail at an anchor from now on, and drops a requested path, which no longer fits.
    pub(in crate::simulation) fn end_rail(&mut self, number: usize, anchor: &Anchor<W::State>) {
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let gait = agent.gait();
        agent.rail.end_at(&mut agent.body, anchor, &gait, tick);
        agent.release();
        self.leave_queue(number);
    }

    /// Removes an agent that is no longer at the entrance of that link from its queue.
    pub(in crate::simulation) fn leave_queue(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        let Way::Waiting(waits_at) = agent.way else { return };
        let leg = agent.rail.legs().get(agent.body.leg());
        if !matches!(leg.map(|leg| leg.hold), Some(Hold::Link { link, .. }) if link == waits_at.0) {
            agent.way = Way::Free;
            self.links_in_use.forget(waits_at, AgentId(number as u32));
        }
    }

    /// Sends an agent to a point, or near it. The point may move by `slack` before it is worth
    /// another path.
    pub(in crate::simulation) fn go(&mut self, number: usize, wish: Aim, slack: f32) {
        let follows = slack > 0.0;
        let agent = &self.roster.agents[number];
        let errand = agent.errand.of(wish.source);
        let moved = errand.aim().map_or(f32::INFINITY, |aim| aim.to.distance(wish.to));
        let is_same = moved <= slack;
        match errand {
            // A moving target's path is walked at least in part: else it would never be.
            Errand::Planning { asked: Some(_), .. } if is_same || follows => {}
            Errand::UnderWay { .. } if is_same && !agent.is_doubtful => {}
            Errand::UnderWay { cover, .. } if is_same => {
                if cover == Cover::Whole {
                    self.request_better(number, wish);
                }
            }
            // It has been there all along.
            Errand::Reached { .. } if is_same && !follows => {
                self.roster.agents[number].conclude(self.clock);
            }
            Errand::Reached { .. } if follows && moved < 0.05 => {}
            Errand::Failed { retry_at, .. }
                if self.clock.now < retry_at && (is_same || follows) => {}
            _ => self.request(number, wish),
        }
    }

    /// Asks for the path that an agent needs.
    fn request(&mut self, number: usize, wish: Aim) {
        let anchor = self.look().anchor(number, LEAD_TICKS);
        let agent = &mut self.roster.agents[number];
        if agent.errand.of(wish.source) == Errand::None {
            agent.failures = 0;
        }
        let replaced = agent.errand.plan(wish);
        self.ask(number, wish, (anchor, false), replaced);
    }

    /// Asks for another path, which may be better. The agent goes on meanwhile, up to the anchor.
    fn request_better(&mut self, number: usize, wish: Aim) {
        let anchor = self.look().anchor(number, LEAD_TICKS);
        self.ask(number, wish, (anchor, false), None);
    }

    /// Does the same, for a path that is [weighed](Asked::is_weighed) against the rail.
    pub(in crate::simulation) fn request_weighed(&mut self, number: usize, wish: Aim) {
        let anchor = self.look().anchor(number, LEAD_TICKS);
        self.ask(number, wish, (anchor, true), None);
    }

    /// Asks for a path from an anchor. `replaced` is an earlier request, whose rank in the queue
    /// the new one keeps.
    fn ask(
        &mut self,
        number: usize,
        wish: Aim,
        (anchor, is_weighed): (Anchor<W::State>, bool),
        replaced: Option<Ticket>,
    ) {
        let agent = &mut self.roster.agents[number];
        agent.is_doubtful = false;
        agent.rail.hold_at(anchor.along);
        let class = self.roster.classes.of(agent.class);
        let Some(goal) = self.ground.world.state_meant(class.profile, wish.to) else {
            self.service.withdraw(replaced);
            return self.refuse(number, &anchor, NoWay::OffMap);
        };
        if goal == anchor.state {
            self.service.withdraw(replaced);
            let step = Step { state: goal, action: Action::default(), cost: W::Cost::ZERO };
            let path = Path { steps: vec![step], revision: self.ground.world.revision() };
            return self.install(number, (&anchor, false), &path, Coverage::Whole);
        }
        let wanted =
            Wanted { class: agent.class, to: wish.to, algorithm: agent.algorithm_for(wish.source) };
        let request = wanted.request(&anchor, goal, self.clock.settings.policy);
        let request = if is_weighed { request.priority(NOT_NEEDED) } else { request };
        let ticket = self.service.request(request, replaced);
        self.roster.agents[number].errand.ask(Asked { ticket, anchor, is_weighed });
    }

    /// Takes all answers of the planner.
    pub(in crate::simulation) fn take_answers(&mut self) {
        for number in 0..self.roster.agents.len() {
            let Some(asked) = self.roster.agents[number].errand.asked() else { continue };
            if let Some(answer) = self.service.take(asked.ticket) {
                self.roster.agents[number].errand.answered();
                self.answer(number, &asked, answer);
            }
        }
    }

    /// Takes the planner's answer to a request for a path. The errand is as if it had not been
    /// made.
    pub(in crate::simulation) fn answer(
        &mut self,
        number: usize,
        asked: &Asked<W::State>,
        answer: Answered<W::State, W::Cost>,
    ) {
        let Asked { anchor, is_weighed, .. } = asked;
        match answer.outcome {
            Outcome::Found(path) => {
                self.install(number, (anchor, *is_weighed), &path, answer.took.coverage);
                self.service.recycle(path);
            }
            // It asks again when it is its turn.
            Outcome::Interrupted(_) if *is_weighed => self.roster.agents[number].release(),
            Outcome::Interrupted(_) => {
                let agent = &mut self.roster.agents[number];
                (agent.is_doubtful, agent.is_alert) = (true, true);
            }
            Outcome::Unreachable { reason, .. } => {
                self.refuse(number, anchor, NoWay::NoPath(reason));
            }
            Outcome::LimitReached { limit, .. } => {
                self.refuse(number, anchor, NoWay::Limit(limit));
            }
        }
    }

    /// Replaces the rail beyond an anchor by a path.
    ///
    /// A path that covers the first leg alone ends short of the goal; the rest is asked for at
    /// once, to begin at its end.
    fn install(
        &mut self,
        number: usize,
        (anchor, is_weighed): (&Anchor<W::State>, bool),
        path: &Path<W::State, W::Cost>,
        coverage: Coverage,
    ) {
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let (Some(aim), Some(end)) = (agent.errand.aim(), path.end()) else { return };
        let Class { profile, keys } = self.roster.classes.of(agent.class);
        let around = self.ground.space_around(self.roster.classes.profile(agent.class), agent);
        let space = self.ground.links.over(around, keys);
        // Right to the point, where it lies in the goal state and not just near it.
        let exact = self.ground.world.foothold(profile, end, aim.to).filter(|_| W::CUTS_ACROSS);
        // Cut short where that can be shown to be clear; else move by move.
        let mut lays = |smoothing| {
            let spec = RailSpec::new(anchor.point, &agent.limits).smoothing(smoothing).goal(exact);
            lay_over_links(&space, path, &spec, &mut self.service.legs).is_ok()
        };
        if !(W::CUTS_ACROSS && lays(Smoothing::LineOfSight) || lays(Smoothing::None)) {
            return self.refuse(number, anchor, NoWay::Changed);
        }
        if is_weighed && !self.is_worth_it(number, anchor) {
            return self.roster.agents[number].release();
        }
        let agent = &mut self.roster.agents[number];
        let goal = self.ground.world.state_meant(profile, aim.to);
        let goes_on = coverage == Coverage::FirstLeg && goal != Some(end);
        let short = if goes_on { 0.0 } else { aim.short.max(agent.limits.stopping_distance) };
        let (gait, end) = (agent.gait(), RailEnd { state: end, short });
        agent.rail.splice(&mut agent.body, anchor, &mut self.service.legs, end, &gait, tick);
        let rest = goal.filter(|_| goes_on).map(|goal| {
            let anchor = agent.rail.anchor_at_end();
            let algorithm = agent.algorithm_for(aim.source);
            let wanted = Wanted { class: agent.class, to: aim.to, algorithm };
            let request = wanted.request(&anchor, goal, Policy::Exact);
            Asked { ticket: self.service.request(request, None), anchor, is_weighed: false }
        });
        agent.errand.set_out(rest);
        (agent.failures, agent.trouble) = (0, None);
        agent.release();
        self.leave_queue(number);
        self.events.report(Event::Departed(AgentId(number as u32)));
    }

    /// Follows the answer that there is no path from an anchor. If the present rail reaches the
    /// goal, the agent goes on.
    fn refuse(&mut self, number: usize, anchor: &Anchor<W::State>, reason: NoWay) {
        let agent = &mut self.roster.agents[number];
        if agent.errand.makes_do() {
            agent.release();
        } else {
            self.fail(number, anchor, reason);
        }
    }

    /// Fails the errand for want of a path. The agent stands, and tries again after a while that
    /// doubles each time.
    fn fail(&mut self, number: usize, anchor: &Anchor<W::State>, reason: NoWay) {
        let agent = &mut self.roster.agents[number];
        let Some(Aim { source, .. }) = agent.errand.aim() else { return };
        agent.failures = agent.failures.saturating_add(1);
        let doublings = (agent.failures - 1).min(MOST_DOUBLINGS);
        let wait = self.clock.turns() << doublings;
        let pointless = agent.errand.fail(self.clock.now + wait);
        agent.trouble = Some(Trouble::NoWay(reason));
        let most = if source == Source::Order { MOST_ORDER_FAILURES } else { MOST_FAILURES };
        if agent.failures >= most {
            let until = self.clock.now + self.clock.ticks(IDLE_SECONDS);
            agent.mind.give_up(source, &agent.behaviours, until);
            if source == Source::Order {
                (agent.errand, agent.failures, agent.trouble) = (Errand::None, 0, None);
                agent.is_alert = true;
            }
        }
        self.service.withdraw(pointless);
        self.end_rail(number, anchor);
        self.events.report(Event::NoPath { agent: AgentId(number as u32), reason });
    }

    /// Lets an agent walk about: it goes on to the point drawn last, or draws another.
    pub(in crate::simulation) fn roam(
        &mut self,
        number: usize,
        source: Source,
        (home, radius): (Vec3, f32),
        is_under_way: bool,
    ) {
        let agent = &self.roster.agents[number];
        match agent.errand.of(source) {
            Errand::Planning { asked: Some(_), .. } | Errand::UnderWay { .. }
                if is_under_way && !agent.is_doubtful =>
            {
                return;
            }
            Errand::Failed { retry_at, .. } if self.clock.now < retry_at => return,
            _ => {}
        }
        let here = self.look().anchor(number, LEAD_TICKS);
        let class = self.roster.agents[number].class;
        let profile = self.roster.classes.profile(class);
        for _ in 0..DRAWS {
            let mind = &mut self.roster.agents[number].mind;
            let share = |draw: u32| (draw >> 8) as f32 / (1 << 24) as f32;
            let (angle, away) = (share(mind.draw()) * std::f32::consts::TAU, share(mind.draw()));
            let ops::SinCos { sin, cos } = ops::sin_cos(angle);
            let drawn = home + Vec3::new(cos, 0.0, sin) * (away.sqrt() * radius);
            let space = self.ground.space_of(self.roster.classes.of(class));
            let Some(state) = self.ground.world.state_meant(profile, drawn) else { continue };
            let exact = self.ground.world.foothold(profile, state, drawn).filter(|_| W::RENUMBERS);
            let place = exact.unwrap_or_else(|| space.position(state));
            if space.check(state).is_ok()
                && space.reachability(here.state, state) == Reachability::Possible
                && place.distance(home) <= radius
            {
                return self.request(number, Aim { source, to: place, short: 0.0 });
            }
        }
        // Nowhere to go: it rests, and draws again later.
        let agent = &mut self.roster.agents[number];
        agent.mind.give_up(source, &agent.behaviours, self.clock.now);
        let pointless = agent.errand.plan(Aim { source, to: home, short: 0.0 });
        let retry_at = self.clock.now + self.clock.turns();
        let _ = agent.errand.fail(retry_at);
        self.service.withdraw(pointless);
        self.end_rail(number, &here);
    }

    /// Lets an agent flee: it continues while it is nearer to its refuge than the threat is, else
    /// looks for another refuge, within the tick's expansions.
    pub(in crate::simulation) fn flee(&mut self, flight: &Flight, expansions: &mut u64) {
        let Flight { agent: number, source, threat, distance } = *flight;
        let agent = &self.roster.agents[number];
        match agent.errand.of(source) {
            Errand::UnderWay { aim, .. }
                if agent.body.at().distance(aim.to) < threat.distance(aim.to)
                    && !agent.is_doubtful =>
            {
                return;
            }
            Errand::Failed { retry_at, .. } if self.clock.now < retry_at => return,
            _ => {}
        }
        if *expansions < FLIGHT_EXPANSIONS.min(self.clock.settings.work_per_tick) {
            self.roster.agents[number].is_alert = true; // in the next tick, then
            return;
        }
        let anchor = self.look().anchor(number, LEAD_TICKS);
        let class = self.roster.class(number);
        let space = self.ground.space_of(class);
        let threats: Vec<W::State> =
            self.ground.world.state_meant(class.profile, threat).into_iter().collect();
        let cost =
            |metres: f32| W::Cost::from_u64((f64::from(metres) * space.cost_per_unit()) as u64);
        let query =
            FleeQuery::new(anchor.state, threats, cost(distance)).horizon(cost(distance * 3.0));
        let mut search = FleeSearch::new(query);
        let most = FLIGHT_EXPANSIONS.min(*expansions);
        let progress = search.step(&space, &mut self.service.scratch, &mut (), most);
        let flight = search
            .answer(&space, &mut self.service.scratch)
            .ok()
            .filter(|_| progress == Progress::Done);
        *expansions -= flight.as_ref().map_or(most, |flight| flight.stats.expanded.min(most));
        let to =
            flight.as_ref().and_then(|flight| flight.path.end()).map(|end| space.position(end));
        let agent = &mut self.roster.agents[number];
        agent.is_doubtful = false;
        let to = to.unwrap_or(agent.body.at());
        let pointless = agent.errand.plan(Aim { source, to, short: 0.0 });
        self.service.withdraw(pointless);
        match flight {
            Some(flight) => {
                self.install(number, (&anchor, false), &flight.path, Coverage::Whole);
                self.service.scratch.recycle(flight.path);
            }
            None => self.refuse(number, &anchor, NoWay::NoRefuge),
        }
    }
}

/// The path that an agent asks the planner for.
struct Wanted {
    class: ClassId,
    /// The point where it wants to be.
    to: Vec3,
    /// The algorithm, if it is not the planner's.
    algorithm: Option<NamedAlgorithm>,
}

impl Wanted {
    /// Returns the request for a path from an anchor to the state that is meant by the point.
    fn request<State: StateId, C: Cost>(
        self,
        anchor: &Anchor<State>,
        goal: State,
        policy: Policy,
    ) -> Request<State, C, NamedAlgorithm> {
        let query = Query::new(anchor.state, goal);
        let request = Request { algorithm: self.algorithm, ..Request::new(self.class, query) };
        let points = RequestPoints { start: anchor.point, goal: self.to };
        let request = request.policy(policy).between(points);
        if anchor.point.distance(self.to) <= LOCAL_DISTANCE { request.local() } else { request }
    }
}
