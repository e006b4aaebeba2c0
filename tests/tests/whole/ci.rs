//! The GitHub Action and the GitLab template do what they say: their scripts are run here, with the
//! services that they talk to played by small programs on this machine.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use elsewise_tests::tools::python;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

/// A program with a bug that a change brings in, and one that was there before.
pub fn source(with_new_bug: bool) -> String {
    let new = match with_new_bug {
        true => "    if (b[0] == 'N')\n        assert(b[1] != 'W');\n",
        false => "",
    };
    format!(
        "#include <assert.h>\n#include <unistd.h>\n\nint main(void)\n{{\n    char b[2];\n    \
         if (read(0, b, 2) != 2)\n        return 0;\n    if (b[0] == 'O')\n        \
         assert(b[1] != 'L');\n{new}    return 0;\n}}\n"
    )
}

/// A checkout in which jobs run one after the other, with a cache that is always found.
pub struct Checkout {
    folder: TempDir,
}

impl Checkout {
    pub fn new() -> Result<Checkout> {
        let folder = tempfile::tempdir()?;
        let bin = folder.path().join("bin");
        fs::create_dir(&bin)?;
        std::os::unix::fs::symlink(program()?, bin.join("elsewise"))?;
        Ok(Checkout { folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn program(&self, name: &str, text: &str) -> Result<()> {
        let file = self.path().join("bin").join(name);
        fs::write(&file, text)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
        Ok(())
    }

    /// Runs a script; its exit code and what it wrote.
    pub fn bash(&self, script: &str, env: &[(&str, &str)]) -> Result<(i32, String)> {
        let bin = self.path().join("bin");
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .args([
                "--noprofile",
                "--norc",
                "-e",
                "-o",
                "pipefail",
                "-c",
                script,
            ])
            .current_dir(self.path())
            .env("PATH", format!("{}:{path}", bin.display()))
            .envs(env.iter().copied())
            .output()?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok((output.status.code().context("no exit code")?, text))
    }
}

/// A file of ours in YAML, as JSON.
pub fn yaml(file: &str) -> Result<Value> {
    let path: PathBuf = root().join(file);
    let code = "import json, sys, yaml\nprint(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    let text = python(code, &[path.as_os_str()], root())?;
    Ok(serde_json::from_str(&text)?)
}

pub fn step<'a>(action: &'a Value, name: &str) -> Result<&'a str> {
    let steps = action["runs"]["steps"].as_array().context("steps")?;
    let step = steps.iter().find(|step| step["name"] == name);
    let step = step.with_context(|| format!("no step {name}"))?;
    ensure!(step["shell"] == "bash", "{step}");
    step["run"].as_str().context("a script")
}

#[test]
fn the_script_tells_what_is_new() -> Result<()> {
    let checkout = Checkout::new()?;
    let script = root().join("ci/explore");
    let explore = |main: &str| {
        let command = format!("'{}' a.c --input-size 2 -- x", script.display());
        checkout.bash(
            &command,
            &[("ELSEWISE_MAIN", main), ("ELSEWISE_BUDGET", "60s")],
        )
    };
    let state = checkout.path().join(".elsewise-ci");
    fs::write(checkout.path().join("a.c"), source(false))?;
    // Without a baseline everything is new; the main branch makes one.
    let (code, text) = explore("1")?;
    ensure!(code == 2, "{code}: {text}");
    let (code, text) = explore("0")?;
    ensure!(code == 0, "{code}: {text}");
    ensure!(fs::read_to_string(state.join("new.md"))?.is_empty());
    fs::write(checkout.path().join("a.c"), source(true))?;
    let (code, text) = explore("0")?;
    ensure!(code == 2, "{code}: {text}");
    let new = fs::read_to_string(state.join("new.md"))?;
    ensure!(
        new.contains("a new finding") && new.contains("assertion at a.c"),
        "{new}"
    );
    ensure!(new.contains("\"NW\"") && !new.contains("\"OL\""), "{new}");
    // All findings are in the report, whatever is new.
    let sarif: Value = serde_json::from_str(&fs::read_to_string(state.join("findings.sarif"))?)?;
    ensure!(
        sarif["runs"][0]["results"]
            .as_array()
            .is_some_and(|all| all.len() == 2)
    );
    for file in ["junit.xml", "coverage.xml"] {
        ensure!(state.join(file).is_file(), "{file}");
    }
    // What cannot be built is nobody's finding.
    fs::write(
        checkout.path().join("a.c"),
        "int main(void) { return missing(); }",
    )?;
    let (code, text) = explore("0")?;
    ensure!(code == 4, "{code}: {text}");
    Ok(())
}

#[test]
fn the_github_action_comments_on_new_findings_once() -> Result<()> {
    let action = yaml("ci/github/action.yml")?;
    let checkout = Checkout::new()?;
    checkout.program(
        "gh",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >>gh.log\nfor file; do :; done\ncat \"$file\" >>gh.log\n",
    )?;
    let here = root().join("ci/github");
    let here = here.to_str().context("a path")?;
    let job = |main: &str| -> Result<(i32, String, String)> {
        let output = checkout.path().join("output");
        fs::write(&output, "")?;
        let env = [
            ("SUBJECT", "a.c --input-size 2 --cflags '-DX=1 -DY=2'"),
            ("ELSEWISE_BUDGET", "60s"),
            ("ELSEWISE_MAIN", main),
            ("HERE", here),
            ("GITHUB_OUTPUT", output.to_str().context("a path")?),
            ("NUMBER", "17"),
            ("REPOSITORY", "me/mine"),
        ];
        let (code, text) = checkout.bash(step(&action, "Explore")?, &env)?;
        ensure!(code == 0, "{code}: {text}");
        let new = fs::read_to_string(&output)?;
        let (mut code, mut said) = (0, String::new());
        if new == "new=true\n" {
            if main == "0" {
                let (code, text) = checkout.bash(step(&action, "Comment")?, &env)?;
                ensure!(code == 0, "{code}: {text}");
            }
            (code, said) = checkout.bash(step(&action, "Fail if a finding is new")?, &env)?;
        }
        let comments = fs::read_to_string(checkout.path().join("gh.log")).unwrap_or_default();
        Ok((code, said, comments))
    };
    fs::write(checkout.path().join("a.c"), source(false))?;
    let (code, _, comments) = job("1")?;
    ensure!(code == 1 && comments.is_empty(), "{code} {comments}");
    // A pull request that brings nothing new passes in silence.
    let (code, _, comments) = job("0")?;
    ensure!(code == 0 && comments.is_empty(), "{code} {comments}");
    fs::write(checkout.path().join("a.c"), source(true))?;
    let (code, said, comments) = job("0")?;
    ensure!(
        code == 1 && said.contains("assertion at a.c"),
        "{code} {said}"
    );
    ensure!(
        comments.starts_with("pr\ncomment\n17\n--repo\nme/mine\n"),
        "{comments}"
    );
    ensure!(
        comments.contains("\"NW\"") && !comments.contains("\"OL\""),
        "{comments}"
    );
    // Pushed once more: it still fails, but nobody is told again.
    let (code, _, again) = job("0")?;
    ensure!(code == 1 && again == comments, "{code} {again}");
    // Everything that the steps name is an input, or comes from GitHub.
    let uploads = action["runs"]["steps"].as_array().context("steps")?;
    let uploads = uploads
        .iter()
        .filter_map(|step| step["with"]["sarif_file"].as_str());
    ensure!(uploads.collect::<Vec<_>>() == [".elsewise-ci/findings.sarif"]);
    Ok(())
}

/// Answers one request with 201; what was asked.
fn answer(listener: TcpListener) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
            let mut bytes = Vec::new();
            let mut chunk = [0; 4096];
            let whole = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                let (head, body) = text.split_once("\r\n\r\n")?;
                let length = head.lines().find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length: ")?
                        .parse::<usize>()
                        .ok()
                })?;
                (body.len() >= length).then_some(())
            };
            while whole(&bytes).is_none() {
                match stream.read(&mut chunk) {
                    Ok(read) if read > 0 => bytes.extend_from_slice(&chunk[..read]),
                    _ => break,
                }
            }
            let reply = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            let _ = stream.write_all(reply);
            if sender
                .send(String::from_utf8_lossy(&bytes).into_owned())
                .is_err()
            {
                break;
            }
        }
    });
    receiver
}

