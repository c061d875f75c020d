import type { KubeObject } from "@typekube/api";
import { createVirtualClock, type VirtualClock } from "@typekube/apiserver";
import type { ListOptions, WatchOptions } from "@typekube/client";
import { type ListPart, sleep, type WireWatchEvent } from "@typekube/core/internal";
import { Informer } from "@typekube/informer";
import { SharedCache, type WatchSource } from "@typekube/informer/internal";
import { expect, it } from "vitest";
import { pod } from "./scripted-source.js";
import { bookmark, errorEvent, failure, status } from "./wire-events.js";

/** One write, as its watch event. Its place in the history is its resourceVersion. */
type Write = WireWatchEvent & { readonly object: KubeObject };

/** Returns a generator of numbers from 0 to `below` - 1 that a seed determines. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const tooLarge = (requested: number, current: number) =>
  status(504, "Timeout", `Timeout: Too large resource version: ${requested}, current: ${current}`);

/**
 * Two API servers over one history behind one address: each request goes to either. Each server lags behind the store
 * by a number of writes; only a read without a resourceVersion waits for the newest state, as consistent reads do.
 */
class TwoServers implements WatchSource {
  readonly history: Write[] = [];
  readonly lags = [0, 0];
  staleResponses = 0;
  requests = 0;
  readonly #clock: VirtualClock;
  readonly #random: (below: number) => number;

  constructor(clock: VirtualClock, random: (below: number) => number) {
    this.#clock = clock;
    this.#random = random;
  }

  async descriptor() {
    return { kind: "Pod", plural: "pods" };
  }

  write(): void {
    const version = this.history.length + 1;
    const name = `p${this.#random(6)}`;
    const known = this.stateAt(version).get(name);
    const uid = known?.metadata?.uid ?? `${name}-${version}`;
    const type = known === undefined ? "ADDED" : this.#random(3) === 0 ? "DELETED" : "MODIFIED";
    this.history.push({ type, object: pod(name, version, { uid }) });
  }

  stateAt(version: number): Map<string, KubeObject> {
    const state = new Map<string, KubeObject>();
    for (const { type, object } of this.history.slice(0, version)) {
      const name = object.metadata?.name ?? "";
      if (type === "DELETED") {
        state.delete(name);
      } else {
        state.set(name, object);
      }
    }
    return state;
  }

  /** Chooses the server of a request; returns a function for the resourceVersion that it has reached. */
  #serve(): () => number {
    this.requests++;
    const server = this.#random(2);
    return () => Math.max(0, this.history.length - (this.lags[server] ?? 0));
  }

  async *listParts({ resourceVersion = "" }: ListOptions): AsyncIterable<ListPart> {
    const seen = this.#serve()();
    const version = resourceVersion === "" ? this.history.length : seen;
    if (Number(resourceVersion) > seen) {
      throw failure(504, "Timeout", tooLarge(Number(resourceVersion), seen).message);
    }
    this.staleResponses += version < this.history.length ? 1 : 0;
    yield {
      apiVersion: "v1",
      kind: "PodList",
      metadata: { resourceVersion: String(version || 1) },
      items: [...this.stateAt(version).values()],
    };
  }

  async *watchBatches(options: WatchOptions): AsyncIterable<readonly WireWatchEvent[]> {
    const seen = this.#serve();
    const signal = options.signal as AbortSignal;
    let at = Number(options.resourceVersion ?? 0);
    if (options.sendInitialEvents) {
      if (at > seen()) {
        yield [errorEvent(tooLarge(at, seen()))];
        return;
      }
      at = options.resourceVersion === undefined ? this.history.length : seen();
      const initial = [...this.stateAt(at).values()].map(
        (object) => ({ type: "ADDED", object }) as const,
      );
      this.staleResponses += at < this.history.length ? 1 : 0;
      yield [...initial, bookmark(at || 1, "true")];
    }
    const ends = this.#random(12);
    for (let steps = 0; ; steps++) {
      await sleep(this.#clock, 1_000, signal);
      if (steps === ends) {
        const outcome = this.#random(3);
        if (outcome === 0) {
          yield [errorEvent(status(410, "Expired"))];
        }
        return;
      }
      const news = this.history.slice(at, Math.max(at, seen()));
      at += news.length;
      // A server repeats events now and then, and its bookmark is at its own resourceVersion, which may be older than
      // `at`.
      const again = this.#random(6) === 0 ? this.history.slice(Math.max(0, at - 3), at) : [];
      if (news.length + again.length > 0) {
        yield [...again, ...news];
      }
      if (this.#random(5) === 0) {
        yield [bookmark(Math.max(1, seen()))];
      }
    }
  }
}

it("RV21, RV23, RV29, R9: two lagging servers behind one address: nothing goes back, the end is right (100 seeds)", async () => {
  const received = { requests: 0, staleResponses: 0, staleEvents: 0, changes: 0 };
  for (let seed = 1; seed <= 100; seed++) {
    for (const streamingList of [false, true]) {
      const random = randomOf(seed);
      const clock = createVirtualClock();
      const source = new TwoServers(clock, random);
      for (let i = 0; i < 10; i++) {
        source.write();
      }
      const options = { streamingList, random: () => random(100) / 100 };
      const cache = new SharedCache<KubeObject>(source, options, clock);
      const informer = new Informer(cache, options);
      const newest = new Map<string, number>();
      let version = 0;
      const look = (object: KubeObject) => {
        const { name = "", resourceVersion } = object.metadata ?? {};
        received.changes++;
        // A missed deletion arrives with the last known state.
        expect([seed, Number(resourceVersion) >= (newest.get(name) ?? 0)]).toEqual([seed, true]);
        newest.set(name, Number(resourceVersion));
      };
      informer.onChange({ add: look, update: look, replaced: look, delete: look });
      for (let step = 0; step < 60; step++) {
        source.lags[0] = random(3);
        source.lags[1] = random(15);
        source.write();
        await clock.advance(1_000);
        const now = Number(informer.resourceVersion);
        expect([seed, step, now >= version]).toEqual([seed, step, true]);
        version = now;
        for (const { metadata } of informer.list()) {
          const shown = Number(metadata.resourceVersion);
          expect([seed, step, shown >= (newest.get(metadata.name) ?? 0)]).toEqual([
            seed,
            step,
            true,
          ]);
        }
      }
      source.lags.fill(0);
      source.write();
      await clock.advance(300_000);
      const content = informer
        .list()
        .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
      const expected = [...source.stateAt(source.history.length)].map(
        ([name, { metadata }]) => `${name}@${metadata?.resourceVersion}`,
      );
      expect([seed, content.sort()]).toEqual([seed, expected.sort()]);
      received.requests += source.requests;
      received.staleResponses += source.staleResponses;
      received.staleEvents += informer.health.staleEvents;
      await informer.close();
    }
  }
  console.log(`two servers: ${JSON.stringify(received)}`);
  expect(received.staleResponses).toBeGreaterThan(100);
  expect(received.staleEvents).toBeGreaterThan(100);
});
