import type { JsonObject } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { parameters } from "./parameters.js";
import { builtInName, kindOf, refTo } from "./schema-names.js";

/** Properties shared by the operations of one path. */
export interface OperationSubject {
  readonly resource: ServedResource;
  /** The kind of the operation: that of the resource, or of a subresource's body. */
  readonly about: { readonly apiVersion: string; readonly kind: string };
  /** Schema of request and response bodies; `undefined` when they are not objects. */
  readonly schema: string | undefined;
  /** Title in operation IDs, such as `NamespacedPodStatus`. */
  readonly title: string;
  readonly cbor: boolean;
  /** Parameters specific to the subresource. */
  readonly options?: readonly JsonObject[] | undefined;
}

/** Action on an object, a subresource or a collection. */
export type Action = "delete" | "deletecollection" | "get" | "list" | "patch" | "post" | "put";

const patchTypes = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

const words: Readonly<Record<Action, string>> = {
  delete: "delete",
  deletecollection: "delete",
  get: "read",
  list: "list",
  patch: "patch",
  post: "create",
  put: "replace",
};

/** Success status codes of each action. */
const codes: Readonly<Record<Action, readonly number[]>> = {
  delete: [200, 202],
  deletecollection: [200],
  get: [200],
  list: [200],
  patch: [200, 201],
  post: [200, 201, 202],
  put: [200, 201],
};

const codeTexts: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  401: "Unauthorized",
};

/** Returns the description of one operation. */
export function operation(action: Action, subject: OperationSubject): JsonObject {
  const { resource, about, title } = subject;
  const own = parametersOf(action, subject);
  const collection = action === "deletecollection" ? "Collection" : "";
  return {
    tags: [tagOf(resource)],
    operationId: `${words[action]}${groupTitle(resource)}${versionTitle(resource)}${collection}${title}`,
    ...(own.length > 0 ? { parameters: own } : {}),
    ...requestBody(action, subject),
    responses: responses(action, subject),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kindOf(about.apiVersion, about.kind),
  };
}

function parametersOf(
  action: Action,
  { resource, options = [] }: OperationSubject,
): readonly JsonObject[] {
  const isCustomGet = action === "get" && resource.rules.custom;
  return isCustomGet
    ? [parameters.resourceVersion]
    : [...(parameters.of[action] ?? []), ...options];
}

/** Returns the description of a connect operation: exec, port-forward, proxy. */
export function connection(
  method: string,
  { resource, about, title, options = [] }: OperationSubject,
): JsonObject {
  const verb = `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  return {
    tags: [tagOf(resource)],
    operationId: `connect${groupTitle(resource)}${versionTitle(resource)}${verb}${title}`,
    ...(options.length > 0 ? { parameters: options } : {}),
    responses: {
      200: { description: "OK", content: { "*/*": { schema: { type: "string" } } } },
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": "connect",
    "x-kubernetes-group-version-kind": kindOf(about.apiVersion, about.kind),
  };
}

function requestBody(action: Action, { resource, schema, cbor }: OperationSubject): JsonObject {
  const { custom } = resource.rules;
  switch (action) {
    case "post":
    case "put":
      return { requestBody: { content: bodies(["*/*"], schema), required: true } };
    case "patch": {
      const types = [
        ...(cbor && !custom ? ["application/apply-patch+cbor"] : []),
        ...patchTypes,
        ...(custom ? [] : ["application/strategic-merge-patch+json"]),
      ];
      return {
        requestBody: { content: bodies(types, builtInName("meta/v1", "Patch")), required: true },
      };
    }
    case "delete":
    case "deletecollection":
      return {
        requestBody: { content: bodies(["*/*"], builtInName("meta/v1", "DeleteOptions")) },
      };
    default:
      return {};
  }
}

function responses(action: Action, subject: OperationSubject): JsonObject {
  const { resource, schema } = subject;
  const isDelete = action === "delete" || action === "deletecollection";
  const responded =
    isDelete && !(action === "delete" && resource.rules.returnDeleted)
      ? builtInName("meta/v1", "Status")
      : schema;
  const content = bodies(responseTypes(action, subject), responded);
  const responses: JsonObject = {};
  // A patch of a custom resource is not documented to create.
  const received = action === "patch" && resource.rules.custom ? [200] : codes[action];
  for (const code of received) {
    responses[code] = { description: codeTexts[code], content };
  }
  responses[401] = { description: codeTexts[401] };
  return responses;
}

function responseTypes(action: Action, { resource, cbor, schema }: OperationSubject): string[] {
  const { custom } = resource.rules;
  const streams = action === "list" && !custom;
  return [
    ...(schema === undefined ? ["text/plain"] : []),
    ...(cbor && !custom ? ["application/cbor"] : []),
    ...(cbor && streams ? ["application/cbor-seq"] : []),
    "application/json",
    ...(streams ? ["application/json;stream=watch"] : []),
    ...(custom ? [] : ["application/vnd.kubernetes.protobuf"]),
    ...(streams ? ["application/vnd.kubernetes.protobuf;stream=watch"] : []),
    "application/yaml",
  ];
}

function bodies(types: readonly string[], schema: string | undefined): JsonObject {
  const body = { schema: schema === undefined ? { type: "string" } : refTo(schema) };
  return Object.fromEntries(types.map((type) => [type, body]));
}

/** Returns the tag, such as `rbacAuthorization_v1`. */
function tagOf(resource: ServedResource): string {
  const title = groupTitle(resource);
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}_${resource.version}`;
}

/** Returns the group in title case, such as `RbacAuthorization`; `Core` for the core group. */
function groupTitle({ group }: ServedResource): string {
  const parts = (group === "" ? "core" : group.replace(/\.k8s\.io$/, "")).split(/[.-]/);
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join("");
}

function versionTitle({ version }: ServedResource): string {
  return `${version.charAt(0).toUpperCase()}${version.slice(1)}`;
}
