import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass values that the types reject
type Loose = any;

/** Calls that take options, made with the given options. */
const calls: readonly (readonly [string, (server: ScriptedServer, options: Loose) => Loose])[] = [
  ["get", (server, options) => pods(server).get("a", options)],
  ["find", (server, options) => pods(server).find("a", options)],
  ["list", (server, options) => pods(server).list(options)],
  ["items", (server, options) => all(pods(server).items(options))],
  ["watch", (server, options) => all(pods(server).watch(options))],
  ["create", (server, options) => pods(server).create({ metadata: { name: "a" } }, options)],
  ["update", (server, options) => pods(server).update({ metadata: { name: "a" } }, options)],
  ["apply", (server, options) => pods(server).apply({ metadata: { name: "a" } }, options)],
  ["delete", (server, options) => pods(server).delete("a", options)],
  ["deleteCollection", (server, options) => pods(server).deleteCollection(options)],
  ["table", (server, options) => pods(server).table(options)],
  ["version", (server, options) => server.client().version(options)],
  ["health", (server, options) => server.client().health("livez", options)],
];

function pods(server: ScriptedServer): Loose {
  return server.client().resource(Pod, "prod");
}

describe.each(calls)("%s with invalid options", (_, call) => {
  it.each([
    ["options", null, "options: must be an object, not null"],
    ["options", "x", "options: must be an object, not string"],
    ["options", [], "options: must be an object, not a list"],
    ["signal", { signal: {} }, "signal: must be an AbortSignal"],
    ["timeoutMs", { timeoutMs: Number.NaN }, "timeoutMs: must be a number of at least 0"],
    ["timeoutMs", { timeoutMs: -1 }, "timeoutMs: must be a number of at least 0"],
    ["timeoutMs", { timeoutMs: "5" }, "timeoutMs: must be a number of at least 0"],
  ])("%s: rejects %j before sending", async (_name, options, message) => {
    const server = new ScriptedServer({ body: { kind: "Pod" } });
    const error = await failure((async () => call(server, options))());
    expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", message]);
    expect(server.log).toEqual([]);
  });
});

describe("rejects unknown options, since ignoring a selector would select everything", () => {
  const reads = calls.filter(([name]) => name !== "health" && name !== "deleteCollection");

  it.each(reads)(
    "%s rejects a misspelled option, suggests the known one and sends nothing",
    async (_, call) => {
      const server = new ScriptedServer({ body: { kind: "Pod" } });
      const misspelt = { signal: undefined, labelSelctor: "app=web" };
      const error = await failure((async () => call(server, misspelt))());
      expect([error.code, error.rawMessage, error.hint]).toEqual([
        "InvalidArgument",
        'a call has no option "labelSelctor"',
        "did you mean labelSelector?",
      ]);
      expect(server.log).toEqual([]);
    },
  );

  it.each([
    [{ dryrun: "All" }, "did you mean dryRun?"],
    [{ dry_run: "All" }, "did you mean dryRun?"],
    [{ fieldManger: "me" }, "did you mean fieldManager?"],
    [{ timeout: 5 }, "did you mean timeoutMs?"],
    [{ namespace: "prod" }, undefined],
  ])("a list rejects the unknown option %j and suggests the known one", async (options, hint) => {
    const server = new ScriptedServer(podPage([]));
    const error = await failure(pods(server).list(options));
    expect([error.code, error.hint]).toEqual(["InvalidArgument", hint]);
    expect(server.log).toEqual([]);
  });

  it("rejects unknown options of calls on manifests, and unknown client defaults", async () => {
    const server = new ScriptedServer({ body: {} });
    const client: Loose = server.client();
    const misspelt = { dryrun: "All" };
    for (const call of ["applyAll", "applyAndPrune", "deleteAll", "diff"]) {
      expect((await failure(client[call]([], misspelt))).hint).toBe("did you mean dryRun?");
    }
    expect(() => client.with(misspelt)).toThrow('client.with() has no option "dryrun"');
    expect(server.log).toEqual([]);
  });

  it("rejects an unknown option before looking up the kind by discovery", async () => {
    const server = new ScriptedServer({ body: {} });
    const widgets: Loose = server.client().resource({ apiVersion: "x.io/v1", kind: "Widget" });
    const error = await failure(widgets.list({ labelselector: "app=web" }));
    expect(error.hint).toBe("did you mean labelSelector?");
    expect(server.log).toEqual([]);
  });

  it("accepts options of other calls, and ignores options that are undefined", async () => {
    const server = new ScriptedServer({ body: { kind: "Pod", metadata: { name: "a" } } });
    const shared = { fieldManager: "me", dryRun: "All", maxTries: 2, anything: undefined };
    await pods(server).get("a", shared);
    await pods(server).update({ metadata: { name: "a" } }, shared);
    expect(server.log.length).toBe(2);
  });
});

