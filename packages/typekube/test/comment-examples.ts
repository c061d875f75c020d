import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../", import.meta.url));

/** Packages whose doc comments users read. */
const published = [
  "api",
  "apiserver",
  "cel",
  "client",
  "config",
  "controller",
  "core",
  "crd",
  "informer",
  "policy",
  "schema",
  "transport",
  "typekube",
];

/** An example in a doc comment. */
export interface CommentExample {
  /** File and number of the example in it. */
  readonly place: string;
  /** The code of its `ts` fence; `undefined` when it has none. */
  readonly code: string | undefined;
}

/** Returns the examples (`@example`) of all doc comments in the sources of the published packages. */
export async function commentExamples(): Promise<CommentExample[]> {
  const found = await Promise.all(published.map((name) => examplesBelow(`${name}/src`)));
  return found.flat();
}

async function examplesBelow(folder: string): Promise<CommentExample[]> {
  const entries = await readdir(join(packages, folder), { recursive: true });
  const files = entries.filter((name) => name.endsWith(".ts") && !/\bgenerated\b/.test(name));
  const found = await Promise.all(
    files.sort().map(async (name) => {
      const text = await readFile(join(packages, folder, name), "utf8");
      return examplesIn(text).map((code, at) => ({
        place: `packages/${folder}/${name} example ${at + 1}`,
        code,
      }));
    }),
  );
  return found.flat();
}

function examplesIn(text: string): (string | undefined)[] {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(([, comment = ""]) => {
    const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
    const [, ...examples] = lines.join("\n").split(/^@example\b/m);
    return examples.map((example) => /^```ts\n([\s\S]*?)^```$/m.exec(example)?.[1]);
  });
}

/** Modules that users import, in the order in which an example's names are looked up. */
const modules = [
  "typekube",
  "typekube/config",
  "typekube/lifecycle",
  "typekube/opentelemetry",
  "typekube/api/core/v1",
  "typekube/api/apps/v1",
  "@typekube/apiserver",
  "@typekube/apiserver/check",
  "@typekube/apiserver/controllers",
  "@typekube/apiserver/envtest",
  "@typekube/apiserver/testing",
  "typekube/controller",
  "typekube/cel",
  "typekube/crd",
  "typekube/crd/rules",
  "@typekube/apiserver/msw",
  "@typekube/apiserver/vitest",
  "@typekube/api/lifecycle",
  "@typekube/informer",
  "@typekube/client",
  "@typekube/transport",
];

/** Module of each name that an example may use without importing it. */
export async function namesForExamples(): Promise<ReadonlyMap<string, string>> {
  const names = new Map(Object.entries(besideExamples.names));
  for (const module of modules) {
    for (const name of Object.keys((await import(module)) as object)) {
      if (!names.has(name)) {
        names.set(name, module);
      }
    }
  }
  return names;
}

/** Returns an example as a module: with imports of the names that it uses and does not declare. */
export function asModule(code: string, names: ReadonlyMap<string, string>): string {
  const declared = new Set(
    [
      ...code.matchAll(
        /\b(?:class|const|function|import|interface|let|type|using)\s+(\{[^}]*\}|\w+)/g,
      ),
    ].flatMap(([, target = ""]) => target.match(/\w+/g) ?? []),
  );
  const used = new Set(
    code.replace(/(?<!:)\/\/.*/g, "").match(/(?<![\w$"`']|[^.]\.)[A-Za-z_$][\w$]*/g) ?? [],
  );
  const imports = [...used]
    .filter((name) => names.has(name) && !declared.has(name))
    .map((name) => `import { ${name} } from ${JSON.stringify(names.get(name))};\n`);
  return `${imports.join("")}${code}`;
}

/** Values that examples use without declaring them: a client, clients of some kinds, texts. */
export const besideExamples = {
  file: "beside.ts",
  code: `
import { startApiServer } from "@typekube/apiserver";
import type { SubresourceDescriptor, Verb } from "@typekube/api";
import { connect, type KubeObject, type Live, type ResourceDescriptor } from "typekube";
import type { AdmissionHandler, Controller } from "typekube/controller";
import { Deployment } from "typekube/api/apps/v1";
import { Pod } from "typekube/api/core/v1";

export const client = await connect();
export const pods = client.resource(Pod, "prod");
export const pod = pods.named("web-0");
export const deployments = client.resource(Deployment, "prod");
export const api = await startApiServer();
export const yaml: string = "";
export const ca: string = "";
export const token: string = "";
export const secretData: Uint8Array = new Uint8Array();
export const error: unknown = undefined;

export interface Widget extends KubeObject {
  status?: { phase?: string };
}
export declare const Widget: ResourceDescriptor<Widget>;

export interface Shop extends KubeObject {
  spec: { host: string; image?: string };
  status?: { ready?: number };
}
type Subresources = { status: SubresourceDescriptor<Shop, "get" | "patch" | "update"> };
export declare const Shop: ResourceDescriptor<Shop, "Namespaced", Verb, Subresources>;
export interface ShopV1beta1 extends KubeObject {
  spec: { domain: string; image?: string };
}
export declare const ShopV1beta1: ResourceDescriptor<ShopV1beta1>;
export declare const shop: Live<Shop>;
export declare const shops: Controller<Shop>;
export declare const hooks: AdmissionHandler<Shop>;
export declare function deploymentOf(shop: Live<Shop>): {
  metadata: { name: string };
  spec: Deployment["spec"];
};
`,
  names: {
    ...Object.fromEntries(
      [
        "client",
        "pod",
        "pods",
        "deployments",
        "api",
        "yaml",
        "ca",
        "token",
        "secretData",
        "error",
        "Widget",
        "Shop",
        "ShopV1beta1",
        "shop",
        "shops",
        "hooks",
        "deploymentOf",
      ].map((name) => [name, "./beside.js"]),
    ),
    createReadStream: "node:fs",
    http: "msw",
    setupServer: "msw/node",
  } as Readonly<Record<string, string>>,
} as const;
