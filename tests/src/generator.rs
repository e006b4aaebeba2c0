//! Random small C programs over two or three input bytes, whose paths can be counted without
//! Elsewise.
//!
//! A program records by itself which way it goes: each side of each choice updates a hash with a
//! number of its own. Two inputs take the same path exactly if their hashes are equal. An index is
//! no choice. One source serves two purposes:
//!
//! - as it is, `main` reads the bytes from standard input, runs, prints `hash outcome`, and exits
//!   with the outcome or aborts;
//! - with `-DBRUTE`, `main` runs all inputs in one process and writes each one's hash and outcome.
//!
//! Programs have no undefined behaviour, do not depend on the order in which operands are
//! evaluated, and end for every input.

mod expression;
mod statement;

use elsewise_test_random::Random;
use statement::Writer;

/// Outcomes 0 to 7 are exit codes; this one is `abort`.
pub const ABORTED: u8 = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub seed: u64,
    pub source: String,
    /// How many bytes it reads: 2 or 3.
    pub bytes: usize,
}

impl Program {
    /// Number of inputs that brute force must try. Of a third byte only the low three bits are
    /// ever used.
    pub fn inputs(&self) -> usize {
        match self.bytes {
            2 => 1 << 16,
            _ => 1 << 19,
        }
    }
}

/// The source of the program with that seed.
pub fn generate(seed: u64) -> String {
    program(seed).source
}

/// The program with that seed; always the same one.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let bytes = if random.chance(20) { 3 } else { 2 };
    let body = Writer::new(random, bytes).program();
    let source = format!("{}{body}{MAIN}", head(seed, bytes));
    Program {
        seed,
        source,
        bytes,
    }
}

fn head(seed: u64, bytes: usize) -> String {
    format!(
        r#"/* A random program, seed {seed}. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BYTES {bytes}

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;

static unsigned char b[BYTES];
static u64 path;

/* A side of a choice. */
#define HIT(k) (path = (path ^ (k)) * 0x100000001b3ull)
/* A condition, with its two sides. */
#define C(k, x) ((x) ? (HIT(2 * (k)), 1) : (HIT(2 * (k) + 1), 0))

#ifdef BRUTE
static jmp_buf out;
#define END(k) longjmp(out, 1 + (k))
#define FAIL() longjmp(out, 9)
#else
static void say(int outcome)
{{
    printf("%016llx %d\n", (unsigned long long)path, outcome);
    fflush(stdout);
}}
#define END(k) (say(k), exit(k))
#define FAIL() (say(8), abort())
#endif

"#
    )
}

const MAIN: &str = r#"
#ifdef BRUTE
static unsigned char table[65536][9];

int main(void)
{
    /* Changed between setjmp and longjmp. */
    static unsigned third, i;
    for (third = 0; third < (BYTES > 2 ? 8 : 1); third++) {
        for (i = 0; i < 65536; i++) {
            b[0] = (unsigned char)i;
            b[1] = (unsigned char)(i >> 8);
            b[BYTES - 1] = BYTES > 2 ? (unsigned char)third : b[1];
            path = 0xcbf29ce484222325ull;
            int outcome = setjmp(out);
            if (outcome == 0) {
                reset();
                f();
                outcome = 1;
            }
            for (int k = 0; k < 8; k++)
                table[i][k] = (unsigned char)(path >> (8 * k));
            table[i][8] = (unsigned char)(outcome - 1);
        }
        if (fwrite(table, sizeof table, 1, stdout) != 1)
            return 1;
    }
    return 0;
}
#else
int main(void)
{
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    path = 0xcbf29ce484222325ull;
    reset();
    f();
    END(0);
}
#endif
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_program() {
        assert_eq!(program(7), program(7));
        assert_ne!(generate(7), generate(8));
    }

    #[test]
    fn what_a_program_may_hold_occurs() {
        let all: String = (0..200).map(generate).collect();
        for word in [
            "for (",
            "while (",
            "do {",
            "switch (",
            "default:",
            "case -",
            "? (HIT",
            "&& C(",
            "|| C(",
            "[((",
            "struct",
            "FAIL()",
            "END(7)",
            "i64",
            "u64",
            " / ",
            " % ",
            " >> ",
            " << ",
            "~",
            "->",
            "b[2] & 7",
            "fall through",
            "rec0(",
            "case 0x",
        ] {
            assert!(all.contains(word), "no {word}");
        }
    }
}
