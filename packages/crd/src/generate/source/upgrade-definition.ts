import { isJsonObject, type JsonObject } from "@typekube/core/internal";

/**
 * Converts the spec of a CustomResourceDefinition of `apiextensions.k8s.io/v1beta1` to v1, as API servers do: what it
 * says of all versions is said of each one.
 */
export function upgradeDefinitionSpec(spec: JsonObject): JsonObject {
  const { version, versions, validation, subresources, additionalPrinterColumns, ...rest } = spec;
  const listed = Array.isArray(versions) ? versions.filter(isJsonObject) : [];
  const all = listed.length > 0 ? listed : [{ name: version, served: true, storage: true }];
  return {
    ...rest,
    // In v1beta1 servers keep unknown fields unless the definition forbids it.
    preserveUnknownFields: spec["preserveUnknownFields"] !== false,
    versions: all.map((one) => ({
      ...one,
      schema: one["schema"] ?? validation,
      subresources: one["subresources"] ?? subresources,
      additionalPrinterColumns: columnsOf(
        one["additionalPrinterColumns"] ?? additionalPrinterColumns,
      ),
    })),
  };
}

/** v1beta1 spells the field `JSONPath`. */
function columnsOf(columns: unknown): unknown {
  return Array.isArray(columns)
    ? columns.map((column: unknown) =>
        isJsonObject(column)
          ? { ...column, jsonPath: column["JSONPath"] ?? column["jsonPath"] }
          : column,
      )
    : undefined;
}
