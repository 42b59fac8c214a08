//! The picture: a list of shapes, drawn in order, that every backend renders.

use glam::Vec2;

use crate::{Colour, DrawError, Facets, Label};

/// The longest side of a picture, in pixels.
pub const MAX_SIDE: u32 = 16_384;

/// The largest number of pixels of a picture: 128 MiB as RGBA.
pub const MAX_PIXELS: u64 = 32 << 20;

/// The largest distance of a shape from the origin, in pixels. Shapes beyond it are not drawn: they
/// cannot be seen, and rasterisers lose precision there.
const REACH: f32 = 1e6;

/// An axis-parallel rectangle; y points down in pictures.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::Area;
///
/// let area = Area::around([Vec2::ZERO, Vec2::new(4.0, 2.0)]).expect("there are points");
/// assert_eq!((area.centre(), area.grown(1.0).size()), (Vec2::new(2.0, 1.0), Vec2::new(6.0, 4.0)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// The corner with the smallest coordinates.
    pub min: Vec2,
    /// The corner with the largest coordinates.
    pub max: Vec2,
}

impl Area {
    /// Returns the rectangle of a size at a corner.
    #[must_use]
    pub fn sized(min: Vec2, size: Vec2) -> Self {
        Self { min, max: min + size }
    }

    /// Returns its size.
    #[must_use]
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// Returns its centre.
    #[must_use]
    pub fn centre(self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Returns the smallest rectangle around all points, or `None` for no points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec2>) -> Option<Self> {
        points.into_iter().fold(None, |area: Option<Self>, point| {
            Some(area.map_or(Self { min: point, max: point }, |area| Self {
                min: area.min.min(point),
                max: area.max.max(point),
            }))
        })
    }

    /// Returns the rectangle grown by `margin` on all sides.
    #[must_use]
    pub fn grown(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }
}

/// A line's colour and width.
///
/// ```
/// use wayfare_draw::{Colour, Shape, Stroke};
///
/// let points = vec![[0.0, 0.0].into(), [9.0, 5.0].into()];
/// let line = Shape::Polyline { points, stroke: Stroke { colour: Colour::hex(0xff0000), width: 2.0 } };
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    /// The colour.
    pub colour: Colour,
    /// The width in pixels.
    pub width: f32,
}

/// The paint of a closed shape.
///
/// ```
/// use wayfare_draw::{Colour, Paint};
///
/// let (white, black) = (Colour::hex(0xffffff), Colour::hex(0x000000));
/// let paint = Paint::fill(white).outlined(black, 1.5);
/// assert_eq!((paint.fill, paint.stroke.map(|stroke| stroke.width)), (Some(white), Some(1.5)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Paint {
    /// The inside.
    pub fill: Option<Colour>,
    /// The outline, centred on the edge.
    pub stroke: Option<Stroke>,
}

impl Paint {
    /// Returns a fill without an outline.
    #[must_use]
    pub fn fill(colour: Colour) -> Self {
        Self { fill: Some(colour), stroke: None }
    }

    /// Returns the same fill with an outline.
    #[must_use]
    pub fn outlined(self, colour: Colour, width: f32) -> Self {
        Self { stroke: Some(Stroke { colour, width }), ..self }
    }
}

/// A lattice of coloured squares, row by row. Squares with alpha 0 are not drawn.
///
/// ```
/// use wayfare_draw::{Colour, Tiles};
///
/// let (light, dark) = (Colour::hex(0xeeeeee), Colour::hex(0x333333));
/// let colours = vec![light, dark, dark, light];
/// let board = Tiles { corner: [0.0, 0.0].into(), side: 8, columns: 2, inset: 0, colours };
/// assert_eq!(board.rows(), 2);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Tiles {
    /// The left upper corner, in pixels.
    pub corner: Vec2,
    /// The side of a square, in whole pixels.
    pub side: u32,
    /// The number of squares in a row.
    pub columns: u32,
    /// The margin between each square and the edges of its cell, in pixels: less than half a side.
    /// With 0 the squares touch.
    pub inset: u32,
    /// The colours, row by row. Its length is a multiple of `columns`.
    pub colours: Vec<Colour>,
}

impl Tiles {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        (self.colours.len() / self.columns.max(1) as usize) as u32
    }
}

