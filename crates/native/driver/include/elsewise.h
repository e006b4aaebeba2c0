/* Inputs, assumptions, assertions and atomic blocks for subjects that Elsewise explores.
 *
 * The same source builds both ways: under exploration the functions below are provided by the
 * runtime; in the uninstrumented build by a small support file that reads the inputs of a case
 * from the directory that the environment variable ELSEWISE_CASE names.
 */
#ifndef ELSEWISE_H
#define ELSEWISE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `size` bytes at `p` an input called `name`. An input asked for again under the same
 * name is another input. Names longer than 47 bytes are cut. */
void elsewise_input(void *p, size_t size, const char *name);

/* Cases in which `cond` does not hold are of no interest: the run ends here and counts for
 * nothing. */
void elsewise_assume(int cond);

/* What the calling thread does from here to elsewise_atomic_end must be as if no other thread came
 * between: an execution in which no order of whole blocks would have the same effects is a finding.
 * Nothing is locked. Blocks may stand within each other. */
void elsewise_atomic_begin(void);
void elsewise_atomic_end(void);

/* Reports a failed assertion and aborts. */
__attribute__((noreturn)) void elsewise_fail(const char *text, const char *file, int line);

/* Like `assert`, whether or not NDEBUG is defined. */
#define elsewise_assert(cond) \
    ((cond) ? (void)0 : elsewise_fail(#cond, __FILE__, __LINE__))

#ifdef __cplusplus
}
#endif

#endif
