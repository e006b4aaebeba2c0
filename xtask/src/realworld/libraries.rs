//! The libraries that are measured: what is compiled of each, and how.

pub struct Library {
    /// Of the source package, and of the harness.
    pub name: &'static str,
    pub version: &'static str,
    pub language: Language,
    /// What a shell does once in the source's folder before anything is compiled.
    pub prepare: &'static str,
    /// Where the sources lie, below the package's root.
    pub folder: &'static str,
    pub sources: &'static [&'static str],
    /// Options of the compiler; folders are relative to the package's root.
    pub options: &'static [&'static str],
    /// The one input to begin with.
    pub seed: &'static [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
}

impl Library {
    /// The file of the harness, in `xtask/harness`.
    pub fn harness(&self) -> String {
        match self.language {
            Language::C => format!("{}.c", self.name),
            Language::Cxx => format!("{}.cc", self.name),
        }
    }
}

pub const ALL: &[Library] = &[
    Library {
        name: "cjson",
        version: "1.7.15-1+deb12u4",
        language: Language::C,
        prepare: "",
        folder: "",
        sources: &["cJSON.c"],
        options: &["-I."],
        seed: b"{}",
    },
    Library {
        name: "expat",
        version: "2.5.0-1+deb12u2",
        language: Language::C,
        prepare: "cmake -S expat -B config -DEXPAT_BUILD_DOCS=Off && \
                  sed -i 's/define XML_DTD$/& 1/' config/expat_config.h",
        folder: "expat/lib",
        sources: &["xmlparse.c", "xmlrole.c", "xmltok.c"],
        options: &["-Iconfig", "-Iexpat/lib", "-DXML_STATIC"],
        seed: b"<a/>",
    },
    Library {
        name: "libyaml",
        version: "0.2.5-1",
        language: Language::C,
        prepare: "cmake -S . -B config",
        folder: "src",
        sources: &[
            "api.c",
            "dumper.c",
            "emitter.c",
            "loader.c",
            "parser.c",
            "reader.c",
            "scanner.c",
            "writer.c",
        ],
        options: &[
            "-Iinclude",
            "-Iconfig/include",
            "-DHAVE_CONFIG_H",
            "-DYAML_DECLARE_STATIC",
        ],
        seed: b"a",
    },
    Library {
        name: "zlib",
        version: "1:1.2.13.dfsg-1",
        language: Language::C,
        prepare: "",
        folder: "",
        sources: &[
            "adler32.c",
            "compress.c",
            "crc32.c",
            "deflate.c",
            "inffast.c",
            "inflate.c",
            "inftrees.c",
            "trees.c",
            "zutil.c",
        ],
        options: &["-I."],
        seed: b"x",
    },
    Library {
        name: "tinyxml2",
        version: "9.0.0+dfsg-3.1",
        language: Language::Cxx,
        prepare: "",
        folder: "",
        sources: &["tinyxml2.cpp"],
        options: &["-I."],
        seed: b"<a/>",
    },
    Library {
        name: "yajl",
        version: "2.1.0-3+deb12u2",
        language: Language::C,
        prepare: "cmake -S . -B config && mkdir -p elsewise/yajl && cp src/api/*.h elsewise/yajl && \
                  find config -name yajl_version.h -exec cp {} elsewise/yajl ';'",
        folder: "src",
        sources: &[
            "yajl.c",
            "yajl_alloc.c",
            "yajl_buf.c",
            "yajl_encode.c",
            "yajl_gen.c",
            "yajl_lex.c",
            "yajl_parser.c",
            "yajl_tree.c",
        ],
        options: &["-Ielsewise"],
        seed: b"{}",
    },
    Library {
        name: "json-c",
        version: "0.16-2",
        language: Language::C,
        prepare: "cmake -S . -B config",
        folder: "",
        sources: &[
            "arraylist.c",
            "debug.c",
            "json_object.c",
            "json_object_iterator.c",
            "json_tokener.c",
            "json_util.c",
            "linkhash.c",
            "printbuf.c",
            "random_seed.c",
            "strerror_override.c",
        ],
        options: &["-Iconfig", "-I.", "-D_GNU_SOURCE"],
        seed: b"{}",
    },
    Library {
        name: "jansson",
        version: "2.14-2",
        language: Language::C,
        prepare: "cmake -S . -B config -DJANSSON_BUILD_DOCS=Off",
        folder: "src",
        sources: &[
            "dump.c",
            "error.c",
            "hashtable.c",
            "hashtable_seed.c",
            "load.c",
            "memory.c",
            "strbuffer.c",
            "strconv.c",
            "utf.c",
            "value.c",
        ],
        options: &[
            "-Iconfig/include",
            "-Iconfig/private_include",
            "-Isrc",
            "-DHAVE_CONFIG_H",
        ],
        seed: b"{}",
    },
    Library {
        name: "cmark",
        version: "0.30.2-6",
        language: Language::C,
        prepare: "cmake -S . -B config",
        folder: "src",
        sources: &[
            "blocks.c",
            "buffer.c",
            "cmark.c",
            "cmark_ctype.c",
            "commonmark.c",
            "houdini_href_e.c",
            "houdini_html_e.c",
            "houdini_html_u.c",
            "html.c",
            "inlines.c",
            "iterator.c",
            "latex.c",
            "man.c",
            "node.c",
            "references.c",
            "render.c",
            "scanners.c",
            "utf8.c",
            "xml.c",
        ],
        options: &["-Iconfig/src", "-Isrc", "-DCMARK_STATIC_DEFINE"],
        seed: b"a",
    },
    Library {
        name: "libcsv",
        version: "3.0.3+dfsg-6",
        language: Language::C,
        prepare: "",
        folder: "",
        sources: &["libcsv.c"],
        options: &["-I."],
        seed: b"a",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_library_has_a_harness() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
        for library in ALL {
            assert!(
                folder.join(library.harness()).is_file(),
                "{}",
                library.harness()
            );
        }
    }
}
