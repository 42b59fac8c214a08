//! The contents of a film: plain data, in the units of its scenery.

use glam::Vec2;

use crate::{Colour, Ramp, Scenery, Theme};

/// A simulation as a film, a picture, or a series of pictures.
///
/// All positions are in the units of the scenery: cells of a grid, metres among waypoints, the
/// projection of an isometric world. A film knows nothing of simulations; the caller turns their
/// states into [`Shot`]s.
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
/// let shot = |x: f32| {
///     let ann = ActorShot::at(0, Vec2::new(x, 2.5), Vec2::X);
///     let actors = vec![ActorShot { label: "walking".into(), ..ann }];
///     Shot { seconds: x, actors, ..Shot::default() }
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
    pub(super) clips: Vec<String>,
}

/// A team and its colour.
///
/// ```
/// use wayfare_draw::{Film, GridScenery, Team, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let mut film = Film::new(&world);
/// let guards = film.add_team(Team::new("guards", Team::COLOURS[0]));
/// let thieves = film.add_team(Team::new("thieves", Team::COLOURS[1]));
/// assert_ne!(guards, thieves);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Its name in the legend; an empty name leaves it out.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
}

impl Team {
    /// Colours that differ on any ground. The first ones differ most, also in luminance.
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

    /// Returns a team. In a film its agents get a shape of their own too, by the index of the team:
    /// disc, square, triangle, diamond, hexagon, and from the first again.
    #[must_use]
    pub fn new(name: impl Into<String>, colour: Colour) -> Self {
        Self { name: name.into(), colour }
    }
}

/// The constant properties of an agent.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Actor, ActorShot, Film, GridScenery, Shot, Team, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let mut film = Film::new(&world);
/// let team = film.add_team(Team::new("guards", Team::COLOURS[0]));
/// let ada = Actor { name: "Ada".into(), team, radius: 0.35, is_named: true };
/// let ada = film.add_actor(ada);
/// let actors = vec![ActorShot::at(ada, Vec2::new(2.5, 1.5), Vec2::X)];
/// assert!(film.still(&Shot { actors, ..Shot::default() })?.to_svg()?.contains("Ada"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// The index of its team, as [`Film::add_team`] returned it.
    pub team: usize,
    /// Its radius in the unit of the scenery. Drawn with a least size that can be seen.
    pub radius: f32,
    /// Whether its name and activity are written. Switch it off for crowds.
    pub is_named: bool,
}

/// A passage.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Film, GridScenery, Passage, Shot, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let mut film = Film::new(&world);
/// let ends = [Vec2::new(1.5, 1.5), Vec2::new(6.5, 1.5)];
/// film.add_passage(Passage { name: "lift".into(), ends, one_way: false, capacity: Some(4) });
/// assert!(film.still(&Shot::default())?.to_svg()?.contains("lift 0/4"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Passage {
    /// Its name.
    pub name: String,
    /// Its ends.
    pub ends: [Vec2; 2],
    /// Whether it can be used only from the first end to the second.
    pub one_way: bool,
    /// The capacity in agents; `None` for unlimited.
    pub capacity: Option<u16>,
}

/// A place that agents go to.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Film, FilmPlace, GridScenery, Shot, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let mut film = Film::new(&world);
/// film.add_place(FilmPlace { name: "well".into(), at: Vec2::new(3.5, 2.5) });
/// assert!(film.still(&Shot::default())?.to_svg()?.contains("well"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct FilmPlace {
    /// Its name; may be empty.
    pub name: String,
    /// Its position.
    pub at: Vec2,
}

