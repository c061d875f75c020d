import type { KubeObject } from "@typekube/api";
import { isSameKept, projectionOf } from "@typekube/core/internal";
import type { Change } from "../events/change.js";
import type { ProjectionOptions } from "../options/projection-options.js";

/** Returns the filter of an informer that skips updates of fields that it does not keep; `undefined` for all others. */
export function newsFilter<T extends KubeObject>({
  fields,
  unchanged = "deliver",
}: ProjectionOptions): ((change: Change<T>) => boolean) | undefined {
  if (fields === undefined || unchanged === "deliver") {
    return undefined;
  }
  const projection = projectionOf(fields);
  return (change) =>
    change.type !== "update" || !isSameKept(change.previous, change.object, projection);
}
