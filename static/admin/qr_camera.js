"use strict";
// Reads a photo or a picture of a QR code into the field beside it, where the browser can. The
// picture never leaves the device. Without scripts the field is typed or pasted into, as before.
(() => {
  const place = document.querySelector("[data-qr-camera]");
  const field = document.querySelector("[name=qr]");
  if (!place || !field) return;
  const [photo, file, said] = ["photo", "file", "said"].map((name) =>
    place.querySelector(`[data-qr-${name}]`),
  );
  const say = (name) => (said.textContent = place.dataset[name]);
  const read = async () => {
    if (!file.files.length) return;
    say("reading");
    try {
      const picture = await createImageBitmap(file.files[0]);
      const found = await new BarcodeDetector({ formats: ["qr_code"] }).detect(picture);
      if (!found.length) return say("none");
      field.value = found[0].rawValue;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      say(found.length > 1 ? "several" : "read");
      // The page of a payout shows what the code says.
      const reader = field.form.querySelector("[name=step][value=read]");
      if (reader && found.length === 1) field.form.requestSubmit(reader);
    } catch {
      say("none");
    } finally {
      file.value = ""; // the same picture may be chosen again
    }
  };
  const begin = async () => {
    const formats =
      "BarcodeDetector" in window ? await BarcodeDetector.getSupportedFormats().catch(() => []) : [];
    const canRead = formats.includes("qr_code");
    photo.hidden = !canRead;
    if (canRead) file.addEventListener("change", read);
    else say("unable");
    place.hidden = false;
  };
  begin();
})();
