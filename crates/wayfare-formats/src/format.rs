//! The formats of files, told by their names.

use std::path::Path;

use crate::error::{WorldError, WorldErrorKind};

/// A file format, known by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    MovingAiMap,
    MovingAiScenario,
    Ascii,
    Tmx,
    Tmj,
    Ldtk,
    Png,
    Heightmap,
    Scene,
    Obj,
    Gltf,
    Voxels,
    VoxelMap,
    VoxelScenario,
    Vox,
    Schem,
    Litematic,
    Schematic,
    PolyanyaMesh,
    NavMeshFile,
    Detour,
    MeshScenario,
}

/// Extensions in lower case.
const FORMATS: [(&str, Format); 24] = [
    ("map", Format::MovingAiMap),
    ("scen", Format::MovingAiScenario),
    ("txt", Format::Ascii),
    ("tmx", Format::Tmx),
    ("tmj", Format::Tmj),
    ("json", Format::Tmj),
    ("ldtk", Format::Ldtk),
    ("height.png", Format::Heightmap),
    ("png", Format::Png),
    ("toml", Format::Scene),
    ("obj", Format::Obj),
    ("glb", Format::Gltf),
    ("gltf", Format::Gltf),
    ("voxels", Format::Voxels),
    ("3dmap", Format::VoxelMap),
    ("vox", Format::Vox),
    ("schem", Format::Schem),
    ("litematic", Format::Litematic),
    ("schematic", Format::Schematic),
    ("3dscen", Format::VoxelScenario),
    ("mesh", Format::PolyanyaMesh),
    ("navmesh", Format::NavMeshFile),
    ("bin", Format::Detour),
    ("meshscen", Format::MeshScenario),
];

impl Format {
    /// Returns the format of a file by its extension.
    ///
    /// # Errors
    /// [`WorldErrorKind::UnknownFormat`] naming the known extensions.
    pub(crate) fn of(path: &Path) -> Result<Self, WorldError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let ends_in =
            |known: &str| name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'));
        let found = FORMATS.iter().find(|(known, _)| ends_in(known));
        found.map(|(_, format)| *format).ok_or_else(|| {
            let known: Vec<_> = FORMATS.iter().map(|(known, _)| format!(".{known}")).collect();
            let what = match extension.as_str() {
                "" => "a file without extension is in no known format".to_string(),
                _ => format!("'.{extension}' is not a known format"),
            };
            WorldError::new(WorldErrorKind::UnknownFormat, what)
                .in_file(path)
                .advise(format!("known are {}", known.join(" ")))
        })
    }

    /// Fails if this crate was compiled without the feature of the format.
    pub(crate) fn check_compiled(self, path: &Path) -> Result<(), WorldError> {
        let (feature, is_compiled) = match self {
            Format::Tmx | Format::Tmj => ("tiled", cfg!(feature = "tiled")),
            Format::Ldtk => ("ldtk", cfg!(feature = "ldtk")),
            Format::Png | Format::Heightmap => ("png", cfg!(feature = "png")),
            Format::Gltf => ("gltf", cfg!(feature = "gltf")),
            Format::Vox => ("vox", cfg!(feature = "vox")),
            Format::Schem | Format::Litematic | Format::Schematic => {
                ("schem", cfg!(feature = "schem"))
            }
            _ => return Ok(()),
        };
        if is_compiled {
            return Ok(());
        }
        let message = "this program was compiled without the format";
        Err(WorldError::new(WorldErrorKind::UnknownFormat, message)
            .in_file(path)
            .advise(format!("add the feature '{feature}' of wayfare-formats")))
    }
}

/// Returns whether a file is a scene by its extension.
pub fn is_scene(path: &Path) -> bool {
    matches!(Format::of(path), Ok(Format::Scene))
}

/// Returns the extensions of all formats, without the dot.
pub(crate) fn extensions() -> [&'static str; FORMATS.len()] {
    FORMATS.map(|(extension, _)| extension)
}
