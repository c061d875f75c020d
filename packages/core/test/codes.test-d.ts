import {
  isNotFound,
  type isStatus,
  KubeError,
  type KubeErrorCode,
  type Status,
} from "@typekube/core";
import type { Codec, ListPart, WireWatchEvent } from "@typekube/core/internal";
import { describe, expectTypeOf, test } from "vitest";

/** Returns the origin of a failure. Compiles only while every code is listed. */
function blame(code: KubeErrorCode): "caller" | "data" | "end" | "network" | "server" {
  switch (code) {
    case "AlreadyExists":
    case "BadRequest":
    case "Conflict":
    case "Expired":
    case "Forbidden":
    case "Gone":
    case "InternalError":
    case "Invalid":
    case "MethodNotAllowed":
    case "NotAcceptable":
    case "NotFound":
    case "RequestEntityTooLarge":
    case "ServerTimeout":
    case "ServiceUnavailable":
    case "StorageReadError":
    case "Timeout":
    case "TooManyRequests":
    case "Unauthorized":
    case "Unknown":
    case "UnsupportedMediaType":
      return "server";
    case "ConnectionClosed":
    case "ConnectionRefused":
    case "ConnectionReset":
    case "ConnectionTimeout":
    case "HostNotFound":
    case "NetworkError":
    case "Tls":
      return "network";
    case "Decode":
    case "NotKubernetes":
    case "TooLarge":
      return "data";
    case "Aborted":
    case "Closed":
    case "CommandFailed":
    case "DeadlineExceeded":
    case "NeverMet":
      return "end";
    case "AlreadyOwned":
    case "Config":
    case "InvalidArgument":
    case "InvalidState":
    case "LeadershipLost":
    case "Terminal":
      return "caller";
    default:
      return code satisfies never;
  }
}

describe("types of core", () => {
  test("the codes are a closed set", () => {
    expectTypeOf(blame).parameter(0).toEqualTypeOf<KubeErrorCode>();
    // @ts-expect-error no such code
    blame("Whatever");
  });

  test("a predicate narrows the caught value", () => {
    const caught: unknown = undefined;
    if (isNotFound(caught)) {
      expectTypeOf(caught).toExtend<KubeError>();
      expectTypeOf(caught.code).toEqualTypeOf<"NotFound">();
    }
    // A KubeError for which a predicate is false is still a KubeError.
    const failed = new KubeError("Conflict", "someone else was faster") as KubeError;
    if (!isNotFound(failed)) {
      expectTypeOf(failed).toEqualTypeOf<KubeError>();
    }
    expectTypeOf<typeof isStatus>().guards.toEqualTypeOf<Status>();
  });

  test("decoded values are unknown until they are checked", () => {
    expectTypeOf<WireWatchEvent["object"]>().toEqualTypeOf<unknown>();
    expectTypeOf<Codec["decode"]>().returns.resolves.toEqualTypeOf<unknown>();
    expectTypeOf<ListPart["metadata"]>().extract<undefined>().toEqualTypeOf<undefined>();
  });
});
