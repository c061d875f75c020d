import type { Failure } from "../record/run-result.js";
import type { NormalWorld } from "../world/normal-world.js";
import { notTrue } from "../world/world.js";
import type { WorldDifference } from "./world-diff.js";

/** A failure with what is different in the end. */
export interface ClassifiedFailure extends Failure {
  /**
   * Texts that are equal for equal failures, whichever fault leads to them: the kind, and the objects and fields that differ,
   * or the words.
   */
  readonly marks: readonly string[];
}

/** Words that name nothing: such failures are distinguished by the difference of the worlds. */
const emptyWords: ReadonlySet<string> = new Set([
  notTrue,
  "the world is not that of the run without faults",
]);

/**
 * Names a failure to reach the expected world by what is different.
 *
 * @param isComparable - false when the worlds need not be equal, or the run was broken off on its way.
 */
export function classify(
  failure: Failure,
  difference: WorldDifference,
  isComparable: boolean,
  world: NormalWorld,
  didRest: boolean,
): ClassifiedFailure {
  const { kind, mark, isEnd = false } = failure;
  const named = isEnd && isComparable ? namedByWorld(failure, difference, world, didRest) : failure;
  const hasWords = !(isEnd && emptyWords.has(mark)) || difference.marks.length === 0;
  return {
    ...named,
    marks: [
      named.kind,
      ...(hasWords ? [`${kind}: ${mark}`] : []),
      ...(isEnd && (isComparable || !hasWords) ? difference.marks : []),
    ],
  };
}

function namedByWorld(
  failure: Failure,
  { missing, extra, changed }: WorldDifference,
  world: NormalWorld,
  didRest: boolean,
): Failure {
  const orphan = extra.find((key) => hasMissingOwner(world.objects.get(key)));
  if (orphan !== undefined) {
    return { ...failure, kind: "orphans left", message: `${orphan} belongs to nothing` };
  }
  const twice = extra.find((key) => / \(\d+\)$/.test(key) && missing.length === 0);
  if (twice !== undefined) {
    return { ...failure, kind: "created twice", message: `${twice} exists` };
  }
  const isEqual = extra.length + missing.length + changed.length === 0;
  if (!didRest || isEqual) {
    return failure;
  }
  const [first] = [...extra, ...missing, ...changed];
  return {
    ...failure,
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
