//! Trajectories as text: a row a person and frame.
//!
//! Rows are `id frame x y z`, after lines that begin with `#`: one with the frame rate, one with
//! the names and units of the columns. PedPy 1.5 reads rate and unit from them
//! (`load_trajectory_from_txt`).

use std::io::{self, Write};

use glam::Vec3;

/// A person at a moment.
///
/// Example: [`TextTrajectories`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PersonSample {
    /// Its number.
    pub id: u32,
    /// Where it is, in metres; y is up.
    pub position: Vec3,
    /// The direction it faces, of length 1.
    pub facing: Vec3,
}

/// A file of trajectories that grows frame by frame. Nothing is kept in memory.
///
/// ```
/// use glam::Vec3;
/// use wayfare_measure::{PersonSample, TextTrajectories};
///
/// let mut file = TextTrajectories::begin(Vec::new(), 20.0)?;
/// let ann = PersonSample { id: 7, position: Vec3::new(1.5, 0.0, 2.25), facing: Vec3::X };
/// file.add(0, &ann)?;
/// let text = String::from_utf8(file.into_inner())?;
/// assert_eq!(text, "# framerate: 20\n# id\tframe\tx/m\ty/m\tz/m\n7\t0\t1.5\t2.25\t0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TextTrajectories<W: Write> {
    file: W,
}

impl<W: Write> TextTrajectories<W> {
    /// Writes the heading. `frames_per_second`: more than 0.
    ///
    /// # Errors
    /// Those of `file`.
    pub fn begin(mut file: W, frames_per_second: f64) -> io::Result<Self> {
        writeln!(file, "# framerate: {frames_per_second}\n# id\tframe\tx/m\ty/m\tz/m")?;
        Ok(Self { file })
    }

    /// Adds a person in a frame. Frames are numbered from 0 and come in order.
    ///
    /// # Errors
    /// Those of the file.
    pub fn add(&mut self, frame: u64, person: &PersonSample) -> io::Result<()> {
        // The second axis of the plane is z; the height comes last.
        let Vec3 { x, y: height, z } = person.position;
        writeln!(self.file, "{}\t{frame}\t{x}\t{z}\t{height}", person.id)
    }

    /// Returns the file. All is written.
    pub fn into_inner(self) -> W {
        self.file
    }
}
