import { type ClientHttp2Session, connect, type SessionState } from "node:http2";
import type { Socket } from "node:net";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isLimit, startDeadline } from "../deadlines/deadline.js";
import { transportDefaults } from "../options/transport-options.js";
import type { TransportSettings } from "../options/transport-settings.js";
import { type Http2ExchangeOwner, type Http2Request, sendOverHttp2 } from "./http2-exchange.js";

/**
 * Flow-control windows of client-go: per stream, so that a distant server can send a list at full speed, and for all
 * streams together.
 */
const streamWindowBytes = 4 * 1024 * 1024;
const sessionWindowBytes = 2 ** 30;

/** Streams on a server's first session until it announces its limit, and the maximum; API servers allow 100 or 250. */
export const maxStreams = 100;

/** Megabytes for headers and queued bytes of a session. Node's default of 10 is not enough for 100 concurrent lists. */
const maxSessionMemoryMb = 256;

/**
 * Milliseconds for which a refusal is taken to mean too many streams; it may have had another reason, and connections
 * live long.
 */
export const refusalMs = 10_000;

/**
 * Minimum of the decompressed header bytes at which Node itself resets a stream. Node resets with ENHANCE_YOUR_CALM,
 * like a server that sheds load, and its error does not distinguish the two, so our own check of `maxHeaderBytes` has
 * to apply first. Only crafted headers exceed this value: nghttp2 reads at most 9 frames of 16 KiB for one list, so it
 * takes repeated compressed fields or thousands of tiny ones.
 */
const minNodeHeaderBytes = 512 * 1024;

/** Maximum that Node allows for its limit. */
const maxNodeHeaderBytes = 16 * 1024 * 1024;

/**
 * Factor from our limit to Node's: Node counts 32 bytes for each field in addition to its text (RFC 9113 section
 * 6.5.2), we count 4.
 */
const nodeHeaderFactor = 8;

/**
 * Bytes that Node counts for the smallest field. Node's limit on the number of fields, 128 by default, must not apply
 * first either.
 */
const smallestFieldBytes = 33;

function nodeHeaderBytes(maxHeaderBytes: number): number {
  const wanted = Math.max(minNodeHeaderBytes, nodeHeaderFactor * maxHeaderBytes);
  return Math.min(maxNodeHeaderBytes, wanted);
}

/** Events of a session for its owner. */
export interface Http2SessionEvents {
  /** Called when there may be room for another stream. */
  onRoom(): void;
  /** Called when the server announces how many streams it allows. */
  onAllowed(streams: number): void;
  /** Called when the server returned a request unprocessed. Returns false when it has been sent often enough. */
  onRefused(request: Http2Request): boolean;
  /** Called when the server requires HTTP/1.1 for a request. */
  onHttp1Required(request: Http2Request): void;
  /** Called when the session accepts no more requests. Active ones may still succeed. */
  onRetired(): void;
  /** Called when the session has closed. */
  onGone(): void;
}

/**
 * One HTTP/2 connection: `open` while it accepts requests, `retired` once a GOAWAY, a dead connection or our side ended
 * that, `gone` when it has closed. An idle session does not keep the process alive and is closed after `keepAliveMs`.
 *
 * While exchanges are active, a PING is sent every `pingIntervalMs`. When nothing at all arrives within `pingTimeoutMs`
 * of it, the connection is dead and all its exchanges fail. TCP probes do not detect a peer whose program hangs.
 */
export class Http2Session implements Http2ExchangeOwner {
  readonly #session: ClientHttp2Session;
  readonly #settings: TransportSettings;
  readonly #events: Http2SessionEvents;
  readonly #clock: Clock;
  #state: "gone" | "open" | "retired" = "open";
  #streams = 0;
  /** Streams that the server allows, as far as it has announced a limit. */
  #limit: number;
  /** Streams in use at most: fewer than the limit for a while after a refusal. */
  #allowed: number;
  #forgetRefusal = () => {};
  #idleSince: number;
  #idleTimer: NodeJS.Timeout | undefined;
  #receivedSincePing = false;
  #cancelPing = () => {};
  readonly maxHeaderBytes: number;
  lastStreamId: number = Number.POSITIVE_INFINITY;

