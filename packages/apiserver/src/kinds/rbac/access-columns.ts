import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { ageText } from "../../response/table/age.js";
import { none } from "../../response/table/cell-text.js";
import {
  ageColumn,
  createdColumn,
  nameColumn,
  text,
  wide,
} from "../../response/table/make-column.js";

const plain = [nameColumn, createdColumn];
const bindings = [
  nameColumn,
  text("Role", "Role that is granted.", ({ roleRef }) => {
    const { kind, name } = mapOf(roleRef);
    return `${String(kind)}/${String(name)}`;
  }),
  ageColumn,
  wide(text("Users", "Users that have the role.", (one) => subjectsText(one, "User"))),
  wide(text("Groups", "Groups that have the role.", (one) => subjectsText(one, "Group"))),
  wide(
    text("ServiceAccounts", "Service accounts that have the role.", (one) =>
      subjectsText(one, "ServiceAccount"),
    ),
  ),
];

/** Columns of the kind ServiceAccount. */
export const serviceAccountColumns: readonly TableColumn[] = [nameColumn, ageColumn];

/** Columns of the kind Role. */
export const roleColumns: readonly TableColumn[] = plain;

/** Columns of the kind ClusterRole. */
export const clusterRoleColumns: readonly TableColumn[] = plain;

/** Columns of the kind RoleBinding. */
export const roleBindingColumns: readonly TableColumn[] = bindings;

/** Columns of the kind ClusterRoleBinding. */
export const clusterRoleBindingColumns: readonly TableColumn[] = bindings;

/** Columns of the kind CertificateSigningRequest. */
export const certificateSigningRequestColumns: readonly TableColumn[] = [
  nameColumn,
  ageColumn,
  text("SignerName", "Signer that is requested.", (one) => specOf(one)["signerName"]),
  text("Requestor", "User that created the request.", (one) => specOf(one)["username"] ?? ""),
  text("RequestedDuration", "Validity that is requested.", (one) => {
    const seconds = specOf(one)["expirationSeconds"];
    return typeof seconds === "number" ? ageText(seconds) : none;
  }),
  text("Condition", "State of the request.", requestCondition),
];

/** Columns of the kind ClusterTrustBundle. */
export const clusterTrustBundleColumns: readonly TableColumn[] = [
  nameColumn,
  text("SignerName", "Signer of the certificates.", (one) => specOf(one)["signerName"] ?? ""),
];

/** Columns of the kind PodCertificateRequest. */
export const podCertificateRequestColumns: readonly TableColumn[] = [
  nameColumn,
  text("PodName", "Pod that gets the certificate.", (one) => specOf(one)["podName"]),
  text(
    "ServiceAccountName",
    "Service account of the pod.",
    (one) => specOf(one)["serviceAccountName"],
  ),
  text("NodeName", "Node of the pod.", (one) => specOf(one)["nodeName"]),
  text("SignerName", "Signer that is requested.", (one) => specOf(one)["signerName"]),
  text("State", "State of the request.", podRequestState),
  text("UnverifiedUserAnnotations", "Annotations by the pod, which are not verified.", (one) =>
    Object.entries(mapOf(specOf(one)["unverifiedUserAnnotations"]))
      .map(([key, value]) => `${key}=${String(value)}`)
      .sort()
      .join(","),
  ),
];

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
