//! The tools that agents have: what they are told of each, and the command that each is.

use super::words;
use elsewise_frontend::file_of;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Seconds that are explored when nothing is said, and at most.
const BUDGET: u64 = 60;
pub const MOST: u64 = 600;

/// A tool as an agent is told of it.
pub struct Told {
    pub name: &'static str,
    pub about: &'static str,
    pub parameters: Value,
    /// It changes nothing outside of what it is asked about.
    pub only_reads: bool,
}

/// What a tool is asked to do, as commands of this program.
#[derive(Debug, PartialEq, Eq)]
pub struct Order {
    /// The command whose result is JSON.
    pub words: Vec<String>,
    /// The command that says the same to people, where it runs nothing.
    pub text: Option<Vec<String>>,
    /// What may run, and so has to be looked at before it does: the words of an `explore`.
    pub checked: Option<Vec<String>>,
    pub seconds: u64,
}

pub fn all() -> [Told; 6] {
    let campaign = json!({
        "type": "string",
        "description": "Name of the campaign's folder in the working directory, such as list_remove.elsewise, as `campaigns` lists it",
    });
    let finding = json!({ "type": "integer", "minimum": 1, "description": "Number of the finding, as `findings` lists it" });
    let both = || {
        schema(
            &[("campaign", campaign.clone()), ("finding", finding.clone())],
            &["campaign", "finding"],
        )
    };
    [
        Told {
            name: "explore",
            about: "Explores a program or a function: runs it for real in containment, asks a solver for inputs that make it \
                    choose otherwise, and reports failures (crashes, failed assertions, memory errors, data races, hangs) that \
                    were seen in the uninstrumented program, each with the input that reproduces it. Only `complete: true` \
                    means that every path within the bounds was run. Asked for again, it goes on where it ended.",
            parameters: schema(
                &[
                    (
                        "subject",
                        json!({
                            "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 64,
                            "description": "What is explored, as `elsewise explore` is told it: FILE.c::FUNCTION, files of a \
                                            C or C++ program, FILE.erl::FUNCTION/ARITY, FILE.pl::PREDICATE/ARITY; relative to \
                                            the working directory",
                        }),
                    ),
                    (
                        "flags",
                        json!({
                            "type": "array", "items": { "type": "string" }, "maxItems": 64,
                            "description": "Flags of `elsewise explore`, each one word: --input-size=16, --cflags=-DN=3. None \
                                            that weakens containment, or writes or reads elsewhere, is accepted",
                        }),
                    ),
                    (
                        "budget_seconds",
                        json!({ "type": "integer", "minimum": 1, "maximum": MOST, "description": "Ends after so long [default: 60]" }),
                    ),
                ],
                &["subject"],
            ),
            only_reads: false,
        },
        Told {
            name: "campaigns",
            about: "Lists what has been explored in the working directory.",
            parameters: schema(&[], &[]),
            only_reads: true,
        },
        Told {
            name: "findings",
            about: "Lists the confirmed failures that a campaign has found. Runs nothing.",
            parameters: schema(&[("campaign", campaign.clone())], &["campaign"]),
            only_reads: true,
        },
        Told {
            name: "show",
            about: "Shows a finding: where it fails in the source, the stack, the input or call, and the memory or the schedule \
                    that leads to it. Runs nothing.",
            parameters: both(),
            only_reads: true,
        },
        Told {
            name: "replay",
            about: "Runs the case of a finding on the uninstrumented program, contained, and says whether it fails. A program \
                    that was changed since is not built again: explore it again for that.",
            parameters: both(),
            only_reads: false,
        },
        Told {
            name: "export",
            about: "Writes the cases of a campaign of a function or predicate as tests. What a function returned is what it did, \
                    not what it should do: read the tests before they are kept.",
            parameters: schema(
                &[
                    ("campaign", campaign.clone()),
                    (
                        "folder",
                        json!({ "type": "string", "description": "Where they are written, in the working directory [default: tests]" }),
                    ),
                    (
                        "framework",
                        json!({ "type": "string", "description": "tap, cmocka, check, criterion, gtest, eunit, exunit, plunit [default: the usual one of the language]" }),
                    ),
                ],
                &["campaign"],
            ),
            only_reads: false,
        },
    ]
}

