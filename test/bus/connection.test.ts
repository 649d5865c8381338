import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { connect, nkeys } from "nats";
import { natsOptions } from "../../bus/connection.ts";
import { readEnv } from "../../config/env.ts";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";

const USER = 'authorization { user: "cw", password: "p@ss w0rd" }\n';
const WITH_USER = "cw:p%40ss%20w0rd@";

describeBus("The connection to NATS (docs/guides/growing.md#the-bus)", () => {
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-tls-"));
  let made: Certificates;
  let nats: NatsServer | undefined;

  beforeAll(() => {
    made = makeCertificates(folder);
  });
  afterEach(() => nats?.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tls = (more = "") => `tls { cert_file: "${made.server.cert}", key_file: "${made.server.key}", ${more} }\n`;
  const serve = async (config: string) => {
    nats = await startNats({ config });
    return nats.port;
  };

  /** What becomes of a connection with these settings: true, or the code of its error. */
  async function outcome(variables: Record<string, string>): Promise<unknown> {
    try {
      const client = await connect({ ...natsOptions(readEnv(variables), "test"), reconnect: false });
      await client.flush();
      await client.close();
      return true;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  it("is encrypted with tls:// by the certificate of NATS, which has to be signed by NATS_CA, and needs the password", async () => {
    const port = await serve(USER + tls());
    const address = `${WITH_USER}127.0.0.1:${port}`;
    expect(await outcome({ NATS_URL: `tls://${address}`, NATS_CA: made.ca })).toBe(true);
    expect(await outcome({ NATS_URL: `tls://${address}` })).not.toBe(true);
    expect(await outcome({ NATS_URL: `tls://${address}`, NATS_CA: made.client.cert })).not.toBe(true);
    expect(await outcome({ NATS_URL: `tls://cw:wrong@127.0.0.1:${port}`, NATS_CA: made.ca })).toBe(
      "AUTHORIZATION_VIOLATION",
    );
  });

  it("is not made with tls:// to a NATS that has no TLS, or the certificate of another name", async () => {
    const plain = await serve("");
    expect(await outcome({ NATS_URL: `tls://127.0.0.1:${plain}`, NATS_CA: made.ca })).not.toBe(true);
    await nats?.stop();
    const other = await serve(tls());
    expect(await outcome({ NATS_URL: `tls://localhost:${other}`, NATS_CA: made.ca })).toBe(
      "ERR_TLS_CERT_ALTNAME_INVALID",
    );
  });

  it("shows NATS_CERT to a NATS that wants certificates of its clients", async () => {
    const port = await serve(tls(`ca_file: "${made.ca}", verify: true`));
    const variables = { NATS_URL: `tls://127.0.0.1:${port}`, NATS_CA: made.ca };
    const { cert, key } = made.client;
    expect(await outcome({ ...variables, NATS_CERT: cert, NATS_KEY: key })).toBe(true);
    expect(await outcome(variables)).not.toBe(true);
  });

  it("proves who it is by NATS_CREDS, which are read anew for each connection", async () => {
    const user = nkeys.createUser();
    const port = await serve(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }\n`);
    const file = join(folder, "user.creds");
    const write = (seed: Uint8Array) =>
      writeFileSync(
        file,
        `-----BEGIN NATS USER JWT-----\neyJ0eXAiOiJKV1QifQ.e30.c2ln\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${Buffer.from(seed).toString()}\n------END USER NKEY SEED------\n`,
      );
    write(nkeys.createUser().getSeed());
    const variables = { NATS_URL: `nats://127.0.0.1:${port}`, NATS_CREDS: file };
    expect(await outcome(variables)).toBe("AUTHORIZATION_VIOLATION");
    const options = natsOptions(readEnv(variables), "test");
    write(user.getSeed());
    const client = await connect({ ...options, reconnect: false });
    await client.close();
    expect(await outcome({ NATS_URL: variables.NATS_URL })).toBe("AUTHORIZATION_VIOLATION");
  });

  it("does not begin with files that are of no use, each named in one line", () => {
    const url = { NATS_URL: "tls://nats:4222" };
    const faultOf = (variables: Record<string, string>) => {
      try {
        return readEnv(variables) && "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    const nothing = join(folder, "nothing.pem");
    for (const name of ["NATS_CREDS", "NATS_CA"]) {
      expect(faultOf({ ...url, [name]: nothing })).toMatch(
        new RegExp(`^${name} is "${nothing}". Allowed: a file [^\n]+$`),
      );
      expect(faultOf({ ...url, [name]: made.server.key })).toMatch(new RegExp(`^${name} is "[^\n]+$`));
    }
    const { cert, key } = made.client;
    expect(faultOf({ ...url, NATS_CERT: cert, NATS_KEY: cert })).toMatch(
      /^NATS_KEY is "[^\n]+\nNATS_CERT and NATS_KEY/,
    );
    expect(faultOf({ ...url, NATS_CERT: cert })).toMatch(/^NATS_CERT and NATS_KEY belong together[^\n]+$/);
    expect(faultOf({ ...url, NATS_CERT: cert, NATS_KEY: made.server.key })).toMatch(/^NATS_KEY is not [^\n]+$/);
    expect(faultOf({ ...url, NATS_CERT: cert, NATS_KEY: key, NATS_CA: made.ca })).toBe("");
    expect(faultOf({ NATS_URL: "nats://nats:4222", NATS_CA: made.ca })).toMatch(
      /^NATS_CA is set, but NATS_URL [^\n]+$/,
    );
  });
});
