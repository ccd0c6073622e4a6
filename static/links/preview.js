// What the payer will see, while the form is filled in. The fee follows the rule of the server
// (payments/core/money.py: percentage_fee): the amount by the rate, rounded half up to the unit of the
// currency. Without this file the form says in words that the fee comes on top.
"use strict";
(() => {
  const box = document.querySelector("[data-link-preview]");
  const form = box.parentNode.querySelector("form");
  const units = JSON.parse(box.dataset.units); // {currency: decimals of its unit}
  const { thousands, point } = box.dataset;
  const [, rateDecimals = ""] = box.dataset.rate.split(".");
  const rate = BigInt(box.dataset.rate.replace(".", ""));

  // As payments/core/typed_amounts.py reads them: {value, decimals}, or null.
  function read(text, currency) {
    const bare = text.replace(new RegExp(`[\\s$]|${currency}`, "gi"), "");
    if (bare.length > 20) return null;
    if (currency === "COP") {
      const found = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*|\d+)(?:[.,]0{1,2})?$/.exec(bare);
      return found && { value: BigInt(found[1].replace(/\D/g, "")), decimals: 0 };
    }
    if (!/^\d+(?:[.,]\d+)?$/.test(bare)) return null;
    const [whole, part = ""] = bare.split(/[.,]/);
    return { value: BigInt(whole + part), decimals: part.length };
  }

  const scaled = ({ value, decimals }, to) => value * 10n ** BigInt(to - decimals);

  function feeOf(amount, unit) {
    const extra = amount.decimals + rateDecimals.length - unit;
    const product = amount.value * rate;
    if (extra <= 0) return { value: product * 10n ** BigInt(-extra), decimals: unit };
    const divisor = 10n ** BigInt(extra);
    return { value: (product * 2n + divisor) / (divisor * 2n), decimals: unit };
  }

  function shown({ value, decimals }, currency) {
    const digits = String(value).padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, thousands);
    const part = digits.slice(digits.length - decimals).replace(/0+$/, "");
    const text = part && decimals ? whole + point + part : whole;
    return currency === "COP" ? `$ ${text} COP` : `${text} ${currency}`;
  }

  function put(name, text) {
    for (const place of document.querySelectorAll(`[data-preview=${name}]`)) {
      place.textContent = text || place.dataset.none || "";
    }
  }

  function draw() {
    const value = (name) => form.elements[name]?.value ?? "";
    const currency = value("currency") || box.dataset.currency;
    const isOpen = box.dataset.open === "1" || value("kind") === "OPEN";
    put("title", value("title").trim());
    put("description", value("description").trim());
    const amount = isOpen ? null : read(value("amount").trim(), currency);
    const line = document.querySelector("[data-total-line]");
    if (line) line.hidden = !amount;
    box.querySelector("[data-preview-sums]").hidden = !amount;
    if (!amount) {
      for (const name of ["amount", "fee", "total"]) put(name, "");
      const total = box.querySelector(".link-preview-total");
      if (isOpen) total.textContent = total.dataset.choice;
      total.classList.toggle("link-preview-words", isOpen);
      return;
    }
    box.querySelector(".link-preview-total").classList.remove("link-preview-words");
    const fee = feeOf(amount, units[currency]);
    const most = Math.max(fee.decimals, amount.decimals);
    const total = { value: scaled(amount, most) + scaled(fee, most), decimals: most };
    put("amount", shown(amount, currency));
    put("fee", shown(fee, currency));
    put("total", shown(total, currency));
  }

  box.hidden = false;
  for (const kind of ["input", "change"]) form.addEventListener(kind, draw);
  draw();
})();
