//! `status --fleet`: how far a fleet is and what its members do, for people, scripts and browsers.

use crate::error::VerbError;
use crate::fleet::told;
use crate::output;
use crate::report::serve;
use elsewise_cluster::{Agreed, Cluster, Doing, Place, Pulse, Status, members};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem};
use elsewise_report::{FleetView, MemberView, Present};
use serde::Serialize;
use std::sync::Arc;

/// Members say something every five seconds. Who has said nothing for longer than this is named.
const SILENT: u64 = 10;

/// What `status --fleet` prints for machines.
#[derive(Serialize)]
struct StatusJson {
    command: Vec<String>,
    #[serde(flatten)]
    status: Status,
    over: bool,
    present: Present,
    members: Vec<MemberJson>,
}

#[derive(Serialize)]
struct MemberJson {
    /// No number: others than ours have 53 bits for one.
    id: String,
    host: String,
    process: u32,
    doing: Doing,
    portion: Option<String>,
    portions: u64,
    runs: u64,
    paths: u64,
    findings: u64,
    at: u64,
    seconds_ago: u64,
    heard: bool,
}

impl MemberJson {
    fn new(pulse: Pulse) -> MemberJson {
        MemberJson {
            seconds_ago: pulse.seconds_ago(),
            heard: silent(&pulse).is_none(),
            id: pulse.id.to_string(),
            host: pulse.host,
            process: pulse.process,
            doing: pulse.doing,
            portion: pulse.portion,
            portions: pulse.portions,
            runs: pulse.runs,
            paths: pulse.paths,
            findings: pulse.findings,
            at: pulse.at,
        }
    }
}

/// Seconds since a member was heard that should have been since.
fn silent(pulse: &Pulse) -> Option<u64> {
    let ago = pulse.seconds_ago();
    (pulse.doing != Doing::Left && ago > SILENT).then_some(ago)
}

/// What is known of a fleet at one moment.
struct Known {
    agreed: Agreed,
    status: Status,
    members: Vec<Pulse>,
}

impl Known {
    fn ask(cluster: &Cluster) -> Result<Known, Problem> {
        let store = cluster.store.as_ref();
        let agreed = Agreed::of(store).map_err(told)?;
        Ok(Known {
            agreed: agreed.ok_or(VerbError::NobodyThere)?,
            status: elsewise_cluster::status(store).map_err(told)?,
            members: members(store).map_err(told)?,
        })
    }

    fn view(&self) -> FleetView {
        FleetView {
            command: format!("elsewise {}", self.agreed.command.join(" ")),
            portions: self.status.portions,
            pending: self.status.pending,
            runs: self.status.runs,
            members: self.members.iter().map(view).collect(),
        }
    }
}

fn view(pulse: &Pulse) -> MemberView {
    MemberView {
        name: format!("{}:{}", pulse.host, pulse.process),
        doing: match pulse.doing {
            Doing::Waiting => "waiting",
            Doing::Exploring => "exploring",
            Doing::Left => "left",
        },
        portions: pulse.portions,
        runs: pulse.runs,
        paths: pulse.paths,
        findings: pulse.findings,
        silent: silent(pulse),
    }
}

fn open(place: &Place) -> Result<Cluster, Problem> {
    if let Place::Folder(folder) = place
        && !folder.is_dir()
    {
        return Err(VerbError::NobodyThere.into());
    }
    place.open(&Arc::default()).map_err(told)
}

/// Shows how far the members are that meet at a place.
pub fn status(place: &Place, format: Format) -> Result<Exit, Problem> {
    let known = Known::ask(&open(place)?)?;
    let view = known.view();
    match format {
        Format::Text => output::text(&view.text()),
        Format::Json => output::json(&StatusJson {
            over: known.status.pending == 0,
            command: known.agreed.command,
            status: known.status,
            present: view.present(),
            members: known.members.into_iter().map(MemberJson::new).collect(),
        })?,
    }
    Ok(Exit::Clean)
}

/// Shows the same to a browser, again and again.
pub fn serve(place: &Place, address: &str) -> Result<Exit, Problem> {
    let cluster = open(place)?;
    // An error now is better than a page that says it.
    Known::ask(&cluster)?;
    let page = move || Ok(Known::ask(&cluster)?.view().html());
    serve::serve("the fleet", address, Box::new(page))
}
