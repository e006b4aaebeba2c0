//! Which schedules are searched, and how.

use std::fmt;
use std::str::FromStr;

/// Ways to search the schedules of a subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedules {
    /// All of them, each once; samples for what is left where the time does not suffice.
    #[default]
    Auto,
    /// All of them, each once.
    All,
    /// All with at most so many preemptions.
    Bounded(u32),
    Sampled(Sampling),
}

/// Ways to let chance decide who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Every thread that can move is as likely.
    Random,
    /// Random priorities of threads, which change in all but one of so many places.
    Pct(u32),
    /// Random priorities of moves, drawn anew after what conflicts with them.
    Pos,
}

/// How one run's threads move where the schedule of its case has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub sampling: Sampling,
    pub seed: u64,
    /// Moves that the run is thought to have.
    pub length: u64,
}

/// Places at which priorities can be told to change.
const DEEPEST: u32 = 16;

impl Schedules {
    /// How chance decides, if it does from the beginning.
    pub fn sampling(self) -> Option<Sampling> {
        match self {
            Schedules::Sampled(sampling) => Some(sampling),
            _ => None,
        }
    }

    /// Could every schedule be tried?
    pub fn is_whole(self) -> bool {
        matches!(self, Schedules::Auto | Schedules::All)
    }
}

impl fmt::Display for Schedules {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedules::Auto => out.write_str("auto"),
            Schedules::All => out.write_str("all"),
            Schedules::Bounded(most) => write!(out, "bounded:{most}"),
            Schedules::Sampled(sampling) => sampling.fmt(out),
        }
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sampling::Random => out.write_str("random"),
            Sampling::Pct(depth) => write!(out, "pct:{depth}"),
            Sampling::Pos => out.write_str("pos"),
        }
    }
}

impl FromStr for Schedules {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedules, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let number = number.map(|number| number.parse::<u32>());
        Ok(match (name, number) {
            ("auto", None) => Schedules::Auto,
            ("all", None) => Schedules::All,
            ("random", None) => Schedules::Sampled(Sampling::Random),
            ("pos", None) => Schedules::Sampled(Sampling::Pos),
            ("bounded", Some(Ok(most))) => Schedules::Bounded(most),
            ("pct", Some(Ok(depth @ 1..=DEEPEST))) => Schedules::Sampled(Sampling::Pct(depth)),
            ("pct", Some(_)) => return Err(format!("the depth of pct is 1 to {DEEPEST}: pct:3")),
            ("bounded", _) => return Err("say how many preemptions: bounded:2".into()),
            ("pct", None) => return Err("say how deep: pct:3".into()),
            _ => return Err("known are auto, all, bounded:N, random, pct:D and pos".into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        for word in [
            "auto",
            "all",
            "bounded:0",
            "bounded:2",
            "random",
            "pct:16",
            "pos",
        ] {
            let read: Schedules = word.parse().unwrap();
            assert_eq!(read.to_string(), word);
        }
        for bad in [
            "",
            "ALL",
            "bounded",
            "bounded:",
            "bounded:-1",
            "pct",
            "pct:0",
            "pct:17",
            "pos:1",
        ] {
            assert!(bad.parse::<Schedules>().is_err(), "{bad}");
        }
    }
}
