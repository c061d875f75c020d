import { KubeError } from "@typekube/core";
import {
  assertOptions,
  type Clock,
  callback,
  monotonicNow,
  type OptionTable,
  sleep,
} from "@typekube/core/internal";
import { type CallOptions, callOptions } from "../options/call-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import { openPodStream } from "../pod-target/open-pod-stream.js";
import type { PodSource } from "../pod-target/pod-source.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import {
  type ChannelConnection,
  channelConnection,
  channelProtocol,
} from "./channel-connection.js";
import type { PortConnection } from "./port-connection.js";
import { listen, type PortListener } from "./port-listener.js";
import { PortSocket } from "./port-socket.js";
import { type PortSpec, parsePortSpec } from "./port-spec.js";
import { quietestTunnel } from "./quietest-tunnel.js";
import { remotePort } from "./remote-port.js";
import { PortTunnel, tunnelProtocol } from "./tunnel.js";

/**
 * Tunnels at the same time; connections beyond share them. Within a tunnel a slow reader stops all connections, because
 * the protocol has no flow control.
 */
const maxTunnels = 128;
/** Tunnels that stay open without a connection. */
const spareTunnels = 4;
/** Milliseconds before the next attempt to open a tunnel after a failed one. */
const reopenMs = { first: 200, longest: 5_000 } as const;

/** State of a port-forward: `lost` until the next connection opens it again. */
export type PortForwardState = "closed" | "lost" | "open";

/** Options of `portForward`. */
export interface PortForwardOptions extends CallOptions {
  /** Called with the failure of each connection, such as a port on which the pod does not listen. The others go on. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  /** Called when the state changes. */
  readonly onState?: ((state: PortForwardState) => void) | undefined;
}

/** Names and checks of {@link PortForwardOptions}. */
const portForwardOptions: OptionTable<PortForwardOptions> = {
  ...callOptions,
  onError: callback,
  onState: callback,
};

/** Options of {@link PortForward.listen}. */
export interface PortListenOptions {
  /** Address to listen on. Default: 127.0.0.1 and, where there is one, ::1. */
  readonly host?: string | undefined;
}

/** A pod and its port. */
export interface PortTarget {
  readonly pod: PodTarget;
  readonly port: number;
}

/** Parts of a {@link PortForward}. */
export interface PortForwardParts {
  readonly first: PortTarget;
  /** Returns the pod again, or another one; called after all tunnels were lost. */
  readonly choose: () => Promise<PortTarget>;
  readonly spec: PortSpec;
}

/**
 * A port of a pod as local sockets. Connections share tunnels to the server; a lost tunnel is opened again by the next
 * connection.
 */
export class PortForward implements AsyncDisposable {
  readonly #parts: PortForwardParts;
  readonly #clock: Clock;
  /** The pod of all tunnels; `undefined` when the next tunnel may lead to another one. */
  #target: PortTarget | undefined;
  readonly #options: PortForwardOptions;
  readonly #tunnels = new Set<PortTunnel>();
  readonly #listeners = new Set<PortListener>();
  readonly #sockets = new Set<PortSocket>();
  readonly #closed = new AbortController();
  /** Number of tunnels that are being opened. */
  #opening = 0;
  /** Connections that wait for a tunnel to be opened, since there may be no more tunnels. */
  readonly #waiting: (() => void)[] = [];
  /** A connection that a server without tunnels opened at the start. */
  #spare: ChannelConnection | undefined;
  #failures = 0;
  #mayOpenAt = Number.NEGATIVE_INFINITY;
  #state: PortForwardState = "lost";
  #url: string | undefined;

