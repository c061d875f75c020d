import { loadSchema } from "@typekube/api/schema";
import { formatApiVersion } from "@typekube/core";
import type { JsonObject } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { addBuiltIn, addFixed, listSchema, type Schemas } from "./built-in-schemas.js";
import { customSchema, openSchema, selectable } from "./custom-schemas.js";
import { optionParameters } from "./parameters.js";
import { addPaths, isConnection } from "./paths.js";
import { builtInName, customName, kindOf } from "./schema-names.js";

/** Server properties that a document depends on. */
export interface DocumentOptions {
  readonly version: string;
  readonly cbor: boolean;
}

/** Types in every document, referenced by writes and deletes. */
const commonTypes = ["DeleteOptions", "ListMeta", "ObjectMeta", "Status"];

const gvk = "x-kubernetes-group-version-kind";

/** Returns the OpenAPI v3 document of one group-version. */
export async function groupDocument(
  resources: readonly ServedResource[],
  { version, cbor }: DocumentOptions,
): Promise<JsonObject> {
  const schemas: Schemas = new Map();
  const meta = await loadSchema("meta.k8s.io/v1");
  if (meta !== undefined) {
    for (const type of commonTypes) {
      addBuiltIn(schemas, meta, type);
    }
    addFixed(schemas, builtInName(meta.name, "Patch"));
    const apiVersion = resources[0] === undefined ? "v1" : formatApiVersion(resources[0]);
    tell(schemas, builtInName(meta.name, "DeleteOptions"), "v1", "DeleteOptions");
    tell(schemas, builtInName(meta.name, "DeleteOptions"), apiVersion, "DeleteOptions");
    tell(schemas, builtInName(meta.name, "Status"), "v1", "Status");
  }
  const paths: JsonObject = {};
  for (const resource of resources) {
    const object = await addKind(schemas, resource);
    const list = addList(schemas, resource, object);
    const parts = new Map<string, string | undefined>();
    const options = new Map<string, readonly JsonObject[]>();
    for (const [part, { apiVersion, kind }] of Object.entries(resource.descriptor.subresources)) {
      const type = part === "log" ? "PodLogOptions" : isConnection(kind) ? kind : undefined;
      const fields = type && (await loadSchema(apiVersion))?.types[type];
      if (fields) {
        options.set(part, optionParameters(fields));
      }
      const name =
        kind === resource.kind
          ? object
          : isConnection(kind)
            ? undefined
            : await addType(schemas, apiVersion, kind);
      parts.set(`${apiVersion} ${kind}`, name);
    }
    const of = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
      parts.get(`${apiVersion} ${kind}`);
    const optionsOf = (part: string) => options.get(part);
    addPaths(paths, resource, { object, list, of, optionsOf }, cbor);
  }
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version },
    paths: sorted(Object.entries(paths)),
    components: {
      schemas: sorted([...schemas]),
      securitySchemes: {
        BearerToken: { type: "apiKey", name: "authorization", in: "header" },
      },
    },
  };
}

async function addKind(schemas: Schemas, resource: ServedResource): Promise<string> {
  const { apiVersion, kind } = resource.descriptor;
  const { defined } = resource;
  const builtIn = defined === undefined ? await addType(schemas, apiVersion, kind) : undefined;
  if (builtIn !== undefined) {
    return builtIn;
  }
  const name = customName(apiVersion, kind);
  schemas.set(name, { ...(defined === undefined ? openSchema : customSchema(defined)) });
  tell(schemas, name, apiVersion, kind);
  return name;
}

async function addType(
  schemas: Schemas,
  apiVersion: string,
  kind: string,
): Promise<string | undefined> {
  const table = await loadSchema(apiVersion);
  const name = table && addBuiltIn(schemas, table, kind);
  if (name !== undefined) {
    tell(schemas, name, apiVersion, kind);
  }
  return name;
}

function addList(
  schemas: Schemas,
  { descriptor, defined }: ServedResource,
  object: string,
): string {
  const { apiVersion, kind, listKind = `${kind}List`, verbs } = descriptor;
  const name = `${object.slice(0, object.lastIndexOf("."))}.${listKind}`;
  if (verbs.includes("list") && !schemas.has(name)) {
    const extensions = defined === undefined ? {} : selectable(defined);
    schemas.set(name, { ...listSchema(object), ...extensions });
    tell(schemas, name, apiVersion, listKind);
  }
  return name;
}

/** Adds a kind to the `x-kubernetes-group-version-kind` of a schema. */
function tell(schemas: Schemas, name: string, apiVersion: string, kind: string): void {
  const schema = schemas.get(name);
  if (schema === undefined) {
    return;
  }
  const kinds = (schema[gvk] ?? []) as JsonObject[];
  const own = kindOf(apiVersion, kind);
  if (!kinds.some(({ group, version }) => group === own["group"] && version === own["version"])) {
    schema[gvk] = [...kinds, own];
  }
}

function sorted(entries: (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
