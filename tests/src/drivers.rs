//! A family of C programs that are made as device drivers are: flags that say how a request stands, an
//! entry that dispatches on its code, handlers with nested checks of status, locks whose state is asserted,
//! requests that must be completed exactly once, passed on or kept pending, helper functions that several
//! handlers call, error paths with `goto`, and return codes that are compared at the end.
//!
//! What the device answers is an input each time, so that paths multiply; most answers change little of
//! what matters later.

use elsewise_test_random::Random;
use std::fmt::Write;

/// A member of the family; the same one gives the same program.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Kinds of request, each with a handler.
    pub requests: usize,
    /// Steps of each handler, of which most double the number of its paths.
    pub steps: usize,
    pub bug: Option<Bug>,
    pub seed: u64,
}

/// What is wrong in one handler, in one of many ways through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// An error path leaves a lock held.
    LockKept,
    /// A request that was refused late is completed again.
    CompletedTwice,
    /// A request is kept pending, and the caller is told that it is done.
    PendingUntold,
}

pub const BUGS: [Bug; 3] = [Bug::LockKept, Bug::CompletedTwice, Bug::PendingUntold];

const HEAD: &str = r#"#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
enum { OK = 0, PENDING = 259, FAILED = -5, BUSY = -11, REFUSED = -22, GONE = -19 };
enum { FRESH, OWNED, PASSED, KEPT, DONE };
static int phase;
static int completions;
static int answer;
static int locks[3];
static int level;
static int powered = 1;
static int queued;
static int errors;
static struct { int mode, speed, window, retries; unsigned flags; } device;

static void acquire(int lock)
{
    assert(locks[lock] == 0);
    locks[lock] = 1;
    level++;
}

static void release(int lock)
{
    assert(locks[lock] == 1);
    locks[lock] = 0;
    level--;
}

static void complete(int status)
{
    assert(phase == OWNED);
    phase = DONE;
    completions++;
    answer = status;
}

static int pass_down(void)
{
    assert(phase == OWNED);
    assert(level == 0);
    phase = PASSED;
    int said = __VERIFIER_nondet_int();
    if (said == 0)
        answer = OK;
    else if (said == 259)
        answer = PENDING;
    else
        answer = FAILED;
    return answer;
}

static int keep(void)
{
    assert(phase == OWNED);
    phase = KEPT;
    answer = PENDING;
    queued++;
    return PENDING;
}
"#;

const TAIL: &str = r#"    default:
        complete(REFUSED);
        status = REFUSED;
    }
    assert(level == 0);
    assert(locks[0] == 0 && locks[1] == 0 && locks[2] == 0);
    assert(phase == DONE || phase == PASSED || phase == KEPT);
    assert(completions == (phase == DONE));
    assert(queued == (phase == KEPT));
    if (status == PENDING)
        assert(phase != DONE);
    if (phase == KEPT)
        assert(status == PENDING);
    if (phase == DONE)
        assert(status == answer);
    return 0;
}
"#;

impl Driver {
    pub fn source(&self) -> String {
        let mut random = Random::new(self.seed);
        let mut text = HEAD.to_owned();
        let helpers = 3 + self.requests / 2;
        for helper in 0..helpers {
            write_helper(&mut text, &mut random, helper);
        }
        for request in 0..self.requests {
            // Neither the first nor the last that a search comes to.
            let bug = self.bug.filter(|_| request == self.requests / 2);
            Handler {
                text: &mut text,
                random: &mut random,
                helpers,
                held: None,
            }
            .write(request, self.steps, bug);
        }
        text.push_str("\nint main(void)\n{\n    int status;\n");
        text.push_str("    int request = __VERIFIER_nondet_int();\n    phase = OWNED;\n");
        text.push_str("    device.retries = 2;\n    switch (request) {\n");
        for request in 0..self.requests {
            let _ = writeln!(text, "    case {}:", 3 * request + 1);
            let _ = writeln!(text, "        status = handle{request}();\n        break;");
        }
        text.push_str(TAIL);
        text
    }
}

