// Looks at pages with Chromium: screenshots in light and dark, wide and narrow, accessibility by
// axe-core, the time until the tree is drawn. Arguments: a JSON file with the jobs. Prints JSON.
import { createRequire } from "node:module";
import { readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const require = createRequire(pathToFileURL(job.modules + "/"));
const puppeteer = (await import(pathToFileURL(require.resolve("puppeteer-core")).href)).default;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await puppeteer.launch({
  executablePath: job.chromium,
  args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"],
  protocolTimeout: 300000,
});
const results = [];
try {
  for (const page of job.pages) {
    const result = { name: page.name, problems: [], words: [], opened: [], busy: [], bytes: statSync(page.file).size };
    for (const width of [1280, 390]) {
      for (const scheme of ["light", "dark"]) {
        const tab = await browser.newPage();
        const asked = [];
        tab.on("request", (request) => asked.push(request.url()));
        tab.on("pageerror", (error) => result.problems.push(`script: ${error.message}`));
        tab.on("console", (line) => {
          if (["error", "warn"].includes(line.type())) result.problems.push(`console: ${line.text()}`);
        });
        await tab.setViewport({ width, height: 900 });
        await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        // Policy forbids inline scripts of others, axe's among them, only when it is injected late.
        await tab.setBypassCSP(true);
        const session = await tab.createCDPSession();
        await session.send("Performance.enable", { timeDomain: "threadTicks" });
        const begun = performance.now();
        await tab.goto(pathToFileURL(page.file).href, { waitUntil: "load", timeout: 120000 });
        await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
        result.opened.push(Math.round(performance.now() - begun));
        const { metrics } = await session.send("Performance.getMetrics");
        const busy = metrics.find((metric) => metric.name === "TaskDuration");
        result.busy.push(Math.round(1000 * (busy?.value ?? 0)));
        result.nodes = Number(await tab.evaluate(() => document.documentElement.dataset.nodes));
        const others = asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"));
        for (const url of others) result.problems.push(`asks for ${url}`);
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) result.problems.push(`${overflow} pixels too wide at ${width}`);
        if (page.shots) {
          const height = await tab.evaluate(() => document.documentElement.scrollHeight);
          // What is not in view is not drawn: the view becomes as tall as the page.
          await tab.setViewport({ width, height: Math.min(height, page.tall) });
          await tab.evaluate(() => new Promise((done) => setTimeout(done, 200)));
          await tab.screenshot({ path: `${page.shots}-${width}-${scheme}.png` });
        }
        if (page.axe) {
          await tab.evaluate(axe);
          const found = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
          for (const violation of found.violations) {
            const where = violation.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ");
            result.problems.push(`axe ${violation.id} (${width}, ${scheme}): ${violation.help}: ${where}`);
          }
          result.checked = (result.checked ?? 0) + 1;
        }
        if (page.search) {
          const took = await tab.evaluate((words) => {
            const begun = performance.now();
            const input = document.getElementById("tree-search");
            input.value = words;
            input.dispatchEvent(new Event("input"));
            document.getElementById("tree-next").click();
            return [performance.now() - begun, document.getElementById("tree-hits").textContent];
          }, page.search);
          result.words = took;
        }
        await tab.close();
      }
    }
    results.push(result);
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(results));
