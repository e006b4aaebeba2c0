//! `-c`: one source, two objects, one file.

use super::options::{CommandLine, Language, Source};
use super::{Driver, Messages, Mode, Stop, flags, scratch};
use crate::NativeError;
use crate::builds::Key;
use crate::program::is_cxx;
use std::ffi::OsString;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// One source of a command line.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub line: &'a CommandLine,
    pub source: Source<'a>,
    /// What the user calls the result: dependencies are told of that.
    pub named: &'a Path,
}

impl Unit<'_> {
    /// Where dependencies are written and what they are of, where the options leave that to be told
    /// from the name of the result.
    pub fn dependencies(&self) -> Vec<OsString> {
        let line = self.line;
        let has = |prefix: &str| {
            let mut options = line.options();
            options.any(|option| option[0].to_string_lossy().starts_with(prefix))
        };
        let mut told = Vec::new();
        if !has("-MD") && !has("-MMD") {
            return told;
        }
        if !has("-MF") {
            told.extend(["-MF".into(), self.named.with_extension("d").into()]);
        }
        if !has("-MT") && !has("-MQ") {
            told.extend(["-MT".into(), self.named.into()]);
        }
        told
    }
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
            let output = match &line.output {
                Some(output) => PathBuf::from(output),
                None => Path::new(source.path)
                    .with_extension("o")
                    .file_name()
                    .map(PathBuf::from)
                    .unwrap_or_else(|| PathBuf::from("a.o")),
            };
            let unit = Unit {
                line,
                source,
                named: &output,
            };
            let key = self.key(unit);
            self.compile_unit(unit, key, &output)?;
        }
        Ok(())
    }

    /// One source to one object with both builds in it; taken from earlier builds where nothing
    /// has changed.
    pub(super) fn compile_unit(
        &self,
        unit: Unit,
        key: Option<Key>,
        output: &Path,
    ) -> Result<(), Stop> {
        if unit.source.language == Language::Assembly {
            return self.compile_assembly(unit.line, unit.source, output);
        }
        let kept = self.builds.as_ref().zip(key);
        if let Some((builds, key)) = &kept
            && let Some([object, said]) = builds.get(key).as_deref()
        {
            fs::write(output, object).map_err(NativeError::io("write", output))?;
            self.pass_on(said);
            return Ok(());
        }
        let result = self.compile_both(unit, output);
        if result.is_err() {
            // An object without its twin would only fail later, at the link. Whether there is
            // something to remove does not matter.
            let _ = fs::remove_file(output);
        }
        let said = result?;
        if let Some((builds, key)) = &kept
            && let Ok(object) = fs::read(output)
        {
            builds.put(key, &[&object, said.as_bytes()]);
        }
        Ok(())
    }

    /// Compiles a source twice, side by side. Gives back what the compiler said.
    fn compile_both(&self, unit: Unit, output: &Path) -> Result<String, Stop> {
        let folder = scratch()?;
        let plain = folder.path().join("plain.o");
        let mut args = self.instrumented_args(unit);
        args.extend(unit.dependencies());
        if self.messages == Messages::Through && std::io::stderr().is_terminal() {
            args.push("-fcolor-diagnostics".into());
        }
        push_job(&mut args, unit.source, output);
        let mut plain_args = flags::plain_compile(unit.line, &self.unpacked);
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
        let plain = fs::read(&plain).map_err(NativeError::io("read", &plain))?;
        self.embed(&plain, output, true)?;
        Ok(said)
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
