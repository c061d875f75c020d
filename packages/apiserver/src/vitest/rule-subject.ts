import { type CelEnv, type CelRule, celEnv, dynType, type FalseConjunct } from "@typekube/cel";
import type { JsonObject } from "@typekube/core/internal";
import { evaluate } from "@typekube/schema/rules";

/** An entry of `x-kubernetes-validations`. */
export interface RuleEntry {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Options of `expectRule`. */
export interface ExpectRuleOptions {
  /** Schema of `self`, as in the definition. Without it, all fields exist and types are checked at run time only. */
  readonly schema?: JsonObject;
  /** Version of Kubernetes, for example "1.37". Default: the newest known one. */
  readonly version?: string;
  /**
   * "new" (default) expects that a server of this version accepts the rule in a new definition, its estimated cost
   * included; "stored" takes what any known version accepts.
   */
  readonly mode?: "new" | "stored";
  /** True for a rule at the root of a resource, which also sees `apiVersion`, `kind` and `metadata`. Default false. */
  readonly isRoot?: boolean;
}

/** Outcome of a rule on a value; `skipped` if it compares with an old value and none was given. */
export type RuleOutcome =
  | { readonly kind: "accepted" | "skipped" }
  | {
      readonly kind: "rejected";
      /** The server's message. */
      readonly message: string;
      /** The false conjuncts in one text. */
      readonly explanation: string;
      readonly conjuncts: readonly FalseConjunct[];
    };

/** A rule that is tested. */
export interface RuleSubject {
  readonly rule: CelRule;
  /** Applies the rule to a value and, for an update, the old value. */
  apply(self: unknown, old: unknown): RuleOutcome;
}

/**
 * Compiles a rule for tests.
 *
 * @throws {Error} for a rule that a server refuses.
 */
export function ruleSubject(entry: RuleEntry, options: ExpectRuleOptions): RuleSubject {
  const { version, schema } = options;
  // The schema decides what compiles; this rule only tells the parts of the text.
  const mode = schema === undefined ? (options.mode ?? "new") : "stored";
  const env = celEnv({
    ...(version === undefined ? {} : { version }),
    mode,
    variables: { self: dynType, oldSelf: dynType },
  });
  const apply = schema === undefined ? plainRule(entry, env) : schemaRule(entry, schema, options);
  const rule = env.compile(entry.rule);
  const isSkipped = (old: unknown): boolean =>
    rule.variables.includes("oldSelf") && old === undefined && entry.optionalOldSelf !== true;
  return {
    rule,
    apply: (self, old) => (isSkipped(old) ? { kind: "skipped" } : apply(self, old)),
  };
}

type Apply = RuleSubject["apply"];

/** Evaluates a rule without types. */
function plainRule(entry: RuleEntry, env: CelEnv): Apply {
  const rule = env.compile(entry.rule);
  if (!["bool", "dyn"].includes(rule.type.kind)) {
    throw new Error(`a server refuses the rule: it must evaluate to a bool, not to ${rule.type}`);
  }
  const messageRule =
    entry.messageExpression === undefined ? undefined : env.compile(entry.messageExpression);
  return (self, old) => {
    const input = old === undefined ? { self } : { self, oldSelf: old };
    const found = rule.evaluate(input);
    if (found.ok && found.value === true) {
      return { kind: "accepted" };
    }
    const text = messageRule?.evaluate(input);
    const own = text?.ok === true && typeof text.value === "string" ? text.value : entry.message;
    const message = found.ok ? (own ?? `failed rule: ${entry.rule}`) : found.error.message;
    const { text: explanation, conjuncts } = rule.explain(input);
    return { kind: "rejected", message, explanation, conjuncts };
  };
}

/** Evaluates a rule as the rule of a field with a schema. */
function schemaRule(entry: RuleEntry, own: JsonObject, options: ExpectRuleOptions): Apply {
  const { version, mode = "new", isRoot = false } = options;
  const place: JsonObject = { ...own, "x-kubernetes-validations": [{ ...entry }] };
  const schema = isRoot ? place : { type: "object", properties: { self: place } };
  const shared = { schema, ...(version === undefined ? {} : { version }), explain: true };
  const [refused] = evaluate({ ...shared, object: undefined, mode }).causes;
  if (refused !== undefined) {
    const why = refused.explanation === undefined ? "" : `\n${refused.explanation}`;
    throw new Error(`a server refuses the rule: ${refused.message}${why}`);
  }
  const wrapped = (value: unknown): unknown => (isRoot ? value : { self: value });
  return (self, old) => {
    const [cause] = evaluate({
      ...shared,
      object: wrapped(self),
      ...(old === undefined ? {} : { oldObject: wrapped(old) }),
    }).causes;
    if (cause === undefined) {
      return { kind: "accepted" };
    }
    const { message = "", explanation = "", conjuncts = [] } = cause;
    return { kind: "rejected", message, explanation, conjuncts };
  };
}
