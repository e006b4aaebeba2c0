//! `report`: what a campaign holds, as a page for people or in a form that other tools read.

mod baseline;
mod gather;
mod html;
mod serve;
pub mod suite;
mod tree;

use crate::args::ReportArgs;
use crate::exit::{Exit, Problem};
use crate::{campaigns, erlang, made_here, output, prolog, told};
use elsewise_campaign::Store;
use elsewise_report::machine;
use gather::Gathered;
pub use gather::reproduce;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of a test suite when none is named.
const SUITE: &str = "test-suite";

pub fn report(args: &ReportArgs) -> Result<Exit, Problem> {
    told::only_look();
    let directory = campaigns::locate(args.campaign.as_deref())?;
    made_here::announce(&directory);
    if args.form.html {
        return page(args, &directory);
    }
    if let Some(address) = &args.form.serve {
        return serve::serve(&directory, address);
    }
    let store = campaigns::open(&directory)?;
    if args.form.test_comp && is_call(&directory)? {
        return Err(Problem::usage(
            "a test suite of Test-Comp is for programs of C: `elsewise export` writes tests of EUnit, \
             ExUnit and plunit",
        ));
    }
    if args.form.test_comp {
        let folder = args.out.as_deref().unwrap_or(Path::new(SUITE));
        let written = suite::write(&store, &directory, folder)?;
        output::note(&format!("{written} cases in {}", folder.display()));
        return Ok(Exit::Clean);
    }
    let text = text(args, &store, &directory)?;
    match &args.out {
        Some(file) => write(file, &text)?,
        None => output::raw(&text),
    }
    Ok(Exit::Clean)
}

/// Is it the campaign of a subject that has nothing to do with C?
fn is_call(directory: &Path) -> Result<bool, Problem> {
    #[cfg(feature = "erlang")]
    if erlang::kept::of(directory)?.is_some() {
        return Ok(true);
    }
    #[cfg(feature = "prolog")]
    if prolog::kept::of(directory)?.is_some() {
        return Ok(true);
    }
    let _ = directory;
    Ok(false)
}

/// Writes the page.
fn page(args: &ReportArgs, directory: &Path) -> Result<Exit, Problem> {
    let page = html::page(directory, false)?;
    let file = args.out.clone().unwrap_or_else(|| page_of(directory));
    write(&file, &page)?;
    output::note(&format!(
        "{} is the page: open it in a browser",
        file.display()
    ));
    Ok(Exit::Clean)
}

/// Where the page of a campaign is written when nothing is said: beside the campaign.
fn page_of(directory: &Path) -> PathBuf {
    directory.with_extension("html")
}

fn text(args: &ReportArgs, store: &Store, directory: &Path) -> Result<String, Problem> {
    let form = &args.form;
    let unspeakable = |error: &dyn std::fmt::Display| {
        Problem::usage(format!(
            "the campaign cannot be written in this form: {error}"
        ))
    };
    if form.dot {
        return tree::dot(store);
    }
    let gathered = Gathered::new(store, directory)?;
    let mut material = gathered.material();
    let known = baseline::known(&args.baseline)?;
    material
        .findings
        .retain(|told| !known.contains(&machine::fingerprint(told.finding)));
    if form.sarif {
        return machine::sarif(&material).map_err(|error| unspeakable(&error));
    }
    if form.junit {
        return machine::junit(&material).map_err(|error| unspeakable(&error));
    }
    if form.lcov {
        return Ok(machine::lcov(&material.places));
    }
    if form.cobertura {
        return Ok(machine::cobertura(&material));
    }
    if form.markdown {
        return Ok(machine::markdown(&material));
    }
    if form.problems {
        return Ok(machine::problems(
            &material.summary.subject,
            &material.findings,
        ));
    }
    machine::document(&material).map_err(|error| unspeakable(&error))
}

/// Writes a file that the user named.
fn write(file: &Path, text: &str) -> Result<(), Problem> {
    fs::write(file, text).map_err(|error| {
        Problem::unwritten(format!(
            "cannot write {}: {error}; give --out a file that can be written",
            file.display()
        ))
    })
}
