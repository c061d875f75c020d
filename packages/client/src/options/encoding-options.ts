import { type OptionTable, oneOf } from "@typekube/core/internal";
import { type CallOptions, callOptions } from "./call-options.js";

/**
 * Encoding of request and response bodies. JSON is always the alternative: what a server rejects (406, 415) is sent
 * again as JSON, and the client remembers that for the resource. An object does not show the encoding it arrived in.
 *
 * - `auto` (default) reads lists and watches of built-in kinds as protobuf and everything else as JSON; writes are
 * JSON.
 * - `json` reads and writes JSON.
 * - `protobuf` reads built-in kinds as protobuf, and writes them as protobuf unless an object would lose data.
 * Resources that would lose a field when read stay with JSON. Responses to writes are JSON.
 * - `cbor` is an alpha feature of servers. Servers build a CBOR list as a whole, so read it in pages.
 * - `yaml` is for people; watches use JSON instead.
 *
 * Patches and delete options are JSON in every encoding; an apply with `cbor` is CBOR.
 */
export type Encoding = "auto" | "cbor" | "json" | "protobuf" | "yaml";

/** Options of every call on a resource. */
export interface EncodingOptions extends CallOptions {
  /** Default: the client's, otherwise `auto`. */
  readonly encoding?: Encoding | undefined;
}

/** All values of {@link Encoding}. */
export const encodings: Readonly<Record<Encoding, true>> = {
  auto: true,
  cbor: true,
  json: true,
  protobuf: true,
  yaml: true,
};

/** Names and checks of {@link EncodingOptions}. */
export const encodingOptions: OptionTable<EncodingOptions> = {
  ...callOptions,
  encoding: oneOf(...Object.keys(encodings)),
};
