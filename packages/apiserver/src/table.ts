import { isJsonObject, type JsonObject } from "./json-value.js";
import { listMetadata, metadataOnly } from "./metadata-view.js";
import type { ResourceRequest } from "./request-info.js";
import type { ResponseFormat } from "./response-format.js";
import type { ServerContext } from "./server-context.js";
import { badRequest } from "./status-errors.js";

const descriptions = {
  name: "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  age: "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
} as const;

/**
 * An object or a list as a table, for those who show it to people. Every kind has the same two columns here, name and
 * age; real servers have more for many kinds.
 */
export function tableOf(
  object: JsonObject,
  { resource, query }: Pick<ResourceRequest, "query" | "resource">,
  { clock }: Pick<ServerContext, "clock">,
  tableVersion: ResponseFormat["viewVersion"] = "meta.k8s.io/v1",
): JsonObject {
  const { apiVersion, kind } = resource.descriptor;
  const { items } = object;
  const include = includedOf(query, tableVersion);
  const rows = (Array.isArray(items) ? (items as JsonObject[]) : [object]).map((item) => ({
    cells: cellsOf(item, resource, clock.now()),
    object: include({ kind, apiVersion, ...item }),
  }));
  const metadata = listMetadata(object);
  const { resourceVersion } = metadata;
  const single = resourceVersion === undefined ? {} : { resourceVersion };
  return {
    kind: "Table",
    apiVersion: tableVersion,
    metadata: Array.isArray(items) ? metadata : single,
    columnDefinitions: [
      { name: "Name", type: "string", format: "name", description: descriptions.name, priority: 0 },
      {
        name: "Age",
        type: resource.rules.custom ? "date" : "string",
        format: "",
        description: descriptions.age,
        priority: 0,
      },
    ],
    rows,
  };
}

/**
 * What a row holds of its object besides the cells.
 *
 * @throws {StatusError} 400 for an `includeObject` that says none of it.
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

function cellsOf(
  { metadata }: JsonObject,
  { rules }: ResourceRequest["resource"],
  now: number,
): unknown[] {
  const { name = "", creationTimestamp } = isJsonObject(metadata) ? metadata : {};
  const created = Date.parse(String(creationTimestamp));
  // A bookmark has no age; a custom resource says so with null.
  const unknown = rules.custom ? null : "<unknown>";
  return [name, Number.isNaN(created) ? unknown : ageText(Math.floor((now - created) / 1000))];
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** From how many seconds on which units tell an age (apimachinery `duration.HumanDuration`). */
const steps = [
  { below: 2 * minute, unit: 1, sign: "s" },
  { below: 10 * minute, unit: minute, sign: "m", rest: 1, restSign: "s" },
  { below: 3 * hour, unit: minute, sign: "m" },
  { below: 8 * hour, unit: hour, sign: "h", rest: minute, restSign: "m" },
  { below: 2 * day, unit: hour, sign: "h" },
  { below: 8 * day, unit: day, sign: "d", rest: hour, restSign: "h" },
  { below: 2 * year, unit: day, sign: "d" },
  { below: 8 * year, unit: year, sign: "y", rest: day, restSign: "d" },
  { below: Number.POSITIVE_INFINITY, unit: year, sign: "y" },
] as const;

/** An age for people: `45s`, `3m20s`, `5d`. */
export function ageText(seconds: number): string {
  if (seconds < 0) {
    return "0s";
  }
  const step = steps.find(({ below }) => seconds < below);
  if (step === undefined) {
    return "<invalid>";
  }
  const whole = `${Math.floor(seconds / step.unit)}${step.sign}`;
  const rest = "rest" in step ? Math.floor((seconds % step.unit) / step.rest) : 0;
  return "rest" in step && rest > 0 ? `${whole}${rest}${step.restSign}` : whole;
}
