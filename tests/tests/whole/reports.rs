//! What `elsewise report` writes is read by tools of other projects, which see in it what the
//! campaign has: findings, coverage, cases.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{explore, program};
use elsewise_tests::compile::root;
use elsewise_tests::tools::{python, run, sarif_schema, validate_json, validate_xml};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A program with two bugs, a branch that cannot be reached and names that formats act on.
const SOURCE: &str = r#"#include <assert.h>
#include <unistd.h>

static int classify(unsigned char c)
{
    switch (c) {
    case '<': return 1;
    case '&': return 2;
    case '"': return 3;
    }
    return c > 300; // never
}

int main(void)
{
    unsigned char b[3];
    if (read(0, b, 3) != 3)
        return 3;
    if (classify(b[0]) == 1 && b[1] == '&')
        assert(b[2] != '"' && "<b> & \"quotes\"");
    if (classify(b[0]) == 2 && b[1] == 7 && b[0] != 'x')
        *(volatile int *)8 = b[2];
    return 0;
}
"#;

/// A folder with a campaign of [`SOURCE`].
struct Campaign {
    folder: TempDir,
    summary: Value,
}

impl Campaign {
    fn new(name: &str) -> Result<Campaign> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join(name), SOURCE)?;
        let campaign = Campaign {
            folder,
            summary: Value::Null,
        };
        let (code, text) = campaign.elsewise(&[
            "explore",
            name,
            "--input-size",
            "3",
            "--campaign",
            "c.elsewise",
            "--format",
            "json",
            "--quiet",
        ])?;
        ensure!(code == 2, "exit code {code}: {text}");
        let summary = serde_json::from_str(&text)?;
        Ok(Campaign {
            summary,
            ..campaign
        })
    }

    fn elsewise(&self, args: &[&str]) -> Result<(i32, String)> {
        let output = Command::new(program()?)
            .args(args)
            .current_dir(self.folder.path())
            .output()?;
        let code = output.status.code().context("no exit code")?;
        let text = match code {
            0 | 2 => output.stdout,
            _ => output.stderr,
        };
        Ok((code, String::from_utf8(text)?))
    }

    /// The file that a report was written to.
    fn report(&self, form: &str, name: &str) -> Result<PathBuf> {
        let (code, text) = self.elsewise(&["report", form, "-o", name, "c.elsewise"])?;
        ensure!(code == 0, "report {form}: exit code {code}: {text}");
        Ok(self.folder.path().join(name))
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Sides reached and all, as the summary has them.
    fn sides(&self) -> (u64, u64) {
        let sides = &self.summary["branch_sides"];
        let number = |name: &str| sides[name].as_u64().unwrap_or_default();
        (number("reached"), number("total"))
    }
}

/// A name that each of the formats would act on, were it not escaped.
const NAME: &str = "a <b> & \"c\" {d|e} 'f' \u{fc}\\n%41.c";

