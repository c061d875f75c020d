import type { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import { loadOnce } from "@typekube/core/internal";
import type { Discovery } from "./discovery/discovery.js";
import type { CallOptions } from "./options/call-options.js";
import type { HealthOptions } from "./options/health-options.js";
import type { ClientContext } from "./resource/client-context.js";
import { type Health, type HealthEndpoint, requestHealth } from "./server/health.js";
import { OpenApi } from "./server/openapi.js";
import { type RawRequest, type RawResponse, sendRaw } from "./server/raw-request.js";
import { requestVersion, type ServerVersion } from "./server/server-release.js";
import { type UntilReadyOptions, untilReady } from "./server/until-ready.js";
import type { Live } from "./types/api-types.js";
import type { PathAccess, ResourceAccess } from "./virtual/access.js";
import type { AccessReviewResult } from "./virtual/access-review.js";
import type { AccessRules } from "./virtual/access-rules.js";
import type { CertificateDecision } from "./virtual/certificates.js";
import type { EvictOptions } from "./virtual/evict.js";
import type { Identity, ReviewTokenOptions, TokenReviewResult } from "./virtual/identity.js";

const loadAccessReview = loadOnce(() => import("./virtual/access-review.js"));
const loadAccessRules = loadOnce(() => import("./virtual/access-rules.js"));
const loadIdentity = loadOnce(() => import("./virtual/identity.js"));
const loadEvict = loadOnce(() => import("./virtual/evict.js"));
const loadCertificates = loadOnce(() => import("./virtual/certificates.js"));

let readContext: (client: ServerClient) => ClientContext;

/** Returns the state that a client shares with the clients of its resources; for packages that build on this one. */
export function contextOf(client: ServerClient): ClientContext {
  return readContext(client);
}

/**
 * Calls that are not about a resource: the server's version, health and discovery, the user's identity and permissions,
 * operations such as an eviction, and raw requests.
 */
export class ServerClient {
  static {
    readContext = (client) => client.context;
  }

  /** State shared with the clients of resources. {@link contextOf} reads it. */
  protected readonly context: ClientContext;
  #openApi: OpenApi | undefined;

  constructor(context: ClientContext) {
    this.context = context;
  }

  /** Finds what the server serves: kinds by name, short name and category, groups and their preferred versions. */
  get discovery(): Discovery {
    return this.context.discovery;
  }

  /** The server's description of its API, in OpenAPI v3 and v2. */
  get openApi(): OpenApi {
    this.#openApi ??= new OpenApi(this.context);
    return this.#openApi;
  }

  /** Returns the server's version (`/version`). */
  async version(options: CallOptions = {}): Promise<ServerVersion> {
    return requestVersion(this.context, options);
  }

  /**
   * Returns the server's health as a verdict and a list of checks. An unhealthy server is a result, not an error.
   *
   * @example
   * ```ts
   * const { ok, checks } = await client.health("readyz", { exclude: ["etcd"] });
   * ```
   *
   * @throws {KubeError} `Forbidden` or `Unauthorized` when this user may not request it; `NotFound` for a check that
   * does not exist.
   */
  async health(endpoint: HealthEndpoint, options: HealthOptions = {}): Promise<Health> {
    return requestHealth(this.context, endpoint, options);
  }

  /**
   * Waits until the server can take requests, polling `readyz` once a second. A server that cannot be reached is not
   * ready either.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with the checks that failed last and whether the server
   * is alive; `Forbidden` or `Unauthorized` when this user may not request it.
   */
  async untilReady(options: UntilReadyOptions = {}): Promise<void> {
    return untilReady(this.context, options);
  }

  /**
   * Sends a request to any path, with the connection, credentials, retries and errors of all other calls. The response
   * can be read as a stream.
   *
   * @example
   * ```ts
   * const metrics = await (await client.raw({ path: "/metrics", headers: { accept: "text/plain" } })).text();
   * ```
   *
   * @throws {KubeError} `InvalidArgument` for a path or header that would lead elsewhere.
   */
  async raw(request: RawRequest): Promise<RawResponse> {
    return sendRaw(this.context, request);
  }

  /**
   * Returns whether this client's user may do something. A resource that the server does not have is a warning
   * (`onWarning`): the server itself allows or denies any name.
   *
   * @example
   * ```ts
   * const { allowed } = await client.can({ verb: "list", resource: "pods", namespace: "prod" });
   * const logs = await client.can({ verb: "get", resource: "pods", subresource: "log", namespace: "prod" });
   * const metrics = await client.can({ verb: "get", path: "/metrics" });
   * ```
   */
  async can(
    access: PathAccess | ResourceAccess,
    options: CallOptions = {},
  ): Promise<AccessReviewResult> {
    const { can } = await loadAccessReview();
    return can(this.context, access, options);
  }

  /**
   * Returns everything that this client's user may do in a namespace, as far as the server can list it. Meant for
   * people; programs use `can`.
   */
  async rulesIn(namespace: string, options: CallOptions = {}): Promise<AccessRules> {
    const { rulesIn } = await loadAccessRules();
    return rulesIn(this.context, namespace, options);
  }

  /** Returns this client's identity as the server sees it. */
  async whoAmI(options: CallOptions = {}): Promise<Identity> {
    const { whoAmI } = await loadIdentity();
    return whoAmI(this.context, options);
  }

  /** Returns the user of a token. A token that the server does not accept is a result, not an error. */
  async reviewToken(token: string, options: ReviewTokenOptions = {}): Promise<TokenReviewResult> {
    const { reviewToken } = await loadIdentity();
    return reviewToken(this.context, token, options);
  }

  /**
   * Evicts a pod. Retries for 30 seconds, or `retryForMs`, while its disruption budget does not allow the eviction.
   *
   * @returns false when the pod did not exist.
   * @throws {KubeError} `TooManyRequests` when the budget does not allow it in time.
   */
  async evict(name: string, options: EvictOptions): Promise<boolean> {
    const { evict } = await loadEvict();
    return evict(this.context, name, options);
  }

  /**
   * Approves or denies a certificate signing request, unless that decision was already made.
   *
   * @throws {KubeError} `Invalid` when the opposite was decided.
   */
  async decideCertificate(
    name: string,
    decision: "Approved" | "Denied",
    options: CertificateDecision = {},
  ): Promise<Live<CertificateSigningRequest>> {
    const { decideCertificate } = await loadCertificates();
    return decideCertificate(this.context, name, decision, options);
  }
}
