//! `completions` and `man`: what shells and manuals know of the command line, from its definition.

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::error::VerbError;
use crate::output;
use elsewise_frontend::{Exit, Problem};
use std::fs;

pub fn completions(args: &CompletionsArgs) -> Result<Exit, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "elsewise", &mut text);
    output::raw(&String::from_utf8_lossy(&text));
    Ok(Exit::Clean)
}

pub fn man(args: &ManArgs) -> Result<Exit, Problem> {
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&args.out)?;
        clap_mangen::generate_to(args::command(), &args.out)
    };
    write().map_err(|source| VerbError::UnwrittenPages {
        folder: args.out.clone(),
        source,
    })?;
    Ok(Exit::Clean)
}
