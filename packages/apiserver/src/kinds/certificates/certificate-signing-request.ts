import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { userInfo } from "../../objects/user.js";
import type { KindStrategy, StrategyWrite } from "../../resources/kind-strategy.js";
import { ageText } from "../../response/table/age.js";
import { none } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { withOldRequest } from "./certificate-signing-request/decision.js";

/** Strategy of the kind CertificateSigningRequest. */
export const certificateSigningRequestStrategy: KindStrategy = {
  prepareCreate: withRequestor,
  prepareUpdate: withOldRequest,
  prepareSubresource: withOldRequest,
  fieldSelectors: { paths: ["spec.signerName"] },
  columns: columnsFor("certificatesigningrequests.certificates.k8s.io", {
    SignerName: column("Signer that is requested.", (one) => specOf(one)["signerName"]),
    Requestor: column("User that created the request.", (one) => specOf(one)["username"] ?? ""),
    RequestedDuration: column("Validity that is requested.", (one) => {
      const seconds = specOf(one)["expirationSeconds"];
      return typeof seconds === "number" ? ageText(seconds) : none;
    }),
    Condition: column("State of the request.", requestCondition),
  }),
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

function requestCondition({ status }: JsonObject): string {
  const { conditions, certificate } = mapOf(status);
  const types = objectsOf(conditions).map(({ type }) => String(type));
  const words = types.includes("Denied")
    ? ["Denied"]
    : types.includes("Approved")
      ? ["Approved"]
      : ["Pending"];
  if (types.includes("Failed")) {
    words.push("Failed");
  }
  if (typeof certificate === "string" && certificate !== "") {
    words.push("Issued");
  }
  return words.join(",");
}
