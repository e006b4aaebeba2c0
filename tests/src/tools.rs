//! Tools of other projects that read what Elsewise writes; `scripts/setup` installs them.

use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate that comes with the schema of SARIF 2.1.0. It is not built, only read.
const SARIF_CRATE: &str = "serde-sarif-0.8.0";
/// Debian's own: another Python that is found first has none of Debian's modules.
const PYTHON: &str = "/usr/bin/python3";

/// Runs a tool that has to succeed; what it printed, on both streams.
pub fn run(program: &str, args: &[&OsStr], folder: &Path) -> Result<String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .with_context(|| format!("{program} cannot be run: run scripts/setup"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    ensure!(
        output.status.success(),
        "{program} {args:?}: {}\n{text}",
        output.status
    );
    Ok(text)
}

/// What a few lines of Python print.
pub fn python(code: &str, args: &[&OsStr], folder: &Path) -> Result<String> {
    let mut all = vec![OsStr::new("-c"), OsStr::new(code)];
    all.extend(args);
    run(PYTHON, &all, folder)
}

/// Does a JSON document match a schema?
pub fn validate_json(document: &Path, schema: &Path, folder: &Path) -> Result<()> {
    let code = "import json, sys, jsonschema\n\
                document, schema = (json.load(open(name)) for name in sys.argv[1:3])\n\
                jsonschema.Draft7Validator.check_schema(schema)\n\
                jsonschema.Draft7Validator(schema).validate(document)\n";
    python(code, &[document.as_os_str(), schema.as_os_str()], folder).map(drop)
}

/// Does an XML document match a DTD of ours? Nothing is fetched.
pub fn validate_xml(document: &Path, dtd: &Path, folder: &Path) -> Result<()> {
    let args = ["--noout", "--nonet", "--dtdvalid"].map(OsStr::new);
    let mut args = args.to_vec();
    args.extend([dtd.as_os_str(), document.as_os_str()]);
    run("xmllint", &args, folder).map(drop)
}

/// The schema of SARIF, where cargo keeps the sources of crates.
pub fn sarif_schema() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let sources = home.context("no home folder")?.join("registry/src");
    let registries = std::fs::read_dir(&sources)
        .with_context(|| format!("no crates in {}", sources.display()))?;
    for registry in registries {
        let schema = registry?.path().join(SARIF_CRATE).join("src/schema.json");
        if schema.is_file() {
            return Ok(schema);
        }
    }
    bail!("the schema of SARIF ({SARIF_CRATE}) is not there: run scripts/setup")
}
