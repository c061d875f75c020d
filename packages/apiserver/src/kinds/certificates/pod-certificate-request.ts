import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podCertificateRequestColumns } from "../rbac/access-columns.js";

/** Strategy of the kind PodCertificateRequest. */
export const podCertificateRequestStrategy: KindStrategy = {
  columns: podCertificateRequestColumns,
  idle: { why: "has no signers and issues no certificates" },
};
