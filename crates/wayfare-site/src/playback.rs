//! Simulations that go back in time.

use std::convert::Infallible;
use std::path::Path;

use wayfare::simulation::Command;
use wayfare_scene::scene::GroundChange;

use crate::{SimulationSession, SiteError};

/// Ticks between two checkpoints at first.
const SPACING: u64 = 32;
/// The memory of checkpoints, in bytes, unless it is [given](Playback::with_memory).
const MEMORY: usize = 64 << 20;

/// A saved moment.
struct Checkpoint {
    tick: u64,
    bytes: Vec<u8>,
}

/// A change from outside.
#[derive(Clone)]
enum Given {
    Command(Command<Infallible>),
    Replacement(GroundChange),
}

/// A simulation that goes to any of its ticks, back too.
///
/// Whole states are saved now and then. To go back, the last one before the tick is restored, and
/// the ticks since are simulated again, with their commands. A simulation repeats itself bit by
/// bit, so the past is as it was.
///
/// Going back takes at most as many ticks as lie between two checkpoints: 32 at first. When the
/// checkpoints fill their memory, every second one is dropped, and the distance doubles.
///
/// ```
/// use wayfare::simulation::Command;
/// use wayfare::agent::{AgentId, Order};
/// use wayfare::glam::Vec3;
/// use wayfare_site::{MemoryFiles, Playback, open_simulation_from};
///
/// let files = MemoryFiles::new().with("walk.toml", *br#"
///     scene = { name = "walk", map = """
/// .....
/// .###.
/// ....."""}
///     agents = [{ name = "Ann", at = [0, 1] }]
/// "#);
/// let mut walk = Playback::new(open_simulation_from("walk.toml", &files, None)?)?;
/// walk.go_to(10)?;
/// let order = Order::GoTo(Vec3::new(4.5, 0.0, 1.5));
/// walk.command(Command::Order { agent: AgentId(0), order });
/// walk.go_to(100)?;
/// let hash = walk.session().hash();
/// walk.go_to(50)?;
/// assert_eq!((walk.session().now(), walk.furthest()), (50, 100));
/// walk.go_to(100)?;
/// assert_eq!(walk.session().hash(), hash);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub struct Playback {
    session: Box<dyn SimulationSession>,
    /// By tick. The first is the beginning, and stays.
    checkpoints: Vec<Checkpoint>,
    spacing: u64,
    memory: usize,
    /// Each with the count of completed ticks when it was given, in that order.
    given: Vec<(u64, Given)>,
    furthest: u64,
}

impl Playback {
    /// Takes a simulation before its first tick.
    ///
    /// # Errors
    /// If it has begun, or its state does not fit into memory.
    pub fn new(session: Box<dyn SimulationSession>) -> Result<Self, SiteError> {
        Self::with_memory(session, MEMORY)
    }

    /// Returns the same with another memory for checkpoints, in bytes. The first is kept in any
    /// case.
    ///
    /// # Errors
    /// As [`Playback::new`].
    pub fn with_memory(
        mut session: Box<dyn SimulationSession>,
        memory: usize,
    ) -> Result<Self, SiteError> {
        session.keep_beginning()?;
        let furthest = session.now();
        let first = Checkpoint { tick: furthest, bytes: session.save()? };
        Ok(Self {
            session,
            checkpoints: vec![first],
            spacing: SPACING,
            memory,
            given: Vec::new(),
            furthest,
        })
    }

    /// Returns the simulation at the present tick.
    #[must_use]
    pub fn session(&self) -> &dyn SimulationSession {
        self.session.as_ref()
    }

    /// Returns the latest simulated tick. A command given before it discards the later ticks.
    #[must_use]
    pub fn furthest(&self) -> u64 {
        self.furthest
    }

    /// Returns the commands given up to the present tick, the first of them first.
    pub fn commands(&self) -> impl Iterator<Item = &Command<Infallible>> {
        let now = self.session.now();
        let given = self.given.iter().take_while(move |(tick, _)| *tick <= now);
        given.filter_map(|(_, given)| match given {
            Given::Command(command) => Some(command),
            Given::Replacement(_) => None,
        })
    }

    /// Gives a command, which is carried out at the beginning of the next tick. Ticks after the
    /// present one are discarded.
    pub fn command(&mut self, command: Command<Infallible>) {
        let now = self.session.now();
        self.session.schedule(now, command.clone());
        self.remember(Given::Command(command));
    }

    /// Replaces a part of the ground at the beginning of the next tick. Ticks after the present one
    /// are discarded.
    ///
    /// # Errors
    /// As [`SimulationSession::replace`]; nothing is forgotten then.
    pub fn replace(&mut self, change: GroundChange) -> Result<(), SiteError> {
        self.session.replace(&change)?;
        self.remember(Given::Replacement(change));
        Ok(())
    }

    /// Keeps a command of the present tick, and discards the later ones.
    fn remember(&mut self, given: Given) {
        let now = self.session.now();
        self.given.retain(|(tick, _)| *tick <= now);
        self.checkpoints.retain(|checkpoint| checkpoint.tick <= now);
        self.furthest = now;
        self.given.push((now, given));
    }

    /// Moves on by one tick.
    ///
    /// # Errors
    /// When the state does not fit into memory.
    pub fn tick(&mut self) -> Result<(), SiteError> {
        self.session.tick();
        let now = self.session.now();
        self.furthest = self.furthest.max(now);
        self.repeat_commands()?;
        let last = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.tick);
        if now >= last + self.spacing {
            self.checkpoints.push(Checkpoint { tick: now, bytes: self.session.save()? });
            self.thin();
        }
        Ok(())
    }

    /// Goes to a tick: forward by simulating, back by simulating again from the last checkpoint
    /// before it.
    ///
    /// # Errors
    /// If the state does not fit into memory. The simulation then stops at a tick in between.
    pub fn go_to(&mut self, tick: u64) -> Result<(), SiteError> {
        if tick < self.session.now() {
            let after = self.checkpoints.partition_point(|checkpoint| checkpoint.tick <= tick);
            if let Some(before) = self.checkpoints.get(after.saturating_sub(1)) {
                self.session.resume(&before.bytes, Path::new("a checkpoint"))?;
                self.repeat_commands()?;
            }
        }
        while self.session.now() < tick {
            self.tick()?;
        }
        Ok(())
    }

    /// Gives the commands again that were given at the present tick, which is one of the past: a
    /// command given in the present drops all later ones.
    ///
    /// A checkpoint is saved as soon as its tick is over, before any command is given, so it
    /// contains none of them.
    fn repeat_commands(&mut self) -> Result<(), SiteError> {
        let now = self.session.now();
        for (_, given) in self.given.iter().filter(|(tick, _)| *tick == now) {
            match given {
                Given::Command(command) => self.session.schedule(now, command.clone()),
                Given::Replacement(change) => self.session.replace(change)?,
            }
        }
        Ok(())
    }

    /// Drops every second checkpoint until the rest fits.
    fn thin(&mut self) {
        let size = |kept: &[Checkpoint]| -> usize { kept.iter().map(|one| one.bytes.len()).sum() };
        while self.checkpoints.len() > 1 && size(&self.checkpoints) > self.memory {
            let mut number = 0;
            self.checkpoints.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing.saturating_mul(2);
        }
    }
}
