//! Where a batch reads and writes: a folder, or a bucket of an S3-like store.

use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::SystemTime;

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use bytes::Bytes;
use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use parquet::arrow::ParquetRecordBatchStreamBuilder;
use parquet::errors::ParquetError;
use tokio::runtime::Runtime;
use url::Url;

use crate::stored_parquet::StoredParquet;
use crate::{BatchError, Notes};

/// A folder or bucket, by its address: a path, or a URL as `s3://bucket/folder`.
///
/// A file is written whole or not at all: under a temporary name that is renamed on a file system,
/// by one request elsewhere. Calls block: not to be made from asynchronous code.
#[derive(Clone, Debug)]
pub struct Store {
    address: String,
    store: Arc<dyn ObjectStore>,
    base: Path,
    runtime: Arc<Runtime>,
}

/// A file in a [`Store`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its path below the store's address.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

impl Store {
    /// Opens a folder, which is made if it is missing, or a bucket. The keys and the endpoint of a
    /// bucket come from the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_ENDPOINT`, `AWS_ALLOW_HTTP` and others.
    ///
    /// # Errors
    /// When the folder cannot be made, or the address has no known form.
    pub fn open(address: &str) -> Result<Self, BatchError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| BatchError::store(address, error))?;
        let (store, base, address) = match url_of(address) {
            Some(url) => {
                let options = std::env::vars().map(|(key, value)| (key.to_lowercase(), value));
                let (store, base) = object_store::parse_url_opts(&url, options)
                    .map_err(|error| BatchError::faulty(address, error))?;
                (Arc::from(store), base, address.trim_end_matches('/').to_owned())
            }
            None => {
                let folder = FilePath::new(address);
                std::fs::create_dir_all(folder)
                    .map_err(|error| BatchError::store(address, error))?;
                let folder =
                    folder.canonicalize().map_err(|error| BatchError::store(address, error))?;
                let store = LocalFileSystem::new_with_prefix(&folder)
                    .map_err(|error| BatchError::faulty(address, error))?;
                let store: Arc<dyn ObjectStore> = Arc::new(store);
                (store, Path::default(), folder.display().to_string())
            }
        };
        Ok(Self { address, store, base, runtime: Arc::new(runtime) })
    }

    /// Returns the address: an absolute path or a URL.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address of a file.
    #[must_use]
    pub fn address_of(&self, name: &str) -> String {
        format!("{}/{name}", self.address)
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.base.clone(), Path::join)
    }

    fn failed(&self, name: &str) -> impl Fn(object_store::Error) -> BatchError {
        let place = self.address_of(name);
        move |error| match error {
            object_store::Error::NotFound { .. } => BatchError::store(
                &place,
                io::Error::new(io::ErrorKind::NotFound, "there is no such file"),
            ),
            other => BatchError::store(&place, io::Error::other(flat(&other))),
        }
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// When there is no such file, or the store fails.
    pub fn read(&self, name: &str) -> Result<Bytes, BatchError> {
        let path = self.path(name);
        let read = async { self.store.get(&path).await?.bytes().await };
        self.runtime.block_on(read).map_err(self.failed(name))
    }

    /// Reads a whole file; `None` if there is none.
    ///
    /// # Errors
    /// When the store fails.
    pub fn read_if_there(&self, name: &str) -> Result<Option<Bytes>, BatchError> {
        match self.read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(BatchError::Store { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes a file, whole or not at all. One of that name is replaced.
    ///
    /// # Errors
    /// When the store fails; the file is as before then.
    pub fn write(&self, name: &str, bytes: impl Into<Bytes>) -> Result<(), BatchError> {
        let path = self.path(name);
        let payload = PutPayload::from_bytes(bytes.into());
        let written = self.runtime.block_on(self.store.put(&path, payload));
        written.map(|_| ()).map_err(self.failed(name))
    }

    /// Removes a file. One that is not there is no error.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove(&self, name: &str) -> Result<(), BatchError> {
        let path = self.path(name);
        match self.runtime.block_on(self.store.delete(&path)) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.failed(name)(error)),
        }
    }

    /// Returns the files of a folder, by name. Unfinished ones are not among them.
    ///
    /// # Errors
    /// When the store fails.
    pub fn list(&self, folder: &str) -> Result<Vec<Entry>, BatchError> {
        let prefix = self.path(folder);
        let listed = self.runtime.block_on(self.store.list(Some(&prefix)).try_collect::<Vec<_>>());
        let below = format!("{}/", self.base);
        let below = if self.base.as_ref().is_empty() { "" } else { &below };
        let mut entries: Vec<Entry> = listed
            .map_err(self.failed(folder))?
            .into_iter()
            .map(|found| Entry {
                name: found.location.as_ref().trim_start_matches(below).to_owned(),
                bytes: found.size,
                modified: found.last_modified.into(),
            })
            .collect();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    /// Returns the size of a file; `None` if there is none.
    ///
    /// # Errors
    /// When the store fails.
    pub fn size(&self, name: &str) -> Result<Option<u64>, BatchError> {
        let path = self.path(name);
        match self.runtime.block_on(self.store.head(&path)) {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(name)(error)),
        }
    }

    /// Reads the notes in the footer of a Parquet file.
    ///
    /// # Errors
    /// When the store fails, or the file is no Parquet file.
    pub fn notes(&self, name: &str) -> Result<Notes, BatchError> {
        let opened = self.parquet(name)?;
        let notes = opened.metadata().file_metadata().key_value_metadata();
        let noted = notes.into_iter().flatten();
        Ok(noted.filter_map(|note| Some((note.key.clone(), note.value.clone()?))).collect())
    }

    /// Returns the number of rows in a Parquet file, and its columns with their types.
    ///
    /// # Errors
    /// As [`Store::rows`].
    pub fn table(&self, name: &str) -> Result<(u64, SchemaRef), BatchError> {
        let opened = self.parquet(name)?;
        Ok((opened.metadata().file_metadata().num_rows() as u64, opened.schema().clone()))
    }

    fn parquet(
        &self,
        name: &str,
    ) -> Result<ParquetRecordBatchStreamBuilder<StoredParquet>, BatchError> {
        let path = self.path(name);
        let found = self.runtime.block_on(self.store.head(&path)).map_err(self.failed(name))?;
        let file = StoredParquet::new(self.store.clone(), path, found.size);
        let opened = self.runtime.block_on(ParquetRecordBatchStreamBuilder::new(file));
        opened.map_err(|error| self.unreadable(name, error))
    }

    fn unreadable(&self, name: &str, error: ParquetError) -> BatchError {
        let place = self.address_of(name);
        match error {
            ParquetError::External(error) => BatchError::store(place, io::Error::other(error)),
            error => BatchError::faulty(
                place,
                format!("it is no Parquet file that can be read: {error}"),
            ),
        }
    }

    /// Reads rows of a Parquet file, from `first` on; only the pages that hold them are read.
    ///
    /// # Errors
    /// When the store fails, or the file is no Parquet file.
    pub fn rows(&self, name: &str, first: u64, count: u64) -> Result<Vec<RecordBatch>, BatchError> {
        let bad = |error| self.unreadable(name, error);
        let opened = self.parquet(name)?;
        self.runtime.block_on(async {
            let stream = opened
                .with_offset(first as usize)
                .with_limit(count as usize)
                .with_batch_size(65_536)
                .build()
                .map_err(bad)?;
            stream.try_collect().await.map_err(bad)
        })
    }
}

/// Returns an address as a URL, unless it is a path.
fn url_of(address: &str) -> Option<Url> {
    let (scheme, _) = address.split_once("://")?;
    (scheme.len() > 1).then(|| Url::parse(address).ok())?
}

/// Returns whether an address is a URL.
pub(crate) fn is_url(address: &str) -> bool {
    url_of(address).is_some()
}

/// Returns an error with its causes, in one line.
fn flat(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}
