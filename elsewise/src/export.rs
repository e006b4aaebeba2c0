//! `export`: the cases of a function's campaign as tests of a framework.

use crate::args::{ExportArgs, TestFramework};
use crate::behaviours::Function;
use crate::campaigns;
use crate::exit::{Exit, Problem};
use crate::output;
use elsewise_native::types::{Kind, Types};
use elsewise_report::export::{Framework, Suite, export as write};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Cases that are looked at.
const MOST: usize = 500;

pub fn export(args: &ExportArgs) -> Result<Exit, Problem> {
    let campaign = campaigns::locate(args.campaign.as_deref())?;
    let store = campaigns::open(&campaign)?;
    let Some(function) = Function::of(&campaign)? else {
        return Err(Problem::usage(format!(
            "{} is the campaign of a program: tests can be exported of functions, which are \
             explored as FILE.c::FUNCTION",
            campaign.display()
        )));
    };
    let behaviours = function.behaviours(&store, MOST, true)?;
    fs::create_dir_all(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    let folder = fs::canonicalize(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    let seen_from = |path: &Path| relative(path, &folder).to_string_lossy().into_owned();
    let declared = headers(&function.types, &function);
    let by_headers = !function.plan.function.is_static && declared.is_some();
    let is_declared = declared.iter().flatten().any(|header| {
        let text = fs::read(header).unwrap_or_default();
        mentions(
            &String::from_utf8_lossy(&text),
            &function.plan.function.name,
        )
    });
    let mut includes = Vec::new();
    let mut sources: Vec<String> = function
        .others()
        .iter()
        .map(|file| seen_from(file))
        .collect();
    match declared.filter(|_| by_headers) {
        Some(headers) => {
            includes.extend(headers.iter().map(|header| include(&seen_from(header))));
            sources.insert(0, seen_from(function.file()));
        }
        None => includes.push(include(&seen_from(function.file()))),
    }
    let prototype = function.types.prototype(&function.plan.function);
    let prototype = prototype.filter(|_| by_headers && !is_declared);
    let taken: Vec<String> = taken(&function.types);
    let mut flags: Vec<String> = Vec::new();
    for flag in function.flags() {
        let after_include = flags.last().is_some_and(|last| last == "-I");
        let path = match flag.strip_prefix("-I") {
            Some(path) => Path::new(path),
            None if after_include => Path::new(flag),
            None => Path::new(""),
        };
        if flag.starts_with("-Wl,") || flag.starts_with("-fsanitize") {
            continue;
        }
        flags.push(match (path.is_absolute(), after_include) {
            (true, true) => seen_from(path),
            (true, false) => format!("-I{}", seen_from(path)),
            (false, _) => flag.clone(),
        });
    }
    let sanitizers: Vec<String> = function
        .flags()
        .iter()
        .filter(|flag| flag.starts_with("-fsanitize"))
        .cloned()
        .collect();
    let suite = Suite {
        function: &function.plan.function.name,
        includes: &includes,
        prototype: prototype.as_deref(),
        sources: &sources,
        flags: &flags,
        failing_flags: &sanitizers,
        taken: &taken,
        behaviours: &behaviours,
    };
    for file in write(&suite, framework(args.framework)) {
        let path = args.out.join(&file.name);
        fs::write(&path, &file.text).map_err(|error| cannot_write(&path, &error))?;
        output::text(&format!("{}\n", path.display()));
    }
    Ok(Exit::Clean)
}

/// Whether `name` is a word of a C text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == name)
}

fn framework(named: TestFramework) -> Framework {
    match named {
        TestFramework::Tap => Framework::Tap,
        TestFramework::Cmocka => Framework::Cmocka,
        TestFramework::Check => Framework::Check,
        TestFramework::Criterion => Framework::Criterion,
        TestFramework::Gtest => Framework::Gtest,
    }
}

fn include(path: &str) -> String {
    format!("#include \"{path}\"")
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!(
        "cannot write {}: {error}; give --out a directory that can be written to",
        path.display()
    ))
}

/// The headers that declare the types of the function's inputs, if that is where they are declared.
fn headers(types: &Types, function: &Function) -> Option<Vec<PathBuf>> {
    let mut headers = BTreeSet::new();
    let ids = function.plan.pools.iter().filter_map(|pool| pool.ty);
    let roots = function.plan.roots.iter().chain(&function.plan.result);
    for id in ids.chain(roots.filter_map(|root| types.resolve(root.ty))) {
        let ty = types.get(id);
        let declared = matches!(
            ty.kind,
            Kind::Struct { .. } | Kind::Union { .. } | Kind::Enum { .. } | Kind::Opaque { .. }
        );
        let Some(place) = ty.place.as_ref().filter(|_| declared) else {
            continue;
        };
        let file = Path::new(&*place.file);
        if file.extension().is_none_or(|ending| ending != "h") {
            return None;
        }
        headers.insert(fs::canonicalize(file).ok()?);
    }
    Some(headers.into_iter().collect())
}

/// Names that the subject's file has.
fn taken(types: &Types) -> Vec<String> {
    let functions = types.functions.iter().map(|function| function.name.clone());
    let globals = types.globals.iter().map(|global| global.name.clone());
    let named = types.types.iter().filter_map(|ty| match &ty.kind {
        Kind::Typedef { name, .. } => Some(vec![name.clone()]),
        Kind::Enum { values, .. } => Some(values.iter().map(|(name, _)| name.clone()).collect()),
        _ => None,
    });
    functions.chain(globals).chain(named.flatten()).collect()
}

/// A path as seen from a folder; both absolute.
fn relative(path: &Path, folder: &Path) -> PathBuf {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let common = path
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    if common <= 1 {
        return path;
    }
    let mut seen = PathBuf::new();
    for _ in folder.components().skip(common) {
        seen.push("..");
    }
    seen.extend(path.components().skip(common));
    seen
}
