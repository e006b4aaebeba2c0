//! `-c`: one source, two objects, one file.

use super::key::Described;
use super::options::{CommandLine, Language, Source};
use super::place::{Scratch, place};
use super::unit::{Dependencies, Unit};
use super::{Driver, Messages, Mode, Stop, flags};
use crate::NativeError;
use crate::program::is_cxx;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What a compilation gives.
struct Compiled {
    object: Vec<u8>,
    said: String,
    /// Files that the compiler writes beside the object: of the stack's usage, of its own time.
    beside: Vec<PathBuf>,
    /// Where they are until they are moved there.
    _folder: Scratch,
}

impl Driver {
    pub(super) fn compile_all(&self, line: &CommandLine) -> Result<(), Stop> {
        let sources: Vec<Source> = line.sources().collect();
        if sources.is_empty() {
            // Objects with -c: clang warns that it has nothing to do with them.
            return self.clang(&whole(line), self.messages).map(drop);
        }
        if sources.len() > 1 && line.output.is_some() {
            return Err(NativeError::Usage(
                "cannot specify -o with -c and several sources: leave -o out, or compile them one \
                 by one"
                    .into(),
            )
            .into());
        }
        for source in sources {
            let unit = Unit { line, source };
            let described = self.describe(unit);
            self.compile_unit(unit, described.as_ref(), &unit.named())?;
        }
        Ok(())
    }

    /// One source to one object with both builds in it; taken from earlier builds where nothing
    /// has changed. Gives back what the compiler said of it.
    pub(super) fn compile_unit(
        &self,
        unit: Unit,
        described: Option<&Described>,
        output: &Path,
    ) -> Result<String, Stop> {
        if unit.source.language == Language::Assembly {
            self.compile_assembly(unit.line, unit.source, output)?;
            return Ok(String::new());
        }
        let kept = self.builds.as_ref().zip(described);
        if let Some((builds, described)) = kept
            && let Some([object, said]) = builds.get(&described.key).as_deref()
        {
            place(output, object, false)?;
            self.tell(unit, described.dependencies.as_deref())?;
            self.pass_on(said);
            return Ok(String::from_utf8_lossy(said).into_owned());
        }
        let result = self.compile_both(unit, output);
        if result.is_err() {
            // As every compiler does: nothing older is taken for the result. Whether there is
            // something to remove does not matter.
            let _ = fs::remove_file(output);
        }
        let compiled = result?;
        place(output, &compiled.object, false)?;
        for file in &compiled.beside {
            let bytes = fs::read(file).map_err(NativeError::io("read", file))?;
            place(
                &output.with_file_name(file.file_name().unwrap_or_default()),
                &bytes,
                false,
            )?;
        }
        if let Some((builds, described)) = kept
            && described.watch.nothing_changed()
        {
            builds.put(
                &described.key,
                &[&compiled.object, compiled.said.as_bytes()],
            );
        }
        Ok(compiled.said)
    }

    /// Compiles a source twice, side by side. Tells of dependencies on the way.
    fn compile_both(&self, unit: Unit, output: &Path) -> Result<Compiled, Stop> {
        let folder = Scratch::new()?;
        let results = folder.folder("result")?;
        let name = output.file_name().unwrap_or(OsStr::new("a.o"));
        let instrumented = results.join(name);
        let plain = folder.path().join("plain.o");
        let told = folder.path().join("told.d");
        let mut args = self.instrumented_args(unit);
        if self.messages == Messages::Through && std::io::stderr().is_terminal() {
            args.push("-fcolor-diagnostics".into());
        }
        push_job(&mut args, unit.source, &instrumented);
        let mut plain_args = flags::plain_compile(unit.line, &self.unpacked);
        if let Some(dependencies) = unit.dependencies() {
            plain_args.extend(dependencies.options);
            plain_args.extend(["-MF".into(), told.clone().into()]);
        }
        push_job(&mut plain_args, unit.source, &plain);
        let compiler = self.compiler();
        let (said, twin) = std::thread::scope(|scope| {
            let twin = scope.spawn(|| compiler.run(&plain_args, Messages::Keep));
            let said = compiler.run(&args, Messages::Keep);
            (said, twin.join())
        });
        let said = said?;
        self.pass_on(said.as_bytes());
        twin.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.tell(unit, fs::read(&told).ok().as_deref())?;
        let plain = fs::read(&plain).map_err(NativeError::io("read", &plain))?;
        let beside = fs::read_dir(&results).into_iter().flatten().flatten();
        let beside = beside
            .map(|entry| entry.path())
            .filter(|path| *path != instrumented);
        Ok(Compiled {
            object: self.embedded(&plain, &instrumented, true)?,
            said,
            beside: beside.collect(),
            _folder: folder,
        })
    }

    /// Writes dependencies where the user wants them.
    pub(super) fn tell(&self, unit: Unit, told: Option<&[u8]>) -> Result<(), Stop> {
        let (Some(Dependencies { file, .. }), Some(told)) = (unit.dependencies(), told) else {
            return Ok(());
        };
        match file.as_os_str() == "-" {
            true => std::io::stdout()
                .write_all(told)
                .map_err(NativeError::io("write", &file))?,
            false => place(&file, told, false)?,
        }
        Ok(())
    }

    /// What the compiler says of an object, said to who asked for it.
    pub(super) fn pass_on(&self, said: &[u8]) {
        if self.messages == Messages::Through {
            // Nothing is left to do when even that cannot be written.
            let _ = std::io::stderr().write_all(said);
        }
    }

    /// Options of the instrumented build, without those of the one job.
    pub(super) fn instrumented_args(&self, unit: Unit) -> Vec<OsString> {
        let mut args = flags::instrumented_compile(unit.line, &self.unpacked, self.silence);
        if self.takes_for_cxx(unit.source) {
            args.push("-include".into());
            args.push(self.unpacked.templates.clone().into());
        }
        args
    }

    fn takes_for_cxx(&self, source: Source) -> bool {
        match source.x {
            Some(x) => x.to_string_lossy().starts_with("c++"),
            None => self.mode == Mode::Cxx || is_cxx(Path::new(source.path)),
        }
    }

    /// Assembly serves both builds as it is.
    pub(super) fn compile_assembly(
        &self,
        line: &CommandLine,
        source: Source,
        output: &Path,
    ) -> Result<(), Stop> {
        let mut args: Vec<OsString> = line.options().flatten().cloned().collect();
        push_job(&mut args, source, output);
        self.clang(&args, self.messages).map(drop)
    }
}

/// Options that name one job come last, so that nothing of the user's follows them.
fn push_job(args: &mut Vec<OsString>, source: Source, output: &Path) {
    args.push("-Qunused-arguments".into());
    args.push("-c".into());
    args.push("-o".into());
    args.push(output.into());
    if let Some(x) = source.x {
        args.push("-x".into());
        args.push(x.into());
    }
    args.push("--".into());
    args.push(source.path.into());
}

/// The command line put together again.
fn whole(line: &CommandLine) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec!["-c".into()];
    for arg in &line.args {
        match arg {
            super::options::Arg::Option(option) => args.extend(option.iter().cloned()),
            super::options::Arg::Source { path, .. } | super::options::Arg::Linkable(path) => {
                args.push(path.clone());
            }
        }
    }
    if let Some(output) = &line.output {
        args.push("-o".into());
        args.push(output.clone());
    }
    args
}
