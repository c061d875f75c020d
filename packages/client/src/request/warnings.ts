import type { HttpSend } from "@typekube/core/internal";
import { parseWarnings } from "@typekube/transport";
import type { CallOptions } from "../options/call-options.js";
import type { CallContext } from "./call-context.js";

/** Receives the warnings of a server: a deprecated apiVersion, a field that it ignored. */
export type WarningHandler = (text: string) => void;

/** Maximum number of warning texts remembered per connection and handler; the oldest is dropped first. */
export const maxRememberedWarnings = 1_000;

let defaultHandler: WarningHandler | undefined;

/**
 * Sets the handler of the whole program, for warnings that neither a call nor a client handles. Libraries should leave
 * this to the program. Default: none.
 *
 * @example
 * ```ts
 * setDefaultWarningHandler((text) => console.warn(`kubernetes: ${text}`));
 * ```
 */
export function setDefaultWarningHandler(handler: WarningHandler | undefined): void {
  defaultHandler = handler;
}

/**
 * Passes the warnings of a response to the handler of the call, otherwise to the client's, otherwise to the default
 * one. The call's handler receives each text of its response; the other two receive each text once per connection.
 */
export function emitWarnings(
  context: CallContext,
  options: CallOptions,
  header: string | undefined,
): void {
  if (header !== undefined) {
    for (const text of new Set(parseWarnings(header))) {
      emitWarning(context, options, text);
    }
  }
}

/** {@link emitWarnings} for one text. */
export function emitWarning(context: CallContext, options: CallOptions, text: string): void {
  if (options.onWarning) {
    options.onWarning(text);
    return;
  }
  const handler = context.defaults.onWarning ?? defaultHandler;
  if (handler && isNews(textsReceived(context.send, handler), text)) {
    handler(text);
  }
}

/** Returns whether the warnings of a call have a handler. */
export function receivesWarnings(context: CallContext, options: CallOptions): boolean {
  return (options.onWarning ?? context.defaults.onWarning ?? defaultHandler) !== undefined;
}

const received = new WeakMap<HttpSend, WeakMap<WarningHandler, Set<string>>>();

function textsReceived(send: HttpSend, handler: WarningHandler): Set<string> {
  const byHandler = received.get(send) ?? new WeakMap<WarningHandler, Set<string>>();
  received.set(send, byHandler);
  const texts = byHandler.get(handler) ?? new Set<string>();
  byHandler.set(handler, texts);
  return texts;
}

function isNews(texts: Set<string>, text: string): boolean {
  if (texts.has(text)) {
    return false;
  }
  texts.add(text);
  for (const oldest of texts) {
    if (texts.size <= maxRememberedWarnings) {
      break;
    }
    texts.delete(oldest);
  }
  return true;
}
