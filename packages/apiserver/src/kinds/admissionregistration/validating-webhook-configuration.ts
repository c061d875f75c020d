import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { webhooks } from "./admission-cells.js";
import { validateWebhooks } from "./validate-webhooks.js";

/** Columns of the kind ValidatingWebhookConfiguration. */
const validatingWebhookConfigurationColumns: readonly TableColumn[] = columnsFor(
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  webhooks,
);

/** Strategy of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateWebhooks,
  columns: validatingWebhookConfigurationColumns,
  idle: { why: "does not call admission webhooks" },
};
