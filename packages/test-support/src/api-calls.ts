import { codecs, type HttpMethod, type HttpResponse, type HttpSend } from "@typekube/core/internal";

/** Parts of a response that tests inspect. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly text: string;
}

/** JSON of unchecked type. */
// biome-ignore lint/suspicious/noExplicitAny: tests read nested fields of responses whose shape they assert.
export type Json = any;

export const mergePatch = { "content-type": "application/merge-patch+json" };
export const jsonPatch = { "content-type": "application/json-patch+json" };
export const strategicPatch = { "content-type": "application/strategic-merge-patch+json" };
export const applyPatch = { "content-type": "application/apply-patch+yaml" };

/** Sends one request in process and reads the whole response. */
export async function call(
  api: { readonly send: HttpSend },
  method: HttpMethod,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await api.send({
    method,
    path,
    headers: { "user-agent": "kc/1.0", "content-type": "application/json", ...headers },
    body: body instanceof Uint8Array ? body : body === undefined ? undefined : Buffer.from(text),
    mode: "call",
  });
  return readResponse(response);
}

export async function readResponse(response: HttpResponse): Promise<TestResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) {
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, body, text };
}

/** Options of a request in a chosen encoding. */
export interface Exchange {
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: Uint8Array | string;
  /** Number of watch events to read before the watch is cancelled. Default: all until it ends. */
  readonly events?: number;
}

/** A response decoded by its own Content-Type; for a watch, an array of its events. */
export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly value: Json;
}

/** Sends one request in process and decodes the response. */
export async function exchange(
  api: { readonly send: HttpSend },
  method: HttpMethod,
  path: string,
  { accept, contentType, body, events: wanted = Number.POSITIVE_INFINITY }: Exchange = {},
): Promise<Exchanged> {
  const {
    status,
    headers,
    body: source,
  } = await api.send({
    method,
    path,
    headers: {
      ...(accept === undefined ? {} : { accept }),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    },
    body: typeof body === "string" ? Buffer.from(body) : body,
    mode: "call",
  });
  const type = headers["content-type"] ?? "";
  const codec = codecs.forContentType(type);
  if (codec === undefined) {
    throw new Error(`the test knows no ${type}`);
  }
  if (status === 200 && /[?&]watch=1/.test(path)) {
    const events: Json[] = [];
    for await (const part of codec.decodeWatch(source)) {
      events.push(...part);
      if (events.length >= wanted) {
        break;
      }
    }
    return { status, headers, type, value: events };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    chunks.push(chunk);
  }
  return { status, headers, type, value: await codec.decode(Buffer.concat(chunks)) };
}

/** An open watch that a test reads event by event. */
export interface TestWatch {
  readonly status: number;
  /** Returns the next event; `undefined` at the end. */
  next(): Promise<Json>;
  /** Returns the next `count` events as short texts: `ADDED a`. */
  take(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Opens a JSON watch. */
export async function watch(
  api: { readonly send: HttpSend },
  path: string,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestWatch> {
  const response = await api.send({ method: "GET", path, headers, mode: "stream", signal });
  const chunks = response.body[Symbol.asyncIterator]();
  const lines: string[] = [];
  const next = async () => {
    while (lines.length === 0) {
      const { done, value } = await chunks.next();
      if (done) {
        return undefined;
      }
      lines.push(
        ...Buffer.from(value)
          .toString("utf8")
          .split("\n")
          .filter((line) => line !== ""),
      );
    }
    return JSON.parse(lines.shift() ?? "null");
  };
  return {
    status: response.status,
    next,
    async take(count) {
      const seen: string[] = [];
      for (let at = 0; at < count; at++) {
        seen.push(short(await next()));
      }
      return seen;
    },
    async stop() {
      await chunks.return?.();
    },
  };
}

function short(event: Json): string {
  return event === undefined
    ? "end"
    : [event.type, event.object?.metadata?.name].filter((part) => part !== undefined).join(" ");
}

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const pods = "/api/v1/namespaces/default/pods";
export const deployments = "/apis/apps/v1/namespaces/default/deployments";

/** Creates ConfigMaps with these names. */
export async function createConfigMaps(
  api: { readonly send: HttpSend },
  ...names: readonly string[]
): Promise<Json[]> {
  const created: Json[] = [];
  for (const name of names) {
    created.push((await call(api, "POST", configMaps, { metadata: { name } })).body);
  }
  return created;
}

/** A custom resource. */
export const widget = {
  group: "example.com",
  version: "v1",
  apiVersion: "example.com/v1",
  kind: "Widget",
  plural: "widgets",
  singular: "widget",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {},
  protobuf: false,
} as const;
