//! From states of a simulation to shots of a film.

use std::path::Path;

use glam::{Vec2, Vec3};
use wayfare::agent::BlendTree;
use wayfare::link::Gate;
use wayfare_draw::{
    Actor, ActorShot, DangerShot, DrawError, Film, FilmPlace, GroundShot, Passage, PassageGate,
    PassageShot, PropShot, Scenery, Shot, Team, Theme,
};
use wayfare_site::{AgentOccupation, DangerRecord, SimulationSession, Site, picture_terrain};

use super::trajectory::Animation;
use crate::args::SimulateArgs;
use crate::failure::Failure;
use crate::report::{Bar, prop_look};

/// More agents than this are a crowd, drawn without names.
const MOST_NAMED: usize = 10;

/// How a point of the world is seen.
pub(super) struct Lens<'s> {
    pub(super) site: &'s dyn Site,
    pub(super) scenery: &'s dyn Scenery,
}

impl Lens<'_> {
    fn at(&self, point: Vec3) -> Option<Vec2> {
        self.scenery.project(point).or_else(|| self.site.on_picture(point))
    }

    /// Returns a direction on the ground as it is seen.
    fn direction(&self, from: Vec3, direction: Vec3) -> Vec2 {
        match (self.at(from), self.at(from + direction)) {
            (Some(from), Some(to)) => to - from,
            _ => Vec2::ZERO,
        }
    }

    /// Returns a length on the ground in the unit of the picture.
    fn scale(&self) -> f32 {
        self.direction(Vec3::ZERO, Vec3::X).length().max(f32::MIN_POSITIVE)
    }
}

/// A film being shot.
pub(super) struct Cinema<'s> {
    film: Film<'s>,
    clips: Option<BlendTree>,
    theme: Theme,
    lens: &'s Lens<'s>,
}

impl<'s> Cinema<'s> {
    pub(super) fn new(
        simulation: &dyn SimulationSession,
        lens: &'s Lens<'s>,
        args: &SimulateArgs,
    ) -> Self {
        let scene = simulation.scene();
        let mut film = Film::new(lens.scenery)
            .title(&scene.scene.name)
            .theme(args.theme.theme())
            .world_pixels(args.size)
            .frames_per_second(f32::from(args.fps));
        if let Some(clips) = &args.clips {
            film = film.clips(clips.clips().iter().map(|clip| clip.name.as_str()));
        }
        for (number, name) in simulation.teams().iter().enumerate() {
            // The first team is that of agents without a team.
            let last = Team::COLOURS.len() - 1;
            let colour = Team::COLOURS[number.checked_sub(1).map_or(last, |place| place % last)];
            let name = if number == 0 { "no team" } else { name };
            film.add_team(Team::new(name, colour));
        }
        let single = scene.agents.iter().filter(|agent| agent.count.is_none()).count();
        let scale = lens.scale();
        for agent in &scene.agents {
            let team = agent.team.as_ref();
            let team =
                team.and_then(|team| simulation.teams().iter().position(|known| known == team));
            for number in 0..agent.number() {
                let name = match agent.count {
                    None => agent.name.clone(),
                    Some(_) => format!("{} {}", agent.name, number + 1),
                };
                film.add_actor(Actor {
                    name,
                    team: team.unwrap_or(0),
                    radius: agent.radius.unwrap_or(0.3) * scale,
                    is_named: agent.count.is_none() && single <= MOST_NAMED,
                });
            }
        }
        for link in simulation.links() {
            let ends = link.ends.map(|end| lens.at(end.into()).unwrap_or_default());
            film.add_passage(Passage {
                name: link.name,
                ends,
                one_way: link.one_way,
                capacity: link.capacity,
            });
        }
        for place in simulation.places() {
            if let Some(at) = lens.at(place.at) {
                film.add_place(FilmPlace { name: place.name.clone(), at });
            }
        }
        Self { film, clips: args.clips.clone(), theme: args.theme.theme(), lens }
    }

