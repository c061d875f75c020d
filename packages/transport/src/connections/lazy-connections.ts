import { KubeError } from "@typekube/core";
import type { Lease } from "../exchange/wire.js";
import type { TransportSettings } from "../options/transport-settings.js";
import { type TlsContexts, tlsContexts } from "../tls/secure-context.js";
import type { Connections, ConnectionUse } from "./connections.js";

type Open = typeof import("./connections.js").openConnections;

let open: Open | undefined;
let loading: Promise<Open> | undefined;

/**
 * Creates connections whose code is loaded with the first request of the process. undici would be half the cost of
 * importing TypeKube, and programs that import it for its types, or use an in-process server, never need it.
 *
 * @throws {KubeError} `Config` when the TLS material cannot be used.
 */
export function lazyConnections(settings: TransportSettings): Connections {
  const contexts: TlsContexts = tlsContexts(settings);
  let connections: Connections | undefined;
  let isDestroyed = false;

  const opened = (openConnections: Open): Connections => {
    connections ??= openConnections(settings, contexts);
    return connections;
  };
  const laterLease = (use: ConnectionUse): Lease => {
    let lease: Lease | undefined;
    let isReleased = false;
    return {
      dispatcher: {
        dispatch(request, handler) {
          const dispatch = (openConnections: Open) => {
            // After a release or a destroy, the exchange has its error already.
            if (!isReleased && !isDestroyed) {
              lease = opened(openConnections).lease(use);
              lease.dispatcher.dispatch(request, handler);
            }
          };
          const fail = (cause: unknown) =>
            handler.onResponseError(nothingToControl, KubeError.from(cause));
          load().then(dispatch).catch(fail);
        },
      },
      release(broken) {
        isReleased = true;
        lease?.release(broken);
      },
    };
  };

  return {
    lease: (use) => (open === undefined ? laterLease(use) : opened(open).lease(use)),
    async destroy() {
      isDestroyed = true;
      await connections?.destroy();
    },
  };
}

const nothingToControl = { abort() {}, pause() {}, resume() {} };

function load(): Promise<Open> {
  loading ??= import("./connections.js").then(({ openConnections }) => {
    open = openConnections;
    return openConnections;
  });
  return loading;
}
