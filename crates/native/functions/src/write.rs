//! The harness of a function: a C file that includes the file with the function, describes its
//! inputs, and calls it.

use super::plan::{Callback, Plan, Pool, Root, RootKind, RootLength, Ways, is_name};
use super::write_pieces::{cells_name, own_line, quoted, write_cells, write_root};
use super::{FunctionOptions, refused, write_sequence};
use crate::types::{Function, Types};
use elsewise_driver::NativeError;
use std::fmt::Write;
use std::path::Path;

/// For pointers to functions and streams of the library, which the file need not have declared.
const HEADERS: &str = "#include <elsewise.h>\n#include <elsewise-graph.h>\n\
                       #include <stdio.h>\n#include <stdlib.h>\n\n";

/// The harness, for a program whose other files need these symbols.
pub(super) fn harness(
    plan: &Plan,
    types: &Types,
    options: &FunctionOptions,
    file: &Path,
    needed: &[String],
) -> Result<String, NativeError> {
    let mut text = own_line();
    let own_main = types.function("main").is_some_and(|main| main.defined);
    if own_main {
        text.push_str("#define main elw_main_of_the_file\n");
    }
    let _ = writeln!(text, "#include {}", quoted(&file.to_string_lossy()));
    if own_main {
        text.push_str("#undef main\n");
    }
    text.push_str(HEADERS);
    // The compiler's plug-in leaves out what nobody needs.
    let offered: String = needed.iter().map(|name| format!("{name} ")).collect();
    let offered = quoted(&format!(" main {offered}"));
    let _ = writeln!(text, "const char elw_offered[] = {offered};");
    for root in plan.roots.iter().chain(&plan.result) {
        if root.kind != RootKind::Global {
            let declared = types.declare_mutable(root.ty, &root.variable);
            let declared = declared.ok_or_else(|| {
                refused(
                    &plan.function.name,
                    format!(
                        "the type of `{}` has no name that could be written down",
                        root.name
                    ),
                )
            })?;
            let _ = writeln!(text, "static {declared};");
        }
    }
    for index in 0..plan.pools.len() {
        let _ = writeln!(text, "static struct elsewise_type elw_type_{index};");
    }
    text.push('\n');
    for (index, ways) in plan.ways.iter().enumerate() {
        write_ways(&mut text, plan, index, ways);
    }
    for (index, pool) in plan.pools.iter().enumerate() {
        write_pool(&mut text, plan, index, pool);
    }
    for (index, root) in plan.roots.iter().enumerate() {
        write_cells(&mut text, &format!("root_{index}"), &root.cells);
    }
    write_roots(&mut text, plan, options);
    if let Some(result) = &plan.result {
        write_cells(&mut text, "result", &result.cells);
        text.push_str("static struct elsewise_root elw_result_root = ");
        write_root(&mut text, "result", result, options);
        text.push_str(";\n");
    }
    for stub in &plan.stubs {
        match &stub.function {
            Some(function) => write_stub(&mut text, types, plan, function, stub.root)?,
            None => {
                let _ = writeln!(text, "__typeof__({0}) {0};", stub.name);
            }
        }
    }
    for callback in &plan.callbacks {
        write_callback(&mut text, types, plan, callback);
    }
    let values = function_values(plan);
    match &plan.sequence {
        Some(sequence) => {
            write_sequence::declare(&mut text, types, sequence, options)?;
            write_sequence::write_main(&mut text, plan, sequence, options, &values);
        }
        None => write_main(&mut text, plan, &values),
    }
    Ok(text)
}

/// Selectors that a pointer has at most.
pub(super) fn entries(plan: &Plan, ways: &Ways) -> u64 {
    match ways {
        Ways::Values(values) => values.len() as u64,
        Ways::Objects { targets, .. } => {
            let most = targets.iter().map(|(pool, _)| plan.pools[*pool].most).max();
            1 + u64::from(most.unwrap_or(0)) * targets.len() as u64
        }
    }
}

/// Bytes of a selector.
pub(super) fn width(plan: &Plan, ways: &Ways, size: u64) -> u64 {
    if entries(plan, ways) <= 256 || size < 2 {
        1
    } else {
        2
    }
}

fn write_ways(text: &mut String, plan: &Plan, index: usize, ways: &Ways) {
    match ways {
        Ways::Objects { targets, .. } => {
            let list: Vec<String> = targets
                .iter()
                .map(|(pool, offset)| format!("{{ &elw_type_{pool}, {offset} }}"))
                .collect();
            let _ = writeln!(
                text,
                "static const struct elsewise_target elw_targets_{index}[] = {{ {} }};\n\
                 static struct elsewise_ways elw_ways_{index} = {{ {}, {}, elw_targets_{index}, 0 }};",
                list.join(", "),
                width(plan, ways, 8),
                targets.len(),
            );
        }
        Ways::Values(values) => {
            // Addresses of functions are no constants of an integer type: they are put in at start.
            let list: Vec<String> = values
                .iter()
                .map(|value| match is_name(value) {
                    true => "0".to_string(),
                    false => format!("(unsigned long long)({value})"),
                })
                .collect();
            let _ = writeln!(
                text,
                "static unsigned long long elw_values_{index}[] = {{ {} }};\n\
                 static struct elsewise_ways elw_ways_{index} = {{ 1, {}, 0, elw_values_{index} }};",
                list.join(", "),
                values.len(),
            );
        }
    }
}

