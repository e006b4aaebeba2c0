//! Published bugs in old versions of libraries whose source comes with a crate.

pub struct Bug {
    pub name: &'static str,
    /// `bench/harness/known-HARNESS.c`.
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
    /// In the folder.
    pub sources: &'static str,
    pub options: &'static [&'static str],
    pub seed: &'static [u8],
    /// The finding that is this bug: its kind, and the function in which it shows.
    pub kind: &'static str,
    pub function: &'static str,
    /// Where in the function, if it has more than one bug of this kind; otherwise none.
    pub lines: &'static [u32],
    /// Whether it is found within the time: that it is not any more is an error.
    pub found: bool,
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
        sources: "adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c",
        options: &["-Isrc/zlib"],
        seed: &[b'x'; 32],
        kind: "heap-buffer-overflow",
        function: "inflate",
        lines: &[],
        found: true,
    },
    // Where the text ends behind a comma, one byte more is read.
    Bug {
        name: "cjson",
        harness: "cjson",
        published: "CVE-2023-53154",
        package: "rdkafka-sys",
        version: "4.3.0+1.9.2",
        library: "cJSON 1.7.14",
        prepare: "",
        folder: "librdkafka/src",
        sources: "cJSON.c",
        options: &["-Ilibrdkafka/src"],
        seed: &[b'x'; 32],
        kind: "heap-buffer-overflow",
        function: "parse_string",
        lines: &[],
        found: true,
    },
    // The size of the buffer overflows; raw data is then written past its end.
    Bug {
        name: "stb-psd",
        published: "nothings/stb#314",
        options: &["-DSTBI_ONLY_PSD"],
        function: "stbi__psd_load",
        lines: &[5193, 5197],
        found: true,
        ..STB
    },
    // Packed data may be longer than the buffer for it.
    Bug {
        name: "stb-psd-packed",
        published: "nothings/stb#315",
        options: &["-DSTBI_ONLY_PSD"],
        function: "stbi__psd_load",
        lines: &[5159, 5171],
        ..STB
    },
    Bug {
        name: "stb-bmp",
        published: "nothings/stb#313",
        options: &["-DSTBI_ONLY_BMP"],
        function: "stbi__bmp_load",
        found: true,
        ..STB
    },
    Bug {
        name: "stb-gif",
        published: "nothings/stb#310",
        options: &["-DSTBI_ONLY_GIF"],
        function: "stbi__fill_gif_background",
        ..STB
    },
    Bug {
        name: "oniguruma",
        harness: "oniguruma",
        published: "CVE-2017-9226",
        package: "onig_sys",
        version: "61.1.0",
        library: "Oniguruma 6.1.1",
        prepare: "cmake -S oniguruma -B config",
        folder: "oniguruma/src",
        sources: "ascii.c regcomp.c regenc.c regerror.c regexec.c regparse.c regsyntax.c \
                  regtrav.c regversion.c st.c unicode.c unicode_fold1_key.c \
                  unicode_fold2_key.c unicode_fold3_key.c unicode_unfold_key.c",
        options: &["-Iconfig", "-Ioniguruma/src"],
        seed: &[b'x'; 8],
        kind: "heap-buffer-overflow",
        function: "next_state_val",
        lines: &[],
        found: false,
    },
];

/// The library with the decoder of one format: to leave out the others is an option of its own.
const STB: Bug = Bug {
    name: "",
    harness: "stb",
    published: "",
    package: "stb_image",
    version: "0.2.4",
    library: "stb_image 2.06",
    prepare: "",
    folder: "src",
    sources: "stb_image.c",
    options: &[],
    seed: &[b'x'; 32],
    kind: "heap-buffer-overflow",
    function: "",
    lines: &[],
    found: false,
};
