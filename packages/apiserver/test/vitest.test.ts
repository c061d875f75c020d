import { ConfigMap } from "@typekube/api/core/v1";
import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { expect } from "vitest";
import { startApiServer } from "../src/index.js";
import { addRequestMatchers, apiTest, rightsUsed } from "../src/vitest/index.js";

let preparations = 0;
const test = apiTest({
  clock: "virtual",
  users: [{ name: "operator" }],
  async prepare(api) {
    preparations += 1;
    await createConfigMaps(api, "prepared");
  },
});
addRequestMatchers();

test("ES27: each test has a fork of the prepared server", async ({ api, client }) => {
  await client.resource(ConfigMap, "default").create({ metadata: { name: "mine" } });
  expect((await call(api, "GET", configMaps)).body.items).toHaveLength(2);
});

test("ES27: a test sees no writes or requests of other tests", async ({ api }) => {
  expect(api.requests).toEqual([]);
  expect((await call(api, "GET", configMaps)).body.items).toHaveLength(1);
  expect(preparations).toBe(1);
});

test("ES26: toHaveRequested and toHaveRequestedTimes read the journal", async ({ api }) => {
  await createConfigMaps(api, "a", "b");
  expect(api).toHaveRequested({ verb: "create", resource: "configmaps", namespace: "default" });
  expect(api).not.toHaveRequested({ verb: "delete" });
  expect(api).toHaveRequestedTimes({ verb: "create", status: 201 }, 2);
  expect(() => expect(api).toHaveRequestedTimes({ verb: "create" }, 3)).toThrow(
    /3 requests like .*, not 2; requests:\n {2}create \/api\/v1\/namespaces\/default\/configmaps 201/,
  );
});

test("ES26: a request budget: at most N during work, and none when idle", async ({
  api,
  client,
}) => {
  await using maps = client.informer(ConfigMap);
  await maps.synced();
  await expect(api).toStayWithin({ atMost: 0 }, async () => {
    await api.clock.advance(120_000);
    await api.settled();
  });
  const work = () => createConfigMaps(api, "a", "b");
  await expect(api).toStayWithin({ atMost: 0, like: { verb: "delete" } }, work);
  await expect(
    expect(api).toStayWithin({ atMost: 1 }, () => createConfigMaps(api, "c", "d")),
  ).rejects.toThrow("at most 1 requests, not 2");
});

test("ES26: the journal keeps the last requests, and a budget works after it dropped some", async () => {
  await using api = await startApiServer({ journalLimit: 10 });
  const names = Array.from({ length: 25 }, (_, at) => `map-${at}`);
  await createConfigMaps(api, ...names.slice(0, 19));
  await expect(api).toStayWithin({ atMost: 6, like: { verb: "create" } }, () =>
    createConfigMaps(api, ...names.slice(19)),
  );
  expect(api.requests).toHaveLength(10);
  await using forgetful = await startApiServer({ journalLimit: 0 });
  await createConfigMaps(forgetful, "a", "b");
  expect(forgetful.requests).toEqual([]);
  expect(api.requests.every(({ verb }) => verb === "create")).toBe(true);
});

const role = {
  rules: [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "delete"] },
    { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["patch"] },
    { nonResourceURLs: ["/version"], verbs: ["get"] },
  ],
};

test("ES26: reports permissions that a role lacks, and those that were not used", async ({
  api,
}) => {
  await using operator = await api.client({ as: "operator", namespace: "default" });
  const maps = operator.resource(ConfigMap, "default");
  await maps.list();
  await maps.get("prepared");
  await maps.create({ metadata: { name: "a" } });
  await createConfigMaps(api, "of somebody else".replaceAll(" ", "-"));
  const used = rightsUsed(
    api.requests.filter(({ user }) => user === "operator"),
    role,
  );
  expect(used).toEqual({
    missing: ['{APIGroups:[""], Resources:["configmaps"], Verbs:["create"]}'],
    unused: [
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}',
      '{APIGroups:["apps"], Resources:["deployments/status"], Verbs:["patch"]}',
      '{NonResourceURLs:["/version"], Verbs:["get"]}',
    ],
  });
  expect(() => expect(api).toBeAllowedBy(role, "operator")).toThrow("the role lacks:\n");
  expect(() => expect(api).toNeedAllOf(role, "operator")).toThrow("no request needed:\n");
  expect(api).toBeAllowedBy({ rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] });
});
