import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, missingForBrowser, startBrowser } from "./browser.js";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const built = join(docs, ".vitepress/dist");
const missing = [
  ...(existsSync(join(built, "index.html"))
    ? []
    : ["the site is not built (node .ci/docs-site.mjs)"]),
  ...missingForBrowser,
];
if (missing.length > 0) {
  console.warn(`SKIPPED: the documentation site in a browser: ${missing.join("; ")}`);
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

let server: Server;
let browser: Browser;
let origin: string;

/** Serves the built site as a static host does: `/reading` is `reading.html`. */
async function serve(): Promise<Server> {
  const listening = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    const files = [path, `${path}.html`, join(path, "index.html")].map((file) => join(built, file));
    for (const file of files.filter((one) => extname(one) !== "")) {
      const body = await readFile(file).catch(() => undefined);
      if (body !== undefined) {
        response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" });
        response.end(body);
        return;
      }
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return listening;
}

beforeAll(async () => {
  if (missing.length > 0) {
    return;
  }
  server = await serve();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

const opened = async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${origin}/`, { waitUntil: "networkidle0" });
  return { page, errors };
};

it.skipIf(missing.length > 0)(
  "leads from the start page to the reference of a method, without an error in the browser",
  async () => {
    const { page, errors } = await opened();
    expect(await page.evaluate("document.querySelector('h1').innerText")).toContain("TypeKube");
    const click = async (selector: string) => {
      await page.waitForSelector(selector);
      await page.click(selector);
    };
    await click(".VPNavBar a[href='/reference/']");
    await click(".vp-doc a[href$='./typekube/']");
    await click(".vp-doc a[href$='/interfaces/Client']");
    await page.waitForSelector("#waitfor");
    expect(await page.evaluate("document.querySelector('.vp-doc').innerText")).toContain(
      "Waits until an object meets a condition",
    );
    expect(errors).toEqual([]);
  },
);

it.skipIf(missing.length > 0)("finds waitFor by its search", async () => {
  const { page, errors } = await opened();
  await page.click("#local-search button");
  await page.waitForSelector("#localsearch-input");
  await page.type("#localsearch-input", "waitFor");
  await page.waitForSelector(".VPLocalSearchBox .results .result");
  const results = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.VPLocalSearchBox .result')].map((one) => one.getAttribute('href'))",
  );
  expect(results.some((href) => href.includes("/reference/typekube/"))).toBe(true);
  expect(errors).toEqual([]);
});