/// A drawn shape.
///
/// ```
/// use wayfare_draw::{Area, Colour, Paint, Picture, Shape};
///
/// let mut picture = Picture::new(40, 40, Colour::hex(0xffffff))?;
/// let area = Area::sized([5.0, 5.0].into(), [30.0, 30.0].into());
/// picture.push(Shape::Rect { area, radius: 4.0, paint: Paint::fill(Colour::hex(0x3a4657)) });
/// assert_eq!(picture.shapes().len(), 1);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A lattice of coloured squares.
    Tiles(Tiles),
    /// A lattice of coloured triangles.
    Facets(Facets),
    /// A rectangle, with round corners of a radius in pixels.
    Rect {
        /// The rectangle.
        area: Area,
        /// The radius of the corners, in pixels.
        radius: f32,
        /// Its paint.
        paint: Paint,
    },
    /// A disc or a circle.
    Circle {
        /// The centre.
        centre: Vec2,
        /// The radius in pixels.
        radius: f32,
        /// Its paint.
        paint: Paint,
    },
    /// A closed polygon.
    Polygon {
        /// The corners in order.
        points: Vec<Vec2>,
        /// Its paint.
        paint: Paint,
    },
    /// A line through points, with round ends and corners.
    Polyline {
        /// The points in order.
        points: Vec<Vec2>,
        /// Its stroke.
        stroke: Stroke,
    },
    /// Many separate straight lines with one stroke.
    Segments {
        /// The two ends of each line.
        ends: Vec<[Vec2; 2]>,
        /// Their stroke.
        stroke: Stroke,
    },
    /// A line of text.
    Text(Label),
}

impl Shape {
    /// Returns whether the shape lies within the range that can be drawn.
    fn is_drawable(&self) -> bool {
        // False for NaN.
        let fits = |point: &Vec2| point.abs().cmple(Vec2::splat(REACH)).all();
        match self {
            Self::Tiles(tiles) => {
                fits(&tiles.corner)
                    && tiles.columns > 0
                    && (1..=MAX_SIDE).contains(&tiles.side)
                    && tiles.inset < tiles.side.div_ceil(2)
            }
            Self::Facets(facets) => {
                let area = facets.area();
                facets.rows > 0 && facets.side > 0.0 && fits(&area.min) && fits(&area.max)
            }
            Self::Rect { area, radius, .. } => {
                fits(&area.min) && fits(&area.max) && (0.0..=REACH).contains(radius)
            }
            Self::Circle { centre, radius, .. } => fits(centre) && (0.0..=REACH).contains(radius),
            Self::Polygon { points, .. } => points.len() >= 3 && points.iter().all(fits),
            Self::Polyline { points, stroke } => {
                points.len() >= 2 && points.iter().all(fits) && stroke.width > 0.0
            }
            Self::Segments { ends, stroke } => {
                !ends.is_empty() && ends.iter().flatten().all(fits) && stroke.width > 0.0
            }
            Self::Text(label) => fits(&label.at) && (1.0..=1000.0).contains(&label.size),
        }
    }
}

/// A picture of shapes on an opaque background.
///
/// ```
/// use wayfare_draw::{Colour, Paint, Picture, Shape};
///
/// let mut picture = Picture::new(64, 64, Colour::hex(0xffffff))?;
/// let paint = Paint::fill(Colour::hex(0));
/// picture.push(Shape::Circle { centre: [32.0, 32.0].into(), radius: 20.0, paint });
/// assert_eq!(picture.to_canvas()?.pixel(32, 32), Some(Colour::hex(0)));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    width: u32,
    height: u32,
    background: Colour,
    shapes: Vec<Shape>,
}

impl Picture {
    /// Returns an empty picture.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] if a side is 0 or above [`MAX_SIDE`], or the picture has more
    /// than [`MAX_PIXELS`].
    pub fn new(width: u32, height: u32, background: Colour) -> Result<Self, DrawError> {
        let pixels = u64::from(width) * u64::from(height);
        if pixels == 0 || width > MAX_SIDE || height > MAX_SIDE || pixels > MAX_PIXELS {
            return Err(DrawError::PictureSize {
                width: u64::from(width),
                height: u64::from(height),
            });
        }
        Ok(Self { width, height, background: background.with_alpha(255), shapes: Vec::new() })
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the colour behind all shapes.
    #[must_use]
    pub fn background(&self) -> Colour {
        self.background
    }

    /// Returns the shapes in the order of drawing.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Draws a shape over the others. A shape with coordinates that are not finite, or a million
    /// pixels away, is left out.
    pub fn push(&mut self, shape: Shape) {
        if shape.is_drawable() {
            self.shapes.push(shape);
        }
    }

    /// Draws a filled arrow head whose tip is at `tip`, pointing away from `from`.
    pub fn push_arrow_head(&mut self, from: Vec2, tip: Vec2, length: f32, colour: Colour) {
        let Some(ahead) = (tip - from).try_normalize() else { return };
        let (base, side) = (tip - ahead * length, ahead.perp() * (length * 0.42));
        self.push(Shape::Polygon {
            points: vec![tip, base + side, base - side],
            paint: Paint::fill(colour),
        });
    }
}
