//! The contrasts of themes.

use wayfare_draw::{Colour, Ramp, Theme};

/// A colour as a deuteranope sees it, in linear light: F. Viénot, H. Brettel, J. Mollon,
/// "Digital video colourmaps for checking the legibility of displays by dichromats", 1999.
fn deuteranope(colour: Colour) -> Colour {
    let linear = |channel: u8| (f32::from(channel) / 255.0) * (f32::from(channel) / 255.0);
    let (r, g, b) = (linear(colour.red), linear(colour.green), linear(colour.blue));
    let back = |value: f32| (value.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8;
    let yellow = 0.292_75 * r + 0.707_25 * g;
    let blue = -0.022_34 * r + 0.022_34 * g + b;
    Colour { red: back(yellow), green: back(yellow), blue: back(blue), alpha: 255 }
}

#[test]
fn rock_is_told_from_walls() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        let rock = theme.terrain("rock").unwrap();
        assert_eq!(Some(rock), theme.terrain("mountain"));
        assert!(rock.contrast(theme.wall) > 1.5, "{rock:?} {:?}", theme.wall);
    }
}

#[test]
fn text_is_readable() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        for ground in [theme.panel, theme.background] {
            assert!(theme.text.contrast(ground) > 7.0);
            let contrast = theme.text_muted.contrast(ground);
            assert!(contrast > 4.5, "{ground:?}: {contrast}");
        }
    }
}

#[test]
fn path_stands_out_from_all_that_is_expanded_also_for_deuteranopes() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        for step in 0..=20u8 {
            for ramp in [Ramp::Fire, Ramp::Ice] {
                let closed = theme.closed(ramp, f32::from(step) / 20.0);
                let contrast = deuteranope(theme.path).contrast(deuteranope(closed));
                assert!(contrast > 3.0, "{ramp:?} {step}: {contrast}");
            }
        }
        // The dark outline separates it from bright colours.
        assert!(theme.path.contrast(theme.outline) > 10.0);
    }
}

#[test]
fn open_and_closed_of_one_cost_differ() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        for step in 0..=20u8 {
            let cost = f32::from(step) / 20.0;
            for ramp in [Ramp::Fire, Ramp::Ice] {
                let open = deuteranope(theme.open(ramp, cost));
                let closed = deuteranope(theme.closed(ramp, cost));
                let contrast = open.contrast(closed);
                assert!(contrast > 1.5, "{ramp:?} {step}: {contrast}");
            }
        }
    }
}

#[test]
fn path_open_and_expanded_differ_in_worlds_of_blocks_also_for_deuteranopes() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        let colours = [theme.voxel_open, theme.voxel_closed, theme.voxel_path, theme.voxel_outline];
        let [open, closed, path, outline] = colours.map(deuteranope);
        assert!(open.contrast(closed) > 4.0);
        assert!(open.contrast(path) > 2.0);
        assert!(outline.contrast(path) > 2.5);
        assert!(outline.contrast(closed) > 4.0);
    }
}

#[test]
fn walls_and_floor_differ() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        assert!(theme.wall.contrast(theme.floor) > 1.7);
    }
}
