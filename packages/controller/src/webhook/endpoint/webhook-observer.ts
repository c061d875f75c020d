/** Outcome of a review. `failed` means that the handler threw or took too long, `invalid` a request that is no review. */
export type ReviewOutcome = "allowed" | "converted" | "denied" | "failed" | "invalid" | "kept";

/** Observes the reviews of a webhook server, for metrics and traces. */
export interface WebhookObserver {
  /** Called when a review arrives. `webhook` is its path. */
  readonly onStart?:
    | ((review: { readonly webhook: string; readonly traceparent?: string | undefined }) => void)
    | undefined;
  /** Called once per started review with its HTTP status and duration. */
  readonly onReview?:
    | ((review: {
        readonly webhook: string;
        /** HTTP status of the response. */
        readonly code: number;
        readonly outcome: ReviewOutcome;
        readonly durationMs: number;
      }) => void)
    | undefined;
  /** Called when a handler throws an error that is not a Status. */
  readonly onPanic?:
    | ((panic: { readonly webhook: string; readonly error: unknown }) => void)
    | undefined;
  /** Called for each object that could not be converted: `kept` in an annotation, or the cause of a failure. */
  readonly onConversionFailure?:
    | ((failure: { readonly webhook: string; readonly kept: boolean }) => void)
    | undefined;
  /** Called when the certificate that is served was read; `ok` is false when it was missing or invalid. */
  readonly onCertificate?: ((read: { readonly ok: boolean }) => void) | undefined;
}
