import { inspect } from "node:util";
import type { RedactedResource, Status } from "@typekube/core";
import { errorFromStatus } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

const path = "/api/v1/namespaces/default/secrets/a";

function statusOf(cause: string, field: string, name = 'Secret "a"'): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: `${name} is invalid: ${field}: ${cause}`,
    reason: "Invalid",
    details: { causes: [{ reason: "FieldValueInvalid", message: cause, field }] },
    code: 422,
  };
}

/** Returns all text that an error exposes. */
function shown(status: Status, at: string | undefined, redactErrors?: RedactedResource[]): string {
  const request = at === undefined ? undefined : { method: "PATCH", path: at };
  const error = errorFromStatus(status, { request, redactErrors });
  return `${error.stack} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)} ${JSON.stringify(error.causes)}`;
}

// Causes as written by kube-apiserver 1.37.1; the last ones come from 1.20 and from server-side apply.
const object = JSON.stringify({ apiVersion: "v1", data: { a: 5, password: "canary" } });
const causes: readonly (readonly [string, string, string])[] = [
  [
    "the whole object for a merge patch that does not fit",
    `Invalid value: ${JSON.stringify(object)}: json: cannot unmarshal number into Go struct field Secret.data of type []uint8`,
    "Invalid value: [redacted]: json: cannot unmarshal number into Go struct field Secret.data of type []uint8",
  ],
  [
    "the whole patch for a strategic merge patch that does not fit",
    'Invalid value: "map[data:canary]": cannot restore map from string',
    "Invalid value: [redacted]: cannot restore map from string",
  ],
  [
    "a value with quotes and backslashes",
    'Invalid value: "a\\"b: canary\\\\": field is immutable',
    "Invalid value: [redacted]: field is immutable",
  ],
  ["a number", "Invalid value: 5: must be text", "Invalid value: [redacted]: must be text"],
  [
    "a struct, whose end cannot be found",
    'Invalid value: core.Secret{Data:map[string][]uint8{"a":"canary"}}: field is immutable',
    "Invalid value: [redacted]",
  ],
  [
    "an excerpt of the input",
    'v1.Secret.Data: base64Codec: invalid, error found in #10 byte of ...|"canary"|..., bigger context ...|canary|...',
    "v1.Secret.Data: base64Codec: invalid, error found in #10 byte of [redacted]",
  ],
  [
    "a value of another type in an apply",
    "expected map, got &{canary}",
    "expected map, got [redacted]",
  ],
];

describe("the error of a request for a Secret", () => {
  it.each(causes)("keeps field, reason and explanation, but not %s", (_what, cause, safe) => {
    const status = statusOf(cause, "patch", ' ""');
    const text = shown(status, path);
    expect(text).not.toContain("canary");
    const { causes: found, message } = errorFromStatus(status, {
      request: { method: "PATCH", path },
    });
    expect(found).toEqual([{ reason: "FieldValueInvalid", message: safe, field: "patch" }]);
    expect(message).toContain(safe);
    expect(status.details?.causes?.[0]?.message).toBe(cause);
  });

  it("keeps the key of the value, and the name of a missing field", () => {
    const status = statusOf('Invalid value: "canary": not base64', "data[tls.key]");
    expect(shown(status, path)).toContain("data[tls.key]");
    const missing = statusOf("Required value", "data[tls.key]");
    expect(shown(missing, path)).toContain('Secret "a" is invalid: data[tls.key]: Required value');
  });

  it("is recognized by its path, also below a prefix and in lists, or by the kind in the Status", () => {
    const status = statusOf('Invalid value: "canary": bad', "type");
    for (const at of [path, "/k8s/clusters/c-1/api/v1/namespaces/x/secrets", "/api/v1/secrets"]) {
      expect(shown(status, at)).not.toContain("canary");
    }
    expect(
      shown({ ...status, details: { ...status.details, kind: "Secret" } }, undefined),
    ).not.toContain("canary");
  });
});

describe("the error of another resource", () => {
  const status = statusOf('Invalid value: "canary": bad', "spec.token", 'ApiKey "a"');
  const apiKeys = "/apis/example.com/v1/namespaces/x/apikeys/a";

  it("shows its values, whatever the names in its path", () => {
    for (const at of [
      apiKeys,
      "/api/v1/namespaces/secrets/pods/a",
      "/apis/example.com/v1/namespaces/x/secrets/a",
      "/api/v1/namespaces/x/configmaps/secrets",
    ]) {
      expect(shown(status, at)).toContain("canary");
    }
  });

  it("hides them if the caller names the resource, in any version", () => {
    const rule = { apiVersion: "example.com/v2", plural: "apikeys" };
    expect(shown(status, apiKeys, [rule])).not.toContain("canary");
    expect(shown(status, "/apis/other.com/v1/apikeys/a", [rule])).toContain("canary");
  });

  it("hides those of fields that the caller names, and of objects that contain them", () => {
    const rule = { apiVersion: "example.com/v1", plural: "apikeys", fields: ["spec.token"] };
    const about = (field: string) =>
      shown(statusOf('Invalid value: "canary": bad', field, 'ApiKey "a"'), apiKeys, [rule]);
    for (const field of ["spec.token", "spec.token.value", "spec.token[0]", "spec", "patch"]) {
      expect(about(field)).not.toContain("canary");
    }
    for (const field of ["spec.tokens", "spec.name"]) {
      expect(about(field)).toContain("canary");
    }
  });
});
