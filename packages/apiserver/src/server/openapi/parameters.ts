import type { TypeSchema } from "@typekube/api/schema";
import type { JsonObject } from "../../objects/json-value.js";

type ParameterType = "boolean" | "integer" | "string";

function query(name: string, type: ParameterType): JsonObject {
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

function path(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}

const dryRun = query("dryRun", "string");
const fieldManager = query("fieldManager", "string");
const fieldValidation = query("fieldValidation", "string");
const deletion = [
  query("gracePeriodSeconds", "integer"),
  query("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
  query("orphanDependents", "boolean"),
  query("propagationPolicy", "string"),
];

const continueToken = query("continue", "string");
const selection = [query("fieldSelector", "string"), query("labelSelector", "string")];
const limit = query("limit", "integer");
const resourceVersion = query("resourceVersion", "string");
const versions = [
  resourceVersion,
  query("resourceVersionMatch", "string"),
  query("sendInitialEvents", "boolean"),
  query("shardSelector", "string"),
  query("timeoutSeconds", "integer"),
];

/** Request parameters as named by kube-apiserver 1.37. */
export const parameters: {
  readonly name: JsonObject;
  readonly namespace: JsonObject;
  readonly pretty: JsonObject;
  readonly resourceVersion: JsonObject;
  /** Parameters of each action. */
  readonly of: Readonly<Record<string, readonly JsonObject[]>>;
} = {
  name: path("name"),
  namespace: path("namespace"),
  pretty: query("pretty", "string"),
  resourceVersion,
  of: {
    post: [dryRun, fieldManager, fieldValidation],
    put: [dryRun, fieldManager, fieldValidation],
    patch: [dryRun, fieldManager, fieldValidation, query("force", "boolean")],
    delete: [dryRun, ...deletion],
    deletecollection: [continueToken, dryRun, ...selection, ...deletion, limit, ...versions],
    list: [
      query("allowWatchBookmarks", "boolean"),
      continueToken,
      ...selection,
      limit,
      ...versions,
      query("watch", "boolean"),
    ],
  },
};

/** Returns the fields of an options kind as parameters. */
export function optionParameters({ fields }: TypeSchema): JsonObject[] {
  return Object.entries(fields)
    .filter(([name, { type }]) => !["apiVersion", "kind"].includes(name) && isParameterType(type))
    .map(([name, { type }]) => query(name, type as ParameterType));
}

function isParameterType(type: string): type is ParameterType {
  return type === "boolean" || type === "integer" || type === "string";
}
