import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind PodCertificateRequest. */
export const podCertificateRequestStrategy: KindStrategy = {
  columns: columnsFor("podcertificaterequests.certificates.k8s.io", {
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
  }),
  idle: { why: "has no signers and issues no certificates" },
};

function podRequestState({ status }: JsonObject): string {
  const types = objectsOf(mapOf(status)["conditions"]).map(({ type }) => String(type));
  return ["Issued", "Denied", "Failed"].find((type) => types.includes(type)) ?? "Pending";
}
