//! The crowd and its step.

use glam::{Vec2, Vec3};
use wayfare_core::walls::Walls;

use super::agent::check_point;
use super::grounds::{Grounds, OneGround};
use super::model::{OfAll, Reciprocal, Steerings};
use super::step::{Step, Tick};
use super::store::role;
use super::{AvoidanceModel, CrowdAgent, CrowdFault, CrowdMember, MemberId, Steering};

/// The settings of a whole crowd. Units as of [`CrowdAgent`].
///
/// ```
/// use wayfare::crowd::{Crowd, CrowdSettings};
/// assert!(Crowd::new(CrowdSettings { range: -1.0, ..CrowdSettings::default() }).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrowdSettings {
    /// How far a body looks for others, above 0 and at most 1,000; default 10. It never looks
    /// further than it and the fastest other could meet within its horizon.
    pub range: f32,
    /// For how many seconds ahead walls are avoided, above 0 and at most 60; default 0.4. Raising
    /// it makes bodies slow down earlier before walls and in doors.
    pub wall_horizon: f32,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { range: 10.0, wall_horizon: 0.4 }
    }
}

/// The report of a step.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) })?;
/// // Nobody passes x = 0.3.
/// let fence = |_from: Vec3, to: Vec3, radius: f32| to.x + radius <= 0.3;
/// let report = crowd.step(&fence, 0.1)?;
/// assert_eq!((report.stopped_by_walls, report.held_by_others), (1, 0));
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CrowdReport {
    /// Bodies whose moves were shortened or turned along a wall.
    pub stopped_by_walls: u32,
    /// Bodies whose moves were shortened because of another body.
    pub held_by_others: u32,
    /// Bodies that reach into a wall, from the beginning or by an edit. They may move out, and
    /// never deeper than a quarter of their radius at a time.
    pub in_walls: u32,
    /// Bodies that have settled round their goals.
    pub settled: u32,
}

/// A body with the crowd's memory of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Member {
    #[doc(hidden)]
    pub agent: CrowdAgent,
    /// The time without progress: 1 after half a second, of models with turns of their own after a
    /// whole one.
    #[doc(hidden)]
    pub stuck: f32,
    #[doc(hidden)]
    pub is_settled: bool,
    /// Whether the body has made the move of its [`Lead`] in the last step.
    #[doc(hidden)]
    pub was_led: bool,
}

/// The part of a member that agents of a simulation have, and a step only reads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Role {
    /// The index of the ground that it walks on.
    #[doc(hidden)]
    pub ground: u16,
    /// The model of steering, where each has its own.
    #[doc(hidden)]
    pub model: AvoidanceModel,
    /// For a body that follows a rail.
    #[doc(hidden)]
    pub lead: Option<Lead>,
    /// The id of a body that it may overlap, and that may overlap it.
    #[doc(hidden)]
    pub passes: Option<u32>,
    /// The id of its group.
    #[doc(hidden)]
    pub group: Option<u32>,
}

/// How a body follows a rail while its path is free.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lead {
    /// Its move along the rail in this step, proved with the rail; `None` while its velocity has to
    /// come back to that of the rail first.
    pub by: Option<Vec3>,
    /// Whether it makes that move even where it would rather turn aside a little.
    pub keeps: bool,
    /// The distance to the end of the rail, in world units.
    pub left: f32,
}

impl Member {
    /// Returns a member without progress or setback so far.
    #[doc(hidden)]
    #[must_use]
    pub fn new(agent: CrowdAgent) -> Self {
        Self { agent, stuck: 0.0, is_settled: false, was_led: false }
    }
}

impl Role {
    /// The role of a member without a ground, a rail or a group of its own.
    #[doc(hidden)]
    pub const PLAIN: &Self = &Self {
        ground: 0,
        model: AvoidanceModel::Reciprocal,
        lead: None,
        passes: None,
        group: None,
    };
}

/// Bodies that avoid each other and walls. [`step`](Self::step) moves them all.
///
/// After a step that began with bodies apart and free of walls, bodies are apart and free of walls:
/// no two are nearer than 0.995 of the sum of their radii, and each move was shorter than the way
/// to any wall or proved by [`Walls::is_clear`]. Bodies of quality off are exempt. Equal crowds
/// make equal steps, bit by bit, on any target and at any thread count (feature `rayon`).
///
/// A step takes O(n · neighbours²) at worst, and no memory once warm.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings};
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["......", "..##..", "......"])?;
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let east = crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(at(0.5, 0.5)) })?;
/// let west = crowd.add(CrowdAgent { preferred: -Vec3::X, ..CrowdAgent::at(at(5.5, 0.5)) })?;
/// for _ in 0..100 {
///     crowd.step(&grid.space(), 0.1)?;
/// }
/// // They pass each other between the wall and the border, 1 metre apart.
/// # let gone = |id| crowd.agent(id).unwrap().position.x;
/// # assert!(gone(east) < gone(west) || gone(east) > 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    settings: CrowdSettings,
    /// By id; none in a crowd whose members have plain ones.
    roles: Vec<Role>,
    /// Seconds since the beginning.
    time: f64,
    /// The ids of the members that are present.
    present: Vec<u32>,
    /// With the members, by id.
    step: Step<Vec2>,
}

