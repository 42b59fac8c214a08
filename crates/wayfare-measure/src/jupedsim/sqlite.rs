//! Trajectories as a SQLite file, version 2 of JuPedSim's format (`SqliteTrajectoryWriter`, 1.4).
//!
//! | table | columns |
//! |---|---|
//! | `trajectory_data` | `frame`, `id`, `pos_x`, `pos_y`, `ori_x`, `ori_y` |
//! | `frame_data` | `frame`, `geometry_hash` |
//! | `geometry` | `hash`, `wkt` |
//! | `metadata` | `key`, `value`: `version`, `fps`, `xmin`, `xmax`, `ymin`, `ymax` |

use std::path::Path;

use rusqlite::{Connection, params};
use wayfare_core::hash::Fnv1a;

use super::PersonSample;
use crate::area::{Outline, wkt};

/// A failure of SQLite: the disk is full, or the file cannot be written.
#[derive(thiserror::Error, Debug)]
#[error(transparent)]
pub struct SqliteError(#[from] rusqlite::Error);

/// A SQLite file of trajectories that grows frame by frame. SQLite keeps some megabytes in memory,
/// however long it becomes.
///
/// ```
/// use glam::Vec3;
/// use wayfare_measure::{PersonSample, SqliteTrajectories, WalkableArea};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("walk.sqlite");
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let room = WalkableArea::new([[at(0.0, 0.0), at(6.0, 0.0), at(6.0, 2.0), at(0.0, 2.0)]])?;
/// let mut file = SqliteTrajectories::create(&path, 20.0, room.outlines().iter())?;
/// for frame in 0..10 {
///     let ann = PersonSample { id: 7, position: at(1.0 + 0.1 * frame as f32, 1.0), facing: Vec3::X };
///     file.begin_frame(frame)?;
///     file.add(frame, &ann)?;
/// }
/// file.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SqliteTrajectories {
    connection: Connection,
    geometry: i64,
}

impl SqliteTrajectories {
    /// Begins a file at `path`: missing or empty. `frames_per_second`: more than 0. `ground`: the
    /// outlines of the walkable area, the same in all frames.
    ///
    /// # Errors
    /// When the file cannot be written, or has these tables.
    pub fn create<'o>(
        path: &Path,
        frames_per_second: f64,
        ground: impl IntoIterator<Item = &'o Outline, IntoIter: Clone>,
    ) -> Result<Self, SqliteError> {
        let connection = Connection::open(path)?;
        // The file is of no use before it is finished: nothing to roll back, nothing to save early.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.execute_batch(
            "BEGIN;
             CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL,
               pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
             CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
             CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
             CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
             CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
             CREATE INDEX frame_id_idx ON trajectory_data(frame, id);",
        )?;
        let outlines = ground.into_iter();
        let text = wkt(outlines.clone());
        let mut hash = Fnv1a::default();
        hash.bytes(text.as_bytes());
        let geometry = hash.value().cast_signed();
        let insert = "INSERT INTO geometry VALUES(?, ?)";
        connection.execute(insert, params![geometry, text])?;
        let corners = || outlines.clone().flat_map(|outline| &outline.border);
        let span = |axis: usize| {
            let least = corners().map(|corner| corner[axis]).fold(f64::INFINITY, f64::min);
            let most = corners().map(|corner| corner[axis]).fold(f64::NEG_INFINITY, f64::max);
            [least, most].map(|bound| if bound.is_finite() { bound } else { 0.0 })
        };
        let ([xmin, xmax], [ymin, ymax]) = (span(0), span(1));
        let numbers = [("fps", frames_per_second), ("xmin", xmin), ("xmax", xmax)];
        let numbers = numbers.into_iter().chain([("ymin", ymin), ("ymax", ymax)]);
        let texts = numbers.map(|(key, number)| (key, number.to_string()));
        for (key, value) in texts.chain([("version", "2".to_owned())]) {
            connection.execute("INSERT INTO metadata VALUES(?, ?)", params![key, value])?;
        }
        Ok(Self { connection, geometry })
    }

    /// Begins a frame, which may be without people. Frames are numbered from 0 and come in order.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn begin_frame(&mut self, frame: u64) -> Result<(), SqliteError> {
        let mut insert = self.connection.prepare_cached("INSERT INTO frame_data VALUES(?, ?)")?;
        insert.execute(params![frame.cast_signed(), self.geometry])?;
        Ok(())
    }

    /// Adds a person in a frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, frame: u64, person: &PersonSample) -> Result<(), SqliteError> {
        let PersonSample { id, position, facing } = *person;
        let [x, y, across, along] = [position.x, position.z, facing.x, facing.z].map(f64::from);
        let insert = "INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)";
        let mut insert = self.connection.prepare_cached(insert)?;
        insert.execute(params![frame.cast_signed(), id, x, y, across, along])?;
        Ok(())
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    /// When the file cannot be written. It is not complete then.
    pub fn finish(self) -> Result<(), SqliteError> {
        self.connection.execute_batch("COMMIT")?;
        self.connection.close().map_err(|(_, error)| error.into())
    }
}
