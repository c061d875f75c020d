import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, sleep, systemClock } from "@typekube/core/internal";
import { connect } from "typekube";
import { fastClock, jumpingClock } from "../clocks.js";
import type { FollowerName } from "../faults/fault.js";
import { FaultProxy } from "../faults/fault-proxy.js";
import { StaleServer } from "../faults/stale-server.js";
import { Tally } from "../faults/tally.js";
import type { StormSubject, Way } from "../subject.js";

/** Factor by which the informers' clock is faster than the machine's, because their delays are minutes. */
const speed = 100;
/** Maximum milliseconds that pass at once, on the informers' clock. */
const longestPassMs = 10_000;
/** Milliseconds between two checks whether enough time has passed, on the informers' clock. */
const glanceMs = 200;
/** Milliseconds between two checks of a condition, and the time limit for it, on the machine's clock. */
const lookMs = 5;
const patienceMs = 60_000;
/** Delays that are short, but long enough that a busy machine is not mistaken for a broken server. */
const informerOptions = {
  initialEventsDeadlineMs: 120_000,
  idleMs: 60_000,
  backoff: { initialMs: 800, maxMs: 1_600 },
};
const headersTimeoutMs = 80_000;
const timeoutMs = 100_000;
/** Milliseconds of an outage per request to be refused, on the informers' clock. */
const absenceMs = 2_000;

/** A server that is reached through sockets. */
export interface SocketServer
  extends Pick<StormSubject, "compact" | "hasBookmarks" | "name" | "tidy" | "writer"> {
  readonly dial: () => Socket;
  readonly token?: string;
  readonly crash: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Returns the clock of everything around a server on sockets. */
export function socketClock(): Clock {
  return fastClock(systemClock, speed);
}

/** Starts a proxy with faults for each informer in front of a server. */
export async function socketSubject(server: SocketServer, base: Clock): Promise<StormSubject> {
  const { name, writer, dial, token, tidy, hasBookmarks } = server;
  const folder = await mkdtemp(join(tmpdir(), "typekube-storm-"));
  const struck = new Tally();
  const proxies: FaultProxy[] = [];
  const way = async (of: FollowerName, clock: Clock): Promise<Way> => {
    const requests = new Tally();
    const caFile = join(folder, `${of}.pem`);
    const proxy = await FaultProxy.listen({ dial, caFile, clock: base, struck, requests });
    proxies.push(proxy);
    const stale = new StaleServer({ struck, requests });
    const client = await connect({
      kubeconfig: await writeKubeconfig(folder, of, proxy.url, token),
      clock,
      // On the wire, events are inside TLS, chunks and gzip; their faults are injected after decoding.
      transportOptions: {
        headersTimeoutMs,
        timeoutMs,
        interceptors: [(next) => stale.wrap(next)],
      },
    });
    const onWatch = (listener: (from: string) => void) => {
      stale.onWatch = listener;
    };
    return { client, weather: stale.under(proxy), requests, informerOptions, onWatch };
  };
  const clocks = [jumpingClock(base, true), jumpingClock(base, false)] as const;
  const ways = {
    streaming: await way("streaming", clocks[0]),
    listing: await way("listing", clocks[1]),
  };
  return {
    name,
    writer,
    ways,
    struck,
    hasBookmarks,
    tidy,
    compact: () => server.compact(),
    crash: async (refused) => {
      for (const proxy of proxies) {
        proxy.vanish();
      }
      await server.crash();
      await sleep(base, refused * absenceMs);
      await Promise.all(proxies.map((proxy) => proxy.comeBack()));
    },
    swapCertificate: async (refused) => {
      for (const proxy of proxies) {
        proxy.swapCertificate(refused);
      }
    },
    jumpClock: (ms) => {
      for (const clock of clocks) {
        clock.jump(ms);
      }
    },
    pass: async (ms, isEnough) => {
      if (isEnough === undefined) {
        return sleep(base, Math.min(ms, longestPassMs));
      }
      const end = base.now() + ms;
      for (let left = end - base.now(); left > 0 && !isEnough(); left = end - base.now()) {
        await sleep(base, Math.min(left, glanceMs));
      }
    },
    until: async (condition) => {
      const deadline = performance.now() + patienceMs;
      while (!condition() && performance.now() < deadline) {
        await sleep(systemClock, lookMs);
      }
      // Handlers are called a moment later.
      await new Promise((resolve) => setImmediate(resolve));
      return condition();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
      await writer.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Writes a kubeconfig that names the CA file, so that the client reloads it. */
async function writeKubeconfig(
  folder: string,
  name: string,
  server: string,
  token: string | undefined,
): Promise<string> {
  const path = join(folder, `${name}.kubeconfig`);
  const config = {
    "current-context": name,
    clusters: [{ name, cluster: { server, "certificate-authority": join(folder, `${name}.pem`) } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
