//! `main`: asks for one message after the other, and for what each of them carries.

use super::parts::{Part, is_offered, on_part, plan_of};
use super::plan::{Element, ElementKind, Plan};
use super::text::{Text, comment, quoted};
use super::{Options, properties, system};
use crate::model::{EventId, EventKind, Model};

const SUPPORT: &str = r#"/* Where to tell what happens: only the uninstrumented build is ever asked to, and has its own of this. */
#ifdef __cplusplus
extern "C"
#endif
__attribute__((weak)) const char *elsewise_plain_observed(void)
{
    return 0;
}

static int elw_step, elw_order, elw_addressed;
static FILE *elw_out;

/* The name of an input: which step, and what of it. */
static char *elw_key(char *key, const char *part, const char *name, int number)
{
    char digits[12];
    int at = 0, count = 0;
    for (; *part; part++)
        key[at++] = *part;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        key[at++] = digits[--count];
    if (*name)
        key[at++] = '_';
    for (; *name && at < 46; name++)
        key[at++] = *name;
    key[at] = 0;
    return key;
}

static void elw_parameter(void *p, size_t size, const char *name)
{
    char key[48];
    elsewise_input(p, size, elw_key(key, "step_", name, elw_step));
}

static int elw_truth(const char *name)
{
    unsigned char truth;
    elw_parameter(&truth, 1, name);
    elsewise_assume(truth <= 1);
    return truth;
}

static char *elw_text(const char *name)
{
    static char texts[256][9];
    static int used;
    char *text = texts[used++ % 256];
    elw_parameter(text, 8, name);
    text[8] = 0;
    return text;
}

static void elw_note(int part, const char *message, int more)
{
    (void)more;
    if (elw_out) {
        fprintf(elw_out, "sent %d %s\n", part, message);
        fflush(elw_out);
    }
}

static void elw_with(const char *name, long long value)
{
    if (elw_out) {
        fprintf(elw_out, "with %lld %s\n", value, name);
        fflush(elw_out);
    }
}

static void elw_left(int element)
{
    if (elw_out) {
        fprintf(elw_out, "left %d\n", element);
        fflush(elw_out);
    }
}

static void elw_given(int part, int signal)
{
    if (elw_out) {
        fprintf(elw_out, "given %d %d\n", part, signal);
        fflush(elw_out);
    }
}
"#;

