import { type ClientHttp2Session, connect, type SessionState } from "node:http2";
import type { Socket } from "node:net";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isLimit, startDeadline } from "./deadline.js";
import { type Http2ExchangeOwner, type Http2Request, sendOverHttp2 } from "./http2-exchange.js";
import { type TransportSettings, transportDefaults } from "./transport-options.js";

/** client-go's windows: of a stream, so that a distant server can send a list at full speed, and of all streams together. */
const streamWindowBytes = 4 * 1024 * 1024;
const sessionWindowBytes = 2 ** 30;

/** Streams on a server's first session until it says how many it allows, and at most; API servers allow 100 or 250. */
export const maxStreams = 100;

/** Megabytes for headers and bytes that wait in a session. Node's 10 are not enough for 100 lists at once. */
const maxSessionMemoryMb = 256;

/** Milliseconds for which a refusal says that there are too many streams; it may have had another reason, and connections live long. */
export const refusalMs = 10_000;

/**
 * Bytes of decompressed headers at which Node itself resets a stream, at least. It does so with ENHANCE_YOUR_CALM, as a server that
 * sheds load does, and its error does not tell the two apart. So our own check of `maxHeaderBytes` has to strike first. What is
 * beyond this value is made to be: nghttp2 reads at most 9 frames of 16 KiB for one list, so it takes repetition of compressed
 * fields or thousands of tiny ones.
 */
const minNodeHeaderBytes = 512 * 1024;

/** Node caps its limit here. */
const maxNodeHeaderBytes = 16 * 1024 * 1024;

/** Node's limit as a multiple of ours: it counts 32 bytes for each field beside its text (RFC 9113 section 6.5.2), we count 4. */
const nodeHeaderFactor = 8;

/** Bytes that Node counts for the smallest field. Its limit on the number of fields, 128 by default, must not strike either. */
const smallestFieldBytes = 33;

function nodeHeaderBytes(maxHeaderBytes: number): number {
  const wanted = Math.max(minNodeHeaderBytes, nodeHeaderFactor * maxHeaderBytes);
  return Math.min(maxNodeHeaderBytes, wanted);
}

/** What a session tells whoever keeps it. */
export interface Http2SessionEvents {
  /** A stream ended: there may be room for another. */
  onRoom(): void;
  /** The server said how many streams it allows. */
  onAllowed(streams: number): void;
  /** The server handed a request back unseen. False: it was often enough. */
  onRefused(request: Http2Request): boolean;
  /** The server wants this one over HTTP/1.1. */
  onHttp1Required(request: Http2Request): void;
  /** Takes no more requests. What is under way may still end well. */
  onRetired(): void;
  /** Nothing is left of it. */
  onGone(): void;
}

/**
 * One HTTP/2 connection: `open` while it takes requests, `retired` once the server (GOAWAY), a silent line or our side ended
 * that, `gone` when its last stream is. An idle one does not keep the process alive and is closed after `keepAliveMs`.
 *
 * A PING goes out every `pingIntervalMs` while exchanges are under way; when nothing at all comes within `pingTimeoutMs` of
 * it, the line is dead and everything on it fails. TCP's own probes do not see a peer whose program stands still.
 */
export class Http2Session implements Http2ExchangeOwner {
  readonly #session: ClientHttp2Session;
  readonly #settings: TransportSettings;
  readonly #events: Http2SessionEvents;
  readonly #clock: Clock;
  #state: "gone" | "open" | "retired" = "open";
  #streams = 0;
  /** Streams that the server allows, as far as it said. */
  #limit: number;
  /** Fewer than that for a while after a refusal. */
  #allowed: number;
  #forgetRefusal = () => {};
  #idleSince: number;
  #idleTimer: NodeJS.Timeout | undefined;
  #hasHeard = false;
  #cancelPing = () => {};
  readonly maxHeaderBytes: number;
  lastStreamId: number = Number.POSITIVE_INFINITY;

  /** @param allowed - streams until the server says how many. */
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
        // Told also of one that has ended meanwhile, and nobody would catch what that throws.
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
      // Each stream is told by itself.
      .on("error", () => this.#retire())
      .on("close", () => {
        this.#retire();
        this.#state = "gone";
        this.#cancelPing();
        this.#forgetRefusal();
        clearTimeout(this.#idleTimer);
        // Node waits for the other side to close, which a broken one never does.
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

  /** Breaks it and all that is on it. */
  destroy(): void {
    this.#retire();
    this.#session.destroy();
  }

  received(): void {
    this.#hasHeard = true;
  }

  refused(request: Http2Request): boolean {
    if (this.#state === "open") {
      // Without a GOAWAY it means: not so many at once.
      this.#allowed = Math.min(this.#allowed, Math.max(1, this.#streams - 1));
      this.#forgetRefusal();
      // A timer: of calls that wait meanwhile none may end and look for room.
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
      // A line that was silent for long may be dead already: asking at once tells sooner.
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
      // Not of the transport's clock: a timer of that keeps the process alive.
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
    this.#hasHeard = false;
    this.#session.ping(() => this.received());
    this.#cancelPing = startDeadline(this.#clock, pingTimeoutMs, () => {
      // What came while the program was busy, or the machine asleep, waits to be read: that goes first.
      const look = setImmediate(() => {
        if (this.#hasHeard) {
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
 * A dead line takes the PING and says nothing. Where the PING is still there, Node 20 has ended the session by itself: for frames that
 * break a rule and for a header field above 64 KiB it tells the server, and nobody here.
 */
function silence(pingTimeoutMs: number, { outboundQueueSize = 0 }: SessionState): Error {
  return Object.assign(new Error(`no response to a PING within ${pingTimeoutMs} ms`), {
    code: outboundQueueSize > 0 ? "H2_ENDED" : "H2_SILENCE",
  });
}
