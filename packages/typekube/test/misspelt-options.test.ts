import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@typekube/apiserver";
import { resolveConfig } from "@typekube/config";
import { createTransport } from "@typekube/transport";
import {
  connect,
  jsonPatch,
  type KubeError,
  mergePatch,
  parseManifests,
  readManifests,
  strategicPatch,
  toYaml,
} from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { loadKubeconfig, modifyKubeconfig, setNamespace } from "typekube/config";
import { csaUpgrade, extract, printFieldPath } from "typekube/fields";
import { instrumentTypeKube } from "typekube/opentelemetry";
import { expect, it } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass values that the types reject
type Loose = any;

const noHome = join(tmpdir(), `typekube-no-home-${process.pid}`);

const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

async function first(parts: AsyncIterable<unknown>): Promise<unknown> {
  for await (const part of parts) {
    return part;
  }
  return undefined;
}

const maps = (client: Loose) => client.resource(ConfigMap, "default");

/** Functions with options, a misspelled option of each, and the option that is meant. */
const bags: readonly (readonly [
  string,
  Record<string, unknown>,
  string | undefined,
  (client: Loose, options: Loose) => unknown,
])[] = [
  ["connect()", { tokn: "x" }, "token", (_, options) => connect(options)],
  ["connect()", { inCluser: true }, "inCluster", (_, options) => connect(options)],
  [
    "connect()",
    { token: "x", servre: "http://127.0.0.1:1" },
    "server",
    (_, options) => connect(options),
  ],
  [
    "the defaults of connect()",
    { dryrun: "All" },
    "dryRun",
    (_, defaults) => connect({ server: "http://127.0.0.1:1", defaults }),
  ],
  [
    "limits",
    { maxBodyByte: 5 },
    "maxBodyBytes",
    (_, limits) => connect({ server: "http://127.0.0.1:1", defaults: { limits } }),
  ],
  [
    "a transport",
    { maxRetrys: 0 },
    "maxRetries",
    (_, transportOptions) => connect({ server: "http://127.0.0.1:1", transportOptions }),
  ],
  [
    "a transport",
    { timeoutMS: 5 },
    "timeoutMs",
    (_, options) => createTransport({ server: "http://127.0.0.1:1", ...options }),
  ],
  [
    "tls",
    { caData: "x" },
    undefined,
    (_, tls) => createTransport({ server: "https://127.0.0.1:1", tls }),
  ],
  [
    "limits",
    { maxHeaderByte: 5 },
    "maxHeaderBytes",
    (_, limits) => createTransport({ server: "http://127.0.0.1:1", limits }),
  ],
  [
    "rateLimit",
    { bursst: 5 },
    "burst",
    (_, rateLimit) => createTransport({ server: "http://127.0.0.1:1", rateLimit }),
  ],
  ["a connection", { contxt: "prod" }, "context", (_, options) => resolveConfig(options)],
  ["loadKubeconfig()", { pth: "kubeconfig.yaml" }, "path", (_, options) => loadKubeconfig(options)],
  [
    "loadKubeconfig()",
    { pth: "kubeconfig.yaml" },
    "path",
    (_, options) =>
      modifyKubeconfig(() => expect.fail("it was read"), { homeDir: noHome, ...options }),
  ],
  [
    "loadKubeconfig()",
    { contxt: "a" },
    undefined,
    (_, options) => setNamespace("x", { homeDir: noHome, ...options }),
  ],
  ["client.with()", { dryrun: "All" }, "dryRun", (client, options) => client.with(options)],
  ["limits", { maxDept: 5 }, "maxDepth", (client, limits) => client.with({ limits })],
  ["a call", { sginal: 1 }, "signal", (client, options) => client.version(options)],
  [
    "a raw request",
    { methd: "DELETE" },
    "method",
    (client, options) => client.raw({ path: "/version", ...options }),
  ],
  [
    "a raw request",
    { exlude: ["etcd"] },
    "exclude",
    (client, options) => client.health("livez", options),
  ],
  [
    "a raw request",
    { exlude: ["etcd"] },
    "exclude",
    (client, options) => client.untilReady(options),
  ],
  [
    "a raw request",
    { timoutMs: 5 },
    "timeoutMs",
    (client, options) => client.openApi.paths(options),
  ],
  [
    "a raw request",
    { timoutMs: 5 },
    "timeoutMs",
    (client, options) => client.openApi.document("v1", options),
  ],
  ["a raw request", { timoutMs: 5 }, "timeoutMs", (client, options) => client.openApi.v2(options)],
  [
    "an access check",
    { namespce: "prod" },
    "namespace",
    (client, options) => client.can({ verb: "list", resource: "pods", ...options }),
  ],
  [
    "a call",
    { timoutMs: 5 },
    "timeoutMs",
    (client, options) => client.can({ verb: "get", path: "/metrics" }, options),
  ],
  ["a call", { timoutMs: 5 }, "timeoutMs", (client, options) => client.rulesIn("default", options)],
  ["a call", { timoutMs: 5 }, "timeoutMs", (client, options) => client.whoAmI(options)],
  ["a call", { audience: ["x"] }, undefined, (client, options) => client.reviewToken("x", options)],
  [
    "a call",
    { dryrun: "All" },
    "dryRun",
    (client, options) => client.evict("a", { namespace: "default", ...options }),
  ],
  [
    "a call",
    { mesage: "no" },
    undefined,
    (client, options) => client.decideCertificate("a", "Denied", options),
  ],
  ["a call", { sginal: 1 }, "signal", (client, options) => client.discovery.find("pods", options)],
  ["a call", { sginal: 1 }, "signal", (client, options) => client.discovery.find(map, options)],
  [
    "a call",
    { sginal: 1 },
    "signal",
    (client, options) => client.discovery.findAll("all", options),
  ],
  ["a call", { sginal: 1 }, "signal", (client, options) => client.discovery.served(options)],
  ["a call", { dryrun: "All" }, "dryRun", (client, options) => client.apply(map, options)],
  ["a call", { dryrun: "All" }, "dryRun", (client, options) => client.applyAll([map], options)],
  [
    "a call",
    { dryrun: "All" },
    "dryRun",
    (client, options) => client.applyAndPrune([map], { applySet: { name: "a" }, ...options }),
  ],
  ["a call", { dryrun: "All" }, "dryRun", (client, options) => client.deleteAll([map], options)],
  ["a call", { onFailur: "report" }, "onFailure", (client, options) => client.diff([map], options)],
  [
    "a wait",
    { timeoutMS: 5 },
    "timeoutMs",
    (client, options) => client.informer(ConfigMap).synced(options),
  ],
  [
    "a wait",
    { timeoutMS: 5 },
    "timeoutMs",
    (client, options) => client.informer(ConfigMap).caughtUpTo("1", options),
  ],
  [
    "a wait",
    { timeoutMS: 5 },
    "timeoutMs",
    (client, options) => client.informer(ConfigMap).reshard(undefined, options),
  ],
  [
    "a wait",
    { timeoutMS: 5 },
    "timeoutMs",
    (client, options) =>
      client
        .informer(ConfigMap)
        .onChange({ add: () => {} })
        .synced(options),
  ],
  [
    "a patch between two objects",
    { ifUnchangd: true },
    "ifUnchanged",
    (_, options) => jsonPatch.between(map, map, options),
  ],
  [
    "a patch between two objects",
    { ifUnchangd: true },
    "ifUnchanged",
    (_, options) => mergePatch.between(map, map, options),
  ],
  [
    "a patch between two objects",
    { ifUnchangd: true },
    "ifUnchanged",
    (_, options) => strategicPatch.between(map, map, options),
  ],
  [
    "extractApplied()",
    { subresouce: "status" },
    "subresource",
    (_, options) => extract(map, "me", options),
  ],
  ["a CSA upgrade", { ssaManger: "me" }, "ssaManager", (_, options) => csaUpgrade(map, options)],
  [
    "printFieldPath()",
    { quoteName: true },
    "quoteNames",
    (_, options) => printFieldPath([], options),
  ],
  ["toYaml()", { managedfields: true }, "managedFields", (_, options) => toYaml(map, options)],
  ["a manifest reader", { limit: {} }, "limits", (_, options) => parseManifests("", options)],
  ["limits", { maxBodyByte: 5 }, "maxBodyBytes", (_, limits) => parseManifests("", { limits })],
  ["a manifest reader", { limit: {} }, "limits", (_, options) => first(readManifests("", options))],
  [
    "preconditions",
    { resourceVerison: "1" },
    "resourceVersion",
    (client, preconditions) => maps(client).delete("a", { preconditions }),
  ],
  [
    "preconditions",
    { udi: "1" },
    undefined,
    (client, preconditions) => client.evict("a", { namespace: "default", preconditions }),
  ],
  [
    "an ApplySet",
    { name: "a", namespce: "b" },
    "namespace",
    (client, applySet) => client.applyAndPrune([map], { applySet }),
  ],
  [
    "impersonate",
    { user: "jane", group: ["x"] },
    "groups",
    (client, impersonate) => maps(client).get("a", { impersonate }),
  ],
  ["backoff", { maxMS: 5 }, "maxMs", (client, backoff) => client.informer(ConfigMap, { backoff })],
  [
    "a shard",
    { index: 0, count: 2, b: "namespace" },
    undefined,
    (client, shard) => client.informer(ConfigMap, { shard }),
  ],
  ["instrumentTypeKube()", { tracr: {} }, "tracer", (_, options) => instrumentTypeKube(options)],
  ["startApiServer()", { sed: 5 }, "seed", (_, options) => startApiServer(options)],
];

