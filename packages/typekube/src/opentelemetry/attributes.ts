import type { Attributes } from "@opentelemetry/api";
import { KubeError } from "@typekube/core";
import type { RequestIdentity } from "@typekube/core/internal";

/**
 * Returns the attributes of a request, named as in OpenTelemetry's semantic conventions where those exist. They have
 * few enough values to be attributes of a metric.
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

/** Returns the attributes of an outcome: the response status, and the kind of error if it is one. */
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

/** Returns the code of a KubeError, or the name of any other error, such as the reason of a signal. */
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
