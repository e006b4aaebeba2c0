//! `-c`: one source, two objects, one file.

use super::options::{CommandLine, Language, Source};
use super::{Driver, Messages, Mode, Stop, flags, scratch};
use crate::NativeError;
use crate::program::is_cxx;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

impl Driver {
    pub(super) fn compile_all(&self, line: &CommandLine) -> Result<(), Stop> {
        let sources: Vec<Source> = line.sources().collect();
        if sources.is_empty() {
            // Objects with -c: clang warns that it has nothing to do with them.
            return self.clang(&whole(line), self.messages);
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
            self.compile_and_embed(line, source, &output)?;
        }
        Ok(())
    }

    fn compile_and_embed(
        &self,
        line: &CommandLine,
        source: Source,
        output: &Path,
    ) -> Result<(), Stop> {
        if source.language == Language::Assembly {
            return self.compile_assembly(line, source, output);
        }
        let folder = scratch()?;
        let plain = folder.path().join("plain.o");
        let result = self
            .compile_instrumented(line, source, output, None)
            .and_then(|()| self.compile_plain(line, source, &plain))
            .and_then(|()| self.embed(&plain, output, Some("exclude")));
        if result.is_err() {
            // An object without its twin would only fail later, at the link. Whether there is
            // something to remove does not matter.
            let _ = fs::remove_file(output);
        }
        result
    }

    /// `dependencies` says where a `.d` file goes and which target it names, where clang would
    /// take both from an output that is not the user's.
    pub(super) fn compile_instrumented(
        &self,
        line: &CommandLine,
        source: Source,
        output: &Path,
        dependencies: Option<(&Path, &Path)>,
    ) -> Result<(), Stop> {
        let mut args = flags::instrumented_compile(line, &self.unpacked);
        if self.takes_for_cxx(source) {
            args.push("-include".into());
            args.push(self.unpacked.templates.clone().into());
        }
        if let Some((file, target)) = dependencies
            && (line.has("-MD") || line.has("-MMD"))
        {
            if !line.has("-MF") {
                args.push("-MF".into());
                args.push(file.into());
            }
            if !line.has("-MT") && !line.has("-MQ") {
                args.push("-MT".into());
                args.push(target.into());
            }
        }
        push_job(&mut args, source, output);
        self.clang(&args, self.messages)
    }

    fn takes_for_cxx(&self, source: Source) -> bool {
        match source.x {
            Some(x) => x.to_string_lossy().starts_with("c++"),
            None => self.mode == Mode::Cxx || is_cxx(Path::new(source.path)),
        }
    }

    pub(super) fn compile_plain(
        &self,
        line: &CommandLine,
        source: Source,
        output: &Path,
    ) -> Result<(), Stop> {
        let mut args = flags::plain_compile(line, &self.unpacked);
        push_job(&mut args, source, output);
        self.clang(&args, Messages::Keep)
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
        self.clang(&args, self.messages)
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
