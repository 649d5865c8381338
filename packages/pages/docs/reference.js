/**
 * The console keeps the key under this name too, so that a user who has signed in there need not type it again
 * (docs/guides/console.md).
 */
const STORED_KEY = "key";

// In the capturing phase: Scalar restores its first key when a reader empties the field.
document.addEventListener(
  "input",
  ({ target }) => {
    if (target.placeholder !== "Token") return;
    const key = target.value.trim();
    if (key !== "") sessionStorage.setItem(STORED_KEY, key);
    else if (sessionStorage.getItem(STORED_KEY) !== null) {
      sessionStorage.removeItem(STORED_KEY);
      location.reload();
    }
  },
  true,
);

// Draws the reference. Everything of Scalar that would speak to other hosts, or lead there, is off; the
// Content-Security-Policy of the page makes sure of it.
function draw(content) {
  const { createApiReference } = globalThis.Scalar;
  // Scalar would take the present content for its own work.
  document.querySelector("#reference").replaceChildren();
  createApiReference("#reference", {
    content,
    // The console sends to where this page came from, also when PUBLIC_URL names another address: the policy allows no
    // other, and the server answers no requests of pages from elsewhere (no CORS).
    servers: [{ url: globalThis.location.origin }],
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    telemetry: false,
    withDefaultFonts: false,
    // Scalar would keep the key for ever and for all tabs. This page keeps it for its tab, as the console does.
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: "apiKey",
      securitySchemes: { apiKey: { token: sessionStorage.getItem(STORED_KEY) ?? "" } },
    },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    // As in the resource tables: what matters first.
    orderSchemaPropertiesBy: "preserve",
    // The button would download the document as `withShortSnippets` has changed it. The page links to the real one.
    documentDownloadType: "none",
  });
}

/**
 * The document as Scalar shows it well. Scalar would write every parameter into its snippets, with a value of its own
 * making: three thousand characters of filters that find nothing, and an empty cursor, which is refused. Here they have
 * what a request needs.
 */
function withShortSnippets(content) {
  const operations = Object.values(content.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap((operation) => operation.parameters);
  // A snippet takes of each parameter the example that is named like that of the body.
  const names = operations.flatMap((operation) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples)),
  );
  for (const parameter of [...parameters, ...Object.values(content.components.parameters)]) {
    if (parameter.style === "deepObject") showOneFilter(parameter);
    if (parameter.$ref || parameter.required) continue;
    const value = parameter.example ?? parameter.schema.default;
    const example = { ...(value !== undefined && { value }), "x-disabled": true };
    parameter.examples = Object.fromEntries(["default", ...names].map((name) => [name, example]));
    delete parameter.example;
  }
  return content;
}

/**
 * Scalar would make a parameter of each operator of each field, a hundred of them, each with the description of all.
 */
function showOneFilter(parameter) {
  const [[field, condition]] = Object.entries(parameter.example);
  const [[operator, value]] = Object.entries(condition);
  parameter.name = `filter[${field}][${operator}]`;
  parameter.schema = { type: "string" };
  parameter.example = value;
  delete parameter.style;
  delete parameter.explode;
}

const state = document.querySelector(".outline [role=status]");
state.textContent = "The reference with all fields and examples is being loaded …";

// The document is loaded beside the script of Scalar, which is there when the page has been parsed.
const parsed = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
Promise.all([fetch("/v1/openapi.json").then((answer) => answer.json()), parsed])
  .then(([content]) => draw(withShortSnippets(content)))
  .catch((error) => {
    state.textContent = "The reference could not be loaded. Try again.";
    throw error;
  });