it.each(bags)("%s rejects %j and suggests: %s", async (who, options, meant, call) => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const error: KubeError = await (async () => call(client, options))().then(
    () => expect.fail("it was taken"),
    (caught) => caught,
  );
  const name = Object.keys(options).at(-1);
  expect(error.code).toBe("InvalidArgument");
  // For manifests the message also names the manifest.
  expect(error.rawMessage.replace(/^.*: /, "")).toBe(`${who} has no option "${name}"`);
  if (meant !== undefined) {
    expect(error.hint).toBe(`did you mean ${meant}?`);
  }
  // Nothing was created for them either, such as the folder of a lock.
  expect(existsSync(noHome)).toBe(false);
});

it("a listener of an embedded server, and a client of it, reject unknown options too", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  const refused = { code: "InvalidArgument" };
  await expect(api.listen({ anonymus: true } as Loose)).rejects.toMatchObject(refused);
  await expect(api.listen({ limits: { maxWatcher: 1 } } as Loose)).rejects.toMatchObject(refused);
  await expect(api.client({ namespce: "prod" } as Loose)).rejects.toMatchObject(refused);
});

it.each<[string, (client: Loose, limits: Loose) => unknown]>([
  ["connect()", (_, limits) => connect({ server: "http://127.0.0.1:1", defaults: { limits } })],
  ["client.with()", (client, limits) => client.with({ limits })],
  ["the function parseManifests()", (_, limits) => parseManifests("", { limits })],
])(
  "%s rejects a limit that is not a number, for which nothing would be too large",
  async (_who, call) => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    const made = (async () => call(client, { maxBodyBytes: Number.NaN }))();
    await expect(made).rejects.toMatchObject({
      code: "InvalidArgument",
      rawMessage: "limits.maxBodyBytes is NaN, but must be a number of at least 0",
    });
  },
);

it("a transport accepts a resolved configuration unchanged", async () => {
  const config = await resolveConfig({ server: "http://127.0.0.1:1", namespace: "prod" });
  await createTransport(config).close();
});

it("ignores an option that is undefined, whatever its name", async () => {
  const options = { server: "http://127.0.0.1:1", tokn: undefined };
  await using client = await connect(options);
  expect(client.namespace).toBe("default");
});
