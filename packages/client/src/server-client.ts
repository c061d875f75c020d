import type { ClientContext } from "./client-context.js";
import type { Discovery } from "./discovery/discovery.js";
import { exchangeObject } from "./exchange-object.js";
import { askHealth, type Health, type HealthEndpoint, type HealthOptions } from "./health.js";
import { OpenApi } from "./openapi.js";
import type { CallOptions } from "./options.js";
import { type UntilReadyOptions, untilReady } from "./until-ready.js";
import { type RawAnswer, type RawRequest, sendRaw } from "./raw-request.js";

/** What a server is asked about itself, and raw requests: all that is not about a resource. */
export class ServerClient {
  /** What the clients of resources share; for packages that build on this one. */
  readonly context: ClientContext;
  #openApi: OpenApi | undefined;

  constructor(context: ClientContext) {
    this.context = context;
  }

  /** What the server serves: kinds by name, short name and category, groups and their preferred versions. */
  get discovery(): Discovery {
    return this.context.discovery;
  }

  /** The server's own description of its API, in OpenAPI v3 and v2. */
  get openApi(): OpenApi {
    this.#openApi ??= new OpenApi(this.context);
    return this.#openApi;
  }

  /** The server's version (`/version`). */
  async version(options: CallOptions = {}): Promise<ServerVersion> {
    return (await exchangeObject(this.context, {
      method: "GET",
      path: "/version",
      options,
    })) as ServerVersion;
  }

  /**
   * The server's health as a verdict and a list of checks. A server that is not well is an answer, not an error.
   *
   * @example
   * const { ok, checks } = await client.health("readyz", { exclude: ["etcd"] });
   *
   * @throws {KubeError} `Forbidden` or `Unauthorized` when this user may not ask; `NotFound` for a check that does not exist.
   */
  async health(endpoint: HealthEndpoint, options: HealthOptions = {}): Promise<Health> {
    return askHealth(this.context, endpoint, options);
  }

  /**
   * Waits until the server can take requests, asking `readyz` once a second; a server that cannot be reached is not ready either.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with the checks that failed last and whether the server is alive;
   * `Forbidden` or `Unauthorized` when this user may not ask.
   */
  async untilReady(options: UntilReadyOptions = {}): Promise<void> {
    return untilReady(this.context, options);
  }

  /**
   * A request to any path, with the connection, credentials, retries and errors of all others. The answer is read as it streams.
   *
   * @example
   * const metrics = await (await client.raw({ path: "/metrics", headers: { accept: "text/plain" } })).text();
   *
   * @throws {KubeError} `InvalidArgument` for a path or header that would lead elsewhere.
   */
  async raw(request: RawRequest): Promise<RawAnswer> {
    return sendRaw(this.context, request);
  }
}

/** The answer of `/version`. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly [field: string]: string | undefined;
}
