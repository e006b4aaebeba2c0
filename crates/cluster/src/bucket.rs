//! Where a campaign's large objects are, if not at its server: a bucket of Amazon's, Google's or Azure's kind, or a folder.
//!
//! A member uses the bucket that its own user names, and no other. What the campaign says of its bucket is shown and compared,
//! never followed: otherwise whoever may write to a campaign could choose whom members show their credentials, and to whom
//! they send what they have. The same address can mean different buckets on different machines (another endpoint, another disk),
//! so whoever begins a campaign leaves a mark in its bucket, and whoever joins must find it there.

use crate::bucket_address::BucketAddress;
#[cfg(feature = "buckets")]
use crate::cloud::Cloud;
use crate::names::Task;
use crate::{ClusterError, files};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Files by which members say to a provider who they are. What names them is read by `object_store`.
pub fn bucket_credentials() -> Vec<PathBuf> {
    let named = [
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_SERVICE_ACCOUNT",
        "GOOGLE_SERVICE_ACCOUNT_PATH",
        "SERVICE_ACCOUNT",
        "AZURE_FEDERATED_TOKEN_FILE",
    ];
    let named = named.into_iter().filter_map(std::env::var_os);
    let of_home = |home: std::ffi::OsString| {
        PathBuf::from(home).join(".config/gcloud/application_default_credentials.json")
    };
    let home = std::env::var_os("HOME").map(of_home);
    named.map(PathBuf::from).chain(home).collect()
}

/// What members agree on of a bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedBucket {
    /// As whoever began the campaign calls it.
    address: String,
    /// The name of an object in it, whose content is that name.
    mark: String,
}

impl AgreedBucket {
    /// How it is called, if that could be a bucket.
    pub fn address(&self) -> Option<BucketAddress> {
        self.address.parse().ok()
    }
}

/// See the module's comment.
pub struct Bucket {
    address: BucketAddress,
    kept: Kept,
}

enum Kept {
    Folder(PathBuf),
    #[cfg(feature = "buckets")]
    Cloud(Cloud),
}

impl Bucket {
    /// Of a campaign, whose name is a folder's in it. Whoever waits for a provider that is away does so until `stop` is set.
    pub fn open(
        address: &BucketAddress,
        campaign: &str,
        stop: &Arc<AtomicBool>,
    ) -> Result<Bucket, ClusterError> {
        let kept = match address {
            BucketAddress::Folder(folder) => Kept::Folder(files::make(folder, campaign)?),
            #[cfg(feature = "buckets")]
            BucketAddress::Cloud {
                provider,
                bucket,
                prefix,
            } => {
                let folders = prefix.iter().map(String::as_str).chain([campaign]);
                let opened = Cloud::open(*provider, bucket, folders, stop.clone());
                Kept::Cloud(opened.map_err(|why| failed(address, "begin", why))?)
            }
            #[cfg(not(feature = "buckets"))]
            BucketAddress::Cloud { .. } => {
                let _ = stop;
                return Err(ClusterError::NoBuckets);
            }
        };
        Ok(Bucket {
            address: address.clone(),
            kept,
        })
    }

    /// Keeps an object, under a name that is made here.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ClusterError> {
        match &self.kept {
            Kept::Folder(folder) => files::replace(folder, name, bytes),
            #[cfg(feature = "buckets")]
            Kept::Cloud(cloud) => {
                let put = cloud.put(name, bytes);
                put.map_err(|why| failed(&self.address, "keep an object", why))
            }
        }
    }

    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        match &self.kept {
            Kept::Folder(folder) => files::read(&folder.join(name), files::LARGEST),
            #[cfg(feature = "buckets")]
            Kept::Cloud(cloud) => {
                let got = cloud.get(name);
                got.map_err(|why| failed(&self.address, "hand out an object", why))
            }
        }
    }

    pub fn delete(&self, name: &str) -> Result<(), ClusterError> {
        match &self.kept {
            Kept::Folder(folder) => files::remove(&folder.join(name)),
            #[cfg(feature = "buckets")]
            Kept::Cloud(cloud) => {
                let deleted = cloud.delete(name);
                deleted.map_err(|why| failed(&self.address, "forget an object", why))
            }
        }
    }

    /// Leaves a mark in the bucket of a campaign that is to begin.
    pub fn mark(&self) -> Result<AgreedBucket, ClusterError> {
        let random = || RandomState::new().build_hasher().finish();
        let mark = Task::of(&format!("{} {}", random(), random()));
        self.put(&mark_name(&mark), mark.as_str().as_bytes())?;
        Ok(AgreedBucket {
            address: self.address.to_string(),
            mark: mark.to_string(),
        })
    }

    /// Is it the one that was marked so?
    fn has(&self, agreed: &AgreedBucket) -> Result<bool, ClusterError> {
        let Ok(mark) = agreed.mark.parse::<Task>() else {
            return Ok(false);
        };
        let found = self.get(&mark_name(&mark))?;
        Ok(found.as_deref() == Some(mark.as_str().as_bytes()))
    }
}

fn mark_name(mark: &Task) -> String {
    format!("mark-{mark}")
}

#[cfg(feature = "buckets")]
fn failed(address: &BucketAddress, what: &'static str, why: String) -> ClusterError {
    ClusterError::Bucket {
        address: address.to_string(),
        what,
        why,
    }
}

/// May a member with this bucket take part in a campaign that has that one?
pub fn accepts(agreed: Option<&AgreedBucket>, ours: Option<&Bucket>) -> Result<(), ClusterError> {
    let shown = |agreed: &AgreedBucket| match agreed.address() {
        Some(address) => address.to_string(),
        None => "a bucket".to_owned(),
    };
    match (agreed, ours) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(ClusterError::NoBucketAgreed),
        (Some(agreed), None) => Err(ClusterError::UnnamedBucket(shown(agreed))),
        (Some(agreed), Some(ours)) => match ours.has(agreed)? {
            true => Ok(()),
            false => Err(ClusterError::OtherBucket {
                ours: ours.address.to_string(),
                theirs: shown(agreed),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_known_by_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| {
            let address = BucketAddress::Folder(folder.path().join(name));
            Bucket::open(&address, "elw-x", &Arc::default()).unwrap()
        };
        let (one, two) = (open("one"), open("two"));
        let agreed = one.mark().unwrap();
        accepts(Some(&agreed), Some(&open("one"))).unwrap();
        let other = accepts(Some(&agreed), Some(&two));
        assert!(
            matches!(other, Err(ClusterError::OtherBucket { .. })),
            "{other:?}"
        );
        let none = accepts(Some(&agreed), None);
        assert!(
            matches!(none, Err(ClusterError::UnnamedBucket(_))),
            "{none:?}"
        );
        let more = accepts(None, Some(&one));
        assert!(
            matches!(more, Err(ClusterError::NoBucketAgreed)),
            "{more:?}"
        );
        // Whoever wrote it down does not choose which file is looked at.
        std::fs::write(folder.path().join("planted"), "../../planted").unwrap();
        let planted = AgreedBucket {
            mark: "../../planted".to_owned(),
            ..agreed
        };
        assert!(!one.has(&planted).unwrap());
    }
}
