import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { required } from "../../phases/validate/old-checks.js";
import { validateFileMode, validateLocalPath } from "../fields/paths.js";
import { validateDownwardApiFile } from "./field-references.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
const minCertificateSeconds = 3600;
const maxCertificateSeconds = 91 * 86_400;
const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/** Returns the field errors of a projected volume. */
export function validateProjection(volume: JsonObject, field: string): FieldErrors {
  const files = new TakenPaths(field);
  return [
    ...validateFileMode(`${field}.defaultMode`, volume["defaultMode"]),
    ...objectsOf(volume["sources"]).flatMap((source, at) =>
      validateSource(source, `${field}.sources[${at}]`, files),
    ),
  ];
}

/** File paths of a volume that are already in use. */
class TakenPaths {
  readonly #field: string;
  readonly #paths = new Set<string>();

  constructor(field: string) {
    this.#field = field;
  }

  /**
   * Adds a path.
   *
   * @param shown - value shown in the error if the path is already in use.
   */
  take(path: unknown, shown: unknown): FieldErrors {
    const text = String(path ?? "");
    const isTwice = this.#paths.has(text);
    if (text !== "") {
      this.#paths.add(text);
    }
    return isTwice ? [cause.invalid(this.#field, shown, "conflicting duplicate paths")] : [];
  }

  /** Returns the path at which errors about a token's file path are reported: that of the volume. */
  get tokenField(): string {
    return `${this.#field}.path`;
  }
}

function validateSource(source: JsonObject, field: string, files: TakenPaths): FieldErrors {
  const given = Object.keys(source).filter((key) => isJsonObject(source[key]));
  const of = (key: string, check: (one: JsonObject, path: string) => FieldErrors) =>
    isJsonObject(source[key]) ? check(source[key], `${field}.${key}`) : [];
  return [
    ...of("secret", (one, path) => validateNamedSource(one, path, files)),
    ...of("configMap", (one, path) => validateNamedSource(one, path, files)),
    ...of("downwardAPI", (one, path) =>
      objectsOf(one["items"]).flatMap((item) => [
        ...validateDownwardApiFile(item, path),
        ...files.take(item["path"], item["path"]),
      ]),
    ),
    ...of("serviceAccountToken", (one, path) => validateToken(one, path, files)),
    ...of("clusterTrustBundle", (one, path) => validateBundle(one, path, files)),
    ...of("podCertificate", (one, path) => validateCertificate(one, path, files)),
    ...(given.length > 1
      ? [cause.forbidden(field, "may not specify more than 1 volume type per source")]
      : []),
  ];
}

/** Returns the field errors of a file from a ConfigMap or Secret key. */
export function validateKeyFile({ key, path, mode }: JsonObject, field: string): FieldErrors {
  return [
    ...required(`${field}.key`, key),
    ...required(`${field}.path`, path),
    ...(isUnset(path) ? [] : validateLocalPath(`${field}.path`, String(path))),
    ...validateFileMode(`${field}.mode`, mode),
  ];
}

function validateNamedSource(
  { name, items }: JsonObject,
  field: string,
  files: TakenPaths,
): FieldErrors {
  return [
    ...required(`${field}.name`, name),
    ...objectsOf(items).flatMap((item, at) => [
      ...validateKeyFile(item, `${field}.items[${at}]`),
      ...files.take(item["path"], name ?? ""),
    ]),
  ];
}

function validateToken(
  { path, expirationSeconds }: JsonObject,
  field: string,
  { tokenField }: TakenPaths,
): FieldErrors {
  const wrongs =
    typeof expirationSeconds !== "number"
      ? []
      : expirationSeconds < minTokenSeconds
        ? ["may not specify a duration less than 10 minutes"]
        : expirationSeconds > maxTokenSeconds
          ? ["may not specify a duration larger than 2^32 seconds"]
          : [];
  return [
    ...wrongs.map((why) => cause.invalid(`${field}.expirationSeconds`, expirationSeconds, why)),
    ...required(tokenField, path),
    ...validateLocalPath(tokenField, String(path ?? "")),
  ];
}

function validateBundle(bundle: JsonObject, field: string, files: TakenPaths): FieldErrors {
  const { name, signerName, labelSelector, path } = bundle;
  const [hasName, hasSigner] = [!isUnset(name), !isUnset(signerName)];
  return [
    ...(hasName && hasSigner
      ? [
          cause.invalid(
            field,
            {
              Name: name,
              SignerName: signerName,
              LabelSelector: labelSelector ?? null,
              Optional: bundle["optional"] ?? null,
              Path: path,
              User: null,
            },
            "only one of name and signerName may be used",
          ),
        ]
      : hasName
        ? [
            ...subdomainTexts(String(name)).map((why) =>
              cause.invalid(`${field}.name`, name, `not a valid clustertrustbundlename: ${why}`),
            ),
            ...(isJsonObject(labelSelector)
              ? [
                  cause.invalid(
                    `${field}.labelSelector`,
                    labelSelector,
                    "labelSelector must be unset if name is specified",
                  ),
                ]
              : []),
          ]
        : hasSigner
          ? validateSigner(String(signerName), `${field}.signerName`)
          : [cause.required(field, "either name or signerName must be specified")]),
    ...required(`${field}.path`, path),
    ...validateLocalPath(`${field}.path`, String(path ?? "")),
    ...files.take(path, path),
  ];
}

function validateSigner(name: string, field: string): FieldErrors {
  const [domain = "", ...path] = name.split("/");
  return domain.includes(".") && path.length === 1 && subdomainTexts(domain).length === 0
    ? []
    : [
        cause.invalid(
          field,
          name,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'",
        ),
      ];
}

function validateLifetime(seconds: unknown, field: string): FieldErrors {
  const isOut =
    typeof seconds === "number" &&
    (seconds < minCertificateSeconds || seconds > maxCertificateSeconds);
  const limit =
    Number(seconds) < minCertificateSeconds
      ? `>= ${minCertificateSeconds}`
      : `<= ${maxCertificateSeconds}`;
  return isOut
    ? [cause.invalid(field, seconds, `if provided, maxExpirationSeconds must be ${limit}`)]
    : [];
}

const certificatePaths = ["credentialBundlePath", "keyPath", "certificateChainPath"];

function validateCertificate(one: JsonObject, field: string, files: TakenPaths): FieldErrors {
  const given = certificatePaths.filter((key) => !isUnset(one[key]));
  return [
    ...(isUnset(one["signerName"])
      ? [cause.required(`${field}.signerName`)]
      : validateSigner(String(one["signerName"]), `${field}.signerName`)),
    ...(keyTypes.includes(String(one["keyType"]))
      ? []
      : [cause.notSupported(`${field}.keyType`, one["keyType"] ?? "", keyTypes)]),
    ...validateLifetime(one["maxExpirationSeconds"], `${field}.maxExpirationSeconds`),
    ...(given.length === 0
      ? [
          cause.required(
            field,
            "specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
          ),
        ]
      : []),
    ...given.flatMap((key) => [
      ...validateLocalPath(`${field}.${key}`, String(one[key])),
      ...files.take(one[key], one[key]),
    ]),
  ];
}
