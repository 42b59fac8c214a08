//! Maps of `wayfare-generate`.

use wayfare_formats::{TileMap, World};
use wayfare_generate::{Kinds, Seed, Settings, generate};

/// A square map of a kind of tiles.
pub(crate) fn tiles(kind: &str, side: u32, seed: u64) -> Result<TileMap, String> {
    let told = |error: wayfare_generate::GenerateError| error.to_string();
    let kinds = Kinds::standard();
    let settings = format!("[{kind}]\nwidth = {side}\nheight = {side}\n");
    let settings = Settings::read(&settings, &kinds).map_err(told)?;
    let made = generate(kinds.get(kind).map_err(told)?, &settings, Seed(seed)).map_err(told)?;
    match made.map(kind).map_err(told)? {
        Some(World::TileMap(map)) => Ok(map),
        _ => Err(format!("{kind} are not made of tiles")),
    }
}
