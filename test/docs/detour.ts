import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/**
 * A proxy that leads every request to one server, whatever address it is for: what readers send to
 * `http://localhost:3000` then reaches the server of a test. Node asks for a tunnel, curl and Python name the whole
 * address.
 */
export async function startDetour(base: string): Promise<{ address: string; stop(): void }> {
  const { hostname, port } = new URL(base);
  const proxy = createServer((asked, answer) => {
    const { pathname, search } = new URL(asked.url ?? "/", base);
    const { method, headers } = asked;
    const onward = request({ hostname, port, method, headers, path: `${pathname}${search}` }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
    });
    asked.pipe(onward);
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
  });
  proxy.on("connect", (_asked, socket) => {
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
