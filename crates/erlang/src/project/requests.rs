//! What the helper in the machine is asked for.

use super::Options;
use crate::value::{Key, Map, Value};
use std::path::PathBuf;
use std::sync::Arc;

pub fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(Arc::new(Map {
        base: None,
        entries: entries
            .iter()
            .map(|(key, value)| (Key(Value::atom(key)), Some(value.clone())))
            .collect(),
    }))
}

fn paths_value(paths: &[PathBuf]) -> Value {
    Value::list(
        paths
            .iter()
            .map(|path| Value::bytes(path.to_string_lossy().as_bytes()))
            .collect(),
    )
}

/// What to load: the modules of a subject, instrumented.
pub fn load(files: &[PathBuf], options: &Options, paths: &[PathBuf]) -> Value {
    let macros = options.macros.iter().map(|(name, value)| {
        let value = match value.parse::<i64>() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::atom(value),
        };
        Value::tuple(vec![Value::atom(name), value])
    });
    Value::tuple(vec![
        Value::atom("load"),
        map(&[
            ("files", paths_value(files)),
            ("include", paths_value(&options.include)),
            ("paths", paths_value(paths)),
            ("macros", Value::list(macros.collect())),
        ]),
    ])
}

/// The same modules as they are, compiled.
pub fn plain(load: &Value) -> Value {
    let of = load.as_tuple().and_then(|parts| parts.get(1)).cloned();
    Value::tuple(vec![Value::atom("plain"), of.unwrap_or(Value::Nil)])
}

/// What was compiled enters another machine.
pub fn enter(modules: Value) -> Value {
    Value::tuple(vec![Value::atom("enter"), modules])
}
