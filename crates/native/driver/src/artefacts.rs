//! The pass plugin, the runtime, the models and the support of plain builds, which are part of this crate, and
//! the cache directory where they are unpacked for clang to load them by path.

use crate::NativeError;
use std::env;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/artefacts.rs"));

/// What subjects include.
const HEADERS: &[(&str, &[u8])] = &[
    ("elsewise.h", include_bytes!("../include/elsewise.h")),
    (
        "elsewise-graph.h",
        include_bytes!("../include/elsewise-graph.h"),
    ),
    ("klee/klee.h", include_bytes!("../include/klee/klee.h")),
];
const TEMPLATES: &[u8] = include_bytes!("../include/elsewise-templates.h");
/// Everything of ours that a build depends on.
pub fn all() -> Vec<&'static [u8]> {
    let headers = HEADERS.iter().map(|(_, bytes)| *bytes);
    let passes = PASSES.iter().map(|(_, bytes)| *bytes);
    let parts = [RUNTIME, MODELS, SUPPORT, SHARED_RUNTIME, TEMPLATES];
    passes.chain(parts).chain(headers).collect()
}

/// Releases of LLVM that there is a pass for, newest first.
pub fn releases() -> Vec<u32> {
    PASSES.iter().map(|(release, _)| *release).collect()
}

/// Everything a compilation needs, by path.
#[derive(Clone, Debug)]
pub struct Unpacked {
    pub pass: PathBuf,
    pub runtime: PathBuf,
    /// Archive of the models that are written in C.
    pub models: PathBuf,
    /// Folder of `elsewise.h` and the headers of other tools.
    pub include: PathBuf,
    /// What a C++ source of the instrumented build includes first.
    pub templates: PathBuf,
    /// Archive of what programs are linked with beside the runtime, or in its place.
    pub support: PathBuf,
    /// The runtime as libraries name it, for programs that have none.
    pub shared_runtime: PathBuf,
}

/// Where unpacked files live between runs. Every entry is named by the hash of what it holds, so
/// any number of processes may fill it at the same time.
#[derive(Clone, Debug)]
pub struct Cache {
    /// Of twins of programs.
    folder: PathBuf,
    /// Of what serves every program: our own files, and builds.
    lasting: PathBuf,
}

impl Cache {
    /// `$ELSEWISE_CACHE`, else `$XDG_CACHE_HOME/elsewise`, else `~/.cache/elsewise`.
    pub fn user() -> Result<Cache, NativeError> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        // A relative path in a variable that every program reads means another folder for each.
        let absolute = |name| {
            set(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let folder = set("ELSEWISE_CACHE")
            .and_then(|folder| std::path::absolute(folder).ok())
            .or_else(|| absolute("XDG_CACHE_HOME").map(|home| home.join("elsewise")))
            .or_else(|| absolute("HOME").map(|home| home.join(".cache/elsewise")))
            .ok_or_else(|| NativeError::Cache("there is no HOME to keep it in".into()))?;
        Ok(Cache::at(folder))
    }

    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        let folder = folder.into();
        Cache {
            lasting: folder.clone(),
            folder,
        }
    }

    /// The user's, but for twins of programs, which go to a folder that does not last: in a cache
    /// they would only grow.
    pub fn user_with_twins_at(folder: impl Into<PathBuf>) -> Cache {
        let own = Cache::at(folder);
        match Cache::user() {
            // One that cannot be written is no reason to fail.
            Ok(user) if fs::create_dir_all(&user.folder).is_ok() && user.include().is_ok() => {
                Cache {
                    lasting: user.folder,
                    ..own
                }
            }
            _ => own,
        }
    }

    /// Where builds and our own files are.
    pub(crate) fn lasting(&self) -> &Path {
        &self.lasting
    }

    /// The cache of our own files.
    fn for_own(&self) -> Cache {
        Cache::at(&self.lasting)
    }

    /// `bytes` as the file `name` in a folder of their own; written once.
    pub(crate) fn keep(
        &self,
        bytes: &[u8],
        name: &str,
        executable: bool,
    ) -> Result<PathBuf, NativeError> {
        let hash = blake3::hash(bytes).to_hex();
        let folder = self.folder.join(&hash[..32]);
        self.keep_in(&folder, bytes, name, executable)
    }

