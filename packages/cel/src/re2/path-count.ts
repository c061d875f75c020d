import type { PlainPattern, Repetition } from "./plain-syntax.js";
import { isAnchored, isNullable } from "./plain-syntax.js";
import { hasRune, maxRune, type RuneSet } from "./rune-set.js";

/** Number of paths through a pattern after any text, above which linearity counts as unproven. */
const maxPaths = 16;
/** Maximum number of positions: parts that consume a character, with repetitions expanded. */
const maxPositions = 400;
/** Maximum number of edges: pairs of positions that may follow each other. */
const maxEdges = 20_000;
/** Maximum number of code point ranges in all positions together. */
const maxRanges = 2_000;
/** Maximum number of steps in the search through all states. */
const maxSteps = 100_000;

/**
 * Proves that backtracking over a pattern takes linear time: after every text there are at most 16 paths through the
 * pattern. The search follows all texts at once; its state is the number of paths that end at each position. A
 * backtracking engine tries each of these paths at most once, so its work is at most 16 times the length of the text
 * times the size of the pattern. Returns false when there may be more paths, or the search takes too long.
 */
export function isLinear(pattern: PlainPattern): boolean {
  const sets: RuneSet[] = [];
  const edges: Edges = { follow: [], count: 0 };
  const places = placesOf(pattern, sets, edges);
  const ranges = sets.reduce((sum, set) => sum + set.length, 0);
  if (places === undefined || ranges > maxRanges) {
    return false;
  }
  return hasFewPaths(places.first, isAnchored(pattern), sets, edges.follow);
}

interface Edges {
  /** Positions that may follow each position; a position listed twice can be reached on two paths. */
  readonly follow: number[][];
  count: number;
}

/** Positions at which matches of a part begin and end. */
interface Places {
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const nowhere: Places = { first: [], last: [] };

function placesOf(pattern: PlainPattern, sets: RuneSet[], edges: Edges): Places | undefined {
  switch (pattern.kind) {
    case "start":
    case "end":
      // Assertions count as fulfilled: they can only remove paths.
      return nowhere;
    case "set": {
      const position = sets.push(pattern.set) - 1;
      edges.follow.push([]);
      return position < maxPositions ? { first: [position], last: [position] } : undefined;
    }
    case "sequence":
      return joined(pattern.parts, sets, edges);
    case "choice": {
      const parts = pattern.parts.map((part) => placesOf(part, sets, edges));
      return parts.every((part) => part !== undefined)
        ? { first: parts.flatMap(({ first }) => first), last: parts.flatMap(({ last }) => last) }
        : undefined;
    }
    case "repeat":
      return repeated(pattern, sets, edges);
  }
}

function joined(parts: readonly PlainPattern[], sets: RuneSet[], edges: Edges): Places | undefined {
  let first: readonly number[] = [];
  let last: readonly number[] = [];
  let isEmpty = true;
  for (const part of parts) {
    const places = placesOf(part, sets, edges);
    if (places === undefined || !connect(last, places.first, edges)) {
      return undefined;
    }
    const canSkip = isNullable(part);
    first = isEmpty ? [...first, ...places.first] : first;
    last = canSkip ? [...last, ...places.last] : places.last;
    isEmpty &&= canSkip;
  }
  return { first, last };
}

/** Expands a repetition: `x{2,4}` as `xx(?:x(?:x)?)?`, `x{2,}` as `xx+`. */
function repeated(
  { body, min, max }: Repetition,
  sets: RuneSet[],
  edges: Edges,
): Places | undefined {
  const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
  let first: readonly number[] = [];
  let last: readonly number[] = [];
  let previous: readonly number[] = [];
  for (let copy = 0; copy < copies; copy++) {
    const places = placesOf(body, sets, edges);
    if (places === undefined || !connect(previous, places.first, edges)) {
      return undefined;
    }
    first = copy === 0 ? places.first : first;
    last = copy < min ? places.last : [...last, ...places.last];
    previous = places.last;
    if (copy === copies - 1 && max === Number.POSITIVE_INFINITY) {
      if (!connect(places.last, places.first, edges)) {
        return undefined;
      }
    }
  }
  return { first, last };
}

function connect(from: readonly number[], to: readonly number[], edges: Edges): boolean {
  edges.count += from.length * to.length;
  if (edges.count > maxEdges) {
    return false;
  }
  for (const position of from) {
    edges.follow[position]?.push(...to);
  }
  return true;
}

type State = ReadonlyMap<number, number>;

function hasFewPaths(
  first: readonly number[],
  onlyAtStart: boolean,
  sets: readonly RuneSet[],
  follow: readonly (readonly number[])[],
): boolean {
  const members = distinctRunes(sets).map(
    (rune) => new Set(sets.flatMap((set, position) => (hasRune(set, rune) ? [position] : []))),
  );
  const seen = new Set<string>();
  const pending: { readonly state: State; readonly isStart: boolean }[] = [
    { state: new Map(), isStart: true },
  ];
  let steps = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { state, isStart } = next;
    for (const member of members) {
      steps++;
      const after = new Map<number, number>();
      let paths = 0;
      const advance = (to: readonly number[], count: number) => {
        steps += to.length;
        for (const position of to) {
          if (member.has(position)) {
            after.set(position, (after.get(position) ?? 0) + count);
            paths += count;
          }
        }
      };
      for (const [position, count] of state) {
        advance(follow[position] ?? [], count);
      }
      if (isStart || !onlyAtStart) {
        // Without an anchor the engine starts again at every character.
        advance(first, 1);
      }
      if (paths > maxPaths || steps > maxSteps) {
        return false;
      }
      const key = [...after].sort((a, b) => a[0] - b[0]).join(" ");
      if (!seen.has(key)) {
        seen.add(key);
        pending.push({ state: after, isStart: false });
      }
    }
  }
  return true;
}

/** Returns one code point for each class that the sets distinguish. */
function distinctRunes(sets: readonly RuneSet[]): number[] {
  const distinct = [...new Map(sets.map((set) => [set.join(" "), set])).values()];
  const bounds = new Set([0, ...distinct.flat().flatMap(([low, high]) => [low, high + 1])]);
  const runes = new Map<string, number>();
  for (const rune of bounds) {
    if (rune <= maxRune) {
      runes.set(distinct.map((set) => (hasRune(set, rune) ? 1 : 0)).join(""), rune);
    }
  }
  return [...runes.values()];
}
