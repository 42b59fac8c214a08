//! A panel at its position on a picture.

use glam::Vec2;
use wayfare_core::space::Action;

use super::film::draw_prop;
use super::search::largest_cost;
use super::signs::sign;
use super::{Mark, Panel, SearchView, Status};
use crate::scenery::{SMALLEST_RULED, grid_lines};
use crate::{
    Anchor, Area, Canvas, Colour, Label, Lattice, Paint, Picture, Relief, SearchLook, Shape,
    Stroke, Theme, Tiles, Typeface, Viewport,
};

/// The margin inside a card, in pixels.
const MARGIN: f32 = 14.0;
/// The height of the line with the title.
const HEADER: f32 = 44.0;
/// The least side of a cell or block with lines to parents, in pixels.
const LEAST_SIDE_OF_PARENTS: f32 = 10.0;
/// The least side of a cell whose path has marks at its turns, in pixels.
const LEAST_SIDE_OF_TURNS: f32 = 12.0;
/// The height of the line with the figures.
const FIGURES: f32 = 58.0;
/// The width at which a title and a caption are cut, if the world is no wider.
const WIDEST_TITLE: f32 = 900.0;
/// The longest line that is drawn as dots, in pixels: that of the largest picture, and more.
const LONGEST_DOTTED: f32 = 100_000.0;
/// The width of one figure.
const FIGURE: f32 = 96.0;

/// A panel laid out.
pub(crate) struct Stage<'p, 'a> {
    pub(crate) panel: &'p Panel<'a>,
    theme: &'p Theme,
    viewport: Viewport,
    card: Area,
    /// The cost at the top of the ramp.
    most: f32,
}

impl<'p, 'a> Stage<'p, 'a> {
    /// Lays out a panel at the picture's corner, its world at most `longest` pixels wide and high.
    pub(crate) fn new(panel: &'p Panel<'a>, theme: &'p Theme, longest: u32, most: f32) -> Self {
        let viewport = Viewport::fit(panel.scenery, longest, Vec2::ZERO);
        let [width, height] = viewport.size().map(|side| side as f32);
        let figures = panel.figure_count() as f32;
        let title = Typeface::Sans.width(&panel.title, TITLE)
            + Typeface::Sans.width(&panel.caption, CAPTION)
            + 24.0;
        let title = title.min(WIDEST_TITLE);
        let inner = width.max(figures * FIGURE).max(title).ceil();
        let has_header = !panel.title.is_empty() || !panel.caption.is_empty();
        let header = if has_header { HEADER } else { MARGIN };
        let footer = if figures > 0.0 { FIGURES } else { MARGIN };
        let card =
            Area::sized(Vec2::ZERO, Vec2::new(inner + 2.0 * MARGIN, header + height + footer));
        let left = MARGIN + ((inner - width) / 2.0).floor();
        let viewport = viewport.moved_to(Vec2::new(left, header));
        Self { panel, theme, viewport, card, most }
    }

    /// Lays out a panel's world alone, without title, figures and card.
    pub(crate) fn bare(panel: &'p Panel<'a>, theme: &'p Theme, longest: u32) -> Self {
        let most = panel.recording.map_or(0.0, largest_cost);
        let viewport = Viewport::fit(panel.scenery, longest, Vec2::ZERO);
        Self { panel, theme, viewport, card: viewport.area(), most }
    }

    pub(crate) fn card(&self) -> Area {
        self.card
    }

    pub(crate) fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    /// Moves the panel to another corner and resizes its card.
    pub(crate) fn place(&mut self, corner: Vec2, size: Vec2) {
        let shift =
            corner - self.card.min + Vec2::new(((size - self.card.size()).x / 2.0).floor(), 0.0);
        self.viewport = self.viewport.moved_to(self.viewport.area().min + shift);
        self.card = Area::sized(corner, size);
    }

    /// Draws the card, the title and the world.
    pub(crate) fn draw_card(&self, picture: &mut Picture) {
        let theme = self.theme;
        picture.push(Shape::Rect {
            area: self.card,
            radius: 10.0,
            paint: Paint::fill(theme.panel),
        });
        let base = self.card.min.y + 29.0;
        let text = |text: &str, x, anchor, size, colour| {
            let (text, at) = (text.to_owned(), Vec2::new(x, base));
            Shape::Text(Label { text, at, anchor, size, face: Typeface::Sans, colour })
        };
        let (left, right) = (self.card.min.x + MARGIN, self.card.max.x - MARGIN);
        let title = Typeface::Sans.fitted(&self.panel.title, TITLE, right - left);
        let room = right - left - Typeface::Sans.width(&title, TITLE) - 16.0;
        let caption = Typeface::Sans.fitted(&self.panel.caption, CAPTION, room);
        picture.push(text(&title, left, Anchor::Start, TITLE, theme.text));
        if room > 40.0 {
            picture.push(text(&caption, right, Anchor::End, CAPTION, theme.text_muted));
        }
        self.panel.scenery.draw_base(&self.viewport, theme, picture);
    }

