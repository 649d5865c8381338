import { connect, type Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { describeServer } from "../support/scene.ts";

const NOTE_LENGTH = 100_000;
const PAGE = 30;
/** For each client the system itself holds some megabytes, which are no matter of the server's. */
const CLIENTS = 30;
const ASKS_OF_EACH = 4;

describeServer("Answers that nobody reads (docs/guides/under-load.md)", (scene) => {
  it("are held up to a bound for one workspace; others get theirs, and all is free when the clients have gone", async () => {
    const { ada } = await scene.workspace();
    const { ada: other } = await scene.workspace();
    const api = scene.api(ada);
    const { data: person } = await api.post("/v1/people", { firstName: "Ada" });
    const note = { entity: { id: person.id }, content: "x".repeat(NOTE_LENGTH), visibility: "public" };
    for (let i = 0; i < PAGE; i += 1) await api.post("/v1/notes", note);

    const sockets = Array.from({ length: CLIENTS }, () => askAndDoNotRead(scene.server.base, ada.key));
    await until("what the workspace asks for is refused", async () => {
      // Who reads nothing for some seconds is cut off, which may be before the last has asked.
      sockets.push(askAndDoNotRead(scene.server.base, ada.key));
      return (await api.get("/v1/users/me")).status === 503;
    });
    expect((await scene.api(other).get("/v1/users/me")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until("all is free again", async () => (await api.get("/v1/users/me")).status === 200);
  });
});

function askAndDoNotRead(base: string, key: string): Socket {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.pause();
  const ask = `GET /v1/notes?limit=${PAGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.write(ask.repeat(ASKS_OF_EACH));
  return socket;
}
