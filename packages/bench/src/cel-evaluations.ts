import { validateRules } from "@typekube/schema/rules";
import { compiled, schemaOf } from "./cel-rules.js";

/** Evaluations before those that are measured. */
const warmUp = 2_000;

/** Compiles a rule and returns the task that evaluates it on an object, as a server does for each write. */
export function evaluations(rule: string, object: object, count: number): () => Promise<number> {
  const validator = compiled(schemaOf(rule));
  const evaluate = (times: number): number => {
    let done = 0;
    for (let time = 0; time < times; time++) {
      done += validateRules(validator, object).causes.length === 0 ? 1 : 0;
    }
    return done;
  };
  evaluate(warmUp);
  return async () => evaluate(count);
}
