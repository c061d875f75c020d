import type { KubeObject } from "@typekube/api";
import type { Webhook } from "@typekube/controller";

/** Returns an AdmissionReview. */
export function admissionReview(request: {
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly operation?: string;
  readonly subResource?: string;
  readonly dryRun?: boolean;
}): Record<string, unknown> {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "review-1",
      operation: "CREATE",
      name: "tea",
      namespace: "prod",
      userInfo: { username: "jane" },
      ...request,
    },
  };
}

/** A response of a webhook. */
export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Posts a review to a webhook without a server. */
export async function post(
  webhook: Webhook,
  path: string,
  body: object | string,
  contentType = "application/json",
): Promise<Reply> {
  const isText = typeof body === "string" || body instanceof Uint8Array;
  const request = new Request(`https://localhost${path}`, {
    method: "POST",
    body: isText ? (body as string) : JSON.stringify(body),
    headers: { "content-type": contentType },
  });
  return readReply(await webhook.fetch(request));
}

/** Reads a response. */
export async function readReply(response: Response): Promise<Reply> {
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Returns the response inside of a review. */
export function reviewOf({ body }: Reply): Record<string, unknown> {
  return body["response"] as Record<string, unknown>;
}
