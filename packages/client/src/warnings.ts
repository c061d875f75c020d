import type { HttpSend } from "@typekube/core/internal";
import { parseWarnings } from "@typekube/transport";
import type { Exchanging } from "./exchanging.js";
import type { CallOptions } from "./options.js";

/** Hears what the server wants people to know: a deprecated version, a field that it ignored. */
export type WarningHandler = (text: string) => void;

/** Texts that are remembered as told, per connection and handler; the oldest is forgotten first. */
export const maxRememberedWarnings = 1_000;

let defaultHandler: WarningHandler | undefined;

/**
 * Sets who hears the warnings that neither a call nor a client has a handler for, in the whole program. A library leaves this to
 * the program. Default: nobody.
 *
 * @example
 * setDefaultWarningHandler((text) => console.warn(`kubernetes: ${text}`));
 */
export function setDefaultWarningHandler(handler: WarningHandler | undefined): void {
  defaultHandler = handler;
}

/**
 * Tells the warnings of an answer to the handler of the call, else to the client's, else to the default one. The call's hears
 * each text of its answer; the others are there for long and hear each text once per connection.
 */
export function emitWarnings(
  context: Exchanging,
  options: CallOptions,
  header: string | undefined,
): void {
  if (header !== undefined) {
    for (const text of new Set(parseWarnings(header))) {
      tellWarning(context, options, text);
    }
  }
}

/** {@link emitWarnings} for one text. */
export function tellWarning(context: Exchanging, options: CallOptions, text: string): void {
  if (options.onWarning) {
    options.onWarning(text);
    return;
  }
  const handler = context.defaults.onWarning ?? defaultHandler;
  if (handler && isNews(textsReceived(context.send, handler), text)) {
    handler(text);
  }
}

/** Whether anybody hears the warnings of a call. */
export function receivesWarnings(context: Exchanging, options: CallOptions): boolean {
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
