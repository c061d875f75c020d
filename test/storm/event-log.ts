import { compareResourceVersions } from "@typekube/core";
import type { Gap } from "./gap-log.js";
import type { Seen } from "./rebuilt-state.js";

/** Older than every resourceVersion of an object. */
const oldest = "1";

/**
 * Returns the first difference between the writer's log and the steps that a handler saw, or `undefined`. Without a
 * relist, the handler must see every step.
 */
export function differenceInOrder(
  written: readonly Seen[],
  seen: readonly Seen[],
): string | undefined {
  const unseen = seen.find(({ isUnseen }) => isUnseen);
  if (unseen !== undefined) {
    return `a handler received ${show(unseen)} with finalStateUnknown`;
  }
  const length = Math.max(written.length, seen.length);
  for (let at = 0; at < length; at++) {
    const due = show(written[at]);
    const received = show(seen[at]);
    if (due !== received) {
      return `step ${at + 1} of ${written.length} was ${due}, a handler received ${received}`;
    }
  }
  return undefined;
}

/**
 * Returns the first difference when there were relists or reordered events. The order between objects is free. Each
 * object's steps must be a subset of the written steps, in their order; a step may be missing or late only if a
 * snapshot covers it.
 *
 * @param disorders - number of reordered events: each may cost two steps, those of an object that was created and
 * deleted.
 */
export function differenceWithGaps(
  written: readonly Seen[],
  seen: readonly Seen[],
  gaps: readonly Gap[],
  disorders: number,
): string | undefined {
  const due = placesByName(written);
  const received = new Set<number>();
  const wrong: string[] = [];
  for (const [name, places] of placesByName(seen)) {
    const left = due.get(name) ?? [];
    let from = 0;
    for (const place of places) {
      const step = seen[place] as Seen;
      const at = left.findIndex(
        (there, index) => index >= from && written[there]?.version === step.version,
      );
      if (at < 0) {
        return `a handler received ${show(step)}, which was not written${from > 0 ? " after the steps that it received before" : ""}`;
      }
      received.add(left[at] as number);
      if (step.isUnseen && !isInGap(written, left[at] as number, gaps)) {
        wrong.push(`a handler received ${show(step)} with finalStateUnknown`);
      }
      from = at + 1;
    }
  }
  for (const [at, step] of written.entries()) {
    if (!received.has(at) && !isInGap(written, at, gaps)) {
      wrong.push(`a handler never received ${show(step)}, and no relist covers it`);
    }
  }
  wrong.push(...lateSteps(seen, gaps));
  return wrong.length <= 2 * disorders ? undefined : wrong[0];
}

/** Returns steps that were delivered after newer ones although the watch delivered them in time. */
function lateSteps(seen: readonly Seen[], gaps: readonly Gap[]): string[] {
  const late: string[] = [];
  let newest = oldest;
  for (const [at, step] of seen.entries()) {
    if (step.version === undefined) {
      continue;
    }
    if (!isOlder(step.version, newest)) {
      newest = step.version;
    } else if (!isInGap(seen, at, gaps)) {
      late.push(`a handler received ${show(step)} after ${newest}`);
    }
  }
  return late;
}

/** Returns true for a step within a gap. A deletion has no known resourceVersion, only those before and after it. */
function isInGap(written: readonly Seen[], at: number, gaps: readonly Gap[]): boolean {
  const version = written[at]?.version;
  const before =
    version ?? written.slice(0, at).findLast((step) => step.version)?.version ?? oldest;
  const after = version ?? written.slice(at).find((step) => step.version)?.version;
  return gaps.some((gap) => {
    const begins = gap.after === "" || after === undefined || isOlder(gap.after, after);
    const ends = version === undefined ? isOlder(before, gap.upTo) : !isOlder(gap.upTo, version);
    return begins && ends;
  });
}

function isOlder(version: string, than: string): boolean {
  return compareResourceVersions(version, than) < 0;
}

function show(step: Seen | undefined): string {
  return step === undefined ? "nothing" : `${step.name} ${step.version ?? "gone"}`;
}

/** Returns the indexes of each object's steps. */
function placesByName(steps: readonly Seen[]): Map<string, number[]> {
  const named = new Map<string, number[]>();
  for (const [at, { name }] of steps.entries()) {
    const places = named.get(name);
    if (places) {
      places.push(at);
    } else {
      named.set(name, [at]);
    }
  }
  return named;
}
