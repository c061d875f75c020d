import {
  type CertificateSigningRequest,
  CertificateSigningRequest as descriptor,
} from "@typekube/api/certificates/v1";
import { isConflict } from "@typekube/core";
import type { WriteOptions } from "../options/write-options.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";
import type { Live } from "../types/api-types.js";

/** Maximum attempts at a decision while other clients write to the same request. */
const maxAttempts = 5;

/** Options of a decision about a certificate signing request. */
export interface CertificateDecision extends WriteOptions {
  /** Reason for programs, one word. Default `TypeKubeApprove` or `TypeKubeDeny`. */
  readonly reason?: string | undefined;
  /** Message for people, a sentence. */
  readonly message?: string | undefined;
}

/**
 * Approves or denies a certificate signing request, unless that decision was already made. Retries after conflicts.
 *
 * @throws {KubeError} `Invalid` when the opposite was decided.
 */
export async function decideCertificate(
  context: ClientContext,
  name: string,
  decision: "Approved" | "Denied",
  { reason, message, ...options }: CertificateDecision = {},
): Promise<Live<CertificateSigningRequest>> {
  const requests = resourceOf(context, descriptor);
  for (let attempt = 1; ; attempt++) {
    const request = await requests.get(name, options);
    const conditions = request.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === decision && status !== "False")) {
      return request;
    }
    const condition = {
      type: decision,
      status: "True",
      reason: reason ?? (decision === "Approved" ? "TypeKubeApprove" : "TypeKubeDeny"),
      message,
    };
    const decided = {
      ...request,
      status: { ...request.status, conditions: [...conditions, condition] },
    };
    try {
      const response = await requests.approval.update(name, decided, options);
      return response as Live<CertificateSigningRequest>;
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) {
        throw error;
      }
    }
  }
}
