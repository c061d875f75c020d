import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from "@typekube/api/admissionregistration/v1";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { jsonEqual } from "@typekube/core/internal/json";
import { qualifiedNameTexts, trimSpace } from "@typekube/core/internal/texts";
import { resultTypes } from "../expressions/result-types.js";
import { type CheckOptions, ExpressionChecker } from "./check-expressions.js";
import { checkVariables } from "./check-variables.js";

/** Most audit annotations of one policy. */
const maxAnnotations = 20;
/** Longest expression of an audit annotation, in bytes. */
const maxAnnotationBytes = 5 * 1024;
/** The reasons that a validation may give, in the order of error messages. */
const reasons: readonly string[] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/**
 * Returns the field errors of the expressions of a ValidatingAdmissionPolicy, as a server reports them when the policy is
 * written: match conditions, variables, validations and audit annotations. Expressions that the old policy has, too, may use what any version
 * of Kubernetes knows.
 */
export function checkValidatingPolicy(
  policy: ValidatingAdmissionPolicy,
  old?: ValidatingAdmissionPolicy,
  options: CheckOptions = {},
): readonly StatusCause[] {
  const { spec = {}, metadata } = policy;
  const { matchConditions = [], variables = [] } = spec;
  const checker = new ExpressionChecker(options, expressionsOf(old?.spec), {
    params: spec.paramKind !== undefined,
    composed: variables.length > 0,
  });
  if (old === undefined || !hasSameConditions(spec, old.spec)) {
    checker.checkConditions(matchConditions, "spec.matchConditions");
  }
  checkVariables(variables, checker, "spec.variables");
  checkValidations(spec, checker);
  checkAnnotations(spec.auditAnnotations ?? [], metadata?.name ?? "", checker);
  return checker.causes;
}

function expressionsOf(spec: ValidatingAdmissionPolicySpec = {}): ReadonlySet<string> {
  return new Set([
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap(({ expression, messageExpression = "" }) => [
      expression,
      messageExpression,
    ]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
  ]);
}

/** Conditions that do not change are not checked again, unless `params` appears or disappears. */
function hasSameConditions(
  spec: ValidatingAdmissionPolicySpec,
  old: ValidatingAdmissionPolicySpec = {},
): boolean {
  return (
    jsonEqual(spec.paramKind, old.paramKind) && jsonEqual(spec.matchConditions, old.matchConditions)
  );
}

function checkValidations(
  { validations = [], auditAnnotations = [] }: ValidatingAdmissionPolicySpec,
  checker: ExpressionChecker,
): void {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = "validations or auditAnnotations must contain at least one item";
    checker.causes.push(
      cause.required("spec.validations", why),
      cause.required("spec.auditAnnotations", why),
    );
  }
  for (const [at, validation] of validations.entries()) {
    checkValidation(validation, checker, `spec.validations[${at}]`);
  }
}

function checkValidation(
  { expression, message = "", messageExpression = "", reason }: Validation,
  checker: ExpressionChecker,
  path: string,
): void {
  const { causes } = checker;
  if (trimSpace(expression) === "") {
    causes.push(cause.required(`${path}.expression`, "expression is not specified"));
  } else {
    checker.check(expression, `${path}.expression`, { returns: resultTypes.condition });
  }
  if (messageExpression !== "") {
    if (trimSpace(messageExpression) === "") {
      const why = "must be non-empty if specified";
      causes.push(cause.invalid(`${path}.messageExpression`, messageExpression, why));
    } else {
      checker.check(messageExpression, `${path}.messageExpression`, {
        returns: resultTypes.message,
        authorizer: false,
      });
    }
  }
  const problem =
    trimSpace(message) === ""
      ? "must be non-empty if specified"
      : /[\n\r]/.test(trimSpace(message))
        ? "must not contain line breaks"
        : undefined;
  if (message !== "" && problem !== undefined) {
    causes.push(cause.invalid(`${path}.message`, message, problem));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    causes.push(cause.notSupported(`${path}.reason`, reason, reasons));
  }
}

function checkAnnotations(
  annotations: readonly AuditAnnotation[],
  policyName: string,
  checker: ExpressionChecker,
): void {
  const { causes } = checker;
  if (annotations.length > maxAnnotations) {
    const shown = annotations.map(({ key, valueExpression }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    const why = `must not have more than ${maxAnnotations} auditAnnotations`;
    causes.push(cause.invalid("spec.auditAnnotations", shown, why));
  }
  const keys = new Set<string>();
  for (const [at, { key, valueExpression }] of annotations.entries()) {
    const path = `spec.auditAnnotations[${at}]`;
    if (policyName === "") {
      causes.push(cause.invalid(`${path}.key`, key, "requires metadata.name be non-empty"));
    } else {
      const name = `${policyName}/${key}`;
      for (const text of qualifiedNameTexts(name)) {
        causes.push(cause.invalid(`${path}.key`, name, text));
      }
    }
    checkAnnotation(valueExpression, checker, `${path}.valueExpression`);
    if (keys.has(key)) {
      causes.push(cause.duplicate(`${path}.key`, key));
    }
    keys.add(key);
  }
}

function checkAnnotation(expression: string, checker: ExpressionChecker, path: string): void {
  const source = trimSpace(expression);
  if (source === "") {
    checker.causes.push(cause.required(path, "valueExpression is not specified"));
  } else if (Buffer.byteLength(source) > maxAnnotationBytes) {
    const why = `must not exceed ${maxAnnotationBytes} bytes in length`;
    checker.causes.push(cause.required(path, why));
  } else {
    checker.check(source, path, { returns: resultTypes.annotation });
  }
}
