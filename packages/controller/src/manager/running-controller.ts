import { keyOf } from "../definition/object-key.js";
import type { Cause } from "../run/causes.js";
import type { ControllerRunner } from "./controller-runner.js";
import type { RunningController } from "./manager.js";
import { planRun } from "./plan.js";
import { releaseFinalizers } from "./release-finalizers.js";

/** The cause of every `trigger()`: one object, since there may be many keys. */
const triggered: Cause = { type: "trigger" };

/** Returns what a manager offers of a controller at work. */
export function runningController(name: string, runner: ControllerRunner): RunningController {
  return new RunnerAccess(name, runner);
}

class RunnerAccess implements RunningController {
  readonly name: string;
  readonly trigger: RunningController["trigger"];
  readonly triggerAll: RunningController["triggerAll"];
  readonly snapshot: RunningController["snapshot"];
  readonly plan: RunningController["plan"];
  readonly releaseFinalizers: RunningController["releaseFinalizers"];
  readonly missingReferences: RunningController["missingReferences"];
  readonly #runner: ControllerRunner;

  constructor(name: string, runner: ControllerRunner) {
    const { loop, context, caches } = runner;
    this.name = name;
    this.#runner = runner;
    this.trigger = (key, options) => loop.trigger(keyOf(key), triggered, priorityOf(options));
    this.triggerAll = (options) => runner.triggerAll(priorityOf(options));
    this.snapshot = () => loop.snapshot();
    this.plan = (key) => planRun(context, keyOf(key));
    this.releaseFinalizers = (options) => releaseFinalizers(context, caches, options);
    this.missingReferences = () => caches.missingReferences();
  }

  get inactiveKinds(): RunningController["inactiveKinds"] {
    return this.#runner.inactiveKinds();
  }

  get caches(): RunningController["caches"] {
    return this.#runner.caches.all.map((cache) => ({
      kind: cache.id,
      namespaces: cache.kind.namespaces,
      fields: cache.kept?.fields,
      addedFields: cache.kept?.addedFields ?? [],
      health: cache.informers.map(({ health }) => health),
    }));
  }

  get running(): RunningController["running"] {
    return this.#runner.loop.running;
  }

  get concurrency(): number {
    return this.#runner.loop.concurrency;
  }

  set concurrency(count: number) {
    this.#runner.loop.concurrency = count;
  }
}

function priorityOf({ priority }: { readonly priority?: number | undefined } = {}): {
  readonly priority?: number;
} {
  return priority === undefined ? {} : { priority };
}
