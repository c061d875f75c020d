import { explore } from "@typekube/apiserver/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generatedNames } from "../explore/zoo/generated-names.js";
import { type Browser, missingForBrowser, startBrowser } from "./browser.js";

if (missingForBrowser.length > 0) {
  console.warn(`SKIPPED: findings as a page in a browser: ${missingForBrowser.join("; ")}`);
}

let browser: Browser | undefined;
let html = "";

beforeAll(async () => {
  if (missingForBrowser.length === 0) {
    browser = await startBrowser();
    html = (await explore(generatedNames.buggy, { maxFindings: 1 })).html();
  }
});
afterAll(async () => browser?.close());

/** Contrast of a color with the ground, as WCAG 2 defines it: at least 4.5 for text. */
const contrast = `(selector) => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const text = light(getComputedStyle(document.querySelector(selector)).color);
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
}`;

it.skipIf(missingForBrowser.length > 0).each(["light", "dark"])(
  "the page of a finding is readable in %s, and asks for nothing else",
  async (scheme) => {
    const page = await (browser as Browser).newPage();
    const trouble: string[] = [];
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => trouble.push(request.url()));
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.setContent(html);
    expect(await page.evaluate("document.querySelector('h1').innerText")).toContain("1 finding");
    for (const selector of ["body", "td", "th", "tr.fault td", "tr.step td", ".more"]) {
      expect(
        await page.evaluate<number>(`(${contrast})(${JSON.stringify(selector)})`),
        selector,
      ).toBeGreaterThan(4.5);
    }
    // The timeline shows one mark for each line of the table, and its text on hovering.
    const rows = await page.evaluate<number>(
      "document.querySelector('section table').querySelectorAll('tbody tr').length",
    );
    const marks = await page.evaluate<string[]>(
      "[...document.querySelectorAll('svg g title')].map((one) => one.textContent)",
    );
    expect(marks).toHaveLength(rows);
    expect(marks.join()).toContain("the operator stops");
    expect(
      await page.evaluate<boolean>("document.documentElement.scrollWidth <= window.innerWidth"),
    ).toBe(true);
    expect(trouble).toEqual([]);
  },
);
