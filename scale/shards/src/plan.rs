//! The table of shards, and how it is made.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wayfare_formats::{FileSystem, Files};

use crate::kinds::{Bench, Generate};
use crate::store::is_url;
use crate::{BatchError, Job, Store};

/// Rises when a shard's rows change without a change of the engine's version.
const RESULTS: u32 = 1;

/// The name of the plan in the folder of results.
pub(crate) const PLAN: &str = "plan.json";

/// A file that a job reads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name that the job, or a file of the job, knows it by.
    pub name: String,
    /// Its absolute path, or its URL.
    pub address: String,
    /// Its size.
    pub bytes: u64,
    /// The BLAKE3 hash of its content, in hexadecimal.
    pub hash: String,
}

/// A line of the table of shards.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Shard {
    /// The hash of all that its rows depend on: the name of its file.
    pub key: String,
    /// The inputs that it reads, by their index in the plan.
    pub inputs: Vec<usize>,
    /// What of the job it is, where an input alone does not say that: an algorithm, parameters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// Its first row, query, source, tile or run.
    pub first: u64,
    /// How many of them.
    pub count: u64,
    /// About how many seconds of one core it takes.
    pub seconds: f64,
}

/// A job with the hashes of its inputs, cut into shards.
///
/// The same job over the same files has the same plan on every machine.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Plan {
    /// The job.
    pub job: Job,
    /// The version of the engine whose results these are.
    pub engine: String,
    /// The files that it reads.
    pub inputs: Vec<Input>,
    /// The shards, by number.
    pub shards: Vec<Shard>,
}

/// A shard before it has a key.
pub(crate) struct Slice {
    pub(crate) inputs: Vec<usize>,
    pub(crate) part: String,
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) seconds: f64,
}

/// Items that are alike, to be cut into shards.
pub(crate) struct Items {
    pub(crate) count: u64,
    /// The seconds of one core that each takes.
    pub(crate) seconds: f64,
    /// The seconds before the first one of a shard.
    pub(crate) before: f64,
    /// The most of a shard.
    pub(crate) most: u64,
}

/// A job being planned: the files that it reads, as they are found.
pub(crate) struct Planning {
    /// The folder of the job's file.
    folder: PathBuf,
    pub(crate) seed: u64,
    pub(crate) shard_seconds: f64,
    inputs: RefCell<Vec<Input>>,
}

impl Planning {
    /// Cuts items into shards of equal size, of about the seconds that the job asks for. The first
    /// item is waited for no longer than the others of its shard take.
    pub(crate) fn cut(&self, items: &Items, inputs: &[usize], part: &str) -> Vec<Slice> {
        let Items { count, seconds, before, most } = *items;
        let wanted = self.shard_seconds.max(before) / seconds;
        let shards = count.div_ceil(wanted.clamp(1.0, most as f64) as u64);
        let slice = |number: u64| {
            let (first, end) = (number * count / shards, (number + 1) * count / shards);
            Slice {
                inputs: inputs.to_vec(),
                part: part.to_owned(),
                first,
                count: end - first,
                seconds: before + seconds * (end - first) as f64,
            }
        };
        (0..shards).map(slice).collect()
    }

    /// Returns the index of a file by the name that the job has for it, a path seen from the job's
    /// file or a URL. Reads and hashes it the first time.
    pub(crate) fn input(&self, name: &str) -> Result<usize, BatchError> {
        if let Some(known) = self.inputs.borrow().iter().position(|input| input.name == name) {
            return Ok(known);
        }
        let address = if is_url(name) {
            name.to_owned()
        } else {
            let path = self.folder.join(name);
            let path =
                path.canonicalize().map_err(|error| BatchError::faulty(path.display(), error))?;
            path.display().to_string()
        };
        let (bytes, hash) = hash_of(&address)?;
        let mut inputs = self.inputs.borrow_mut();
        inputs.push(Input { name: name.to_owned(), address, bytes, hash });
        Ok(inputs.len() - 1)
    }

    /// Returns the indices of the files that patterns match, each in the order of names.
    pub(crate) fn matching(
        &self,
        patterns: &[String],
        key: &str,
    ) -> Result<Vec<usize>, BatchError> {
        let mut found = Vec::new();
        for pattern in patterns {
            for name in self.names(pattern, key)? {
                let input = self.input(&name)?;
                if !found.contains(&input) {
                    found.push(input);
                }
            }
        }
        Ok(found)
    }

