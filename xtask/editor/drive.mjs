// Drives a workbench of VS Code with the extension in it, as a person would, and takes pictures of each feature. Whatever
// does not show up in time ends it with an error. What to do comes as JSON on standard input.

import fs from "node:fs";
import { createRequire } from "node:module";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const puppeteer = createRequire(job.modules)("puppeteer-core");
const PATIENCE = 60_000;

const browser = await puppeteer.launch({
  executablePath: job.chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage();
try {
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${job.address}/?folder=${encodeURIComponent(job.folder)}`);
  await page.waitForSelector(".monaco-workbench", { timeout: PATIENCE });

  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const shot = async (name) => {
    await pause(1200);
    await page.screenshot({ path: `${job.out}/${name}.png` });
    console.log(name);
  };
  /** The element with these words, once it is there. */
  const find = async (selector, words) => {
    const found = await page.waitForFunction(
      (selector, words) => [...document.querySelectorAll(selector)].find((one) => one.textContent.replace(/\u00a0/g, " ").includes(words)),
      { timeout: PATIENCE },
      selector,
      words,
    );
    return found.asElement();
  };
  const type = async (words) => {
    await page.keyboard.type(words, { delay: 15 });
    await pause(900);
    await page.keyboard.press("Enter");
    await pause(900);
  };
  const palette = async (words) => {
    await page.keyboard.press("F1");
    await pause(700);
    await type(words);
  };
  await pause(6000);
  await (await find(".explorer-folders-view .monaco-list-row", "src")).click();
  await (await find(".explorer-folders-view .monaco-list-row", "list.c")).click({ count: 2 });
  await find(".codelens-decoration a", "Explore list_at");
  await shot("lens");

  await (await find(".codelens-decoration a", "Explore list_at")).click();
  await find(".codelens-decoration", "finding");

  await page.waitForSelector(".squiggly-error", { timeout: PATIENCE });
  await (await find(".codelens-decoration a", "Explore level")).click();
  await find(".codelens-decoration", "no findings");
  await shot("branches");

  await palette("Problems: Focus on Problems View");
  await find(".markers-panel", "segv");
  await shot("problems");
  await palette("View: Close Panel");
  await palette("View: Close Primary Side Bar");

  await (await find(".codelens-decoration a", "finding")).click();
  await page.waitForSelector("iframe.webview", { timeout: PATIENCE });
  await pause(3000);
  await shot("picture");

  const mark = await (await page.$$(".squiggly-error")).at(-1).boundingBox();
  await page.mouse.move(mark.x + mark.width / 2, mark.y - 4, { steps: 5 });
  await find(".monaco-hover", "segv");
  await shot("hover");
  await page.mouse.move(640, 780);

  await palette("Elsewise: Export Tests of a Campaign");
  await type("list_at");
  await find(".tab", "test");
  await pause(2500);
  await shot("export");
} catch (error) {
  await page.screenshot({ path: `${job.out}/failed.png` });
  throw error;
} finally {
  await browser.close();
}
