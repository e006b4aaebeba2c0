//! `--metrics`: how far an exploration is, as numbers that Prometheus reads.
//!
//! Nothing is listened to unless the flag is given. There is nothing but numbers, and names of solver stages: whoever may
//! reach the address learns neither inputs nor sources.

use crate::http::{Door, cannot, listen};
use crate::output;
use elsewise_campaign::{Phase, Progress};
use elsewise_cluster::Heart;
use elsewise_frontend::Problem;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use std::fmt;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const PATH: &str = "/metrics";
const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Between two looks at whether somebody asks.
const TICK: Duration = Duration::from_millis(50);

/// What there is to be read.
#[derive(Clone, Debug, Default)]
pub struct Metrics(Arc<Mutex<Moment>>);

#[derive(Debug, Default)]
struct Moment {
    /// None before the first run.
    progress: Option<Progress>,
    /// Of a member of a fleet.
    heart: Option<Heart>,
}

impl Metrics {
    /// Answers whoever asks at this address, as long as the process lives.
    pub fn serve(address: &str, quiet: bool) -> Result<Metrics, Problem> {
        let listener = listen("metrics", address)?;
        let at = listener.local_addr().map_err(cannot("metrics", address))?;
        let door = Door::numbers(at, PATH, KIND);
        if !quiet {
            output::note(&format!("metrics are at {}", door.url(at)));
        }
        let metrics = Metrics::default();
        let read = metrics.clone();
        std::thread::spawn(move || read.answer(&listener, &Arc::new(door)));
        Ok(metrics)
    }

    fn answer(&self, listener: &TcpListener, door: &Arc<Door>) {
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    let (metrics, door) = (self.clone(), Arc::clone(door));
                    // Who asks and then says nothing keeps nobody waiting.
                    std::thread::spawn(move || door.answer(stream, || Ok(metrics.text())));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(TICK),
                // There may be too many open files for a while.
                Err(_) => std::thread::sleep(TICK),
            }
        }
    }

    pub fn note(&self, progress: &Progress) {
        let mut moment = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        moment.progress = Some(progress.clone());
    }

    /// The exploration is that of a member of a fleet.
    pub fn of_member(&self, heart: &Heart) {
        let mut moment = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        moment.heart = Some(heart.clone());
    }

    fn text(&self) -> String {
        let mut registry = Registry::with_prefix("elsewise");
        registry.register_collector(Box::new(self.clone()));
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = encode(&mut text, &registry);
        text
    }
}

/// Names of labels, and what they are.
type Labels<'a> = Vec<(&'static str, &'a str)>;

/// One name with the values that it has for some labels.
struct Family<'a> {
    name: &'static str,
    help: &'static str,
    values: Vec<(Labels<'a>, f64)>,
}

impl<'a> Family<'a> {
    fn one(name: &'static str, help: &'static str, value: f64) -> Family<'a> {
        Family {
            name,
            help,
            values: vec![(Vec::new(), value)],
        }
    }

    fn encode(&self, kind: MetricType, encoder: &mut DescriptorEncoder) -> fmt::Result {
        let mut family = encoder.encode_descriptor(self.name, self.help, None, kind)?;
        for (labels, value) in &self.values {
            if !labels.is_empty() {
                encode_one(*value, kind, family.encode_family(labels)?)?;
            }
        }
        match self.values.as_slice() {
            [(labels, value)] if labels.is_empty() => encode_one(*value, kind, family),
            _ => Ok(()),
        }
    }
}

fn encode_one(value: f64, kind: MetricType, encoder: MetricEncoder) -> fmt::Result {
    match kind {
        MetricType::Counter => ConstCounter::new(value).encode(encoder),
        _ => ConstGauge::new(value).encode(encoder),
    }
}

/// What only grows; the name that Prometheus sees ends with `_total`.
fn counters<'a>(progress: &'a Progress, heart: Option<&Heart>) -> Vec<Family<'a>> {
    let stages = |name, help, values: &dyn Fn(&'a elsewise_solve::StageCount) -> Answers| Family {
        name,
        help,
        values: progress
            .solver
            .iter()
            .flat_map(|stage| {
                values(stage).into_iter().map(|(result, value)| {
                    let mut labels = vec![("stage", stage.name)];
                    labels.extend(result.map(|result| ("result", result)));
                    (labels, value)
                })
            })
            .collect(),
    };
    let mut counters = vec![
        Family::one("runs", "Runs of the subject", progress.runs as f64),
        Family::one("paths", "Distinct paths", progress.paths as f64),
        Family::one(
            "approximations",
            "What was given up, of all kinds",
            progress.approximations as f64,
        ),
        stages(
            "queries",
            "Queries by the stage that answered them",
            &|stage| {
                vec![
                    (Some("sat"), stage.sat as f64),
                    (Some("unsat"), stage.unsat as f64),
                ]
            },
        ),
        stages(
            "solver_seconds",
            "Time that a stage of the solver took",
            &|stage| vec![(None, stage.nanos as f64 / 1e9)],
        ),
    ];
    if let Some(heart) = heart {
        let portions = heart.pulse().portions as f64;
        let help = "Portions of the tree that this member has explored";
        counters.push(Family::one("portions", help, portions));
    }
    counters
}

