import { deepStrictEqual } from "node:assert/strict";
import { loadProtobufTable, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import { codecs } from "@typekube/core/internal";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { mutate, seededRandom } from "@typekube/test-support/seeded-random";
import protobufjs from "protobufjs";
import { describe, expect, it } from "vitest";

/** Messages with a JSON form of their own: a time without seconds becomes null, which encodes as an absent time. */
const ownForms = new Set<string>();

/** Another implementation of protobuf that uses our tables. It shares no code with the codec. */
class Oracle {
  readonly root = new protobufjs.Root();
  readonly #seen = new Set<ProtobufTable>();

  /** Returns the message of a kind. Like the codec, it looks in meta/v1 for kinds that belong to every group-version. */
  async type(apiVersion: string, kind: string): Promise<protobufjs.Type | undefined> {
    for (const version of [apiVersion, "meta.k8s.io/v1"]) {
      const table = await loadProtobufTable(version);
      if (table && parseMessage(table, kind)) {
        this.#add(table);
        return this.root.lookupType(typeName(table.name, kind));
      }
    }
    return undefined;
  }

  #add(table: ProtobufTable): void {
    if (this.#seen.has(table)) {
      return;
    }
    this.#seen.add(table);
    Object.values(table.imports).forEach((imported) => {
      this.#add(imported);
    });
    const namespace = this.root.define(namespaceOf(table.name));
    for (const name of Object.keys(table.messages)) {
      const type = new protobufjs.Type(name);
      for (const field of parseMessage(table, name)?.fields ?? []) {
        const fieldType = /^[a-z0-9]+$/.test(field.type)
          ? field.type
          : typeName(table.name, field.type);
        // Names only have to differ, so they are made from the field numbers.
        const jsName = `f${field.number}`;
        if (field.container === "map") {
          type.add(new protobufjs.MapField(jsName, field.number, "string", fieldType));
        } else {
          const rule = field.container === "list" ? "repeated" : "optional";
          const options = rule === "repeated" ? { packed: false } : {};
          type.add(new protobufjs.Field(jsName, field.number, fieldType, rule, undefined, options));
        }
      }
      namespace.add(type);
      if (parseMessage(table, name)?.form !== undefined) {
        ownForms.add(type.fullName);
      }
    }
  }
}

function namespaceOf(table: string): string {
  return table.replaceAll("/", ".").replaceAll("-", "_");
}

/** Returns the full name of a message, which may refer to another table. */
function typeName(table: string, message: string): string {
  const dot = message.lastIndexOf(".");
  return dot < 0
    ? `.${namespaceOf(table)}.${message}`
    : `.${namespaceOf(message.slice(0, dot))}.${message.slice(dot + 1)}`;
}

const unknown = new protobufjs.Type("Unknown")
  .add(new protobufjs.Field("typeMeta", 1, "TypeMeta"))
  .add(new protobufjs.Field("raw", 2, "bytes"))
  .add(new protobufjs.Field("contentEncoding", 3, "string"))
  .add(new protobufjs.Field("contentType", 4, "string"));
const envelopes = new protobufjs.Root()
  .add(unknown)
  .add(
    new protobufjs.Type("TypeMeta")
      .add(new protobufjs.Field("apiVersion", 1, "string"))
      .add(new protobufjs.Field("kind", 2, "string")),
  );
const magic = Buffer.from("k8s\0");

interface Opened {
  readonly typeMeta: { readonly apiVersion: string; readonly kind: string };
  readonly raw: Uint8Array;
}

function open(bytes: Uint8Array): Opened {
  const type = envelopes.lookupType("Unknown");
  return type.decode(bytes.subarray(magic.length)) as unknown as Opened;
}

function close(opened: Opened, raw: Uint8Array): Buffer {
  const type = envelopes.lookupType("Unknown");
  return Buffer.concat([magic, type.encode({ ...opened, raw }).finish()]);
}

const objects = hasCorpus
  ? goldenObjects("v1.37.1").filter(({ name }) => name !== "core.v1.WatchEvent")
  : [];

