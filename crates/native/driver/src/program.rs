//! A C or C++ program that was built for exploration: its two executables and what its map says.

use crate::NativeError;
use crate::artefacts::Cache;
use crate::cc::{Driver, Messages, Mode};
use crate::libraries::{self, LIBRARY_PATH, Wrapped};
use crate::objects::{self, Executable};
use crate::sanitizers::{self, Sanitizers};
use crate::toolchain::Toolchain;
use elsewise_wire::map::{ProgramMap, is_called};
use elsewise_wire::threads::CALL;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Program {
    /// The executable that elsewise-cc linked.
    pub instrumented: PathBuf,
    /// Its uninstrumented twin, unpacked.
    pub plain: PathBuf,
    /// Changes with the code.
    pub build: String,
    pub maps: Vec<ProgramMap>,
    /// Code sections: the program's own, then those of its libraries.
    pub codes: Vec<Arc<[u8]>>,
    /// What watches the plain program.
    pub sanitizers: Sanitizers,
    /// The instrumented shared libraries that it loads when it starts.
    pub libraries: Vec<PathBuf>,
    /// Folder of their plain twins; without libraries there is none.
    pub plain_libraries: Option<PathBuf>,
    /// Where both builds look for libraries, in place of what the environment says.
    pub library_path: Option<OsString>,
}

/// A file of a build, with the options that the build compiles it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub file: PathBuf,
    pub flags: Vec<OsString>,
}

/// Endings of C++ sources.
const CXX: [&str; 7] = ["cc", "cp", "cpp", "cxx", "c++", "C", "ii"];

pub fn is_cxx(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| CXX.contains(&ending))
}

impl Program {
    /// Builds C and C++ sources with `cflags` into `folder`.
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
        Program::from_parts(files, cflags, &[], folder, cache)
    }

    /// The same, with files that have options of their own.
    pub fn from_parts(
        files: &[PathBuf],
        cflags: &[OsString],
        parts: &[Part],
        folder: &Path,
        cache: &Cache,
    ) -> Result<Program, NativeError> {
        let parts_files = parts.iter().map(|part| &part.file);
        let Some(first) = files.first().or(parts_files.clone().next()) else {
            return Err(NativeError::Usage("no source file was given".into()));
        };
        for file in files.iter().chain(parts_files.clone()) {
            fs::metadata(file).map_err(NativeError::io("read", file))?;
        }
        fs::create_dir_all(folder).map_err(NativeError::io("make", folder))?;
        let driver = Driver::new(Toolchain::find()?, cache.clone(), Messages::Keep)?;
        let mode = match files.iter().chain(parts_files).any(|file| is_cxx(file)) {
            true => Mode::Cxx,
            false => Mode::C,
        };
        let driver = driver.with_mode(mode).for_many_runs();
        let output = folder.join(first.file_stem().unwrap_or("program".as_ref()));
        let mut args = cflags.to_vec();
        for file in files {
            // A C++ compiler would take any source for C++.
            let language = if is_cxx(file) { "c++" } else { "c" };
            args.extend(["-x".into(), language.into(), file.into()]);
        }
        args.extend(["-x".into(), "none".into()]);
        for (index, part) in parts.iter().enumerate() {
            let object = folder.join(format!("part{index}.o"));
            let mut own = part.flags.clone();
            let language = if is_cxx(&part.file) { "c++" } else { "c" };
            own.extend(["-x".into(), language.into()]);
            own.extend(["-c".into(), part.file.clone().into()]);
            own.extend(["-o".into(), object.clone().into()]);
            driver.build(&own)?;
            args.push(object.into());
        }
        args.push("-o".into());
        args.push(output.clone().into());
        driver
            .build(&args)
            .map_err(|error| without_main(error, first))?;
        Program::open_with(&output, cache)
    }

    /// Opens an executable that was built with `CC=elsewise-cc`.
    pub fn open(path: &Path) -> Result<Program, NativeError> {
        Program::open_with(path, &Cache::user()?)
    }

    pub fn open_with(path: &Path, cache: &Cache) -> Result<Program, NativeError> {
        match libraries::behind_wrapper(path) {
            Some(Wrapped {
                program,
                library_path,
            }) => Program::read(&program, library_path, cache),
            None => Program::read(path, None, cache),
        }
    }

    fn read(
        path: &Path,
        library_path: Option<OsString>,
        cache: &Cache,
    ) -> Result<Program, NativeError> {
        let bytes = fs::read(path).map_err(NativeError::io("read", path))?;
        let (found, maps) = parse(path, &bytes)?;
        let plain = found
            .plain
            .ok_or_else(|| NativeError::NoPlain(path.to_path_buf()))?;
        let name = path.file_name().unwrap_or("program".as_ref());
        let mut program = Program {
            // Absolute: the subject is started from wherever the engine stands then.
            instrumented: path.canonicalize().map_err(NativeError::io("find", path))?,
            plain: cache.keep(plain, &name.to_string_lossy(), true)?,
            build: found.build,
            maps,
            codes: vec![found.code.into()],
            sanitizers: Sanitizers::of(plain),
            libraries: Vec::new(),
            plain_libraries: None,
            library_path,
        };
        program.add_libraries(cache)?;
        Ok(program)
    }

    /// Adds what the instrumented libraries say that the program is loaded with.
    fn add_libraries(&mut self, cache: &Cache) -> Result<(), NativeError> {
        let mut found = Vec::new();
        let loaded = libraries::loaded(&self.instrumented, self.library_path.as_deref())?;
        for (name, path) in loaded {
            if let Some(library) = libraries::open(&path)? {
                found.push((name, library));
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.build.as_bytes());
        for (_, library) in &found {
            hasher.update(library.build.as_bytes());
        }
        self.build = hasher.finalize().to_hex()[..32].to_string();
        self.plain_libraries = Some(libraries::lay_out_twins(&found, &self.build, cache)?);
        for (_, library) in found {
            self.libraries.push(library.path);
            self.maps.extend(library.maps);
            self.codes.push(library.code);
        }
        Ok(())
    }

    /// What the instrumented program's environment has besides the user's.
    pub fn env(&self) -> Vec<(OsString, OsString)> {
        let path = self.library_path.clone();
        let sanitized = self.sanitizers.any();
        path.map(|path| (LIBRARY_PATH.into(), path))
            .into_iter()
            .chain(sanitized.then(sanitizers::instrumented_env))
            .collect()
    }

    /// Is there a function of this name; and is it built as an operation, whose calls are told?
    pub fn operation(&self, name: &str) -> Option<bool> {
        let functions = self.maps.iter().flat_map(|map| &map.functions);
        let named = functions.filter(|function| is_called(&function.name, name));
        let told = named.map(|function| {
            let mut calls = function.blocks.iter().flat_map(|block| &block.calls);
            calls.any(|callee| callee == CALL)
        });
        told.reduce(|one, other| one || other)
    }

    /// What the plain program's environment has besides the user's: the twins come first.
    pub fn plain_env(&self) -> Vec<(OsString, OsString)> {
        let path = match &self.plain_libraries {
            None => self.library_path.clone(),
            Some(folder) => Some(libraries::before(folder, self.library_path.clone())),
        };
        path.map(|path| (LIBRARY_PATH.into(), path))
            .into_iter()
            .collect()
    }
}

