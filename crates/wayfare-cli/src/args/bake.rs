//! `wayfare bake`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wayfare::space::navmesh::AreaId;
use wayfare_bake::{Ground, JumpAbilities, Partition, Stage};

use super::ThemeArg;
use super::files::levels;
use super::names::{length, positive_length, within};

#[derive(Args, Debug)]
#[command(after_help = "\
The cell size decides about time and detail: half of it takes four times as long. Its default is half the radius, or \
more in very large levels.

Triangles are floors if their corners run counter-clockwise seen from above. --flip turns levels whose triangles run \
the other way.

Examples:
  wayfare bake worlds/courtyard.obj -o courtyard.navmesh
  wayfare bake level.glb --radius 0.6 --height 2 --step 0.9 -o level.navmesh -o level.png --view corner
  wayfare bake level.glb --stage regions -o regions.png
  wayfare bake level.glb --leap 4 --drop 3 --climb 1.2 -o level.navmesh
  wayfare bake level.glb --area mud=3 --area lava=blocked -o level.navmesh")]
pub(crate) struct BakeArgs {
    #[arg(value_name = "LEVEL", help = levels())]
    pub(crate) level: PathBuf,

    /// Write the mesh (.navmesh; .mesh, without heights; .bin, for Detour; .obj, its triangles) or
    /// a picture of a stage (.png, .svg); may be repeated
    #[arg(short, long = "output", value_name = "FILE", value_parser = output_file)]
    #[arg(help_heading = "Output")]
    pub(crate) outputs: Vec<PathBuf>,

    /// The stage that pictures show
    #[arg(long, value_name = "STAGE", value_parser = stage, default_value = "polygons")]
    #[arg(help_heading = "Output")]
    pub(crate) stage: Stage,

    /// How pictures show the level
    #[arg(long, value_enum, value_name = "VIEW", default_value_t, help_heading = "Output")]
    pub(crate) view: StandpointArg,

    /// The longer side of pictures, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1600, help_heading = "Output")]
    #[arg(value_parser = within(64u32, 4096))]
    pub(crate) side: u32,

    /// The colours of pictures
    #[arg(long, value_enum, value_name = "THEME", default_value_t, help_heading = "Output")]
    pub(crate) theme: ThemeArg,

    /// Radius of the agent in metres, 0 or more
    #[arg(long, alias = "agent-radius", value_name = "M", value_parser = length)]
    #[arg(default_value_t = 0.4, allow_negative_numbers = true, help_heading = "Agent")]
    pub(crate) radius: f32,

    /// Height of the agent in metres: the head room that is needed
    #[arg(long, alias = "agent-height", value_name = "M", value_parser = length)]
    #[arg(default_value_t = 1.8, allow_negative_numbers = true, help_heading = "Agent")]
    pub(crate) height: f32,

    /// Highest step in metres
    #[arg(long, value_name = "M", value_parser = length, default_value_t = 0.5)]
    #[arg(allow_negative_numbers = true, help_heading = "Agent")]
    pub(crate) step: f32,

    /// Steepest slope in degrees, below 90
    #[arg(long, value_name = "DEGREES", value_parser = length, default_value_t = 45.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Agent")]
    pub(crate) slope: f32,

    /// Find leaps over gaps, up to this length in metres between where the agent's middle takes off
    /// and lands: the gap's width, the agent's width and three cells
    #[arg(long, value_name = "M", value_parser = length, default_value_t = 0.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Links")]
    pub(crate) leap: f32,

    /// Find drops off ledges, up to this height in metres
    #[arg(long, value_name = "M", value_parser = length, default_value_t = 0.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Links")]
    pub(crate) drop: f32,

    /// Find climbs up ledges, up to this height in metres
    #[arg(long, value_name = "M", value_parser = length, default_value_t = 0.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Links")]
    pub(crate) climb: f32,

    /// Distance between links of a kind side by side, in metres
    #[arg(long, value_name = "M", value_parser = positive_length, default_value_t = 2.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Links")]
    pub(crate) link_spacing: f32,