describe.runIf(hasCorpus)("protobufjs with our tables", () => {
  const oracle = new Oracle();

  it("knows every field of every golden object and re-encodes it to the same bytes", async () => {
    let same = 0;
    for (const { name, protobuf } of objects) {
      const { typeMeta, raw } = open(protobuf);
      const type = await oracle.type(typeMeta.apiVersion, typeMeta.kind);
      const again = type?.encode(type.decode(raw)).finish();
      expect(again && Buffer.compare(again, raw), name).toBe(0);
      same++;
    }
    console.log(`protobufjs: ${same} of ${objects.length} golden objects come back as they were`);
    expect(same).toBe(objects.length);
  });

  it("and the codec read each other's objects with randomly missing fields", {
    timeout: 60_000,
  }, async () => {
    const random = seededRandom(11);
    let compared = 0;
    for (const { name, protobuf } of objects) {
      const opened = open(protobuf);
      const type = await oracle.type(opened.typeMeta.apiVersion, opened.typeMeta.kind);
      for (let round = 0; type !== undefined && round < 10; round++) {
        const message = type.decode(opened.raw);
        thin(message as unknown as Record<string, unknown>, random);
        const theirs = close(opened, type.encode(message).finish());
        const value = await codecs.protobuf.decode(theirs, {
          onUnknownField: (where, number) => expect.fail(`${name}: ${where} field ${number}`),
        });
        // Go writes every field that is not a pointer, and so does the codec; the oracle omits the removed fields.
        const ours = await codecs.protobuf.encode(value);
        const again = await codecs.protobuf.decode(ours);
        expect(again, name).toMatchObject(value as object);
        deepStrictEqual(await codecs.protobuf.decode(await codecs.protobuf.encode(again)), again);
        assertHolds(type.decode(open(ours).raw), message, name);
        compared++;
      }
    }
    console.log(`protobufjs: ${compared} thinned objects read by both`);
    expect(compared).toBeGreaterThan(0);
  });

  it("accepts and rejects changed bytes like the codec, unless the codec is stricter", {
    timeout: 60_000,
  }, async () => {
    const random = seededRandom(12);
    const counts = { both: 0, neither: 0, "codec only": 0, "protobufjs only": 0 };
    for (const { protobuf } of objects) {
      const opened = open(protobuf);
      const type = await oracle.type(opened.typeMeta.apiVersion, opened.typeMeta.kind);
      for (let round = 0; type !== undefined && round < 60; round++) {
        const raw = mutate(opened.raw, random);
        const theirs = attempt(() => type.decode(raw));
        const ours = await codecs.protobuf.decode(close(opened, raw)).then(
          () => true,
          () => false,
        );
        counts[ours ? (theirs ? "both" : "codec only") : theirs ? "protobufjs only" : "neither"]++;
      }
    }
    console.log(`protobufjs and the codec on changed bytes: ${JSON.stringify(counts)}`);
    expect(counts.both).toBeGreaterThan(0);
    expect(counts.neither).toBeGreaterThan(0);
    expect(counts["codec only"]).toBe(0);
  });
});

function attempt(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** Removes fields and elements at random, also in nested messages. */
function thin(message: Record<string, unknown>, random: () => number): void {
  if (message instanceof protobufjs.Message && ownForms.has(message.$type.fullName)) {
    return;
  }
  for (const [name, value] of Object.entries(message)) {
    if (random() < 0.3) {
      delete message[name];
    } else if (Array.isArray(value)) {
      value.splice(Math.floor(random() * (value.length + 1)));
      value.filter(isMessage).forEach((element) => {
        thin(element, random);
      });
    } else if (isMessage(value)) {
      thin(value, random);
    }
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return (
    value instanceof protobufjs.Message ||
    (typeof value === "object" &&
      value !== null &&
      !ArrayBuffer.isView(value) &&
      !("unsigned" in value))
  );
}

/** Asserts that `whole` contains everything that `part` contains. */
function assertHolds(whole: unknown, part: unknown, path: string): void {
  if (Array.isArray(part)) {
    expect(whole, path).toHaveLength(part.length);
    part.forEach((element, i) => {
      assertHolds((whole as unknown[])[i], element, `${path}[${i}]`);
    });
  } else if (isMessage(part)) {
    for (const [name, value] of Object.entries(part)) {
      const isEmpty = Array.isArray(value) && value.length === 0;
      if (!isEmpty) {
        assertHolds((whole as Record<string, unknown>)?.[name], value, `${path}.${name}`);
      }
    }
  } else {
    deepStrictEqual(String(whole), String(part), path);
  }
}
