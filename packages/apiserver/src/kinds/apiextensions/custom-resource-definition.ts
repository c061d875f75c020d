import {
  withDefinitionDefaults,
  withStoredVersions,
} from "../../custom-resources/definition-defaults.js";
import { withCleanup } from "../../custom-resources/definition-deletion.js";
import { definitionWarnings, validateNoCel } from "../../custom-resources/definition-warnings.js";
import { validateDefinition } from "../../custom-resources/validate-definition.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { customResourceDefinitionColumns } from "../admissionregistration/admission-columns.js";

/** Strategy of the kind CustomResourceDefinition. */
export const customResourceDefinitionStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  schemaDefaults: withDefinitionDefaults,
  prepareCreate: withStoredVersions,
  prepareUpdate: withStoredVersions,
  validateWrite(object, old, errors, { server, subresource }) {
    if (subresource === "") {
      validateDefinition(object, old, errors);
      if (server.enforceCel) {
        validateNoCel(object, errors);
      }
    }
  },
  writeWarnings: (object, old, { enforceCel }) => definitionWarnings(object, old, enforceCel),
  prepareDelete: (object, { clock }) => withCleanup(object, clock),
  beginDelete: (object, now) => ({
    ...object,
    metadata: { ...object.metadata, deletionTimestamp: now },
  }),
  columns: customResourceDefinitionColumns,
};
