import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { webhooks } from "./admission-cells.js";
import { validateWebhooks } from "./validate-webhooks.js";

/** Strategy of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validateWrite: validateWebhooks,
  columns: columnsFor("validatingwebhookconfigurations.admissionregistration.k8s.io", webhooks),
};
