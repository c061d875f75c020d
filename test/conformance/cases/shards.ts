import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const half = "0x8000000000000000";
const uid = "object.metadata.uid";
const range = (start: string, end: string, field = uid) =>
  `shardRange(${field}, '${start}', '${end}')`;
const first = range("0x0000000000000000", half);
const second = range(half, "0x10000000000000000");

interface ListResponse {
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly shardInfo?: { readonly selector: string };
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Creates enough objects for both halves to have some. */
async function fill({ client, namespace }: ConformanceContext): Promise<readonly string[]> {
  const names = Array.from({ length: 24 }, (_, index) => `shard-${String(index).padStart(2, "0")}`);
  for (const name of names) {
    await client.resource(ConfigMap, namespace).create({ metadata: { name } });
  }
  return names;
}

const list = async (context: ConformanceContext, selector: string, more = "") => {
  const path = `/api/v1/namespaces/${context.namespace}/configmaps?shardSelector=${encodeURIComponent(selector)}${more}`;
  return rawRequest(context, { path });
};
const namesIn = (response: ListResponse) => response.items.map(({ metadata }) => metadata.name);

/** Cases for shards of collections by a hash of the uid or the namespace (gate ShardedListAndWatch). */
export const shards: readonly ConformanceCase[] = [
  {
    id: "SHD-list",
    name: "two shards contain every object once, and each list names its shard",
    async run(context) {
      const names = await fill(context);
      const low = (await list(context, first)).json<ListResponse>();
      const high = (await list(context, second)).json<ListResponse>();
      const both = [...namesIn(low), ...namesIn(high)].filter((name) => name.startsWith("shard-"));
      assert.deepEqual(both.sort(), names);
      assert.equal(low.metadata.shardInfo?.selector, first);
      const all = (await list(context, `${first}||${second}`)).json<ListResponse>();
      assert.equal(namesIn(all).length, namesIn(low).length + namesIn(high).length);
      assert.equal(all.metadata.shardInfo?.selector, `${first} || ${second}`);
    },
  },
  {
    id: "SHD-pages",
    name: "pages contain only the shard, and have no remainingItemCount",
    async run(context) {
      await fill(context);
      const whole = (await list(context, first)).json<ListResponse>();
      const page = (await list(context, first, "&limit=2")).json<ListResponse>();
      assert.equal(page.metadata.remainingItemCount, undefined);
      const token = encodeURIComponent(page.metadata.continue ?? "");
      const rest = (await list(context, first, `&continue=${token}`)).json<ListResponse>();
      assert.deepEqual([...namesIn(page), ...namesIn(rest)], namesIn(whole));
    },
  },
  {
    id: "SHD-watch",
    name: "a watch returns only objects of the shard",
    async run(context) {
      const { client, namespace, signal } = context;
      await fill(context);
      const own = namesIn((await list(context, first)).json<ListResponse>());
      const configMaps = client.resource(ConfigMap, namespace);
      const seen: string[] = [];
      const options = {
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: true,
        shardSelector: first,
        signal,
      } as const;
      for await (const event of configMaps.watch(options)) {
        if (event.type === "BOOKMARK") {
          break;
        }
        seen.push(event.object.metadata.name);
      }
      assert.deepEqual(seen, own);
    },
  },
  {
    id: "SHD-refused",
    name: "an invalid shard selector is rejected with the reason",
    async run(context) {
      const refusals: readonly (readonly [string, string])[] = [
        ["x", "unexpected expression kind 3; expected shardRange() call or || operator"],
        [`!${first}`, 'unsupported function "!_"; only shardRange() and || are allowed'],
        [
          `${first}&&${second}`,
          'unsupported function "_&&_"; only shardRange() and || are allowed',
        ],
        ["shardRange(a)", "shardRange() requires exactly 3 arguments, got 1"],
        [
          range("0x0000000000000000", half, "object.metadata.name"),
          'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
        ],
        [
          range("0x0", half),
          'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)',
        ],
        [
          range(half, "0x000000000000000g"),
          'hexEnd: invalid hex character "g" in "0x000000000000000g"',
        ],
        [range(half, half), `shard range start ${half} must be less than end ${half}`],
        [`shardRange(${uid}, 0, 5)`, "hexStart must be a string literal, got int64"],
        [
          `${first} || ${range("0x0000000000000000", half, "object.metadata.namespace")}`,
          'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
        ],
        ["a b", "CEL parse error: Syntax error: extraneous input 'b' expecting <EOF>"],
      ];
      for (const [selector, why] of refusals) {
        const { status, json } = await list(context, selector);
        const { message } = json<{ message: string }>();
        assert.deepEqual([status, message], [500, `invalid shard selector: ${why}`]);
      }
    },
  },
];
