import { describe, expect, test } from "vitest";
import { generate, readDefinitions } from "../../src/generate/index.js";
import { definition } from "./fixture.js";

/** Generates from one text. */
async function from(text: string, options = {}) {
  return generate([await readDefinitions([{ name: "a.yaml", text }])], options);
}

const sized = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
};

describe("inputs of typekube generate", () => {
  test("GT1: documents of other kinds are skipped and counted, lists are read", async () => {
    const list = `{"apiVersion":"v1","kind":"List","items":[${definition()},{"apiVersion":"v1","kind":"Secret"}]}`;
    const text = `apiVersion: v1\nkind: ConfigMap\n---\n${list}\n---\n\n---\n${definition({ kind: "Other" })}`;
    const { kinds, skipped, problems } = await from(text);
    expect(kinds.map(({ kind }) => kind)).toEqual(["Other", "Widget"]);
    expect(Object.fromEntries(skipped)).toEqual({ ConfigMap: 1, Secret: 1 });
    expect(problems).toEqual([]);
  });

  test("GT4: definitions of one kind with different versions complete each other", async () => {
    const texts = [
      definition({ version: "v1" }),
      definition({ version: "v2" }),
      definition({ version: "v1" }),
    ];
    const reads = await Promise.all(
      texts.map((text, at) => readDefinitions([{ name: `${at}`, text }])),
    );
    const { files, problems } = generate(reads);
    expect([...files.keys()]).toEqual(["example.com/v1.ts", "example.com/v2.ts"]);
    expect(problems).toEqual([]);
  });

  test("GT4: several kinds of one group and version share a module", async () => {
    const { files } = await from(`${definition()}\n---\n${definition({ kind: "Gadget" })}`);
    const text = files.get("example.com/v1.ts") ?? "";
    expect(text.match(/^export const \w+/gm)).toEqual([
      "export const Gadget",
      "export const Widget",
    ]);
  });

  test("GT4: two different schemas of one version are a problem that names both places", async () => {
    const { problems, kinds } = await from(
      `${definition()}\n---\n${definition({ schema: sized })}`,
    );
    expect(problems).toEqual([
      {
        place: "a.yaml:3",
        message:
          "Widget of example.com/v1 differs from that in a.yaml:1, which is used; pass only one of them",
      },
    ]);
    expect(kinds).toHaveLength(1);
  });

  test("GT5: v1beta1 is converted", async () => {
    const text = definition({
      apiVersion: "apiextensions.k8s.io/v1beta1",
      spec: {
        version: "v1",
        versions: undefined,
        validation: { openAPIV3Schema: sized },
        subresources: { status: {} },
        preserveUnknownFields: false,
        additionalPrinterColumns: [{ name: "Size", type: "integer", JSONPath: ".spec.size" }],
      },
    });
    const { kinds, files, problems } = await from(text);
    expect(problems).toEqual([]);
    const [{ columns, subresources } = { columns: [], subresources: {} }] = kinds;
    expect(columns).toEqual([{ name: "Size", type: "integer", jsonPath: ".spec.size" }]);
    expect(Object.keys(subresources)).toEqual(["status"]);
    expect(files.get("example.com/v1.ts")).toContain("size?: number | undefined;");
  });

  test("GT5: v1beta1 keeps unknown fields by default, so the kind has an index signature", async () => {
    const { files } = await from(
      definition({ apiVersion: "apiextensions.k8s.io/v1beta1", schema: sized }),
    );
    expect(files.get("example.com/v1.ts")).toContain("  [field: string]: unknown;\n}");
  });

  test.each([
    [
      "a $ref",
      { schema: { type: "object", properties: { a: { $ref: "#/definitions/a" } } } },
      /Widget v1 has a \$ref to "#\/definitions\/a"/,
    ],
    [
      "a schema that is not structural",
      { schema: { type: "object", properties: { a: {} } } },
      /has a schema that servers reject: .*type: Required value/,
    ],
    ["no schema", { schema: undefined, more: { schema: undefined } }, /Widget v1 has no schema/],
    [
      "a group that is a path",
      { group: "../../etc" },
      /spec.group "..\/..\/etc" is not a DNS subdomain/,
    ],
    [
      "a version that is a path",
      { version: "../v1" },
      /name of the version "..\/v1" is not a DNS label/,
    ],
    [
      "a kind that is code",
      { kind: "A{};evil()//" },
      /spec.names.kind "A{};evil\(\)\/\/" is not a DNS label/,
    ],
    ["no versions", { spec: { versions: [] } }, /spec.versions has no versions/],
    ["no names", { spec: { names: undefined } }, /spec.names.kind \(missing\) is not a DNS label/],
  ])(
    "GT5: a definition with %s is a problem with its place, and the rest is generated",
    async (_, wrong, message) => {
      const { problems, kinds } = await from(
        `${definition({ kind: "First" })}\n---\n${definition(wrong)}\n---\n${definition({ kind: "Last" })}`,
      );
      expect(problems).toHaveLength(1);
      expect(problems[0]?.place).toBe("a.yaml:3");
      expect(problems[0]?.message).toMatch(message);
      expect(kinds.map(({ kind }) => kind)).toEqual(["First", "Last"]);
    },
  );

  test("GT5: a template of Helm is a problem that says so, and the documents after it are read", async () => {
    const template = "metadata:\n  name: {{ .Values.name }}\n  {{- if .Values.x }}\n";
    const { problems, kinds } = await from(
      `${definition()}\n---\n${template}---\n${definition({ kind: "Last" })}`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["Last", "Widget"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.place).toBe("a.yaml:3");
    expect(problems[0]?.message).toMatch(/\(line 5, column \d+\)/);
    expect(problems[0]?.message).toMatch(/template of Helm: run helm template and pass its output/);
  });

  test("GT3: groups and kinds are chosen by any of their names; a name without a kind is a problem", async () => {
    const text = `${definition()}\n---\n${definition({ kind: "Gadget", group: "other.example.com" })}`;
    const chosen = async (options: object) =>
      (await from(text, options)).kinds.map(({ kind }) => kind);
    expect(await chosen({ groups: ["example.com"] })).toEqual(["Widget"]);
    expect(await chosen({ kinds: ["gadgets", "WIDGET"] })).toEqual(["Widget", "Gadget"]);
    const { problems } = await from(text, { kinds: ["Wdget"], groups: ["exmple.com"] });
    expect(problems.map(({ message }) => message)).toEqual([
      "the inputs have no kind of the group exmple.com",
      "the inputs have no kind with the name wdget",
    ]);
  });

  test("an unknown option is refused", () => {
    expect(() => generate([], { kind: ["a"] } as object)).toThrow(/kind/);
    expect(() => generate([], { int64: "string" } as object)).toThrow(
      /int64: must be bigint or number/,
    );
  });
});
