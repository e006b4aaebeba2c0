//! Which flags of `explore` an agent may give. Each flag is on one of two lists, and a test holds them against the command
//! line: whoever adds a flag decides whether an agent may say it.

/// Flags that say how a subject is explored and what its inputs are: at worst, little is found.
pub const ACCEPTED: &[&str] = &[
    "all-solutions",
    "any-arguments",
    "array",
    "cflags",
    "cover",
    "depth",
    "disk",
    "fork",
    "fresh",
    "globals",
    "include",
    "input-size",
    "integer-bits",
    "jobs",
    "linearizable",
    "loops",
    "macro",
    "max-array",
    "max-inferences",
    "max-input",
    "max-objects",
    "max-string",
    "max-values",
    "memory",
    "memory-model",
    "mode",
    "moves",
    "no-checks",
    "nonnull",
    "overtake",
    "query-timeout",
    "require-complete",
    "sanitize",
    "schedules",
    "seed",
    "sequence",
    "spurious",
    "stages-off",
    "steps",
    "strategy",
    "subsume",
    "term-depth",
    "timeout",
    "unhandled",
    "valid",
];

/// Flags that let a subject out, run or read what lies elsewhere, write elsewhere, take part in what others do, or that the
/// tool says itself.
pub const REFUSED: &[&str] = &[
    "afl",
    "allow-network",
    "allow-write",
    "bucket",
    "budget",
    "campaign",
    "code-path",
    "compile-commands",
    "config",
    "corpus",
    "env",
    "fleet",
    "fleet-quota",
    "format",
    "help",
    "merge",
    "metrics",
    "no-containment",
    "quiet",
    "real",
    "seeds",
    "shard",
    "trust",
    "workdir",
];

/// Says why a word is refused.
pub fn accept(word: &str) -> Result<(), String> {
    let form = || format!("`{word}` is not of the form --flag or --flag=value");
    let name = word.strip_prefix("--").ok_or_else(form)?;
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    if name.is_empty() {
        return Err(form());
    }
    match ACCEPTED.contains(&name) {
        true => Ok(()),
        false if REFUSED.contains(&name) => Err(format!(
            "--{name} is refused to tools for agents: a person can give it on the command line"
        )),
        false => Err(format!("there is no flag --{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_are_known_to_be_harmless_are_accepted() {
        for word in ["--seed=1", "--cover", "--cflags=-DN=3"] {
            assert_eq!(accept(word), Ok(()));
        }
        for word in [
            "--no-containment",
            "--allow-write=/",
            "--trust",
            "-q",
            "--",
            "",
            "a.c",
            "--=x",
            "--seed 1",
            "--SEED=1",
            "--nothing",
        ] {
            assert!(accept(word).is_err(), "{word}");
        }
    }
}