/// One moment.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Film, GridScenery, Shot, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let wall = [[1.0, 1.0], [2.0, 1.0], [2.0, 3.0], [1.0, 3.0]].map(Vec2::from).to_vec();
/// let shot = Shot { seconds: 2.5, barriers: vec![wall], ..Shot::default() };
/// assert!(Film::new(&world).still(&shot)?.to_svg()?.contains("2.5 s"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Shot {
    /// The time, in seconds from the start.
    pub seconds: f32,
    /// The agents present, in any order.
    pub actors: Vec<ActorShot>,
    /// The states of the passages, in the order of their addition.
    pub passages: Vec<PassageShot>,
    /// Ground that lies over that of the world, the lowest first.
    pub grounds: Vec<GroundShot>,
    /// The outlines of obstacles that have appeared.
    pub barriers: Vec<Vec<Vec2>>,
    /// The places that agents know to be dangerous.
    pub dangers: Vec<DangerShot>,
    /// The parts of puzzles, the lower ones first.
    pub props: Vec<PropShot>,
}

/// A part of a puzzle at a moment.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Film, GridScenery, PropLook, PropShot, Shot, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let lever = PropShot { look: PropLook::Lever { is_on: true }, at: Vec2::new(2.5, 1.5), side: 1.0 };
/// let shot = Shot { props: vec![lever], ..Shot::default() };
/// assert!(Film::new(&world).still(&shot)?.to_svg()?.len() > 100);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PropShot {
    /// Its look.
    pub look: PropLook,
    /// Its middle.
    pub at: Vec2,
    /// Side of its cell in the unit of the scenery.
    pub side: f32,
}

/// The look of a part of a puzzle.
///
/// ```
/// use wayfare_draw::PropLook;
/// assert_ne!(PropLook::Plate { is_loaded: true }, PropLook::Plate { is_loaded: false });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropLook {
    /// A door.
    Door {
        /// Whether it is open.
        is_open: bool,
    },
    /// A heavy door with bars.
    HeavyDoor {
        /// Whether it is raised.
        is_open: bool,
    },
    /// A gap, or a bridge over it.
    Gap {
        /// Whether there is a bridge.
        is_bridged: bool,
    },
    /// A plate.
    Plate {
        /// Whether something lies on it.
        is_loaded: bool,
    },
    /// A lever.
    Lever {
        /// Whether it is on.
        is_on: bool,
    },
    /// A key.
    Key,
    /// A crate.
    Crate,
    /// A hook over its cell.
    Hook,
    /// The winch of a hook.
    Winch,
    /// The end of a platform.
    Platform {
        /// Whether the platform is here.
        is_here: bool,
    },
}

/// Ground that has replaced another.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Film, GridScenery, GroundShot, Shot, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&theme)], &[0; 32])?;
/// let outline = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]].map(Vec2::from).to_vec();
/// let ground = GroundShot { outline, colour: theme.wall };
/// Film::new(&world).still(&Shot { grounds: vec![ground], ..Shot::default() })?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GroundShot {
    /// Its outline.
    pub outline: Vec<Vec2>,
    /// Its colour.
    pub colour: Colour,
}

/// A dangerous place at a moment.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{DangerShot, Film, GridScenery, Shot, Terrain, Theme};
///
/// let world = GridScenery::new(8, 4, vec![Terrain::floor(&Theme::DARK)], &[0; 32])?;
/// let outline = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]].map(Vec2::from).to_vec();
/// let shot = Shot { dangers: vec![DangerShot { outline, heat: 0.8 }], ..Shot::default() };
/// assert!(Film::new(&world).still(&shot)?.to_svg()?.contains("danger"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DangerShot {
    /// Its outline.
    pub outline: Vec<Vec2>,
    /// How dangerous it is, 0 to 1.
    pub heat: f32,
}

