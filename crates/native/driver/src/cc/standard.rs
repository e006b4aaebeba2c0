//! The C++ standard library, instrumented: built once from the source of the GNU library that the
//! compiler uses, and put before the installed one when an instrumented program is linked.
//!
//! What deals with threads and exceptions stays with the installed library, and so does every part
//! that does not compile: where both define a function, the program's own is taken by either.

use super::options::CommandLine;
use super::place::{Scratch, place};
use super::{Compiler, Driver, Messages, Mode, Stop, flags, tool};
use crate::NativeError;
use crate::standard_source::NAME;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const ARCHIVE: &str = "libelsewise_stdc++.a";
/// Which headers the archive was built with, and what was in the first of them.
const BUILT: &str = "built";

/// Folders of sources, below `libstdc++-v3`, each with its dialect.
const FOLDERS: [(&str, &str); 7] = [
    ("src/c++98", "-std=gnu++98"),
    ("src/c++11", "-std=gnu++11"),
    ("src/c++17", "-std=gnu++17"),
    ("src/c++20", "-std=gnu++20"),
    ("config/locale/gnu", "-std=gnu++98"),
    ("config/io", "-std=gnu++98"),
    ("config/os/gnu-linux", "-std=gnu++98"),
];
/// Sources beside those.
const MORE: [(&str, &str); 1] = [("libsupc++/hash_bytes.cc", "-std=gnu++11")];
/// Sources that are said to be of another dialect than their folder.
const NEWER: [&str; 3] = ["locale_init", "localename", "ctype_members"];
/// Sources of which there are two objects: for strings of today, and for those of old.
const TWICE: [&str; 4] = [
    "collate_members",
    "messages_members",
    "monetary_members",
    "numeric_members",
];
/// Sources that stay with the installed library, by how they begin: what schedules threads, what
/// older programs need, and what is tied to its compiler.
const LEFT_OUT: [&str; 13] = [
    "compatibility-",
    "condition_variable",
    "futex",
    "future",
    "mutex",
    "thread",
    "shared_ptr",
    "parallel_settings",
    "ios_failure",
    "cxx11-ios_failure",
    "hash-long-double",
    "debug",
    "concept-inst",
];
/// Options with which a program gets another library, or none.
const OTHERS: [&str; 8] = [
    "-nostdlib++",
    "-nostdlib",
    "-nodefaultlibs",
    "-stdlib=",
    "--gcc-",
    "--sysroot",
    "--target",
    "-m32",
];

/// Is it one of the library's functions, by its linkage name?
pub fn is_of_standard_library(name: &str) -> bool {
    // What follows the marks of members and their qualifiers is the namespace, or a short name of a class in it.
    let name = name.strip_prefix("_Z").unwrap_or_default();
    let name = name.strip_prefix('N').unwrap_or(name);
    let name = name.trim_start_matches(['K', 'V', 'r', 'R', 'O']);
    ["St", "Si", "So", "Sd", "Ss"]
        .iter()
        .any(|begin| name.starts_with(begin))
}

/// What a build of the library came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standard {
    pub archive: PathBuf,
    /// How many of its sources are in it, and how many there are.
    pub sources: (usize, usize),
    /// Those that did not compile.
    pub left: Vec<String>,
    pub bytes: u64,
}

/// How the library is built: what was built in another way is another one.
const RECIPE: &[u8] = include_bytes!("standard.rs");

/// One source and how it is compiled.
struct Job {
    source: PathBuf,
    dialect: &'static str,
    /// Strings are those of old.
    old: bool,
}

