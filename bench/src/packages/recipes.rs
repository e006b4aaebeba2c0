//! How each package is built and tested, by its own means.

use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Configure,
    CMake,
    Meson,
}

pub struct Recipe {
    /// Of the package.
    pub name: &'static str,
    pub system: System,
    /// Where the build's file stands, below the source's root.
    pub folder: &'static str,
    /// Options of the configuration, or of make.
    pub options: &'static str,
    /// What runs the test suite.
    pub tests: &'static str,
}

const CTEST: &str = "ctest --test-dir elsewise-build --output-on-failure --timeout 600";
const CHECK: &str = "make check";

/// In the order in which they are built: the longest last.
pub const ALL: &[Recipe] = &[
    recipe("cjson", System::CMake, "-DENABLE_CJSON_UTILS=On", CTEST),
    Recipe {
        folder: "expat",
        ..recipe(
            "expat",
            System::CMake,
            // Its tests ask for `XML_DTD == 1`, which the header that CMake writes does not say.
            "-DEXPAT_BUILD_DOCS=Off -DEXPAT_DTD=Off -DCMAKE_C_FLAGS=-DXML_DTD=1 \
             -DCMAKE_CXX_FLAGS=-DXML_DTD=1",
            CTEST,
        )
    },
    recipe("libyaml", System::CMake, "-DBUILD_SHARED_LIBS=On", CTEST),
    recipe("zlib", System::Configure, "", "make test"),
    recipe(
        "tinyxml2",
        System::Meson,
        "-Dtests=true",
        "meson test -C elsewise-build",
    ),
    recipe("libcsv", System::Configure, "", CHECK),
    recipe(
        "yajl",
        System::CMake,
        "",
        "cd test/parsing && ./run_tests.sh ../../elsewise-build/test/parsing/yajl_test",
    ),
    recipe(
        "json-c",
        System::CMake,
        "-DDISABLE_WERROR=ON",
        "USE_VALGRIND=0 ctest --test-dir elsewise-build --output-on-failure --timeout 600",
    ),
    recipe("jansson", System::CMake, "-DJANSSON_BUILD_DOCS=Off", CTEST),
    recipe("cmark", System::CMake, "", CTEST),
    recipe("lzo2", System::Configure, "", CHECK),
];

const fn recipe(
    name: &'static str,
    system: System,
    options: &'static str,
    tests: &'static str,
) -> Recipe {
    Recipe {
        name,
        system,
        folder: "",
        options,
        tests,
    }
}

impl Recipe {
    /// The lines that a person would type, one after the other.
    pub fn build_lines(&self, cmake: Option<&Path>, meson: Option<&Path>) -> Vec<String> {
        let options = self.options;
        let file = |flag: &str, path: Option<&Path>| match path {
            Some(path) => format!("{flag}'{}'", path.display()),
            None => String::new(),
        };
        match self.system {
            System::Configure => vec![format!("./configure {options}"), "make".into()],
            System::CMake => vec![
                format!(
                    "cmake -S . -B elsewise-build -DCMAKE_BUILD_TYPE=RelWithDebInfo {options} {}",
                    file("--toolchain ", cmake)
                ),
                "cmake --build elsewise-build".into(),
            ],
            System::Meson => vec![
                format!(
                    "meson setup elsewise-build {options} {}",
                    file("--native-file ", meson)
                ),
                "meson compile -C elsewise-build".into(),
            ],
        }
    }
}

impl System {
    pub fn name(self) -> &'static str {
        match self {
            System::Configure => "configure, make",
            System::CMake => "CMake",
            System::Meson => "Meson",
        }
    }

    /// Tests passed, and all tests, as the build system's own runner says at the end.
    pub fn count(self, output: &str) -> Option<(u64, u64)> {
        let after = |mark: &str| -> Option<u64> {
            let line = output.lines().rev().find(|line| line.contains(mark))?;
            let (_, rest) = line.split_once(mark)?;
            rest.split_whitespace().next()?.parse().ok()
        };
        match self {
            // `100% tests passed, 0 tests failed out of 19`
            System::CMake => {
                let all = after("tests failed out of ")?;
                let failed = after("tests passed, ")?;
                Some((all.checked_sub(failed)?, all))
            }
            // `# TOTAL: 5` and `# PASS:  5`; an older automake says `All 5 tests passed`.
            System::Configure => match (after("# PASS:"), after("# TOTAL:")) {
                (Some(passed), Some(all)) => Some((passed, all)),
                _ => {
                    let line = output.lines().find(|line| {
                        line.ends_with("tests passed") || line.ends_with("test passed")
                    })?;
                    let all = line.split_whitespace().find_map(|word| word.parse().ok())?;
                    Some((all, all))
                }
            },
            // `Ok:                 1` and `Fail:               0`
            System::Meson => {
                let good = after("Ok: ")?;
                Some((good, good + after("Fail: ")?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runners_say() {
        let ctest = "1/2 Test\n\n50% tests passed, 1 tests failed out of 2\n\nTotal Test time";
        assert_eq!(System::CMake.count(ctest), Some((1, 2)));
        let check = "# TOTAL: 5\n# PASS:  4\n# FAIL:  1\n";
        assert_eq!(System::Configure.count(check), Some((4, 5)));
        let meson =
            "Ok:                 3   \nExpected Fail:      0   \nFail:               1   \n";
        assert_eq!(System::Meson.count(meson), Some((3, 4)));
        assert_eq!(
            System::Configure.count("All 5 tests passed\n"),
            Some((5, 5))
        );
        assert_eq!(System::Configure.count("1 test passed\n"), Some((1, 1)));
        assert_eq!(System::Configure.count("*** zlib test OK ***"), None);
    }

    #[test]
    fn every_package_once() {
        let mut names: Vec<&str> = ALL.iter().map(|recipe| recipe.name).collect();
        for name in &names {
            crate::package::Package::named(name).unwrap();
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
