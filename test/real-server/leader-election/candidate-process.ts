// A candidate in a process of its own: while it leads it writes a ConfigMap every 20 ms, and prints a line whenever a
// write is about to be sent. Ends on SIGTERM.
import { writeSync } from "node:fs";
import { ConfigMap } from "@typekube/api/core/v1";
import { withCallScope } from "@typekube/core/internal";
import { connect, mergePatch } from "typekube";
import { startElector } from "typekube/controller";

const { identity, timings, connection } = JSON.parse(process.env["CANDIDATE"] ?? "{}");
const client = await connect(connection);
const configMaps = client.resource(ConfigMap, "default");
const elector = await startElector(client, {
  name: "processes",
  namespace: "default",
  identity,
  ...timings,
  onError: () => {},
});
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());

/** Prints one line at once: the process may be killed at any moment. The monotonic clock is the machine's. */
function print(event: object): void {
  const atMs = Number(process.hrtime.bigint() / 1_000n) / 1_000;
  writeSync(1, `${JSON.stringify({ at: atMs, who: identity, ...event })}\n`);
}

print({ event: "started" });
while (!stopping.signal.aborted) {
  let leadership: Awaited<ReturnType<typeof elector.acquired>>;
  try {
    leadership = await elector.acquired(stopping.signal);
  } catch {
    elector.rejoin();
    continue;
  }
  const { fence } = leadership;
  const { beforeSend, ...scope } = fence.scope();
  print({ event: "leads", token: fence.token });
  const trace: typeof beforeSend = (request) => {
    beforeSend?.(request);
    print({ event: "sends", token: fence.token, ageMs: timings.renewDeadlineMs - fence.leftMs() });
  };
  while (fence.isHeld && !stopping.signal.aborted) {
    const patch = mergePatch({ data: { leader: identity } });
    await withCallScope({ ...scope, beforeSend: trace }, () =>
      configMaps.patch("work", patch).catch(() => {}),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
await elector.close();
await client.close();
