import { loadProtobufTable, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import { builtInResources } from "@typekube/api/resources";
import { timeProblem } from "@typekube/core/internal/go-time";
import { parseQuantity, quantityProblem } from "@typekube/core/quantity";
import { describe, expect, test } from "vitest";
import { canonicalQuantity, canonicalResource } from "../src/objects/canonical-quantity.js";
import { canonicalBytes } from "../src/phases/default/canonical-bytes.js";
import { canonicalMicroTime, canonicalTime } from "../src/phases/default/canonical-time.js";
import { fillDefaults } from "../src/phases/default/fill-defaults.js";
import { imageTag } from "../src/phases/default/image-tag.js";
import { firstDocument } from "../src/request/first-document.js";
import { createSchemaSource } from "../src/resources/schema-source.js";

type Tree = Record<string, unknown>;

/** A value in an unusual form and its stored form, by the protobuf message or scalar of its field. */
const forms: Readonly<Record<string, readonly [odd: string, stored: string]>> = {
  bytes: ["YQ=\n=", "YQ=="],
  microTime: ["2026-01-01T02:00:00.123456+02:00", "2026-01-01T00:00:00.123456Z"],
  quantity: ["1024Mi", "1Gi"],
  time: ["2026-03-04T00:06:07.5+01:00", "2026-03-03T23:06:07Z"],
};

interface Place {
  readonly path: readonly string[];
  readonly form: string;
}

/**
 * Yields every field of a message whose values have a stored form. Reads the protobuf tables, which the server itself
 * does not use for this.
 */
function* placesIn(table: ProtobufTable, name: string, above: readonly string[]): Generator<Place> {
  const dot = name.lastIndexOf(".");
  const owner = dot < 0 ? table : table.imports[name.slice(0, dot)];
  const own = name.slice(dot + 1);
  const message = owner === undefined ? undefined : parseMessage(owner, own);
  const key = `${owner?.name}.${own}`;
  if (owner === undefined || message === undefined || above.includes(key)) {
    return;
  }
  for (const field of message.fields) {
    const step = { list: ["[]"], map: ["{}"], one: [] }[field.container];
    const path = field.inline ? [] : [field.jsonName, ...step];
    const form = field.type === "bytes" ? "bytes" : formOf(owner, field.type);
    if (form === undefined) {
      for (const inner of placesIn(owner, field.type, [...above, key])) {
        yield { ...inner, path: [...path, ...inner.path] };
      }
    } else if (Object.hasOwn(forms, form)) {
      yield { path, form };
    }
  }
}

function formOf(table: ProtobufTable, type: string): string | undefined {
  const dot = type.lastIndexOf(".");
  const owner = dot < 0 ? table : table.imports[type.slice(0, dot)];
  return owner === undefined ? undefined : parseMessage(owner, type.slice(dot + 1))?.form;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, step) => (step === "[]" ? [inner] : { [step === "{}" ? "a" : step]: inner }),
    value,
  );
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Tree)[step === "[]" ? "0" : step === "{}" ? "a" : step],
    value,
  );
}

