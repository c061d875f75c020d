import type { JsonObject } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { type Action, connection, type OperationSubject, operation } from "./operations.js";
import { parameters } from "./parameters.js";

/** Schemas referenced by the paths of a resource. */
export interface PathSchemas {
  readonly object: string;
  readonly list: string;
  /** Returns the schema of a subresource's body; `undefined` when it is not an object. */
  of(subresource: { readonly apiVersion: string; readonly kind: string }): string | undefined;
  /** Returns the parameters specific to a subresource. */
  optionsOf(subresource: string): readonly JsonObject[] | undefined;
}

/** Methods and actions by verb, for collections and for single objects. */
const collectionActions: Readonly<Record<string, readonly [method: string, Action]>> = {
  list: ["get", "list"],
  create: ["post", "post"],
  deletecollection: ["delete", "deletecollection"],
};
const objectActions: Readonly<Record<string, readonly [method: string, Action]>> = {
  get: ["get", "get"],
  update: ["put", "put"],
  delete: ["delete", "delete"],
  patch: ["patch", "patch"],
  create: ["post", "post"],
};

/** Returns whether a kind describes a connection rather than an object. */
export function isConnection(kind: string): boolean {
  return connections.test(kind);
}

const connections = /^(?:Pod|Service|Node)(?:Attach|Exec|PortForward|Proxy)Options$/;
const connectionMethods: Readonly<Record<string, string>> = {
  get: "get",
  create: "post",
  update: "put",
  delete: "delete",
  patch: "patch",
};

/** Adds the paths of a resource and its subresources. */
export function addPaths(
  paths: JsonObject,
  resource: ServedResource,
  schemas: PathSchemas,
  cbor: boolean,
): void {
  const { descriptor, group, version, plural, namespaced } = resource;
  const { verbs, subresources, kind, apiVersion } = descriptor;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const scope = namespaced ? "Namespaced" : "";
  const common = { resource, about: { apiVersion, kind }, cbor };
  const own = { ...common, schema: schemas.object, title: `${scope}${kind}` };
  const place = [...(namespaced ? [parameters.namespace] : []), parameters.pretty];
  const pick = (
    actions: typeof objectActions,
    wanted: readonly string[],
    subject: OperationSubject,
  ) =>
    methodsOf(actions, wanted, (action) =>
      operation(action, action === "list" ? { ...subject, schema: schemas.list } : subject),
    );
  if (namespaced && verbs.includes("list")) {
    const all = { ...common, schema: schemas.list, title: `${kind}ForAllNamespaces` };
    paths[`${root}/${plural}`] = { get: operation("list", all), parameters: [parameters.pretty] };
  }
  const ofCollection = pick(collectionActions, verbs, own);
  if (Object.keys(ofCollection).length > 0) {
    paths[collection] = { ...ofCollection, parameters: place };
  }
  const named = [parameters.name, ...place];
  const ofObject = pick(
    objectActions,
    verbs.filter((verb) => verb !== "create"),
    own,
  );
  if (Object.keys(ofObject).length > 0) {
    paths[`${collection}/{name}`] = { ...ofObject, parameters: named };
  }
  for (const [name, part] of Object.entries(subresources)) {
    const subject: OperationSubject = {
      ...common,
      about: part.kind === "Scale" && resource.rules.custom ? common.about : part,
      schema: name === "log" ? undefined : schemas.of(part),
      options: schemas.optionsOf(name),
      title: `${scope}${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    };
    const methods = isConnection(part.kind)
      ? Object.fromEntries(
          part.verbs.flatMap((verb) => {
            const method = connectionMethods[verb];
            return method === undefined ? [] : [[method, connection(method, subject)]];
          }),
        )
      : pick(objectActions, part.verbs, subject);
    const isOpen = isConnection(part.kind);
    const around = isOpen ? named.filter((one) => one !== parameters.pretty) : named;
    paths[`${collection}/{name}/${name}`] = { ...methods, parameters: around };
  }
}

function methodsOf(
  actions: typeof objectActions,
  verbs: readonly string[],
  describe: (action: Action) => JsonObject,
): JsonObject {
  const methods: JsonObject = {};
  for (const [verb, [method, action]] of Object.entries(actions)) {
    if (verbs.includes(verb)) {
      methods[method] = describe(action);
    }
  }
  return methods;
}
