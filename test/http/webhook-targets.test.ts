import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

const REFUSED = [
  "",
  "nonsense",
  "/relative",
  "//receiver.invalid/x",
  "ftp://receiver.invalid/x",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "http://",
  "https://",
  "http:///x",
  "http://?x",
  "http:receiver.invalid",
  "http:/receiver.invalid",
  "http:\\\\receiver.invalid",
  " http://receiver.invalid",
  "http://receiver.invalid ",
  "http://receiver.invalid/\u00a0",
  "http://exa mple.test/",
  "http://receiver.invalid\r\nX-Evil: 1/",
  "http://receiver.invalid/\tx",
  "http://receiver.invalid/\u0085x",
  "http://receiver.invalid/#",
  "http://receiver.invalid/#part",
  "http://user@receiver.invalid/",
  "http://user:word@receiver.invalid/",
  "http://@receiver.invalid/",
  "http://receiver.invalid\\@127.0.0.1/",
  "http://receiver.invalid:99999/",
  "http://[::1/",
  "http://receiver.invalid/\u0000",
  "http://receiver.invalid/\ud800",
];

/** Addresses of this machine, in spellings of which some are numbers only to browsers. */
const ADDRESSES = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "HTTP://0x7f.0.0.1:3000/x",
  "http://[::1]:3000/",
];

const PORTS = ["http://receiver.invalid:25/", "https://receiver.invalid:1023/"];

const TAKEN = [
  "http://receiver.invalid:1024/",
  "http://receiver.invalid:443/",
  "http://receiver.invalid",
  "HTTPS://Receiver.invalid:8443/Path?token=a%20b&at=@",
  "https://93.184.215.14/in",
  "https://bücher.invalid/ß",
];

describeServer("The target of a webhook", (scene) => {
  it.each(REFUSED)("is not %j (docs/guides/webhooks.md#targets)", async (targetUrl) => {
    const api = scene.api((await scene.workspace()).ada);
    const sent = { name: "x", targetUrl, subscribedEvents: [{ eventType: "person.created" }] };
    const { status, issues } = await api.post("/v1/webhooks", sent);
    expect({ status, issues }).toEqual({
      status: 422,
      issues: [{ code: "invalid_string", validation: "url", path: ["targetUrl"] }],
    });
  });

  it.each(ADDRESSES)("is not %s, an address that is refused (docs/guides/webhooks.md#targets)", async (targetUrl) => {
    const api = scene.api((await scene.workspace()).ada);
    const sent = { name: "x", targetUrl, subscribedEvents: [{ eventType: "person.created" }] };
    const { status, issues } = await api.post("/v1/webhooks", sent);
    expect({ status, issues }).toEqual({ status: 422, issues: [{ code: "custom", path: ["targetUrl"] }] });
  });

  it.each(PORTS)(
    "has no port like that of %s, also after a change (docs/guides/webhooks.md#targets)",
    async (targetUrl) => {
      const api = scene.api((await scene.workspace()).ada);
      const sent = { name: "x", targetUrl, subscribedEvents: [{ eventType: "person.created" }] };
      const refused = { status: 422, issues: [{ code: "custom", path: ["targetUrl"] }] };
      expect(await api.post("/v1/webhooks", sent)).toMatchObject(refused);
      const { id } = (await api.post("/v1/webhooks", { ...sent, targetUrl: "https://receiver.invalid/" })).data;
      expect(await api.patch(`/v1/webhooks/${id}`, { targetUrl })).toMatchObject(refused);
    },
  );

  it.each(TAKEN)("may be %s, and is answered as it was sent", async (targetUrl) => {
    const api = scene.api((await scene.workspace()).ada);
    const sent = { name: "x", targetUrl, subscribedEvents: [{ eventType: "person.created" }] };
    expect((await api.post("/v1/webhooks", sent)).data.targetUrl).toBe(targetUrl);
  });
});
