const domain =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?$/;
const path = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^sha256:[a-f0-9]{64}$|^sha384:[a-f0-9]{96}$|^sha512:[a-f0-9]{128}$/;
const identifier = /^[a-f0-9]{64}$/;
/** Maximum length of a repository path. */
const maxPathLength = 255;

/**
 * Returns the tag of an image: `latest` if it names neither a tag nor a digest. (kubernetes `parsers.ParseImageName`)
 *
 * @returns `undefined` for a digest without a tag and for an invalid image reference, such as one with a scheme.
 */
export function imageTag(image: string): string | undefined {
  if (identifier.test(image)) {
    return undefined;
  }
  const [host, rest] = splitDomain(image);
  const [named = "", ...digests] = rest.split("@");
  const colon = named.indexOf(":");
  const repository = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const [digest] = digests;
  const isReference =
    domain.test(host) &&
    path.test(repository) &&
    repository.length <= maxPathLength &&
    (tag === undefined || tagForm.test(tag)) &&
    digests.length <= 1 &&
    (digest === undefined || digestForm.test(digest));
  return isReference ? (tag ?? (digest === undefined ? "latest" : undefined)) : undefined;
}

/** Splits an image into its registry and the rest of its name. The default registry is Docker Hub. */
function splitDomain(image: string): readonly [host: string, rest: string] {
  const slash = image.indexOf("/");
  if (slash < 0) {
    return ["docker.io", `library/${image}`];
  }
  const first = image.slice(0, slash);
  return first === "localhost" || /[.:]/.test(first) || first !== first.toLowerCase()
    ? [first, image.slice(slash + 1)]
    : ["docker.io", image];
}
