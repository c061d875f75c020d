import type { ConnectionOptions } from "@typekube/config";
import { KubeError } from "@typekube/core";
import {
  assertKnownOptions,
  type Clock,
  callScope,
  type HttpSend,
  loadOnce,
  type OptionTable,
} from "@typekube/core/internal";
import type { TransportOptions } from "@typekube/transport";
import type { ClientSettings } from "./client-core.js";
import { assertIsOptions } from "./options/call-options.js";
import { assertDefaults, type ClientDefaults } from "./options/client-defaults.js";

/**
 * Options of {@link connect}. Without options the client connects like kubectl: `KUBECONFIG`, `~/.kube/config`, or the
 * service account inside a pod.
 */
export interface ConnectOptions extends ConnectionOptions {
  /**
   * A transport owned by the caller, such as the embedded API server or a recorder. Closing the client ends its
   * requests and leaves the transport open: its creator closes it. Options for certificates, credentials and the
   * connection are rejected; of `transportOptions` only `userAgent` is used.
   */
  readonly transport?: { readonly send: HttpSend; readonly server: string } | undefined;
  /** Defaults for every call. */
  readonly defaults?: ClientDefaults | undefined;
  /** Details of the connection: pool sizes, timeouts, interceptors. */
  readonly transportOptions?:
    | Partial<Omit<TransportOptions, "auth" | "server" | "tls">>
    | undefined;
  /** Clock for timeouts, retries, waits and the expiry of credentials. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Called once when the client stops using an encoding for a resource; later calls use JSON. */
  readonly onDowngrade?: ClientSettings["onDowngrade"];
}

const loadTransport = loadOnce(() => import("@typekube/transport/internal"));

/** The options that `connect` adds to those of a connection. */
const connectOnly: OptionTable<Omit<ConnectOptions, keyof ConnectionOptions>> = {
  defaults: true,
  onDowngrade: true,
  transport: true,
  transportOptions: true,
};

/**
 * Connection options allowed together with a transport owned by the caller. All others configure a connection or
 * credentials.
 */
const besideTransport: ReadonlySet<string> = new Set(["namespace", "signal", "timeoutMs"]);

/**
 * Rejects an unknown connection option: with a misspelled `server` the client would connect elsewhere.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
async function assertConnectOptions(options: ConnectOptions): Promise<void> {
  assertIsOptions(options);
  const needsNoConfig = (name: string) =>
    Object.hasOwn(connectOnly, name) || name === "clock" || besideTransport.has(name);
  // A client on a transport of the caller does not load the package that reads configurations.
  if (!options.transport || !Object.keys(options).every(needsNoConfig)) {
    const { connectionOptions } = await import("@typekube/config/internal");
    assertKnownOptions("connect()", options, { ...connectionOptions, ...connectOnly });
  }
  assertDefaults("the defaults of connect()", options.defaults ?? {});
}

function assertNothingBesideTransport(connection: ConnectionOptions): void {
  const idle = Object.entries(connection)
    .filter(([name, value]) => value !== undefined && !besideTransport.has(name))
    .map(([name]) => name);
  if (idle.length > 0) {
    throw new KubeError(
      "Config",
      `${idle.join(", ")} cannot be combined with transport, which has its own connection`,
      { hint: "set them where the transport is created, or omit transport" },
    );
  }
}

/** Adds the user agent, as a network connection does: servers derive default field managers from it. */
function withUserAgent(userAgent: string, send: HttpSend): HttpSend {
  return (request) => {
    const scope = callScope();
    scope?.beforeAttempt?.(request);
    scope?.beforeSend?.(request);
    const agent = userAgent + (scope?.userAgentSuffix ?? "");
    const timeoutMs = shortestTimeout(request.timeoutMs, scope?.maxAttemptMs?.());
    return send({ ...request, timeoutMs, headers: { "user-agent": agent, ...request.headers } });
  };
}

function shortestTimeout(ownMs: number | undefined, maxMs: number | undefined): number | undefined {
  // 0 is no limit.
  return maxMs === undefined ? ownMs : Math.max(1, Math.ceil(Math.min(ownMs || maxMs, maxMs)));
}

/** The server of the last client and its parts: clients of one server are often created one after the other. */
let lastSplit = { server: "", origin: "", basePath: "" };

function splitServer(server: string): { readonly origin: string; readonly basePath: string } {
  if (lastSplit.server !== server) {
    const url = URL.canParse(server) ? new URL(server) : undefined;
    lastSplit = {
      server,
      origin: url ? `${url.protocol}//${url.host}` : server,
      basePath: url?.pathname.replace(/\/$/, "") ?? "",
    };
  }
  return lastSplit;
}

/** The settings of a client for these options; for subclasses of `ClientCore`. */
export async function clientSettings(options: ConnectOptions = {}): Promise<ClientSettings> {
  await assertConnectOptions(options);
  const { transport, defaults, clock, onDowngrade, transportOptions, ...connection } = options;
  if (transport) {
    assertNothingBesideTransport(connection);
    // The caller owns the transport: closing the client ends the client's requests only.
    const { server } = transport;
    const { defaultUserAgent, borrowTransport, observe } = await loadTransport();
    const { send: enter, close } = borrowTransport(transport.send);
    const send = observe({
      server: splitServer(server),
      clock,
    })(withUserAgent(transportOptions?.userAgent ?? defaultUserAgent(), enter));
    return { send, server, namespace: options.namespace, defaults, clock, onDowngrade, close };
  }
  const [{ resolveConfig }, { createTransport }] = await Promise.all([
    import("@typekube/config"),
    import("@typekube/transport"),
  ]);
  const { namespace, ...config } = await resolveConfig({ ...connection, clock });
  const wire = createTransport({
    limits: defaults?.limits,
    ...transportOptions,
    ...config,
    ...(clock ? { clock } : {}),
  });
  return {
    send: wire.send,
    server: wire.server,
    namespace,
    defaults,
    clock,
    onDowngrade,
    close: () => wire.close(),
  };
}
