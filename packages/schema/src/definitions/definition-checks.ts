import type { checkRules, expressionsOf } from "../rule-checks/check-rules.js";
import type { explainCosts } from "../rule-checks/explain-cost.js";
import type { CompilePattern } from "../structural/compile-pattern.js";

/** The part of `@typekube/schema/rules` that checks the rules of a definition. */
export interface RuleChecks {
  readonly checkRules: typeof checkRules;
  readonly explainCosts: typeof explainCosts;
  readonly expressionsOf: typeof expressionsOf;
}

/** How a definition is checked. */
export interface DefinitionChecks {
  /** Minor version of the server, such as "1.37". */
  readonly version: string;
  /** Compiles the patterns of schemas. */
  readonly compilePattern: CompilePattern;
  /** Returns the checks of rules. Called only for a definition with rules, so that others never load the expression language. */
  readonly rules: () => RuleChecks;
  /** Called with the way out of each rule that is too expensive; the errors have the texts of a real server. */
  warn(text: string): void;
}
