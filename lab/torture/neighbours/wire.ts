/** A request as somebody means it. */
export interface Wanted {
  method: string;
  path: string;
  /** The API key; without one none is sent. */
  key?: string;
  /** What is sent as JSON, or the text itself. */
  body?: object | string;
  /** Further lines of the head. */
  head?: string[];
}

/** The bytes of a request. */
export function wire(wanted: Wanted): Buffer {
  const { body } = wanted;
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  return Buffer.from(`${headOf(wanted, text === undefined ? undefined : Buffer.byteLength(text))}${text ?? ""}`);
}

/** The head of a request whose body has so many bytes, with the empty line at its end. */
export function headOf({ method, path, key, head = [] }: Wanted, length?: number): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(length === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${length}`]),
    ...head,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
