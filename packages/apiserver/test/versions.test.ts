import { ConfigMap } from "@typekube/api/core/v1";
import {
  call,
  configMaps,
  createConfigMaps,
  exchange,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { createVirtualClock, startApiServer } from "../src/index.js";

const streaming = `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

describe("DEP14: feature gates", () => {
  const start = (featureGates: Readonly<Record<string, boolean>>, version = "1.37") =>
    startApiServer({ featureGates, version });

  test("DEP14: rejects a gate that the release does not know: nonexistent, or of a later release", async () => {
    await expect(start({ NoSuchGate: true })).rejects.toThrow(
      "[InvalidArgument] unrecognized feature gate: NoSuchGate",
    );
    await expect(start({ toString: true })).rejects.toThrow("unrecognized feature gate");
    await expect(start({ WatchListCompression: true }, "1.36")).rejects.toThrow("unrecognized");
    await (await start({ WatchListCompression: true }, "1.37")).close();
  });

  test("DEP14: a locked GA gate cannot be switched off, only set to its value", async () => {
    const gate = "CRDValidationRatcheting";
    await expect(start({ [gate]: false })).rejects.toThrow(
      `cannot set feature gate ${gate} to false, feature is locked to true`,
    );
    await using api = await start({ [gate]: true });
    expect(api.warnings).toEqual([
      `Setting GA feature gate ${gate}=true. It will be removed in a future release.`,
    ]);
  });

  test("DEP14: warns about a deprecated gate, but not about alpha and beta ones", async () => {
    await using api = await start({
      SeparateCacheWatchRPC: false,
      CBORServingAndStorage: true,
      WatchList: false,
      AllBeta: true,
    });
    expect(api.warnings).toEqual([
      "Setting deprecated feature gate SeparateCacheWatchRPC=false. It will be removed in a future release.",
    ]);
  });
});

describe("features of releases", () => {
  test.each([
    ["1.33", false],
    ["1.34", true],
    ["1.37", true],
  ] as const)("OLD3, ES31: the release %s serves streaming lists: %s", async (version, streams) => {
    await using api = await startApiServer({ version });
    await createConfigMaps(api, "a");
    if (streams) {
      const events = await watch(api, streaming);
      expect(await events.take(1)).toEqual(["ADDED a"]);
      await events.stop();
      return;
    }
    const { status, body } = await call(api, "GET", streaming);
    expect([status, body.reason, body.message]).toEqual([
      422,
      "Invalid",
      expect.stringContaining(
        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
      ),
    ]);
  });

  test.each(["1.33", "1.34", "1.35", "1.36", "1.37"])(
    "OLD3: an informer reads from %s with the list that it supports, and remembers which",
    async (version) => {
      await using api = await startApiServer({ version, clock: "virtual" });
      await using client = await api.client({ namespace: "default" });
      await createConfigMaps(api, "a");
      const streams = version !== "1.33";
      await using maps = client.informer(ConfigMap, { namespace: "default" });
      await maps.synced();
      api.compact();
      api.dropWatches();
      await createConfigMaps(api, "b");
      await api.clock.advance(60_000);
      await api.settled();
      expect(maps.list().map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
      const refused = api.requests.filter(({ status }) => status === 422);
      expect([version, refused.length]).toEqual([version, streams ? 0 : 1]);
      const lists = api.requests.filter(
        ({ verb, userAgent }) => verb === "list" && userAgent !== "kc/1.0",
      );
      expect(lists.length > 0).toBe(!streams);
    },
  );

  test("OLD4: lists at an old resourceVersion are the same with and without cache snapshots", async () => {
    for (const version of ["1.33", "1.37"]) {
      await using api = await startApiServer({ version });
      await createConfigMaps(api, "a");
      const before = api.resourceVersion;
      await createConfigMaps(api, "b");
      const exact = `${configMaps}?resourceVersion=${before}&resourceVersionMatch=Exact`;
      const { body } = await call(api, "GET", exact);
      expect([version, body.items.length, body.metadata.resourceVersion]).toEqual([
        version,
        1,
        before,
      ]);
      await createConfigMaps(api, "c");
      api.compact();
      expect((await call(api, "GET", exact)).status).toBe(410);
    }
  });

  test("OLD5: a server without CBOR responds 406 to Accept and 415 to a body; a client that prefers CBOR continues in JSON", async () => {
    await using api = await startApiServer({ version: "1.33" });
    const cbor = "application/cbor";
    expect((await call(api, "GET", configMaps, undefined, { accept: cbor })).status).toBe(406);
    const posted = await exchange(api, "POST", configMaps, { contentType: cbor, body: "x" });
    expect(posted.status).toBe(415);
    const { connect } = await import("typekube");
    await using client = await connect({ transport: api, defaults: { encoding: "cbor" } });
    const made = await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    expect(made.metadata.name).toBe("a");
    expect((await client.resource(ConfigMap, "default").get("a")).metadata.name).toBe("a");
    expect(api.requests.at(-1)).toMatchObject({ status: 200, encoding: "json" });
    await using later = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
    expect((await exchange(later, "GET", configMaps, { accept: cbor })).status).toBe(200);
  });

  test("OLD7: after a 410, an informer of one object reaches its current state", async () => {
    await using api = await startApiServer({ version: "1.33", clock: "virtual" });
    await using client = await api.client({ namespace: "default" });
    const [made] = await createConfigMaps(api, "one");
    await using one = client.informer(ConfigMap, { fieldSelector: "metadata.name=one" });
    await one.synced();
    api.dropWatches();
    await createConfigMaps(api, "other");
    await call(api, "PUT", `${configMaps}/one`, { ...made, data: { now: "yes" } });
    api.compact();
    await api.clock.advance(60_000);
    await api.settled();
    expect(one.list().map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ["one", { now: "yes" }],
    ]);
  });

  test("OLD10, ES31: discovery lacks kinds of later releases, and betas that are not enabled", async () => {
    const all = { runtimeConfig: "api/all=true" } as const;
    const kindsOf = async (api: Parameters<typeof call>[0]) => {
      const { body } = await call(api, "GET", "/apis", undefined, {
        accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
      });
      return JSON.stringify(body).match(/"responseKind"/g)?.length ?? 0;
    };
    await using old = await startApiServer({ version: "1.33", ...all });
    await using now = await startApiServer({ version: "1.37", ...all });
    await using stable = await startApiServer({ version: "1.37" });
    const counts = [await kindsOf(old), await kindsOf(now), await kindsOf(stable)];
    console.info(`kinds of 1.33, 1.37 and the stable ones of 1.37: ${counts}`);
    expect(counts[0]).toBeLessThan(counts[1] ?? 0);
    expect(counts[2]).toBeLessThan(counts[1] ?? 0);
    expect((await call(old, "GET", "/version")).body.gitVersion).toMatch(/^v1\.33\./);
  });

  test("ES31: before 1.36 a plain watch that starts with the state sends no bookmark after it", async () => {
    const first = async (version: string) => {
      await using api = await startApiServer({ version });
      await createConfigMaps(api, "a");
      const events = await watch(api, `${configMaps}?watch=1&allowWatchBookmarks=true`);
      const begin = await events.take(1);
      await createConfigMaps(api, "b");
      const next = (await events.next()).type;
      await events.stop();
      return [...begin, next];
    };
    expect(await first("1.35")).toEqual(["ADDED a", "ADDED"]);
    expect(await first("1.36")).toEqual(["ADDED a", "BOOKMARK"]);
  });
});

test("ES31: since 1.36 a permission to impersonate may cover one action; before, it has no effect", async () => {
  const statusOf = async (version: string) => {
    await using api = await startApiServer({
      version,
      authorization: "RBAC",
      users: [{ name: "helper", token: "helper-token" }],
    });
    const rules = [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["impersonate-on:user-info:list"] },
      {
        apiGroups: ["authentication.k8s.io"],
        resources: ["users"],
        verbs: ["impersonate:user-info"],
      },
    ];
    const roles = "/apis/rbac.authorization.k8s.io/v1";
    await call(api, "POST", `${roles}/clusterroles`, { metadata: { name: "helper" }, rules });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole" };
    const bind = (name: string, user: string, role: string) =>
      call(api, "POST", `${roles}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { ...roleRef, name: role },
        subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
      });
    await bind("helper", "helper", "helper");
    await bind("jane", "jane", "view");
    const headers = { authorization: "Bearer helper-token", "impersonate-user": "jane" };
    return (await call(api, "GET", configMaps, undefined, headers)).status;
  };
  expect([await statusOf("1.35"), await statusOf("1.36")]).toEqual([403, 200]);
});

