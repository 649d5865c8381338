import { afterAll, describe, expect, it } from "@jest/globals";
import { slips } from "../../cli/start-notices.ts";
import { envNames, envTable, readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { testFolder } from "../support/folder.ts";

/** The message of the fault, or undefined when the variables are fine. */
function faultOf(source: Record<string, string>): string | undefined {
  try {
    readEnv(source);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the environment", () => {
  it("has the defaults that the README tells (docs/guides/settings.md)", () => {
    expect(readEnv({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://localhost:3000",
      rateLimits: { default: { quota: 600, windowS: 60 }, burst: { quota: 20, windowS: 2 } },
      authFailures: { quota: 600, windowS: 60 },
      idempotencyTtlS: 86_400,
      webhookRetryWaitsS: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      logLevel: "info",
    });
    const { databaseUrl, natsUrls, services, trustedProxies, webhookAllow, metricsPort } = readEnv({});
    expect([databaseUrl, natsUrls, services, trustedProxies, webhookAllow, metricsPort]).toEqual(
      Array(6).fill(undefined),
    );
    expect(readEnv({}).dataDir).toMatch(/[/\\]\.data$/);
  });

  it("takes an empty variable for one that is not set", () => {
    expect(readEnv({ PORT: "", NATS_URL: "", RATE_LIMITS: "" })).toEqual(readEnv({}));
  });

  it("makes PUBLIC_URL from PORT unless it is set", () => {
    expect(readEnv({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
    expect(readEnv({ PORT: "8080", PUBLIC_URL: "https://crm.acme.test/" }).publicUrl).toBe("https://crm.acme.test");
  });

  it("takes a service that is named twice once", () => {
    expect(readEnv({ SERVICES: "people, groups,people", NATS_URL: "nats://bus:4222" }).services).toEqual([
      "people",
      "groups",
      "workspaces",
      "changes",
    ]);
  });

  it.each([
    ["off", "off"],
    ["default=30/60,burst=20/2", { default: { quota: 30, windowS: 60 }, burst: { quota: 20, windowS: 2 } }],
    ["burst=1/1, default=9/10", { default: { quota: 9, windowS: 10 }, burst: { quota: 1, windowS: 1 } }],
    ["default=5/10", { default: { quota: 5, windowS: 10 }, burst: { quota: 20, windowS: 2 } }],
  ])("reads RATE_LIMITS %s", (text, limits) => {
    expect(readEnv({ RATE_LIMITS: text }).rateLimits).toEqual(limits);
  });

  it("reads AUTH_FAILURES", () => {
    expect(readEnv({ AUTH_FAILURES: "5/10" }).authFailures).toEqual({ quota: 5, windowS: 10 });
    expect(readEnv({ AUTH_FAILURES: "off" }).authFailures).toBe("off");
  });

  it("reads lists, with blanks after their commas", () => {
    expect(
      readEnv({
        NATS_URL: "nats://a:4222, tls://user:pass@b:4222",
        WEBHOOK_ALLOW: "127.0.0.2/32, fd00::/8",
        TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8",
        WEBHOOK_RETRY_WAITS_S: "0, 1,2",
      }),
    ).toMatchObject({
      natsUrls: ["nats://a:4222", "tls://user:pass@b:4222"],
      webhookAllow: ["127.0.0.2/32", "fd00::/8"],
      trustedProxies: ["10.0.0.0/8", "fd00::/8"],
      webhookRetryWaitsS: [0, 1, 2],
    });
  });

  it.each([
    "postgresql://cw@db/contacts",
    "postgres://u:p%23@db:5432/contacts?sslmode=verify-full",
    "postgresql://cw@%2Ftmp%2Fsocket:5433/contacts",
    "postgresql://u:pw@h1:5432,h2:5433,[::1]:5434/db?target_session_attrs=read-write",
    "postgresql://u@/db?host=h1,h2&port=5433&target_session_attrs=primary&connect_timeout=3",
  ])("takes the PostgreSQL address %s", (url) => {
    expect(readEnv({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ["target_session_attrs=standby", /has target_session_attrs=standby, which is none of any, read-write, primary/],
    ["load_balance_hosts=random", /has load_balance_hosts=random, but all connections go to the one/],
    ["connect_timeout=soon", /has connect_timeout=soon, which is not a whole number of seconds/],
    ["port=1,2,3", /has a host or port that cannot be read/],
  ])("refuses %s in an address of several hosts", (parameter, words) => {
    expect(() => readEnv({ DATABASE_URL: `postgresql://u@h1,h2/db?${parameter}` })).toThrow(words);
  });

  it("refuses a list of hosts with an empty one, or with a port that there is not", () => {
    for (const hosts of ["h1,", "h1:1,h2:70000", "h1:x,h2"])
      expect(() => readEnv({ DATABASE_URL: `postgresql://u@${hosts}/db` })).toThrow(/host or port that cannot be read/);
  });

  it.each(["prefer", "require", "verify-ca"])("looks at the certificate of PostgreSQL with sslmode=%s too", (mode) => {
    const url = (name: string) => `postgresql://u@db/contacts?sslmode=${name}&application_name=x`;
    expect(readEnv({ DATABASE_URL: url(mode) }).databaseUrl).toBe(url("verify-full"));
  });

  it.each(["p/w", "p#w", "1/w@x", "p?w@x", "p%w", "50%"])(
    "refuses an odd character in the password that is not written as %%40: %s",
    (password) => {
      expect(() => readEnv({ DATABASE_URL: `postgresql://u:${password}@db/contacts` })).toThrow(/%40 for @/);
    },
  );

  it("refuses some services without a bus", () => {
    expect(() => readEnv({ SERVICES: "people" })).toThrow(
      /^SERVICES leaves out changes, companies, .* but NATS_URL is not set/,
    );
    expect(readEnv({ SERVICES: serviceFolders().join(",") }).services?.sort()).toEqual(serviceFolders());
  });

  it("runs workspaces and changes wherever groups is named, and nothing more with workspaces", () => {
    const NATS_URL = "nats://127.0.0.1:4222";
    expect(readEnv({ SERVICES: "groups,people", NATS_URL }).services).toEqual([
      "groups",
      "workspaces",
      "changes",
      "people",
    ]);
    expect(readEnv({ SERVICES: "workspaces", NATS_URL }).services).toEqual(["workspaces"]);
  });

  it.each([
    ["PORT", ["0", "65536", "-1", "3000.5", "0x10", "abc", " 80", "1e3"]],
    ["HOST", ["a b", "http://localhost", "127.0.0.1:3000", "-x"]],
    ["PUBLIC_URL", ["localhost:3000", "//a", "ftp://a", "http://a/path", "http://a?x=1", "http://a/#x", "http://"]],
    ["DATABASE_URL", ["localhost/contacts", "mysql://a/b", "postgresql:contacts"]],
    ["NATS_URL", ["localhost:4222", "http://a:4222", "nats://a:4222,", "nats://a/x", "nats://"]],
    ["NAMESPACE", ["a.b", "a b", "*", "x".repeat(41)]],
    ["SERVICES", ["nobody", "people,nobody", ",", "../people", "people.service.ts"]],
    [
      "RATE_LIMITS",
      [
        "on",
        "600/60",
        "default=600",
        "default=0/60",
        "default=1/0",
        "default=a/b",
        "default=1/1,default=2/2",
        "other=1/1",
        "default=1/99999",
        "default=-1/5",
      ],
    ],
    ["AUTH_FAILURES", ["on", "600", "default=600/60", "0/60", "1/0", "-1/5", "1/99999", "1/1,2/2"]],
    ["TRUSTED_PROXIES", ["10.0.0.1", "10.0.0.0/33", "proxy/8", "loopback"]],
    ["IDEMPOTENCY_TTL_S", ["0", "-5", "1d", "99999999999"]],
    ["WEBHOOK_ALLOW", ["127.0.0.1", "127.0.0.1/33", "::1/129", "10.0.0/8", "localhost/8", "1.2.3.4/8,"]],
    ["WEBHOOK_RETRY_WAITS_S", ["5,", "a", "-1", "1;2", "1.5"]],
    ["ENRICHMENT_PROVIDER", ["clearbit", "HTTP", "http,none"]],
    ["ENRICHMENT_URL", ["localhost:3000", "ftp://a", "//a/b", "http://", "http://a/#x", "http://a b"]],
    ["LOG_LEVEL", ["verbose", "INFO", "0"]],
    ["METRICS_PORT", ["0", "x", "70000"]],
    ["BACKUP_AGE_MAX_S", ["0", "2d", "-1"]],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", ["collector:4318", "ftp://a", "http://", "http://a/#x", "grpc://a:4317"]],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", ["grpc", "http/json", "http"]],
    ["OTEL_SERVICE_NAME", [" a", "a ", "a\nb", "x".repeat(101)]],
    ["OTEL_RESOURCE_ATTRIBUTES", ["a", "a=", "=b", "a=b,", "a=%zz", "a=%ff", "a b=c"]],
    ["OTEL_TRACES_SAMPLER", ["always", "ratio", "jaeger_remote", "traceidratio,always_on"]],
    ["OTEL_TRACES_SAMPLER_ARG", ["1.1", "-1", "50%", "1e-3", ".5"]],
  ])("refuses wrong values of %s in one line that names it, the value and what is allowed", (name, values) => {
    for (const value of values) {
      const fault = faultOf({ [name]: value });
      expect(fault).toContain(`${name} is ${JSON.stringify(value)}`);
      expect(fault).toContain("Allowed: ");
      expect(fault?.split("\n")).toHaveLength(1);
    }
  });

  it("names every wrong variable, one line each", () => {
    const lines = faultOf({ PORT: "x", LOG_LEVEL: "x", RATE_LIMITS: "x" })?.split("\n");
    expect(lines?.map((line) => line.split(" ")[0])).toEqual(["PORT", "RATE_LIMITS", "LOG_LEVEL"]);
  });

  it("keeps the port of the probes apart from the gateway's", () => {
    expect(faultOf({ PORT: "4000", METRICS_PORT: "4000" })).toContain("METRICS_PORT is 4000");
  });

  it("reads what OpenTelemetry lists as it does (docs/guides/monitoring.md#opentelemetry)", () => {
    const source = {
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production, note=a%2Cb%20c",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc=",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.01",
    };
    expect(readEnv(source)).toMatchObject({
      otelResourceAttributes: { "deployment.environment.name": "production", note: "a,b c" },
      otelHeaders: { authorization: "Basic abc=" },
      otelSamplerArg: 0.01,
    });
    expect(readEnv({}).otelEndpoint).toBeUndefined();
    expect(faultOf({ OTEL_EXPORTER_OTLP_HEADERS: "s3cret" })).not.toContain("s3cret");
  });

  it("refuses a part of the traces for a sampler that takes none", () => {
    expect(faultOf({ OTEL_TRACES_SAMPLER_ARG: "0.01" })).toMatch(/^OTEL_TRACES_SAMPLER_ARG is set, but .*parentbased_/);
  });

  it("waits for migrations of a database that another process can migrate only", () => {
    expect(faultOf({ MIGRATIONS: "wait" })).toContain("DATABASE_URL is not set");
    expect(faultOf({ MIGRATIONS: "wait", DATABASE_URL: "postgresql://here/contacts" })).toBeUndefined();
  });

  it("wants the address of a provider that is asked over HTTP", () => {
    expect(faultOf({ ENRICHMENT_PROVIDER: "http" })).toContain("ENRICHMENT_URL is not set");
    expect(faultOf({ ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL: "" })).toContain("ENRICHMENT_URL is not set");
    const ENRICHMENT_URL = "https://enrich.acme.test/people?mail=a@b";
    expect(readEnv({ ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL, ENRICHMENT_TOKEN: "s3cret" })).toMatchObject({
      enrichmentProvider: "http",
      enrichmentUrl: ENRICHMENT_URL,
      enrichmentToken: "s3cret",
    });
    expect(readEnv({}).enrichmentProvider).toBe("none");
  });

  it("never shows a secret that is of no use", () => {
    for (const wrong of ["s3 cret", "s3cret\n", "s3crét", "x".repeat(4001)]) {
      expect(faultOf({ ENRICHMENT_TOKEN: wrong })).toBe(
        "ENRICHMENT_TOKEN is not a value that is allowed. Allowed: 1 to 4000 visible ASCII characters without blanks.",
      );
    }
  });

  it("never shows the password of an address", () => {
    const addresses = {
      DATABASE_URL: "mysql://u:secret@db/x",
      NATS_URL: "http://u:secret@b:4222",
      PUBLIC_URL: "http://u:secret@a",
      ENRICHMENT_URL: "http://u:secret@a",
    };
    expect(faultOf(addresses)?.split("\n")).toHaveLength(4);
    expect(faultOf(addresses)).not.toContain("secret");
  });

  it.each([
    ["cw:secret@db/contacts", "does not begin with postgresql://"],
    ["postgresql:/cw:secret@db/contacts", "does not begin with postgresql://"],
    ["postgress://cw:secret@db/contacts", "does not begin with postgresql://"],
    ["host=db user=cw password=secret", "does not begin with postgresql://"],
    ["postgresql://cw:secret/contacts", "has a host or port that cannot be read"],
    ["postgresql://cw:sec#ret@db/contacts", "or an odd character in USER or PASSWORD"],
    ["postgresql://db/c?user=cw&password=secret&sslmode=on", "has sslmode=on, which is none of disable"],
    ["postgresql://cw:secret@db/c?sslmod=require", "has the parameter sslmod, which is none of sslmode"],
  ])("says what is wrong with an address, and not its password: %s", (url, said) => {
    const fault = faultOf({ DATABASE_URL: url });
    expect(fault).toContain(said);
    expect(fault?.replace("PASSWORD", "")).not.toMatch(/secret|sec#ret/);
    expect(fault).not.toContain("\n");
  });

  it("tells of a variable whose name is nearly that of a setting", () => {
    const source = {
      DATABSE_URL: "x",
      METRIC_PORT: "1",
      NATS_PORT: "tcp://10.0.0.1:4222",
      PORTS: "1",
      DATABASE_USER: "x",
      PORT: "1",
    };
    expect(slips(envNames(), source)).toEqual([
      { name: "DATABSE_URL", meant: "DATABASE_URL" },
      { name: "METRIC_PORT", meant: "METRICS_PORT" },
    ]);
  });

  it("reads ENCRYPTION_KEYS in base64, in that of URLs and in hexadecimal", () => {
    const bytes = Buffer.from("fb".repeat(32), "hex");
    const texts = [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex").toUpperCase()];
    expect(readEnv({ ENCRYPTION_KEYS: texts.join(", ") }).encryptionKeys).toEqual([bytes, bytes, bytes]);
  });

  it.each([31, 33, 0])("refuses an encryption key of %i bytes, and does not show it", (count) => {
    for (const form of ["base64", "hex"] as const) {
      const text = `${Buffer.alloc(32, 7).toString("base64")},${Buffer.alloc(count, 0xab).toString(form)}`;
      const fault = faultOf({ ENCRYPTION_KEYS: text });
      expect(fault).toMatch(/^ENCRYPTION_KEYS is not a value that is allowed. Allowed: 32 bytes/);
      expect(fault).not.toContain("BwcH");
      expect(fault).not.toMatch(/abab|q6ur/);
    }
  });

  it("refuses to encrypt with the key that the guide once showed, and still decrypts with it", () => {
    const published = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const own = Buffer.alloc(32, 7).toString("base64");
    for (const text of [published, `${published},${own}`, Buffer.from(published, "base64").toString("hex")])
      expect(faultOf({ ENCRYPTION_KEYS: text })).toMatch(/^ENCRYPTION_KEYS begins with the example of the guide/);
    expect(readEnv({ ENCRYPTION_KEYS: `${own},${published}` }).encryptionKeys).toHaveLength(2);
  });

  it("makes one row of the README's table per variable", () => {
    const rows = envTable().split("\n");
    const names = rows.slice(2).map((row) => /^\| `([A-Z_]+)` \| /.exec(row)?.[1]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["PORT", "DATABASE_URL", "RATE_LIMITS", "METRICS_PORT"]));
    expect(rows.every((row) => row.split(" | ").length === 5 || row.startsWith("|---"))).toBe(true);
    expect(envTable()).toContain("`RATE_LIMITS`");
  });
});

describe("a secret in a file (docs/guides/deploying.md#secrets)", () => {
  const files = testFolder();
  afterAll(() => files.remove());

  it("counts as the variable", () => {
    const DATABASE_URL_FILE = files.write("url", "postgresql://cw:pass@db/contacts\n");
    const ENCRYPTION_KEYS_FILE = files.write("keys", `${Buffer.alloc(32, 1).toString("base64")}\n`);
    const NATS_URL_FILE = files.write("nats", "nats://user:pass@a:4222\n");
    const env = readEnv({ DATABASE_URL_FILE, ENCRYPTION_KEYS_FILE, NATS_URL_FILE });
    expect(env.databaseUrl).toBe("postgresql://cw:pass@db/contacts");
    expect(env.encryptionKeys).toEqual([Buffer.alloc(32, 1)]);
    expect(env.natsUrls).toEqual(["nats://user:pass@a:4222"]);
  });

  it("is told by its name when it is not there, empty, wrong, or set twice, and never by its text", () => {
    const empty = files.write("empty", "\n");
    const wrong = files.write("wrong", "topsecret");
    expect(faultOf({ DATABASE_URL_FILE: "/nowhere" })).toBe(
      'DATABASE_URL_FILE is "/nowhere", which cannot be read (ENOENT).',
    );
    expect(faultOf({ ENCRYPTION_KEYS_FILE: empty })).toBe(`ENCRYPTION_KEYS_FILE is "${empty}", which is empty.`);
    expect(faultOf({ ENCRYPTION_KEYS_FILE: wrong })).toMatch(/^ENCRYPTION_KEYS is not a value that is allowed/);
    expect(faultOf({ ENCRYPTION_KEYS_FILE: wrong })).not.toContain("topsecret");
    expect(faultOf({ NATS_URL: "nats://a:4222", NATS_URL_FILE: wrong })).toBe(
      "NATS_URL and NATS_URL_FILE are both set. Set one of them.",
    );
  });
});

describe("TLS to the database (docs/guides/deploying.md#tls-to-the-database)", () => {
  it.each([
    ["postgresql://cw:p%3F@db/contacts", "postgresql://cw:p%3F@db/contacts"],
    ["postgresql://cw@db/contacts?sslmode=disable", "postgresql://cw@db/contacts?sslmode=disable"],
    ["postgresql://cw@db/contacts?sslmode=require", "postgresql://cw@db/contacts?sslmode=verify-full"],
    ["postgresql://cw@db/c?a=b&sslmode=prefer", "postgresql://cw@db/c?a=b&sslmode=verify-full"],
    ["postgresql://cw@db/c?sslmode=verify-ca", "postgresql://cw@db/c?sslmode=verify-full"],
    [
      "postgresql://cw@db/c?sslmode=verify-ca&sslrootcert=/ca.pem",
      "postgresql://cw@db/c?sslmode=verify-ca&uselibpqcompat=true&sslrootcert=/ca.pem",
    ],
    ["postgresql://cw@db/c?sslrootcert=system&sslmode=verify-full", "postgresql://cw@db/c?sslmode=verify-full"],
    ["postgresql://cw@db/c?sslmode=no-verify", "postgresql://cw@db/c?sslmode=no-verify"],
    [
      "postgresql://cw@db/c?uselibpqcompat=true&sslmode=require",
      "postgresql://cw@db/c?uselibpqcompat=true&sslmode=require",
    ],
  ])("writes %s as the driver understands it", (url, written) => {
    expect(readEnv({ DATABASE_URL: url }).databaseUrl).toBe(written);
  });

  it("refuses a mode that there is not, and names those that there are", () => {
    expect(faultOf({ DATABASE_URL: "postgresql://cw:secret@db/c?sslmode=verify" })).toMatch(
      /^DATABASE_URL is "postgresql:\/\/…@db\/c\?sslmode=verify": it has sslmode=verify, which is none of .*verify-full/,
    );
  });
});
