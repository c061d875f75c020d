import type { ConnectionOptions } from "@typekube/config";
import { KubeError } from "@typekube/core";
import type { Clock, HttpSend } from "@typekube/core/internal";
import type { TransportOptions } from "@typekube/transport";
import type { ClientSettings } from "./client-core.js";
import { assertConnectOptions } from "./known-options.js";
import type { ClientDefaults } from "./options.js";

/**
 * Where to connect to. Nothing at all means what kubectl would do: `KUBECONFIG`, `~/.kube/config`, and inside a pod its
 * service account.
 */
export interface ConnectOptions extends ConnectionOptions {
  /**
   * A way to a server that is not a network: the embedded API server, a recorder. It has no place for certificates and
   * credentials; options that name some are refused. Of `transportOptions` it takes the `userAgent`.
   */
  readonly transport?:
    | { readonly send: HttpSend; readonly server: string; close?(): Promise<void> }
    | undefined;
  /** Defaults for every call. */
  readonly defaults?: ClientDefaults | undefined;
  /** Details of the connection: pool sizes, timeouts, interceptors. */
  readonly transportOptions?:
    | Partial<Omit<TransportOptions, "auth" | "server" | "tls">>
    | undefined;
  readonly clock?: Clock | undefined;
  /** Told when an encoding is given up for a resource, once each; calls go on as JSON. */
  readonly onDowngrade?: ClientSettings["onDowngrade"];
}

/** What goes together with a transport of somebody else: the rest says how a connection is made or who asks. */
const besideTransport: ReadonlySet<string> = new Set(["namespace", "signal", "timeoutMs"]);

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

/** Says who asks, as a connection does: servers call the managers of fields by it. */
function saying(userAgent: string, send: HttpSend): HttpSend {
  return (request) =>
    send({ ...request, headers: { "user-agent": userAgent, ...request.headers } });
}

/** The settings of a client for these options; for subclasses of `ClientCore`. */
export async function clientSettings(options: ConnectOptions = {}): Promise<ClientSettings> {
  assertConnectOptions(options);
  const { transport, defaults, clock, onDowngrade, transportOptions, ...connection } = options;
  if (transport) {
    assertNothingBesideTransport(connection);
    // The transport is somebody else's: closing a client must end what is the client's, and not close it.
    const { server } = transport;
    const { defaultUserAgent, borrowTransport, observe } = await import(
      "@typekube/transport/internal"
    );
    const { send: enter, close } = borrowTransport(transport.send);
    const url = URL.canParse(server) ? new URL(server) : undefined;
    const send = observe({
      server: {
        origin: url ? `${url.protocol}//${url.host}` : server,
        basePath: url?.pathname.replace(/\/$/, "") ?? "",
      },
      clock,
    })(saying(transportOptions?.userAgent ?? defaultUserAgent(), enter));
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
