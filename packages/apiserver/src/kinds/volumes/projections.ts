import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { appendInvalid, isUnset, validateRequired } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateFileMode, validateLocalPath } from "../fields/paths.js";
import { validateDownwardApiFile } from "./field-references.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
const minCertificateSeconds = 3600;
const maxCertificateSeconds = 91 * 86_400;
const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/** Appends the field errors of a projected volume. */
export function validateProjection(volume: JsonObject, path: string, errors: FieldErrors): void {
  const files = new TakenPaths(path);
  validateFileMode(volume["defaultMode"], `${path}.defaultMode`, errors);
  for (const [at, source] of objectsOf(volume["sources"]).entries()) {
    validateSource(source, `${path}.sources[${at}]`, errors, files);
  }
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

function validateSource(
  source: JsonObject,
  field: string,
  errors: FieldErrors,
  files: TakenPaths,
): void {
  const given = Object.keys(source).filter((key) => isJsonObject(source[key]));
  const of = (key: string, check: (one: JsonObject, path: string) => FieldErrors) =>
    isJsonObject(source[key]) ? check(source[key], `${field}.${key}`) : [];
  errors.push(
    ...of("secret", (one, path) =>
      collectErrors((found) => validateNamedSource(one, path, found, files)),
    ),
  );
  errors.push(
    ...of("configMap", (one, path) =>
      collectErrors((found) => validateNamedSource(one, path, found, files)),
    ),
  );
  errors.push(
    ...of("downwardAPI", (one, path) =>
      objectsOf(one["items"]).flatMap((item) => [
        ...collectErrors((found) => validateDownwardApiFile(item, path, found)),
        ...files.take(item["path"], item["path"]),
      ]),
    ),
  );
  errors.push(
    ...of("serviceAccountToken", (one, path) =>
      collectErrors((found) => validateToken(one, path, found, files)),
    ),
  );
  errors.push(
    ...of("clusterTrustBundle", (one, path) =>
      collectErrors((found) => validateBundle(one, path, found, files)),
    ),
  );
  errors.push(
    ...of("podCertificate", (one, path) =>
      collectErrors((found) => validateCertificate(one, path, found, files)),
    ),
  );
  if (given.length > 1) {
    errors.push(cause.forbidden(field, "may not specify more than 1 volume type per source"));
  }
}

/** Appends the field errors of a file from a ConfigMap or Secret key. */
export function validateKeyFile(
  { key, path, mode }: JsonObject,
  field: string,
  errors: FieldErrors,
): void {
  validateRequired(key, `${field}.key`, errors);
  validateRequired(path, `${field}.path`, errors);
  if (!isUnset(path)) {
    validateLocalPath(`${field}.path`, errors, String(path));
  }
  validateFileMode(mode, `${field}.mode`, errors);
}

function validateNamedSource(
  { name, items }: JsonObject,
  path: string,
  errors: FieldErrors,
  files: TakenPaths,
): void {
  validateRequired(name, `${path}.name`, errors);
  for (const [at, item] of objectsOf(items).entries()) {
    validateKeyFile(item, `${path}.items[${at}]`, errors);
    errors.push(...files.take(item["path"], name ?? ""));
  }
}

function validateToken(
  { path, expirationSeconds }: JsonObject,
  field: string,
  errors: FieldErrors,
  { tokenField }: TakenPaths,
): void {
  const wrongs =
    typeof expirationSeconds !== "number"
      ? []
      : expirationSeconds < minTokenSeconds
        ? ["may not specify a duration less than 10 minutes"]
        : expirationSeconds > maxTokenSeconds
          ? ["may not specify a duration larger than 2^32 seconds"]
          : [];
  appendInvalid(wrongs, expirationSeconds, `${field}.expirationSeconds`, errors);
  validateRequired(path, tokenField, errors);
  validateLocalPath(tokenField, errors, String(path ?? ""));
}

function validateBundle(
  bundle: JsonObject,
  field: string,
  errors: FieldErrors,
  files: TakenPaths,
): void {
  const { name, signerName, labelSelector, path } = bundle;
  const [hasName, hasSigner] = [!isUnset(name), !isUnset(signerName)];
  if (hasName && hasSigner) {
    errors.push(
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
    );
  } else if (hasName) {
    for (const why of subdomainTexts(String(name))) {
      errors.push(
        cause.invalid(`${field}.name`, name, `not a valid clustertrustbundlename: ${why}`),
      );
    }
    if (isJsonObject(labelSelector)) {
      errors.push(
        cause.invalid(
          `${field}.labelSelector`,
          labelSelector,
          "labelSelector must be unset if name is specified",
        ),
      );
    }
  } else if (hasSigner) {
    validateSigner(String(signerName), `${field}.signerName`, errors);
  } else {
    errors.push(cause.required(field, "either name or signerName must be specified"));
  }
  validateRequired(path, `${field}.path`, errors);
  validateLocalPath(`${field}.path`, errors, String(path ?? ""));
  errors.push(...files.take(path, path));
}

function validateSigner(name: string, field: string, errors: FieldErrors): void {
  const [domain = "", ...path] = name.split("/");
  if (!domain.includes(".") || path.length !== 1 || subdomainTexts(domain).length !== 0) {
    errors.push(
      cause.invalid(
        field,
        name,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    );
  }
}

function validateLifetime(seconds: unknown, path: string, errors: FieldErrors): void {
  const isOut =
    typeof seconds === "number" &&
    (seconds < minCertificateSeconds || seconds > maxCertificateSeconds);
  const limit =
    Number(seconds) < minCertificateSeconds
      ? `>= ${minCertificateSeconds}`
      : `<= ${maxCertificateSeconds}`;
  if (isOut) {
    errors.push(cause.invalid(path, seconds, `if provided, maxExpirationSeconds must be ${limit}`));
  }
}

const certificatePaths = ["credentialBundlePath", "keyPath", "certificateChainPath"];

function validateCertificate(
  one: JsonObject,
  path: string,
  errors: FieldErrors,
  files: TakenPaths,
): void {
  const given = certificatePaths.filter((key) => !isUnset(one[key]));
  if (isUnset(one["signerName"])) {
    errors.push(cause.required(`${path}.signerName`));
  } else {
    validateSigner(String(one["signerName"]), `${path}.signerName`, errors);
  }
  if (!keyTypes.includes(String(one["keyType"]))) {
    errors.push(cause.notSupported(`${path}.keyType`, one["keyType"] ?? "", keyTypes));
  }
  validateLifetime(one["maxExpirationSeconds"], `${path}.maxExpirationSeconds`, errors);
  if (given.length === 0) {
    errors.push(
      cause.required(
        path,
        "specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
      ),
    );
  }
  for (const key of given) {
    validateLocalPath(`${path}.${key}`, errors, String(one[key]));
    errors.push(...files.take(one[key], one[key]));
  }
}
