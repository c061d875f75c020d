import type { KindStrategy } from "../../resources/kind-strategy.js";
import { leaseCandidateColumns } from "../scheduling/scheduling-columns.js";

/** Strategy of the kind LeaseCandidate. */
export const leaseCandidateStrategy: KindStrategy = {
  columns: leaseCandidateColumns,
};
