import { isIdleWarning } from "../phases/write/idle-warnings.js";
import type { IdleReason } from "../resources/kind-strategy.js";
import { strategies } from "./strategies.js";

/** Kinds whose objects the server stores but does not act on, by plural name and group. */
export const idleKinds: readonly (IdleReason & { readonly resource: string })[] = [
  ...strategies,
].flatMap(([resource, { idle }]) => (idle === undefined ? [] : [{ resource, ...idle }]));

/** Returns true for a warning about such an object. Real servers have none, so comparisons exclude them. */
export function isIdleKindWarning(text: string): boolean {
  return isIdleWarning(
    text,
    idleKinds.map(({ why }) => why),
  );
}
