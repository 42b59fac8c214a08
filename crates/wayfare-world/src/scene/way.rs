//! Ways to the tables of a scene, with checks for the values in them.

use std::collections::BTreeSet;

use wayfare::geometry::{MAX_COORDINATE, MIN_SIZE};
use wayfare::space::waypoint::MAX_COST;

use crate::error::{WorldError, WorldErrorKind};
use crate::key_path::KeyPath;
use crate::obj::TriangleMesh;
use crate::scene::document::{MeshSource, Rectangle};

pub(super) type Checked = Result<(), WorldError>;

/// The way to a table, with checks for the values in it.
pub(super) struct Way(pub(super) KeyPath);

impl Way {
    pub(super) fn to(&self, key: &'static str) -> KeyPath {
        self.0.clone().then(key)
    }

    pub(super) fn finite(&self, key: &'static str, values: &[f32]) -> Checked {
        match values.iter().find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' holds {value}, but must be finite"),
            ),
        }
    }

    /// Coordinates and lengths that the engine can place.
    pub(super) fn coordinates(&self, key: &'static str, values: &[f32]) -> Checked {
        self.finite(key, values)?;
        self.at_most(key, values, MAX_COORDINATE)
    }

    pub(super) fn cost(&self, key: &'static str, value: f32) -> Checked {
        self.finite(key, &[value])?;
        self.at_most(key, &[value], MAX_COST)
    }

    pub(super) fn at_most(&self, key: &'static str, values: &[f32], most: f32) -> Checked {
        match values.iter().find(|value| value.abs() > most) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Limit,
                format!("'{key}' holds {value}, but must lie within ±{most}"),
            ),
        }
    }

    /// The size of a solid.
    pub(super) fn size(&self, key: &'static str, values: &[f32]) -> Checked {
        self.positive(key, values)?;
        match values.iter().find(|value| **value < MIN_SIZE) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Limit,
                format!("'{key}' holds {value}, but must be at least {MIN_SIZE}"),
            ),
        }
    }

    pub(super) fn positive(&self, key: &'static str, values: &[f32]) -> Checked {
        self.coordinates(key, values)?;
        match values.iter().find(|value| **value <= 0.0) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' holds {value}, but must be greater than 0"),
            ),
        }
    }

    pub(super) fn not_negative(&self, key: &'static str, value: f32) -> Checked {
        self.coordinates(key, &[value])?;
        if value >= 0.0 {
            return Ok(());
        }
        problem(
            self.to(key),
            WorldErrorKind::Value,
            format!("'{key}' is {value}, but must not be negative"),
        )
    }

    pub(super) fn between(&self, key: &'static str, value: f32, least: f32, most: f32) -> Checked {
        self.finite(key, &[value])?;
        if (least..=most).contains(&value) {
            return Ok(());
        }
        problem(
            self.to(key),
            WorldErrorKind::Value,
            format!("'{key}' is {value}, but must be {least} to {most}"),
        )
    }

    /// A file in or below the folder of the scene: one from elsewhere must not read files from
    /// anywhere.
    pub(super) fn file(&self, key: &'static str, what: &str, file: &str) -> Checked {
        let outside = file.is_empty()
            || file.contains('\\')
            || std::path::Path::new(file)
                .components()
                .any(|part| !matches!(part, std::path::Component::Normal(_)));
        if !outside {
            return Ok(());
        }
        problem_advised(
            self.to(key),
            WorldErrorKind::Value,
            format!("the {what} file '{file}' is not in the folder of the scene"),
            "name a file beside the scene or in a folder below, with / between folders",
        )
    }

    pub(super) fn rectangle(&self, area: &Rectangle) -> Checked {
        self.coordinates("min", &area.min)?;
        self.coordinates("max", &area.max)?;
        if area.min[0] < area.max[0] && area.min[1] < area.max[1] {
            return Ok(());
        }
        problem(
            self.to("max"),
            WorldErrorKind::Value,
            format!("'max' {:?} must be greater than 'min' {:?} in x and z", area.max, area.min),
        )
    }

    pub(super) fn heights(&self, heights: &[Vec<f32>]) -> Checked {
        let width = heights.first().map_or(0, Vec::len);
        if heights.len() < 2 || width < 2 {
            return problem(
                self.to("heights"),
                WorldErrorKind::Dimensions,
                "a heightfield needs at least 2 rows of 2 heights",
            );
        }
        for (row, values) in heights.iter().enumerate() {
            let path = self.to("heights").at(row);
            if values.len() != width {
                return problem(
                    path,
                    WorldErrorKind::Dimensions,
                    format!("row {row} has {} heights, but the first has {width}", values.len()),
                );
            }
            if let Some(value) = values.iter().find(|value| !in_range(**value)) {
                return problem(
                    path,
                    WorldErrorKind::Value,
                    format!(
                        "row {row} holds the height {value}, but heights must lie within \
                         ±{MAX_COORDINATE}"
                    ),
                );
            }
        }
        Ok(())
    }

    pub(super) fn mesh(&self, source: &MeshSource) -> Checked {
        if let Some(file) = &source.file {
            self.file("mesh", "mesh", file)?;
            // Not loaded yet: nothing more to check.
            return Ok(());
        }
        if source.triangles.is_empty() {
            return problem_advised(
                self.to("mesh"),
                WorldErrorKind::Value,
                "this mesh has no triangles",
                "give a 'file', or 'vertices' and 'triangles'",
            );
        }
        if let Some(place) = source.vertices.iter().position(|at| !at.iter().all(|x| in_range(*x)))
        {
            return problem(
                self.to("mesh").then("vertices").at(place),
                WorldErrorKind::Value,
                format!("vertex {place} must have coordinates within ±{MAX_COORDINATE}"),
            );
        }
        TriangleMesh::new(source.vertices.clone(), source.triangles.clone())
            .map(drop)
            .map_err(|error| error.about(self.to("mesh")))
    }

    pub(super) fn layer(&self, key: &'static str, name: &str, layers: &BTreeSet<&str>) -> Checked {
        if layers.contains(name) {
            return Ok(());
        }
        let known: Vec<_> = layers.iter().copied().collect();
        problem_advised(
            self.to(key),
            WorldErrorKind::Dangling,
            format!("there is no terrain '{name}'"),
            match known.as_slice() {
                [] => "add it under [[terrains]]".to_string(),
                known => format!("add it under [[terrains]]; known are {}", known.join(", ")),
            },
        )
    }

    pub(super) fn waypoint(&self, key: &'static str, id: &str, ids: &BTreeSet<&str>) -> Checked {
        if ids.contains(id) {
            return Ok(());
        }
        problem_advised(
            self.to(key),
            WorldErrorKind::Dangling,
            format!("there is no waypoint '{id}'"),
            "correct the id or add the waypoint",
        )
    }

    pub(super) fn name<'a>(
        &self,
        key: &'static str,
        name: &'a str,
        names: &mut BTreeSet<&'a str>,
    ) -> Checked {
        if name.trim().is_empty() {
            return problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' must not be empty"),
            );
        }
        if !names.insert(name) {
            return problem_advised(
                self.to(key),
                WorldErrorKind::Duplicate,
                format!("'{name}' is used twice"),
                "rename one of them",
            );
        }
        Ok(())
    }
}

/// Whether the engine can place it; not-a-number compares as false.
fn in_range(coordinate: f32) -> bool {
    coordinate.abs() <= MAX_COORDINATE
}

pub(super) fn problem(path: KeyPath, kind: WorldErrorKind, message: impl Into<String>) -> Checked {
    Err(WorldError::new(kind, message).about(path))
}

pub(super) fn problem_advised(
    path: KeyPath,
    kind: WorldErrorKind,
    message: impl Into<String>,
    advice: impl Into<String>,
) -> Checked {
    Err(WorldError::new(kind, message).about(path).advise(advice))
}