test("ES31: streaming lists are compressed since 1.37", async () => {
  const encodingOf = async (version: string) => {
    await using api = await startApiServer({ version });
    const { server } = await api.listen({ tls: false, anonymous: true });
    const abort = new AbortController();
    const { headers } = await fetch(`${server}${streaming}`, { signal: abort.signal });
    abort.abort();
    return headers.get("content-encoding");
  };
  expect([await encodingOf("1.36"), await encodingOf("1.37")]).toEqual([null, "gzip"]);
});

test("GRP10: the next call finds a group that a restarted server has added, without a new client", async () => {
  await using before = await startApiServer({ runtimeConfig: { "apps/v1": false } });
  const text = await before.dump();
  await using after = await startApiServer({ load: text });
  let api = before;
  const { connect } = await import("typekube");
  const clock = createVirtualClock();
  await using client = await connect({
    transport: { send: (request) => api.send(request), server: before.server },
    clock,
  });
  const deployments = client.resource({ apiVersion: "apps/v1", kind: "Deployment" }, "default");
  await expect(deployments.list()).rejects.toThrow();
  api = after;
  await clock.advance(60_000);
  expect((await deployments.list()).items).toEqual([]);
});

test("RV25: old states expire by the size of the history", async () => {
  await using api = await startApiServer({ clock: "virtual", historyLimit: 5 });
  await createConfigMaps(api, "a", "b");
  const exact = `${configMaps}?resourceVersion=${api.resourceVersion}&resourceVersionMatch=Exact`;
  await createConfigMaps(api, "c", "d");
  await api.clock.advance(76_000);
  expect((await call(api, "GET", exact)).body.items).toHaveLength(2);
  await createConfigMaps(api, "e", "f", "g", "h");
  const { status, body } = await call(api, "GET", exact);
  expect([status, body.reason]).toEqual([410, "Expired"]);
  expect((await call(api, "GET", configMaps)).body.items).toHaveLength(8);
});