impl Driver {
    /// The instrumented library, if it was built for this compiler and these headers.
    pub fn standard_library(&self) -> Option<Standard> {
        let folder = self.standard_folder();
        let built = fs::read_to_string(folder.join(BUILT)).ok()?;
        let mut lines = built.lines();
        let (header, hash, counts) = (lines.next()?, lines.next()?, lines.next()?);
        let mut counts = counts.split(' ').map(str::parse);
        let mut count = || counts.next()?.ok();
        let (taken, all, length): (u64, u64, u64) = (count()?, count()?, count()?);
        let left = lines.map(str::to_string).collect();
        let archive = folder.join(ARCHIVE);
        let same = fs::read(header).is_ok_and(|text| blake3::hash(&text).to_hex().as_str() == hash);
        let bytes = fs::metadata(&archive).ok()?.len();
        (same && bytes == length).then_some(Standard {
            archive,
            sources: (taken as usize, all as usize),
            left,
            bytes,
        })
    }

    /// The library that an instrumented program is linked with.
    pub(super) fn standard_for(&self, line: &CommandLine) -> Option<PathBuf> {
        let wanted = self.mode == Mode::Cxx || line.options().any(|option| option[0] == "-lstdc++");
        let other = line.options().any(|option| {
            let name = option[0].to_string_lossy();
            OTHERS.iter().any(|other| name.starts_with(other)) && name != "-stdlib=libstdc++"
        });
        (wanted && !other)
            .then(|| self.standard_library())
            .flatten()
            .map(|found| found.archive)
    }

    fn standard_folder(&self) -> PathBuf {
        let key = [self.compiler_key().as_bytes(), RECIPE].concat();
        let key = blake3::hash(&key).to_hex();
        self.lasting.join("libstdc++").join(&key[..32])
    }

    /// Builds the library from `source`, the folder `libstdc++-v3` or an archive that has it, else
    /// from where the system keeps it. `tell` hears how many sources of how many are done.
    pub fn build_standard_library(
        &self,
        source: Option<&Path>,
        tell: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Standard, NativeError> {
        Ok(self.build_standard(source, tell)?)
    }

    fn build_standard(
        &self,
        source: Option<&Path>,
        tell: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Standard, Stop> {
        let scratch = Scratch::new()?;
        let compiler = Compiler {
            mode: Mode::Cxx,
            clang: &self.toolchain.clang,
        };
        let (header, release) = headers(compiler, scratch.path())?;
        let source = match source {
            Some(given) => given.to_path_buf(),
            None => installed_source(&release)?,
        };
        let source = match fs::metadata(&source).map_err(NativeError::io("read", &source))? {
            found if found.is_dir() => source,
            _ => unpacked(&source, scratch.path())?,
        };
        if !source.join(FOLDERS[0].0).is_dir() {
            return Err(NativeError::Usage(format!(
                "{} is no folder libstdc++-v3: it has no {}",
                source.display(),
                FOLDERS[0].0
            ))
            .into());
        }
        // By this name the maps know it.
        let named = scratch.path().join(NAME);
        let source = std::path::absolute(&source).map_err(NativeError::io("find", &source))?;
        symlink(&source, &named).map_err(NativeError::io("link to", &source))?;
        let jobs = jobs(&named)?;
        let args = self.standard_args(&named, scratch.path())?;
        let objects = scratch.folder("objects")?;
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let made = Mutex::new(Vec::new());
        let failed = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let object = objects.join(job.object());
                        match compiler.run(&job.args(&args, &object), Messages::Keep) {
                            Ok(_) => put(&made, object),
                            Err(stop) => put(&failed, (job.object(), stop)),
                        }
                        tell(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                    }
                });
            }
        });
        let (mut made, mut failed) = (all(made), all(failed));
        made.sort();
        failed.sort_by(|(a, _), (b, _)| a.cmp(b));
        // One that does not compile is left to the installed library; if none does, why is said.
        if made.is_empty()
            && let Some((_, stop)) = failed.pop()
        {
            return Err(stop);
        }
        let archive = scratch.path().join(ARCHIVE);
        self.archive(&archive, &made)?;
        let folder = self.standard_folder();
        fs::create_dir_all(&folder).map_err(NativeError::io("make", &folder))?;
        let bytes = fs::read(&archive).map_err(NativeError::io("read", &archive))?;
        place(&folder.join(ARCHIVE), &bytes, false)?;
        let text = fs::read(&header).map_err(NativeError::io("read", &header))?;
        let mut built = format!(
            "{}\n{}\n{} {} {}\n",
            header.display(),
            blake3::hash(&text).to_hex(),
            made.len(),
            jobs.len(),
            bytes.len()
        );
        for (left, _) in &failed {
            built += &format!("{}\n", left.trim_end_matches(".o"));
        }
        place(&folder.join(BUILT), built.as_bytes(), false)?;
        self.standard_library().ok_or_else(|| {
            NativeError::Cache(format!("{} cannot be read back", folder.display())).into()
        })
    }

    /// Options of every source.
    fn standard_args(&self, source: &Path, scratch: &Path) -> Result<Vec<OsString>, Stop> {
        let own = scratch.join("include/bits");
        fs::create_dir_all(&own).map_err(NativeError::io("make", &own))?;
        // Two headers that building the library makes.
        let locale = source.join("config/locale/gnu/c++locale_internal.h");
        let copy = own.join("c++locale_internal.h");
        fs::copy(&locale, &copy).map_err(NativeError::io("read", &locale))?;
        let large = own.join("largefile-config.h");
        fs::write(&large, "").map_err(NativeError::io("write", &large))?;
        let mut user: Vec<OsString> = ["-c", "-O1", "-fPIC", "-fno-implicit-templates", "-w"]
            .map(OsString::from)
            .into();
        let below = ["src/c++98", "src/c++11", "src/c++17", "libsupc++"];
        let included = below.map(|folder| source.join(folder));
        for folder in [scratch.join("include")].iter().chain(&included) {
            user.push("-I".into());
            user.push(folder.into());
        }
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(scratch);
        map.push("/=");
        user.push(map);
        let line = CommandLine::parse(&user);
        let mut args = flags::instrumented_compile(&line, &self.unpacked, "-O1");
        // Its variables are nobody's to look at.
        args.push("-gline-tables-only".into());
        Ok(args)
    }
}

