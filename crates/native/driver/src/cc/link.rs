//! Links a program or a shared library twice: instrumented, and plain from the twins that the
//! objects carry.
//!
//! Only a program has the runtime in it, and exports its entry points, so that the libraries it
//! loads speak to the same one. A library names a runtime of its own, a shared one, for programs
//! that have none: there it does nothing, but what is loaded can run.

use super::key::Described;
use super::options::{Arg, CommandLine, Source};
use super::place::{Scratch, place};
use super::unit::Unit;
use super::{Driver, Messages, Stop, flags, tool};
use crate::NativeError;
use crate::objects::{self, Kind};
use crate::sanitizers::LEAKS_SYMBOL;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// An argument of the link for either build.
struct Pair {
    instrumented: Vec<OsString>,
    plain: Vec<OsString>,
}

/// What the link makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Product {
    Program,
    Shared,
    Relocatable,
}

impl Driver {
    pub(super) fn link(&self, line: &CommandLine) -> Result<(), Stop> {
        let product = if line.has("-shared") || line.has("--shared") {
            Product::Shared
        } else if line.has("-r") || line.has("-Wl,-r") || line.has("-Wl,--relocatable") {
            Product::Relocatable
        } else {
            Product::Program
        };
        let output = line
            .output
            .as_ref()
            .map_or_else(|| PathBuf::from("a.out"), PathBuf::from);
        let dropped: Vec<String> = line
            .options()
            .map(|option| option[0].to_string_lossy().into_owned())
            .filter(|name| flags::is_static(name))
            .collect();
        let units = line.sources().map(|source| Unit { line, source });
        let described: Vec<Option<Described>> = units.map(|unit| self.describe(unit)).collect();
        let usual = product != Product::Relocatable && !is_bare(line) && dropped.is_empty();
        let key = usual.then(|| self.link_key(line, &described)).flatten();
        let kept = self.builds.as_ref().zip(key);
        if let Some((builds, (key, _))) = &kept
            && let Some([program, said]) = builds.get(key).as_deref()
        {
            for (source, described) in line.sources().zip(&described) {
                let told = described
                    .as_ref()
                    .and_then(|found| found.dependencies.as_deref());
                self.tell(Unit { line, source }, told)?;
            }
            self.pass_on(said);
            return Ok(place(&output, program, true)?);
        }
        let folder = Scratch::new()?;
        let unchanged = |described: &Option<Described>| {
            described
                .as_ref()
                .is_some_and(|found| found.watch.nothing_changed())
        };
        let (pairs, mut said) = self.pairs(line, &described, folder.path())?;
        let instrumented_output = folder.path().join("instrumented");
        let plain_output = folder.path().join("plain");

        let mut instrumented: Vec<OsString> = self.linker(line);
        let mut plain: Vec<OsString> = self.linker(line);
        if product == Product::Program {
            instrumented.push("-pie".into());
            // Symbols bound once in the server need not be bound in every run.
            instrumented.push("-Wl,-z,now".into());
            for name in flags::EXPORTED {
                instrumented.push(format!("-Wl,--export-dynamic-symbol={name}").into());
            }
            instrumented.push(self.unpacked.runtime.clone().into());
        }
        for pair in pairs {
            instrumented.extend(pair.instrumented);
            plain.extend(pair.plain);
        }
        match product {
            Product::Program => {
                let support = OsString::from(&self.unpacked.support);
                instrumented.push(support.clone());
                plain.push(support);
                instrumented.extend(self.standard_for(line).map(OsString::from));
                instrumented.push(self.unpacked.models.clone().into());
                if flags::asks_for_leaks(line) {
                    plain.push(format!("-Wl,--defsym={LEAKS_SYMBOL}=1").into());
                }
            }
            Product::Shared => {
                let models = &self.unpacked.models;
                instrumented.push(models.into());
                // They are for this library alone: what is linked with it has its own.
                if let Some(name) = models.file_name() {
                    let mut hidden = OsString::from("-Wl,--exclude-libs,");
                    hidden.push(name);
                    instrumented.push(hidden);
                }
                instrumented.push(self.unpacked.shared_runtime.clone().into());
            }
            Product::Relocatable => {}
        }
        for (args, to) in [
            (&mut instrumented, &instrumented_output),
            (&mut plain, &plain_output),
        ] {
            args.push("-Qunused-arguments".into());
            args.push("-o".into());
            args.push(to.into());
        }

        if product == Product::Program && is_bare(line) {
            // Nothing of the C library is there for the runtime to stand on.
            let last = plain.len() - 1;
            plain[last] = output.clone().into();
            self.note(format!(
                "{} is linked uninstrumented: a program without the C library cannot be explored",
                output.display()
            ));
            return self.clang(&plain, self.messages).map(drop);
        }
        if product == Product::Program && !dropped.is_empty() {
            self.note(format!(
                "{} dropped for the instrumented program, which must be position-independent",
                dropped.join(" ")
            ));
        }
        let result = self.link_both(&instrumented, &plain).and_then(|linked| {
            said += &linked;
            let plain = fs::read(&plain_output).map_err(NativeError::io("read", &plain_output))?;
            self.embedded(
                &plain,
                &instrumented_output,
                product == Product::Relocatable,
            )
        });
        if result.is_err() {
            let _ = fs::remove_file(&output);
        }
        let program = result?;
        place(&output, &program, product != Product::Relocatable)?;
        if let Some((builds, (key, watch))) = &kept
            && watch.nothing_changed()
            && described.iter().all(unchanged)
        {
            builds.put(key, &[&program, said.as_bytes()]);
        }
        Ok(())
    }

