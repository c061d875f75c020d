import type { SchemaTable } from "@typekube/api/schema";
import type { ServedResource } from "../resources/served-resource.js";
import { type SchemaNode, typeNode, untyped } from "./schema-node.js";
import { structuralNode } from "./structural-node.js";
import type { StructuralSchema } from "./structural-schema.js";

/** Finds the schema of a kind; loads tables when they are first needed. */
export type SchemaSource = (
  resource: Pick<ServedResource, "defined" | "descriptor">,
) => Promise<SchemaNode>;

/** A source over the tables of the built-in kinds. Kinds that have none are untyped. */
export function createSchemaSource(
  load: (apiVersion: string) => Promise<SchemaTable | undefined> = loadBuiltIn,
): SchemaSource {
  const tables = new Map<string, Promise<SchemaTable | undefined>>();
  const nodes = new WeakMap<StructuralSchema, SchemaNode>();
  const tableOf = (apiVersion: string) => {
    let loading = tables.get(apiVersion);
    if (loading === undefined) {
      loading = load(apiVersion);
      tables.set(apiVersion, loading);
    }
    return loading;
  };
  return async ({ descriptor: { apiVersion, kind }, defined }) => {
    if (defined !== undefined) {
      let node = nodes.get(defined.schema);
      if (node === undefined) {
        const core = await tableOf("v1");
        node = structuralNode(defined.schema, core?.imports["meta/v1"]);
        nodes.set(defined.schema, node);
      }
      return node;
    }
    const table = await tableOf(apiVersion);
    return table !== undefined && Object.hasOwn(table.types, kind)
      ? typeNode(table, kind)
      : untyped;
  };
}

async function loadBuiltIn(apiVersion: string): Promise<SchemaTable | undefined> {
  const { loadSchema } = await import("@typekube/api/schema");
  return loadSchema(apiVersion);
}
