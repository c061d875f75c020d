import type { Live } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import type { Shard } from "@typekube/informer";
import { SharedCache, shardedSource } from "@typekube/informer/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { ModelInformer } from "./model-informer.js";
import { type Plan, quietPartMs, quietParts, type Setting, type Step } from "./model-plan.js";
import { ModelServer, type Thing } from "./model-server.js";
import { transformOf } from "./model-view.js";

/** The problems found after a step. */
export interface ModelFailure {
  readonly step: number;
  readonly problems: readonly string[];
}

/** Runs a plan until its first failure. */
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

/** Two informers on one server, which share the caches of the shards that they have in common. */
class ModelRun {
  readonly #server: ModelServer;
  readonly #clock = createVirtualClock();
  readonly #informers: ModelInformer[];
  readonly #caches = new Map<string, SharedCache<Thing>>();
  readonly #make: () => ModelInformer;

  constructor(seed: number, setting: Setting) {
    this.#server = modelServer(setting);
    const transform = transformOf(setting);
    const options = {
      streamingList: setting.streamingList,
      freeze: setting.freeze,
      random: randomFrom(seed),
      ...(setting.pageSize ? { pageSize: setting.pageSize } : {}),
      ...(transform ? { transform } : {}),
    };
    const cacheOf = (shard: Shard | undefined, notOlderThan?: string) => {
      const key = JSON.stringify(shard ?? "all");
      const known = this.#caches.get(key);
      if (known !== undefined) {
        return known;
      }
      const source = shard ? shardedSource(this.#server, shard) : this.#server;
      const forget = () => {
        if (this.#caches.get(key) === made) {
          this.#caches.delete(key);
        }
      };
      const made = new SharedCache<Thing>(source, options, this.#clock, forget, notOlderThan);
      this.#caches.set(key, made);
      return made;
    };
    this.#make = () => new ModelInformer(this.#server, this.#clock, setting, cacheOf);
    this.#informers = [this.#make(), this.#make()];
  }

  /** Returns the problems found since the last call. */
  problems(): string[] {
    return this.#informers.flatMap((informer, on) =>
      informer.problems().map((problem) => `informer ${on}: ${problem}`),
    );
  }

  async take(step: Step): Promise<void> {
    await this.#do(step);
    await this.#clock.advance(0);
    for (const informer of this.#informers) {
      informer.look();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.close()));
  }

  async #do(step: Step): Promise<void> {
    const server = this.#server;
    const informer = this.#informers[step.on] as ModelInformer;
    switch (step.do) {
      case "write": {
        const written = server.write(step.name, step.value);
        if (step.tell && written !== undefined) {
          informer.mutated(written);
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
      case "close":
        // Another informer starts while this one ends.
        this.#informers[step.on] = this.#make();
        return informer.close();
      case "quiet":
        return this.#quiet();
      default:
        return informer.take(step);
    }
  }

  /** Lets everything recover, then checks that both informers match the server. */
  async #quiet(): Promise<void> {
    const server = this.#server;
    const isThere = () => this.#informers.every(({ version }) => version >= server.version);
    for (let part = 0; part < quietParts; part++) {
      server.deliver();
      await this.#clock.advance(part === 0 ? 0 : quietPartMs);
      if (server.faults.length === 0 && isThere()) {
        break;
      }
      // Objects outside the selector don't move the resourceVersion; a bookmark does.
      server.bookmark();
    }
    for (const informer of this.#informers) {
      await informer.lookAtRest();
    }
  }
}

/** Creates a server with four objects. */
export function modelServer({ selects, isSlow }: Setting): ModelServer {
  const server = new ModelServer(
    ({ metadata }: Live<Thing>) => !selects || metadata.labels?.["chosen"] === "true",
  );
  server.isSlow = isSlow;
  for (let i = 0; i < 4; i++) {
    server.write(`o${i}`, i * 5);
  }
  server.deliver();
  return server;
}
