import { startApiServer } from "@typekube/apiserver";
import { conditions, KubeError } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { lifecycleOf, lifecycleStage } from "typekube/lifecycle";
import { describe, expect, it } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass values that the types reject
type Loose = any;

async function refusal(work: () => Loose): Promise<string> {
  const error = await (async () => work())().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(KubeError);
  expect((error as KubeError).code).toBe("InvalidArgument");
  return (error as KubeError).rawMessage;
}

describe("rejects a wait that could never end", () => {
  it.each([
    ["", conditions.exists(), {}, '"" is not a valid object name'],
    ["../x", conditions.exists(), {}, '"../x" is not a valid object name'],
    [undefined, conditions.exists(), {}, "undefined is not a valid object name"],
    ["a", "Ready", {}, "a condition to wait for must be a function"],
    ["a", undefined, {}, "a condition to wait for must be a function"],
    [
      "a",
      conditions.exists(),
      { timeoutMs: Number.NaN },
      "timeoutMs: must be a number of at least 0",
    ],
    ["a", conditions.exists(), { timeoutMs: -1 }, "timeoutMs: must be a number of at least 0"],
    ["a", conditions.exists(), { signal: {} }, "signal: must be an AbortSignal"],
  ])(
    "waitFor rejects the name %j, condition %s and options %j",
    async (name, wanted, options, message) => {
      await using api = await startApiServer({ clock: "virtual" });
      await using client = await api.client();
      const maps: Loose = client.resource(ConfigMap, "default");
      expect(await refusal(() => maps.waitFor(name, wanted, options))).toBe(message);
      expect(api.openWatches).toBe(0);
    },
  );

  it("names conditions that exist when the condition is not a function", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    const maps: Loose = client.resource(ConfigMap, "default");
    const error: unknown = await maps.waitFor("a", "Ready").catch((caught: unknown) => caught);
    const named = [...((error as KubeError).hint ?? "").matchAll(/conditions\.(\w+)\(/g)];
    expect(named.length).toBeGreaterThan(3);
    for (const [, name = ""] of named) {
      expect(conditions).toHaveProperty(name, expect.any(Function));
    }
  });

  it("rejects a wait for one namespaced object without a namespace", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    expect(await refusal(() => client.waitFor(ConfigMap, "a", conditions.exists()))).toBe(
      'ConfigMap "a" needs a namespace',
    );
    expect(api.openWatches).toBe(0);
  });

  it("rejects it for a kind that discovery reports as namespaced", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    const kind = { apiVersion: "apps/v1", kind: "Deployment" } as const;
    expect(await refusal(() => client.waitFor(kind, "a", conditions.exists()))).toBe(
      'Deployment "a" needs a namespace',
    );
    const node = client.waitFor({ apiVersion: "v1", kind: "Node" }, "n", conditions.exists());
    await client.resource({ apiVersion: "v1", kind: "Node" }).create({ metadata: { name: "n" } });
    expect((await node)?.metadata.name).toBe("n");
    expect(api.openWatches).toBe(0);
  });

  it("rejects a condition without a type, and a path or value that cannot be compared", async () => {
    for (const type of [undefined, null, "", 5]) {
      expect(await refusal(() => conditions.has(type as Loose))).toBe(
        "the type of a condition must be text",
      );
    }
    for (const value of [null, {}, [], Number.NaN]) {
      expect(await refusal(() => conditions.jsonPath(".status.x", value as Loose))).toBe(
        "a JSON path can be compared with a string, a number or a boolean",
      );
    }
    expect(await refusal(() => conditions.jsonPath(undefined as Loose))).toContain(
      "cannot be read",
    );
  });
});

it("a wait for a missing kind reports that on timeout", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const things = client.resource({ apiVersion: "nope.io/v1", kind: "Thing" }, "default");
  const waiting = things.waitFor("a", conditions.exists(), { timeoutMs: 1_000 });
  const outcome = expect(waiting).rejects.toThrow(
    "it could not be read: [NotFound] this server does not serve Thing in nope.io/v1",
  );
  await api.clock.advance(1_000);
  await outcome;
});

describe("wrong references to kinds", () => {
  it.each([
    [{ apiVersion: "v1", kind: "pod" }, "the kind is called Pod"],
    [{ apiVersion: "apps/v1", kind: "deployments" }, "the kind is called Deployment"],
    [{ apiVersion: "v1", kind: "Deployment" }, "it serves Deployment in apps/v1"],
    [{ apiVersion: "apps/v2", kind: "Deployment" }, "it serves Deployment in apps/v1"],
    [
      { apiVersion: "nope.io/v1", kind: "Thing" },
      "it does not serve nope.io/v1; a custom kind needs its CustomResourceDefinition first",
    ],
    [
      { apiVersion: "batch/v1beta1", kind: "CronJob" },
      "it serves CronJob in batch/v1; Kubernetes 1.25 removed it; use CronJob in batch/v1",
    ],
  ])("the hint for %j names what the server serves: %s", async (kind, hint) => {
    await using api = await startApiServer();
    await using client = await api.client();
    await expect(client.discovery.find(kind)).rejects.toMatchObject({ code: "NotFound", hint });
  });

  it.each([null, 5, {}, { kind: "Pod" }, { apiVersion: "v1" }])(
    "rejects %j, which refers to no kind",
    async (kind) => {
      await using api = await startApiServer();
      await using client = await api.client();
      expect(await refusal(() => client.discovery.find(kind as Loose))).toBe(
        "pass a name, or an object with apiVersion and kind",
      );
    },
  );
});

it.each([
  [null, "verb: is missing"],
  [{ verb: "get", resource: "" }, "resource: is empty"],
  [{ verb: "get", path: "" }, 'path: must begin with "/"'],
  [{ verb: "get", path: "metrics" }, 'path: must begin with "/"'],
])("can() rejects the access review %j", async (access, message) => {
  await using api = await startApiServer();
  await using client = await api.client();
  expect(await refusal(() => client.can(access as Loose))).toBe(message);
});

it("lifecycle of a kind: an empty document has none, and a release must be text", () => {
  const pod = { apiVersion: "v1", kind: "Pod" };
  expect(lifecycleOf(null as Loose)).toBeUndefined();
  for (const release of [1.3, "1", "1.30x", "2.0", ""]) {
    expect(() => lifecycleStage(pod, release as Loose)).toThrow(RangeError);
    expect(() => lifecycleStage({ apiVersion: "x.io/v1" }, release as Loose)).toThrow(RangeError);
  }
  expect(lifecycleStage(pod, "v1.30.0-rc.1+k3s1")).toBe("served");
});
