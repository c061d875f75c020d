import { DocumentSplitter, parseYaml } from "@typekube/core/yaml";
import { seededRandom } from "@typekube/test-support/seeded-random";
import * as yaml from "js-yaml";
import { expect, test } from "vitest";
import { readPlainDocument } from "../../src/check/text/plain-document.js";
import { documentsOf } from "../../src/check/text/source-document.js";

/** Number of texts; TYPEKUBE_CHECK_TEXTS sets another. */
const count = Number(process.env["TYPEKUBE_CHECK_TEXTS"] ?? 5_000);
const seed = Number(process.env["TYPEKUBE_SEED"] ?? 1);

const deployment = `# Source: shop/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    example.com/note: see https://example.com/#web
spec:
  replicas: 3

  paused: no
  minReadySeconds: 010
  selector: {}
  template:
    spec:
      containers:
      - name: web
        image: "nginx:1.27"
        args: []
        command:
          - sh
          - -5
          - |
            if true; then
              echo "a: b" # c
            fi

            exit 1_000
        env:
        - name: EMPTY
          value:
        - name: QUOTED
          value: 'it is'
      volumes:
`;

test("MC9: the plain form is read without the full parser", () => {
  expect(readPlainDocument(`---\n${deployment}`)).toEqual({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "web",
      annotations: { "example.com/note": "see https://example.com/#web" },
    },
    spec: {
      replicas: 3,
      paused: false,
      minReadySeconds: 8,
      selector: {},
      template: {
        spec: {
          containers: [
            {
              name: "web",
              image: "nginx:1.27",
              args: [],
              command: ["sh", -5, 'if true; then\n  echo "a: b" # c\nfi\n\nexit 1_000\n'],
              env: [
                { name: "EMPTY", value: null },
                { name: "QUOTED", value: "it is" },
              ],
            },
          ],
          volumes: null,
        },
      },
    },
  });
});

test(`MC9: the plain form has the value of the full parser (${count} texts, seed ${seed})`, () => {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const sources = [
    deployment,
    "a: 1\nb:\n- c: d\n  e:\n  - |-\n    f\n\n    g\n- h\ni: j\n",
    "a:\n  b: |\n    c\n  d:\n    - e: f\n      g: 'h'\n# i\nj: \"k\"\n",
  ];
  const parts = [
    ..."\n\n\n    ::--#'\"|>[]{},&*!?%@`\\~.+0_xeyn=<",
    ": ",
    "- ",
    " #",
    "---\n",
    "...\n",
    "\n\n",
    "  \n",
    "|-\n",
    "|+\n",
    ">\n",
    "yes",
    "null",
    ".inf",
    "1e3",
    "<<: ",
    "__proto__: a",
    "18446744073709551616",
    "\t",
    "\u00e9",
  ];
  let read = 0;
  for (let index = 0; index < count; index++) {
    let text = pick(sources);
    for (let change = Math.floor(random() * 4); change > 0; change--) {
      const at = Math.floor(random() * text.length);
      text = text.slice(0, at) + pick(parts) + text.slice(at + Math.floor(random() * 4));
    }
    text = text.endsWith("\n") ? text : `${text}\n`;
    const plain = readPlainDocument(text);
    if (plain !== undefined) {
      read += 1;
      const duplicates: string[] = [];
      const whole = parseYaml(yaml, text, {}, (key) => duplicates.push(key));
      expect([plain], text).toEqual(whole);
      expect(JSON.stringify(plain, asText), text).toBe(JSON.stringify(whole[0], asText));
      expect(duplicates, text).toEqual([]);
    }
  }
  expect(read).toBeGreaterThan(count / 4);
});

test(`MC9: texts are split as bytes are (${count} texts, seed ${seed})`, () => {
  const random = seededRandom(seed);
  const parts = [
    "---\n",
    "---",
    "--- \n",
    "--- #a\n",
    "----\n",
    "a: b\n",
    "# c\n",
    "\n",
    "  # d\n",
  ];
  const others = [
    "...\n",
    "%YAML 1.2\n",
    "{}",
    "\r\n",
    "\ufeff",
    "--- a\n",
    "# Source: x/y.yaml\n",
  ];
  for (let index = 0; index < count; index++) {
    const from = random() < 0.5 ? parts : [...parts, ...others];
    const text = Array.from(
      { length: Math.floor(random() * 8) },
      () => from[Math.floor(random() * from.length)],
    ).join("");
    const splitter = new DocumentSplitter();
    const wanted = [...splitter.push(Buffer.from(text)), ...splitter.end()].map(
      ({ bytes, document, line }) => ({ document, line, text: Buffer.from(bytes).toString() }),
    );
    const found = [...documentsOf("a", text)].map(({ document, line, text: part }) => ({
      document,
      line,
      text: part,
    }));
    expect(found, JSON.stringify(text)).toEqual(wanted);
  }
});

function asText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