    /// Draws the lines between cells.
    pub(crate) fn draw_lines(&self, picture: &mut Picture) {
        if self.panel.scenery.is_ruled()
            && let Some(lines) = grid_lines(&self.viewport, self.theme)
        {
            picture.push(lines);
        }
    }

    /// Draws the open and closed places; together with the world, if it is in relief.
    pub(crate) fn draw_search(&self, view: Option<&SearchView<'_>>, picture: &mut Picture) {
        if let Some(relief) = self.relief(view) {
            picture.push(Shape::Facets(relief.facets));
            relief.lines.into_iter().for_each(|line| picture.push(line));
        } else if let Some(view) = view {
            self.draw_marks(view, picture);
        }
    }

    /// Returns the world, if it is in relief.
    pub(crate) fn relief(&self, view: Option<&SearchView<'_>>) -> Option<Relief> {
        self.panel.scenery.relief(&self.viewport, self.theme, &|place| {
            view.and_then(|view| view.mark(place)).map(|mark| mark.status)
        })
    }

    /// Updates the relief after a place has changed.
    pub(crate) fn refresh(&self, view: &SearchView<'_>, place: u32, relief: &mut Relief) {
        let status = |place| view.mark(place).map(|mark| mark.status);
        let scenery = self.panel.scenery;
        scenery.refresh(place as usize, &self.viewport, self.theme, &status, relief);
    }

