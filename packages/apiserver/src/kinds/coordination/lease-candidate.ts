import { specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind LeaseCandidate. */
export const leaseCandidateStrategy: KindStrategy = {
  columns: columnsFor("leasecandidates.coordination.k8s.io", {
    LeaseName: column("Lease of the candidate.", (one) => specOf(one)["leaseName"] ?? ""),
    BinaryVersion: column("Version of the program.", (one) => specOf(one)["binaryVersion"] ?? ""),
    EmulationVersion: column(
      "Version that the program emulates.",
      (one) => specOf(one)["emulationVersion"] ?? "",
    ),
  }),
};
