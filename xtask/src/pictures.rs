//! `cargo xtask pictures`: the pictures of the book and the README that show what the program prints or draws,
//! made from real runs.
//!
//! What is written is checked in, in `docs/src/images`. Times in it differ from run to run, so nothing checks that it is
//! what would be written today: make it anew when the program's words change, and look at it.

use crate::screenshots::chromium;
use anstyle::{Color, RgbColor};
use anstyle_svg::{Palette, Term};
use anyhow::{Context, Result, ensure};
use elsewise_bench::engine::Engine;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const FOLDER: &str = "docs/src/images";

/// Columns of the terminals that are shown.
const COLUMNS: &str = "88";

/// Colours of a terminal.
struct Colours {
    background: RgbColor,
    foreground: RgbColor,
    palette: Palette,
}

const fn colours(background: RgbColor, foreground: RgbColor, eight: [RgbColor; 7]) -> Colours {
    let [black, red, green, yellow, blue, magenta, cyan] = eight;
    Colours {
        background,
        foreground,
        palette: Palette([
            black, red, green, yellow, blue, magenta, cyan, foreground, black, red, green, yellow,
            blue, magenta, cyan, foreground,
        ]),
    }
}

const DARK: Colours = colours(
    RgbColor(0x0d, 0x11, 0x17),
    RgbColor(0xe6, 0xed, 0xf3),
    [
        RgbColor(0x48, 0x4f, 0x58),
        RgbColor(0xff, 0x7b, 0x72),
        RgbColor(0x3f, 0xb9, 0x50),
        RgbColor(0xd2, 0x99, 0x22),
        RgbColor(0x58, 0xa6, 0xff),
        RgbColor(0xbc, 0x8c, 0xff),
        RgbColor(0x39, 0xc5, 0xcf),
    ],
);
const LIGHT: Colours = colours(
    RgbColor(0xff, 0xff, 0xff),
    RgbColor(0x1f, 0x23, 0x28),
    [
        RgbColor(0x6e, 0x77, 0x81),
        RgbColor(0xcf, 0x22, 0x2e),
        RgbColor(0x1a, 0x7f, 0x37),
        RgbColor(0x9a, 0x67, 0x00),
        RgbColor(0x09, 0x69, 0xda),
        RgbColor(0x82, 0x50, 0xdf),
        RgbColor(0x1b, 0x7c, 0x83),
    ],
);

impl Colours {
    /// A terminal with this text on it.
    fn terminal(&self, text: &str) -> String {
        let terminal = Term::new()
            .palette(self.palette)
            .fg_color(Color::Rgb(self.foreground))
            .bg_color(Color::Rgb(self.background));
        terminal.render_svg(text)
    }
}

/// How one campaign becomes a picture.
enum Kind {
    /// What a command prints on a terminal.
    Terminal(&'static [&'static str]),
    /// What a terminal shows while it is explored, for so long, at last.
    Live(&'static Colours, &'static str),
    /// What `show --svg` draws of its first finding.
    Finding,
    /// Its tree of choices, drawn by Graphviz.
    Tree,
    /// The page, or one section of it, as wide and as tall as this.
    Page(Option<&'static str>, u32, u32),
}

struct Picture {
    /// Its name in the folder.
    file: &'static str,
    /// What `explore` is given, its first word being a file of the repository.
    subject: &'static str,
    words: &'static [&'static str],
    kind: Kind,
}

const CHECKSUM: &str = "tests/subjects/inputs/checksum/checksum.c";
const PAIRS: &str = "tests/subjects/programs/key_value/key_value.c";
/// How long is watched.
const LIVE: &str = "12s";
const LIST: &str = "tests/book/functions/list.c::list_remove";
const VALID: &[&str] = &["--valid", "list:list_check", "--max-objects", "4"];