/// Asks the device; what it says is a status, and may change a flag.
fn write_helper(text: &mut String, random: &mut Random, number: usize) {
    let (bit, below) = (random.below(6), random.between(-40, -1));
    let _ = write!(
        text,
        "\nstatic int ask{number}(int what)\n{{\n    int said = __VERIFIER_nondet_int();\n"
    );
    let _ = writeln!(text, "    if (said < {below}) {{\n        errors++;");
    let _ = writeln!(
        text,
        "        return {};\n    }}",
        random.pick(&["FAILED", "GONE"])
    );
    match random.below(3) {
        0 => {
            let _ = writeln!(text, "    if (said & {}) {{", 1 << bit);
            let _ = writeln!(text, "        device.flags |= {}u;", 1 << bit);
            let _ = writeln!(text, "        device.mode = what;\n    }}");
        }
        1 => {
            let _ = writeln!(text, "    if (said > {})", 100 * (bit + 1));
            let _ = writeln!(text, "        device.speed = {};", bit + 2);
            let _ = writeln!(text, "    else\n        device.speed = 1;");
        }
        _ => {
            let _ = writeln!(
                text,
                "    if (what > 2 && said == {bit})\n        return BUSY;"
            );
            let _ = writeln!(text, "    device.window = what;");
        }
    }
    text.push_str("    return OK;\n}\n");
}

struct Handler<'a> {
    text: &'a mut String,
    random: &'a mut Random,
    helpers: usize,
    /// The lock that is held where the next step comes.
    held: Option<usize>,
}

