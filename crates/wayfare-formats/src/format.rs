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

/// What the files of a format hold.
///
/// Example: [`FileFormat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileContent {
    /// A map of tiles, some of hexagons.
    Tiles,
    /// A scene.
    Scene,
    /// A world of blocks.
    Blocks,
    /// A navigation mesh.
    NavMesh,
    /// A level of triangles.
    Level,
    /// Queries on a map of tiles.
    TileQueries,
    /// Queries in a world of blocks.
    BlockQueries,
    /// Queries on a navigation mesh.
    MeshQueries,
}

impl FileContent {
    /// Returns whether it is a world, not queries.
    #[must_use]
    pub fn is_world(self) -> bool {
        !matches!(self, Self::TileQueries | Self::BlockQueries | Self::MeshQueries)
    }
}

/// A file format: what is known of a file by its name. The one table of them all.
///
/// ```
/// use wayfare_formats::{FileContent, FileFormat};
///
/// let format = FileFormat::of("caves/hut.litematic".as_ref()).expect("a known extension");
/// assert_eq!((format.content(), format.is_written()), (FileContent::Blocks, false));
/// assert!(FileFormat::of("notes.doc".as_ref()).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFormat {
    extension: &'static str,
    /// The program or the kind of file that it comes from; empty where the extension says it.
    origin: &'static str,
    content: FileContent,
    is_written: bool,
    pub(crate) format: Format,
}

const fn read_only(
    extension: &'static str,
    origin: &'static str,
    content: FileContent,
    format: Format,
) -> FileFormat {
    FileFormat { extension, origin, content, is_written: false, format }
}

const fn written(
    extension: &'static str,
    origin: &'static str,
    content: FileContent,
    format: Format,
) -> FileFormat {
    FileFormat { extension, origin, content, is_written: true, format }
}

/// All formats. Of two extensions that fit, the longer one comes first.
const FORMATS: [FileFormat; 24] = {
    use FileContent::{
        BlockQueries, Blocks, Level, MeshQueries, NavMesh, Scene, TileQueries, Tiles,
    };
    [
        written("map", "Moving AI", Tiles, Format::MovingAiMap),
        written("txt", "", Tiles, Format::Ascii),
        read_only("tmx", "Tiled", Tiles, Format::Tmx),
        written("tmj", "Tiled", Tiles, Format::Tmj),
        written("json", "Tiled", Tiles, Format::Tmj),
        read_only("ldtk", "LDtk", Tiles, Format::Ldtk),
        read_only("height.png", "heightmap", Blocks, Format::Heightmap),
        written("png", "a pixel a tile", Tiles, Format::Png),
        written("toml", "", Scene, Format::Scene),
        written("voxels", "text", Blocks, Format::Voxels),
        written("3dmap", "Moving AI", Blocks, Format::VoxelMap),
        written("vox", "MagicaVoxel", Blocks, Format::Vox),
        written("schem", "Sponge", Blocks, Format::Schem),
        read_only("litematic", "Litematica", Blocks, Format::Litematic),
        read_only("schematic", "MCEdit", Blocks, Format::Schematic),
        written("navmesh", "", NavMesh, Format::NavMeshFile),
        written("mesh", "Polyanya", NavMesh, Format::PolyanyaMesh),
        written("bin", "Detour", NavMesh, Format::Detour),
        written("obj", "", Level, Format::Obj),
        written("glb", "", Level, Format::Gltf),
        read_only("gltf", "", Level, Format::Gltf),
        written("scen", "Moving AI", TileQueries, Format::MovingAiScenario),
        written("3dscen", "Moving AI", BlockQueries, Format::VoxelScenario),
        written("meshscen", "", MeshQueries, Format::MeshScenario),
    ]
};

impl FileFormat {
    /// Returns all formats, those of one content in a row of their own order.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &FORMATS
    }

    /// Returns the format of a file by its extension, in letters of either case; `None` if it is
    /// none of these.
    #[must_use]
    pub fn of(path: &Path) -> Option<&'static Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_of = |format: &&Self| {
            name.strip_suffix(format.extension).is_some_and(|rest| rest.ends_with('.'))
        };
        Self::all().iter().find(is_of)
    }

    /// Returns the extension, in lower case and without the dot.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        self.extension
    }

    /// Returns what its files hold.
    #[must_use]
    pub fn content(&self) -> FileContent {
        self.content
    }

    /// Returns whether files of it are also written: all are read.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.is_written
    }

    /// Returns the formats of a content for people, such as ".mesh (Polyanya), .bin (Detour)".
    #[must_use]
    pub fn list(content: FileContent) -> String {
        listed(Self::all().iter().filter(|format| format.content == content))
    }

    /// Returns the formats of a content that are written, as [`list`](Self::list) does.
    #[must_use]
    pub fn list_written(content: FileContent) -> String {
        let is_one = |format: &&Self| format.content == content && format.is_written;
        listed(Self::all().iter().filter(is_one))
    }
}

fn listed<'f>(formats: impl Iterator<Item = &'f FileFormat>) -> String {
    let named = formats.map(|format| match format.origin {
        "" => format!(".{}", format.extension),
        origin => format!(".{} ({origin})", format.extension),
    });
    named.collect::<Vec<_>>().join(", ")
}

impl Format {
    /// Returns the format of a file by its extension.
    ///
    /// # Errors
    /// [`WorldErrorKind::UnknownFormat`] naming the known extensions.
    pub(crate) fn of(path: &Path) -> Result<Self, WorldError> {
        FileFormat::of(path).map(|known| known.format).ok_or_else(|| {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            let known: Vec<_> =
                FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
            let what = match extension.to_ascii_lowercase().as_str() {
                "" => "a file without extension is in no known format".to_owned(),
                extension => format!("'.{extension}' is not a known format"),
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
