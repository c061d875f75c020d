import { setImmediate as turn } from "node:timers/promises";
import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { createInformer, type InformerOptions } from "@typekube/informer";
import { expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, ScriptedSource } from "./scripted-source.js";

const namespace = "default";

it.each<[string, InformerOptions<ConfigMap>]>([
  ["with a streaming list", {}],
  ["with a paged list", { streamingList: false, pageSize: 1 }],
])(
  "N16: closing an informer that starts %s, at any moment, leaves no call, error or request, and another one syncs",
  async (_, options) => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    const configMaps = client.resource(ConfigMap, namespace);
    for (const name of ["a", "b", "c"]) {
      await configMaps.create({ metadata: { name } });
    }
    const failures: unknown[] = [];
    let runs = 0;
    const slow = async () => {
      runs++;
      await turn();
      runs++;
    };
    for (let moment = 0; moment < 40; moment++) {
      const informer = createInformer(client, ConfigMap, {
        ...options,
        namespace,
        onError: (error) => failures.push(error),
      });
      informer.onChange({ add: slow, update: slow, delete: slow }, { resyncMs: 1_000 });
      const write = moment % 4 === 3 ? configMaps.create({ metadata: { name: `n${moment}` } }) : 0;
      for (let i = 0; i < moment; i++) {
        await (i % 3 === 0 ? turn() : undefined);
      }
      await Promise.all([informer.close(), informer.close()]);
      expect([moment, informer.health.state]).toEqual([moment, "stopped"]);
      const before = [runs, api.openWatches];
      await write;
      const requested = api.requests.length;
      await configMaps.create({ metadata: { name: `m${moment}` } });
      await api.clock.advance(5_000);
      expect([moment, runs, api.openWatches]).toEqual([moment, ...before]);
      expect([api.openWatches, api.requests.length, failures]).toEqual([0, requested + 1, []]);
    }
    await using again = createInformer(client, ConfigMap, { namespace });
    await again.synced();
    expect(again.list()).toHaveLength(3 + 40 + 10);
  },
);

it("N16: close() resolves when the request has ended, however long that takes", async () => {
  const source = new ScriptedSource({ lists: [list(1)] });
  const usual = source.watchBatches.bind(source);
  let isGone = false;
  source.watchBatches = async function* (options) {
    try {
      yield* usual(options);
    } finally {
      await turn();
      isGone = true;
    }
  };
  const { informer, settle } = observe(source);
  await settle();
  await informer.close();
  expect(isGone).toBe(true);
});
