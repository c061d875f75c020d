import {
  definitionWarnings,
  validateDefinition,
  withDefinitionDefaults,
  withStoredVersions,
} from "@typekube/schema";
import { customChecks } from "../../custom-resources/custom-checks.js";
import { withCleanup } from "../../custom-resources/definition-deletion.js";
import { loadedRules } from "../../custom-resources/load-rules.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind CustomResourceDefinition. */
export const customResourceDefinitionStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  schemaDefaults: withDefinitionDefaults,
  prepareCreate: withStoredVersions,
  prepareUpdate: withStoredVersions,
  validateWrite(object, old, errors, { server, subresource, warn }) {
    if (subresource === "") {
      validateDefinition(object, old, errors, {
        version: server.version,
        compilePattern: customChecks.compilePattern,
        rules: loadedRules,
        warn,
      });
    }
  },
  writeWarnings: definitionWarnings,
  prepareDelete: (object, { clock }) => withCleanup(object, clock),
  beginDelete: (object, now) => ({
    ...object,
    metadata: { ...object.metadata, deletionTimestamp: now },
  }),
  columns: columnsFor("customresourcedefinitions.apiextensions.k8s.io", {
    Scope: column("Scope of the objects.", (one) => specOf(one)["scope"]),
    Versions: column("Versions of the kind.", versionsText),
    Group: column("Group of the kind.", (one) => specOf(one)["group"]),
    Kind: column("Kind of the objects.", (one) => mapOf(specOf(one)["names"])["kind"]),
    ShortNames: column("Short names of the kind.", (one) =>
      stringsOf(mapOf(specOf(one)["names"])["shortNames"]).join(","),
    ),
    Established: column("True once the kind is served.", ({ status }) =>
      objectsOf(mapOf(status)["conditions"]).some(
        (one) => one["type"] === "Established" && one["status"] === "True",
      ),
    ),
  }),
};

function versionsText(definition: JsonObject): string {
  return objectsOf(specOf(definition)["versions"])
    .map(({ name, storage, served }) => {
      const marks = [
        ...(storage === true ? ["storage"] : []),
        ...(served === true ? [] : ["unserved"]),
      ];
      return marks.length === 0 ? String(name) : `${String(name)}(${marks.join(",")})`;
    })
    .join(",");
}
