import type { FieldSchema, SchemaTable, TypeSchema } from "@typekube/api/schema";

/** Generates objects from the schema of their kind, and changed copies of them. */
export interface RandomObjects {
  /** Generates an object of a kind. */
  object(table: SchemaTable, kind: string): Record<string, unknown>;
  /** Returns the object with a few changes at any depth. */
  changed(
    table: SchemaTable,
    kind: string,
    object: Record<string, unknown>,
  ): Record<string, unknown>;
}

const maxDepth = 7;
const mapKeys = ["a", "b", "app.kubernetes.io/name", "x~y/z", "__proto__", "toString", "é"];

/** Creates a generator. In lists with a merge key each item occurs once. */
export function randomObjects(random: () => number): RandomObjects {
  const chance = (of: number) => random() < of;
  const int = (below: number) => Math.floor(random() * below);
  const pick = <T>(from: readonly T[]): T => from[int(from.length)] as T;
  const word = () => pick(["a", "b", "web", "x-1", "", "ümläut", "10", "true"]) + int(4);

  const typeOf = (table: SchemaTable, name: string): [SchemaTable, TypeSchema] | undefined => {
    const dot = name.lastIndexOf(".");
    if (dot > 0) {
      const imported = table.imports[name.slice(0, dot)];
      return imported && typeOf(imported, name.slice(dot + 1));
    }
    const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined;
    return type && [table, type];
  };

  const free = (depth: number): unknown => {
    switch (depth > 3 ? int(3) : int(5)) {
      case 0:
        return word();
      case 1:
        return int(100);
      case 2:
        return chance(0.5);
      case 3:
        return Array.from({ length: int(3) }, () => free(depth + 1));
      default:
        return record(() => free(depth + 1));
    }
  };

  const record = (value: () => unknown) => {
    const entries: [string, unknown][] = [];
    for (const key of mapKeys) {
      if (chance(0.3)) {
        entries.push([key, value()]);
      }
    }
    return Object.fromEntries(entries);
  };

  const one = (table: SchemaTable, field: FieldSchema, depth: number): unknown => {
    switch (field.type) {
      case "string":
        return field.enum ? pick(field.enum) : word();
      case "boolean":
        return chance(0.5);
      case "integer":
        return chance(0.02) ? 9007199254740993n : int(5);
      case "number":
        return int(5) / 2;
      case "any":
        return free(0);
      default: {
        const type = typeOf(table, field.type);
        return type === undefined ? word() : struct(...type, depth + 1);
      }
    }
  };

  const unique = (items: unknown[], field: FieldSchema) => {
    const key = field.patchMergeKey;
    const seen = new Set<unknown>();
    return items.filter((item) => {
      const id = key === undefined ? item : (item as Record<string, unknown>)[key];
      const isNew = id !== undefined && !seen.has(id);
      seen.add(id);
      return isNew;
    });
  };

  const value = (table: SchemaTable, field: FieldSchema, depth: number): unknown => {
    if (field.container === "map") {
      return record(() => one(table, field, depth));
    }
    if (field.container === "list") {
      const items = Array.from({ length: int(5) }, () => one(table, field, depth));
      return field.patchStrategy?.includes("merge") ? unique(items, field) : items;
    }
    return one(table, field, depth);
  };

  // The embedded server treats every key with a dollar in a strategic patch as a directive, even $ref in a schema.
  const isWritten = (name: string) => !name.startsWith("$");

  const struct = (table: SchemaTable, type: TypeSchema, depth: number): Record<string, unknown> => {
    const names = Object.keys(type.fields).filter(isWritten);
    const keep = depth >= maxDepth ? 0 : Math.min(0.9, 5 / names.length + 0.15);
    const object: Record<string, unknown> = {};
    for (const name of names) {
      const field = type.fields[name] as FieldSchema;
      const isKey = ["name", "type", "uid", "port", "containerPort", "mountPath"].includes(name);
      if (chance(isKey ? 0.97 : keep) && (depth < maxDepth || isKey)) {
        object[name] = value(table, field, depth);
      }
    }
    return object;
  };

  const mutated = (
    table: SchemaTable,
    field: FieldSchema,
    old: unknown,
    depth: number,
    rate: number,
  ): unknown => {
    if (chance(rate / 4)) {
      return value(table, field, depth);
    }
    if (field.container === "list" && Array.isArray(old)) {
      const single = { ...field, container: undefined } as unknown as FieldSchema;
      let items = old
        .filter(() => !chance(rate))
        .map((item) => mutated(table, single, item, depth, rate));
      if (chance(rate)) {
        items.splice(int(items.length + 1), 0, one(table, field, depth));
      }
      if (chance(rate)) {
        items = items
          .map((item) => [random(), item] as const)
          .sort(([a], [b]) => a - b)
          .map(([, item]) => item);
      }
      return field.patchStrategy?.includes("merge") ? unique(items, field) : items;
    }
    if (field.container === "map") {
      const before = old as Record<string, unknown>;
      return Object.fromEntries(
        Object.entries({
          ...before,
          ...(chance(rate) ? record(() => one(table, field, depth)) : {}),
        }).filter(() => !chance(rate)),
      );
    }
    const type = typeOf(table, field.type);
    if (type !== undefined && typeof old === "object" && old !== null) {
      return mutatedStruct(...type, old as Record<string, unknown>, depth + 1, rate);
    }
    return chance(rate) ? one(table, field, depth) : old;
  };

  const mutatedStruct = (
    table: SchemaTable,
    type: TypeSchema,
    old: Record<string, unknown>,
    depth: number,
    rate: number,
  ): Record<string, unknown> => {
    const object: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(type.fields)) {
      if (Object.hasOwn(old, name)) {
        if (!chance(rate / 3)) {
          object[name] = mutated(table, field, old[name], depth, rate);
        }
      } else if (isWritten(name) && depth < maxDepth && chance(rate / 6)) {
        object[name] = value(table, field, depth);
      }
    }
    return object;
  };

  const identity = (table: SchemaTable, kind: string) => ({
    apiVersion: table.name.replace(/^core\//, ""),
    kind,
  });
  return {
    object(table, kind) {
      return { ...struct(table, table.types[kind] as TypeSchema, 0), ...identity(table, kind) };
    },
    changed(table, kind, object) {
      const rate = pick([0.02, 0.1, 0.3]);
      const type = table.types[kind] as TypeSchema;
      return { ...mutatedStruct(table, type, object, 0, rate), ...identity(table, kind) };
    },
  };
}
