//! Packages of registries, pinned by version and kept in a cache; nothing of the system changes.
//!
//! Those of the distribution come from the machine's own archive, through a list of sources and a state of
//! our own.

use crate::compile::{empty, output, succeed};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// `$ELSEWISE_PACKAGES`, else a folder in the user's cache.
pub fn cache() -> Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = set("ELSEWISE_PACKAGES")
        .map(PathBuf::from)
        .or_else(|| set("XDG_CACHE_HOME").map(|home| PathBuf::from(home).join("elsewise-packages")))
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache/elsewise-packages")))
        .context("neither HOME nor ELSEWISE_PACKAGES is set")?;
    fs::create_dir_all(&cache)?;
    Ok(cache)
}

/// A folder that is filled under another name: what was interrupted is not taken for the whole.
fn kept(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    if !folder.is_dir() {
        let part = folder.with_file_name("part");
        empty(&part)?;
        fill(&part)?;
        fs::rename(&part, folder)?;
    }
    Ok(folder.to_path_buf())
}

/// The unpacked source of a package of the distribution.
pub fn fetch(name: &str, version: &str) -> Result<PathBuf> {
    let cache = cache()?;
    kept(&cache.join(format!("source/{name}-{version}")), |part| {
        let archives = download(&cache, name, version, &["source", "--download-only"])?;
        let file = format!("{name}_{}.dsc", without_epoch(version));
        // It wants to make the folder itself.
        fs::remove_dir(part)?;
        let mut command = Command::new("dpkg-source");
        command.args(["--extract", &file]).arg(part);
        succeed(command.current_dir(archives))
    })
}

/// The unpacked source of a package as its authors gave it out, without what the distribution changes:
/// for packages whose changes the archive no longer has.
pub fn fetch_original(name: &str, version: &str) -> Result<PathBuf> {
    let cache = cache()?;
    kept(&cache.join(format!("original/{name}-{version}")), |part| {
        let words = ["source", "--download-only", "--tar-only"];
        let archives = download(&cache, name, version, &words)?;
        let prefix = format!("{name}_{}.orig.tar.", without_revision(version));
        unpack(&beginning(&archives, &prefix)?, part)
    })
}

/// The files of a built package, which is not installed: for headers.
pub fn fetch_built(name: &str, version: &str) -> Result<PathBuf> {
    let cache = cache()?;
    kept(&cache.join(format!("built/{name}-{version}")), |part| {
        // The system's own lists say where it is; they are only read.
        let mut command = apt();
        command.args(["download", &format!("{name}={version}")]);
        succeed(command.current_dir(part))?;
        let archive = beginning(part, &format!("{name}_"))?;
        succeed(
            Command::new("dpkg-deb")
                .arg("--extract")
                .arg(&archive)
                .arg(part),
        )?;
        Ok(fs::remove_file(archive)?)
    })
}

/// The files of a package of npm, none of which is run.
pub fn fetch_npm(name: &str, version: &str) -> Result<PathBuf> {
    let folder = format!("npm-{}-{version}", name.replace(['@', '/'], "-"));
    kept(&cache()?.join(folder), |part| {
        let mut command = Command::new("npm");
        command.args(["pack", "--silent", &format!("{name}@{version}")]);
        let said = output(command.current_dir(part))?;
        unpack(&part.join(said.trim()), part)
    })
}

fn unpack(archive: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new("tar");
    command.args(["--extract", "--strip-components=1", "--file"]);
    succeed(command.arg(archive).arg("--directory").arg(to))
}

/// The file in a folder whose name begins so.
fn beginning(folder: &Path, prefix: &str) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?.filter_map(Result::ok);
    let found = files.find(|file| file.file_name().to_string_lossy().starts_with(prefix));
    let found = found.with_context(|| format!("no file {prefix}... was left"))?;
    Ok(found.path())
}

/// Has apt-get put files of a source package into a folder.
fn download(cache: &Path, name: &str, version: &str, words: &[&str]) -> Result<PathBuf> {
    update_lists(cache)?;
    let archives = cache.join("apt/archives");
    let wanted = format!("{name}={version}");
    let mut command = apt();
    command.args(words).arg(&wanted).current_dir(&archives);
    let got = succeed(command.env("APT_CONFIG", cache.join("apt/apt.conf")));
    got.with_context(|| format!("no {wanted}; is there a newer version? Change its entry"))?;
    Ok(archives)
}

