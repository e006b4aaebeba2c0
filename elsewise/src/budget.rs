//! `--budget`: how long an exploration may go on.

use serde::Deserialize;
use std::str::FromStr;
use std::time::Duration;

/// Time, runs, or both: whichever ends first. Nothing means until all is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Budget {
    pub time: Option<Duration>,
    pub runs: Option<u64>,
}

const FORM: &str = "write a time, a number of runs, or both: 60s, 5m, 2h, 1000runs, 60s,1000runs";

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let mut budget = Budget::default();
        for part in text.split(',') {
            let part = part.trim();
            let end = part
                .find(|char: char| !char.is_ascii_digit())
                .unwrap_or(part.len());
            let (digits, unit) = part.split_at(end);
            if digits.is_empty() {
                return Err(format!("`{part}` does not begin with a number; {FORM}"));
            }
            let number: u64 = digits
                .parse()
                .map_err(|_| format!("`{digits}` is too large; {FORM}"))?;
            let seconds = match unit.trim() {
                "runs" | "run" => {
                    if budget.runs.replace(number).is_some() {
                        return Err(format!("two numbers of runs; {FORM}"));
                    }
                    continue;
                }
                "ms" => Some(Duration::from_millis(number)),
                "s" => Some(Duration::from_secs(number)),
                "m" | "min" => number.checked_mul(60).map(Duration::from_secs),
                "h" => number.checked_mul(3600).map(Duration::from_secs),
                "" => return Err(format!("`{part}` has no unit; {FORM}")),
                unit => return Err(format!("`{unit}` is not a unit; {FORM}")),
            };
            let time = seconds.ok_or_else(|| format!("`{part}` is too large; {FORM}"))?;
            if budget.time.replace(time).is_some() {
                return Err(format!("two times; {FORM}"));
            }
        }
        Ok(budget)
    }
}

impl TryFrom<String> for Budget {
    type Error = String;

    fn try_from(text: String) -> Result<Budget, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_are_understood() {
        let of = |text: &str| {
            let budget: Budget = text.parse().unwrap();
            (budget.time.map(|time| time.as_millis()), budget.runs)
        };
        assert_eq!(of("60s"), (Some(60_000), None));
        assert_eq!(of("250ms"), (Some(250), None));
        assert_eq!(of("5m"), (Some(300_000), None));
        assert_eq!(of("2h"), (Some(7_200_000), None));
        assert_eq!(of("1000runs"), (None, Some(1000)));
        assert_eq!(of("60s,1000runs"), (Some(60_000), Some(1000)));
        assert_eq!(of("1 run, 1 s"), (Some(1000), Some(1)));
    }

    #[test]
    fn others_say_what_to_write() {
        for text in [
            "",
            "s",
            "60",
            "60x",
            "1s,2m",
            "1runs,2runs",
            "99999999999999999999s",
        ] {
            let error = text.parse::<Budget>().unwrap_err();
            assert!(error.ends_with(FORM), "{text}: {error}");
        }
        assert!("18446744073709551615h".parse::<Budget>().is_err());
    }
}
