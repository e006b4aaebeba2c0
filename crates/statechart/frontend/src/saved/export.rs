//! Tests from the cases of a model: message sequences as text, and a C program that runs each of them
//! on the generated code.

use super::{SavedModel, written};
use crate::error::ModelError;
use elsewise_campaign::{Finding, Store};
use elsewise_explore::Case;
use elsewise_frontend::export::{File, cases, write};
use elsewise_frontend::{ExportRequest, Problem, notices};
use elsewise_graph::Messages;
use elsewise_native_frontend::{folder, problem};
use elsewise_statechart::model::Language;
use std::fmt::Write;
use std::fs;

pub fn export(saved: &SavedModel, store: &Store, request: &ExportRequest) -> Result<(), Problem> {
    if request.framework.is_some() {
        return Err(ModelError::NoFramework.into());
    }
    let mut told = Vec::new();
    let mut unknown = 0;
    for (case, finding) in cases(saved, store)? {
        let messages = match saved.observed(&case) {
            Ok((_, messages)) => messages,
            // What it is given is known, at least.
            Err(_) if finding.is_some() => saved.project.messages(&case),
            Err(_) => {
                unknown += 1;
                continue;
            }
        };
        told.push((case, finding, messages));
    }
    if unknown > 0 {
        notices::warning(&format!(
            "{unknown} of {} cases are left out, since the campaign does not say what comes of them: run the same \
             `elsewise explore` again",
            unknown + told.len()
        ));
    }
    let generated = &saved.project.generated;
    let (_folder, cache) = folder()?;
    let header = cache.include().map_err(problem)?;
    let header = fs::read_to_string(header.join("elsewise.h")).unwrap_or_default();
    let ending = match saved.project.model.language {
        Language::C => "c",
        Language::Cpp => "cpp",
    };
    let name = generated.file.split('.').next().unwrap_or("model");
    let file = |name: &str, text: String| File {
        name: name.to_owned(),
        text,
    };
    let files = [
        file(&format!("{name}.messages"), script(&told)),
        file(&format!("test_{name}.{ending}"), program(saved, &told)),
        file(&generated.file, generated.text.clone()),
        file(&generated.main, generated.main_text.clone()),
        file("elsewise.h", header),
    ];
    write(&files, &request.folder)
}

type ExportedCase = (Case, Option<Finding>, Messages);

/// What is expected of a case: the state that its last step leads to.
fn state(messages: &Messages) -> &str {
    let mut steps = messages.steps.iter().rev();
    let last = steps.find(|step| step.part == 0 && !step.state.is_empty());
    last.map_or("", |step| step.state.as_str())
}

/// One sequence after the other: a line for each message, and what it should lead to.
fn script(told: &[ExportedCase]) -> String {
    let mut out = String::new();
    for (number, (_, finding, messages)) in told.iter().enumerate() {
        let about = match finding {
            Some(finding) => format!("fails: {}", finding.message),
            None => format!("ends in {}", state(messages)),
        };
        let _ = writeln!(out, "sequence {number}: {about}");
        for step in messages.steps.iter().filter(|step| step.outside) {
            let _ = writeln!(out, "    {}", written(step));
            for (sent, _) in &step.sent {
                let _ = writeln!(out, "        sends {sent}");
            }
        }
    }
    out
}

const BEGIN: &str = r#"/* Tests of a state-machine model: each runs the generated code on a sequence of messages.
 * A test that is named after a finding fails until the model is repaired.
 */
#define main elw_main_of_the_model
#include MODEL
#undef main
#include <sys/wait.h>
#include <unistd.h>

struct input { const char *name; const char *bytes; size_t size; };
static const struct input *elw_inputs;

#ifdef __cplusplus
extern "C" {
#endif

void elsewise_input(void *p, size_t size, const char *name)
{
    memset(p, 0, size);
    for (const struct input *one = elw_inputs; one->name; one++) {
        if (strcmp(one->name, name) == 0)
            memcpy(p, one->bytes, one->size < size ? one->size : size);
    }
}

void elsewise_assume(int cond)
{
    if (!cond)
        _exit(77);
}

__attribute__((noreturn)) void elsewise_fail(const char *text, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    abort();
}

#ifdef __cplusplus
}
#endif

/* In a process of its own: every sequence begins with the initial state. */
static int test(const char *name, const struct input *inputs, int state)
{
    int status = 0;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        elw_inputs = inputs;
        elw_main_of_the_model();
        _exit(state && PART.elw_at != state ? 78 : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = -1;
    printf("%s %s\n", status == 0 ? "ok  " : "FAIL", name);
    return status != 0;
}
"#;

fn program(saved: &SavedModel, told: &[ExportedCase]) -> String {
    let generated = &saved.project.generated;
    let Some(part) = generated.parts.first() else {
        return String::new();
    };
    let mut out = BEGIN
        .replace("MODEL", &format!("\"{}\"", generated.main))
        .replace("PART", &part.variable);
    for (number, (case, _, messages)) in told.iter().enumerate() {
        let words: Vec<String> = messages
            .steps
            .iter()
            .filter(|step| step.outside)
            .map(|step| written(step).replace("*/", "* /"))
            .collect();
        let _ = writeln!(out, "\n/* {} */", words.join(", "));
        let _ = writeln!(out, "static const struct input inputs_{number}[] = {{");
        for (name, bytes) in &case.inputs {
            if !name.starts_with("step_") && !name.starts_with("turn_") {
                continue;
            }
            let text: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
            let size = bytes.len();
            let _ = writeln!(out, "    {{ \"{name}\", \"{text}\", {size} }},");
        }
        out.push_str("    { 0, 0, 0 },\n};\n");
    }
    out.push_str("\nint main(void)\n{\n    int failed = 0;\n");
    let states = &generated.states[part.capsule];
    for (number, (_, finding, messages)) in told.iter().enumerate() {
        let wanted = state(messages);
        let place = states.iter().position(|one| one == wanted);
        let (title, expected) = match finding {
            Some(finding) => (format!("finding {}", finding.id), 0),
            // States are numbered from 1; 0 is any.
            None => (
                format!("sequence {number} ends in {wanted}"),
                place.map_or(0, |place| place + 1),
            ),
        };
        let _ = writeln!(
            out,
            "    failed += test(\"{}\", inputs_{number}, {expected});",
            title.replace(['"', '\\'], "'")
        );
    }
    out.push_str("    return failed != 0;\n}\n");
    out
}
