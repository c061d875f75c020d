import { cause, type FieldErrors } from "@typekube/core/internal/field-errors";
import { getPath, type JsonObject } from "@typekube/core/internal/json";

const annotation = "api-approved.kubernetes.io";
const field = `metadata.annotations[${annotation}]`;
const enhancement = "see https://github.com/kubernetes/enhancements/pull/1111";
const form = `either a URL or a reason starting with "unapproved"`;

/** API approval of a definition in a group of the Kubernetes project. */
type Approval = "approved" | "bypassed" | "invalid" | "missing";

/** The condition of a definition about its API approval, without its transition time. */
export interface ApprovalCondition extends JsonObject {
  readonly type: "KubernetesAPIApprovalPolicyConformant";
  readonly status: "False" | "True";
  readonly reason: string;
  readonly message: string;
}

/** A URL with a host, as accepted by Go's ParseRequestURI. */
const url =
  /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/(?:[^/?@\s]*@)?[^/?@\s]+(?:[/?](?:[^%\s]|%[0-9a-fA-F]{2}| )*)?$/;

/** Validates the approval of a new definition, or a change of it. (apiextensions `validateAPIApproval`) */
export function validateApproval(
  object: JsonObject,
  before: JsonObject | undefined,
  errors: FieldErrors,
): void {
  if (!isProtected(object)) {
    return;
  }
  const approval = approvalOf(object);
  if (before !== undefined && approvalOf(before) === approval) {
    return;
  }
  const why = textOf(object, approval);
  switch (approval) {
    case "missing":
      errors.push(cause.required(field, why));
      break;
    case "invalid":
      errors.push(cause.invalid(field, given(object), why));
      break;
    default:
  }
}

/** Returns the condition about the approval; `undefined` for groups that need none. (controller/apiapproval) */
export function approvalCondition(object: JsonObject): ApprovalCondition | undefined {
  if (!isProtected(object)) {
    return undefined;
  }
  const approval = approvalOf(object);
  return {
    type: "KubernetesAPIApprovalPolicyConformant",
    status: approval === "approved" ? "True" : "False",
    reason: reasons[approval],
    message: textOf(object, approval),
  };
}

const reasons: Readonly<Record<Approval, string>> = {
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
};

function isProtected(object: JsonObject): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(String(getPath(object, "spec", "group") ?? ""));
}

function given({ metadata }: JsonObject): string {
  const text = getPath(metadata, "annotations", annotation);
  return typeof text === "string" ? text : "";
}

function approvalOf(object: JsonObject): Approval {
  const text = given(object);
  if (text === "") {
    return "missing";
  }
  if (text.startsWith("unapproved")) {
    return "bypassed";
  }
  return url.test(text) ? "approved" : "invalid";
}

function textOf(object: JsonObject, approval: Approval): string {
  switch (approval) {
    case "approved":
      return `approved in ${given(object)}`;
    case "bypassed":
      return `not approved: ${JSON.stringify(given(object))}`;
    case "invalid":
      return `protected groups must have approval annotation "${annotation}" with ${form}, ${enhancement}`;
    case "missing":
      return `protected groups must have approval annotation "${annotation}", ${enhancement}`;
    default:
      return approval satisfies never;
  }
}
