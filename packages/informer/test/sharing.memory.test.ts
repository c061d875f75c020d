import { setImmediate as turn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { createInformer } from "@typekube/informer";
import { expect, it } from "vitest";

it("closed informers can be collected while their client and its signal live on", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const { signal } = new AbortController();
  let collected = 0;
  const registry = new FinalizationRegistry<undefined>(() => {
    collected++;
  });
  // A separate function, since a loop keeps its last value on its stack frame.
  async function comeAndGo() {
    const indexes = { node: (pod: Pod) => [pod.spec?.nodeName ?? ""] };
    const informer = createInformer(client, Pod, { signal, indexes });
    const second = createInformer(client, Pod, { signal, view: "metadata" });
    informer.onChange({ add: () => {} }, { resyncMs: 1_000 });
    await Promise.all([informer.synced(), second.synced()]);
    registry.register(informer, undefined);
    registry.register(second, undefined);
    await Promise.all([informer.close(), second.close()]);
  }
  for (let i = 0; i < 20; i++) {
    await comeAndGo();
  }
  expect([api.openWatches, api.clock.pending]).toEqual([0, 0]);
  for (let round = 0; round < 50 && collected < 40; round++) {
    globalThis.gc?.();
    await turn();
  }
  expect(collected).toBeGreaterThanOrEqual(38);
});
