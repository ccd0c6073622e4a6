// A photo of a phone is larger than an image may be. The browser makes it smaller before it is sent.
// Without this file such a photo is refused with the limits.
"use strict";

const SIDE = 1024, BYTES = 64 * 1024;

async function shrunk(file) {
  const picture = await createImageBitmap(file);
  const name = `${file.name.replace(/\.[^.]*$/, "")}.jpg`;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  for (const [part, quality] of [[1, .85], [1, .7], [.75, .7], [.5, .7], [.35, .6]]) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale * part);
    canvas.height = Math.round(picture.height * scale * part);
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", quality); });
    if (blob && blob.size <= BYTES) return new File([blob], name, { type: "image/jpeg" });
  }
  return file;
}

document.addEventListener("change", async (event) => {
  const input = event.target;
  const file = input.files?.[0];
  if (!("shrink" in (input.dataset ?? {})) || !file?.type.startsWith("image/")) return;
  try {
    const picture = await createImageBitmap(file);
    if (file.size <= BYTES && Math.max(picture.width, picture.height) <= SIDE) return;
    const smaller = await shrunk(file);
    if (smaller === file) return;
    const kept = new DataTransfer();
    kept.items.add(smaller);
    input.files = kept.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  } catch { /* no picture: the server says so */ }
});
