//! Packages for those who do not build Elsewise themselves: a tarball that works wherever it is
//! unpacked, a `.deb` for Debian and Ubuntu, an `.rpm` for Fedora, and recipes for Homebrew and Arch. They have the compiler pass for every release
//! of LLVM that those have.

mod archives;
mod check;
mod deb;
mod llvm;
mod recipes;
mod rpm;

use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of the repository that go into `share/elsewise`, and as what.
const SHARED: [(&str, &str); 3] = [("elsewise/share", ""), ("ci", "ci"), ("deploy", "deploy")];
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Where shells look for completions below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/elsewise"),
    ("zsh", "zsh/vendor-completions/_elsewise"),
    ("fish", "fish/vendor_completions.d/elsewise.fish"),
];

/// What to make, from the words after `dist`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Install the packages in fresh systems and explore something there.
    pub check: bool,
    /// Pack a build without optimisation: quicker to make, for trying this task itself.
    pub debug: bool,
    /// Pack the programs that were built before.
    pub built: bool,
    /// Take the packages that were made before.
    pub made: bool,
    /// Where to check, if not everywhere.
    pub places: Vec<&'static str>,
    /// Where people will find the tarball.
    pub url: Option<String>,
}

impl Options {
    pub fn new(words: &[&str]) -> Option<Options> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--check" => options.check = true,
                "--debug" => options.debug = true,
                "--built" => options.built = true,
                "--made" => options.made = true,
                "--url" => options.url = Some(words.next()?.trim_end_matches('/').into()),
                place if options.check => options.places.push(check::place(place)?),
                _ => return None,
            }
        }
        Some(options)
    }
}

/// What is made.
pub struct Packages {
    pub tarball: PathBuf,
    pub deb: PathBuf,
    pub rpm: PathBuf,
}

impl Packages {
    fn new(target: &Path, version: &str) -> Packages {
        Packages {
            tarball: target.join(format!("{}.tar.gz", name(version))),
            deb: target.join(format!("elsewise_{version}_amd64.deb")),
            rpm: target.join(format!("elsewise-{version}-1.x86_64.rpm")),
        }
    }

    fn all(&self) -> [&Path; 3] {
        [&self.tarball, &self.deb, &self.rpm]
    }
}

/// Of the tarball, and of the folder in it.
fn name(version: &str) -> String {
    format!("elsewise-{version}-x86_64-linux")
}

pub fn run(root: &Path, options: &Options) -> Result<()> {
    let manifest = Manifest::read(root)?;
    let target = root.join("target/dist");
    let packages = Packages::new(&target, &manifest.version);
    if !options.made {
        let programs = match options.built {
            true => manifest.built(root, options.debug),
            false => build(root, &manifest, options.debug)?,
        };
        make(root, &manifest, &programs, &target, &packages)?;
    }
    let version = &manifest.version;
    let usual = recipes::usual_url(version);
    let url = options.url.as_ref().unwrap_or(&usual);
    recipes::write(root, &target, version, url, &packages.tarball)?;
    for file in packages.all() {
        let size = fs::metadata(file)
            .with_context(|| format!("there is no {}", file.display()))?
            .len() as f64
            / f64::from(1 << 20);
        println!("{} ({size:.1} MiB)", file.display());
    }
    match options.check {
        true => check::run(root, &packages, &options.places),
        false => Ok(()),
    }
}

fn make(
    root: &Path,
    manifest: &Manifest,
    programs: &[PathBuf],
    target: &Path,
    packages: &Packages,
) -> Result<()> {
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    let name = name(&manifest.version);
    let tree = target.join(&name);
    fill(root, manifest, programs, &tree)?;
    pack(target, &name, &packages.tarball)?;
    deb::make(target, &tree, manifest, &packages.deb)?;
    rpm::make(target, &tree, manifest, &packages.rpm)?;
    let mut sums = Command::new("sha256sum");
    sums.current_dir(target);
    sums.args(
        packages
            .all()
            .map(|file| file.file_name().unwrap_or_default()),
    );
    let output = sums.output().context("sha256sum cannot be run")?;
    ensure!(output.status.success(), "sha256sum failed");
    fs::write(target.join("SHA256SUMS"), output.stdout)?;
    Ok(())
}

/// What `elsewise/Cargo.toml` says of the programs.
pub struct Manifest {
    pub version: String,
    pub description: String,
    programs: Vec<String>,
}

impl Manifest {
    pub fn read(root: &Path) -> Result<Manifest> {
        let read = |file: &str| -> Result<toml::Table> {
            let path = root.join(file);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Ok(text.parse()?)
        };
        let workspace = read("Cargo.toml")?;
        let package = read("elsewise/Cargo.toml")?;
        let version = workspace["workspace"]["package"]["version"].as_str();
        let description = package["package"]["description"].as_str();
        let programs = package["bin"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|bin| Some(bin.get("name")?.as_str()?.to_string()))
            .collect();
        Ok(Manifest {
            version: version.context("the workspace has no version")?.into(),
            description: description.unwrap_or_default().into(),
            programs,
        })
    }

    /// Where cargo puts the programs.
    fn built(&self, root: &Path, debug: bool) -> Vec<PathBuf> {
        let profile = if debug { "debug" } else { "release" };
        let folder = root.join("target").join(profile);
        self.programs.iter().map(|name| folder.join(name)).collect()
    }
}

