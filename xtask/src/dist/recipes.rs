//! Recipes for package managers that install the tarball: those in `packaging`, with what is known of the tarball filled in.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Recipes, and what they are called beside the tarball.
const RECIPES: [(&str, &str); 3] = [
    ("homebrew/elsewise.rb", "elsewise.rb"),
    ("aur/PKGBUILD", "PKGBUILD"),
    ("aur/SRCINFO", "SRCINFO"),
];

/// Where releases are, as far as the repository knows.
pub fn usual_url(version: &str) -> String {
    format!("https://github.com/OWNER/elsewise/releases/download/v{version}")
}

/// Writes the recipes for a tarball that people find at this address.
pub fn write(root: &Path, target: &Path, version: &str, url: &str, tarball: &Path) -> Result<()> {
    let sum = checksum(tarball)?;
    // The page of the project stands before its releases.
    let home = url.split("/releases/").next().unwrap_or(url);
    for (recipe, name) in RECIPES {
        let from = root.join("packaging").join(recipe);
        let text =
            fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?;
        let text = text
            .lines()
            .filter(|line| !line.contains("fills in what stands between"))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
            .replace("@VERSION@", version)
            .replace("@URL@", url)
            .replace("@SHA256@", &sum)
            .replace("https://github.com/OWNER/elsewise", home);
        fs::write(target.join(name), text)?;
    }
    Ok(())
}

fn checksum(file: &Path) -> Result<String> {
    let output = Command::new("sha256sum").arg(file).output()?;
    ensure!(output.status.success(), "sha256sum failed");
    let text = String::from_utf8(output.stdout)?;
    let sum = text.split_whitespace().next();
    Ok(sum.context("sha256sum says nothing")?.into())
}

#[cfg(test)]
mod tests {
    use super::super::name;
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    #[test]
    fn recipes_name_the_tarball_and_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let tarball = folder.path().join(format!("{}.tar.gz", name("1.2.3")));
        fs::write(&tarball, "abc").unwrap();
        let url = "https://example.com/x/releases/download/v1.2.3";
        write(root(), folder.path(), "1.2.3", url, &tarball).unwrap();
        for (_, name) in RECIPES {
            let text = fs::read_to_string(folder.path().join(name)).unwrap();
            // SHA-256 of "abc", as the standard has it.
            assert!(
                text.contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            );
            assert!(text.contains("https://example.com/x"), "{text}");
            assert!(!text.contains('@') || name == "PKGBUILD" || name == "elsewise.rb");
            for placeholder in ["@VERSION@", "@URL@", "@SHA256@", "OWNER"] {
                assert!(!text.contains(placeholder), "{name}: {placeholder}");
            }
        }
        let srcinfo = fs::read_to_string(folder.path().join("SRCINFO")).unwrap();
        let file = tarball.file_name().unwrap().to_str().unwrap();
        assert!(srcinfo.contains(&format!("source = {url}/{file}\n")));
        let pkgbuild = fs::read_to_string(folder.path().join("PKGBUILD")).unwrap();
        let pattern = file.replace("1.2.3", "$pkgver");
        assert!(pkgbuild.contains(&format!("source=(\"{url}/{pattern}\")\n")));
        assert!(pkgbuild.contains(&format!("cd \"{}\"", name("$pkgver"))));
    }

    #[test]
    fn binstall_finds_the_tarball() {
        let manifest = fs::read_to_string(root().join("elsewise/Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let package = &manifest["package"];
        let binstall = &package["metadata"]["binstall"];
        let version = "1.2.3";
        let filled = |key: &str| {
            let text = binstall[key].as_str().unwrap();
            text.replace("{ repo }", package["repository"].as_str().unwrap())
                .replace("{ version }", version)
                .replace("{ archive-suffix }", ".tar.gz")
                .replace("{ bin }", "elsewise")
                .replace("{ binary-ext }", "")
        };
        assert_eq!(
            filled("pkg-url"),
            format!("{}/{}.tar.gz", usual_url(version), name(version))
        );
        assert_eq!(filled("bin-dir"), format!("{}/bin/elsewise", name(version)));
        assert_eq!(binstall["pkg-fmt"].as_str(), Some("tgz"));
    }
}
