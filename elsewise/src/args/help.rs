//! The two lengths of help: `-h` has a line for each flag, what is used most first, and `--help` everything.

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// Flags of `explore` for all subjects, by what they are about, and in which order they are shown.
const HEADINGS: [(Option<&str>, &[&str]); 5] = [
    (
        None,
        &[
            "budget",
            "jobs",
            "campaign",
            "fresh",
            "quiet",
            "format",
            "require_complete",
            "config",
            "trust",
        ],
    ),
    (Some("Limits of a run"), &["timeout", "memory"]),
    (
        Some("What the subject may do"),
        &["allow_network", "allow_write", "no_containment"],
    ),
    (
        Some("The search"),
        &[
            "strategy",
            "schedules",
            "depth",
            "seed",
            "max_values",
            "query_timeout",
            "stages_off",
        ],
    ),
    (
        Some("One campaign on several machines"),
        &[
            "shard",
            "merge",
            "fleet",
            "fleet_quota",
            "bucket",
            "metrics",
        ],
    ),
];

/// A flag's name and its possible values have so many columns where these stand in the place of the value's name.
const VALUES: usize = 22;

/// `explore`, with its flags under headings.
pub fn with_headings(mut explore: Command) -> Command {
    for (heading, flags) in HEADINGS {
        for (order, flag) in flags.iter().enumerate() {
            explore = explore.mut_arg(*flag, |flag| {
                flag.help_heading(heading).display_order(order)
            });
        }
    }
    explore
}

/// A command in both lengths.
pub fn in_two_lengths(command: Command) -> Command {
    let name = command.get_name().to_string();
    let command = command.mut_args(|arg| {
        let help = arg.get_help().cloned().unwrap_or_default();
        match arg.get_long_help() {
            None if !help.to_string().is_empty() => {
                let first = first_clause(&help.to_string());
                arg.help(first).long_help(help)
            }
            _ => {
                let first = first_clause(&help.to_string());
                arg.help(first)
            }
        }
    });
    match command.get_after_help().cloned() {
        Some(examples) => {
            let more = format!("`elsewise {name} --help` says more, with examples.");
            command.after_long_help(examples).after_help(more)
        }
        None => command,
    }
}

/// For `-h` alone: a flag's values stand where they take no line of their own.
pub fn in_short(command: Command) -> Command {
    let short = |arg: Arg| {
        let values = arg.get_possible_values();
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        let joined = names.join("|");
        if !arg.get_action().takes_values() {
            return arg;
        }
        let takes = !arg.is_positional();
        let arg = arg.hide_possible_values(true).hide_default_value(true);
        let size = joined.len() + arg.get_long().map_or(0, str::len);
        match takes && !joined.is_empty() && size <= VALUES {
            // The process prints it and ends.
            true => arg.value_name(&*joined.leak()),
            false => arg,
        }
    };
    let names: Vec<String> = command
        .get_subcommands()
        .map(|verb| verb.get_name().to_string())
        .collect();
    let mut command = command;
    for name in names {
        command = command.mut_subcommand(name, |verb| verb.mut_args(short));
    }
    command
}

/// Columns that a line has for what a flag does, beside the longest flags.
const ROOM: usize = 66;

/// As many of a clause's parts as a line has room for.
fn within(clause: &str) -> &str {
    if clause.len() <= ROOM {
        return clause;
    }
    let parts = clause.match_indices(", ").map(|(at, _)| at);
    let end = parts.take_while(|at| *at <= ROOM).last();
    end.map_or(clause, |end| &clause[..end])
}

/// What stands before the details.
fn first_clause(help: &str) -> StyledStr {
    let mut lines = help.lines().map(|line| {
        let ends = [". ", "; ", ": ", " [default", ", by ", ", as in "];
        let end = ends.iter().filter_map(|end| line.find(end)).min();
        within(end.map_or(line, |end| &line[..end]))
    });
    // Several lines are several things.
    match help.lines().count() {
        1 => lines.next().unwrap_or_default().to_string().into(),
        _ => help.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_left_out() {
        for (help, first) in [
            (
                "End after a time, or runs: 60s [default: never]",
                "End after a time, or runs",
            ),
            ("Begin anew", "Begin anew"),
            (
                "Run it in this directory, which it may only read, in place of one that is its own",
                "Run it in this directory, which it may only read",
            ),
            ("Draw it. May be given more than once", "Draw it"),
            ("FILE: one\nOTHER: two", "FILE: one\nOTHER: two"),
        ] {
            assert_eq!(first_clause(help).to_string(), first);
        }
    }
}
