import { KubeError, type KubeErrorCode, type KubeErrorRequest } from "@typekube/core";
import { closedHint } from "./closed-error.js";

/** Progress of an exchange at the time of a network error. */
export interface NetworkErrorContext {
  /** `host:port` of the server. */
  readonly host: string;
  readonly secure: boolean;
  readonly request: KubeErrorRequest;
  readonly phase: "connection" | "headers" | "body";
  /** Bytes of the body received, as sent. */
  readonly received: number;
  /** Value of its `content-length`. */
  readonly expected: number | undefined;
  /** `true` when the server has responded to another request before. */
  readonly hadResponse: boolean;
  /** `true` when the caller's CA verifies the server rather than Node's authorities. */
  readonly hasCa: boolean;
}

interface Reading {
  readonly code: KubeErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Converts errors of undici, `node:http2`, `node:net` and `node:tls` to KubeErrors; this happens only here. The
 * original error becomes the cause.
 */
export function networkError(error: unknown, context: NetworkErrorContext): KubeError {
  if (error instanceof KubeError) {
    return error;
  }
  const { code, message, hint } = read(error, context);
  dropBytes(error);
  return new KubeError(code, message, { cause: error, hint, request: context.request });
}

/**
 * Drops the bytes that undici's parser could not read: they may be part of a Secret, and errors are logged with their
 * causes.
 */
function dropBytes(error: unknown): void {
  if (error instanceof Error && error.name === "HTTPParserError") {
    delete (error as { data?: unknown }).data;
  }
}

function read(error: unknown, context: NetworkErrorContext): Reading {
  const code = codeOf(error);
  const { host } = context;
  if (isTls(code)) {
    return isPastHandshake(code, context)
      ? readBroken(code, readReset(context))
      : readTls(code, error, context);
  }
  if (code.startsWith("ERR_HTTP2_")) {
    return readHttp2(error, context);
  }
  // The error's `code` is not always set.
  if (error instanceof Error && error.name === "HTTPParserError") {
    return readProtocol(error, context);
  }
  switch (code) {
    case "ECONNREFUSED":
      return {
        code: "ConnectionRefused",
        message: `connection refused by ${host}`,
        hint: "is the API server running, and is the address right?",
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        code: "HostNotFound",
        message: `the name of ${host} cannot be resolved (${code})`,
        hint: code === "EAI_AGAIN" ? "the DNS server does not respond" : "is the name right?",
      };
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return context.phase === "body"
        ? {
            code: "ConnectionReset",
            message: `${host} closed the connection: ${cutShort(context)}`,
          }
        : {
            code: "ConnectionTimeout",
            message: `connecting to ${host} timed out`,
            hint: "check the address; a firewall may drop the packets",
          };
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return { code: "ConnectionClosed", message: cutShort(context) };
    case "UND_ERR_SOCKET":
      return readClosed(context);
    case "H2_SILENCE":
      return {
        code: "ConnectionReset",
        message: `${host} does not respond: ${messageOf(error)}${context.phase === "body" ? `; ${cutShort(context)}` : ""}`,
      };
    case "H2_ENDED":
      return readEnded(context);
    case "H2_CALM":
      return readCalmed(context);
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
      return readReset(context);
    case "UND_ERR_HEADERS_OVERFLOW":
      return {
        code: "TooLarge",
        message: `the response headers of ${host} are larger than maxHeaderBytes`,
        hint: "raise limits.maxHeaderBytes if you expect responses of this size",
      };
    case "UND_ERR_DESTROYED":
    case "UND_ERR_CLOSED":
      return { code: "Closed", message: "the transport is closed", hint: closedHint };
    case "UND_ERR_INVALID_ARG":
    case "UND_ERR_NOT_SUPPORTED":
      return {
        code: "InvalidArgument",
        message: `the request cannot be sent: ${messageOf(error)}`,
      };
    default:
      return {
        code: "NetworkError",
        message: `the exchange with ${host} failed: ${messageOf(error)}`,
        hint: isDeniedVariable(error)
          ? "undici reads two variables: deno run --allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD"
          : undefined,
      };
  }
}

/**
 * Returns true when Deno denied an environment variable. We tolerate that for ours; undici reads its own when it opens
 * its first connection.
 */
function isDeniedVariable(error: unknown): boolean {
  return error instanceof Error && error.name === "NotCapable" && /env access/.test(error.message);
}

function readClosed(context: NetworkErrorContext): Reading {
  if (context.phase === "body") {
    return { code: "ConnectionClosed", message: cutShort(context) };
  }
  return readReset(context);
}

/** Classifies the end of a stream or its session: by a reset, a GOAWAY, or invalid frames. */
function readHttp2(error: unknown, context: NetworkErrorContext): Reading {
  // A stream that ends with its session has a general error; the session's own reason is its cause.
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause !== undefined && cause !== error) {
    return read(cause, context);
  }
  if (/too many continuation/i.test(messageOf(error))) {
    return readFrameFlood(context);
  }
  if (/^protocol error$/i.test(messageOf(error))) {
    return readEnded(context);
  }
  return readBroken(messageOf(error), readClosed(context));
}

/**
 * Classifies ENHANCE_YOUR_CALM: the server sheds load. Node resets a stream in the same way, but only for headers
 * beyond `minNodeHeaderBytes`.
 */
