import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validatingWebhookConfigurationColumns } from "./admission-columns.js";
import { validateWebhook } from "./validate-webhooks.js";

/** Strategy of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhook,
  columns: validatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
