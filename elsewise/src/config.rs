//! `elsewise.toml`: the flags of `explore`, under the same names.

use crate::args::{Cli, Settings};
use crate::exit::Problem;
use clap::CommandFactory;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The file that is read from the working directory when no other is named.
pub const NAME: &str = "elsewise.toml";

/// Flags of `explore` that make no sense in a file.
const NOT_IN_FILE: [&str; 3] = ["config", "help", "trust"];

/// Settings from `explicit`, or from `elsewise.toml` in `directory` if there is one.
pub fn load(explicit: Option<&Path>, directory: &Path) -> Result<Settings, Problem> {
    let path = match explicit {
        Some(path) => path.to_path_buf(),
        None => directory.join(NAME),
    };
    let shown = explicit.unwrap_or(Path::new(NAME)).display().to_string();
    match fs::read_to_string(&path) {
        Ok(text) => parse(&text, &shown),
        Err(error) if error.kind() == ErrorKind::NotFound && explicit.is_none() => {
            Ok(Settings::default())
        }
        Err(error) => Err(Problem::usage(format!(
            "cannot read the settings file {shown}: {error}; correct --config, or leave it out"
        ))),
    }
}

fn parse(text: &str, name: &str) -> Result<Settings, Problem> {
    let bad = |error: toml::de::Error| {
        Problem::usage(format!(
            "{name} cannot be read; correct it, `elsewise explore --help` lists what can stand \
             there\n{}",
            error.to_string().trim_end()
        ))
    };
    let table: toml::Table = text.parse().map_err(bad)?;
    let known = keys();
    for key in table.keys() {
        if !known.contains(key) {
            let nearest = known
                .iter()
                .max_by(|a, b| {
                    let near = |other: &str| strsim::jaro_winkler(key, other);
                    near(a).total_cmp(&near(b))
                })
                .map(String::as_str)
                .unwrap_or_default();
            return Err(Problem::usage(format!(
                "{name}: there is no setting `{key}`; did you mean `{nearest}`? Known are: {}",
                known.join(", ")
            )));
        }
    }
    toml::from_str(text).map_err(bad)
}

/// The settings' names: the long flags of `explore`.
pub fn keys() -> Vec<String> {
    let command = Cli::command();
    let explore = command.find_subcommand("explore");
    explore
        .into_iter()
        .flat_map(|explore| explore.get_arguments())
        .filter_map(|argument| argument.get_long())
        .filter(|name| !NOT_IN_FILE.contains(name))
        .map(str::to_string)
        .collect()
}

impl Settings {
    /// These settings where they say something, `other`'s elsewhere.
    pub fn or(self, other: Settings) -> Settings {
        Settings {
            env: list(self.env, other.env),
            cflags: self.cflags.or(other.cflags),
            input_size: self.input_size.or(other.input_size),
            max_input: self.max_input.or(other.max_input),
            budget: self.budget.or(other.budget),
            strategy: self.strategy.or(other.strategy),
            subsume: self.subsume.or(other.subsume),
            cover: self.cover || other.cover,
            require_complete: self.require_complete || other.require_complete,
            depth: self.depth.or(other.depth),
            seed: self.seed.or(other.seed),
            seeds: self.seeds.or(other.seeds),
            timeout: self.timeout.or(other.timeout),
            memory: self.memory.or(other.memory),
            disk: self.disk.or(other.disk),
            allow_network: self.allow_network || other.allow_network,
            allow_write: list(self.allow_write, other.allow_write),
            workdir: self.workdir.or(other.workdir),
            no_containment: self.no_containment || other.no_containment,
            fork: self.fork || other.fork,
            jobs: self.jobs.or(other.jobs),
            campaign: self.campaign.or(other.campaign),
            fresh: self.fresh || other.fresh,
            format: self.format.or(other.format),
            quiet: self.quiet || other.quiet,
            query_timeout: self.query_timeout.or(other.query_timeout),
            sanitize: list(self.sanitize, other.sanitize),
            stages_off: list(self.stages_off, other.stages_off),
            max_values: self.max_values.or(other.max_values),
            no_checks: self.no_checks || other.no_checks,
            schedules: self.schedules.or(other.schedules),
            spurious: self.spurious.or(other.spurious),
            memory_model: self.memory_model.or(other.memory_model),
            linearizable: list(self.linearizable, other.linearizable),
            moves: self.moves.or(other.moves),
            array: list(self.array, other.array),
            globals: self.globals || other.globals,
            sequence: list(self.sequence, other.sequence),
            steps: self.steps.or(other.steps),
            valid: list(self.valid, other.valid),
            real: list(self.real, other.real),
            max_objects: self.max_objects.or(other.max_objects),
            max_array: self.max_array.or(other.max_array),
            max_string: self.max_string.or(other.max_string),
            compile_commands: self.compile_commands.or(other.compile_commands),
            term_depth: self.term_depth.or(other.term_depth),
            integer_bits: self.integer_bits.or(other.integer_bits),
            any_arguments: self.any_arguments || other.any_arguments,
            include: list(self.include, other.include),
            code_path: list(self.code_path, other.code_path),
            macros: list(self.macros, other.macros),
            mode: self.mode.or(other.mode),
            all_solutions: self.all_solutions || other.all_solutions,
            max_inferences: self.max_inferences.or(other.max_inferences),
            loops: self.loops.or(other.loops),
            unhandled: self.unhandled || other.unhandled,
            overtake: self.overtake.or(other.overtake),
        }
    }
}

