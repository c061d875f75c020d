import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { webhooks } from "./admission-cells.js";
import { validateWebhooks } from "./validate-webhooks.js";

/** Columns of the kind MutatingWebhookConfiguration. */
const mutatingWebhookConfigurationColumns: readonly TableColumn[] = columnsFor(
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  webhooks,
);

/** Strategy of the kind MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhooks,
  columns: mutatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
