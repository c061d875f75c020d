import type { AdmissionPlugin } from "../admission-plugin.js";
import { isExempt, isReview } from "../matching/is-exempt.js";
import { hasAdmissionWebhooks } from "./admission-webhook.js";
import { mutateByWebhooks } from "./mutate-by-webhooks.js";
import { validateByWebhooks } from "./validate-by-webhooks.js";

/**
 * Calls the webhooks of MutatingWebhookConfigurations and ValidatingWebhookConfigurations. (apiserver
 * `MutatingAdmissionWebhook`, `ValidatingAdmissionWebhook`)
 */
export const webhookPlugin: AdmissionPlugin = {
  isActive: ({ store }) => hasAdmissionWebhooks(store),
  mutate(attributes, mutation) {
    const { gates } = mutation.server;
    const isHidden = gates.ExcludeAdmissionWebhookVirtualResources && isReview(attributes);
    return isExempt(attributes) || isHidden
      ? attributes.object
      : mutateByWebhooks(attributes, mutation);
  },
  validate(attributes, scope) {
    const { gates } = scope.server;
    const isHidden = gates.ExcludeAdmissionWebhookVirtualResources && isReview(attributes);
    if (!isExempt(attributes) && !isHidden) {
      validateByWebhooks(attributes, scope);
    }
  },
};
