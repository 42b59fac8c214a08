//! Classes of agents.

use wayfare_core::link::Keys;
use wayfare_core::space::ProfileId;

use crate::plan::ClassId;
use crate::simulation::TooManyClasses;

/// A class of agents: a profile of the world and the keys they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Class {
    pub(in crate::simulation) profile: ProfileId,
    pub(in crate::simulation) keys: Keys,
}

/// The classes of a simulation, by id.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Classes(pub(in crate::simulation) Vec<Class>);

impl Classes {
    /// Returns the class with that id; for an unknown one the default profile without keys.
    pub(in crate::simulation) fn of(&self, class: ClassId) -> Class {
        self.get(class).unwrap_or(Class { profile: ProfileId::default(), keys: Keys::NONE })
    }

    /// Returns the profile of the class with that id.
    pub(in crate::simulation) fn profile(&self, class: ClassId) -> ProfileId {
        self.of(class).profile
    }

    /// Returns the class with that id; `None` for an unknown one.
    pub(in crate::simulation) fn get(&self, class: ClassId) -> Option<Class> {
        self.0.get(usize::from(class.0)).copied()
    }

    /// Returns the profiles of all classes, in ascending order, each once.
    pub(in crate::simulation) fn profiles(&self) -> Vec<ProfileId> {
        let mut profiles: Vec<_> = self.0.iter().map(|class| class.profile).collect();
        profiles.sort_unstable();
        profiles.dedup();
        profiles
    }

    /// Returns the profile of the first class, by which danger and links are measured.
    pub(in crate::simulation) fn first_profile(&self) -> ProfileId {
        self.profile(ClassId::default())
    }

    /// Adds a class.
    pub(in crate::simulation) fn add(&mut self, class: Class) -> Result<ClassId, TooManyClasses> {
        let number = u16::try_from(self.0.len()).map_err(|_| TooManyClasses)?;
        self.0.push(class);
        Ok(ClassId(number))
    }

    /// Returns the first class with that profile and those keys; adds it if there is none.
    pub(in crate::simulation) fn find_or_add(
        &mut self,
        class: Class,
    ) -> Result<ClassId, TooManyClasses> {
        let known = self.0.iter().position(|&known| known == class);
        match known.and_then(|number| u16::try_from(number).ok()) {
            Some(number) => Ok(ClassId(number)),
            None => self.add(class),
        }
    }
}
