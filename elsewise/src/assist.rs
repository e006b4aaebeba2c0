//! `lsp` and `mcp`: the command for editors and for coding agents.

use crate::args::McpArgs;
use crate::error::VerbError;
use crate::request::Explore;
use crate::{args, config, languages};
use elsewise_assist::{Host, lsp, mcp};
use elsewise_frontend::{Exit, Problem};
use std::path::{Path, PathBuf};

fn host() -> Result<Host, Problem> {
    Ok(Host {
        front_ends: languages::all(),
        program: std::env::current_exe().map_err(VerbError::OwnProgram)?,
        version: env!("CARGO_PKG_VERSION"),
        saved: languages::saved,
        risks,
    })
}

pub fn lsp() -> Result<Exit, Problem> {
    let input = std::io::BufReader::new(std::io::stdin());
    let served = lsp::serve(host()?, input, std::io::stdout());
    // Without a good-bye, as the protocol has it.
    match served.map_err(VerbError::Served)? {
        true => Ok(Exit::Clean),
        false => Ok(Exit::Usage),
    }
}

pub fn mcp(args: &McpArgs) -> Result<Exit, Problem> {
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let folder = std::fs::canonicalize(&folder).map_err(VerbError::Served)?;
    mcp::serve(host()?, folder).map_err(VerbError::Served)?;
    Ok(Exit::Clean)
}

/// What an `explore` of these words would let a subject or a compiler do in that folder, with the settings file there.
fn risks(folder: &Path, words: &[String]) -> Result<Vec<String>, Problem> {
    let command = ["elsewise", "explore"].map(str::to_string);
    let all = command.iter().chain(words).cloned();
    let matches = args::command().try_get_matches_from(all)?;
    let given = matches.subcommand_matches("explore");
    let named = given.and_then(|given| given.get_one::<PathBuf>("config"));
    let named = named.map(|file| folder.join(file));
    let file = config::load(named.as_deref(), folder)?;
    let typed = command.iter().skip(1).chain(words).cloned().collect();
    Explore::with_file(&matches, typed, &file)?.risks(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn found(settings: &str, words: &[&str]) -> Vec<String> {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("elsewise.toml"), settings).unwrap();
        std::fs::write(place.path().join("a.c"), "int main(void) { return 0; }").unwrap();
        let words: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
        risks(place.path(), &words).unwrap()
    }

    #[test]
    fn what_weakens_containment_is_seen_wherever_it_is_said() {
        assert_eq!(found("seed = 1\ncflags = \"-DN=3\"\n", &["a.c"]), [""; 0]);
        assert_eq!(found("allow-write = \"out\"\n", &["a.c"]).len(), 1);
        for (settings, words) in [
            ("no-containment = true\n", &["a.c"][..]),
            ("allow-network = true\n", &["a.c"]),
            ("allow-write = \"/tmp\"\n", &["a.c"]),
            ("cflags = \"-fplugin=x.so\"\n", &["a.c"]),
            ("", &["--no-containment", "a.c"]),
            ("", &["--trust", "a.c"]),
            ("", &["--cflags=-fplugin=x.so", "a.c::f"]),
        ] {
            assert_eq!(found(settings, words).len(), 1, "{settings} {words:?}");
        }
    }

    #[test]
    fn what_a_project_makes_the_compiler_load_is_seen() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a.c"), "int f(int a) { return a; }").unwrap();
        for (options, expected) in [("-DN=3 -Iinclude", 0), ("-Xclang -load -Xclang x.so", 1)] {
            let entry = serde_json::json!([{
                "directory": place.path(),
                "file": "a.c",
                "command": format!("cc {options} -c a.c"),
            }]);
            let database = place.path().join("compile_commands.json");
            std::fs::write(database, entry.to_string()).unwrap();
            let found = risks(place.path(), &["a.c::f".to_string()]).unwrap();
            assert_eq!(found.len(), expected, "{options}: {found:?}");
        }
    }

    /// A flag is harmless in an agent's hands, or it is not.
    #[test]
    fn each_flag_is_accepted_from_agents_or_refused() {
        let command = args::command();
        let explore = command.find_subcommand("explore").unwrap();
        let flags: BTreeSet<&str> = explore
            .get_arguments()
            .filter_map(|flag| flag.get_long())
            .collect();
        let decided: BTreeSet<&str> = mcp::ACCEPTED.iter().chain(mcp::REFUSED).copied().collect();
        let undecided: Vec<_> = flags.difference(&decided).collect();
        assert!(undecided.is_empty(), "{undecided:?}");
        let gone: Vec<_> = decided
            .difference(&flags)
            .filter(|flag| **flag != "help")
            .collect();
        assert!(gone.is_empty(), "{gone:?}");
        assert!(
            mcp::ACCEPTED
                .iter()
                .all(|flag| !mcp::REFUSED.contains(flag))
        );
    }
}
