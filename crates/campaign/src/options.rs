//! What a campaign is told to do.

use crate::{Portion, Shard};
use elsewise_explore::Case;
use elsewise_explore::schedule::Schedules;
use elsewise_solve::Settings;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    /// The campaign's folder; made if it is not there.
    pub dir: PathBuf,
    /// The subject as the user wrote it.
    pub title: String,
    pub budget: Budget,
    /// A name out of [`elsewise_explore::strategy::STRATEGIES`].
    pub strategy: String,
    pub seed: u64,
    /// How schedules of threads are searched.
    pub schedules: Schedules,
    /// Alternatives of choices at this index and beyond are given up.
    pub depth: Option<u32>,
    /// Values of one choice beyond which further ones are given up.
    pub max_values: u32,
    pub solver: Settings,
    /// Whether parts of the tree that can hold nothing new are closed.
    pub subsume: Subsume,
    /// Only a share of the tree is explored; shards are put together by `merge`.
    pub shard: Option<Shard>,
    /// Campaigns of shards that a new campaign begins with.
    pub merge: Vec<PathBuf>,
    /// How long it took to explore what is merged, where that was not done all at the same time and somebody knows.
    pub merged_took: Option<Duration>,
    /// Only this part of the tree is explored, and others explore more of it at the same time.
    pub portion: Option<Portion>,
    /// And of that, these were left to others before.
    pub given: Vec<Portion>,
    /// Cases to begin with; the subject's own first case if there are none.
    pub seeds: Vec<Case>,
    /// What else the runs depend on, in words: with others it is another campaign.
    pub settings: Vec<String>,
    /// Begin anew even if the campaign in the folder could be resumed.
    pub fresh: bool,
    /// Check that the conditions of every run hold for the case that it ran on.
    pub check: bool,
    /// What the exploration is bounded by, in words, such as `stdin of at most 4096 bytes`.
    pub bounds: Vec<String>,
    /// What it is bounded by where runs have threads.
    pub thread_bounds: Vec<String>,
    /// What the subject is kept from less than elsewhere, in words. A campaign may go on where this is other.
    pub weaker: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dir: PathBuf::from("campaign.elsewise"),
            title: String::new(),
            budget: Budget::default(),
            strategy: "mix".to_owned(),
            seed: 0,
            schedules: Schedules::default(),
            depth: None,
            max_values: 256,
            solver: Settings::default(),
            subsume: Subsume::default(),
            shard: None,
            merge: Vec::new(),
            merged_took: None,
            portion: None,
            given: Vec::new(),
            seeds: Vec::new(),
            settings: Vec::new(),
            fresh: false,
            check: true,
            bounds: Vec::new(),
            thread_bounds: Vec::new(),
            weaker: Vec::new(),
        }
    }
}

/// What says in its identity which shard a campaign is, and that parts of it were closed by subsumption.
pub(crate) const SHARD: &str = "shard";
/// And what that one says if it was named by what leads there.
pub(crate) const PORTION: &str = "portion";
pub(crate) const SUBSUMED: &str = "subsume";

impl Options {
    /// What an exploration was bounded by of which runs had threads, or had none.
    pub(crate) fn all_bounds(&self, threads: bool) -> Vec<String> {
        let of_threads = self.thread_bounds.iter().filter(|_| threads);
        let bounds = self.bounds.iter().chain(of_threads);
        let shard = self
            .shard
            .map(|it| format!("shard {} of {}", it.number, it.of));
        let all = bounds.chain(&self.weaker).cloned();
        shard.into_iter().chain(all).collect()
    }

    /// What must be the same for a campaign to be resumed: all that the tree depends on. Strategy,
    /// seed and budget may change.
    pub fn identity(&self) -> String {
        let mut identity = serde_json::json!({
            "title": self.title,
            "depth": self.depth,
            "max_values": self.max_values,
            "check": self.check,
            "bounds": self.bounds,
            "thread_bounds": self.thread_bounds,
        });
        if !self.settings.is_empty() {
            identity["settings"] = self.settings.clone().into();
        }
        if !self.schedules.is_whole() {
            identity["schedules"] = self.schedules.to_string().into();
        }
        if let Some(shard) = self.shard {
            identity[SHARD] = format!("{}/{}", shard.number, shard.of).into();
        }
        if self.portion.is_some() {
            identity[SHARD] = PORTION.into();
        }
        // What is closed is not opened again.
        if self.subsume.by != SubsumeBy::Nothing && !self.subsume.cover {
            identity[SUBSUMED] = true.into();
        }
        identity.to_string()
    }

