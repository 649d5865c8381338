import { belongTogether } from "./env-files.ts";
import { faultsOfTracing } from "./env-tracing.ts";
import { isPublished } from "./env-values.ts";
import { missingServices } from "./service-folders.ts";

/**
 * Faults of variables that are valid each by itself: one sentence each.
 * @param values parsed values of the variables that are set or have a default, by the names the code uses
 */
export function faultsTogether(values: ReadonlyMap<string, unknown>, source: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  const port = values.get("metricsPort");
  if (port !== undefined && port === values.get("port"))
    faults.push(`METRICS_PORT is ${port}, which is the port of the gateway too. Choose another one.`);
  if (values.get("enrichmentProvider") === "http" && !source.ENRICHMENT_URL)
    faults.push("ENRICHMENT_PROVIDER is http, but ENRICHMENT_URL is not set. Set it to the address of the provider.");
  if (values.get("migrations") === "wait" && !values.has("databaseUrl"))
    faults.push(
      "MIGRATIONS is wait, but DATABASE_URL is not set, and a start migrates its own database. Set both or none.",
    );
  if (isPublished(values.get("encryptionKeys")))
    faults.push(
      `ENCRYPTION_KEYS begins with the example of the guide, which everybody knows. Put a key before it that "openssl rand -base64 32" prints, run "encryption rotate", then take the example out.`,
    );
  const alone = missingServices(values.get("services") as string[] | undefined);
  if (alone.length > 0 && !values.has("natsUrls"))
    faults.push(
      `SERVICES leaves out ${alone.join(", ")}, but NATS_URL is not set, so this process would not find them. Set NATS_URL, or leave SERVICES out to run all in one process.`,
    );
  return [...faults, ...faultsOfTracing(values), ...faultsOfNats(values)];
}

/** Variables that count with `tls://` alone. */
const OF_TLS = { natsCa: "NATS_CA", natsCert: "NATS_CERT", natsKey: "NATS_KEY" };

/**
 * Settings of NATS that are of no use without others are a mistake: the connection would be less safe than it looks.
 */
function faultsOfNats(values: ReadonlyMap<string, unknown>): string[] {
  const [url] = (values.get("natsUrls") ?? []) as string[];
  const faults = Object.entries(OF_TLS)
    .filter(([name]) => values.has(name) && !/^tls:/i.test(url ?? ""))
    .map(([, variable]) => `${variable} is set, but NATS_URL does not begin with tls://, so it would not be used.`);
  if (values.has("natsCreds") && url === undefined)
    faults.push("NATS_CREDS is set, but NATS_URL is not. Set both or none.");
  if (values.has("natsCert") !== values.has("natsKey"))
    faults.push("NATS_CERT and NATS_KEY belong together, but only one of them is set. Set both or none.");
  const [certificate, key] = [values.get("natsCert"), values.get("natsKey")] as (string | undefined)[];
  if (certificate && key && !belongTogether(certificate, key))
    faults.push("NATS_KEY is not the private key of NATS_CERT. Set both to files that were made together.");
  return faults;
}
