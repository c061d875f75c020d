import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";

/** Names a kind or a resource in a review. */
export interface ReviewedType {
  readonly group: string;
  readonly version: string;
  readonly kind?: string;
  readonly resource?: string;
}

/** The request of a review: fields of an AdmissionReview, or the last two of a ConversionReview. */
export interface ReviewRequest {
  readonly uid: string;
  readonly operation?: "CONNECT" | "CREATE" | "DELETE" | "UPDATE";
  readonly kind?: ReviewedType;
  readonly resource?: ReviewedType;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly dryRun?: boolean;
  readonly options?: KubeObject | null;
  readonly desiredAPIVersion?: string;
  readonly objects?: readonly KubeObject[];
  readonly [field: string]: unknown;
}

/** A review that an API server sends to a webhook. */
export interface Review {
  /** `admission.k8s.io/v1`, `apiextensions.k8s.io/v1`, or the same with `v1beta1`. */
  readonly apiVersion: string;
  readonly kind: "AdmissionReview" | "ConversionReview";
  readonly request: ReviewRequest;
}

/** The call of a webhook in process. */
export interface ServiceCall {
  /** Path of the webhook, such as `/validate-example-com-v1-shop`. */
  readonly path: string;
  /** Aborted when the server stops waiting. */
  readonly signal: AbortSignal;
}

/** Reviews in process: gets a copy of the review, and returns the review with its `response`. */
export type ReviewFunction = (review: Review, call: ServiceCall) => object | Promise<object>;

/** Webhooks behind the fetch API, as `createWebhook` of `typekube/controller` and web frameworks return them. */
export interface FetchWebhook {
  fetch(request: Request): Promise<Response> | Response;
}

/** A webhook in process: a function, or webhooks behind the fetch API. */
export type ServiceWebhook = FetchWebhook | ReviewFunction;

/** Webhooks in process, by the `namespace/name` of the Service in a `clientConfig`. */
export type ServiceWebhooks = Readonly<Record<string, ServiceWebhook>>;

/**
 * Checks the names and values of webhooks in process.
 *
 * @throws {KubeError} `InvalidArgument` that names the entry.
 */
export function assertServiceWebhooks(webhooks: ServiceWebhooks): void {
  for (const [name, webhook] of Object.entries(webhooks)) {
    if (!/^[^/]+\/[^/]+$/.test(name)) {
      throw new KubeError("InvalidArgument", `webhooks has the key ${JSON.stringify(name)}`, {
        hint: 'keys are "namespace/name" of the Service in clientConfig.service',
      });
    }
    if (typeof webhook !== "function" && typeof webhook?.fetch !== "function") {
      throw new KubeError("InvalidArgument", `webhooks[${JSON.stringify(name)}] is no webhook`, {
        hint: "it must be a function of a review, or an object with fetch()",
      });
    }
  }
}
