//! EUnit suites of rebar3 projects, on their modules as they are and instrumented: every test must end
//! the same way.

use crate::packages::source;
use anyhow::Result;
use std::path::Path;

/// An application and the source package that it is in.
type Application = (&'static str, &'static str, &'static str);

/// Projects, each with what it depends on.
const PROJECTS: [&[Application]; 4] = [
    &[("base64url", "erlang-base64url", "1.0.1-6")],
    &[
        ("erlware_commons", "erlang-erlware-commons", "1.6.0+dfsg-1"),
        ("cf", "erlang-cf", "0.3.1-1"),
    ],
    &[("getopt", "erlang-getopt", "1.0.2-1")],
    &[("goldrush", "erlang-goldrush", "0.2.0-8")],
];

pub fn run(root: &Path) -> Result<()> {
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let work = tempfile::tempdir()?;
    let mut words = vec![work.path().display().to_string()];
    for project in PROJECTS {
        let mut parts = Vec::new();
        for (application, package, version) in project {
            let folder = source::fetch_original(&cache, package, version)?;
            parts.push(format!("{application}={}", folder.display()));
        }
        words.push(parts.join(","));
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = super::script(root, "projects.escript", &words)?;
    print!("{text}");
    Ok(())
}
