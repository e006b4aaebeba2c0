//! The programs and data structures with threads that are explored.

pub struct Program {
    pub name: &'static str,
    /// In the table.
    pub title: &'static str,
    pub origin: Origin,
    /// In `bench/harness/threaded`: what is explored, or what the build is given; nothing for a program
    /// that is explored as it is.
    pub harness: &'static str,
    pub flags: &'static str,
    /// Of `elsewise explore`.
    pub options: &'static [&'static str],
    /// `--` and the program's own.
    pub arguments: &'static [&'static str],
    /// Main's included.
    pub threads: u32,
    pub in_the_way: &'static str,
}

pub enum Origin {
    /// Headers of a built package, used by the harness.
    Headers {
        package: &'static str,
        version: &'static str,
    },
    /// A source package, a line that builds it (`@HARNESS@` and `@FLAGS@` are put in place), and what that
    /// makes.
    Source {
        package: &'static str,
        version: &'static str,
        build: &'static str,
        built: &'static str,
    },
}

const BOOST: Origin = headers("libboost1.74-dev", "1.74.0+ds1-21");
const KIT: Origin = headers("libck-dev", "0.7.1-10");

pub const ALL: &[Program] = &[
    Program {
        name: "pbzip2",
        title: "pbzip2 1.1.13, one compressor, 3 bytes",
        origin: Origin::Source {
            package: "pbzip2",
            version: "1.1.13-1",
            // The options that its Makefile adds, which a given CXXFLAGS takes the place of.
            build: "make CXX=\"$CXX\" CXXFLAGS='-g -O1 @FLAGS@ -pthread \
                    -D_POSIX_PTHREAD_SEMANTICS -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64'",
            built: "pbzip2",
        },
        harness: "",
        flags: "-Wno-reserved-user-defined-literal",
        options: &["--input-size=3", "--timeout=10000"],
        arguments: &["--", "-p1", "-c"],
        threads: 5,
        in_the_way: "libbz2 is not instrumented",
    },
    Program {
        name: "zstd-pool",
        title: "zstd 1.5.4, its pool of threads",
        origin: Origin::Source {
            package: "libzstd",
            version: "1.5.4+dfsg2-5",
            build: "$CC -g -O1 -pthread -DZSTD_MULTITHREAD @FLAGS@ -Ilib/common -Ilib @HARNESS@ \
                    lib/common/pool.c lib/common/threading.c lib/common/zstd_common.c \
                    lib/common/error_private.c -o pool",
            built: "pool",
        },
        harness: "zstd_pool.c",
        flags: "",
        options: &[],
        arguments: &[],
        threads: 3,
        in_the_way: "",
    },
    Program {
        name: "boost-spsc",
        title: "boost.lockfree 1.74 `spsc_queue`, 3 items",
        threads: 3,
        ..structure("boost_spsc.cc", BOOST)
    },
    Program {
        name: "boost-queue",
        title: "boost.lockfree 1.74 `queue`, 2 producers",
        ..structure("boost_queue.cc", BOOST)
    },
    Program {
        name: "boost-stack",
        title: "boost.lockfree 1.74 `stack`, 2 consumers",
        ..structure("boost_stack.cc", BOOST)
    },
    Program {
        name: "concurrentqueue",
        title: "moodycamel `ConcurrentQueue` 1.0.3, 2 producers",
        ..structure(
            "concurrentqueue.cc",
            headers("libconcurrentqueue-dev", "1.0.3+ds-1"),
        )
    },
    Program {
        name: "readerwriterqueue",
        title: "moodycamel `ReaderWriterQueue` 1.0.6, 3 items",
        in_the_way: "fences (mended)",
        ..structure(
            "readerwriterqueue.cc",
            headers("libreaderwriterqueue-dev", "1.0.6-1"),
        )
    },
    Program {
        name: "atomic-queue",
        title: "`atomic_queue::AtomicQueue`, 2 consumers",
        flags: "-Wno-missing-template-arg-list-after-template-kw",
        threads: 4,
        in_the_way: "spinning (mended), a warning of this clang that is an error",
        ..structure(
            "atomic_queue.cc",
            headers("libatomic-queue-dev", "0.0+git20220518.83774a2-1"),
        )
    },
    Program {
        name: "ck-ring",
        title: "Concurrency Kit 0.7.1 `ck_ring`, 2 producers",
        in_the_way: "assembly (mended)",
        ..structure("ck_ring.c", KIT)
    },
    Program {
        name: "ck-stack",
        title: "Concurrency Kit 0.7.1 `ck_stack`, 2 producers",
        in_the_way: "assembly (mended)",
        ..structure("ck_stack.c", KIT)
    },
    Program {
        name: "ck-spinlock",
        title: "Concurrency Kit 0.7.1 spin locks, 2 threads",
        in_the_way: "assembly and spinning (mended)",
        ..structure("ck_spinlock.c", KIT)
    },
];

const fn headers(package: &'static str, version: &'static str) -> Origin {
    Origin::Headers { package, version }
}

const fn structure(harness: &'static str, origin: Origin) -> Program {
    Program {
        name: "",
        title: "",
        origin,
        harness,
        flags: "-DITEMS=1",
        options: &[],
        arguments: &[],
        threads: 3,
        in_the_way: "",
    }
}
