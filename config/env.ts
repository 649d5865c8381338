import { postgresUrl } from "./env-database.ts";
import { certificateFile, credentialsFile, privateKeyFile, settingOf } from "./env-files.ts";
import { faultsTogether } from "./env-together.ts";
import { TRACING_VARIABLES } from "./env-tracing.ts";
import {
  addressRange,
  encryptionKey,
  folder,
  host,
  list,
  natsUrl,
  oneOf,
  origin,
  rateLimits,
  ratePolicy,
  secretWord,
  subjectWord,
  webAddress,
  wholeNumber,
  withoutPassword,
} from "./env-values.ts";
import { optional, type Variable, type VariableWithDefault, withDefault } from "./env-variable.ts";
import { serviceList } from "./service-folders.ts";

export type { RateLimits, RatePolicy } from "./env-values.ts";

const PORTS = wholeNumber(1, 65_535);
const DAYS_MAX = 3650;
const SECONDS_PER_YEAR = 31_536_000;

/**
 * Every environment variable that the server reads. The table of the README is made from it.
 * docs/guides/settings.md
 */
const VARIABLES = {
  port: withDefault({ name: "PORT", kind: PORTS, default: "3000", meaning: "port of the gateway" }),
  host: withDefault({ name: "HOST", kind: host, default: "127.0.0.1", meaning: "address the gateway listens on" }),
  publicUrl: withDefault({
    name: "PUBLIC_URL",
    kind: origin,
    default: "http://localhost:{PORT}",
    meaning: "base of all links in answers",
  }),
  databaseUrl: optional({
    name: "DATABASE_URL",
    mayBeFile: true,
    kind: postgresUrl,
    meaning: "PostgreSQL 15 or later; unset: an embedded PostgreSQL in `DATA_DIR`",
  }),
  databasePool: withDefault({
    name: "DATABASE_POOL",
    kind: wholeNumber(4, 100),
    default: "12",
    meaning:
      "maximum number of connections of a process for writes and filters; reads and background work have a few of their own",
  }),
  migrations: withDefault({
    name: "MIGRATIONS",
    kind: oneOf(["apply", "wait"]),
    default: "apply",
    meaning: "applies missing migrations at the start, or waits until `migrate` has applied them; with `DATABASE_URL`",
  }),
  dataDir: withDefault({
    name: "DATA_DIR",
    kind: folder,
    default: ".data",
    meaning: "folder for the data of the embedded PostgreSQL",
  }),
  natsUrls: optional({
    name: "NATS_URL",
    mayBeFile: true,
    kind: list(natsUrl, "nats://HOST:PORT or tls://HOST:PORT, one or several, comma separated"),
    meaning: "the bus between processes; unset: everything in one process, no bus",
  }),
  natsCreds: optional({
    name: "NATS_CREDS",
    kind: credentialsFile,
    meaning: "credentials (JWT and seed) for NATS, instead of user and password in `NATS_URL`",
  }),
  natsCa: optional({
    name: "NATS_CA",
    kind: certificateFile,
    meaning:
      "certificate of the authority that signs the certificate of NATS, with `tls://`; unset: the authorities that Node.js knows",
  }),
  natsCert: optional({
    name: "NATS_CERT",
    kind: certificateFile,
    meaning: "certificate that this process shows NATS, with `NATS_KEY`",
  }),
  natsKey: optional({ name: "NATS_KEY", kind: privateKeyFile, meaning: "private key of `NATS_CERT`" }),
  namespace: withDefault({
    name: "NAMESPACE",
    kind: subjectWord,
    default: "contact-workspace",
    meaning: "name that separates installations on one NATS",
  }),
  services: optional({
    name: "SERVICES",
    kind: serviceList(),
    meaning: "service folders that this process runs; unset: all",
  }),
  rateLimits: withDefault({
    name: "RATE_LIMITS",
    kind: rateLimits({ default: { quota: 600, windowS: 60 }, burst: { quota: 20, windowS: 2 } }),
    default: "default=600/60,burst=20/2",
    unit: "requests/seconds",
    meaning: "rate limit per user and policy",
  }),
  authFailures: withDefault({
    name: "AUTH_FAILURES",
    kind: ratePolicy,
    default: "600/60",
    unit: "requests/seconds",
    meaning: "requests without a valid key that one address can send; they get 401, and further ones 429",
  }),
  trustedProxies: optional({
    name: "TRUSTED_PROXIES",
    kind: list(addressRange, "CIDR ranges like 10.0.0.0/8, comma separated"),
    meaning: "proxies whose `X-Forwarded-For` the server believes; unset: none",
  }),
  idempotencyTtlS: withDefault({
    name: "IDEMPOTENCY_TTL_S",
    kind: wholeNumber(1, SECONDS_PER_YEAR),
    default: "86400",
    unit: "seconds",
    meaning: "time for which a finished idempotency key is kept",
  }),
  historyDays: withDefault({
    name: "HISTORY_DAYS",
    kind: wholeNumber(1, DAYS_MAX),
    default: "90",
    unit: "days",
    meaning: "time for which the history of a record is kept, and what can be undone",
  }),
  trashDays: withDefault({
    name: "TRASH_DAYS",
    kind: wholeNumber(1, DAYS_MAX),
    default: "30",
    unit: "days",
    meaning: "time for which a deleted record can be restored",
  }),
  backupAgeMaxS: withDefault({
    name: "BACKUP_AGE_MAX_S",
    kind: wholeNumber(1, SECONDS_PER_YEAR),
    default: "172800",
    unit: "seconds",
    meaning: "age from which on the last backup is too old, for `doctor` and the alert",
  }),
  encryptionKeys: optional({
    name: "ENCRYPTION_KEYS",
    mayBeFile: true,
    kind: list(encryptionKey, `${encryptionKey.allowed}, one or several, comma separated`),
    meaning:
      "keys for secrets that are stored: the first encrypts, all decrypt; unset: a key in `DATA_DIR`, and with `DATABASE_URL` none",
    isSecret: true,
  }),
  webhookAllow: optional({
    name: "WEBHOOK_ALLOW",
    kind: list(addressRange, "CIDR ranges like 127.0.0.2/32, comma separated"),
    meaning: "address ranges that webhooks may reach besides public ones",
  }),
  webhookRetryWaitsS: withDefault({
    name: "WEBHOOK_RETRY_WAITS_S",
    kind: list(wholeNumber(0, SECONDS_PER_YEAR), `whole numbers from 0 to ${SECONDS_PER_YEAR}, comma separated`),
    default: "5,300,1800,7200,18000,36000,50400,72000,86400",
    unit: "seconds",
    meaning: "waits between the attempts of a webhook delivery",
  }),
  enrichmentProvider: withDefault({
    name: "ENRICHMENT_PROVIDER",
    kind: oneOf(["none", "http"]),
    default: "none",
    meaning: "provider of data for enrichments",
  }),
  enrichmentUrl: optional({
    name: "ENRICHMENT_URL",
    kind: webAddress,
    meaning: "address to which the provider `http` posts people; required with it",
  }),
  enrichmentToken: optional({
    name: "ENRICHMENT_TOKEN",
    mayBeFile: true,
    kind: secretWord,
    meaning: "sent to `ENRICHMENT_URL` as `Authorization: Bearer`; unset: no such header",
    isSecret: true,
  }),
  logLevel: withDefault({
    name: "LOG_LEVEL",
    kind: oneOf(["fatal", "error", "warn", "info", "debug", "trace"]),
    default: "info",
    meaning: "lowest level that is logged",
  }),
  accessLog: withDefault({
    name: "ACCESS_LOG",
    kind: oneOf(["auto", "on", "off"]),
    default: "auto",
    meaning: "writes one line for each request to standard output; `auto`: unless that is a terminal",
  }),
  metricsPort: optional({
    name: "METRICS_PORT",
    kind: PORTS,
    meaning: "port of `/metrics` (Prometheus), `/livez` and `/readyz` of this process; unset: off",
  }),
  ...TRACING_VARIABLES,
  eventLoopGuardMs: optional({
    name: "EVENT_LOOP_GUARD_MS",
    kind: wholeNumber(1, 10_000),
    unit: "milliseconds",
    meaning: "for development: logs requests that hold the event loop for longer than this; unset: off",
  }),
};

