import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubeObject } from "@typekube/api";
import { startApiServer } from "@typekube/apiserver";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../../packages/apiserver/src/tls/authority.js";
import { rawRequest } from "./support/raw-request.js";
import { until } from "./support/until.js";

type Json = Readonly<Record<string, unknown>>;

const signal = AbortSignal.timeout(120_000);
const folder = await mkdtemp(join(tmpdir(), "typekube-fresh-cluster-"));
const authority = createAuthority();
const caFile = join(folder, "ca.crt");
await writeFile(caFile, authority.cert);
const real = await startRealServer({
  flags: [
    "--endpoint-reconciler-type=lease",
    "--advertise-address=192.0.2.1",
    `--client-ca-file=${caFile}`,
  ],
});

/** Kinds whose objects are not part of the cluster: they describe the process, or are written later. */
const leftOut = new Set(["componentstatuses", "leases", "events"]);

/** Returns all listable objects, by resource and name. */
async function objectsOf(client: Client): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  const { body: core } = await read(client, "/api/v1");
  const { body: groups } = await read(client, "/apis");
  const lists = [{ path: "/api/v1", resources: core["resources"] as Json[] }];
  for (const { preferredVersion } of groups["groups"] as { preferredVersion: Json }[]) {
    const path = `/apis/${String(preferredVersion["groupVersion"])}`;
    lists.push({ path, resources: (await read(client, path)).body["resources"] as Json[] });
  }
  for (const { path, resources } of lists) {
    for (const { name, verbs } of resources as { name: string; verbs: string[] }[]) {
      if (verbs.includes("list") && !name.includes("/") && !leftOut.has(name)) {
        const { body } = await read(client, `${path}/${name}`);
        for (const object of body["items"] as KubeObject[]) {
          const { namespace = "", name: own = "" } = object.metadata ?? {};
          found.set(`${path}/${name} ${namespace}/${own}`, portable(object, name));
        }
      }
    }
  }
  return found;
}

async function read(client: Client, path: string): Promise<{ body: Json }> {
  const response = await rawRequest({ client, signal }, { path });
  return { body: response.json<Json>() };
}

/** Returns an object without the values that every server assigns itself. */
function portable(object: KubeObject, plural: string): Json {
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (["uid", "resourceVersion", "creationTimestamp", "managedFields"].includes(key)) {
      return undefined;
    }
    if (key === "lastTransitionTime" || key === "since" || key === "client-ca-file") {
      return `a ${key}`;
    }
    // Port that the server listens on.
    return ["targetPort", "port"].includes(key) && Number(value) > 1_024 ? 6_443 : value;
  });
  const one = JSON.parse(text) as Json;
  // A bare kube-apiserver leaves aggregated rules to its controllers.
  const isAggregated = plural === "clusterroles" && one["aggregationRule"] !== undefined;
  return isAggregated ? { ...one, rules: null } : one;
}

describe.skipIf(real === undefined)("a fresh server", () => {
  let embedded: Map<string, Json>;
  let other: Map<string, Json>;

  beforeAll(async () => {
    await using api = await startApiServer({
      featureGates: { CBORServingAndStorage: true, ShardedListAndWatch: true },
    });
    await api.listen();
    await using client = await api.client();
    embedded = await objectsOf(client);
    await using realClient = await connect(real?.connectOptions() ?? {});
    // The server writes its last objects after it reports that it is ready.
    await until({ signal, server: "real" }, async () => {
      other = await objectsOf(realClient);
      return other.size >= embedded.size;
    });
  }, 120_000);

  afterAll(async () => {
    await real?.close();
    await rm(folder, { recursive: true });
  });

  test("contains the objects of a fresh kube-apiserver, and no others", () => {
    expect([...embedded.keys()].sort()).toEqual([...other.keys()].sort());
    expect(embedded.size).toBeGreaterThan(190);
  });

  test("has each object in the same form, except for UIDs, resourceVersions, times and field owners", () => {
    for (const [name, object] of other) {
      expect(embedded.get(name), name).toEqual(object);
    }
  });
});
