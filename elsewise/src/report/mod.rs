//! `report`: what a campaign holds, as a page for people or in a form that other tools read.

mod baseline;
mod gather;
mod html;
pub mod serve;
mod tree;

use crate::args::ReportArgs;
use crate::error::VerbError;
use crate::{campaigns, languages, named, output};
use elsewise_campaign::Store;
use elsewise_frontend::{Exit, Problem, made_here, run_nothing};
use elsewise_report::machine::{self, Format};
use gather::Gathered;
pub use gather::reproduce;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folder of a test suite when none is named.
const SUITE: &str = "test-suite";

/// `format`: one that is made from what is gathered, if such a one is wanted.
pub fn report(args: &ReportArgs, format: Option<&Format>) -> Result<Exit, Problem> {
    run_nothing();
    let directory = named::campaign(args.campaign.as_deref(), None)?;
    made_here::announce(&directory);
    if args.form.html {
        return page(args, &directory);
    }
    if let Some(address) = &args.form.serve {
        return serve::campaign(&directory, address);
    }
    let store = campaigns::open(&directory)?;
    if args.form.test_comp {
        let folder = args.out.as_deref().unwrap_or(Path::new(SUITE));
        let written = languages::saved(&directory)?.test_suite(&store, folder)?;
        let written = written.ok_or(VerbError::NoTestSuite)?;
        output::note(&format!("{written} cases in {}", folder.display()));
        return Ok(Exit::Clean);
    }
    let text = text(args, format, &store, &directory)?;
    match &args.out {
        Some(file) => write(file, &text)?,
        None => output::raw(&text),
    }
    Ok(Exit::Clean)
}

/// Writes the page.
fn page(args: &ReportArgs, directory: &Path) -> Result<Exit, Problem> {
    let page = html::page(directory, false)?;
    let file = match &args.out {
        Some(file) => {
            write(file, &page)?;
            file.clone()
        }
        None => {
            let file = page_of(directory);
            let written = elsewise_campaign::write_unlinked(&file, page.as_bytes());
            written.map_err(unwritten(&file))?;
            file
        }
    };
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

fn text(
    args: &ReportArgs,
    format: Option<&Format>,
    store: &Store,
    directory: &Path,
) -> Result<String, Problem> {
    let Some(format) = format else {
        return tree::dot(store);
    };
    let gathered = Gathered::new(store, directory)?;
    let mut material = gathered.material();
    let known = baseline::known(&args.baseline)?;
    material
        .findings
        .retain(|told| !known.contains(&machine::fingerprint(told.finding)));
    Ok((format.write)(&material).map_err(|why| VerbError::NoForm { why })?)
}

/// Writes a file that the user named.
fn write(file: &Path, text: &str) -> Result<(), Problem> {
    Ok(fs::write(file, text).map_err(unwritten(file))?)
}

fn unwritten(file: &Path) -> impl FnOnce(io::Error) -> VerbError {
    let file = file.to_path_buf();
    move |source| VerbError::UnwrittenReport { file, source }
}
