//! `cache`: what is kept of earlier builds, and how to be rid of it.

use crate::program_error::ProgramError;
use clap::{Args, ValueEnum};
use elsewise_driver::Cache;
use elsewise_driver::builds::{self, Builds};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, notices};
use serde::Serialize;

/// Show how much is kept of earlier builds, or remove it.
///
/// What was built once and has not changed is taken from there by `elsewise explore`, `elsewise-cc`
/// and `elsewise-cxx`. What was not used for the longest time goes first. ELSEWISE_CACHE_SIZE in the
/// environment says how many MiB are kept at most; with 0 nothing is kept or used.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// What to do; without it, what is there is shown.
    #[arg(value_enum)]
    pub action: Option<CacheAction>,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CacheAction {
    /// Remove all of it.
    Clear,
}

#[derive(Serialize)]
struct CacheUsage {
    schema: u32,
    folder: String,
    builds: u64,
    bytes: u64,
    /// What all builds together may take.
    limit: u64,
    /// Whether they were removed just now.
    cleared: bool,
}

pub fn cache(args: &CacheArgs) -> Result<Exit, Problem> {
    let cache = Cache::user().map_err(ProgramError::Installation)?;
    let folder = Builds::folder_of(&cache);
    let limit = builds::limit().map_err(ProgramError::Installation)?;
    let all = Builds::at(folder.clone(), limit);
    let cleared = args.action == Some(CacheAction::Clear);
    let usage = match cleared {
        true => all.clear().map_err(|source| ProgramError::NotCleared {
            folder: folder.clone(),
            source,
        })?,
        false => all.usage(),
    };
    let kept = CacheUsage {
        schema: 1,
        folder: folder.display().to_string(),
        builds: usage.entries,
        bytes: usage.bytes,
        limit,
        cleared,
    };
    match args.format {
        Format::Text => notices::result(&text(&kept)),
        Format::Json => notices::json(&kept)?,
    }
    Ok(Exit::Clean)
}

fn text(kept: &CacheUsage) -> String {
    let builds = match kept.builds {
        1 => "1 build".to_string(),
        number => format!("{number} builds"),
    };
    let size = mebibytes(kept.bytes);
    if kept.cleared {
        return format!("{builds} removed, {size}: {}\n", kept.folder);
    }
    let limit = match kept.limit {
        0 => "nothing is kept (ELSEWISE_CACHE_SIZE is 0)".to_string(),
        limit => format!("at most {} are kept", mebibytes(limit)),
    };
    format!("{builds}, {size}; {limit}\n{}\n", kept.folder)
}

pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / (1 << 20) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_said_in_two_lines() {
        let mut kept = CacheUsage {
            schema: 1,
            folder: "cache/elsewise/builds".into(),
            builds: 12,
            bytes: 3 << 19,
            limit: 2 << 30,
            cleared: false,
        };
        assert_eq!(
            text(&kept),
            "12 builds, 1.5 MiB; at most 2048.0 MiB are kept\ncache/elsewise/builds\n"
        );
        kept.cleared = true;
        assert_eq!(
            text(&kept),
            "12 builds removed, 1.5 MiB: cache/elsewise/builds\n"
        );
    }
}
