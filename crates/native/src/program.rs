//! A C program that was built for exploration: its two executables and what its map says.

use crate::NativeError;
use crate::artefacts::Cache;
use crate::cc::{Driver, Messages};
use crate::objects;
use crate::toolchain::Toolchain;
use elsewise_wire::map::ProgramMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Program {
    /// The executable that elsewise-cc linked.
    pub instrumented: PathBuf,
    /// Its uninstrumented twin, unpacked.
    pub plain: PathBuf,
    /// Changes with the code.
    pub build: String,
    pub maps: Vec<ProgramMap>,
    /// Functions that the program calls and that read input past the runtime: where there are
    /// any, no exploration is complete.
    pub unfollowed: Vec<String>,
}

impl Program {
    /// Builds C sources with `cflags` into `folder`.
    pub fn from_source(
        files: &[PathBuf],
        cflags: &[OsString],
        folder: &Path,
    ) -> Result<Program, NativeError> {
        Program::from_source_with(files, cflags, folder, &Cache::user()?)
    }

    pub fn from_source_with(
        files: &[PathBuf],
        cflags: &[OsString],
        folder: &Path,
        cache: &Cache,
    ) -> Result<Program, NativeError> {
        let Some(first) = files.first() else {
            return Err(NativeError::Usage("no source file was given".into()));
        };
        for file in files {
            fs::metadata(file).map_err(NativeError::io("read", file))?;
        }
        fs::create_dir_all(folder).map_err(NativeError::io("make", folder))?;
        let driver = Driver::new(Toolchain::find()?, cache.clone(), Messages::Keep)?;
        let output = folder.join(first.file_stem().unwrap_or("program".as_ref()));
        let mut args = cflags.to_vec();
        args.extend(files.iter().map(OsString::from));
        args.push("-o".into());
        args.push(output.clone().into());
        driver.build(&args)?;
        Program::open_with(&output, cache)
    }

    /// Opens an executable that was built with `CC=elsewise-cc`.
    pub fn open(path: &Path) -> Result<Program, NativeError> {
        Program::open_with(path, &Cache::user()?)
    }

    pub fn open_with(path: &Path, cache: &Cache) -> Result<Program, NativeError> {
        let bytes = fs::read(path).map_err(NativeError::io("read", path))?;
        let found = objects::executable(&bytes)
            .ok_or_else(|| NativeError::NotInstrumented(path.to_path_buf()))?;
        let plain = found
            .plain
            .ok_or_else(|| NativeError::NoPlain(path.to_path_buf()))?;
        let maps = ProgramMap::decode_all(found.map).map_err(|error| NativeError::BadProgram {
            path: path.to_path_buf(),
            reason: error.to_string(),
        })?;
        let name = path.file_name().unwrap_or("program".as_ref());
        Ok(Program {
            // Absolute: the subject is started from wherever the engine stands then.
            instrumented: path.canonicalize().map_err(NativeError::io("find", path))?,
            plain: cache.keep(plain, &name.to_string_lossy(), true)?,
            build: found.build,
            unfollowed: found.unfollowed,
            maps,
        })
    }
}