impl Job {
    fn object(&self) -> String {
        let folder = self.source.parent().and_then(Path::file_name);
        let stem = self.source.file_stem().unwrap_or_default();
        format!(
            "{}-{}{}.o",
            folder.unwrap_or_default().to_string_lossy(),
            stem.to_string_lossy(),
            if self.old { "-cow" } else { "" }
        )
    }

    fn args(&self, all: &[OsString], object: &Path) -> Vec<OsString> {
        let mut args = all.to_vec();
        args.push(self.dialect.into());
        let stem = self.source.file_stem().unwrap_or_default();
        if self.dialect == "-std=gnu++11" {
            args.push("-fchar8_t".into());
        }
        if stem == "hashtable_c++0x" || self.old {
            args.push("-fimplicit-templates".into());
        }
        if self.old {
            args.push("-D_GLIBCXX_USE_CXX11_ABI=0".into());
        }
        if stem == "ext11-inst" {
            // What `std::cout` is made of: several threads may write there, and wait for each other.
            args.push("-pthread".into());
        }
        if stem == "random" {
            // GCC's name of it.
            let name = "-D__builtin_ia32_rdseed_si_step=__builtin_ia32_rdseed32_step";
            args.extend(["-mrdrnd", "-mrdseed", name].map(OsString::from));
        }
        args.extend(["-c".into(), "-o".into(), object.into(), "--".into()]);
        args.push(self.source.clone().into());
        args
    }
}

