//! `cargo xtask editor`: the extension in a real workbench of VS Code, and pictures of what it shows.
//!
//! The downloads of VS Code itself are no package of a registry, so the workbench is the one that `code-server` brings by
//! npm. It listens on loopback and needs no network.

use crate::screenshots::chromium;
use anyhow::{Context, Result, bail, ensure};
use elsewise_bench::engine::target;
use elsewise_bench::source;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Modules with parts that are compiled, without which the workbench does not start.
const COMPILED: [(&str, &str); 4] = [
    (".", "argon2"),
    ("node_modules/code-server/lib/vscode", "@vscode/spdlog"),
    ("node_modules/code-server/lib/vscode", "native-watchdog"),
    ("node_modules/code-server/lib/vscode", "@parcel/watcher"),
];
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    ensure!(words.is_empty(), "`cargo xtask editor` takes no words");
    let program = std::env::var_os("ELSEWISE_BIN").map(PathBuf::from);
    let program = program.unwrap_or_else(|| target(root).join("debug/elsewise"));
    ensure!(
        program.is_file(),
        "{} is not there: build it with `cargo build`",
        program.display()
    );
    let modules = modules(root)?;
    let extension = extension(root)?;
    let out = target(root).join("editor");
    fs::create_dir_all(&out)?;
    let place = tempfile::tempdir()?;
    let project = place.path().join("project");
    let sources = project.join("src");
    fs::create_dir_all(&sources)?;
    fs::copy(root.join("xtask/editor/list.c"), sources.join("list.c"))?;
    let workbench = Workbench::start(&modules, place.path(), &project, &program, &extension)?;
    let job = json!({
        "modules": modules.join("package.json"),
        "chromium": chromium()?,
        "address": workbench.address,
        "folder": project,
        "out": out,
    });
    let mut driver = Command::new("node")
        .arg(root.join("xtask/editor/drive.mjs"))
        .stdin(Stdio::piped())
        .spawn()
        .context("node cannot be run; scripts/setup installs it")?;
    let mut input = driver.stdin.take().context("no pipe")?;
    input.write_all(job.to_string().as_bytes())?;
    drop(input);
    ensure!(
        driver.wait()?.success(),
        "the extension did not show what it should"
    );
    println!("pictures are in {}", out.display());
    Ok(())
}

/// A workbench that ends with this.
struct Workbench {
    server: Child,
    address: String,
}

impl Workbench {
    fn start(
        modules: &Path,
        place: &Path,
        project: &Path,
        program: &Path,
        extension: &Path,
    ) -> Result<Workbench> {
        let user = place.join("user/User");
        fs::create_dir_all(&user)?;
        let settings = json!({
            "elsewise.path": program,
            "elsewise.arguments": ["--seed=1", "--max-objects=4"],
            "security.workspace.trust.enabled": false,
            "workbench.startupEditor": "none",
            "workbench.colorTheme": "Default Light Modern",
            "editor.minimap.enabled": false,
            "editor.fontSize": 13,
            "telemetry.telemetryLevel": "off",
        });
        fs::write(user.join("settings.json"), settings.to_string())?;
        // The arguments are read from a machine's settings, which a workbench in a browser has beside its user's.
        let machine = place.join("user/Machine");
        fs::create_dir_all(&machine)?;
        fs::write(machine.join("settings.json"), settings.to_string())?;
        let entry = modules.join("node_modules/code-server/out/node/entry.js");
        let command = || {
            let mut command = Command::new("node");
            command
                .arg(&entry)
                .arg("--config")
                .arg(place.join("config.yaml"))
                .arg("--user-data-dir")
                .arg(place.join("user"))
                .arg("--extensions-dir")
                .arg(place.join("extensions"))
                .env("HOME", place);
            command
        };
        let installed = command()
            .arg("--install-extension")
            .arg(extension)
            .output()?;
        ensure!(
            installed.status.success(),
            "the extension is not installed: {}",
            String::from_utf8_lossy(&installed.stderr)
        );
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address = format!("127.0.0.1:{port}");
        let server = command()
            .args([
                "--auth",
                "none",
                "--disable-telemetry",
                "--disable-update-check",
            ])
            .arg("--bind-addr")
            .arg(&address)
            .arg(project)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let workbench = Workbench {
            server,
            address: format!("http://{address}"),
        };
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect(&address).is_err() {
            if Instant::now() > end {
                bail!("the workbench does not start");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(workbench)
    }
}

impl Drop for Workbench {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The extension as a file that is installed.
fn extension(root: &Path) -> Result<PathBuf> {
    let folder = root.join("integrations/vscode");
    npm(&folder, &["ci", "--no-audit", "--no-fund", "--silent"])?;
    npm(&folder, &["test", "--silent"])?;
    npm(&folder, &["run", "--silent", "package"])?;
    let mut files = fs::read_dir(&folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "vsix"));
    files.next().context("there is no .vsix")
}

/// The workbench and what drives it, in the cache.
fn modules(root: &Path) -> Result<PathBuf> {
    let wanted = fs::read_to_string(root.join("xtask/editor/package.json"))?;
    let folder = source::cache()?.join("editor");
    let list = folder.join("package.json");
    let whole = folder.join("whole");
    if whole.is_file() && fs::read_to_string(&list).ok().as_ref() == Some(&wanted) {
        return Ok(folder);
    }
    fs::create_dir_all(&folder)?;
    fs::write(&list, &wanted)?;
    let install = [
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--silent",
    ];
    npm(&folder, &install)?;
    let inner = [&install[..], &["--omit=dev", "--legacy-peer-deps"]].concat();
    let workbench = folder.join("node_modules/code-server/lib/vscode");
    npm(&workbench, &inner)?;
    npm(&workbench.join("extensions"), &inner)?;
    for (part, module) in COMPILED {
        npm(&folder.join(part), &["rebuild", module])?;
    }
    fs::write(whole, "")?;
    Ok(folder)
}

fn npm(folder: &Path, words: &[&str]) -> Result<()> {
    let status = Command::new("npm")
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .context("npm cannot be run; scripts/setup installs it")?;
    ensure!(
        status.success(),
        "npm {} in {}",
        words.join(" "),
        folder.display()
    );
    Ok(())
}
