import { CelFailure, CelOptional, type CelResult } from "@typekube/cel";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { isJsonObject } from "@typekube/core/internal/json";
import { trimSpace } from "@typekube/core/internal/texts";
import { isSecret } from "../structural/secret-values.js";
import type { CompiledExpression, CompiledRule } from "./compile-rules.js";
import { Correlation, oldItems } from "./correlation.js";
import { omittedValue } from "./omitted-value.js";
import { defaultMessage, failureMessage, type RuleCause, ruleCause } from "./rule-cause.js";
import type { RuleValidator } from "./rule-validator.js";
import { ruleValue } from "./rule-value.js";
import { secretPaths, shownFailure } from "./secrets.js";
import { ruleText, type ValidationRule } from "./validation-rule.js";

/** Largest cost of one rule in units (`PerCallLimit` of Kubernetes). */
export const perCallLimit = 1_000_000;
/** Largest cost of all rules for one object in units (`RuntimeCELCostBudget` of Kubernetes). */
export const objectBudget = 10_000_000;
/** Longest message that a `messageExpression` can give, in bytes. */
const maxMessageBytes = 5 * 1024;

/** Problems that the rules found. */
export interface RuleFindings {
  readonly causes: readonly RuleCause[];
  /** Errors in parts that an update did not change: they are warnings. */
  readonly warnings: readonly string[];
  /** Units that the rules cost. */
  readonly cost: number;
}

/** Options of `validateRules`. */
export interface ValidateRulesOptions {
  /** The old object of an update. */
  readonly old?: unknown;
  /** Path of the value within the object; "<nil>" for the object itself. */
  readonly path?: string;
  /** Largest cost in units. Default 10,000,000. */
  readonly budget?: number;
  /** True to add an `explanation` to the causes. Default false. */
  readonly explain?: boolean;
}

/** Evaluates the rules of a schema on a value. */
export function validateRules(
  validator: RuleValidator,
  value: unknown,
  { old, path = "", budget = objectBudget, explain = false }: ValidateRulesOptions = {},
): RuleFindings {
  const run = new RuleRun(budget, explain);
  const correlation = old === undefined ? undefined : new Correlation(value, old, validator.schema);
  run.validate(validator, path, value, old, { current: correlation, parent: undefined });
  return { causes: run.causes, warnings: run.warnings, cost: budget - Math.max(run.remaining, 0) };
}

/** Changes of an update at a place. Without a place in the old object, the nearest parent with one decides. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

/** Evaluates rules until the budget is used up. */
class RuleRun {
  readonly causes: RuleCause[] = [];
  readonly warnings: string[] = [];
  /** Units that are left; negative once the evaluation has ended early. */
  remaining: number;
  readonly #explain: boolean;

  constructor(budget: number, explain: boolean) {
    this.remaining = budget;
    this.#explain = explain;
  }

  validate(
    validator: RuleValidator,
    path: string,
    value: unknown,
    old: unknown,
    ratchet: Ratchet,
  ): void {
    if (value === null || value === undefined) {
      return;
    }
    this.#evaluate(validator, path, value, old, ratchet);
    for (const part of validator.allOf) {
      if (this.remaining >= 0) {
        this.validate(part, path, value, old, { current: undefined, parent: ratchet.parent });
      }
    }
    if (Array.isArray(value)) {
      this.#validateItems(validator, path, value, old, ratchet);
    } else if (isJsonObject(value)) {
      this.#validateFields(validator, path, value, old, ratchet);
    }
  }

