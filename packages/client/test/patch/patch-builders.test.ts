import type { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch, strategicPatch } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

type Loose = Record<string, unknown>;
const own = (text: string) => JSON.parse(text) as Loose;
const body = (patch: { readonly body: unknown }) => patch.body;

describe("jsonPatch.between", () => {
  it.each<[string, Loose, Loose, unknown[]]>([
    ["nothing", { a: { b: [1] } }, { a: { b: [1] } }, []],
    ["an added key", {}, { a: 1 }, [{ op: "add", path: "/a", value: 1 }]],
    ["a removed key", { a: 1 }, {}, [{ op: "remove", path: "/a" }]],
    [
      "undefined counts as absent",
      { a: undefined, b: 1 },
      { a: 1, b: undefined },
      [
        { op: "remove", path: "/b" },
        { op: "add", path: "/a", value: 1 },
      ],
    ],
    ["null is a value", { a: 1 }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
    [
      "~ and / in keys",
      { "a/b~c": 1 },
      { "a/b~c": 2 },
      [{ op: "replace", path: "/a~1b~0c", value: 2 }],
    ],
    ["an empty key", { "": 1 }, { "": 2 }, [{ op: "replace", path: "/", value: 2 }]],
    [
      "a key named __proto__",
      own('{"__proto__":{"a":1}}'),
      own('{"__proto__":{"a":2}}'),
      [{ op: "replace", path: "/__proto__/a", value: 2 }],
    ],
    ["__proto__ goes", own('{"__proto__":1}'), {}, [{ op: "remove", path: "/__proto__" }]],
    ["a key named constructor", { constructor: 1 }, {}, [{ op: "remove", path: "/constructor" }]],
    [
      "bigints, also nested in an added value",
      { n: 1n },
      { n: 2n, o: { n: 3n } },
      [
        { op: "replace", path: "/n", value: 2n },
        { op: "add", path: "/o", value: { n: 3n } },
      ],
    ],
    ["the same integer as number and bigint", { n: 1n }, { n: 1 }, []],
    [
      "an object instead of a list",
      { a: [] },
      { a: {} },
      [{ op: "replace", path: "/a", value: {} }],
    ],
    [
      "an item inserted at the front of a list",
      { l: [1, 2, 3] },
      { l: [0, 1, 2, 3] },
      [{ op: "add", path: "/l/0", value: 0 }],
    ],
    [
      "two items removed from the middle, the later one first",
      { l: [1, 2, 3, 4] },
      { l: [1, 4] },
      [
        { op: "remove", path: "/l/2" },
        { op: "remove", path: "/l/1" },
      ],
    ],
    [
      "a change inside a list item",
      { l: [{ a: 1 }, { a: 2 }] },
      { l: [{ a: 1 }, { a: 3 }] },
      [{ op: "replace", path: "/l/1/a", value: 3 }],
    ],
  ])("builds the operations for the difference: %s", async (_, before, after, operations) => {
    expect(body(await jsonPatch.between(before, after))).toEqual(operations);
  });

  it("UPD7: testValues puts a test before each operation that can have one", async () => {
    const before = { a: 1, gone: { b: 2 }, l: [1, 2] } as Loose;
    const after = { a: 2, new: 3, l: [1, 2, 3] } as Loose;
    expect(body(await jsonPatch.between(before, after, { testValues: true }))).toEqual([
      { op: "test", path: "/gone", value: { b: 2 } },
      { op: "remove", path: "/gone" },
      { op: "test", path: "/a", value: 1 },
      { op: "replace", path: "/a", value: 2 },
      { op: "test", path: "/new", value: null },
      { op: "add", path: "/new", value: 3 },
      { op: "add", path: "/l/2", value: 3 },
    ]);
  });
});

describe("invalid patches", () => {
  it.each([
    ["a path without a leading slash", [{ op: "replace", path: "data/k", value: "v" }]],
    ["a from without a leading slash", [{ op: "move", from: "data", path: "/data" }]],
    ["an operation outside of a list", { op: "remove", path: "/data" }],
    ["no path", [{ op: "remove" }]],
  ])(
    "UPD7: rejects %s, because servers ignore the part before the first slash",
    (_, operations) => {
      expect(() => jsonPatch(operations as never)).toThrow("InvalidArgument");
    },
  );

  it("accepts the empty pointer for the whole object, and any text after a slash", () => {
    const operations = [
      { op: "test", path: "", value: {} },
      { op: "remove", path: "/" },
      { op: "remove", path: "/~1a//" },
    ] as const;
    expect(body(jsonPatch(operations))).toBe(operations);
  });

  it.each([undefined, null, "{}", { data: { k: "v" } }, { body: {} }])(
    "UPD6: rejects %o before sending, with a hint",
    async (patch) => {
      const server = new ScriptedServer({});
      const pods = server.client().resource(Pod, "default");
      for (const error of [
        await failure(pods.patch("a", patch as never)),
        await failure(pods.status.patch("a", patch as never)),
      ]) {
        expect(error.code).toBe("InvalidArgument");
        expect(error.hint).toContain("mergePatch(");
      }
      expect(server.sent).toEqual([]);
    },
  );
});

describe("mergePatch.between", () => {
  it("UPD10: contains changes, null for removed keys, and whole lists", async () => {
    const before = { kept: 1, gone: 1, o: { a: 1, b: 2 }, l: [1, 2] } as Loose;
    const after = { kept: 1, o: { a: 2 }, l: [2], new: { c: [null] } } as Loose;
    expect(body(await mergePatch.between(before, after))).toEqual({
      gone: null,
      o: { a: 2, b: null },
      l: [2],
      new: { c: [null] },
    });
    expect(body(await mergePatch.between(before, { ...before }))).toEqual({});
  });

  it.each<[Loose, string]>([
    [{ a: { b: null } }, ".a.b"],
    [{ a: null }, ".a"],
    [{ a: { b: { "x.io/y": { c: null } } } }, ".a.b.x.io/y.c"],
  ])("cannot set null, and suggests jsonPatch.between: %j", async (after, place) => {
    expect((await failure(mergePatch.between({ a: 1 } as Loose, after))).message).toContain(
      `[InvalidArgument] a merge patch cannot set null at ${place}: use jsonPatch.between, which can express every change`,
    );
  });

  it("does not repeat an existing null", async () => {
    const before = { a: { n: null, b: 1 } } as Loose;
    expect(body(await mergePatch.between(before, { a: { n: null, b: 2 } } as Loose))).toEqual({
      a: { b: 2 },
    });
  });
});

describe("strategicPatch.between", () => {
  const deployment = (template: object, rest: object = {}): Deployment =>
    ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      spec: { template: { spec: template }, ...rest },
    }) as Deployment;
  const between = async (before: object, after: object) =>
    (
      body(await strategicPatch.between(deployment(before), deployment(after))) as {
        readonly spec?: { readonly template: { readonly spec: unknown } };
      }
    ).spec?.template.spec;
  const [web, log] = [
    { name: "web", image: "w:1" },
    { name: "log", image: "l:1" },
  ];

  it("changes, adds, deletes and orders the items of a list with a merge key one by one", async () => {
    const before = { containers: [web, log] };
    const after = {
      containers: [
        { name: "new", image: "n:1" },
        { ...web, image: "w:2" },
      ],
    };
    expect(await between(before, after)).toEqual({
      containers: [
        { name: "new", image: "n:1" },
        { name: "web", image: "w:2" },
        { name: "log", $patch: "delete" },
      ],
      "$setElementOrder/containers": [{ name: "new" }, { name: "web" }],
    });
  });

  it("sends only the order when nothing else changed", async () => {
    expect(await between({ containers: [web, log] }, { containers: [log, web] })).toEqual({
      "$setElementOrder/containers": [{ name: "log" }, { name: "web" }],
    });
  });

  it("removes the other member of a union", async () => {
    const volume = (source: object) => ({ volumes: [{ name: "v", ...source }] });
    expect(await between(volume({ emptyDir: {} }), volume({ hostPath: { path: "/x" } }))).toEqual({
      volumes: [
        {
          name: "v",
          $retainKeys: ["name", "hostPath"],
          hostPath: { path: "/x" },
          emptyDir: null,
        },
      ],
      "$setElementOrder/volumes": [{ name: "v" }],
    });
    const strategy = (value: object) => deployment({}, { strategy: value });
    const patch = await strategicPatch.between(
      strategy({ type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } }),
      strategy({ type: "Recreate" }),
    );
    expect(body(patch)).toEqual({
      spec: { strategy: { $retainKeys: ["type"], type: "Recreate", rollingUpdate: null } },
    });
  });

  it("replaces a list whose merge keys are not unique as a whole", async () => {
    const ports = (...protocols: string[]) => ({
      containers: [
        { ...web, ports: protocols.map((protocol) => ({ containerPort: 53, protocol })) },
      ],
    });
    expect(await between(ports("TCP"), ports("TCP", "UDP"))).toMatchObject({
      containers: [
        {
          name: "web",
          ports: [
            { containerPort: 53, protocol: "TCP" },
            { containerPort: 53, protocol: "UDP" },
            { $patch: "replace" },
          ],
        },
      ],
    });
  });

  it("changes a list of finalizers by its values", async () => {
    const finalized = (...finalizers: string[]): ConfigMap => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { finalizers },
    });
    expect(body(await strategicPatch.between(finalized("a", "b"), finalized("c", "b")))).toEqual({
      metadata: {
        "$deleteFromPrimitiveList/finalizers": ["a"],
        finalizers: ["c"],
        "$setElementOrder/finalizers": ["c", "b"],
      },
    });
    const twice = await failure(strategicPatch.between(finalized("a"), finalized("b", "b")));
    expect(twice.message).toContain(
      "with duplicate keys at .metadata.finalizers: use jsonPatch.between",
    );
  });

  it("treats null as absent, like built-in kinds", async () => {
    const at = (creationTimestamp: null | undefined) =>
      deployment(
        { containers: [web] },
        { template: { metadata: { creationTimestamp }, spec: {} } },
      );
    expect(body(await strategicPatch.between(at(undefined), at(null)))).toEqual({});
  });

  it("rejects a key that is a directive", async () => {
    const annotated = (annotations: Record<string, string>): ConfigMap => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { annotations },
    });
    const error = await failure(
      strategicPatch.between(annotated({ a: "b" }), annotated({ $patch: "x" })),
    );
    expect(error.message).toContain('a key named "$patch" at .metadata.annotations');
    expect(error.message).not.toContain('"x"');
  });

  it("UPD11: rejects kinds that are not built in, with a hint", async () => {
    const widget = { apiVersion: "x.io/v1", kind: "Widget" };
    expect((await failure(strategicPatch.between(widget, widget))).message).toBe(
      "[InvalidArgument] Widget in x.io/v1 is not built in, and only built-in kinds take a strategic merge patch: " +
        "use mergePatch, jsonPatch or apply",
    );
    const server = new ScriptedServer({ body: {} });
    const widgets = server.client().resource(
      {
        ...ConfigMap,
        ...{ group: "x.io", apiVersion: "x.io/v1", kind: "Widget", plural: "widgets" },
        protobuf: false,
      },
      "default",
    );
    expect((await failure(widgets.patch("a", strategicPatch({})))).code).toBe("InvalidArgument");
    expect(server.sent).toEqual([]);
  });

  it("rejects objects of two kinds", async () => {
    const pod = { apiVersion: "v1", kind: "Pod" };
    const error = await failure(strategicPatch.between(pod, { ...pod, kind: "Secret" }));
    expect(error.code).toBe("InvalidArgument");
  });
});

describe("UPD12: ifUnchanged", () => {
  const before: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", resourceVersion: "7" },
    data: { k: "1" },
  };
  const after = { ...before, data: { k: "2" } };

  it("makes each kind of patch conditional on the resourceVersion that was read", async () => {
    const condition = { op: "replace", path: "/metadata/resourceVersion", value: "7" };
    const options = { ifUnchanged: true };
    expect(body(await jsonPatch.between(before, after, options))).toEqual([
      condition,
      { op: "replace", path: "/data/k", value: "2" },
    ]);
    const merged = { metadata: { resourceVersion: "7" }, data: { k: "2" } };
    expect(body(await mergePatch.between(before, after, options))).toEqual(merged);
    expect(body(await strategicPatch.between(before, after, options))).toEqual(merged);
  });

  it("requires a resourceVersion", async () => {
    const made = { ...before, metadata: { name: "a" } };
    expect((await failure(jsonPatch.between(made, made, { ifUnchanged: true }))).code).toBe(
      "InvalidArgument",
    );
    expect((await failure(mergePatch.between(made, made, { ifUnchanged: true }))).code).toBe(
      "InvalidArgument",
    );
  });
});
