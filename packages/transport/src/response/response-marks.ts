import type { KubeErrorRequest } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";

/** Response headers that tell how the server handled a request: audit ID and flow control. */
export type ResponseMarks = Pick<
  KubeErrorRequest,
  "auditId" | "flowSchemaUid" | "priorityLevelUid"
>;

/** Reads `Audit-Id` and the flow control headers of a response; absent headers are left out. */
export function responseMarks({ headers }: Pick<HttpResponse, "headers">): ResponseMarks {
  const auditId = headers["audit-id"];
  const flowSchemaUid = headers["x-kubernetes-pf-flowschema-uid"];
  const priorityLevelUid = headers["x-kubernetes-pf-prioritylevel-uid"];
  return {
    ...(auditId ? { auditId } : {}),
    ...(flowSchemaUid ? { flowSchemaUid } : {}),
    ...(priorityLevelUid ? { priorityLevelUid } : {}),
  };
}
