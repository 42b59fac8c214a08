//! The files that commands take, as their help lists them: from the one table of formats.

use wayfare_formats::{FileContent, FileFormat};

/// What a world can be.
const WORLDS: [FileContent; 5] = [
    FileContent::Tiles,
    FileContent::Scene,
    FileContent::Blocks,
    FileContent::NavMesh,
    FileContent::Level,
];

/// Returns the worlds that can be searched.
pub(super) fn worlds() -> String {
    let [tiles, scenes, blocks, meshes, levels] = WORLDS.map(FileFormat::list);
    format!(
        "A world of tiles: {tiles}; a scene: {scenes}; a world of blocks: {blocks}; a navigation \
         mesh: {meshes}; or a level of triangles that becomes one: {levels}"
    )
}

/// Returns the files that can be read: worlds and queries.
pub(super) fn any() -> String {
    format!("{}; or {}", worlds(), queries())
}

/// Returns the files of queries.
pub(super) fn queries() -> String {
    let [tiles, blocks, meshes] =
        [FileContent::TileQueries, FileContent::BlockQueries, FileContent::MeshQueries]
            .map(FileFormat::list);
    format!("queries on tiles: {tiles}, among blocks: {blocks}, on a navigation mesh: {meshes}")
}

/// Returns the levels of triangles.
pub(super) fn levels() -> String {
    format!("A level of triangles, y up, in metres: {}", FileFormat::list(FileContent::Level))
}

/// Returns the forms in which each kind of file is written.
pub(super) fn written() -> String {
    let [tiles, scenes, blocks, meshes, levels] = WORLDS.map(FileFormat::list_written);
    format!(
        "A world of tiles is written as {tiles}, and as the scene of a waypoint a tile; a scene as \
         {scenes}; a world of blocks, heightmaps among them, as {blocks}, of which .voxels holds \
         all there is; a navigation mesh as {meshes}; a level of triangles as {levels}; queries as \
         they were read."
    )
}
