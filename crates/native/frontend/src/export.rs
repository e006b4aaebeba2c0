//! The cases of a function's campaign as tests of a framework.

use crate::chosen_tests;
use crate::program_error::ProgramError;
use crate::saved_function::SavedFunction;
use elsewise_campaign::Store;
use elsewise_export::c::{Framework, Suite, export as tests_of};
use elsewise_frontend::export::{cannot_write, relative, write};
use elsewise_frontend::{ExportRequest, Problem};
use elsewise_functions::types::{Kind, Type, TypeId, Types};
use elsewise_functions::{Plan, Root, RootKind, Stub};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the headers of the system lie.
const SYSTEM: &str = "/usr/include";
/// Types that are declared in parts of headers, and the headers to include for them.
const WHERE: [(&str, &str); 16] = [
    ("size_t", "stddef.h"),
    ("ptrdiff_t", "stddef.h"),
    ("wchar_t", "stddef.h"),
    ("int8_t", "stdint.h"),
    ("int16_t", "stdint.h"),
    ("int32_t", "stdint.h"),
    ("int64_t", "stdint.h"),
    ("intptr_t", "stdint.h"),
    ("uint8_t", "stdint.h"),
    ("uint16_t", "stdint.h"),
    ("uint32_t", "stdint.h"),
    ("uint64_t", "stdint.h"),
    ("uintptr_t", "stdint.h"),
    ("ssize_t", "sys/types.h"),
    ("time_t", "time.h"),
    ("FILE", "stdio.h"),
];

pub fn export(
    function: &SavedFunction,
    store: &Store,
    request: &ExportRequest,
) -> Result<(), Problem> {
    let framework = framework(request.framework.as_deref())?;
    let behaviours = chosen_tests::behaviours(function, store)?;
    let out = &request.folder;
    fs::create_dir_all(out).map_err(cannot_write(out))?;
    let folder = fs::canonicalize(out).map_err(cannot_write(out))?;
    let seen_from = |path: &Path| relative(path, &folder).to_string_lossy().into_owned();
    let declared = headers(&function.types, &function.plan);
    let called = called(&function.plan);
    let by_headers = declared.is_some();
    let texts: Vec<String> = declared
        .iter()
        .flatten()
        .map(|header| String::from_utf8_lossy(&fs::read(header).unwrap_or_default()).into_owned())
        .collect();
    let mut includes = Vec::new();
    let mut sources: Vec<String> = function
        .others()
        .iter()
        .map(|file| seen_from(file))
        .collect();
    match declared {
        Some(headers) => {
            includes.extend(headers.iter().map(|header| include(header, &folder)));
            sources.insert(0, seen_from(function.file()));
        }
        None => {
            let own_main = defines(&function.types, "main");
            includes.extend(own_main.then(|| "#define main main_of_the_program".into()));
            includes.push(include(function.file(), &folder));
            includes.extend(own_main.then(|| "#undef main".into()));
            let (types, stubs) = (&function.types, &function.plan.stubs);
            includes.extend(stubs.iter().filter_map(|stub| defined(types, stub)));
        }
    }
    // What no header declares.
    let prototypes: Option<Vec<String>> = called
        .iter()
        .filter(|called| !texts.iter().any(|text| mentions(text, &called.name)))
        .map(|called| function.types.prototype(called))
        .collect();
    let prototypes = prototypes.filter(|list| by_headers && !list.is_empty());
    let prototype = prototypes.map(|prototypes| prototypes.join(";\n"));
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
        function: &name(function),
        includes: &includes,
        prototype: prototype.as_deref(),
        sources: &sources,
        flags: &flags,
        failing_flags: &sanitizers,
        taken: &taken,
        behaviours: &behaviours,
    };
    write(&tests_of(&suite, framework), out)
}

/// Whether `name` is a word of a C text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == name)
}

/// A definition of what nobody defines.
fn defined(types: &Types, stub: &Stub) -> Option<String> {
    let Some(function) = &stub.function else {
        return Some(format!("__typeof__({0}) {0};", stub.name));
    };
    let prototype = types.prototype(function)?;
    let body = match function.returns {
        _ if function.noreturn => "__builtin_trap();".into(),
        Some(ty) if types.resolve(ty).is_some() => {
            let zeros = types.declare_mutable(ty, "zeros")?;
            format!("static {zeros}; return zeros;")
        }
        _ => return Some(format!("{prototype} {{}}")),
    };
    Some(format!("{prototype} {{ {body} }}"))
}

