//! A memory graph as JSON: `roots` and `objects`, pointers by the number of the object.

use super::line::Terminal;
use super::spell;
use crate::hex;
use elsewise_graph::{Behaviour, Call, Ending, Field, Graph, Object, Value};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// Serialises a graph. Every value has a `kind`; the book lists them.
#[derive(Clone, Copy, Debug)]
pub struct GraphJson<'a>(pub &'a Graph);

impl Serialize for GraphJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("roots", &Fields(&self.0.roots))?;
        map.serialize_entry("objects", &List(&self.0.objects, ObjectJson))?;
        map.end()
    }
}

/// Each element of a slice in its own form.
struct List<'a, T, F>(&'a [T], F);

impl<'a, T, F, V> Serialize for List<'a, T, F>
where
    F: Fn(&'a T) -> V,
    V: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for element in self.0 {
            seq.serialize_element(&(self.1)(element))?;
        }
        seq.end()
    }
}

struct ObjectJson<'a>(&'a Object);

impl Serialize for ObjectJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("type", &self.0.ty)?;
        if let Some(count) = self.0.count {
            map.serialize_entry("count", &count)?;
        }
        map.serialize_entry("freed", &self.0.freed)?;
        map.serialize_entry("value", &ValueJson(&self.0.value))?;
        map.end()
    }
}

struct Fields<'a>(&'a [Field]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        List(self.0, FieldJson).serialize(serializer)
    }
}

struct FieldJson<'a>(&'a Field);

impl Serialize for FieldJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("type", &self.0.ty)?;
        map.serialize_entry("value", &ValueJson(&self.0.value))?;
        map.end()
    }
}

/// Serialises what a case made the subject do.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourJson<'a>(pub &'a Behaviour);

impl Serialize for BehaviourJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("case", &self.0.case)?;
        map.serialize_entry("before", &GraphJson(&self.0.before))?;
        map.serialize_entry("calls", &List(&self.0.calls, CallJson))?;
        if !self.0.stubs.is_empty() {
            map.serialize_entry("stubs", &Fields(&self.0.stubs))?;
        }
        map.serialize_entry("after", &self.0.after.as_ref().map(GraphJson))?;
        map.serialize_entry("ending", &EndingJson(&self.0.ending))?;
        map.serialize_entry("reached", &self.0.reached)?;
        map.end()
    }
}

struct EndingJson<'a>(&'a Ending);

impl Serialize for EndingJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Ending::Returned => map.serialize_entry("kind", "returned")?,
            Ending::Exited(code) => {
                map.serialize_entry("kind", "exited")?;
                map.serialize_entry("code", code)?;
            }
            Ending::Failed(how) => {
                map.serialize_entry("kind", "failed")?;
                map.serialize_entry("message", how)?;
            }
        }
        map.end()
    }
}

struct CallJson<'a>(&'a Call);

impl Serialize for CallJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("function", &self.0.function)?;
        map.serialize_entry("arguments", &Fields(&self.0.arguments))?;
        map.serialize_entry("result", &self.0.result.as_ref().map(FieldJson))?;
        map.end()
    }
}

struct ValueJson<'a>(&'a Value);

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let kind = match self.0 {
            Value::Integer(_) => "integer",
            Value::Single(_) | Value::Double(_) => "float",
            Value::Named(_) => "named",
            Value::Text(_) => "text",
            Value::Null => "null",
            Value::Pointer { .. } => "pointer",
            Value::Result(_) => "result",
            Value::Elsewhere => "elsewhere",
            Value::Struct(_) => "struct",
            Value::Union(_) => "union",
            Value::Array(_) => "array",
            Value::Bytes(_) => "bytes",
        };
        map.serialize_entry("kind", kind)?;
        match self.0 {
            // As text: readers that keep numbers as floats would change the great ones.
            Value::Integer(number) => map.serialize_entry("value", &number.to_string())?,
            Value::Single(_) | Value::Double(_) => {
                let text = spell::value(&Graph::default(), self.0, Terminal::default());
                map.serialize_entry("value", &text)?;
            }
            Value::Named(name) => map.serialize_entry("value", name)?,
            Value::Text(bytes) => {
                // Where it is text, scripts read it; what lies in memory is beside it.
                map.serialize_entry("value", &String::from_utf8_lossy(bytes))?;
                map.serialize_entry("bytes", &hex::digits(bytes))?;
            }
            Value::Bytes(bytes) => map.serialize_entry("bytes", &hex::digits(bytes))?,
            Value::Null | Value::Elsewhere => {}
            Value::Pointer { object, path } => {
                map.serialize_entry("object", object)?;
                let path = spell::path(path, Terminal::default());
                map.serialize_entry("path", &path)?;
            }
            Value::Result(call) => map.serialize_entry("call", call)?,
            Value::Struct(fields) => map.serialize_entry("members", &Fields(fields))?,
            Value::Union(field) => map.serialize_entry("member", &FieldJson(field))?,
            Value::Array(values) => map.serialize_entry("elements", &List(values, ValueJson))?,
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::samples;

    /// The schema is a public interface.
    #[test]
    fn graph_schema() {
        let mut graph = samples::nested();
        graph.objects[1].freed = true;
        let wide = Value::Integer(i128::MAX);
        graph.roots.push(samples::field("wide", "__int128", wide));
        let part = samples::part(1, &[samples::member("at"), samples::member("y")]);
        graph.roots.push(samples::field("part", "float *", part));
        let line = crate::json_object(&GraphJson(&graph)).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&line).unwrap();
        // Forty elements are as good as two.
        let elements = value
            .pointer_mut("/objects/0/value/members/2/value/elements")
            .unwrap();
        elements.as_array_mut().unwrap().truncate(2);
        insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
    }
}
