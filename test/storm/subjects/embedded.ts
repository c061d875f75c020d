import { type JournalEntry, startApiServer } from "@typekube/apiserver";
import { type Clock, codecs, intercept } from "@typekube/core/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { retry } from "@typekube/transport/internal";
import { connect } from "typekube";
import { jumpingClock } from "../clocks.js";
import { FaultLayer } from "../faults/fault-layer.js";
import { StaleServer } from "../faults/stale-server.js";
import { Tally } from "../faults/tally.js";
import type { StormSubject, Way } from "../subject.js";

/** Virtual milliseconds per step while waiting, and their maximum. */
const stepMs = 1_000;
const patienceMs = 3_600_000;
/** Number of events in the server's history: few, so that the resourceVersion of a slow reader expires. */
const historyLimit = 500;

/** Starts the embedded server in process on a virtual clock: the same plan gives the same storm, byte for byte. */
export async function embeddedSubject(seed: number): Promise<StormSubject> {
  // Loading on demand takes real time, which would change the storm.
  await Promise.all([codecs.protobuf, codecs.cbor].map((codec) => codec.prepare?.()));
  const api = await startApiServer({ clock: "virtual", seed, historyLimit });
  const struck = new Tally();
  const layers: FaultLayer[] = [];
  const way = async (clock: Clock): Promise<Way> => {
    const requests = new Tally();
    const stale = new StaleServer({ struck, requests });
    const layer = new FaultLayer(api.send, { clock: api.clock, struck, requests });
    layers.push(layer);
    // Retries as a transport on sockets does.
    const random = randomFrom(seed);
    const attempts = retry({ maxRetries: 2, timeoutMs: 300_000, clock, random });
    // Outermost: if a body were cut between two swapped events, the client could not notice the missing one.
    const send = intercept(layer.send, [(next) => stale.wrap(next), attempts]);
    const client = await connect({ transport: { ...api, send }, clock });
    const onWatch = (listener: (from: string) => void) => {
      stale.onWatch = listener;
    };
    return { client, weather: stale.under(layer), requests, onWatch };
  };
  const clocks = [jumpingClock(api.clock, true), jumpingClock(api.clock, false)] as const;
  const ways = { streaming: await way(clocks[0]), listing: await way(clocks[1]) };
  const writer = await connect({ transport: api, clock: api.clock });
  return {
    name: "the embedded server in process",
    writer,
    ways,
    struck,
    hasBookmarks: true,
    compact: async () => {
      api.dropWatches();
      api.compact();
    },
    crash: async (refused) => {
      api.dropWatches();
      for (const layer of layers) {
        layer.refuse(refused, "ConnectionRefused");
      }
    },
    swapCertificate: async (refused) => {
      for (const layer of layers) {
        layer.refuse(refused, "Tls");
      }
    },
    jumpClock: (ms) => {
      for (const clock of clocks) {
        clock.jump(ms);
      }
    },
    pass: (ms) => api.clock.advance(ms),
    until: async (condition) => {
      for (let passed = 0; !condition() && passed < patienceMs; passed += stepMs) {
        await api.clock.advance(stepMs);
      }
      // Handlers are called a moment later.
      await api.clock.advance(0);
      return condition();
    },
    get timers() {
      return api.clock.pending;
    },
    tidy: () => {
      (api.requests as JournalEntry[]).length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      await writer.close();
      await api.close();
    },
  };
}
