//! Navigation meshes with their links.

use wayfare_core::link::{JumpLink, LinkKind};
use wayfare_mesh::navmesh::NavMesh;

/// A navigation mesh with the leaps, drops and climbs that were found for it.
///
/// ```
/// use wayfare::link::{JumpLink, LinkKind};
/// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
/// use wayfare_formats::LinkedMesh;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]];
/// let mut draft = MeshDraft::new(corners.map(Into::into).to_vec());
/// draft.push(&[0, 1, 2], AreaId::WALKABLE);
/// let mut mesh = LinkedMesh::from(NavMesh::new(draft).expect("a triangle"));
/// let (from, to) = ([0.5, 0.0, 3.5].into(), [3.0, 0.0, 3.5].into());
/// mesh.links.push(JumpLink { kind: LinkKind::Jump, from, to, seconds: 0.6, two_way: true });
/// assert_eq!(mesh.summary(), "1 jump");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinkedMesh {
    /// The mesh.
    pub mesh: NavMesh,
    /// Its links. Their ends lie on the mesh, or near it.
    pub links: Vec<JumpLink>,
}

impl From<NavMesh> for LinkedMesh {
    /// Returns a mesh without links.
    fn from(mesh: NavMesh) -> Self {
        Self { mesh, links: Vec::new() }
    }
}

impl LinkedMesh {
    /// Returns the count of links of each kind in words, such as `3 jumps, 1 drop`; empty without
    /// links.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |kind: LinkKind| self.links.iter().filter(|link| link.kind == kind).count();
        let kinds = [
            (count(LinkKind::Jump), "jump"),
            (count(LinkKind::Drop), "drop"),
            (count(LinkKind::Climb), "climb"),
        ];
        let others = self.links.len() - kinds.iter().map(|(number, _)| number).sum::<usize>();
        let all = kinds.into_iter().chain([(others, "other link")]);
        let parts = all.filter(|(number, _)| *number > 0);
        parts.map(|(number, kind)| crate::error::count(number, kind)).collect::<Vec<_>>().join(", ")
    }
}