  #validateItems(
    { items, schema }: RuleValidator,
    path: string,
    values: readonly unknown[],
    old: unknown,
    ratchet: Ratchet,
  ): void {
    if (items === undefined) {
      return;
    }
    const oldItem = oldItems(old, schema);
    for (const [index, value] of values.entries()) {
      if (this.remaining < 0) {
        return;
      }
      this.validate(items, `${path}[${index}]`, value, oldItem(value), {
        current: ratchet.current?.index(index),
        parent: ratchet.current ?? ratchet.parent,
      });
    }
  }

  #validateFields(
    { values, properties }: RuleValidator,
    path: string,
    object: Readonly<Record<string, unknown>>,
    old: unknown,
    ratchet: Ratchet,
  ): void {
    const oldObject = isJsonObject(old) ? old : {};
    for (const [key, value] of Object.entries(object)) {
      const oldValue = Object.hasOwn(oldObject, key) ? oldObject[key] : undefined;
      const property = properties.get(key);
      if (values !== undefined && this.remaining >= 0) {
        this.validate(values, `${path}[${key}]`, value, oldValue, inside(ratchet, key));
      }
      if (property !== undefined && this.remaining >= 0) {
        this.validate(property, childPath(path, key), value, oldValue, inside(ratchet, key));
      }
    }
  }

  #evaluate(
    validator: RuleValidator,
    path: string,
    value: unknown,
    old: unknown,
    ratchet: Ratchet,
  ): void {
    const { rules, schema } = validator;
    if (rules.length === 0) {
      return;
    }
    if (this.remaining <= 0) {
      this.#end(path, schema.type, outOfBudget);
      return;
    }
    const variables = variablesOf(validator, value, old);
    for (const compiled of rules) {
      if (compiled.problem !== undefined) {
        const message = `rule compile error: ${compiled.problem}`;
        this.causes.push(cause.invalid(shownPath(path), schema.type, message));
      } else if (compiled.program !== undefined && !isSkipped(compiled, old)) {
        this.#evaluateRule(compiled, compiled.program, {
          path,
          value,
          old,
          schema,
          variables,
          ratchet,
        });
      }
      if (this.remaining < 0) {
        return;
      }
    }
  }

  #evaluateRule(compiled: CompiledRule, program: CompiledExpression, at: RulePlace): void {
    const { rule } = compiled;
    const { path, schema } = at;
    const { result, cost } = program.program.run(
      (name) => at.variables(name, rule.optionalOldSelf),
      { costLimit: perCallLimit },
    );
    if (cost > this.remaining) {
      this.#end(path, schema.type, outOfBudget);
      return;
    }
    this.remaining -= cost;
    if ("code" in result) {
      if (result.code === "CostLimit") {
        this.#end(
          path,
          schema.type,
          `'${result.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
        );
        return;
      }
      const message = failureMessage(
        shownFailure(result.message, [at.value, at.old], schema),
        rule,
      );
      const found = cause.invalid(shownPath(path), schema.type, message);
      this.causes.push(this.#explained(found, compiled, at));
    } else if (result.value !== true) {
      this.#reportFalse(compiled, at);
    }
  }

  #reportFalse(compiled: CompiledRule, at: RulePlace): void {
    const { rule, messageExpression } = compiled;
    const path = compiled.fieldPath === "" ? at.path : childPath(at.path, compiled.fieldPath);
    let message: string | undefined;
    if (messageExpression !== undefined) {
      const found = this.#messageOf(messageExpression, rule, at);
      if ("stop" in found) {
        this.#add(cause.invalid(shownPath(path), at.schema.type, found.stop), compiled, at);
        this.remaining = -1;
        return;
      }
      message = found.message;
    }
    const isCompound = at.schema.type === "object" || at.schema.type === "array";
    const value = isCompound || isSecret(at.schema) ? omittedValue : at.value;
    const found = ruleCause(rule, shownPath(path), value, message ?? defaultMessage(rule));
    this.#add(this.#explained(found, compiled, at), compiled, at);
  }

  #explained(found: StatusCause, { rule, program }: CompiledRule, at: RulePlace): RuleCause {
    if (!this.#explain || program === undefined) {
      return found;
    }
    const { text, conjuncts } = program.program.explain(
      (name) => at.variables(name, rule.optionalOldSelf),
      {
        costLimit: perCallLimit,
        isSecret: secretPaths(at.schema),
      },
    );
    return { ...found, explanation: text, conjuncts };
  }

  /** Returns the message, nothing if the rule's own one is used, or why the evaluation ends. */
  #messageOf(
    { program }: CompiledExpression,
    rule: ValidationRule,
    at: RulePlace,
  ): { readonly message: string | undefined } | { readonly stop: string } {
    // The message sees the plain old value, also for a rule with an optional one.
    const { result, cost } = program.run((name) => at.variables(name, false), {
      costLimit: perCallLimit,
    });
    if (cost > this.remaining) {
      return {
        stop: "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    if ("code" in result && result.code === "CostLimit") {
      return {
        stop: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`,
      };
    }
    this.remaining -= cost;
    const text =
      "value" in result && typeof result.value === "string" ? trimSpace(result.value) : "";
    const isUsable =
      text !== "" &&
      !text.includes("\n") &&
      new TextEncoder().encode(text).length <= maxMessageBytes;
    return { message: isUsable ? text : undefined };
  }

  /** An error in a part that did not change is a warning, unless the rule compares with the old value. */
  #add(found: RuleCause, { usesOldSelf }: CompiledRule, { ratchet }: RulePlace): void {
    const unchanged = ratchet.current ?? ratchet.parent;
    if (!usesOldSelf && unchanged?.isUnchanged() === true) {
      this.warnings.push(`${found.field}: ${found.message}`);
    } else {
      this.causes.push(found);
    }
  }

  #end(path: string, type: string, message: string): void {
    this.causes.push(cause.invalid(shownPath(path), type, message));
    this.remaining = -1;
  }
}

interface RulePlace {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: RuleValidator["schema"];
  readonly variables: (name: string, optionalOldSelf: boolean) => CelResult;
  readonly ratchet: Ratchet;
}

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The old value exists only where a rule reads it: message expressions alone do not see it. */
function variablesOf(
  { schema, usesOldSelf }: RuleValidator,
  value: unknown,
  old: unknown,
): RulePlace["variables"] {
  const self = ruleValue(value, schema);
  const hasOld = usesOldSelf && old !== undefined && old !== null;
  const oldSelf = hasOld ? ruleValue(old, schema) : undefined;
  return (name, optionalOldSelf) => {
    if (name === "self") {
      return self;
    }
    if (optionalOldSelf) {
      return oldSelf instanceof CelFailure ? oldSelf : new CelOptional(oldSelf);
    }
    return oldSelf ?? new CelFailure(`no such attribute(s): ${name}`);
  };
}

/** A rule that compares with the old value is skipped where no old value exists, unless it says that this is optional. */
function isSkipped({ usesOldSelf, rule }: CompiledRule, old: unknown): boolean {
  return usesOldSelf && (old === undefined || old === null) && !rule.optionalOldSelf;
}

function inside({ current, parent }: Ratchet, key: string): Ratchet {
  if (current === undefined) {
    return { current, parent };
  }
  // A server converts both objects to one version, so that a change of it cannot be seen.
  return parent === undefined && (key === "apiVersion" || key === "kind")
    ? { current: undefined, parent: undefined }
    : { current: current.key(key), parent: current };
}

function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** The root of an object has no path. */
function shownPath(path: string): string {
  return path === "" ? "<nil>" : path;
}
