//! Navigation meshes as worlds.

use std::collections::BTreeMap;

use glam::{Vec3, Vec3Swizzles};
use wayfare_core::inside::{WordHash, share_along};
use wayfare_core::space::{LineOfSight, ProfileId, Revision, Space, StateId};
use wayfare_core::walls::WallSide;
use wayfare_mesh::MeshEngine;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, CarvingId, HeightReach, LiveMesh, MeshProfile,
    NavMesh, NavMeshError, NavMeshSpace, PolygonId, Prism,
};

use super::mesh_ground::{differences, polygons_of};
use crate::simulation::{
    AvoidanceManner, EditFault, Editable, Engines, Environment, Filled, FilledOf, GroundId,
    MeshGround, Shape, ShapeBounds, Spaces, Surroundings,
};

/// A change of a mesh while a simulation runs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{
///     Command, Editable, Footprint, MeshEdit, MeshFill, MeshWorld, Shape, Simulation,
///     SimulationSettings,
/// };
/// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let world = MeshWorld::new(mesh);
/// let barrel = Shape::Ball { centre: Vec3::new(2.0, 0.0, 0.5), radius: 0.3 };
/// let places: Vec<Footprint> = world.covered(&barrel);
/// assert_eq!(world.filling(places[0]), Some(MeshFill::Open));
///
/// let settings = SimulationSettings::default();
/// let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings)?;
/// let (profile, area) = (ProfileId::default(), AreaId::WALKABLE);
/// let mud = MeshEdit::Cost { profile, area, multiplier: Some(2.5) };
/// simulation.schedule(0, Command::Edit(mud));
/// simulation.tick();
/// let polygon = simulation.world().mesh().polygons().next().unwrap();
/// assert_eq!(simulation.world().mesh().space().multiplier(polygon), Some(2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MeshEdit {
    /// A polygon of the mesh without obstacles becomes another area.
    Area {
        /// The polygon.
        polygon: PolygonId,
        /// The area.
        area: AreaId,
    },
    /// An area costs the agents of a profile something else.
    Cost {
        /// The profile.
        profile: ProfileId,
        /// The area.
        area: AreaId,
        /// The multiplier of the length walked on it, 0.01 to 1,000; `None`: they cannot enter it.
        multiplier: Option<f32>,
    },
    /// Another mesh: ground was loaded, unloaded, or baked again. Obstacles, costs and agents'
    /// knowledge by point stay; changes of areas by [`MeshEdit::Area`] do not.
    ///
    /// By [`Command::Edit`](crate::simulation::Command::Edit), bodies whose ground is gone wait
    /// until it returns; by [`Command::Replace`](crate::simulation::Command::Replace) they begin
    /// again at an entry. Orders to points without ground fail with a reason, and are tried again
    /// after each edit.
    Ground(MeshGround),
}

/// The shape of an obstacle, as a place that it covers: no other obstacle covers the very same.
///
/// Example: [`MeshEdit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footprint {
    is_ball: bool,
    /// The bits of the values of the shape.
    numbers: [u32; 6],
}

impl Footprint {
    fn of(shape: &Shape) -> Self {
        // Adding zero turns the negative zero into the positive one.
        let bits = |number: f32| (number + 0.0).to_bits();
        match *shape {
            Shape::Box { .. } => {
                let ShapeBounds { min, max } = shape.bounds();
                let numbers = [min.x, min.y, min.z, max.x, max.y, max.z].map(bits);
                Self { is_ball: false, numbers }
            }
            Shape::Ball { centre, radius } => {
                let numbers = [centre.x, centre.y, centre.z, radius, 0.0, 0.0].map(bits);
                Self { is_ball: true, numbers }
            }
        }
    }

    fn shape(self) -> Shape {
        let [a, b, c, d, e, f] = self.numbers.map(f32::from_bits);
        match self.is_ball {
            true => Shape::Ball { centre: Vec3::new(a, b, c), radius: d },
            false => Shape::Box { min: Vec3::new(a, b, c), max: Vec3::new(d, e, f) },
        }
    }

