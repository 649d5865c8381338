import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, type WebhookRequest, WebhookVerificationError } from "../src/index.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const SECRET = newSecret();
const OTHER = newSecret();
const ID = "evt_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const NOW_S = 1_780_000_000;
const EVENT = {
  id: ID,
  type: "person.updated",
  createdAt: "2026-03-01T09:30:00.000Z",
  source: "https://contacts.example.test/v1/webhooks/wbk_1",
  data: {
    id: "per_1",
    url: "https://contacts.example.test/v1/people/per_1",
    changes: [{ path: ["jobTitle"], type: "set", value: "Zoë ✓" }],
  },
};
const BODY = JSON.stringify(EVENT);

/** What the library of Standard Webhooks signs. */
function signature(secret: string, text: string | Buffer = BODY, seconds = NOW_S): string {
  return new Webhook(secret).sign(ID, new Date(seconds * 1000), text.toString());
}

function headersOf(signatures: string, seconds: number | string = NOW_S): Record<string, string> {
  return { "webhook-id": ID, "webhook-timestamp": String(seconds), "webhook-signature": signatures };
}

const now = () => NOW_S * 1000;
const verified = (request: Partial<WebhookRequest> = {}) =>
  verifyWebhook({ secret: SECRET, headers: headersOf(signature(SECRET)), body: BODY, now, ...request });

async function refusal(request: Partial<WebhookRequest>): Promise<string> {
  const refused = await verified(request).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WebhookVerificationError);
  return (refused as WebhookVerificationError).reason;
}

describe("A genuine request (docs/guides/webhooks.md#verifying)", () => {
  it("gives its event, whatever form body and headers have", async () => {
    const bytes = new TextEncoder().encode(BODY);
    const padded = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, 2 + bytes.length);
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY), padded])
      expect(await verified({ body })).toEqual(EVENT);
    const written = headersOf(signature(SECRET));
    const upper = Object.fromEntries(Object.entries(written).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [new Headers(written), upper]) expect(await verified({ headers })).toEqual(EVENT);
  });

  it("may be signed with several secrets, and be verified with several (docs/guides/webhooks.md#rotating-the-secret)", async () => {
    const both = headersOf(`${signature(OTHER)} ${signature(SECRET)}`);
    for (const secret of [SECRET, OTHER, [SECRET], [newSecret(), OTHER]])
      expect(await verified({ secret, headers: both })).toEqual(EVENT);
    expect(await verified({ secret: [OTHER, SECRET] })).toEqual(EVENT);
  });

  it("may have signatures of versions to come", async () => {
    expect(await verified({ headers: headersOf(`v2,abc v1a,${"A".repeat(88)} ${signature(SECRET)}`) })).toEqual(EVENT);
  });

  it("may be a test, and have a secret without its prefix", async () => {
    const body = JSON.stringify({ ...EVENT, type: "webhook.test" });
    const event = await verified({ secret: SECRET.slice(6), body, headers: headersOf(signature(SECRET, body)) });
    expect(event.type).toBe("webhook.test");
  });

  it("is of now by the clock of the receiver, unless told otherwise", async () => {
    const nowS = Math.floor(Date.now() / 1000);
    const headers = headersOf(signature(SECRET, BODY, nowS), nowS);
    expect(await verifyWebhook({ secret: SECRET, headers, body: BODY })).toEqual(EVENT);
    expect(await refusal({ now: Date.now })).toBe("too-old");
  });
});