    /// Draws the open and closed places of a flat world.
    pub(crate) fn draw_marks(&self, view: &SearchView<'_>, picture: &mut Picture) {
        let Some(lattice) = self.panel.scenery.lattice() else {
            return self.draw_discs(view, picture);
        };
        let [columns, rows] = self.viewport.tiles();
        let colours = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| self.tile(view, lattice, column, row).unwrap_or(Colour::CLEAR))
            .collect();
        let (corner, side) = (self.viewport.area().min, self.viewport.tile());
        let inset = self.inset();
        picture.push(Shape::Tiles(Tiles { corner, side, columns, inset, colours }));
    }

    /// Returns the margin between a searched place's colour and the edge of its cell, which shows
    /// the terrain.
    pub(crate) fn inset(&self) -> u32 {
        let side = self.viewport.tile();
        if self.panel.scenery.has_terrains() && side >= SMALLEST_RULED {
            side.div_ceil(7)
        } else {
            0
        }
    }

    /// Redraws one place of a lattice; `base` is the world without the search.
    pub(crate) fn repaint(
        &self,
        view: &SearchView<'_>,
        place: u32,
        base: &Canvas,
        canvas: &mut Canvas,
    ) {
        let Some(lattice) = self.panel.scenery.lattice() else { return };
        let block = self.viewport.block();
        let (column, row) = (place % lattice.columns / block, place / lattice.columns / block);
        let side = self.viewport.tile();
        let corner = self.viewport.area().min;
        let x = corner.x as i64 + i64::from(column * side);
        let y = corner.y as i64 + i64::from(row * side);
        let Some(colour) = self.tile(view, lattice, column, row) else {
            return canvas.restore(base, x, y, side);
        };
        // The lines between cells stay.
        let [columns, rows] = self.viewport.tiles();
        let inset = self.inset();
        let ruled = u32::from(inset == 0 && side >= SMALLEST_RULED);
        let width = side - 2 * inset - if column + 1 < columns { ruled } else { 0 };
        let height = side - 2 * inset - if row + 1 < rows { ruled } else { 0 };
        canvas.fill_pixels(x + i64::from(inset), y + i64::from(inset), width, height, colour);
    }

    /// Returns the colour of a tile in a search; `None` if the search has not reached it.
    ///
    /// In a block of cells, open ones have priority over closed ones, and marked ones over the
    /// floor. A share of the ground shows, so that walls remain visible among them.
    pub(crate) fn tile(
        &self,
        view: &SearchView<'_>,
        lattice: Lattice,
        column: u32,
        row: u32,
    ) -> Option<Colour> {
        let block = self.viewport.block();
        let (left, top) = (column * block, row * block);
        let (right, bottom) =
            ((left + block).min(lattice.columns), (top + block).min(lattice.rows));
        let mut best: Option<Mark> = None;
        let mut marked = 0u32;
        for y in top..bottom {
            for x in left..right {
                let place = y as usize * lattice.columns as usize + x as usize;
                let Some(mark) = view.mark(place) else { continue };
                marked += 1;
                let better = best.is_none_or(|best| match (mark.status, best.status) {
                    (Status::Open, Status::Closed) => true,
                    (Status::Closed, Status::Open) => false,
                    _ => mark.g < best.g,
                });
                if better {
                    best = Some(mark);
                }
            }
        }
        let colour = self.colour(best?);
        let min = Vec2::new(left as f32, top as f32);
        let max = Vec2::new(right as f32, bottom as f32);
        let ground = self.panel.scenery.ground(Area { min, max }, self.theme).colour;
        let share = match self.panel.scenery.has_terrains() && self.inset() == 0 {
            true => self.theme.terrain_share,
            false => 0,
        };
        let share = f32::from(share) / 100.0;
        let cells = ((right - left) * (bottom - top)).max(1);
        let unmarked = 1.0 - marked as f32 / cells as f32;
        Some(colour.mix(ground, share.max(unmarked.min(0.5))))
    }

    /// Returns the look of the search.
    fn look(&self) -> SearchLook {
        self.theme.search_look.unwrap_or_else(|| self.panel.scenery.search_look())
    }

    /// Returns the colour of a mark.
    pub(crate) fn colour(&self, mark: Mark) -> Colour {
        if self.look() == SearchLook::Plain {
            return match mark.status {
                Status::Open => self.theme.voxel_open,
                Status::Closed => self.theme.voxel_closed,
            };
        }
        let cost = if self.most > 0.0 { mark.g / self.most } else { 0.0 };
        match mark.status {
            Status::Open => self.theme.open(mark.ramp(), cost),
            Status::Closed => self.theme.closed(mark.ramp(), cost),
        }
    }

    /// Returns whether a line joins each searched place to its parent: in worlds of blocks, and in
    /// all worlds with the look of such; among waypoints the links by which they were reached show
    /// it.
    pub(crate) fn shows_parents(&self) -> bool {
        let scenery = self.panel.scenery;
        let is_flat = scenery.lattice().is_none() && scenery.search_look() == SearchLook::ByCost;
        let has_room = self.viewport.block() == 1 && self.viewport.scale() >= LEAST_SIDE_OF_PARENTS;
        self.look() == SearchLook::Plain && !is_flat && has_room
    }

    /// Returns the colour and width of the lines to parents.
    pub(crate) fn parent_stroke(&self) -> Stroke {
        let width = (self.viewport.scale() * 0.06).clamp(1.0, 1.8);
        parent_stroke(self.theme, width)
    }

    /// Returns the lines on the picture from a place to another, without the hidden parts.
    pub(crate) fn visible_line(&self, from: usize, to: usize) -> Vec<[Vec2; 2]> {
        let scenery = self.panel.scenery;
        let steps = [(from, Action::Walk), (to, Action::Walk)];
        let pixel = |point: Vec2| self.viewport.pixel(point);
        match scenery.trail(&steps) {
            None => vec![[from, to].map(|place| pixel(scenery.position(place)))],
            Some(trail) => {
                let legs = trail.legs.iter().filter(|leg| !leg.hidden);
                legs.flat_map(|leg| leg.points.windows(2))
                    .map(|ends| [pixel(ends[0]), pixel(ends[1])])
                    .collect()
            }
        }
    }

    /// Draws the marks of a world without a lattice: polygons, or discs and the links by which they
    /// were reached.
    fn draw_discs(&self, view: &SearchView<'_>, picture: &mut Picture) {
        let scenery = self.panel.scenery;
        let radius = scenery.place_radius(&self.viewport);
        let point = |place| self.viewport.pixel(scenery.position(place));
        let marks = || (0..scenery.places()).filter_map(|place| Some((place, view.mark(place)?)));
        for (place, mark) in marks() {
            if scenery.outline(place).is_some() {
                continue;
            }
            if let Some(parent) = view.parent(place) {
                let points = vec![point(parent), point(place)];
                let stroke = Stroke {
                    colour: self.colour(mark).mix(self.theme.closed_shade, 0.15),
                    width: (radius * 0.45).max(1.5),
                };
                picture.push(Shape::Polyline { points, stroke });
            }
        }
        for (place, mark) in marks() {
            if let Some(outline) = scenery.outline(place) {
                let points = outline.iter().map(|corner| self.viewport.pixel(*corner)).collect();
                let paint = Paint::fill(self.colour(mark)).outlined(self.theme.grid_line, 0.6);
                picture.push(Shape::Polygon { points, paint });
                continue;
            }
            let paint = Paint::fill(self.colour(mark)).outlined(self.theme.outline, 1.5);
            picture.push(Shape::Circle { centre: point(place), radius, paint });
        }
    }

    /// Draws the parts above the search: the share `shown` (0 to 1) of the path, parts of puzzles,
    /// start, goal, names and figures.
    pub(crate) fn draw_over(
        &self,
        view: Option<&SearchView<'_>>,
        shown: f32,
        picture: &mut Picture,
    ) {
        self.draw_path(shown, picture);
        if let Some(view) = view {
            self.draw_numbers(view, picture);
        }
        for prop in &self.panel.props {
            draw_prop(prop, &self.viewport, picture);
        }
        self.draw_ends(picture);
        self.panel.scenery.draw_names(&self.viewport, self.theme, picture);
        self.draw_figures(view, shown, picture);
    }

    /// Returns the width of the path, in pixels.
    fn path_width(&self) -> f32 {
        if self.panel.scenery.lattice().is_some()
            || self.panel.scenery.search_look() == SearchLook::Plain
        {
            (self.viewport.scale() * 0.34).clamp(3.2, 9.0)
        } else {
            (self.panel.scenery.place_radius(&self.viewport) * 0.7).clamp(2.6, 6.0)
        }
    }

    fn draw_path(&self, shown: f32, picture: &mut Picture) {
        if shown <= 0.0 {
            return;
        }
        let trail = self.panel.trail();
        let legs = trail.legs.iter().map(|leg| {
            let pixels = leg.points.iter().map(|point| self.viewport.pixel(*point));
            (turning_points(pixels), leg.hidden)
        });
        let legs = first_legs(legs.collect(), shown);
        let width = self.path_width();
        let edge = (width * 0.32).clamp(1.3, 2.0);
        let [path, outline] = path_colours(self.look(), self.theme);
        let under = Stroke { colour: outline, width: width + 2.0 * edge };
        // All outlines first, so that joined legs have none between them.
        for (points, _) in legs.iter().filter(|(_, hidden)| !hidden) {
            picture.push(Shape::Polyline { points: points.clone(), stroke: under });
        }
        let scenery = self.panel.scenery;
        // On small cells the marks would touch each other and hide the path.
        let is_roomy = scenery.lattice().is_none() || self.viewport.scale() >= LEAST_SIDE_OF_TURNS;
        let marks_turns = scenery.marks_turns() && self.panel.has_steps() && is_roomy;
        for (points, hidden) in legs {
            let turns = if marks_turns { inner(&points).to_vec() } else { Vec::new() };
            if hidden {
                self.draw_dots(&points, width, picture);
            } else {
                let stroke = Stroke { colour: path, width };
                picture.push(Shape::Polyline { points, stroke });
            }
            for centre in turns {
                let paint = Paint::fill(outline).outlined(path, width * 0.45);
                picture.push(Shape::Circle { centre, radius: width, paint });
            }
        }
        if shown >= 1.0 {
            let size = (width * 0.95).clamp(4.0, 8.0);
            let mut last = None;
            for (at, action) in trail.signs {
                let centre = self.viewport.pixel(at);
                // On long slopes every other move has a sign: widely spaced signs are easier to
                // tell apart.
                let is_crowded = |(before, same): (Vec2, Action)| {
                    same == action && before.distance(centre) < 4.0 * size
                };
                if !last.is_some_and(is_crowded) {
                    sign(action, centre, size, picture);
                    last = Some((centre, action));
                }
            }
        }
    }

    /// Draws a line behind something, as dots.
    fn draw_dots(&self, points: &[Vec2], width: f32, picture: &mut Picture) {
        let [path, outline] = path_colours(self.look(), self.theme);
        let apart = width * 1.7;
        let mut left = apart / 2.0;
        for ends in points.windows(2) {
            let length = ends[0].distance(ends[1]);
            // It extends far out of the picture, and could be more dots than memory has room for.
            if length > LONGEST_DOTTED {
                continue;
            }
            while left <= length {
                let centre = ends[0].lerp(ends[1], left / length.max(f32::MIN_POSITIVE));
                let paint = Paint::fill(path).outlined(outline.with_alpha(190), 1.0);
                picture.push(Shape::Circle { centre, radius: width * 0.42, paint });
                left += apart;
            }
            left -= length;
        }
    }

    fn draw_ends(&self, picture: &mut Picture) {
        let size = (self.path_width() * 1.25).clamp(5.5, 11.0);
        if let Some(start) = self.panel.start_point() {
            picture.push(start_marker(self.viewport.pixel(start), size, self.theme));
        }
        if let Some(goal) = self.panel.goal_point() {
            picture.push(goal_marker(self.viewport.pixel(goal), size, self.theme));
        }
    }

    fn draw_figures(&self, view: Option<&SearchView<'_>>, shown: f32, picture: &mut Picture) {
        let figures = self.panel.all_figures(view, shown >= 1.0);
        let bottom = self.viewport.area().max.y;
        let room = (self.card.size().x - 2.0 * MARGIN) / figures.len().max(1) as f32;
        let step = room.min(150.0);
        for (number, [name, value]) in figures.into_iter().enumerate() {
            let x = self.card.min.x + MARGIN + number as f32 * step;
            let mut line = |text, y, size, face, colour| {
                let at = Vec2::new(x, bottom + y);
                let anchor = Anchor::Start;
                picture.push(Shape::Text(Label { text, at, anchor, size, face, colour }));
            };
            line(name, 21.0, 14.0, Typeface::Sans, self.theme.text_muted);
            line(value, 43.0, 18.0, Typeface::Mono, self.theme.text);
        }
    }
}

