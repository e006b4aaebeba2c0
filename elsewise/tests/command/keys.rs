//! The live view on a terminal: its keys, and the terminal's modes when the command has ended or stopped.

use crate::support::Place;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// More paths than anybody waits for, and a failure that is found soon.
const LONG: &str = r#"#include <stdlib.h>
#include <unistd.h>
int main(void) {
    unsigned char b[64];
    int n = read(0, b, 64), seen = 0;
    if (n > 0 && b[0] == 'x')
        abort();
    for (int i = 0; i < n; i++)
        if (b[i] > i * 3)
            seen++;
    return seen > 60;
}
"#;

/// A command on a terminal of its own, as `script` gives it one.
struct Terminal {
    script: Child,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    fn new(place: &Place, command: &str) -> Terminal {
        let inner = format!("stty cols 80 rows 30; {command}");
        let mut own = place.command(&[]);
        let mut script = Command::new("script");
        script
            .args(["-qfec", &inner, "/dev/null"])
            .current_dir(place.folder.path())
            .env("TERM", "xterm")
            .env("PS1", "$ ")
            .env_remove("ENV")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        for (name, value) in own.env("SHELL", "/bin/sh").get_envs() {
            match value {
                Some(value) => script.env(name, value),
                None => script.env_remove(name),
            };
        }
        let mut script = script.spawn().expect("script, of bsdutils");
        let shown = Arc::<Mutex<String>>::default();
        let mut output = script.stdout.take().expect("its output");
        let collected = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(number @ 1..) = output.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..number]);
                collected.lock().unwrap().push_str(&text);
            }
        });
        Terminal { script, shown }
    }

    fn press(&mut self, keys: &str) {
        let mut input = self.script.stdin.as_ref().expect("its input");
        input.write_all(keys.as_bytes()).expect("a key");
        input.flush().expect("a key");
    }

    /// Waits until this is shown, and forgets all that was shown up to there.
    fn see(&self, words: &str) {
        let began = Instant::now();
        loop {
            let mut shown = self.shown.lock().unwrap();
            if let Some(at) = shown.find(words) {
                shown.drain(..at + words.len());
                return;
            }
            let late = began.elapsed() > Duration::from_secs(50);
            assert!(!late, "`{words}` is not shown: {}", shown.escape_debug());
            drop(shown);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// All that is shown until the command has ended.
    fn end(mut self) -> String {
        self.script.wait().expect("it ends");
        std::thread::sleep(Duration::from_millis(200));
        let shown = self.shown.lock().unwrap();
        shown.clone()
    }
}

fn long() -> (Place, String) {
    let place = Place::new();
    place.write("long.c", LONG);
    let elsewise = env!("CARGO_BIN_EXE_elsewise");
    (place, format!("{elsewise} explore long.c --jobs 1"))
}

/// Keys are shown again, and lines are edited.
fn has_its_modes(shown: &str) -> bool {
    let words: Vec<&str> = shown.split_whitespace().collect();
    let on = |mode: &str| words.contains(&mode);
    on("icanon") && on("echo") && on("isig")
}

#[test]
fn keys_pause_show_and_end() {
    let (place, explore) = long();
    let mut terminal = Terminal::new(&place, &format!("{explore}; stty -a"));
    terminal.see("exploring");
    terminal.see("q\u{1b}[0m \u{1b}[2mend");
    terminal.press("p");
    terminal.see("paused");
    terminal.see("go on");
    terminal.press("p");
    terminal.see("running");
    terminal.press("f");
    terminal.see("fewer findings");
    terminal.press("q");
    let shown = terminal.end();
    assert!(shown.contains("run the same command again"), "{shown}");
    assert!(has_its_modes(&shown), "{shown}");
    // What was pressed is not left for the shell.
    assert!(!shown.contains("pfq"), "{shown}");
}

#[test]
fn the_terminal_has_its_modes_after_signals() {
    let (place, explore) = long();
    // Ctrl-C once, and Ctrl-\.
    for (key, code) in [("\u{3}", "2"), ("\u{1c}", "131")] {
        // The shell hears the signal, too.
        let command =
            format!("trap : INT QUIT; ulimit -c 0; {explore} --fresh; echo code $?; stty -a");
        let mut terminal = Terminal::new(&place, &command);
        terminal.see("1 finding");
        terminal.press(key);
        terminal.see(&format!("code {code}"));
        let shown = terminal.end();
        assert!(has_its_modes(&shown), "{key:?} {shown}");
    }
}

#[test]
fn stopped_and_continued() {
    let (place, explore) = long();
    let mut terminal = Terminal::new(&place, "sh -i");
    terminal.press(&format!("{explore} --campaign=z.elsewise\n"));
    terminal.see("exploring");
    terminal.press("\u{1a}");
    terminal.see("Stopped");
    terminal.press("stty -a; echo the end\n");
    // Once as it is typed: what is typed is shown.
    terminal.see("echo the end");
    terminal.see("isig icanon iexten echo");
    terminal.see("the end");
    terminal.press("fg\n");
    terminal.see("exploring");
    terminal.press("p");
    terminal.see("paused");
    terminal.press("q");
    terminal.see("run the same command again");
    terminal.press("exit\n");
    terminal.end();
}
