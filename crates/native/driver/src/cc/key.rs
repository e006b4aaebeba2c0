//! What a build depends on, as one hash. Of a source: the text that the preprocessor makes of it for
//! either build, every file that went into that, the options, the compiler and the pass. Of a link:
//! that of its sources, its objects, and the options.

use super::options::{Arg, CommandLine, Language, Source};
use super::place::Scratch;
use super::unit::Unit;
use super::watch::Watch;
use super::{Compiler, Driver, flags};
use crate::artefacts;
use crate::builds::Key;
use crate::objects::{self, Kind};
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// Options with which a compilation reads or writes files that the preprocessor's text does not
/// tell of, by how they begin.
const UNKNOWN: &[&str] = &[
    "-fprofile",
    "-ftest-coverage",
    "--coverage",
    "-fcs-profile",
    "-fauto-profile",
    "-fplugin",
    "-fpass-plugin",
    "-Xclang",
    "-mllvm",
    "-fmodule",
    "-include-pch",
    "-save-temps",
    "--save-temps",
    "-fsanitize-ignorelist",
    "-fsanitize-system-ignorelist",
    "-fsanitize-blacklist",
    "-fsanitize-coverage-allowlist",
    "-fsanitize-coverage-ignorelist",
    "-frandomize-layout-seed-file",
    "-fbasic-block-sections=list",
    "-fms-secure-hotpatch-functions-file",
    "-fthinlto-index",
    "--warning-suppression-mappings",
    "--config",
    "-working-directory",
    "-ivfsoverlay",
    "-Wp,-M",
    "-fxray",
    "-fsave-optimization-record",
    "-foptimization-record",
    "-ftime-trace",
    "-fstack-usage",
    "-fcrash-diagnostics",
    "-fembed-offload",
    "-fdump",
    "-gsplit-dwarf",
    "-Wa,",
    "-Xassembler",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-MJ",
    "@",
];

/// Variables of the environment that change what the compiler or the pass does.
const VARIABLES: &[&str] = &[
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "ELSEWISE_OPERATIONS",
    "ELSEWISE_THREADS",
    "LIBRARY_PATH",
    "SOURCE_DATE_EPOCH",
];

/// What a source is, as far as a build depends on it.
pub(super) struct Described {
    pub key: Key,
    /// What the user wants to be told of its files.
    pub dependencies: Option<Vec<u8>>,
    /// The files that it was told from.
    pub watch: Watch,
}

impl Driver {
    /// The compiler and the pass as one hash.
    pub(super) fn compiler_key(&self) -> String {
        let mut hashed = Hashed(blake3::Hasher::new());
        hashed.add(env!("CARGO_PKG_VERSION").as_bytes());
        hashed.add(&fs::read(&self.unpacked.pass).unwrap_or_default());
        hashed.add(identity(&self.toolchain.clang).as_bytes());
        hashed.finish().to_hex().to_string()
    }

    /// What a compilation depends on; `None` where that is more than is known, the source does not
    /// get through the preprocessor, or nothing is kept.
    pub(super) fn describe(&self, unit: Unit) -> Option<Described> {
        let described = self.describe_now(unit)?;
        // A source that was written just now is looked at again.
        match described.watch.is_too_soon() {
            true => self.describe_now(unit),
            false => Some(described),
        }
    }

