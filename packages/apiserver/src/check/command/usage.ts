import { checkedVersions } from "../options/check-options.js";
import { reportFormats } from "../report/create-report.js";

/** Output of `--help`. */
export const checkUsage: string = `Usage: typekube check PATH... [options]
       typekube check --from-cluster --snapshot FILE

Checks manifests as a Kubernetes API server would, without one. PATH is a file, a folder with .yaml, .yml and .json
files, a pattern such as 'deploy/**/*.yaml', or - for standard input.

Options:
  --version 1.N            release to check for, ${checkedVersions[0]} to ${checkedVersions.at(-1)}, or several: 1.33..1.37; default: ${checkedVersions.at(-1)}
  --crds PATH              CustomResourceDefinitions in addition to those of the input; can be repeated
  --policies PATH          admission policies, bindings, params and namespaces; can be repeated
  --against PATH|git:REF   the manifests before the change: a folder, or a revision of this repository
  --snapshot FILE          the release, kinds, definitions, policies and namespaces of a cluster, as --from-cluster wrote them
  --from-cluster           write the snapshot of a cluster, then check PATH, if there is any
  --kubeconfig FILE        cluster of --from-cluster; default: as kubectl
  --context NAME           default: the current one
  --namespace NAME         namespace of objects that name none; default: default
  --pod-security LEVEL     baseline or restricted, for namespaces without a level of their own
  --references             warn of references to objects that are not in the input
  --allow-unknown GROUP    skip unknown kinds of a group, such as '*.example.com'; can be repeated
  --skip-non-manifests     skip documents without apiVersion and kind
  --ignore PATTERN         leave out paths; can be repeated
  --redact FIELD           never print the values of fields, such as 'spec.*password*'; can be repeated
  --output FORMAT[=FILE]   ${reportFormats.join(", ")}; can be repeated; default: text
  --lifecycle FILE         versions that are deprecated or removed beyond those of Kubernetes; can be repeated
  --fix                    rewrite removed and deprecated versions in the files, where all fields stay the same
  --fail-on SEVERITY       error or warning; default: error
  --max-warnings N         fail with more warnings
  --config FILE            configuration; default: the nearest typekube.check.yaml
  --no-config              read no configuration
  --explain-coverage       print which validations of built-in kinds are not covered, and check nothing
  --help                   show this text

Exit codes: 0 no errors, 1 errors, 2 invalid command line or nothing to check, 3 the check itself failed.
`;
