//! Every search on the cases of `testdata/cases.toml`, through the facade.
//! `testdata/case-worlds.json` holds each case as a world that any front end opens, and the hashes
//! of its searches. This test makes and compares it; the test of `bindings/web` computes the hashes
//! in WebAssembly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use wayfare::search::{AlgorithmId, NamedAlgorithm, Progress};
use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
use wayfare::space::voxel::Abilities;
use wayfare::space::{CornerRule, Neighbours};
use wayfare_formats::polyanya_mesh;
use wayfare_site::{Endpoints, NoFiles, OpenOptions, SearchRequest, open_bytes, trace_hash};

/// Of the file of cases what a world is made of. `testdata/README.md` describes the fields.
#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Case {
    name: String,
    rows: Vec<String>,
    layers: Vec<Vec<String>>,
    waypoints: Vec<Point>,
    polygons: Vec<Polygon>,
    neighbours: Option<u8>,
    corners: Option<String>,
    width: Option<u8>,
    height: Option<u8>,
    multipliers: BTreeMap<String, f32>,
    penalties: BTreeMap<String, f32>,
    abilities: Vec<String>,
    jump_height: Option<u8>,
    jump_distance: Option<u8>,
    max_fall: Option<u16>,
    start: Option<[u32; 3]>,
    goal: Option<[u32; 3]>,
    links: Vec<Link>,
}

#[derive(Deserialize)]
struct Point {
    at: [f32; 3],
    #[serde(default)]
    cost: f32,
    #[serde(default)]
    blocked: bool,
}

#[derive(Deserialize)]
struct Polygon {
    corners: Vec<[f32; 3]>,
    #[serde(default)]
    area: u8,
}

#[derive(Deserialize)]
struct Link {
    from: Vec<u32>,
    to: Vec<u32>,
    seconds: Option<f32>,
    #[serde(default)]
    one_way: bool,
    #[serde(default)]
    surcharge: f32,
}

/// The agent, by the names that JavaScript has for its options.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Agent {
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbours: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corners: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    abilities: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jump_height: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jump_distance: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_fall: Option<u16>,
}

impl Agent {
    fn options(&self) -> OpenOptions {
        let neighbours = self.neighbours.map(|count| match count {
            4 => Neighbours::Four,
            _ => Neighbours::Eight,
        });
        let corners = self.corners.as_deref().map(|name| match name {
            "one" => CornerRule::OneFree,
            "always" => CornerRule::Always,
            _ => CornerRule::BothFree,
        });
        let abilities = self.abilities.as_ref().map(|names| {
            let has = |name: &str| names.iter().any(|known| known == name);
            Abilities {
                walk: has("walk"),
                jump: has("jump"),
                fall: has("fall"),
                swim: has("swim"),
                climb: has("climb"),
                fly: has("fly"),
            }
        });
        OpenOptions {
            neighbours,
            corners,
            abilities,
            width: self.width,
            height: self.height,
            jump_height: self.jump_height,
            jump_distance: self.jump_distance,
            max_fall: self.max_fall,
            ..OpenOptions::default()
        }
    }
}

/// A case as a file, with its query and the hashes of its searches by name.
#[derive(Serialize)]
struct CaseWorld {
    name: String,
    file: &'static str,
    text: String,
    agent: Agent,
    /// What `Site::find` finds it by: numbers of points on meshes are those of one visit.
    start: String,
    goal: String,
    hashes: BTreeMap<String, String>,
}

impl Case {
    /// The name of the file, its text, and what a place of the query is found by.
    fn file(&self) -> (&'static str, String, [String; 2]) {
        if !self.polygons.is_empty() {
            ("case.mesh", self.mesh(), self.ends(|_| [0; 3], |[at, ..]| self.middle(at)))
        } else if !self.layers.is_empty() {
            let find = |glyph| self.in_layers(glyph);
            ("case.voxels", self.voxels(), self.ends(find, |[x, y, z]| format!("{x},{y},{z}")))
        } else if !self.waypoints.is_empty() {
            let last = self.waypoints.len() as u32 - 1;
            let find = |glyph| if glyph == 'S' { [0; 3] } else { [last, 0, 0] };
            ("case.toml", self.graph(), self.ends(find, |[at, ..]| format!("w{at}")))
        } else {
            let find = |glyph| in_rows(&self.rows, glyph).unwrap_or_default();
            ("case.toml", self.grid(), self.ends(find, |[x, y, _]| format!("{x},{y}")))
        }
    }