/// What an executable says of itself; any bytes may stand in it.
fn parse<'a>(
    path: &Path,
    bytes: &'a [u8],
) -> Result<(Executable<'a>, Vec<ProgramMap>), NativeError> {
    let found = objects::executable(bytes)
        .ok_or_else(|| NativeError::NotInstrumented(path.to_path_buf()))?;
    let maps = ProgramMap::decode_all(found.map).map_err(|error| NativeError::BadProgram {
        path: path.to_path_buf(),
        reason: error.to_string(),
    })?;
    Ok((found, maps))
}

/// Whoever has no `main` is given ours, for which a harness of libFuzzer must be there.
fn without_main(error: NativeError, file: &Path) -> NativeError {
    match &error {
        NativeError::Tool { output, .. }
            if output.contains("undefined symbol: LLVMFuzzerTestOneInput") =>
        {
            let file = file.display();
            NativeError::Usage(format!(
                "there is no `main` in {file}: name a function to explore, as {file}::FUNCTION, or \
                 add the file that has `main`"
            ))
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_test_random::Random;

    const SOURCE: &str = "
        int f(int x) { switch (x) { case 1: return 2; case 9: return 3; } return x > 4; }
        int main(int argc, char **argv) { return f(argc) ? argv[0][0] : 0; }";

    #[test]
    fn no_damage_to_an_executable_makes_reading_it_panic() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("subject.c");
        fs::write(&file, SOURCE).unwrap();
        let cache = Cache::at(folder.path().join("cache"));
        let program = Program::from_source_with(&[file], &[], folder.path(), &cache).unwrap();
        let whole = fs::read(&program.instrumented).unwrap();
        let (found, _) = parse(&program.instrumented, &whole).unwrap();
        let map_at = found.map.as_ptr() as usize - whole.as_ptr() as usize;
        let map_size = found.map.len();
        let mut random = Random::new(0x5eed);
        let (mut good, mut bad) = (0, 0);
        let mut bytes = whole.clone();
        let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(20_000, |n| n.parse().unwrap());
        for round in 0..rounds {
            let mut touched = Vec::new();
            for _ in 0..1 + random.below(3) {
                // The map, the headers at the front, the section table at the end.
                let at = match round % 4 {
                    0 | 1 => map_at + random.below(map_size),
                    2 => random.below(64),
                    _ => bytes.len() - 1 - random.below(64 * 40),
                };
                bytes[at] = random.below(256) as u8;
                touched.push(at);
            }
            match parse(&program.instrumented, &bytes) {
                // Nothing about the result matters but that there is one.
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
            for at in touched {
                bytes[at] = whole[at];
            }
        }
        assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
    }
}
