import { CelDuration, CelFailure, CelTimestamp } from "@typekube/cel";
import { readDuration, readTimestamp } from "@typekube/cel/internal";
import { durationParts } from "../values/duration-units.js";

const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
  ["w", 604_800_000_000_000n],
]);

/** Reads a text of format `duration`: Go's "1h30m" or words such as "2 days". */
export function readDurationFormat(text: string): CelDuration | undefined {
  const plain = readDuration(text);
  if (plain !== undefined) {
    return plain;
  }
  let total: bigint | undefined;
  for (const { count, units } of durationParts(text)) {
    for (const unit of units) {
      total = (total ?? 0n) + count * (unitNanoseconds.get(unit) ?? 0n);
    }
  }
  return total === undefined ? undefined : new CelDuration(BigInt.asIntN(64, total));
}

/** Reads a text of format `date`: "2026-01-31". */
export function readDateFormat(text: string): CelTimestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? timestamp(`${text}T00:00:00Z`) : undefined;
}

/** Reads a text of format `date-time`: RFC 3339, or a local time without a zone, which is UTC. */
export function readDateTimeFormat(text: string): CelTimestamp | undefined {
  return text === "" ? new CelTimestamp(0n) : (timestamp(text) ?? timestamp(`${text}Z`));
}

function timestamp(text: string): CelTimestamp | undefined {
  const time = readTimestamp(text);
  return time instanceof CelFailure ? undefined : time;
}
