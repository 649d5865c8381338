import { isIP } from "node:net";
import { resolve } from "node:path";

/**
 * Conversion of the text of an environment variable to a value. `parse` returns undefined for a value that is not
 * allowed.
 */
export interface ValueKind<Value> {
  /** Allowed values, for the README and for the message of a wrong value. */
  allowed: string;
  parse(text: string): Value | undefined;
  /** Fault of a text that is not allowed, in words behind "it" that show no secret. */
  fault?(text: string): string;
}

/** Number of requests allowed in a number of seconds. */
export interface RatePolicy {
  quota: number;
  windowS: number;
}

/** The two policies that hold for each user, or no limits at all. docs/guides/limits.md#rate-limits */
export type RateLimits = { default: RatePolicy; burst: RatePolicy } | "off";

/** A whole number in a range. */
export function wholeNumber(min: number, max: number): ValueKind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = Number(text);
      return /^\d{1,10}$/.test(text) && number >= min && number <= max ? number : undefined;
    },
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueKind<Word> {
  return { allowed: `one of ${words.join(", ")}`, parse: (text) => words.find((word) => word === text) };
}

/** A comma separated list of values of one kind, at least one of them. */
export function list<Value>(each: ValueKind<Value>, allowed: string): ValueKind<Value[]> {
  return {
    allowed,
    parse: (text) => {
      const values: Value[] = [];
      for (const part of text.split(",")) {
        const value = each.parse(part.trim());
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    },
  };
}

/** An address or host name to listen on. */
export const host: ValueKind<string> = {
  allowed: "an IP address or a host name",
  parse: (text) => (isIP(text) !== 0 || isHostName(text) ? text : undefined),
};

/** A folder; relative ones start where the process was started. */
export const folder: ValueKind<string> = {
  allowed: "a folder",
  parse: (text) => (text.includes("\0") ? undefined : resolve(text)),
};

/** A word that can be part of a NATS subject. */
export const subjectWord: ValueKind<string> = {
  allowed: "1 to 40 of a-z, A-Z, 0-9, - and _",
  parse: (text) => (/^[\w-]{1,40}$/.test(text) ? text : undefined),
};

/** Scheme, host and port of a web server; a slash at the end is dropped. */
export const origin: ValueKind<string> = {
  allowed: "http:// or https:// with host and port, without path, query and fragment",
  parse: (text) => {
    const url = withScheme(text, ["http:", "https:"]);
    if (url?.pathname !== "/" || /[?#@\s]/.test(text)) return undefined;
    return text.replace(/\/+$/, "");
  },
};

/** The address of something on the web, with any path and query. */
export const webAddress: ValueKind<string> = {
  allowed: "http:// or https:// with host, port, path and query, without user, password and fragment",
  parse: (text) => {
    const url = withScheme(text, ["http:", "https:"]);
    return url?.hostname && url.username + url.password === "" && !/[#\s]/.test(text) ? url.href : undefined;
  },
};

/** Values by names, as the variables of OpenTelemetry list them: the values are percent-encoded. */
export const namedValues: ValueKind<Record<string, string>> = {
  allowed: "NAME=VALUE, one or several, comma separated; characters like the comma as %2C",
  parse: (text) => {
    const pairs: [string, string][] = [];
    for (const part of text.split(",")) {
      const [, name = "", text = ""] = /^\s*([\w.\-/]+)\s*=\s*([^\s,](?:[^,]*[^\s,])?)\s*$/.exec(part) ?? [];
      const value = decoded(text);
      if (name === "" || value === undefined) return undefined;
      pairs.push([name, value]);
    }
    return Object.fromEntries(pairs);
  },
};

/** The text without percent-encoding; undefined when it cannot be read. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A part of all: 0 to 1. */
export const share: ValueKind<number> = {
  allowed: "a number from 0 to 1",
  parse: (text) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
};

/** A name for people and programs, of one line. */
export const plainName: ValueKind<string> = {
  allowed: "1 to 100 visible ASCII characters",
  parse: (text) => (/^[!-~]([ -~]{0,98}[!-~])?$/.test(text) ? text : undefined),
};

/** A secret that is sent in a header. */
export const secretWord: ValueKind<string> = {
  allowed: "1 to 4000 visible ASCII characters without blanks",
  parse: (text) => (/^[!-~]{1,4000}$/.test(text) ? text : undefined),
};

/** 32 random bytes, in base64 or hexadecimal. */
export const encryptionKey: ValueKind<Buffer> = {
  allowed: "32 bytes in base64 or hexadecimal, as `openssl rand -base64 32` makes them",
  parse: (text) => {
    if (/^[\da-fA-F]{64}$/.test(text)) return Buffer.from(text, "hex");
    return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : undefined;
  },
};

/** The key that the guide once showed as an example: the bytes 0 to 31. */
const PUBLISHED_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

/** Whether the first of the keys, the one that encrypts, is the example of the guide. Further ones only decrypt. */
export function isPublished(keys: unknown): boolean {
  return Array.isArray(keys) && PUBLISHED_KEY.equals(keys[0]);
}

/** The address of one NATS server. */
export const natsUrl: ValueKind<string> = {
  allowed: "nats://HOST:PORT or tls://HOST:PORT",
  parse: (text) => {
    const url = withScheme(text, ["nats:", "tls:"]);
    return url?.hostname && /^\/?$/.test(url.pathname) && !/[?#\s]/.test(text) ? text : undefined;
  },
};

/** A range of addresses in CIDR notation. */
export const addressRange: ValueKind<string> = {
  allowed: "ADDRESS/BITS",
  parse: (text) => {
    const match = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text);
    const version = isIP(match?.[1] ?? "");
    return version !== 0 && Number(match?.[2]) <= (version === 4 ? 32 : 128) ? text : undefined;
  },
};

/** `default=600/60,burst=20/2`; a policy that is not named keeps its default. */
export function rateLimits(defaults: { default: RatePolicy; burst: RatePolicy }): ValueKind<RateLimits> {
  return {
    allowed: "default=REQUESTS/SECONDS,burst=REQUESTS/SECONDS (1 to 1000000000 per 1 to 86400), or off",
    parse: (text) => {
      if (text === "off") return "off";
      const policies = new Map<string, RatePolicy>();
      for (const part of text.split(",")) {
        const [, name, quota, windowS] = /^(default|burst)=(\d{1,10})\/(\d{1,5})$/.exec(part.trim()) ?? [];
        if (name === undefined || policies.has(name)) return undefined;
        policies.set(name, { quota: Number(quota), windowS: Number(windowS) });
      }
      if (![...policies.values()].every(isSensible)) return undefined;
      return { ...defaults, ...Object.fromEntries(policies) };
    },
  };
}

/** `600/60`, which is requests per seconds, or off. */
export const ratePolicy: ValueKind<RatePolicy | "off"> = {
  allowed: "REQUESTS/SECONDS (1 to 1000000000 per 1 to 86400), or off",
  parse: (text) => {
    if (text === "off") return "off";
    const [, quota, windowS] = /^(\d{1,10})\/(\d{1,5})$/.exec(text) ?? [];
    const policy = { quota: Number(quota), windowS: Number(windowS) };
    return isSensible(policy) ? policy : undefined;
  },
};

function isSensible({ quota, windowS }: RatePolicy): boolean {
  return quota >= 1 && quota <= 1_000_000_000 && windowS >= 1 && windowS <= 86_400;
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(text);
}

/** The address, when it is one with one of these schemes. */
export function withScheme(text: string, schemes: string[]): URL | undefined {
  if (!/^[a-z]+:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return schemes.includes(url.protocol) ? url : undefined;
}

/** Addresses may hold a password, also those that are mistyped or of another form, and the message ends up in logs. */
export function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z]+:\/\/)?.*@/i, "$1…@")
    .replace(/(pass\w*|pwd)=[^&\s]*/gi, "$1=…")
    .replace(/(\/\/[^/:@]+:)(?!\d+\b)[^/]*/, "$1…");
}
