import { startApiServer } from "@typekube/apiserver";
import type { KubeError } from "typekube";
import { TokenReview } from "typekube/api/authentication/v1";
import { ComponentStatus, Node, Pod } from "typekube/api/core/v1";
import { expect, it } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass values that the types reject
type Loose = any;

async function refusal(work: () => Loose): Promise<KubeError> {
  return (async () => work())().then(
    () => expect.fail("it was taken"),
    (caught) => caught,
  );
}

const misspelt = { namespace: "prod", labelSelctor: "app=web" };

it.each<[string, (client: Loose) => Loose]>([
  ["an informer", (client) => client.informer(Pod, misspelt)],
  ["follow", (client) => client.follow(Pod, misspelt)],
  ["until", (client) => client.until(Pod, () => true, misspelt)],
  ["waitFor", (client) => client.waitFor(Pod, "a", () => true, misspelt)],
  ["waitFor", (client) => client.resource(Pod, "prod").waitFor("a", () => true, misspelt)],
  ["watchFrom", (client) => client.watchFrom(Pod, { ...misspelt, resourceVersion: "1" })],
])("%s with a misspelled selector follows nothing instead of everything", async (who, call) => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const error = await refusal(() => call(client));
  expect([error.code, error.rawMessage, error.hint]).toEqual([
    "InvalidArgument",
    `${who} has no option "labelSelctor"`,
    "did you mean labelSelector?",
  ]);
  expect(api.openWatches).toBe(0);
});

/** Returns every call that follows a kind. */
const followings = (client: Loose, kind: unknown) => [
  () => client.informer(kind),
  () => client.informer(kind, { view: "metadata" }),
  () => client.follow(kind),
  () => client.until(kind, () => true),
  () => client.waitFor(kind, "a", () => true),
  () => client.watchFrom(kind, { resourceVersion: "1" }),
];

it.each([
  [TokenReview, "objects of kind TokenReview in authentication.k8s.io/v1 have no verb list"],
  [ComponentStatus, "objects of kind ComponentStatus in v1 have no verb watch"],
])(
  "rejects a kind that cannot be followed instead of requesting it repeatedly",
  async (kind, message) => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client: Loose = await api.client();
    for (const start of followings(client, kind)) {
      const error = await refusal(start);
      expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", message]);
    }
    expect(api.requests).toEqual([]);
  },
);

it.each([undefined, null, "pods", {}, { kind: "Pod" }])(
  "rejects %j as a kind to follow",
  async (type) => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client: Loose = await api.client();
    for (const start of followings(client, type)) {
      const error = await refusal(start);
      expect([error.code, error.rawMessage]).toEqual([
        "InvalidArgument",
        "a resource needs apiVersion and kind, or a descriptor",
      ]);
    }
  },
);

it("rejects a namespace for a cluster-scoped kind", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client: Loose = await api.client();
  const error = await refusal(() => client.informer(Node, { namespace: "prod" }));
  expect(error.rawMessage).toBe("nodes are not namespaced");
  const widgets = { apiVersion: "x.io/v1", kind: "Widget" };
  expect((await refusal(() => client.follow(widgets, { namespace: "" }))).code).toBe(
    "InvalidArgument",
  );
});

it("a handler and a cached list reject unknown options too", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await using pods: Loose = client.informer(Pod, { namespace: "prod" });
  expect((await refusal(() => pods.onChange({}, { fliter: () => false }))).hint).toBe(
    "did you mean filter?",
  );
  expect((await refusal(() => pods.list({ labelSelctor: "a" }))).hint).toBe(
    "did you mean labelSelector?",
  );
});

it("one options object may serve an informer and a follow of the same resource", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const shared = { namespace: "prod", indexes: {}, maxBufferedEvents: 5, onState: undefined };
  await using pods = client.informer(Pod, shared);
  expect(client.follow(Pod, shared)).toBeDefined();
  expect(pods.health.objects).toBe(0);
});

it.each([
  [{ minWatchMs: Number.NaN }, "minWatchMs: must be a number of at least 0"],
  [{ minWatchMs: Number.POSITIVE_INFINITY }, "minWatchMs: must be a number of at least 0"],
  [{ idleMs: "75000" }, "idleMs: must be a number of at least 0"],
  [{ pageSize: 1.5 }, "pageSize: must be an integer of at least 0"],
  [{ pageSize: -1 }, "pageSize: must be an integer of at least 0"],
  [{ failAfterMs: Number.NaN }, "failAfterMs: must be a number of at least 0"],
  [{ maxBufferedObjects: Number.NaN }, "maxBufferedObjects: must be a number of at least 0"],
  [{ backoff: { initialMs: Number.NaN } }, "backoff.initialMs: must be a number of at least 0"],
  [{ onError: "log" }, "onError: must be a function"],
  [{ transform: {} }, "transform: must be a function"],
  [{ indexes: { node: "spec.nodeName" } }, "indexes.node: must be a function"],
  [{ indexes: { node: undefined } }, "indexes.node: must be a function"],
  [{ encoding: "xml" }, "encoding: must be auto or cbor or json or protobuf or yaml"],
  [{ view: "Metadata" }, "view: must be full or metadata"],
  [
    { labelSelector: 42 },
    "a label selector must be a string, an object of labels or a LabelSelector",
  ],
  [
    { labelSelector: "a in (" },
    'unable to read label selector "a in (": "a in (" is not a valid label key',
  ],
  [{ fieldSelector: 42 }, "a field selector must be a string or an object of fields and values"],
  [{ namespace: "" }, 'namespace "" must not be empty'],
  [{ namespace: 5 }, "the namespace must be a string, not 5"],
])("rejects options at once that could never work: %j", async (options, message) => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client: Loose = await api.client();
  for (const start of [() => client.informer(Pod, options), () => client.follow(Pod, options)]) {
    const error = await refusal(start);
    expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", message]);
  }
  expect(api.openWatches).toBe(0);
});

it.each([
  [{ filter: "x" }, "filter: must be a function"],
  [{ resyncMs: "5" }, "resyncMs: must be a number of at least 0"],
  [{ resyncMs: Number.NaN }, "resyncMs: must be a number of at least 0"],
  [{ maxQueued: -1 }, "maxQueued: must be a number of at least 0"],
  [null, "options: must be an object, not null"],
])("rejects invalid options of a handler: %j", async (options, text) => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await using pods: Loose = client.informer(Pod);
  const error = await refusal(() => pods.onChange({ add: () => {} }, options));
  expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", text]);
});

it("rejects resourceVersions and objects that no write returned", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await using pods: Loose = client.informer(Pod);
  await pods.synced();
  for (const version of [undefined, null, 5, "", "0"]) {
    expect((await refusal(() => pods.caughtUpTo(version))).code).toBe("InvalidArgument");
  }
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
  const planned = { metadata: { name: "a", namespace: "prod" } };
  for (const object of [undefined, null, {}, status, planned]) {
    expect((await refusal(() => pods.mutated(object))).code).toBe("InvalidArgument");
  }
  expect(pods.list()).toEqual([]);
});

it("rejects values that are not an options object", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client: Loose = await api.client();
  for (const [call, kind] of [
    [() => client.informer(Pod, "prod"), "string"],
    [() => client.informer(Pod, null), "null"],
    [() => client.follow(Pod, "prod"), "string"],
    [() => client.informer(Pod).list("prod"), "string"],
  ] as const) {
    expect((await refusal(call)).rawMessage).toBe(`options: must be an object, not ${kind}`);
  }
});
