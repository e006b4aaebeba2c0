//! Archives of Debian, as apt on this machine knows them.

use anyhow::{Context, Result, bail};
use std::fs;
use std::process::Command;

pub struct Archive {
    pub uri: String,
    pub release: String,
    pub component: String,
}

/// The archives of Debian that apt uses here, of another suite than this machine's if that has to be.
pub fn archives(suite: &str) -> Result<Vec<Archive>> {
    let about = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let own = about
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .context("/etc/os-release names no suite: this check is for Debian")?;
    let output = Command::new("apt-get")
        .args([
            "indextargets",
            "--format",
            "$(REPO_URI) $(RELEASE) $(COMPONENT)",
            "Created-By: Packages",
            "Origin: Debian",
        ])
        .output()
        .context("apt-get cannot be run: this check is for Debian")?;
    let text = String::from_utf8(output.stdout)?;
    let mut archives = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [uri, release, component] = words.as_slice() else {
            bail!("apt-get indextargets says `{line}`");
        };
        if let Some(part) = release.strip_prefix(own) {
            archives.push(Archive {
                uri: uri.to_string(),
                release: format!("{suite}{part}"),
                component: component.to_string(),
            });
        }
    }
    Ok(archives)
}
