import {
  compareResourceVersions,
  harmless,
  parseApiVersion,
  parseFieldPath,
  parseFieldSelector,
  parseLabelSelector,
  parseManifests,
  printFieldPath,
  quantity,
  readFieldsV1,
  readManifests,
  writeFieldsV1,
} from "@typekube/core";
import { parseMediaType } from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { compileRe2 } from "../../../packages/cel/src/re2/index.js";
import { withoutServerUser } from "../../../packages/config/src/connection/server-user.js";
import { parseExecOutput } from "../../../packages/config/src/exec/parse-exec-output.js";
import { readExecCredential } from "../../../packages/config/src/exec/read-exec-credential.js";
import { parseKubeconfig } from "../../../packages/config/src/kubeconfig/parse-kubeconfig.js";
import { timeParts } from "../../../packages/core/src/time/time-parts.js";
import { timeProblem } from "../../../packages/core/src/time/time-problem.js";
import { jsonPath } from "../../../packages/informer/src/conditions/json-path.js";
import { parseServer } from "../../../packages/transport/src/options/server-address.js";
import { parseProxy } from "../../../packages/transport/src/proxy/proxy-address.js";
import { parseRetryAfter } from "../../../packages/transport/src/response/retry-after.js";
import { parseWarnings } from "../../../packages/transport/src/response/warnings.js";
import { type HostileReader, parsedObject, textReader } from "./hostile-reader.js";

const manifests = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata: &m {name: a, labels: {"a": yes}}\ndata:\n  a: |+\n    x\n\n  b: >-\n    y\n   # c\n---\n{"apiVersion": "v1", "kind": "Pod"}\n',
  "apiVersion: v1\nkind: List\nitems:\n- &a\n  apiVersion: v1\n  kind: Pod\n  metadata:\n    <<: [{name: x}]\n- <<: *a\n  ? b\n  : [1, 0x1f,\n  'it''s', \"\\u00e9\"]\n...\n",
  '{"apiVersion":"v1","kind":"Pod","a":"x \u2028 y"}\n{"apiVersion":"v1","kind":"Pod","b":[1e3,-0]}',
];

const kubeconfig = `apiVersion: v1
kind: Config
current-context: main
clusters: [{name: c, cluster: {server: "https://u:p%40@kube:6443", certificate-authority-data: aGk=}}]
users:
- name: u
  user: {token: t, exec: {command: x, apiVersion: client.authentication.k8s.io/v1, env: [{name: A, value: b}]}}
contexts: [{name: main, context: {cluster: c, user: u, namespace: n}}]
`;
const execVersion = "client.authentication.k8s.io/v1";
const execOutput = {
  kind: "ExecCredential",
  apiVersion: execVersion,
  status: { token: "t", expirationTimestamp: "2026-01-01T00:00:00Z" },
};
const fieldsV1 = {
  "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
  'k:{"name":"a","port":1}': { "v:1": {}, "i:0": {} },
};

/** Readers of files. */
export const fileReaders: readonly HostileReader[] = [
  textReader("parseManifests()", manifests, (text, random) =>
    parseManifests(text, { duplicateKeys: random() < 0.5 ? "last" : "error" }),
  ),
  {
    name: "readManifests()",
    seeds: [
      ...manifests.map((text) => Buffer.from(text)),
      Buffer.from(`\ufeff${manifests[0]}`, "utf16le"),
    ],
    async read(bytes, random) {
      const chunks = inChunks(bytes, 1 + Math.floor(random() * 100));
      for await (const _ of readManifests(chunks, { duplicateKeys: "last" })) {
        // Only reads.
      }
    },
  },
  textReader(
    "parseKubeconfig()",
    [kubeconfig, JSON.stringify({ clusters: [], users: [] })],
    (text) => parseKubeconfig(text),
  ),
  textReader(
    "output of an exec plugin",
    [
      JSON.stringify(execOutput),
      "kind: ExecCredential\napiVersion: client.authentication.k8s.io/v1\nstatus: {token: t}\n",
    ],
    async (text) => readExecCredential(await parseExecOutput(text), execVersion, "plugin"),
  ),
];

/** Readers of short texts. */
export const textReaders: readonly HostileReader[] = [
  textReader("readFieldsV1()", [JSON.stringify(fieldsV1)], (text) => {
    const value = parsedObject(text);
    return value && writeFieldsV1(readFieldsV1(value));
  }),
  textReader(
    "parseFieldPath()",
    ['.spec.containers[name="a",port=1].ports[0]', '.a["b.c"][=1].d'],
    (text) => printFieldPath(parseFieldPath(text)),
  ),
  textReader(
    "parseLabelSelector()",
    ["a=b,c!=d,e in (f, g),h notin (i),!j,k,l>1"],
    parseLabelSelector,
  ),
  textReader(
    "parseFieldSelector()",
    ["metadata.name=a,status.phase!=Running,a=b\\,c"],
    parseFieldSelector,
  ),
  textReader("quantities", ["100m", "1.5Gi", "-2e3", "0.1E", "12345678901234567890n"], (text) => [
    quantity.format(text),
    quantity.add(text, "1"),
    quantity.multiply(text, text),
    quantity.compare(text, 2),
    quantity.toNumber(text),
    quantity.toBigInt(text),
  ]),
  textReader("times", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000+01:00"], (text) => [
    timeProblem(text, false),
    timeProblem(text, true),
    timeParts(text),
  ]),
  textReader(
    "jsonPath()",
    ['{.status.conditions[?(@.type=="Ready")].status}', ".a['b.c'][-1][0]"],
    (text) => jsonPath(text, "x"),
  ),
  textReader("parseApiVersion()", ["apps/v1", "v1"], parseApiVersion),
  textReader(
    "parseMediaType()",
    ['application/json;as=Table;v="v1";g=meta.k8s.io'],
    parseMediaType,
  ),
  textReader("compareResourceVersions()", ["12345678901234567890"], (text) =>
    compareResourceVersions(text, "5"),
  ),
  textReader("harmless()", ["a\u001b[31mred\u0007"], harmless),
  textReader(
    "addresses",
    ["https://kube.example:6443/prefix", "https://u:p@[::1]:1/a?b#c"],
    (text) => parseServer(withoutServerUser(text).server, {}),
  ),
  textReader("proxies", ["http://user:p%40ss@proxy:3128", "socks5://[::1]:1080"], parseProxy),
  textReader(
    "Warning headers",
    ['299 - "deprecated \\"x\\"", 299 host "b" "Thu, 01 Jan 1970 00:00:00 GMT"'],
    parseWarnings,
  ),
  textReader("Retry-After headers", ["120", "Thu, 01 Jan 1970 00:00:00 GMT"], (text) =>
    parseRetryAfter(text, 0),
  ),
  textReader(
    "patterns",
    ["^[a-z]([-a-z0-9]*[a-z0-9])?$", "(?P<n>a|b){2,3}[[:alpha:]]\\pL\\Q.\\E"],
    (text) => {
      const pattern = compileRe2(text);
      return "problem" in pattern || pattern.test(text);
    },
  ),
];