  /** @internal */
  constructor(parts: PortForwardParts, options: PortForwardOptions) {
    this.#parts = parts;
    this.#target = parts.first;
    this.#clock = parts.first.pod.context.clock;
    this.#options = options;
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** `http://127.0.0.1:port` of the first listener; `undefined` before {@link listen}. */
  get url(): string | undefined {
    return this.#url;
  }

  get state(): PortForwardState {
    return this.#state;
  }

  /** @internal Opens the first tunnel, so that a refusal is seen at once. */
  async start(): Promise<void> {
    try {
      const opened = await this.#open();
      if (opened instanceof PortTunnel) {
        opened.release();
      } else {
        this.#spare = opened;
      }
    } catch (error) {
      await this.close();
      this.#options.signal?.throwIfAborted();
      throw error;
    }
  }

  /**
   * Opens a connection without a local port. The socket can be used at once; a failure is its `error`.
   *
   * @example
   * ```ts
   * await using forward = await pod.portForward(5432);
   * forward.socket().end("PING\r\n"); // or: new pg.Client({ stream: () => forward.socket() })
   * ```
   *
   * @throws {KubeError} `Closed` after {@link close}.
   */
  socket(): PortSocket {
    this.#closed.signal.throwIfAborted();
    const socket = new PortSocket(this.#connection());
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", (error: Error) => this.#options.onError?.(KubeError.from(error)));
    return socket;
  }

  /**
   * Listens on a local port, each of whose connections leads to the pod.
   *
   * @param port - 0 for a free one. Default: the local port of a text such as `"8080:80"`, otherwise 0.
   * @throws {KubeError} `Config` when the port is taken; `Closed` after {@link close}.
   */
  async listen(
    port: number = this.#parts.spec.local,
    { host }: PortListenOptions = {},
  ): Promise<PortListener> {
    const { signal } = this.#closed;
    signal.throwIfAborted();
    const opened = await listen({ port, host, connect: () => this.socket(), signal });
    this.#listeners.add(opened);
    this.#url ??= opened.url;
    return opened;
  }

  /** Closes the listeners, cuts the connections and ends the tunnels. Idempotent. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#closed.abort(new KubeError("Closed", "the port-forward is closed"));
    this.#setState("closed");
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    for (const tunnel of this.#tunnels) {
      tunnel.close();
    }
    this.#spare?.reset();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  readonly #onAbort = () => void this.close();

  async #connection(): Promise<PortConnection> {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare?.isOpen) {
      return spare;
    }
    spare?.reset();
    for (;;) {
      const tunnel = quietestTunnel(this.#tunnels);
      const hasFailed = monotonicNow(this.#clock) < this.#mayOpenAt;
      if (tunnel !== undefined && (tunnel.active === 0 || hasFailed)) {
        return tunnel.connect();
      }
      const isFull = this.#tunnels.size + this.#opening >= maxTunnels;
      if (!isFull || (tunnel === undefined && this.#opening === 0)) {
        const opened = await this.#openOrShare();
        return opened instanceof PortTunnel ? opened.connect() : opened;
      }
      if (this.#opening === 0 && tunnel !== undefined) {
        return tunnel.connect();
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#closed.signal.throwIfAborted();
    }
  }

  /** Opens a tunnel. A server may limit their number: then the open ones take more connections. */
  async #openOrShare(): Promise<PortConnection | PortTunnel> {
    try {
      return await this.#open();
    } catch (error) {
      const tunnel = quietestTunnel(this.#tunnels);
      if (tunnel === undefined) {
        throw error;
      }
      return tunnel;
    }
  }

  /** Opens a tunnel, or a single connection where the server has no tunnels. */
  async #open(): Promise<ChannelConnection | PortTunnel> {
    this.#opening += 1;
    try {
      const opened = await this.#tryOpen();
      this.#failures = 0;
      this.#mayOpenAt = Number.NEGATIVE_INFINITY;
      this.#setState("open");
      return opened;
    } catch (error) {
      const delayMs = Math.min(reopenMs.longest, reopenMs.first * 2 ** this.#failures);
      this.#failures += 1;
      this.#mayOpenAt = monotonicNow(this.#clock) + delayMs;
      this.#forgetTarget();
      throw error;
    } finally {
      this.#opening -= 1;
      for (const wake of this.#waiting.splice(0)) {
        wake();
      }
    }
  }

  async #tryOpen(): Promise<ChannelConnection | PortTunnel> {
    const clock = this.#clock;
    const waitMs = this.#mayOpenAt - monotonicNow(clock);
    if (waitMs > 0) {
      await sleep(clock, waitMs, this.#closed.signal);
    }
    this.#target ??= await this.#parts.choose();
    const { pod, port } = this.#target;
    const connection = await openPodStream(pod, {
      subresource: "portforward",
      // Servers without tunnels need the port here; others ignore it.
      query: [["ports", String(port)]],
      protocols: [tunnelProtocol, channelProtocol],
      options: { ...this.#options, signal: this.#closed.signal },
    });
    if (this.#closed.signal.aborted) {
      connection.close();
      throw this.#closed.signal.reason;
    }
    if (connection.protocol === channelProtocol) {
      return channelConnection(connection, clock);
    }
    const tunnel = new PortTunnel(
      connection,
      { clock, port },
      {
        onEnd: () => this.#onTunnelEnd(tunnel),
        onIdle: () => this.#closeSpares(),
      },
    );
    this.#tunnels.add(tunnel);
    return tunnel;
  }

  /** Lets the next tunnel lead to another pod, unless one is open. */
  #forgetTarget(): void {
    if (this.#tunnels.size === 0) {
      this.#target = undefined;
    }
  }

  #closeSpares(): void {
    const idle = [...this.#tunnels].filter(({ active }) => active === 0);
    for (const tunnel of idle.slice(spareTunnels)) {
      this.#tunnels.delete(tunnel);
      tunnel.close();
    }
  }

  #onTunnelEnd(tunnel: PortTunnel): void {
    this.#tunnels.delete(tunnel);
    if (this.#tunnels.size === 0) {
      this.#forgetTarget();
      this.#setState("lost");
    }
  }

  #setState(state: PortForwardState): void {
    if (this.#state !== state && this.#state !== "closed") {
      this.#state = state;
      this.#options.onState?.(state);
    }
  }
}

/** Opens a port-forward to a pod, or to one that is chosen for each tunnel. */
export async function portForward(
  source: PodSource,
  port: number | string,
  options: PortForwardOptions,
): Promise<PortForward> {
  assertOptions("portForward()", options, portForwardOptions);
  options.signal?.throwIfAborted();
  const spec = parsePortSpec(port);
  const choose = async () => {
    const call = callOptionsOf(options);
    const pod = await source.choose(call);
    const port = await (source.portOf ?? remotePort)(pod, spec.remote, call);
    return { pod, port };
  };
  const first = await choose();
  options.signal?.throwIfAborted();
  const forward = new PortForward({ first, choose, spec }, options);
  await forward.start();
  return forward;
}