    /// Leave out a link where the walk between its ends is at most this multiple of its length
    #[arg(long, value_name = "TIMES", value_parser = length, default_value_t = 3.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Links")]
    pub(crate) link_detour: f32,

    /// Side of a cell in plan, in metres [default: half the radius]
    #[arg(long, value_name = "M", value_parser = positive_length, help_heading = "Bake")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) cell_size: Option<f32>,

    /// Height of a cell in metres [default: two thirds of the cell size]
    #[arg(long, value_name = "M", value_parser = positive_length, help_heading = "Bake")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) cell_height: Option<f32>,

    /// How walkable ground is cut into regions
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = "Bake")]
    pub(crate) partition: PartitionArg,

    /// Side of a tile in cells, 16 or more; 0 for one piece [default: 256 in large levels]
    #[arg(long, value_name = "CELLS", help_heading = "Bake")]
    pub(crate) tile_side: Option<u32>,

    /// Most corners of a polygon, 3 to 255
    #[arg(long, value_name = "N", default_value_t = 12, help_heading = "Bake")]
    pub(crate) max_corners: u32,

    /// Largest distance of the outline from the cells, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 1.3, help_heading = "Bake")]
    pub(crate) outline_error: f32,

    /// Drop islands of fewer cells
    #[arg(long, value_name = "CELLS", default_value_t = 64, help_heading = "Bake")]
    pub(crate) min_island: u32,

    /// The area of triangles with a material: a number from 0 to 254, or `blocked`; may be repeated
    #[arg(long = "area", value_name = "MATERIAL=AREA", value_parser = area, help_heading = "Bake")]
    pub(crate) areas: Vec<(String, Ground)>,

    /// Turn all triangles over
    #[arg(long, help_heading = "Bake")]
    pub(crate) flip: bool,

    /// Most memory for the fields, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2000, help_heading = "Bake")]
    pub(crate) memory_limit: u64,
}

impl BakeArgs {
    /// Returns what the agent can do beside walking.
    pub(crate) fn abilities(&self) -> JumpAbilities {
        JumpAbilities {
            leap: self.leap,
            drop: self.drop,
            climb: self.climb,
            spacing: self.link_spacing,
            detour: self.link_detour,
        }
    }
}

/// The direction of pictures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum StandpointArg {
    /// From above
    #[default]
    Above,
    /// From above a corner
    Corner,
}

/// How ground is cut into regions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum PartitionArg {
    /// Compact regions that meet at narrow places
    #[default]
    Watershed,
    /// Strips along x: fast, thin polygons
    Monotone,
    /// As few regions as possible
    Layers,
}

impl PartitionArg {
    pub(crate) fn partition(self) -> Partition {
        match self {
            Self::Watershed => Partition::Watershed,
            Self::Monotone => Partition::Monotone,
            Self::Layers => Partition::Layers,
        }
    }
}

fn stage(name: &str) -> Result<Stage, String> {
    name.parse().map_err(|problem| {
        let known: Vec<_> = Stage::ALL.iter().map(|stage| stage.name()).collect();
        format!("{problem}; stages are {}", known.join(", "))
    })
}

fn area(text: &str) -> Result<(String, Ground), String> {
    let (material, area) = text.rsplit_once('=').ok_or("it must be MATERIAL=AREA")?;
    let ground = match area {
        "blocked" => Some(Ground::BLOCKED),
        _ => area.parse().ok().and_then(|area| Ground::of(AreaId(area))),
    };
    let ground = ground.ok_or("the area must be a number from 0 to 254, or `blocked`")?;
    Ok((material.to_owned(), ground))
}

fn output_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "navmesh" | "mesh" | "bin" | "obj" | "png" | "svg" => Ok(path),
        _ => {
            Err("meshes are written as .navmesh, .mesh, .bin or .obj, pictures as .png or .svg"
                .into())
        }
    }
}
