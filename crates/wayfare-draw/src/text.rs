//! Text: the two typefaces, and the width of a line in them.

use std::borrow::Cow;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use glam::Vec2;

use crate::Colour;

/// The typefaces of pictures. Pictures contain their glyphs: they look the same everywhere.
///
/// ```
/// use wayfare_draw::Typeface;
///
/// assert_eq!(Typeface::Mono.width("111", 14.0), Typeface::Mono.width("888", 14.0));
/// assert!(Typeface::Sans.width("iii", 14.0) < Typeface::Sans.width("mmm", 14.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Typeface {
    /// Ubuntu Light: titles and captions.
    Sans,
    /// Hack: figures. All its characters have one width, so that counting figures do not move.
    Mono,
}

/// The point of a text that lies at its position.
///
/// ```
/// use wayfare_draw::{Anchor, Typeface};
///
/// /// The left end of a text at a position.
/// fn left(text: &str, at: f32, anchor: Anchor) -> f32 {
///     let width = Typeface::Sans.width(text, 14.0);
///     match anchor {
///         Anchor::Start => at,
///         Anchor::Middle => at - width / 2.0,
///         Anchor::End => at - width,
///     }
/// }
/// assert!(left("gate", 50.0, Anchor::End) < left("gate", 50.0, Anchor::Middle));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// A line of text.
///
/// ```
/// use wayfare_draw::{Anchor, Colour, Label, Picture, Shape, Typeface};
///
/// let mut picture = Picture::new(80, 30, Colour::hex(0xffffff))?;
/// picture.push(Shape::Text(Label {
///     text: "gate".into(),
///     at: [40.0, 20.0].into(),
///     anchor: Anchor::Middle,
///     size: 14.0,
///     face: Typeface::Sans,
///     colour: Colour::hex(0x000000),
/// }));
/// assert!(picture.to_svg()?.contains(">gate</text>"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The text. Line breaks and control characters are not drawn.
    pub text: String,
    /// The position of the anchor on the base line, in pixels.
    pub at: Vec2,
    /// The point of the text at that position.
    pub anchor: Anchor,
    /// The height of the type, in pixels, 1 to 1000.
    pub size: f32,
    /// The typeface.
    pub face: Typeface,
    /// The colour.
    pub colour: Colour,
}

impl Label {
    /// Returns the distance from the start of the text to its position, in pixels.
    pub(crate) fn lead(&self) -> f32 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => self.face.width(&self.text, self.size) / 2.0,
            Anchor::End => self.face.width(&self.text, self.size),
        }
    }
}

static SANS: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok());
static MONO: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).ok());

impl Typeface {
    /// Returns the width of a line of text, in pixels.
    #[must_use]
    pub fn width(self, text: &str, size: f32) -> f32 {
        self.lay_out(text, size, |_, _, _| ())
    }

    /// Returns the text, or as much of its beginning as fits a width in pixels, with an ellipsis.
    #[doc(hidden)]
    pub fn fitted<'t>(self, text: &'t str, size: f32, width: f32) -> Cow<'t, str> {
        if self.width(text, size) <= width {
            return Cow::Borrowed(text);
        }
        let room = width - self.width("…", size);
        let mut end = 0;
        for (at, character) in text.char_indices() {
            let next = at + character.len_utf8();
            if self.width(&text[..next], size) > room {
                break;
            }
            end = next;
        }
        Cow::Owned(format!("{}…", text[..end].trim_end()))
    }

    /// Returns the families of the invisible text of an SVG, in order of preference.
    pub(crate) fn families(self) -> &'static str {
        match self {
            Self::Sans => "Ubuntu,'Segoe UI','Helvetica Neue',Arial,sans-serif",
            Self::Mono => "Hack,Menlo,Consolas,'DejaVu Sans Mono',monospace",
        }
    }

    /// Visits each glyph with its offset from the start of the line. Returns the width of the line.
    pub(crate) fn lay_out(
        self,
        text: &str,
        size: f32,
        mut place: impl FnMut(&FontRef<'static>, ab_glyph::GlyphId, f32),
    ) -> f32 {
        let font = match self {
            Self::Sans => &*SANS,
            Self::Mono => &*MONO,
        };
        // The fonts are constants that parse. If one were broken, pictures without text beat a
        // panic.
        let Some(font) = font else { return 0.0 };
        let scaled = font.as_scaled(PxScale::from(size));
        let mut x = 0.0;
        let mut before = None;
        for character in text.chars().filter(|character| !character.is_control()) {
            let glyph = scaled.glyph_id(character);
            if let Some(before) = before {
                x += scaled.kern(before, glyph);
            }
            place(font, glyph, x);
            x += scaled.h_advance(glyph);
            before = Some(glyph);
        }
        x
    }
}