    /// Returns the ground on which bodies would touch the shape; `None` where it has no size.
    fn carving(self, body_radius: f32, body_height: f32) -> Option<Carving> {
        let prism = match self.shape() {
            Shape::Box { min, max } => {
                let corners =
                    [min, max, Vec3::new(min.x, 0.0, max.z), Vec3::new(max.x, 0.0, min.z)];
                Prism::over(&corners, min.y, max.y)
            }
            Shape::Ball { centre, radius } => {
                Prism::cylinder(centre - Vec3::Y * radius, radius, 2.0 * radius)
            }
        };
        let prism = prism.ok()?.grown(body_radius, body_height);
        Some(Carving { prism, ground: CarvedGround::Blocked })
    }
}

/// The ground beneath an obstacle.
///
/// Example: [`MeshEdit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MeshFill {
    /// The ground as it is without it.
    Open,
    /// The obstacle.
    Blocked,
}

/// A navigation mesh that agents live on: obstacles come and go.
///
/// Agents walk straight lines from point to point. Paths are found by [`MeshEngine`]; a body keeps
/// its radius from walls where there is room. A mesh [made for a radius](NavMesh::body_radius), as
/// baked ones are, keeps that much from walls by itself: bake for the radius of the smallest body.
/// A mesh that keeps no distance also has paths through gaps narrower than a body, which keeps to
/// its rail there and gives way to nobody: close such gaps by [`narrowed`](NavMesh::narrowed).
///
/// An obstacle takes the ground where a body would touch it: within its outline and the radius that
/// the mesh is made for around it, from its top down to the height of a body below it. Floors above
/// and below it are left alone.
///
/// ```
/// use wayfare::agent::Order;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, MeshWorld, Simulation, SimulationSettings};
/// use wayfare::space::navmesh::{MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let (links, settings) = (NavLinks::new(3.0), SimulationSettings::default());
/// let mut simulation = Simulation::new(MeshWorld::new(mesh), links, settings)?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let [start, goal] = [Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.4, 0.0, 2.6)];
/// let walker = simulation.add_agent(AgentSpec::new("walker", class, start))?;
/// simulation.order(walker, Order::GoTo(goal));
/// for _ in 0..100 {
///     simulation.tick();
/// }
/// assert_eq!(simulation.agent(walker).unwrap().position(), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshWorld {
    live: LiveMesh,
    body_height: f32,
    obstacles: BTreeMap<Footprint, CarvingId>,
    /// The boxes of the obstacles that the last edit changed.
    changed: Vec<ShapeBounds>,
    /// A sum over all edits of areas and costs.
    edits: u64,
    /// Whether the last edit replaced all ground.
    is_new_ground: bool,
}

/// The largest distance of a named point from the mesh, in metres.
const NAMED: f32 = 2.0;

/// The most by which a point and the ground it belongs to differ in height, in metres.
const STOREY: f32 = 1.0;

/// The distance below which a body counts as at the end of a border, in metres.
const HAIR: f32 = 0.01;

impl MeshWorld {
    /// Returns the world of a mesh, for bodies 1.8 metres high.
    #[must_use]
    pub fn new(mesh: NavMesh) -> Self {
        Self {
            live: LiveMesh::new(mesh),
            body_height: 1.8,
            obstacles: BTreeMap::new(),
            changed: Vec::new(),
            edits: 0,
            is_new_ground: false,
        }
    }

    /// Returns the same world, for bodies of that height in metres, 0 or more. Raising it lets
    /// obstacles that hang higher take the ground below them. To be called before there are
    /// obstacles.
    #[must_use]
    pub fn with_body_height(self, body_height: f32) -> Self {
        Self { body_height, ..self }
    }

