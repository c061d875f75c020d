import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, parseLifecycles } from "@typekube/apiserver/check";
import { expect, test } from "vitest";
import { linesOf, widget, widgets } from "./lines-of.js";
import { runCheck } from "./run-check.js";

const pluto = `target-versions:
  shop: v1.10.0
deprecated-versions:
- version: example.com/v1
  kind: Widget
  deprecated-in: v1.9.0
  removed-in: v1.11.0
  replacement-api: example.com/v2
  component: shop
- version: v1
  kind: Endpoints
  deprecated-in: v1.33.0
  removed-in: ""
  replacement-api: discovery.k8s.io/v1
  component: k8s
`;

test("MC36 [+]: versions that a list deprecates or removes are findings, for the release that is checked", async () => {
  const of = (deprecated: string, removed: string) => ({
    "example.com/v1 Widget": { deprecated, removed, replacedBy: "example.com/v2" },
  });
  const object = widget("{size: 1}");
  const lines = (lifecycle: ReturnType<typeof of>, version = "1.36") =>
    linesOf(object, { crds: widgets, lifecycle, version });
  expect(await lines(of("1.35", "1.37"))).toEqual([
    "1:13 deprecated-api: example.com/v1 Widget is deprecated since Kubernetes 1.35, removed in 1.37",
  ]);
  expect(await lines(of("1.35", "1.37"), "1.37")).toEqual([
    "1:13 removed-api: example.com/v1 Widget is gone since Kubernetes 1.37",
  ]);
  expect(await lines(of("1.100", "1.200"))).toEqual([]);
  // Of an unknown kind, the list says more than the check.
  const { findings } = await check(object, { lifecycle: of("1.30", "1.34") });
  expect(findings).toMatchObject([{ rule: "removed-api", hint: "use example.com/v2" }]);
  const { findings: several } = await check(object, {
    crds: widgets,
    lifecycle: of("1.35", "1.37"),
    version: ["1.34", "1.35", "1.36", "1.37"],
  });
  expect(several.map(({ rule, versions }) => [rule, versions])).toEqual([
    ["deprecated-api", ["1.35", "1.36"]],
    ["removed-api", ["1.37"]],
  ]);
});

test("MC36 [+]: the versions file of Pluto has its components and their target versions", async () => {
  const lifecycle = parseLifecycles(pluto);
  expect(await linesOf(widget("{size: 1}"), { crds: widgets, lifecycle })).toEqual([
    "1:13 deprecated-api: example.com/v1 Widget is deprecated since shop v1.9.0, removed in v1.11.0",
  ]);
  expect(() => parseLifecycles(pluto.replace("shop: v1.10.0", "other: v1"), "v.yaml")).toThrow(
    /v\.yaml has no target version of shop/,
  );
});

test("MC36 [+]: other lists are refused with the entry", async () => {
  for (const [text, message] of [
    ["- a", /not a mapping/],
    ["a: [", /not YAML/],
    ["Widget: {removed: '1.2'}", /"Widget" is not an apiVersion and a kind/],
    ["a/v1 Widget: {removed: 1.3}", /removed is no release: 1\.3/],
    ["a/v1 Widget: {gone: '1.3'}", /unknown field gone/],
    ["a/v1 Widget: old", /unknown field entry/],
  ] as const) {
    expect(() => parseLifecycles(text), text).toThrow(message);
  }
  await expect(check("", { lifecycle: { Widget: {} } })).rejects.toThrow(/lifecycle: "Widget"/);
});

test("MC36 [+]: --lifecycle and the configuration name the files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "typekube-lifecycle-"));
  const run = (...args: string[]) => runCheck(folder, args);
  try {
    await writeFile(join(folder, "a.yaml"), `${widgets}---\n${widget("{size: 1}")}`);
    await writeFile(join(folder, "versions.yaml"), pluto);
    await writeFile(
      join(folder, "lifecycle.json"),
      JSON.stringify({ "example.com/v1 Widget": { removed: "1.30" } }),
    );
    expect((await run("a.yaml")).code).toBe(0);
    const warned = await run("a.yaml", "--lifecycle", "versions.yaml");
    expect([warned.code, warned.out]).toEqual([
      0,
      expect.stringContaining("warning deprecated-api"),
    ]);
    await writeFile(join(folder, "typekube.check.yaml"), "lifecycle: [lifecycle.json]\n");
    expect((await run("a.yaml")).out).toContain("is gone since Kubernetes 1.30");
    // The command line counts more.
    expect((await run("a.yaml", "--lifecycle", "versions.yaml")).out).not.toContain("is gone");
    expect((await run("a.yaml", "--lifecycle", "none.json")).code).toBe(2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
