import type { SchemaTable } from "@typekube/api/schema";
import type { ServedResource } from "../served-resource.js";
import { type SchemaNode, typeNode, untyped } from "./schema-node.js";

/** Finds the schema of a kind; loads tables when they are first needed. */
export type SchemaSource = (resource: Pick<ServedResource, "descriptor">) => Promise<SchemaNode>;

/** A source over the tables of the built-in kinds. Kinds that have none are untyped. */
export function createSchemaSource(
  load: (apiVersion: string) => Promise<SchemaTable | undefined> = loadBuiltIn,
): SchemaSource {
  const tables = new Map<string, Promise<SchemaTable | undefined>>();
  return async ({ descriptor: { apiVersion, kind } }) => {
    let loading = tables.get(apiVersion);
    if (loading === undefined) {
      loading = load(apiVersion);
      tables.set(apiVersion, loading);
    }
    const table = await loading;
    return table !== undefined && Object.hasOwn(table.types, kind)
      ? typeNode(table, kind)
      : untyped;
  };
}

async function loadBuiltIn(apiVersion: string): Promise<SchemaTable | undefined> {
  const { loadSchema } = await import("@typekube/api/schema");
  return loadSchema(apiVersion);
}
