import { createServer, get } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { until } from "../../../../lab/harness/until.ts";
import { listenWidely } from "../../../../services/gateway/connection/listeners.ts";

const CLIENTS = 200;
const wide = process.platform === "linux" && Number(process.versions.node.split(".")[0]) > 23;

(wide ? it : it.skip)(
  "lets in a rush of connections in few turns of the event loop, and closes all its sockets",
  async () => {
    const server = createServer((_request, response) => response.end("served"));
    listenWidely(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;

    let accepted = 0;
    let turns = 0;
    let turnsNeeded = 0;
    server.on("connection", () => {
      accepted += 1;
      if (accepted === CLIENTS) turnsNeeded = turns;
    });
    const turn = () => {
      turns += 1;
      // As long as this process takes to connect them all, the system does not.
      const end = performance.now() + 2;
      while (performance.now() < end);
      if (turnsNeeded === 0) setImmediate(turn);
    };
    const clients: Socket[] = Array.from({ length: CLIENTS }, () => connect(port, "127.0.0.1"));
    turn();
    await until("all are let in", () => turnsNeeded > 0);
    // One a turn, with one socket; shared out at random among many, some get more than others.
    expect(turnsNeeded).toBeLessThan(CLIENTS / 4);

    const text = await new Promise<string>((resolve, reject) => {
      get({ port, host: "127.0.0.1" }, (response) => {
        let body = "";
        response.on("data", (chunk) => (body += chunk)).on("end", () => resolve(body));
      }).on("error", reject);
    });
    expect(text).toBe("served");
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
    const refused = await new Promise((resolve) => connect(port, "127.0.0.1").once("error", resolve));
    expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  },
);
