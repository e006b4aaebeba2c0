//! The part of a harness that calls operations in an order that is an input.

use super::plan::{Argument, Operation, Plan, RootLength, Sequence};
use super::sequence::{NULL, STEPS};
use super::write_pieces::{own_line, quoted, write_cells, write_root};
use super::{FunctionOptions, plan::Root, refused};
use crate::types::{TypeId, Types};
use elsewise_driver::NativeError;
use elsewise_driver::names::CHECK;
use std::fmt::Write;

/// Kinds of what steps make, as the harness numbers them.
fn kind(sequence: &Sequence, of: TypeId) -> usize {
    let makes = |operation: &Operation| operation.makes == Some(of);
    1 + sequence.operations.iter().position(makes).unwrap_or(0)
}

/// Declares what the steps leave behind.
pub(super) fn declare(
    text: &mut String,
    types: &Types,
    sequence: &Sequence,
    options: &FunctionOptions,
) -> Result<(), NativeError> {
    for (index, operation) in sequence.operations.iter().enumerate() {
        let Some(result) = &operation.result else {
            continue;
        };
        let declared = types
            .declare_mutable(result.ty, &result.variable)
            .ok_or_else(|| {
                refused(
                    &operation.function.name,
                    "the type of its result has no name that could be written down",
                )
            })?;
        let name = format!("result_{index}");
        let _ = writeln!(text, "static {declared};");
        write_cells(text, &name, &result.cells);
        let _ = write!(text, "static struct elsewise_root elw_root_{name} = ");
        write_root(text, &name, result, options);
        text.push_str(";\n");
    }
    let steps = sequence.steps;
    let _ = writeln!(
        text,
        "static unsigned char elw_steps[{steps}];\n\
         static struct elsewise_root elw_steps_root = {{ {}, elw_steps, {}, 0, 0, 0, 0, 0 }};\n\
         static unsigned elw_step;\n\
         static void *elw_made[{steps}];\n\
         static int elw_kinds[{steps}];\n\
         static void *elw_shared;",
        quoted(STEPS),
        steps - 1,
    );
    Ok(())
}

pub(super) fn write_main(
    text: &mut String,
    plan: &Plan,
    sequence: &Sequence,
    options: &FunctionOptions,
    values: &str,
) {
    write_handle(text, sequence);
    for (index, operation) in sequence.operations.iter().enumerate() {
        write_operation(text, plan, sequence, index, operation);
    }
    let _ = write!(
        text,
        "\nint main(void)\n{{\n{values}    elsewise_graph_begin(&elw_graph);\n    \
         elsewise_graph_results(elw_made, elw_kinds, {});\n",
        options.steps
    );
    if options.steps > 1 {
        text.push_str("    elsewise_graph_more(&elw_steps_root);\n");
    }
    if let Some(pool) = sequence.shared {
        let _ = writeln!(
            text,
            "    elw_shared = elsewise_graph_zeroed(&elw_type_{pool});"
        );
    }
    let _ = write!(
        text,
        "    elw_call_0();\n    for (elw_step = 1; elw_step < {}; elw_step++) {{\n        \
         elsewise_assume(elw_steps[elw_step - 1] <= {});\n        \
         switch (elw_steps[elw_step - 1]) {{\n",
        options.steps,
        sequence.operations.len()
    );
    for index in 0..sequence.operations.len() {
        let _ = writeln!(
            text,
            "        case {}:\n            elw_call_{index}();\n            break;",
            index + 1
        );
    }
    text.push_str(
        "        default:\n            goto end;\n        }\n    }\nend:\n    \
         elsewise_graph_end(0);\n    return 0;\n}\n",
    );
    write_checks(text, sequence);
}

/// One of the things that earlier steps made.
fn write_handle(text: &mut String, sequence: &Sequence) {
    let last = match sequence.null {
        true => format!(
            "    if (last >= 0 && which == last)\n        return elw_made[last];\n    \
             elsewise_assume(which == {NULL});\n    return 0;\n"
        ),
        false => "    elsewise_assume(last >= 0);\n    elsewise_assume(which == last);\n    \
                  return elw_made[last];\n"
            .into(),
    };
    let _ = writeln!(
        text,
        "\nstatic void elw_check(void);\n\n\
         __attribute__((unused)) static void *elw_handle(int kind, unsigned char which)\n{{\n    \
         int last = -1;\n    \
         for (unsigned i = 0; i < elw_step; i++) {{\n        \
         if (elw_kinds[i] != kind)\n            continue;\n        \
         if (last >= 0 && which == last)\n            return elw_made[last];\n        \
         last = (int)i;\n    }}\n{last}}}"
    );
}

