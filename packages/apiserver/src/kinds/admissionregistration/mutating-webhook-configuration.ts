import type { KindStrategy } from "../../resources/kind-strategy.js";
import { mutatingWebhookConfigurationColumns } from "./admission-columns.js";
import { validateWebhooks } from "./validate-webhooks.js";

/** Strategy of the kind MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhooks,
  columns: mutatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