/// A list on the command line takes the place of the file's.
fn list<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    if first.is_empty() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{ResultFormat, Sanitizer, Stage, Strategy};

    /// Every setting in one file: a flag that cannot be read from there fails here.
    const ALL: &str = r#"
        cflags = "-DN=3"
        sanitize = ["address", "leak"]
        input-size = 20
        max-input = 64
        env = ["LEVEL=@arg:2", "HOME=/"]
        budget = "60s,1000runs"
        strategy = "cfg"
        subsume = "on"
        cover = true
        require-complete = true
        depth = 9
        seed = 7
        seeds = "corpus"
        timeout = 100
        memory = 512
        disk = 64
        allow-network = true
        allow-write = ["out", "/var/tmp"]
        workdir = "data"
        no-containment = true
        fork = true
        jobs = 2
        campaign = "here"
        fresh = true
        format = "json"
        quiet = true
        query-timeout = 250
        stages-off = ["z3", "search"]
        max-values = 16
        no-checks = true
        schedules = "bounded:2"
        spurious = 1
        memory-model = "tso"
        linearizable = ["push", "pop"]
        moves = 1000
        array = ["p:n"]
        globals = true
        sequence = ["new", "add"]
        steps = 4
        valid = ["list:list_check"]
        real = ["f"]
        max-objects = 3
        max-array = 4
        max-string = 5
        compile-commands = "build"
        term-depth = 3
        integer-bits = 16
        any-arguments = true
        include = ["include"]
        code-path = ["_build/default/lib/bank/ebin"]
        macro = ["TEST", "N=3"]
        mode = "route(+,+,-)"
        all-solutions = true
        max-inferences = 5000
        loops = 3
        unhandled = true
        overtake = 2
    "#;

    #[test]
    fn every_flag_can_stand_in_the_file() {
        let table: toml::Table = ALL.parse().unwrap();
        let mut named: Vec<String> = table.keys().cloned().collect();
        let mut known = keys();
        named.sort();
        known.sort();
        assert_eq!(named, known);
        let settings = parse(ALL, NAME).unwrap();
        assert_eq!(settings.input_size, Some(20));
        assert_eq!(settings.budget, "60s,1000runs".parse().ok());
        assert_eq!(settings.sanitize, [Sanitizer::Address, Sanitizer::Leak]);
        assert_eq!(settings.stages_off, [Stage::Z3, Stage::Search]);
        assert_eq!(settings.format, Some(ResultFormat::Json));
        assert_eq!(settings.schedules, "bounded:2".parse().ok());
    }

    #[test]
    fn flags_win() {
        let flags = Settings {
            seed: Some(1),
            strategy: Some(Strategy::Dfs),
            stages_off: vec![Stage::Cache],
            ..Settings::default()
        };
        let settings = flags.or(parse(ALL, NAME).unwrap());
        assert_eq!(settings.seed, Some(1));
        assert_eq!(settings.strategy, Some(Strategy::Dfs));
        assert_eq!(settings.stages_off, [Stage::Cache]);
        assert_eq!(settings.input_size, Some(20));
        assert!(settings.fresh && settings.quiet);
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| parse(text, NAME).unwrap_err().message;
        insta::assert_snapshot!("unknown_key", message("input_size = 3\n"));
        insta::assert_snapshot!("no_toml", message("seed = \n"));
        insta::assert_snapshot!("wrong_type", message("jobs = 1\nseed = \"x\"\n"));
        insta::assert_snapshot!("bad_budget", message("budget = \"60\"\n"));
        insta::assert_snapshot!("unknown_strategy", message("strategy = \"bfs\"\n"));
    }
}
