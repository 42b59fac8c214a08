//! The ground of a mesh as links with exact ends see it.

use glam::Vec3;

use super::{HeightReach, MeshPoint, NavMeshSpace, PolygonId};
use crate::link::{ExactGround, LinkGround};

impl From<MeshPoint> for LinkGround<PolygonId> {
    fn from(MeshPoint { polygon, place }: MeshPoint) -> Self {
        Self { state: polygon, point: place }
    }
}

impl ExactGround for NavMeshSpace<'_> {
    fn floor_at(&self, point: Vec3) -> Option<LinkGround<PolygonId>> {
        self.locate(point, HeightReach::default()).map(Into::into)
    }

    fn stand_at(&self, point: Vec3) -> Option<LinkGround<PolygonId>> {
        self.stand(point).map(Into::into)
    }

    fn nearest_to(&self, point: Vec3, distance: f32) -> Option<LinkGround<PolygonId>> {
        self.nearest_point(point, distance).map(Into::into)
    }
}