    fn describe_now(&self, unit: Unit) -> Option<Described> {
        self.builds.as_ref()?;
        let known = |option: &OsString| {
            let option = option.to_string_lossy();
            !UNKNOWN.iter().any(|unknown| option.starts_with(unknown))
        };
        let source = unit.source.language == Language::Source;
        if !source || !unit.line.options().flatten().all(known) {
            return None;
        }
        let mut watch = Watch::begin();
        let instrumented = self.instrumented_args(unit);
        let plain = flags::plain_compile(unit.line, &self.unpacked);
        let mut telling = plain.clone();
        let told = match unit.dependencies() {
            None => None,
            Some(dependencies) => {
                let folder = Scratch::new().ok()?;
                let file = folder.path().join("told.d");
                telling.extend(dependencies.options);
                telling.extend(["-MF".into(), file.clone().into()]);
                Some((file, folder))
            }
        };
        let compiler = self.compiler();
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| compiler.preprocessed(&telling, unit.source));
            let first = compiler.preprocessed(&instrumented, unit.source);
            (first, second.join().ok().flatten())
        });
        let texts = [first?, second?];
        let mut hasher = Hashed::new(self);
        hasher.add(format!("{:?}", unit.source).as_bytes());
        for args in [&instrumented, &plain] {
            hasher.add(&joined(args));
        }
        // Of what is preprocessed already, the preprocessor makes nothing.
        let source = unit.source.path;
        let mut files = BTreeSet::from([source.as_bytes().to_vec()]);
        let own = watch.read(Path::new(source)).ok()?;
        for text in texts.iter().chain([&own]) {
            if includes_in_assembly(text) {
                return None;
            }
            hasher.add(text);
            files.extend(named_files(text));
        }
        // White space that the preprocessor leaves out is told of in places of the program map.
        for file in files {
            hasher.add(&watch.read(Path::new(OsStr::from_bytes(&file))).ok()?);
        }
        let dependencies = match told {
            None => None,
            Some((file, _folder)) => Some(fs::read(file).ok()?),
        };
        Some(Described {
            key: hasher.finish(),
            dependencies,
            watch,
        })
    }

    /// The key of what a link of sources and objects gives; `None` where that depends on more than
    /// is known. `sources` has a description of each source, in order.
    pub(super) fn link_key(
        &self,
        line: &CommandLine,
        sources: &[Option<Described>],
    ) -> Option<(Key, Watch)> {
        let (key, watch) = self.link_key_now(line, sources)?;
        if !watch.is_too_soon() {
            return Some((key, watch));
        }
        std::thread::sleep(GRAIN);
        self.link_key_now(line, sources)
    }

    fn link_key_now(
        &self,
        line: &CommandLine,
        sources: &[Option<Described>],
    ) -> Option<(Key, Watch)> {
        self.builds.as_ref()?;
        let mut watch = Watch::begin();
        let mut hasher = Hashed::new(self);
        hasher.add(identity(&self.toolchain.lld).as_bytes());
        for place in START {
            hasher.add(stamp(Path::new(place)).as_bytes());
        }
        if let Some(standard) = self.standard_for(line) {
            hasher.add(standard.as_os_str().as_bytes());
            hasher.add(stamp(&standard).as_bytes());
        }
        let mut keys = sources.iter();
        for arg in &line.args {
            match arg {
                Arg::Option(option) => {
                    let name = option[0].to_string_lossy();
                    let library = name.starts_with("-l") && !SYSTEM.contains(&&*name);
                    let reads = READING.iter().any(|reads| name.starts_with(reads));
                    let unknown = UNKNOWN.iter().any(|unknown| name.starts_with(unknown));
                    if library || reads || unknown {
                        return None;
                    }
                    hasher.add(&joined(option));
                }
                Arg::Source { .. } => hasher.add(keys.next()?.as_ref()?.key.as_bytes()),
                Arg::Linkable(path) => {
                    let bytes = watch.read(Path::new(path)).ok()?;
                    // A thin archive has its members elsewhere, a script names other files.
                    let whole =
                        objects::kind(&bytes) == Kind::Object || bytes.starts_with(b"!<arch>\n");
                    if !whole {
                        return None;
                    }
                    hasher.add(&bytes);
                }
            }
        }
        Some((hasher.finish(), watch))
    }
}

/// Times of files are no finer.
const GRAIN: Duration = Duration::from_millis(10);
/// The beginning of every program, which changes when the C library does; where distributions have it.
const START: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/crt1.o",
    "/usr/lib64/crt1.o",
    "/usr/lib/crt1.o",
];
/// Libraries of the system that are loaded, not copied.
const SYSTEM: [&str; 6] = ["-lc", "-lm", "-ldl", "-lrt", "-lpthread", "-lstdc++"];
/// Options with which a link reads files that nothing else tells of, by how they begin.
const READING: [&str; 9] = [
    "-Wl,",
    "-Xlinker",
    "-T",
    "-B",
    "-L",
    "-specs",
    "--specs",
    "--sysroot",
    "-u",
];

/// What every key has.
struct Hashed(blake3::Hasher);