    /// What given-up queries depend on: with other settings they are asked again.
    pub(crate) fn solver_identity(&self) -> String {
        format!("{:?}", self.solver)
    }
}

/// In what two campaigns differ whose identities these are: of the one that is there, and of ours. None where that is
/// not easily said.
pub fn difference(there: &str, here: &str) -> Option<String> {
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let (there, here) = (parse(there)?, parse(here)?);
    let said = |flag: &str, value: &serde_json::Value| match value {
        serde_json::Value::Null => format!("no {flag}"),
        serde_json::Value::String(value) => format!("{flag} {value}"),
        value => format!("{flag} {value}"),
    };
    let list = |of: &serde_json::Value| -> Vec<String> {
        let all = of.as_array().into_iter().flatten();
        all.filter_map(|one| Some(one.as_str()?.to_owned()))
            .collect()
    };
    let one = |flag: &str, key: &str| {
        let (there, here) = (&there[key], &here[key]);
        (there != here).then(|| (said(flag, there), said(flag, here)))
    };
    let many = |key: &str| {
        let (there, here) = (list(&there[key]), list(&here[key]));
        let only = |these: &[String], those: &[String]| {
            let mut only = these.iter().filter(|one| !those.contains(one));
            only.next().cloned()
        };
        let (of_theirs, of_ours) = (only(&there, &here), only(&here, &there));
        let name = |text: &String| text.split(' ').next().unwrap_or_default().to_owned();
        match (of_theirs, of_ours) {
            (None, None) => None,
            (Some(theirs), Some(ours)) => Some((theirs, ours)),
            (Some(theirs), None) => Some((theirs.clone(), format!("no {}", name(&theirs)))),
            (None, Some(ours)) => Some((format!("no {}", name(&ours)), ours)),
        }
    };
    let found = many("settings")
        .or_else(|| one("--depth", "depth"))
        .or_else(|| one("--max-values", "max_values"))
        .or_else(|| one("--schedules", "schedules"))
        .or_else(|| one("the subject", "title"));
    let (there, here) = found?;
    Some(format!("there {there}, here {here}"))
}

/// How parts of the tree that can hold nothing new are closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subsume {
    pub by: SubsumeBy,
    /// What could reach a side that no run has reached is not closed.
    pub cover: bool,
    /// It goes on even where it does not pay.
    pub always: bool,
    /// It begins when there have been so many runs.
    pub after: u32,
}

/// By what parts of the tree are closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubsumeBy {
    #[default]
    Nothing,
    /// By what runs have explored alone.
    Explored,
    /// By bounded looks at what no run has explored, too.
    Looks,
}

/// When to stop at the latest, counted from the call of [`crate::explore`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub time: Option<Duration>,
    pub runs: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let plain = Options {
            title: "a.c".into(),
            settings: vec!["--env A=1".into(), "--input-size 8".into()],
            ..Options::default()
        };
        let differs = |change: fn(&mut Options)| {
            let mut other = plain.clone();
            change(&mut other);
            difference(&plain.identity(), &other.identity())
        };
        let said = [
            differs(|it| it.settings[1] = "--input-size 9".into()),
            differs(|it| it.settings.truncate(1)),
            differs(|it| it.settings.push("--valid f".into())),
            differs(|it| it.depth = Some(4)),
            differs(|it| it.max_values = 7),
            differs(|it| it.title = "b.c".into()),
        ];
        let expected = [
            "there --input-size 8, here --input-size 9",
            "there --input-size 8, here no --input-size",
            "there no --valid, here --valid f",
            "there no --depth, here --depth 4",
            "there --max-values 256, here --max-values 7",
            "there the subject a.c, here the subject b.c",
        ];
        assert_eq!(said, expected.map(|words| Some(words.to_owned())));
        assert_eq!(differs(|it| it.seed = 3), None);
        assert_eq!(difference("x", &plain.identity()), None);
    }
}
