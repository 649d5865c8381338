/** Address of a server, and the API key that requests send. */
export interface Access {
  port: number;
  key: string;
}

/** `data` of the answer to a request; throws unless that is 200. */
export async function askJson<Data>(
  { port, key }: Access,
  method: string,
  path: string,
  body?: object,
  further: Record<string, string> = {},
): Promise<Data> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...further, Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer).data;
}
