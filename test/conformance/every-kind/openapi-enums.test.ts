import { afterAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import type { Subject } from "../subject.js";
import { rawRequest } from "../support/raw-request.js";

interface Schema {
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Paths {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(220_000);

if (real === undefined) {
  console.warn("ENUMS ARE NOT COMPARED: there is no real API server");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

describe.skipIf(real === undefined)("OpenAPI of both servers", () => {
  test("ES19: the same fields have the same enums", async () => {
    const [one, other] = await Promise.all([real ?? embedded, embedded].map(enumsOf));
    console.log(
      `fields with closed sets of words: ${one?.size} on a real server, ${other?.size} here`,
    );
    expect(one?.size).toBeGreaterThan(100);
    expect(Object.fromEntries(other ?? [])).toEqual(Object.fromEntries(one ?? []));
  });
});

/** Returns the values of every field that is an enum, as `TYPE.field`. */
async function enumsOf({ client }: Subject): Promise<Map<string, readonly string[]>> {
  const get = async <T>(path: string) => (await rawRequest({ client, signal }, { path })).json<T>();
  const { paths } = await get<Paths>("/openapi/v3");
  const found = new Map<string, readonly string[]>();
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    // Paths without a version have no types, or only those of custom resources.
    if (!/^apis?\/.*\/?v\d/.test(path)) {
      continue;
    }
    const { components = {} } = await get<Document>(serverRelativeURL);
    for (const [type, { properties = {} }] of Object.entries(components.schemas ?? {})) {
      for (const [field, schema] of Object.entries(properties)) {
        const words = wordsOf(schema);
        if (words !== undefined) {
          found.set(`${type}.${field}`, [...words].sort());
        }
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wordsOf({
  enum: words,
  items,
  additionalProperties,
}: Schema): readonly string[] | undefined {
  return (
    words ??
    items?.enum ??
    (typeof additionalProperties === "object" ? additionalProperties.enum : undefined)
  );
}
