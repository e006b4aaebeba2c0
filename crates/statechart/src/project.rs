//! A model as a subject: what was read, what was generated from it, and what a case of it means.

use crate::generate::{CannotGenerate, ElementKind, Generated, Options, generate};
use crate::model::{Model, Parameter};
use crate::{Reading, Refusal, read};
use elsewise_explore::Case;
use elsewise_graph::{MessageStep, Messages};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a model is no subject.
#[derive(Debug, Error)]
pub enum CannotOpen {
    #[error("{0}")]
    Refused(Refusal),
    #[error("{0}")]
    Generate(#[from] CannotGenerate),
}

pub struct Project {
    pub model: Model,
    pub generated: Generated,
    pub options: Options,
    pub warnings: Vec<String>,
}

impl Project {
    pub fn open(file: &Path, options: &Options) -> Result<Project, CannotOpen> {
        let Reading { model, warnings } = read(file).map_err(CannotOpen::Refused)?;
        let project = Project::of(model, options)?;
        Ok(Project {
            warnings: warnings
                .iter()
                .map(|one| format!("{}:{}: {}", file.display(), one.place.line, one.message))
                .collect(),
            ..project
        })
    }

    /// Of a model that is known already.
    pub fn of(model: Model, options: &Options) -> Result<Project, CannotGenerate> {
        let generated = generate(&model, options)?;
        Ok(Project {
            model,
            generated,
            options: options.clone(),
            warnings: Vec::new(),
        })
    }

    /// Writes the program; the file to compile.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let main = folder.join(&self.generated.main);
        fs::write(folder.join(&self.generated.file), &self.generated.text)?;
        fs::write(&main, &self.generated.main_text)?;
        Ok(main)
    }

    /// What bounds the cases, in words.
    pub fn bounds(&self) -> Vec<String> {
        let mut bounds = vec![match self.options.steps {
            1 => "sequences of 1 message".into(),
            steps => format!("sequences of at most {steps} messages"),
        }];
        if let Some(loops) = self.options.loops {
            bounds.push(format!(
                "each transition at most {loops} times in a sequence"
            ));
        }
        if self.generated.parts.len() > 1 {
            bounds.push(match self.options.overtake {
                0 => "messages from outside only once all parts are at rest".into(),
                1 => "1 message from outside before all parts are at rest".into(),
                most => format!("{most} messages from outside before all parts are at rest"),
            });
        }
        for parameter in &self.generated.null {
            bounds.push(format!("{parameter} is always null"));
        }
        bounds
    }

    /// The messages of a case, without what came of them.
    pub fn messages(&self, case: &Case) -> Messages {
        let mut steps = Vec::new();
        let mut way = 0;
        for step in 1..=self.options.steps {
            // As the harness reads it: without a word it goes where the one before went.
            let to = case.inputs.get(&format!("step_{step}_to"));
            way ^= to.map_or(0, |to| integer(to, false) as usize);
            let Some(part) = self.generated.outside.get(way).copied() else {
                break;
            };
            let Some(number) = case.inputs.get(&format!("step_{step}")) else {
                break;
            };
            let number = integer(number, false) as usize;
            let capsule = self.generated.parts[part].capsule;
            let Some(label) = self.generated.labels[capsule].get(number) else {
                break;
            };
            if number == 0 {
                break;
            }
            steps.push(MessageStep {
                part,
                message: label.clone(),
                arguments: self.arguments(case, step, capsule, number),
                outside: true,
                ..MessageStep::default()
            });
        }
        Messages {
            parts: self.names(),
            steps,
        }
    }

    fn names(&self) -> Vec<String> {
        let parts = self.generated.parts.iter();
        parts.map(|part| part.name.clone()).collect()
    }

    fn arguments(
        &self,
        case: &Case,
        step: u32,
        capsule: usize,
        number: usize,
    ) -> Vec<(String, String)> {
        let parameters = self.generated.parameters[capsule].get(number);
        parameters
            .into_iter()
            .flatten()
            .filter_map(|parameter| {
                let key: String = format!("step_{step}_{}", parameter.name)
                    .chars()
                    .take(46)
                    .collect();
                let bytes = case.inputs.get(&key)?;
                Some((parameter.name.clone(), value(parameter, bytes)))
            })
            .collect()
    }

