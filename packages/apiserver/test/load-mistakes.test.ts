import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { call } from "@typekube/test-support/api-calls";
import { describe, expect, onTestFinished, test } from "vitest";
import { startApiServer } from "../src/index.js";

const loaded = (metadata: string, kind = "Namespace") =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {uid: u1, ${metadata}}\n`;

describe("loading an invalid object leaves the server unchanged", () => {
  test.each([
    ["a name that YAML reads as false", loaded("name: n"), "metadata.name is false"],
    ["a name that is a number", loaded("name: 123"), "metadata.name is 123"],
    ["no name", loaded("labels: {}"), "metadata.name is nothing"],
    ["a name with a slash", loaded("name: a/b"), 'metadata.name is "a/b"'],
    [
      "a namespace that YAML reads as true",
      loaded("name: a, namespace: on", "ConfigMap"),
      "namespace is true",
    ],
    [
      "a uid that is a number",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: 7}\n",
      "uid is 7",
    ],
    ["an item that is null", [null] as never, "not an object"],
  ])("loading %s is rejected and changes nothing", async (_, source, message) => {
    await using api = await startApiServer();
    const good = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "good", uid: "u0" } };
    const text = typeof source === "string" ? `${JSON.stringify(good)}\n---\n${source}` : source;
    const before = await api.dump();
    const loading = api.load(text);
    await expect(loading).rejects.toMatchObject({ code: "InvalidArgument" });
    await expect(loading).rejects.toThrow(message);
    expect(await api.dump()).toBe(before);
    expect((await call(api, "GET", "/api/v1/namespaces/default")).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ["a number", 5],
    ["null", null],
    ["no path", {}],
    ["a number as the path", { path: 5 }],
  ])("%s as the source is refused", async (_, source) => {
    await expect(startApiServer({ load: source as never })).rejects.toMatchObject({
      code: "InvalidArgument",
      message: expect.stringContaining("load: must be YAML or JSON as text, an array of objects"),
    });
  });

  test("a folder may be given as a URL", async () => {
    const folder = await mkdtemp(join(tmpdir(), "typekube-load-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, "a.yaml"),
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
    );
    await using api = await startApiServer({ load: { path: pathToFileURL(folder) } });
    expect((await call(api, "GET", "/api/v1/namespaces/a")).status).toBe(200);
  });

  test("loading an empty list does nothing", async () => {
    await using api = await startApiServer();
    expect(await api.load("apiVersion: v1\nkind: List\nitems:\n")).toBe(0);
  });
});
