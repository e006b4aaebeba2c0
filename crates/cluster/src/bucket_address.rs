//! Buckets, as users write them.

use crate::ClusterError;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Whose buckets they are, or whose are used in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    Amazon,
    Google,
    Azure,
}

impl Provider {
    const ALL: [Provider; 3] = [Provider::Amazon, Provider::Google, Provider::Azure];

    fn scheme(self) -> &'static str {
        match self {
            Provider::Amazon => "s3",
            Provider::Google => "gs",
            Provider::Azure => "az",
        }
    }
}

/// A bucket, as users write it. It never says where the provider is reached, or by whom: that is the environment's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BucketAddress {
    Folder(PathBuf),
    Cloud {
        provider: Provider,
        bucket: String,
        /// Names of folders, from the outermost.
        prefix: Vec<String>,
    },
}

impl BucketAddress {
    /// The one that the environment names.
    pub fn of_environment() -> Result<Option<BucketAddress>, ClusterError> {
        let named = std::env::var_os("ELSEWISE_FLEET_BUCKET").filter(|named| !named.is_empty());
        let parse = |named: std::ffi::OsString| named.to_string_lossy().parse();
        named.map(parse).transpose()
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BucketAddress::Folder(folder) => write!(f, "{}", folder.display()),
            BucketAddress::Cloud {
                provider,
                bucket,
                prefix,
            } => {
                write!(f, "{}://{bucket}", provider.scheme())?;
                prefix.iter().try_for_each(|part| write!(f, "/{part}"))
            }
        }
    }
}

impl FromStr for BucketAddress {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<BucketAddress, ClusterError> {
        // It may have a password, where somebody thought that it could.
        let shown = text
            .rsplit_once('@')
            .map_or(text.to_owned(), |(_, rest)| format!("…@{rest}"));
        let bad = || ClusterError::BucketAddress(shown.clone());
        let Some((scheme, rest)) = text.split_once("://") else {
            let is_folder = !text.is_empty()
                && !Provider::ALL.iter().any(|one| {
                    text.strip_prefix(one.scheme())
                        .is_some_and(|rest| rest.starts_with(':'))
                });
            return match is_folder {
                true => Ok(BucketAddress::Folder(PathBuf::from(text))),
                false => Err(bad()),
            };
        };
        let provider = Provider::ALL.into_iter().find(|one| one.scheme() == scheme);
        let mut names = rest.strip_suffix('/').unwrap_or(rest).split('/');
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let is_name = |name: &&str| {
            (1..=255).contains(&name.len()) && name.bytes().all(letter) && !name.starts_with('.')
        };
        let bucket = names.next().filter(is_name).ok_or_else(bad)?.to_owned();
        let prefix: Option<Vec<String>> = names
            .map(|name| Some(name).filter(is_name).map(str::to_owned))
            .collect();
        Ok(BucketAddress::Cloud {
            provider: provider.ok_or_else(bad)?,
            bucket,
            prefix: prefix.ok_or_else(bad)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_folders_or_a_providers() {
        let written = |text: &str| text.parse::<BucketAddress>().map(|it| it.to_string()).ok();
        for same in [
            "s3://b",
            "s3://b-1/nightly/c.d",
            "gs://b/x",
            "az://box/x",
            "/srv/objects",
            "objects",
        ] {
            assert_eq!(written(same).as_deref(), Some(same));
        }
        assert_eq!(written("s3://b/x/").as_deref(), Some("s3://b/x"));
        for bad in [
            "",
            "s3:",
            "s3:/b",
            "s3://",
            "s3:///x",
            "s3://b//x",
            "s3://b/../x",
            "s3://b/./x",
            "s3://b/x?y",
            "s3://b/x y",
            "https://b.s3.amazonaws.com/x",
            "http://127.0.0.1:1/b",
            "file:///srv",
            "s3://.b",
        ] {
            assert_eq!(written(bad), None, "{bad}");
        }
        let said = "s3://me:secret@b/x"
            .parse::<BucketAddress>()
            .unwrap_err()
            .to_string();
        assert!(!said.contains("secret"), "{said}");
    }
}