    /// Returns the mesh as it is now.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        self.live.mesh()
    }

    /// Returns the mesh and its obstacles.
    #[must_use]
    pub fn live(&self) -> &LiveMesh {
        &self.live
    }

    /// Returns the radius that the mesh is made for.
    fn body_radius(&self) -> f32 {
        self.mesh().body_radius()
    }

    /// Adds a profile, as [`NavMesh::add_profile`] does.
    ///
    /// # Errors
    /// When there are 65,536 profiles.
    pub fn add_profile(&mut self, profile: MeshProfile) -> Result<ProfileId, NavMeshError> {
        self.live.add_profile(profile)
    }

    /// Replaces all ground by another mesh; obstacles take the radius that it is made for. The
    /// digest is then one of the present ground, not of the edits that led to it: these may be
    /// forgotten.
    fn set_ground(&mut self, ground: &MeshGround) {
        let before = polygons_of(self.mesh());
        let radius = ground.mesh().body_radius();
        let keeps_radius = radius == self.body_radius();
        if !keeps_radius {
            let mut edits = self.live.edit();
            for (place, &id) in &self.obstacles {
                if let Some(carving) = place.carving(radius, self.body_height) {
                    let _ = edits.replace(id, carving);
                }
            }
        }
        self.live.set_base(ground.mesh().clone());
        let after = polygons_of(self.mesh());
        let mut changed = Vec::new();
        if keeps_radius {
            differences(&before, &after, |one| changed.push(one.bounds));
        } else {
            // All walls are elsewhere.
            changed.extend(before.iter().chain(&after).map(|one| one.bounds));
        }
        (self.changed, self.is_new_ground) = (changed, true);
        let mut hash = WordHash(ground.digest());
        for profile in 0..=u16::MAX {
            if !self.mesh().has_profile(ProfileId(profile)) {
                break;
            }
            hash.text(format_args!("{:?}", self.mesh().space_of(ProfileId(profile)).profile()));
        }
        self.edits = hash.0;
    }

    fn costs(&self, edit: &MeshEdit) -> Result<Option<(ProfileId, AreaCosts)>, EditFault> {
        let &MeshEdit::Cost { profile, area, multiplier } = edit else { return Ok(None) };
        if !Spaces::has_profile(self, profile) {
            return Err(EditFault::NoSuchProfile(profile));
        }
        let costs = self.mesh().space_of(profile).profile().areas.clone();
        let costs = match multiplier {
            Some(multiplier) => costs.with(area, multiplier)?,
            None => costs.without(area),
        };
        Ok(Some((profile, costs)))
    }
}

/// Returns the box around a polygon.
fn bounds(mesh: &NavMesh, polygon: PolygonId) -> Option<ShapeBounds> {
    if !mesh.has(polygon) {
        return None;
    }
    let empty = ShapeBounds { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
    Some(mesh.outline(polygon).fold(empty, |bounds, corner| ShapeBounds {
        min: bounds.min.min(corner),
        max: bounds.max.max(corner),
    }))
}

impl Spaces for MeshWorld {
    type State = PolygonId;
    type Cost = u64;
    type Space<'w> = NavMeshSpace<'w>;

    fn space(&self, profile: ProfileId) -> NavMeshSpace<'_> {
        self.mesh().space_of(profile)
    }

    fn has_profile(&self, profile: ProfileId) -> bool {
        self.mesh().has_profile(profile)
    }

    /// Returns a metre: polygons are of any size.
    fn grain(&self) -> f32 {
        1.0
    }

    fn revision(&self) -> Revision {
        self.mesh().revision()
    }

    fn state_at(&self, profile: ProfileId, point: Vec3) -> Option<PolygonId> {
        self.space(profile).stand(point).map(|ground| ground.polygon)
    }

    fn foothold(&self, profile: ProfileId, state: PolygonId, point: Vec3) -> Option<Vec3> {
        Some(self.space(profile).nearest_within(state, point).place)
    }

    fn state_below(&self, profile: ProfileId, point: Vec3) -> Option<(PolygonId, Option<Vec3>)> {
        self.space(profile).stand(point).map(|ground| (ground.polygon, Some(ground.place)))
    }

    fn state_meant(&self, profile: ProfileId, point: Vec3) -> Option<PolygonId> {
        if !point.is_finite() {
            return None;
        }
        let space = self.space(profile);
        let found = space.stand(point).or_else(|| space.locate(point, HeightReach::default()));
        found.or_else(|| space.nearest_point(point, NAMED)).map(|found| found.polygon)
    }

    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<PolygonId> {
        self.space(profile).nearest_point(point, within).map(|found| found.polygon)
    }

    /// A move between polygons joins their middles, and lies within a box around one of them and
    /// the middle of the other.
    fn states_delayed(&self, profile: ProfileId, areas: &[ShapeBounds]) -> Vec<PolygonId> {
        let (mesh, space) = (self.mesh(), self.space(profile));
        let is_delayed = |&polygon: &PolygonId| {
            let Some(ShapeBounds { mut min, mut max }) = bounds(mesh, polygon) else {
                return false;
            };
            space.successors(polygon, |edge| {
                let middle = mesh.middle(edge.target);
                (min, max) = (min.min(middle), max.max(middle));
            });
            areas.iter().any(|area| min.cmple(area.max).all() && area.min.cmple(max).all())
        };
        mesh.polygons().filter(is_delayed).collect()
    }
}

