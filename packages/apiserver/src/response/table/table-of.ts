import type { Clock } from "@typekube/core/internal";
import { badRequest } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import { listMetadata, metadataOnly } from "../metadata-view.js";
import { columnsOf } from "./columns-of.js";

/** Converts an object or list to a Table, for clients that display it. */
export function tableOf(
  object: JsonObject,
  { resource, query }: Pick<ResourceRequest, "query" | "resource">,
  { clock }: { readonly clock: Clock },
  tableVersion: ResponseFormat["viewVersion"] = "meta.k8s.io/v1",
): JsonObject {
  const { apiVersion, kind } = resource.descriptor;
  const { items } = object;
  const columns = columnsOf(resource);
  const include = includedOf(query, tableVersion);
  const now = clock.now();
  const rows = (Array.isArray(items) ? (items as JsonObject[]) : [object]).map((item) => ({
    cells: columns.map((column) => column.cell(item, now)),
    object: include({ kind, apiVersion, ...item }),
  }));
  const metadata = listMetadata(object);
  const { resourceVersion } = metadata;
  const single = resourceVersion === undefined ? {} : { resourceVersion };
  return {
    kind: "Table",
    apiVersion: tableVersion,
    metadata: Array.isArray(items) ? metadata : single,
    columnDefinitions: columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    rows,
  };
}

/**
 * Returns a function that selects the part of an object to include in its row.
 *
 * @throws {StatusError} 400 for an invalid `includeObject`.
 */
export function includedOf(
  query: URLSearchParams,
  tableVersion: ResponseFormat["viewVersion"],
): (object: JsonObject) => JsonObject | null {
  const includeObject = query.get("includeObject") ?? "";
  switch (includeObject) {
    case "":
    case "Metadata":
      return (object) => metadataOnly(object, tableVersion);
    case "Object":
      return (object) => object;
    case "None":
      return () => null;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}
