import type { ApiObject } from "../../objects/api-object.js";
import type { ServedResource } from "../../resources/served-resource.js";

const subject = "this embedded API server";

/** Returns a warning about a new object that this server stores but does not act on. */
export function idleWarnings({ strategy, kind }: ServedResource, object: ApiObject): string[] {
  const { idle } = strategy;
  return idle !== undefined && idle.only?.(object) !== false
    ? [`${subject} ${idle.why}: the ${kind} has no effect`]
    : [];
}

/** Returns true for such a warning. Real servers have none, so comparisons exclude them. */
export function isIdleWarning(text: string, reasons: Iterable<string>): boolean {
  return [...reasons].some((why) => text.startsWith(`${subject} ${why}: `));
}
