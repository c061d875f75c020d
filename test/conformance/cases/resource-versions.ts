import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { compareResourceVersions, isTooLargeResourceVersion, type Status } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, createConfigMaps, namesOf } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

/** resourceVersion that no test server reaches. */
const future = "999999999";

/** Returns the Status of a list request with these parameters, which the server must reject. */
async function refusedList(context: ConformanceContext, query: string): Promise<Status> {
  const path = `/api/v1/namespaces/${context.namespace}/configmaps?${query}`;
  return expectRefusal(context, { path }, { code: 422, reason: "Invalid" });
}

function invalidList(query: string, id: string, field: string, reason: string): ConformanceCase {
  return {
    id,
    name: `a list with ${query} responds with Invalid`,
    async run(context) {
      const { details, message } = await refusedList(context, query);
      assert.deepEqual(
        details?.causes?.map((cause) => ({ field: cause.field, reason: cause.reason })),
        [{ field, reason }],
      );
      assert.match(message ?? "", /^ListOptions\.meta\.k8s\.io "" is invalid: /);
    },
  };
}

/** Cases for reads at a resourceVersion. */
export const resourceVersions: readonly ConformanceCase[] = [
  {
    id: "RV2",
    name: "the resourceVersion increases with every write, across kinds and namespaces",
    async run({ client, namespace }) {
      const one = await client.resource(ConfigMap, namespace).create(configMap("a"));
      const other = await client
        .resource(ConfigMap, "default")
        .create(configMap(`rv-${namespace}`));
      assert.equal(
        compareResourceVersions(one.metadata.resourceVersion, other.metadata.resourceVersion),
        -1,
      );
    },
  },
  {
    id: "RV7",
    name: "a list's resourceVersion is at least that of its items",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 2);
      const { items, metadata } = await client.resource(ConfigMap, namespace).list();
      for (const item of items) {
        const order = compareResourceVersions(
          item.metadata.resourceVersion,
          metadata.resourceVersion ?? "",
        );
        assert.ok(order !== undefined && order <= 0);
      }
    },
  },
  {
    id: "RV9",
    name: "a get without a resourceVersion returns the newest state, with one at least that state",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "1" }));
      const { metadata } = await configMaps.patch("a", mergePatch({ data: { k: "2" } }));
      assert.deepEqual((await configMaps.get("a")).data, { k: "2" });
      const { resourceVersion } = metadata;
      assert.deepEqual((await configMaps.get("a", { resourceVersion })).data, { k: "2" });
      assert.equal((await configMaps.get("a", { resourceVersion: "0" })).metadata.name, "a");
    },
  },
  {
    id: "RV11",
    name: "lists at any, the newest, a minimum and an exact resourceVersion return the objects",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 2);
      const { metadata } = await configMaps.list();
      const { resourceVersion = "" } = metadata;
      const lists = [
        await configMaps.list(),
        await configMaps.list({ resourceVersion }),
        await configMaps.list({ resourceVersion, resourceVersionMatch: "NotOlderThan" }),
        await configMaps.list({ resourceVersion, resourceVersionMatch: "NotOlderThan", limit: 10 }),
        await configMaps.list({ resourceVersion, resourceVersionMatch: "Exact" }),
      ];
      for (const { items } of lists) {
        assert.deepEqual(namesOf(items), ["cm-00", "cm-01"]);
      }
      await configMaps.list({ resourceVersion: "0" });
      await configMaps.list({ resourceVersion: "0", resourceVersionMatch: "NotOlderThan" });
    },
  },
  {
    id: "RV24",
    name: "an exact list returns an older state with its resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "1" }));
      const { metadata } = await configMaps.create(configMap("b"));
      const { resourceVersion } = metadata;
      await configMaps.patch("a", mergePatch({ data: { k: "2" } }));
      await configMaps.delete("b");
      const exact = await configMaps.list({ resourceVersion, resourceVersionMatch: "Exact" });
      assert.equal(exact.metadata.resourceVersion, resourceVersion);
      assert.deepEqual(namesOf(exact.items), ["a", "b"]);
      assert.deepEqual(exact.items[0]?.data, { k: "1" });
    },
  },
  {
    id: "RV24-expired",
    name: "an exact list at a compacted resourceVersion responds with Expired",
    async run({ client, namespace, compact }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const { resourceVersion } = metadata;
      await configMaps.patch("a", mergePatch({ data: { k: "v" } }));
      await compact();
      await expectFailure(configMaps.list({ resourceVersion, resourceVersionMatch: "Exact" }), {
        code: 410,
        reason: "Expired",
        message: /The resourceVersion for the provided list is too old/,
      });
      // A list that may be newer than a compacted resourceVersion still succeeds.
      const newer = await configMaps.list({
        resourceVersion,
        resourceVersionMatch: "NotOlderThan",
      });
      assert.deepEqual(namesOf(newer.items), ["a"]);
    },
  },
  invalidList(
    "resourceVersionMatch=Exact",
    "RV14-absent",
    "resourceVersionMatch",
    "FieldValueForbidden",
  ),
  invalidList(
    "resourceVersionMatch=Exact&resourceVersion=0",
    "RV14-zero",
    "resourceVersionMatch",
    "FieldValueForbidden",
  ),
  invalidList(
    "resourceVersionMatch=NotOlderThan",
    "RV16-absent",
    "resourceVersionMatch",
    "FieldValueForbidden",
  ),
  invalidList(
    "resourceVersionMatch=Newish&resourceVersion=1",
    "RV18-word",
    "resourceVersionMatch",
    "FieldValueNotSupported",
  ),
  invalidList(
    "resourceVersionMatch=Exact&resourceVersion=1&continue=abc",
    "RV18-continue",
    "resourceVersionMatch",
    "FieldValueForbidden",
  ),
  ...[
    ["get", `/a?resourceVersion=${future}`],
    ["list", `?resourceVersion=${future}`],
    ["exact list", `?resourceVersion=${future}&resourceVersionMatch=Exact`],
    ["page", `?resourceVersion=${future}&resourceVersionMatch=NotOlderThan&limit=1`],
  ].map(
    ([what = "", query = ""]): ConformanceCase => ({
      id: `RV33-${what.replace(" ", "-")}`,
      name: `a ${what} at a future resourceVersion times out`,
      async run(context) {
        const { client, namespace, whileTimePasses } = context;
        await client.resource(ConfigMap, namespace).create(configMap("a"));
        const path = `/api/v1/namespaces/${namespace}/configmaps${query}`;
        const response = await whileTimePasses(rawRequest(context, { path }));
        const status = response.json<Status>();
        assert.equal(response.status, 504);
        assert.equal(response.headers["retry-after"], "1");
        assert.equal(status.reason, "Timeout");
        assert.match(
          status.message ?? "",
          /^Timeout: Too large resource version: 999999999, current: \d+$/,
        );
        assert.deepEqual(status.details, {
          causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
          retryAfterSeconds: 1,
        });
      },
    }),
  ),
  {
    id: "RV33-client",
    name: "the client distinguishes a future resourceVersion from other timeouts",
    async run({ client, namespace, whileTimePasses }) {
      const list = client.resource(ConfigMap, namespace).list({ resourceVersion: future });
      await assert.rejects(whileTimePasses(list), isTooLargeResourceVersion);
    },
  },
  {
    id: "RV34",
    name: "a resourceVersion that is not a number is rejected",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      await expectRefusal(
        context,
        { path: `${path}?resourceVersion=abc` },
        {
          code: 400,
          reason: "BadRequest",
          message: /^invalid resource version: resourceVersion: Invalid value: "abc"/,
        },
      );
      // Other reads fail as well, but with a less specific error.
      for (const query of ["/a?resourceVersion=abc", "?watch=1&resourceVersion=abc"]) {
        await expectRefusal(
          context,
          { path: path + query },
          { code: 500, message: /^resourceVersion: Invalid value: "abc"/ },
        );
      }
    },
  },
];
