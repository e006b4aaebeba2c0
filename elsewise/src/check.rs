//! `check`: the kept cases of campaigns and of the project, on the program as it is now.

use crate::again::{Again, Said};
use crate::args::{CheckArgs, ResultFormat};
use crate::campaigns::CaseName;
use crate::error::VerbError;
use crate::named::{self, Meant};
use crate::{again, campaigns, kept, languages, output};
use elsewise_campaign::{Finding, Frame, RunEnd, SCHEDULE, Store};
use elsewise_explore::{Case, Outcome};
use elsewise_frontend::made_here::{self, Maker};
use elsewise_frontend::{Exit, Problem, contain};
use elsewise_report::machine::{self, FindingContext};
use elsewise_report::{CheckedCampaign, CheckedCase, CheckedKept, checked_text, kept_text};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Checked<'a> {
    schema: u32,
    changed: bool,
    campaigns: &'a [CheckedCampaign],
    /// Cases that the project keeps.
    kept: &'a [CheckedKept],
}

/// What is to be checked.
#[derive(Default)]
struct Wanted {
    campaigns: Vec<Meant>,
    /// Folders of cases that the project keeps.
    kept: Vec<PathBuf>,
}

pub fn check(args: &CheckArgs) -> Result<Exit, Problem> {
    contain::allow(&args.allowed.flags)?;
    let wanted = wanted(&args.campaigns)?;
    let mut checked = Vec::new();
    for meant in &wanted.campaigns {
        checked.push(campaign(meant, args)?);
    }
    let mut kept = Vec::new();
    for case in &wanted.kept {
        kept.push(kept::check(case, args)?);
    }
    let changed = checked.iter().any(CheckedCampaign::changed);
    match args.format {
        ResultFormat::Json => output::json(&Checked {
            schema: 1,
            changed,
            campaigns: &checked,
            kept: &kept,
        })?,
        ResultFormat::Text => {
            output::text(&checked_text(&checked));
            output::text(&kept_text(&kept));
        }
        ResultFormat::Problems => output::raw(&problems(&checked, &kept)),
    }
    let fails = kept.iter().any(|case| case.fails);
    Ok(if changed || fails {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// All that there is here, or what is named: campaigns, single cases of theirs, and folders of kept cases.
fn wanted(words: &[PathBuf]) -> Result<Wanted, Problem> {
    let whole = |campaign| Meant {
        campaign,
        case: None,
    };
    if words.is_empty() {
        let kept = kept::in_folder(Path::new(kept::FOLDER));
        let campaigns = match kept.is_empty() {
            true => campaigns::all_here()?,
            false => campaigns::listed()?,
        };
        let campaigns = campaigns.into_iter().map(whole).collect();
        return Ok(Wanted { campaigns, kept });
    }
    let mut wanted = Wanted::default();
    for word in words {
        let kept = kept::in_folder(word);
        if !kept.is_empty() {
            wanted.kept.extend(kept);
            continue;
        }
        let meant = named::meant(std::slice::from_ref(word), None);
        wanted.campaigns.push(match meant {
            // Whoever opens it says what is wrong with it.
            Err(problem) if matches!(problem.error(), Some(VerbError::NoCase { .. })) => {
                whole(word.clone())
            }
            Ok(meant)
                if matches!(
                    meant.number(),
                    Some(CaseName::Folder(_) | CaseName::File(_))
                ) =>
            {
                whole(word.clone())
            }
            meant => meant?,
        });
    }
    Ok(wanted)
}

/// Is this one of the cases that are meant?
fn is_meant(meant: &Meant, kept: &ExpectedCase) -> bool {
    match meant.number() {
        Some(CaseName::Finding(id)) => kept.finding.as_ref().is_some_and(|one| one.id == id),
        Some(CaseName::Run(run)) => kept.run == run,
        _ => true,
    }
}

fn campaign(meant: &Meant, said: &CheckArgs) -> Result<CheckedCampaign, Problem> {
    let directory = meant.campaign.as_path();
    made_here::require(directory, said.allowed.trust)?;
    let store = campaigns::open(directory)?;
    let saved = languages::saved(directory)?;
    let said = Said {
        allowed: &said.allowed.flags,
        cflags: said.cflags.as_deref(),
        config: said.config.as_deref(),
    };
    let command = saved.command();
    let foreign = made_here::maker(directory) == Maker::Stranger;
    let Again { explore, mut built } = again::built(command, directory, &said, foreign)?;
    let args = &explore.args;
    let mut checked = CheckedCampaign {
        campaign: directory.to_path_buf(),
        subject: args.subject.first().cloned().unwrap_or_default(),
        explore: shlex::try_join(
            std::iter::once("elsewise").chain(command.iter().map(String::as_str)),
        )
        .unwrap_or_default(),
        cases: 0,
        changes: Vec::new(),
        gone: Vec::new(),
        remaining: Vec::new(),
    };
    let findings = store.findings()?;
    let kept = expected(&store, &findings, directory)?;
    let mut run = |one: &ExpectedCase| -> Result<Outcome, Problem> {
        let shown = built.confirm_all(&one.case)?;
        let of_run = kept.iter().filter(|other| other.run == one.run).count();
        Ok(of_finding(one, shown, of_run))
    };
    for kept in kept.iter().filter(|kept| is_meant(meant, kept)) {
        checked.cases += 1;
        let outcome = run(kept)?;
        let changed = compare(kept, &outcome);
        match (&kept.finding, changed) {
            (Some(finding), false) => checked.remaining.push(finding.id),
            (Some(finding), true) if !matches!(outcome, Outcome::Failure { .. }) => {
                checked.gone.push(finding.id);
            }
            (_, false) => {}
            // What comes and goes is nothing that a change did.
            (_, true) => {
                if is_same(&outcome, &run(kept)?) {
                    checked.changes.push(change(kept, &outcome));
                }
            }
        }
    }
    Ok(checked)
}

/// A case that is worth running again, and how it ended.
struct ExpectedCase {
    run: u64,
    case: Case,
    end: RunEnd,
    finding: Option<Finding>,
}

/// The cases that reached something new, and those of the findings.
fn expected(
    store: &Store,
    findings: &[Finding],
    campaign: &Path,
) -> Result<Vec<ExpectedCase>, Problem> {
    let mut kept = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        let own = findings.iter().filter(|finding| finding.case == info.run);
        let mut shown: Vec<Option<&Finding>> = own.map(Some).collect();
        // A failure that was not confirmed, or an assumption, is no expectation.
        let expected = matches!(info.outcome, RunEnd::Exit(_)) && !info.new.is_empty();
        if expected && shown.is_empty() {
            shown.push(None);
        }
        for finding in shown {
            let folder = match finding {
                Some(finding) => finding.path.clone(),
                None => campaign.join("cases").join(info.run.to_string()),
            };
            // Of threads, only what is kept for people has the whole schedule.
            let case = match folder.join(SCHEDULE).is_file() {
                true => campaigns::read_case(&folder)?,
                false => store.case(info.run)?,
            };
            kept.push(ExpectedCase {
                run: info.run,
                case,
                end: info.outcome,
                finding: finding.cloned(),
            });
        }
    }
    Ok(kept)
}

/// What a run with threads shows of a finding: a data race is one of several that it may have.
fn of_finding(kept: &ExpectedCase, shown: Vec<Outcome>, of_run: usize) -> Outcome {
    let (ended, races) = match shown.split_first() {
        Some((ended, races)) => (ended.clone(), races),
        None => (Outcome::Exit(0), &[][..]),
    };
    let race = kept.finding.as_ref().filter(|one| one.kind == "data race");
    let (Some(finding), Outcome::Exit(_)) = (race, &ended) else {
        return ended;
    };
    let told = |outcome: &&Outcome| match outcome {
        Outcome::Failure { message, .. } => {
            without_places(message) == without_places(&finding.message)
        }
        _ => false,
    };
    // Names may have changed: as many as there were are the same ones.
    let as_many = races.first().filter(|_| races.len() >= of_run);
    races
        .iter()
        .find(told)
        .or(as_many)
        .cloned()
        .unwrap_or(ended)
}

/// What is told of a race but for the lines, which move.
fn without_places(message: &str) -> String {
    let parts = message.split(" (");
    let parts = parts.map(|part| match part.split_once(')') {
        Some((place, rest)) if place.contains(':') => rest,
        _ => part,
    });
    parts.collect()
}

/// Does the case end otherwise than it did?
fn compare(kept: &ExpectedCase, outcome: &Outcome) -> bool {
    match (&kept.finding, kept.end, outcome) {
        (Some(finding), _, Outcome::Failure { kind, .. }) => finding.kind != kind.word(),
        (Some(_), ..) => true,
        (None, RunEnd::Exit(before), Outcome::Exit(now)) => before != *now,
        // What the case was for is ruled out now: nothing to compare.
        (None, _, Outcome::Assumed) => false,
        (None, ..) => true,
    }
}

fn is_same(outcome: &Outcome, again: &Outcome) -> bool {
    match (outcome, again) {
        (Outcome::Failure { kind, .. }, Outcome::Failure { kind: other, .. }) => kind == other,
        (one, other) => one == other,
    }
}

fn change(kept: &ExpectedCase, outcome: &Outcome) -> CheckedCase {
    let place: &[_] = match outcome {
        Outcome::Failure { place, .. } => place,
        _ => &[],
    };
    CheckedCase {
        run: kept.run,
        before: match (&kept.finding, kept.end) {
            (Some(finding), _) => finding.kind.clone(),
            (None, RunEnd::Exit(code)) => format!("exit code {code}"),
            (None, _) => String::new(),
        },
        now: again::words(outcome),
        fails: matches!(outcome, Outcome::Failure { .. }),
        stack: place.iter().map(Frame::from).collect(),
    }
}

/// Cases that fail, and those that end otherwise, as compilers write errors.
fn problems(checked: &[CheckedCampaign], kept: &[CheckedKept]) -> String {
    let mut out = String::new();
    for kept in kept.iter().filter(|case| case.fails) {
        let finding = failing(&kept.before, &kept.now, &kept.stack);
        let told = FindingContext {
            finding: &finding,
            case: None,
            call: None,
            path: Vec::new(),
            reproduce: format!("elsewise check {}", kept.case.display()),
        };
        out.push_str(&machine::problems(&kept.subject, &[told]));
    }
    for campaign in checked {
        let findings: Vec<Finding> = campaign.changes.iter().map(as_finding).collect();
        let told: Vec<FindingContext<'_>> = findings
            .iter()
            .map(|finding| FindingContext {
                finding,
                case: None,
                call: None,
                path: Vec::new(),
                reproduce: campaign.explore.clone(),
            })
            .collect();
        out.push_str(&machine::problems(&campaign.subject, &told));
    }
    out
}

fn as_finding(case: &CheckedCase) -> Finding {
    Finding {
        case: case.run,
        ..failing(&case.before, &case.now, &case.stack)
    }
}

fn failing(before: &str, now: &str, stack: &[Frame]) -> Finding {
    let innermost = Frame::of_stack(stack).cloned().unwrap_or_default();
    Finding {
        id: 0,
        kind: format!("was {before}, is {now}"),
        message: String::new(),
        file: innermost.file,
        line: innermost.line,
        function: innermost.function,
        confirmed: true,
        note: String::new(),
        case: 0,
        runs: 1,
        race: None,
        path: PathBuf::new(),
        stack: stack.to_vec(),
    }
}
