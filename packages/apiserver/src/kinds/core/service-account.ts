import { mapOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";

const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

/** Strategy of the kind ServiceAccount. */
export const serviceAccountStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  warnings: ({ metadata }, old) =>
    old === undefined && mountableSecrets in mapOf(metadata.annotations)
      ? [
          `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
};