const PICTURES: [Picture; 12] = [
    Picture {
        file: "terminal.svg",
        subject: CHECKSUM,
        words: &[],
        kind: Kind::Terminal(&["explore", "checksum.c"]),
    },
    Picture {
        file: "show.svg",
        subject: CHECKSUM,
        words: &[],
        kind: Kind::Terminal(&["show", "1"]),
    },
    Picture {
        file: "live-dark.svg",
        subject: PAIRS,
        words: &[],
        kind: Kind::Live(&DARK, LIVE),
    },
    Picture {
        file: "live-light.svg",
        subject: PAIRS,
        words: &[],
        kind: Kind::Live(&LIGHT, LIVE),
    },
    Picture {
        file: "choices.svg",
        subject: "tests/book/functions/list.c::list_check",
        words: &["--max-objects", "2"],
        kind: Kind::Tree,
    },
    Picture {
        file: "list.svg",
        subject: LIST,
        words: VALID,
        kind: Kind::Finding,
    },
    Picture {
        file: "page.png",
        subject: LIST,
        words: VALID,
        kind: Kind::Page(None, 1000, 900),
    },
    Picture {
        file: "schedule.svg",
        subject: "tests/schedules/philosophers.c",
        words: &[],
        kind: Kind::Finding,
    },
    Picture {
        file: "prolog.svg",
        subject: "tests/book/prolog/fees.pl::fee/3",
        words: &[],
        kind: Kind::Terminal(&["show", "1"]),
    },
    Picture {
        file: "source.png",
        subject: "tests/book/recipe-file/bmpinfo.c",
        words: &["--budget", "20runs", "--", "@@"],
        kind: Kind::Page(Some("source"), 900, 880),
    },
    Picture {
        file: "model.png",
        subject: "tests/book/statecharts/door.qm",
        words: &["--steps", "5"],
        kind: Kind::Page(Some("model"), 900, 380),
    },
    Picture {
        file: "messages.svg",
        subject: "tests/book/statecharts/door.qm",
        words: &["--steps", "5"],
        kind: Kind::Finding,
    },
];

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let debug = words.contains(&"--debug");
    let wanted: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| *word != "--debug")
        .collect();
    for word in &wanted {
        let known = PICTURES.iter().any(|picture| picture.file == *word);
        ensure!(known, "`cargo xtask pictures` does not make {word}");
    }
    let engine = Engine::build(root, debug)?;
    for picture in &PICTURES {
        if wanted.is_empty() || wanted.contains(&picture.file) {
            println!("{} ...", picture.file);
            let place = Place::new(root, &engine, picture)?;
            place
                .make(picture)
                .with_context(|| format!("{} was not made", picture.file))?;
        }
    }
    Ok(())
}

/// A folder with the subject, as a user has it.
struct Place<'a> {
    root: &'a Path,
    engine: &'a Engine,
    folder: tempfile::TempDir,
    /// The subject as it is named there.
    subject: String,
}