impl Hashed {
    fn new(driver: &Driver) -> Hashed {
        let mut hashed = Hashed(blake3::Hasher::new());
        hashed.add(env!("CARGO_PKG_VERSION").as_bytes());
        hashed.add(artefacts_hash().as_bytes());
        hashed.add(format!("{:?}", driver.mode).as_bytes());
        hashed.add(identity(&driver.toolchain.clang).as_bytes());
        let here = env::current_dir().unwrap_or_default();
        hashed.add(here.as_os_str().as_bytes());
        for name in VARIABLES {
            hashed.add(format!("{name}={:?}", env::var_os(name)).as_bytes());
        }
        hashed
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn finish(self) -> Key {
        self.0.finalize()
    }
}

fn joined(args: &[OsString]) -> Vec<u8> {
    args.join(OsStr::new("\0")).into_encoded_bytes()
}

impl Compiler<'_> {
    fn preprocessed(self, args: &[OsString], source: Source) -> Option<Vec<u8>> {
        let mut command = Command::new(self.clang);
        elsewise_contain::process::end_with_us(&mut command);
        command.args(self.mode.option()).args(args);
        command.args(["-Qunused-arguments", "-w", "-E", "-o", "-"]);
        if let Some(x) = source.x {
            command.arg("-x").arg(x);
        }
        let Output { status, stdout, .. } = command
            .arg("--")
            .arg(source.path)
            .stdin(Stdio::null())
            .output()
            .ok()?;
        status.success().then_some(stdout)
    }
}

/// Whether assembly in the text may read files that nothing else tells of. Strings that follow each
/// other are one.
fn includes_in_assembly(text: &[u8]) -> bool {
    let mut joined: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte == b'"'
            && joined.last() != Some(&b'\\')
            && let Some(again) = behind.trim_ascii_start().strip_prefix(b"\"")
        {
            rest = again;
            continue;
        }
        joined.push(byte.to_ascii_lowercase());
    }
    let mut words = joined.split(|byte| *byte == b'.');
    words.any(|word| word.starts_with(b"incbin") || word.starts_with(b"include"))
}

/// Files that the preprocessor says its text comes from: `# 12 "name" 1 3`.
fn named_files(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let lines = text.split(|byte| *byte == b'\n');
    let marks = lines.filter_map(|line| line.strip_prefix(b"# "));
    marks
        .filter_map(|mark| {
            let begin = mark.iter().position(|byte| *byte == b'"')? + 1;
            let end = mark.iter().rposition(|byte| *byte == b'"')?;
            let quoted = mark.get(begin..end)?;
            let built_in = quoted.starts_with(b"<") || quoted.is_empty();
            (!built_in).then(|| unescaped(quoted))
        })
        .collect()
}

fn unescaped(quoted: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(quoted.len());
    let mut bytes = quoted.iter();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'\\' => bytes.next().copied().unwrap_or(b'\\'),
            byte => *byte,
        });
    }
    out
}

/// Of the pass, and of everything else that goes into a program.
fn artefacts_hash() -> Key {
    static HASH: OnceLock<Key> = OnceLock::new();
    *HASH.get_or_init(|| {
        let mut hasher = blake3::Hasher::new();
        for part in artefacts::all() {
            hasher.update(blake3::hash(part).as_bytes());
        }
        hasher.finalize()
    })
}

/// Which compiler this is, without asking it: size and time of its program and of the libraries
/// that it consists of.
fn identity(clang: &Path) -> String {
    let program = clang.canonicalize().unwrap_or_else(|_| clang.to_path_buf());
    let beside = program
        .parent()
        .and_then(Path::parent)
        .map(|root| root.join("lib"));
    let libraries = beside.into_iter().flat_map(|folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().as_bytes();
                name.starts_with(b"libLLVM") || name.starts_with(b"libclang-cpp")
            })
            .collect();
        found.sort();
        found
    });
    let mut text = String::new();
    for path in std::iter::once(program.clone()).chain(libraries) {
        text += &stamp(&path);
    }
    text
}

/// Size and time of a file.
fn stamp(path: &Path) -> String {
    match fs::metadata(path) {
        Ok(about) => format!(
            "{} {} {} {}\n",
            path.display(),
            about.len(),
            about.mtime(),
            about.mtime_nsec()
        ),
        Err(_) => format!("{}\n", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_text_are_found() {
        let text =
            b"# 1 \"a.c\"\n# 1 \"<built-in>\" 1\n# 3 \"/usr/x \\\"y\\\".h\" 1 3\nint x; # 2\n";
        let files: Vec<_> = named_files(text).into_iter().collect();
        assert_eq!(files, [&b"/usr/x \"y\".h"[..], b"a.c"]);
    }

    #[test]
    fn assembly_that_reads_files_is_found() {
        for (text, reads) in [
            (r#"asm(".incbin \"a\"");"#, true),
            (r#"asm(".INCBIN \"a\"");"#, true),
            ("asm(\".inc\"\n  \"lude x\");", true),
            (r#"asm("" "name"); p.inclusive = "";"#, false),
            (r#"char *s = "\"" "x"; int incbin;"#, false),
        ] {
            assert_eq!(includes_in_assembly(text.as_bytes()), reads, "{text}");
        }
    }
}