impl Handler<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str("    ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The status of a helper.
    fn ask(&mut self) -> String {
        let (helper, what) = (self.random.below(self.helpers), self.random.below(5));
        format!("ask{helper}({what})")
    }

    fn write(&mut self, number: usize, steps: usize, bug: Option<Bug>) {
        let _ = write!(self.text, "\nstatic int handle{number}(void)\n{{\n");
        self.line("int status = OK;");
        self.line("int late = 0;");
        self.line("if (!powered) {");
        self.line("    complete(GONE);");
        self.line("    return GONE;");
        self.line("}");
        for step in 0..steps {
            let wrong = bug.filter(|_| step == steps / 2);
            self.step(wrong);
        }
        if let Some(lock) = self.held.take() {
            self.line(&format!("release({lock});"));
        }
        self.end(bug);
        self.text.push_str("}\n");
    }

    fn step(&mut self, bug: Option<Bug>) {
        if bug == Some(Bug::LockKept) {
            self.free();
            let ask = self.ask();
            self.line("acquire(2);");
            self.line(&format!("status = {ask};"));
            self.line("if (status == OK && __VERIFIER_nondet_uchar() == 77) {");
            self.line("    status = BUSY;");
            self.line("    goto fail;");
            self.line("}");
            self.line("release(2);");
            return;
        }
        if bug == Some(Bug::CompletedTwice) {
            self.line("if (__VERIFIER_nondet_int() == 4711 && device.retries > 1)");
            self.line("    late = 1;");
        }
        match self.random.below(7) {
            // A setting that the device chooses.
            0 | 1 => {
                let (mask, value) = (1 << self.random.below(7), self.random.below(9));
                let field = *self.random.pick(&["mode", "speed", "window"]);
                self.line(&format!("if (__VERIFIER_nondet_uchar() & {mask})"));
                self.line(&format!("    device.{field} = {value};"));
                if self.random.chance(50) {
                    self.line("else");
                    self.line(&format!("    device.flags |= {mask}u;"));
                }
            }
            // A check with an error path of its own.
            2 | 3 => {
                let ask = self.ask();
                self.line(&format!("status = {ask};"));
                self.line("if (status != OK)");
                self.leave();
            }
            // A section under a lock.
            4 => {
                self.free();
                let (lock, ask) = (self.random.below(3), self.ask());
                self.line(&format!("acquire({lock});"));
                self.line(&format!("status = {ask};"));
                self.line("if (status == BUSY)");
                self.line("    device.retries--;");
                self.line("else if (status != OK) {");
                self.line(&format!("    release({lock});"));
                self.line("    goto fail;");
                self.line("}");
                self.held = Some(lock);
            }
            // Some tries.
            5 => {
                let ask = self.ask();
                self.line("for (int tries = 0; tries < 2; tries++) {");
                self.line(&format!("    status = {ask};"));
                self.line("    if (status != BUSY)");
                self.line("        break;");
                self.line("    device.retries--;");
                self.line("}");
                self.line("if (status == GONE)");
                self.leave();
            }
            // What an earlier step has left, which decides nothing that lasts.
            _ => {
                let value = self.random.below(9);
                let field = *self.random.pick(&["mode", "speed", "window"]);
                self.line(&format!(
                    "if (device.{field} == {value} || __VERIFIER_nondet_int() > {value}) {{"
                ));
                self.line("    if (errors)");
                self.line("        device.flags = 0;");
                self.line(&format!("    device.{field}++;"));
                self.line("}");
            }
        }
    }

    /// Out of the handler, with what is held given back.
    fn leave(&mut self) {
        match self.held {
            Some(lock) => {
                self.line("{");
                self.line(&format!("    release({lock});"));
                self.line("    goto fail;");
                self.line("}");
            }
            None => self.line("    goto fail;"),
        }
    }

    fn free(&mut self) {
        if let Some(lock) = self.held.take() {
            self.line(&format!("release({lock});"));
        }
    }

    fn end(&mut self, bug: Option<Bug>) {
        let ways = match bug {
            Some(Bug::PendingUntold) => 2,
            Some(Bug::CompletedTwice) => 0,
            _ => self.random.below(3),
        };
        match ways {
            0 => {
                self.line("complete(OK);");
                self.line("if (late)");
                match bug {
                    Some(Bug::CompletedTwice) => self.line("    complete(FAILED);"),
                    _ => self.line("    errors++;"),
                }
                self.line("return OK;");
            }
            1 => self.line("return pass_down();"),
            _ => {
                let asked = match bug {
                    Some(Bug::PendingUntold) => "__VERIFIER_nondet_int() == 31",
                    _ => "device.flags & 4",
                };
                self.line(&format!("if ({asked}) {{"));
                self.line("    keep();");
                match bug {
                    Some(Bug::PendingUntold) => {
                        self.line("    return device.retries > 1 ? OK : PENDING;");
                    }
                    _ => self.line("    return PENDING;"),
                }
                self.line("}");
                self.line("complete(late ? FAILED : OK);");
                self.line("return late ? FAILED : OK;");
            }
        }
        self.text.push_str("fail:\n");
        self.line("if (status == GONE)");
        self.line("    powered = 0;");
        self.line("complete(status);");
        self.line("return status;");
    }
}

/// The example that the paper on subsumption goes through: four paths, of which none fails.
pub const RUNNING_EXAMPLE: &str = r#"#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void)
{
    int s = 0;
    if (__VERIFIER_nondet_bool())
        s += 1;
    if (__VERIFIER_nondet_bool())
        s += 2;
    assert(s <= 3);
    return 0;
}
"#;

/// So many conditionals that have nothing to do with each other, before an assertion about all of them:
/// two to the power of their number is the number of paths.
pub fn conditionals(number: usize) -> String {
    let mut text = String::from("#include <assert.h>\nint __VERIFIER_nondet_int(void);\n");
    text.push_str("int main(void)\n{\n    int sum = 0;\n");
    for index in 0..number {
        let _ = writeln!(
            text,
            "    if (__VERIFIER_nondet_int() > {index})\n        sum += 1;"
        );
    }
    let _ = writeln!(text, "    assert(sum <= {number});\n    return 0;\n}}");
    text
}