/// An agent at a moment.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::ActorShot;
///
/// let ahead = vec![Vec2::ZERO, Vec2::new(3.0, 0.0)];
/// let standing = ActorShot::at(0, Vec2::ZERO, Vec2::X);
/// let walking = ActorShot { label: "to the well".into(), ahead, ..standing };
/// assert!(!walking.is_hidden && !walking.is_inside);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ActorShot {
    /// The index of the actor, as [`Film::add_actor`] returned it.
    pub actor: usize,
    /// Its position.
    pub at: Vec2,
    /// The direction that it looks in; of any length.
    pub heading: Vec2,
    /// Its activity, in a word or three.
    pub label: String,
    /// The path ahead of it, from its position on.
    pub ahead: Vec<Vec2>,
    /// Whether something hides it; it shimmers through.
    pub is_hidden: bool,
    /// Whether it is inside a passage.
    pub is_inside: bool,
    /// The animations that it plays, if the film shows them: [`Film::clips`].
    pub gait: Option<Gait>,
}

/// The animations that an agent plays at a moment.
///
/// ```
/// use wayfare_draw::Gait;
/// let strolling = Gait { weights: vec![0.25, 0.75, 0.0], playback: 1.0 };
/// assert_eq!(strolling.weights.iter().sum::<f32>(), 1.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Gait {
    /// The share of each clip of [`Film::clips`], 0 to 1.
    pub weights: Vec<f32>,
    /// The factor on the clips' own pace.
    pub playback: f32,
}

impl ActorShot {
    /// Returns an agent without a special activity.
    #[must_use]
    pub fn at(actor: usize, at: Vec2, heading: Vec2) -> Self {
        let (label, ahead) = (String::new(), Vec::new());
        let (is_hidden, is_inside) = (false, false);
        Self { actor, at, heading, label, ahead, is_hidden, is_inside, gait: None }
    }
}

/// Who may enter a passage.
///
/// ```
/// use wayfare_draw::{PassageGate, PassageShot};
///
/// let locked = PassageShot { gate: PassageGate::Locked, ..PassageShot::default() };
/// assert_ne!(locked.gate, PassageGate::default());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PassageGate {
    /// Everyone.
    #[default]
    Open,
    /// No agent.
    Closed,
    /// Agents with the key.
    Locked,
}

/// A passage at a moment.
///
/// ```
/// use wayfare_draw::{PassageGate, PassageShot};
///
/// let full = PassageShot { inside: 4, waiting: 2, ..PassageShot::default() };
/// assert_eq!(full.gate, PassageGate::Open);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PassageShot {
    /// Who may enter.
    pub gate: PassageGate,
    /// The number of agents inside.
    pub inside: u32,
    /// The number of agents waiting outside.
    pub waiting: u32,
}

impl<'a> Film<'a> {
    /// Returns a film over a world without agents, at 10 images a second.
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
            clips: Vec::new(),
        }
    }

    /// Sets the names of animation clips. A named agent with a [`Gait`] shows their shares as a bar
    /// beside the world, with the playback speed.
    #[must_use]
    pub fn clips(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.clips = names.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the colour of a clip.
    pub(super) fn clip_colour(&self, clip: usize) -> Colour {
        let last = self.clips.len().saturating_sub(1).max(1);
        Ramp::Ice.at(clip as f32 / last as f32)
    }

    /// Sets a title over the world.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the colours; [`Theme::DARK`] by default.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the longest side of the world in pixels. Default 640.
    #[must_use]
    pub fn world_pixels(mut self, longest: u32) -> Self {
        self.longest = longest.max(1);
        self
    }

    /// Sets the images a second. 1 to 50, default 10. Each shot is one image.
    #[must_use]
    pub fn frames_per_second(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// Sets the pause on the last image before the film restarts, in seconds. 0 to 60, default 1.5.
    #[must_use]
    pub fn hold(mut self, seconds: f32) -> Self {
        self.hold = seconds;
        self
    }

    /// Adds a team and returns its index.
    pub fn add_team(&mut self, team: Team) -> usize {
        self.teams.push(team);
        self.teams.len() - 1
    }

    /// Adds an actor and returns its index.
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

    /// Returns the colour of an actor's team.
    pub(super) fn colour(&self, actor: usize) -> Colour {
        let team = self.actors.get(actor).and_then(|actor| self.teams.get(actor.team));
        team.map_or(Team::COLOURS[0], |team| team.colour)
    }
}
