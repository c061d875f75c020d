import type { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import { CertificateSigningRequest as descriptor } from "@typekube/api/certificates/v1";
import { isConflict } from "@typekube/core";
import type { Live } from "../api-types.js";
import type { ClientContext } from "../client-context.js";
import type { WriteOptions } from "../options.js";
import { resourceOf } from "../resource-of.js";

/** Attempts at a decision while others write to the same request. */
const maxAttempts = 5;

/** A decision about a certificate request. */
export interface CertificateDecision extends WriteOptions {
  /** A word for programs. Default `TypeKubeApprove` or `TypeKubeDeny`. */
  readonly reason?: string | undefined;
  /** A sentence for people. */
  readonly message?: string | undefined;
}

/**
 * Approves or denies a certificate signing request, unless it is decided that way already. Conflicts are tried again.
 *
 * @throws {KubeError} `Invalid` when it has been decided the other way.
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
