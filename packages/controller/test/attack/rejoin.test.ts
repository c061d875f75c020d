import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { gate } from "../shop-test.js";

test("a run that lost the leadership is made up for when the same process leads again", async () => {
  const api: ApiServer<VirtualClock> = await startApiServer({ clock: "virtual", seed: 1 });
  const client = await api.client();
  let begun = 0;
  let ended = 0;
  const first = gate();
  const controller = defineController(
    { kind: ConfigMap, labelSelector: "own=yes" },
    {
      async reconcile(_, run) {
        begun++;
        if (begun === 1) {
          const aborted = gate();
          run.signal.addEventListener("abort", () => aborted.open());
          first.open();
          await aborted.passed;
          run.signal.throwIfAborted();
        }
        ended++;
      },
    },
  );
  const manager = await startManager(client, {
    controllers: [controller],
    leaderElection: { name: "operator", namespace: "default", onLost: "rejoin" },
    log() {},
    random: () => 0,
  });
  await api.settled();
  const labels = { own: "yes" };
  await client.resource(ConfigMap, "default").create({ metadata: { name: "c1", labels } });
  await first.passed;
  const fault = api.fault({ resource: "leases", status: 500, times: Infinity });
  await api.clock.advance(12_000);
  fault.remove();
  await api.clock.advance(60_000);
  await api.settled();
  expect(begun).toBe(2);
  expect(ended).toBe(1);
  await manager.stop();
  await client.close();
  await api.close();
});