describe("A request is refused", () => {
  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("without %s", async (name) => {
    const { [name]: _, ...headers } = headersOf(signature(SECRET));
    expect(await refusal({ headers })).toBe("missing-header");
    expect(await refusal({ headers: new Headers(headers) })).toBe("missing-header");
    expect(await refusal({ headers: { ...headers, [name]: "" } })).toBe("missing-header");
  });

  it.each(["soon", "", " ", "1e9", "-5", "1780000000.5", "0x6a18", "9".repeat(400)])(
    "when its time is %j",
    async (seconds) => {
      const reason = await refusal({ headers: headersOf(signature(SECRET), seconds) });
      expect(reason).toBe(seconds === "" ? "missing-header" : "invalid-timestamp");
    },
  );

  it("when it is more than five minutes away, or as far as is tolerated", async () => {
    const at = (seconds: number) => ({ headers: headersOf(signature(SECRET, BODY, seconds), seconds) });
    for (const seconds of [NOW_S - 300, NOW_S + 300]) expect(await verified(at(seconds))).toEqual(EVENT);
    expect(await refusal(at(NOW_S - 301))).toBe("too-old");
    expect(await refusal(at(NOW_S + 301))).toBe("too-new");
    expect(await refusal({ ...at(NOW_S - 11), toleranceS: 10 })).toBe("too-old");
    expect(await verified({ ...at(NOW_S - 3000), toleranceS: 3600 })).toEqual(EVENT);
  });

  const genuine = signature(SECRET);
  it.each<[string, Partial<WebhookRequest>]>([
    ["another secret has signed it", { headers: headersOf(signature(OTHER)) }],
    ["another byte is in its body", { body: `${BODY} ` }],
    ["it has another id", { headers: { ...headersOf(genuine), "webhook-id": "evt_2" } }],
    ["it has another time", { headers: headersOf(genuine, NOW_S + 1) }],
    ["its signature is cut", { headers: headersOf(genuine.slice(0, -4)) }],
    ["its signature is no base64", { headers: headersOf("v1,%%%") }],
    ["its signature is empty", { headers: headersOf("v1,") }],
    ["its signature is of no version", { headers: headersOf(genuine.slice(3)) }],
    ["its signature is of another version", { headers: headersOf(genuine.replace("v1", "v2")) }],
    ["it has two ids", { headers: { ...headersOf(genuine), "webhook-id": [ID, ID] } }],
  ])("when %s", async (_, request) => expect(await refusal(request)).toBe("wrong-signature"));

  it.each([
    ["no JSON", "{"],
    ["no event", "[]"],
    ["null", "null"],
    ["no data", '{"type":"person.created"}'],
  ])("when its body is signed and %s", async (_, body) =>
    expect(await refusal({ body, headers: headersOf(signature(SECRET, body)) })).toBe("invalid-body"),
  );

  it("when its body is signed and no UTF-8", async () => {
    const body = Buffer.concat([Buffer.from('{"type":"a","data":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const key = Buffer.from(SECRET.slice(6), "base64");
    const mac = createHmac("sha256", key).update(`${ID}.${NOW_S}.`).update(body).digest("base64");
    expect(await refusal({ body, headers: headersOf(`v1,${mac}`) })).toBe("invalid-body");
  });

  it("as the library of Standard Webhooks refuses it, with any signatures", async () => {
    const library = new Webhook(SECRET);
    const nowS = Math.floor(Date.now() / 1000);
    const texts = [SECRET, OTHER].map((secret) => signature(secret, BODY, nowS));
    const [ours = "", theirs = ""] = texts;
    for (const signatures of [
      ours,
      theirs,
      `${theirs} ${ours}`,
      `v2,x ${ours}`,
      `${theirs} ${theirs}`,
      ours.slice(0, -2),
    ]) {
      const headers = headersOf(signatures, nowS);
      const byLibrary = await Promise.resolve()
        .then(() => library.verify(BODY, headers))
        .then(
          () => true,
          () => false,
        );
      const byClient = await verifyWebhook({ secret: SECRET, headers, body: BODY }).then(
        () => true,
        () => false,
      );
      expect([signatures, byClient]).toEqual([signatures, byLibrary]);
    }
  });
});

describe("A secret that is none", () => {
  it.each<[string | string[]]>([["whsec_"], ["whsec_%%%"], [""], [[]], [[SECRET, ""]]])(
    "is a mistake of the receiver and no fault of the request: %j",
    async (secret) => await expect(verified({ secret })).rejects.toThrow(/signing secret/),
  );
});
