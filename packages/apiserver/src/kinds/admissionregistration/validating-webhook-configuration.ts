import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validatingWebhookConfigurationColumns } from "./admission-columns.js";
import { validateWebhooks } from "./validate-webhooks.js";

/** Strategy of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhooks,
  columns: validatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
