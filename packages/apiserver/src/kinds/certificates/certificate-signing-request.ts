import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { userInfo } from "../../objects/user.js";
import type { KindStrategy, StrategyWrite } from "../../resources/kind-strategy.js";
import { certificateSigningRequestColumns } from "../rbac/access-columns.js";
import { withOldRequest } from "./certificate-signing-request/decision.js";

/** Strategy of the kind CertificateSigningRequest. */
export const certificateSigningRequestStrategy: KindStrategy = {
  prepareCreate: withRequestor,
  prepareUpdate: withOldRequest,
  prepareSubresource: withOldRequest,
  fieldSelectors: { paths: ["spec.signerName"] },
  columns: certificateSigningRequestColumns,
  idle: { why: "has no signers and issues no certificates" },
};

const requestorFields = ["username", "uid", "groups", "extra"];

/** Sets the requesting user of a new request, whatever the object contains. */
function withRequestor(request: ApiObject, { user }: StrategyWrite): ApiObject {
  const { username, uid, groups, extra } = userInfo(user ?? { name: "", groups: [] });
  const given = specOf(request);
  const requestor = Object.entries({ username, uid, groups, extra }).filter(
    ([, value]) => value !== undefined,
  );
  const kept = Object.entries(given).filter(([key]) => !requestorFields.includes(key));
  return { ...request, spec: Object.fromEntries([...kept, ...requestor]) };
}
