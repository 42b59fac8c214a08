//! The service of paths: the planner, the engines, and memory for searches and rails.

mod class_view;

pub(super) use class_view::ClassView;

use glam::Vec3;
use wayfare_core::navigate::Answered;
use wayfare_core::path::Path;
use wayfare_core::search::{AlgorithmId, NamedAlgorithm, Scratch};

use super::ground::Ground;
use super::roster::Classes;
use super::{Engines, Environment};
use crate::agent::{Leg, Source};
use crate::plan::{Planner, PlannerSettings, Request, Ticket};

/// The service that answers requests for paths. All but the planner and the engines is memory that
/// is reused and carries nothing from tick to tick.
#[derive(Debug)]
pub(super) struct Service<W: Environment> {
    planner: Planner<W::State, W::Cost, NamedAlgorithm>,
    engines: Engines<W>,
    pub(super) scratch: Scratch<W::State, W::Cost>,
    /// The legs of a rail that is being laid.
    pub(super) legs: Vec<Leg<W::State>>,
    /// Points of a follower's line.
    pub(super) march_points: Vec<Vec3>,
    /// The flights of a tick.
    pub(super) flights: Vec<Flight>,
}

impl<W: Environment> Service<W> {
    /// Returns a service without requests.
    pub(super) fn new(settings: PlannerSettings, engines: Engines<W>) -> Self {
        Self::resumed(Planner::new(AlgorithmId::Auto.into(), settings), engines)
    }

    /// Returns a service with the requests of a planner.
    pub(super) fn resumed(
        planner: Planner<W::State, W::Cost, NamedAlgorithm>,
        engines: Engines<W>,
    ) -> Self {
        let (legs, march_points, flights) = (Vec::new(), Vec::new(), Vec::new());
        Self { planner, engines, scratch: Scratch::new(), legs, march_points, flights }
    }

    /// Returns the same service with prepared engines before those of the world.
    pub(super) fn with_engines(self, engines: Engines<W>) -> Self {
        Self { engines: engines.followed_by(W::engines()), ..self }
    }

    /// Returns the planner, for its statistics and the state of requests.
    pub(super) fn planner(&self) -> &Planner<W::State, W::Cost, NamedAlgorithm> {
        &self.planner
    }

    /// Hands in a request. It takes the rank in the queue of one that it replaces.
    pub(super) fn request(
        &mut self,
        request: Request<W::State, W::Cost, NamedAlgorithm>,
        replaced: Option<Ticket>,
    ) -> Ticket {
        match replaced {
            Some(ticket) => self.planner.request_instead(ticket, request),
            None => self.planner.request(request),
        }
    }

    /// Returns the answer to a request, once; `None` before it is done.
    pub(super) fn take(&mut self, ticket: Ticket) -> Option<Answered<W::State, W::Cost>> {
        self.planner.take(ticket)
    }

    /// Takes back a path that is no longer needed, for its memory.
    pub(super) fn recycle(&mut self, path: Path<W::State, W::Cost>) {
        self.planner.recycle(path);
    }

    /// Has the engines follow an edit.
    pub(super) fn world_changed(&mut self, world: &W, affected: &[W::State]) {
        self.engines.world_changed(world, affected);
    }

    /// Spends a budget of expansions on requests.
    pub(super) fn work(&mut self, ground: &Ground<W>, classes: &Classes, expansions: u64) {
        let (planner, engines) = (&mut self.planner, &self.engines);
        planner.tick(|class| ClassView::new(ground, engines, classes.of(class)), expansions);
    }

    /// Tells the planner of changed states.
    pub(super) fn tell(&mut self, ground: &Ground<W>, classes: &Classes, affected: &[W::State]) {
        let (planner, engines) = (&mut self.planner, &self.engines);
        let views = |class| ClassView::new(ground, engines, classes.of(class));
        planner.world_changed(views, &ground.links.with_far_ends(affected));
    }

    /// Cancels a request, if there is one.
    pub(super) fn withdraw(&mut self, ticket: Option<Ticket>) {
        if let Some(ticket) = ticket {
            self.planner.cancel(ticket);
        }
    }
}

/// An agent that wants to flee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) agent: usize,
    pub(super) source: Source,
    /// Where the threat is.
    pub(super) threat: Vec3,
    /// How far away the agent wants to be, in world units.
    pub(super) distance: f32,
}
