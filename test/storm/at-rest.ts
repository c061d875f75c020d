// `node --expose-gc --conditions=@typekube/source --import tsx test/storm/at-rest.ts [--informers N] [--seconds N]
// [--on embedded|real]` Measures the cost of idle informers: CPU time and heap of this process. The server runs in
// another process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startApiServer } from "@typekube/apiserver";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { ConfigMap, Namespace } from "typekube/api/core/v1";

const { values } = parseArgs({
  options: {
    informers: { type: "string", default: "100" },
    seconds: { type: "string", default: "60" },
    on: { type: "string", default: "embedded" },
    serve: { type: "boolean", default: false },
  },
});
const count = Number(values.informers);
const seconds = Number(values.seconds);
/** Share of one core that all idle informers together may use. */
const mostOfCore = 0.01;

/** A client of a server in another process. Disposing it closes both. */
interface Elsewhere extends AsyncDisposable {
  readonly client: Client;
}

async function embedded(): Promise<Elsewhere> {
  const child = fork(fileURLToPath(import.meta.url), ["--serve"], { execArgv: process.execArgv });
  const [url] = (await once(child, "message")) as [string];
  const client = await connect({ server: url });
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function real(): Promise<Elsewhere | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const client = await connect(server.connectOptions());
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function measure({ client }: Elsewhere): Promise<boolean> {
  const namespaces = Array.from({ length: count }, (_, i) => `rest-${i}`);
  for (const name of namespaces) {
    await client.resource(Namespace).create({ metadata: { name } });
    await client.resource(ConfigMap, name).create({ metadata: { name: "only" } });
  }
  const heapBefore = heapBytes();
  const informers = namespaces.map((namespace) => client.informer(ConfigMap, { namespace }));
  for (const informer of informers) {
    informer.onChange({ add: () => {} });
  }
  await Promise.all(informers.map((informer) => informer.synced()));
  // Waits until the work of starting is over.
  await sleep(2_000);
  const heapEach = (heapBytes() - heapBefore) / count;
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (performance.now() - startedAt);
  const bookmarks = informers.filter(({ health }) => (health.lagMs ?? 0) < seconds * 1_000).length;
  await Promise.all(informers.map((informer) => informer.close()));
  console.log(
    `${count} informers at rest for ${seconds} s (${values.on}): ${(share * 100).toFixed(2)} % of a core, ` +
      `${Math.round(heapEach / 1_024)} KiB of heap each; ${bookmarks} received a bookmark`,
  );
  return share < mostOfCore;
}

if (values.serve) {
  await using api = await startApiServer();
  const { server: url } = await api.listen({ tls: false, anonymous: true });
  process.send?.(url);
  await once(process, "disconnect");
} else {
  await using elsewhere = await (values.on === "real" ? real() : embedded());
  process.exitCode = elsewhere !== undefined && (await measure(elsewhere)) ? 0 : 1;
}
