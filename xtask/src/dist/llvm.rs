//! Headers of LLVM, for the pass in packages: of every release that the pass can be built for, since nobody knows which clang is
//! there where a package is installed. Of those that are not installed here, the headers are taken out of packages of Debian and
//! Ubuntu, which apt fetches and verifies.

use super::archives::archives;
use super::must;
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Releases that the pass can be built for, newest first; `crates/native/pass/build/headers.rs` has the same.
pub const RELEASES: [u32; 5] = [22, 21, 20, 19, 18];

const DEBIAN_KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
pub const UBUNTU: &str = "http://archive.ubuntu.com/ubuntu";

/// Folders to look for headers in, as `ELSEWISE_LLVM_INCLUDE` has them. What is fetched is kept in `folder`.
pub fn headers(folder: &Path) -> Result<OsString> {
    let mut all = Vec::new();
    let mut apt = None;
    for release in RELEASES {
        let installed = PathBuf::from(format!("/usr/lib/llvm-{release}/include"));
        let kept = folder.join(format!("{release}/usr/lib/llvm-{release}/include"));
        if installed.join("llvm/Config/llvm-config.h").exists() {
            all.push(installed);
            continue;
        }
        if !kept.join("llvm/Config/llvm-config.h").exists() {
            println!("fetching the headers of LLVM {release}");
            let apt = match &apt {
                Some(apt) => apt,
                None => apt.insert(Apt::new(&folder.join("apt"))?),
            };
            let to = folder.join(release.to_string());
            unpack(&apt.fetch(&format!("llvm-{release}-dev"))?, &to, "include")?;
        }
        all.push(kept);
    }
    Ok(std::env::join_paths(all)?)
}

/// The keys of Ubuntu's archive, which Debian has a package of.
pub fn ubuntu_keys(folder: &Path) -> Result<PathBuf> {
    let name = "usr/share/keyrings/ubuntu-archive-keyring.gpg";
    let installed = Path::new("/").join(name);
    if installed.exists() {
        return Ok(installed);
    }
    let kept = folder.join(name);
    if !kept.exists() {
        let apt = Apt::of(folder, &debian("trixie")?)?;
        unpack(&apt.fetch("ubuntu-keyring")?, folder, "keyrings")?;
    }
    Ok(kept)
}

/// The archive of a suite of Debian, where this machine has its own from.
fn debian(suite: &str) -> Result<String> {
    let archives = archives("trixie")?;
    let main = archives.iter().find(|archive| archive.release == "trixie");
    let uri = &main
        .context("apt on this machine knows no archive of Debian")?
        .uri;
    Ok(format!(
        "deb [signed-by={DEBIAN_KEYS}] {uri} {suite} main\n"
    ))
}

/// Files of a package of which a folder has this name.
fn unpack(deb: &Path, to: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(to)?;
    let script =
        "dpkg-deb --fsys-tarfile \"$0\" | tar --extract --directory \"$1\" --wildcards \"*/$2/*\"";
    must(
        Command::new("sh")
            .args(["-ec", script])
            .arg(deb)
            .arg(to)
            .arg(name),
    )?;
    fs::remove_file(deb)?;
    Ok(())
}

/// An apt of its own, for packages that are not to be installed here.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// With the archives that have the releases of LLVM between them: Debian 13 (18), what was brought back for it (21), and
    /// Ubuntu 24.04 (20); 19 and 22 are in the first, too.
    fn new(folder: &Path) -> Result<Apt> {
        let keys = ubuntu_keys(&folder.join("keys"))?;
        let ubuntu = format!(
            "deb [signed-by={}] {UBUNTU} noble-updates universe\n",
            keys.display()
        );
        Apt::of(
            folder,
            &(debian("trixie")? + &debian("trixie-backports")? + &ubuntu),
        )
    }

    fn of(folder: &Path, sources: &str) -> Result<Apt> {
        fs::create_dir_all(folder.join("lists/partial"))?;
        fs::create_dir_all(folder.join("cache/archives/partial"))?;
        fs::write(folder.join("status"), "")?;
        fs::write(folder.join("sources.list"), sources)?;
        let apt = Apt {
            folder: folder.to_path_buf(),
        };
        must(apt.command().args(["--quiet", "--quiet", "update"]))?;
        Ok(apt)
    }

    fn command(&self) -> Command {
        let place = |name: &str| self.folder.join(name).display().to_string();
        let mut command = Command::new("apt-get");
        for (option, value) in [
            ("Dir::State::lists", place("lists")),
            ("Dir::State::status", place("status")),
            ("Dir::Cache", place("cache")),
            ("Dir::Etc::sourcelist", place("sources.list")),
            ("Dir::Etc::sourceparts", "-".into()),
            ("APT::Architecture", "amd64".into()),
            ("APT::Architectures", "amd64".into()),
            ("APT::Sandbox::User", "root".into()),
            ("Acquire::Languages", "none".into()),
            ("Acquire::Retries", "3".into()),
        ] {
            command.args(["--option", &format!("{option}={value}")]);
        }
        command
    }

    fn fetch(&self, package: &str) -> Result<PathBuf> {
        let to = tempfile::Builder::new()
            .prefix(package)
            .tempdir_in(&self.folder)?
            .keep();
        must(
            self.command()
                .args(["--quiet", "--quiet", "download", package])
                .current_dir(&to),
        )?;
        let mut files = fs::read_dir(&to)?;
        let file = files.next().with_context(|| format!("no {package}"))??;
        ensure!(files.next().is_none(), "one package was asked for");
        let path = self.folder.join(file.file_name());
        fs::rename(file.path(), &path)?;
        fs::remove_dir(&to)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pass_is_built_for_the_same_releases() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let text = fs::read_to_string(root.join("crates/native/pass/build/headers.rs")).unwrap();
        let said = format!(
            "pub const RELEASES: [u32; {}] = {RELEASES:?};",
            RELEASES.len()
        );
        assert!(text.contains(&said), "{said}");
    }

    #[test]
    fn the_github_action_installs_one_of_them_where_the_package_can_be_installed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        let words = RELEASES.map(|release| release.to_string()).join(" ");
        assert!(read("ci/github/action.yml").contains(&format!("for release in {words}; do")));
        // The system of this runner is one of those that `dist --check` tries packages on.
        for file in ["docs/src/ci.md", "ci/github/matrix.yml"] {
            let text = read(file);
            let runners: Vec<&str> = text
                .lines()
                .filter(|line| line.contains("runs-on:"))
                .collect();
            assert!(runners.len() > 1, "{file}");
            for runner in runners {
                assert_eq!(runner.trim(), "runs-on: ubuntu-24.04", "{file}");
            }
        }
        assert!(super::super::check::place("ubuntu-24.04").is_some());
    }
}
