//! The errand of an agent: where it wants to be, and how far it has come with that.
//!
//! | transition | from | to |
//! |---|---|---|
//! | [`plan`](Errand::plan): the agent wants to be elsewhere | any | `Planning` |
//! | [`ask`](Errand::ask): a path was asked for | `Planning`, `UnderWay` | the same |
//! | [`set_out`](Errand::set_out): a path was laid | any with an aim | `UnderWay` |
//! | [`arrive`](Errand::arrive): the body stands at the end of the rail | `UnderWay` | `Reached` |
//! | [`lose_way`](Errand::lose_way): the rail does not lead there any more | `UnderWay`, `Reached` | `Planning` |
//! | [`fail`](Errand::fail): there is no path | any with an aim | `Failed` |
//! | [`end`](Errand::end): the agent wants to be nowhere else | any | `None` |
//!
//! An errand waits for at most one answer. A transition that makes a request pointless returns its
//! ticket, to be cancelled.

use glam::Vec3;

use crate::agent::{Anchor, Source};
use crate::plan::Ticket;

/// The goal of an agent, and its reason.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Aim {
    pub(in crate::simulation) source: Source,
    pub(in crate::simulation) to: Vec3,
    /// The distance before the goal at which to stop, in world units.
    pub(in crate::simulation) short: f32,
}

/// A path that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Asked<State> {
    pub(in crate::simulation) ticket: Ticket,
    /// The point on the rail where the path is to begin.
    pub(in crate::simulation) anchor: Anchor<State>,
    /// Whether the path is weighed against the rest of the rail, and taken only if it is quicker.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) is_weighed: bool,
}

/// The part of the path that the rail of an agent under way covers, and the request for another
/// path.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) enum Cover<State> {
    /// All of it.
    Whole,
    /// All of it. A better path was asked for; without one the rail is good enough.
    Better(Asked<State>),
    /// The first leg. The rest, which begins at the end of the rail, was asked for.
    FirstLeg(Asked<State>),
}

/// An errand and its state.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) enum Errand<State> {
    /// The agent wants to be where it is.
    #[default]
    None,
    /// It needs a path. Without a request it asks for one at its next decision.
    Planning { aim: Aim, asked: Option<Asked<State>> },
    /// The rail ends there.
    UnderWay { aim: Aim, cover: Cover<State> },
    /// It is there.
    Reached { aim: Aim },
    /// There was no path. It asks again at the tick `retry_at`.
    Failed { aim: Aim, retry_at: u64 },
}

impl<State: Copy> Errand<State> {
    /// Returns the goal of the agent.
    pub(in crate::simulation) fn aim(&self) -> Option<Aim> {
        match *self {
            Self::None => None,
            Self::Planning { aim, .. }
            | Self::UnderWay { aim, .. }
            | Self::Reached { aim }
            | Self::Failed { aim, .. } => Some(aim),
        }
    }

    /// Returns the errand, if it comes from that wish.
    pub(in crate::simulation) fn of(self, source: Source) -> Self {
        if self.aim().is_some_and(|aim| aim.source == source) { self } else { Self::None }
    }

    /// Returns the request that it waits for.
    pub(in crate::simulation) fn asked(&self) -> Option<Asked<State>> {
        match *self {
            Self::Planning { asked, .. } => asked,
            Self::UnderWay { cover: Cover::Better(asked) | Cover::FirstLeg(asked), .. } => {
                Some(asked)
            }
            _ => None,
        }
    }

    /// Returns whether the rail has another goal, or has become impassable, and another path was
    /// asked for.
    pub(in crate::simulation) fn waits(&self) -> bool {
        matches!(self, Self::Planning { asked: Some(_), .. })
    }

    /// Returns whether the rail has another goal, or has become impassable.
    pub(in crate::simulation) fn needs_path(&self) -> bool {
        matches!(self, Self::Planning { .. })
    }

    /// Returns whether the agent has somewhere to go, or is going there.
    pub(in crate::simulation) fn is_open(&self) -> bool {
        matches!(self, Self::Planning { .. } | Self::UnderWay { .. })
    }

    /// Returns whether a path is needed, and was not asked for yet.
    pub(in crate::simulation) fn is_lost(&self) -> bool {
        matches!(self, Self::Planning { asked: None, .. })
    }

    /// Returns whether the agent is where it wants to be.
    pub(in crate::simulation) fn is_over(&self) -> bool {
        matches!(self, Self::None | Self::Reached { .. })
    }

    /// Sets a new goal. Returns a request that has become pointless.
    #[must_use]
    pub(in crate::simulation) fn plan(&mut self, aim: Aim) -> Option<Ticket> {
        let pointless = self.asked().map(|asked| asked.ticket);
        *self = Self::Planning { aim, asked: None };
        pointless
    }

