//! Levels of triangles as sites: baked into a navigation mesh when they are opened.

use std::path::Path;

use wayfare_bake::{Ground, WalkerShape};
use wayfare_world::obj::TriangleMesh;
use wayfare_world::{bake_level, level_geometry};

use crate::{MeshSite, SiteError};

/// The site of a level: its navigation mesh for a walker of the usual shape.
pub(crate) fn site(file: &Path, mesh: &TriangleMesh) -> Result<MeshSite, SiteError> {
    let walker = WalkerShape::default();
    let level = level_geometry(mesh, |_| Ground::PLAIN, false)
        .map_err(|error| SiteError::unsearchable(file, &error))?;
    let baked = bake_level(&level, walker, None).map_err(|error| error.in_file(file))?;
    Ok(MeshSite::new(file, baked).with_remark(remark(walker)))
}

/// The body that a level was baked for.
pub(crate) fn remark(walker: WalkerShape) -> String {
    format!(
        "the level was baked for a walker {} m wide and {} m tall that climbs steps of {} m and \
         slopes of {}°; `wayfare bake` makes a mesh for others",
        walker.radius * 2.0,
        walker.height,
        walker.step,
        walker.slope
    )
}