impl<'a> Place<'a> {
    fn new(root: &'a Path, engine: &'a Engine, picture: &Picture) -> Result<Place<'a>> {
        let (file, function) = match picture.subject.split_once("::") {
            Some((file, function)) => (file, format!("::{function}")),
            None => (picture.subject, String::new()),
        };
        let folder = tempfile::tempdir()?;
        let from = root.join(file);
        let name = from
            .file_name()
            .context("a file")?
            .to_string_lossy()
            .into_owned();
        fs::copy(&from, folder.path().join(&name))?;
        // What stands beside a model says what it has to keep to.
        let rules = from.with_extension("rules");
        if rules.is_file() {
            let name = rules.file_name().context("a file")?;
            fs::copy(&rules, folder.path().join(name))?;
        }
        Ok(Place {
            root,
            engine,
            folder,
            subject: name + &function,
        })
    }

    fn run(&self, words: &[&str]) -> Result<Output> {
        let output = Command::new(&self.engine.elsewise)
            .args(words)
            .current_dir(self.folder.path())
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR")
            .env("COLUMNS", COLUMNS)
            .stdin(Stdio::null())
            .output()?;
        let code = output.status.code();
        ensure!(
            matches!(code, Some(0 | 2 | 3)),
            "elsewise {}: {}\n{}",
            words.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(output)
    }

    /// The command, and what its terminal shows at last.
    fn watch(&self, picture: &Picture, budget: &str) -> Result<String> {
        let mut words = vec![
            "elsewise",
            "explore",
            self.subject.as_str(),
            "--budget",
            budget,
        ];
        words.extend(picture.words);
        let shown = words.join(" ");
        words[0] = self.engine.elsewise.to_str().context("a path of text")?;
        let words = shlex::try_join(words.iter().copied())?;
        let typed = self.folder.path().join("typed");
        // A terminal of its own.
        let mut script = Command::new("script");
        script
            .args(["-qfec", &format!("stty cols {COLUMNS} rows 40; {words}")])
            .arg(&typed)
            .current_dir(self.folder.path())
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        script.status().context("script, of bsdutils")?;
        let typed = String::from_utf8_lossy(&fs::read(typed)?).into_owned();
        let view = last_view(&typed).context("no view was drawn")?;
        let view = view.replace('\r', "");
        Ok(format!("\x1b[1m$ {shown}\x1b[0m\n{}\n", view.trim_end()))
    }

    fn make(&self, picture: &Picture) -> Result<()> {
        let out = self.root.join(FOLDER).join(picture.file);
        if let Kind::Live(colours, budget) = &picture.kind {
            return Ok(fs::write(
                out,
                colours.terminal(&self.watch(picture, budget)?),
            )?);
        }
        let mut explore = vec!["explore", self.subject.as_str(), "--quiet"];
        explore.extend(picture.words);
        let explored = self.run(&explore)?;
        match &picture.kind {
            Kind::Terminal(words) => {
                let printed = match words[0] {
                    "explore" => explored,
                    _ => self.run(words)?,
                };
                let text = String::from_utf8(printed.stdout)?;
                let command = format!("$ elsewise {}", words.join(" "));
                let shown = format!("\x1b[1m{command}\x1b[0m\n{}\n", text.trim_end());
                fs::write(out, DARK.terminal(&shown))?;
            }
            Kind::Live(..) => {}
            Kind::Finding => {
                let drawn = self.folder.path().join("drawn.svg");
                self.run(&["show", "1", "--svg", "drawn.svg"])?;
                fs::copy(drawn, out)?;
            }
            Kind::Tree => {
                self.run(&["report", "--dot", "--out", "tree.dot"])?;
                let mut dot = Command::new("dot");
                dot.args(["-Tsvg", "-o"])
                    .arg(out)
                    .arg("tree.dot")
                    .current_dir(self.folder.path());
                succeed(&mut dot)?;
            }
            Kind::Page(section, width, height) => {
                self.run(&["report", "--html", "--out", "page.html"])?;
                let page = self.folder.path().join("page.html");
                if let Some(section) = section {
                    let whole = fs::read_to_string(&page)?;
                    fs::write(&page, only(&whole, section)?)?;
                }
                photograph(&page, &out, *width, *height)?;
            }
        }
        Ok(())
    }
}

/// What a terminal shows last before the view is taken away.
fn last_view(typed: &str) -> Option<&str> {
    let views = typed.rsplit("\x1b[J");
    let mut views = views.map(|view| view.rsplit_once("\x1b[").map_or(view, |(view, _)| view));
    views.find(|view| view.contains("exploring"))
}

/// A page without its head and all sections but one.
fn only(page: &str, section: &str) -> Result<String> {
    const END: &str = "</section>";
    let head = page.find("<body").context("a body")?;
    let begin = page
        .find(&format!("<section id=\"{section}\""))
        .with_context(|| format!("no section {section}"))?;
    let end = begin + page[begin..].find(END).context("the section's end")? + END.len();
    let body = head + page[head..].find('>').context("the body's tag")? + 1;
    Ok(format!(
        "{}<main class=\"wrap\">{}</main></body></html>",
        &page[..body],
        &page[begin..end]
    ))
}

/// The upper part of a page, as Chromium shows it.
fn photograph(page: &Path, out: &Path, width: u32, height: u32) -> Result<()> {
    let mut command = Command::new(chromium()?);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--screenshot={}", out.display()))
        .arg(format!("file://{}", page.display()));
    succeed(&mut command)
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
