import type { KindStrategy } from "../../resources/kind-strategy.js";
import { mutatingWebhookConfigurationColumns } from "./admission-columns.js";
import { validateWebhook } from "./validate-webhooks.js";

/** Strategy of the kind MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhook,
  columns: mutatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
