//! Makes a release: its version, its date in the changelog, its packages. What is published is said at the end; nothing is.

use crate::dist;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Files that name the `.deb` of the version.
const NAMING: [&str; 2] = ["docs/src/ci.md", "ci/github/matrix.yml"];
const UNRELEASED: &str = "## [Unreleased]";

/// What to make, from the words after `release`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    version: String,
    /// Only say what would be changed.
    dry_run: bool,
    /// Where people will find what is published.
    url: Option<String>,
}

impl Options {
    pub fn new(words: &[&str]) -> Option<Options> {
        let mut options = Options {
            version: String::new(),
            dry_run: false,
            url: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--dry-run" => options.dry_run = true,
                "--url" => options.url = Some(words.next()?.to_string()),
                version if options.version.is_empty() && numbers(version).is_some() => {
                    options.version = version.into();
                }
                _ => return None,
            }
        }
        (!options.version.is_empty()).then_some(options)
    }
}

pub fn run(root: &Path, options: &Options) -> Result<()> {
    let version = &options.version;
    let old = dist::Manifest::read(root)?.version;
    ensure!(
        numbers(version) > numbers(&old),
        "{version} does not follow {old}, which is the version now"
    );
    let changed = output(root, "git", &["status", "--porcelain"])?;
    if !changed.is_empty() {
        match options.dry_run {
            true => println!("not committed yet, which a release would refuse:\n{changed}"),
            false => bail!("not committed yet:\n{changed}commit it, or put it away, first"),
        }
    }
    let today = output(root, "date", &["--utc", "+%F"])?;
    let mut texts = Vec::new();
    let mut change = |file: &str, to: &dyn Fn(&str) -> Result<String>| -> Result<()> {
        let text = fs::read_to_string(root.join(file)).with_context(|| format!("no {file}"))?;
        let new = to(&text).with_context(|| file.to_string())?;
        texts.push((file.to_string(), new));
        Ok(())
    };
    change("Cargo.toml", &|text| manifest(text, &old, version))?;
    change("Cargo.lock", &|text| Ok(lock(text, &old, version)))?;
    change("CHANGELOG.md", &|text| {
        changelog(text, version, today.trim())
    })?;
    for file in NAMING {
        change(file, &|text| naming(text, &old, version))?;
    }
    if options.dry_run {
        for (file, text) in &texts {
            show(root, file, text)?;
        }
        println!("nothing was changed; without --dry-run, packages are built then");
        return Ok(());
    }
    for (file, text) in &texts {
        fs::write(root.join(file), text)?;
    }
    // Cargo agrees that nothing else of the lock has to change.
    output(
        root,
        env!("CARGO"),
        &["metadata", "--locked", "--format-version", "1"],
    )?;
    let packages = dist::Options {
        url: options.url.clone(),
        ..dist::Options::default()
    };
    dist::run(root, &packages)?;
    println!(
        "
Look at what was changed (`git diff`), try the packages (`cargo xtask dist --made --check`), and publish:

  git commit --all --message 'Release {version}' && git tag v{version}
  git push origin HEAD v{version}
  gh release create v{version} --notes-file target/dist/NOTES.md target/dist/*.{{tar.gz,deb,rpm}} target/dist/SHA256SUMS

  elsewise.rb goes into the Homebrew tap, PKGBUILD and SRCINFO (as .SRCINFO) to the AUR."
    );
    let text = fs::read_to_string(root.join("CHANGELOG.md"))?;
    fs::write(root.join("target/dist/NOTES.md"), notes(&text, version)?)?;
    Ok(())
}

/// The three numbers of a version.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

fn manifest(text: &str, old: &str, new: &str) -> Result<String> {
    let (before, package) = text
        .split_once("[workspace.package]\n")
        .context("there is no [workspace.package]")?;
    let line = format!("version = \"{old}\"\n");
    ensure!(package.starts_with(&line), "the version comes first there");
    let rest = &package[line.len()..];
    Ok(format!(
        "{before}[workspace.package]\nversion = \"{new}\"\n{rest}"
    ))
}

/// Packages of the workspace have no source.
fn lock(text: &str, old: &str, new: &str) -> String {
    let version = |version: &str| format!("\nversion = \"{version}\"\n");
    let packages: Vec<String> = text
        .split("\n\n")
        .map(|package| match package.contains("\nsource = ") {
            true => package.to_string(),
            // The last line may be the version's.
            false => format!("{package}\n")
                .replacen(&version(old), &version(new), 1)
                .trim_end_matches('\n')
                .to_string(),
        })
        .collect();
    packages.join("\n\n").trim_end().to_string() + "\n"
}

/// What was not released yet gets a version and a date; a section for what comes next stays.
fn changelog(text: &str, version: &str, date: &str) -> Result<String> {
    let heading = format!("## [{version}]");
    ensure!(!text.contains(&heading), "it has {heading} already");
    let (before, after) = text
        .split_once(&format!("{UNRELEASED}\n"))
        .with_context(|| format!("it has no {UNRELEASED}"))?;
    let news = after.split("\n## [").next().unwrap_or_default();
    ensure!(
        news.lines().any(|line| line.starts_with("- ")),
        "nothing stands under {UNRELEASED}"
    );
    Ok(format!(
        "{before}{UNRELEASED}\n\n{heading} - {date}\n{after}"
    ))
}

/// What the changelog says of a version.
fn notes(text: &str, version: &str) -> Result<String> {
    let (_, section) = text
        .split_once(&format!("## [{version}]"))
        .context("the changelog does not have it")?;
    let (_, section) = section.split_once('\n').context("the section is empty")?;
    let section = section.split("\n## [").next().unwrap_or_default();
    Ok(format!("{}\n", section.trim()))
}

fn naming(text: &str, old: &str, new: &str) -> Result<String> {
    let file = |version: &str| format!("elsewise_{version}_amd64.deb");
    ensure!(text.contains(&file(old)), "it does not name {}", file(old));
    Ok(text.replace(&file(old), &file(new)))
}

/// The difference between a file and its text to be.
fn show(root: &Path, file: &str, text: &str) -> Result<()> {
    let mut diff = Command::new("diff")
        .args(["--unified=1", "--label", file, "--label", file, file, "-"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .spawn()
        .context("diff cannot be run")?;
    let mut input = diff.stdin.take().context("diff reads")?;
    input.write_all(text.as_bytes())?;
    drop(input);
    // 1: they differ.
    ensure!(diff.wait()?.code() == Some(1), "{file} would not change");
    Ok(())
}

fn output(root: &Path, program: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(root)
        .output()
        .with_context(|| format!("{program} cannot be run"))?;
    ensure!(
        output.status.success(),
        "{program} {args:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_options() {
        let options = Options::new(&["1.2.3", "--dry-run"]).unwrap();
        assert!(options.dry_run && options.version == "1.2.3");
        for wrong in [
            &["1.2"][..],
            &[],
            &["--dry-run"],
            &["1.2.3", "1.2.4"],
            &["1.2.x"],
        ] {
            assert_eq!(Options::new(wrong), None);
        }
        assert!(numbers("0.10.0") > numbers("0.9.12"));
    }

    #[test]
    fn only_packages_of_the_workspace_get_the_version() {
        let text = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"registry\"\n\n\
                    [[package]]\nname = \"b\"\nversion = \"0.1.0\"\ndependencies = [\n \"a\",\n]\n\n\
                    [[package]]\nname = \"c\"\nversion = \"0.1.0\"\n";
        let new = lock(text, "0.1.0", "0.2.0");
        assert_eq!(
            new,
            text.replace("\"b\"\nversion = \"0.1.0\"", "\"b\"\nversion = \"0.2.0\"")
                .replace("\"c\"\nversion = \"0.1.0\"", "\"c\"\nversion = \"0.2.0\"")
        );
        let text = "[workspace]\nversion = \"0.1.0\"\n[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        assert_eq!(
            manifest(text, "0.1.0", "0.2.0").unwrap(),
            "[workspace]\nversion = \"0.1.0\"\n[workspace.package]\nversion = \"0.2.0\"\nedition = \"2024\"\n"
        );
    }

    #[test]
    fn the_changelog_gets_a_date_and_room_for_what_comes_next() {
        let text = "# Changelog\n\n## [Unreleased]\n\nNotes.\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n";
        let new = changelog(text, "0.2.0", "2026-02-02").unwrap();
        assert_eq!(
            new,
            "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n\nNotes.\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n"
        );
        assert_eq!(
            notes(&new, "0.2.0").unwrap(),
            "Notes.\n\n### Added\n\n- A.\n"
        );
        assert_eq!(notes(&new, "0.1.0").unwrap(), "- Old.\n");
        // Again there is nothing to release.
        let error = changelog(&new, "0.3.0", "2026-03-03").unwrap_err();
        assert!(error.to_string().contains("nothing stands under"));
        assert!(changelog(&new, "0.2.0", "2026-03-03").is_err());
    }

    #[test]
    fn the_repository_can_be_released() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let version = dist::Manifest::read(root).unwrap().version;
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        let new = manifest(&read("Cargo.toml"), &version, "99.0.0").unwrap();
        assert!(new.contains("version = \"99.0.0\""));
        let members = read("Cargo.lock").matches("\nname = \"elsewise").count();
        let new = lock(&read("Cargo.lock"), &version, "99.0.0");
        assert!(new.matches("\nversion = \"99.0.0\"\n").count() > members);
        assert_eq!(
            new.len() - read("Cargo.lock").len(),
            new.matches("99.0.0").count() * ("99.0.0".len() - version.len())
        );
        for file in NAMING {
            naming(&read(file), &version, "99.0.0").unwrap();
        }
        assert!(read("CHANGELOG.md").contains(UNRELEASED));
    }
}
