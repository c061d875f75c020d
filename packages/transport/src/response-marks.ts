import type { KubeErrorRequest } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";

/** What an answer says of how the server dealt with its request. */
export type ResponseMarks = Pick<
  KubeErrorRequest,
  "auditId" | "flowSchemaUid" | "priorityLevelUid"
>;

/** Reads the `Audit-Id` and the flow control of an answer; what is not there is left out. */
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
