import type { FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject } from "../../objects/json-value.js";
import { appendInvalid, isUnset } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";

/** Maximum bytes of a credential specification (`MaxGMSACredentialSpecLength`). */
const maxCredentialSpecBytes = 64 * 1024;
const maxDomainLength = 255;
const maxUserLength = 104;

const controlCharacter = /\p{Cc}/u;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsPart = "[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?";
const dnsName = new RegExp(`^${dnsPart}(\\.${dnsPart})*$`);
const userCharacters = /^[^"/\\:;|=,+*?<>@[\]]+$/;
const onlyPeriodsOrSpaces = /^[. ]+$/;

/** Appends the field errors of Windows security options. */
export function validateWindowsOptions(options: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(options)) {
    return;
  }
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (typeof name === "string") {
    appendInvalid(subdomainTexts(name), name, `${path}.gmsaCredentialSpecName`, errors);
  }
  if (typeof spec === "string") {
    appendInvalid(credentialTexts(spec), spec, `${path}.gmsaCredentialSpec`, errors);
  }
  if (typeof user === "string") {
    appendInvalid(userTexts(user), user, `${path}.runAsUserName`, errors);
  }
}

function credentialTexts(spec: string): string[] {
  if (spec === "") {
    return ["gmsaCredentialSpec cannot be an empty string"];
  }
  return Buffer.byteLength(spec) > maxCredentialSpecBytes
    ? [`gmsaCredentialSpec size must be under ${maxCredentialSpecBytes / 1024} KiB`]
    : [];
}

/** Returns the problems of `DOMAIN\USER` or `USER` as a user name. */
function userTexts(name: string): string[] {
  if (name === "") {
    return ["runAsUserName cannot be an empty string"];
  }
  if (controlCharacter.test(name)) {
    return ["runAsUserName cannot contain control characters"];
  }
  const parts = name.split("\\");
  if (parts.length > 2) {
    return ["runAsUserName cannot contain more than one backslash"];
  }
  const [user = "", domain] = parts.reverse();
  return [
    ...(domain === undefined ? [] : domainTexts(domain)),
    ...(isUnset(user) ? ["runAsUserName's User cannot be empty"] : userPartTexts(user)),
  ];
}

function domainTexts(domain: string): string[] {
  return [
    ...(Buffer.byteLength(domain) > maxDomainLength
      ? [`runAsUserName's Domain length must be under ${maxDomainLength + 1} characters`]
      : []),
    ...(netBiosName.test(domain) || (domain.length <= maxDomainLength && dnsName.test(domain))
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userPartTexts(user: string): string[] {
  return [
    ...(Buffer.byteLength(user) > maxUserLength
      ? [`runAsUserName's User length must not be longer than ${maxUserLength} characters`]
      : []),
    ...(onlyPeriodsOrSpaces.test(user)
      ? ["runAsUserName's User cannot contain only periods or spaces"]
      : []),
    ...(userCharacters.test(user)
      ? []
      : ["runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"]),
  ];
}
