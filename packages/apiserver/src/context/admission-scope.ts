import type { FailedValidation } from "@typekube/policy";
import type { CallMemory } from "../time/call-memory.js";
import type { ReviewExchange } from "./attempts.js";
import type { ServerContext } from "./server-context.js";

/** The parts of a request that admission needs, whether it writes an object or not. */
export interface AdmissionScope {
  readonly server: ServerContext;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** Reviews by webhooks in this attempt and in earlier ones. */
  readonly reviews: CallMemory<ReviewExchange>;
  /** Adds an audit annotation to the journal's entry of the request. */
  annotate(key: string, value: string): void;
  /** Receives the validations of policies that failed. Default: none is reported. */
  readonly noteFailed?: ((failed: readonly FailedValidation[]) => void) | undefined;
}
