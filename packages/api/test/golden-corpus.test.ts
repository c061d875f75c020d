import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadProtobufTable, type ProtobufTable } from "@typekube/api/protobuf";
import { describe, expect, test } from "vitest";
import { readFields, readMessage } from "./table-reader.js";

const corpus = join(
  process.env["TYPEKUBE_CORPUS"] || join(import.meta.dirname, "../../../../shared/corpus"),
  "kubernetes-api",
);
const present = existsSync(corpus);
if (!present) {
  console.warn(`SKIPPED: golden objects are not at ${corpus}`);
}

/** Splits the name of a golden file, such as `apps.v1.Deployment`. Group `core` is the empty group. */
function splitName(name: string): { apiVersion: string; kind: string } {
  const [, group = "", version = "", kind = ""] = /^(.*)\.(v[^.]*)\.([^.]*)$/.exec(name) ?? [];
  return { apiVersion: group === "core" ? version : `${group}/${version}`, kind };
}

/** Returns the table that holds a kind. Shared kinds (Status, DeleteOptions ...) are in meta/v1 for every group-version. */
function holder(table: ProtobufTable, kind: string): ProtobufTable | undefined {
  return [table, table.imports["meta/v1"]].find((one) => one && Object.hasOwn(one.messages, kind));
}

async function objects(release: string) {
  const folder = join(corpus, release);
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".pb") && !file.includes("after_roundtrip"))
    .map((file) => file.slice(0, -".pb".length));
  return Promise.all(
    names.map(async (name) => {
      const { apiVersion, kind } = splitName(name);
      const table = await loadProtobufTable(apiVersion);
      return { name, file: join(folder, name), kind, table: table && holder(table, kind) };
    }),
  );
}

describe.skipIf(!present)("golden objects", () => {
  test("every kind of 1.37.1 has a protobuf message", async () => {
    const found = await objects("v1.37.1");
    expect(found.length).toBe(193);
    expect(found.filter(({ table }) => table === undefined).map(({ name }) => name)).toEqual([]);
  });

  test.each(["v1.34.0", "v1.35.0"])(
    "DEP3: no field of %s has left its version, except alpha fields that upstream no longer reads",
    async (release) => {
      const lost: string[] = [];
      let kept = 0;
      for (const { file, kind, table, name } of await objects(release)) {
        // Upstream removes only whole versions, and never a stable one.
        const isGone = table === undefined && /\.v\d+(alpha|beta)\d+\./.test(name);
        if (isGone || existsSync(`${file}.after_roundtrip.pb`)) {
          continue;
        }
        const bytes = readFileSync(`${file}.pb`).subarray(4);
        const [raw] = readFields(bytes).get(2) ?? [];
        const {
          apiVersion: _,
          kind: __,
          ...json
        } = JSON.parse(readFileSync(`${file}.json`, "utf8"));
        const read = table && readMessage(table, kind, raw as Uint8Array);
        if (isDeepStrictEqual(read, json)) {
          kept++;
        } else {
          lost.push(name);
        }
      }
      expect(lost).toEqual([]);
      expect(kept).toBeGreaterThan(150);
    },
  );

  test("decoding every 1.37.1 object by the tables alone yields its JSON", async () => {
    for (const { file, kind, table, name } of await objects("v1.37.1")) {
      const bytes = readFileSync(`${file}.pb`).subarray(4);
      const [raw] = readFields(bytes).get(2) ?? [];
      const { apiVersion: _, kind: __, ...json } = JSON.parse(readFileSync(`${file}.json`, "utf8"));
      expect(table, name).toBeDefined();
      if (table !== undefined) {
        expect(readMessage(table, kind, raw as Uint8Array), name).toEqual(json);
      }
    }
  });
});