#[test]
fn sarif_matches_its_schema_and_tells_how_it_came_to_the_failure() -> Result<()> {
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--sarif", "out.sarif")?;
        validate_json(&file, &sarif_schema()?, campaign.path())?;
        let sarif: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
        let results = sarif["runs"][0]["results"].as_array().context("results")?;
        ensure!(results.len() == 2, "{sarif:#}");
        for result in results {
            let location = &result["locations"][0]["physicalLocation"];
            let line = location["region"]["startLine"].as_u64().context("line")?;
            ensure!([20, 22].contains(&line), "{result:#}");
            let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
            let lines: Vec<u64> = flow
                .as_array()
                .context("a code flow")?
                .iter()
                .filter_map(|l| l["location"]["physicalLocation"]["region"]["startLine"].as_u64())
                .collect();
            // The branch that guards the failure, then the failure.
            ensure!(lines.last() == Some(&line), "{lines:?}");
            ensure!(
                lines.contains(&6) && lines.contains(&(line - 1)),
                "{lines:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn junit_is_loaded_by_another_parser() -> Result<()> {
    let code = "import sys\nfrom junitparser import JUnitXml, Failure\n\
                for suite in JUnitXml.fromfile(sys.argv[1]):\n    \
                print(suite.tests, suite.failures)\n    for case in suite:\n        \
                print([type(r).__name__ + ':' + r.message for r in case.result], case.name)";
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--junit", "out.xml")?;
        let seen = python(code, &[file.as_os_str()], campaign.path())?;
        let lines: Vec<&str> = seen.lines().collect();
        ensure!(lines[0] == "3 2", "{seen}");
        ensure!(
            lines.iter().filter(|l| l.starts_with("['Failure:")).count() == 2,
            "{seen}"
        );
        ensure!(seen.contains(&format!("assertion at {name}:20")), "{seen}");
        ensure!(seen.contains(r#"<b> & "#), "{seen}");
    }
    Ok(())
}

#[test]
fn lcov_shows_branches_in_genhtml() -> Result<()> {
    let campaign = Campaign::new("plain.c")?;
    let file = campaign.report("--lcov", "out.info")?;
    let args = ["--branch-coverage", "--output-directory", "html"].map(OsStr::new);
    let mut args = args.to_vec();
    args.push(file.as_os_str());
    let seen = run("genhtml", &args, campaign.path())?;
    let (reached, total) = campaign.sides();
    ensure!(reached < total && reached > 8, "{reached} of {total}");
    ensure!(
        seen.contains(&format!("({reached} of {total} branches)")),
        "{reached} of {total}: {seen}"
    );
    let page = std::fs::read_to_string(campaign.path().join("html/index.html"))?;
    ensure!(page.contains("Branches"), "{page}");
    Ok(())
}

#[test]
fn cobertura_matches_its_format_and_is_read_beside_a_change() -> Result<()> {
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--cobertura", "out.xml")?;
        let dtd = root().join("tests/formats/cobertura.dtd");
        validate_xml(&file, &dtd, campaign.path())?;
        let code = "import sys, xml.etree.ElementTree as tree\n\
                    root = tree.parse(sys.argv[1]).getroot()\n\
                    print(root.get('branches-covered'), root.get('branches-valid'))\n\
                    print(root.find('.//class').get('filename'))";
        let seen = python(code, &[file.as_os_str()], campaign.path())?;
        let (reached, total) = campaign.sides();
        ensure!(seen == format!("{reached} {total}\n{name}\n"), "{seen}");
    }
    // What diff-cover says of a change that touches a line that was reached, and nothing else.
    let campaign = Campaign::new("plain.c")?;
    campaign.report("--cobertura", "out.xml")?;
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=e@localhost"];
        let args = identity.iter().chain(args).map(OsStr::new);
        run("git", &args.collect::<Vec<_>>(), campaign.path())
    };
    git(&["init", "--quiet", "--initial-branch=main", "."])?;
    let file = campaign.path().join("plain.c");
    std::fs::write(
        &file,
        SOURCE.replace("    if (read(0", "    if (0 || read(0"),
    )?;
    git(&["add", "plain.c"])?;
    git(&["commit", "--quiet", "-m", "before"])?;
    std::fs::write(&file, SOURCE)?;
    let args = ["out.xml", "--compare-branch=main"].map(OsStr::new);
    let seen = run("diff-cover", &args, campaign.path())?;
    ensure!(seen.contains("plain.c (100%)"), "{seen}");
    Ok(())
}

#[test]
fn the_document_matches_the_schema_in_the_book() -> Result<()> {
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--json", "out.json")?;
        let schema = root().join("docs/src/report.schema.json");
        validate_json(&file, &schema, campaign.path())?;
        let document: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
        ensure!(
            document["findings"]
                .as_array()
                .is_some_and(|all| all.len() == 2)
        );
        ensure!(document["coverage"][0]["file"] == name, "{document:#}");
        // The schema refuses what it does not know, or it would say nothing.
        let mut wrong = document.clone();
        wrong["findings"][0]["line"] = Value::String("9".into());
        let bad = campaign.path().join("bad.json");
        std::fs::write(&bad, wrong.to_string())?;
        ensure!(validate_json(&bad, &schema, campaign.path()).is_err());
    }
    Ok(())
}

