//! Generated worlds as documents, for files.

use wayfare_formats::{Marks, TilePosition};
use wayfare_scene::World;
use wayfare_scene::scene::{NamedPlace, Scene, SceneAgent, SceneBehaviour, SceneSimulation, Spot};

use crate::{
    Arrangement, GenerateError, Generated, Ground, Part, TileDraft, TileScene, TimedReset,
    WorldDraft,
};

/// The agent that solves the puzzles of a world.
const SOLVER: &str = "solver";

impl Generated {
    /// Returns the world in words: kind, version, seed and values. With them it can be made again.
    #[must_use]
    pub fn origin(&self) -> String {
        let values: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let Generated { kind, version, seed, .. } = self;
        format!("{kind}, version {version}, seed {}: {}", seed.0, values.join(", "))
    }

    /// Returns the world as a document. Tiles become a scene with the places `entry` and `exit`; if
    /// there are puzzles or locked doors, an agent solves them on its way.
    ///
    /// ```
    /// use wayfare_generate::{Kinds, Seed, Settings, generate};
    /// use wayfare_scene::World;
    ///
    /// let maze = generate(Kinds::standard().get("maze")?, &Settings::default(), Seed(7))?;
    /// let World::Scene(scene) = maze.document("maze-7")? else { panic!("tiles become a scene") };
    /// assert_eq!(scene.places[0].name, "entry");
    /// assert!(scene.scene.description.contains("maze, version 1, seed 7"));
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// If the built world is no sound document.
    pub fn document(&self, name: &str) -> Result<World, GenerateError> {
        match &self.draft {
            WorldDraft::Tiles(scene) => {
                let scene = scene.clone().unlocked();
                Ok(World::Scene(scene.document(name, self.origin(), &[])?))
            }
            WorldDraft::Blocks(blocks) => Ok(World::Voxels(blocks.scene.clone())),
            WorldDraft::Level(level) => Ok(World::Mesh(level.mesh.clone())),
            WorldDraft::Sampled(sampled) => {
                let mut scene = sampled.scene.clone();
                scene.scene.name = name.to_owned();
                scene.scene.description = self.origin();
                Ok(World::Scene(scene))
            }
        }
    }

    /// Returns the tiles as a map with a start and a goal, for formats without places and links;
    /// `None` if the world is not made of tiles.
    ///
    /// # Errors
    /// If the built world is no sound map.
    pub fn map(&self, name: &str) -> Result<Option<World>, GenerateError> {
        match &self.draft {
            WorldDraft::Tiles(scene) => scene.map(name).map(Some),
            _ => Ok(None),
        }
    }
}

impl Arrangement {
    /// Returns the world as a scene, with the places `1 entry` and `1 exit` of the first scenario,
    /// and so on.
    ///
    /// # Errors
    /// If the built world is no sound document.
    pub fn document(&self, name: &str, origin: String) -> Result<World, GenerateError> {
        Ok(World::Scene(self.scene.document(name, origin, &self.parts)?))
    }

