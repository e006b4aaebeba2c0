// zstd's pool of threads: two jobs, of which one may have to wait, are done before the pool is gone.
#include "pool.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void job(void *unused)
{
    (void)unused;
    done++;
}

int main(void)
{
    POOL_ctx *pool = POOL_create(2, 1);
    if (!pool)
        return 1;
    POOL_add(pool, job, NULL);
    POOL_add(pool, job, NULL);
    POOL_joinJobs(pool);
    assert(done == 2);
    POOL_free(pool);
    return 0;
}
