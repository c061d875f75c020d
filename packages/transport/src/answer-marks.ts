import type { HttpResponse, KubeErrorRequest } from "@typekube/core";

/** What an answer says of how the server dealt with its request. */
export type AnswerMarks = Pick<KubeErrorRequest, "auditId" | "flowSchemaUid" | "priorityLevelUid">;

/** Reads the `Audit-Id` and the flow control of an answer; what is not there is left out. */
export function answerMarks({ headers }: Pick<HttpResponse, "headers">): AnswerMarks {
  const auditId = headers["audit-id"];
  const flowSchemaUid = headers["x-kubernetes-pf-flowschema-uid"];
  const priorityLevelUid = headers["x-kubernetes-pf-prioritylevel-uid"];
  return {
    ...(auditId ? { auditId } : {}),
    ...(flowSchemaUid ? { flowSchemaUid } : {}),
    ...(priorityLevelUid ? { priorityLevelUid } : {}),
  };
}
