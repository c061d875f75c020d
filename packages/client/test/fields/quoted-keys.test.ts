import type { ConfigMap } from "@typekube/api/core/v1";
import type { FieldPathOf, Projected } from "@typekube/client";
import { projectionOf, projectValue } from "@typekube/core/internal";
import { expect, test } from "vitest";

/** Names of the data that a path keeps, as the types tell. */
type Kept<P extends string> =
  Projected<ConfigMap, P> extends { data?: infer D } ? keyof NonNullable<D> & string : never;

/** Compiles if the types accept the path and find this key in it, and compares the key that is found at run time. */
function keeps<const P extends string>(path: FieldPathOf<ConfigMap, P>, key: Kept<P>): void {
  const data = { [key]: "kept", other: "not kept" };
  expect(projectValue({ data }, projectionOf([path]).root)).toEqual({ data: { [key]: "kept" } });
}

function refuses<const P extends string>(path: FieldPathOf<ConfigMap, P>): void {
  expect(() => projectionOf([path])).toThrow(/is not a path/);
}

test("fields: a key in quotes is the same for the compiler and at run time", () => {
  keeps("data.a", "a");
  keeps('data["a"]', "a");
  keeps('data["a.b"]', "a.b");
  keeps('data["example.com/owner"]', "example.com/owner");
  keeps('data["a[0]"]', "a[0]");
  keeps('data["a]b"]', "a]b");
  keeps('data[""]', "");
  keeps('data["a\\"b"]', 'a"b');
  keeps('data["\\"]"]', '"]');
  keeps('data["a\\"]b"]', 'a"]b');
  keeps('data["\\\\"]', "\\");
  keeps('data["a\\\\\\"b"]', 'a\\"b');
  keeps('data["k:{\\"name\\":\\"x\\"}"]', 'k:{"name":"x"}');
  keeps('data["\\/\\b\\f\\n\\r\\t"]', "/\b\f\n\r\t");
  keeps('data["ä€"]', "ä€");
  keeps('data["a\nb"]', "a\nb");
  // @ts-expect-error another key
  expect(() => keeps('data["a\\"b"]', "a")).toThrow();
});

test("fields: a text that is not a path is refused by the compiler and at run time", () => {
  // @ts-expect-error the quote within the key is not escaped
  refuses('data["a"b"]');
  // @ts-expect-error nothing ends the key
  refuses('data["a"');
  // @ts-expect-error the backslash escapes the last quote
  refuses('data["a\\"]');
  // @ts-expect-error JSON has no such escape
  refuses('data["\\x"]');
  // @ts-expect-error a quote that begins no key
  refuses('data.a"b');
  // @ts-expect-error a bracket that ends no key
  refuses("data.a]");
  // @ts-expect-error a bracket without quotes
  refuses("data[a]");
  // @ts-expect-error no dot after the key
  refuses('data["a"]b');
  // @ts-expect-error a dot before the bracket
  refuses('data.["a"]');
  // @ts-expect-error nothing after the dot
  refuses("data.");
  // @ts-expect-error nothing between the dots
  refuses("metadata.labels..a");
});

test("fields: the compiler refuses escapes of code units, which it cannot read", () => {
  // @ts-expect-error write the character itself
  const path: FieldPathOf<ConfigMap, 'data["\\u0041"]'> = 'data["\\u0041"]';
  expect(projectionOf([path]).root.fields.get("data")?.fields.has("A")).toBe(true);
});
