//! SVG: small files, exact at every size.

use std::collections::BTreeMap;
use std::fmt::Write;

use ab_glyph::{Font, GlyphId, OutlineCurve};
use base64::Engine;
use glam::Vec2;

use crate::facets::MARGIN;
use crate::{
    Anchor, Area, Colour, DrawError, Facets, Label, MAX_PIXELS, MAX_SIDE, Paint, Picture, Shape,
    Stroke, Tiles, Typeface,
};

/// From this number of rectangles on, a lattice is embedded as a PNG: smaller, and faster to view.
const MOST_RECTANGLES: usize = 20_000;

impl Picture {
    /// Returns the picture as an SVG document.
    ///
    /// Runs of equal cells become one rectangle, and all rectangles of a colour one path. A lattice
    /// that stays large is embedded as an image.
    ///
    /// # Errors
    /// [`DrawError::Png`] or [`DrawError::PictureSize`] if such an image cannot be made.
    pub fn to_svg(&self) -> Result<String, DrawError> {
        let (width, height) = (self.width(), self.height());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
        );
        let whole = Area { min: Vec2::ZERO, max: Vec2::new(width as f32, height as f32) };
        rect(&mut svg, whole, 0.0, Paint::fill(self.background()));
        let mut glyphs = Glyphs::default();
        for shape in self.shapes() {
            draw(&mut svg, shape, &mut glyphs)?;
        }
        glyphs.define(&mut svg);
        svg.push_str("</svg>\n");
        Ok(svg)
    }
}

fn draw(svg: &mut String, shape: &Shape, glyphs: &mut Glyphs) -> Result<(), DrawError> {
    match shape {
        Shape::Tiles(each) => tiles(svg, each)?,
        Shape::Facets(each) => facets(svg, each)?,
        Shape::Rect { area, radius, paint } => rect(svg, *area, *radius, *paint),
        Shape::Circle { centre, radius, paint } => {
            let (x, y, r) = (short(centre.x), short(centre.y), short(*radius));
            put(svg, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{}/>\n", look(*paint)));
        }
        Shape::Polygon { points, paint } => {
            put(svg, format_args!("<path d=\"{}z\"{}/>\n", through(points), look(*paint)));
        }
        Shape::Polyline { points, stroke } => {
            let look = look(Paint { fill: None, stroke: Some(*stroke) });
            put(svg, format_args!("<path d=\"{}\"{look}/>\n", through(points)));
        }
        Shape::Segments { ends, stroke } => {
            let lines: String = ends.iter().map(|ends| through(ends)).collect();
            let look = look(Paint { fill: None, stroke: Some(*stroke) });
            put(svg, format_args!("<path d=\"{lines}\"{look}/>\n"));
        }
        Shape::Text(label) => text(svg, label, glyphs),
    }
    Ok(())
}

/// Appends text; writing to a `String` cannot fail.
fn put(svg: &mut String, parts: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(parts);
}

fn rect(svg: &mut String, area: Area, radius: f32, paint: Paint) {
    let (x, y) = (short(area.min.x), short(area.min.y));
    let (width, height) = (short(area.size().x), short(area.size().y));
    let corners = if radius > 0.0 { format!(" rx=\"{}\"", short(radius)) } else { String::new() };
    let look = look(paint);
    put(
        svg,
        format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{corners}{look}/>\n"
        ),
    );
}

/// The outlines of the glyphs in use, as paths in the units of their font, y up.
#[derive(Default)]
struct Glyphs(BTreeMap<(Typeface, u16), String>);

impl Glyphs {
    fn name((face, glyph): (Typeface, u16)) -> String {
        let face = match face {
            Typeface::Sans => "sans",
            Typeface::Mono => "mono",
        };
        format!("{face}-{glyph}")
    }

    /// Writes the outlines where elements of the document refer to them.
    fn define(&self, svg: &mut String) {
        if self.0.is_empty() {
            return;
        }
        svg.push_str("<defs>\n");
        for (key, path) in &self.0 {
            put(svg, format_args!("<path id=\"{}\" d=\"{path}\"/>\n", Self::name(*key)));
        }
        svg.push_str("</defs>\n");
    }
}

