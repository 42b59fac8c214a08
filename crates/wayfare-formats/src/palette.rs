//! The colours of terrains where a file names none: muted and natural, and told apart by lightness
//! as well as by hue, so that they stay distinct to the colour-blind.

/// Plain ground: warm paper.
pub const GROUND: [u8; 3] = [0xEF, 0xE9, 0xDC];
/// Walls and everything closed: ink.
pub const BLOCKED: [u8; 3] = [0x2B, 0x2D, 0x33];
/// Grass: a light sage.
pub const GRASS: [u8; 3] = [0xB9, 0xCB, 0x9A];
/// Trees: a deep spruce green.
pub const TREES: [u8; 3] = [0x4A, 0x6B, 0x57];
/// Swamp: moss and mud.
pub const SWAMP: [u8; 3] = [0x9A, 0x95, 0x6A];
/// Water: a slate blue.
pub const WATER: [u8; 3] = [0x5B, 0x84, 0xAE];
/// Sand: a pale ochre.
pub const SAND: [u8; 3] = [0xE6, 0xCF, 0x93];
/// Snow: a cold white.
pub const SNOW: [u8; 3] = [0xF4, 0xF8, 0xFB];
/// Mountains: a grey brown.
pub const MOUNTAIN: [u8; 3] = [0x7D, 0x72, 0x6A];
/// Towns: brick.
pub const TOWN: [u8; 3] = [0xC4, 0x7A, 0x5A];
/// Bridges: weathered planks.
pub const BRIDGE: [u8; 3] = [0xA8, 0x84, 0x5B];
/// Roads and streets: a light grey.
pub const ROAD: [u8; 3] = [0xCF, 0xCB, 0xC4];

/// Returns the colour of one of many grounds that nothing is known of: pale, their hues a golden
/// angle apart.
#[cfg(feature = "tiled")]
pub(crate) fn distinct(number: usize) -> [u8; 3] {
    let turn = (number as f32 * 0.618_034).fract() * 6.0;
    // Three rounds of lightness tell apart what comes near in hue.
    let (low, high) = ([196.0, 164.0, 132.0], [238.0, 212.0, 188.0]);
    let round = number / 8 % 3;
    std::array::from_fn(|channel| {
        let part = (turn + [0.0, 4.0, 2.0][channel]) % 6.0;
        let share = (2.0 - (part - 3.0).abs()).clamp(0.0, 1.0);
        (high[round] - share * (high[round] - low[round])) as u8
    })
}

/// Returns a tint between plain ground and dark earth for weight 1 (plain) to 9 (heaviest).
pub(crate) fn weight(weight: u8) -> [u8; 3] {
    let dark: [u8; 3] = [0x6E, 0x55, 0x3F];
    let share = u16::from(weight.clamp(1, 9) - 1);
    std::array::from_fn(|channel| {
        let (from, to) = (u16::from(GROUND[channel]), u16::from(dark[channel]));
        // At most 255, as both ends are.
        ((from * (8 - share) + to * share) / 8) as u8
    })
}