#[test]
fn issues_have_what_gitlab_asks_for() -> Result<()> {
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--code-quality", "out.json")?;
        let issues: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
        let lines: Vec<u64> = issues
            .iter()
            .filter_map(|issue| issue["location"]["lines"]["begin"].as_u64())
            .collect();
        ensure!(lines == [20, 22] || lines == [22, 20], "{lines:?}");
        for issue in &issues {
            ensure!(issue["location"]["path"] == name, "{issue:#}");
            for field in ["description", "check_name", "fingerprint", "severity"] {
                ensure!(issue[field].is_string(), "{field}: {issue:#}");
            }
        }
        ensure!(issues[0]["fingerprint"] != issues[1]["fingerprint"]);
    }
    Ok(())
}

#[test]
fn graphviz_draws_the_tree() -> Result<()> {
    for name in ["plain.c", NAME] {
        let campaign = Campaign::new(name)?;
        let file = campaign.report("--dot", "out.dot")?;
        let args = [OsStr::new("-Tsvg"), file.as_os_str()];
        let svg = run("dot", &args, campaign.path())?;
        ensure!(!svg.contains("Warning") && !svg.contains("Error"), "{svg}");
        for text in ["finding 1", "finding 2", "impossible", ":6<"] {
            ensure!(svg.contains(text), "{text}: {svg}");
        }
    }
    Ok(())
}

#[test]
fn graphviz_draws_memory() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = root().join("tests/subjects/functions/paper/paper.c");
    let elsewise = |args: &[&str]| -> Result<Option<i32>> {
        let mut command = Command::new(program()?);
        command.args(args).current_dir(folder.path());
        Ok(command.output()?.status.code())
    };
    let subject = format!("{}::testme", file.display());
    let explored = elsewise(&["explore", &subject, "--campaign", "c.elsewise", "-q"])?;
    ensure!(explored == Some(2), "{explored:?}");
    let shown = elsewise(&["show", "1", "--campaign", "c.elsewise", "--dot", "out.dot"])?;
    ensure!(shown == Some(0), "{shown:?}");
    let args = ["-Tsvg", "out.dot"].map(OsStr::new);
    let svg = run("dot", &args, folder.path())?;
    ensure!(!svg.contains("Warning") && !svg.contains("Error"), "{svg}");
    ensure!(svg.contains("next"), "{svg}");
    Ok(())
}

#[test]
fn test_suites_hold_values_in_the_order_in_which_they_were_asked_for() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = "extern int __VERIFIER_nondet_int(void);\n\
                  extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                  extern _Bool __VERIFIER_nondet_bool(void);\n\
                  extern void reach_error(void);\n\
                  int main(void)\n{\n\
                  int a = __VERIFIER_nondet_int();\n\
                  unsigned char c = __VERIFIER_nondet_uchar();\n\
                  int b = __VERIFIER_nondet_int();\n\
                  if (a == -7 && c == 200 && b == 300 && __VERIFIER_nondet_bool())\n\
                  reach_error();\nreturn 0;\n}\n";
    std::fs::write(folder.path().join("a.c"), source)?;
    let elsewise = |args: &[&str]| -> Result<Option<i32>> {
        let mut command = Command::new(program()?);
        command.args(args).current_dir(folder.path());
        Ok(command.output()?.status.code())
    };
    ensure!(elsewise(&["explore", "a.c", "-q"])? == Some(2));
    ensure!(elsewise(&["report", "--test-comp", "-o", "suite"])? == Some(0));
    let mut cases = 0;
    let mut errors = Vec::new();
    for entry in std::fs::read_dir(folder.path().join("suite"))? {
        let path = entry?.path();
        let metadata = path.ends_with("metadata.xml");
        let dtd = if metadata {
            "test-metadata.dtd"
        } else {
            "testcase.dtd"
        };
        validate_xml(
            &path,
            &root().join("tests/formats").join(dtd),
            folder.path(),
        )?;
        let text = std::fs::read_to_string(&path)?;
        if metadata {
            let args = [OsStr::new("a.c")];
            let sum = run("sha256sum", &args, folder.path())?;
            let sum = sum.split(' ').next().context("a sum")?;
            ensure!(
                text.contains(&format!("<programhash>{sum}</programhash>")),
                "{text}"
            );
            continue;
        }
        cases += 1;
        if text.contains("coversError=\"true\"") {
            errors.push(text);
        }
    }
    ensure!(cases >= 4 && errors.len() == 1, "{cases} cases, {errors:?}");
    let values: Vec<&str> = errors[0]
        .split("</input>")
        .filter_map(|part| part.rsplit_once('>').map(|(_, value)| value.trim()))
        .filter(|value| !value.is_empty())
        .collect();
    ensure!(values == ["-7", "200", "300", "1"], "{values:?}");
    Ok(())
}