    fn names(&self, pattern: &str, key: &str) -> Result<Vec<String>, BatchError> {
        if is_url(pattern) || !pattern.contains(['*', '?', '[']) {
            return Ok(vec![pattern.to_owned()]);
        }
        // The folder itself may have letters that mean something in a pattern.
        let folder = glob::Pattern::escape(&self.folder.display().to_string());
        let whole = Path::new(&folder).join(pattern);
        let place = || format!("`{key}`: {pattern}");
        let paths = glob::glob(&whole.display().to_string())
            .map_err(|error| BatchError::faulty(place(), error))?;
        let mut names = Vec::new();
        for path in paths {
            let path = path.map_err(|error| BatchError::faulty(place(), error))?;
            let name = path.strip_prefix(&self.folder).unwrap_or(&path);
            names.push(name.display().to_string());
        }
        if names.is_empty() {
            let problem =
                format!("no file matches; patterns are seen from {}", self.folder.display());
            return Err(BatchError::faulty(place(), problem));
        }
        Ok(names)
    }

    /// Returns a file that was found.
    pub(crate) fn found(&self, index: usize) -> Input {
        self.inputs.borrow()[index].clone()
    }

    /// Returns the content of a file that was found.
    pub(crate) fn content(&self, index: usize) -> Result<bytes::Bytes, BatchError> {
        self.found(index).read()
    }

    /// Runs `open` on the file of a world, and returns with its result the indices of the file and
    /// of all that `open` read for it.
    pub(crate) fn world<T, E: std::fmt::Display>(
        &self,
        name: &str,
        open: impl FnOnce(&Path, &dyn Files) -> Result<T, E>,
    ) -> Result<(Vec<usize>, T), BatchError> {
        let own = self.input(name)?;
        let files = Following { planning: self, read: RefCell::new(vec![own]) };
        let opened = open(Path::new(name), &files);
        let opened = opened.map_err(|error| BatchError::of_file(name, &error))?;
        Ok((files.read.into_inner(), opened))
    }
}

/// The files of a world at planning, each noted as an input once it is read.
struct Following<'p> {
    planning: &'p Planning,
    read: RefCell<Vec<usize>>,
}

impl Files for Following<'_> {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        let name = path.display().to_string();
        let input = self.planning.input(&name).map_err(|error| match error {
            BatchError::Store { source, .. } => source,
            _ => io::Error::new(io::ErrorKind::NotFound, "there is no such file"),
        })?;
        if !self.read.borrow().contains(&input) {
            self.read.borrow_mut().push(input);
        }
        capped(&self.planning.content(input).map_err(io::Error::other)?, cap)
    }

    fn contains(&self, path: &Path) -> bool {
        let name = path.display().to_string();
        self.planning.inputs.borrow().iter().any(|input| input.name == name)
            || FileSystem.contains(&self.planning.folder.join(path))
    }

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        FileSystem.beside(&self.planning.folder.join(path))
    }
}

fn capped(bytes: &[u8], cap: u64) -> io::Result<Cow<'static, [u8]>> {
    let most = usize::try_from(cap).unwrap_or(usize::MAX).saturating_add(1).min(bytes.len());
    Ok(Cow::Owned(bytes[..most].to_vec()))
}

/// The files of a world at a shard: those that its plan lists.
pub(crate) struct Planned<'p>(pub(crate) &'p Plan);

impl Files for Planned<'_> {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        let name = path.display().to_string();
        let input = self.0.inputs.iter().find(|input| input.name == name);
        let input = input.ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "it is not among the files of the plan")
        })?;
        capped(&input.read().map_err(io::Error::other)?, cap)
    }

    fn contains(&self, path: &Path) -> bool {
        let name = path.display().to_string();
        self.0.inputs.iter().any(|input| input.name == name)
    }
}

impl Input {
    /// Reads the whole file.
    ///
    /// # Errors
    /// When it cannot be read, or is another one than at the time of the plan.
    pub fn read(&self) -> Result<bytes::Bytes, BatchError> {
        let bytes = match split(&self.address) {
            Some((store, name)) => Store::open(store)?.read(name)?,
            None => std::fs::read(&self.address)
                .map_err(|error| BatchError::store(&self.address, error))?
                .into(),
        };
        if blake3::hash(&bytes).to_hex().as_str() != self.hash {
            return Err(self.changed());
        }
        Ok(bytes)
    }

    /// Returns the store of a file that is read in parts, and its name there. Only its size is
    /// compared with the plan's.
    pub(crate) fn opened(&self) -> Result<(Store, String), BatchError> {
        let (folder, name) = match split(&self.address) {
            Some((folder, name)) => (folder.to_owned(), name.to_owned()),
            None => {
                let path = Path::new(&self.address);
                let folder = path.parent().unwrap_or(Path::new("/")).display().to_string();
                (folder, path.file_name().unwrap_or_default().to_string_lossy().into_owned())
            }
        };
        let store = Store::open(&folder)?;
        match store.size(&name)? {
            Some(bytes) if bytes == self.bytes => Ok((store, name)),
            _ => Err(self.changed()),
        }
    }