fn build(root: &Path, manifest: &Manifest, debug: bool) -> Result<Vec<PathBuf>> {
    let mut cargo = Command::new(env!("CARGO"));
    // Of the whole workspace: with one package alone, features differ and more is built anew.
    cargo.args(["build", "--workspace"]).current_dir(root);
    let include = llvm::headers(&root.join("target/llvm"))?;
    cargo.env("ELSEWISE_LLVM_INCLUDE", include);
    if !debug {
        cargo.arg("--release");
    }
    must(&mut cargo)?;
    Ok(manifest.built(root, debug))
}

/// The tree of the tarball, which is also `/usr` of the package.
fn fill(root: &Path, manifest: &Manifest, programs: &[PathBuf], tree: &Path) -> Result<()> {
    let bin = tree.join("bin");
    fs::create_dir_all(&bin)?;
    for program in programs {
        let to = bin.join(program.file_name().context("a program without a name")?);
        fs::copy(program, &to).with_context(|| format!("{} was not built", program.display()))?;
        must(Command::new("strip").arg("--strip-debug").arg(&to))?;
    }
    if manifest.programs.iter().any(|name| name == "elsewise-cxx") {
        // Some build systems insist on such a name.
        symlink("elsewise-cxx", bin.join("elsewise-c++"))?;
    }
    let include = tree.join("include");
    copy_folder(&root.join("crates/native/driver/include"), &include)?;
    for (folder, name) in SHARED {
        copy_folder(&root.join(folder), &tree.join("share/elsewise").join(name))?;
    }
    let documents = tree.join("share/doc/elsewise");
    fs::create_dir_all(&documents)?;
    for file in DOCUMENTS {
        fs::copy(root.join(file), documents.join(file))?;
    }
    let elsewise = programs
        .iter()
        .find(|program| program.ends_with("elsewise"));
    generate(elsewise.context("there is no program elsewise")?, tree)?;
    let book = root.join("target/book");
    match book.is_dir() {
        true => copy_folder(&book, &documents.join("book"))?,
        false => println!("without the book: run `mdbook build docs` first to have it packed"),
    }
    Ok(())
}

/// What shells complete and `man` shows, from the program's own definition of its flags.
fn generate(elsewise: &Path, tree: &Path) -> Result<()> {
    for (shell, file) in COMPLETIONS {
        let file = tree.join("share").join(file);
        fs::create_dir_all(file.parent().context("a file without a folder")?)?;
        let output = Command::new(elsewise)
            .args(["completions", shell])
            .output()?;
        ensure!(output.status.success(), "no completions for {shell}");
        fs::write(&file, output.stdout)?;
    }
    let pages = tree.join("share/man/man1");
    must(Command::new(elsewise).args(["man", "--out"]).arg(&pages))
}

/// Copies the files below a folder; there are no links among them.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let mut folders = vec![(from.to_path_buf(), to.to_path_buf())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        let entries =
            fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))?;
        for entry in entries {
            let entry = entry?;
            let to = to.join(entry.file_name());
            match entry.file_type()?.is_dir() {
                true => folders.push((entry.path(), to)),
                false => {
                    fs::copy(entry.path(), to)?;
                }
            }
        }
    }
    Ok(())
}

fn pack(target: &Path, name: &str, tarball: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    // The same files make the same bytes.
    tar.args([
        "--create",
        "--gzip",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mtime=@0",
    ]);
    must(
        tar.arg("--file")
            .arg(tarball)
            .arg("--directory")
            .arg(target)
            .arg(name),
    )
}

/// With links as links and modes as they are.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    must(Command::new("cp").arg("--archive").arg(from).arg(to))
}

/// Runs a command that has to succeed.
pub fn must(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("{name} cannot be run: is it installed?"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_options() {
        let both = Options {
            check: true,
            debug: true,
            built: false,
            made: false,
            places: vec!["debian-13"],
            url: None,
        };
        assert_eq!(
            Options::new(&["--debug", "--check", "debian-13"]),
            Some(both)
        );
        assert_eq!(Options::new(&[]), Some(Options::default()));
        assert_eq!(Options::new(&["--chekc"]), None);
        assert_eq!(Options::new(&["--check", "debian-1"]), None);
        assert_eq!(Options::new(&["debian-13"]), None);
    }

    #[test]
    fn every_program_of_the_manifest_is_packed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = Manifest::read(root).unwrap();
        assert!(manifest.programs.iter().any(|name| name == "elsewise"));
        assert!(manifest.programs.iter().any(|name| name == "elsewise-cc"));
        let folder = tempfile::tempdir().unwrap();
        let programs: Vec<PathBuf> = manifest
            .programs
            .iter()
            .map(|name| folder.path().join(name))
            .collect();
        for program in &programs {
            fs::copy("/bin/true", program).unwrap();
        }
        let tree = folder.path().join("tree");
        fill(root, &manifest, &programs, &tree).unwrap();
        for file in [
            "bin/elsewise",
            "bin/elsewise-cc",
            "include/elsewise.h",
            "share/doc/elsewise/LICENSE-MIT",
            "share/bash-completion/completions/elsewise",
            "share/elsewise/ci/explore",
            "share/elsewise/elsewise.cmake",
            "share/elsewise/deploy/Containerfile",
            "share/elsewise/deploy/systemd/elsewise-worker@.service",
        ] {
            assert!(tree.join(file).is_file(), "{file}");
        }
    }
}
