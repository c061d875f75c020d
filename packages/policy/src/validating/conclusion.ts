import type { PolicyDecision, PolicyVerdict } from "./decision.js";
import { codeOfReason, type DenialReason } from "./decision.js";

/** Effect of a denial, as a binding says: "Deny" refuses the request. */
export type ValidationAction = "Audit" | "Deny" | "Warn";

/** A binding of a policy, as far as decisions need it. */
export interface BoundPolicy {
  readonly policy: string;
  readonly binding: string;
  readonly actions: readonly ValidationAction[];
}

/** Why policies refuse a request. */
export interface Denial {
  readonly policy: string;
  /** Absent if the policy itself could not be used. */
  readonly binding?: string;
  /** For example "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false". */
  readonly message: string;
  readonly reason: DenialReason;
  /** HTTP status. */
  readonly code: number;
}

/** A validation of a policy that failed, whatever the actions of the binding. */
export interface FailedValidation {
  readonly policy: string;
  readonly binding: string;
  /** Position in `spec.validations`. */
  readonly index: number;
  readonly message: string;
}

/** Longest value of an audit annotation, in bytes. */
const maxAnnotationBytes = 10 * 1024;
/** Most denials that the annotation of failures lists. */
const maxFailures = 50;
const failuresKey = "validation.policy.admission.k8s.io/validation_failure";

interface Failure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly ValidationAction[];
}

/**
 * Collects the verdicts of all policies on one request. The first denial refuses it; warnings and annotations come from
 * all of them. (k8s.io/apiserver/pkg/admission/plugin/policy/validating `Dispatch`)
 */
export class ValidationConclusion {
  /** Texts for `Warning` headers. */
  readonly warnings: string[] = [];
  /** The validations that failed. An error of the policy as a whole has none. */
  readonly failed: FailedValidation[] = [];
  #denial: Denial | undefined;
  readonly #failures: Failure[] = [];
  readonly #annotations = new Map<string, Set<string>>();

  /** The first denial, `undefined` if the request is admitted. */
  get denial(): Denial | undefined {
    return this.#denial;
  }

  /** Audit annotations of the request. */
  get auditAnnotations(): Readonly<Record<string, string>> {
    const values = Array.from(this.#annotations, ([key, texts]): [string, string] => [
      key,
      [...texts].join(", "),
    ]);
    return Object.fromEntries(
      this.#failures.length === 0
        ? values
        : [...values, [failuresKey, goJson(this.#failures.slice(0, maxFailures))]],
    );
  }

  /** Adds the verdict of a policy for one binding and parameter. */
  add(bound: BoundPolicy, { decisions, annotations }: PolicyVerdict): void {
    for (const [index, decision] of decisions.entries()) {
      if (decision.action === "deny") {
        const { policy, binding } = bound;
        if (decision.evaluation === "deny" || decisions.length > 1) {
          this.failed.push({ policy, binding, index, message: decision.message });
        }
        this.#act(bound, decision, index);
      }
    }
    for (const { action, key, value = "", error = "" } of annotations) {
      if (action === "publish") {
        this.#annotate(`${bound.policy}/${key}`, cut(value));
      } else if (action === "error") {
        this.#deny(bound.policy, bound.binding, error);
      }
    }
  }

  /** Adds that a policy, or one of its bindings, could not be used though its failure policy is "Fail". */
  addProblem(policy: string, binding: string | undefined, problem: string): void {
    const what = binding === undefined ? "policy" : "binding";
    this.#deny(policy, binding, `failed to configure ${what}: ${problem}`);
  }

  #act(bound: BoundPolicy, { message, reason }: PolicyDecision, expressionIndex: number): void {
    const { policy, binding, actions } = bound;
    for (const action of actions) {
      switch (action) {
        case "Deny":
          this.#deny(policy, binding, message, reason);
          break;
        case "Audit":
          this.#failures.push({
            message,
            policy,
            binding,
            expressionIndex,
            validationActions: actions,
          });
          break;
        case "Warn":
          this.warnings.push(
            `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`,
          );
          break;
        default:
          action satisfies never;
      }
    }
  }

  #deny(
    policy: string,
    binding: string | undefined,
    message: string,
    reason: DenialReason = "Invalid",
  ): void {
    const by = binding === undefined ? "" : ` with binding '${binding}'`;
    this.#denial ??= {
      policy,
      ...(binding === undefined ? {} : { binding }),
      message: `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`,
      reason,
      code: codeOfReason(reason),
    };
  }

  #annotate(key: string, value: string): void {
    const values = this.#annotations.get(key) ?? new Set();
    values.add(value);
    this.#annotations.set(key, values);
  }
}

/** Cuts a text after the most bytes that an annotation may have, between characters. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxAnnotationBytes) {
    return text;
  }
  let end = maxAnnotationBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.toString("utf8", 0, end);
}

/** Returns JSON as Go writes it, without characters that mean something in HTML. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
