//! Levels of triangles as sites: baked into a navigation mesh when they are opened.

use std::path::Path;

use glam::Vec3;
use wayfare_bake::{Bake, BakeError, BakeSettings, Ground, LevelGeometry, WalkerShape};
use wayfare_world::obj::TriangleMesh;

use crate::{MeshSite, SiteError};

/// The geometry of a level for a bake. `ground` tells the ground of each material; triangles
/// without one are plain ground. With `flip` all triangles are turned over.
///
/// ```
/// use wayfare_bake::Ground;
/// use wayfare_site::level_geometry;
/// use wayfare_world::obj::TriangleMesh;
///
/// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]];
/// let triangle = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
/// let level = level_geometry(&triangle, |_| Ground::PLAIN, false)?;
/// assert_eq!(level.triangles().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`LevelGeometry::new`].
pub fn level_geometry(
    mesh: &TriangleMesh,
    ground: impl Fn(&str) -> Ground,
    flip: bool,
) -> Result<LevelGeometry, BakeError> {
    let grounds: Vec<Ground> = mesh.materials().iter().map(|name| ground(name)).collect();
    let of_triangle = |triangle| mesh.material(triangle).map_or(Ground::PLAIN, |of| grounds[of]);
    let of_triangles = (0..mesh.triangles().len()).map(of_triangle).collect();
    let vertices = mesh.vertices().iter().map(|&at| Vec3::from(at)).collect();
    let turned = |&[a, b, c]: &[u32; 3]| if flip { [a, c, b] } else { [a, b, c] };
    let triangles = mesh.triangles().iter().map(turned).collect();
    LevelGeometry::new(vertices, triangles)?.with_grounds(of_triangles)
}

/// The site of a level: its navigation mesh for a walker of the usual shape.
pub(crate) fn site(file: &Path, mesh: &TriangleMesh) -> Result<MeshSite, SiteError> {
    let failed = |problem: String| SiteError::unsearchable(file, &problem);
    let walker = WalkerShape::default();
    let level = level_geometry(mesh, |_| Ground::PLAIN, false)
        .map_err(|error| failed(error.to_string()))?;
    let settings = BakeSettings::for_level(&level, walker);
    let baked = Bake::new(&level, settings).and_then(|bake| bake.run());
    let baked = baked.map_err(|error| failed(error.to_string()))?;
    if baked.polygons.is_empty() {
        return Err(failed(
            "nothing in this level is walkable: triangles that run clockwise seen from above are \
              ceilings (`wayfare bake --flip` turns them over), and lengths are metres"
                .to_owned(),
        ));
    }
    let mesh = baked.polygons.nav_mesh().map_err(|error| failed(error.to_string()))?;
    Ok(MeshSite::new(file, mesh).with_remark(format!(
        "the level was baked for a walker {} m wide and {} m tall that climbs steps of {} m and \
         slopes of {}°; `wayfare bake` makes a mesh for others",
        walker.radius * 2.0,
        walker.height,
        walker.step,
        walker.slope
    )))
}