/// The first of the library's headers that the compiler finds, and the release that it names.
fn headers(compiler: Compiler, scratch: &Path) -> Result<(PathBuf, String), Stop> {
    let none = || NativeError::Usage("the compiler finds no headers of libstdc++".into());
    let probe = scratch.join("probe.cc");
    fs::write(&probe, "#include <bits/c++config.h>\n").map_err(NativeError::io("write", &probe))?;
    let args = ["-E".into(), "-dM".into(), "-H".into(), probe.into()];
    let said = compiler.run(&args, Messages::Keep)?;
    let after = |start: &str| said.lines().find_map(|line| line.strip_prefix(start));
    let header = after(". ").ok_or_else(none)?;
    let release = after("#define _GLIBCXX_RELEASE ").ok_or_else(none)?;
    Ok((header.into(), release.to_string()))
}

/// Where Debian's `gcc-12-source` puts it.
fn installed_source(release: &str) -> Result<PathBuf, NativeError> {
    let folder = PathBuf::from(format!("/usr/src/gcc-{release}"));
    let found = fs::read_dir(&folder).into_iter().flatten().flatten();
    found
        .map(|entry| entry.path())
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("gcc-") && name.contains(".tar")
        })
        .ok_or_else(|| {
            NativeError::Usage(format!(
                "the source of libstdc++ {release} is not in {}; install the package \
                 gcc-{release}-source, or name a folder libstdc++-v3 with --source",
                folder.display()
            ))
        })
}

/// The library's folder in an archive of all of GCC.
fn unpacked(archive: &Path, scratch: &Path) -> Result<PathBuf, Stop> {
    let mut args: Vec<OsString> = vec!["-xf".into(), archive.into(), "-C".into(), scratch.into()];
    args.push("--wildcards".into());
    for part in ["src", "config", "libsupc++"] {
        args.push(format!("*/libstdc++-v3/{part}/*").into());
    }
    tool(Path::new("tar"), &args, Messages::Keep)?;
    let folders = fs::read_dir(scratch).into_iter().flatten().flatten();
    let mut found = folders.map(|entry| entry.path().join("libstdc++-v3"));
    found.find(|folder| folder.is_dir()).ok_or_else(|| {
        NativeError::Usage(format!("{} has no libstdc++-v3 in it", archive.display())).into()
    })
}

fn jobs(source: &Path) -> Result<Vec<Job>, NativeError> {
    let mut jobs = Vec::new();
    for (below, dialect) in FOLDERS {
        let folder = source.join(below);
        let entries = fs::read_dir(&folder).map_err(NativeError::io("read", &folder))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let out = LEFT_OUT.iter().any(|begin| stem.starts_with(begin));
            if path.extension() != Some(OsStr::new("cc")) || out {
                continue;
            }
            let dialect = match NEWER.contains(&&*stem) {
                true => "-std=gnu++11",
                false => dialect,
            };
            let twice = TWICE.contains(&&*stem);
            for old in [false, true].into_iter().filter(|old| !old || twice) {
                jobs.push(Job {
                    source: path.clone(),
                    dialect,
                    old,
                });
            }
        }
    }
    jobs.extend(MORE.map(|(below, dialect)| Job {
        source: source.join(below),
        dialect,
        old: false,
    }));
    jobs.sort_by_key(Job::object);
    Ok(jobs)
}

fn put<T>(list: &Mutex<Vec<T>>, one: T) {
    list.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(one);
}

fn all<T>(list: Mutex<Vec<T>>) -> Vec<T> {
    list.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::is_of_standard_library;

    #[test]
    fn functions_of_the_library_are_known_by_their_names() {
        let of_library = [
            "_ZNSi3getEv",
            "_ZNSirsERi",
            "_ZNSo3putEc",
            "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_",
            "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6resizeEm",
            "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEcm",
            "_ZSt17__throw_bad_allocv",
        ];
        let others = [
            "read",
            "_Z5parsePKc",
            "_ZN5StockC1Ev",
            "_ZNK4Sink3putEv",
            "_Znwm",
            "",
        ];
        assert!(of_library.iter().all(|name| is_of_standard_library(name)));
        assert!(!others.iter().any(|name| is_of_standard_library(name)));
    }
}
