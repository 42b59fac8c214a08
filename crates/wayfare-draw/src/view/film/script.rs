//! What a film shows: plain data, in the units of its scenery.

use glam::Vec2;

use crate::{Colour, Scenery, Theme};

/// A simulation as a film, a picture, or a series of pictures.
///
/// All positions are in the units of the scenery, seen as it sees them: cells of a grid, metres among waypoints, the
/// projection of an isometric world. The film knows nothing of simulations; somebody turns their states into [`Shot`]s.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Actor, ActorShot, Film, GridScenery, Shot, Team, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let scenery = GridScenery::new(8, 4, vec![Terrain::floor(&theme)], &[0; 32])?;
/// let mut film = Film::new(&scenery).title("A walk");
/// let team = film.add_team(Team::new("walkers", Team::COLOURS[0]));
/// film.add_actor(Actor { name: "Ann".into(), team, radius: 0.35, is_named: true });
/// let shot = |x: f32| Shot {
///     seconds: x,
///     actors: vec![ActorShot { label: "walking".into(), ..ActorShot::at(0, Vec2::new(x, 2.5), Vec2::X) }],
///     ..Shot::default()
/// };
/// let shots: Vec<Shot> = (1u8..7).map(|x| shot(f32::from(x))).collect();
/// let mut gif = Vec::new();
/// film.encode_gif(&mut gif, &shots, &mut |_, _| ())?;
/// assert!(film.still(&shots[2])?.to_svg()?.contains("Ann"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
pub struct Film<'a> {
    pub(super) scenery: &'a dyn Scenery,
    pub(super) title: String,
    pub(super) theme: Theme,
    pub(super) longest: u32,
    pub(super) rate: f32,
    pub(super) hold: f32,
    pub(super) teams: Vec<Team>,
    pub(super) actors: Vec<Actor>,
    pub(super) passages: Vec<Passage>,
    pub(super) places: Vec<FilmPlace>,
}

/// A team, by its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// What it is called in the legend; empty leaves it out.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
}

impl Team {
    /// Colours that are told apart on every ground; the first ones differ most, also by luminance.
    pub const COLOURS: [Colour; 8] = [
        Colour::hex(0x4fb3ff),
        Colour::hex(0xff5a52),
        Colour::hex(0xffd64d),
        Colour::hex(0xc58bff),
        Colour::hex(0x5fe3a1),
        Colour::hex(0xff9d45),
        Colour::hex(0xff8fd0),
        Colour::hex(0xdfe7ef),
    ];

    /// A team.
    #[must_use]
    pub fn new(name: impl Into<String>, colour: Colour) -> Self {
        Self { name: name.into(), colour }
    }
}

/// An agent, as far as it stays the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Actor {
    /// What it is called.
    pub name: String,
    /// The number of its team, as [`Film::add_team`] returned it.
    pub team: usize,
    /// Its radius in the unit of the scenery; drawn no smaller than can be seen.
    pub radius: f32,
    /// Whether its name and what it does are written: not in crowds.
    pub is_named: bool,
}

/// Something to go through.
#[derive(Clone, PartialEq, Debug)]
pub struct Passage {
    /// What it is called.
    pub name: String,
    /// Its ends.
    pub ends: [Vec2; 2],
    /// Whether it leads only from the first to the second.
    pub one_way: bool,
    /// How many fit in; `None` for any number.
    pub capacity: Option<u16>,
}

/// A place that somebody may go to.
#[derive(Clone, PartialEq, Debug)]
pub struct FilmPlace {
    /// What it is called; may be empty.
    pub name: String,
    /// Where it is.
    pub at: Vec2,
}

/// One moment.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Shot {
    /// When, in seconds from the beginning.
    pub seconds: f32,
    /// The agents that are there, in any order.
    pub actors: Vec<ActorShot>,
    /// The states of the passages, in the order in which they were added.
    pub passages: Vec<PassageShot>,
    /// The outlines of what has got in the way.
    pub barriers: Vec<Vec<Vec2>>,
}

/// An agent at a moment.
#[derive(Clone, PartialEq, Debug)]
pub struct ActorShot {
    /// The number of the actor, as [`Film::add_actor`] returned it.
    pub actor: usize,
    /// Where it is.
    pub at: Vec2,
    /// Which way it looks; of any length.
    pub heading: Vec2,
    /// What it does, in a word or three.
    pub label: String,
    /// The way that lies ahead of it, from where it is.
    pub ahead: Vec<Vec2>,
    /// Whether something of the world hides it; it shimmers through.
    pub is_hidden: bool,
    /// Whether it is inside a passage.
    pub is_inside: bool,
}

impl ActorShot {
    /// An agent that does nothing special.
    #[must_use]
    pub fn at(actor: usize, at: Vec2, heading: Vec2) -> Self {
        let (label, ahead) = (String::new(), Vec::new());
        Self { actor, at, heading, label, ahead, is_hidden: false, is_inside: false }
    }
}

/// Who may enter a passage.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PassageGate {
    /// Everyone.
    #[default]
    Open,
    /// Nobody.
    Closed,
    /// Who has the key.
    Locked,
}

/// A passage at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PassageShot {
    /// Who may enter.
    pub gate: PassageGate,
    /// How many are inside.
    pub inside: u32,
    /// How many wait outside.
    pub waiting: u32,
}

impl<'a> Film<'a> {
    /// A film over a world, 10 images a second, with nobody in it.
    #[must_use]
    pub fn new(scenery: &'a dyn Scenery) -> Self {
        Self {
            scenery,
            title: String::new(),
            theme: Theme::default(),
            longest: 640,
            rate: 10.0,
            hold: 1.5,
            teams: Vec::new(),
            actors: Vec::new(),
            passages: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A title over the world.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The colours; [`Theme::DARK`] by default.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// How long the longer side of the world may be, in pixels; 640 by default.
    #[must_use]
    pub fn world_pixels(mut self, longest: u32) -> Self {
        self.longest = longest.max(1);
        self
    }

    /// Images a second, 1 to 50; 10 by default. Shots follow each other at this rate.
    #[must_use]
    pub fn frames_per_second(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// How long the last image is held before all begins anew, in seconds, 0 to 60; 1.5 by default.
    #[must_use]
    pub fn hold(mut self, seconds: f32) -> Self {
        self.hold = seconds;
        self
    }

    /// Adds a team and returns its number.
    pub fn add_team(&mut self, team: Team) -> usize {
        self.teams.push(team);
        self.teams.len() - 1
    }

    /// Adds an actor and returns its number.
    pub fn add_actor(&mut self, actor: Actor) -> usize {
        self.actors.push(actor);
        self.actors.len() - 1
    }

    /// Adds a passage.
    pub fn add_passage(&mut self, passage: Passage) {
        self.passages.push(passage);
    }

    /// Adds a place that is marked.
    pub fn add_place(&mut self, place: FilmPlace) {
        self.places.push(place);
    }

    /// The colour of an actor's team.
    pub(super) fn colour(&self, actor: usize) -> Colour {
        let team = self.actors.get(actor).and_then(|actor| self.teams.get(actor.team));
        team.map_or(Team::COLOURS[0], |team| team.colour)
    }
}
