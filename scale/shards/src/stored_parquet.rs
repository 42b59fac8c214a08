//! Parquet files read in parts from a store.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::arrow::async_reader::AsyncFileReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

/// A Parquet file in a store.
pub(crate) struct StoredParquet {
    store: Arc<dyn ObjectStore>,
    path: Path,
    bytes: u64,
}

impl StoredParquet {
    /// Opens a file of a size.
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path, bytes: u64) -> Self {
        Self { store, path, bytes }
    }
}

fn external(error: object_store::Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

impl AsyncFileReader for StoredParquet {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes>> {
        async move { self.store.get_range(&self.path, range).await.map_err(external) }.boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, Result<Vec<Bytes>>> {
        async move { self.store.get_ranges(&self.path, &ranges).await.map_err(external) }.boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, Result<Arc<ParquetMetaData>>> {
        async move {
            let bytes = self.bytes;
            // The index of pages: a slice of rows reads only the pages that hold it.
            let reader = ParquetMetaDataReader::new()
                .with_offset_index_policy(PageIndexPolicy::Optional)
                .with_prefetch_hint(Some(64 << 10));
            Ok(Arc::new(reader.load_and_finish(self, bytes).await?))
        }
        .boxed()
    }
}
