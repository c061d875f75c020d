import type { Attributes } from "@opentelemetry/api";
import { KubeError } from "@typekube/core";
import type { RequestIdentity } from "@typekube/core/internal";

/**
 * What a request is about, in words of OpenTelemetry's semantic conventions where they have one: few enough values to be a
 * metric's attributes.
 */
export function requestAttributes(request: RequestIdentity): Attributes {
  const { apiVersion, resource, subresource } = request;
  return {
    "http.request.method": request.method,
    "url.template": request.urlTemplate,
    ...serverAttributes(request.server),
    "k8s.verb": request.verb,
    ...(apiVersion === undefined ? {} : { "k8s.api_version": apiVersion }),
    ...(resource === undefined ? {} : { "k8s.resource": resource }),
    ...(subresource === undefined ? {} : { "k8s.subresource": subresource }),
  };
}

/** How it came out: the status of the answer, and what kind of error it was if it was one. */
export function outcomeAttributes(outcome: {
  readonly status?: number | undefined;
  readonly error?: unknown;
}): Attributes {
  const { status, error } = outcome;
  if (status === undefined) {
    return { "error.type": errorType(error) };
  }
  return {
    "http.response.status_code": status,
    ...(status >= 400 ? { "error.type": String(status) } : {}),
  };
}

/** The code of a KubeError, the name of any other error: the reasons of signals. */
export function errorType(error: unknown): string {
  if (error instanceof KubeError) {
    return error.code;
  }
  return error instanceof Error ? error.name : "_OTHER";
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

function serverAttributes(server: string): Attributes {
  if (!URL.canParse(server)) {
    return { "server.address": server };
  }
  const { hostname, port, protocol } = new URL(server);
  const number = port === "" ? defaultPorts[protocol] : Number(port);
  return {
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    ...(number === undefined ? {} : { "server.port": number }),
  };
}