impl Surroundings for MeshWorld {
    /// Both ends of a clear sweep are on the ground.
    fn move_is_clear(&self, profile: ProfileId, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.space(profile).sweep_is_clear(from, to, radius)
    }

    fn ground_at(&self, profile: ProfileId, point: Vec3) -> Option<GroundId> {
        let polygon = self.state_at(profile, point)?;
        Some(self.mesh().area(polygon).into())
    }

    /// Visits polygons. A mesh that was made for bodies of a radius ends that far from walls.
    fn visit_ground(&self, profiles: &[ProfileId], visit: &mut dyn FnMut(&[Vec3])) {
        let mesh = self.mesh();
        let known = || profiles.iter().filter(|profile| mesh.has_profile(**profile));
        let is_ground = |polygon: &PolygonId| {
            known().any(|profile| mesh.space_of(*profile).multiplier(*polygon).is_some())
        };
        for polygon in mesh.polygons().filter(is_ground) {
            visit(&mesh.outline(polygon).collect::<Vec<_>>());
        }
    }

    fn is_wall(&self, profile: ProfileId, point: Vec3) -> bool {
        // A wall begins where the distance ends that the mesh keeps from it.
        let (mesh, costs) = (self.mesh(), &self.space(profile).profile().areas);
        let is_free = |polygon| costs.multiplier(mesh.area(polygon)).is_some();
        !mesh.is_near(point, self.body_radius(), STOREY, is_free)
    }

    /// Moves the borders outwards by the distance that the mesh keeps from walls; those of which an
    /// end is nearest, straight away from the body. So both borders of a corner bar the same way:
    /// between two that moved apart a body at the corner would have none round it. For bodies
    /// narrower than that distance by their radius: the borders themselves bar their middles.
    ///
    /// At an end itself no direction leads away from it. Such a border is left out, and whether it
    /// bars a move is to be asked.
    fn wall_sides(
        &self,
        profile: ProfileId,
        at: Vec3,
        radius: f32,
        range: f32,
        visit: &mut dyn FnMut(WallSide),
    ) -> bool {
        let kept = self.body_radius().min(radius);
        let mut is_at_end = false;
        let are_all = self.space(profile).borders_facing(at, range - kept, |border| {
            let [point, from, to] = [at, border.from, border.to].map(|it| it.xz().as_dvec2());
            let end = match share_along(point, from, to) {
                0.0 => Some(border.from),
                1.0 => Some(border.to),
                _ => None,
            };
            let away = match end.map(|end| (at - end).with_y(0.0)) {
                None => border.normal,
                Some(away) if away.length() > HAIR => away.normalize(),
                Some(_) => {
                    is_at_end = true;
                    return;
                }
            };
            visit(WallSide { from: border.from - away * kept, to: border.to - away * kept });
        });
        are_all && !is_at_end
    }
}

impl Editable for MeshWorld {
    type Edit = MeshEdit;
    type Place = Footprint;
    type Fill = MeshFill;

    /// Obstacles cut polygons into others.
    const RENUMBERS: bool = true;

    fn is_new_ground(edit: &MeshEdit) -> bool {
        matches!(edit, MeshEdit::Ground(_))
    }

    fn ends_with_ground(edit: &MeshEdit) -> bool {
        matches!(edit, MeshEdit::Ground(_) | MeshEdit::Area { .. })
    }

    /// Hashes changed areas and costs.
    fn digest(&self) -> u64 {
        self.edits
    }

    fn touched(&self, affected: &[PolygonId]) -> Vec<ShapeBounds> {
        // Of new ground only the difference matters.
        let affected = if self.is_new_ground { &[] } else { affected };
        let polygons = affected.iter().filter_map(|&polygon| bounds(self.mesh(), polygon));
        polygons.chain(self.changed.iter().copied()).collect()
    }

