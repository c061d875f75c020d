import type { Authorize } from "@typekube/cel";
import type { AdmissionRequest } from "../admission-request.js";

/** Values of the variables of a policy's expressions: objects as JSON, in the version that the policy matches. */
export interface PolicyInput {
  readonly request: AdmissionRequest;
  /** The object as it will be stored; `null` for a DELETE. */
  readonly object: unknown;
  /** The stored object; `null` for a CREATE. */
  readonly oldObject: unknown;
  /** The parameter, `null` without one. */
  readonly params?: unknown;
  /** The namespace of the request; `null` for requests without one, and for namespaces themselves. */
  readonly namespaceObject?: unknown;
  /** Decides what `authorizer` checks. Without it, expressions that use `authorizer` fail. */
  readonly authorize?: Authorize | undefined;
}
