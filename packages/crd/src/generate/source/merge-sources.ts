import { canonicalJson } from "../text/canonical-json.js";
import type { KindSource, SourceProblem, SourcesRead } from "./kind-source.js";

/**
 * Merges what several readers found. A kind in one version may occur more than once if it is the same each time;
 * definitions of one kind with different versions complete each other.
 */
export function mergeSources(inputs: readonly SourcesRead[]): SourcesRead {
  const found = new Map<string, KindSource>();
  const problems = inputs.flatMap((input) => [...input.problems]);
  const skipped = new Map<string, number>();
  for (const input of inputs) {
    for (const source of input.sources) {
      const key = `${source.group}/${source.version}/${source.kind}`;
      const first = found.get(key);
      if (first === undefined) {
        found.set(key, source);
      } else if (factsOf(first) !== factsOf(source)) {
        problems.push(conflict(first, source));
      }
    }
    for (const [kind, count] of input.skipped) {
      skipped.set(kind, (skipped.get(kind) ?? 0) + count);
    }
  }
  const sources = [...found.values()].sort(byName);
  const notes = [...new Set(inputs.flatMap((input) => input.notes))];
  return { sources, problems: [...problems, ...sharedPaths(sources)], skipped, notes };
}

function byName(a: KindSource, b: KindSource): number {
  const key = ({ group, version, kind }: KindSource) => `${group}\0${version}\0${kind}`;
  return key(a) < key(b) ? -1 : 1;
}

function factsOf({ origin: _, components: __, ...facts }: KindSource): string {
  return canonicalJson(facts);
}

function conflict(first: KindSource, { group, version, kind, origin }: KindSource): SourceProblem {
  return {
    place: origin,
    message: `${kind} of ${group}/${version} differs from that in ${first.origin}, which is used; pass only one of them`,
  };
}

/** Reports kinds of one version that have one path. */
function sharedPaths(sources: readonly KindSource[]): SourceProblem[] {
  const paths = new Map<string, KindSource>();
  return sources.flatMap((source) => {
    const { group, version, kind, plural, origin } = source;
    const path = `${group}/${version}/${plural}`;
    const first = paths.get(path);
    paths.set(path, first ?? source);
    return first === undefined
      ? []
      : [
          {
            place: origin,
            message: `${kind} has the plural of ${first.kind} in ${first.origin}: ${path}`,
          },
        ];
  });
}