    /// Links both builds side by side. Gives back what was said of the instrumented one.
    fn link_both(&self, instrumented: &[OsString], plain: &[OsString]) -> Result<String, Stop> {
        let compiler = self.compiler();
        let (said, twin) = std::thread::scope(|scope| {
            let twin = scope.spawn(|| compiler.run(plain, Messages::Keep));
            let said = compiler.run(instrumented, Messages::Keep);
            (said, twin.join())
        });
        let said = said?;
        self.pass_on(said.as_bytes());
        twin.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(said)
    }

    fn linker(&self, line: &CommandLine) -> Vec<OsString> {
        let chosen = line.options().any(|option| {
            let name = option[0].as_bytes();
            name.starts_with(b"-fuse-ld") || name.starts_with(b"--ld-path")
        });
        if chosen {
            return Vec::new();
        }
        let mut path = OsString::from("--ld-path=");
        path.push(&self.toolchain.lld);
        // The system's own linker does not mind a version script that names what is not there.
        vec![path, "-Wl,--undefined-version".into()]
    }

    /// Every argument for both builds, sources compiled on the way; and what was said of those.
    fn pairs(
        &self,
        line: &CommandLine,
        described: &[Option<Described>],
        folder: &Path,
    ) -> Result<(Vec<Pair>, String), Stop> {
        let mut described = described.iter();
        let mut said = String::new();
        let folders = library_folders(line);
        let mut twins = Twins {
            driver: self,
            folder,
            made: 0,
        };
        let mut pairs = Vec::new();
        for arg in &line.args {
            pairs.push(match arg {
                Arg::Option(option) => twins.option(option, &folders)?,
                Arg::Linkable(path) => Pair {
                    instrumented: vec![path.clone()],
                    plain: vec![
                        twins
                            .of_file(Path::new(path))?
                            .unwrap_or(path.into())
                            .into(),
                    ],
                },
                Arg::Source { path, x, language } => {
                    let source = Source {
                        path,
                        x: x.as_deref(),
                        language: *language,
                    };
                    let object = twins.place("o");
                    let described = described.next().and_then(Option::as_ref);
                    said += &self.compile_unit(Unit { line, source }, described, &object)?;
                    let plain = twins.of_file(&object)?.unwrap_or_else(|| object.clone());
                    Pair {
                        instrumented: vec![object.into()],
                        plain: vec![plain.into()],
                    }
                }
            });
        }
        Ok((pairs, said))
    }

    pub(super) fn archive(&self, archive: &Path, members: &[PathBuf]) -> Result<(), Stop> {
        let mut args: Vec<OsString> = vec!["qcS".into(), archive.into()];
        args.extend(members.iter().map(OsString::from));
        tool(&self.toolchain.ar, &args, Messages::Keep)?;
        let index = ["s".into(), archive.into()];
        tool(&self.toolchain.ar, &index, Messages::Keep).map(drop)
    }
}

