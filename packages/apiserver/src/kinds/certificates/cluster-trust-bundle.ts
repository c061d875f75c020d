import { specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Columns of the kind ClusterTrustBundle. */
const clusterTrustBundleColumns: readonly TableColumn[] = columnsFor(
  "clustertrustbundles.certificates.k8s.io",
  {
    SignerName: column("Signer of the certificates.", (one) => specOf(one)["signerName"] ?? ""),
  },
);

/** Strategy of the kind ClusterTrustBundle. */
export const clusterTrustBundleStrategy: KindStrategy = {
  columns: clusterTrustBundleColumns,
};
