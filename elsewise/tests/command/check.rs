//! Kept cases, run again on a program that has changed meanwhile.

use crate::support::{BUGGY, Place};

fn explored() -> Place {
    let place = Place::new();
    place.write("a.c", BUGGY);
    let ran = place.run(&["explore", "a.c", "--max-input", "4", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    place
}

#[test]
fn nothing_has_changed() {
    let place = explored();
    let ran = place.run(&["check"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    assert!(ran.stdout.contains("as before"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("finding 1: still fails"),
        "{}",
        ran.stdout
    );
    // The campaign is as it was: it goes on.
    let again = place.run(&[
        "explore",
        "a.c",
        "--max-input",
        "4",
        "-q",
        "--format",
        "json",
    ]);
    assert_eq!(again.json()["resumed"], true);
}

#[test]
fn a_finding_that_is_gone_is_no_change() {
    let place = explored();
    place.write("a.c", BUGGY.replace("!= 300", "!= 3000"));
    let ran = place.run(&["check", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let json = ran.json();
    assert_eq!(json["changed"], false);
    assert_eq!(json["campaigns"][0]["gone"], serde_json::json!([1]));
    assert_eq!(
        json["campaigns"][0]["explore"],
        "elsewise explore a.c --max-input 4 --quiet"
    );
}

#[test]
fn another_exit_code_is_a_change() {
    let place = explored();
    place.write("a.c", BUGGY.replace("return 3", "return 4"));
    let ran = place.run(&["check"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert!(
        ran.stdout.contains("exit code 4; it was exit code 3"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_case_that_fails_is_shown_where_it_does() {
    let place = explored();
    place.write("a.c", BUGGY.replace("return 3", "assert(0)"));
    let ran = place.run(&["check", "--format", "problems"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let line = ran.stdout.lines().next().unwrap_or_default();
    assert!(line.starts_with("a.c:7:"), "{}", ran.stdout);
    assert!(
        line.contains(": error: was exit code 3, is assertion"),
        "{line}"
    );
    assert!(line.contains("[elsewise explore a.c"), "{line}");
}

#[test]
fn what_cannot_be_checked_says_what_to_do() {
    let place = Place::new();
    let ran = place.run(&["check"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("elsewise explore"), "{}", ran.stderr);
    let place = explored();
    place.write("a.c", "int main(void) { return missing; }\n");
    let ran = place.run(&["check"]);
    assert_eq!(ran.code, 4, "{}", ran.seen());
    std::fs::remove_file(place.path("a.c")).unwrap();
    let ran = place.run(&["check"]);
    assert_eq!(ran.code, 1, "{}", ran.seen());
    assert!(ran.stderr.contains("a.c"), "{}", ran.stderr);
}

/// Two threads that take two locks each way round.
const DEADLOCK: &str = "
    #include <pthread.h>
    #include <stddef.h>
    static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    static void take(pthread_mutex_t *first, pthread_mutex_t *second)
    {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    static void *other(void *unused) { take(&b, &a); return unused; }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, NULL, other, NULL);
        take(&a, &b);
        pthread_join(t, NULL);
        return 0;
    }
";

/// A schedule is followed on the program as it is now, which an uninstrumented one could not.
#[test]
fn a_finding_of_threads_is_checked_by_its_schedule() {
    let place = Place::new();
    place.write("a.c", DEADLOCK);
    let ran = place.run(&["explore", "a.c", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = place.run(&["check"]);
    let still = ran.stdout.contains("finding 1: still fails");
    assert!(ran.code == 0 && still, "{}", ran.seen());
    place.write("a.c", DEADLOCK.replace("take(&b, &a)", "take(&a, &b)"));
    let ran = place.run(&["check", "--format", "json"]);
    assert_eq!(ran.json()["campaigns"][0]["gone"], serde_json::json!([1]));
}

/// A schedule with waits that end by themselves is followed with such waits.
#[test]
fn a_schedule_is_replayed_with_what_threads_may_do() {
    let place = Place::new();
    place.write(
        "a.c",
        "
        #include <assert.h>
        #include <pthread.h>
        #include <stddef.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t set = PTHREAD_COND_INITIALIZER;
        static int ready;
        static void *other(void *unused)
        {
            pthread_mutex_lock(&lock);
            ready = 1;
            pthread_cond_signal(&set);
            pthread_mutex_unlock(&lock);
            return unused;
        }
        int main(void)
        {
            pthread_t t;
            pthread_create(&t, NULL, other, NULL);
            pthread_mutex_lock(&lock);
            if (!ready)
                pthread_cond_wait(&set, &lock);
            assert(ready);
            pthread_mutex_unlock(&lock);
            pthread_join(t, NULL);
            return 0;
        }
        ",
    );
    let ran = place.run(&["explore", "a.c", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let ran = place.run(&["explore", "a.c", "--quiet", "--spurious", "1"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = place.run(&["replay", "a.elsewise/findings/1"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    assert!(ran.stdout.contains("assertion failed"), "{}", ran.seen());
}

#[test]
fn another_memory_model_is_another_campaign() {
    let place = Place::new();
    place.write(
        "a.c",
        "
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        atomic_int x, y, seen;
        void *one(void *unused) {
            atomic_store_explicit(&x, 1, memory_order_relaxed);
            seen = atomic_load_explicit(&y, memory_order_relaxed);
            return unused;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, NULL, one, NULL);
            atomic_store_explicit(&y, 1, memory_order_relaxed);
            int mine = atomic_load_explicit(&x, memory_order_relaxed);
            pthread_join(t, NULL);
            if (!seen && !mine)
                abort();
            return 0;
        }
        ",
    );
    let ran = place.run(&["explore", "a.c", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
    let ran = place.run(&["explore", "a.c", "--quiet", "--memory-model", "tso"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = place.run(&["replay", "a.elsewise/findings/1"]);
    assert_eq!(ran.code, 2, "{}", ran.seen());
    let ran = place.run(&["explore", "a.c", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.seen());
}