/// What a stage did, by how its queries were answered if that is told apart.
type Answers = Vec<(Option<&'static str>, f64)>;

fn gauges(progress: &Progress) -> Vec<Family<'static>> {
    let phases = [
        ("running", Phase::Running),
        ("solving", Phase::Solving),
        ("confirming", Phase::Confirming),
    ];
    let phases = phases.map(|(name, phase)| {
        let is = f64::from(u8::from(phase == progress.phase));
        (vec![("phase", name)], is)
    });
    vec![
        Family::one(
            "findings",
            "Confirmed findings",
            progress.findings.len() as f64,
        ),
        Family::one(
            "open_alternatives",
            "Alternatives that wait to be tried",
            progress.frontier as f64,
        ),
        Family::one(
            "sides_reached",
            "Sides of branches that were reached",
            progress.sides_reached.into(),
        ),
        Family::one(
            "sides",
            "Sides of branches that are known",
            progress.sides_total.into(),
        ),
        Family::one(
            "exploring_seconds",
            "Time since the exploration began",
            progress.elapsed.as_secs_f64(),
        ),
        Family {
            name: "phase",
            help: "What the busiest worker does: 1 for that",
            values: phases.to_vec(),
        },
    ]
}

impl Collector for Metrics {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let build = Family {
            name: "build",
            help: "Version of Elsewise: always 1",
            values: vec![(vec![("version", env!("CARGO_PKG_VERSION"))], 1.0)],
        };
        build.encode(MetricType::Gauge, &mut encoder)?;
        let moment = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(progress) = &moment.progress else {
            return Ok(());
        };
        for family in counters(progress, moment.heart.as_ref()) {
            family.encode(MetricType::Counter, &mut encoder)?;
        }
        for family in gauges(progress) {
            family.encode(MetricType::Gauge, &mut encoder)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_campaign::Queries;
    use elsewise_solve::StageCount;

    fn metrics() -> Metrics {
        let metrics = Metrics::default();
        metrics.of_member(&Heart::default());
        metrics.note(&Progress {
            runs: 12_345,
            paths: 391,
            frontier: 1_203,
            sides_reached: 40,
            sides_total: 42,
            findings: Vec::new(),
            elapsed: Duration::from_millis(12_500),
            phase: Phase::Solving,
            workers: vec![Phase::Solving],
            paused: false,
            solver: vec![StageCount {
                name: "search",
                asked: 100,
                sat: 81,
                unsat: 2,
                nanos: 1_500_000_000,
                ..StageCount::default()
            }],
            queries: Queries::default(),
            resumed: false,
            approximations: 3,
        });
        metrics
    }

    #[test]
    fn numbers_are_written_as_prometheus_reads_them() {
        let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
        let text = metrics().text();
        assert!(text.contains(&version));
        insta::assert_snapshot!(text.replace(&version, "version=\"[version]\""));
    }

    /// What the dashboard draws is there under that name.
    #[test]
    fn the_dashboard_knows_the_names() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        let text = std::fs::read_to_string(root.join("grafana/elsewise.json")).unwrap();
        let dashboard: serde_json::Value = serde_json::from_str(&text).unwrap();
        let exposed = metrics().text();
        let known: Vec<&str> = exposed
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split(['{', ' ']).next())
            .collect();
        let panels = dashboard["panels"].as_array().unwrap();
        let mut named = 0;
        for target in panels
            .iter()
            .flat_map(|panel| panel["targets"].as_array().unwrap())
        {
            let expression = target["expr"].as_str().unwrap();
            let words = expression.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
            for word in words.filter(|word| word.starts_with("elsewise_")) {
                assert!(known.contains(&word), "{word} in {expression}: {exposed}");
                named += 1;
            }
        }
        assert!(named >= panels.len(), "{named}");
    }
}
