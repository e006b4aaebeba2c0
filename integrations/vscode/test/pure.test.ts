// What needs no editor: colours, the page, commands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byState, words, type BranchLine } from "../src/branches";
import { escape, page } from "../src/page";
import { isOneCommand, withProgram } from "../src/shell";

const line = (number: number, state: BranchLine["state"], ...sides: [string, "reached" | "unreachable" | "open"][]): BranchLine => ({
  line: number,
  state,
  places: [{ column: 1, sides: sides.map(([name, state]) => ({ name, state, why: "" })) }],
});

test("lines are sorted by how they stand, and those that are not there are left out", () => {
  const lines = [line(0, "both"), line(7, "open"), line(99, "open"), line(-1, "one"), line(0.5, "one"), line(2, "odd" as "one")];
  const found = byState(lines, 10);
  assert.deepEqual([...found].map(([state, lines]) => [state, lines.length]), [["both", 1], ["one", 0], ["unreachable", 0], ["open", 1]]);
});

test("sides that no run took are named", () => {
  assert.equal(words(line(0, "both", ["true", "reached"], ["false", "reached"])), "");
  assert.equal(words(line(0, "one", ["true", "open"], ["false", "reached"])), "true: open");
  const many = line(0, "open", ["case 1", "open"], ["case 2", "open"], ["case 3", "unreachable"], ["default", "open"]);
  assert.equal(words(many), "case 1: open, case 2: open, case 3: unreachable, …");
});

test("nothing in a page is more than text, and nothing in it runs", () => {
  const hostile = `</pre><script>alert(1)</script><img src=x onerror="alert('2')">`;
  const html = page(hostile, hostile, { heading: hostile, title: hostile, svg: `<svg><script>alert(3)</script></svg>` });
  assert.ok(!html.includes("<script"));
  assert.ok(!html.includes("<img src=x"));
  assert.ok(html.includes("default-src 'none'; img-src data:; style-src 'unsafe-inline'"));
  assert.equal(escape(`<a href='x'>&"`), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
  assert.ok(!page("t", "w", null).includes("<img"));
});

test("only one command goes to a terminal", () => {
  assert.ok(isOneCommand("elsewise replay 'a b; rm.elsewise/findings/1'"));
  for (const command of ["rm -rf /", "elsewise replay x\nrm y", "elsewise replay \u001b[2J", "elsewise explore x"]) {
    assert.ok(!isOneCommand(command), command);
  }
  assert.equal(withProgram("elsewise replay x", "/opt/elsewise"), "/opt/elsewise replay x");
  assert.equal(withProgram("elsewise replay x", "/opt/it's $&/e"), "'/opt/it'\\''s $&/e' replay x");
});
