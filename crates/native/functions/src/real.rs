//! `--real FUNCTION`: the files of the build that define functions which would be stubs otherwise,
//! and those that these need.

use super::describe;
use crate::types::{self, in_library};
use elsewise_driver::{NativeError, Part, commands};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// What is linked beside the file with the subject.
#[derive(Default)]
pub(super) struct Reals {
    pub files: Vec<Part>,
    /// Symbols that the files have, and those that they need.
    pub defined: Vec<String>,
    pub needed: Vec<String>,
}

/// The files that define `names` in the build of `database`. `own` is the file with the subject, `object` what was made of it; `flags` go before the build's own.
pub(super) fn find(
    clang: &Path,
    database: Option<&Path>,
    own: (&Path, &[u8]),
    names: &[String],
    flags: &[OsString],
    folder: &Path,
) -> Result<Reals, NativeError> {
    let (own, object) = own;
    let mut reals = Reals::default();
    if names.is_empty() {
        return Ok(reals);
    }
    let Some(database) = database else {
        return Err(NativeError::Usage(format!(
            "--real {}: no compilation database says which files there are; write one with \
             `elsewise capture -- make`, or name the file that defines it after the subject",
            names[0]
        )));
    };
    let files = commands::files(database)?;
    let mut here = types::defined(object)?;
    let mut wanted: Vec<(String, bool)> = names.iter().map(|name| (name.clone(), true)).collect();
    while let Some((name, asked)) = wanted.pop() {
        if reals.defined.contains(&name) || here.contains(&name) {
            continue;
        }
        let mut found = false;
        for file in files.iter().filter(|file| may_define(file, &name)) {
            if file == own || reals.files.iter().any(|real| real.file == *file) {
                continue;
            }
            let Some(known) = commands::flags_for(file, Some(database))? else {
                continue;
            };
            let mut all = flags.to_vec();
            all.extend(known.args);
            let place = folder.join("real.o");
            // A file that cannot be compiled is none that could be linked.
            let Ok(bytes) = describe(clang, file, &all, &place) else {
                continue;
            };
            let offered = types::defined(&bytes)?;
            if !offered.contains(&name) {
                continue;
            }
            let missing = types::undefined(&bytes)?;
            reals.needed.extend_from_slice(&missing);
            let missing = missing.into_iter().filter(|symbol| !in_library(symbol));
            wanted.extend(missing.map(|symbol| (symbol, false)));
            reals.defined.extend(offered);
            reals.files.push(Part {
                file: file.clone(),
                flags: all,
            });
            found = true;
            break;
        }
        if !found && asked {
            return Err(NativeError::Usage(format!(
                "--real {name}: no file of {} defines it: check its name, or name the file that \
                 defines it after the subject",
                database.display()
            )));
        }
        // Whatever else is missing, the linker says.
        here.push(name);
    }
    Ok(reals)
}

/// A C file that has the name in it.
fn may_define(file: &Path, name: &str) -> bool {
    let is_c = file.extension().is_some_and(|ending| ending == "c");
    let has = |text: Vec<u8>| {
        text.windows(name.len())
            .any(|window| window == name.as_bytes())
    };
    is_c && !name.is_empty() && fs::read(file).is_ok_and(has)
}