function readCalmed(context: NetworkErrorContext): Reading {
  const when = context.phase === "body" ? `: ${cutShort(context)}` : " before a response";
  return {
    code: "ConnectionReset",
    message: `the HTTP/2 stream to ${context.host} was reset with ENHANCE_YOUR_CALM${when}`,
    hint: "the server or a proxy limits requests: send fewer at once, or set rateLimit",
  };
}

/** Classifies a session that Node ended because of what the server sent; Node does not report which rule was broken. */
function readEnded(context: NetworkErrorContext): Reading {
  const when = context.phase === "body" ? `; ${cutShort(context)}` : "";
  return {
    code: "ConnectionReset",
    message: `Node cannot parse the HTTP/2 frames of ${context.host}${when}`,
    hint: "they violate HTTP/2, or have a header field above 64 KiB: set http2: false if you expect such responses",
  };
}

/**
 * Classifies a header list with more frames than nghttp2 reads. It ends the session, because the state of its
 * compression is lost.
 */
function readFrameFlood({ host }: NetworkErrorContext): Reading {
  return {
    code: "TooLarge",
    message: `the response headers of ${host} have more HTTP/2 frames than Node accepts`,
    hint: "set http2: false if you expect responses of this size",
  };
}

function readBroken(why: string, { code, message }: Reading): Reading {
  return { code, message: `${message} (${why})` };
}

function readReset(context: NetworkErrorContext): Reading {
  if (context.phase === "body") {
    return { code: "ConnectionReset", message: `connection reset: ${cutShort(context)}` };
  }
  return {
    code: "ConnectionReset",
    message: `${context.host} closed the connection before it responded`,
    hint:
      context.secure || context.hadResponse
        ? undefined
        : "servers that speak only https do this to http requests",
  };
}

function cutShort({ received, expected }: NetworkErrorContext): string {
  return `the body ended after ${received} bytes${expected === undefined ? "" : ` of ${expected}`}`;
}

/** Classifies bytes that are not HTTP: before the headers another kind of server, in a body broken chunks. */
function readProtocol(error: unknown, context: NetworkErrorContext): Reading {
  if (context.phase === "body") {
    return { code: "Decode", message: `${context.host} sent a body with broken chunks` };
  }
  // A TLS server responds to plain HTTP with an alert record: 0x15 0x03.
  if (!context.secure && dataOf(error).startsWith("\u0015\u0003")) {
    return {
      code: "Tls",
      message: `${context.host} speaks TLS`,
      hint: "the address must begin with https://",
    };
  }
  return { code: "NotKubernetes", message: `the server at ${context.host} does not speak HTTP` };
}

const tlsHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired; renew it, or check the clock",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet; check the clock",
  DEPTH_ZERO_SELF_SIGNED_CERT: "pass the certificate of the cluster's authority as the CA",
  SELF_SIGNED_CERT_IN_CHAIN: "pass the certificate of the cluster's authority as the CA",
  CERT_SIGNATURE_FAILURE:
    "the CA has the expected name but another key: is it from an older cluster?",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the certificate is valid for other names; connect by one of them, or set the server name for TLS",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak TLS; is it an http:// address?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not speak TLS; is it an http:// address?",
  ERR_SSL_HTTP_REQUEST: "the server does not speak TLS; is it an http:// address?",
};

function readTls(code: string, error: unknown, context: NetworkErrorContext): Reading {
  return {
    code: "Tls",
    message: `no trusted TLS connection to ${context.host}: ${tlsReason(code, error)}`,
    hint: tlsHint(code, context),
  };
}

/** Error codes for a certificate whose issuer is not trusted. */
const unknownIssuer: ReadonlySet<string> = new Set([
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function tlsHint(code: string, { hasCa }: NetworkErrorContext): string | undefined {
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/.test(code)) {
    return "the server does not support TLS 1.2 or later; older versions are not secure";
  }
  if (code.includes("ALERT")) {
    return "the server rejected the handshake; it may require a client certificate";
  }
  if (unknownIssuer.has(code)) {
    return hasCa
      ? "the CA given did not sign this server's certificate"
      : "no CA is set, and Node trusts only public CAs: pass the cluster's CA as ca, or as certificate-authority in the kubeconfig";
  }
  return tlsHints[code];
}

/**
 * Returns true when TLS broke on an established connection, because bytes were changed on the way. A server that
 * rejects a client certificate sends an alert, which may arrive after the request was sent.
 */
function isPastHandshake(code: string, { phase }: NetworkErrorContext): boolean {
  return phase === "body" || (phase === "headers" && /^ERR_SSL_(?!.*ALERT)/.test(code));
}

/** Returns the code of OpenSSL errors, since their messages contain source file names. */
function tlsReason(code: string, error: unknown): string {
  return /^ERR_(SSL|OSSL)/.test(code) || code === "EPROTO" ? code : messageOf(error);
}

function isTls(code: string): boolean {
  return (
    /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code) ||
    code === "EPROTO" ||
    code === "INVALID_CA" ||
    code === "INVALID_PURPOSE" ||
    code === "HOSTNAME_MISMATCH" ||
    code === "PATH_LENGTH_EXCEEDED"
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

function dataOf(error: unknown): string {
  const data = (error as { data?: unknown } | null | undefined)?.data;
  return typeof data === "string" ? data : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ""
    ? error.message
    : codeOf(error) || "unknown";
}