    /// What came of a case, by what its run has written down.
    pub fn told(&self, case: &Case, observed: &str) -> Messages {
        let mut steps = vec![MessageStep::default()];
        let mut states: Vec<String> = vec![String::new(); self.generated.parts.len()];
        let mut step = None;
        for line in observed.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let Some(last) = steps.last_mut() else {
                break;
            };
            match word {
                "step" => step = rest.parse::<u32>().ok(),
                "given" => {
                    let mut numbers = rest
                        .split(' ')
                        .filter_map(|word| word.parse::<usize>().ok());
                    let (Some(part), Some(number)) = (numbers.next(), numbers.next()) else {
                        continue;
                    };
                    let Some(known) = self.generated.parts.get(part) else {
                        continue;
                    };
                    let label = self.generated.labels[known.capsule].get(number);
                    let outside = step.take();
                    let arguments = match outside {
                        Some(step) => self.arguments(case, step, known.capsule, number),
                        None => Vec::new(),
                    };
                    // The end of a sequence is no message.
                    if number == 0 {
                        continue;
                    }
                    steps.push(MessageStep {
                        part,
                        message: label.cloned().unwrap_or_default(),
                        arguments,
                        outside: outside.is_some(),
                        state: states[part].clone(),
                        ..MessageStep::default()
                    });
                }
                "reached" => {
                    let number = rest.parse::<usize>().ok();
                    let element = number.and_then(|at| self.generated.elements.get(at));
                    let Some(element) = element else {
                        continue;
                    };
                    match element.kind {
                        ElementKind::State => {
                            last.state.clone_from(&element.label);
                            if let Some(state) = states.get_mut(last.part) {
                                state.clone_from(&element.label);
                            }
                        }
                        ElementKind::Transition => last.transitions.push(element.label.clone()),
                    }
                }
                "sent" => {
                    let label = rest.split_once(' ').map_or(rest, |(_, label)| label);
                    last.sent.push((label.to_owned(), Vec::new()));
                }
                "with" => {
                    if let (Some((value, name)), Some((_, arguments))) =
                        (rest.split_once(' '), last.sent.last_mut())
                    {
                        arguments.push((name.to_owned(), value.to_owned()));
                    }
                }
                _ => {}
            }
        }
        Messages {
            parts: self.names(),
            steps,
        }
    }
}

/// The file with a model's properties.
pub fn rules_file(model: &str) -> String {
    let rules = Path::new(model).with_extension("rules");
    rules.to_string_lossy().into_owned()
}

fn integer(bytes: &[u8], signed: bool) -> i128 {
    let mut wide = [0u8; 16];
    let used = bytes.len().min(8);
    wide[..used].copy_from_slice(&bytes[..used]);
    let value = i128::from_le_bytes(wide);
    let bits = 8 * used as u32;
    match signed && bits > 0 && value >> (bits - 1) & 1 == 1 {
        true => value - (1 << bits),
        false => value,
    }
}

/// The value of a parameter as its programmer writes it.
fn value(parameter: &Parameter, bytes: &[u8]) -> String {
    let words: Vec<&str> = parameter.of.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    if parameter.of.contains("char") && (parameter.of.contains('*') || parameter.array.is_some()) {
        let end = bytes.iter().position(|byte| *byte == 0);
        let text = &bytes[..end.unwrap_or(bytes.len())];
        return format!("\"{}\"", text.escape_ascii());
    }
    if parameter.array.is_none() {
        match (last, bytes.len()) {
            ("float", 4) => {
                let bits = bytes.try_into().map(f32::from_le_bytes);
                return bits.map_or(String::new(), |value| value.to_string());
            }
            ("double", 8) => {
                let bits = bytes.try_into().map(f64::from_le_bytes);
                return bits.map_or(String::new(), |value| value.to_string());
            }
            ("bool" | "_Bool", 1) => return (bytes[0] != 0).to_string(),
            (_, 1 | 2 | 4 | 8) => {
                let unsigned =
                    words.contains(&"unsigned") || last.starts_with('u') || last == "size_t";
                return integer(bytes, !unsigned).to_string();
            }
            _ => {}
        }
    }
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("bytes {}", hex.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_types_say() {
        let of = |of: &str, array: Option<&str>, bytes: &[u8]| {
            let parameter = Parameter {
                name: "x".into(),
                of: of.into(),
                array: array.map(str::to_owned),
            };
            value(&parameter, bytes)
        };
        assert_eq!(of("int", None, &[255, 255, 255, 255]), "-1");
        assert_eq!(of("unsigned", None, &[255, 255, 255, 255]), "4294967295");
        assert_eq!(of("uint8_t", None, &[200]), "200");
        assert_eq!(of("bool", None, &[1]), "true");
        assert_eq!(of("char", Some("4"), b"ab\0\0"), "\"ab\"");
        assert_eq!(of("struct point", None, &[1, 2, 3]), "bytes 01 02 03");
        assert_eq!(of("double", None, &1.5f64.to_le_bytes()), "1.5");
    }
}
