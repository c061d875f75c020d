import type { KindStrategy } from "../../resources/kind-strategy.js";
import { certificateSigningRequestColumns } from "../rbac/access-columns.js";
import { withOldRequest, withRequestor } from "./certificate-requests.js";

/** Strategy of the kind CertificateSigningRequest. */
export const certificateSigningRequestStrategy: KindStrategy = {
  prepareCreate: withRequestor,
  prepareUpdate: withOldRequest,
  prepareSubresource: withOldRequest,
  fieldSelectors: { paths: ["spec.signerName"] },
  columns: certificateSigningRequestColumns,
  idle: { why: "has no signers and issues no certificates" },
};
