//! What can be wrong with the words of a command, whatever the language of its subject is.

use elsewise_cluster::{ClusterError, authority, credentials};
use elsewise_frontend::{Advice, CommandError, Exit};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum VerbError {
    // Which campaign, finding or case is meant.
    #[error("cannot list the working directory: {0}")]
    UnlistedFolder(io::Error),
    #[error("there is no campaign in this directory")]
    NoCampaign,
    #[error("`{text}` is no campaign")]
    NotCampaign { text: String },
    #[error("`{text}` is one campaign and --campaign another")]
    TwoCampaigns { text: String },
    #[error("`{text}`")]
    RunNumber { text: String },
    #[error("`{text}` is no campaign, finding, case or file")]
    NoCase { text: String },
    #[error("{} has no findings", campaign.display())]
    NoFindings { campaign: PathBuf },
    #[error("--svg and --dot draw one finding")]
    NoFindingNamed,
    #[error("`{name}` is not a finding")]
    NotFinding { name: String },

    // Findings with smaller inputs.
    #[error("process {pid} explores {} now", campaign.display())]
    Explored { campaign: PathBuf, pid: u32 },
    #[error("the finding depends on a schedule of threads")]
    MinimalSchedule,
    #[error("the finding's case has no input of bytes that could be made smaller")]
    NothingToMinimize,
    #[error("finding {id} does not fail in the same way any more")]
    FailsNoMore { id: u32 },
    #[error("cannot write the smaller input to {}: {source}", folder.display())]
    UnwrittenSmaller { folder: PathBuf, source: io::Error },
    #[error("{} has no input", folder.display())]
    EmptyCase { folder: PathBuf },
    #[error("cannot write {}: {source}", file.display())]
    UnwrittenCase { file: PathBuf, source: io::Error },

    // What is to be explored.
    /// `forms`: of the subjects that there are.
    #[error("`{}` is no subject that is known", words.join(" "))]
    UnknownSubject {
        words: Vec<String>,
        forms: Vec<&'static str>,
    },
    #[error("a function, predicate or model has no arguments after --")]
    Arguments,
    #[error("--{flag} says nothing about {what}")]
    Indifferent {
        flag: &'static str,
        what: &'static str,
    },
    /// `about`: what the flag is for; `instead`: what the subject has, if it is something.
    #[error("--{flag} is about {about}, and the subject is {what}")]
    OtherSubject {
        flag: String,
        about: &'static str,
        what: &'static str,
        instead: Option<&'static str>,
    },
    #[error("0 workers explore nothing")]
    NoJobs,
    #[error("ELSEWISE_JOBS is `{text}`")]
    JobsVariable { text: String },
    #[error("--afl and --corpus are for a campaign that one machine explores")]
    ExchangeTogether,

    // Campaigns that several explore together.
    // Servers and folders say what they want.
    #[error("{}", elsewise_report::escape_text(&.0.to_string()))]
    Fleet(ClusterError),
    #[error("what a fleet explores is not bounded by a number of runs")]
    RunsOfFleet,
    #[error("the campaign does not say how its subject is built")]
    NoCommandOfFleet,
    #[error("nobody has begun a campaign there")]
    NobodyThere,
    #[error("the campaign was begun with `{word}`")]
    ForeignWord { word: String },
    #[error("cannot make a temporary folder: {0}")]
    NoTemporaryFolder(io::Error),

    // Editors and agents.
    #[error("cannot tell where this program is: {0}")]
    OwnProgram(io::Error),
    #[error("the client cannot be served: {0}")]
    Served(io::Error),

    #[error("the subject could read the file of credentials: {0}")]
    Credentials(io::Error),

    #[error("no `elsewise explore`")]
    NoExplore,

    // Campaigns that are used again.
    #[error(
        "{} has a subject of the kind `{kind}`, and this elsewise was built without that front end",
        campaign.display()
    )]
    UnknownKind { campaign: PathBuf, kind: String },
    #[error("the campaign was explored with {flag}")]
    ExploredWith { flag: String },
    #[error("{} does not say how its subject is built", campaign.display())]
    NoBuild { campaign: PathBuf },
    #[error("cannot empty {}: {source}", folder.display())]
    NotEmptied { folder: PathBuf, source: io::Error },

    // Reports and pictures.
    #[error("cannot use the baseline {}: {source}", file.display())]
    Baseline {
        file: PathBuf,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("a test suite of Test-Comp is for programs of C")]
    NoTestSuite,
    #[error("the campaign cannot be written in this form: {why}")]
    NoForm { why: String },
    #[error(
        "--svg and --dot draw the memory graph of a function, --svg a schedule of threads or the \
         derivation of a query, and this is a program's finding"
    )]
    NoPicture,
    /// `flag`: that was given the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        flag: &'static str,
        address: String,
        source: io::Error,
    },
    #[error("there are no random numbers: {0}")]
    NoRandomNumbers(io::Error),

    // Results that are not where they should be.
    #[error("the result could not be written to standard output: {why}")]
    UnwrittenOutput { why: String },
    #[error("cannot write {}: {source}", file.display())]
    UnwrittenReport { file: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", file.display())]
    UnwrittenPicture { file: PathBuf, source: io::Error },
    #[error("cannot write manual pages into {}: {source}", folder.display())]
    UnwrittenPages { folder: PathBuf, source: io::Error },
}