    fn ends(
        &self,
        find: impl Fn(char) -> [u32; 3],
        name: impl Fn([u32; 3]) -> String,
    ) -> [String; 2] {
        let last = (self.polygons.len() as u32).saturating_sub(1);
        let goal = || if self.polygons.is_empty() { find('G') } else { [last, 0, 0] };
        [self.start.unwrap_or_else(|| find('S')), self.goal.unwrap_or_else(goal)].map(name)
    }

    /// Tiles, and links of which only the way and the time are kept.
    fn grid(&self) -> String {
        let rows: Vec<String> =
            self.rows.iter().map(|row| row.replace(['S', 'G', '0'], ".")).collect();
        let mut text =
            format!("scene = {{ name = \"case\", map = {:?} }}\nterrains = [\n", rows.join("\n"));
        for number in (0..=9u8).map(|number| number.to_string()) {
            let glyph = if number == "0" { "." } else { &number };
            let multiplier = self.multipliers.get(&number).copied().unwrap_or(1.0);
            let penalty = self.penalties.get(&number).copied().unwrap_or(0.0);
            writeln!(
                text,
                "{{ name = \"n{number}\", glyph = \"{glyph}\", multiplier = {multiplier:?}, penalty = {penalty:?} }},"
            )
            .unwrap();
        }
        text.push_str("]\n");
        if !self.links.is_empty() {
            text.push_str("nav_links = [\n");
            for (number, Link { from, to, seconds, one_way, .. }) in self.links.iter().enumerate() {
                // Links of scenes take some time.
                let seconds = seconds.unwrap_or_default().max(0.001);
                let (from, to) = (&from[..2], &to[..2]);
                writeln!(
                    text,
                    "{{ name = \"l{number}\", from = {from:?}, to = {to:?}, seconds = {seconds:?}, one_way = {one_way} }},"
                )
                .unwrap();
            }
            text.push_str("]\n");
        }
        text
    }

    fn graph(&self) -> String {
        let mut text = "scene = { name = \"case\" }\nterrains = [{ name = \"shut\", walkable = false }]\nwaypoints = [\n".to_owned();
        for (number, Point { at, cost, blocked }) in self.waypoints.iter().enumerate() {
            let terrain = if *blocked { ", terrain = \"shut\"" } else { "" };
            writeln!(text, "{{ id = \"w{number}\", at = {at:?}, cost = {cost:?}{terrain} }},")
                .unwrap();
        }
        text.push_str("]\nlinks = [\n");
        for Link { from, to, one_way, surcharge, .. } in &self.links {
            writeln!(
                text,
                "{{ from = \"w{}\", to = \"w{}\", one_way = {one_way}, danger = {surcharge:?} }},",
                from[0], to[0]
            )
            .unwrap();
        }
        text.push_str("]\n");
        text
    }

    fn voxels(&self) -> String {
        let (height, depth) = (self.layers.len(), self.layers[0].len());
        let mut text = format!("voxels {} {height} {depth}\n", self.layers[0][0].len());
        text.push_str("~ water\nH ladder\n");
        for (number, layer) in self.layers.iter().enumerate() {
            writeln!(text, "layer {number}").unwrap();
            for row in layer {
                writeln!(text, "{}", row.replace(['S', 'G'], ".")).unwrap();
            }
        }
        text
    }

    fn in_layers(&self, glyph: char) -> [u32; 3] {
        let place = (0u32..)
            .zip(&self.layers)
            .find_map(|(y, rows)| in_rows(rows, glyph).map(|[x, z, _]| [x, y, z]));
        place.unwrap_or_default()
    }

