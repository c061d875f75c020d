import { deepStrictEqual } from "node:assert/strict";
import { type KubeError, type Manifest, parseManifests, readManifests } from "@typekube/core";
import { chunksOf, everySplit, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";

async function all(
  source: Parameters<typeof readManifests>[0],
  options?: Parameters<typeof readManifests>[1],
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for await (const manifest of readManifests(source, options)) {
    manifests.push(manifest);
  }
  return manifests;
}

const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
});
const text = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

/** Returns the names, documents and lines of the manifests. */
async function places(source: Parameters<typeof readManifests>[0]): Promise<unknown[]> {
  return (await all(source)).map(({ object, document, line }) => [
    object.metadata?.name,
    document,
    line,
  ]);
}

describe("streamed manifests", () => {
  it.each([
    ["one document", text("a"), [["a", 1, 1]]],
    [
      "several",
      `${text("a")}---\n${text("b")}---\n${text("c")}`,
      [
        ["a", 1, 1],
        ["b", 2, 4],
        ["c", 3, 8],
      ],
    ],
    ["a marker before and after the document", `---\n${text("a")}---\n`, [["a", 1, 1]]],
    ["empty documents are counted", `---\n---\n# x\n---\n${text("a")}`, [["a", 3, 4]]],
    [
      "leading comments are not counted as a document",
      `# x\n\n  # y\n---\n${text("a")}`,
      [["a", 1, 1]],
    ],
    [
      "a comment after the marker",
      `--- # x\n${text("a")}--- # y\n${text("b")}`,
      [
        ["a", 1, 1],
        ["b", 2, 5],
      ],
    ],
    [
      "content after the marker",
      `--- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\t{apiVersion: v1, kind: Pod,\n metadata: {name: b}}`,
      [
        ["a", 1, 1],
        ["b", 2, 2],
      ],
    ],
    [
      "document end markers",
      `${text("a")}...\n${text("b")}...\n...\n---\n${text("c")}`,
      [
        ["a", 1, 1],
        ["b", 2, 5],
        ["c", 3, 10],
      ],
    ],
    [
      "directives",
      `%YAML 1.1\n---\n${text("a")}...\n# x\n%YAML 1.2\n%TAG !e! tag:e,1:\n--- # y\n${text("b")}`,
      [
        ["a", 1, 1],
        ["b", 2, 7],
      ],
    ],
    [
      "a byte order mark",
      `\ufeff${text("a")}---\n${text("b")}`,
      [
        ["a", 1, 1],
        ["b", 2, 4],
      ],
    ],
    [
      "concatenated files, each with a byte order mark",
      `\ufeff---\n${text("a")}\ufeff---\n${text("b")}\ufeff# x\n---\n${text("c")}`.replace(
        "\ufeff# x\n",
        "",
      ),
      [
        ["a", 1, 1],
        ["b", 2, 5],
        ["c", 3, 9],
      ],
    ],
    [
      "CRLF line breaks",
      `${text("a")}---\n${text("b")}...\n${text("c")}`.replaceAll("\n", "\r\n"),
      [
        ["a", 1, 1],
        ["b", 2, 4],
        ["c", 3, 9],
      ],
    ],
    [
      "CR line breaks",
      `${text("a")}---\n${text("b")}...\n${text("c")}`.replaceAll("\n", "\r"),
      [
        ["a", 1, 1],
        ["b", 2, 4],
        ["c", 3, 9],
      ],
    ],
    [
      "JSON documents among YAML documents",
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}\n---\n${text("b")}--- {"apiVersion":"v1",\n"kind":"Pod","metadata":{"name":"c"}}`,
      [
        ["a", 1, 1],
        ["b", 2, 2],
        ["c", 3, 6],
      ],
    ],
    [
      "text that looks like a marker",
      `${text("a")}data:\n  x: |\n    ---\n    ...\n  y: "a\n    ---\n    b"\n  ---z: 1\n`,
      [["a", 1, 1]],
    ],
    ["nothing", "", []],
    ["only comments", "# x\n   # y\n", []],
    ["no final line break", `---\n---\n${text("a").trimEnd()}`, [["a", 2, 2]]],
  ])("%s: the same in chunks of any size", async (_, content, expected) => {
    deepStrictEqual(await places(content), expected);
    for (const source of everySplit(Buffer.from(content))) {
      deepStrictEqual(await places(source), expected);
    }
    // A reader of whole YAML texts finds the same documents.
    const seen = loadAll(content).filter((document) => document !== null) as {
      metadata: { name: string };
    }[];
    deepStrictEqual(
      seen.map(({ metadata }) => metadata.name),
      expected.map(([name]) => name),
    );
    deepStrictEqual(
      await parseManifests(content),
      (await all(content)).map(({ object }) => object),
    );
  });

  it("CHK14: replaces a List by its items, each with the place of the list", async () => {
    const list = {
      apiVersion: "v1",
      kind: "List",
      metadata: {},
      items: [configMap("a"), configMap("b")],
    };
    deepStrictEqual(await all(`${text("x")}---\n${JSON.stringify(list)}\n`), [
      { object: configMap("x"), document: 1, line: 1 },
      { object: configMap("a"), document: 2, line: 4 },
      { object: configMap("b"), document: 2, line: 4 },
    ]);
  });

  it("yields each object before it requests the document after the next", async () => {
    let requested = 0;
    async function* source() {
      for (; requested < 5; requested++) {
        yield Buffer.from(`---\n${text(`n${requested}`)}`);
      }
    }
    let seen = 0;
    for await (const { object } of readManifests(source())) {
      expect(object.metadata?.name).toBe(`n${seen}`);
      seen++;
      expect(requested).toBeLessThanOrEqual(seen + 1);
    }
    expect(seen).toBe(5);
  });

  it("one document bounds the memory, whatever the length of the stream", async () => {
    const filler = "x".repeat(100_000);
    let documents = 0;
    async function* source() {
      for (let i = 0; i < 500; i++) {
        yield Buffer.from(`---\n${text(`n${i}`)}data: {a: ${filler}}\n`);
      }
    }
    let highest = 0;
    for await (const manifest of readManifests(source(), { limits: { maxObjectBytes: 200_000 } })) {
      documents = manifest.document;
      highest = Math.max(highest, process.memoryUsage().heapUsed);
    }
    console.log(`500 documents of 100 kB: highest heap ${Math.round(highest / 1e6)} MB`);
    expect(documents).toBe(500);
  });

  it("closes a stream when the iteration ends early", async () => {
    let closed = false;
    async function* source() {
      try {
        for (;;) {
          yield Buffer.from(`---\n${text("a")}`);
        }
      } finally {
        closed = true;
      }
    }
    for await (const _ of readManifests(source())) {
      break;
    }
    expect(closed).toBe(true);
  });

  it.each([
    [`${text("a")}---\n${text("b")}---\n${text("c")}a: {x\n`, "document 3, line 13, column 1"],
    [`${text("a")}---\n${text("b")}---\n${text("c")}a: *x\n`, "document 3, line 12, column 4"],
    [`${text("a")}--- # x\n\n\n  - ]\n`, "document 2, line 7, column 5"],
    [`${text("a")}\n...\n\n# x\n  a: b\n c\n`, "document 2, line 9, column 2"],
    [
      `---\n---\n---\n${text("a")}kind: Pod\n`.replaceAll("\n", "\r\n"),
      "document 3, line 7, column 1",
    ],
  ])("an error states its place in the whole stream: %j", async (content, place) => {
    for (const source of everySplit(Buffer.from(content)).slice(-20)) {
      const error = await failure(all(source));
      expect([error.code, error.message]).toEqual([
        "InvalidArgument",
        expect.stringContaining(`(${place})`),
      ]);
    }
  });

  it("delivers the objects before an error", async () => {
    const seen: unknown[] = [];
    const error = await failure(
      (async () => {
        for await (const { object } of readManifests(`${text("a")}---\n${text("b")}---\n]\n`)) {
          seen.push(object.metadata?.name);
        }
      })(),
    );
    expect([seen, error.code]).toEqual([["a", "b"], "InvalidArgument"]);
  });

  it.each([
    ["whole", 1e6],
    ["in pieces", 10],
  ])("limits a document to maxObjectBytes, %s", async (_, size) => {
    const content = Buffer.from(`${text("a")}---\n${text("b")}data: {a: ${"x".repeat(1000)}}\n`);
    const error: KubeError = await failure(
      all(inChunks(content, size), { limits: { maxObjectBytes: 500 } }),
    );
    expect([error.code, error.message]).toEqual([
      "TooLarge",
      expect.stringContaining("document 2 of the manifest is larger than maxObjectBytes"),
    ]);
  });

  it("reports text that is not UTF-8 without showing it", async () => {
    const error = await failure(
      all(chunksOf(text("a"), "---\n", Buffer.from("a: hunter2\xff", "latin1"))),
    );
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain("document 2");
    expect(error.message).not.toContain("hunter2");
  });

  it("accepts strings as chunks of the stream", async () => {
    expect(await all([text("a"), "---\n", text("b")])).toHaveLength(2);
  });
});
