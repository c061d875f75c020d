import type { Validation } from "@typekube/api/admissionregistration/v1";
import { trimSpace } from "@typekube/core/internal/texts";
import {
  type ExpressionOutcome,
  OutOfBudget,
  PolicyEvaluation,
  policyCostLimit,
} from "../expressions/evaluation.js";
import type { PolicyInput } from "../expressions/policy-input.js";
import {
  type AnnotationOutcome,
  type PolicyDecision,
  type PolicyVerdict,
  reasonOf,
} from "./decision.js";
import type { CompiledAnnotation, CompiledValidatingPolicy } from "./validating-policy.js";

/** Longest message that a `messageExpression` can give, in bytes. */
const maxMessageBytes = 5 * 1024;

/** Evaluates a policy on one request with one parameter. (k8s.io/apiserver `validating.Validate`) */
export function validateByPolicy(
  compiled: CompiledValidatingPolicy,
  input: PolicyInput,
): PolicyVerdict {
  const { failurePolicy, conditions, expressions } = compiled;
  const failed = (message: string): PolicyVerdict => ({
    decisions: [decisionOfError(message, compiled)],
    annotations: [],
    cost: 0,
  });
  const match = conditions?.match(input, failurePolicy) ?? { matches: true };
  if (match.error !== undefined) {
    return failed(match.error);
  }
  if (!match.matches) {
    return { decisions: [], annotations: [], cost: 0 };
  }
  try {
    const evaluation = new PolicyEvaluation(expressions, input, policyCostLimit);
    const results = compiled.validations.map(({ expression }) => evaluation.evaluate(expression));
    const messages = evaluateMessages(compiled, input, evaluation.remaining);
    const decisions = results.map((result, at) => decide(compiled, at, result, messages));
    const audit = new PolicyEvaluation(
      expressions,
      { ...input, authorize: undefined },
      policyCostLimit,
    );
    const annotations = compiled.annotations.map((one) =>
      annotate(one, audit.evaluate(one.expression), compiled),
    );
    const left = messages.remaining + audit.remaining;
    return { decisions, annotations, cost: 2 * policyCostLimit - left };
  } catch (error) {
    if (error instanceof OutOfBudget) {
      return failed(error.message);
    }
    throw error;
  }
}

/** Results of the message expressions by validation, and what they left of the budget. */
interface Messages {
  readonly results: readonly (ExpressionOutcome | undefined)[];
  readonly remaining: number;
  /** Set if the budget did not suffice: then no decision stands. */
  readonly error?: string;
}

function evaluateMessages(
  { validations, expressions }: CompiledValidatingPolicy,
  input: PolicyInput,
  budget: number,
): Messages {
  const evaluation = new PolicyEvaluation(expressions, { ...input, authorize: undefined }, budget);
  try {
    const results = validations.map(({ messageExpression }) =>
      messageExpression === undefined ? undefined : evaluation.evaluate(messageExpression),
    );
    return { results, remaining: evaluation.remaining };
  } catch (error) {
    if (error instanceof OutOfBudget) {
      return { results: [], remaining: 0, error: error.message };
    }
    throw error;
  }
}

function decide(
  compiled: CompiledValidatingPolicy,
  at: number,
  result: ExpressionOutcome,
  messages: Messages,
): PolicyDecision {
  const validation = compiled.validations[at]?.validation ?? { expression: "" };
  if ("error" in result) {
    return decisionOfError(result.error, compiled);
  }
  if (messages.error !== undefined) {
    return decisionOfError(`failed messageExpression: ${messages.error}`, compiled);
  }
  if (result.value === true) {
    return { action: "admit", evaluation: "admit", message: "" };
  }
  return {
    action: "deny",
    evaluation: "deny",
    message: denialMessage(validation, messages.results[at]),
    reason: reasonOf(validation.reason),
  };
}

function denialMessage(
  { expression, message = "" }: Validation,
  computed: ExpressionOutcome | undefined,
): string {
  const own =
    computed !== undefined && "value" in computed && typeof computed.value === "string"
      ? trimSpace(computed.value)
      : "";
  const isUsable = Buffer.byteLength(own) <= maxMessageBytes && !own.includes("\n");
  return (
    (isUsable ? own : "") || trimSpace(message) || `failed expression: ${trimSpace(expression)}`
  );
}

function decisionOfError(
  message: string,
  { failurePolicy }: CompiledValidatingPolicy,
): PolicyDecision {
  return { action: failurePolicy === "Ignore" ? "admit" : "deny", evaluation: "error", message };
}

function annotate(
  { annotation: { key, valueExpression } }: CompiledAnnotation,
  result: ExpressionOutcome,
  { failurePolicy }: CompiledValidatingPolicy,
): AnnotationOutcome {
  if ("error" in result) {
    return { key, action: failurePolicy === "Ignore" ? "exclude" : "error", error: result.error };
  }
  if (result.value === null) {
    return { key, action: "exclude" };
  }
  if (typeof result.value !== "string") {
    const error = `valueExpression '${valueExpression}' resulted in unsupported return type. Return type must be either string or null.`;
    return { key, action: "error", error };
  }
  const value = trimSpace(result.value);
  return value === "" ? { key, action: "exclude" } : { key, action: "publish", value };
}
