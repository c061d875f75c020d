import type { KubeObject, Live } from "@typekube/api";
import { isMarkedProjected, markProjected, projectValue } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import type { RunContext } from "./run-context.js";

/**
 * Returns the response to a write as the cache of its kind shows it: with the fields that the cache keeps. A program then
 * sees the same object whether a write was sent or was not necessary.
 */
export function asKept(
  { caches }: Pick<RunContext, "caches">,
  kind: AnyKind,
  object: Live<KubeObject>,
): Live<KubeObject> {
  const projection = caches.get(kindId(kind))?.projection;
  if (projection === undefined || isMarkedProjected(object)) {
    return object;
  }
  const kept = projectValue(object, projection.root) as Live<KubeObject>;
  markProjected(kept, projection);
  return kept;
}