describe("stored forms", () => {
  test("converts every time, quantity and bytes field of every built-in kind to its stored form", async () => {
    const schemas = createSchemaSource();
    const counted: Record<string, number> = {};
    const wrong: string[] = [];
    for (const descriptor of builtInResources) {
      const { apiVersion, kind } = descriptor;
      const table = await loadProtobufTable(apiVersion);
      const schema = await schemas({ descriptor, defined: undefined });
      for (const { path, form } of table === undefined ? [] : placesIn(table, kind, [])) {
        const [odd, stored] = forms[form] ?? ["", ""];
        const given = { apiVersion, kind, ...(nested(path, odd) as Tree) };
        const kept = at(fillDefaults(given, schema), path);
        counted[form] = (counted[form] ?? 0) + 1;
        if (kept !== stored) {
          wrong.push(`${apiVersion} ${kind} ${path.join(".")}: ${String(kept)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(counted["time"]).toBeGreaterThan(300);
    expect(counted["microTime"]).toBeGreaterThan(5);
    expect(counted["quantity"]).toBeGreaterThan(150);
    expect(counted["bytes"]).toBeGreaterThan(10);
  });

  test("does not copy values that are in their stored form already", async () => {
    const schemas = createSchemaSource();
    const descriptor = { apiVersion: "v1", kind: "Secret" };
    const schema = await schemas({ descriptor, defined: undefined });
    const secret = {
      ...descriptor,
      metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" },
      type: "Opaque",
      data: { a: "YWJj" },
    };
    expect(fillDefaults(secret, schema)).toBe(secret);
  });
});

/** Results of apimachinery 0.37.1 after a round trip through protobuf: exact, and rounded up to milli units. */
const quantities: readonly (readonly [text: string, stored: string, rounded: string])[] = [
  ["0.0001", "100u", "1m"],
  ["+5", "+5", "+5"],
  ["05", "05", "05"],
  ["1.500", "1.500", "1.500"],
  ["1.50", "1500m", "1500m"],
  ["1.5Gi", "1536Mi", "1536Mi"],
  ["0.1Mi", "104857600m", "104857600m"],
  ["0.5Ki", "512", "512"],
  ["1e3", "1e3", "1e3"],
  ["1e-1", "100e-3", "100e-3"],
  ["1E2", "100", "100"],
  ["1.05e1", "10500e-3", "10500e-3"],
  ["100Ei", "9223372036854775807", "9223372036854775807"],
  ["-100Ei", "-9223372036854775807", "-9223372036854775807"],
  ["1000E", "1", "1"],
  ["1n", "1n", "1m"],
  ["-0.0001", "-100u", "-1m"],
  ["-0.1n", "-1n", "-1m"],
  ["1.Gi", "1.Gi", "1.Gi"],
  [".5", "500m", "500m"],
  ["1023.5Mi", "1048064Ki", "1048064Ki"],
  ["0.0000000001Ki", "103n", "1m"],
  [" 5 ", "5", "5"],
  [".", "0", "0"],
  ["-0", "0", "0"],
  ["1e-999", "1e-9", "1e-3"],
  ["1e999999999", "1e999999999", "1e999999999"],
  ["12345678901234567890.5", "12345678901234567890500m", "12345678901234567890500m"],
];

describe("quantities", () => {
  test.each(quantities)("the quantity %j is stored as in Go", (text, stored, rounded) => {
    expect([canonicalQuantity(text), canonicalResource(text)]).toEqual([stored, rounded]);
  });

  test("the error about an invalid quantity names the wrong part", () => {
    expect(quantityProblem("1.2.3")).toMatch(/^quantities must match/);
    expect(quantityProblem("5ki")).toBe("unable to parse quantity's suffix");
    expect(quantityProblem("Pi")).toBe("unable to parse numeric part of quantity");
    expect(quantityProblem("Ki")).toBeUndefined();
    expect(quantityProblem("\u00a01 ")).toBeUndefined();
    expect(quantityProblem("\t1\n")).toMatch(/^quantities must match/);
    expect(quantityProblem(["1"])).toMatch(/^quantities must match/);
  });

  test.each(["1e1001", "1e99999999999999999999", "1.5e-99999999999", "9".repeat(1_000_000)])(
    "%.20s is rejected before any power of ten is computed",
    (text) => {
      expect(parseQuantity(text)).toBeUndefined();
      expect(canonicalQuantity(text)).toBe(text);
    },
  );
});

describe("times", () => {
  test.each([
    ["2026-03-04T05:06:07.891Z", "2026-03-04T05:06:07Z"],
    ["2026-03-04T05:06:07,5Z", "2026-03-04T05:06:07Z"],
    ["2026-03-04T5:06:07Z", "2026-03-04T05:06:07Z"],
    ["2026-03-04T05:06:07+24:60", "2026-03-03T04:06:07Z"],
    ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z"],
    ["0000-01-01T00:30:00+01:00", "-0001-12-31T23:30:00Z"],
    ["9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"],
    ["0099-03-04T00:00:00Z", "0099-03-04T00:00:00Z"],
    ["0001-01-01T00:00:00Z", null],
    ["0001-01-01T01:00:00.5+01:00", null],
  ])("the time %j is stored as in Go", (text, stored) => {
    expect(timeProblem(text, false)).toBeUndefined();
    expect(canonicalTime(text)).toBe(stored);
  });

  test("MicroTime fields keep microseconds", () => {
    expect(canonicalMicroTime("2026-01-01T02:00:00,123456+02:00")).toBe(
      "2026-01-01T00:00:00.123456Z",
    );
    expect(canonicalMicroTime("0001-01-01T00:00:00.000001Z")).toBe("0001-01-01T00:00:00.000001Z");
    expect(canonicalMicroTime("0001-01-01T00:00:00.000000Z")).toBeNull();
  });

  test("the error names the first part that is out of range, the day last", () => {
    const range = (text: string) => timeProblem(text, false)?.replace(/^.*": /, "");
    expect(range("2026-13-32T25:00:00Z")).toBe("month out of range");
    expect(range("2026-02-30T00:00:00+25:00")).toBe("time zone offset hour out of range");
    expect(range("2026-02-30T00:00:00+01:61")).toBe("time zone offset minute out of range");
    expect(range("2026-02-30T00:00:00Z")).toBe("day out of range");
    expect(range("0000-02-29T00:00:00Z")).toBeUndefined();
  });
});

describe("other texts", () => {
  test("base64 drops line breaks and unused bits", () => {
    expect(canonicalBytes("YW\r\nJj\n")).toBe("YWJj");
    expect(canonicalBytes("YR==")).toBe("YQ==");
    expect(canonicalBytes("")).toBe("");
  });

  test("an image has a tag only if it is a valid reference", () => {
    expect(imageTag("x")).toBe("latest");
    expect(imageTag("localhost/x:1")).toBe("1");
    expect(imageTag("[::1]:5000/x")).toBe("latest");
    for (const image of ["ko://x", "", "X", "x/Y:latest", ":latest", "x@sha256:abc", "a@b@c"]) {
      expect(imageTag(image), image).toBeUndefined();
    }
  });

  test("parses a long image in linear time", () => {
    const began = performance.now();
    imageTag(`${"a-".repeat(200_000)}./x`);
    imageTag(`a/${"a__".repeat(200_000)}`);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test.each([
    ["a: 1\n", "a: 1\n"],
    ["a: 1\n---\nb: {{\n", "a: 1\n"],
    ["---\na: 1\n...\nb\n", "---\na: 1\n"],
    ["\uFEFF# a\n%YAML 1.1\n---\na: 1\n--- b\n", "\uFEFF# a\n%YAML 1.1\n---\na: 1\n"],
    ["---\n---\na: 1\n", "---\n"],
    ["a: |\n  ---\n  b\n", "a: |\n  ---\n  b\n"],
    ["a: ---b\n---c: 1\n", "a: ---b\n---c: 1\n"],
    ["--- {a: 1}\r\n---\r\nb\r\n", "--- {a: 1}\r\n"],
  ])("the first document of %j ends where the next one begins", (text, first) => {
    expect(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(firstDocument(Buffer.from(text))),
    ).toBe(first);
  });
});
