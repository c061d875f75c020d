import { randomUUID } from "node:crypto";
import type { KubeObject } from "@typekube/api";
import type { UserInfo } from "@typekube/api/authentication/v1";
import type { Status } from "@typekube/core";
import { KubeError } from "@typekube/core";
import { cloneJson, type JsonObject, type JsonPatchOperation } from "@typekube/core/internal";
import type { AdmissionHandler } from "./admission.js";
import type { AdmissionOperation } from "./admission-review.js";
import { errorStatus } from "./error-status.js";
import {
  type AdmissionInput,
  type AdmissionOutput,
  type AnyAdmissionHandler,
  runMutators,
  runValidators,
} from "./run-admission.js";

/** A request for {@link review}. */
export interface ReviewInput<T extends KubeObject = KubeObject> {
  /** The new object; absent for a delete. */
  readonly object?: T | undefined;
  /** The stored object; absent for a create. */
  readonly oldObject?: T | undefined;
  /** Default: CREATE, UPDATE or DELETE, by the objects that there are. */
  readonly operation?: AdmissionOperation | undefined;
  /** The user who sends the request. Default: `{ username: "system:admin", groups: ["system:masters"] }`. */
  readonly user?: UserInfo | undefined;
  /** Default false. */
  readonly dryRun?: boolean | undefined;
  /** Options of the request, such as a `CreateOptions`. Default: none. */
  readonly options?: JsonObject | undefined;
  /** Ends the review. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of {@link review}. */
export interface ReviewResult<T extends KubeObject = KubeObject> {
  readonly allowed: boolean;
  /** The object after the mutators; `undefined` for a delete. */
  readonly object: T | undefined;
  /** Operations of the mutators. */
  readonly patch: readonly JsonPatchOperation[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Status of a denial, with the message and the causes; `undefined` for an allowed request. */
  readonly status: Status | undefined;
}

/**
 * Reviews a request as a plain function, for tests: first the mutators, then the validators on their result. The given
 * objects are not changed.
 *
 * @example
 * ```ts
 * const { allowed, object } = await review(hooks, { object: shop });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` when the objects do not fit the operation. Errors of handlers are denials, as on
 * a server.
 */
export async function review<T extends KubeObject, O extends AdmissionOperation>(
  handler: AdmissionHandler<T, O>,
  request: ReviewInput<T>,
): Promise<ReviewResult<T>> {
  const any = handler as unknown as AnyAdmissionHandler;
  const input = inputOf(any, request);
  const signal = request.signal ?? new AbortController().signal;
  try {
    const mutated = await runMutators(any, input, signal);
    if (!mutated.allowed) {
      return resultOf(mutated);
    }
    const validated = await runValidators(any, { ...input, object: mutated.object }, signal);
    return resultOf({
      ...validated,
      patch: mutated.patch,
      warnings: [...mutated.warnings, ...validated.warnings],
      auditAnnotations: { ...mutated.auditAnnotations, ...validated.auditAnnotations },
    });
  } catch (error) {
    const status = errorStatus(error);
    return {
      allowed: false,
      object: request.object,
      patch: [],
      warnings: [],
      auditAnnotations: {},
      status,
    };
  }
}

function resultOf<T extends KubeObject>(output: AdmissionOutput): ReviewResult<T> {
  return output as unknown as ReviewResult<T>;
}

function inputOf({ settings, kind }: AnyAdmissionHandler, request: ReviewInput): AdmissionInput {
  const { object, oldObject, dryRun = false, options } = request;
  const operation =
    request.operation ??
    (object === undefined ? "DELETE" : oldObject === undefined ? "CREATE" : "UPDATE");
  const needsOld = operation === "UPDATE" || operation === "DELETE";
  if (
    (object === undefined) !== (operation === "DELETE") ||
    (oldObject !== undefined) !== needsOld
  ) {
    throw new KubeError("InvalidArgument", `a review of ${operation} has other objects`, {
      hint: "CREATE has an object, UPDATE has an object and an oldObject, DELETE has an oldObject",
    });
  }
  const complete = <T extends KubeObject>(one: T | undefined) =>
    one && { apiVersion: kind.apiVersion, kind: kind.kind, ...cloneJson(one) };
  const metadata = (object ?? oldObject)?.metadata;
  return {
    uid: randomUUID(),
    operation,
    object: complete(object),
    oldObject: complete(oldObject),
    name: metadata?.name,
    namespace: metadata?.namespace,
    user: request.user ?? { username: "system:admin", groups: ["system:masters"] },
    dryRun,
    subresource: settings.subresource,
    requestKind: { group: kind.group, version: kind.version, kind: kind.kind },
    options,
  };
}
