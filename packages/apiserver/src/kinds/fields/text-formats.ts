import { ipTexts } from "../../phases/validate/addresses.js";
import {
  dataKeyTexts,
  labelTexts,
  labelValueTexts,
  pathSegmentTexts,
  portNameTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "../../phases/validate/name-texts.js";

const variableNameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const sysctl = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctl);
const maxSysctlLength = 253;

/** Problems of texts by the name of their format, with the messages of upstream's hand-written code. */
export const textFormats: Readonly<Record<string, (text: string) => string[]>> = {
  dataKey: dataKeyTexts,
  ip: ipTexts,
  label: labelTexts,
  labelValue: labelValueTexts,
  pathSegment: pathSegmentTexts,
  portName: portNameTexts,
  qualifiedName: qualifiedNameTexts,
  subdomain: subdomainTexts,
  sysctl: (text) =>
    text.length > maxSysctlLength || !sysctlPattern.test(text)
      ? [`must have at most ${maxSysctlLength} characters and match regex ${sysctl}`]
      : [],
  variableName: (text) => (/^[ -<>-~]+$/.test(text) ? [] : [variableNameText]),
};
