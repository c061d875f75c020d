import type { ResourceDescriptor } from "@typekube/api";
import { diagnostics } from "@typekube/core/internal";
import type { Encoding } from "../options/encoding-options.js";
import type { View } from "../response/view.js";

const downgraded = diagnostics("typekube:decode.downgrade");

/** An encoding on the wire. */
export type WireEncoding = Exclude<Encoding, "auto">;

/** The resource, subresource and view that encodings are chosen for. */
export interface NegotiationSubject {
  readonly descriptor: ResourceDescriptor;
  readonly subresource?: string | undefined;
  readonly view: View;
}

/** The verbs that encodings depend on. */
export type NegotiatedVerb = "deletecollection" | "get" | "list" | "watch" | "write";

/** An encoding that a client stopped using for a resource; JSON replaces it. */
export interface Downgrade {
  /** `apps/v1/deployments`, followed by the subresource, and by `(metadata)` for metadata-only reads. */
  readonly resource: string;
  /** The encoding that is no longer used. */
  readonly encoding: Exclude<WireEncoding, "json">;
  /** The bodies that used the encoding: those of requests, or those of responses. */
  readonly bodies: "responses" | "requests";
  /** A 406, a 415, or a field that protobuf would have lost. */
  readonly reason: "NotAcceptable" | "UnknownField" | "UnsupportedMediaType";
}

/**
 * Remembers encodings per resource, view and encoding: those that the server rejected (406, 415), and protobuf for
 * resources that would lose a field. JSON replaces such an encoding for the life of the client; the other encodings of
 * the same resource are not affected.
 */
export class NegotiationMemory {
  readonly #refused: Set<string>;
  readonly #onDowngrade: ((downgrade: Downgrade) => void) | undefined;

  /**
   * @param onDowngrade - called once for each encoding that is no longer used.
   * @param refused - entries of another memory.
   */
  constructor(onDowngrade?: (downgrade: Downgrade) => void, refused: Iterable<string> = []) {
    this.#onDowngrade = onDowngrade;
    this.#refused = new Set(refused);
  }

  /**
   * Returns an independent copy. Informers share a watch only if they have the same memory, so two users never share
   * one.
   */
  forAnotherUser(): NegotiationMemory {
    return new NegotiationMemory(this.#onDowngrade, this.#refused);
  }

  /** Returns the encoding to request; JSON is always accepted in addition. */
  responseEncoding(
    subject: NegotiationSubject,
    verb: NegotiatedVerb,
    wanted: Encoding,
  ): WireEncoding {
    return this.#unlessRefused(subject, "responses", choose(subject, verb, wanted));
  }

  /**
   * Returns the encoding to send a body in: an encoding only if it was requested by name, since every server reads
   * JSON.
   */
  requestEncoding(subject: NegotiationSubject, wanted: Encoding): WireEncoding {
    const sendsJson =
      // A real server breaks the connection on a protobuf body for a custom resource.
      wanted === "auto" || (wanted === "protobuf" && !subject.descriptor.protobuf);
    return this.#unlessRefused(subject, "requests", sendsJson ? "json" : wanted);
  }

  /** Stops using an encoding for a resource. */
  refuse(
    subject: NegotiationSubject,
    bodies: Downgrade["bodies"],
    encoding: Downgrade["encoding"],
    reason: Downgrade["reason"],
  ): void {
    const resource = resourceOf(subject);
    const key = refusalKey(resource, bodies, encoding);
    if (!this.#refused.has(key)) {
      this.#refused.add(key);
      this.#onDowngrade?.({ resource, encoding, bodies, reason });
      if (downgraded.hasSubscribers) {
        const { group, version } = subject.descriptor;
        const apiVersion = group === "" ? version : `${group}/${version}`;
        downgraded.publish({
          apiVersion,
          resource: resource.slice(apiVersion.length + 1),
          bodies,
          from: encoding,
          to: "json",
          reason,
        });
      }
    }
  }

  #unlessRefused(
    subject: NegotiationSubject,
    bodies: Downgrade["bodies"],
    encoding: WireEncoding,
  ): WireEncoding {
    // Most servers reject nothing, and JSON is never rejected: building a key would be wasted.
    const mayBeRefused = encoding !== "json" && this.#refused.size > 0;
    return mayBeRefused && this.#refused.has(refusalKey(resourceOf(subject), bodies, encoding))
      ? "json"
      : encoding;
  }
}

/**
 * Resources that lose data in protobuf itself: the claim templates of a StatefulSet have kind and apiVersion in JSON,
 * YAML and CBOR, but their protobuf message has no field for them.
 */
const lossyInProtobuf: ReadonlySet<string> = new Set(["apps statefulsets"]);

/** Returns whether protobuf can carry what a read of the resource shows. It can carry the metadata of every kind. */
function canBeProtobuf({ group, plural, protobuf }: ResourceDescriptor, view: View): boolean {
  return view === "metadata" || (protobuf && !lossyInProtobuf.has(`${group} ${plural}`));
}

function choose(
  { descriptor, view }: NegotiationSubject,
  verb: NegotiatedVerb,
  wanted: Encoding,
): WireEncoding {
  switch (wanted) {
    case "auto":
      return canBeProtobuf(descriptor, view) &&
        descriptor.protobuf &&
        (verb === "list" || verb === "watch")
        ? "protobuf"
        : "json";
    case "protobuf": {
      // The response to a write cannot be read again if protobuf would lose one of its fields.
      const isRead = verb === "get" || verb === "list" || verb === "watch";
      return isRead && canBeProtobuf(descriptor, view) ? "protobuf" : "json";
    }
    case "yaml":
      // YAML has no stream of watch events, and servers reject it even with JSON as an alternative.
      return verb === "watch" ? "json" : "yaml";
    case "cbor":
    case "json":
      return wanted;
  }
}

function resourceOf({ descriptor, subresource, view }: NegotiationSubject): string {
  const { group, version, plural } = descriptor;
  const home = group === "" ? version : `${group}/${version}`;
  const path = subresource === undefined ? plural : `${plural}/${subresource}`;
  return `${home}/${path}${view === "full" ? "" : ` (${view})`}`;
}

function refusalKey(resource: string, bodies: string, encoding: string): string {
  return `${bodies} ${encoding} ${resource}`;
}
