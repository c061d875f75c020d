import { startApiServer } from "@typekube/apiserver";
import { type KubeError, objectKey } from "typekube";
import { ConfigMap, Node } from "typekube/api/core/v1";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

it("an informer of one namespace accepts the bare name too", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const map = await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  await using one = client.informer(ConfigMap, { namespace: "default" });
  await using all = client.informer(ConfigMap);
  await Promise.all([one.synced(), all.synced()]);
  expect(objectKey(map)).toBe("default/a");
  expect(one.get("a")).toBe(one.get("default/a"));
  expect(one.get("a")?.metadata.uid).toBe(map.metadata.uid);
  expect(one.get("other/a")).toBeUndefined();
  expect(all.get("a")).toBeUndefined();
  await client.resource(Node).create({ metadata: { name: "n" } });
  await using nodes = client.informer(Node);
  await nodes.synced();
  expect(nodes.get("n")).toBeDefined();
});

/** Creates a server that forbids lists of ConfigMaps, and records the warnings of this process. */
async function forbidding() {
  const api = await startApiServer({ clock: "virtual" });
  api.fault({ resource: "configmaps", status: 403, times: Number.POSITIVE_INFINITY });
  const warnings: { text: string; code: string | undefined }[] = [];
  vi.spyOn(process, "emitWarning").mockImplementation((text, options) => {
    warnings.push({ text: String(text), code: (options as { code?: string }).code });
  });
  return { api, client: await api.client(), warnings };
}

it("an informer without onError warns of a forbidden list at once, then at most once a minute", async () => {
  const { api, client, warnings } = await forbidding();
  await using _ = api;
  await using informer = client.informer(ConfigMap);
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  expect(warnings[0]).toMatchObject({ code: "TYPEKUBE_WATCH" });
  expect(warnings[0]?.text).toContain("the informer of configmaps: [Forbidden]");
  const failures = () => api.requests.filter(({ status }) => status === 403).length;
  while (failures() < 5) {
    await api.clock.advance(1_000);
  }
  expect(informer.health.state).not.toBe("stopped");
  const inFirstMinute = warnings.length;
  expect(inFirstMinute).toBe(1);
  while (warnings.length < 2) {
    await api.clock.advance(30_000);
  }
  expect(warnings[1]?.text).toMatch(/\(\d+ more errors since the last warning\)$/);
});

it("follow warns too; onError replaces the warning", async () => {
  const { api, client, warnings } = await forbidding();
  await using _ = api;
  const errors: KubeError[] = [];
  await using informer = client.informer(ConfigMap, { onError: (error) => errors.push(error) });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
  expect(informer.isSynced).toBe(false);
  expect(warnings).toEqual([]);
  const controller = new AbortController();
  const iterator = client.follow(ConfigMap, { signal: controller.signal })[Symbol.asyncIterator]();
  const next = iterator.next();
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  expect(warnings[0]?.text).toContain("follow of configmaps: [Forbidden]");
  controller.abort();
  await next;
});