    /// Files that belong together, in a folder of their own; written once.
    fn keep_together(&self, files: &[(&str, &[u8])]) -> Result<PathBuf, NativeError> {
        let mut hasher = blake3::Hasher::new();
        for (name, bytes) in files {
            hasher.update(name.as_bytes());
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        let folder = self.folder.join(&hasher.finalize().to_hex()[..32]);
        for (name, bytes) in files {
            self.keep_in(&folder, bytes, name, false)?;
        }
        Ok(folder)
    }

    fn keep_in(
        &self,
        folder: &Path,
        bytes: &[u8],
        name: &str,
        executable: bool,
    ) -> Result<PathBuf, NativeError> {
        let path = folder.join(name);
        let folder = path.parent().unwrap_or(folder);
        if holds(&path, bytes) {
            return Ok(path);
        }
        self.write(folder, &path, bytes, executable)
            .map_err(|error| NativeError::Cache(format!("{}: {error}", path.display())))?;
        Ok(path)
    }

    /// Several files in one folder, which is named after them and `key`.
    pub(crate) fn keep_all(
        &self,
        files: &[(String, &[u8])],
        key: &str,
    ) -> Result<PathBuf, NativeError> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(key.as_bytes());
        for (name, bytes) in files {
            hasher.update(name.as_bytes());
            hasher.update(blake3::hash(bytes).as_bytes());
        }
        let folder = self.folder.join(&hasher.finalize().to_hex()[..32]);
        for (name, bytes) in files {
            let path = folder.join(name);
            if holds(&path, bytes) {
                continue;
            }
            self.write(&folder, &path, bytes, true)
                .map_err(|error| NativeError::Cache(format!("{}: {error}", path.display())))?;
        }
        Ok(folder)
    }

    fn write(
        &self,
        folder: &Path,
        path: &Path,
        bytes: &[u8],
        executable: bool,
    ) -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new")
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        let mode = if executable { 0o755 } else { 0o644 };
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(mode))?;
        // Closed before the rename: a file still open for writing cannot be executed.
        file.into_temp_path().persist(path)?;
        Ok(())
    }

    /// Folder of `elsewise.h` and the headers of other tools.
    pub fn include(&self) -> Result<PathBuf, NativeError> {
        self.for_own().keep_together(HEADERS)
    }

    /// What programs are built with, by clang of a release of LLVM.
    pub fn unpack(&self, release: u32) -> Result<Unpacked, NativeError> {
        let pass = PASSES.iter().find(|(of, _)| *of == release);
        let Some((_, pass)) = pass else {
            return Err(NativeError::MissingArtefact("LLVM pass"));
        };
        if RUNTIME.is_empty() {
            return Err(NativeError::MissingArtefact("runtime"));
        }
        if MODELS.is_empty() {
            return Err(NativeError::MissingArtefact("models of the C library"));
        }
        if SUPPORT.is_empty() || SHARED_RUNTIME.is_empty() {
            return Err(NativeError::MissingArtefact("support of plain builds"));
        }
        let own = self.for_own();
        Ok(Unpacked {
            pass: own.keep(pass, "libelsewise_pass.so", true)?,
            runtime: own.keep(RUNTIME, "elsewise_rt.o", false)?,
            models: own.keep(MODELS, "libelsewise_models.a", false)?,
            include: own.include()?,
            templates: own.keep(TEMPLATES, "elsewise-templates.h", false)?,
            support: own.keep(SUPPORT, "libelsewise_support.a", false)?,
            shared_runtime: own.keep(SHARED_RUNTIME, "libelsewise_rt.so", true)?,
        })
    }
}

/// Whether a file is what it was written as: a full disk may have cut it short, or anybody have
/// changed it.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let whole = |found: fs::Metadata| found.is_file() && found.len() == bytes.len() as u64;
    fs::metadata(path).is_ok_and(whole) && fs::read(path).is_ok_and(|found| found == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_file_is_found_again_and_mended_when_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let path = cache.keep(b"content", "a.bin", true).unwrap();
        assert_eq!(cache.keep(b"content", "a.bin", true).unwrap(), path);
        for damaged in [&b"con"[..], b"consent"] {
            fs::write(&path, damaged).unwrap();
            cache.keep(b"content", "a.bin", true).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"content");
        }
        assert_ne!(
            cache.keep(b"other", "a.bin", false).unwrap().parent(),
            path.parent()
        );
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o755
        );
    }

    #[test]
    fn a_cache_that_cannot_be_written_says_what_to_set() {
        let cache = Cache::at("/dev/null/elsewise");
        let error = cache.keep(b"x", "x", false).unwrap_err().to_string();
        assert!(error.contains("ELSEWISE_CACHE"), "{error}");
    }
}
