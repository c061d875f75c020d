import type { Failure } from "../record/run-result.js";
import type { NormalWorld } from "../world/normal-world.js";
import type { WorldDifference } from "./world-diff.js";

/** Names a failure to reach the expected world by what is different. */
export function classify(
  failure: Failure,
  difference: WorldDifference | undefined,
  world: NormalWorld,
  didRest: boolean,
): Failure {
  if (failure.kind !== "did not converge" || difference === undefined) {
    return failure;
  }
  const { missing, extra, changed } = difference;
  const orphan = extra.find((key) => hasMissingOwner(world.objects.get(key)));
  if (orphan !== undefined) {
    return { kind: "orphans left", message: `${orphan} belongs to nothing` };
  }
  const twice = extra.find((key) => / \(\d+\)$/.test(key) && missing.length === 0);
  if (twice !== undefined) {
    return { kind: "created twice", message: `${twice} exists` };
  }
  const isEqual = extra.length + missing.length + changed.length === 0;
  if (!didRest || isEqual) {
    return failure;
  }
  const [first] = [...extra, ...missing, ...changed];
  return {
    kind: "another state",
    message: `${first ?? "the world"} is not as in the run without faults`,
  };
}

/** Returns whether an object has an owner by uid that does not exist. */
function hasMissingOwner(object: unknown): boolean {
  const { metadata } = (object ?? {}) as {
    readonly metadata?: { readonly ownerReferences?: readonly { readonly uid?: string }[] };
  };
  return (metadata?.ownerReferences ?? []).some(({ uid }) => uid === "uid of nothing");
}
