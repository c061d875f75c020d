import type { Seen } from "./rebuilt-state.js";

/** What of the writer's log a handler did not see as it was, or `undefined`. Nothing was listed anew, so all of it is due. */
export function differenceInOrder(
  written: readonly Seen[],
  seen: readonly Seen[],
): string | undefined {
  const length = Math.max(written.length, seen.length);
  for (let at = 0; at < length; at++) {
    const due = show(written[at]);
    const told = show(seen[at]);
    if (due !== told) {
      return `step ${at + 1} of ${written.length} was ${due}, a handler was told ${told}`;
    }
  }
  return undefined;
}

/**
 * The same where a new picture was listed meanwhile: steps in between may be missing and the order between objects is free, but
 * each object's steps must be some of those that were written, in their order.
 */
export function differenceWithGaps(
  written: readonly Seen[],
  seen: readonly Seen[],
): string | undefined {
  const due = byName(written);
  for (const [name, told] of byName(seen)) {
    const steps = due.get(name) ?? [];
    let at = 0;
    for (const step of told) {
      const found = steps.findIndex(
        ({ version }, index) => index >= at && version === step.version,
      );
      if (found < 0) {
        return `a handler was told ${show(step)}, which was not written${at > 0 ? " after what it was told before" : ""}`;
      }
      at = found + 1;
    }
  }
  return undefined;
}

function show(step: Seen | undefined): string {
  return step === undefined ? "nothing" : `${step.name} ${step.version ?? "gone"}`;
}

function byName(steps: readonly Seen[]): Map<string, Seen[]> {
  const named = new Map<string, Seen[]>();
  for (const step of steps) {
    const same = named.get(step.name);
    if (same) {
      same.push(step);
    } else {
      named.set(step.name, [step]);
    }
  }
  return named;
}
