//! Source packages of the distribution, and what is compiled of each without its own build system.

use crate::compile::{output, prepare};
use crate::source;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    /// What a shell does once in the source's folder before anything is compiled.
    pub prepare: &'static str,
    /// What the shell's patterns find below the root.
    pub sources: &'static str,
    /// Options of the compiler; folders are relative to the root.
    pub options: &'static str,
}

impl Package {
    pub fn named(name: &str) -> Result<&'static Package> {
        let found = ALL.iter().find(|package| package.name == name);
        found.with_context(|| format!("{name} is not among the packages"))
    }

    /// With the version that its authors gave it.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, source::upstream(self.version))
    }

    /// A copy of its source, prepared, in a folder below the cache that a measurement has for it.
    pub fn place(&self, measurement: &str) -> Result<PathBuf> {
        let source = source::fetch(self.name, self.version)?;
        let folder = source::cache()?.join(measurement).join(self.name);
        prepare(&folder, &source, self.prepare)?;
        Ok(folder)
    }

    /// The files to compile, relative to the source's folder.
    pub fn files(&self, source: &Path) -> Result<Vec<PathBuf>> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ls {}", self.sources)]);
        let listed = output(shell.env("LC_ALL", "C").current_dir(source))?;
        ensure!(!listed.is_empty(), "{} has no sources", self.name);
        Ok(listed.lines().map(PathBuf::from).collect())
    }

    pub fn options(&self) -> impl Iterator<Item = &'static str> {
        self.options.split_whitespace()
    }

    pub fn is_cxx(&self) -> bool {
        self.sources.ends_with(".cpp")
    }
}

pub const ALL: &[Package] = &[
    Package {
        sources: "cJSON.c",
        options: "-I.",
        ..plain("cjson", "1.7.15-1+deb12u4")
    },
    Package {
        prepare: "cmake -S expat -B config -DEXPAT_BUILD_DOCS=Off && \
                  sed -i 's/define XML_DTD$/& 1/' config/expat_config.h",
        sources: "expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c",
        options: "-Iconfig -Iexpat/lib -DXML_STATIC",
        ..plain("expat", "2.5.0-1+deb12u2")
    },
    Package {
        prepare: "cmake -S . -B config",
        sources: "src/*.c",
        options: "-Iinclude -Iconfig/include -DHAVE_CONFIG_H -DYAML_DECLARE_STATIC",
        ..plain("libyaml", "0.2.5-1")
    },
    Package {
        sources: "adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c",
        options: "-I.",
        ..plain("zlib", "1:1.2.13.dfsg-1")
    },
    Package {
        sources: "tinyxml2.cpp",
        options: "-I.",
        ..plain("tinyxml2", "9.0.0+dfsg-3.1")
    },
    Package {
        prepare: "cmake -S . -B config && mkdir -p elsewise/yajl && cp src/api/*.h elsewise/yajl && \
                  find config -name yajl_version.h -exec cp {} elsewise/yajl ';'",
        sources: "src/yajl.c src/yajl_alloc.c src/yajl_buf.c src/yajl_encode.c src/yajl_gen.c \
                  src/yajl_lex.c src/yajl_parser.c src/yajl_tree.c",
        options: "-Ielsewise",
        ..plain("yajl", "2.1.0-3+deb12u2")
    },
    Package {
        prepare: "cmake -S . -B config",
        sources: "arraylist.c debug.c json_object.c json_object_iterator.c json_tokener.c json_util.c \
                  linkhash.c printbuf.c random_seed.c strerror_override.c",
        options: "-Iconfig -I. -D_GNU_SOURCE",
        ..plain("json-c", "0.16-2")
    },
    Package {
        prepare: "cmake -S . -B config -DJANSSON_BUILD_DOCS=Off",
        sources: "src/dump.c src/error.c src/hashtable.c src/hashtable_seed.c src/load.c src/memory.c \
                  src/strbuffer.c src/strconv.c src/utf.c src/value.c",
        options: "-Iconfig/include -Iconfig/private_include -Isrc -DHAVE_CONFIG_H",
        ..plain("jansson", "2.14-2")
    },
    Package {
        prepare: "cmake -S . -B config",
        sources: "src/blocks.c src/buffer.c src/cmark.c src/cmark_ctype.c src/commonmark.c \
                  src/houdini_href_e.c src/houdini_html_e.c src/houdini_html_u.c src/html.c src/inlines.c \
                  src/iterator.c src/latex.c src/man.c src/node.c src/references.c src/render.c \
                  src/scanners.c src/utf8.c src/xml.c",
        options: "-Iconfig/src -Isrc -DCMARK_STATIC_DEFINE",
        ..plain("cmark", "0.30.2-6")
    },
    Package {
        sources: "libcsv.c",
        options: "-I.",
        ..plain("libcsv", "3.0.3+dfsg-6")
    },
    Package {
        sources: "blocksort.c bzip2.c bzlib.c compress.c crctable.c decompress.c huffman.c randtable.c",
        options: "-D_FILE_OFFSET_BITS=64",
        ..plain("bzip2", "1.0.8-5")
    },
    Package {
        // A file that the distribution's rules would write, and a program of its own.
        prepare: r#"echo '#define DEB_HOST_MULTIARCH "x"' > src/lua5.4-deb-multiarch.h && rm src/luac.c"#,
        sources: "src/l*.c",
        options: "-DLUA_USE_POSIX",
        ..plain("lua5.4", "5.4.4-3+deb12u1")
    },
    Package {
        prepare: "mkdir config && cd config && ../configure --disable-tcl && make sqlite3.c shell.c",
        sources: "config/sqlite3.c",
        options: "-Iconfig -DSQLITE_THREADSAFE=0",
        ..plain("sqlite3", "3.40.1-2+deb12u2")
    },
    Package {
        sources: "src/pugixml.cpp",
        ..plain("pugixml", "1.13-0.2")
    },
    plain("lzo2", "2.10-2"),
];

const fn plain(name: &'static str, version: &'static str) -> Package {
    Package {
        name,
        version,
        prepare: "",
        sources: "",
        options: "",
    }
}