/// Makes the plain twins of what is linked, in a folder that lives as long as the link.
struct Twins<'a> {
    driver: &'a Driver,
    folder: &'a Path,
    made: usize,
}

impl Twins<'_> {
    fn place(&mut self, extension: &str) -> PathBuf {
        self.made += 1;
        self.folder.join(format!("{}.{extension}", self.made))
    }

    fn option(&mut self, option: &[OsString], folders: &[PathBuf]) -> Result<Pair, Stop> {
        let mut plain = flags::plain_link(option).unwrap_or_default();
        if let Some(archive) = find_library(option, folders)
            && let Some(twin) = self.of_file(&archive)?
        {
            plain = vec![twin.into()];
        }
        Ok(Pair {
            instrumented: flags::instrumented_link(option).unwrap_or_default(),
            plain,
        })
    }

    /// The twin of an object or archive; `None` when the file serves both builds.
    fn of_file(&mut self, path: &Path) -> Result<Option<PathBuf>, Stop> {
        // A file that cannot be read is the linker's to complain about.
        let Ok(bytes) = fs::read(path) else {
            return Ok(None);
        };
        match objects::kind(&bytes) {
            Kind::Other => Ok(None),
            Kind::Object => match objects::plain(&bytes) {
                None => Ok(None),
                Some(plain) => {
                    let twin = self.place("o");
                    fs::write(&twin, plain).map_err(NativeError::io("write", &twin))?;
                    Ok(Some(twin))
                }
            },
            Kind::Archive => self.of_archive(path, &bytes),
        }
    }

    fn of_archive(&mut self, path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Stop> {
        let members = objects::members(path, bytes)?;
        if members
            .iter()
            .all(|(_, content)| objects::plain(content).is_none())
        {
            return Ok(None);
        }
        let mut files = Vec::new();
        for (name, content) in &members {
            // Members of one name may occur twice: each gets a folder of its own.
            let folder = self.place("member");
            fs::create_dir(&folder).map_err(NativeError::io("make", &folder))?;
            let name = Path::new(name)
                .file_name()
                .unwrap_or(OsStr::new("member.o"));
            let file = folder.join(name);
            fs::write(&file, objects::plain(content).unwrap_or(content))
                .map_err(NativeError::io("write", &file))?;
            files.push(file);
        }
        let twin = self.place("a");
        self.driver.archive(&twin, &files)?;
        Ok(Some(twin))
    }
}

/// A program that does without the C library.
fn is_bare(line: &CommandLine) -> bool {
    ["-nostdlib", "-nodefaultlibs", "-nolibc"]
        .iter()
        .any(|option| line.has(option))
        && !line.options().any(|option| option[0] == "-lc")
}

/// The user's `-L` folders in order.
fn library_folders(line: &CommandLine) -> Vec<PathBuf> {
    line.options()
        .filter_map(|option| {
            let joined = option[0].as_bytes().strip_prefix(b"-L")?;
            match option.get(1) {
                Some(folder) => Some(PathBuf::from(folder)),
                None => Some(PathBuf::from(OsStr::from_bytes(joined))),
            }
        })
        .collect()
}

/// The archive that `-lname` means, if one in the user's own folders does. The system's
/// libraries carry no twins and need no search.
fn find_library(option: &[OsString], folders: &[PathBuf]) -> Option<PathBuf> {
    let joined = option[0].as_bytes().strip_prefix(b"-l")?;
    let name = option
        .get(1)
        .map_or(OsStr::from_bytes(joined), OsString::as_os_str);
    if let Some(exact) = name.as_bytes().strip_prefix(b":") {
        return folders
            .iter()
            .map(|folder| folder.join(OsStr::from_bytes(exact)))
            .find(|path| path.is_file());
    }
    let file = |extension: &str| {
        let mut file = OsString::from("lib");
        file.push(name);
        file.push(extension);
        file
    };
    for folder in folders {
        if folder.join(file(".so")).is_file() {
            return None;
        }
        let archive = folder.join(file(".a"));
        if archive.is_file() {
            return Some(archive);
        }
    }
    None
}
