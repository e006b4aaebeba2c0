//! Buckets of Amazon, Google and Azure, and of whoever speaks as they do, through `object_store`.
//!
//! Where the provider is and who a member is to it is read from the environment, as that crate's users know it, and from
//! nowhere else.

use crate::bucket_address::Provider;
use crate::files::LARGEST;
use futures_util::future::{Either, select};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientConfigKey, Error, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig,
};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long a provider may be away, as a server may.
const PATIENCE: Duration = Duration::from_secs(60);
const RETRIES: usize = 30;
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How long one attempt may take: the largest of a campaign's objects are some hundred megabytes.
const ATTEMPT: &str = "300s";
/// How long what is under way may go on when a member is to end.
const GRACE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(100);

/// See the module's comment.
pub struct Cloud {
    runtime: Runtime,
    store: Box<dyn ObjectStore>,
    folder: Path,
    stop: Arc<AtomicBool>,
}

impl Cloud {
    /// A folder in a bucket, by the names of the folders that it is in.
    pub fn open<'a>(
        provider: Provider,
        bucket: &str,
        folders: impl Iterator<Item = &'a str>,
        stop: Arc<AtomicBool>,
    ) -> Result<Cloud, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        // Whoever has installed one before has installed the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = store(provider, bucket).map_err(|error| error.to_string())?;
        Ok(Cloud {
            runtime,
            store,
            folder: Path::from_iter(folders),
            stop,
        })
    }

    fn path(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }

    /// Does it, unless a member is to end and it takes too long.
    fn wait<T>(
        &self,
        done: impl Future<Output = object_store::Result<T>>,
    ) -> object_store::Result<T> {
        let stopped = async {
            while !self.stop.load(Relaxed) {
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep(GRACE).await;
        };
        self.runtime.block_on(async {
            match select(pin!(done), pin!(stopped)).await {
                Either::Left((done, _)) => done,
                Either::Right(_) => Err(Error::Generic {
                    store: "bucket",
                    source: "it takes too long to wait for it at the end".into(),
                }),
            }
        })
    }

    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let (path, bytes) = (self.path(name), PutPayload::from(bytes.to_vec()));
        let put = self.wait(self.store.put(&path, bytes));
        put.map(drop).map_err(|error| error.to_string())
    }

    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.path(name);
        let got = self.wait(async {
            let object = self.store.get(&path).await?;
            if object.meta.size > LARGEST {
                let source = "it is too large".into();
                return Err(Error::Generic {
                    store: "bucket",
                    source,
                });
            }
            object.bytes().await
        });
        match got {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    pub fn delete(&self, name: &str) -> Result<(), String> {
        match self.wait(self.store.delete(&self.path(name))) {
            Err(error) if !matches!(error, Error::NotFound { .. }) => Err(error.to_string()),
            _ => Ok(()),
        }
    }
}

fn store(provider: Provider, bucket: &str) -> object_store::Result<Box<dyn ObjectStore>> {
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: PAUSE,
            max_backoff: LONGEST_PAUSE,
            ..BackoffConfig::default()
        },
        max_retries: RETRIES,
        retry_timeout: PATIENCE,
    };
    let timeout = ClientConfigKey::Timeout;
    Ok(match provider {
        Provider::Amazon => Box::new(
            AmazonS3Builder::from_env()
                .with_config(AmazonS3ConfigKey::Client(timeout), ATTEMPT)
                .with_bucket_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
        Provider::Google => Box::new(
            GoogleCloudStorageBuilder::from_env()
                .with_config(GoogleConfigKey::Client(timeout), ATTEMPT)
                .with_bucket_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
        Provider::Azure => Box::new(
            MicrosoftAzureBuilder::from_env()
                .with_config(AzureConfigKey::Client(timeout), ATTEMPT)
                .with_container_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
    })
}
