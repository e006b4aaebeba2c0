//! Published bugs in old versions of libraries whose source comes with a crate.

pub struct Bug {
    pub name: &'static str,
    /// `xtask/harness/known-HARNESS.c`.
    pub harness: &'static str,
    /// Where it was published: a CVE, or an issue of the library.
    pub published: &'static str,
    /// The crate that has the library's source.
    pub package: &'static str,
    pub version: &'static str,
    pub library: &'static str,
    /// What a shell does once in the crate's folder before anything is compiled.
    pub prepare: &'static str,
    pub folder: &'static str,
    pub sources: &'static [&'static str],
    pub options: &'static [&'static str],
    pub seed: &'static [u8],
    /// The finding that is this bug: its kind, and the function in which it shows.
    pub kind: &'static str,
    pub function: &'static str,
}

pub const ALL: &[Bug] = &[
    Bug {
        name: "zlib",
        harness: "zlib",
        published: "CVE-2022-37434",
        package: "libz-sys",
        version: "1.1.5",
        library: "zlib 1.2.11",
        prepare: "",
        folder: "src/zlib",
        sources: &[
            "adler32.c",
            "crc32.c",
            "inffast.c",
            "inflate.c",
            "inftrees.c",
            "zutil.c",
        ],
        options: &["-Isrc/zlib"],
        seed: &[b'x'; 32],
        kind: "heap-buffer-overflow",
        function: "inflate",
    },
    stb("stb-psd", "nothings/stb#314", "stbi__psd_load"),
    stb("stb-bmp", "nothings/stb#313", "stbi__bmp_load"),
    stb("stb-gif", "nothings/stb#310", "stbi__fill_gif_background"),
    Bug {
        name: "oniguruma",
        harness: "oniguruma",
        published: "CVE-2017-9226",
        package: "onig_sys",
        version: "61.1.0",
        library: "Oniguruma 6.1.1",
        prepare: "cmake -S oniguruma -B config",
        folder: "oniguruma/src",
        sources: &[
            "ascii.c",
            "regcomp.c",
            "regenc.c",
            "regerror.c",
            "regexec.c",
            "regparse.c",
            "regsyntax.c",
            "regtrav.c",
            "regversion.c",
            "st.c",
            "unicode.c",
            "unicode_fold1_key.c",
            "unicode_fold2_key.c",
            "unicode_fold3_key.c",
            "unicode_unfold_key.c",
        ],
        options: &["-Iconfig", "-Ioniguruma/src"],
        seed: &[b'x'; 8],
        kind: "heap-buffer-overflow",
        function: "next_state_val",
    },
];

/// One of several overflows of sizes that multiply to less than they should.
const fn stb(name: &'static str, published: &'static str, function: &'static str) -> Bug {
    Bug {
        name,
        harness: "stb",
        published,
        package: "stb_image",
        version: "0.2.4",
        library: "stb_image 2.06",
        prepare: "",
        folder: "src",
        sources: &["stb_image.c"],
        options: &[],
        seed: &[b'x'; 32],
        kind: "heap-buffer-overflow",
        function,
    }
}
