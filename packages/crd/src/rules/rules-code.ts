/** The code of validation rules, which contains the expression language. */
export type RulesCode = Pick<
  typeof import("@typekube/schema/rules"),
  "checkRules" | "explainCosts" | "expressionsOf" | "ruleValidator" | "validateObjectRules"
>;

let provided: RulesCode | undefined;

/** Keeps the code of rules for definitions that have some. The helpers that create rules call it. */
export function provideRules(code: RulesCode): void {
  provided = code;
}

/** Returns the code of rules; `undefined` until a helper of `typekube/crd/rules` or `loadRules` was called. */
export function providedRules(): RulesCode | undefined {
  return provided;
}

/**
 * Loads the compiler of validation rules. Only definitions whose rules were not created by `rule()` or another helper of
 * `typekube/crd/rules` need it: those with a raw `schema` or with `x-kubernetes-validations` in `meta()`.
 */
export async function loadRules(): Promise<void> {
  provideRules(await import("@typekube/schema/rules"));
}
