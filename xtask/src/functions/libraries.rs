//! The libraries whose functions are explored, and how each tells the way in which it is compiled.

use crate::engine::Engine;
use crate::packages::compile::succeed;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

pub struct Library {
    /// Of the source package.
    pub name: &'static str,
    pub version: &'static str,
    /// What a shell does once in the source's folder, with clang as the compiler.
    pub prepare: &'static str,
    /// What builds it under `elsewise capture`; empty where the build system writes the
    /// compilation database itself.
    pub make: &'static [&'static str],
    /// Where the database is, below the package's root.
    pub database: &'static str,
    pub sources: &'static [&'static str],
}

impl Library {
    /// Sees to the compilation database.
    pub fn describe(&self, engine: &Engine, place: &Path) -> Result<()> {
        if self.make.is_empty() || place.join(self.database).is_file() {
            return Ok(());
        }
        let mut command = Command::new(&engine.elsewise);
        command.args(["capture", "--"]).args(self.make);
        succeed(command.current_dir(place))
    }
}

pub const ALL: &[Library] = &[
    Library {
        name: "libcsv",
        version: "3.0.3+dfsg-6",
        prepare: "./configure",
        make: &["make", "libcsv.la"],
        database: "compile_commands.json",
        sources: &["libcsv.c"],
    },
    Library {
        name: "cjson",
        version: "1.7.15-1+deb12u4",
        prepare: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=On",
        make: &[],
        database: "build/compile_commands.json",
        // cJSON_Utils.c is a library of its own, on top of this one.
        sources: &["cJSON.c"],
    },
    Library {
        name: "libyaml",
        version: "0.2.5-1",
        prepare: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=On",
        make: &[],
        database: "build/compile_commands.json",
        sources: &[
            "src/api.c",
            "src/dumper.c",
            "src/emitter.c",
            "src/loader.c",
            "src/parser.c",
            "src/reader.c",
            "src/scanner.c",
            "src/writer.c",
        ],
    },
];
