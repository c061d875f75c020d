import { specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind ClusterTrustBundle. */
export const clusterTrustBundleStrategy: KindStrategy = {
  columns: columnsFor("clustertrustbundles.certificates.k8s.io", {
    SignerName: column("Signer of the certificates.", (one) => specOf(one)["signerName"] ?? ""),
  }),
};
