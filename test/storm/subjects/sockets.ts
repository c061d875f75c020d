import type { Socket } from "node:net";
import { type Clock, sleep, systemClock } from "@typekube/core";
import { connect } from "typekube";
import { fastClock, jumpingClock } from "../clocks.js";
import { FaultProxy, proxyAuthority } from "../faults/fault-proxy.js";
import { StaleServer } from "../faults/stale-server.js";
import { Tally } from "../faults/tally.js";
import type { StormSubject, Way } from "../subject.js";

/** Milliseconds of the informers that pass in one of the machine's: their waits are minutes. */
const speed = 100;
/** The longest time that is let pass at once, in milliseconds of the informers. */
const longestPassMs = 10_000;
/** Milliseconds of the machine between two looks whether something holds, and until it must. */
const lookMs = 5;
const patienceMs = 60_000;
/** Waits that end soon, but not so soon that a busy machine looks like a broken server. */
const informerOptions = {
  initialEventsDeadlineMs: 300_000,
  idleMs: 60_000,
  backoff: { initialMs: 800, maxMs: 6_000 },
};
const headersTimeoutMs = 150_000;

/** A server behind sockets. */
export interface SocketServer extends Pick<StormSubject, "compact" | "name" | "tidy" | "writer"> {
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
  const { name, writer, dial, token, tidy } = server;
  const clock = jumpingClock(base);
  const struck = new Tally();
  const proxies: FaultProxy[] = [];
  const way = async (): Promise<Way> => {
    const requests = new Tally();
    const proxy = await FaultProxy.listen({ dial, clock: base, struck, requests });
    proxies.push(proxy);
    const stale = new StaleServer({ struck, requests });
    const client = await connect({
      server: proxy.url,
      ca: proxyAuthority,
      clock,
      // Events stand inside of TLS, chunks and gzip on the wire: theirs is the place behind all of it.
      transportOptions: { headersTimeoutMs, interceptors: [(next) => stale.wrap(next)] },
      ...(token === undefined ? {} : { token }),
    });
    return { client, weather: stale.under(proxy), requests, informerOptions };
  };
  const ways = { streaming: await way(), listing: await way() };
  return {
    name,
    writer,
    ways,
    struck,
    tidy,
    compact: () => server.compact(),
    crash: async (refused) => {
      for (const proxy of proxies) {
        proxy.refuse(refused, "ConnectionRefused");
      }
      await server.crash();
    },
    swapCertificate: async (refused) => {
      for (const proxy of proxies) {
        proxy.refuse(refused, "Tls");
      }
    },
    jumpClock: (ms) => clock.jump(ms),
    pass: (ms) => sleep(base, Math.min(ms, longestPassMs)),
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
    },
  };
}
