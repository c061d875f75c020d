import type { AdmissionScope } from "../../context/admission-scope.js";
import { beginAttempts } from "../../context/attempts.js";
import { annotator } from "../../journal/journal.js";
import type { ResourceCall } from "./resource-call.js";
import type { AttemptedRequest } from "./run-attempts.js";

/** The admission of a request that writes no object of its own. */
export interface CallAdmission extends AdmissionScope, AttemptedRequest {
  readonly warnings: string[];
}

/** Starts the admission of a request that is no plain write. */
export function beginAdmission({
  server,
  origin,
}: Pick<ResourceCall, "origin" | "server">): CallAdmission {
  return { ...beginAttempts(server), warnings: [], annotate: annotator(origin.entry) };
}
