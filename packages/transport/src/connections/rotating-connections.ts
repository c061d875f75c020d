import { KubeError } from "@typekube/core";
import type { ClientCertificate } from "../auth/credentials.js";
import { ActiveExchanges } from "../exchange/active-exchanges.js";
import type { ExchangeSettings } from "../exchange/exchange.js";
import type { Lease } from "../exchange/wire.js";
import type { TransportSettings } from "../options/transport-settings.js";
import type { TlsOptions } from "../tls/tls-options.js";
import type { Connections, ConnectionUse } from "./connections.js";
import { lazyConnections } from "./lazy-connections.js";

/** A lease for one exchange, with the settings of its connections. */
export interface RotatingLease {
  readonly lease: Lease;
  readonly settings: ExchangeSettings;
}

/**
 * Connections whose TLS identity can change. Each identity has its own connections: a new identity gets all new
 * exchanges, and the previous one lives until its last exchange is over.
 */
export interface RotatingConnections {
  lease(use: ConnectionUse): RotatingLease;
  /**
   * Uses this TLS material for new connections; active exchanges continue. Material that cannot be used changes
   * nothing: a certificate may have been replaced before its key.
   */
  useTls(tls: TlsOptions): void;
  /**
   * Uses this certificate for new connections. Calls on the old connections finish. Streams end with
   * `ConnectionClosed`, since a server checks the certificate once per connection and would keep accepting the old one.
   *
   * @throws {KubeError} `Config` when it cannot be used.
   */
  useCertificate(certificate: ClientCertificate | undefined): void;
  /** Ends every exchange with this reason and breaks every connection. */
  destroy(reason: unknown): Promise<void>;
}

/** The connections of one identity and their exchanges. */
interface Generation {
  readonly connections: Connections;
  readonly calls: ExchangeSettings;
  readonly streams: ExchangeSettings;
  leases: number;
}

/** Creates the connections without opening any. */
export function rotatingConnections(settings: TransportSettings): RotatingConnections {
  let tls = settings.tls;
  /** The material given last, even if it could not be used. */
  let looked = tls;
  let certificate: ClientCertificate | undefined;
  let current = generation(settings);
  const generations = new Set([current]);

  const dropIfDone = (old: Generation): void => {
    if (old !== current && old.leases === 0 && generations.delete(old)) {
      // Does not reject: no exchange uses these connections any more.
      void old.connections.destroy();
    }
  };
  const replace = (nextTls: TlsOptions, shown: ClientCertificate | undefined): void => {
    const old = current;
    current = generation({ ...settings, tls: { ...nextTls, ...shown } });
    generations.add(current);
    dropIfDone(old);
  };

  return {
    lease(use) {
      const owner = current;
      const { dispatcher, release } = owner.connections.lease(use);
      owner.leases += 1;
      return {
        settings: use === "stream" ? owner.streams : owner.calls,
        lease: {
          dispatcher,
          release(broken) {
            release(broken);
            owner.leases -= 1;
            dropIfDone(owner);
          },
        },
      };
    },
    useTls(next) {
      if (next === looked) {
        return;
      }
      looked = next;
      try {
        replace(next, certificate);
        tls = next;
      } catch {
        // The files are checked again later, and the old material may be valid for long.
      }
    },
    useCertificate(next) {
      if (next === certificate) {
        return;
      }
      replace(tls, next);
      certificate = next;
      // Older generations too: other TLS material may have come in between.
      for (const { streams } of [...generations].filter((one) => one !== current)) {
        for (const stream of streams.active) {
          stream.end(new KubeError("ConnectionClosed", "the client certificate was replaced"));
        }
      }
    },
    async destroy(reason) {
      for (const { calls, streams } of generations) {
        for (const exchange of [...calls.active, ...streams.active]) {
          exchange.end(reason);
        }
      }
      await Promise.all([...generations].map(({ connections }) => connections.destroy()));
    },
  };
}

function generation(settings: TransportSettings): Generation {
  const progress = { hasResponse: false };
  return {
    connections: lazyConnections(settings),
    calls: { ...settings, progress, active: new ActiveExchanges() },
    streams: { ...settings, progress, active: new ActiveExchanges() },
    leases: 0,
  };
}