it("rejects a deleteCollection with a misspelled selector instead of deleting everything", async () => {
  const server = new ScriptedServer({ body: { kind: "Status", status: "Success" } });
  const error = await failure(pods(server).deleteCollection({ labelselector: "app=web" }));
  expect([error.code, error.rawMessage]).toEqual([
    "InvalidArgument",
    'a deleteCollection has no option "labelselector"',
  ]);
  expect(error.hint).toBe("did you mean labelSelector?");
  expect(server.log).toEqual([]);
});

describe("an invalid selector", () => {
  const selectors = [
    [
      { labelSelector: null },
      "a label selector must be a string, an object of labels or a LabelSelector",
    ],
    [
      { labelSelector: 42 },
      "a label selector must be a string, an object of labels or a LabelSelector",
    ],
    [
      { labelSelector: true },
      "a label selector must be a string, an object of labels or a LabelSelector",
    ],
    [
      { labelSelector: ["a"] },
      "a label selector must be a string, an object of labels or a LabelSelector",
    ],
    [
      { labelSelector: { app: undefined } },
      'unable to read label selector "app": the value of "app" must be a string, not undefined',
    ],
    [
      { fieldSelector: null },
      "a field selector must be a string or an object of fields and values",
    ],
    [{ fieldSelector: 42 }, "a field selector must be a string or an object of fields and values"],
    [
      { fieldSelector: { "metadata.name": undefined } },
      'the value of "metadata.name" in a field selector must be a string, not undefined',
    ],
  ] as const;

  it.each(selectors)("%j selects nothing and deletes nothing", async (options, message) => {
    for (const verb of ["list", "deleteCollection"]) {
      const server = new ScriptedServer(podPage([]));
      const error = await failure(pods(server)[verb](options));
      expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", message]);
      expect(server.log).toEqual([]);
    }
  });
});

it("rejects unknown values of encoding and onExpired, and a fractional pageSize", async () => {
  const server = new ScriptedServer(podPage([]));
  expect((await failure(pods(server).list({ encoding: "xml" }))).rawMessage).toBe(
    "encoding: must be auto, cbor, json, protobuf or yaml",
  );
  expect((await failure(all(pods(server).items({ onExpired: "skip" })))).rawMessage).toBe(
    "onExpired: must be fail, inconsistent or restart",
  );
  expect((await failure(all(pods(server).items({ pageSize: 1.5 })))).rawMessage).toBe(
    "pageSize: must be an integer of at least 0",
  );
  expect(server.log).toEqual([]);
});

it.each(["../x", ".", "a/b", "a%2Fb", 5])("creates nothing with the name %j", async (name) => {
  const server = new ScriptedServer({ body: { kind: "ConfigMap" } });
  const maps: Loose = server.client().resource(ConfigMap, "prod");
  const error = await failure(maps.create({ metadata: { name } }));
  expect(error.code).toBe("InvalidArgument");
  expect(server.log).toEqual([]);
});

it.each([null, 5, {}])("rejects %j as a namespace", async (namespace) => {
  const server = new ScriptedServer(podPage([]));
  const loose: Loose = server.client();
  const error = await failure(loose.resource(Pod, namespace).list());
  expect(error.rawMessage).toBe(`the namespace must be a string, not ${namespace}`);
  expect(server.log).toEqual([]);
});

it.each([undefined, null, "Pod", {}, { kind: "Pod" }])(
  "client.resource rejects %j as a kind",
  (type) => {
    const loose: Loose = new ScriptedServer({}).client();
    expect(() => loose.resource(type, "prod")).toThrow(
      "[InvalidArgument] a resource needs apiVersion and kind, or a descriptor",
    );
  },
);
