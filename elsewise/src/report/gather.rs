//! What reports are made from, gathered from a campaign.

use crate::{campaigns, languages};
use elsewise_campaign::{Finding, Frame, Store, Summary, Survey};
use elsewise_explore::{Case, Kind, PositionId, SideId, SiteInfo, State};
use elsewise_frontend::{Problem, SavedSubject};
use elsewise_report::machine::{
    BranchSite, FindingContext, Material, Passed, Side, way_name as machine_name,
};
use elsewise_report::{Values, replay_command, way_name};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

struct Found {
    finding: Finding,
    case: Option<Case>,
    call: Option<String>,
    path: Vec<Passed>,
}

pub struct Gathered {
    summary: Summary,
    findings: Vec<Found>,
    places: Vec<BranchSite>,
}

impl Gathered {
    pub fn new(store: &Store, directory: &Path) -> Result<Gathered, Problem> {
        let mut summary = campaigns::summary(store)?;
        let survey = store.survey()?;
        // Where the subject is not known any more, its findings still are.
        let subject = languages::saved_or_bytes(directory);
        let files = Files::here();
        for finding in summary.findings.iter_mut().chain(&mut summary.unconfirmed) {
            files.shorten(&mut finding.file);
            for frame in &mut finding.stack {
                files.shorten(&mut frame.file);
            }
        }
        let above = above(&survey);
        let findings = summary
            .findings
            .iter()
            .map(|finding| {
                let case = subject.case_of(store, finding).ok();
                Found {
                    call: case.as_ref().and_then(|case| subject.call_text(case)),
                    case,
                    path: path(&survey, &above, finding.case, &files, subject.as_ref()),
                    finding: finding.clone(),
                }
            })
            .collect();
        Ok(Gathered {
            findings,
            places: places(&survey, &files),
            summary,
        })
    }

    pub fn material(&self) -> Material<'_> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let told = self.findings.iter().map(|found| FindingContext {
            finding: &found.finding,
            case: found.case.as_ref(),
            call: found.call.clone(),
            path: found.path.clone(),
            reproduce: reproduce(&found.finding.path),
        });
        Material {
            summary: &self.summary,
            findings: told.collect(),
            places: self.places.clone(),
            made: now.map_or(0, |now| now.as_secs()),
        }
    }
}

/// The command that shows a case fail.
pub fn reproduce(folder: &Path) -> String {
    replay_command(&folder.to_string_lossy(), "")
}

/// File names as those who work in this directory write them.
struct Files {
    here: String,
}

impl Files {
    fn here() -> Files {
        let here = std::env::current_dir().unwrap_or_default();
        Files {
            here: format!("{}/", here.display()),
        }
    }

    fn shorten(&self, file: &mut String) {
        if let Some(rest) = file.strip_prefix(&self.here) {
            *file = rest.to_owned();
        }
        if let Some(rest) = file.strip_prefix("./") {
            *file = rest.to_owned();
        }
    }

    fn frame(&self, site: &SiteInfo) -> Frame {
        let mut frame = Frame::from(&site.location);
        self.shorten(&mut frame.file);
        frame
    }
}

/// Places whose sides people are shown, by file, line and column.
fn places(survey: &Survey, files: &Files) -> Vec<BranchSite> {
    let shown =
        |site: &&SiteInfo| site.is_own() && site.sides > 0 && !site.location.file.is_empty();
    let mut places: Vec<BranchSite> = survey
        .sites
        .iter()
        .filter(shown)
        .map(|site| BranchSite {
            at: files.frame(site),
            sides: (0..site.sides)
                .map(|way| Side {
                    name: way_name(site, way),
                    reached: survey.coverage.contains(SideId(site.first_side + way)),
                })
                .collect(),
        })
        .collect();
    let order = |place: &BranchSite| (place.at.file.clone(), place.at.line, place.at.column);
    places.sort_by_key(order);
    places
}

/// From each position to the one before it, and the way from there; the last positions of runs too.
struct Above {
    positions: Vec<Option<(PositionId, u64)>>,
    /// By run.
    ends: Vec<Option<(PositionId, u64)>>,
}

fn above(survey: &Survey) -> Above {
    let tree = &survey.tree;
    let mut above = Above {
        positions: vec![None; tree.positions() as usize],
        ends: vec![None; survey.ends.len()],
    };
    for position in (0..tree.positions()).map(PositionId) {
        for (way, state) in tree.ways(position) {
            match state {
                State::Position(child) => above.positions[child.0 as usize] = Some((position, way)),
                State::Leaf(leaf) => {
                    let run = tree.leaf_run(leaf) as usize;
                    if let Some(end) = above.ends.get_mut(run) {
                        *end = Some((position, way));
                    }
                }
                _ => {}
            }
        }
    }
    above
}

/// The choices of a run that people are shown; none if it made exactly those of an earlier run.
fn path(
    survey: &Survey,
    above: &Above,
    run: u64,
    files: &Files,
    subject: &dyn SavedSubject,
) -> Vec<Passed> {
    let mut path = Vec::new();
    let end = usize::try_from(run)
        .ok()
        .and_then(|run| above.ends.get(run));
    let mut at = end.copied().flatten();
    let mut ways = Vec::new();
    while let Some((position, way)) = at {
        ways.push((position, way));
        at = above.positions[position.0 as usize];
    }
    ways.reverse();
    let names = Values::new(survey).along(&ways);
    for ((position, way), name) in ways.into_iter().zip(names) {
        let site = survey.sites.get(survey.tree.site(position).0 as usize);
        let Some(site) = site.filter(|site| site.is_own() && !site.location.file.is_empty()) else {
            continue;
        };
        let way = match survey.tree.kind(position) {
            Kind::Branch | Kind::Form => machine_name(2, way),
            Kind::Switch => way_name(site, way.min(u32::MAX.into()) as u32),
            Kind::Value => name.unwrap_or_else(|| format!("value {way}")),
            Kind::Thread => format!("{} moves", subject.mover(way as u32)),
            Kind::Pick => format!("way {}", way + 1),
            // Neither is a choice of the subject's.
            Kind::Assume | Kind::Question => continue,
        };
        path.push(Passed {
            at: files.frame(site),
            way,
        });
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_this_directory() {
        let files = Files {
            here: "/project/".into(),
        };
        for (given, shown) in [
            ("/project/src/a.c", "src/a.c"),
            ("./src/a.c", "src/a.c"),
            ("/usr/include/a.h", "/usr/include/a.h"),
            ("src/a.c", "src/a.c"),
        ] {
            let mut file = given.to_owned();
            files.shorten(&mut file);
            assert_eq!(file, shown);
        }
    }

    #[test]
    fn commands_can_be_copied() {
        assert_eq!(
            reproduce(Path::new("x.elsewise/findings/1")),
            "elsewise replay x.elsewise/findings/1"
        );
        assert_eq!(
            reproduce(Path::new("-rf.elsewise/findings/1")),
            "elsewise replay ./-rf.elsewise/findings/1"
        );
        assert_eq!(
            reproduce(Path::new("a b; rm.elsewise/findings/1")),
            "elsewise replay 'a b; rm.elsewise/findings/1'"
        );
    }
}