#[test]
fn the_gitlab_template_comments_on_new_findings_once() -> Result<()> {
    let template = yaml("ci/gitlab/elsewise.yml")?;
    let job = &template[".elsewise"];
    let script = job["script"][0].as_str().context("a script")?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    let requests = answer(listener);
    let checkout = Checkout::new()?;
    let ours = root().join("ci/explore");
    let run = |branch: &str, request: &str| {
        let env = [
            ("ELSEWISE_SUBJECT", "a.c --input-size 2"),
            ("ELSEWISE_BUDGET", "60s"),
            ("ELSEWISE_CI", ours.to_str().unwrap_or_default()),
            ("ELSEWISE_TOKEN", "secret"),
            ("CI_COMMIT_BRANCH", branch),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_MERGE_REQUEST_IID", request),
            ("CI_API_V4_URL", &url),
            ("CI_PROJECT_ID", "5"),
            ("no_proxy", "127.0.0.1"),
        ];
        checkout.bash(script, &env)
    };
    fs::write(checkout.path().join("a.c"), source(false))?;
    let (code, text) = run("main", "")?;
    ensure!(code == 2, "{code}: {text}");
    let (code, text) = run("", "3")?;
    ensure!(code == 0, "{code}: {text}");
    ensure!(requests.try_recv().is_err(), "nothing was new");
    fs::write(checkout.path().join("a.c"), source(true))?;
    let (code, text) = run("", "3")?;
    ensure!(code == 2, "{code}: {text}");
    let request = requests.recv_timeout(Duration::from_secs(10))?;
    ensure!(
        request.starts_with("POST /projects/5/merge_requests/3/notes "),
        "{request}"
    );
    ensure!(request.contains("PRIVATE-TOKEN: secret"), "{request}");
    ensure!(
        request.contains("body=") && request.contains("NW"),
        "{request}"
    );
    let (code, text) = run("", "3")?;
    ensure!(code == 2, "{code}: {text}");
    ensure!(requests.try_recv().is_err(), "it was told twice");
    // What is kept and shown is what the script leaves.
    for name in ["junit.xml", "coverage.xml", "findings.sarif"] {
        ensure!(job["artifacts"].to_string().contains(name), "{name}");
        ensure!(
            checkout.path().join(".elsewise-ci").join(name).is_file(),
            "{name}"
        );
    }
    Ok(())
}

#[test]
fn scripts_are_sound() -> Result<()> {
    let script = root().join("ci/explore");
    elsewise_tests::tools::run("shellcheck", &[OsStr::new(&script)], root()).map(drop)
}