impl Crowd {
    /// Returns a crowd without members.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn new(settings: CrowdSettings) -> Result<Self, CrowdFault> {
        for (field, value, most) in
            [("range", settings.range, 1.0e3), ("wall horizon", settings.wall_horizon, 60.0)]
        {
            if !(f32::MIN_POSITIVE..=most).contains(&value) {
                return Err(CrowdFault::Limit { field, value, most });
            }
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Adds a body. It may overlap others: the next steps part them.
    ///
    /// # Errors
    /// If a value of the agent is out of its range, or there are 2³¹ members.
    pub fn add(&mut self, agent: CrowdAgent) -> Result<MemberId, CrowdFault> {
        agent.check()?;
        let number = u32::try_from(self.bound()).ok().filter(|&number| number < 1 << 31);
        let number = number.ok_or(CrowdFault::Full)?;
        self.step.store.put(self.bound(), number, &Member::new(agent), Role::PLAIN);
        self.present.push(number);
        Ok(MemberId(number))
    }

    /// Takes a body out. Its id is not reused.
    ///
    /// # Errors
    /// There is no such member.
    pub fn remove(&mut self, id: MemberId) -> Result<CrowdAgent, CrowdFault> {
        let agent = self.agent(id).ok_or(CrowdFault::NoSuchMember(id))?;
        self.step.store.remove(id.0 as usize);
        let first = self.present.partition_point(|&number| number < id.0);
        self.present.remove(first);
        Ok(agent)
    }

    /// Returns a body as the last step left it.
    #[must_use]
    pub fn agent(&self, id: MemberId) -> Option<CrowdAgent> {
        self.member(id.0 as usize).map(|member| member.agent)
    }

    /// Returns all bodies in the order of their ids.
    pub fn agents(&self) -> impl Iterator<Item = CrowdMember> {
        let ids = self.present.iter().map(|&number| MemberId(number));
        ids.filter_map(|id| self.agent(id).map(|agent| CrowdMember { id, agent }))
    }

    /// Returns whether a body has settled round its goal: it stands there, or behind another that
    /// has.
    #[must_use]
    pub fn is_settled(&self, id: MemberId) -> bool {
        self.step.store.is_settled(id.0 as usize)
    }

    /// Changes a body: its preferred velocity before each step, its position after a teleport, its
    /// limits.
    ///
    /// # Errors
    /// If there is no such member, or a value is out of its range. Nothing is changed then.
    pub fn set(&mut self, id: MemberId, agent: CrowdAgent) -> Result<(), CrowdFault> {
        let number = id.0 as usize;
        let before = self.member(number).ok_or(CrowdFault::NoSuchMember(id))?;
        agent.check()?;
        let is_settled = before.is_settled && before.agent.goal == agent.goal;
        let member = Member { agent, is_settled, ..before };
        self.step.store.set(number, &member, role(&self.roles, id.0));
        Ok(())
    }

    /// Changes the preferred velocity of a body.
    ///
    /// # Errors
    /// There is no such member; the velocity is no point within 10⁹ of the origin.
    pub fn prefer(&mut self, id: MemberId, preferred: Vec3) -> Result<(), CrowdFault> {
        if !self.step.store.has(id.0 as usize) {
            return Err(CrowdFault::NoSuchMember(id));
        }
        check_point("preferred velocity", preferred)?;
        self.step.store.prefer(id.0 as usize, preferred);
        Ok(())
    }

    /// Moves all bodies by `dt` seconds, above 0 and at most 10, by reciprocal avoidance.
    ///
    /// # Errors
    /// `dt` is out of its range.
    pub fn step(&mut self, walls: &impl Walls, dt: f32) -> Result<CrowdReport, CrowdFault> {
        self.step_of(&Reciprocal, walls, dt)
    }

    /// Moves all bodies by `dt` seconds, above 0 and at most 10, by any model.
    ///
    /// # Errors
    /// `dt` is out of its range.
    pub fn step_by(
        &mut self,
        steering: &impl Steering,
        walls: &impl Walls,
        dt: f32,
    ) -> Result<CrowdReport, CrowdFault> {
        self.step_of(&OfAll(steering), walls, dt)
    }

    fn step_of(
        &mut self,
        steering: &impl Steerings<Vec2>,
        walls: &impl Walls,
        dt: f32,
    ) -> Result<CrowdReport, CrowdFault> {
        if !(f32::MIN_POSITIVE..=10.0).contains(&dt) {
            return Err(CrowdFault::Limit { field: "length of a step", value: dt, most: 10.0 });
        }
        Ok(self.step_on(steering, &OneGround(walls), dt))
    }

    /// Moves all bodies by `dt` seconds, each by its steering and on its ground.
    #[doc(hidden)]
    pub fn step_on(
        &mut self,
        steering: &impl Steerings<Vec2>,
        grounds: &impl Grounds,
        dt: f32,
    ) -> CrowdReport {
        let tick = Tick { settings: self.settings, time: self.time, dt };
        self.time += f64::from(dt);
        self.step.solve(&self.roles, steering, grounds, tick)
    }

    /// Begins a step at that time with an empty crowd, for a caller that keeps the members.
    #[doc(hidden)]
    pub fn gather(&mut self, time: f64) {
        self.step.store.clear();
        self.roles.clear();
        self.present.clear();
        self.time = time;
    }

    /// Adds a member under an id higher than all before.
    #[doc(hidden)]
    pub fn put(&mut self, number: usize, member: &Member, role: Role) {
        self.step.store.put(number, number as u32, member, &role);
        self.roles.resize(number, *Role::PLAIN);
        self.roles.push(role);
        self.present.push(number as u32);
    }

    /// Returns a bound above all members' ids.
    #[doc(hidden)]
    pub fn bound(&self) -> usize {
        self.step.store.bound()
    }

    /// Returns a member as the last step left it.
    #[doc(hidden)]
    #[must_use]
    pub fn member(&self, number: usize) -> Option<Member> {
        self.step.store.member(number)
    }

    /// Returns the role of a member.
    #[doc(hidden)]
    #[must_use]
    pub fn role(&self, number: usize) -> &Role {
        role(&self.roles, number as u32)
    }
}
