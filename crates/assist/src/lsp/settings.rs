//! What an editor's user has set.

use serde_json::Value;

/// How long is explored when nothing is said: as long as one waits for an answer.
const BUDGET: &str = "60s";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// As `--budget` has it.
    pub budget: String,
    /// More words for `explore`.
    pub arguments: Vec<String>,
    /// Branches are shown as hints at the ends of lines; not for clients that colour them.
    pub hints: bool,
    /// What came of a command is said in a message; not for clients that show it themselves.
    pub messages: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            budget: BUDGET.into(),
            arguments: Vec::new(),
            hints: true,
            messages: true,
        }
    }
}

impl Settings {
    /// With what a client says; what has another shape than it should is as if it were not there.
    pub fn with(mut self, said: &Value) -> Settings {
        let said = said.get("elsewise").unwrap_or(said);
        if let Some(budget) = said["budget"].as_str().filter(|budget| !budget.is_empty()) {
            self.budget = budget.into();
        }
        if let Some(words) = said["arguments"].as_array() {
            let words = words.iter().filter_map(Value::as_str);
            self.arguments = words.map(str::to_string).collect();
        }
        for (name, setting) in [("hints", &mut self.hints), ("messages", &mut self.messages)] {
            if let Some(on) = said[name].as_bool() {
                *setting = on;
            }
        }
        self
    }

    /// The words of an exploration, from the first flag on.
    pub fn words(&self, subject: &str) -> Vec<String> {
        let own = [
            "--quiet".into(),
            "--format=json".into(),
            format!("--budget={}", self.budget),
        ];
        let arguments = self.arguments.iter().cloned();
        own.into_iter()
            .chain(arguments)
            .chain([subject.to_string()])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_has_another_shape_is_left_out() {
        let usual = Settings::default();
        let odd = json!({ "budget": 7, "arguments": "x", "hints": "no", "else": {} });
        assert_eq!(usual.clone().with(&odd), usual);
        assert_eq!(usual.clone().with(&Value::Null), usual);
        let said = usual.with(&json!({ "elsewise": { "budget": "5s", "arguments": ["--seed=1", 2], "hints": false } }));
        assert_eq!(
            said.words("a.c::f"),
            [
                "--quiet",
                "--format=json",
                "--budget=5s",
                "--seed=1",
                "a.c::f"
            ]
        );
        assert!(!said.hints && said.messages);
    }
}