/// Returns the look of lines to parents.
pub(crate) fn parent_stroke(theme: &Theme, width: f32) -> Stroke {
    Stroke { colour: theme.voxel_outline.mix(theme.voxel_closed, 0.25), width }
}

/// Returns the colours of a path and of its outline.
pub(crate) fn path_colours(look: SearchLook, theme: &Theme) -> [Colour; 2] {
    match look {
        SearchLook::ByCost => [theme.path, theme.outline],
        SearchLook::Plain => [theme.voxel_path, theme.voxel_outline],
    }
}

const TITLE: f32 = 21.0;
const CAPTION: f32 = 15.0;

/// Returns the start: a disc.
pub(crate) fn start_marker(centre: Vec2, size: f32, theme: &Theme) -> Shape {
    let paint = Paint::fill(theme.start).outlined(theme.outline, 2.0);
    Shape::Circle { centre, radius: size * 0.9, paint }
}

/// Returns the goal: a diamond.
pub(crate) fn goal_marker(centre: Vec2, size: f32, theme: &Theme) -> Shape {
    let offsets = [Vec2::NEG_Y, Vec2::X, Vec2::Y, Vec2::NEG_X];
    let points = offsets.map(|offset| centre + offset * size * 1.3).to_vec();
    Shape::Polygon { points, paint: Paint::fill(theme.goal).outlined(theme.outline, 2.0) }
}