    fn changed(&self) -> BatchError {
        let problem = "the file is another one than at the time of the plan; plan the job again";
        BatchError::faulty(&self.address, problem)
    }
}

/// Returns the folder and the name of a URL; `None` for a path.
fn split(address: &str) -> Option<(&str, &str)> {
    is_url(address).then(|| address.rsplit_once('/'))?
}

fn hash_of(address: &str) -> Result<(u64, String), BatchError> {
    match split(address) {
        Some((store, name)) => {
            let bytes = Store::open(store)?.read(name)?;
            Ok((bytes.len() as u64, blake3::hash(&bytes).to_hex().to_string()))
        }
        None => {
            let failed = |error| BatchError::faulty(address, error);
            let mut file = std::fs::File::open(address).map_err(failed)?;
            let mut hasher = blake3::Hasher::new();
            let bytes = io::copy(&mut file, &mut hasher).map_err(failed)?;
            Ok((bytes, hasher.finalize().to_hex().to_string()))
        }
    }
}

impl Plan {
    /// Plans a job: reads its file and all that it names, and cuts the work into shards.
    ///
    /// # Errors
    /// When the job or a file that it names is missing or faulty.
    pub fn of(file: &Path) -> Result<Self, BatchError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| BatchError::faulty(file.display(), error))?;
        let job = Job::parse(&text, file)?;
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        let planning = Planning {
            folder: folder.unwrap_or(Path::new(".")).to_path_buf(),
            seed: job.seed,
            shard_seconds: job.shard_seconds,
            inputs: RefCell::default(),
        };
        let slices = job.kind().slices(&planning)?;
        let inputs = planning.inputs.into_inner();
        let engine = format!("{} results {RESULTS}", env!("CARGO_PKG_VERSION"));
        let stem = stem(&job, &engine);
        let shards = slices.into_iter().map(|slice| {
            let Slice { inputs: read, part, first, count, seconds } = slice;
            let mut hasher = blake3::Hasher::new();
            hasher.update(stem.as_bytes());
            for &input in &read {
                hasher.update(inputs[input].name.as_bytes());
                hasher.update(&[0]);
                hasher.update(inputs[input].hash.as_bytes());
            }
            hasher.update(part.as_bytes());
            hasher.update(&first.to_le_bytes());
            hasher.update(&count.to_le_bytes());
            let key = hasher.finalize().to_hex()[..32].to_owned();
            Shard { key, inputs: read, part, first, count, seconds }
        });
        let shards = shards.collect();
        Ok(Self { job, engine, inputs, shards })
    }

    /// Returns the address of its results, as [`Job::output`] knows it.
    #[must_use]
    pub fn output(&self, file: &Path) -> String {
        self.job.output(file)
    }

    /// Writes the plan to where its results go.
    ///
    /// # Errors
    /// When the store fails.
    pub fn write(&self, store: &Store) -> Result<(), BatchError> {
        let text = serde_json::to_vec_pretty(self).expect("a plan has only names as keys");
        store.write(PLAN, text)
    }

    /// Reads the plan of results.
    ///
    /// # Errors
    /// When there is none, or it is from another version.
    pub fn read(store: &Store) -> Result<Self, BatchError> {
        let place = store.address_of(PLAN);
        let Some(bytes) = store.read_if_there(PLAN)? else {
            let problem = "there is no plan; make one by `wayfare batch plan JOB.toml`";
            return Err(BatchError::faulty(place, problem));
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            BatchError::faulty(
                place,
                format!("it is no plan of this version ({error}); plan the job again"),
            )
        })
    }

    /// Returns the name of a shard's file in the store of results.
    #[must_use]
    pub fn file_of(&self, shard: usize) -> String {
        format!("shards/{}.parquet", self.shards[shard].key)
    }

    /// Returns the seconds of one core that all shards take, as estimated.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.shards.iter().map(|shard| shard.seconds).sum()
    }
}

/// Returns what the rows of all shards of a job depend on, as text.
fn stem(job: &Job, engine: &str) -> String {
    // Names, places, the size of shards and checkpoints change no row.
    let mut work = Job { name: String::new(), output: None, shard_seconds: 0.0, ..job.clone() };
    work.bench = job.bench.as_ref().map(Bench::of_a_shard);
    work.generate = job.generate.as_ref().map(Generate::of_a_shard);
    if let Some(simulate) = &mut work.simulate {
        simulate.checkpoint_ticks = None;
    }
    let work = serde_json::to_string(&work).expect("a job has only names as keys");
    format!("{engine}\n{work}\n")
}
