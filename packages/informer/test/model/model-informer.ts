import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import type { VirtualClock } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import {
  Informer,
  type InformerIndex,
  objectKey,
  type Shard,
  shardFilter,
} from "@typekube/informer";
import type { SharedCache } from "@typekube/informer/internal";
import type { Setting, Step } from "./model-plan.js";
import type { ModelServer, Thing } from "./model-server.js";
import { contentOf, indexes, indexProblems } from "./model-view.js";
import { ReadingCursor } from "./reading-cursor.js";
import { passes, RebuildingHandler, show } from "./rebuilding-handler.js";

/** Recorded writes are checked for as long as they replace cached objects. */
const mutationTtlMs = 60_000;

/** Returns the cache of a shard, or creates it. */
export type CacheOf = (shard: Shard | undefined, notOlderThan?: string) => SharedCache<Thing>;

/** One informer with all its subscribers, and what they are expected to show. */
export class ModelInformer {
  readonly #setting: Setting;
  readonly #server: ModelServer;
  readonly #clock: VirtualClock;
  readonly #informer: Informer<Thing>;
  readonly #found: string[] = [];
  readonly #handlers: RebuildingHandler[] = [];
  readonly #cursors: ReadingCursor[] = [];
  readonly #indexes = new Map<number, InformerIndex<Thing>>();
  readonly #own = new Map<string, { readonly written: Live<Thing>; readonly at: number }>();

  constructor(server: ModelServer, clock: VirtualClock, setting: Setting, cacheOf: CacheOf) {
    this.#server = server;
    this.#clock = clock;
    this.#setting = setting;
    const options = { mutationTtlMs, ...(setting.selects ? { labelSelector: "chosen=true" } : {}) };
    this.#informer = new Informer<Thing>(cacheOf(undefined), options, cacheOf);
  }

  /** The resourceVersion that the informer shows. */
  get version(): number {
    return Number(this.#informer.resourceVersion);
  }

  /** Returns the problems found since the last call. */
  problems(): string[] {
    const readers = [...this.#handlers, ...this.#cursors.map(({ rebuilt }) => rebuilt)];
    return [...this.#found.splice(0), ...readers.flatMap(({ problems }) => problems.splice(0))];
  }

  async close(): Promise<void> {
    for (const handler of this.#handlers) {
      handler.isFree = true;
      handler.release();
    }
    await this.#informer.close();
  }

  /** Runs a step that concerns this informer. */
  async take(step: Step): Promise<void> {
    const informer = this.#informer;
    switch (step.do) {
      case "handler":
        return this.#addHandler(new RebuildingHandler(step.manner, step.filter), step.maxQueued);
      case "release":
        return chosen(this.#handlers, step.which)?.release();
      case "remove":
        return this.#removeHandler(step.which);
      case "resync": {
        const handler = chosen(this.#handlers, step.which);
        if (handler !== undefined) {
          handler.isResynced = true;
          handler.handle?.resync();
        }
        return;
      }
      case "cursor":
        this.#cursors.push(new ReadingCursor(informer.changes()));
        return;
      case "read":
        return chosen(this.#cursors, step.which)?.read(step.times);
      case "stop": {
        const [cursor] = this.#cursors.splice(step.which % Math.max(1, this.#cursors.length), 1);
        return cursor?.stop();
      }
      case "index":
        if (!this.#indexes.has(step.of)) {
          const valuesOf = indexes[step.of] as (object: Live<Thing>) => string[];
          this.#indexes.set(step.of, informer.addIndex(`index${step.of}`, valuesOf));
        }
        return;
      case "unindex": {
        const of = step.which % indexes.length;
        this.#indexes.get(of)?.remove();
        this.#indexes.delete(of);
        return;
      }
      case "reshard":
        return this.#reshard(step);
      case "caughtUp":
        return this.#catchUp();
      default:
    }
  }

  /** Records a write with `mutated`. */
  mutated(written: Live<Thing>): void {
    this.#informer.mutated(written);
    // A write outside the shard is ignored: it does not cover an earlier deletion.
    if (this.#isInPart(written)) {
      this.#own.set(objectKey(written), { written, at: this.#clock.now() });
    }
  }

  #addHandler(handler: RebuildingHandler, maxQueued: number): void {
    const filter = handler.isFiltered ? { filter: passes } : {};
    handler.handle = this.#informer.onChange(handler.handler, { maxQueued, ...filter });
    this.#handlers.push(handler);
    handler.handle.synced().then(
      () => {
        handler.isSynced = true;
      },
      () => {},
    );
  }

  #removeHandler(which: number): void {
    const handler = chosen(this.#handlers, which);
    if (handler !== undefined) {
      this.#handlers.splice(this.#handlers.indexOf(handler), 1);
      const removed = handler.handle?.remove();
      handler.isFree = true;
      handler.release();
      void removed?.then(() => {
        handler.isRemoved = true;
      });
      this.#found.push(...handler.problems);
    }
  }

  #reshard({ count, index }: Shard): void {
    const shard = count === 1 ? undefined : { count, index };
    this.#informer.reshard(shard).catch((error: KubeError) => {
      if (error.code !== "Aborted" && error.code !== "Closed") {
        this.#found.push(`reshard: ${error.message}`);
      }
    });
  }

  #catchUp(): void {
    const version = this.#server.version;
    this.#informer.caughtUpTo(String(version)).then(
      () => {
        if (Number(this.#informer.resourceVersion) < version) {
          this.#found.push(`has not caught up to ${version}`);
        }
      },
      () => {},
    );
  }

  #isInPart(object: Live<Thing>): boolean {
    const { shard } = this.#informer;
    return shard === undefined || shardFilter(shard)(object);
  }

