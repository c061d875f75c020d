/** Patterns of objects whose verdict differs from a real server's, each with the reason. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ core\.v1\.Event$/, "a real server does not validate the finalizers of core Events"],
];

/** Returns why the verdict on an object may differ from a real server's; `undefined` for most objects. */
export function differing(name: string): string | undefined {
  return reasons.find(([pattern]) => pattern.test(name))?.[1];
}
