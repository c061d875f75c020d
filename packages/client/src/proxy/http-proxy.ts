import type { ResourceDescriptor } from "@typekube/api";
import type { Node, Pod, Service } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { assertOptions, loadOnce } from "@typekube/core/internal";
import { assertIsOptions } from "../options/call-options.js";
import { assertNamespaceOption } from "../options/namespace-argument.js";
import { resourcePath } from "../request/resource-path.js";
import type { ClientContext } from "../resource/client-context.js";
import { type ProxyConnectOptions, type ProxyOptions, proxyOptions } from "./proxy-options.js";
import type { ProxySocket } from "./proxy-socket.js";

const loadProxyFetch = loadOnce(() => import("./proxy-fetch.js"));
const loadProxySocket = loadOnce(() => import("./proxy-socket.js"));

/** Descriptor of a kind that the API server passes requests on to. */
export type ProxiedKind =
  | ResourceDescriptor<Node, "Cluster">
  | ResourceDescriptor<Pod, "Namespaced">
  | ResourceDescriptor<Service, "Namespaced">;

const kinds: readonly string[] = ["Node", "Pod", "Service"];

/**
 * HTTP to a Pod, a Service or a Node through the API server: no port is opened, and the client's credentials and
 * permissions apply. The backend sees neither.
 */
export class HttpProxy {
  /** Path on the API server that leads to the backend's `/`, without the last `/`. */
  readonly path: string;
  readonly #context: ClientContext;
  readonly #options: ProxyOptions;

  /**
   * @throws {KubeError} `InvalidArgument` for another kind, a name that no object can have, or an invalid option.
   */
  constructor(context: ClientContext, kind: ProxiedKind, name: string, options: ProxyOptions = {}) {
    assertIsOptions(options);
    assertOptions("client.proxy()", options, proxyOptions);
    assertNamespaceOption("client.proxy()", options);
    if (kind?.group !== "" || !kinds.includes(kind.kind)) {
      throw new KubeError("InvalidArgument", `${kind?.kind}: the API server has no proxy to it`, {
        hint: "pass Pod, Service or Node of typekube/api/core/v1",
      });
    }
    if (typeof name !== "string" || name.includes(":")) {
      throw new KubeError("InvalidArgument", `name: must be the name of a ${kind.kind}`, {
        hint: "pass the port and the scheme as options",
      });
    }
    const { namespace = context.namespace, port, scheme } = options;
    const target = [
      ...(scheme === undefined ? [] : [scheme]),
      name,
      ...(port === undefined && scheme === undefined ? [] : [port ?? ""]),
    ].join(":");
    // Checks the name itself; what is added has no other characters.
    resourcePath(kind, { name });
    this.path = resourcePath(kind, {
      ...(kind.scope === "Cluster" ? {} : { namespace }),
      name: target,
      subresource: "proxy",
    });
    this.#context = context;
    this.#options = options;
  }

  /**
   * Sends a request to the backend, with the signature of the global `fetch`: for any library that takes one. It needs no
   * receiver, so `const { fetch } = client.proxy(...)` works.
   *
   * - A path is sent byte for byte. Of a URL only path and query count: the request goes to this backend.
   * - Redirects are returned, not followed; the API server has rewritten their `Location`.
   * - Bodies of both directions are streams. A request is never repeated.
   *
   * @example
   * ```ts
   * const { fetch } = client.proxy(Service, "web", { namespace: "prod", port: "http" });
   * const page = await (await fetch("/index.html")).text();
   * ```
   *
   * @throws {KubeError} when the API server refuses or cannot reach the backend: `NotFound`, `Forbidden`,
   * `ServiceUnavailable`. Whatever the backend responds is a Response. `InvalidArgument` for a path that leads elsewhere,
   * or a header for credentials.
   */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { proxyFetch } = await loadProxyFetch();
    return proxyFetch(
      { context: this.#context, base: this.path, options: this.#options },
      input,
      init,
    );
  };

  /**
   * Opens a WebSocket to the backend.
   *
   * @example
   * ```ts
   * await using socket = await client.proxy(Pod, "web-0").connect("/live", ["chat"]);
   * await socket.send("hello");
   * for await (const message of socket) console.log(message);
   * ```
   *
   * @param path - path and query, percent-encoded.
   * @param protocols - subprotocols to offer, the preferred one first. Default: none.
   * @throws {KubeError} the refusal of the backend or of the API server; `Decode` when the backend answers otherwise.
   */
  async connect(
    path: string,
    protocols: readonly string[] = [],
    options: ProxyConnectOptions = {},
  ): Promise<ProxySocket> {
    const { connectSocket } = await loadProxySocket();
    return connectSocket(
      { context: this.#context, base: this.path, options: this.#options },
      path,
      protocols,
      options,
    );
  }
}
