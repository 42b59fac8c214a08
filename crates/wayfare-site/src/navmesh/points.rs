//! The points that the states of a mesh stand for.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use wayfare::space::navmesh::{HeightReach, MeshPoint, NavMesh, NavMeshSpace};
use wayfare::space::{PolygonId, ProfileId};

/// A requested point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Asked {
    pub(super) place: Vec3,
    /// The point of the mesh there, if there is one.
    pub(super) on_mesh: Option<MeshPoint>,
}

/// A mesh, and the requested points.
#[derive(Debug)]
pub(super) struct MeshWorld {
    pub(super) mesh: NavMesh,
    profile: ProfileId,
    asked: Mutex<Asking>,
}

/// The requested points, with their states.
#[derive(Debug, Default)]
struct Asking {
    places: Vec<Asked>,
    /// By the bits of the coordinates, and the polygon.
    numbers: BTreeMap<([u32; 3], Option<PolygonId>), u32>,
}

impl MeshWorld {
    pub(super) fn new(mesh: NavMesh, profile: ProfileId) -> Self {
        Self { mesh, profile, asked: Mutex::default() }
    }

    /// Returns the states that are points: the vertices, and the requested points.
    #[cfg(feature = "pictures")]
    pub(super) fn point_states(&self) -> std::ops::Range<u32> {
        let (vertices, asked) = self.offsets();
        let known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        vertices..asked + known.places.len() as u32
    }

    pub(super) fn profile(&self) -> ProfileId {
        self.profile
    }

    pub(super) fn space(&self) -> NavMeshSpace<'_> {
        self.mesh.space_of(self.profile)
    }

    /// Returns the states of the first vertex and of the first requested point.
    fn offsets(&self) -> (u32, u32) {
        let polygons = self.mesh.bound() as u32;
        (polygons, polygons + self.mesh.vertices().len() as u32)
    }

    /// Returns the state of a point. A repeated point keeps its state.
    pub(super) fn intern(&self, asked: Asked) -> u32 {
        let mut known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Asking { places, numbers } = &mut *known;
        let polygon = asked.on_mesh.map(|point| point.polygon);
        let key = (asked.place.to_array().map(f32::to_bits), polygon);
        let number = *numbers.entry(key).or_insert_with(|| {
            places.push(asked);
            places.len() as u32 - 1
        });
        self.offsets().1 + number
    }

    /// Returns whether an index is that of a polygon, a vertex, or a requested point.
    pub(super) fn has_state(&self, state: u32) -> bool {
        let (vertices, asked) = self.offsets();
        let is_polygon = || self.mesh.polygon(state).is_some();
        match state < asked {
            true => state >= vertices || is_polygon(),
            false => self.asked(state).is_some(),
        }
    }

    fn asked(&self, state: u32) -> Option<Asked> {
        let number = state.checked_sub(self.offsets().1)?;
        let known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        known.places.get(number as usize).copied()
    }

    pub(super) fn position(&self, state: u32) -> Vec3 {
        let (vertices, _) = self.offsets();
        if let Some(polygon) = self.mesh.polygon(state) {
            return self.mesh.middle(polygon);
        }
        match self.mesh.vertices().get(state.wrapping_sub(vertices) as usize) {
            Some(place) => *place,
            None => self.asked(state).map_or(Vec3::ZERO, |asked| asked.place),
        }
    }

    /// Returns the point of the mesh that a state stands for.
    pub(super) fn point(&self, state: u32) -> Option<MeshPoint> {
        if let Some(polygon) = self.mesh.polygon(state) {
            let place = self.mesh.middle(polygon);
            let place = Vec3 { y: self.mesh.height_at(polygon, place), ..place };
            return Some(MeshPoint { polygon, place });
        }
        let (vertices, asked) = self.offsets();
        if state >= asked {
            return self.asked(state)?.on_mesh;
        }
        // A removed polygon leaves its index unused.
        let vertex = state.checked_sub(vertices)?;
        let place = *self.mesh.vertices().get(vertex as usize)?;
        self.mesh.locate(place, HeightReach { below: 0.01, above: 0.01 })
    }

    /// Returns the state of a point of a path.
    pub(super) fn state_of(&self, point: MeshPoint) -> u32 {
        let corners = self.mesh.corners(point.polygon);
        let vertex = corners.iter().find(|&&at| self.mesh.vertices()[at as usize] == point.place);
        match vertex {
            Some(vertex) => self.offsets().0 + vertex,
            None => self.intern(Asked { place: point.place, on_mesh: Some(point) }),
        }
    }
}
