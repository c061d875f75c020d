import type { CelEnv } from "../../src/environment/cel-env.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import type { CelResult } from "../../src/values/cel-value.js";

/** An expression of calls: a constant, `["f", ...]` for `f(...)`, `[".f", target, ...]` for `target.f(...)`. */
export type Term = string | number | bigint | boolean | readonly [name: string, ...Term[]];

/** Value, units and estimated units of a term. */
export interface Outcome {
  readonly result: CelResult;
  readonly cost: number;
  readonly estimate: { readonly min: bigint; readonly max: bigint };
}

/** Returns the source of a term. */
export function sourceOf(term: Term): string {
  if (typeof term !== "object") {
    return typeof term === "string" ? JSON.stringify(term) : String(term);
  }
  const [name, ...parts] = term;
  const [first = "", ...rest] = parts.map(sourceOf);
  if (name === "==" || name === "!=") {
    return `${first} ${name} ${rest.join("")}`;
  }
  return name.startsWith(".")
    ? `${first}${name}(${rest.join(", ")})`
    : `${name}(${[first, ...rest].join(", ")})`;
}

/** Evaluates a term that reads no variables. */
export function outcomeOf(env: CelEnv, term: Term): Outcome {
  const rule = env.compile(sourceOf(term));
  const { result, cost } = rule.program.run(() => new CelFailure("unknown variable"));
  return {
    result: "code" in result ? new CelFailure(result.message, result.cause) : result.value,
    cost,
    estimate: rule.estimate(),
  };
}
