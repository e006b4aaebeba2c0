//! What is generated, shown and exported of the models in `tests/subjects/charts/` is what their people need.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore, program};
use elsewise_tests::compile::root;
use elsewise_tests::subjects::{self, FOLDER};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUDGET: &str = "--budget=60s,1500runs";
const GROUP: &str = "charts";
/// Endings of the formats that most of them are written in.
const FORMATS: [&str; 3] = ["qm", "uml", "scxml"];

/// The file of a model or of its twin, `NAME.fixed`.
fn file(name: &str, ending: &str) -> PathBuf {
    let mut folder = root().join(FOLDER).join(GROUP);
    folder.push(name.trim_end_matches(".fixed"));
    if ending == "qm" {
        folder.push(ending);
    }
    folder.join(format!("{name}.{ending}"))
}

fn explored(file: &Path, folder: &Path) -> Result<Exploration> {
    let options = [BUDGET, "--steps=5"].map(str::to_owned);
    explore(&[file.to_path_buf()], &options, folder)
}

/// All states and transitions of the repaired collision avoidance are reached, in every format.
#[test]
fn collision_avoidance_is_covered() -> Result<()> {
    for ending in FORMATS {
        let place = tempfile::tempdir()?;
        let file = file("collision.fixed", ending);
        let output = Command::new(program()?)
            .args(["explore", BUDGET, "--strategy=cfg", "--quiet", "--campaign"])
            .arg(place.path().join("campaign"))
            .arg(&file)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(text.contains("all of it was reached"), "{ending}: {text}");
    }
    Ok(())
}

/// Exported tests pass on a repaired model; of one with bugs, those of the findings fail.
#[test]
fn exported_tests_tell_models_with_bugs_from_repaired_ones() -> Result<()> {
    for (name, fails) in [("collision", true), ("collision.fixed", false)] {
        for ending in FORMATS {
            let place = tempfile::tempdir()?;
            let file = file(name, ending);
            explored(&file, place.path())?;
            let tests = place.path().join("tests");
            let status = Command::new(program()?)
                .arg("export")
                .arg(place.path().join("campaign"))
                .arg("--out")
                .arg(&tests)
                .output()?;
            let errors = String::from_utf8_lossy(&status.stderr);
            ensure!(status.status.success(), "{ending} {name}: {errors}");
            let language = if ending == "uml" { "cpp" } else { "c" };
            let compiler = if language == "cpp" {
                "clang++-22"
            } else {
                "clang-22"
            };
            let test = tests.join(format!("test_collision.{language}"));
            let test = match test.is_file() {
                true => test,
                false => fs::read_dir(&tests)?
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .find(|path| path.to_string_lossy().contains("/test_"))
                    .context("no test was written")?,
            };
            let built = place.path().join("test");
            let status = Command::new(compiler)
                .args(["-w", "-I"])
                .arg(&tests)
                .arg(&test)
                .arg("-o")
                .arg(&built)
                .status()?;
            ensure!(
                status.success(),
                "{ending} {name}: the test cannot be built"
            );
            let output = Command::new(&built).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            ensure!(output.status.success() != fails, "{ending} {name}: {text}");
            let failing = text.lines().filter(|line| line.starts_with("FAIL"));
            let right = failing.clone().all(|line| line.contains("finding"));
            ensure!(right, "{ending} {name}: {text}");
            ensure!(text.lines().any(|line| line.starts_with("ok")), "{text}");
        }
    }
    Ok(())
}

/// The page has the chart, drawn, and each case as a sequence of messages.
#[test]
fn the_page_shows_the_model() -> Result<()> {
    let place = tempfile::tempdir()?;
    explored(&file("collision", "qm"), place.path())?;
    let page = place.path().join("page.html");
    let output = Command::new(program()?)
        .args(["report", "--html"])
        .arg(place.path().join("campaign"))
        .arg("--out")
        .arg(&page)
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{errors}");
    let text = fs::read_to_string(&page)?;
    for wanted in [
        "id=\"model\"",
        "elw-is-reached",
        "<title>messages</title>",
        "VIBRATE",
    ] {
        ensure!(text.contains(wanted), "{wanted}");
    }
    Ok(())
}