  /** @param allowed - streams until the server announces its limit. */
  constructor(
    socket: Socket,
    settings: TransportSettings,
    allowed: number,
    events: Http2SessionEvents,
  ) {
    this.#settings = settings;
    this.#limit = allowed;
    this.#allowed = allowed;
    this.#events = events;
    this.maxHeaderBytes = settings.limits.maxHeaderBytes;
    this.#clock = settings.clock;
    this.#idleSince = monotonicNow(this.#clock);
    const maxHeaderListSize = nodeHeaderBytes(this.maxHeaderBytes);
    const session = connect(settings.server.origin, {
      createConnection: () => socket,
      maxSessionMemory: maxSessionMemoryMb,
      peerMaxConcurrentStreams: maxStreams,
      maxHeaderListPairs: Math.ceil(maxHeaderListSize / smallestFieldBytes),
      settings: {
        enablePush: false,
        initialWindowSize: streamWindowBytes,
        maxHeaderListSize,
      },
    });
    this.#session = session;
    session
      .once("connect", () => {
        // Also emitted for a session that has ended since; the call would throw uncaught.
        if (!session.destroyed) {
          session.setLocalWindowSize(sessionWindowBytes);
        }
      })
      .on("remoteSettings", ({ maxConcurrentStreams = maxStreams }) => {
        this.#limit = Math.min(maxStreams, maxConcurrentStreams);
        this.#allowed = this.#limit;
        this.#events.onAllowed(this.#limit);
        this.#events.onRoom();
      })
      .on("goaway", (_code: number, lastStreamId: number) => {
        this.lastStreamId = lastStreamId;
        this.#retire();
      })
      // Each stream emits its own error.
      .on("error", () => this.#retire())
      .on("close", () => {
        this.#retire();
        this.#state = "gone";
        this.#cancelPing();
        this.#forgetRefusal();
        clearTimeout(this.#idleTimer);
        // Node waits for the peer to close the socket, which a broken peer never does.
        socket.destroy();
        this.#events.onGone();
      });
    this.#rest();
  }

  get hasRoom(): boolean {
    return this.#state === "open" && this.#streams < this.#allowed && !this.#session.closed;
  }

  send(request: Http2Request): void {
    this.#streams += 1;
    if (this.#streams === 1) {
      this.#wake();
    }
    if (!sendOverHttp2(this.#session, request, this)) {
      this.over();
    }
  }

  /** Breaks the connection and all its exchanges. */
  destroy(): void {
    this.#retire();
    this.#session.destroy();
  }

  received(): void {
    this.#receivedSincePing = true;
  }

  refused(request: Http2Request): boolean {
    if (this.#state === "open") {
      // Without a GOAWAY, a refusal means too many concurrent streams.
      this.#allowed = Math.min(this.#allowed, Math.max(1, this.#streams - 1));
      this.#forgetRefusal();
      // A timer is needed: no other exchange may end in that time and let waiting calls look for room.
      this.#forgetRefusal = this.#clock.schedule(
        refusalMs,
        () => {
          this.#allowed = this.#limit;
          this.#events.onRoom();
        },
        true,
      );
    }
    return this.#events.onRefused(request);
  }

  needsHttp1(request: Http2Request): void {
    this.#retire();
    this.#events.onHttp1Required(request);
  }

  over(): void {
    this.#streams -= 1;
    if (this.#streams === 0) {
      this.#rest();
    }
    this.#events.onRoom();
  }

  #retire(): void {
    if (this.#state === "open") {
      this.#state = "retired";
      this.#events.onRetired();
    }
  }

  #wake(): void {
    const { pingIntervalMs, pingTimeoutMs } = this.#settings;
    this.#session.ref();
    if (isLimit(pingIntervalMs)) {
      // A connection that was silent for long may be dead; an early PING detects it sooner.
      const isFresh = monotonicNow(this.#clock) - this.#idleSince < pingTimeoutMs;
      this.#schedulePing(isFresh ? pingIntervalMs : 1);
    }
  }

  #rest(): void {
    this.#idleSince = monotonicNow(this.#clock);
    this.#cancelPing();
    this.#session.unref();
    if (this.#state !== "gone") {
      this.#idleTimer?.refresh();
      // A Node timer rather than the transport's clock: it can be refreshed, and does not keep the process alive.
      this.#idleTimer ??= setTimeout(this.#onIdle, transportDefaults.keepAliveMs).unref();
    }
  }

  readonly #onIdle = (): void => {
    if (this.#streams === 0) {
      this.#retire();
      this.#session.close();
    }
  };

  #schedulePing(delayMs: number): void {
    this.#cancelPing = startDeadline(this.#clock, delayMs, this.#ping);
  }

  readonly #ping = (): void => {
    const { pingIntervalMs, pingTimeoutMs } = this.#settings;
    this.#receivedSincePing = false;
    this.#session.ping(() => this.received());
    this.#cancelPing = startDeadline(this.#clock, pingTimeoutMs, () => {
      // Bytes that arrived while the program was busy, or the machine asleep, are still unread: they are read first.
      const look = setImmediate(() => {
        if (this.#receivedSincePing) {
          this.#schedulePing(pingIntervalMs);
        } else {
          this.#retire();
          this.#session.destroy(silence(pingTimeoutMs, this.#session.state));
        }
      });
      this.#cancelPing = () => clearImmediate(look);
    });
  };
}

/**
 * Creates the error for a PING without a response. A dead connection accepts the PING and stays silent. When the PING
 * is still queued, Node 20 has ended the session itself: for invalid frames and for a header field above 64 KiB it
 * notifies the server, but not us.
 */
function silence(pingTimeoutMs: number, { outboundQueueSize = 0 }: SessionState): Error {
  return Object.assign(new Error(`no response to a PING within ${pingTimeoutMs} ms`), {
    code: outboundQueueSize > 0 ? "H2_ENDED" : "H2_SILENCE",
  });
}
