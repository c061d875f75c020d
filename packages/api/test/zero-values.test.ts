import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProtobufField, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import { describe, expect, test } from "vitest";
import { tableLoaders } from "../src/generated/protobuf/loaders.js";

const file = join(import.meta.dirname, "../../codegen/facts/zero-values.json");
const rows = JSON.parse(readFileSync(file, "utf8")) as { type: string; json: unknown }[];

/** Returns the JSON of a message without any bytes, following the flags of the tables. */
function emptyMessage(table: ProtobufTable, name: string): unknown {
  const message = parseMessage(table, name);
  if (message === undefined) {
    throw new Error(`no message ${name} in ${table.name}`);
  }
  switch (message.form) {
    case "quantity":
      return "0";
    case "intOrString":
      return 0;
    case "schemaOrBool":
      return false;
    case undefined:
      break;
    default:
      return null;
  }
  const entries = message.fields.flatMap((field): [string, unknown][] => {
    const value = emptyValue(table, field);
    return field.inline
      ? Object.entries(value as object)
      : field.always
        ? [[field.jsonName, value]]
        : [];
  });
  return Object.fromEntries(entries);
}

function emptyValue(table: ProtobufTable, { container, pointer, type }: ProtobufField): unknown {
  if (container !== "one" || pointer || type === "bytes") {
    return null;
  }
  if (type === "string") {
    return "";
  }
  if (type === "bool") {
    return false;
  }
  if (/^(u?int\d\d|double)$/.test(type)) {
    return 0;
  }
  const [other, name] = resolve(table, type);
  return emptyMessage(other, name);
}

function resolve(table: ProtobufTable, type: string): [ProtobufTable, string] {
  const dot = type.lastIndexOf(".");
  const other = dot < 0 ? table : table.imports[type.slice(0, dot)];
  if (other === undefined) {
    throw new Error(`${table.name} does not import the table of ${type}`);
  }
  return [other, type.slice(dot + 1)];
}

async function allTables(): Promise<Map<string, ProtobufTable>> {
  const tables = new Map<string, ProtobufTable>();
  const add = (table: ProtobufTable): void => {
    tables.set(table.name, table);
    Object.values(table.imports).forEach(add);
  };
  for (const load of Object.values(tableLoaders)) {
    add((await load()).table);
  }
  return tables;
}

describe("protobuf tables", () => {
  test("flags reproduce Go's JSON of an empty value for every message", async () => {
    const tables = await allTables();
    let compared = 0;
    for (const { type, json } of rows) {
      const dot = type.lastIndexOf(".");
      const [table, name] = [tables.get(type.slice(0, dot)), type.slice(dot + 1)];
      // runtime.Unknown is the envelope, which is never written as JSON.
      if (
        table !== undefined &&
        Object.hasOwn(table.messages, name) &&
        type !== "runtime.Unknown"
      ) {
        expect(emptyMessage(table, name), type).toEqual(json);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });

  test("every field type is a message of the table or of a table it imports", async () => {
    for (const table of (await allTables()).values()) {
      for (const name of Object.keys(table.messages)) {
        const fields = parseMessage(table, name)?.fields ?? [];
        const numbers = fields.map((field) => field.number);
        expect(numbers, `${table.name}.${name}`).toEqual(
          [...new Set(numbers)].sort((a, b) => a - b),
        );
        for (const { type } of fields.filter((field) => /[A-Z]/.test(field.type))) {
          const [other, message] = resolve(table, type);
          expect(Object.hasOwn(other.messages, message), `${table.name}.${name}: ${type}`).toBe(
            true,
          );
        }
      }
    }
  });
});
