import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { openConnection } from "../../../lab/harness/connection.ts";

/** Answers each request with the next of the texts, cut into pieces of this many bytes. */
async function serve(answers: string[], pieceLength: number) {
  let next = 0;
  const answer = async (socket: Socket) => {
    const bytes = Buffer.from(answers[next++] ?? "");
    for (let at = 0; at < bytes.length; at += pieceLength) {
      socket.write(bytes.subarray(at, at + pieceLength));
      await pause(1);
    }
  };
  const server = createServer((socket) => socket.setNoDelay(true).on("data", () => void answer(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}

const JSON_TEXT = '[{"name":"Jürgen"}, \n {"name":"Zoë"}]';
const sized = (status: number, body: string): string =>
  `HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = (status: number, ...texts: string[]): string =>
  `HTTP/1.1 ${status} X\r\nTransfer-Encoding: chunked\r\n\r\n${texts.map(chunk).join("")}0\r\n\r\n`;

test.each([1, 3, 7, 1000])(
  "answers with a length and in chunks are read whole, in pieces of %i bytes",
  async (length) => {
    const texts = [
      sized(200, JSON_TEXT),
      chunked(201, JSON_TEXT),
      chunked(200, "[1,", "2]"),
      chunked(200),
      sized(404, "{}"),
    ];
    const { port, stop } = await serve(texts, length);
    const connection = await openConnection(port);
    const got: [number, string][] = [];
    for (const _ of texts) {
      const { status, body } = await connection.ask(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
      got.push([status, body()]);
    }
    connection.close();
    stop();
    expect(got).toEqual([
      [200, JSON_TEXT],
      [201, JSON_TEXT],
      [200, "[1,2]"],
      [200, ""],
      [404, "{}"],
    ]);
  },
);
