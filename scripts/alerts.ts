// Writes k8s/monitoring/alerts.yaml, the rules of monitoring/rules.yaml for the operator of Prometheus.
// test/house/monitoring.test.ts compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "./options.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "monitoring", "rules.yaml");
const FILE = join(ROOT, "k8s", "monitoring", "alerts.yaml");

/** The rules as a resource of Kubernetes. */
export function prometheusRule(): string {
  const rules = readFileSync(SOURCE, "utf8").replaceAll(/^#.*\n/gm, "");
  return `# For the operator of Prometheus. Written by "npm run alerts" from monitoring/rules.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: contact-workspace
spec:
${rules.replaceAll(/^(?=.)/gm, "  ")}`;
}

if (import.meta.main) {
  readOptions("npm run alerts", {});
  writeFileSync(FILE, prometheusRule());
}