fn write_pool(text: &mut String, plan: &Plan, index: usize, pool: &Pool) {
    write_cells(text, &format!("type_{index}"), &pool.cells);
    let (length, length_size, signed) = match pool.length.map(|root| &plan.roots[root]) {
        Some(root) => (
            format!("&{}", root.variable),
            format!("sizeof {}", root.variable),
            root.length == RootLength::Signed,
        ),
        None => ("0".into(), "0".into(), false),
    };
    let signed = i32::from(signed);
    let _ = writeln!(
        text,
        "static struct elsewise_type elw_type_{index} = {{ {}, {}, {}, {}, {}, {}, {}, {length}, {length_size}, {signed}, 0, 0, 0, 0 }};",
        quoted(&pool.name),
        pool.size + pool.extra,
        pool.elements,
        i32::from(pool.ends),
        pool.most,
        pool.cells.len(),
        cells_name(&format!("type_{index}"), &pool.cells),
    );
}

/// What is there from the start, and then what stubs return and calls of a sequence are given.
fn write_roots(text: &mut String, plan: &Plan, options: &FunctionOptions) {
    let first = |root: &Root| matches!(root.kind, RootKind::Parameter | RootKind::Global);
    let count = plan.roots.iter().filter(|root| first(root)).count();
    let _ = writeln!(text, "static struct elsewise_root elw_roots[] = {{");
    for (index, root) in plan
        .roots
        .iter()
        .enumerate()
        .filter(|(_, root)| first(root))
    {
        text.push_str("    ");
        write_root(text, &format!("root_{index}"), root, options);
        text.push_str(",\n");
    }
    if count == 0 {
        text.push_str("    { 0 },\n");
    }
    text.push_str("};\n");
    for (index, root) in plan
        .roots
        .iter()
        .enumerate()
        .filter(|(_, root)| !first(root))
    {
        let _ = write!(text, "static struct elsewise_root elw_root_{index} = ");
        write_root(text, &format!("root_{index}"), root, options);
        text.push_str(";\n");
    }
    let types: Vec<String> = (0..plan.pools.len())
        .map(|index| format!("&elw_type_{index}"))
        .collect();
    let types = match types.is_empty() {
        true => "0".into(),
        false => types.join(", "),
    };
    let _ = writeln!(
        text,
        "static struct elsewise_type *const elw_types[] = {{ {types} }};\n\
         static struct elsewise_graph elw_graph = {{ {}, elw_types, {count}, elw_roots }};\n",
        plan.pools.len(),
    );
}

fn write_stub(
    text: &mut String,
    types: &Types,
    plan: &Plan,
    function: &Function,
    root: Option<usize>,
) -> Result<(), NativeError> {
    let prototype = types.prototype(function).ok_or_else(|| {
        refused(
            &plan.function.name,
            format!(
                "it needs `{}`, which nobody defines and whose type cannot be written down: give \
                 the file that defines it too",
                function.name
            ),
        )
    })?;
    let body = match function.noreturn {
        true => "elsewise_assume(0); __builtin_unreachable();".into(),
        false => returning(plan, root),
    };
    let _ = writeln!(text, "{prototype} {{ {body} }}");
    Ok(())
}

fn returning(plan: &Plan, root: Option<usize>) -> String {
    match root {
        Some(root) => {
            let Root {
                variable,
                never_null,
                ..
            } = &plan.roots[root];
            let assumed = match never_null {
                true => format!("elsewise_assume({variable} != 0); "),
                false => String::new(),
            };
            format!("elsewise_graph_more(&elw_root_{root}); {assumed}return {variable};")
        }
        None => String::new(),
    }
}

fn write_callback(text: &mut String, types: &Types, plan: &Plan, callback: &Callback) {
    if let Some(declared) = types.declare(callback.ty, &callback.name) {
        let body = returning(plan, callback.root);
        let _ = writeln!(text, "static {declared} {{ {body} }}");
    }
}

/// What is said first, and statements that put the addresses of functions where they are selected from.
fn function_values(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.left_out {
        text.push_str("    elsewise_graph_left_out();\n");
    }
    for (index, ways) in plan.ways.iter().enumerate() {
        if let Ways::Values(values) = ways {
            for (place, value) in values
                .iter()
                .enumerate()
                .filter(|(_, value)| is_name(value))
            {
                let _ = writeln!(
                    text,
                    "    elw_values_{index}[{place}] = (unsigned long long)({value});"
                );
            }
        }
    }
    text
}

fn write_main(text: &mut String, plan: &Plan, values: &str) {
    let _ = write!(
        text,
        "\nint main(void)\n{{\n{values}    elsewise_graph_begin(&elw_graph);\n"
    );
    // What stubs return is not there yet.
    for root in plan.parameters().filter(|root| root.never_null) {
        let _ = writeln!(text, "    elsewise_assume({} != 0);", root.variable);
    }
    for holds in &plan.assumed {
        let _ = writeln!(text, "    elsewise_assume({holds});");
    }
    for (check, index) in &plan.valid {
        let variable = &plan.roots[*index].variable;
        let _ = writeln!(text, "    elsewise_assume(!!{check}({variable}));");
    }
    let arguments: Vec<&str> = plan
        .parameters()
        .map(|root| root.variable.as_str())
        .collect();
    let call = format!("{}({})", plan.function.name, arguments.join(", "));
    match &plan.result {
        Some(result) => {
            let _ = writeln!(
                text,
                "    {} = {call};\n    elsewise_graph_end(&elw_result_root);",
                result.variable
            );
        }
        None => {
            let _ = writeln!(text, "    {call};\n    elsewise_graph_end(0);");
        }
    }
    text.push_str("    return 0;\n}\n");
}
