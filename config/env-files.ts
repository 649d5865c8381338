import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ValueKind } from "./env-values.ts";

/** A file with one or more certificates; only the first one is checked. */
export const certificateFile = fileOf("a file with a certificate in PEM", (text) => new X509Certificate(text));

/** A private key without a passphrase. */
export const privateKeyFile = fileOf("a file with a private key in PEM, without a passphrase", createPrivateKey);

/** File that `nsc generate creds` writes. */
export const credentialsFile = fileOf("a file of NATS credentials (.creds)", (text) => {
  if (!/BEGIN NATS USER JWT[\s\S]+BEGIN USER NKEY SEED/.test(text)) throw new Error("no credentials");
});

/** The text of a variable, or its fault; neither if it is not set. */
export interface Setting {
  text?: string | undefined;
  fault?: string;
  isFile?: boolean;
}

/**
 * Value of a variable: its text, or that of the file that the variable with `_FILE` behind its name names, as Docker
 * and Kubernetes give secrets. Blanks around the text of a file do not count.
 */
export function settingOf(
  { name, mayBeFile }: { name: string; mayBeFile?: boolean },
  source: NodeJS.ProcessEnv,
): Setting {
  const path = mayBeFile ? source[`${name}_FILE`] : undefined;
  if (!path) return { text: source[name] || undefined };
  if (source[name]) return { fault: `${name} and ${name}_FILE are both set. Set one of them.` };
  try {
    const text = readFileSync(path, "utf8").trim();
    if (text !== "") return { text, isFile: true };
    return { fault: `${name}_FILE is ${JSON.stringify(path)}, which is empty.` };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { fault: `${name}_FILE is ${JSON.stringify(path)}, which cannot be read (${code}).` };
  }
}

/** The full path of a file that can be read and holds what is needed. */
function fileOf(allowed: string, check: (text: string) => unknown): ValueKind<string> {
  return {
    allowed,
    parse: (text) => {
      try {
        const path = resolve(text);
        check(readFileSync(path, "utf8"));
        return path;
      } catch {
        return undefined;
      }
    },
  };
}

/** True if a private key belongs to a certificate. Both files have been checked before. */
export function belongTogether(certificate: string, privateKey: string): boolean {
  return new X509Certificate(readFileSync(certificate)).checkPrivateKey(createPrivateKey(readFileSync(privateKey)));
}