fn write_operation(
    text: &mut String,
    plan: &Plan,
    sequence: &Sequence,
    index: usize,
    operation: &Operation,
) {
    for (place, argument) in operation.arguments.iter().enumerate() {
        let Argument::Made { which, .. } = argument else {
            continue;
        };
        for (count, name) in which.iter().enumerate() {
            let variable = format!("elw_which_{index}_{place}_{count}");
            let _ = writeln!(
                text,
                "static unsigned char {variable};\n\
                 static struct elsewise_root {variable}_root = \
                 {{ {}, &{variable}, 1, 0, 0, 0, 0, 0 }};",
                quoted(name)
            );
        }
    }
    let _ = write!(
        text,
        "\nstatic void elw_call_{index}(void)\n{{\n    static unsigned count;\n    \
         switch (count++) {{\n"
    );
    for count in 0..sequence.steps as usize {
        let _ = writeln!(text, "    case {count}:");
        write_call(text, plan, sequence, index, operation, count);
        text.push_str("        break;\n");
    }
    text.push_str("    }\n");
    let noted = match &operation.result {
        Some(_) => format!("&elw_root_result_{index}"),
        None => "0".into(),
    };
    let _ = writeln!(text, "    elsewise_graph_note(elw_step, {noted});");
    if let (Some(result), Some(of)) = (&operation.result, operation.makes) {
        let kind = kind(sequence, of);
        let kind = match sequence.null {
            true => kind.to_string(),
            false => format!("{} ? {kind} : 0", result.variable),
        };
        let _ = writeln!(
            text,
            "    elw_made[elw_step] = (void *){};\n    elw_kinds[elw_step] = {kind};",
            result.variable
        );
    }
    text.push_str("    elw_check();\n}\n");
}

fn write_call(
    text: &mut String,
    plan: &Plan,
    sequence: &Sequence,
    index: usize,
    operation: &Operation,
    count: usize,
) {
    // Lengths first: arrays are as long as they say.
    let mut taken: Vec<(bool, String)> = Vec::new();
    let mut given = Vec::new();
    for (place, argument) in operation.arguments.iter().enumerate() {
        match argument {
            Argument::Shared => given.push("elw_shared".to_string()),
            Argument::Input(roots) => {
                let root: &Root = &plan.roots[roots[count]];
                let is_length = root.length != RootLength::None;
                taken.push((!is_length, format!("elw_root_{}", roots[count])));
                given.push(root.variable.clone());
            }
            Argument::Made { of, .. } => {
                let which = format!("elw_which_{index}_{place}_{count}");
                taken.push((true, format!("{which}_root")));
                given.push(format!("elw_handle({}, {which})", kind(sequence, *of)));
            }
        }
    }
    taken.sort();
    for (_, root) in taken {
        let _ = writeln!(text, "        elsewise_graph_more(&{root});");
    }
    // One after the other: the order in which C evaluates arguments is not said.
    for (place, value) in given.iter_mut().enumerate() {
        if value.starts_with("elw_handle") {
            let _ = writeln!(text, "        void *elw_given_{place}_{count} = {value};");
            *value = format!("elw_given_{place}_{count}");
        }
    }
    let call = format!("{}({})", operation.function.name, given.join(", "));
    let _ = match &operation.result {
        Some(result) => writeln!(text, "        {} = {call};", result.variable),
        None => writeln!(text, "        {call};"),
    };
}

/// After each step, all that is there must be valid. Failures are shown at the function that says
/// what is.
fn write_checks(text: &mut String, sequence: &Sequence) {
    let _ = write!(text, "\nstatic void {CHECK}(void)\n{{\n");
    for (check, of) in &sequence.valid {
        let name = &check.name;
        let line = match &check.place {
            Some(place) => format!("#line {} {}\n", place.line, quoted(&place.file)),
            None => String::new(),
        };
        let made = sequence.operations.iter().any(|o| o.makes == Some(*of));
        let _ = match made {
            true => writeln!(
                text,
                "    for (unsigned i = 0; i <= elw_step; i++) {{\n        \
                 if (elw_kinds[i] == {})\n{line}            \
                 {name}(elw_made[i]) ? (void)0 : elsewise_fail({}, __FILE__, __LINE__);\n    }}",
                kind(sequence, *of),
                quoted(&format!("{name} after every step")),
            ),
            false => writeln!(
                text,
                "{line}    {name}(elw_shared) ? (void)0 : elsewise_fail({}, __FILE__, __LINE__);",
                quoted(&format!("{name} after every step")),
            ),
        };
    }
    text.push_str(&own_line());
    text.push_str("}\n");
}
