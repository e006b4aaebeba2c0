//! Makes a campaign of a million runs of a toy subject, resumes it, and prints what that took.
//!
//!     cargo run --release -p elsewise-campaign --example million [runs [folder]]
//!
//! With a folder, the campaign is kept there and not resumed.

use elsewise_campaign::toy::{options, run, wide_program, with_runs};
use std::time::Instant;

/// Most memory that this process ever held, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

/// Processor seconds of this process so far; what counts on a machine that is busy otherwise.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<f64>().ok())
    };
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let toy = wide_program(24);
    if let Some(dir) = arguments
        .next()
        .filter(|first| first == "resume")
        .and(arguments.next())
    {
        // In a process of its own, so that the peak is the resumed campaign's.
        let start = Instant::now();
        let summary = run(&with_runs(&options(dir.as_ref()), 0), &toy)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "resumed {} runs, {} paths, {} open in {seconds:.2} s ({:.2} s of \
             processor time), peak {} MiB",
            summary.runs,
            summary.paths,
            summary.frontier,
            cpu_seconds(),
            peak_mib()
        );
        return Ok(());
    }
    let runs: u64 = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |runs| runs.parse())?;
    let kept = std::env::args_os().nth(2);
    let folder = tempfile::tempdir()?;
    let dir: std::path::PathBuf = match &kept {
        Some(dir) => dir.into(),
        None => folder.path().join("million"),
    };
    let start = Instant::now();
    let summary = run(&with_runs(&options(&dir), runs), &toy)?;
    let seconds = start.elapsed().as_secs_f64();
    let size = std::fs::metadata(dir.join("campaign.db"))?.len();
    println!(
        "made {} runs in {seconds:.1} s ({:.1} µs of processor time each), {} MiB on disk, peak {} MiB",
        summary.runs,
        cpu_seconds() * 1e6 / summary.runs as f64,
        size >> 20,
        peak_mib()
    );
    if kept.is_some() {
        return Ok(());
    }
    let status = std::process::Command::new(std::env::current_exe()?)
        .arg("resume")
        .arg(&dir)
        .status()?;
    assert!(status.success());
    Ok(())
}