/// Returns the outline of a glyph as a path; empty for a blank.
fn outline(font: &impl Font, glyph: GlyphId) -> String {
    let mut path = String::new();
    let mut end = None;
    for curve in font.outline(glyph).map(|outline| outline.curves).unwrap_or_default() {
        let at = |point: ab_glyph::Point| format!("{} {}", short(point.x), short(point.y));
        let (from, to, step) = match curve {
            OutlineCurve::Line(a, b) => (a, b, format!("L{}", at(b))),
            OutlineCurve::Quad(a, b, c) => (a, c, format!("Q{} {}", at(b), at(c))),
            OutlineCurve::Cubic(a, b, c, d) => (a, d, format!("C{} {} {}", at(b), at(c), at(d))),
        };
        if end != Some(from) {
            put(&mut path, format_args!("M{}", at(from)));
        }
        path.push_str(&step);
        end = Some(to);
    }
    path
}

/// Writes a line of text as the outlines of its glyphs: it looks the same where its typeface is
/// missing, and keeps its layout. An invisible text above can be searched and copied.
fn text(svg: &mut String, label: &Label, glyphs: &mut Glyphs) {
    let fill = ink("fill", label.colour);
    let mut line = String::new();
    let mut unit = 1.0;
    label.face.lay_out(&label.text, label.size, |font, glyph, x| {
        unit = label.size / font.height_unscaled();
        let key = (label.face, glyph.0);
        let path = glyphs.0.entry(key).or_insert_with(|| outline(font, glyph));
        if !path.is_empty() {
            let (name, x) = (Glyphs::name(key), short(x / unit));
            put(&mut line, format_args!("<use href=\"#{name}\" x=\"{x}\"/>"));
        }
    });
    let (left, y) = (short(label.at.x - label.lead()), short(label.at.y));
    if !line.is_empty() {
        put(
            svg,
            format_args!(
                "<g transform=\"translate({left} {y}) scale({unit:.6} -{unit:.6})\"{fill}>{line}</g>\n"
            ),
        );
    }
    let anchor = match label.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (x, size, family) = (short(label.at.x), short(label.size), label.face.families());
    let width = short(label.face.width(&label.text, label.size));
    let width = match width.as_str() {
        "0" => String::new(),
        width => format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\""),
    };
    put(
        svg,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-family=\"{family}\"{anchor}{width} \
             fill-opacity=\"0\" xml:space=\"preserve\">"
        ),
    );
    for character in label.text.chars() {
        match character {
            '<' => svg.push_str("&lt;"),
            '>' => svg.push_str("&gt;"),
            '&' => svg.push_str("&amp;"),
            // XML 1.0 cannot represent these characters.
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => svg.push(character),
        }
    }
    svg.push_str("</text>\n");
}

/// Rectangles of one colour: column, row, width and height in cells.
type Rectangles = BTreeMap<Colour, Vec<[u32; 4]>>;

fn tiles(svg: &mut String, tiles: &Tiles) -> Result<(), DrawError> {
    if tiles.inset > 0 {
        separate(svg, tiles);
        return Ok(());
    }
    let Some(rectangles) = merge(tiles) else { return image(svg, tiles) };
    let corner = tiles.corner.round();
    let side = tiles.side;
    for (colour, each) in rectangles {
        let fill = ink("fill", colour);
        let (x, y) = (short(corner.x), short(corner.y));
        // One unit is one cell, which keeps numbers short.
        put(
            svg,
            format_args!(
                "<path transform=\"translate({x} {y}) scale({side})\" shape-rendering=\"crispEdges\"{fill} d=\""
            ),
        );
        for [column, row, width, height] in each {
            put(svg, format_args!("M{column} {row}h{width}v{height}h-{width}z"));
        }
        svg.push_str("\"/>\n");
    }
    Ok(())
}

/// Writes separate squares of one colour, as one path.
fn separate(svg: &mut String, tiles: &Tiles) {
    let mut squares: BTreeMap<Colour, Vec<[u32; 2]>> = BTreeMap::new();
    for (row, colours) in tiles.colours.chunks_exact(tiles.columns as usize).enumerate() {
        for (column, colour) in colours.iter().enumerate().filter(|(_, colour)| colour.alpha > 0) {
            squares.entry(*colour).or_default().push([column as u32, row as u32]);
        }
    }
    let corner = tiles.corner.round();
    let inner = tiles.side - 2 * tiles.inset;
    for (colour, each) in squares {
        put(svg, format_args!("<path{} d=\"", ink("fill", colour)));
        for [column, row] in each {
            let x = short(corner.x + (column * tiles.side + tiles.inset) as f32);
            let y = short(corner.y + (row * tiles.side + tiles.inset) as f32);
            put(svg, format_args!("M{x} {y}h{inner}v{inner}h-{inner}z"));
        }
        svg.push_str("\"/>\n");
    }
}

