import { strictEqual } from "node:assert/strict";
import {
  CelCompileError,
  type CelEnv,
  type CelInput,
  type CelRule,
  Estimate,
} from "../../../../packages/cel/src/index.js";

/** Units that an expression may cost: enough for every part to run. */
const costLimit = 100_000;
/** Milliseconds after which the loops of an expression count as hanging. */
const hangMs = 20_000;
/** Errors for JavaScript values that CEL has no type for: the caller's mistake. */
const unfitValue = /^CEL has no type for a |does not fit into 64 bits$/;

/**
 * Compiles, estimates, evaluates and explains an expression. Fails if an error is not of the documented kinds, if an
 * evaluation hangs, or if a second one differs.
 */
export function checkExpression(env: CelEnv, source: string, input: CelInput): void {
  const rule = compiled(env, source);
  if (rule === undefined) {
    return;
  }
  reported(source, () => {
    try {
      check(rule, input);
    } catch (error) {
      if (!(error instanceof TypeError && unfitValue.test(error.message))) {
        throw error;
      }
    }
  });
}

/** Runs a check and names its input in an error. */
export function reported(input: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`input ${input}: ${stack}`, { cause: error });
  }
}

function compiled(env: CelEnv, source: string): CelRule | undefined {
  let rule: CelRule | undefined;
  reported(source, () => {
    try {
      rule = env.compile(source);
    } catch (error) {
      if (!(error instanceof CelCompileError)) {
        throw error;
      }
    }
  });
  return rule;
}

function check(rule: CelRule, input: CelInput): void {
  const { min, max } = rule.estimate(() => new Estimate(0n, 1000n));
  strictEqual(min >= 0n && max < 2n ** 64n, true, `estimate ${min} to ${max}`);
  const options = { costLimit, timeoutMs: hangMs };
  const first = rule.evaluate(input, options);
  strictEqual(!first.ok && first.error.code === "Interrupted", false, "hangs");
  const second = rule.evaluate(input, options);
  strictEqual(second.cost, first.cost, "cost");
  strictEqual(second.ok, first.ok, "outcome");
  const { conjuncts, text } = rule.explain(input, options);
  strictEqual(conjuncts.length <= 10 && text.length < 50_000, true, "size of the explanation");
  if (rule.type.kind === "bool" && first.ok) {
    strictEqual(conjuncts.length === 0, first.value === true, "explanation of the outcome");
  }
}
