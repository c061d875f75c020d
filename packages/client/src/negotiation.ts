import type { ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { diagnostics } from "@typekube/core/internal";
import type { Encoding } from "./options.js";
import type { View } from "./view.js";

const downgraded = diagnostics("typekube:decode.downgrade");

/** An encoding as it stands on the wire. */
export type WireEncoding = Exclude<Encoding, "auto">;

/** What a choice of encodings is about. */
export interface NegotiationSubject {
  readonly descriptor: ResourceDescriptor;
  readonly subresource?: string | undefined;
  readonly view: View;
}

/** What is asked of a resource, as far as encodings differ by it. */
export type NegotiatedVerb = "deletecollection" | "get" | "list" | "watch" | "write";

/** An encoding that a client gave up for a resource; JSON took its place. */
export interface Downgrade {
  /** `apps/v1/deployments`; with the subresource behind it, and `(metadata)` for the metadata alone. */
  readonly resource: string;
  readonly encoding: Exclude<WireEncoding, "json">;
  /** What the encoding was for: the bodies of requests, or those of answers. */
  readonly bodies: "answers" | "requests";
  /** Why: a 406, a 415, or a field that protobuf would have lost. */
  readonly reason: "NotAcceptable" | "UnknownField" | "UnsupportedMediaType";
}

/**
 * What a client has learned about encodings, per resource, view and encoding: which a server refused (406, 415), and of
 * which resources protobuf would lose a field. A refused encoding is JSON from then on, for the life of the client; the
 * other encodings of the same resource are not touched.
 */
export class NegotiationMemory {
  readonly #refused: Set<string>;
  readonly #onDowngrade: ((downgrade: Downgrade) => void) | undefined;

  /**
   * @param onDowngrade - told once of each encoding that is given up.
   * @param refused - what another memory knows.
   */
  constructor(onDowngrade?: (downgrade: Downgrade) => void, refused: Iterable<string> = []) {
    this.#onDowngrade = onDowngrade;
    this.#refused = new Set(refused);
  }

  /** A memory that knows the same and goes its own way: what informers share they share by memory, and never with another user. */
  forAnotherUser(): NegotiationMemory {
    return new NegotiationMemory(this.#onDowngrade, this.#refused);
  }

  /** The encoding to ask an answer in; JSON is always accepted besides. */
  responseEncoding(
    subject: NegotiationSubject,
    verb: NegotiatedVerb,
    wanted: Encoding,
  ): WireEncoding {
    return this.#unlessRefused(subject, "answers", choose(subject, verb, wanted));
  }

  /** The encoding to send a body in. Only what was asked for by name is used: every server reads JSON. */
  requestEncoding(subject: NegotiationSubject, wanted: Encoding): WireEncoding {
    const sendsJson =
      // A real server breaks the connection over a protobuf body for a custom resource.
      wanted === "auto" || (wanted === "protobuf" && !subject.descriptor.protobuf);
    return this.#unlessRefused(subject, "requests", sendsJson ? "json" : wanted);
  }

  /** Gives an encoding up. */
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
    // Most servers refuse nothing, and nobody refuses JSON: the key is not made for a look that finds nothing.
    const mayBeRefused = encoding !== "json" && this.#refused.size > 0;
    return mayBeRefused && this.#refused.has(refusalKey(resourceOf(subject), bodies, encoding))
      ? "json"
      : encoding;
  }
}

/**
 * Resources of which protobuf itself loses something: the claim templates of a StatefulSet say their kind and apiVersion in
 * JSON, YAML and CBOR, for which their message has no field.
 */
const lossyInProtobuf: ReadonlySet<string> = new Set(["apps statefulsets"]);

/** Whether protobuf can carry what a read of the resource shows. Metadata alone it carries of every kind. */
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
      // What a write answers cannot be read again if protobuf would lose a field of it.
      const isRead = verb === "get" || verb === "list" || verb === "watch";
      return isRead && canBeProtobuf(descriptor, view) ? "protobuf" : "json";
    }
    case "yaml":
      // YAML has no stream of events, and servers refuse it even with JSON behind it.
      return verb === "watch" ? "json" : "yaml";
    case "cbor":
    case "json":
      return wanted;
    default:
      wanted satisfies never;
      throw new KubeError(
        "InvalidArgument",
        "encoding: must be auto, cbor, json, protobuf or yaml",
      );
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
