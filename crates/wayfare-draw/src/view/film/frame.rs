//! One moment of a film as a picture.

use std::path::Path;

use glam::Vec2;

use super::actors::{draw_actors, draw_roster};
use super::layout::Layout;
use super::passages::{draw_barrier, draw_passages};
use super::props::draw_prop;
use super::script::{Film, Shot};
use crate::{Anchor, DrawError, Label, Paint, Picture, Shape, Typeface};

impl Film<'_> {
    /// Returns one moment as a picture.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] if the world does not fit a picture.
    pub fn still(&self, shot: &Shot) -> Result<Picture, DrawError> {
        let layout = Layout::of(self, std::slice::from_ref(shot))?;
        let mut picture = layout.fixed.clone();
        self.draw_shot(shot, &layout, &mut picture);
        Ok(picture)
    }

    /// Writes each shot as an SVG into a folder, which is made if necessary: `0000.svg` and so on.
    /// `progress` receives the number of finished pictures and of all.
    ///
    /// # Errors
    /// As [`Film::still`], or [`DrawError::Write`].
    pub fn write_svgs(
        &self,
        folder: &Path,
        shots: &[Shot],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), DrawError> {
        std::fs::create_dir_all(folder)
            .map_err(|source| DrawError::Write { path: folder.to_path_buf(), source })?;
        let layout = Layout::of(self, shots)?;
        for (number, shot) in shots.iter().enumerate() {
            let mut picture = layout.fixed.clone();
            self.draw_shot(shot, &layout, &mut picture);
            picture.write_svg(&folder.join(format!("{number:04}.svg")))?;
            progress(number + 1, shots.len());
        }
        Ok(())
    }

    /// Draws the parts that change from shot to shot.
    pub(super) fn draw_shot(&self, shot: &Shot, layout: &Layout, picture: &mut Picture) {
        let world = layout.viewport.area();
        // Parts beyond the world are not drawn over its surroundings.
        let corner = |corner: &Vec2| layout.viewport.pixel(*corner).max(world.min).min(world.max);
        for ground in &shot.grounds {
            let points = ground.outline.iter().map(corner).collect();
            picture.push(Shape::Polygon { points, paint: Paint::fill(ground.colour) });
        }
        for danger in &shot.dangers {
            let points = danger.outline.iter().map(corner).collect();
            let alpha = (60.0 + 150.0 * danger.heat.clamp(0.0, 1.0)) as u8;
            let paint = Paint::fill(self.theme.heat.with_alpha(alpha));
            picture.push(Shape::Polygon { points, paint });
        }
        for barrier in &shot.barriers {
            let corners: Vec<Vec2> = barrier.iter().map(corner).collect();
            draw_barrier(&corners, picture);
        }
        for prop in &shot.props {
            draw_prop(prop, &layout.viewport, picture);
        }
        draw_passages(self, shot, &layout.viewport, picture);
        draw_actors(self, shot, layout, picture);
        draw_roster(self, shot, layout, picture);
        picture.push(Shape::Text(Label {
            text: format!("{:.1} s", shot.seconds),
            at: layout.clock,
            anchor: Anchor::End,
            size: 18.0,
            face: Typeface::Mono,
            colour: self.theme.text,
        }));
    }
}