pub fn write(
    model: &Model,
    plans: &[Plan<'_>],
    parts: &[Part],
    file: &str,
    elements: &[Element],
    options: &Options,
) -> String {
    let mut out = Text::new();
    out.line(&comment("Runs the model on the messages of a case."));
    out.line(&format!("#include {}", quoted(file)));
    out.line(SUPPORT);
    reached(elements, options, &mut out);
    if parts.len() > 1 {
        system::deadlock(model, plans, parts, &mut out);
    }
    system::drain(model, plans, parts, options, &mut out);
    for (number, part) in parts.iter().enumerate() {
        turn(model, plans, number, part, options, &mut out);
    }
    let outside = outside(model, plans, parts);
    out.line("int main(void)");
    out.open("{");
    out.line("const char *observed = elsewise_plain_observed();");
    out.line("if (observed)");
    out.line("    elw_out = fopen(observed, \"w\");");
    for (number, part) in parts.iter().enumerate() {
        let start = on_part(plan_of(plans, part), part, "start", &number.to_string());
        out.line(&format!("{start};"));
    }
    out.line("elw_drain(1);");
    out.open(&format!(
        "for (elw_step = 1; elw_step <= {}; elw_step++) {{",
        options.steps
    ));
    out.line("int taken = 0;");
    match outside.as_slice() {
        [] => {}
        [one] => out.line(&format!("taken = elw_turn_{one}();")),
        _ => {
            out.line("char key[48];");
            out.line("unsigned char to;");
            out.line("elsewise_input(&to, 1, elw_key(key, \"step_\", \"to\", elw_step));");
            out.line(&comment(
                "Without a word, it goes where the one before went.",
            ));
            out.open("switch (to ^ elw_addressed) {");
            for (way, number) in outside.iter().enumerate() {
                out.line(&format!("case {way}:"));
                out.line(&format!("    elw_addressed = {way};"));
                out.line(&format!("    taken = elw_turn_{number}();"));
                out.line("    break;");
            }
            out.close("}");
        }
    }
    out.line("if (!taken)");
    out.line("    break;");
    out.line("elw_drain(1);");
    out.close("}");
    out.line("elw_drain(0);");
    out.line("return 0;");
    out.close("}");
    out.finish().0
}

/// The parts that can be given something from outside.
pub fn outside(model: &Model, plans: &[Plan<'_>], parts: &[Part]) -> Vec<usize> {
    let is_spoken_to = |at: &usize| {
        let part = &parts[*at];
        let plan = plan_of(plans, part);
        let mut events = plan.event_ids();
        events.any(|event| is_offered(model, plan, part, event) || is_timeout(plan, event))
    };
    (0..parts.len()).filter(is_spoken_to).collect()
}

/// A place in the program for each element, whose sides are the coverage of the model.
fn reached(elements: &[Element], options: &Options, out: &mut Text) {
    out.line("static volatile int elw_latest;");
    if options.loops.is_some() {
        out.line(&format!(
            "static unsigned elw_times[{}];",
            elements.len().max(1)
        ));
    }
    out.line("static void elw_reached(int element)");
    out.open("{");
    out.line("if (elw_out)");
    out.line("    fprintf(elw_out, \"reached %d\\n\", element), fflush(elw_out);");
    out.open("switch (element) {");
    for (number, element) in elements.iter().enumerate() {
        let about = comment(&element.label);
        out.line(&format!(
            "case {number}: elw_latest = {number}; break; {about}"
        ));
    }
    out.close("}");
    if let Some(loops) = options.loops {
        let first: Vec<String> = elements
            .iter()
            .map(|element| u8::from(element.kind == ElementKind::Transition).to_string())
            .collect();
        out.line(&format!(
            "static const unsigned char counted[] = {{ {} }};",
            first.join(", ")
        ));
        out.line(&format!(
            "if (counted[element] && ++elw_times[element] > {loops})"
        ));
        out.line("    exit(0);");
    }
    out.close("}");
    out.blank();
}

fn is_timeout(plan: &Plan<'_>, event: EventId) -> bool {
    plan.capsule.event(event).kind == EventKind::Timeout
}

/// One message of the environment, or of a timer.
fn turn(
    model: &Model,
    plans: &[Plan<'_>],
    number: usize,
    part: &Part,
    options: &Options,
    out: &mut Text,
) {
    let plan = plan_of(plans, part);
    let offered: Vec<EventId> = plan
        .event_ids()
        .filter(|event| is_offered(model, plan, part, *event))
        .collect();
    let timeouts: Vec<EventId> = plan
        .event_ids()
        .filter(|event| is_timeout(plan, *event))
        .collect();
    let of = match plan.capsule.events.len() {
        0..=255 => "unsigned char",
        _ => "unsigned short",
    };
    out.line(&format!("static int elw_turn_{number}(void)"));
    out.open("{");
    out.line("char key[48];");
    out.line(&format!("{of} which;"));
    out.line(&format!("{}_Message m = {{0}};", plan.name));
    out.line("elsewise_input(&which, sizeof which, elw_key(key, \"step_\", \"\", elw_step));");
    let messages = plan
        .event_ids()
        .filter(|event| plan.capsule.event(*event).kind == EventKind::Message)
        .count();
    let mut allowed = match messages == offered.len() {
        true => vec![format!("(which <= {messages})")],
        false => {
            let mut one: Vec<String> = offered
                .iter()
                .map(|event| format!("(which == {})", plan.numbers[event.index()]))
                .collect();
            one.push("(which == 0)".into());
            one
        }
    };
    for event in &timeouts {
        let signal = plan.signal(*event);
        let due = on_part(plan, part, "due", &signal);
        allowed.push(format!("({due} & (which == {signal}))"));
    }
    out.line(&format!("elsewise_assume({});", allowed.join(" | ")));
    out.line("m.signal = which;");
    for event in &timeouts {
        let signal = plan.signal(*event);
        let due = on_part(plan, part, "due", &signal);
        let expire = on_part(plan, part, "expire", &format!("{signal}, &m"));
        out.line(&format!("if ({due} && which == {signal})"));
        out.line(&format!("    {expire};"));
    }
    out.line("if (elw_out)");
    out.line("    fprintf(elw_out, \"step %d\\n\", elw_step);");
    let give = on_part(plan, part, "give", "&m");
    out.line(&format!("if ({give})"));
    out.line("    return 1;");
    if options.unhandled {
        unhandled(model, plan, part, &offered, out);
    }
    // What nobody takes changes nothing: what could follow follows without it as well. But where
    // somebody looks at what is received, it does.
    match properties::look_at_received(model) {
        true => out.line("return which != 0;"),
        false => out.line("return 0;"),
    }
    out.close("}");
    out.blank();
}

/// A message in a state that has no transition for it is a failure.
fn unhandled(model: &Model, plan: &Plan<'_>, part: &Part, offered: &[EventId], out: &mut Text) {
    let file = quoted(&model.file);
    out.open(&format!("switch ({}.elw_at) {{", part.variable));
    for leaf in plan.vertex_ids().skip(1).filter(|id| plan.is_leaf(*id)) {
        out.line(&format!("case {}:", plan.at(leaf)));
        out.deeper();
        out.open("switch (which) {");
        for event in offered {
            let label = plan.capsule.event_label(*event);
            let path = plan.machine.path(leaf);
            let message = quoted(&format!("message {label} is not handled in {path}"));
            let line = plan.vertex(leaf).place.line;
            out.line(&format!(
                "case {}: elsewise_fail({message}, {file}, {line});",
                plan.numbers[event.index()]
            ));
        }
        out.close("}");
        out.line("break;");
        out.back();
    }
    out.close("}");
}