    fn mesh(&self) -> String {
        let mut vertices: Vec<Vec3> = Vec::new();
        let mut outlines = Vec::new();
        for polygon in &self.polygons {
            let outline = polygon.corners.iter().map(|&corner| {
                let corner = Vec3::from(corner);
                let known = vertices.iter().position(|&known| known == corner);
                known.unwrap_or_else(|| {
                    vertices.push(corner);
                    vertices.len() - 1
                }) as u32
            });
            outlines.push(outline.collect::<Vec<u32>>());
        }
        let mut draft = MeshDraft::new(vertices);
        for (outline, polygon) in outlines.iter().zip(&self.polygons) {
            draft.push(outline, AreaId(polygon.area));
        }
        polyanya_mesh::write(&NavMesh::new(draft).unwrap())
    }

    /// The format of meshes knows no floors above each other.
    fn is_flat(&self) -> bool {
        let corners = self.polygons.iter().flat_map(|polygon| &polygon.corners);
        corners.into_iter().all(|[_, height, _]| *height == 0.0)
    }

    /// The middle of a polygon, as `x,z`.
    fn middle(&self, polygon: u32) -> String {
        let corners = &self.polygons[polygon as usize].corners;
        let sum = corners.iter().fold(Vec3::ZERO, |sum, &corner| sum + Vec3::from(corner));
        let middle = sum / corners.len() as f32;
        format!("{},{}", middle.x, middle.z)
    }

    fn world(&self) -> CaseWorld {
        let (file, text, ends) = self.file();
        let is_grid = file == "case.toml" && self.waypoints.is_empty();
        let is_voxels = file == "case.voxels";
        let agent = Agent {
            neighbours: self.neighbours.filter(|_| is_grid),
            corners: self.corners.clone().filter(|_| is_grid),
            width: self.width.filter(|_| is_grid || is_voxels),
            height: self.height.filter(|_| is_voxels),
            abilities: is_voxels.then(|| self.abilities.clone()),
            jump_height: self.jump_height.filter(|_| is_voxels),
            jump_distance: self.jump_distance.filter(|_| is_voxels),
            max_fall: self.max_fall.filter(|_| is_voxels),
        };
        let site = open_bytes(file, text.as_bytes(), &NoFiles, &agent.options())
            .unwrap_or_else(|error| panic!("\"{}\": {error}\n{text}", self.name));
        let find = |place: &String| site.find(place).unwrap();
        let query = Endpoints { start: find(&ends[0]), goal: find(&ends[1]) };
        let [start, goal] = ends;
        let states = usize::try_from(site.about().states).unwrap();
        let mut hashes = BTreeMap::new();
        for &id in AlgorithmId::ALL {
            if NamedAlgorithm::from(id).check(states).is_ok() {
                let request = SearchRequest::new(id, query);
                let mut session = site.session(&request);
                while session.step(100) == Progress::Working {}
                hashes.insert(id.to_string(), format!("{:016x}", trace_hash(session.events())));
            }
        }
        CaseWorld { name: self.name.clone(), file, text, agent, start, goal, hashes }
    }
}

/// Column and row of a character.
fn in_rows(rows: &[String], glyph: char) -> Option<[u32; 3]> {
    let mut places = (0u32..).zip(rows);
    places.find_map(|(y, row)| row.find(glyph).map(|x| [x as u32, y, 0]))
}

#[test]
fn every_case_has_the_hashes_of_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let cases: Cases =
        toml::from_str(&std::fs::read_to_string(folder.join("cases.toml")).unwrap()).unwrap();
    let worlds: Vec<CaseWorld> =
        cases.case.iter().filter(|case| case.is_flat()).map(Case::world).collect();
    assert!(worlds.len() > 70 && worlds.iter().all(|world| world.hashes.len() > 5));
    let made = serde_json::to_string_pretty(&worlds).unwrap() + "\n";
    let file = folder.join("case-worlds.json");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    for (line, (made, known)) in made.lines().zip(known.lines()).enumerate() {
        assert_eq!(made, known, "case-worlds.json, line {}", line + 1);
    }
    assert_eq!(made.len(), known.len(), "WAYFARE_BLESS=1 writes case-worlds.json anew");
}