fn apt() -> Command {
    let mut command = Command::new("timeout");
    let options = ["--quiet", "--quiet", "-o", "Acquire::Retries=3"];
    command.args(["300", "apt-get"]).args(options);
    command
}

/// Gets the lists of source packages, into a state of our own, unless they are young.
fn update_lists(cache: &Path) -> Result<()> {
    let sources = cache.join("apt/sources");
    let lists = cache.join("apt/lists");
    fs::create_dir_all(&sources)?;
    fs::create_dir_all(lists.join("partial"))?;
    fs::create_dir_all(cache.join("apt/archives/partial"))?;
    let configuration = format!(
        "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{}\";\n\
         Dir::State::lists \"{}\";\nDir::Cache \"{}\";\nAPT::Sandbox::User \"\";\n",
        sources.display(),
        lists.display(),
        cache.join("apt").display()
    );
    fs::write(cache.join("apt/apt.conf"), configuration)?;
    let stamp = cache.join("apt/stamp");
    let changed = fs::metadata(&stamp).and_then(|found| found.modified());
    let age = changed.ok().and_then(|time| time.elapsed().ok());
    if age.is_some_and(|age| age < Duration::from_secs(86_400)) {
        return Ok(());
    }
    let found = source_lists(Path::new("/etc/apt"))?;
    ensure!(
        !found.is_empty(),
        "no list of packages in /etc/apt: this measurement is for Debian and its kin"
    );
    for (name, text) in found {
        fs::write(sources.join(name), text)?;
    }
    let mut command = apt();
    command
        .arg("update")
        .env("APT_CONFIG", cache.join("apt/apt.conf"));
    succeed(&mut command).context("the lists of source packages cannot be had")?;
    Ok(fs::write(stamp, "")?)
}

/// The system's lists with sources asked for in place of built packages.
fn source_lists(etc: &Path) -> Result<Vec<(String, String)>> {
    let mut out = Vec::new();
    let mut paths = vec![etc.join("sources.list")];
    if let Ok(entries) = fs::read_dir(etc.join("sources.list.d")) {
        for entry in entries {
            paths.push(entry?.path());
        }
    }
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let (Some(ending @ ("list" | "sources")), Ok(text)) = (ending, fs::read_to_string(&path))
        else {
            continue;
        };
        let changed: Vec<String> = text
            .lines()
            .map(|line| match line.strip_prefix("deb ") {
                Some(rest) => format!("deb-src {rest}"),
                None if line.starts_with("Types:") => "Types: deb-src".to_string(),
                None => line.to_string(),
            })
            .collect();
        out.push((format!("{}.{ending}", out.len()), changed.join("\n") + "\n"));
    }
    Ok(out)
}

/// As it stands in the names of files.
fn without_epoch(version: &str) -> &str {
    version.split_once(':').map_or(version, |(_, rest)| rest)
}

/// The version as it stands in the name of the authors' archive.
fn without_revision(version: &str) -> &str {
    let version = without_epoch(version);
    version.rsplit_once('-').map_or(version, |(first, _)| first)
}

/// The version without what the distribution adds to it.
pub fn upstream(version: &str) -> &str {
    let version = without_epoch(version);
    let version = version.split_once('-').map_or(version, |(first, _)| first);
    let version = version.split_once('+').map_or(version, |(first, _)| first);
    version.strip_suffix(".dfsg").unwrap_or(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_sources_are_made_from_the_systems() {
        let etc = tempfile::tempdir().unwrap();
        let parts = etc.path().join("sources.list.d");
        fs::create_dir(&parts).unwrap();
        let own = "# mine\ndeb http://host/debian x main\n";
        fs::write(etc.path().join("sources.list"), own).unwrap();
        let more = "Types: deb\nURIs: http://host/debian\n";
        fs::write(parts.join("a.sources"), more).unwrap();
        fs::write(parts.join("b.list.off"), "deb http://elsewhere/ x main\n").unwrap();
        let found = source_lists(etc.path()).unwrap();
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "# mine\ndeb-src http://host/debian x main\n",
                "Types: deb-src\nURIs: http://host/debian\n"
            ]
        );
    }

    #[test]
    fn versions() {
        assert_eq!(upstream("1:1.2.13.dfsg-1"), "1.2.13");
        assert_eq!(upstream("9.0.0+dfsg-3.1"), "9.0.0");
        assert_eq!(upstream("0.2.5-1"), "0.2.5");
        assert_eq!(without_revision("1:1.6.0+dfsg-1"), "1.6.0+dfsg");
        assert_eq!(without_revision("1.0"), "1.0");
    }
}
