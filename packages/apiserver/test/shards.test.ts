import { startApiServer } from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";

const configMaps = "/api/v1/namespaces/default/configmaps";
const half = "0x8000000000000000";
const first = `shardRange(object.metadata.uid, '0x0000000000000000', '${half}')`;
const second = `shardRange(object.metadata.uid, '${half}', '0x10000000000000000')`;

async function serverOf(count: number, ShardedListAndWatch = true) {
  const api = await startApiServer({ featureGates: { ShardedListAndWatch } });
  for (let index = 0; index < count; index++) {
    await call(api, "POST", configMaps, { metadata: { name: `a${index}` } });
  }
  const list = async (selector: string, more = "") =>
    (await call(api, "GET", `${configMaps}?shardSelector=${encodeURIComponent(selector)}${more}`))
      .body;
  return { api, list };
}

const names = ({ items }: Json) => items.map(({ metadata }: Json) => metadata.name);

it("ES31: shards: two halves contain every object once, in lists, pages and watches", async () => {
  const { api, list } = await serverOf(40);
  const [low, high] = [await list(first), await list(second)];
  expect(names(low).length).toBeGreaterThan(5);
  expect([...names(low), ...names(high)].sort()).toEqual(names(await list("")).sort());
  expect(low.metadata.shardInfo).toEqual({ selector: first });
  expect(names(await list(`${first} || ${second}`)).length).toBe(40);

  const page = await list(first, "&limit=2");
  expect(page.metadata.remainingItemCount).toBeUndefined();
  const rest = await list(first, `&continue=${page.metadata.continue}`);
  expect([...names(page), ...names(rest)]).toEqual(names(low));

  const initial = "&watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  const watch = await api.send({
    method: "GET",
    path: `${configMaps}?shardSelector=${encodeURIComponent(first)}${initial}`,
    headers: {},
    mode: "stream",
  });
  const seen: string[] = [];
  for await (const chunk of watch.body) {
    const lines = Buffer.from(chunk).toString().trim().split("\n");
    seen.push(...lines.map((line) => JSON.parse(line).object.metadata.name));
    if (seen.length >= names(low).length) {
      break;
    }
  }
  expect(seen).toEqual(names(low));
  await api.close();
});

it("ES31: shards: rejects an invalid selector with the message of 1.37.1", async () => {
  const { api, list } = await serverOf(0);
  const range = (field: string, start = "0x0000000000000000", end = half) =>
    `shardRange(${field}, '${start}', '${end}')`;
  const uid = "object.metadata.uid";
  const refusals: readonly (readonly [string, string])[] = [
    ["x", "unexpected expression kind 3; expected shardRange() call or || operator"],
    ["[1]", "unexpected expression kind 4; expected shardRange() call or || operator"],
    ["{'a': 1}", "unexpected expression kind 6; expected shardRange() call or || operator"],
    [uid, "unexpected expression kind 7; expected shardRange() call or || operator"],
    ["1 + 2", 'unsupported function "_+_"; only shardRange() and || are allowed'],
    [`!${first}`, 'unsupported function "!_"; only shardRange() and || are allowed'],
    [`${first} && ${second}`, 'unsupported function "_&&_"; only shardRange() and || are allowed'],
    ["shardRange(a)", "shardRange() requires exactly 3 arguments, got 1"],
    [
      range("object.metadata.name"),
      'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
    ],
    [
      range("1"),
      "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5",
    ],
    [
      range(uid, "0x0"),
      'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)',
    ],
    [range(uid, "8000000000000000"), "hexStart must have '0x' prefix, got \"8000000000000000\""],
    [range(uid, "0x"), "hexStart: hex value is required after '0x'"],
    [
      range(uid, "0x000000000000000g"),
      'hexStart: invalid hex character "g" in "0x000000000000000g"',
    ],
    [
      range(uid, half, "0x20000000000000000"),
      "hexEnd: 17-digit hex value must be '0x10000000000000000' (2^64), got \"0x20000000000000000\"",
    ],
    [range(uid, half, half), `shard range start ${half} must be less than end ${half}`],
    [`shardRange(${uid}, 0, 5)`, "hexStart must be a string literal, got int64"],
    [
      `shardRange(${uid}, '${half}', x)`,
      "hexEnd must be a string literal (e.g. '0xff'), got expression kind 3",
    ],
    [
      `${first} || ${range("object.metadata.namespace")}`,
      'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
    ],
  ];
  for (const [selector, why] of refusals) {
    const { code, reason, message } = await list(selector);
    expect([selector, code, reason, message]).toEqual([
      selector,
      500,
      undefined,
      `invalid shard selector: ${why}`,
    ]);
  }
  expect((await list("a b")).message).toBe(
    "invalid shard selector: CEL parse error: Syntax error: extraneous input 'b' expecting <EOF>",
  );
  // The server returns the selector in canonical form.
  const loose = ` ( object.shardRange(object.metadata.uid,"0x0000000000000000",'${half}') ) `;
  expect((await list(loose)).metadata.shardInfo.selector).toBe(first);
  await api.close();
});

it("ES31: shards: informers of three shards see each object once, and each receives only its own shard", async () => {
  const { api } = await serverOf(60);
  await using client = await api.client({ namespace: "default" });
  const parts = [0, 1, 2].map((index) =>
    client.informer(ConfigMap, { namespace: "default", shard: { index, count: 3 } }),
  );
  await Promise.all(parts.map((informer) => informer.synced()));
  const seen = parts.flatMap((informer) => informer.list().map(({ metadata }) => metadata.name));
  expect(seen.sort()).toEqual(names((await call(api, "GET", configMaps)).body));
  const watches = api.requests.filter(
    ({ verb, path }) => verb === "watch" && /shardSelector/.test(path),
  );
  expect(watches.length).toBe(3);
  await api.close();
});

it("ES31: shards: ignores the parameter with the gate off", async () => {
  const { api, list } = await serverOf(4, false);
  const all = await list("nonsense");
  expect(names(all).length).toBe(4);
  expect(all.metadata.shardInfo).toBeUndefined();
  await api.close();
});
