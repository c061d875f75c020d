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
  const { loop, context, caches } = runner;
  const priorityOf = ({ priority }: { readonly priority?: number | undefined } = {}) =>
    priority === undefined ? {} : { priority };
  return {
    name,
    get inactiveKinds() {
      return runner.inactiveKinds();
    },
    get caches() {
      return caches.all.map((cache) => ({
        kind: cache.id,
        namespaces: cache.kind.namespaces,
        fields: cache.kept?.fields,
        addedFields: cache.kept?.addedFields ?? [],
        health: cache.informers.map(({ health }) => health),
      }));
    },
    get running() {
      return loop.running;
    },
    get concurrency() {
      return loop.concurrency;
    },
    set concurrency(count) {
      loop.concurrency = count;
    },
    trigger: (key, options) => loop.trigger(keyOf(key), triggered, priorityOf(options)),
    triggerAll: (options) => runner.triggerAll(priorityOf(options)),
    snapshot: () => loop.snapshot(),
    plan: (key) => planRun(context, keyOf(key)),
    releaseFinalizers: (options) => releaseFinalizers(context, caches, options),
    missingReferences: () => caches.missingReferences(),
  };
}