    /// Returns the present moment.
    pub(super) fn shoot(&self, simulation: &dyn SimulationSession) -> Shot {
        let mut actors = Vec::new();
        simulation.for_each_agent(&mut |agent| {
            let at = Vec3::from(agent.position);
            let Some(seen) = self.lens.at(at) else { return };
            let ahead = simulation.way_ahead(agent.agent);
            actors.push(ActorShot {
                label: simulation.occupation(agent.agent).map(short).unwrap_or_default(),
                ahead: bent(&ahead).filter_map(|point| self.lens.at(point)).collect(),
                is_hidden: self.lens.scenery.hides(at),
                is_inside: agent.inside.is_some(),
                gait: self.clips.as_ref().map(|clips| Animation::at(clips, agent.speed).gait()),
                ..ActorShot::at(
                    agent.agent as usize,
                    seen,
                    self.lens.direction(at, agent.facing.into()),
                )
            });
        });
        let passages = simulation.links().into_iter().map(|link| PassageShot {
            gate: match link.gate {
                Gate::Open => PassageGate::Open,
                Gate::Closed => PassageGate::Closed,
                Gate::Locked => PassageGate::Locked,
            },
            inside: link.inside as u32,
            waiting: link.waiting as u32,
        });
        let barriers = simulation.barriers().into_iter().map(|barrier| {
            let corner = |x: f32, y: f32, z: f32| self.lens.at(Vec3::new(x, y, z));
            let ([left, near], [right, far]) = (barrier.min, barrier.max);
            let corners = [(left, near), (right, near), (right, far), (left, far)];
            let outline = |y: f32| corners.into_iter().filter_map(move |(x, z)| corner(x, y, z));
            match barrier.bottom.filter(|_| self.lens.scenery.project(Vec3::ZERO).is_some()) {
                // A box in space: the outline of its foot and its top together.
                Some(bottom) => hull(outline(bottom).chain(outline(barrier.top)).collect()),
                None => outline(barrier.top).collect(),
            }
        });
        let grounds = simulation.grounds().into_iter().map(|ground| {
            let ([left, near], [right, far]) = (ground.area.min, ground.area.max);
            let corners = [(left, near), (right, near), (right, far), (left, far)];
            let outline = corners.iter().filter_map(|(x, z)| self.lens.at(Vec3::new(*x, 0.0, *z)));
            let colour = picture_terrain(&ground.terrain, &self.theme).colour;
            GroundShot { outline: outline.collect(), colour }
        });
        let dangers = simulation.dangers();
        let most = dangers.iter().fold(0.0f32, |most, danger| danger.amount.max(most));
        let dangers = dangers.into_iter().map(|DangerRecord { position, radius, amount }| {
            let [x, y, z] = position;
            let corner =
                |[dx, dz]: [f32; 2]| self.lens.at(Vec3::new(x + dx * radius, y, z + dz * radius));
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let outline = corners.into_iter().filter_map(corner).collect();
            DangerShot { outline, heat: amount / most }
        });
        let props = simulation.props().into_iter().filter_map(|prop| {
            let at = self.lens.at(prop.position.into())?;
            Some(PropShot { look: prop_look(prop.kind), at, side: prop.side * self.lens.scale() })
        });
        Shot {
            props: props.collect(),
            dangers: dangers.collect(),
            seconds: simulation.seconds() as f32,
            actors,
            passages: passages.collect(),
            grounds: grounds.collect(),
            barriers: barriers.collect(),
        }
    }

    pub(super) fn write_gif(&self, file: &Path, shots: &[Shot]) -> Result<(), Failure> {
        let mut bar = Bar::new(format!("drawing {}", file.display()));
        let mut progress = |done: usize, all: usize| bar.set(done as u64, all as u64);
        self.film
            .write_gif(file, shots, &mut progress)
            .map(drop)
            .map_err(|problem| failed(file, problem))
    }

    pub(super) fn write_svgs(&self, folder: &Path, shots: &[Shot]) -> Result<(), Failure> {
        let mut bar = Bar::new(format!("drawing {}", folder.display()));
        let mut progress = |done: usize, all: usize| bar.set(done as u64, all as u64);
        self.film
            .write_svgs(folder, shots, &mut progress)
            .map_err(|problem| failed(folder, problem))
    }

    pub(super) fn write_still(&self, file: &Path, shot: Option<&Shot>) -> Result<(), Failure> {
        let Some(shot) = shot else { return Ok(()) };
        let is_svg =
            file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        self.film
            .still(shot)
            .and_then(|picture| match is_svg {
                true => picture.write_svg(file),
                false => picture.write_png(file),
            })
            .map_err(|problem| failed(file, problem))
    }
}

/// Returns a line with points wherever it has risen by some centimetres: pictures of storeys bend
/// slopes.
fn bent(line: &[Vec3]) -> impl Iterator<Item = Vec3> {
    const RISE: f32 = 0.15;
    let legs = line.windows(2).flat_map(|leg| {
        let parts = ((leg[1].y - leg[0].y).abs() / RISE).ceil().clamp(1.0, 200.0) as u32;
        let (from, to) = (leg[0], leg[1]);
        (1..=parts).map(move |part| from.lerp(to, part as f32 / parts as f32))
    });
    line.first().copied().into_iter().chain(legs)
}

/// Returns the convex hull of points, in order around it.
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let mut around: Vec<Vec2> = Vec::new();
    for side in 0..2 {
        let first = around.len();
        let half = |around: &mut Vec<Vec2>, point: Vec2| {
            while let [.., a, b] = &around[first..]
                && (*b - *a).perp_dot(point - *a) <= 0.0
            {
                around.pop();
            }
            around.push(point);
        };
        match side {
            0 => points.iter().for_each(|&point| half(&mut around, point)),
            _ => points.iter().rev().for_each(|&point| half(&mut around, point)),
        }
        // The next half begins where this one ends.
        around.pop();
    }
    around
}

/// Returns an occupation for pictures, where there is no room for reasons.
fn short(occupation: AgentOccupation) -> String {
    match (occupation.text.split_once(':'), occupation.is_troubled) {
        (Some((head, _)), true) => head.to_owned(),
        _ => occupation.text,
    }
}

fn failed(file: &Path, problem: DrawError) -> Failure {
    Failure::Picture { path: file.to_path_buf(), problem }
}
