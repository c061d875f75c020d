import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ItemsOptions } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { isExpired } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, createConfigMaps, namesOf, numbered } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { readObjects, typeAndName } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => numbered(from + index));
}

/** Reads 25 objects in pages of ten; after the first page an object is added and all resourceVersions expire. */
async function walkPastExpiry(
  { client, namespace, compact }: ConformanceContext,
  onExpired: ItemsOptions["onExpired"],
): Promise<{ readonly seen: string[]; readonly error: unknown }> {
  const configMaps = client.resource(ConfigMap, namespace);
  await createConfigMaps(client, namespace, 25);
  const seen: string[] = [];
  try {
    for await (const { metadata } of configMaps.items({ pageSize: 10, onExpired })) {
      seen.push(metadata.name);
      if (seen.length === 10) {
        await configMaps.create(configMap("cm-99"));
        await compact();
      }
    }
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

/** Cases for paged lists. */
export const pagination: readonly ConformanceCase[] = [
  ...[0, 9, 10, 11, 21].map(
    (count): ConformanceCase => ({
      id: `P${count < 11 ? 1 : 2}-${count}`,
      name: `items() with a pageSize of 10 yields ${count} items once and in order`,
      async run({ client, namespace }) {
        await createConfigMaps(client, namespace, count);
        const items = await collect(client.resource(ConfigMap, namespace).items({ pageSize: 10 }));
        assert.deepEqual(namesOf(items), names(0, count));
      },
    }),
  ),
  {
    id: "CHK1",
    name: "a page has at most limit items, and a continue token if more follow",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 5);
      const first = await configMaps.list({ limit: 3 });
      assert.deepEqual(namesOf(first.items), names(0, 3));
      assert.equal(first.metadata.remainingItemCount, 2);
      const second = await configMaps.list({ limit: 3, continue: first.metadata.continue });
      assert.deepEqual(namesOf(second.items), names(3, 5));
      assert.equal(second.metadata.continue, undefined);
      assert.equal(second.metadata.remainingItemCount, undefined);
    },
  },
  {
    id: "CHK2",
    name: "every page applies the selector",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 9, (index) => ({ third: String(index % 3) }));
      const configMaps = client.resource(ConfigMap, namespace);
      const items = await collect(configMaps.items({ pageSize: 2, labelSelector: { third: "1" } }));
      assert.deepEqual(namesOf(items), ["cm-01", "cm-04", "cm-07"]);
    },
  },
  {
    id: "CHK3",
    name: "the last page of custom resources has no continue token, like that of built-in kinds",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      for (const name of ["a", "b", "c"]) {
        await widgets.create({ metadata: { name } });
      }
      const items = await collect(widgets.items({ pageSize: 2 }));
      assert.deepEqual(namesOf(items), ["a", "b", "c"]);
    },
  },
  {
    id: "CHK4",
    name: "all pages show the state of the first page, and a watch from its resourceVersion misses nothing",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 4);
      const first = await configMaps.list({ limit: 2 });
      await configMaps.create(configMap("cm-02a"));
      await configMaps.delete("cm-03");
      const second = await configMaps.list({ limit: 2, continue: first.metadata.continue });
      assert.deepEqual(namesOf(second.items), ["cm-02", "cm-03"]);
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
      const { resourceVersion } = first.metadata;
      const events = await readObjects(configMaps.watch({ resourceVersion, signal }), 2);
      assert.deepEqual(typeAndName(events), ["ADDED cm-02a", "DELETED cm-03"]);
    },
  },
  {
    id: "CHK7",
    name: "a page with a selector has no remainingItemCount",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3, () => ({ app: "web" }));
      for (const selector of [{ labelSelector: "app" }, { fieldSelector: "metadata.name!=x" }]) {
        const { metadata } = await configMaps.list({ limit: 1, ...selector });
        assert.ok(metadata.continue);
        assert.equal(metadata.remainingItemCount, undefined);
      }
    },
  },
  {
    id: "CHK9",
    name: "an invalid continue token responds with BadRequest",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await expectFailure(configMaps.list({ limit: 1, continue: "garbage" }), {
        code: 400,
        reason: "BadRequest",
        message: /continue key is not valid/,
      });
    },
  },
  {
    id: "CHK16",
    name: "the server treats a negative limit as no limit",
    async run(context) {
      const { client, namespace } = context;
      await createConfigMaps(client, namespace, 2);
      const response = await contextOf(client).send({
        method: "GET",
        path: `/api/v1/namespaces/${namespace}/configmaps?limit=-1`,
        headers: { accept: "application/json" },
        mode: "call",
      });
      assert.equal(response.status, 200);
    },
  },
  {
    id: "RV13",
    name: "a resourceVersion together with a continue token is rejected",
    async run(context) {
      const { client, namespace } = context;
      await createConfigMaps(client, namespace, 2);
      const { metadata } = await client.resource(ConfigMap, namespace).list({ limit: 1 });
      const token = encodeURIComponent(metadata.continue ?? "");
      await expectRefusal(
        context,
        {
          path: `/api/v1/namespaces/${namespace}/configmaps?limit=1&continue=${token}&resourceVersion=${metadata.resourceVersion}`,
        },
        {
          code: 400,
          reason: "BadRequest",
          message: /specifying resource version is not allowed when using continue/,
        },
      );
    },
  },
  {
    id: "P3",
    name: "a continue token that expired between two pages fails with Expired",
    async run({ client, namespace, compact }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3);
      const { metadata } = await configMaps.list({ limit: 2 });
      await configMaps.create(configMap("cm-99"));
      await compact();
      const late = configMaps.list({ limit: 2, continue: metadata.continue });
      const { status } = await expectFailure(late, {
        code: 410,
        reason: "Expired",
        message: /The provided continue parameter is too old to display a consistent list result/,
      });
      const fresh = status?.metadata?.continue;
      assert.ok(fresh);
      const rest = await configMaps.list({ limit: 2, continue: fresh });
      assert.deepEqual(namesOf(rest.items), ["cm-02", "cm-99"]);
    },
  },
  {
    id: "P4",
    name: "items() can restart when its token expires, and yields nothing twice",
    async run(context) {
      const { seen, error } = await walkPastExpiry(context, "restart");
      assert.equal(error, undefined);
      assert.deepEqual(seen, [...names(0, 25), "cm-99"]);
    },
  },
  {
    id: "P5",
    name: "items() at a resourceVersion sends it with the first page only",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 12);
      const { metadata } = await configMaps.list();
      const { resourceVersion = "" } = metadata;
      for (const resourceVersionMatch of ["Exact", "NotOlderThan", undefined] as const) {
        const options = { pageSize: 5, resourceVersion, resourceVersionMatch } as ItemsOptions;
        assert.deepEqual(namesOf(await collect(configMaps.items(options))), names(0, 12));
      }
    },
  },
  {
    id: "P6",
    name: "items() yields the first page and then fails when its token expires",
    async run(context) {
      const { seen, error } = await walkPastExpiry(context, "fail");
      assert.deepEqual(seen, names(0, 10));
      assert.ok(isExpired(error));
    },
  },
  {
    id: "P7",
    name: "items() requests no further page after a break",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 12);
      const seen: string[] = [];
      for await (const { metadata } of configMaps.items({ pageSize: 5 })) {
        seen.push(metadata.name);
        if (seen.length === 3) {
          break;
        }
      }
      assert.deepEqual(seen, names(0, 3));
    },
  },
  {
    id: "P8",
    name: "items() rejects with the reason of the abort",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 12);
      const abort = new AbortController();
      const reason = new Error("enough");
      const seen: string[] = [];
      const walk = async () => {
        const configMaps = client.resource(ConfigMap, namespace);
        for await (const { metadata } of configMaps.items({ pageSize: 5, signal: abort.signal })) {
          seen.push(metadata.name);
          if (seen.length === 3) {
            abort.abort(reason);
          }
        }
      };
      await assert.rejects(walk(), reason);
      assert.ok(seen.length <= 5, `${seen.length} items after the abort`);
    },
  },
  {
    id: "P12",
    name: "items() can continue with the server's inconsistent token, at a newer state",
    async run(context) {
      const { seen, error } = await walkPastExpiry(context, "inconsistent");
      assert.equal(error, undefined);
      assert.deepEqual(seen, [...names(0, 25), "cm-99"]);
    },
  },
  {
    id: "P-garbage",
    name: "a forged continue token is rejected with the message of Go's JSON decoder",
    async run(context) {
      const texts: Readonly<Record<string, string>> = {
        xxx: "invalid character 'Ç' looking for beginning of value",
        "8J-Ygg": "invalid character 'ð' looking for beginning of value",
        eyJ: "unexpected end of JSON input",
        MTIz: "json: cannot unmarshal number into Go value of type storage.continueToken",
        e30: "server does not recognize this encoded version ",
      };
      for (const [token, why] of Object.entries(texts)) {
        const path = `/api/v1/namespaces/${context.namespace}/configmaps?limit=1&continue=${token}`;
        await expectRefusal(
          context,
          { path },
          {
            code: 400,
            reason: "BadRequest",
            message: `invalid continue token: continue key is not valid: ${why}`,
          },
        );
      }
    },
  },
];
