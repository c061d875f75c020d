import type { KubeObject, Live } from "@typekube/api";
import { projectValue } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import { differsOnlyIn } from "./own-writes.js";
import type { RunContext } from "./run-context.js";

/**
 * Returns true when two states of an object differ only in fields that a run wrote, so that the second one is no news for
 * its controller. Of a kind with some fields only these are compared. A write that changed nothing left no second state:
 * no event will show it.
 *
 * @param before - as the run had read it; it may lack fields.
 * @param after - the response to the write.
 * @param written - an object with the written fields, as in an apply or a merge patch.
 */
export function isOwnChange(
  { caches }: Pick<RunContext, "caches">,
  kind: AnyKind,
  before: Live<KubeObject>,
  after: Live<KubeObject>,
  written: object,
): boolean {
  if (isSameState(before, after)) {
    return false;
  }
  const projection = caches.get(kindId(kind))?.projection;
  if (projection === undefined) {
    return differsOnlyIn(before, after, written);
  }
  const kept = <T extends object>(value: T) => projectValue(value, projection.root) as T;
  return differsOnlyIn(kept(before), kept(after), kept(written));
}

/**
 * Returns true when a write changed nothing, or gave the state that the cache had before it: no event will show it, so
 * none must be expected.
 */
export function isSameState(before: KubeObject | undefined, after: Live<KubeObject>): boolean {
  return before?.metadata?.resourceVersion === after.metadata.resourceVersion;
}
