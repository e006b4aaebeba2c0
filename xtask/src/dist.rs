//! Packages for those who do not build Elsewise themselves: a tarball that works wherever it is
//! unpacked, and a `.deb` for Debian 12.

mod check;

use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What subjects are built with, and the libraries of our programs. Z3 and gdb are optional, as
/// `elsewise doctor` says; libclang-rt is for `--sanitize`.
const DEPENDS: &str =
    "libc6 (>= 2.36), libgcc-s1, libstdc++6, clang-22, lld-22, llvm-22, libc6-dev";
const RECOMMENDS: &str = "libclang-rt-22-dev, libz3-4, gdb";
/// Parts of the repository that go into `share/elsewise` and `share/doc/elsewise`.
const SHARED: [&str; 1] = ["elsewise/share"];
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Where shells look for completions below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/elsewise"),
    ("zsh", "zsh/vendor-completions/_elsewise"),
    ("fish", "fish/vendor_completions.d/elsewise.fish"),
];

/// What to make, from the words after `dist`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Install the `.deb` in a fresh Debian and explore something there.
    pub check: bool,
    /// Pack a build without optimisation: quicker to make, for trying this task itself.
    pub debug: bool,
}

impl Options {
    pub fn new(words: &[&str]) -> Option<Options> {
        let mut options = Options::default();
        for word in words {
            match *word {
                "--check" => options.check = true,
                "--debug" => options.debug = true,
                _ => return None,
            }
        }
        Some(options)
    }
}

pub fn run(root: &Path, options: Options) -> Result<()> {
    let manifest = Manifest::read(root)?;
    let programs = build(root, &manifest, options.debug)?;
    let name = format!("elsewise-{}-x86_64-linux", manifest.version);
    let target = root.join("target/dist");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let tree = target.join(&name);
    fill(root, &manifest, &programs, &tree)?;
    let tarball = target.join(format!("{name}.tar.gz"));
    pack(&target, &name, &tarball)?;
    let deb = target.join(format!("elsewise_{}_amd64.deb", manifest.version));
    make_deb(&target, &tree, &manifest, &deb)?;
    for file in [&tarball, &deb] {
        let size = fs::metadata(file)?.len() as f64 / f64::from(1 << 20);
        println!("{} ({size:.1} MiB)", file.display());
    }
    match options.check {
        true => check::run(&tarball, &deb),
        false => Ok(()),
    }
}

/// What `elsewise/Cargo.toml` says of the programs.
struct Manifest {
    version: String,
    description: String,
    programs: Vec<String>,
}

impl Manifest {
    fn read(root: &Path) -> Result<Manifest> {
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
}

fn build(root: &Path, manifest: &Manifest, debug: bool) -> Result<Vec<PathBuf>> {
    let mut cargo = Command::new(env!("CARGO"));
    // Of the whole workspace: with one package alone, features differ and more is built anew.
    cargo.args(["build", "--workspace"]).current_dir(root);
    if !debug {
        cargo.arg("--release");
    }
    must(&mut cargo)?;
    let folder = root
        .join("target")
        .join(if debug { "debug" } else { "release" });
    let programs = manifest.programs.iter().map(|name| folder.join(name));
    Ok(programs.collect())
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
    for folder in SHARED {
        copy_folder(&root.join(folder), &tree.join("share/elsewise"))?;
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
    copy_folder(&root.join("ci"), &tree.join("share/elsewise/ci"))?;
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

fn make_deb(target: &Path, tree: &Path, manifest: &Manifest, deb: &Path) -> Result<()> {
    let place = target.join("deb");
    copy_tree(tree, &place.join("usr"))?;
    let control = place.join("DEBIAN");
    fs::create_dir_all(&control)?;
    fs::write(control.join("control"), control_file(manifest))?;
    must(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "--build"])
            .arg(&place)
            .arg(deb),
    )?;
    fs::remove_dir_all(&place)?;
    Ok(())
}

fn control_file(manifest: &Manifest) -> String {
    format!(
        "Package: elsewise\n\
         Version: {}\n\
         Architecture: amd64\n\
         Maintainer: The Elsewise developers <elsewise@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Depends: {DEPENDS}\n\
         Recommends: {RECOMMENDS}\n\
         Description: concolic tester for C and C++\n \
         {}\n",
        manifest.version, manifest.description
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
        };
        assert_eq!(Options::new(&["--debug", "--check"]), Some(both));
        assert_eq!(Options::new(&[]), Some(Options::default()));
        assert_eq!(Options::new(&["--chekc"]), None);
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
        ] {
            assert!(tree.join(file).is_file(), "{file}");
        }
        let control = control_file(&manifest);
        assert!(control.contains(&format!("\nVersion: {}\n", manifest.version)));
        // A description goes on in lines that begin with a space.
        assert!(control.trim_end().lines().last().unwrap().starts_with(' '));
    }
}
