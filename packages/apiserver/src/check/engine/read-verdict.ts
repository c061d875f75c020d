import type { Status, StatusCause } from "@typekube/core";
import type { RawFinding } from "../items/raw-finding.js";
import type { CheckRuleId } from "../model/check-rules.js";

const ruleByReason: Readonly<Record<string, CheckRuleId>> = {
  FieldValueRequired: "field-required",
  FieldValueInvalid: "field-invalid",
  FieldValueTypeInvalid: "field-type",
  FieldValueDuplicate: "field-duplicate",
  FieldValueForbidden: "field-forbidden",
  FieldValueNotSupported: "field-not-supported",
  FieldValueNotFound: "field-not-found",
  FieldValueTooLong: "field-too-long",
  FieldValueTooMany: "field-too-many",
};

/** Returns the problems that a rejection states, one for each cause. */
export function findingsOf(status: Status): RawFinding[] {
  const { message = "", reason, details } = status;
  if (/(?:AdmissionPolicy '|^policy ['"])/.test(message)) {
    return [{ rule: "policy", message, reason }];
  }
  const causes = details?.causes ?? [];
  if (reason === "Invalid" && causes.length > 0) {
    return causes.map(findingOfCause);
  }
  return strictFindings(message) ?? [decodeFinding(message) ?? otherFinding(status)];
}

function findingOfCause({ reason, field, message = "" }: StatusCause): RawFinding {
  const isExpression = /compilation failed|estimated rule cost|cost budget|type-check/.test(
    message,
  );
  const rule = isExpression ? "definition-invalid" : (ruleByReason[reason ?? ""] ?? "rejected");
  return { rule, message, reason, field: field === "<nil>" ? undefined : field };
}

/** Reads the field names of strict decoding. */
function strictFindings(message: string): RawFinding[] | undefined {
  const start = message.indexOf("strict decoding error: ");
  if (start < 0) {
    return undefined;
  }
  const found = [
    ...message.slice(start).matchAll(/(unknown|duplicate) field ("(?:[^"\\]|\\.)*")/g),
  ];
  return found.map(([text, problem, field = '""']) => ({
    rule: problem === "unknown" ? "unknown-field" : "duplicate-key",
    message: text,
    field: (JSON.parse(field) as string).replace(/^\./, ""),
  }));
}

/** Reads the path of Go's decoder, which has no indices and starts with the name of a type. */
function decodeFinding(message: string): RawFinding | undefined {
  const read =
    /json: cannot unmarshal (\S+) into Go struct field ([\w-]+)\.(\S+) of type (\S+)/.exec(message);
  if (read !== null) {
    const [text, found = "", , field = "", wanted = ""] = read;
    const hint = `the value is a ${found}, but must be ${wantedText(wanted)}`;
    return { rule: "wrong-type", message: text, field, found, hint };
  }
  return /cannot be handled as a |cannot unmarshal|unable to parse|illegal base64/.test(message)
    ? { rule: "wrong-type", message }
    : undefined;
}

function wantedText(type: string): string {
  if (type === "string") {
    return "a string: put it in quotes";
  }
  if (/^u?int\d*$/.test(type)) {
    return "an integer without quotes";
  }
  if (type === "bool") {
    return "true or false without quotes";
  }
  return type.startsWith("[]")
    ? "a list"
    : type.startsWith("map[")
      ? "a mapping"
      : `a ${type.replace(/^.*\./, "")}`;
}

function otherFinding({ message = "", reason }: Status): RawFinding {
  if (/violates PodSecurity/.test(message)) {
    return { rule: "pod-security", message, reason };
  }
  if (
    reason === "NotFound" ||
    /no PriorityClass with name|RuntimeClass .* not found/.test(message)
  ) {
    return { rule: "missing-object", message, reason };
  }
  return { rule: "rejected", message, reason };
}

/** Returns the problem that a warning states. */
export function findingOfWarning(message: string): RawFinding {
  if (/would violate PodSecurity/.test(message)) {
    return { rule: "pod-security-warning", message };
  }
  if (/^Validation failed for ValidatingAdmissionPolicy/.test(message)) {
    return { rule: "policy-warning", message };
  }
  if (/\bdeprecated\b/.test(message)) {
    return { rule: "deprecated-api", message, field: fieldIn(message) };
  }
  return { rule: "server-warning", message, field: fieldIn(message) };
}

/** Returns the field at the beginning of a warning, such as `spec.template.spec.containers[0].env[1]: ...`. */
function fieldIn(message: string): string | undefined {
  return /^([a-z]\w*(?:[.[][^\s:]*(?:\[[^\]]*\])?[^\s:]*)?): /.exec(message)?.[1];
}
