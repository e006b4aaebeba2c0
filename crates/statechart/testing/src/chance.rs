//! Messages by chance: what exploration is measured against. Nothing is solved, and no run learns from
//! another.

use elsewise_explore::{Case, Coverage, Subject};
use elsewise_statechart::generate::Generated;
use elsewise_statechart::{ChartSubject, Project};
use elsewise_term::Terms;
use elsewise_test_random::Random;
use std::time::{Duration, Instant};

/// Values that programmers write about: most guards ask for something near to them.
const SMALL: u64 = 100;
/// Seconds between two readings.
const EVERY: f64 = 0.1;

/// A random sequence of messages.
pub fn case(generated: &Generated, steps: u32, random: &mut Random) -> Case {
    let mut case = Case::default();
    let length = 1 + random.below(steps as usize) as u32;
    let mut before = 0;
    for step in 1..=length {
        if generated.outside.is_empty() {
            break;
        }
        let way = random.below(generated.outside.len());
        let capsule = generated.parts[generated.outside[way]].capsule;
        let count = generated.labels[capsule].len();
        let number = 1 + random.below(count - 1);
        let wide = usize::from(count > 256) + 1;
        let bytes = (number as u16).to_le_bytes()[..wide].to_vec();
        case.inputs.insert(format!("step_{step}"), bytes);
        if generated.outside.len() > 1 {
            let to = vec![(way ^ before) as u8];
            case.inputs.insert(format!("step_{step}_to"), to);
            before = way;
        }
        for parameter in &generated.parameters[capsule][number] {
            // Numbers of any width: what is not asked for is not read.
            let value = match random.chance(50) {
                true => random.word() % SMALL,
                false => random.word(),
            };
            let key = format!("step_{step}_{}", parameter.name);
            case.inputs.insert(key, value.to_le_bytes().to_vec());
        }
    }
    case
}

/// Runs random sequences: how many branch sides they had reached when, and how many there are.
pub fn run(
    subject: &mut ChartSubject,
    project: &Project,
    time: Duration,
    seed: u64,
) -> (Vec<(f64, u32)>, u32) {
    let mut coverage = Coverage::new(subject.blueprint());
    let mut random = Random::new(seed);
    let begin = Instant::now();
    let mut points = Vec::new();
    let mut next = 0.0;
    while begin.elapsed() < time {
        let case = case(&project.generated, project.options.steps, &mut random);
        // A run that is lost is one that reached nothing.
        if let Ok(trace) = subject.run(&case, &mut Terms::new()) {
            for side in trace.covered {
                coverage.add(side);
            }
        }
        let after = begin.elapsed().as_secs_f64();
        if after >= next {
            points.push((after, coverage.reached()));
            next = after + EVERY;
        }
    }
    points.push((time.as_secs_f64(), coverage.reached()));
    (points, coverage.total())
}