    /// Returns the same scene with walkers from the entry to the exit, through all scenarios, and
    /// with scenarios that are reset meanwhile, one after the other. If there are puzzles, walkers
    /// follow the agent that solves them.
    ///
    /// ```
    /// use wayfare_generate::{Arrangement, Kinds, Lineup, Manager, Reset, Seed, TimedReset};
    /// use wayfare_scene::World;
    ///
    /// let kinds = Kinds::standard();
    /// let lineup = Lineup { only: Some("maze".into()), ..Lineup::default() };
    /// let worlds = vec![lineup.generate(0, &kinds)?];
    /// let row = Arrangement::new(&worlds, &lineup)?;
    /// let reset = Reset::new(&row, &worlds, 0, Seed(5), &lineup, &kinds)?;
    /// let resets = [TimedReset { seconds: 20.0, reset }];
    /// let World::Scene(scene) = row.show("row", String::new(), 8, &resets)? else { panic!("a scene") };
    /// assert_eq!((scene.agents[0].count, scene.events[0].at), (Some(8), 20.0));
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Arrangement::document`].
    pub fn show(
        &self,
        name: &str,
        origin: String,
        walkers: u32,
        resets: &[TimedReset],
    ) -> Result<World, GenerateError> {
        let mut scene = self.scene.document(name, origin, &self.parts)?;
        let mut grounds: Vec<Ground> = Vec::new();
        for TimedReset { seconds, reset } in resets {
            grounds.extend(reset.changes.iter().map(|change| change.ground));
            scene.events.push(reset.event(*seconds));
        }
        grounds.sort_unstable();
        grounds.dedup();
        for terrain in grounds.into_iter().map(Ground::described) {
            if !scene.terrains.iter().any(|known| known.name == terrain.name) {
                scene.terrains.push(terrain);
            }
        }
        if walkers > 0 {
            let mut agent = SceneAgent::new("walker", Spot::Named("entry".to_owned()));
            agent.count = Some(walkers);
            if self.scene.puzzles.is_empty() {
                agent.orders = vec![Spot::Named("exit".to_owned())];
            } else {
                // Doors are shut until they are opened for them.
                let (target, distance) = (SOLVER.to_owned(), 2.0);
                agent.behaviours = vec![SceneBehaviour::Follow { target, distance }];
            }
            scene.agents.push(agent);
        }
        // What is walked before the last reset may have to be walked again.
        let last = resets.iter().map(|reset| reset.seconds).fold(0.0, f32::max);
        if let Some(SceneSimulation { seconds: Some(seconds), .. }) = &mut scene.simulation {
            *seconds += last;
        }
        scene.validate()?;
        Ok(World::Scene(scene))
    }
}

impl TileScene {
    /// Returns the tiles as a map with a start and a goal.
    ///
    /// # Errors
    /// When there are no tiles.
    pub fn map(&self, name: &str) -> Result<World, GenerateError> {
        let marks = Marks { start: Some(self.entry_tile()), goal: Some(self.exit_tile()) };
        Ok(World::TileMap(self.draft.to_map(name)?.with_marks(marks)?))
    }

    fn document(&self, name: &str, origin: String, parts: &[Part]) -> Result<Scene, GenerateError> {
        let mut scene = Scene::new(name);
        scene.scene.description = origin;
        scene.scene.map = Some(text_of(&self.draft));
        let terrains = Ground::terrains();
        let used = Ground::ALL.map(|ground| self.draft.tiles().contains(&ground));
        scene.terrains = terrains
            .into_iter()
            .zip(used)
            .filter(|(_, used)| *used)
            .map(|(kind, _)| kind)
            .collect();
        let cell = |at: TilePosition| Spot::Cell([at.x, at.y]);
        let place = |name: String, at| NamedPlace { name, at: cell(at) };
        scene.places = vec![
            place("entry".to_owned(), self.entry_tile()),
            place("exit".to_owned(), self.exit_tile()),
        ];
        for (number, part) in (1..).zip(parts) {
            scene.places.push(place(format!("{number} entry"), part.entry));
            scene.places.push(place(format!("{number} exit"), part.exit));
        }
        scene.puzzles.clone_from(&self.puzzles);
        if !self.puzzles.is_empty() {
            // Time for a walk along all sides, and for the work.
            let seconds = 60.0 + (self.draft.width() + self.draft.height()) as f32;
            let seconds = Some(seconds);
            scene.simulation = Some(SceneSimulation { seconds, ..SceneSimulation::default() });
            // The agent that solves them, on its path from the entry to the exit.
            let name = SOLVER.to_owned();
            scene.agents = vec![SceneAgent {
                orders: vec![Spot::Named("exit".to_owned())],
                ..SceneAgent::new(name.clone(), cell(self.entry_tile()))
            }];
            scene.puzzles.iter_mut().for_each(|puzzle| puzzle.agent = Some(name.clone()));
        }
        scene.validate()?;
        Ok(scene)
    }
}

/// Returns a row of characters for each row of tiles.
fn text_of(draft: &TileDraft) -> String {
    let glyphs: Vec<char> = Ground::terrains().iter().map(|terrain| terrain.glyph).collect();
    let mut text = String::with_capacity(draft.tiles().len() + draft.height() as usize);
    for row in draft.tiles().chunks(draft.width() as usize) {
        text.extend(row.iter().map(|ground| glyphs[usize::from(ground.terrain().0)]));
        text.push('\n');
    }
    text
}
