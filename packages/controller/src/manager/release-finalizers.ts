import { objectKey } from "@typekube/informer";
import type { RunContext } from "../run/context/run-context.js";
import { changeFinalizers } from "../run/finalize/change-finalizers.js";
import type { ControllerCaches } from "../sources/controller-caches.js";

/** Removes the finalizers of a controller from all of its objects; see `RunningController.releaseFinalizers`. */
export async function releaseFinalizers(
  context: RunContext,
  caches: ControllerCaches,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<string[]> {
  const names = new Set(context.controller.settings.finalizers.map(({ name }) => name));
  const released: string[] = [];
  if (!dryRun) {
    // The next run of an object would add them again.
    context.finalizers.areReleased = true;
  }
  for (const object of caches.own.list({})) {
    if (object.metadata.finalizers?.some((name) => names.has(name)) !== true) {
      continue;
    }
    const key = objectKey(object);
    released.push(key);
    if (!dryRun) {
      const state = {
        key,
        namespace: object.metadata.namespace,
        object,
        generation: object.metadata.generation,
        signal: new AbortController().signal,
        applied: new Set<string>(),
        unready: new Map<string, string>(),
        absentKinds: new Set<string>(),
      };
      await changeFinalizers(context, state, object, (finalizers) =>
        finalizers.filter((name) => !names.has(name)),
      );
    }
  }
  return released;
}
