//! Source packages of the distribution, through a list of sources and a state of our own, so that
//! nothing of the system changes.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// Gets the lists of source packages, into a state of our own, unless they are young.
pub fn fetch_lists(cache: &Path) -> Result<()> {
    let sources = cache.join("apt/sources");
    let lists = cache.join("apt/lists");
    for folder in [
        &sources,
        &lists.join("partial"),
        &cache.join("apt/archives/partial"),
        &cache.join("source"),
    ] {
        fs::create_dir_all(folder)?;
    }
    let configuration = format!(
        "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{}\";\n\
         Dir::State::lists \"{}\";\nDir::Cache \"{}\";\nAPT::Sandbox::User \"\";\n",
        sources.display(),
        lists.display(),
        cache.join("apt").display()
    );
    fs::write(cache.join("apt/apt.conf"), configuration)?;
    let young = fs::metadata(cache.join("apt/stamp"))
        .and_then(|found| found.modified())
        .is_ok_and(|time| {
            time.elapsed()
                .is_ok_and(|age| age < Duration::from_secs(86_400))
        });
    if young {
        return Ok(());
    }
    let found = source_lists(Path::new("/etc/apt"))?;
    ensure!(
        !found.is_empty(),
        "no list of packages in /etc/apt: this task is for Debian and its kin"
    );
    for (name, text) in found {
        fs::write(sources.join(name), text)?;
    }
    let status = apt(cache, &["update"])?;
    ensure!(
        status,
        "the lists of source packages cannot be had: see above"
    );
    fs::write(cache.join("apt/stamp"), "")?;
    Ok(())
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

fn apt(cache: &Path, args: &[&str]) -> Result<bool> {
    let status = Command::new("timeout")
        .args([
            "300",
            "apt-get",
            "--quiet",
            "--quiet",
            "-o",
            "Acquire::Retries=3",
        ])
        .args(args)
        .current_dir(cache.join("source"))
        .env("APT_CONFIG", cache.join("apt/apt.conf"))
        .stdin(Stdio::null())
        .status()
        .context("apt-get cannot be run")?;
    Ok(status.success())
}

/// The unpacked source of a package.
pub fn fetch(cache: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let folder = cache.join("source").join(format!("{name}-{version}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let wanted = format!("{name}={version}");
    if !apt(cache, &["source", "--download-only", &wanted])? {
        bail!("the source of {wanted} cannot be had; is there a newer version? Change its recipe");
    }
    // The file's name has the version without its epoch.
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let status = Command::new("dpkg-source")
        .args(["--extract", &format!("{name}_{version}.dsc")])
        .arg(&folder)
        .current_dir(cache.join("source"))
        .stdout(Stdio::null())
        .status()
        .context("dpkg-source cannot be run: apt-get install dpkg-dev")?;
    ensure!(status.success(), "{wanted} cannot be unpacked");
    Ok(folder)
}

/// The unpacked source of a package as its authors gave it out, without what the distribution changes:
/// for packages whose changes the archive no longer has.
pub fn fetch_original(cache: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let folder = cache.join("original").join(format!("{name}-{version}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let wanted = format!("{name}={version}");
    if !apt(cache, &["source", "--download-only", "--tar-only", &wanted])? {
        bail!("the source of {wanted} cannot be had; is there a newer version? Change its entry");
    }
    let prefix = format!("{name}_{}.orig.tar.", without_revision(version));
    let mut files = fs::read_dir(cache.join("source"))?.filter_map(Result::ok);
    let archive = files
        .find(|file| file.file_name().to_string_lossy().starts_with(&prefix))
        .with_context(|| format!("apt-get has left no file of {wanted}"))?;
    let part = cache.join("original/part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    fs::create_dir_all(&part)?;
    let status = Command::new("tar")
        .args(["--extract", "--strip-components=1", "--file"])
        .arg(archive.path())
        .arg("--directory")
        .arg(&part)
        .status()
        .context("tar cannot be run")?;
    ensure!(status.success(), "{wanted} cannot be unpacked");
    // What was interrupted is not taken for the whole.
    fs::rename(&part, &folder)?;
    Ok(folder)
}

/// The version as it stands in the name of the authors' archive.
fn without_revision(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    version.rsplit_once('-').map_or(version, |(first, _)| first)
}

/// The files of a built package, which is not installed: for headers.
pub fn fetch_built(cache: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let folder = cache.join("built").join(format!("{name}-{version}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let part = cache.join("built/part");
    let archives = cache.join("built/archives");
    fs::create_dir_all(&archives)?;
    let wanted = format!("{name}={version}");
    // The system's own lists say where it is; they are only read.
    let status = Command::new("timeout")
        .args(["300", "apt-get", "--quiet", "--quiet", "download", &wanted])
        .current_dir(&archives)
        .stdin(Stdio::null())
        .status()
        .context("apt-get cannot be run")?;
    ensure!(
        status.success(),
        "{wanted} cannot be had; is there a newer version? Change its program"
    );
    let prefix = format!("{name}_");
    let mut files = fs::read_dir(&archives)?.filter_map(Result::ok);
    let archive = files
        .find(|file| file.file_name().to_string_lossy().starts_with(&prefix))
        .with_context(|| format!("apt-get has left no file of {wanted}"))?;
    let status = Command::new("dpkg-deb")
        .arg("--extract")
        .arg(archive.path())
        .arg(&part)
        .status()
        .context("dpkg-deb cannot be run")?;
    ensure!(status.success(), "{wanted} cannot be unpacked");
    // What was interrupted is not taken for the whole.
    fs::rename(&part, &folder)?;
    Ok(folder)
}

/// The version without what the distribution adds to it.
pub fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
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
        fs::write(
            etc.path().join("sources.list"),
            "# mine\ndeb http://host/debian x main\n",
        )
        .unwrap();
        fs::write(
            parts.join("a.sources"),
            "Types: deb\nURIs: http://host/debian\n",
        )
        .unwrap();
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