type Variables = typeof VARIABLES;
type Parsed<V> =
  V extends VariableWithDefault<infer Value> ? Value : V extends Variable<infer Value> ? Value | undefined : never;

/** The checked environment, by the names the code uses. */
export type Env = { [Name in keyof Variables]: Parsed<Variables[Name]> };

/**
 * Reads and checks all variables; an empty one counts as not set.
 * @throws Error whose message has one line per wrong variable: its name, its value and what is allowed
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const faults: string[] = [];
  const values = new Map<string, unknown>();
  for (const [name, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const set = settingOf(variable, source);
    const text = set.text ?? defaultOf(variable, values.get("port"));
    const value = text === undefined ? undefined : variable.kind.parse(text);
    if (value !== undefined) values.set(name, value);
    // Only a variable that was set can be wrong: a wrong PORT also makes the default of PUBLIC_URL wrong.
    else if (set.text !== undefined) faults.push(fault(variable, set.text, set.isFile));
    if (set.fault !== undefined) faults.push(set.fault);
  }
  faults.push(...faultsTogether(values, source));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  // Every name with a default has a value now; the types of the values are those of the table.
  return Object.fromEntries(values) as unknown as Env;
}

/** The names of all variables that are read. */
export function envNames(): string[] {
  return Object.values<Variable<unknown>>(VARIABLES).flatMap(({ name, mayBeFile }) =>
    mayBeFile ? [name, `${name}_FILE`] : [name],
  );
}

/** The table of the README, in Markdown. */
export function envTable(): string {
  const rows = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const standard = defaultOf(variable, "{PORT}");
    const file = variable.mayBeFile ? `; or \`${variable.name}_FILE\`, a file that holds it` : "";
    const cells = [
      `\`${variable.name}\``,
      variable.meaning + file,
      variable.kind.allowed,
      standard ? `\`${standard}\`` : "",
      variable.unit ?? "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| Name | Meaning | Allowed | Default | Unit |", "|---|---|---|---|---|", ...rows].join("\n");
}

function defaultOf(variable: Variable<unknown>, port: unknown): string | undefined {
  if (!("default" in variable)) return undefined;
  return String(variable.default).replace("{PORT}", String(port));
}

/** @param isFile whether it was read from a file, whose text is not shown: it may be any, and is meant to be secret */
function fault(variable: Variable<unknown>, text: string, isFile = false): string {
  const shown =
    variable.isSecret || isFile ? "not a value that is allowed" : JSON.stringify(withoutPassword(text)).slice(0, 200);
  const reason = variable.kind.fault?.(text);
  const standard = defaultOf(variable, "{PORT}");
  return `${variable.name} is ${shown}${reason === undefined ? "" : `: it ${reason}`}. Allowed: ${variable.kind.allowed}${standard ? ` (default ${standard})` : ""}.`;
}