    fn check(&self, edit: &MeshEdit) -> Result<(), EditFault> {
        match edit {
            &MeshEdit::Area { polygon, .. } if !self.live.base().has(polygon) => {
                Err(EditFault::NoSuchPolygon(polygon.index()))
            }
            MeshEdit::Area { .. } | MeshEdit::Ground(_) => Ok(()),
            MeshEdit::Cost { .. } => self.costs(edit).map(|_| ()),
        }
    }

    fn takes(&self, edit: &MeshEdit) -> Vec<Vec3> {
        let mesh = self.mesh();
        let corners = |polygon| mesh.outline(polygon);
        match edit {
            &MeshEdit::Area { polygon, .. } => self
                .live
                .base()
                .outline(polygon)
                .chain([self.live.base().middle(polygon)])
                .collect(),
            &MeshEdit::Cost { area, multiplier: None, .. } => {
                let taken = mesh.polygons().filter(|&polygon| mesh.area(polygon) == area);
                taken.flat_map(|at| corners(at).chain([mesh.middle(at)])).collect()
            }
            // Who loses its ground waits for it, and does not run from where it will be again.
            MeshEdit::Cost { .. } | MeshEdit::Ground(_) => Vec::new(),
        }
    }

    fn fills(_edit: &MeshEdit) -> Vec<FilledOf<Self>> {
        Vec::new()
    }

    fn apply(&mut self, edit: &MeshEdit, affected: &mut Vec<PolygonId>) -> Result<(), EditFault> {
        Editable::check(self, edit)?;
        self.changed.clear();
        self.is_new_ground = false;
        if let MeshEdit::Ground(ground) = edit {
            self.set_ground(ground);
            affected.extend(self.live.affected());
            return Ok(());
        }
        if let Some((profile, areas)) = self.costs(edit)? {
            let set = self.live.set_profile(profile, &MeshProfile { areas });
            set.map_err(|_| EditFault::NoSuchProfile(profile))?;
        } else if let &MeshEdit::Area { polygon, area } = edit {
            let set = self.live.set_area(polygon, area);
            set.map_err(|_| EditFault::NoSuchPolygon(polygon.index()))?;
        }
        affected.extend(self.live.affected());
        let mut hash = WordHash(self.edits);
        hash.text(format_args!("{edit:?}"));
        self.edits = hash.0;
        Ok(())
    }

    fn covered(&self, shape: &Shape) -> Vec<Footprint> {
        let place = Footprint::of(shape);
        place.carving(self.body_radius(), self.body_height).map(|_| place).into_iter().collect()
    }

    fn filling(&self, place: Footprint) -> Option<MeshFill> {
        let is_there = self.obstacles.contains_key(&place);
        Some(if is_there { MeshFill::Blocked } else { MeshFill::Open })
    }

    fn blocking(&self, _place: Footprint) -> MeshFill {
        MeshFill::Blocked
    }

    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<PolygonId>) {
        self.changed.clear();
        self.is_new_ground = false;
        let body_radius = self.body_radius();
        let mut edits = self.live.edit();
        for &Filled { place, fill } in fills {
            let ShapeBounds { min, max } = place.shape().bounds();
            // Corners of a grown outline lie up to 2 % farther out, these of a cylinder 8.3 % of
            // its radius.
            let grown = Vec3::splat(body_radius * 1.03) + (max - min) * 0.05;
            let around = grown.with_y(0.0);
            self.changed.push(ShapeBounds { min: min - around, max: max + around });
            match (fill, self.obstacles.get(&place)) {
                (MeshFill::Blocked, None) => {
                    let Some(carving) = place.carving(body_radius, self.body_height) else {
                        continue;
                    };
                    if let Ok(id) = edits.insert(carving) {
                        self.obstacles.insert(place, id);
                    }
                }
                (MeshFill::Open, Some(&id)) => {
                    let _ = edits.remove(id);
                    self.obstacles.remove(&place);
                }
                (MeshFill::Blocked, Some(_)) | (MeshFill::Open, None) => {}
            }
        }
        drop(edits);
        affected.extend(self.live.affected());
    }
}

impl Environment for MeshWorld {
    const CUTS_ACROSS: bool = true;
    const AVOIDING: AvoidanceManner = AvoidanceManner::BesideRails;
    const CAN_FORM: bool = true;

    fn engines() -> Engines<Self> {
        Engines::<Self>::none().with_for_all(MeshEngine::new())
    }
}
