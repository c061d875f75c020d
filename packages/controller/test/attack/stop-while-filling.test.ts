import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";

test("a stop while a leader's caches fill is no failure", async () => {
  const api: ApiServer<VirtualClock> = await startApiServer({ clock: "virtual", seed: 1 });
  const client = await api.client();
  api.fault({ resource: "configmaps", status: 500, times: Infinity });
  const manager = await startManager(client, {
    controllers: [defineController(ConfigMap, { reconcile() {} })],
    leaderElection: { name: "operator", namespace: "default", warm: false },
    log() {},
    random: () => 0,
  });
  await api.clock.advance(3_000);
  const done = expect(manager.done).resolves.toBeUndefined();
  await manager.stop();
  await done;
  await client.close();
  await api.close();
});