/// Merges equal neighbours in a row, and equal runs below each other. `None` if too many rectangles
/// remain.
pub fn merge(tiles: &Tiles) -> Option<Rectangles> {
    let mut done = Rectangles::new();
    let mut count = 0;
    // The rectangles that reach down to the previous row: column, row, width, height and colour, by
    // column.
    let mut above: Vec<([u32; 4], Colour)> = Vec::new();
    for (row, colours) in tiles.colours.chunks_exact(tiles.columns as usize).enumerate() {
        let mut here: Vec<([u32; 4], Colour)> = Vec::new();
        let mut next_above = above.into_iter().peekable();
        let mut column = 0;
        while column < colours.len() {
            let colour = colours[column];
            let run = colours[column..].iter().take_while(|other| **other == colour).count();
            if colour.alpha > 0 {
                let mut rectangle = [column as u32, row as u32, run as u32, 1];
                while let Some((upper, upper_colour)) =
                    next_above.next_if(|(upper, _)| upper[0] <= rectangle[0])
                {
                    if upper[0] == rectangle[0]
                        && upper[2] == rectangle[2]
                        && upper_colour == colour
                    {
                        rectangle[1] = upper[1];
                        rectangle[3] = upper[3] + 1;
                    } else {
                        done.entry(upper_colour).or_default().push(upper);
                    }
                }
                count += usize::from(rectangle[3] == 1);
                here.push((rectangle, colour));
            }
            column += run;
        }
        for (upper, colour) in next_above {
            done.entry(colour).or_default().push(upper);
        }
        if count > MOST_RECTANGLES {
            return None;
        }
        above = here;
    }
    for (rectangle, colour) in above {
        done.entry(colour).or_default().push(rectangle);
    }
    Some(done)
}

/// Writes a lattice as an embedded image of one pixel a cell.
fn image(svg: &mut String, tiles: &Tiles) -> Result<(), DrawError> {
    let (columns, rows) = (tiles.columns, tiles.rows());
    let pixels = tiles.colours.iter().flat_map(bytes_of).collect::<Vec<u8>>();
    let corner = tiles.corner.round();
    let size = [columns * tiles.side, rows * tiles.side];
    embed(svg, &pixels, [columns, rows], corner, size)
}

fn bytes_of(colour: &Colour) -> [u8; 4] {
    [colour.red, colour.green, colour.blue, colour.alpha]
}

/// Writes an image of RGBA pixels, stretched to a size.
fn embed(
    svg: &mut String,
    pixels: &[u8],
    [columns, rows]: [u32; 2],
    corner: Vec2,
    [width, height]: [u32; 2],
) -> Result<(), DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    let (x, y) = (short(corner.x), short(corner.y));
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    put(
        svg,
        format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
             image-rendering=\"pixelated\" href=\"data:image/png;base64,{data}\"/>\n"
        ),
    );
    Ok(())
}

/// The outlines of one colour, each four corners of the lattice.
type Outlines = BTreeMap<Colour, Vec<[[i64; 2]; 4]>>;

fn facets(svg: &mut String, facets: &Facets) -> Result<(), DrawError> {
    let Some(outlines) = join(facets) else { return facet_image(svg, facets) };
    for (colour, each) in outlines {
        // A line in the same colour hides the seams that antialiasing leaves between neighbours.
        let (fill, stroke) = (ink("fill", colour), ink("stroke", colour));
        put(svg, format_args!("<path{fill}{stroke} stroke-width=\"0.5\" d=\""));
        for corners in each {
            svg.push_str(&through(&corners.map(|corner| facets.pixel(corner))));
            svg.push('z');
        }
        svg.push_str("\"/>\n");
    }
    let mut diamonds: BTreeMap<Colour, Vec<[Vec2; 3]>> = BTreeMap::new();
    let margin = MARGIN * facets.side;
    for (number, colour) in facets.tiles.iter().enumerate().filter(|(_, tile)| tile.alpha > 0) {
        let (column, row) = (number as u32 / facets.rows, number as u32 % facets.rows);
        let left = Facets::points_left(column, row);
        let middle = [i64::from(column) + i64::from(left), i64::from(row)];
        let middle = facets.pixel(middle);
        let reach = facets.side - margin;
        let tip = middle + Vec2::new(if left { -reach } else { reach }, 0.0);
        let rise = Vec2::new(0.0, reach / 2.0);
        diamonds.entry(*colour).or_default().push([tip, middle - rise, middle + rise]);
    }
    for (colour, each) in diamonds {
        let (fill, stroke) = (ink("fill", colour), ink("stroke", colour));
        put(svg, format_args!("<path{fill}{stroke} stroke-width=\"0.5\" d=\""));
        for corners in each {
            svg.push_str(&through(&corners));
            svg.push('z');
        }
        svg.push_str("\"/>\n");
    }
    Ok(())
}

