//! What the inputs of a case mean to those who change them: which can be smaller, and which may be to blame.

use super::NativeSubject;
use crate::streams::Stdin;
use elsewise_explore::{Case, Outcome, Suspect, Text};

/// The input that says which calls a sequence has.
const STEPS: &str = "steps";

impl NativeSubject {
    /// Inputs that are bytes, as somebody would write them or as memory has them.
    pub(super) fn texts_of(&self, case: &Case) -> Vec<Text> {
        let main = Text {
            input: self.decoder.streams.main().to_string(),
            shrinks: matches!(self.stdin, Stdin::Free { .. }),
            plain: Text::WRITTEN,
        };
        let others = self.inputs.iter().map(|(key, _)| Text {
            input: key.clone(),
            shrinks: true,
            plain: Text::WRITTEN,
        });
        // What the program asks for by a name is of the size that it asks for. The calls of a sequence are made fewer
        // when the exploration has ended.
        let is_sequence = self.is_function && case.inputs.contains_key(STEPS);
        let values = case.inputs.keys().filter(|key| {
            let given = self.inputs.iter().any(|(given, _)| given == *key);
            !is_sequence && !given && key.as_str() != self.decoder.streams.main()
        });
        let values = values.map(|key| Text {
            input: key.clone(),
            shrinks: false,
            plain: Text::IMAGE,
        });
        let there = |text: &Text| {
            case.inputs
                .get(&text.input)
                .is_some_and(|it| !it.is_empty())
        };
        let all = std::iter::once(main).chain(others).chain(values);
        all.filter(there).collect()
    }

    /// Null arguments, where a null pointer was followed.
    pub(super) fn null_arguments(&self, case: &Case, failure: &Outcome) -> Vec<Suspect> {
        let of_null = match failure {
            Outcome::Failure { message, .. } => {
                message.contains("null pointer") || message.contains("address 0x0000")
            }
            _ => false,
        };
        let null = self.pointers.iter().filter(|(key, _)| {
            let given = case.inputs.get(key);
            of_null && given.is_none_or(|bytes| bytes.iter().all(|byte| *byte == 0))
        });
        let suspect = |(key, name): &(String, String)| {
            let mut otherwise = case.clone();
            let selector = otherwise.inputs.entry(key.clone()).or_default();
            selector.resize(selector.len().max(1), 0);
            selector[0] = 1;
            Suspect {
                what: format!("the argument `{name}` is null"),
                otherwise,
            }
        };
        null.map(suspect).collect()
    }
}