describe("RV25: lifetime of old states", () => {
  const exactly = (version: string) =>
    `${configMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`;

  test("RV25: exact lists and pages expire five minutes after a newer write, watches do not", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await createConfigMaps(api, "a", "b");
    const version = api.resourceVersion;
    const page = await call(api, "GET", `${configMaps}?limit=1`);
    const next = `${configMaps}?limit=1&continue=${page.body.metadata.continue}`;
    await api.clock.advance(3_600_000);
    // The newest state does not expire.
    expect((await call(api, "GET", exactly(version))).status).toBe(200);
    await createConfigMaps(api, "c");
    await api.clock.advance(299_999);
    expect((await call(api, "GET", exactly(version))).body.items).toHaveLength(2);
    expect((await call(api, "GET", next)).status).toBe(200);
    await api.clock.advance(1);
    expect((await call(api, "GET", exactly(version))).body).toMatchObject({
      code: 410,
      message: "The resourceVersion for the provided list is too old.",
    });
    const expired = await call(api, "GET", next);
    expect(expired.status).toBe(410);
    const inconsistent = `${configMaps}?continue=${expired.body.metadata.continue}`;
    expect((await call(api, "GET", inconsistent)).body.items).toHaveLength(2);
    const events = await watch(api, `${configMaps}?watch=1&resourceVersion=${version}`);
    expect(await events.take(1)).toEqual(["ADDED c"]);
    await events.stop();
  });

  test("RV25: forgets writes in batches as time passes, never too early", async () => {
    await using api = await startApiServer({ clock: "virtual", historyAgeMs: 10_000 });
    const written: [version: string, at: number][] = [];
    for (let second = 0; second < 60; second++) {
      await createConfigMaps(api, `at-${second}`);
      written.push([api.resourceVersion, api.clock.now()]);
      await api.clock.advance(1_000);
      const now = api.clock.now();
      for (const [index, [version]] of written.entries()) {
        const replacedAt = written[index + 1]?.[1] ?? now;
        const { status } = await call(api, "GET", exactly(version));
        // A batch is a tenth of the age.
        const isYoung = now - replacedAt < 10_000;
        const isOld = now - replacedAt > 11_000;
        expect([isYoung, isOld, status]).toEqual([
          isYoung,
          isOld,
          isYoung ? 200 : isOld ? 410 : status,
        ]);
      }
    }
  });

  test("RV25: without an age nothing expires by time; a fork starts its own count; a restore expires nothing", async () => {
    await using api = await startApiServer({ clock: "virtual", historyAgeMs: Infinity });
    await createConfigMaps(api, "a");
    const version = api.resourceVersion;
    await createConfigMaps(api, "b");
    await api.clock.advance(86_400_000);
    expect((await call(api, "GET", exactly(version))).status).toBe(200);
    await using other = await startApiServer({ clock: "virtual" });
    await createConfigMaps(other, "a");
    const snapshot = other.snapshot();
    await createConfigMaps(other, "b", "c");
    await other.clock.advance(3_600_000);
    await using fork = other.fork();
    const last = String(BigInt(other.resourceVersion) - 1n);
    expect((await call(other, "GET", exactly(last))).status).toBe(410);
    expect((await call(fork, "GET", exactly(last))).status).toBe(200);
    other.restore(snapshot);
    expect((await call(other, "GET", exactly(other.resourceVersion))).status).toBe(200);
    await createConfigMaps(other, "x", "y");
    const before = String(BigInt(other.resourceVersion) - 1n);
    expect((await call(other, "GET", exactly(before))).body.items).toHaveLength(2);
  });
});