/// Merges equal triangles of a column, and equal strips that continue each other. `None` if too
/// many remain.
fn join(facets: &Facets) -> Option<Outlines> {
    let mut done = Outlines::new();
    let mut count = 0;
    let mut before: Vec<([[i64; 2]; 4], Colour)> = Vec::new();
    for (column, colours) in (0..).zip(facets.colours.chunks_exact(facets.rows as usize)) {
        let mut here: Vec<([[i64; 2]; 4], Colour)> = Vec::new();
        let mut open = before.into_iter().peekable();
        let mut row = 0;
        while row < colours.len() {
            let colour = colours[row];
            let run = colours[row..].iter().take_while(|other| **other == colour).count();
            if colour.alpha > 0 {
                let mut strip = Facets::strip(column, row as u32, (row + run - 1) as u32);
                let mut joined = false;
                while let Some((earlier, known)) =
                    open.next_if(|(earlier, _)| earlier[1][1] <= strip[0][1])
                {
                    if !joined && known == colour && continues(&earlier, &strip) {
                        (strip[0], strip[3]) = (earlier[0], earlier[3]);
                        joined = true;
                    } else {
                        done.entry(known).or_default().push(earlier);
                    }
                }
                count += usize::from(!joined);
                here.push((strip, colour));
            }
            row += run;
        }
        for (earlier, colour) in open {
            done.entry(colour).or_default().push(earlier);
        }
        if count > MOST_RECTANGLES {
            return None;
        }
        before = here;
    }
    for (strip, colour) in before {
        done.entry(colour).or_default().push(strip);
    }
    Some(done)
}

/// Returns whether a strip starts where another ends, and continues both its sides.
fn continues(earlier: &[[i64; 2]; 4], strip: &[[i64; 2]; 4]) -> bool {
    let slope = |from: [i64; 2], to: [i64; 2]| (to[1] - from[1]).signum();
    earlier[1] == strip[0]
        && earlier[2] == strip[3]
        && slope(earlier[0], earlier[1]) == slope(strip[0], strip[1])
        && slope(earlier[3], earlier[2]) == slope(strip[3], strip[2])
}

/// Facets as an embedded image.
fn facet_image(svg: &mut String, facets: &Facets) -> Result<(), DrawError> {
    let area = facets.area();
    let corner = area.min.floor();
    let size = (area.max - corner).ceil().min(Vec2::splat(MAX_SIDE as f32)).max(Vec2::ONE);
    let [width, height] = [size.x as u32, size.y as u32];
    let pixel = |number: u64| {
        let (x, y) = (number % u64::from(width), number / u64::from(width));
        let at = corner + Vec2::new(x as f32, y as f32) + 0.5;
        bytes_of(&facets.at(at).unwrap_or(Colour::CLEAR))
    };
    let count = (u64::from(width) * u64::from(height)).min(MAX_PIXELS);
    let height = (count / u64::from(width)) as u32;
    let pixels: Vec<u8> = (0..u64::from(width) * u64::from(height)).flat_map(pixel).collect();
    embed(svg, &pixels, [width, height], corner, [width, height])
}

fn through(points: &[Vec2]) -> String {
    let mut path = String::new();
    for (number, point) in points.iter().enumerate() {
        let letter = if number == 0 { 'M' } else { 'L' };
        put(&mut path, format_args!("{letter}{} {}", short(point.x), short(point.y)));
    }
    path
}

fn look(paint: Paint) -> String {
    let mut look = match paint.fill {
        Some(colour) => ink("fill", colour),
        None => " fill=\"none\"".to_owned(),
    };
    if let Some(Stroke { colour, width }) = paint.stroke {
        look.push_str(&ink("stroke", colour));
        put(&mut look, format_args!(" stroke-width=\"{}\"", short(width)));
    }
    look
}

fn ink(what: &str, colour: Colour) -> String {
    let Colour { red, green, blue, alpha } = colour;
    let mut ink = format!(" {what}=\"#{red:02x}{green:02x}{blue:02x}\"");
    if alpha < 255 {
        put(&mut ink, format_args!(" {what}-opacity=\"{}\"", short(f32::from(alpha) / 255.0)));
    }
    ink
}

/// Returns a number with at most two decimals and no trailing zeros.
pub fn short(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