    /// Notes a request for a path: the one that the agent needs, or a better one than it has.
    pub(in crate::simulation) fn ask(&mut self, asked: Asked<State>) {
        match *self {
            Self::Planning { aim, .. } => *self = Self::Planning { aim, asked: Some(asked) },
            Self::UnderWay { aim, .. } => {
                *self = Self::UnderWay { aim, cover: Cover::Better(asked) };
            }
            Self::None | Self::Reached { .. } | Self::Failed { .. } => {}
        }
    }

    /// Notes that the rail reaches the goal, or is a first leg of the path: then `rest` was asked
    /// for.
    pub(in crate::simulation) fn set_out(&mut self, rest: Option<Asked<State>>) {
        if let Some(aim) = self.aim() {
            *self = Self::UnderWay { aim, cover: rest.map_or(Cover::Whole, Cover::FirstLeg) };
        }
    }

    /// Returns whether the rail suffices without a better path, as it reaches the goal.
    pub(in crate::simulation) fn makes_do(&self) -> bool {
        matches!(self, Self::UnderWay { cover: Cover::Whole, .. })
    }

    /// Keeps the present rail: no better path is wanted any more. Returns its request, which has
    /// become pointless.
    #[must_use]
    pub(in crate::simulation) fn keep_rail(&mut self) -> Option<Ticket> {
        let Self::UnderWay { aim, cover: Cover::Better(asked) } = *self else { return None };
        *self = Self::UnderWay { aim, cover: Cover::Whole };
        Some(asked.ticket)
    }

    /// Notes that the rail can be followed only up to the length `end`.
    ///
    /// A better path that begins before that point becomes the one that is needed, and is not
    /// weighed against the rail any more: returns true. Otherwise nothing changes.
    pub(in crate::simulation) fn need_better(&mut self, end: f32) -> bool {
        match *self {
            Self::Planning { asked: Some(asked), .. } => asked.anchor.along <= end,
            Self::UnderWay { aim, cover: Cover::Better(asked) } if asked.anchor.along <= end => {
                let asked = Asked { is_weighed: false, ..asked };
                *self = Self::Planning { aim, asked: Some(asked) };
                true
            }
            _ => false,
        }
    }

    /// Notes that the rail no longer reaches the goal. Returns a request that has become pointless.
    #[must_use]
    pub(in crate::simulation) fn lose_way(&mut self) -> Option<Ticket> {
        let pointless = self.asked().map(|asked| asked.ticket);
        match *self {
            Self::Planning { aim, .. } | Self::UnderWay { aim, .. } | Self::Reached { aim } => {
                *self = Self::Planning { aim, asked: None };
            }
            Self::None | Self::Failed { .. } => {}
        }
        pointless
    }

    /// Notes that the body stands at the end of its rail. Returns whether that is the goal.
    pub(in crate::simulation) fn arrive(&mut self) -> bool {
        match *self {
            Self::UnderWay { aim, cover: Cover::Whole } => {
                *self = Self::Reached { aim };
                true
            }
            _ => false,
        }
    }

    /// Notes that there is no path. Returns a request that has become pointless.
    #[must_use]
    pub(in crate::simulation) fn fail(&mut self, retry_at: u64) -> Option<Ticket> {
        let pointless = self.asked().map(|asked| asked.ticket);
        if let Some(aim) = self.aim() {
            *self = Self::Failed { aim, retry_at };
        }
        pointless
    }

    /// Ends the errand. Returns a request that has become pointless.
    #[must_use]
    pub(in crate::simulation) fn end(&mut self) -> Option<Ticket> {
        std::mem::take(self).asked().map(|asked| asked.ticket)
    }

    /// Moves the anchor along a rail that was changed before it: the requested path begins at the
    /// same point, at another length of the rail.
    pub(in crate::simulation) fn move_anchor(&mut self, place: impl Fn(f32) -> f32) {
        match self {
            Self::Planning { asked: Some(asked), .. }
            | Self::UnderWay { cover: Cover::Better(asked) | Cover::FirstLeg(asked), .. } => {
                asked.anchor.along = place(asked.anchor.along);
            }
            _ => {}
        }
    }

    /// Tries a failed errand again at that tick at the latest.
    pub(in crate::simulation) fn retry_by(&mut self, tick: u64) {
        if let Self::Failed { retry_at, .. } = self {
            *retry_at = tick.min(*retry_at);
        }
    }

    /// Removes the answered request: the errand is as if it had not been made.
    pub(in crate::simulation) fn answered(&mut self) {
        match *self {
            Self::Planning { aim, .. } => *self = Self::Planning { aim, asked: None },
            Self::UnderWay { aim, cover: Cover::Better(_) } => {
                *self = Self::UnderWay { aim, cover: Cover::Whole };
            }
            // Without its rest a first leg is of no use.
            Self::UnderWay { aim, cover: Cover::FirstLeg(_) } => {
                *self = Self::Planning { aim, asked: None };
            }
            _ => {}
        }
    }
}