#[test]
fn problems_are_lines_that_editors_know() -> Result<()> {
    let campaign = Campaign::new("plain.c")?;
    let (code, text) = campaign.elsewise(&["report", "--problems", "c.elsewise"])?;
    ensure!(code == 0, "{text}");
    for line in ["plain.c:20:", "plain.c:22:"] {
        let found = text.lines().find(|own| own.starts_with(line));
        let rest = found.and_then(|found| found[line.len()..].split_once(": error: "));
        let (column, _) = rest.with_context(|| text.clone())?;
        ensure!(
            column.parse::<u32>().is_ok_and(|column| column > 0),
            "{text}"
        );
    }
    Ok(())
}

#[test]
fn completions_and_manual_pages_are_sound() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let elsewise = |args: &[&str]| -> Result<String> {
        let mut command = Command::new(program()?);
        let output = command.args(args).current_dir(folder.path()).output()?;
        ensure!(output.status.success(), "{args:?}: {}", output.status);
        Ok(String::from_utf8(output.stdout)?)
    };
    for shell in ["bash", "zsh", "fish"] {
        let text = elsewise(&["completions", shell])?;
        ensure!(
            text.contains("input-size") && text.contains("explore"),
            "{shell}"
        );
    }
    std::fs::write(
        folder.path().join("own.bash"),
        elsewise(&["completions", "bash"])?,
    )?;
    let completed = run(
        "bash",
        &[
            "-c",
            "source ./own.bash; COMP_WORDS=(elsewise exp); COMP_CWORD=1; \
             _elsewise elsewise exp elsewise; echo \"${COMPREPLY[*]}\"",
        ]
        .map(OsStr::new),
        folder.path(),
    )?;
    ensure!(completed == "explore export\n", "{completed}");
    elsewise(&["man", "--out", "pages"])?;
    let mut pages = 0;
    for entry in std::fs::read_dir(folder.path().join("pages"))? {
        let path = entry?.path();
        let args = ["-man", "-ww", "-Wbreak", "-z", "-Tutf8"].map(OsStr::new);
        let mut args = args.to_vec();
        args.push(path.as_os_str());
        let said = run("groff", &args, folder.path())?;
        ensure!(said.is_empty(), "{}: {said}", path.display());
        pages += 1;
    }
    ensure!(pages >= 10, "{pages} pages");
    Ok(())
}

/// A list whose second node may be its first.
const CYCLE: &str = "#include <stdlib.h>
struct node { struct node *next; int value; };
void walk(struct node *list)
{
    if (list && list->next && list->next->next == list && list->next->value == 7)
        abort();
}
";

#[test]
fn pointers_that_were_followed_are_objects_and_not_addresses() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("file.c"), CYCLE)?;
    let found = explore(&["file.c::walk".into()], &[], folder.path())?;
    ensure!(found.exit_code == 2, "{found:?}");
    for form in ["--json", "--sarif", "--dot", "--html"] {
        let output = Command::new(program()?)
            .args(["report", "campaign", form, "--out=report"])
            .current_dir(folder.path())
            .output()?;
        ensure!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(folder.path().join("report"))?;
        for name in ["new object 1", "new object 2"] {
            ensure!(text.contains(name), "{form}: no {name}");
        }
        // Where Linux puts programs, in both ways of writing it.
        ensure!(!text.contains("938249"), "{form}: an address");
        ensure!(!text.contains("0x5555"), "{form}: an address");
    }
    Ok(())
}