/// What the tests call.
fn called(plan: &Plan) -> Vec<&elsewise_functions::types::Function> {
    match &plan.sequence {
        Some(sequence) => sequence.operations.iter().map(|o| &o.function).collect(),
        None => vec![&plan.function],
    }
}

/// What the tests are called after: the function, or the file of a sequence.
fn name(function: &SavedFunction) -> String {
    match function.is_sequence() {
        true => {
            let stem = function.file().file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        }
        false => function.plan.function.name.clone(),
    }
}

fn framework(named: Option<&str>) -> Result<Framework, Problem> {
    Ok(match named.unwrap_or("tap") {
        "tap" => Framework::Tap,
        "cmocka" => Framework::Cmocka,
        "check" => Framework::Check,
        "criterion" => Framework::Criterion,
        "gtest" => Framework::Gtest,
        other => {
            let framework = other.to_string();
            return Err(ProgramError::NotForC { framework }.into());
        }
    })
}

fn include(path: &Path, folder: &Path) -> String {
    match path.strip_prefix(SYSTEM) {
        Ok(name) => format!("#include <{}>", name.display()),
        Err(_) => format!("#include \"{}\"", relative(path, folder).display()),
    }
}

fn defines(types: &Types, function: &str) -> bool {
    types.function(function).is_some_and(|found| found.defined)
}

/// The headers that declare the function's types; none if tests must include its file: it has them
/// to itself, or the function, or variables and functions that are inputs, or it has a `main`, or
/// needs what nobody defines.
fn headers(types: &Types, plan: &Plan) -> Option<Vec<PathBuf>> {
    let is_global = |root: &Root| root.kind == RootKind::Global;
    let called = called(plan);
    let inside = called.iter().any(|function| function.is_static)
        || plan.roots.iter().any(is_global)
        || plan.has_function_pointers()
        || !plan.stubs.is_empty()
        || defines(types, "main");
    if inside {
        return None;
    }
    let mut headers = BTreeSet::new();
    let pools = plan.pools.iter().filter_map(|pool| pool.ty);
    let parameters = called.iter().flat_map(|function| &function.parameters);
    let parameters = parameters.map(|parameter| parameter.ty);
    let returned = called.iter().filter_map(|function| function.returns);
    for id in pools.chain(parameters).chain(returned) {
        for ty in spelled(types, id) {
            headers.extend(header(ty)?);
        }
    }
    Some(headers.into_iter().collect())
}

/// A type and what it is made of, as far as that is part of its spelling.
fn spelled(types: &Types, id: TypeId) -> impl Iterator<Item = &Type> {
    let mut next = Some(id);
    std::iter::from_fn(move || {
        let ty = types.get(next?);
        next = match &ty.kind {
            Kind::Qualified { to, .. } | Kind::Pointer { to } => *to,
            Kind::Array { of, .. } => Some(*of),
            _ => None,
        };
        Some(ty)
    })
}

/// The header that declares a type by its name, if it takes one; none where there is a name and
/// no header that could be included.
fn header(ty: &Type) -> Option<Option<PathBuf>> {
    let name = match &ty.kind {
        Kind::Typedef { name, .. } => name.as_str(),
        Kind::Struct { .. } | Kind::Union { .. } | Kind::Enum { .. } | Kind::Opaque { .. } => "",
        _ => return Some(None),
    };
    let Some(place) = &ty.place else {
        return Some(None);
    };
    let known = WHERE.iter().find(|(known, _)| *known == name);
    if let Some((_, header)) = known {
        return Some(Some(Path::new(SYSTEM).join(header)));
    }
    let file = fs::canonicalize(&*place.file).ok()?;
    let is_header = file.extension().is_some_and(|ending| ending == "h");
    // What lies in `bits` is included by other headers alone.
    let inside = file.components().any(|part| part.as_os_str() == "bits");
    (is_header && !inside).then_some(Some(file))
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
