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

/** Milliseconds of the informers that pass in one of the machine's: their waits are minutes. */
const speed = 100;
/** The longest time that is let pass at once, in milliseconds of the informers. */
const longestPassMs = 10_000;
/** Milliseconds of the informers between two looks whether enough time has passed. */
const glanceMs = 200;
/** Milliseconds of the machine between two looks whether something holds, and until it must. */
const lookMs = 5;
const patienceMs = 60_000;
/** Waits that end soon, but not so soon that a busy machine looks like a broken server. */
const informerOptions = {
  initialEventsDeadlineMs: 120_000,
  idleMs: 60_000,
  backoff: { initialMs: 800, maxMs: 1_600 },
};
const headersTimeoutMs = 80_000;
const timeoutMs = 100_000;
/** Milliseconds of the informers for which nobody is there after a crash, for each request that is to be refused. */
const absenceMs = 2_000;

/** A server behind sockets. */
export interface SocketServer
  extends Pick<StormSubject, "compact" | "hasBookmarks" | "name" | "tidy" | "writer"> {
  readonly dial: () => Socket;
  readonly token?: string;
  readonly crash: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The clock of everything around a server on sockets. */
export function socketClock(): Clock {
  return fastClock(systemClock, speed);
}

/** A server, and a proxy of bad weather for each informer in front of it. */
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
      // Events stand inside of TLS, chunks and gzip on the wire: theirs is the place behind all of it.
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
      // What a handler is told comes a moment later.
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

/** A kubeconfig that names the file of authorities, so that it is followed. */
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