  /** Returns the expected content of the cache at a resourceVersion. */
  #expected(version: number): Map<string, Live<Thing>> {
    const chosen = this.#server.chosenAt(version).filter((object) => this.#isInPart(object));
    return contentOf(chosen, this.#setting);
  }

  /** Checks what must hold at any moment. */
  look(): void {
    const informer = this.#informer;
    const listed = new Map(informer.list().map((object) => [object.metadata.name, object]));
    if (listed.size !== informer.list().length) {
      this.#found.push("an object is listed twice");
    }
    for (const object of listed.values()) {
      if (informer.get(`default/${object.metadata.name}`) !== object) {
        this.#found.push(`get and list do not agree in ${show(object)}`);
      }
    }
    this.#found.push(...indexProblems(this.#indexes, [...listed.values()]));
    this.#lookAtOwnWrites();
    if (!informer.isSynced) {
      return;
    }
    const expected = this.#expected(Number(informer.resourceVersion));
    const names = new Set([...listed.keys(), ...expected.keys()]);
    for (const name of names) {
      const isOwn = this.#own.has(`default/${name}`);
      if (!isOwn && !isDeepStrictEqual(listed.get(name), expected.get(name))) {
        this.#found.push(
          `at ${informer.resourceVersion} the cache has ${show(listed.get(name))}, not ${show(expected.get(name))}`,
        );
      }
    }
  }

  /** Checks that recorded writes are visible until the cache has caught up with them. */
  #lookAtOwnWrites(): void {
    for (const [key, { written, at }] of this.#own) {
      const version = Number(written.metadata.resourceVersion);
      const isSeen = Number(this.#informer.resourceVersion) >= version;
      if (isSeen || !this.#isInPart(written) || this.#clock.now() - at >= mutationTtlMs) {
        this.#own.delete(key);
        continue;
      }
      const shown = this.#informer.get(key);
      if (shown !== undefined && Number(shown.metadata.resourceVersion) < version) {
        this.#found.push(`${show(shown)} is shown after ${show(written)} was written`);
      }
    }
  }

  /** Checks what must hold when the informer has reached the server's resourceVersion and all its subscribers are done. */
  async lookAtRest(): Promise<void> {
    const { version } = this.#server;
    if (this.version < version) {
      this.#found.push(`is at ${this.version}, not at ${version}`);
    }
    await this.#letAllGo();
    this.#own.clear();
    const expected = this.#expected(version);
    for (const { known, isFiltered, manner, isSynced } of this.#handlers) {
      const all = [...expected.values()].filter((object) => !isFiltered || passes(object));
      this.#compare(`the ${manner} handler`, known, all);
      if (!isSynced) {
        this.#found.push(`the ${manner} handler is not synced`);
      }
    }
    for (const { rebuilt } of this.#cursors) {
      this.#compare("the cursor", rebuilt.known, [...expected.values()]);
    }
  }

  async #letAllGo(): Promise<void> {
    for (const handler of this.#handlers) {
      handler.isFree = true;
      handler.release();
    }
    for (const cursor of this.#cursors) {
      cursor.read(1_000);
    }
    await this.#clock.advance(0);
    for (const handler of this.#handlers) {
      handler.isFree = false;
      handler.isResynced = false;
    }
  }

  #compare(
    what: string,
    known: ReadonlyMap<string, Live<Thing>>,
    expected: readonly Live<Thing>[],
  ): void {
    const has = [...known.values()].map(show).sort();
    const due = expected.map(show).sort();
    if (!isDeepStrictEqual(has, due)) {
      this.#found.push(`${what} has [${has}], not [${due}]`);
    }
  }
}

function chosen<V>(all: readonly V[], which: number): V | undefined {
  return all[which % Math.max(1, all.length)];
}
