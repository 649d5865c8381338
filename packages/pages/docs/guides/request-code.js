// Requests of the guides as code that a reader can run.

/** Parses a request of a guide: method and path, headers, an empty line, the body. */
function parse(text) {
  const [first, ...lines] = text.trim().split("\n");
  const [method, ...path] = first.trim().split(" ");
  const at = lines.findIndex((line) => line.trim() === "");
  const headers = (at < 0 ? lines : lines.slice(0, at)).map((line) => line.split(/:\s*/, 2));
  const body = at < 0 ? "" : lines.slice(at).join("\n").trim();
  // Programs send ASCII; curl and Python do not encode the rest themselves.
  return { method, path: path.join(" ").replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent), headers, body };
}

/** In single quotes, for a shell. */
const shell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ method, url, headers, body }) {
  const isUsual = method === "GET" ? body === "" : method === "POST" && body !== "";
  const parts = [
    `curl -s -g ${isUsual ? "" : `-X ${method} `}${shell(url)}`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === "" ? [] : [`-d ${shell(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function javascript({ method, url, headers, body }) {
  const named = headers.map(
    ([name, value]) => `    "${name}": \`${value.replace("$KEY", "$" + "{process.env.KEY}")}\`,`,
  );
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(named.length === 0 ? [] : ["  headers: {", ...named, "  },"]),
    ...(body === "" ? [] : [`  body: JSON.stringify(${body}),`]),
  ];
  return `const response = await fetch(${JSON.stringify(url)}, {\n${options.join("\n")}\n});\nconsole.log(await response.text());`;
}

function python({ method, url, headers, body }) {
  const named = headers.map(
    ([name, value]) => `        "${name}": f"${value.replace("$KEY", "{os.environ['KEY']}")}",`,
  );
  const parts = [
    `    ${JSON.stringify(url)},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(named.length === 0 ? [] : ["    headers={", ...named, "    },"]),
    ...(body === "" ? [] : [`    data=r"""${body}""".encode(),`]),
  ];
  return `import os\nfrom urllib.request import Request, urlopen\n\nrequest = Request(\n${parts.join("\n")}\n)\nprint(urlopen(request).read().decode())`;
}

/** Name of a form → the request in it. */
export const FORMS = { curl, JavaScript: javascript, Python: python };

/**
 * A request of a guide as code.
 * @param {string} text the request, as the guide shows it
 * @param {{ form: keyof typeof FORMS, server: string, hasKey: boolean }} options address of the server, without a slash
 *   at its end; whether the request has a key, which the code takes from the variable KEY
 */
export function requestCode(text, { form, server, hasKey }) {
  const { method, path, headers, body } = parse(text);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual = [
    ...(hasKey && !given.has("authorization") ? [["Authorization", "Bearer $KEY"]] : []),
    ...(body !== "" && !given.has("content-type") ? [["Content-Type", "application/json"]] : []),
  ];
  return FORMS[form]({ method, url: server + path, headers: [...usual, ...headers], body });
}
