import { compareResourceVersions } from "@typekube/core";
import type { Gap } from "./gap-log.js";
import type { Seen } from "./rebuilt-state.js";

/** Before every version that an object can have. */
const oldest = "1";

/** What of the writer's log a handler did not see as it was, or `undefined`. Nothing was listed anew, so all of it is due. */
export function differenceInOrder(
  written: readonly Seen[],
  seen: readonly Seen[],
): string | undefined {
  const unseen = seen.find(({ isUnseen }) => isUnseen);
  if (unseen !== undefined) {
    return `a handler was told ${show(unseen)} as if nobody had seen it go`;
  }
  const length = Math.max(written.length, seen.length);
  for (let at = 0; at < length; at++) {
    const due = show(written[at]);
    const received = show(seen[at]);
    if (due !== received) {
      return `step ${at + 1} of ${written.length} was ${due}, a handler was told ${received}`;
    }
  }
  return undefined;
}

/**
 * The same where new pictures were listed meanwhile, or events came in another order: the order between objects is free, but each
 * object's steps must be some of those that were written, in their order, and none may be missing, or come late, that no picture
 * stands for.
 *
 * @param disorders - how many events came in the wrong order: each may cost two steps, that of an object which came and went.
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
        return `a handler was told ${show(step)}, which was not written${from > 0 ? " after what it was told before" : ""}`;
      }
      received.add(left[at] as number);
      if (step.isUnseen && !isInGap(written, left[at] as number, gaps)) {
        wrong.push(`a handler was told ${show(step)} as if nobody had seen it go`);
      }
      from = at + 1;
    }
  }
  for (const [at, step] of written.entries()) {
    if (!received.has(at) && !isInGap(written, at, gaps)) {
      wrong.push(`a handler was never told ${show(step)}, and no new picture stands for it`);
    }
  }
  wrong.push(...lateSteps(seen, gaps));
  return wrong.length <= 2 * disorders ? undefined : wrong[0];
}

/** Steps that were told behind newer ones although the watch brought them in time. */
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
      late.push(`a handler was told ${show(step)} after ${newest}`);
    }
  }
  return late;
}

/** Of a deletion only those versions are known that it lies between. */
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

/** Where the steps of each object stand. */
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
