import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The part of puppeteer-core that the tests use; the package belongs to docs/, not to the workspace. */
export interface Page {
  goto(url: string, options: { waitUntil: "networkidle0" }): Promise<unknown>;
  setContent(html: string): Promise<void>;
  emulateMediaFeatures(features: readonly { name: string; value: string }[]): Promise<void>;
  waitForSelector(selector: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  evaluate<R>(script: string): Promise<R>;
  waitForFunction(script: string): Promise<unknown>;
  url(): string;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
}

export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** Why no browser can start; empty when one can. */
export const missingForBrowser: readonly string[] = [
  ...(chromium === undefined ? ["no Chromium is installed"] : []),
  ...(existsSync(`${docs}node_modules/puppeteer-core`)
    ? []
    : ["the packages of docs/ are not installed (node .ci/docs-site.mjs)"]),
];

/** Starts a browser without a window. */
export async function startBrowser(): Promise<Browser> {
  const puppeteer = createRequire(docs)("puppeteer-core") as {
    launch(options: object): Promise<Browser>;
  };
  return puppeteer.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
