//! The kinds that there are: one file each.
//!
//! To add one, write its file (a [`Scenario`]) and add its line to the list below. A kind whose
//! worlds change raises its version; after a release the old rules stay as [`Scenario::earlier`].

mod pulley;
pub(crate) mod tools;

pub use pulley::{Mechanism, Pulley};
pub(crate) use tools::way_over;

use crate::{GenerateError, Scenario};

macro_rules! kinds {
    ($($module:ident :: $kind:ident),* $(,)?) => {
        $(mod $module;)*

        /// Returns the kinds of this crate, in the order of lists.
        fn standard() -> Vec<Box<dyn Scenario>> {
            vec![$(Box::new($module::$kind)),*]
        }
    };
}

kinds! {
    caves::Caves,
    rooms::Rooms,
    maze::Maze,
    city::City,
    terrain::Landscape,
    dungeon::Dungeon,
    islands::Islands,
    warehouse::Warehouse,
    voxel_village::VoxelVillage,
    voxel_caves::VoxelCaves,
    floating_islands::FloatingIslands,
    level::Level,
    house::House,
    courtyard::Courtyard,
    hills::Hills,
    heavy_door::KIND,
    platform::KIND,
    hook::KIND,
}

/// The kinds of worlds to choose from.
///
/// ```
/// use wayfare_generate::Kinds;
///
/// let kinds = Kinds::standard();
/// assert_eq!(kinds.get("maze")?.name(), "maze");
/// // A family stands for its kinds.
/// assert!(kinds.of("underground")?.iter().any(|kind| kind.name() == "caves"));
/// assert!(kinds.get("amaze").is_err());
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
pub struct Kinds(Vec<Box<dyn Scenario>>);

impl Kinds {
    /// Returns the kinds of this crate.
    #[must_use]
    pub fn standard() -> Self {
        Kinds(standard())
    }

    /// Adds a kind of your own.
    ///
    /// # Errors
    /// When there is a kind or family of that name.
    pub fn with(mut self, kind: Box<dyn Scenario>) -> Result<Self, GenerateError> {
        if self.of(kind.name()).is_ok() {
            let problem = format!("there is a kind or family '{}' already", kind.name());
            return Err(GenerateError::Request(problem));
        }
        self.0.push(kind);
        Ok(self)
    }

    /// Returns all kinds.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Scenario> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// Returns their names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(Scenario::name)
    }

    /// Returns the kind of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<&dyn Scenario, GenerateError> {
        self.iter().find(|kind| kind.name() == name).ok_or_else(|| self.unknown(name))
    }

    /// Returns the kinds that a name stands for: the kind of that name, or all of a family.
    ///
    /// # Errors
    /// When it stands for none.
    pub fn of(&self, name: &str) -> Result<Vec<&dyn Scenario>, GenerateError> {
        if let Ok(kind) = self.get(name) {
            return Ok(vec![kind]);
        }
        let members: Vec<_> = self.iter().filter(|kind| kind.families().contains(&name)).collect();
        if members.is_empty() { Err(self.unknown(name)) } else { Ok(members) }
    }

    fn unknown(&self, name: &str) -> GenerateError {
        let mut families: Vec<_> = self.iter().flat_map(Scenario::families).copied().collect();
        families.sort_unstable();
        families.dedup();
        GenerateError::Request(format!(
            "there is no kind '{name}'; kinds are {}; families are {}",
            self.names().collect::<Vec<_>>().join(", "),
            families.join(", "),
        ))
    }
}

impl std::fmt::Debug for Kinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
