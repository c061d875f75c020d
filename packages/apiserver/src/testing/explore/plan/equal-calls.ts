import { type Call, callText, isBookkeeping } from "../record/call.js";

/** Equal calls at rest at which faults are tried: so many at the beginning, and the last one. One look may make several. */
const triedFirst = 10;

/** Most different calls that a report names. */
const mostNamed = 5;

/**
 * Returns the calls that need no faults of their own, by their numbers: those that repeat another one at rest. Time has passed
 * between them, nothing was written, and the same process makes the same call at the same place of its look.
 */
export function equalCalls(calls: readonly Call[]): ReadonlyMap<number, Call> {
  const groups = new Map<string, Call[]>();
  const places = new Map<string, { readonly atMs: number; place: number }>();
  let outside = 0;
  for (const call of calls) {
    if (call.isWrite) {
      // The commits don't count changes of external systems.
      outside += call.isExternal ? 1 : 0;
      continue;
    }
    if (isBookkeeping(call)) {
      continue;
    }
    const { process, step, atMs, commits } = call;
    const key = `${process} ${step} ${commits} ${outside} ${callText(call)}`;
    const last = places.get(key);
    const place = last?.atMs === atMs ? last.place + 1 : 1;
    places.set(key, { atMs, place });
    const group = groups.get(`${place} ${key}`) ?? [];
    group.push(call);
    groups.set(`${place} ${key}`, group);
  }
  const repeated = [...groups.values()].flatMap((group) => group.slice(triedFirst, -1));
  return new Map(repeated.map((call) => [call.call, call]));
}

/** Returns in words which calls were left out, each with how often. */
export function equalCallsText(calls: readonly Call[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const text = callText(call);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const named = [...counts].map(([text, count]) => `${text} (${count})`);
  const more = named.length - mostNamed;
  return [...named.slice(0, mostNamed), ...(more > 0 ? [`${more} others`] : [])].join(", ");
}
