import { readFile } from "node:fs/promises";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { setDefaultWarningHandler } from "typekube";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
  setDefaultWarningHandler(undefined);
  for (const api of [context, metrics, propagation, trace]) {
    api.disable();
  }
});

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "# Diagnostics: logs, metrics and traces": [
    ["create", "namespaces", 201, "1 attempt(s)"],
    ["get", "namespaces", 404, "1 attempt(s)"],
  ],
  Errors: [["NotFound", "GET", "/api/v1/namespaces/elsewhere", true]],
  "OpenTelemetry 1": [[["GET /api/v1/namespaces/{name}"]]],
  "OpenTelemetry 2": [["/version", 32]],
  Warnings: [['warning: unknown field "daata"']],
};

const page = await pageExamples("diagnostics.md");

it.each(page)("the example of diagnostics.md runs: $title", async ({ title, code }) => {
  await using folder = await exampleFolder();
  await folder.run(code);
  // Subscribers of earlier examples still exist.
  const own = title.startsWith("# ")
    ? log
    : log.filter(([first]) => first !== "create" && first !== "get");
  expect(own).toEqual(expect.arrayContaining(printed[title] ?? []));
  expect(own.length).toBeGreaterThanOrEqual(printed[title]?.length ?? 1);
});

it("the page names every channel and every field of its events", async () => {
  const [types, text] = await Promise.all(
    ["packages/core/src/diagnostics.ts", "docs/diagnostics.md"].map((path) =>
      readFile(new URL(`../../../${path}`, import.meta.url), "utf8"),
    ),
  );
  const channels = [...(types ?? "").matchAll(/"(typekube:[a-z.]+)":/g)].map(([, name]) => name);
  expect(channels).toHaveLength(17);
  const fields = [...(types ?? "").matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(
    ([, name]) => name,
  );
  expect(fields.length).toBeGreaterThan(30);
  for (const name of [...channels, ...fields]) {
    expect(text, `docs/diagnostics.md says nothing of ${name}`).toContain(`\`${name}`);
  }
});