fn schema(properties: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: Map<String, Value> = properties
        .iter()
        .map(|(name, value)| ((*name).to_string(), value.clone()))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// What a tool is asked to do in a folder, or why that is refused.
pub fn order(tool: &str, given: &Map<String, Value>, folder: &Path) -> Result<Order, String> {
    let told = all();
    let told = told.iter().find(|told| told.name == tool);
    let told = told.ok_or_else(|| format!("there is no tool `{tool}`"))?;
    let known = &told.parameters["properties"];
    if let Some(unknown) = given.keys().find(|name| known.get(name).is_none()) {
        return Err(format!("`{tool}` has no parameter `{unknown}`"));
    }
    match tool {
        "explore" => explore(given, folder),
        "findings" => {
            let campaign = campaign(given, folder)?;
            Ok(looking(&["show", "--campaign", &campaign], 60))
        }
        "show" => {
            let (campaign, finding) = (campaign(given, folder)?, finding(given)?);
            Ok(looking(&["show", &finding, "--campaign", &campaign], 60))
        }
        "replay" => {
            let (campaign, finding) = (campaign(given, folder)?, finding(given)?);
            Ok(Order {
                words: strings(&["replay", &finding, "--campaign", &campaign, "--format=json"]),
                text: None,
                checked: None,
                seconds: 120,
            })
        }
        "export" => {
            let campaign = campaign(given, folder)?;
            let out = text(given, "folder")?.unwrap_or_else(|| "tests".into());
            inside(&out, folder)?;
            let mut words = strings(&["export", &format!("--out={out}")]);
            if let Some(framework) = text(given, "framework")? {
                words.push(format!("--as={framework}"));
            }
            words.extend(strings(&["--", &campaign]));
            Ok(Order {
                words,
                text: None,
                checked: None,
                seconds: 120,
            })
        }
        _ => Err(format!("`{tool}` is no command")),
    }
}

fn explore(given: &Map<String, Value>, folder: &Path) -> Result<Order, String> {
    let subject = list(given, "subject")?;
    if subject.is_empty() {
        return Err("`subject` names nothing".into());
    }
    for word in &subject {
        if word.starts_with('-') {
            return Err(format!(
                "`{word}` is a flag, not a subject: write ./{word} if a file is called so"
            ));
        }
        let file = fs::canonicalize(folder.join(file_of(word)));
        let file = file.map_err(|error| format!("{word}: {error}"))?;
        let root = fs::canonicalize(folder).map_err(|error| error.to_string())?;
        if !file.starts_with(root) {
            return Err(format!("{word} does not lie in the working directory"));
        }
    }
    let flags = list(given, "flags")?;
    for flag in &flags {
        words::accept(flag)?;
    }
    let seconds = match given.get("budget_seconds") {
        None => BUDGET,
        Some(said) => {
            let said = said.as_u64().filter(|seconds| *seconds > 0);
            said.ok_or("`budget_seconds` is no number of seconds")?
                .min(MOST)
        }
    };
    let own = [
        "--quiet".to_string(),
        "--format=json".into(),
        format!("--budget={seconds}s"),
    ];
    let rest: Vec<String> = own.into_iter().chain(flags).chain(subject).collect();
    let mut words = strings(&["explore"]);
    words.extend(rest.iter().cloned());
    Ok(Order {
        words,
        text: None,
        checked: Some(rest),
        // Building takes time as well, and so does what comes after a budget.
        seconds: seconds + 600,
    })
}

fn looking(words: &[&str], seconds: u64) -> Order {
    let mut json = strings(words);
    json.push("--format=json".into());
    Order {
        words: json,
        text: Some(strings(words)),
        checked: None,
        seconds,
    }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

fn text(given: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.contains('\0') => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` is no text")),
    }
}

fn list(given: &Map<String, Value>, name: &str) -> Result<Vec<String>, String> {
    let bad = || format!("`{name}` is no list of words");
    match given.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        // What agents write where a list has one word.
        Some(Value::String(word)) if !word.contains('\0') => Ok(vec![word.clone()]),
        Some(Value::Array(words)) if words.len() <= 64 => words
            .iter()
            .map(|word| {
                let word = word.as_str().filter(|word| !word.contains('\0'));
                word.map(str::to_string).ok_or_else(bad)
            })
            .collect(),
        Some(_) => Err(bad()),
    }
}

/// The name of a campaign's folder, which lies in the working directory.
fn campaign(given: &Map<String, Value>, folder: &Path) -> Result<String, String> {
    let name = text(given, "campaign")?.ok_or("`campaign` is missing")?;
    let name = name.strip_suffix('/').unwrap_or(&name);
    match campaigns(folder)
        .iter()
        .any(|known| known == Path::new(name))
    {
        true => Ok(format!("./{name}")),
        false => Err(format!(
            "there is no campaign `{name}` in the working directory: see `campaigns`"
        )),
    }
}

fn finding(given: &Map<String, Value>) -> Result<String, String> {
    let number = given.get("finding").and_then(Value::as_u64);
    let number = number
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| *number > 0);
    number
        .map(|number| number.to_string())
        .ok_or_else(|| "`finding` is no number of one".into())
}

/// A folder to write to, in the working directory, by whatever links.
fn inside(name: &str, folder: &Path) -> Result<(), String> {
    let refused = || format!("`{name}` does not lie in the working directory");
    let root = fs::canonicalize(folder).map_err(|error| error.to_string())?;
    let climbs = Path::new(name)
        .components()
        .any(|part| matches!(part, std::path::Component::ParentDir));
    if climbs {
        return Err(refused());
    }
    // Of what is not there yet, the nearest that is.
    let path = root.join(name);
    let there = path.ancestors().find_map(|one| fs::canonicalize(one).ok());
    match there.is_some_and(|there| there.starts_with(&root)) {
        true => Ok(()),
        false => Err(refused()),
    }
}

/// Names of the campaigns in a folder.
pub fn campaigns(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries
        .filter(|entry| entry.path().join("campaign.db").is_file())
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| name.extension().is_some_and(|ending| ending == "elsewise"))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(tool: &str, given: Value, folder: &Path) -> String {
        let given = given.as_object().unwrap();
        order(tool, given, folder).unwrap_err()
    }

    #[test]
    fn agents_stay_in_the_working_directory() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("project");
        fs::create_dir_all(root.join("x.elsewise")).unwrap();
        fs::write(root.join("x.elsewise/campaign.db"), "").unwrap();
        fs::write(root.join("a.c"), "").unwrap();
        fs::write(place.path().join("b.c"), "").unwrap();
        std::os::unix::fs::symlink(place.path(), root.join("out")).unwrap();
        for subject in ["../b.c", "/etc/passwd::f", "out/b.c::f", "-x", "gone.c"] {
            refused("explore", json!({ "subject": [subject] }), &root);
        }
        for campaign in ["../project/x.elsewise", "y.elsewise", "", "/x.elsewise"] {
            refused("findings", json!({ "campaign": campaign }), &root);
        }
        for folder in ["..", "/tmp", "a/../..", "out", "out/tests"] {
            refused(
                "export",
                json!({ "campaign": "x.elsewise", "folder": folder }),
                &root,
            );
        }
        refused(
            "explore",
            json!({ "subject": ["a.c"], "budget_seconds": -1 }),
            &root,
        );
        refused("explore", json!({ "subject": [7] }), &root);
        refused("explore", json!({ "subject": [] }), &root);
        refused(
            "show",
            json!({ "campaign": "x.elsewise", "finding": 0 }),
            &root,
        );
        refused(
            "show",
            json!({ "campaign": "x.elsewise", "finding": 1, "trust": true }),
            &root,
        );
        refused("sh", json!({}), &root);
        let explore =
            json!({ "subject": "a.c::f", "budget_seconds": 99999, "flags": ["--seed=1"] });
        let order = order("explore", explore.as_object().unwrap(), &root).unwrap();
        assert_eq!(
            order.words,
            [
                "explore",
                "--quiet",
                "--format=json",
                "--budget=600s",
                "--seed=1",
                "a.c::f"
            ]
        );
    }
}
