//! Fields as C has them: those of a capsule that the generated code needs itself, those of messages.

use super::plan::Plan;
use super::text::Text;
use crate::model::{Parameter, VertexKind};

/// Messages that wait, of each kind and for each capsule.
pub const QUEUE: usize = 16;
/// Timers that run at once.
pub const TIMERS: usize = 8;

/// A parameter as a member of a struct.
pub fn member(parameter: &Parameter) -> String {
    match &parameter.array {
        Some(size) => format!("{} {}[{size}];", parameter.of, parameter.name),
        None => format!("{} {};", parameter.of, parameter.name),
    }
}

/// The fields that the generated code needs itself.
pub fn fields(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    out.line("int elw_part, elw_at, elw_leaf, elw_ended;");
    for id in plan.vertex_ids() {
        let vertex = &plan.vertices[id.index()];
        if plan.kept[id.index()] {
            out.line(&format!("int elw_deep_{vertex}, elw_shallow_{vertex};"));
        }
        if plan.vertex(id).kind == VertexKind::Junction {
            out.line(&format!("int elw_way_{vertex};"));
        }
    }
    for queue in ["queue", "internal", "deferred"] {
        out.line(&format!(
            "struct {{ {name}_Message at[{QUEUE}]; int first, count; }} elw_{queue};"
        ));
    }
    out.line(&format!(
        "struct {{ {name}_Message message; long due; const char *id; }} elw_timers[{TIMERS}];"
    ));
}

/// Can it be shown as a number?
pub fn is_number(of: &str) -> bool {
    let words = [
        "int", "long", "short", "char", "unsigned", "signed", "bool", "_Bool", "float", "double",
        "size_t", "const",
    ];
    of.split_whitespace().all(|word| {
        words.contains(&word)
            || word.ends_with("_t") && (word.starts_with("int") || word.starts_with("uint"))
    }) && !of.contains('*')
}
