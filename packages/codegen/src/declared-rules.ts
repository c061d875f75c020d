/** Rules that types declare, by the names that upstream's validation-gen has for them. */
const names = new Set(
  `customUnique customValidation declarativeValidationNative dependentForbidden dependentRequired enum forbidden format
   immutable isSubresource listMapKey listType maxBytes maxItems maxLength maximum minimum modeDiscriminator monotonic neq opaqueType
   optional required supportsSubresource unionDiscriminator unionMember unique update zeroOrOneOfMember`.split(
    /\s+/,
  ),
);

/** What stands before a rule: its stage, and where or when it holds. */
const prefix = /^(alpha|beta|eachKey|eachVal|ifDisabled|ifEnabled|ifMode|item|subfield)(\(.*?\))?=/;

/**
 * Refuses a rule that nobody has looked at: what it means to our servers and types has to be decided first.
 *
 * @param field - whose it is, for the message.
 */
export function assertKnownRule(text: string, field: string): void {
  let rule = text;
  while (prefix.test(rule)) {
    rule = rule.replace(prefix, "");
  }
  const [name = ""] = /^\w+/.exec(rule) ?? [];
  if (!names.has(name)) {
    throw new Error(`the rule "${text}" of the field ${field} is not known`);
  }
}
