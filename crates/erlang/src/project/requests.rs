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

pub fn request(files: &[PathBuf], options: &Options, paths: &[PathBuf], instrument: bool) -> Value {
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
            ("instrument", Value::truth(instrument)),
            ("macros", Value::list(macros.collect())),
        ]),
    ])
}

pub fn without_instrumentation(load: &Value) -> Value {
    let Some([kind, Value::Map(options)]) = load.as_tuple() else {
        return load.clone();
    };
    let mut options = Map::clone(options);
    let key = Key(Value::atom("instrument"));
    options.entries.insert(key, Some(Value::truth(false)));
    Value::tuple(vec![kind.clone(), Value::Map(Arc::new(options))])
}