/// A message that no state takes is a failure only where that is asked for.
#[test]
fn unhandled_messages_are_found_on_request() -> Result<()> {
    let place = tempfile::tempdir()?;
    let file = file("collision.fixed", "qm");
    let options = ["--unhandled", "--steps=2", "--budget=500runs"].map(str::to_owned);
    let summary = explore(&[file], &options, place.path())?.summary;
    let told = summary
        .findings
        .iter()
        .any(|one| one.message.contains("is not handled in idle"));
    ensure!(told, "{:?}", summary.findings);
    Ok(())
}

/// Two stations that call at once wait for each other; that takes a call which comes before the other's
/// ring has arrived.
#[test]
fn parts_that_wait_for_each_other_are_found() -> Result<()> {
    let found = |name: &str, overtake: u32| -> Result<Vec<String>> {
        let place = tempfile::tempdir()?;
        let options = [
            "--steps=4".to_owned(),
            "--budget=60s,1500runs".into(),
            format!("--overtake={overtake}"),
        ];
        let file = file(name, "uml");
        let summary = explore(&[file], &options, place.path())?.summary;
        ensure!(summary.complete, "{name}: {summary:?}");
        ensure!(summary.findings.iter().all(|one| one.confirmed));
        Ok(summary.findings.into_iter().map(|it| it.message).collect())
    };
    let glare = "assertion failed: deadlock: left waits in calling for peer.answer; \
                 right waits in calling for peer.answer";
    assert_eq!(found("glare", 1)?, [glare]);
    assert_eq!(found("glare", 0)?, [""; 0]);
    assert_eq!(found("glare.fixed", 2)?, [""; 0]);
    Ok(())
}

/// Two stations that answer every ring with a ring.
#[test]
fn parts_that_never_come_to_rest_are_found() -> Result<()> {
    let text = fs::read_to_string(file("glare", "uml"))?;
    let stays = "source=\"Station_idle\" target=\"Station_idle\"";
    let text = text
        .replace("source=\"Station_idle\" target=\"Station_calling\"", stays)
        .replace("source=\"Station_idle\" target=\"Station_talking\"", stays)
        .replace("peer.answer().send()", "peer.ring().send()");
    let place = tempfile::tempdir()?;
    let model = place.path().join("echo.uml");
    fs::write(&model, text)?;
    let summary = explore(&[model], &["--steps=1".to_owned()], place.path())?.summary;
    let told: Vec<&str> = summary
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    let expected = "assertion failed: Top never comes to rest: 1000 messages follow from one";
    assert_eq!(told, [expected]);
    Ok(())
}

/// A bug of a system of 29 capsules: four messages to one of thirteen handsets, which go on to its line,
/// the exchange and the directory.
#[test]
fn a_bug_deep_inside_of_a_large_system_is_found() -> Result<()> {
    let place = tempfile::tempdir()?;
    let model = file("pbx", "uml");
    let options = ["--strategy=cfg", "--budget=300s,1000runs"].map(str::to_owned);
    let summary = explore(std::slice::from_ref(&model), &options, place.path())?.summary;
    let told: Vec<&str> = summary
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    let expected = "assertion failed: property the directory answers is violated";
    assert_eq!(told, [expected]);
    // Its twin, of which one part is enough.
    let fixes = subjects::all(GROUP)?
        .into_iter()
        .find_map(|one| one.expect.repair);
    let [wrong, right] = fixes.context("the exchange has a repair")?;
    let text = fs::read_to_string(&model)?;
    ensure!(text.contains(&wrong), "{wrong}");
    let twin = place.path().join("twin.uml");
    fs::copy(model.with_extension("rules"), twin.with_extension("rules"))?;
    for (text, findings) in [(text.replace(&wrong, &right), 0), (text, 1)] {
        fs::write(&twin, text)?;
        let folder = tempfile::tempdir()?;
        let subject = [format!("{}::Directory", twin.display()).into()];
        let summary = explore(&subject, &["--steps=3".to_owned()], folder.path())?.summary;
        ensure!(
            summary.complete && summary.findings.len() == findings,
            "{summary:?}"
        );
    }
    Ok(())
}
