import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import {
  Informer,
  type InformerIndex,
  type InformerOptions,
  type Shard,
  SharedCache,
  shardedSource,
  shardFilter,
} from "@typekube/informer";
import { randomFrom } from "../../../../test/storm/random.js";
import { type Plan, quietPartMs, quietParts, type Setting, type Step } from "./model-plan.js";
import { ModelServer, type Thing } from "./model-server.js";
import { contentOf, indexes, indexProblems, transformOf } from "./model-view.js";
import { ReadingCursor } from "./reading-cursor.js";
import { passes, RebuildingHandler, show } from "./rebuilding-handler.js";

/** What was wrong after which step. */
export interface ModelFailure {
  readonly step: number;
  readonly problems: readonly string[];
}

/** Own writes are looked for as long as they stand in. */
const mutationTtlMs = 60_000;

/** Runs a plan to its first failure. */
export async function runPlan({ seed, setting, steps }: Plan): Promise<ModelFailure | undefined> {
  const run = new ModelRun(seed, setting);
  try {
    for (const [at, step] of steps.entries()) {
      await run.take(step);
      const problems = run.problems();
      if (problems.length > 0) {
        return { step: at, problems };
      }
    }
    return undefined;
  } finally {
    await run.close();
  }
}

class ModelRun {
  readonly #setting: Setting;
  readonly #server: ModelServer;
  readonly #clock = createVirtualClock();
  readonly #informer: Informer<Thing>;
  readonly #found: string[] = [];
  readonly #handlers: RebuildingHandler[] = [];
  readonly #cursors: ReadingCursor[] = [];
  readonly #indexes = new Map<number, InformerIndex<Thing>>();
  readonly #own = new Map<string, { readonly written: Live<Thing>; readonly at: number }>();

  constructor(seed: number, setting: Setting) {
    this.#setting = setting;
    const isChosen = ({ metadata }: Live<Thing>) =>
      !setting.selects || metadata.labels?.["chosen"] === "true";
    this.#server = new ModelServer(isChosen);
    this.#server.isSlow = setting.isSlow;
    for (let i = 0; i < 4; i++) {
      this.#server.write(`o${i}`, i * 5);
    }
    this.#server.deliver();
    const transform = transformOf(setting);
    const options: InformerOptions<Thing> = {
      streamingList: setting.streamingList,
      freeze: setting.freeze,
      random: randomFrom(seed),
      mutationTtlMs,
      ...(setting.pageSize ? { pageSize: setting.pageSize } : {}),
      ...(setting.selects ? { labelSelector: "chosen=true" } : {}),
      ...(transform ? { transform } : {}),
    };
    const cacheOf = (shard: Shard | undefined, notOlderThan?: string) => {
      const source = shard ? shardedSource(this.#server, shard) : this.#server;
      return new SharedCache<Thing>(source, options, this.#clock, undefined, notOlderThan);
    };
    this.#informer = new Informer(cacheOf(undefined), options, cacheOf);
  }

  /** What came to light since the last call. */
  problems(): string[] {
    const readers = [...this.#handlers, ...this.#cursors.map(({ rebuilt }) => rebuilt)];
    return [...this.#found.splice(0), ...readers.flatMap(({ problems }) => problems.splice(0))];
  }

  async take(step: Step): Promise<void> {
    await this.#do(step);
    await this.#clock.advance(0);
    this.#look();
  }

  async close(): Promise<void> {
    for (const handler of this.#handlers) {
      handler.isFree = true;
      handler.release();
    }
    await this.#informer.close();
  }

  async #do(step: Step): Promise<void> {
    const server = this.#server;
    const informer = this.#informer;
    switch (step.do) {
      case "write": {
        const written = server.write(step.name, step.value);
        if (step.tell && written !== undefined) {
          informer.mutated(written);
          // What is of another part says nothing of this one; a deletion before it is not laid over.
          if (this.#isInPart(written)) {
            this.#own.set(`default/${step.name}`, { written, at: this.#clock.now() });
          }
        }
        return;
      }
      case "deliver":
        return server.deliver();
      case "fault":
        return server.strike(step.fault);
      case "compact":
        return server.compact();
      case "pass":
        return this.#clock.advance(step.ms);
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
      case "quiet":
        return this.#quiet();
      default:
        step satisfies never;
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

  /** What the cache is to show at a version. */
  #expected(version: number): Map<string, Live<Thing>> {
    const chosen = this.#server.chosenAt(version).filter((object) => this.#isInPart(object));
    return contentOf(chosen, this.#setting);
  }

  /** What must be so at any moment. */
  #look(): void {
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

  /** Own writes are read until the cache has seen as much. */
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

  /** Everything heals; then everybody has what the server has. */
  async #quiet(): Promise<void> {
    const server = this.#server;
    const informer = this.#informer;
    for (let part = 0; part < quietParts; part++) {
      server.deliver();
      await this.#clock.advance(part === 0 ? 0 : quietPartMs);
      if (server.faults.length === 0 && Number(informer.resourceVersion) >= server.version) {
        break;
      }
      if (server.version === Number(informer.resourceVersion) || part % 10 === 9) {
        server.strike({ kind: "bookmark", withNews: true });
      }
    }
    if (Number(informer.resourceVersion) < server.version) {
      // What is not chosen moves no version: a bookmark does.
      this.#found.push(`is at ${informer.resourceVersion}, not at ${server.version}`);
    }
    await this.#letAllGo();
    this.#own.clear();
    const expected = this.#expected(server.version);
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
