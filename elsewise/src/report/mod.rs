//! `report`: what a campaign holds, as a page for people.

mod html;

use crate::args::ReportArgs;
use crate::campaigns;
use crate::exit::{Exit, Problem};
use crate::output;
use std::fs;
use std::path::{Path, PathBuf};

pub fn report(args: &ReportArgs) -> Result<Exit, Problem> {
    let directory = campaigns::locate(args.campaign.as_deref())?;
    let page = html::page(&directory, false)?;
    let file = args.out.clone().unwrap_or_else(|| page_of(&directory));
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

/// Writes a file that the user named.
fn write(file: &Path, text: &str) -> Result<(), Problem> {
    fs::write(file, text).map_err(|error| {
        Problem::usage(format!(
            "cannot write {}: {error}; give --out a file that can be written",
            file.display()
        ))
    })
}