impl CommandError for VerbError {
    fn exit(&self) -> Exit {
        use VerbError::*;
        match self {
            UnwrittenOutput { .. }
            | UnwrittenReport { .. }
            | UnwrittenPicture { .. }
            | UnwrittenPages { .. }
            | UnwrittenSmaller { .. }
            | UnwrittenCase { .. } => Exit::Unwritten,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use VerbError::*;
        match self {
            UnlistedFolder(_) => Advice::semicolon("name the campaign's directory"),
            NoCampaign => {
                Advice::colon("run `elsewise explore` first, or name the directory of one")
            }
            NotCampaign { .. } => {
                Advice::colon("give its directory, or its subject as `explore` was given it")
            }
            TwoCampaigns { .. } => Advice::colon("name one of them"),
            NoFindings { .. } => Advice::colon("give run:N for the case of a run"),
            RunNumber { .. } => Advice::colon("write a run's number after run:, as in run:17"),
            NoCase { .. } => Advice::colon(
                "give a campaign's directory or subject, a finding's number (`elsewise show` lists them), \
                 run:N, or the path of a finding or case",
            ),
            EmptyCase { .. } => Advice::semicolon("keep the finding again"),
            UnwrittenCase { .. } => Advice::semicolon("give --out a folder that can be written"),
            NoFindingNamed => Advice::colon("give its number"),
            NotFinding { .. } => {
                Advice::colon("give its number, or its folder in the campaign's findings")
            }
            Explored { .. } => Advice::colon("wait for it, or stop it"),
            MinimalSchedule => {
                Advice::colon("it has as few preemptions as could be found when it was confirmed")
            }
            NothingToMinimize => {
                Advice::colon("calls of a sequence were made as few as could be when it was found")
            }
            FailsNoMore { .. } => {
                Advice::colon("the subject has changed; explore it again, or see `elsewise check`")
            }
            UnwrittenSmaller { .. } => {
                Advice::semicolon("is the folder yours, and the disk not full?")
            }
            UnknownSubject { forms, .. } => Advice::colon(format!("give {}", forms.join(", "))),
            Arguments => Advice::colon("its parameters and messages are the inputs"),
            Indifferent { .. } => Advice::colon("leave it out"),
            OtherSubject { instead, .. } => Advice::colon(instead.unwrap_or("leave it out")),
            ExchangeTogether => Advice::colon("leave --fleet and --shard out"),
            NoJobs => Advice::colon("give at least 1 with --jobs or ELSEWISE_JOBS"),
            JobsVariable { .. } => Advice::colon("it is to be a number of workers, such as 2"),
            ForeignWord { .. } => Advice::semicolon("if you know by whom, give --trust"),
            Fleet(ClusterError::Refused { .. }) => {
                Advice::semicolon("who may use it? See ELSEWISE_FLEET_CREDENTIALS in the book")
            }
            Fleet(ClusterError::Unreachable { why, .. }) if is_of_tls(why) => Advice::semicolon(
                "ELSEWISE_FLEET_CA names the certificate of who signs the server's",
            ),
            Fleet(ClusterError::Io { path, .. }) if Some(path) == credentials().as_ref() => {
                Advice::semicolon(
                    "give ELSEWISE_FLEET_CREDENTIALS a file that `nsc generate creds` wrote",
                )
            }
            Fleet(ClusterError::Io { path, .. }) if Some(path) == authority().as_ref() => {
                Advice::semicolon("give ELSEWISE_FLEET_CA a file with a certificate in PEM")
            }
            Fleet(ClusterError::Server { why, .. }) if why.contains("ermissions") => {
                Advice::semicolon(
                    "`elsewise worker --join … --permissions` prints what a member needs",
                )
            }
            Fleet(ClusterError::Full(_)) => Advice::semicolon(
                "what is there stays: raise the limits of its streams on the server, or begin it \
                 under another name with another --fleet-quota",
            ),
            Fleet(ClusterError::OfServers(_)) => Advice::colon("the file system has them"),
            Fleet(ClusterError::Server { why, .. }) if why.contains("jetstream") => {
                Advice::semicolon("was it started with -js?")
            }
            NobodyThere => Advice::colon("begin one with `elsewise explore … --fleet`"),
            Fleet(ClusterError::Unreachable { .. }) => {
                Advice::semicolon("is it running, and is that its address?")
            }
            Fleet(ClusterError::OtherCampaign(_)) => Advice::colon(
                "give this one another name, or explore the same sources with the same words and the same version",
            ),
            Fleet(ClusterError::Address(_) | ClusterError::BucketAddress(_)) => {
                Advice::colon("give one of these")
            }
            Fleet(ClusterError::UnnamedBucket(_)) => Advice::semicolon(
                "if it is one that you know, give it to --bucket: no bucket is used that only the campaign names",
            ),
            Fleet(ClusterError::NoBucketAgreed | ClusterError::BucketOfFolder) => {
                Advice::colon("leave --bucket and ELSEWISE_FLEET_BUCKET out")
            }
            Fleet(ClusterError::OtherBucket { .. }) => Advice::colon(
                "name the same for all members, with the same endpoint, or the same folder",
            ),
            Fleet(ClusterError::Bucket { .. }) => Advice::semicolon(
                "is that its name, and what does the environment say of its endpoint and of who you are? See Fleets in the book",
            ),
            Fleet(ClusterError::NoBuckets) => Advice::colon("build it with the feature `buckets`"),
            RunsOfFleet => Advice::colon("give --budget a time"),
            UnknownKind { .. } => {
                Advice::colon("build it with it, or run the same `elsewise explore` again")
            }
            ExploredWith { .. } => Advice::colon("give that here, too, if you want it"),
            NoBuild { .. } => Advice::colon("run the same `elsewise explore` again, then check"),
            Baseline { .. } => {
                Advice::semicolon("give a file that `elsewise report --sarif` wrote")
            }
            NoTestSuite => Advice::colon("`elsewise export` writes tests for this subject"),
            Listen { flag, .. } => Advice::semicolon(format!(
                "give an address of this machine with a free port, as in --{flag}=127.0.0.1:8080",
            )),
            UnwrittenReport { .. } => Advice::semicolon("give --out a file that can be written"),
            UnwrittenPicture { .. } => Advice::semicolon("give a file that can be written"),
            UnwrittenPages { .. } => Advice::semicolon("give --out a folder that can be written"),
            NoExplore
            | Fleet(_)
            | NoCommandOfFleet
            | NoTemporaryFolder(_)
            | OwnProgram(_)
            | Served(_)
            | Credentials(_)
            | NotEmptied { .. }
            | NoForm { .. }
            | NoPicture
            | NoRandomNumbers(_)
            | UnwrittenOutput { .. } => None,
        }
    }
}

fn is_of_tls(why: &str) -> bool {
    let why = why.to_lowercase();
    ["tls", "certificate"].iter().any(|word| why.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_frontend::Problem;

    fn words(error: VerbError) -> String {
        Problem::from(error).to_string()
    }

    #[test]
    fn advice_has_what_there_is_to_choose_from() {
        let none = VerbError::NoFindings {
            campaign: "a.elsewise".into(),
        };
        assert_eq!(
            words(none),
            "a.elsewise has no findings: give run:N for the case of a run"
        );
        let unknown = VerbError::UnknownSubject {
            words: vec!["a.x".into(), "b.x".into()],
            forms: vec!["FILE.c…", "PROGRAM"],
        };
        assert_eq!(
            words(unknown),
            "`a.x b.x` is no subject that is known: give FILE.c…, PROGRAM"
        );
    }

    #[test]
    fn a_flag_of_another_subject_is_left_out_or_replaced() {
        let other = |instead| VerbError::OtherSubject {
            flag: "max-array".into(),
            about: "functions",
            what: "a program",
            instead,
        };
        let sentence = "--max-array is about functions, and the subject is a program";
        assert_eq!(words(other(None)), format!("{sentence}: leave it out"));
        let instead = Some("use --max-input");
        assert_eq!(
            words(other(instead)),
            format!("{sentence}: use --max-input")
        );
    }

    #[test]
    fn what_is_not_written_has_an_exit_code_of_its_own() {
        let file = || PathBuf::from("out");
        let source = || io::ErrorKind::StorageFull.into();
        for unwritten in [
            VerbError::UnwrittenOutput { why: "full".into() },
            VerbError::UnwrittenReport {
                file: file(),
                source: source(),
            },
            VerbError::UnwrittenPicture {
                file: file(),
                source: source(),
            },
            VerbError::UnwrittenPages {
                folder: file(),
                source: source(),
            },
        ] {
            assert_eq!(unwritten.exit(), Exit::Unwritten, "{unwritten}");
        }
        assert_eq!(VerbError::NoCampaign.exit(), Exit::Usage);
    }
}
