//! Z3 in processes of its own: several workers ask it, it is killed, and nothing is lost.

use crate::support::{Place, Ran};
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Two conditions on each of two floats, and a failure behind one value of each.
const FLOATS: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(void) {
    float x[2];
    int n = 0;
    if (fread(x, 4, 2, stdin) != 2)
        return 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > 1.5f)
            n++;
        if (x[i] < 40.0f)
            n += 4;
    }
    if (x[0] == 14.0f && x[1] + 1.0f == 2.5f)
        abort();
    return n;
}
"#;

/// Programs whose conditions Z3 is asked for: floats, products, remainders, shifts, look-ups, text. Each
/// with the size of its input.
const ASKING: [(&str, &str, u32); 6] = [
    ("floats", FLOATS, 8),
    (
        "doubles",
        "#include <unistd.h>\n\
         int main(void) { double v[2]; int n = 0; if (read(0, v, 16) != 16) return 0;\n\
         for (int i = 0; i < 2; i++) { if (v[i] * 2.0 > 3.0) n++; if (v[i] != v[i]) n += 4; }\n\
         if (v[0] + v[1] == 0.75) __builtin_trap(); return n; }\n",
        16,
    ),
    (
        "products",
        "#include <stdint.h>\n#include <unistd.h>\n\
         int main(void) { uint8_t v[3]; int n = 0; if (read(0, v, 3) != 3) return 0;\n\
         for (int i = 0; i < 2; i++) { uint32_t p = (uint32_t)v[i] * v[i + 1];\n\
         if ((p & 15) == 5) n++; if (p > 9000) n += 4; }\n\
         if (v[0] * v[1] == 35 * 11 && v[0] > 11) __builtin_trap(); return n; }\n",
        3,
    ),
    (
        "shifts",
        "#include <stdint.h>\n#include <unistd.h>\n\
         int main(void) { uint32_t v; int n = 0; if (read(0, &v, 4) != 4) return 0;\n\
         for (int i = 0; i < 6; i++) { v ^= v << 13; v ^= v >> 17; v ^= v << 5; n = n * 2 + (v & 1); }\n\
         if (v == 0x12345678) __builtin_trap(); return 0; }\n",
        4,
    ),
    (
        "look-ups",
        "#include <unistd.h>\n\
         static const unsigned short t[16] = { 9, 30, 2, 77, 51, 5, 61, 8, 13, 90, 21, 34, 55, 1, 4, 40 };\n\
         int main(void) { unsigned char v[4]; unsigned s = 0; if (read(0, v, 4) != 4) return 0;\n\
         for (int i = 0; i < 4; i++) { s = s * 3 + t[v[i] & 15]; if (s % 7 == 3) s++; }\n\
         if (s == 1204) __builtin_trap(); return s & 1; }\n",
        4,
    ),
    (
        "text",
        "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
         int main(void) { char v[5] = { 0 }; if (read(0, v, 4) != 4) return 0;\n\
         long n = strtol(v, NULL, 10); if (n > 500 && n * n % 1000 == 249) __builtin_trap();\n\
         return n > 90; }\n",
        4,
    ),
];

const EXPLORE: &[&str] = &[
    "explore",
    "a.c",
    "--input-size=8",
    "--stages-off=cache,search,bitblast,enumerate",
    "--query-timeout=20000",
    "--format=json",
    "-q",
];

/// Paths and findings of a campaign that came to its end.
fn explored(ran: &Ran) -> (u64, usize) {
    let summary = ran.json();
    assert_eq!(summary["complete"], true, "{}", ran.seen());
    let findings = summary["findings"].as_array().expect("a list").len();
    (summary["paths"].as_u64().expect("a number"), findings)
}

/// Processes that solve for the engine `pid`.
fn solvers(pid: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").expect("the system's processes");
    let numbers = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let parent = |one: u32| {
        let stat = fs::read_to_string(format!("/proc/{one}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_ascii_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let solves = |one: u32| {
        let words = fs::read(format!("/proc/{one}/cmdline")).unwrap_or_default();
        words.ends_with(b"\0solver-process\0")
    };
    numbers
        .filter(|one| parent(*one) == Some(pid) && solves(*one))
        .collect()
}

/// Kills so many of the solvers of a campaign, which comes to the end that it has without that.
fn kill_solvers(command: &mut Command, most: u32, alone: (u64, usize)) -> u32 {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut engine = command.spawn().expect("the command runs");
    let begin = Instant::now();
    let mut killed = 0;
    while killed < most
        && begin.elapsed() < Duration::from_secs(20)
        && engine.try_wait().expect("its state").is_none()
    {
        for solver in solvers(engine.id()) {
            let done = Command::new("kill")
                .args(["-9", &solver.to_string()])
                .status();
            killed += u32::from(done.is_ok_and(|status| status.success()));
        }
        thread::sleep(Duration::from_millis(200));
    }
    let output = engine.wait_with_output().expect("its end");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: serde_json::Value = serde_json::from_str(&text).expect("a summary");
    assert_eq!(summary["complete"], true, "{summary:#}");
    assert_eq!(summary["paths"], alone.0, "{summary:#}");
    assert_eq!(summary["findings"].as_array().map(Vec::len), Some(alone.1));
    killed
}

/// `ELSEWISE_ASKING_CAMPAIGNS` of them, each with one worker and with 2, 4 and 8, and solvers that are
/// killed all the time.
#[test]
fn any_number_of_workers_and_killed_solvers_find_the_same_tree() {
    let count = std::env::var("ELSEWISE_ASKING_CAMPAIGNS").ok();
    let count = count.map_or(1, |text| text.parse().expect("a number"));
    let mut killed = 0;
    for (name, program, size) in &ASKING[..ASKING.len().min(count)] {
        let place = Place::new();
        place.write("a.c", program);
        let size = format!("--input-size={size}");
        let explore: Vec<&str> = EXPLORE
            .iter()
            .map(|word| match word.starts_with("--input-size") {
                true => size.as_str(),
                false => word,
            })
            .collect();
        let alone = explored(&place.run(&explore));
        for jobs in ["--jobs=2", "--jobs=4", "--jobs=8"] {
            let many = [explore.as_slice(), &[jobs, "--fresh"]].concat();
            assert_eq!(explored(&place.run(&many)), alone, "{name}, {jobs}");
        }
        let mut command = place.command(&[explore.as_slice(), &["--jobs=2", "--fresh"]].concat());
        killed += kill_solvers(&mut command, 10, alone);
    }
    assert!(
        killed >= 10 * count as u32 / 3,
        "{killed} solvers were killed"
    );
}
