const unseen =
  "an empty list or map is the same as none by the time the embedded server looks for faults";

/** Wrong objects that the embedded server still answers otherwise than a real one, each with the reason. */
export const remaining: Readonly<Record<string, string>> = {
  'PersistentVolume {"spec.capacity":{}}': unseen,
  'Ingress {"spec.rules":[]}': unseen,
};
