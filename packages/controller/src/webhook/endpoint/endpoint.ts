import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal";
import type { ReviewOutcome } from "./webhook-observer.js";

/** Reply to one review. */
export interface EndpointReply {
  /** HTTP status. */
  readonly code: number;
  readonly body: JsonObject;
  readonly outcome: ReviewOutcome;
}

/** Receives problems that no response can carry. */
export interface EndpointReports {
  /** Reports a defect of a handler. */
  panic(error: unknown): void;
  /** Reports an object that could not be converted. */
  conversionFailure(kept: boolean, error: KubeError): void;
  /** Reports advice, once per text. */
  advice(message: string): void;
}

/** One path of a webhook server. */
export interface Endpoint {
  /** Path, such as `/validate-example-com-v1-shop`. */
  readonly path: string;
  /** Milliseconds that the API server waits unless it says otherwise. */
  readonly timeoutMs: number;
  /** Bytes of a body. */
  readonly maxBodyBytes: number;
  /** Kind of the review's envelope, such as `AdmissionReview`. */
  readonly reviewKind: string;
  /** API group of the envelope. */
  readonly reviewGroup: string;
  /** Reviews a decoded request. The signal aborts when there is no time left. */
  review(
    envelope: KubeObject & { readonly request: JsonObject },
    signal: AbortSignal,
    reports: EndpointReports,
  ): Promise<EndpointReply>;
  /** Returns the reply for an error, such as a deadline that passed during {@link review}. */
  failed(envelope: KubeObject & { readonly request: JsonObject }, error: unknown): EndpointReply;
}

/** Returns the error for a request that is no review. */
export function badRequest(message: string): KubeError {
  return new KubeError("BadRequest", message);
}
