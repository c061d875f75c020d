import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { ageText } from "../../response/table/age.js";
import { none } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

const bindings = {
  Role: column("Role that is granted.", ({ roleRef }) => {
    const { kind, name } = mapOf(roleRef);
    return `${String(kind)}/${String(name)}`;
  }),
  Users: column("Users that have the role.", (one) => subjectsText(one, "User")),
  Groups: column("Groups that have the role.", (one) => subjectsText(one, "Group")),
  ServiceAccounts: column("Service accounts that have the role.", (one) =>
    subjectsText(one, "ServiceAccount"),
  ),
};

/** Columns of the kind RoleBinding. */
export const roleBindingColumns: readonly TableColumn[] = columnsFor(
  "rolebindings.rbac.authorization.k8s.io",
  bindings,
);

/** Columns of the kind ClusterRoleBinding. */
export const clusterRoleBindingColumns: readonly TableColumn[] = columnsFor(
  "clusterrolebindings.rbac.authorization.k8s.io",
  bindings,
);

/** Columns of the kind CertificateSigningRequest. */
export const certificateSigningRequestColumns: readonly TableColumn[] = columnsFor(
  "certificatesigningrequests.certificates.k8s.io",
  {
    SignerName: column("Signer that is requested.", (one) => specOf(one)["signerName"]),
    Requestor: column("User that created the request.", (one) => specOf(one)["username"] ?? ""),
    RequestedDuration: column("Validity that is requested.", (one) => {
      const seconds = specOf(one)["expirationSeconds"];
      return typeof seconds === "number" ? ageText(seconds) : none;
    }),
    Condition: column("State of the request.", requestCondition),
  },
);

/** Columns of the kind ClusterTrustBundle. */
export const clusterTrustBundleColumns: readonly TableColumn[] = columnsFor(
  "clustertrustbundles.certificates.k8s.io",
  {
    SignerName: column("Signer of the certificates.", (one) => specOf(one)["signerName"] ?? ""),
  },
);

/** Columns of the kind PodCertificateRequest. */
export const podCertificateRequestColumns: readonly TableColumn[] = columnsFor(
  "podcertificaterequests.certificates.k8s.io",
  {
    PodName: column("Pod that gets the certificate.", (one) => specOf(one)["podName"]),
    ServiceAccountName: column(
      "Service account of the pod.",
      (one) => specOf(one)["serviceAccountName"],
    ),
    NodeName: column("Node of the pod.", (one) => specOf(one)["nodeName"]),
    SignerName: column("Signer that is requested.", (one) => specOf(one)["signerName"]),
    State: column("State of the request.", podRequestState),
    UnverifiedUserAnnotations: column("Annotations by the pod, which are not verified.", (one) =>
      Object.entries(mapOf(specOf(one)["unverifiedUserAnnotations"]))
        .map(([key, value]) => `${key}=${String(value)}`)
        .sort()
        .join(","),
    ),
  },
);

function subjectsText({ subjects }: JsonObject, wanted: string): string {
  return objectsOf(subjects)
    .filter(({ kind }) => kind === wanted)
    .map(({ name, namespace }) =>
      wanted === "ServiceAccount" ? `${String(namespace ?? "")}/${String(name)}` : String(name),
    )
    .join(", ");
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

function podRequestState({ status }: JsonObject): string {
  const types = objectsOf(mapOf(status)["conditions"]).map(({ type }) => String(type));
  return ["Issued", "Denied", "Failed"].find((type) => types.includes(type)) ?? "Pending";
}
