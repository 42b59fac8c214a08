//! The palette of a GIF: the 255 colours that suit all its frames best.

/// The number of pixels of each colour.
#[derive(Default)]
pub struct Histogram {
    /// Distinct colours with their numbers of pixels, sorted by colour.
    counts: Vec<([u8; 3], u64)>,
}

/// The largest number of distinct colours that are weighed. The rarest ones beyond it get their
/// nearest neighbours.
const MOST_WEIGHED: usize = 4096;

impl Histogram {
    /// Counts the pixels of an image of four bytes a pixel.
    pub fn add(&mut self, rgba: &[u8]) {
        let mut colours: Vec<[u8; 3]> =
            rgba.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        colours.sort_unstable();
        let mut counts: Vec<([u8; 3], u64)> = std::mem::take(&mut self.counts);
        counts.extend(colours.chunk_by(PartialEq::eq).map(|run| (run[0], run.len() as u64)));
        counts.sort_unstable_by_key(|(colour, _)| *colour);
        for (colour, count) in counts {
            match self.counts.last_mut() {
                Some((last, total)) if *last == colour => *total += count,
                _ => self.counts.push((colour, count)),
            }
        }
    }

    /// Chooses the palette greedily: the next colour is the one with the largest product of the
    /// square root of its pixels and its squared distance to the nearest colour chosen before.
    ///
    /// Flat areas keep their exact colours, and no rare but distinct colour is lost.
    pub fn palette(mut self) -> GifPalette {
        self.counts.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        self.counts.truncate(MOST_WEIGHED);
        let mut distances = vec![u64::from(u32::MAX); self.counts.len()];
        let mut colours: Vec<[u8; 3]> = Vec::new();
        while colours.len() < usize::from(GifPalette::CLEAR) {
            // Without the square root large areas would take all colours, and antialiased edges get
            // none.
            let best = (0..distances.len()).filter(|at| distances[*at] > 0).max_by_key(|at| {
                (distances[*at] * self.counts[*at].1.isqrt(), std::cmp::Reverse(*at))
            });
            let Some(best) = best else { break };
            let chosen = self.counts[best].0;
            colours.push(chosen);
            for (distance, (colour, _)) in distances.iter_mut().zip(&self.counts) {
                *distance = (*distance).min(apart(*colour, chosen));
            }
        }
        if colours.is_empty() {
            colours.push([0; 3]);
        }
        GifPalette { colours, known: vec![([0; 3], None); KNOWN] }
    }
}

/// Returns the squared distance of two colours, weighted like the eye's perception.
fn apart(a: [u8; 3], b: [u8; 3]) -> u64 {
    let square = |channel: usize| {
        let difference = u64::from(a[channel].abs_diff(b[channel]));
        difference * difference
    };
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

/// The size of the cache of colours looked up before; a power of two.
const KNOWN: usize = 1 << 13;

/// At most 255 colours. Index 255 stands for "as before".
pub struct GifPalette {
    colours: Vec<[u8; 3]>,
    known: Vec<([u8; 3], Option<u8>)>,
}

impl GifPalette {
    /// The index of a pixel that stays as it was.
    pub const CLEAR: u8 = 255;

    /// Returns the colours as bytes, padded to 256 colours.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colours.iter().flatten().copied().collect();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// Returns the index of the nearest colour.
    pub fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let [red, green, blue] = colour.map(u32::from);
        let mixed = (red << 16 | green << 8 | blue).wrapping_mul(0x9e37_79b1);
        let slot = (mixed >> (32 - KNOWN.trailing_zeros())) as usize;
        if let (known, Some(number)) = self.known[slot]
            && known == colour
        {
            return number;
        }
        let nearest =
            self.colours.iter().enumerate().min_by_key(|(_, candidate)| apart(colour, **candidate));
        let number = nearest.map_or(0, |(number, _)| number as u8);
        self.known[slot] = (colour, Some(number));
        number
    }
}
