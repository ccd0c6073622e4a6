// Sends a request of an operation to this service and shows its response. Keys, and ids that
// responses gave, stay in this tab.
(() => {
  "use strict";
  const template = document.getElementById("try-form");
  const words = template.dataset;
  const HEADERS = ["Idempotent-Replayed", "X-Request-Id", "X-Total-Count", "X-RateLimit-Remaining",
    "Retry-After", "Content-Type"];
  const BASE = "/api/v1";
  const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? "{}");
  const keep = (name, values) =>
    sessionStorage.setItem(name, JSON.stringify({ ...kept(name), ...values }));
  const refreshers = [];

  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // `<#NAME>` in quotes is a number.
  const put = (text, names) => text
    .replace(/"<#(\w+)>"/g, (all, name) => names[name] ?? all)
    .replace(/<(\w+)>/g, (all, name) => names[name] ?? all);
  const left = (text) => /<#?([A-Z_]+)>/.exec(text)?.[1];
  const at = (value, path) => path.split(".").reduce((inner, step) => inner?.[step], value);

  // Indented without reading the numbers, which may have more digits than JavaScript keeps.
  function indented(text) {
    let depth = 0;
    const line = () => `\n${"  ".repeat(depth)}`;
    return text.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|\s*([{}[\],:])\s*/g, (all, sign) => {
      if (!sign) return all;
      if (sign === ":") return ": ";
      if (sign === ",") return `,${line()}`;
      depth += "{[".includes(sign) ? 1 : -1;
      return "{[".includes(sign) ? sign + line() : line() + sign;
    });
  }

  function field(place, name, given, isPath) {
    const label = place.appendChild(document.createElement("label"));
    const input = document.createElement("input");
    label.append(`${name} `, input);
    Object.assign(input, { autocomplete: "off", spellcheck: false, required: isPath });
    return { name, given, isPath, input };
  }

  function build(details) {
    const request = JSON.parse(details.dataset.request);
    const form = template.content.cloneNode(true).querySelector("form");
    const { key, secret, idempotency, body } = form.elements;
    const place = form.querySelector(".given");
    const fields = [
      ...Object.entries(request.values).map(([name, given]) => field(place, name, given, true)),
      ...Object.entries(request.query).map(([name, given]) => field(place, name, given, false)),
    ];
    let own = {};
    const renew = () => {
      const now = String(Date.now());
      own = Object.fromEntries(
        Object.entries(request.sets).map(([name, value]) => [name, value.replace("<now>", now)]));
      idempotency.value = random();
    };
    // Keeps what a person has written.
    const fill = (all) => {
      const names = { ...kept("docs-names"), ...own };
      for (const { input, given } of fields) {
        const value = put(given, names);
        if (all || !input.value) input.value = left(value) ? "" : value;
        input.placeholder = left(value) ?? "";
      }
      if (request.body !== null && (all || left(body.value))) body.value = put(request.body, names);
    };
    form.querySelector(".idempotency").hidden = !request.hasKey && !Object.keys(request.sets).length;
    idempotency.parentElement.hidden = !request.hasKey;
    body.parentElement.hidden = request.body === null;
    form.querySelector(".renew").addEventListener("click", () => { renew(); fill(true); });
    form.addEventListener("input", () => body.setCustomValidity(""));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = left(body.value);
      body.setCustomValidity(name ? words.fill.replace("{name}", name) : "");
      if (!form.reportValidity()) return;
      keep("docs-keys", { key: key.value, secret: secret.value });
      keep("docs-names", own);
      send(form, request, fields);
    });
    const { key: lastKey, secret: lastSecret } = kept("docs-keys");
    if (lastKey) [key.value, secret.value] = [lastKey, lastSecret];
    renew();
    fill(true);
    if (request.body !== null) body.rows = Math.min(body.value.split("\n").length, 16);
    refreshers.push(() => fill(false));
    details.querySelector(".unscripted").replaceWith(form);
  }

  function address(request, fields) {
    const query = new URLSearchParams();
    let path = request.path;
    for (const { name, input, isPath } of fields) {
      if (isPath) path = path.replace(`{${name}}`, encodeURIComponent(input.value.trim()));
      else if (input.value) query.set(name, input.value);
    }
    return `${BASE}${path}${query.size ? `?${query}` : ""}`;
  }

  async function send(form, request, fields) {
    const { key, secret, idempotency, body } = form.elements;
    const button = form.querySelector("[type=submit]");
    const headers = { "X-Api-Key": key.value.trim(), "X-Api-Secret": secret.value.trim() };
    if (request.hasKey && idempotency.value) headers["Idempotency-Key"] = idempotency.value;
    if (request.body !== null) headers["Content-Type"] = "application/json";
    const options = { method: request.method, headers, credentials: "omit", cache: "no-store" };
    if (request.body !== null) options.body = body.value;
    const began = performance.now();
    button.disabled = true;
    try {
      const response = await fetch(address(request, fields), options);
      show(form, request, response, await response.text(), Math.round(performance.now() - began));
    } catch {
      state(form, "bad", words.unreachable);
      form.querySelector(".outcome").hidden = true;
    }
    button.disabled = false;
  }

  function state(form, kind, text) {
    const line = form.querySelector(".status");
    line.className = `status ${kind}`;
    line.textContent = text;
  }

  function show(form, request, response, text, ms) {
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    const replayed = response.headers.has("Idempotent-Replayed") ? ` ${words.replayed}` : "";
    const time = words.ms.replace("{ms}", ms);
    state(form, response.ok ? "good" : "bad", `${response.status} ${time}.${replayed}`);
    const list = form.querySelector("dl");
    list.replaceChildren();
    for (const name of HEADERS.filter((each) => response.headers.has(each))) {
      list.appendChild(document.createElement("dt")).textContent = name;
      list.appendChild(document.createElement("dd")).textContent = response.headers.get(name);
    }
    form.querySelector("pre code").textContent = isJson ? indented(text) : text;
    form.querySelector(".outcome").hidden = false;
    if (!isJson || !response.ok) return;
    const answer = JSON.parse(text);
    const given = Object.entries(request.gives).map(([name, path]) => [name, at(answer, path)])
      .filter(([, value]) => value !== undefined);
    keep("docs-names", Object.fromEntries(given));
    for (const refresh of refreshers) refresh();
  }

  for (const details of document.querySelectorAll(".try")) {
    details.addEventListener("toggle", () => {
      if (details.open && details.querySelector(".unscripted")) build(details);
    });
  }
})();