/// Returns the points of a line without those on its straight parts.
pub fn turning_points(points: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::new();
    for point in points {
        if let [.., before, last] = kept[..] {
            let (one, two) = (last - before, point - last);
            // Relative to the lengths: pixels are rounded too.
            let bend = one.perp_dot(two).abs();
            if bend <= 1e-4 * one.length() * two.length() && one.dot(two) >= 0.0 {
                kept.pop();
            }
        }
        kept.push(point);
    }
    kept
}

/// Returns the points of a line without its ends.
pub(crate) fn inner(points: &[Vec2]) -> &[Vec2] {
    points.get(1..points.len().saturating_sub(1)).unwrap_or_default()
}

/// Returns the first `share` of the total length of consecutive lines.
fn first_legs(legs: Vec<(Vec<Vec2>, bool)>, share: f32) -> Vec<(Vec<Vec2>, bool)> {
    if share >= 1.0 {
        return legs;
    }
    let length =
        |points: &[Vec2]| -> f32 { points.windows(2).map(|ends| ends[0].distance(ends[1])).sum() };
    let mut left = share * legs.iter().map(|(points, _)| length(points)).sum::<f32>();
    let mut first = Vec::new();
    for (points, hidden) in legs {
        let own = length(&points);
        let part = if own > 0.0 { (left / own).clamp(0.0, 1.0) } else { 1.0 };
        first.push((beginning(&points, part), hidden));
        left -= own;
        if left <= 0.0 {
            break;
        }
    }
    first
}

/// Returns the first `share` of a line's length.
pub fn beginning(points: &[Vec2], share: f32) -> Vec<Vec2> {
    if share >= 1.0 {
        return points.to_vec();
    }
    let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    let mut left = length * share;
    let mut kept: Vec<Vec2> = points.first().copied().into_iter().collect();
    for ends in points.windows(2) {
        let step = ends[0].distance(ends[1]);
        if step >= left {
            kept.push(ends[0].lerp(ends[1], if step > 0.0 { left / step } else { 0.0 }));
            break;
        }
        left -= step;
        kept.push(ends[1]);
    }
    kept
}
