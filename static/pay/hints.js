// Hints while a payer types: the total of an open amount, and what an e-mail was meant to be.
// Nothing here blocks a form; the server reads what was typed.
"use strict";

// `hotmial.com` is meant to be hotmail.com. Other ends than those of `com` are left as they are.
const MAIL = ["gmail", "hotmail", "outlook", "yahoo", "icloud", "live"];
const MAIL_OF_OTHERS = ["mail", "ymail", "gmx", "email"];
const ENDS = ["com", "com.co", "es", "co.uk", "net", "org"];
function meantAddress(address) {
  const [, name, host, end] = /^([^@\s]+)@([^@\s.]+)\.([^@\s]+)$/.exec(address.trim().toLowerCase()) ?? [];
  if (!host || MAIL_OF_OTHERS.includes(host)) return "";
  const known = MAIL.includes(host) ? host
    : MAIL.find((one) => host.length > 3 && distance(host, one) <= (one.length > 6 ? 2 : 1));
  if (!known) return "";
  const com = !ENDS.includes(end) && (known === "gmail" || distance(end, "com") === 1);
  const meant = `${known}.${com ? "com" : end}`;
  return meant === `${host}.${end}` ? "" : `${name}@${meant}`;
}
function askAddress(input) {
  const field = input.closest(".field"), meant = meantAddress(input.value);
  field.querySelector(".meant")?.remove();
  if (!meant) return;
  const text = input.dataset.meant.replace("%s", meant);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: text });
  button.addEventListener("click", () => {
    input.value = meant;
    input.focus();
    button.parentElement.remove();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const line = Object.assign(document.createElement("p"), { className: "hint meant" });
  line.append(button);
  input.after(line);
  say(text);
}
for (const input of document.querySelectorAll("[data-meant]")) {
  input.addEventListener("change", () => askAddress(input));
  input.addEventListener("input", () => input.closest(".field").querySelector(".meant")?.remove());
  if (input.value) askAddress(input);
}

// In whole units of the currency, so that the fee is rounded as the server does: half up.
function units(text, { currency, places }) {
  const bare = text.toUpperCase().replace(/[\s$]/g, "").replace(currency, "");
  const pesos = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*|\d+)(?:[.,]0{1,2})?$/.exec(bare);
  const coin = /^(\d+)(?:[.,](\d+))?$/.exec(bare);
  if (bare.length > 20) return null;
  if (currency === "COP") return pesos && BigInt(pesos[1].replace(/\D/g, ""));
  if (!coin || (coin[2] ?? "").length > places) return null;
  return BigInt(coin[1] + (coin[2] ?? "").padEnd(places, "0"));
}
function amountText(count, { currency, places, signs }) {
  const all = String(count).padStart(Number(places) + 1, "0"), at = all.length - places;
  const whole = all.slice(0, at).replace(/\B(?=(\d{3})+$)/g, signs[0]);
  if (currency === "COP") return `$\u00a0${whole}\u00a0COP`;
  return `${whole}${signs[1]}${all.slice(at).replace(/0+$/, "").padEnd(2, "0")}\u00a0${currency}`;
}
const sum = document.querySelector("[data-rate]");
if (sum) {
  const { dataset: facts, textContent: sentence } = sum, input = document.getElementById(sum.htmlFor.value);
  const [, rate = ""] = facts.rate.split("."), scale = 10n ** BigInt(rate.length);
  const show = () => {
    const amount = units(input.value, facts);
    const fee = amount && (2n * amount * BigInt(facts.rate.replace(".", "")) + scale) / (2n * scale);
    sum.textContent = amount
      ? facts.text.replace("{fee}", amountText(fee, facts)).replace("{total}", amountText(amount + fee, facts))
      : sentence;
  };
  // At the document, after pay.js has grouped the digits there.
  document.addEventListener("input", show);
  show();
}
