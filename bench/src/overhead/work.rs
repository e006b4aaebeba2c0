//! The programs whose overhead is measured, and what they are given to do.

use anyhow::Result;
use elsewise_test_random::Random;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub struct Program {
    /// Of the package.
    pub name: &'static str,
    /// Files and options beside those of the library.
    pub more: &'static [&'static str],
    pub options: &'static [&'static str],
    pub what: &'static str,
    /// Writes the inputs into a folder.
    pub steps: fn(&Path) -> Result<Vec<Step>>,
}

/// One run: what it is told, and the file that is its standard input. What it writes goes to the
/// file of that name with `.out` after it.
pub struct Step {
    pub arguments: &'static [&'static str],
    pub input: PathBuf,
}

pub const ALL: &[Program] = &[
    Program {
        name: "bzip2",
        more: &[],
        options: &[],
        what: "packs and unpacks 4 MB of text",
        steps: text,
    },
    Program {
        name: "lua5.4",
        more: &[],
        options: &[],
        what: "calls, sorting, strings, tables",
        steps: script,
    },
    Program {
        name: "sqlite3",
        more: &["config/shell.c"],
        options: &["-DSQLITE_OMIT_LOAD_EXTENSION"],
        what: "50,000 inserts, an index, joins, aggregates",
        steps: queries,
    },
];

fn text(folder: &Path) -> Result<Vec<Step>> {
    const WORDS: [&str; 16] = [
        "the", "a", "path", "of", "choice", "and", "run", "which", "takes", "another", "no", "way",
        "input", "to", "reaches", "end",
    ];
    let mut numbers = Random::new(1);
    let mut text = String::new();
    while text.len() < 4_000_000 {
        for _ in 0..numbers.below(12) + 2 {
            text += *numbers.pick(&WORDS);
            text.push(' ');
        }
        writeln!(text, "{}.", numbers.below(100_000))?;
    }
    let input = folder.join("text");
    fs::write(&input, text)?;
    Ok(vec![
        Step {
            arguments: &["-z", "-c"],
            input,
        },
        Step {
            arguments: &["-d", "-c"],
            input: folder.join("text.out"),
        },
    ])
}

fn script(folder: &Path) -> Result<Vec<Step>> {
    let input = folder.join("script");
    fs::write(
        &input,
        r#"
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(29))
local state, list = 1, {}
for i = 1, 200000 do
  state = (state * 1103515245 + 12345) % 2147483648
  list[i] = state
end
table.sort(list)
print(list[1], list[100000], list[200000])
local parts, counts = {}, {}
for i = 1, 200000 do
  parts[#parts + 1] = string.format("%d:%s;", i, string.rep("x", i % 7))
  local key = "k" .. (i * 7919 % 1000)
  counts[key] = (counts[key] or 0) + 1
end
local text = table.concat(parts)
local seen = 0
for word in text:gmatch("%d+:x+") do seen = seen + #word end
print(#text, seen, counts.k7, text:reverse():sub(1, 20))
"#,
    )?;
    Ok(vec![Step {
        arguments: &["-"],
        input,
    }])
}

fn queries(folder: &Path) -> Result<Vec<Step>> {
    let mut numbers = Random::new(2);
    let mut text = String::from(
        "create table item(id integer primary key, owner integer, price real, name text);\n\
         create table owner(id integer primary key, name text, level integer);\n\
         begin;\n",
    );
    for id in 0..500 {
        let level = numbers.below(5);
        writeln!(
            text,
            "insert into owner values({id}, 'owner {id}', {level});"
        )?;
    }
    for id in 0..50_000 {
        let (owner, price, name) = (
            numbers.below(500),
            numbers.below(10_000),
            numbers.below(1_000_000),
        );
        writeln!(
            text,
            "insert into item values({id}, {owner}, {price}.25, 'item {name}');"
        )?;
    }
    text += "commit;\n\
        create index by_owner on item(owner, price);\n\
        select count(*), sum(price), min(name), max(name) from item;\n\
        select o.level, count(*), avg(i.price) from item i join owner o on o.id = i.owner \
            group by o.level order by o.level;\n\
        select o.name, max(i.price) from owner o join item i on i.owner = o.id \
            where o.level = 3 group by o.id order by 2 desc, 1 limit 20;\n\
        select substr(name, 6, 2) as part, count(*) from item where name like '%7%' \
            group by part order by 2 desc, 1 limit 20;\n\
        update item set price = price * 1.5 where owner % 7 = 0;\n\
        delete from item where price < 500;\n\
        select count(*), round(sum(price), 2) from item;\n\
        select a.id, b.id from item a join item b on a.owner = b.owner and a.price = b.price \
            and a.id < b.id order by 1, 2 limit 20;\n";
    let input = folder.join("queries");
    fs::write(&input, text)?;
    Ok(vec![Step {
        arguments: &["-batch", ":memory:"],
        input,
    }])
}
