//! What a new campaign begins with: its folder, its database, the bounds of its tree.

use crate::store::{README, StoreWriter};
use crate::{CampaignError, Options};
use elsewise_explore::{Blueprint, Bounds};
use std::fs;
use std::path::Path;

/// What the tree of a campaign is bounded by.
pub(crate) fn bounds_of(options: &Options) -> Bounds {
    Bounds {
        depth: options.depth,
        values: options.max_values.max(1),
        ..Bounds::default()
    }
}

/// Folders that a campaign begins with.
pub(crate) const FOLDERS: [&str; 2] = ["cases", "findings"];

/// Makes all that is there before the first run.
pub(crate) fn create(
    dir: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<StoreWriter, CampaignError> {
    for name in FOLDERS {
        let path = dir.join(name);
        fs::create_dir_all(&path).map_err(CampaignError::io("create", &path))?;
    }
    let readme = dir.join("README.txt");
    fs::write(&readme, README).map_err(CampaignError::io("write", &readme))?;
    let meta = [
        ("build", blueprint.build.clone()),
        ("title", options.title.clone()),
        ("identity", options.identity()),
        ("solver", options.solver_identity()),
    ];
    StoreWriter::create(dir, &meta, &blueprint.sites)
}
